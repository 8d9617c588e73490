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

    /// Marks the options by the pairs with these first parts; `sum` is that of both for the block's first heap. All values are
    /// below the width, a power of two.
    pub fn add(&mut self, values: &[u16], sum: usize, firsts: impl Iterator<Item = usize>) {
        /// With a width that the compiler knows no mark needs a look whether there is room for it.
        macro_rules! of_width {
            ($($width:literal)*) => {
                match self.width {
                    $($width => self.add_below::<$width>(values, sum, firsts),)*
                    _ => self.add_any(values, sum, firsts),
                }
            };
        }
        of_width!(256 512 1024 2048 4096 8192);
    }

    fn add_below<const WIDTH: usize>(
        &mut self,
        values: &[u16],
        sum: usize,
        firsts: impl Iterator<Item = usize>,
    ) {
        let lanes: &mut [[u8; WIDTH]] = self.seen.as_chunks_mut().0;
        for first in firsts {
            let one = values[first];
            let others = &values[sum - first..][..WORDS];
            for (seen, other) in lanes.iter_mut().zip(others) {
                seen[usize::from(one ^ other) % WIDTH] = 1;
            }
        }
    }

    fn add_any(&mut self, values: &[u16], sum: usize, firsts: impl Iterator<Item = usize>) {
        for first in firsts {
            let one = values[first];
            let others = &values[sum - first..][..WORDS];
            for (seen, other) in self.seen.chunks_exact_mut(self.width).zip(others) {
                seen[usize::from(one ^ other)] = 1;
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
