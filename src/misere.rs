//! Who wins when whoever makes the last move loses.
//!
//! There is no nim-value that decides it: heaps don't combine by the nim-sum, and equal heaps don't cancel. So the
//! rule of Nim is used only where it is proved for the heaps at hand, and all else is searched exactly.

mod forms;
mod heaps;
mod search;
mod tame;

pub use tame::{Tame, TameSum};

use crate::error::Error;
use crate::outcome::Outcome;
use crate::ruleset::Ruleset;
use crate::solver::Effort;
use crate::values::HeapValues;
use heaps::Heaps;
use search::{Limits, Rules, Search, Stopped};

/// Judges the positions of a heap game in misère play, and keeps what it has found for later ones.
#[derive(Debug, Default)]
pub struct Misere {
    heaps: Heaps,
    search: Search,
}

/// How many steps of [`Effort::steps`] a position searched counts for.
const STEPS_PER_POSITION: u64 = 2000;

impl Misere {
    /// The Nim heap that each heap behaves as, if all of them are tame.
    ///
    /// `values` must reach the heaps.
    ///
    /// # Errors
    /// If the rule need not end, or it would take too long to tell.
    pub fn tame(
        &mut self,
        ruleset: &Ruleset,
        values: &HeapValues,
        heaps: &[u64],
    ) -> Result<Option<Vec<Tame>>, Error> {
        if only_takes(ruleset) {
            let tame = |&heap: &u64| {
                let value = values.value(heap);
                let fickle = value <= 1;
                Some(Tame { value, fickle })
            };
            return Ok(heaps.iter().map(tame).collect());
        }
        let largest = heaps.iter().copied().max().unwrap_or(0);
        self.heaps.reach(ruleset, largest)?;
        Ok(heaps.iter().map(|&heap| self.heaps.tame(heap)).collect())
    }

    /// Who wins the sum of these heaps.
    ///
    /// `values` must reach the heaps.
    ///
    /// # Errors
    /// As for [`Misere::tame`], and if the search comes to a limit: as many positions as `effort` has steps for,
    /// or its memory.
    pub fn outcome(
        &mut self,
        ruleset: &Ruleset,
        values: &HeapValues,
        heaps: &[u64],
        effort: &Effort,
    ) -> Result<Outcome, Error> {
        if let Some(tame) = self.tame(ruleset, values, heaps)? {
            return Ok(TameSum::from_iter(tame).outcome());
        }
        let limits = Limits {
            positions: effort.steps / STEPS_PER_POSITION,
            memory: effort.memory,
            watch: effort.watch.as_deref(),
        };
        let atoms = self.heaps.atoms_in(heaps);
        let mut rules = Rules {
            ruleset,
            values,
            heaps: &mut self.heaps,
        };
        let stopped = match self.search.outcome(&mut rules, atoms, &limits) {
            Ok(outcome) => return Ok(outcome),
            Err(Stopped::Interrupted) => return Err(Error::Interrupted),
            Err(Stopped::Positions) => "the most that a search may keep",
            Err(Stopped::Memory) => "all that the memory allowed has room for",
        };
        Err(Error::MisereOutOfReach {
            game: ruleset.name().to_owned(),
            reason: format!(
                "{} positions were searched without an outcome, {stopped}",
                self.search.positions()
            ),
        })
    }

    /// How many positions the searches have judged.
    pub fn searched(&self) -> u64 {
        self.search.positions()
    }
}

/// Whether a move is to take a number of stones that is in a set, finite or not, and nothing else.
///
/// All heaps of such a game are tame, fickle where the nim-value is 0 or 1: Ferguson, *On sums of graph games with
/// last player losing*, Int. J. Game Theory 3, 1974, pp. 159-167. It follows from his pairing property: with s the
/// least of the set, g(n) = 1 just if g(n - s) = 0.
pub(crate) fn only_takes(ruleset: &Ruleset) -> bool {
    ruleset.code().is_some_and(|code| {
        let (digits, _) = code.written();
        let takes = |digit: &crate::ruleset::Digit| {
            digit.most_heaps() == Some(1) && digit.parts(0).is_some() && digit.parts(1).is_some()
        };
        digits[0].is_zero() && digits.iter().all(|digit| digit.is_zero() || takes(digit))
    })
}
