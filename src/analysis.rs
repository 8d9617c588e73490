//! The analysis of a sum of heaps: its nim-sum, its outcome, and every winning move.
//!
//! The nim-value of a sum is the nim-sum of its heaps' values, and the player to move wins unless it is 0 (Sprague
//! 1935, Grundy 1939). A move wins if what becomes of its heap has the nim-value of all the other heaps together.

mod explain;
mod misere;
mod target;

use crate::error::Error;
use crate::game::{Analysis, Game, Moves};
use crate::grundy::{self, NimValue};
use crate::misere::Misere;
use crate::outcome::{Convention, Outcome};
use crate::position::Move;
use crate::ruleset::Ruleset;
use crate::solver::{Effort, Solver};
use crate::table::Table;
use crate::values::{HeapValues, Periodic};
use std::sync::{Arc, Mutex, PoisonError};

/// A game of heaps, any number of them, by the rule for one heap.
///
/// It keeps the nim-values that it has computed, so that later positions cost little.
///
/// ```
/// use nim_analyser::{Convention, Game, HeapGame, Outcome};
///
/// let game = HeapGame::new("kayles".parse()?);
/// let analysis = game.analyse(&[3, 5], Convention::Normal)?;
/// assert_eq!(analysis.outcome, Outcome::N);
/// let first = game.winning_moves(&analysis).next().unwrap()?;
/// assert_eq!(first.position, [3, 3]);
/// # Ok::<(), nim_analyser::Error>(())
/// ```
pub struct HeapGame {
    ruleset: Ruleset,
    effort: Effort,
    values: Mutex<HeapValues>,
    misere: Mutex<Misere>,
}

impl HeapGame {
    /// The game of a ruleset, with the default bounds on time and memory.
    pub fn new(ruleset: Ruleset) -> HeapGame {
        HeapGame::with_effort(ruleset, Effort::default())
    }

    /// The game of a ruleset, with bounds on what an answer may cost.
    pub fn with_effort(ruleset: Ruleset, effort: Effort) -> HeapGame {
        HeapGame {
            ruleset,
            effort,
            values: Mutex::new(HeapValues::Table(Arc::default())),
            misere: Mutex::default(),
        }
    }

    /// The rule for one heap.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The nim-values of the heaps, up to `heap` at least.
    ///
    /// # Errors
    /// If they are out of reach, see [`Solver::fill`].
    pub fn values(&self, heap: u64) -> Result<HeapValues, Error> {
        let mut known = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.reaches(heap) {
            *known = self.grown(&known, heap)?;
        }
        Ok(known.clone())
    }

    fn values_of(&self, piles: &[u64]) -> Result<HeapValues, Error> {
        self.values(piles.iter().copied().max().unwrap_or(0))
    }

    fn grown(&self, known: &HeapValues, heap: u64) -> Result<HeapValues, Error> {
        let table = match known {
            HeapValues::Table(table) => Table::clone(table),
            HeapValues::Periodic(_) => Table::new(),
        };
        let mut solver = Solver::resume(self.ruleset.clone(), table, self.effort.clone());
        if let Some((preperiod, period, saltus)) = closed_form(&self.ruleset) {
            solver.fill(preperiod + period)?;
            let periodic = Periodic::new(solver.into_table(), preperiod, period, saltus);
            return Ok(HeapValues::Periodic(Arc::new(periodic)));
        }
        solver.fill(heap)?;
        Ok(HeapValues::Table(Arc::new(solver.into_table())))
    }
}

/// Whether the ruleset is Nim, by its code.
fn is_nim(ruleset: &Ruleset) -> bool {
    ruleset
        .code()
        .is_some_and(|code| code.to_string() == "0.[3]")
}

/// Preperiod, period and saltus of the games whose closed form is a theorem: Nim (Bouton 1901) and Lasker's Nim
/// (Berlekamp, Conway and Guy, *Winning Ways*, 2nd ed. 2001, vol. 1, p. 99).
fn closed_form(ruleset: &Ruleset) -> Option<(u64, u64, u64)> {
    match ruleset.code()?.to_string().as_str() {
        "0.[3]" => Some((0, 1, 1)),
        "4.[3]" => Some((1, 4, 4)),
        _ => None,
    }
}

impl Game for HeapGame {
    fn name(&self) -> &str {
        self.ruleset.name()
    }

    fn code(&self) -> Option<String> {
        self.ruleset.code().map(ToString::to_string)
    }

    fn moves<'g>(&'g self, piles: &[u64]) -> Moves<'g> {
        let piles: Arc<[u64]> = piles.into();
        Box::new((0..piles.len()).flat_map(move |index| {
            let piles = Arc::clone(&piles);
            let options = self.ruleset.options(piles[index]);
            options.map(move |option| Ok(Move::in_pile(&piles, index, option.take, option.leave)))
        }))
    }

    fn analyse(&self, piles: &[u64], convention: Convention) -> Result<Analysis, Error> {
        if convention == Convention::Misere {
            return self.analyse_misere(piles);
        }
        let values = self.values_of(piles)?;
        let nim_values: Vec<NimValue> = piles.iter().map(|&pile| values.value(pile)).collect();
        let nim_sum = grundy::nim_sum(nim_values.iter().copied());
        let outcome = if nim_sum == 0 { Outcome::P } else { Outcome::N };
        Ok(Analysis {
            piles: piles.to_vec(),
            convention,
            nim_values: Some(nim_values),
            nim_sum: Some(nim_sum),
            outcome,
        })
    }

    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        if analysis.outcome == Outcome::P {
            return Box::new(std::iter::empty());
        }
        if analysis.convention == Convention::Misere {
            return self.winning_moves_misere(&analysis.piles);
        }
        let sum = analysis.nim_sum.unwrap_or(0);
        let piles: Arc<[u64]> = analysis.piles.as_slice().into();
        let values = match self.values_of(&piles) {
            Ok(values) => values,
            Err(error) => return Box::new(std::iter::once(Err(error))),
        };
        Box::new((0..piles.len()).flat_map(move |index| {
            let piles = Arc::clone(&piles);
            let target = values.value(piles[index]) ^ sum;
            let options = target::options(&self.ruleset, values.clone(), piles[index], target);
            options.map(move |option| Ok(Move::in_pile(&piles, index, option.take, option.leave)))
        }))
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        explain::working(self, analysis)
    }
}
