//! How long a game lasts if the winner hurries and the loser delays: the remoteness of a position.
//!
//! It is 0 where no move is left, else one more than the least remoteness of the lost positions that a move leads to,
//! or, if there is none, than the greatest of all (Steinhaus 1925; Berlekamp, Conway and Guy, *Winning Ways*, 2nd ed.
//! 2001, vol. 1, ch. 9). Its parity tells who wins.
//!
//! Cost: a search in depth over the positions that can be reached, each once, from positions small enough to have few
//! of them; whether it is made depends on the position alone, never on what was searched before. The simple twin is
//! the recursion of the tests.

use crate::engine::Effort;
use crate::error::Error;
use crate::game::search::{Question, Reduced, Search};
use crate::game::{Game, canonical};
use crate::outcome::Convention;

/// The most stones of a position that is searched: its piles can be 2,714 multisets at most.
const MOST_STONES: u128 = 20;

/// The most stones and the most piles of a position that is searched where the order of the piles matters: 18,564 positions at
/// most.
const MOST_ORDERED: (u128, usize) = (12, 6);

/// The remotenesses of a game, as far as they were asked for.
pub struct Remoteness<'g> {
    game: &'g dyn Game,
    /// The remotenesses found, by canonical position.
    search: Search<HowLong>,
}

/// How many moves are left; `None` if a move can lead to a position too large to search.
#[derive(Clone, Copy)]
struct HowLong(Convention);

impl Question for HowLong {
    type Answer = Option<u32>;
    /// The least remoteness among the lost positions met so far, and the greatest among all positions met.
    type Met = (Option<u32>, Option<u32>);

    fn meet(self, (lost, all): &mut Self::Met, moves: Option<u32>) -> Option<Option<u32>> {
        let Some(left) = moves else {
            return Some(None);
        };
        // The player to move loses if the number of moves left is even in normal play, odd in misère play.
        if (left % 2 == 0) == (self.0 == Convention::Normal) {
            *lost = Some(lost.map_or(left, |least| least.min(left)));
        }
        *all = moves.max(*all);
        None
    }

    fn end(self, (lost, all): Self::Met) -> Option<u32> {
        Some(lost.or(all).map_or(0, |left| left + 1))
    }
}

impl<'g> Remoteness<'g> {
    /// A search of a game in which no remoteness is known yet.
    pub fn new(game: &'g dyn Game, convention: Convention) -> Remoteness<'g> {
        Remoteness {
            game,
            search: Search::new(HowLong(convention), Effort::default().positions(u64::MAX)),
        }
    }

    /// The remoteness of a position; `None` if it is too large to search, or a move can make it so.
    pub fn of(&mut self, position: &[u64]) -> Result<Option<u32>, Error> {
        let game = self.game;
        let reduce = |position: &[u64]| match is_small(game, position) {
            true => Reduced::Position(canonical(game, position)),
            false => Reduced::Known(None),
        };
        self.search.answer(game, &reduce, position)
    }
}

fn is_small(game: &dyn Game, position: &[u64]) -> bool {
    let stones: u128 = position.iter().map(|&pile| u128::from(pile)).sum();
    let (most, piles) = match game.is_ordered() {
        true => MOST_ORDERED,
        false => (MOST_STONES, usize::MAX),
    };
    stones <= most && position.len() <= piles
}
