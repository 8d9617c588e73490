//! A long run of a solver: watched, saved every half minute and on a signal, and gone on with where it stopped.

use super::common::EffortArgs;
use super::interrupt::{self, Graceful};
use super::progress::Progress;
use crate::app::files::checkpoint::{CheckpointError, Header, Saved, Saving};
use crate::app::report::style::note;
use crate::engine::table::Table;
use crate::engine::{Solver, Watch};
use crate::error::Error;
use crate::ruleset::Ruleset;
use crate::sequence::period::Source;
use anyhow::Context;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How a long run survives.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckpointArgs {
    /// Save the values found to FILE now and then and when interrupted, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How often to save, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    #[arg(requires = "checkpoint")]
    pub checkpoint_every: Duration,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "an interval is a number of seconds, as in 30 or 0.5".to_owned())
}

/// No more than this share of the time goes into saving: a large table is saved less often.
const SAVING_SHARE: u32 = 20;

/// The nim-values of a ruleset being computed, for as long as it takes.
pub struct Run {
    solver: Solver,
    alarm: Arc<Alarm>,
    checkpoint: Option<PathBuf>,
    every: Duration,
    parameters: BTreeMap<String, String>,
    /// How many values the checkpoint holds.
    saved: usize,
    /// With a checkpoint a signal may come at any moment of the run; the next [`Run::fill`] answers it.
    graceful: Option<Graceful>,
}

impl Run {
    /// Begins a run, or goes on with the one that the checkpoint holds.
    ///
    /// # Errors
    /// If the checkpoint can't be used, see [`CheckpointError`].
    pub fn begin(
        ruleset: Ruleset,
        effort: &EffortArgs,
        checkpoint: &CheckpointArgs,
    ) -> anyhow::Result<Run> {
        let parameters = parameters(&ruleset);
        let file = checkpoint.checkpoint.clone();
        let saved = match &file {
            Some(file) => Saved::open(file, &parameters)?,
            None => None,
        };
        if let Some(file) = &file {
            // A file that can't be written is better known now than in half a minute.
            Saving::check(file)?;
        }
        let table = match saved {
            Some(saved) => load(saved, effort.quiet)?,
            None => Table::new(),
        };
        let alarm = Arc::new(Alarm {
            progress: effort.progress(),
            rings: Mutex::new(None),
        });
        if file.is_some() {
            alarm.set(checkpoint.checkpoint_every, table.len());
        }
        let mut effort_of_run = effort.effort();
        effort_of_run.watch = Some(Arc::clone(&alarm) as Arc<dyn Watch>);
        Ok(Run {
            saved: table.len(),
            solver: Solver::resume(ruleset, table, effort_of_run),
            alarm,
            graceful: file.as_ref().map(|_| Graceful::begin()),
            checkpoint: file,
            every: checkpoint.checkpoint_every,
            parameters,
        })
    }

    /// Computes the values of the heaps up to `heap`, so far as they are not known.
    ///
    /// # Errors
    /// As for [`Solver::fill`]; an interruption comes with the word where the values are saved. Or if the checkpoint
    /// can't be written.
    pub fn fill(&mut self, heap: u64) -> anyhow::Result<()> {
        loop {
            match self.solver.fill(heap) {
                Ok(()) | Err(Error::Interrupted) if interrupt::received() => {
                    self.save()?;
                    return Err(Error::Interrupted).with_context(|| self.how_to_go_on());
                }
                Ok(()) => return Ok(()),
                // It is time to save.
                Err(Error::Interrupted) => self.save()?,
                Err(error) => {
                    self.save()?;
                    return Err(error.into());
                }
            }
        }
    }

    /// The values known.
    pub fn table(&self) -> &Table {
        self.solver.table()
    }

    /// Saves the values not yet saved, and gives all of them out.
    ///
    /// # Errors
    /// If the checkpoint can't be written.
    pub fn finish(mut self) -> anyhow::Result<Table> {
        self.save()?;
        Ok(self.solver.into_table())
    }

    /// Saves the table, if there is more of it than the checkpoint holds, and sets the alarm anew.
    fn save(&mut self) -> Result<(), CheckpointError> {
        let table = self.solver.table();
        let (Some(file), Some(graceful)) = (&self.checkpoint, &self.graceful) else {
            return Ok(());
        };
        let begun = Instant::now();
        if table.len() > self.saved {
            graceful.saving(|| save(file, &self.parameters, table))?;
            self.saved = table.len();
        }
        let pause = self.every.max(begun.elapsed() * SAVING_SHARE);
        self.alarm.set(pause, self.saved);
        Ok(())
    }

    fn how_to_go_on(&self) -> String {
        match &self.checkpoint {
            Some(file) if self.saved > 0 => format!(
                "the values of the piles up to {} are in {}, and the same command goes on from there",
                self.saved - 1,
                file.display()
            ),
            _ => "stopped by a signal".to_owned(),
        }
    }
}

impl Source for Run {
    type Error = anyhow::Error;

    fn fill(&mut self, heap: u64) -> anyhow::Result<()> {
        Run::fill(self, heap)
    }

    fn table(&self) -> &Table {
        Run::table(self)
    }
}

/// What must be the same for a checkpoint to be gone on with: the program and its version, and the game's rule.
fn parameters(ruleset: &Ruleset) -> BTreeMap<String, String> {
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

/// How many values go through memory at once on their way to or from a file.
const BLOCK: usize = 1 << 16;

fn save(
    file: &Path,
    parameters: &BTreeMap<String, String>,
    table: &Table,
) -> Result<(), CheckpointError> {
    let count = table.len();
    let mut values = vec![0; BLOCK];
    let blocks = || {
        (0..count)
            .step_by(BLOCK)
            .map(|from| (from, BLOCK.min(count - from)))
    };
    let mut width = 1;
    for (from, length) in blocks() {
        table.copy_range(from, &mut values[..length]);
        if values[..length].iter().any(|&value| value > 0xff) {
            width = 2;
            break;
        }
    }
    let header = Header {
        parameters: parameters.clone(),
        state: BTreeMap::from([
            ("count".to_owned(), count as u64),
            ("width".to_owned(), width),
        ]),
        bytes: count as u64 * width,
    };
    let failed = |source| CheckpointError::Io {
        file: file.to_owned(),
        source,
    };
    let mut saving = Saving::create(file, &header)?;
    for (from, length) in blocks() {
        table.copy_range(from, &mut values[..length]);
        let values = values[..length].iter();
        let bytes: Vec<u8> = match width {
            1 => values.map(|&value| value as u8).collect(),
            _ => values.flat_map(|value| value.to_le_bytes()).collect(),
        };
        saving.write_all(&bytes).map_err(failed)?;
    }
    saving.finish()
}

fn load(mut saved: Saved, quiet: bool) -> anyhow::Result<Table> {
    let wide = saved.header.state.get("width") == Some(&2);
    let mut table = Table::new();
    loop {
        let block = saved.next_block()?;
        if block.is_empty() {
            break;
        }
        for cell in block.chunks(if wide { 2 } else { 1 }) {
            let value = match cell {
                [low, high] => u16::from_le_bytes([*low, *high]),
                _ => u16::from(cell[0]),
            };
            table.push(value.into())?;
        }
    }
    if !quiet && let Some(last) = table.len().checked_sub(1) {
        let file = saved.file.display();
        note(format_args!(
            "going on from {file}, which holds the values of the piles up to {last}"
        ));
    }
    Ok(table)
}

/// A progress bar that also stops the solver when it is time to save.
struct Alarm {
    progress: Progress,
    /// From when on it rings, if more values are known by then than so many.
    rings: Mutex<Option<(Instant, usize)>>,
}

impl Alarm {
    fn set(&self, pause: Duration, saved: usize) {
        let time = Instant::now().checked_add(pause);
        let mut rings = self.rings.lock().unwrap_or_else(PoisonError::into_inner);
        *rings = time.map(|time| (time, saved));
    }
}

impl Watch for Alarm {
    fn progress(&self, known: u64, wanted: u64) -> bool {
        let rings = *self.rings.lock().unwrap_or_else(PoisonError::into_inner);
        let time_to_save =
            rings.is_some_and(|(time, saved)| known > saved as u64 && Instant::now() >= time);
        self.progress.progress(known, wanted) && !time_to_save
    }

    fn using(&self, way: &str) {
        self.progress.using(way);
    }

    fn done(&self) {
        self.progress.done();
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
            (3 * BLOCK + 1, 250, 1),
            (10, 256, 2),
            (3 * BLOCK, 60_000, 2),
        ] {
            let mut table = Table::new();
            for n in 0..count {
                let value = if n == 9 { most } else { n * n % 251 };
                table.push(value as u64).unwrap();
            }
            save(&file, &parameters, &table).unwrap();
            let saved = Saved::open(&file, &parameters).unwrap().unwrap();
            assert_eq!(saved.header.state["width"], width);
            assert_eq!(saved.header.state["count"], count as u64);
            assert!(
                load(saved, true).unwrap() == table,
                "{count} values to {most}"
            );
        }
    }
}
