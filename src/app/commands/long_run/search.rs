//! The files that keep a search: the checkpoint, and the snapshots beside it.

use super::parameters;
use super::snapshots::SnapshotFile;
use crate::app::commands::long_run;
use crate::app::files::checkpoint::{CheckpointError, Kept, Saved, Saving};
use crate::app::files::claim::Claim;
use crate::ruleset::Ruleset;
use crate::sequence::period::hunt::{Hunt, ResumeError, check_state};
use anyhow::bail;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// How many bytes of the snapshots' file belong to a checkpoint.
const SNAPSHOT_BYTES: &str = "snapshot_bytes";

/// Keeps a search in its files.
pub struct Keeper {
    pub kept: Kept,
    _claim: Claim,
    snapshots: SnapshotFile,
}

impl Keeper {
    /// Opens the files of a search, and the checkpoint in it, if there is one. In its place may be one of no more than
    /// `most` values of a table.
    ///
    /// # Errors
    /// If a file is of something else, or can't be read and written.
    pub fn open(
        file: &Path,
        claim: Claim,
        ruleset: &Ruleset,
        every: Duration,
        most: u64,
    ) -> anyhow::Result<(Keeper, Option<Saved>)> {
        let parameters = parameters(ruleset);
        let saved = match Saved::open(file, &parameters) {
            Err(error @ CheckpointError::Other { .. }) => {
                check_values(file, ruleset, most, error)?;
                None
            }
            saved => saved?,
        };
        let kept = Kept::new(file, parameters, every)?;
        let snapshots = SnapshotFile::open(file)?;
        if saved.is_none() {
            snapshots.check_empty()?;
        }
        let keeper = Keeper {
            kept,
            _claim: claim,
            snapshots,
        };
        Ok((keeper, saved))
    }

    /// Goes on with the search that was saved.
    ///
    /// # Errors
    /// If it is none of this game, or `go_on` stops the work; the files are as they were then.
    pub fn load(
        &mut self,
        mut saved: Saved,
        hunt: Hunt,
        memory: u64,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> anyhow::Result<Hunt> {
        saved.check_room("search", memory)?;
        let blocks: Result<Vec<_>, _> = saved.blocks().collect();
        let bytes = blocks?.concat();
        let state = &saved.header.state;
        let wrong = |wrong: ResumeError| -> anyhow::Error {
            match wrong {
                ResumeError::Work(error) => error.into(),
                wrong => saved.broken(wrong.to_string()).into(),
            }
        };
        let belonging = state.get(SNAPSHOT_BYTES).copied();
        let belonging = belonging
            .ok_or_else(|| saved.broken(format!("its figure `{SNAPSHOT_BYTES}` is missing")))?;
        let known = check_state(state, bytes.len()).map_err(wrong)?;
        let snapshots = self.snapshots.read(known, belonging, memory)?;
        let hunt = hunt
            .resume(state, &bytes, snapshots, go_on)
            .map_err(wrong)?;
        self.kept.values = hunt.ring().len();
        Ok(hunt)
    }

    /// Where the search is saved, in words.
    pub fn how_to_go_on(&self) -> String {
        let file = self.kept.file.display();
        match self.kept.values.checked_sub(1) {
            Some(last) => format!(
                "the search up to pile {last} is saved in {file}; the same command continues from there"
            ),
            None => format!(
                "nothing is saved in {file} yet: too few values are known after the last rare pile"
            ),
        }
    }

    /// Saves the search, if enough of it is known to go on from.
    ///
    /// # Errors
    /// If it can't be written; what was saved before stays.
    pub fn save(&mut self, hunt: &Hunt) -> anyhow::Result<()> {
        let (begun, mut known) = (Instant::now(), self.kept.values);
        if let Some((state, bytes)) = hunt.save() {
            let write = |belonging| {
                let state = state.clone().into_iter();
                let belonging = (SNAPSHOT_BYTES.to_owned(), belonging);
                let state = state.chain([belonging]).collect();
                let write = |saving: &mut Saving| saving.write_all(&bytes);
                self.kept.write(state, bytes.len() as u64, write)
            };
            // Snapshots without a checkpoint would belong to nobody.
            if known == 0 && self.snapshots.is_empty() {
                write(0)?;
            }
            write(self.snapshots.append(hunt.snapshots())?)?;
            known = hunt.ring().len();
        }
        self.kept.wait(begun, known);
        Ok(())
    }
}

/// A checkpoint of a table's values gives way to a search that knows them soon: one of the same game, with no more than so
/// many. `error` says why it is no search's.
fn check_values(
    file: &Path,
    ruleset: &Ruleset,
    most: u64,
    error: CheckpointError,
) -> anyhow::Result<()> {
    let Ok(Some(values)) = Saved::open(file, &long_run::parameters(ruleset)) else {
        return Err(error.into());
    };
    let count = values.header.state.get("count").copied().unwrap_or(0);
    if count > most {
        bail!(
            "{} holds the values of the piles up to {}, which this search would replace; name another file",
            file.display(),
            count - 1
        );
    }
    Ok(())
}
