//! Moore's Nim_k: a move takes stones from at least one and at most k piles, any number from each.
//!
//! The player to move loses if and only if, for every binary digit, the piles that have it number a multiple of k + 1
//! (Moore, *A generalization of the game called Nim*, Ann. of Math. 11, 1910, pp. 93-94). Under misère play the same
//! holds while some pile has two stones or more; once all have at most one, that player loses if and only if the piles
//! of one stone number 1 modulo k + 1: from such a position every move leaves another number modulo k + 1, and from
//! any other one can leave a lone stone; and a P-position with a larger pile has more than k of those.
//!
//! The winning moves are built from the highest digit down, see [`Planes`]; each costs a walk over the digits of the
//! piles, and none is tried in vain. The simple twin is the game-tree search of the tests.

mod planes;

use super::entry::OtherGame;
use crate::analysis::binary_columns::binary_columns;
use crate::analysis::{Analysis, Moves};
use crate::error::{Error, NameError};
use crate::game::{Game, working};
use crate::outcome::{Convention, Outcome};
use crate::position::Move;
use crate::printable::joined;
use crate::ruleset::Entry;
use planes::Planes;

pub(super) const GAMES: &[OtherGame] = &[OtherGame {
    entry: Entry {
        name: "moore:2",
        aliases: &[],
        code: None,
        rule: "take stones from 1 to 2 piles (moore:k: from 1 to k)",
        known: "P-positions by binary digits modulo one more (Moore 1910)",
    },
    open: |name, _| {
        const WHAT: &str =
            "the most piles that a move may take from, from 1 to 2^32-1, as in moore:2";
        let most = name.number(WHAT)?.ok_or(NameError::Incomplete {
            family: name.family.to_owned(),
            what: "the most piles that a move may take from",
            example: "moore:2",
        })?;
        let most = usize::try_from(most).ok();
        let most = most.filter(|most| (1..=LARGEST_MOST).contains(most));
        let most = most.ok_or_else(|| name.wrong_parameter(WHAT))?;
        Ok(Box::new(Moore::new(most)))
    },
    takes_parameter: true,
}];

/// More piles than any position has.
const LARGEST_MOST: usize = u32::MAX as usize;

/// Moore's Nim_k.
#[derive(Clone, Debug)]
pub struct Moore {
    name: String,
    most: usize,
}

impl Moore {
    /// The game in which a move takes from at most `most` piles. 0 counts as 1, and what is beyond 2³² - 1, more piles than any
    /// position has, as that.
    pub fn new(most: usize) -> Moore {
        let most = most.clamp(1, LARGEST_MOST);
        Moore {
            name: format!("moore:{most}"),
            most,
        }
    }

    fn outcome(&self, piles: &[u64], convention: Convention) -> Outcome {
        let modulus = self.most + 1;
        let counts = || (0..u64::BITS).map(|bit| with_bit(piles, bit) % modulus);
        let small = piles.iter().all(|&pile| pile <= 1);
        let lost = if small && convention == Convention::Misere {
            with_bit(piles, 0) % modulus == 1
        } else {
            counts().all(|count| count == 0)
        };
        Outcome::of_lost(lost)
    }
}

/// How many piles have a binary digit.
fn with_bit(piles: &[u64], bit: u32) -> usize {
    piles.iter().filter(|&pile| pile >> bit & 1 == 1).count()
}

impl Game for Moore {
    fn name(&self) -> &str {
        &self.name
    }

    fn rule(&self) -> Option<String> {
        Some(format!("take stones from 1 to {} piles", self.most))
    }

    /// Every legal move, by the highest digit in which the piles left differ, those with more of it first.
    fn moves<'g>(&'g self, piles: &[u64]) -> Moves<'g> {
        let before = piles.to_vec();
        let all = Planes::new(piles, self.most, None);
        Box::new(all.map(move |after| Ok(Move::in_piles(&before, after))))
    }

    fn analyse(&self, piles: &[u64], convention: Convention) -> Result<Analysis, Error> {
        Ok(Analysis::by_outcome(
            piles,
            convention,
            self.outcome(piles, convention),
        ))
    }

    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        if analysis.outcome == Outcome::P {
            return Box::new(std::iter::empty());
        }
        let before = analysis.piles.clone();
        let winning = Planes::new(&before, self.most, Some(analysis.convention));
        Box::new(winning.map(move |after| Ok(Move::in_piles(&before, after))))
    }

    fn facts(&self, analysis: &Analysis) -> Vec<String> {
        let piles = &analysis.piles;
        let modulus = self.most + 1;
        let largest = piles.iter().copied().max().unwrap_or(0);
        let digits = (u64::BITS - largest.leading_zeros()).max(1);
        let bits = (0..digits).rev();
        let counts = bits.map(|bit| with_bit(piles, bit) % modulus);
        vec![format!(
            "1s in each binary column, modulo {modulus}: {}",
            joined(counts, " ")
        )]
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        let values: Vec<u128> = analysis.piles.iter().map(|&pile| pile.into()).collect();
        let (most, modulus) = (self.most, self.most + 1);
        let mut lines = working("The piles in binary columns:");
        let mut columns = binary_columns(&values);
        columns.pop();
        lines.extend(columns);
        lines.push(self.facts(analysis).join(""));
        lines.push(String::new());
        lines.extend([
            format!("Moore's rule: whoever moves loses when every column has a multiple of {modulus} ones. A move changes at most {most} piles,"),
            format!("so in the highest column that it changes it takes away 1 to {most} ones, and the count is no longer a multiple. From any"),
            "other position, work from the highest column down: a pile that has lost a 1 may have 0 or 1 in every lower column.".to_owned(),
        ]);
        if analysis.convention == Convention::Misere {
            lines.push(format!(
                "Under misère play, once no pile has two stones or more, the piles of one must number 1 modulo {modulus} instead."
            ));
        }
        Ok(lines)
    }
}
