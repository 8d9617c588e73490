//! Nim with increases, or Poker Nim: stones may also be added to a pile, from a reserve; stones taken never go back to it.
//!
//! The reserve bounds the additions, so the game ends. The winners are those of Nim, under both conventions: whoever
//! wins Nim plays it, and takes every stone added straight off again (*Winning Ways*, 2nd ed. 2001, vol. 1, ch. 3,
//! "Poker Nim"). Under misère play one thing is to be seen too: with all piles empty and a reserve left the player to
//! move adds one stone, and leaves the last to the other, so that player wins as in Nim, where no move is left.
//!
//! A position is the piles, with the reserve as the last number of the row. The time is linear in the piles; the simple
//! twin is the game-tree search of the tests.

use super::entry::OtherGame;
use crate::analysis::nim::{Bouton, working_of_piles};
use crate::analysis::{Analysis, Moves};
use crate::error::Error;
use crate::game::{Game, parts, working};
use crate::grundy::NimValue;
use crate::outcome::Convention;
use crate::position::{Change, Move};
use crate::ruleset::Entry;
use std::sync::Arc;

/// How many stones the reserve has where no number is given.
const RESERVE: u64 = 10;

pub(super) const GAMES: &[OtherGame] = &[OtherGame {
    entry: Entry {
        name: "poker-nim:10",
        aliases: &[],
        code: None,
        rule: "as in nim, or add stones to a pile from a reserve of 10, which is never refilled",
        known: "won like nim: the other player can take an addition off again",
    },
    open: |name, _| {
        let reserve = name.number("the stones in reserve, as in poker-nim:10")?;
        Ok(Box::new(PokerNim::new(reserve.unwrap_or(RESERVE))))
    },
    takes_parameter: true,
}];

/// Nim with increases.
#[derive(Clone, Debug)]
pub struct PokerNim {
    name: String,
    reserve: u64,
}

impl PokerNim {
    /// The game with `reserve` stones in reserve at the start.
    pub fn new(reserve: u64) -> PokerNim {
        PokerNim {
            name: format!("poker-nim:{reserve}"),
            reserve,
        }
    }

    /// The moves that give a pile the size that the rule wants; takings before additions.
    fn moves_by<'g>(&'g self, position: &[u64], rule: Bouton) -> Moves<'g> {
        let position: Arc<[u64]> = position.into();
        let (piles, reserve) = parts(&position);
        let count = piles.len();
        let takings = (0..count).map(|index| (index, false));
        let additions = (0..count).map(|index| (index, true));
        Box::new(takings.chain(additions).filter_map(move |(index, adds)| {
            let pile = position[index];
            let target = rule.target(pile);
            let legal = target != pile && target <= most(pile, reserve);
            (legal && adds == (target > pile)).then(|| Ok(resize(&position, index, target)))
        }))
    }
}

fn rule(position: &[u64], convention: Convention) -> Bouton {
    Bouton::new(parts(position).0.iter().copied(), convention)
}

/// The move that makes `target` of pile `index`.
fn resize(position: &[u64], index: usize, target: u64) -> Move {
    let pile = position[index];
    let mut after = position.to_vec();
    after[index] = target;
    let change = match target.checked_sub(pile) {
        Some(add) => {
            let reserve = after.len() - 1;
            after[reserve] -= add;
            Change::Add { index, pile, add }
        }
        None => Change::Heap {
            index,
            pile,
            take: pile - target,
            leave: (target > 0).then_some(target).into_iter().collect(),
        },
    };
    Move {
        change,
        position: after,
    }
}

/// The largest size that a pile can be given.
fn most(pile: u64, reserve: u64) -> u64 {
    pile.saturating_add(reserve)
}

impl Game for PokerNim {
    fn name(&self) -> &str {
        &self.name
    }

    fn rule(&self) -> Option<String> {
        Some(format!(
            "as in nim, or add stones to a pile from a reserve of {}, which is never refilled",
            self.reserve
        ))
    }

    fn start(&self, mut piles: Vec<u64>) -> Result<Vec<u64>, Error> {
        piles.push(self.reserve);
        Ok(piles)
    }

    fn split<'p>(&self, position: &'p [u64]) -> (&'p [u64], Option<u64>) {
        let (piles, reserve) = parts(position);
        (piles, Some(reserve))
    }

    /// Every legal move: takings before additions, each pile by pile and fewest stones first.
    fn moves<'g>(&'g self, position: &[u64]) -> Moves<'g> {
        let position: Arc<[u64]> = position.into();
        let (piles, reserve) = parts(&position);
        let (count, before) = (piles.len(), Arc::clone(&position));
        let taken = (0..count)
            .flat_map(move |index| (0..before[index]).rev().map(move |target| (index, target)));
        let before = Arc::clone(&position);
        let added = (0..count).flat_map(move |index| {
            let pile = before[index];
            (pile..most(pile, reserve)).map(move |size| (index, size + 1))
        });
        let moves = taken.chain(added);
        Box::new(moves.map(move |(index, target)| Ok(resize(&position, index, target))))
    }

    fn analyse(&self, position: &[u64], convention: Convention) -> Result<Analysis, Error> {
        let piles = parts(position).0.iter().copied();
        Ok(rule(position, convention).analysis(position, piles))
    }

    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        rule(&analysis.piles, analysis.convention)
            .winning(|rule| self.moves_by(&analysis.piles, rule))
    }

    fn moves_to<'g>(&'g self, analysis: &'g Analysis, value: NimValue) -> Option<Moves<'g>> {
        rule(&analysis.piles, Convention::Normal)
            .moves_to(value, |rule| self.moves_by(&analysis.piles, rule))
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        let (piles, reserve) = parts(&analysis.piles);
        let mut lines = working("");
        lines.extend(working_of_piles(piles, analysis.convention));
        lines.extend([
            String::new(),
            format!("Why increases change nothing ({reserve} stones may still be added in all):"),
            "An addition of t stones can be answered by taking the same t stones off that pile again. The piles are then".to_owned(),
            "as before, with the same player to move, and the reserve is smaller by t. It never grows, so this comes to".to_owned(),
            "an end, and whoever wins Nim with these piles wins here too.".to_owned(),
        ]);
        Ok(lines)
    }
}
