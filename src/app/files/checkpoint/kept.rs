//! The checkpoint of a run under way, which is written again and again.

use super::{CheckpointError, Header, Saving, io_error};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// At most one part in this many of the time is spent on saving: a checkpoint that takes long to write is written less often.
const SAVING_SHARE: u32 = 20;

/// A checkpoint, and when it is to be written again.
pub struct Kept {
    pub file: PathBuf,
    /// How many values the checkpoint holds.
    pub values: u64,
    /// Why the checkpoint could not be written when it was to be.
    pub failed: Option<anyhow::Error>,
    parameters: BTreeMap<String, String>,
    /// How often the checkpoint is written.
    pub every: Duration,
    /// When the checkpoint is to be written next; `None` if that is beyond what a clock counts.
    next: Option<Instant>,
}

impl Kept {
    /// A checkpoint of a run with these parameters, to be written every so often.
    ///
    /// # Errors
    /// If the checkpoint can't be written, which is better known now than at the first save.
    pub fn new(
        file: &Path,
        parameters: BTreeMap<String, String>,
        every: Duration,
    ) -> Result<Kept, CheckpointError> {
        Saving::check(file, &parameters)?;
        Ok(Kept {
            file: file.to_owned(),
            values: 0,
            failed: None,
            parameters,
            every,
            next: Instant::now().checked_add(every),
        })
    }

    /// Whether it is time to write the checkpoint.
    pub fn is_due(&self) -> bool {
        self.next.is_some_and(|next| Instant::now() >= next)
    }

    /// Writes the checkpoint: its content of `bytes` bytes, with `state`, which says how far the run has got.
    ///
    /// # Errors
    /// If they can't be written; what was saved before stays.
    pub fn write(
        &self,
        state: BTreeMap<String, u64>,
        bytes: u64,
        write: impl FnOnce(&mut Saving) -> io::Result<()>,
    ) -> Result<(), CheckpointError> {
        let header = Header {
            parameters: self.parameters.clone(),
            state,
            bytes,
        };
        let mut saving = Saving::create(&self.file, &header)?;
        write(&mut saving).map_err(io_error(&self.file))?;
        saving.finish()
    }

    /// Notes that the checkpoint has been written, which was begun at `begun` and holds `values` values, and when it is to be
    /// written next.
    pub fn wait(&mut self, begun: Instant, values: u64) {
        self.values = values;
        let pause = self.every.max(begun.elapsed() * SAVING_SHARE);
        self.next = Instant::now().checked_add(pause);
    }
}
