//! The exact search of a game tree, for what no theorem decides: who wins, which nim-value a position has, or how long a game
//! lasts (`app/play/remoteness.rs`).
//!
//! In misère play a position is an N-position if and only if a move leads to a P-position, or there is no move.
//! The positions are gone through by `exhaustive.rs`, each once; time and memory grow with the positions met, which are
//! counted and bounded. The simple twin is the search of the tests.

use crate::analysis::Moves;
use crate::engine::Effort;
use crate::error::{Error, Reason};
use crate::exhaustive::{self, Budget, Limit, Limits, Memo, Step};
use crate::game::Game;
use crate::grundy;
use crate::outcome::Outcome;
use crate::position::Move;
use std::collections::{BTreeSet, HashMap};
use std::mem;

/// How many moves looked at count as one position searched.
const MOVES: u64 = 8;
/// How many piles of a position count as one more move.
const PILES: u64 = 16;
/// How many steps of the budget one move takes.
const STEPS: u64 = 16;

/// About how many bytes a position takes besides its piles.
const BYTES_PER_POSITION: u64 = 100;

/// The moves among these that leave a P-position.
pub fn winning<'g>(
    moves: Moves<'g>,
    outcome: impl Fn(&[u64]) -> Result<Outcome, Error> + 'g,
) -> Moves<'g> {
    Box::new(moves.filter_map(move |found| {
        let wins = |found: Move| {
            let outcome = outcome(&found.position)?;
            Ok((outcome == Outcome::P).then_some(found))
        };
        found.and_then(wins).transpose()
    }))
}

/// The result of a search in misère play in words for a learner.
pub fn in_words(outcome: Outcome) -> String {
    format!(
        "Under misère play nim-values don't decide; the position was searched: it is {outcome}."
    )
}

/// A question about positions, and how the answers after the moves of a position give its own answer.
pub trait Question: Copy {
    /// The answer to the question for one position.
    type Answer: Copy;
    /// The summary of the answers met so far, after some moves of a position.
    type Met: Default;

    /// Adds the answer after a move to the summary. Returns the answer of the position before the move, if that is decided now.
    fn meet(self, met: &mut Self::Met, answer: Self::Answer) -> Option<Self::Answer>;

    /// The answer of a position all of whose moves have been met.
    fn end(self, met: Self::Met) -> Self::Answer;

    /// The reason that a search of as many positions as allowed gives no answer.
    fn without_answer(allowed: u64) -> Reason {
        Reason::NotFound { allowed }
    }

    /// The error of a search that ends for this reason.
    fn out_of_reach(self, game: String, reason: Reason) -> Error {
        Error::ValueOutOfReach { game, reason }
    }
}

/// The question who wins in misère play.
#[derive(Clone, Copy, Debug)]
pub struct WhoWins;

impl Question for WhoWins {
    type Answer = Outcome;
    /// Whether some move has been met.
    type Met = bool;

    fn meet(self, has_moves: &mut bool, answer: Outcome) -> Option<Outcome> {
        *has_moves = true;
        (answer == Outcome::P).then_some(Outcome::N)
    }

    fn end(self, has_moves: bool) -> Outcome {
        Outcome::of_lost(has_moves)
    }

    fn without_answer(allowed: u64) -> Reason {
        Reason::Unsettled { allowed }
    }

    fn out_of_reach(self, game: String, reason: Reason) -> Error {
        Error::MisereOutOfReach { game, reason }
    }
}

/// The question for the nim-value, by the definition.
#[derive(Clone, Copy, Debug)]
pub struct ByMex;

impl Question for ByMex {
    type Answer = u64;
    /// The nim-values of the options met.
    type Met = BTreeSet<u64>;

    fn meet(self, met: &mut BTreeSet<u64>, answer: u64) -> Option<u64> {
        met.insert(answer);
        None
    }

    fn end(self, met: BTreeSet<u64>) -> u64 {
        grundy::mex(met)
    }
}

/// The form to which a position is reduced before its moves are looked at.
pub enum Reduced<'r, A = Outcome> {
    /// The answer is known.
    Known(A),
    /// The position that represents all positions with the same answer.
    Position(Vec<u64>),
    /// Such a position, and what may answer it. That takes longer than to find the position among those searched.
    Asked(Vec<u64>, &'r dyn Fn(&[u64]) -> Option<A>),
}

/// The positions searched so far, for one game and one question.
#[derive(Debug)]
pub struct Search<Q: Question = WhoWins> {
    question: Q,
    known: HashMap<Vec<u64>, Q::Answer>,
    /// About how many bytes the positions searched take.
    bytes: u64,
    /// What a search may cost.
    effort: Effort,
}

/// A position under way, with the moves that are still to be looked at.
struct Open<'g, M> {
    position: Vec<u64>,
    moves: Moves<'g>,
    met: M,
}

/// Why a search stopped without an answer.
enum Ended {
    Fault(Error),
    Limit(Limit),
}

impl From<Error> for Ended {
    fn from(error: Error) -> Ended {
        Ended::Fault(error)
    }
}

impl From<Limit> for Ended {
    fn from(limit: Limit) -> Ended {
        Ended::Limit(limit)
    }
}

impl<Q: Question> Search<Q> {
    /// A search that has searched nothing yet.
    pub fn new(question: Q, effort: Effort) -> Search<Q> {
        Search {
            question,
            known: HashMap::new(),
            bytes: 0,
            effort,
        }
    }

    /// The answer for a position.
    ///
    /// # Errors
    /// If more positions would have to be searched than are allowed, a move can't be found, or the watch stops the work.
    pub fn answer<'r>(
        &mut self,
        game: &dyn Game,
        reduce: &dyn Fn(&[u64]) -> Reduced<'r, Q::Answer>,
        position: &[u64],
    ) -> Result<Q::Answer, Error> {
        if let Some(watch) = &self.effort.watch {
            watch.counting("positions");
        }
        let effort = self.effort.clone();
        let budget = Budget::new(Limits::of(&effort, u64::MAX), 0);
        let found = self.search(game, reduce, position, &budget);
        self.effort.done();
        found.map_err(|ended| match ended {
            Ended::Fault(error) => error,
            Ended::Limit(limit) => self.ended(game, limit, &budget),
        })
    }

    fn search<'r>(
        &mut self,
        game: &dyn Game,
        reduce: &dyn Fn(&[u64]) -> Reduced<'r, Q::Answer>,
        position: &[u64],
        budget: &Budget<'_>,
    ) -> Result<Q::Answer, Ended> {
        let first = match self.look(game, reduce, position, budget)? {
            Step::Into(open) => open,
            Step::Answered(answer) => return Ok(answer),
        };
        let question = self.question;
        // A move of a sum takes longer than one of its parts alone.
        let each = match game.parts() {
            [] => STEPS,
            _ => STEPS + STEPS / 2,
        };
        exhaustive::answer(self, budget, first, |search, open, last| {
            let mut decided = last.and_then(|last| question.meet(&mut open.met, last));
            while decided.is_none()
                && let Some(found) = open.moves.next().transpose()?
            {
                if budget.count(each + STEPS * (found.position.len() as u64 / PILES)) {
                    search.check(budget)?;
                }
                match search.look(game, reduce, &found.position, budget)? {
                    Step::Answered(answer) => decided = question.meet(&mut open.met, answer),
                    option => return Ok(option),
                }
            }
            let answer = decided.unwrap_or_else(|| question.end(mem::take(&mut open.met)));
            Ok(Step::Answered(answer))
        })
    }

    /// Looks at a position that a move leads to.
    fn look<'g, 'r>(
        &mut self,
        game: &'g dyn Game,
        reduce: &dyn Fn(&[u64]) -> Reduced<'r, Q::Answer>,
        position: &[u64],
        budget: &Budget<'_>,
    ) -> Result<Step<Open<'g, Q::Met>, Q::Answer>, Limit> {
        let (position, ask) = match reduce(position) {
            Reduced::Known(answer) => return Ok(Step::Answered(answer)),
            Reduced::Position(position) => (position, None),
            Reduced::Asked(position, ask) => (position, Some(ask)),
        };
        if let Some(&answer) = self.known.get(&position) {
            return Ok(Step::Answered(answer));
        }
        if let Some(answer) = ask.and_then(|ask| ask(&position)) {
            return Ok(Step::Answered(answer));
        }
        budget.check_memory(self.bytes)?;
        if self.known.len() as u64 + budget.open() >= budget.limits.positions {
            return Err(Limit::Positions);
        }
        Ok(Step::Into(Open {
            moves: game.moves(&position),
            position,
            met: Q::Met::default(),
        }))
    }

    /// Checks that a search which has looked at this many moves may continue.
    fn check(&self, budget: &Budget<'_>) -> Result<(), Limit> {
        let searched = budget.done() / (STEPS * MOVES);
        if searched >= budget.limits.positions {
            return Err(Limit::Positions);
        }
        budget.tell(searched.max(self.known.len() as u64))
    }

    /// The error of a search that ended at a limit.
    fn ended(&self, game: &dyn Game, limit: Limit, budget: &Budget<'_>) -> Error {
        let reason = match limit {
            Limit::Interrupted => return Error::Interrupted,
            Limit::Memory => Reason::FullMemory {
                positions: self.known.len() as u64 + budget.open(),
            },
            Limit::Positions | Limit::Options | Limit::Elements => {
                Q::without_answer(budget.limits.positions)
            }
        };
        (self.question).out_of_reach(game.name().to_owned(), reason)
    }
}

impl<'g, Q: Question> Memo<Open<'g, Q::Met>> for Search<Q> {
    type Answer = Q::Answer;

    fn memory(&self) -> u64 {
        self.bytes
    }

    fn memory_of(open: &Open<'g, Q::Met>) -> u64 {
        // The position is kept once more by its moves.
        BYTES_PER_POSITION + 2 * size_of_val(&*open.position) as u64
    }

    fn keep(
        &mut self,
        open: Open<'g, Q::Met>,
        answer: Q::Answer,
        _: &Budget<'_>,
    ) -> Result<(), Limit> {
        self.known.try_reserve(1).map_err(|_| Limit::Memory)?;
        self.bytes += BYTES_PER_POSITION + size_of_val(&*open.position) as u64;
        self.known.insert(open.position, answer);
        Ok(())
    }
}
