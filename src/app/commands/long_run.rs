//! A long run: shown as it goes, saved every half minute and on a signal, and continued where it stopped. Its values stand in a
//! table, or in a window of the last ones, a few MB however many they are.
//!
//! The checkpoint is claimed from the first value on, so that no two processes work on one run. It says what it holds: the
//! values of a table, or a search that keeps a window, with a file of snapshots beside it.

mod checkpoint_args;
mod saver;
mod search;
mod snapshots;
mod table;

pub use checkpoint_args::{CheckpointArgs, seconds};

use super::interrupt::{self, Graceful};
use super::shared_args::EffortArgs;
use crate::app::error::{Refused, library};
use crate::app::files::checkpoint::{Kept, Saved, claim};
use crate::app::files::claim::Claim;
use crate::engine::{Effort, lock};
use crate::error::Error;
use crate::ruleset::Ruleset;
use crate::sequence::period::Proof;
use crate::sequence::period::segments::Segments;
use crate::sequence::{OnBlock, Sequence, Values};
use anyhow::{Context, anyhow, bail};
use saver::CheckpointSaver;
use std::sync::{Arc, Mutex};

/// The most values of a game with a sparse space that are computed in a table; more are computed in a window.
pub const IN_TABLE: u64 = 1 << 22;

/// The parameter of a checkpoint that says what it holds.
const CONTENT: &str = "content";

/// Where the values of a run are to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The values stand in a table.
    Table,
    /// The values stand in a table, or in a window if the checkpoint holds one.
    Either,
    /// The values stand in a window if the first ones show a sparse space, or if more values show one later.
    Window,
}

/// The values of a game that are computed for as long as it takes.
pub struct LongRun {
    sequence: Sequence,
    place: Place,
    /// The most steps allowed. Where nothing is saved this is also the most heaps that a window may compute, at a step each.
    steps: u64,
    /// The checkpoint, which the saver of the sequence shares.
    kept: Option<Arc<Mutex<Kept>>>,
    _claim: Option<Claim>,
    /// Says that a signal may come at any moment of the run.
    _graceful: Graceful,
}

impl LongRun {
    /// Begins a run, or goes on with the one that the checkpoint holds.
    pub fn begin(
        ruleset: &Ruleset,
        effort: &EffortArgs,
        checkpoint: &CheckpointArgs,
        place: Place,
    ) -> anyhow::Result<LongRun> {
        let claim = checkpoint.checkpoint.as_deref().map(claim).transpose()?;
        let mut graceful = Graceful::begin(false);
        let mut saver = None;
        if let Some(file) = &checkpoint.checkpoint {
            let saved = CheckpointArgs::saved(file, ruleset, place)?;
            saver = Some((CheckpointSaver::new(file, checkpoint, ruleset)?, saved));
            graceful = Graceful::begin(true);
        }
        let kept = saver.as_ref().map(|(saver, _)| Arc::clone(&saver.kept));
        let (effort, quiet) = (effort.effort(), effort.quiet);
        let steps = effort.steps;
        let sequence = match saver {
            Some(saver) => begin(ruleset, effort, place, saver, quiet)?,
            None => {
                let mut sequence = Sequence::with_effort(ruleset.clone(), effort);
                goes_to_window(&mut sequence, place)?;
                sequence
            }
        };
        Ok(LongRun {
            sequence,
            place,
            steps,
            kept,
            _claim: claim,
            _graceful: graceful,
        })
    }

    /// The values as a sequence.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// The certificate of a period proved by windows, see [`Sequence::segments`].
    pub fn segments(self, proof: &Proof) -> anyhow::Result<Segments> {
        let segments = self.sequence.segments(proof);
        check_saved(self.kept.as_deref())?;
        Ok(segments?)
    }

    /// Works with the values, and saves them at the end.
    ///
    /// # Errors
    /// The errors of the work; if it was interrupted, the message says where the values are saved. An error too if they can't be
    /// saved.
    pub fn work<T>(
        &mut self,
        work: impl FnOnce(&mut Sequence) -> Result<T, Error>,
    ) -> anyhow::Result<T> {
        let done = work(&mut self.sequence);
        self.ended(done.map_err(Into::into))
    }

    /// The values to heap `to`; `None` if they stand in a window on the way there, so that [`LongRun::compute`] shows them.
    pub fn values_to(&mut self, to: u64) -> anyhow::Result<Option<Values>> {
        let place = self.place;
        self.work(|sequence| match place {
            Place::Table => sequence.reach(to).map(Some),
            Place::Either | Place::Window => sequence.reach_far(IN_TABLE, to),
        })
    }

    /// Computes the values of the heaps to `to`. `block` is given those from heap `from` on, see [`Sequence::compute`].
    ///
    /// # Errors
    /// As for [`LongRun::work`], and the errors of `block`; and if so many values would take long and nothing is saved.
    pub fn compute(
        &mut self,
        to: u64,
        from: u64,
        block: &mut OnBlock<'_, anyhow::Error>,
    ) -> anyhow::Result<()> {
        if self.place == Place::Window && to > IN_TABLE && !self.sequence.is_in_window() {
            self.work(|sequence| sequence.leave_table(IN_TABLE, to))?;
        }
        let is_long = to >= self.steps.max(self.sequence.computed());
        if self.sequence.is_in_window() && self.kept.is_none() && is_long {
            return Err(Refused::Hours {
                game: self.sequence.ruleset().name().to_owned(),
                heap: to,
                would_do: self.steps.saturating_sub(1),
            }
            .into());
        }
        let done = self.sequence.compute(to, from, block);
        self.ended(done)
    }

    /// Saves the values, whether the work has succeeded or not; if it has not, the error says where they are saved.
    fn ended<T>(&mut self, done: anyhow::Result<T>) -> anyhow::Result<T> {
        self.sequence.save();
        check_saved(self.kept.as_deref())?;
        let in_window = self.sequence.is_in_window();
        let done = match done {
            // A proof that a search has found is kept, even if a signal has come meanwhile.
            Ok(found) if in_window && self.sequence.proof().is_some() => Ok(found),
            Ok(_) if interrupt::received() => Err(Error::Interrupted.into()),
            done => done,
        };
        let goes_on = in_window && self.kept.is_some();
        match done {
            Err(error) if goes_on || matches!(library(&error), Some(Error::Interrupted)) => {
                Err(error).with_context(|| self.how_to_go_on())
            }
            done => done,
        }
    }

    fn how_to_go_on(&self) -> String {
        if let Some(kept) = self.kept.as_deref().map(lock) {
            let file = kept.file.display();
            let is_search = self.sequence.is_in_window();
            match kept.values.checked_sub(1) {
                Some(last) => {
                    let saved = match is_search {
                        true => format!("the search up to pile {last} is saved in {file}"),
                        false => format!("the values to pile {last} are saved in {file}"),
                    };
                    return format!("{saved}; the same command continues from there");
                }
                None if is_search => {
                    return format!(
                        "nothing is saved in {file} yet: too few values are known after the last rare pile"
                    );
                }
                None => {}
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

/// Fails if the saver could not save when it was to: the library says only that the work was stopped.
fn check_saved(kept: Option<&Mutex<Kept>>) -> anyhow::Result<()> {
    let failed = kept.and_then(|kept| lock(kept).failed.take());
    failed.map_or(Ok(()), |error| Err(not_saved(error)))
}

/// The error that kept a saver from saving, in words alone, because the exit code is to be that of work that failed.
fn not_saved(error: anyhow::Error) -> anyhow::Error {
    anyhow!("{error:#}")
}

/// The values that the checkpoint holds, or else the first values, in a table or a window as `place` says.
fn begin(
    ruleset: &Ruleset,
    effort: Effort,
    place: Place,
    (mut saver, mut saved): (CheckpointSaver, Option<Saved>),
    quiet: bool,
) -> anyhow::Result<Sequence> {
    if let Some(saved) = saved.take_if(|saved| is_search(saved)) {
        let search =
            saver.save_searches(|file| search::load(saved, file, ruleset, &effort, quiet))?;
        lock(&saver.kept).values = search.known();
        let sequence = Sequence::resume_search(ruleset.clone(), search, effort);
        return Ok(sequence.saved_by(Box::new(saver)));
    }
    let mut sequence = Sequence::with_effort(ruleset.clone(), effort.clone());
    if goes_to_window(&mut sequence, place)? {
        // The search replaces a saved table only if the table is no longer than what a search begins with.
        if let Some(saved) = saved
            && table::count(&saved) > IN_TABLE + 1
        {
            bail!(
                "{} holds the values of the piles up to {}, which this search would replace; name another file",
                saved.file.display(),
                table::count(&saved) - 1
            );
        }
        let begun = saver.save_searches(|file| file.check_empty());
        begun.map_err(not_saved)?;
    } else if let Some(saved) = saved {
        let table = table::load(saved, ruleset, effort.memory, quiet)?;
        lock(&saver.kept).values = table.len() as u64;
        sequence = Sequence::resume(ruleset.clone(), table, effort);
    }
    Ok(sequence.saved_by(Box::new(saver)))
}

/// Moves the values to a window if they are to stand in one and show a sparse space. Returns whether they were moved.
fn goes_to_window(sequence: &mut Sequence, place: Place) -> Result<bool, Error> {
    if place != Place::Window {
        return Ok(false);
    }
    match sequence.keep_window() {
        Err(Error::EngineUnfit { .. }) => Ok(false),
        kept => kept.map(|()| true),
    }
}

fn is_search(saved: &Saved) -> bool {
    let content = saved.header.parameters.get(CONTENT);
    content.is_some_and(|content| search::is_search(content))
}

/// The game, as the parameters of a checkpoint name it.
fn game(ruleset: &Ruleset) -> (String, String) {
    let game = match ruleset.coded_from() {
        Some((code, 1)) => code.to_string(),
        Some((code, least)) => format!("{code} for piles from {least} on"),
        None => ruleset.name().to_owned(),
    };
    ("game".to_owned(), game)
}
