//! The moves of a sparse game by what they do: split a heap, keep its class, or flip it.

use crate::engine::kernel::Code;
use crate::engine::octal::{Octal, Two};
use crate::engine::packed::PackedTable;

/// The moves of a game by what they do to the class of a heap.
#[derive(Clone)]
pub struct Rules {
    /// Numbers of stones whose removal may leave two heaps, and which pairs of heaps.
    pub breaks: Vec<(usize, Two)>,
    /// Numbers of stones whose removal leads from a common heap to a common one.
    pub keep_class: Vec<usize>,
    /// Numbers of stones whose removal leads from a common heap to a rare one, and back.
    pub flip_class: Vec<usize>,
}

impl Rules {
    pub fn new<C: Code>(game: &Octal, codes: &PackedTable<C>) -> Self {
        let (keep_class, flip_class) = game.ones.iter().partition(|&&t| codes.split().keeps(t));
        Self {
            breaks: game.breaks.clone(),
            keep_class,
            flip_class,
        }
    }

    /// The length of the longest run of consecutive numbers of stones whose removal may leave two heaps.
    pub fn longest_run(&self) -> usize {
        let mut breaks: Vec<usize> = self.breaks.iter().map(|b| b.0).collect();
        breaks.sort_unstable();
        let runs = breaks.chunk_by(|a, b| a + 1 == *b).map(<[_]>::len);
        runs.max().unwrap_or(0)
    }
}
