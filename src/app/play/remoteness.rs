//! How long a game lasts if the winner hurries and the loser delays: the remoteness of a position.
//!
//! It is 0 where no move is left, else one more than the least remoteness of the lost positions that a move leads to,
//! or, if there is none, than the greatest of all (Steinhaus 1925; Berlekamp, Conway and Guy, *Winning Ways*, 2nd ed.
//! 2001, vol. 1, ch. 9). Its parity tells who wins.
//!
//! Cost: a search in depth over the positions that can be reached, each once, from positions small enough to have few
//! of them; whether it is made depends on the position alone, never on what was searched before. The simple twin is
//! the recursion of the tests.

use crate::error::Error;
use crate::game::{Game, canonical};
use crate::outcome::Convention;
use std::collections::{HashMap, HashSet};

/// The most stones of a position that is searched: its piles can be 2,714 multisets at most.
const MOST_STONES: u128 = 20;

/// The same, and the most piles, where their order matters: 18,564 positions at most.
const MOST_ORDERED: (u128, usize) = (12, 6);

/// The remotenesses of a game, as far as they were asked for.
pub struct Remoteness<'g> {
    game: &'g dyn Game,
    convention: Convention,
    /// By canonical position.
    known: HashMap<Vec<u64>, u32>,
}

/// A position on the way down, and the canonical positions after its moves.
struct Node {
    position: Vec<u64>,
    after: Vec<Vec<u64>>,
    next: usize,
}

impl<'g> Remoteness<'g> {
    /// Nothing known yet of a game.
    pub fn new(game: &'g dyn Game, convention: Convention) -> Remoteness<'g> {
        Remoteness {
            game,
            convention,
            known: HashMap::new(),
        }
    }

    /// The remoteness of a position; `None` if it is too large to search, a move can make it so, or the game could go
    /// in circles.
    ///
    /// # Errors
    /// If the moves of a position can't be found.
    pub fn of(&mut self, position: &[u64]) -> Result<Option<u32>, Error> {
        if !self.is_small(position) {
            return Ok(None);
        }
        let root = canonical(self.game, position);
        let mut path = HashSet::from([root.clone()]);
        let mut stack = vec![self.open(root.clone())?];
        while let Some(node) = stack.last_mut() {
            if let Some(after) = node.after.get(node.next) {
                node.next += 1;
                if path.contains(after) || !self.is_small(after) {
                    return Ok(None);
                }
                if !self.known.contains_key(after) {
                    let after = after.clone();
                    path.insert(after.clone());
                    stack.push(self.open(after)?);
                }
                continue;
            }
            // A position is lost for the player to move if the moves left are even in normal play, odd in misère.
            let lost = |&moves: &u32| (moves % 2 == 0) == (self.convention == Convention::Normal);
            let moves = || node.after.iter().map(|after| self.known[after]);
            let longest = moves().filter(lost).min().or_else(|| moves().max());
            let remoteness = longest.map_or(0, |moves| moves + 1);
            path.remove(&node.position);
            let done = std::mem::take(&mut node.position);
            stack.pop();
            self.known.insert(done, remoteness);
        }
        Ok(self.known.get(&root).copied())
    }

    fn is_small(&self, position: &[u64]) -> bool {
        let stones: u128 = position.iter().map(|&pile| u128::from(pile)).sum();
        let (most, piles) = match self.game.is_ordered() {
            true => MOST_ORDERED,
            false => (MOST_STONES, usize::MAX),
        };
        stones <= most && position.len() <= piles
    }

    fn open(&self, position: Vec<u64>) -> Result<Node, Error> {
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
    }
}
