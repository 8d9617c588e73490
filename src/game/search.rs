//! Who wins by exact search of the game tree: for positions that no theorem decides.
//!
//! A position is an N-position if and only if a move leads to a P-position, or, under misère play, there is no move.
//! Depth first with its own stack, each position once; time and memory grow with the positions met, which are counted
//! and bounded. The simple twin is the search of the tests.

use crate::analysis::Moves;
use crate::engine::Effort;
use crate::error::{Error, MoreEffort};
use crate::game::{Game, canonical};
use crate::grundy::{self, NimValue};
use crate::outcome::{Convention, Outcome};
use crate::position::Move;
use std::collections::{BTreeSet, HashMap};

/// So many moves looked at count as a position searched, and so many piles of one as another move.
const MOVES: u64 = 8;
const PILES: u64 = 16;

/// About what a position takes besides its piles.
const BYTES_PER_POSITION: u64 = 100;

/// So many moves come between two looks at the watch.
const CHECK_MOVES: u64 = 1 << 12;

/// Those of the moves that leave a P-position.
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

/// What the search makes of a position before it looks at the moves.
pub enum Reduced {
    /// Who wins is known.
    Known(Outcome),
    /// The position that stands for all that are won alike.
    Position(Vec<u64>),
}

/// The positions searched so far, for one game and one convention.
#[derive(Debug)]
pub struct Search {
    convention: Convention,
    known: HashMap<Vec<u64>, Outcome>,
    /// The bytes that they take, about.
    bytes: u64,
    /// What a search may cost.
    effort: Effort,
}

/// A position on the way, with the moves that are still to be looked at.
struct Open<'g> {
    position: Vec<u64>,
    moves: Moves<'g>,
    has_moves: bool,
}

impl Search {
    /// Nothing searched yet.
    pub fn new(convention: Convention, effort: Effort) -> Search {
        Search {
            convention,
            known: HashMap::new(),
            bytes: 0,
            effort,
        }
    }

    /// Who wins a position.
    ///
    /// # Errors
    /// If more positions would have to be searched than are allowed, a move can't be found, or the watch says so.
    pub fn outcome(
        &mut self,
        game: &dyn Game,
        reduce: &dyn Fn(&[u64]) -> Reduced,
        position: &[u64],
    ) -> Result<Outcome, Error> {
        let watch = self.effort.watch.clone();
        if let Some(watch) = &watch {
            watch.counting("positions");
        }
        let found = self.search(game, reduce, position);
        if let Some(watch) = &watch {
            watch.done();
        }
        found
    }

    fn search(
        &mut self,
        game: &dyn Game,
        reduce: &dyn Fn(&[u64]) -> Reduced,
        position: &[u64],
    ) -> Result<Outcome, Error> {
        let (mut moves, mut next_check) = (0, CHECK_MOVES);
        let mut stack: Vec<Open<'_>> = Vec::new();
        // Who wins the position looked at last, unless it was put on the stack.
        let mut last = self.look(game, reduce, position, &mut stack)?;
        while let Some(open) = stack.last_mut() {
            let outcome = match last.take() {
                Some(Outcome::P) => Outcome::N,
                _ => match open.moves.next().transpose()? {
                    Some(found) => {
                        open.has_moves = true;
                        moves += 1 + found.position.len() as u64 / PILES;
                        if moves >= next_check {
                            next_check = moves + CHECK_MOVES;
                            self.check(game, moves / MOVES)?;
                        }
                        last = self.look(game, reduce, &found.position, &mut stack)?;
                        continue;
                    }
                    None if !open.has_moves && self.convention == Convention::Misere => Outcome::N,
                    None => Outcome::P,
                },
            };
            if let Some(open) = stack.pop() {
                self.bytes += BYTES_PER_POSITION + size_of_val(&*open.position) as u64;
                self.known.insert(open.position, outcome);
            }
            last = Some(outcome);
        }
        Ok(last.unwrap_or(Outcome::P))
    }

    fn look<'g>(
        &mut self,
        game: &'g dyn Game,
        reduce: &dyn Fn(&[u64]) -> Reduced,
        position: &[u64],
        stack: &mut Vec<Open<'g>>,
    ) -> Result<Option<Outcome>, Error> {
        let position = match reduce(position) {
            Reduced::Known(outcome) => return Ok(Some(outcome)),
            Reduced::Position(position) => position,
        };
        if let Some(&outcome) = self.known.get(&position) {
            return Ok(Some(outcome));
        }
        let positions = (self.known.len() + stack.len()) as u64;
        let room = self.known.try_reserve(stack.len() + 1);
        if room.is_err() || self.bytes >= self.effort.memory {
            let why = format!("there is no memory for more than {positions} positions");
            return Err(out_of_reach(game, &why, MoreEffort::Memory));
        }
        if positions >= self.effort.positions {
            return Err(self.too_many(game));
        }
        stack.push(Open {
            moves: game.moves(&position),
            position,
            has_moves: false,
        });
        Ok(None)
    }

    /// Whether the search may go on, this one having looked at moves for so many positions.
    fn check(&self, game: &dyn Game, searched: u64) -> Result<(), Error> {
        let allowed = self.effort.positions;
        if searched >= allowed {
            return Err(self.too_many(game));
        }
        let searched = searched.max(self.known.len() as u64);
        match &self.effort.watch {
            Some(watch) if !watch.progress(searched, allowed) => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }

    fn too_many(&self, game: &dyn Game) -> Error {
        let allowed = self.effort.positions;
        let why = format!("it is not settled by a search worth {allowed} positions");
        let more = MoreEffort::Positions(allowed.saturating_mul(10));
        out_of_reach(game, &why, more)
    }
}

/// The nim-values of positions of one game by the definition, for what no rule gives: each position once, depth first
/// with its own stack, within the same bounds.
#[derive(Debug, Default)]
pub struct NimValues {
    known: HashMap<Vec<u64>, u64>,
    bytes: u64,
}

/// A position on the way, with the moves still to be looked at and the nim-values of the others.
struct Valued<'g> {
    position: Vec<u64>,
    moves: Moves<'g>,
    met: BTreeSet<u64>,
}

impl NimValues {
    /// The nim-value of a position.
    ///
    /// # Errors
    /// If more positions would have to be looked at than are allowed, a move can't be found, or the watch says so.
    pub fn of(
        &mut self,
        game: &dyn Game,
        position: &[u64],
        effort: &Effort,
    ) -> Result<NimValue, Error> {
        let open = |position: Vec<u64>| Valued {
            moves: game.moves(&position),
            position,
            met: BTreeSet::new(),
        };
        let refuse = |why: String, more| Error::ValueOutOfReach {
            game: game.name().to_owned(),
            reason: format!("{why}; a smaller position would do"),
            more: Some(more),
        };
        let root = canonical(game, position);
        if let Some(&value) = self.known.get(&root) {
            return Ok(value.into());
        }
        let mut stack = vec![open(root)];
        let (mut moves, mut last) = (0, 0);
        while let Some(top) = stack.last_mut() {
            let Some(found) = top.moves.next().transpose()? else {
                last = grundy::mex(top.met.iter().copied());
                if let Some(done) = stack.pop() {
                    self.bytes += BYTES_PER_POSITION + size_of_val(&*done.position) as u64;
                    self.known.insert(done.position, last);
                }
                if let Some(above) = stack.last_mut() {
                    above.met.insert(last);
                }
                continue;
            };
            moves += 1 + found.position.len() as u64 / PILES;
            let after = canonical(game, &found.position);
            match self.known.get(&after) {
                Some(&value) => drop(top.met.insert(value)),
                None => stack.push(open(after)),
            }
            let positions = (moves / MOVES).max((self.known.len() + stack.len()) as u64);
            if positions >= effort.positions {
                let why = format!(
                    "it is not found by a search worth {} positions",
                    effort.positions
                );
                let more = MoreEffort::Positions(effort.positions.saturating_mul(10));
                return Err(refuse(why, more));
            }
            if self.bytes + stack.len() as u64 * BYTES_PER_POSITION >= effort.memory {
                let why = format!("there is no memory for more than {positions} positions");
                return Err(refuse(why, MoreEffort::Memory));
            }
            if let Some(watch) = &effort.watch
                && moves % CHECK_MOVES == 0
                && !watch.progress(positions, effort.positions)
            {
                return Err(Error::Interrupted);
            }
        }
        Ok(last.into())
    }
}

fn out_of_reach(game: &dyn Game, why: &str, more: MoreEffort) -> Error {
    Error::MisereOutOfReach {
        game: game.name().to_owned(),
        reason: format!("{why}; a smaller position would do"),
        more: Some(more),
    }
}
