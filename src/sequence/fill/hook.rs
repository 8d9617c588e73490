//! The questions that the loops computing values ask now and then: whether to go on, and whether to save.

use crate::engine::{Effort, Watch};
use crate::sequence::saver::{FirstValues, Progress, Saver};

/// The watch and the saver of a sequence, for the loop that asks them.
pub(super) struct Hook<'h> {
    watch: Option<&'h dyn Watch>,
    saver: Option<&'h mut (dyn Saver + 'static)>,
    wanted: u64,
    /// Whether the watch or the saver stopped the work.
    pub stopped: bool,
}

impl<'h> Hook<'h> {
    /// The watch and the saver of a sequence, for a run to `heap`.
    pub fn new(effort: &'h Effort, saver: &'h mut Option<Box<dyn Saver>>, heap: u64) -> Hook<'h> {
        Hook {
            watch: effort.watch.as_deref(),
            saver: saver.as_deref_mut(),
            wanted: heap.saturating_add(1),
            stopped: false,
        }
    }

    pub fn go_on(&mut self, values: FirstValues<'_>) -> bool {
        let known = values.count();
        let is_saved = match &mut self.saver {
            Some(saver) if saver.is_due(known) => saver.save(Progress::Table(values)),
            _ => true,
        };
        let goes_on = |watch: &dyn Watch| watch.progress(known, self.wanted);
        self.stopped = !(is_saved && self.watch.is_none_or(goes_on));
        !self.stopped
    }
}
