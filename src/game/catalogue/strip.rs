//! Coins on a strip of squares 0, 1, 2, …; a move pushes one coin to the left, and whoever can't move has lost.
//!
//! In Nimble coins may share a square and pass each other: the coin on square n is a heap of Nim of n stones. In the silver
//! dollar game without the dollar they may not: a push moves free squares from before a coin to behind it. So the
//! gaps, from the right one to the left one, are the steps 1, 2, 3, … of Staircase Nim, and every second one counts
//! (*Winning Ways*, 2nd ed. 2003, vol. 3, ch. 15). That holds under misère play too, see [`Staircase`].
//!
//! The simple twin is the game-tree search of the tests.

use super::entry::OtherGame;
use super::staircase::Staircase;
use crate::analysis::nim::{Bouton, facts};
use crate::analysis::{Analysis, Moves};
use crate::error::{Error, StartFault};
use crate::game::{Game, moves_of, working};
use crate::grundy::NimValue;
use crate::outcome::Convention;
use crate::position::{Change, Move};
use crate::ruleset::Entry;
use std::sync::Arc;

const NIMBLE: &str = "nimble";
const SILVER_DOLLAR: &str = "silver-dollar";

pub(super) const GAMES: &[OtherGame] = &[
    OtherGame {
        entry: Entry {
            name: NIMBLE,
            aliases: &[],
            code: None,
            rule: "piles are the squares of coins, from 0; push one coin any number of squares to the left, onto or over others too",
            known: "nim with the squares as piles",
        },
        open: |_, _| Ok(Box::new(Nimble)),
        takes_parameter: false,
    },
    OtherGame {
        entry: Entry {
            name: SILVER_DOLLAR,
            aliases: &["silver-dollar-game"],
            code: None,
            rule: "piles are the squares of coins, from 0, one coin on each; push one coin to the left over free squares",
            known: "nim with every second gap, from the right",
        },
        open: |_, _| Ok(Box::new(SilverDollar)),
        takes_parameter: false,
    },
];

/// Nimble: coins may share a square.
#[derive(Clone, Copy, Debug)]
pub struct Nimble;

/// The silver dollar game without the dollar: a coin on a square for itself, and no jumps.
#[derive(Clone, Copy, Debug)]
pub struct SilverDollar;

fn push(squares: &[u64], index: usize, to: u64) -> Move {
    let mut position = squares.to_vec();
    position[index] = to;
    Move {
        change: Change::Push {
            index,
            from: squares[index],
            to,
        },
        position,
    }
}

/// The pushes after which the coin is where the rule wants it.
fn pushes_by<'g>(squares: &[u64], rule: Bouton) -> Moves<'g> {
    let squares: Arc<[u64]> = squares.into();
    Box::new((0..squares.len()).filter_map(move |index| {
        let target = rule.target(squares[index]);
        (target < squares[index]).then(|| Ok(push(&squares, index, target)))
    }))
}

fn nim(squares: &[u64], convention: Convention) -> Bouton {
    Bouton::new(squares.iter().copied(), convention)
}

impl Game for Nimble {
    fn name(&self) -> &str {
        NIMBLE
    }

    /// Every legal move, coin by coin, the shortest push first.
    fn moves<'g>(&'g self, squares: &[u64]) -> Moves<'g> {
        let squares: Arc<[u64]> = squares.into();
        Box::new((0..squares.len()).flat_map(move |index| {
            let squares = Arc::clone(&squares);
            let targets = (0..squares[index]).rev();
            targets.map(move |to| Ok(push(&squares, index, to)))
        }))
    }

    fn analyse(&self, squares: &[u64], convention: Convention) -> Result<Analysis, Error> {
        Ok(nim(squares, convention).analysis(squares, squares.iter().copied()))
    }

    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        nim(&analysis.piles, analysis.convention).winning(|rule| pushes_by(&analysis.piles, rule))
    }

    fn moves_to<'g>(&'g self, analysis: &'g Analysis, value: NimValue) -> Option<Moves<'g>> {
        nim(&analysis.piles, Convention::Normal)
            .moves_to(value, |rule| pushes_by(&analysis.piles, rule))
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        let squares = &analysis.piles;
        let heaps: Vec<_> = (squares.iter())
            .map(|&square| (format!("the coin on square {square}"), square))
            .collect();
        let mut lines = working(
            "This is Nim: the coin on square n is a pile of n stones, and pushing it to the left takes stones from the pile.\n\n",
        );
        lines.extend(nim(squares, analysis.convention).working(&heaps));
        Ok(lines)
    }
}

/// The gaps as the steps of a staircase: step 0 is empty, step 1 the gap before the last coin.
/// A position has its squares in ascending order; of others a gap would be less than none, and counts as none.
fn steps(squares: &[u64]) -> Vec<u64> {
    let mut before = 0;
    let mut steps: Vec<u64> = (squares.iter())
        .map(|&square| {
            let gap = square.saturating_sub(before);
            before = square.saturating_add(1);
            gap
        })
        .collect();
    steps.push(0);
    steps.reverse();
    steps
}

/// The pushes of coins that correspond to these moves on the steps.
fn pushes<'g>(squares: Vec<u64>, moves: Moves<'g>) -> Moves<'g> {
    Box::new(moves.map(move |found| {
        let found = found?;
        let Change::Step { from, coins, .. } = found.change else {
            return Ok(found);
        };
        let index = squares.len() - from;
        Ok(push(&squares, index, squares[index] - coins))
    }))
}

impl SilverDollar {
    /// The analysis of the position of Staircase Nim that corresponds to an analysed position.
    fn staircase(analysis: &Analysis) -> Result<Analysis, Error> {
        Staircase.analyse(&steps(&analysis.piles), analysis.convention)
    }
}

impl Game for SilverDollar {
    fn name(&self) -> &str {
        SILVER_DOLLAR
    }

    fn start(&self, mut squares: Vec<u64>) -> Result<Vec<u64>, Error> {
        squares.sort_unstable();
        match squares.windows(2).find(|pair| pair[0] == pair[1]) {
            None => Ok(squares),
            Some(pair) => {
                let fault = StartFault::SharedSquare(pair[0]);
                Err(Error::start(SILVER_DOLLAR, fault))
            }
        }
    }

    /// Every legal move, from the last coin to the first, the shortest push first.
    fn moves<'g>(&'g self, squares: &[u64]) -> Moves<'g> {
        moves_of(self.start(squares.to_vec()), |squares| {
            let moves = Staircase.moves(&steps(&squares));
            pushes(squares, moves)
        })
    }

    fn analyse(&self, squares: &[u64], convention: Convention) -> Result<Analysis, Error> {
        let squares = self.start(squares.to_vec())?;
        let analysis = Staircase.analyse(&steps(&squares), convention)?;
        let values = analysis.nim_values.map(|mut values| {
            values.remove(0);
            values.reverse();
            values
        });
        Ok(Analysis {
            piles: squares,
            nim_values: values,
            ..analysis
        })
    }

    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        moves_of(Self::staircase(analysis), |found| {
            // There is at most one winning move for each coin.
            let moves: Vec<_> = Staircase.winning_moves(&found).collect();
            pushes(analysis.piles.clone(), Box::new(moves.into_iter()))
        })
    }

    fn moves_to<'g>(&'g self, analysis: &'g Analysis, value: NimValue) -> Option<Moves<'g>> {
        let found = Self::staircase(analysis).ok()?;
        let moves: Vec<_> = Staircase.moves_to(&found, value)?.collect();
        Some(pushes(analysis.piles.clone(), Box::new(moves.into_iter())))
    }

    fn facts(&self, analysis: &Analysis) -> Vec<String> {
        let gaps = counted(&analysis.piles).into_iter().map(|(_, gap)| gap);
        facts("Gaps that count", gaps, analysis)
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        let gaps = counted(&analysis.piles);
        let mut lines = working(
            "Pair the coins from the right. The free squares between the two coins of a pair are a pile of Nim; those before a\n\
             first coin without a partner are one too. Pushing the right coin of a pair takes from its pile. Pushing the left\n\
             one adds to it, and the other player answers by pushing the right one as far.",
        );
        lines.extend(gaps.iter().map(|(name, gap)| format!("  {name}: {gap}")));
        lines.push(String::new());
        let rule = Bouton::new(gaps.iter().map(|&(_, gap)| gap), analysis.convention);
        lines.extend(rule.working(&gaps));
        Ok(lines)
    }
}

/// The gaps that count as piles of Nim, from the left, each with its name.
fn counted(squares: &[u64]) -> Vec<(String, u64)> {
    let steps = steps(squares);
    let named = |step: usize| {
        let index = squares.len() - step;
        let name = match index.checked_sub(1) {
            Some(left) => format!("the gap from {} to {}", squares[left], squares[index]),
            None => format!("the gap before {}", squares[index]),
        };
        (name, steps[step])
    };
    (1..steps.len()).step_by(2).rev().map(named).collect()
}
