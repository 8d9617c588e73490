//! The moves of a sparse game: those that may leave two heaps, and those that leave one, by how its values are classed there.

use crate::engine::kernel::{Code, Entry};
use crate::engine::octal::{Octal, Two};
use crate::engine::packed::{PackedTable, Rare};

/// The moves of a game. A move that leaves one heap makes the value of that heap an option; whether a value is rare may depend on
/// the parity of the heap, so an option is common or rare as the value is at the heap before the move.
#[derive(Clone)]
pub struct Rules {
    /// Numbers of stones whose removal may leave two heaps, and which pairs of heaps.
    pub breaks: Vec<(usize, Two)>,
    /// Numbers t for which a value has the same class at heap n as at heap n - t: a common heap left alone is a common option.
    pub keep_class: Vec<usize>,
    /// Numbers t for which it has the other class: a rare heap left alone is a common option, and a common heap a rare one.
    pub flip_class: Vec<usize>,
}

impl Rules {
    pub fn new<C: Code>(game: &Octal, codes: &PackedTable<C>) -> Self {
        let (keep_class, flip_class) = game.ones.iter().partition(|&&t| codes.space().keeps(t));
        Self {
            breaks: game.breaks.clone(),
            keep_class,
            flip_class,
        }
    }

    /// The entries of the options with a rare heap as one part.
    pub fn pairs_with<C: Code>(&self, rare: Rare<C>) -> impl Iterator<Item = Entry<C>> + '_ {
        let breaks = self.breaks.iter();
        breaks.map(move |&(b, _)| Entry::new(rare.heap + b, rare.code))
    }

    /// The entries of the common options, by distance: common heaps left alone, and pairs with one rare heap. No entry stands for
    /// a rare heap that a move of `flip_class` leaves alone; `Search::lanes_with_flipped_rare` finds the heaps that have such an
    /// option.
    pub fn common_options<C: Code>(&self, codes: &PackedTable<C>) -> Vec<Entry<C>> {
        let alone = self.keep_class.iter().map(|&t| Entry::new(t, C::ZERO));
        let rares = codes.rares().iter();
        let pairs = rares.flat_map(|&rare| self.pairs_with(rare));
        let mut options: Vec<Entry<C>> = alone.chain(pairs).collect();
        options.sort_unstable();
        options.dedup();
        options
    }

    /// The entries of witnesses: common heaps left alone, then pairs of common heaps by the smaller part, at most `deepest`. A
    /// part whose code is forgotten is left out.
    pub fn witnesses<C: Code>(&self, codes: &PackedTable<C>, deepest: usize) -> Vec<Entry<C>> {
        let alone = self.flip_class.iter().map(|&t| Entry::new(t, C::ZERO));
        let common = (1..=deepest).filter(|&part| !codes.is_rare(part));
        let parts = common.filter_map(|part| Some((part, codes.code(part).ok()?)));
        let pairs = parts.flat_map(|(part, code)| {
            let breaks = self.breaks.iter();
            breaks.map(move |&(b, _)| Entry::new(b + part, code))
        });
        alone.chain(pairs).collect()
    }

    /// The length of the longest run of consecutive numbers of stones whose removal may leave two heaps.
    pub fn longest_run(&self) -> usize {
        let mut breaks: Vec<usize> = self.breaks.iter().map(|b| b.0).collect();
        breaks.sort_unstable();
        let runs = breaks.chunk_by(|a, b| a + 1 == *b).map(<[_]>::len);
        runs.max().unwrap_or(0)
    }
}
