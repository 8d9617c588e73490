//! A long run: watched, saved every half minute and on a signal, and gone on with where it stopped. Its values stand in a
//! table, or in a window of the last ones, a few MB however many they are.
//!
//! The checkpoint is claimed from the first value on, so that no two processes work on one run. It says what it holds: the
//! values of a table, or a search that keeps a window, with a file of snapshots beside it.

mod checkpoint_args;
mod search;
mod snapshots;
mod table;

pub use checkpoint_args::{CheckpointArgs, seconds};

use super::interrupt::{self, Graceful};
use super::shared_args::EffortArgs;
use crate::app::error::{Refused, library};
use crate::app::files::checkpoint::{CheckpointError, Kept, Saved};
use crate::app::files::claim::Claim;
use crate::app::report::PeriodReport;
use crate::engine::table::Table;
use crate::engine::value_window::ValueWindow;
use crate::engine::{Effort, lock};
use crate::error::Error;
use crate::grundy::NimValue;
use crate::ruleset::Ruleset;
use crate::sequence::Sequence;
use crate::sequence::period::bounded_search::{BoundedSearch, Repeat};
use crate::sequence::period::segments::Segments;
use crate::sequence::period::{Finding, Proof};
use anyhow::{Context, bail};
use snapshots::SnapshotFile;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use table::TableSaver;

/// With more values than this those of a game with a sparse space are computed in a window.
pub const IN_TABLE: u64 = 1 << 22;

/// Values decoded at a time.
const BLOCK: u64 = 1 << 14;

/// The parameter of a checkpoint that says what it holds.
const CONTENT: &str = "content";

/// Where the values of a run are to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a table.
    Table,
    /// In a table, but in a window if the checkpoint holds one.
    Either,
    /// In a window, if the game has a sparse space.
    Window,
}

/// The values of a game being computed, for as long as it takes.
pub struct LongRun {
    ruleset: Ruleset,
    effort: Effort,
    known: Known,
    checkpoint: CheckpointArgs,
    /// The checkpoint, which the saver of a table shares.
    kept: Option<Arc<Mutex<Kept>>>,
    _claim: Option<Claim>,
    /// A signal may come at any moment of the run.
    _graceful: Graceful,
}

/// What is known of the values.
enum Known {
    Table(Box<Sequence>),
    /// The last ones; the snapshots go to their file.
    Window(Box<BoundedSearch>, Option<SnapshotFile>),
}

impl LongRun {
    /// Begins a run, or goes on with the one that the checkpoint holds.
    ///
    /// # Errors
    /// If the checkpoint can't be used, see [`CheckpointError`], or the first values can't be computed.
    pub fn begin(
        ruleset: &Ruleset,
        effort: &EffortArgs,
        checkpoint: &CheckpointArgs,
        place: Place,
    ) -> anyhow::Result<LongRun> {
        let claim = checkpoint.claim()?;
        let graceful = Graceful::begin();
        let saved = checkpoint.saved(ruleset, place)?;
        let search_saved = saved.as_ref().filter(|saved| is_search(saved));
        let (effort, quiet) = (effort.effort(), effort.quiet);
        let mut run = LongRun {
            ruleset: ruleset.clone(),
            known: Known::Table(Box::new(Sequence::with_effort(
                ruleset.clone(),
                effort.clone(),
            ))),
            effort,
            checkpoint: checkpoint.clone(),
            kept: None,
            _claim: claim,
            _graceful: graceful,
        };
        let search = match search_saved {
            Some(Saved { header, .. }) => Some(BoundedSearch::to_resume(
                ruleset,
                &run.effort,
                &header.state,
            )?),
            None if place == Place::Window => match BoundedSearch::new(ruleset, &run.effort) {
                Err(Error::EngineUnfit { .. }) => None,
                search => Some(search?),
            },
            None => None,
        };
        if let Some(search) = search {
            run.begin_window(search, saved, quiet)?;
            return Ok(run);
        }
        run.begin_table(saved, quiet)?;
        Ok(run)
    }

    /// The values stand in a table, which is saved: in a checkpoint, if there is one.
    fn begin_table(&mut self, saved: Option<Saved>, quiet: bool) -> anyhow::Result<()> {
        let Some(kept) = self.keep(table::parameters(&self.ruleset))? else {
            return Ok(());
        };
        let table = match saved {
            Some(saved) => table::load(saved, &self.ruleset, self.effort.memory, quiet)?,
            None => Table::new(),
        };
        lock(&kept).values = table.len() as u64;
        let sequence = Sequence::resume(self.ruleset.clone(), table, self.effort.clone());
        self.known = Known::Table(Box::new(sequence.saved_by(Box::new(TableSaver(kept)))));
        Ok(())
    }

    /// The values stand in a window, and so in the checkpoint. One of a table gives way, if it is no longer than a search
    /// begins with.
    fn begin_window(
        &mut self,
        mut search: BoundedSearch,
        saved: Option<Saved>,
        quiet: bool,
    ) -> anyhow::Result<()> {
        let saved = match saved {
            Some(saved) if !is_search(&saved) => {
                let count = table::count(&saved);
                if count > IN_TABLE + 1 {
                    bail!(
                        "{} holds the values of the piles up to {}, which this search would replace; name another file",
                        saved.file.display(),
                        count - 1
                    );
                }
                None
            }
            saved => saved,
        };
        let mut snapshots = None;
        if let Some(kept) = self.keep(search::parameters(&self.ruleset))? {
            let mut file = SnapshotFile::open(&lock(&kept).file)?;
            match saved {
                Some(saved) => {
                    search = search::load(saved, &mut file, search, &self.effort, quiet)?;
                    lock(&kept).values = search.known();
                }
                None => file.check_empty()?,
            }
            snapshots = Some(file);
        }
        self.known = Known::Window(Box::new(search), snapshots);
        Ok(())
    }

    /// Goes on in a window, from the values of the table if these are codes of a sparse space.
    fn go_to_window(&mut self) -> anyhow::Result<()> {
        let empty = Sequence::with_effort(self.ruleset.clone(), self.effort.clone());
        let Known::Table(sequence) =
            std::mem::replace(&mut self.known, Known::Table(Box::new(empty)))
        else {
            return Ok(());
        };
        let search = match sequence.table().is_by_rares() {
            true => BoundedSearch::after(*sequence, &self.effort)?,
            // All that a table showed of the values is known.
            false => {
                drop(sequence);
                BoundedSearch::new(&self.ruleset, &self.effort)?
            }
        };
        self.begin_window(search, None, true)
    }

    /// Opens the checkpoint, if there is one.
    fn keep(
        &mut self,
        parameters: BTreeMap<String, String>,
    ) -> Result<Option<Arc<Mutex<Kept>>>, CheckpointError> {
        if let Some(file) = &self.checkpoint.checkpoint {
            let kept = Kept::new(file, parameters, self.checkpoint.checkpoint_every)?;
            self.kept = Some(Arc::new(Mutex::new(kept)));
            self._graceful = Graceful::with_values_to_save();
        }
        Ok(self.kept.clone())
    }

    /// Works with the table. Where that gives nothing the run goes on in a window; `None` then, and where it is in one
    /// already.
    ///
    /// # Errors
    /// Those of the work; an interruption comes with the word where the values are saved. Or if they can't be saved.
    pub fn by_table<T>(
        &mut self,
        work: impl FnOnce(&mut Sequence) -> Result<Option<T>, Error>,
    ) -> anyhow::Result<Option<T>> {
        let Known::Table(sequence) = &mut self.known else {
            return Ok(None);
        };
        let done = work(sequence).map_err(Into::into);
        let done = self.ended(done)?;
        if done.is_none() {
            self.go_to_window()?;
        }
        Ok(done)
    }

    /// Searches for a period in the window, with the values below `limit`, saving now and then.
    ///
    /// # Errors
    /// As for [`LongRun::by_table`].
    pub fn search(&mut self, limit: u64) -> anyhow::Result<Option<Proof>> {
        self.by_window(limit, &mut |search, found, go_on| {
            Ok(found
                .map(|found| search.conclude(found, go_on))
                .transpose()?)
        })
    }

    /// Computes the values to heap `to`, saving now and then. `block` sees those from heap `from` on as they come, in
    /// blocks, each with its first heap; a window may have forgotten those that were known before.
    ///
    /// # Errors
    /// As for [`LongRun::by_table`], and those of `block`; and if so many values take long and nothing is saved.
    pub fn compute(&mut self, to: u64, from: u64, block: &mut Block<'_>) -> anyhow::Result<()> {
        let filled = self.by_table(|sequence| {
            sequence.fill(to)?;
            Ok(Some(sequence.values()))
        })?;
        if let Some(values) = filled {
            if from <= to {
                values.each_block((from, to), |heap, values| {
                    block(heap, values).map(|()| true)
                })?;
            }
            return Ok(());
        }
        let mut next = from;
        let mut each = |search: &BoundedSearch| -> anyhow::Result<()> {
            let end = search.known().min(to + 1);
            while next < end {
                let mut values = vec![0; (end - next).min(BLOCK) as usize];
                search.values().copy(next, &mut values)?;
                let values: Vec<_> = values.into_iter().map(NimValue::from).collect();
                block(next, &values)?;
                next += values.len() as u64;
            }
            Ok(())
        };
        if let Known::Window(search, _) = &self.known {
            each(search)?;
        }
        let most = self.effort.steps;
        if self.kept.is_none() && to >= most.max(self.known()) {
            return Err(Refused::Hours {
                game: self.ruleset.name().to_owned(),
                heap: to,
                would_do: most - 1,
            }
            .into());
        }
        let look: &mut Look<'_, ()> = &mut |search, _, _| each(search).map(|()| None);
        self.by_window(to + 1, look).map(drop)
    }

    fn by_window<T>(&mut self, limit: u64, look: &mut Look<'_, T>) -> anyhow::Result<Option<T>> {
        let found = self.advance(limit, look);
        self.effort.done();
        match found {
            // What was found is not looked for again.
            Ok(Some(found)) => Ok(Some(found)),
            found => self.ended(found),
        }
    }

    fn advance<T>(&mut self, limit: u64, look: &mut Look<'_, T>) -> anyhow::Result<Option<T>> {
        let watch = self.effort.watch.clone();
        let watch = watch.as_ref();
        let mut go_on = |known: u64| {
            // Without a limit the next power of two is the aim.
            let wanted = match limit {
                u64::MAX => (known + 1).next_power_of_two(),
                limit => limit,
            };
            watch.is_none_or(|watch| watch.progress(known, wanted))
        };
        while let Known::Window(search, _) = &mut self.known
            && search.known() < limit
        {
            let found = search.step(limit, &mut go_on)?;
            let known = search.known();
            let end = look(search, found, &mut || go_on(known))?;
            if end.is_some() {
                return Ok(end);
            }
            if let Some(watch) = watch {
                watch.met(&met(search.values()));
            }
            if self.kept.as_ref().is_some_and(|kept| lock(kept).is_due()) {
                self.save()?;
            }
        }
        Ok(None)
    }

    /// Saves what is known, whether the work has succeeded or not, and says where if it has not.
    fn ended<T>(&mut self, done: anyhow::Result<T>) -> anyhow::Result<T> {
        self.save()?;
        let done = match done {
            Ok(_) if interrupt::received() => Err(Error::Interrupted.into()),
            done => done,
        };
        let goes_on = self.window().is_some() && self.kept.is_some();
        match done {
            Err(error) if goes_on || matches!(library(&error), Some(Error::Interrupted)) => {
                Err(error).with_context(|| self.how_to_go_on())
            }
            done => done,
        }
    }

    fn save(&mut self) -> anyhow::Result<()> {
        match (&mut self.known, &self.kept) {
            (Known::Table(sequence), _) => sequence.save()?,
            (Known::Window(search, Some(snapshots)), Some(kept)) => {
                let (mut kept, begun) = (lock(kept), Instant::now());
                let known = interrupt::saving(|| search::save(&kept, snapshots, search))?;
                kept.wait(begun, known);
            }
            _ => {}
        }
        Ok(())
    }

    fn how_to_go_on(&self) -> String {
        if let Some(kept) = self.kept.as_deref().map(lock) {
            let file = kept.file.display();
            match (kept.values.checked_sub(1), &self.known) {
                (Some(last), Known::Table(_)) => {
                    return format!(
                        "the values to pile {last} are saved in {file}; the same command continues from there"
                    );
                }
                (Some(last), Known::Window(..)) => {
                    return format!(
                        "the search up to pile {last} is saved in {file}; the same command continues from there"
                    );
                }
                (None, Known::Window(..)) => {
                    return format!(
                        "nothing is saved in {file} yet: too few values are known after the last rare pile"
                    );
                }
                (None, Known::Table(_)) => {}
            }
        }
        match self.known().checked_sub(1) {
            Some(last) => format!(
                "the values to pile {last} were computed and are lost; --checkpoint FILE would save them"
            ),
            None => "nothing was computed yet".to_owned(),
        }
    }

    /// How many values are known.
    pub fn known(&self) -> u64 {
        match &self.known {
            Known::Table(sequence) => sequence.computed(),
            Known::Window(search, _) => search.known(),
        }
    }

    /// The values, if they stand in a table.
    pub fn table(&self) -> Option<&Sequence> {
        match &self.known {
            Known::Table(sequence) => Some(sequence),
            Known::Window(..) => None,
        }
    }

    /// The values, if they stand in a window.
    pub(crate) fn window(&self) -> Option<&ValueWindow> {
        match &self.known {
            Known::Table(_) => None,
            Known::Window(search, _) => Some(search.values()),
        }
    }

    /// The report of what was found.
    pub fn report(&self, finding: &Finding) -> PeriodReport {
        match &self.known {
            Known::Table(sequence) => PeriodReport::new(sequence, finding),
            Known::Window(search, _) => PeriodReport::of_search(&self.ruleset, search, finding),
        }
    }

    /// The certificate of a period proved by windows.
    ///
    /// # Errors
    /// If values of it can't be computed again, or at an interruption.
    pub fn segments(self, proof: &Proof) -> anyhow::Result<Segments> {
        let search = match self.known {
            Known::Table(sequence) => Box::new(BoundedSearch::after(*sequence, &self.effort)?),
            Known::Window(search, _) => search,
        };
        let known = search.known();
        let mut go_on = || self.effort.goes_on(known, known);
        let certificate = search.certificate(&self.ruleset, proof, &mut go_on);
        self.effort.done();
        Ok(certificate?)
    }
}

/// Takes values, the first of them that of this heap.
pub type Block<'a> = dyn FnMut(u64, &[NimValue]) -> anyhow::Result<()> + 'a;

/// Says after a step, with equal windows if it found some, whether the work is at its end.
type Look<'a, T> = dyn FnMut(&BoundedSearch, Option<Repeat>, &mut dyn FnMut() -> bool) -> anyhow::Result<Option<T>>
    + 'a;

/// What the run has met, for a progress bar.
fn met(window: &ValueWindow) -> String {
    let (rares, last) = (window.rares().len(), window.last_rare());
    let largest = window.largest();
    format!(
        "nim-values; {rares} rare, the last {last}; largest {} at {}",
        largest.value, largest.heap
    )
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
