//! Who wins by exact search of the game tree: for positions that no theorem decides.
//!
//! A position is an N-position if and only if a move leads to a P-position, or, under misère play, there is no move.
//! Depth first with its own stack, each position once; time and memory grow with the positions met, which are counted
//! and bounded. The simple twin is the search of the tests.

use crate::analysis::Moves;
use crate::error::Error;
use crate::game::Game;
use crate::outcome::{Convention, Outcome};
use crate::position::Move;
use std::collections::HashMap;

/// The most positions that are searched, some 300 MB of them.
const MOST_POSITIONS: usize = 2_000_000;

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
}

/// A position on the way, with the moves that are still to be looked at.
struct Open<'g> {
    position: Vec<u64>,
    moves: Moves<'g>,
    has_moves: bool,
}

impl Search {
    /// Nothing searched yet.
    pub fn new(convention: Convention) -> Search {
        Search {
            convention,
            known: HashMap::new(),
        }
    }

    /// Who wins a position.
    ///
    /// # Errors
    /// If more positions would have to be searched than are allowed, or a move can't be found.
    pub fn outcome(
        &mut self,
        game: &dyn Game,
        reduce: &dyn Fn(&[u64]) -> Reduced,
        position: &[u64],
    ) -> Result<Outcome, Error> {
        let mut stack: Vec<Open<'_>> = Vec::new();
        // Who wins the position looked at last, unless it was put on the stack.
        let mut last = self.look(game, reduce, position, &mut stack)?;
        while let Some(open) = stack.last_mut() {
            let outcome = match last.take() {
                Some(Outcome::P) => Outcome::N,
                _ => match open.moves.next().transpose()? {
                    Some(found) => {
                        open.has_moves = true;
                        last = self.look(game, reduce, &found.position, &mut stack)?;
                        continue;
                    }
                    None if !open.has_moves && self.convention == Convention::Misere => Outcome::N,
                    None => Outcome::P,
                },
            };
            if let Some(open) = stack.pop() {
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
        if self.known.len() + stack.len() >= MOST_POSITIONS {
            return Err(Error::MisereOutOfReach {
                game: game.name().to_owned(),
                reason: format!(
                    "not settled by a search of {MOST_POSITIONS} positions; a smaller position would do"
                ),
                more: None,
            });
        }
        let room = self.known.try_reserve(stack.len() + 1);
        room.map_err(|_| Error::MisereOutOfReach {
            game: game.name().to_owned(),
            reason: format!(
                "the machine has no memory for more than {} positions; a smaller position would do",
                self.known.len() + stack.len()
            ),
            more: None,
        })?;
        stack.push(Open {
            moves: game.moves(&position),
            position,
            has_moves: false,
        });
        Ok(None)
    }
}
