//! The perfect player: a winning move whenever there is one, otherwise a move that makes the reply hard.
//!
//! A reply is hard, first, if few answers win; among moves that leave equally few, if the game lasts long while the winner
//! hurries and the loser delays ([`Remoteness`]), or if many stones are left where that is too much to search.
//!
//! Cost: a choice looks at [`MOST_TRIED`] moves at most, and at no more answers to each than the fewest found so far. It depends
//! on the position alone, never on which positions were asked about before.

use super::remoteness::Remoteness;
use crate::error::Error;
use crate::game::{Game, canonical};
use crate::outcome::Convention;
use crate::position::Move;
use std::cmp::Reverse;
use std::collections::HashSet;

/// The most moves that are compared in a lost position.
const MOST_TRIED: usize = 1_000;

/// The outcome that a move leads to with perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prospect {
    /// The move wins.
    Wins,
    /// The move loses against perfect play.
    Loses {
        /// The number of winning answers; answers that lead to like positions count once.
        answers: usize,
        /// The number of moves still to come if the winner hurries and the loser delays; `None` if it wasn't searched.
        longest: Option<u32>,
    },
}

/// A move and what can be expected of it.
#[derive(Clone, Debug)]
pub struct Choice {
    pub found: Move,
    /// The outcome that the move leads to.
    pub prospect: Prospect,
}

/// The perfect player of one game. It remembers what it has searched.
pub struct Perfect<'g> {
    game: &'g dyn Game,
    convention: Convention,
    remoteness: Remoteness<'g>,
}

impl<'g> Perfect<'g> {
    /// The perfect player of a game.
    pub fn new(game: &'g dyn Game, convention: Convention) -> Perfect<'g> {
        Perfect {
            game,
            convention,
            remoteness: Remoteness::new(game, convention),
        }
    }

    /// The perfect move in a position, or `None` if there is no move.
    pub fn choose(&mut self, position: &[u64]) -> Result<Option<Choice>, Error> {
        let analysis = self.game.analyse(position, self.convention)?;
        match self.game.winning_moves(&analysis).next().transpose()? {
            Some(found) => Ok(Some(Choice {
                found,
                prospect: Prospect::Wins,
            })),
            None => self.hardest(position),
        }
    }

    /// The move that leaves the fewest winning answers, then the longest game.
    fn hardest(&mut self, position: &[u64]) -> Result<Option<Choice>, Error> {
        let mut seen = HashSet::new();
        let mut best: Vec<Move> = Vec::new();
        let mut fewest = usize::MAX;
        for found in self.game.moves(position).take(MOST_TRIED) {
            let found = found?;
            if !seen.insert(canonical(self.game, &found.position)) {
                continue;
            }
            let answers = self.answers(&found.position, fewest)?;
            if answers < fewest {
                fewest = answers;
                best.clear();
            }
            if answers == fewest {
                best.push(found);
            }
        }
        let lengths = best.iter().map(|found| self.remoteness.of(&found.position));
        // Lengths are compared only if all are known: a known length can't be held against an unknown one.
        let lengths: Option<Vec<u32>> = lengths.collect::<Result<_, Error>>()?;
        let longest = |at: usize| lengths.as_ref().map(|lengths| lengths[at]);
        let stones =
            |found: &Move| -> u128 { found.position.iter().map(|&pile| u128::from(pile)).sum() };
        let hardest = best
            .into_iter()
            .enumerate()
            .max_by_key(|(at, found)| (longest(*at), stones(found), Reverse(*at)));
        Ok(hardest.map(|(at, found)| Choice {
            found,
            prospect: Prospect::Loses {
                answers: fewest,
                longest: longest(at),
            },
        }))
    }

    /// How many winning moves a position has, like moves counted once. Counting stops at `enough + 1`.
    fn answers(&self, position: &[u64], enough: usize) -> Result<usize, Error> {
        let analysis = self.game.analyse(position, self.convention)?;
        let mut seen = HashSet::new();
        for found in self.game.winning_moves(&analysis) {
            seen.insert(canonical(self.game, &found?.position));
            if seen.len() > enough {
                break;
            }
        }
        Ok(seen.len())
    }
}
