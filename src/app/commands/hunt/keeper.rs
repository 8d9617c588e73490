//! The files that keep a search: the checkpoint, and the snapshots beside it.

use super::parameters;
use super::snapshots::SnapshotFile;
use crate::app::commands::long_run;
use crate::app::files::checkpoint::{CheckpointError, Header, Saved, Saving};
use crate::app::files::claim::Claim;
use crate::error::Error;
use crate::ruleset::Ruleset;
use crate::sequence::period::hunt::{Hunt, ResumeError, check_state};
use anyhow::bail;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How many bytes of the snapshots' file belong to a checkpoint.
const SNAPSHOT_BYTES: &str = "snapshot_bytes";

/// Keeps a search in its files.
pub struct Keeper {
    file: PathBuf,
    _claim: Claim,
    snapshots: SnapshotFile,
    parameters: BTreeMap<String, String>,
    every: Duration,
    /// When to save again; never, if that is beyond counting.
    next: Option<Instant>,
    /// How many values the checkpoint holds.
    saved: u64,
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
        // A file that can't be written is better known now than in half a minute.
        Saving::check(file, &parameters)?;
        let snapshots = SnapshotFile::open(file)?;
        if saved.is_none() {
            snapshots.check_empty()?;
        }
        let keeper = Keeper {
            file: file.to_owned(),
            _claim: claim,
            snapshots,
            parameters,
            every,
            next: Instant::now().checked_add(every),
            saved: 0,
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
        if saved.header.bytes > memory {
            let what = format!("the search in {}", saved.file.display());
            return Err(Error::NoRoom {
                what,
                allowed: memory,
            }
            .into());
        }
        let mut bytes = Vec::new();
        loop {
            let block = saved.next_block()?;
            if block.is_empty() {
                break;
            }
            bytes.extend(block);
        }
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
        self.saved = hunt.ring().len();
        Ok(hunt)
    }

    /// Whether to save again.
    pub fn is_time(&self) -> bool {
        self.next.is_some_and(|next| Instant::now() >= next)
    }

    /// Where the search is saved, in words.
    pub fn how_to_go_on(&self) -> String {
        let file = self.file.display();
        match self.saved.checked_sub(1) {
            Some(last) => format!(
                "the search up to pile {last} is in {file}, and the same command goes on from there"
            ),
            None => format!(
                "nothing is in {file} yet: too few values are known behind the last rare pile"
            ),
        }
    }

    /// Saves the search, if enough of it is known to go on from.
    ///
    /// # Errors
    /// If it can't be written; what was saved before stays.
    pub fn save(&mut self, hunt: &Hunt) -> anyhow::Result<()> {
        let begun = Instant::now();
        if let Some((state, bytes)) = hunt.save() {
            // Snapshots without a checkpoint would belong to nobody.
            if self.saved == 0 && self.snapshots.is_empty() {
                self.write(&state, &bytes, 0)?;
            }
            let belonging = self.snapshots.append(hunt.snapshots())?;
            self.write(&state, &bytes, belonging)?;
            self.saved = hunt.ring().len();
        }
        self.next = Instant::now().checked_add(self.every.max(begun.elapsed() * 20));
        Ok(())
    }

    fn write(
        &self,
        state: &BTreeMap<String, u64>,
        bytes: &[u8],
        belonging: u64,
    ) -> Result<(), CheckpointError> {
        let mut state = state.clone();
        state.insert(SNAPSHOT_BYTES.to_owned(), belonging);
        let header = Header {
            parameters: self.parameters.clone(),
            state,
            bytes: bytes.len() as u64,
        };
        let mut saving = Saving::create(&self.file, &header)?;
        let written = saving.write_all(bytes);
        written.map_err(|source| CheckpointError::Io {
            file: self.file.clone(),
            source,
        })?;
        saving.finish()
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
            "{} holds the values of the piles up to {}, which a search in bounded memory would replace; name another file",
            file.display(),
            count - 1
        );
    }
    Ok(())
}
