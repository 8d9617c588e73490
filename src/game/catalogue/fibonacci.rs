//! Fibonacci Nim: the first move takes any number of stones but not the whole pile, each later one at most twice as many
//! as the move before it.
//!
//! Every number is in one way a sum of Fibonacci numbers 1, 2, 3, 5, … of which no two are neighbours (Zeckendorf 1972).
//! The player to move loses if and only if the smallest of them is more than may be taken (Whinihan, *Fibonacci Nim*,
//! Fibonacci Quart. 1, 1963, no. 4, pp. 9-13). A winning move takes the last few parts, where twice that is less than the
//! part before. Under misère play nobody wants the last stone, so play is for the others: n stones are as n - 1 are
//! in normal play.
//!
//! Who wins is exact at any size. Nim-values, which only sums ask for, come by the definition up to a bound: as more may
//! be taken, the options only become more, so for each pile the value grows in steps, and these are kept.
//! The simple twin is the game-tree search of the tests.

use super::entry::OtherGame;
use crate::analysis::{Analysis, Moves};
use crate::engine::lock;
use crate::error::{Error, StartFault};
use crate::game::{Beside, Game, working};
use crate::grundy::NimValue;
use crate::outcome::{Convention, Outcome};
use crate::position::{Change, Move};
use crate::printable::joined;
use crate::ruleset::Entry;
use std::sync::Mutex;

const NAME: &str = "fibonacci-nim";

/// The largest pile whose nim-value is computed: its time is quadratic.
const LARGEST_VALUED: u64 = 3_000;

pub(super) const GAMES: &[OtherGame] = &[OtherGame {
    entry: Entry {
        name: NAME,
        aliases: &[],
        code: None,
        rule: "one pile: take fewer stones than it has (with fibonacci-nim:6 up to 6 of them), then at most twice as many as the move before",
        known: "P-positions by sums of Fibonacci numbers (Whinihan 1963)",
    },
    open: |name, _| {
        let what = "the most that the first move may take, 1 or more, as in fibonacci-nim:6";
        match name.number(what)? {
            Some(0) => Err(name.wrong_parameter(what)),
            most => Ok(Box::new(FibonacciNim::new(most))),
        }
    },
    takes_parameter: true,
}];

/// Fibonacci Nim.
#[derive(Debug)]
pub struct FibonacciNim {
    name: String,
    /// The most that the first move may take; without it all but one stone.
    most: Option<u64>,
    /// For each pile, the least bounds on a taking for which its nim-value is at least 1, 2, …
    steps: Mutex<Vec<Vec<u64>>>,
}

/// A pile, and the most that the next move may take.
#[derive(Clone, Copy)]
struct Stones {
    pile: u64,
    most: u64,
}

impl Stones {
    /// The pile of a position and the most that may be taken; no stones if the row isn't a position.
    fn of(position: &[u64]) -> Stones {
        match *position {
            [pile, most] => Stones { pile, most },
            _ => Stones { pile: 0, most: 0 },
        }
    }

    /// The position after `take` stones are taken.
    fn after(self, take: u64) -> Stones {
        let pile = self.pile - take;
        Stones {
            pile,
            most: take.saturating_mul(2).min(pile),
        }
    }

    /// The stones that both players want: under misère play all but the last.
    fn played_for(self, convention: Convention) -> u64 {
        match convention {
            Convention::Normal => self.pile,
            Convention::Misere => self.pile.saturating_sub(1),
        }
    }

    fn outcome(self, convention: Convention) -> Outcome {
        let over = self.pile.min(self.most) == 0;
        let smallest = zeckendorf(self.played_for(convention)).last().copied();
        let lost = match convention {
            Convention::Misere if over => false,
            _ => smallest.is_none_or(|smallest| smallest > self.most),
        };
        Outcome::of_lost(lost)
    }

    fn take(self, take: u64) -> Move {
        let after = self.after(take);
        Move {
            change: Change::Heap {
                index: 0,
                pile: self.pile,
                take,
                leave: Some(after.pile)
                    .filter(|&left| left > 0)
                    .into_iter()
                    .collect(),
            },
            position: vec![after.pile, after.most],
        }
    }

    /// Every winning move, fewest stones first: the last few parts of the sum.
    fn winning(self, convention: Convention) -> impl Iterator<Item = u64> {
        let mut taken = 0;
        let parts = zeckendorf(self.played_for(convention)).into_iter().rev();
        let sums = parts.map(move |part| {
            taken += part;
            taken
        });
        sums.take_while(move |&take| take <= self.most)
            .filter(move |&take| self.after(take).outcome(convention) == Outcome::P)
    }
}

/// The Fibonacci numbers of which no two are neighbours and whose sum this is, the largest first.
fn zeckendorf(number: u64) -> Vec<u64> {
    let mut numbers = vec![1u64];
    let mut next = 2u64;
    while next <= number {
        let last = numbers.last().copied().unwrap_or(1);
        numbers.push(next);
        match next.checked_add(last) {
            Some(sum) => next = sum,
            None => break,
        }
    }
    let mut left = number;
    let mut parts = Vec::new();
    for part in numbers.into_iter().rev() {
        if let Some(rest) = left.checked_sub(part).filter(|_| left > 0) {
            parts.push(part);
            left = rest;
        }
    }
    parts
}

/// A number as the sum of its parts: `20 = 13 + 5 + 2`.
fn as_sum(number: u64) -> String {
    let parts = zeckendorf(number);
    match parts.len() {
        0 | 1 => number.to_string(),
        _ => format!("{number} = {}", joined(parts, " + ")),
    }
}

impl FibonacciNim {
    /// The game whose first move takes at most `most` stones; without it all but one.
    pub fn new(most: Option<u64>) -> FibonacciNim {
        FibonacciNim {
            name: match most {
                Some(most) => format!("{NAME}:{most}"),
                None => NAME.to_owned(),
            },
            most,
            steps: Mutex::default(),
        }
    }

    /// The nim-value of a position, up to the largest pile that is valued.
    fn value(&self, stones: Stones) -> Option<NimValue> {
        if stones.pile > LARGEST_VALUED {
            return None;
        }
        let last = stones.pile as usize;
        let mut steps = lock(&self.steps);
        while steps.len() <= last {
            let next = next_steps(&steps);
            steps.push(next);
        }
        Some(reached(&steps[last], stones.most))
    }
}

/// How many of these bounds are at most `most`.
fn reached(steps: &[u64], most: u64) -> NimValue {
    steps.partition_point(|&step| step <= most) as NimValue
}

/// The bounds for the next pile, behind those that are known.
fn next_steps(known: &[Vec<u64>]) -> Vec<u64> {
    let pile = Stones {
        pile: known.len() as u64,
        most: known.len() as u64,
    };
    let mut met: Vec<bool> = Vec::new();
    let mut steps = Vec::new();
    for take in 1..=pile.pile {
        let after = pile.after(take);
        let value = reached(&known[after.pile as usize], after.most) as usize;
        if met.len() <= value {
            met.resize(value + 1, false);
        }
        met[value] = true;
        while met.get(steps.len()) == Some(&true) {
            steps.push(take);
        }
    }
    steps
}

impl Game for FibonacciNim {
    fn name(&self) -> &str {
        &self.name
    }

    fn rule(&self) -> Option<String> {
        let first = match self.most {
            Some(most) => format!("take up to {most}"),
            None => "take any number of stones, not the whole pile".to_owned(),
        };
        Some(format!(
            "{first}, then at most twice as many as the move before"
        ))
    }

    fn start(&self, piles: Vec<u64>) -> Result<Vec<u64>, Error> {
        let &[pile] = piles.as_slice() else {
            return Err(Error::start(&self.name, StartFault::NotOne(piles.len())));
        };
        let most = self.most.unwrap_or(pile.saturating_sub(1));
        Ok(vec![pile, most.min(pile)])
    }

    fn split<'p>(&self, position: &'p [u64]) -> (&'p [u64], Option<u64>) {
        match position {
            [piles @ .., most] => (piles, Some(*most)),
            [] => (position, None),
        }
    }

    fn beside(&self) -> Beside {
        Beside {
            key: "most",
            words: |most| format!("at most {most} may be taken"),
        }
    }

    /// Every legal move, fewest stones first.
    fn moves<'g>(&'g self, position: &[u64]) -> Moves<'g> {
        let stones = Stones::of(position);
        Box::new((1..=stones.most.min(stones.pile)).map(move |take| Ok(stones.take(take))))
    }

    fn analyse(&self, position: &[u64], convention: Convention) -> Result<Analysis, Error> {
        if position.len() != 2 {
            let piles = self.split(position).0.len();
            return Err(Error::start(&self.name, StartFault::NotOne(piles)));
        }
        let stones = Stones::of(position);
        let value = match convention {
            Convention::Normal => self.value(stones),
            Convention::Misere => None,
        };
        Ok(Analysis {
            nim_values: value.map(|value| vec![value]),
            nim_sum: value,
            ..Analysis::by_outcome(position, convention, stones.outcome(convention))
        })
    }

    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        let stones = Stones::of(&analysis.piles);
        let wins = stones.winning(analysis.convention);
        Box::new(wins.map(move |take| Ok(stones.take(take))))
    }

    fn facts(&self, analysis: &Analysis) -> Vec<String> {
        let stones = Stones::of(&analysis.piles);
        let number = stones.played_for(analysis.convention);
        let mut lines = vec![match analysis.convention {
            Convention::Normal => format!("Fibonacci numbers: {}", as_sum(number)),
            Convention::Misere => format!(
                "Fibonacci numbers, without the last stone: {}",
                as_sum(number)
            ),
        }];
        if let Some(value) = analysis.nim_sum {
            lines.push(format!("Nim-value: {value}"));
        }
        lines
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        let stones = Stones::of(&analysis.piles);
        let convention = analysis.convention;
        let mut lines = working("");
        if stones.pile.min(stones.most) == 0 {
            lines.push("No stone may be taken: the game is over.".to_owned());
            return Ok(lines);
        }
        let number = stones.played_for(convention);
        if convention == Convention::Misere {
            lines.push(format!(
                "Whoever takes the last stone loses, so play is for the other {number}, as in normal play."
            ));
        }
        lines.push("Every number is in one way a sum of Fibonacci numbers 1, 2, 3, 5, 8, … without two neighbours (Zeckendorf):".to_owned());
        lines.push(format!("  {}", as_sum(number)));
        let most = stones.most;
        let Some(&smallest) = zeckendorf(number).last() else {
            lines.push("None of these is left.".to_owned());
            return Ok(lines);
        };
        if smallest > most {
            lines.extend([
                format!("Its smallest part is {smallest}, and at most {most} may be taken. Whatever is taken, the smallest part of what is left is"),
                "no more than twice as much, so the other player may take it. Whoever moves now loses.".to_owned(),
            ]);
            return Ok(lines);
        }
        let left = number - smallest;
        lines.push(format!(
            "Its smallest part is {smallest}, and at most {most} may be taken: take it."
        ));
        lines.push(match zeckendorf(left).last() {
            None => "None of these stones is left then.".to_owned(),
            Some(next) => format!(
                "Then {} is left. The other player may take at most {}, less than the smallest part {next}, for neighbours don't stand side by side.",
                as_sum(left),
                smallest.saturating_mul(2)
            ),
        });
        lines.push("Whatever that player takes, the smallest part of what is left may be taken again. Whoever moves now wins.".to_owned());
        Ok(lines)
    }
}
