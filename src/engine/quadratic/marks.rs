//! The options by some pairs of known heaps, for all heaps of a block: heap n + 1 pairs heap i with the neighbour of its
//! partner.
//!
//! Time: two or three cycles an option. Memory: a byte for each value and heap. Twin: all options of a heap.

use crate::engine::kernel::WORDS;

/// For each heap of a block the options found, a byte each.
pub struct Marks {
    width: usize,
    seen: Vec<u8>,
}

impl Marks {
    /// None yet, of so many values.
    pub fn new(width: usize) -> Self {
        let seen = vec![0; WORDS * width];
        Self { width, seen }
    }

    /// Marks the options by the pairs with these first parts; `sum` is that of both for the block's first heap.
    pub fn add(&mut self, values: &[u16], sum: usize, firsts: impl Iterator<Item = usize>) {
        for first in firsts {
            let one = values[first];
            let others = &values[sum - first..][..WORDS];
            for (seen, other) in self.seen.chunks_exact_mut(self.width).zip(others) {
                if let Some(mark) = seen.get_mut(usize::from(one ^ other)) {
                    *mark = 1;
                }
            }
        }
    }

    /// Forgets the options below a value.
    pub fn clear_below(&mut self, value: usize) {
        let lanes = self.seen.chunks_exact_mut(self.width);
        lanes.for_each(|seen| seen[..value].fill(0));
    }

    /// The marks of each heap: 1 for an option, else 0.
    pub fn lanes(&self) -> impl Iterator<Item = &[u8]> {
        self.seen.chunks_exact(self.width)
    }
}
