//! What several tests share: random codes, and a game-tree search that knows no theorem.

#![allow(dead_code)]

pub mod certificates;
pub mod program;
// The same source, which is no part of the public interface.
#[path = "../../src/rng.rs"]
pub mod rng;
#[cfg(unix)]
pub mod running;

use nim_analyser::ruleset::{Code, Parts, Ruleset};
use proptest::prelude::*;
use std::collections::HashMap;

/// Random take-and-break codes: octal, hexadecimal, sets, suffixes, repeating tails.
pub fn codes() -> impl Strategy<Value = String> {
    let digit = prop_oneof![
        4 => "[0-7]",
        2 => "[89A-F]",
        1 => "[4-7CEF][!?=]",
        1 => prop::sample::select(vec!["{2+}", "{0,1,3+}", "{2,3}!", "{0,2=,3?}", "*", "*!", "{1+}?"]).prop_map(String::from),
    ];
    let before = prop::sample::select(vec![
        "0", "0", "0", "4", "4!", "4=", "8", "C?", "{2+}", "{2+}!", "",
    ]);
    let tail = prop_oneof![4 => Just(String::new()), 1 => "\\[[0-7]{1,2}\\]"];
    (before, prop::collection::vec(digit, 1..4), tail)
        .prop_map(|(before, digits, tail)| format!("{before}.{}{tail}", digits.concat()))
}

/// All options of a heap, read off the code's digits by trying every multiset of heaps.
pub fn plain_options(code: &Code, least: u64, heap: u64) -> Vec<Vec<u64>> {
    let mut found = Vec::new();
    if heap < least {
        return found;
    }
    for take in 0..=heap {
        for parts in multisets(heap - take, 1) {
            let all_equal = parts.windows(2).all(|pair| pair[0] == pair[1]);
            let pairwise_unequal = parts.windows(2).all(|pair| pair[0] != pair[1]);
            let allowed = match code.digit(take).parts(parts.len() as u64) {
                None => false,
                Some(_) if parts.len() < 2 => true,
                Some(Parts::Any) => true,
                Some(Parts::Unequal) => pairwise_unequal,
                Some(Parts::NotAllEqual) => !all_equal,
                Some(Parts::Equal) => all_equal,
            };
            if allowed {
                found.push(parts);
            }
        }
    }
    found
}

/// The multisets of heaps of at least `least` with the given sum, each ascending.
fn multisets(sum: u64, least: u64) -> Vec<Vec<u64>> {
    if sum == 0 {
        return vec![Vec::new()];
    }
    (least..=sum)
        .flat_map(|first| {
            multisets(sum - first, first)
                .into_iter()
                .map(move |mut rest| {
                    rest.insert(0, first);
                    rest
                })
        })
        .collect()
}

/// Who wins, by trying every move: no mex, no nim-sum.
pub struct GameTree<'r> {
    ruleset: &'r Ruleset,
    known: HashMap<Vec<u64>, bool>,
    /// Whether the player who can't move wins.
    pub misere: bool,
}

impl<'r> GameTree<'r> {
    pub fn new(ruleset: &'r Ruleset) -> GameTree<'r> {
        GameTree {
            ruleset,
            known: HashMap::new(),
            misere: false,
        }
    }

    /// Whether the player to move wins.
    pub fn wins(&mut self, piles: &[u64]) -> bool {
        let mut piles: Vec<u64> = piles.iter().copied().filter(|&pile| pile > 0).collect();
        piles.sort_unstable();
        if let Some(&known) = self.known.get(&piles) {
            return known;
        }
        let positions = self.positions_after(&piles);
        let wins = if positions.is_empty() {
            self.misere
        } else {
            positions.iter().any(|after| !self.wins(after))
        };
        self.known.insert(piles, wins);
        wins
    }

    /// The positions after each move, the piles unsorted.
    pub fn positions_after(&self, piles: &[u64]) -> Vec<Vec<u64>> {
        let mut found = Vec::new();
        for (index, &pile) in piles.iter().enumerate() {
            let options = match self.ruleset.coded_from() {
                Some((code, least)) => plain_options(code, least, pile),
                None => self
                    .ruleset
                    .options(pile)
                    .map(|option| option.leave)
                    .collect(),
            };
            for leave in options {
                let mut after = piles.to_vec();
                after.remove(index);
                after.extend(leave);
                found.push(after);
            }
        }
        found
    }
}
