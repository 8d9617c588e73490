//! The nim-sequence of a game, and its one owner.
//!
//! [`Sequence`] computes nim-values as far as they are asked for, and keeps them: it reaches a heap by a table or by a proved
//! period, finds and proves that period, continues from saved values, and saves when it is time. Where a table would show no
//! more, it keeps only the first values and the last ones, in a window. The values that it knows are given out as [`Values`].

#[cfg(feature = "cli")]
pub(crate) mod figures;
mod fill;
mod in_window;
pub mod law;
pub mod period;
mod periodic;
pub mod published;
pub(crate) mod rares;
mod saver;
pub mod spot_check;
pub mod survey;
mod table_splits;
mod values;

pub use in_window::OnBlock;
pub(crate) use periodic::repeated;
pub(crate) use saver::{FirstValues, Progress, Saver};
pub(crate) use values::Slope;
pub use values::Values;

use crate::engine::octal::Octal;
use crate::engine::partitions::Partitions;
use crate::engine::table::Table;
use crate::engine::value_window::BEGINNING;
use crate::engine::{Effort, Engine};
use crate::error::{Error, Reason};
use crate::grundy::NimValue;
use crate::ruleset::Ruleset;
use period::bounded_search::BoundedSearch;
use period::{Finding, Proof, Theorem};
use periodic::Periodic;
use std::fmt;
use std::sync::Arc;
use values::Known;

/// Heaps to this size are always looked up in a table, which costs next to nothing.
pub const LARGEST_BY_TABLE: u64 = 1000;

/// The largest heap to which a period is sought for the sake of a larger heap.
const PERIOD_SOUGHT_TO: u64 = 1 << 20;
/// The most steps that the values may take in which such a period is sought. They take the place of the steps allowed meanwhile.
const PERIOD_STEPS: u64 = 100_000_000;

/// The nim-values g(0), g(1), … of a game of heaps.
///
/// ```
/// use nim_analyser::sequence::Sequence;
///
/// let mut kayles = Sequence::new("kayles".parse()?);
/// assert_eq!(kayles.reach(10_u64.pow(18))?.get(10_u64.pow(18)), Some(1));
/// assert_eq!(kayles.proof().map(|proof| proof.period.period), Some(12));
/// # Ok::<(), nim_analyser::Error>(())
/// ```
pub struct Sequence {
    ruleset: Ruleset,
    effort: Effort,
    table: Arc<Table>,
    /// The sets of nim-sums, for a game whose moves may leave many heaps.
    partitions: Option<Partitions>,
    /// How many values were known when a sparse space was last looked for.
    sought_at: u64,
    /// All values to this heap may be computed, whatever they turn out to cost.
    let_through: u64,
    /// The engine that the watch was last told about.
    told: Option<Engine>,
    /// The proof of a period that holds for ever, if there is one.
    proof: Option<Proof>,
    /// The values of all heaps by the proved period, if they could be taken from the table.
    periodic: Option<Arc<Periodic>>,
    /// The last values with a search for a period among them, in place of the table.
    bounded_search: Option<Box<BoundedSearch>>,
    saver: Option<Box<dyn Saver>>,
}

impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sequence")
            .field("ruleset", &self.ruleset)
            .field("effort", &self.effort)
            .field("computed", &self.computed())
            .field("proof", &self.proof())
            .finish_non_exhaustive()
    }
}

impl Sequence {
    /// The sequence of a ruleset, no value of it known yet, with the default bounds on time and memory.
    pub fn new(ruleset: Ruleset) -> Sequence {
        Sequence::with_effort(ruleset, Effort::default())
    }

    /// Like [`Sequence::new`], with bounds on what an answer may cost.
    pub fn with_effort(ruleset: Ruleset, effort: Effort) -> Sequence {
        Sequence::resume(ruleset, Table::new(), effort)
    }

    /// The sequence of a ruleset whose first values are those of a table: they are taken as right.
    pub fn resume(ruleset: Ruleset, mut table: Table, effort: Effort) -> Sequence {
        // The state learnt from codes may belong to another game's moves, and to another kernel.
        if let Some(coded) = table.coded_mut()
            && let Some(game) = Octal::breaking(&ruleset)
        {
            coded.learn_anew(&game, &effort);
        }
        Sequence {
            ruleset,
            effort,
            table: Arc::new(table),
            partitions: None,
            sought_at: 0,
            let_through: 0,
            told: None,
            proof: None,
            periodic: None,
            bounded_search: None,
            saver: None,
        }
    }

    /// Gives the sequence a saver: from now on the loop that computes values calls it when it is time to save.
    pub(crate) fn saved_by(mut self, saver: Box<dyn Saver>) -> Sequence {
        self.saver = Some(saver);
        self
    }

    /// Saves the values computed, if there is a saver, which then knows whether they are saved. A search in a window that has
    /// given a proof is not saved, because its proof is not searched for again.
    pub(crate) fn save(&mut self) {
        match (&mut self.saver, &self.bounded_search) {
            (Some(saver), None) => saver.save(Progress::Table(FirstValues::Table(&self.table))),
            (Some(saver), Some(search)) if self.proof.is_none() => {
                saver.save(Progress::Window(search))
            }
            _ => true,
        };
    }

    /// The rule for one heap.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// How many values were computed one by one: those of the heaps 0 to `computed() - 1`.
    pub fn computed(&self) -> u64 {
        match &self.bounded_search {
            Some(search) => search.known(),
            None => self.table.len() as u64,
        }
    }

    /// The engine that last extended the table, if one did. Values that a proved formula gives and values computed in a window
    /// don't change it.
    pub fn engine(&self) -> Option<Engine> {
        self.told
    }

    /// The values computed one by one; empty once the values stand in a window.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The period that holds for ever, if one has been proved.
    pub fn proof(&self) -> Option<&Proof> {
        self.proof.as_ref()
    }

    /// The largest of the values computed and the first heap that has it; the largest of all values, if a period is proved.
    /// `None` if no value is known yet, or if there is no largest one, as a saltus is proved.
    pub fn largest(&self) -> Option<(NimValue, u64)> {
        let last = match (&self.bounded_search, self.proof()) {
            (Some(search), _) => {
                let largest = search.values().largest();
                return Some((largest.value.into(), largest.heap));
            }
            (None, Some(proof)) if proof.period.saltus > 0 => return None,
            (None, Some(proof)) => proof.period.preperiod + proof.period.period,
            (None, None) => self.computed(),
        };
        let last = last.checked_sub(1)?;
        Some(self.values().largest((0, last)))
    }

    /// The values known; those of every heap, if a period is proved. A window gives none here: see [`Sequence::compute`].
    pub fn values(&self) -> Values {
        Values::of(match &self.periodic {
            Some(periodic) => Known::Periodic(Arc::clone(periodic)),
            None => Known::Table(Arc::clone(&self.table)),
        })
    }

    /// The values to `heap` at least. To heap [`LARGEST_BY_TABLE`] they come from a table. Beyond it they come from the proved
    /// formula of the rule, if it has one; else from a period, if the first values prove one; else from a table.
    ///
    /// # Errors
    /// If these values are out of reach, see [`Sequence::fill`]; [`Error::Forgotten`] if the values stand in a window.
    pub fn reach(&mut self, heap: u64) -> Result<Values, Error> {
        self.reach_on_the_way(heap, heap)
    }

    /// Like [`Sequence::reach`], on the way to heap `to`: where piles are split, an error if the values to that heap are out of
    /// reach.
    fn reach_on_the_way(&mut self, heap: u64, to: u64) -> Result<Values, Error> {
        if self.values().reaches(heap) {
            return Ok(self.values());
        }
        if self.bounded_search.is_some() {
            return Err(Error::Forgotten { heap });
        }
        if let Some(formula) = self.ruleset.formula().filter(|_| heap > LARGEST_BY_TABLE) {
            return Ok(Values::of(Known::Formula(formula)));
        }
        let mut sought = None;
        if heap > LARGEST_BY_TABLE && Theorem::covering(&self.ruleset).is_ok() {
            let steps = self.effort.steps;
            self.effort.steps = steps.min(PERIOD_STEPS);
            let found = self.find_period(heap.min(PERIOD_SOUGHT_TO));
            self.effort.steps = steps;
            match found {
                Ok(Finding::Proved(_)) => return Ok(self.values()),
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                _ => sought = self.computed().checked_sub(1),
            }
        }
        let priced = match heap < to {
            true => self.fill_on_the_way(heap, to),
            false => Ok(()),
        };
        match (priced.and_then(|()| self.fill(heap)), sought) {
            (Ok(()), _) => Ok(self.values()),
            (Err(error), Some(sought)) => Err(self.refusal(error, heap, sought)),
            (Err(error), None) => Err(error),
        }
    }

    /// Searches for the least period, with values to heap `limit` at most, and stops as soon as one is proved. From
    /// then on the values of all heaps are known, if they stand in a table.
    ///
    /// # Errors
    /// If the values can't be computed as far as that, see [`Sequence::fill`].
    pub fn find_period(&mut self, limit: u64) -> Result<Finding, Error> {
        if self.bounded_search.is_some() {
            return self.search_window(limit);
        }
        let found = self.search(limit, None)?;
        Ok(found.unwrap_or(Finding::Nothing))
    }

    /// Like [`Sequence::find_period`], but where the values to `limit` are out of reach, the finding is about those computed.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn find_period_within_reach(&mut self, limit: u64) -> Result<Finding, Error> {
        match self.find_period(limit) {
            Err(error) if error != Error::Interrupted => Ok(self.period_so_far()),
            found => found,
        }
    }

    /// Like [`Sequence::find_period`], by the window theorem too, and in a window once a table would show no more. `None` if the
    /// first values show no sparse space: then the search can find no more than [`Sequence::find_period`].
    ///
    /// # Errors
    /// As for [`Sequence::find_period`], and for [`Sequence::keep_window`].
    pub fn find_period_far(&mut self, limit: u64) -> Result<Option<Finding>, Error> {
        if self.bounded_search.is_some() {
            return self.search_window(limit).map(Some);
        }
        let found = self.find_period(limit.min(BEGINNING))?;
        if limit <= BEGINNING || matches!(found, Finding::Proved(_)) {
            return Ok(Some(found));
        }
        // The values of a table that was saved don't show whether the game has a sparse space.
        let shows = self.table.is_by_rares()
            || self.sought_at == 0 && BoundedSearch::new(&self.ruleset, &self.effort).is_ok();
        if !shows {
            return Ok(None);
        }
        match self.search(limit, Some(period::LEAST_TABLE)) {
            Ok(None) | Err(Error::Memory { .. }) => {}
            found => return found,
        }
        match self.keep_window() {
            Err(Error::EngineUnfit { .. }) => Ok(None),
            Err(error) => Err(error),
            Ok(()) => self.search_window(limit).map(Some),
        }
    }

    /// Searches, and from then on knows the values of all heaps if that gives a proof.
    fn search(&mut self, limit: u64, table: Option<u64>) -> Result<Option<Finding>, Error> {
        if let Some(proof) = self.proof() {
            return Ok(Some(Finding::Proved(*proof)));
        }
        let found = period::search(self, limit, table)?;
        if let Some(Finding::Proved(proof)) = &found {
            let periodic = Periodic::new(Arc::clone(&self.table), proof.period);
            self.proof = Some(*proof);
            self.periodic = Some(Arc::new(periodic));
        }
        Ok(found)
    }

    /// The finding about the period from the values computed so far.
    pub fn period_so_far(&self) -> Finding {
        match (self.proof(), &self.bounded_search) {
            (Some(proof), _) => Finding::Proved(*proof),
            (None, Some(_)) => Finding::Nothing,
            (None, None) => period::look(&self.table, &self.ruleset),
        }
    }

    /// The last heap whose value is known.
    fn last_known(&self) -> u64 {
        match self.periodic {
            Some(_) => u64::MAX,
            None => self.computed().saturating_sub(1),
        }
    }

    /// The error that a heap's value is out of reach, where a period was sought as well.
    fn refusal(&self, error: Error, heap: u64, sought: u64) -> Error {
        let (table, would_do) = match error {
            Error::OutOfReach {
                reason, would_do, ..
            } => (reason, would_do),
            Error::Memory {
                needed,
                allowed,
                would_do,
            } => (Reason::TableMemory { needed, allowed }, would_do),
            error => return error,
        };
        Error::OutOfReach {
            game: self.ruleset.name().to_owned(),
            heap,
            reason: Reason::NoPeriod {
                table: Box::new(table),
                sought,
            },
            would_do,
        }
    }
}
