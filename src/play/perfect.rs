//! The perfect player: a winning move whenever there is one, otherwise a move that makes the reply hard.
//!
//! Hard is, first, to leave the fewest winning answers; among those, the longest game, if the winner hurries and the
//! loser delays: the remoteness of Steinhaus (Berlekamp, Conway and Guy, *Winning Ways*, 2nd ed. 2001, vol. 1, ch. 9,
//! p. 259). Both look at single positions only, by [`Game::moves`] and [`Game::winning_moves`]; no theorem is used.
//!
//! Cost: a choice looks at [`MOST_TRIED`] moves at most, at no more answers to each than the fewest found so far,
//! and searches for the longest game only from positions of [`SEARCHED_STONES`] stones or fewer; with more, the
//! most stones left stand in for it. So a choice depends on the position alone, never on what was asked before.

use super::canonical;
use crate::error::Error;
use crate::game::Game;
use crate::outcome::Convention;
use crate::position::Move;
use std::collections::{HashMap, HashSet};

/// The most moves that are compared in a lost position.
const MOST_TRIED: usize = 1_000;

/// The largest number of stones for which the longest game is searched.
const SEARCHED_STONES: u64 = 20;

/// What can be expected of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prospect {
    /// It wins.
    Wins,
    /// It loses against perfect play.
    Loses {
        /// The winning answers, those that lead to like positions counted once.
        answers: usize,
        /// The moves still to come, if the winner hurries and the loser delays; `None` if not searched.
        longest: Option<u32>,
    },
}

/// A move and what can be expected of it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move.
    pub found: Move,
    /// What can be expected of it.
    pub prospect: Prospect,
}

/// The perfect player of one game. It remembers what it has searched.
pub struct Perfect<'g> {
    game: &'g dyn Game,
    convention: Convention,
    /// The remoteness of canonical positions.
    remoteness: HashMap<Vec<u64>, u32>,
}

impl<'g> Perfect<'g> {
    /// The perfect player of a game.
    pub fn new(game: &'g dyn Game, convention: Convention) -> Perfect<'g> {
        Perfect {
            game,
            convention,
            remoteness: HashMap::new(),
        }
    }

    /// The perfect move in a position, or `None` if there is no move.
    ///
    /// # Errors
    /// If an answer is out of reach.
    pub fn choose(&mut self, position: &[u64]) -> Result<Option<Choice>, Error> {
        let analysis = self.game.analyse(position, self.convention)?;
        if let Some(found) = self.game.winning_moves(&analysis).next() {
            let prospect = Prospect::Wins;
            return Ok(Some(Choice {
                found: found?,
                prospect,
            }));
        }
        self.hardest(position)
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
        let mut longest: Option<(Option<u32>, u128, Move)> = None;
        for found in best {
            let moves = self.remoteness(&found.position)?;
            let stones = found.position.iter().map(|&pile| u128::from(pile)).sum();
            let longer = longest
                .as_ref()
                .is_none_or(|(most, left, _)| (*most, *left) < (moves, stones));
            if longer {
                longest = Some((moves, stones, found));
            }
        }
        Ok(longest.map(|(longest, _, found)| Choice {
            found,
            prospect: Prospect::Loses {
                answers: fewest,
                longest,
            },
        }))
    }

    /// The winning moves of a position, like ones counted once, or `enough` and one more if there are more.
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

    /// The moves still to come if the winner hurries and the loser delays, in a position of few stones.
    ///
    /// A search in depth with its own stack; `None` if there are too many stones, or if the game could go in circles.
    fn remoteness(&mut self, position: &[u64]) -> Result<Option<u32>, Error> {
        struct Node {
            position: Vec<u64>,
            after: Vec<Vec<u64>>,
            next: usize,
        }
        let stones: u128 = position.iter().map(|&pile| u128::from(pile)).sum();
        if stones > u128::from(SEARCHED_STONES) {
            return Ok(None);
        }
        let open = |position: Vec<u64>| -> Result<Node, Error> {
            let mut after = Vec::new();
            for found in self.game.moves(&position) {
                after.push(canonical(self.game, &found?.position));
            }
            after.sort_unstable();
            after.dedup();
            Ok(Node {
                position,
                after,
                next: 0,
            })
        };
        let root = canonical(self.game, position);
        let mut path = HashSet::from([root.clone()]);
        let mut stack = vec![open(root.clone())?];
        while let Some(node) = stack.last_mut() {
            if let Some(after) = node.after.get(node.next) {
                node.next += 1;
                if path.contains(after) {
                    return Ok(None);
                }
                if !self.remoteness.contains_key(after) {
                    path.insert(after.clone());
                    let after = after.clone();
                    stack.push(open(after)?);
                }
                continue;
            }
            // A position is lost for the player to move if the moves left are even in normal play, odd in misère.
            let lost = |&moves: &u32| (moves % 2 == 0) == (self.convention == Convention::Normal);
            let moves = || node.after.iter().map(|after| self.remoteness[after]);
            let longest = moves().filter(lost).min().or_else(|| moves().max());
            let remoteness = longest.map_or(0, |moves| moves + 1);
            path.remove(&node.position);
            let done = stack.pop().map(|node| node.position).unwrap_or_default();
            self.remoteness.insert(done, remoteness);
        }
        Ok(self.remoteness.get(&root).copied())
    }
}
