//! Euclid's game: a move takes a multiple of the smaller of two piles from the larger; with an empty pile the game is over.
//!
//! It is Euclid's algorithm in disguise: where the larger pile is less than twice the smaller there is one move, and where
//! it is more the mover chooses between the last two steps to the remainder. So the player to move loses if and only
//! if the larger pile is more than the smaller and less than the golden ratio times it (Cole and Davie, *A game based on the
//! Euclidean algorithm and a winning strategy for it*, Math. Gaz. 53, 1969, pp. 354-357). Under misère play two equal
//! piles, whose only move ends the game, are lost too, and the rest of the argument stays.
//!
//! Everything is exact in integers. The simple twin is the game-tree search of the tests.

use super::entry::OtherGame;
use crate::analysis::{Analysis, Moves};
use crate::error::Error;
use crate::game::{Game, moves_of, pair_of, working};
use crate::outcome::{Convention, Outcome};
use crate::position::Move;
use crate::printable::joined;
use crate::ruleset::Entry;

const NAME: &str = "euclid";

pub(super) const GAMES: &[OtherGame] = &[OtherGame {
    entry: Entry {
        name: NAME,
        aliases: &["euclids-game"],
        code: None,
        rule: "two piles: take a multiple of the smaller from the larger; with an empty pile the game is over",
        known: "P-positions by the golden ratio (Cole and Davie 1969)",
    },
    open: |_, _| Ok(Box::new(Euclid)),
    takes_parameter: false,
}];

/// Euclid's game.
#[derive(Clone, Copy, Debug)]
pub struct Euclid;

fn pair(position: &[u64]) -> Result<[u64; 2], Error> {
    pair_of(position, NAME, "12 5")
}

/// Who wins, by the ratio of the piles.
fn outcome([x, y]: [u64; 2], convention: Convention) -> Outcome {
    let (large, small) = (x.max(y), x.min(y));
    let excess = large - small;
    let lost = match convention {
        Convention::Normal if small == 0 => true,
        Convention::Misere if small == 0 => false,
        Convention::Normal if excess == 0 => false,
        // Less than the golden ratio: large (large - small) < small small, and neither is too large for 128 bits.
        _ => u128::from(large) * u128::from(excess) < u128::from(small) * u128::from(small),
    };
    Outcome::of_lost(lost)
}

/// The divisions of Euclid's algorithm, each as dividend and divisor.
fn divisions([x, y]: [u64; 2]) -> impl Iterator<Item = (u64, u64)> {
    let first = (x.max(y), x.min(y));
    let next = |&(large, small): &(u64, u64)| (small > 0).then(|| (small, large % small));
    std::iter::successors(Some(first), next).take_while(|&(_, small)| small > 0)
}

/// The piles from which a move takes: the larger one, or each of two equal ones.
fn from([x, y]: [u64; 2]) -> impl Iterator<Item = usize> {
    (0..2).filter(move |&index| x.min(y) > 0 && [x >= y, y >= x][index])
}

/// The move that takes `times` times the smaller pile from pile `index`.
fn taking(piles: [u64; 2], index: usize, times: u64) -> Move {
    let mut after = piles.to_vec();
    after[index] -= times * piles[1 - index];
    Move::in_piles(&piles, after)
}

impl Game for Euclid {
    fn name(&self) -> &str {
        NAME
    }

    fn start(&self, piles: Vec<u64>) -> Result<Vec<u64>, Error> {
        pair(&piles)?;
        Ok(piles)
    }

    /// Every legal move, fewest stones first, of equal piles those from the first one first.
    fn moves<'g>(&'g self, position: &[u64]) -> Moves<'g> {
        moves_of(pair(position), |piles| {
            Box::new(from(piles).flat_map(move |index| {
                let times = 1..=piles[index] / piles[1 - index];
                times.map(move |times| Ok(taking(piles, index, times)))
            }))
        })
    }

    fn analyse(&self, position: &[u64], convention: Convention) -> Result<Analysis, Error> {
        let piles = pair(position)?;
        Ok(Analysis::by_outcome(
            position,
            convention,
            outcome(piles, convention),
        ))
    }

    /// Every winning move. All but the last two moves leave twice the smaller pile or more, which is won for the other player.
    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        moves_of(pair(&analysis.piles), |piles| {
            let convention = analysis.convention;
            Box::new(from(piles).flat_map(move |index| {
                let most = piles[index] / piles[1 - index];
                let moves = (most.max(2) - 1..=most).map(move |times| taking(piles, index, times));
                let wins = move |found: &Move| {
                    pair(&found.position).is_ok_and(|left| outcome(left, convention) == Outcome::P)
                };
                moves.filter(wins).map(Ok)
            }))
        })
    }

    fn facts(&self, analysis: &Analysis) -> Vec<String> {
        let Ok(piles) = pair(&analysis.piles) else {
            return Vec::new();
        };
        let quotients = divisions(piles).map(|(large, small)| large / small);
        vec![format!(
            "Quotients of Euclid's algorithm: [{}]",
            joined(quotients, ", ")
        )]
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        let piles = pair(&analysis.piles)?;
        let mut lines = working("The game is Euclid's algorithm for the greatest common divisor:");
        for (large, small) in divisions(piles) {
            let (quotient, rest) = (large / small, large % small);
            let choice = match quotient {
                1 => "one move",
                _ => "a choice",
            };
            lines.push(format!(
                "  {large} = {quotient} * {small} + {rest}: {choice}"
            ));
        }
        lines.extend([
            "Where the quotient is 1 there is one move. Where it is 2 or more, the mover either takes all multiples, or all but".to_owned(),
            "one and leaves the other the one move to the same piles: one of the two wins. So whoever first has a choice wins.".to_owned(),
            "In numbers: the mover loses where the larger pile is less than 1.618… times (the golden ratio) the smaller.".to_owned(),
        ]);
        lines.push(match analysis.convention {
            Convention::Normal => {
                "Two equal piles are won at once: the move takes one of them.".to_owned()
            }
            Convention::Misere => {
                "Two equal piles are lost in misère play: the one move ends the game.".to_owned()
            }
        });
        Ok(lines)
    }
}
