//! Staircase Nim: coins on the steps 0, 1, 2, …; a move brings one or more coins of a step down to the next.
//!
//! Only the odd steps count: they are the heaps of Nim, for coins that leave an odd step come to an even one and are as
//! good as gone, and coins that come from an even step onto an odd one can be moved on at once (Sprague 1937; Ferguson,
//! *Game Theory*, part I, § 2.5 and exercises). That holds under misère play too: with all odd steps empty and coins on
//! an even one, the player to move brings one coin down and leaves a single coin on the odd steps.
//!
//! The time is linear in the steps, however many coins; the simple twin is the game-tree search of the tests.

use super::entry::OtherGame;
use crate::analysis::nim::Bouton;
use crate::analysis::{Analysis, Moves};
use crate::error::{Error, StartFault};
use crate::game::{Game, working};
use crate::grundy::NimValue;
use crate::outcome::Convention;
use crate::position::{Change, Move};
use crate::printable::joined;
use crate::ruleset::Entry;
use std::sync::Arc;

const NAME: &str = "staircase";

pub(super) const GAMES: &[OtherGame] = &[OtherGame {
    entry: Entry {
        name: NAME,
        aliases: &["staircase-nim"],
        code: None,
        rule: "piles are steps 0, 1, 2, ...; move any number of coins from a step to the next below",
        known: "won like nim with the odd steps as piles (Sprague 1937)",
    },
    open: |_, _| Ok(Box::new(Staircase)),
    takes_parameter: false,
}];

/// Staircase Nim.
#[derive(Clone, Copy, Debug)]
pub struct Staircase;

fn odd_steps(steps: &[u64]) -> impl Iterator<Item = (usize, u64)> + '_ {
    steps.iter().copied().enumerate().skip(1).step_by(2)
}

fn rule(steps: &[u64], convention: Convention) -> Bouton {
    Bouton::new(odd_steps(steps).map(|(_, coins)| coins), convention)
}

fn step_down(steps: &[u64], from: usize, coins: u64) -> Move {
    let mut position = steps.to_vec();
    position[from] -= coins;
    position[from - 1] += coins;
    Move {
        change: Change::Step {
            from,
            to: from - 1,
            coins,
        },
        position,
    }
}

/// The moves that give an odd step the coins that the rule wants, from the lowest step up.
fn moves_by<'g>(steps: &[u64], rule: Bouton) -> Moves<'g> {
    let steps: Arc<[u64]> = steps.into();
    Box::new((1..steps.len()).filter_map(move |from| {
        let coins = if from % 2 == 1 {
            steps[from].checked_sub(rule.target(steps[from]))
        } else {
            let below = steps[from - 1];
            rule.target(below).checked_sub(below)
        }?;
        (coins > 0 && coins <= steps[from]).then(|| Ok(step_down(&steps, from, coins)))
    }))
}

/// Refuses more coins than a step can hold once they all lie on it.
fn check(steps: &[u64]) -> Result<(), Error> {
    let all = steps
        .iter()
        .try_fold(0u64, |sum, &coins| sum.checked_add(coins));
    all.map(drop)
        .ok_or_else(|| Error::start(NAME, StartFault::TooManyCoins))
}

impl Game for Staircase {
    fn name(&self) -> &str {
        NAME
    }

    fn is_ordered(&self) -> bool {
        true
    }

    fn start(&self, steps: Vec<u64>) -> Result<Vec<u64>, Error> {
        check(&steps)?;
        Ok(steps)
    }

    /// Every legal move, from the lowest step up, fewest coins first.
    fn moves<'g>(&'g self, steps: &[u64]) -> Moves<'g> {
        let steps: Arc<[u64]> = steps.into();
        Box::new((1..steps.len()).flat_map(move |from| {
            let steps = Arc::clone(&steps);
            (1..=steps[from]).map(move |coins| Ok(step_down(&steps, from, coins)))
        }))
    }

    fn analyse(&self, steps: &[u64], convention: Convention) -> Result<Analysis, Error> {
        check(steps)?;
        let value = |(step, &coins): (usize, &u64)| if step % 2 == 1 { coins } else { 0 };
        let values = steps.iter().enumerate().map(value);
        Ok(rule(steps, convention).analysis(steps, values))
    }

    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        rule(&analysis.piles, analysis.convention).winning(|rule| moves_by(&analysis.piles, rule))
    }

    fn moves_to<'g>(&'g self, analysis: &'g Analysis, value: NimValue) -> Option<Moves<'g>> {
        rule(&analysis.piles, Convention::Normal)
            .moves_to(value, |rule| moves_by(&analysis.piles, rule))
    }

    fn facts(&self, analysis: &Analysis) -> Vec<String> {
        let odd: Vec<_> = odd_steps(&analysis.piles).collect();
        let each = odd.iter();
        let each = each.map(|(step, coins)| format!("step {step}: {coins}"));
        let mut lines = vec![format!("Odd steps: [{}]", joined(each, ", "))];
        if let Some(sum) = analysis.nim_sum {
            let terms = joined(odd.iter().map(|(_, coins)| coins), " ^ ");
            lines.push(format!("Nim-Sum ({terms}): {sum}"));
        }
        lines
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        let heaps: Vec<_> = odd_steps(&analysis.piles)
            .map(|(step, coins)| (format!("step {step}"), coins))
            .collect();
        let mut lines = working(
            "Why even steps don't count: coins that come from an even step onto an odd one can be moved on at once, to the\n\
             even step below, and the odd steps are as before with the same player to move. Coins that leave an odd step come\n\
             to an even one, where they no longer count: they are taken. So the odd steps are the piles of Nim.\n\n",
        );
        lines.extend(rule(&analysis.piles, analysis.convention).working(&heaps));
        Ok(lines)
    }
}
