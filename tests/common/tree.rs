//! Searches by every move, which know no theorem: who wins, and nim-values by their definition.

use nim_analyser::Convention;
use nim_analyser::ruleset::{Code, Parts, Ruleset};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The positions after each move.
type After<'g, P> = Box<dyn Fn(&P) -> Vec<P> + 'g>;

/// A search of the positions after every move, which remembers what it has found.
pub struct Search<'g, P> {
    after: After<'g, P>,
    wins: HashMap<(P, Convention), bool>,
    values: HashMap<(P, Convention), u128>,
}

impl<'g, P: Clone + Eq + Hash> Search<'g, P> {
    /// The game with these positions after each move.
    pub fn new(after: impl Fn(&P) -> Vec<P> + 'g) -> Search<'g, P> {
        Search {
            after: Box::new(after),
            wins: HashMap::new(),
            values: HashMap::new(),
        }
    }

    /// The positions after each move.
    pub fn after(&self, position: &P) -> Vec<P> {
        (self.after)(position)
    }

    /// Whether the player to move wins.
    pub fn wins(&mut self, position: &P, convention: Convention) -> bool {
        let key = (position.clone(), convention);
        if let Some(&known) = self.wins.get(&key) {
            return known;
        }
        let after = self.after(position);
        let wins = match after.is_empty() {
            true => convention == Convention::Misere,
            false => after.iter().any(|after| !self.wins(after, convention)),
        };
        self.wins.insert(key, wins);
        wins
    }

    /// The nim-value; in misère play that of a position without a move is 1.
    pub fn value(&mut self, position: &P, convention: Convention) -> u128 {
        let key = (position.clone(), convention);
        if let Some(&known) = self.values.get(&key) {
            return known;
        }
        let after = self.after(position);
        let seen: HashSet<u128> = after
            .iter()
            .map(|after| self.value(after, convention))
            .collect();
        let value = match after.is_empty() && convention == Convention::Misere {
            true => 1,
            false => (0..).find(|value| !seen.contains(value)).unwrap(),
        };
        self.values.insert(key, value);
        value
    }
}

/// The positions after each move in one pile, which `options` turns into other piles.
pub fn each_pile<T: Clone>(piles: &[T], options: impl Fn(&T) -> Vec<Vec<T>>) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    for (index, pile) in piles.iter().enumerate() {
        for leave in options(pile) {
            let mut after = piles.to_vec();
            after.remove(index);
            after.extend(leave);
            found.push(after);
        }
    }
    found
}

/// The piles that aren't empty, in ascending order.
pub fn sorted(piles: &[u64]) -> Vec<u64> {
    let mut piles: Vec<u64> = piles.iter().copied().filter(|&pile| pile > 0).collect();
    piles.sort_unstable();
    piles
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

/// All options of a heap, by the digits where there are any.
fn heap_options(ruleset: &Ruleset, heap: u64) -> Vec<Vec<u64>> {
    match ruleset.coded_from() {
        Some((code, least)) => plain_options(code, least, heap),
        None => ruleset.options(heap).map(|option| option.leave).collect(),
    }
}

/// Who wins a game of heaps.
pub struct GameTree<'r> {
    ruleset: &'r Ruleset,
    convention: Convention,
    search: Search<'r, Vec<u64>>,
}

impl<'r> GameTree<'r> {
    pub fn new(ruleset: &'r Ruleset, convention: Convention) -> GameTree<'r> {
        let known = RefCell::new(HashMap::new());
        let options = move |&heap: &u64| {
            let mut known = known.borrow_mut();
            let options = known.entry(heap);
            options
                .or_insert_with(|| heap_options(ruleset, heap))
                .clone()
        };
        let after = move |piles: &Vec<u64>| {
            let found = each_pile(piles, &options);
            found.iter().map(|after| sorted(after)).collect()
        };
        GameTree {
            ruleset,
            convention,
            search: Search::new(after),
        }
    }

    /// Whether the player to move wins.
    pub fn wins(&mut self, piles: &[u64]) -> bool {
        self.search.wins(&sorted(piles), self.convention)
    }

    /// The positions after each move, the piles unsorted.
    pub fn positions_after(&self, piles: &[u64]) -> Vec<Vec<u64>> {
        each_pile(piles, |&heap| heap_options(self.ruleset, heap))
    }
}
