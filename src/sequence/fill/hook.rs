//! What the loops that compute values ask now and then: whether to go on, and whether to save.

use crate::engine::{Effort, Watch};
use crate::error::Error;
use crate::sequence::saver::{FirstValues, Progress, Saver};

/// The watch and the saver of a sequence, which are asked now and then, and why the work was stopped.
pub(super) struct Hook<'h> {
    watch: Option<&'h dyn Watch>,
    saver: Option<&'h mut (dyn Saver + 'static)>,
    wanted: u64,
    /// Why the work was stopped.
    pub stopped: Option<Error>,
}

impl<'h> Hook<'h> {
    /// The watch and the saver of a sequence, for a run to `heap`.
    pub fn new(effort: &'h Effort, saver: &'h mut Option<Box<dyn Saver>>, heap: u64) -> Hook<'h> {
        Hook {
            watch: effort.watch.as_deref(),
            saver: saver.as_deref_mut(),
            wanted: heap.saturating_add(1),
            stopped: None,
        }
    }

    pub fn go_on(&mut self, values: &FirstValues<'_>) -> bool {
        let known = values.count();
        if let Some(saver) = &mut self.saver
            && saver.is_due(known)
            && let Err(error) = saver.save(Progress::Table(*values))
        {
            self.stopped = Some(error);
        } else if self
            .watch
            .is_some_and(|watch| !watch.progress(known, self.wanted))
        {
            self.stopped = Some(Error::Interrupted);
        }
        self.stopped.is_none()
    }

    /// Like [`Hook::go_on`], for the values of a slice.
    pub fn go_on_with(&mut self, values: &[u16]) -> bool {
        self.go_on(&FirstValues::new(values.len(), &|from, out| {
            out.copy_from_slice(&values[from..][..out.len()]);
        }))
    }
}
