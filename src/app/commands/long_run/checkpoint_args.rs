//! The options that say where a long run is saved, and how often.

use super::super::shared_args::file_to_keep;
use super::{CONTENT, Place, search, table};
use crate::app::error::{Refused, refuse};
use crate::app::files::atomic_file::followed;
use crate::app::files::checkpoint::{CheckpointError, Saved, previous, windows_of};
use crate::app::files::claim::lock_of;
use crate::ruleset::Ruleset;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options that say where and how often a run is saved.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct CheckpointArgs {
    /// Save the values computed so far to FILE, and continue from FILE if it exists
    #[arg(long, value_name = "FILE", value_parser = file_to_keep())]
    pub checkpoint: Option<PathBuf>,
    /// Save every SECONDS seconds, and when interrupted
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds, hide_short_help = true)]
    #[arg(requires = "checkpoint")]
    pub checkpoint_every: Duration,
}

impl CheckpointArgs {
    /// The checkpoint of this game in a file, if there is one: a search only where the values may stand in a window.
    pub(super) fn saved(
        file: &Path,
        ruleset: &Ruleset,
        place: Place,
    ) -> Result<Option<Saved>, CheckpointError> {
        match Saved::open(file, &table::parameters(ruleset)) {
            Err(CheckpointError::Other { name, found, .. })
                if place != Place::Table && name == CONTENT && search::is_search(&found) =>
            {
                Saved::open(file, &search::parameters(ruleset))
            }
            saved => saved,
        }
    }

    /// Refuses a file for the result that is the checkpoint, or one of those kept beside it.
    pub fn keep_apart(&self, option: &str, result: Option<&Path>) -> Result<(), Refused> {
        let (Some(checkpoint), Some(result)) = (&self.checkpoint, result) else {
            return Ok(());
        };
        let place = |file: &Path| followed(file).ok();
        let result_place = place(result);
        let beside = [previous(checkpoint), windows_of(checkpoint)];
        let lock = lock_of(checkpoint).ok();
        for kept in [checkpoint].into_iter().chain(&beside).chain(&lock) {
            if result_place.is_some() && place(kept) == result_place {
                refuse!(
                    "{option} {} and --checkpoint {} name the same file, or one that is kept beside it; use two names",
                    result.display(),
                    checkpoint.display()
                );
            }
        }
        Ok(())
    }
}

/// A duration in seconds, as a person writes it.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a time is a number of seconds, as in 30 or 0.5".to_owned())
}
