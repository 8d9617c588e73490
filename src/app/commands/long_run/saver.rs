//! Saves a run in its checkpoint: the values of a table, or a search in a window with its file of snapshots.

use super::snapshots::SnapshotFile;
use super::{CheckpointArgs, search, table};
use crate::app::commands::interrupt;
use crate::app::files::checkpoint::{CheckpointError, Kept};
use crate::engine::lock;
use crate::ruleset::Ruleset;
use crate::sequence::{Progress, Saver};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Saves the values of a run when the loop that computes them asks for it.
pub struct CheckpointSaver {
    /// The checkpoint, which the run shares.
    pub kept: Arc<Mutex<Kept>>,
    ruleset: Ruleset,
    /// The file of snapshots beside the checkpoint of a search; none beside the values of a table.
    snapshots: Option<SnapshotFile>,
}

impl CheckpointSaver {
    /// A saver of the values of a table, which go to the checkpoint `file`.
    pub fn new(
        file: &Path,
        args: &CheckpointArgs,
        ruleset: &Ruleset,
    ) -> Result<CheckpointSaver, CheckpointError> {
        let kept = Kept::new(file, table::parameters(ruleset), args.checkpoint_every)?;
        Ok(CheckpointSaver {
            kept: Arc::new(Mutex::new(kept)),
            ruleset: ruleset.clone(),
            snapshots: None,
        })
    }

    /// Opens the file of a search's snapshots if `check` finds that it may be written to. From then on the saver saves searches.
    pub fn save_searches<T>(
        &mut self,
        check: impl FnOnce(&mut SnapshotFile) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let mut kept = lock(&self.kept);
        let parameters = search::parameters(&self.ruleset);
        *kept = Kept::new(&kept.file, parameters, kept.every)?;
        let mut file = SnapshotFile::open(&kept.file)?;
        let checked = check(&mut file)?;
        self.snapshots = Some(file);
        Ok(checked)
    }
}

impl Saver for CheckpointSaver {
    fn is_due(&self, known: u64) -> bool {
        let kept = lock(&self.kept);
        kept.is_due() && known > kept.values
    }

    fn save(&mut self, progress: Progress<'_>) -> bool {
        let mut kept = lock(&self.kept);
        let begun = Instant::now();
        let save = || match (progress, &mut self.snapshots) {
            (Progress::Table(values), _) if values.count() > kept.values => {
                table::save(&kept, &values)
            }
            (Progress::Window(search), Some(beside)) => search::save(&kept, beside, search),
            _ => Ok(kept.values),
        };
        match interrupt::saving(save) {
            Ok(known) => kept.wait(begun, known),
            Err(error) => kept.failed = Some(error.into()),
        }
        kept.failed.is_none()
    }

    fn begin_window(&mut self) -> bool {
        match self.save_searches(|file| file.check_empty()) {
            Ok(()) => true,
            Err(error) => {
                lock(&self.kept).failed = Some(error);
                false
            }
        }
    }
}
