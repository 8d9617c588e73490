//! The analysis of a sum of heaps: its nim-sum, its outcome, and every winning move.
//!
//! The nim-value of a sum is the nim-sum of its heaps' values, and the player to move wins unless it is 0 (Sprague
//! 1935, Grundy 1939). A move wins if what becomes of its heap has the nim-value of all the other heaps together.

pub mod binary_columns;
mod explain;
pub use explain::{option_values, pile_working};
mod misere;
pub mod nim;
mod winning_options;

use crate::engine::{Effort, Watch, lock};
use crate::error::Error;
use crate::grundy::{self, NimValue};
use crate::misere::Misere;
use crate::outcome::{Convention, Outcome};
use crate::position::Move;
use crate::ruleset::Ruleset;
use crate::sequence::period::Period;
use crate::sequence::{LARGEST_BY_TABLE, Sequence, Values};
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard};

/// Moves, one after another as they are found.
pub type Moves<'g> = Box<dyn Iterator<Item = Result<Move, Error>> + 'g>;

/// The analysis of a position: who wins it, and the nim-values that show it.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The position.
    pub piles: Vec<u64>,
    /// Whether the last move wins (normal play) or loses (misère play).
    pub convention: Convention,
    /// The nim-value of each pile, where the nim-values decide the outcome.
    pub nim_values: Option<Vec<NimValue>>,
    /// The nim-value of the position (of a sum, the nim-sum of its parts' nim-values), where it is known and decides the
    /// outcome.
    pub nim_sum: Option<NimValue>,
    /// Who wins.
    pub outcome: Outcome,
    /// The proved period that the answer rests on, where it doesn't rest on values computed one by one.
    pub basis: Option<Basis>,
    /// The nim-values of single heaps that the answer rests on, for a sum of heaps: in normal play, and in misère play where
    /// they decide the outcome by themselves.
    pub values: Option<Values>,
    /// The analyses of the games that the position is a sum of, where those games decide the outcome.
    pub parts: Vec<Analysis>,
}

impl Analysis {
    /// The analysis of a position of which the outcome alone is known, without nim-values.
    pub(crate) fn by_outcome(
        position: &[u64],
        convention: Convention,
        outcome: Outcome,
    ) -> Analysis {
        Analysis {
            piles: position.to_vec(),
            convention,
            nim_values: None,
            nim_sum: None,
            outcome,
            basis: None,
            values: None,
            parts: Vec::new(),
        }
    }

    /// The analysis in normal play of a position whose piles have these nim-values.
    pub(crate) fn by_values(position: &[u64], nim_values: Vec<NimValue>) -> Analysis {
        let sum = grundy::nim_sum(nim_values.iter().copied());
        Analysis {
            nim_values: Some(nim_values),
            nim_sum: Some(sum),
            ..Analysis::by_outcome(position, Convention::Normal, Outcome::of_lost(sum == 0))
        }
    }
}

/// A proved period that an analysis rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Basis {
    /// The period.
    #[serde(flatten)]
    pub period: Period,
    /// The theorem that proves it.
    pub theorem: &'static str,
    /// Where the theorem is proved.
    pub source: &'static str,
}

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
#[derive(Debug)]
pub struct HeapGame {
    ruleset: Ruleset,
    effort: Effort,
    sequence: Mutex<Sequence>,
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
            sequence: Mutex::new(Sequence::with_effort(ruleset.clone(), effort.clone())),
            ruleset,
            effort,
            misere: Mutex::default(),
        }
    }

    /// The watch that is told of progress and may stop the work, if there is one.
    pub(crate) fn watch(&self) -> Option<&dyn Watch> {
        self.effort.watch.as_deref()
    }

    /// The rule for one heap.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The nim-values of the heaps from 0 to `heap` at least.
    ///
    /// # Errors
    /// If these nim-values are out of reach, see [`Sequence::reach`].
    pub fn values(&self, heap: u64) -> Result<Values, Error> {
        self.sequence().reach(heap)
    }

    /// The sequence of the heaps' nim-values, which the analyses go by. Whoever else asks the game waits until it is
    /// given back.
    pub fn sequence(&self) -> MutexGuard<'_, Sequence> {
        lock(&self.sequence)
    }

    fn basis(&self, piles: &[u64]) -> Option<Basis> {
        let largest = *piles.iter().max()?;
        if largest <= LARGEST_BY_TABLE || is_nim(&self.ruleset) {
            return None;
        }
        let proof = *self.sequence().proof()?;
        let beyond = largest >= proof.period.preperiod + proof.period.period;
        beyond.then(|| Basis {
            period: proof.period,
            theorem: proof.theorem.name(),
            source: proof.theorem.source(),
        })
    }

    /// Every legal move, in the order in which they are reported.
    pub fn moves<'g>(&'g self, piles: &[u64]) -> Moves<'g> {
        let piles: Arc<[u64]> = piles.into();
        Box::new((0..piles.len()).flat_map(move |index| {
            let piles = Arc::clone(&piles);
            let options = self.ruleset.options(piles[index]);
            options.map(move |option| Ok(Move::in_pile(&piles, index, option.take, option.leave)))
        }))
    }

    /// Who wins, and the nim-values that say so.
    ///
    /// # Errors
    /// If the answer is out of reach.
    pub fn analyse(&self, piles: &[u64], convention: Convention) -> Result<Analysis, Error> {
        if convention == Convention::Misere {
            return self.analyse_misere(piles);
        }
        let values = self.values(piles.iter().copied().max().unwrap_or(0))?;
        let nim_values = piles.iter().map(|&pile| values.value(pile)).collect();
        Ok(Analysis {
            basis: self.basis(piles),
            values: Some(values),
            ..Analysis::by_values(piles, nim_values)
        })
    }

    /// Every winning move of an analysed position, in the order of [`HeapGame::moves`]; none for a P-position.
    pub fn winning_moves<'g>(&'g self, analysis: &'g Analysis) -> Moves<'g> {
        if analysis.outcome == Outcome::P {
            return Box::new(std::iter::empty());
        }
        if analysis.convention == Convention::Misere {
            return self.winning_moves_misere(analysis);
        }
        self.moves_to(analysis, 0)
    }

    /// The moves from a position analysed in normal play that leave a nim-value other than its own, in the order of
    /// [`HeapGame::moves`].
    pub fn moves_to<'g>(&'g self, analysis: &'g Analysis, value: NimValue) -> Moves<'g> {
        let sum = analysis.nim_sum.unwrap_or(0) ^ value;
        let Analysis { piles, values, .. } = analysis;
        let Some(values) = values else {
            return Box::new(std::iter::empty());
        };
        Box::new((0..piles.len()).flat_map(move |index| {
            let (pile, memory) = (piles[index], self.effort.memory);
            let target = values.value(pile) ^ sum;
            let options = winning_options::options(&self.ruleset, values, pile, target, memory);
            options.map(move |option| Ok(Move::in_pile(piles, index, option.take, option.leave)))
        }))
    }

    /// About how many bytes of nim-values the game keeps from one analysis to the next.
    pub fn memory(&self) -> u64 {
        // A sequence that another thread is computing is in use, whatever it takes.
        self.sequence
            .try_lock()
            .map_or(0, |sequence| 2 * sequence.computed())
    }

    /// The working for a learner, line by line.
    ///
    /// # Errors
    /// If the working is out of reach.
    pub fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        match analysis.convention {
            Convention::Normal => explain::working(self, analysis),
            Convention::Misere => misere::working(self, analysis),
        }
    }
}

/// Whether the ruleset is Nim, by its code.
fn is_nim(ruleset: &Ruleset) -> bool {
    ruleset
        .code()
        .is_some_and(|code| code.to_string() == "0.[3]")
}
