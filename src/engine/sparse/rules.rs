//! Which moves of a sparse game split a heap, which keep its class, and which flip it.

use crate::engine::kernel::Code;
use crate::engine::octal::{Octal, Two};
use crate::engine::packed::PackedTable;

/// The moves of a game by what they do to the class of a heap.
#[derive(Clone)]
pub struct Rules {
    /// Takings that may leave two heaps, and which.
    pub breaks: Vec<(usize, Two)>,
    /// Takings that lead from a common heap to a common one.
    pub keep_class: Vec<usize>,
    /// Takings that lead from a common heap to a rare one, and back.
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

    /// The most takings, each one stone more than the one before, that may leave two heaps.
    pub fn longest_run(&self) -> usize {
        let mut breaks: Vec<usize> = self.breaks.iter().map(|b| b.0).collect();
        breaks.sort_unstable();
        let runs = breaks.chunk_by(|a, b| a + 1 == *b).map(<[_]>::len);
        runs.max().unwrap_or(0)
    }
}
