//! A long run: watched, saved every half minute and on a signal, and gone on with where it stopped.

use super::interrupt::{self, Graceful};
use super::shared_args::{EffortArgs, file_to_keep};
use crate::app::error::Refused;
use crate::app::files::atomic_file::followed;
use crate::app::files::checkpoint::{CheckpointError, Kept, Saved, claim, previous, windows_of};
use crate::app::files::claim::{Claim, lock_of};
use crate::app::report::style::note;
use crate::engine::table::Table;
use crate::engine::{FirstValues, Saver};
use crate::error::Error;
use crate::rng::Rng;
use crate::ruleset::Ruleset;
use crate::sequence::Sequence;
use crate::sequence::spot_check::{WrongValue, wrong_value};
use anyhow::Context;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How a long run survives.
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
    /// Claims the checkpoint, if one is asked for.
    ///
    /// # Errors
    /// If another process is using it, or no checkpoint can be there.
    pub fn claim(&self) -> Result<Option<Claim>, CheckpointError> {
        self.checkpoint.as_deref().map(claim).transpose()
    }

    /// Refuses a file for the result that is the checkpoint, or one of those kept beside it.
    ///
    /// # Errors
    /// If it is.
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
                return Err(Refused::Usage(format!(
                    "{option} {} and --checkpoint {} name the same file, or one that is kept beside it; use two names",
                    result.display(),
                    checkpoint.display()
                )));
            }
        }
        Ok(())
    }
}

/// A time in seconds, as a person writes it.
///
/// # Errors
/// If it is none.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a time is a number of seconds, as in 30 or 0.5".to_owned())
}

/// A sequence being computed, for as long as it takes.
pub struct LongRun {
    sequence: Sequence,
    /// The checkpoint, and the claim on it.
    kept: Option<(Arc<Mutex<Kept>>, Claim)>,
    /// A signal may come at any moment of the run.
    _graceful: Graceful,
}

impl LongRun {
    /// Begins a run, or goes on with the one that the checkpoint holds.
    ///
    /// # Errors
    /// If the checkpoint can't be used, see [`CheckpointError`].
    pub fn begin(
        ruleset: Ruleset,
        effort: &EffortArgs,
        checkpoint: &CheckpointArgs,
    ) -> anyhow::Result<LongRun> {
        let (Some(file), Some(claim)) = (&checkpoint.checkpoint, checkpoint.claim()?) else {
            return Ok(LongRun {
                sequence: Sequence::with_effort(ruleset, effort.effort()),
                kept: None,
                _graceful: Graceful::begin(),
            });
        };
        let parameters = parameters(&ruleset);
        let saved = Saved::open(file, &parameters)?;
        let mut kept = Kept::new(file, parameters, checkpoint.checkpoint_every)?;
        let mut table = Table::new();
        if let Some(mut saved) = saved {
            table = load(&mut saved, effort.effort().memory)?;
            check_values(&saved, &ruleset, &table)?;
            if !effort.quiet {
                tell(&saved, &table);
            }
        }
        kept.values = table.len() as u64;
        let kept = Arc::new(Mutex::new(kept));
        let saver = Box::new(TableSaver(Arc::clone(&kept)));
        Ok(LongRun {
            sequence: Sequence::resume(ruleset, table, effort.effort()).saved_by(saver),
            kept: Some((kept, claim)),
            _graceful: Graceful::with_values_to_save(),
        })
    }

    /// Works with the sequence, and saves its values, whether that succeeds or not.
    ///
    /// # Errors
    /// Those of the work; an interruption comes with the word where the values are saved. Or if they can't be saved.
    pub fn work<T>(
        &mut self,
        work: impl FnOnce(&mut Sequence) -> Result<T, Error>,
    ) -> anyhow::Result<T> {
        let done = work(&mut self.sequence);
        self.sequence.save()?;
        match done {
            Ok(done) if !interrupt::received() => Ok(done),
            Ok(_) | Err(Error::Interrupted) => {
                Err(Error::Interrupted).with_context(|| self.how_to_go_on())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The sequence.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// The sequence, no longer saved, and the claim on the checkpoint.
    pub fn into_parts(self) -> (Sequence, Option<Claim>) {
        (self.sequence, self.kept.map(|(_, claim)| claim))
    }

    fn how_to_go_on(&self) -> String {
        if let Some((kept, _)) = &self.kept {
            let kept = lock(kept);
            if let Some(last) = kept.values.checked_sub(1) {
                let file = kept.file.display();
                return format!(
                    "the values to pile {last} are saved in {file}; the same command continues from there"
                );
            }
        }
        match self.sequence.computed().checked_sub(1) {
            Some(last) => format!(
                "the values to pile {last} were computed and are lost; --checkpoint FILE would save them"
            ),
            None => "nothing was computed yet".to_owned(),
        }
    }
}

fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Saves the values of a run to its checkpoint.
struct TableSaver(Arc<Mutex<Kept>>);

impl Saver for TableSaver {
    fn is_due(&mut self, known: u64) -> bool {
        let kept = lock(&self.0);
        kept.is_due() && known > kept.values
    }

    fn save(&mut self, values: &FirstValues<'_>) -> Result<(), Error> {
        let (mut kept, begun) = (lock(&self.0), Instant::now());
        if values.count() > kept.values {
            interrupt::saving(|| save(&kept, values)).map_err(|error| Error::NotSaved {
                reason: format!("{:#}", anyhow::Error::from(error)),
            })?;
        }
        let known = kept.values.max(values.count());
        kept.wait(begun, known);
        Ok(())
    }
}

/// What must be the same for a checkpoint to be gone on with: the program and its version, and the game's rule.
pub fn parameters(ruleset: &Ruleset) -> BTreeMap<String, String> {
    let game = match ruleset.coded_from() {
        Some((code, 1)) => code.to_string(),
        Some((code, least)) => format!("{code} for piles from {least} on"),
        None => ruleset.name().to_owned(),
    };
    let program = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
    BTreeMap::from([
        ("content".to_owned(), "nim-values".to_owned()),
        ("game".to_owned(), game),
        ("program".to_owned(), program.to_owned()),
    ])
}

fn save(kept: &Kept, values: &FirstValues<'_>) -> Result<(), CheckpointError> {
    let narrow = values.each_block(|block| match block.iter().all(|&value| value <= 0xff) {
        true => Ok(()),
        false => Err(()),
    });
    let (count, width) = (values.count(), if narrow.is_ok() { 1 } else { 2 });
    let state = BTreeMap::from([("count".to_owned(), count), ("width".to_owned(), width)]);
    kept.write(state, count * width, |saving| {
        values.each_block(|block| {
            let bytes: Vec<u8> = match width {
                1 => block.iter().map(|&value| value as u8).collect(),
                _ => block.iter().flat_map(|value| value.to_le_bytes()).collect(),
            };
            saving.write_all(&bytes)
        })
    })
}

/// Reads the values back.
fn load(saved: &mut Saved, allowed: u64) -> anyhow::Result<Table> {
    let stated = |name| saved.header.state.get(name).copied();
    let (count, width) = (stated("count").unwrap_or(0), stated("width").unwrap_or(0));
    let bytes = saved.header.bytes;
    if !(1..=2).contains(&width) || count.checked_mul(width) != Some(bytes) {
        let what = format!("{count} values of {width} bytes are stated, in {bytes} bytes");
        return Err(saved.broken(what).into());
    }
    saved.check_room("values", allowed)?;
    let mut table = Table::new();
    for block in saved.blocks() {
        for cell in block?.chunks(width as usize) {
            let value = match cell {
                [low, high] => u16::from_le_bytes([*low, *high]),
                _ => u16::from(cell[0]),
            };
            table.push(value.into())?;
        }
    }
    Ok(table)
}

/// Looks for values that are not the game's: the checksums show only that they are as they were written.
fn check_values(saved: &Saved, ruleset: &Ruleset, table: &Table) -> anyhow::Result<()> {
    let found = wrong_value(ruleset, table, Rng::any_seed())?;
    if let Some(WrongValue { heap, given, right }) = found {
        let what = format!("the nim-value of pile {heap} is {given} in it, where {right} is right");
        return Err(saved.broken(what).into());
    }
    Ok(())
}

fn tell(saved: &Saved, table: &Table) {
    if let Some(last) = table.len().checked_sub(1) {
        let file = saved.file.display();
        note(format_args!(
            "continuing from {file}, which holds the values of the piles up to {last}"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_and_wide_tables_are_read_back() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("run.ck");
        let parameters = parameters(&"kayles".parse().unwrap());
        for (count, most, width) in [
            (0, 1, 1),
            (10, 255, 1),
            (200_001, 250, 1),
            (10, 256, 2),
            (200_000, 60_000, 2),
        ] {
            let mut table = Table::new();
            for n in 0..count {
                let value = if n == 9 { most } else { n % 241 };
                table.push(value as u64).unwrap();
            }
            let copy = |from, out: &mut [u16]| table.copy_range(from, out);
            let values = FirstValues::new(table.len(), &copy);
            let kept = Kept::new(&file, parameters.clone(), Duration::MAX).unwrap();
            save(&kept, &values).unwrap();
            let mut saved = Saved::open(&file, &parameters).unwrap().unwrap();
            assert_eq!(saved.header.state["width"], width);
            assert_eq!(saved.header.state["count"], count as u64);
            assert!(
                load(&mut saved, u64::MAX).unwrap() == table,
                "{count} values to {most}"
            );
        }
    }
}
