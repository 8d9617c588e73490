//! The heaps between the first ones and the last ones may be forgotten. The codes stay one stretch: a heap before the gap is read
//! at its own place, a heap behind it at a place that is earlier by the length of the gap.
//!
//! Only this file knows where a heap's code lies. Whoever asks for a heap in the gap, or behind the end, gets an error; a
//! [`Source`] holds the codes on its own side of the gap and no others.

use super::PackedTable;
use crate::engine::kernel::{Code, Kernel, Source};
use std::ops::Range;

/// The first of the heaps asked for whose value is not kept: it lies in the gap or behind the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forgotten {
    pub heap: usize,
}

/// The result of a read from a table that forgets nothing between its first heap and its end. Panics if the heap lies behind the
/// end.
pub fn kept<T>(value: Result<T, Forgotten>) -> T {
    value.unwrap_or_else(|Forgotten { heap }| panic!("the table doesn't reach pile {heap}"))
}

impl<C: Code> PackedTable<C> {
    /// The places of the codes of `count` heaps from heap `from` on.
    ///
    /// # Errors
    /// If one of them is not kept.
    pub(super) fn places(&self, from: usize, count: usize) -> Result<Range<usize>, Forgotten> {
        let to = from.saturating_add(count);
        let behind_gap = self.has_gap() && from >= self.window_from();
        let (shift, end) = if behind_gap {
            (self.forgotten, self.len())
        } else {
            (0, self.kept())
        };
        if to > end {
            return Err(Forgotten {
                heap: from.max(end),
            });
        }
        let place = self.pad + from - shift;
        Ok(place..place + count)
    }

    /// Whether some heaps are forgotten.
    pub fn has_gap(&self) -> bool {
        self.forgotten > 0
    }

    /// How many of the first heaps are kept; all heaps, if none is forgotten.
    pub fn kept(&self) -> usize {
        if self.has_gap() {
            self.first
        } else {
            self.len()
        }
    }

    /// The first of the last heaps, from which on all are known.
    pub fn window_from(&self) -> usize {
        if self.has_gap() {
            self.first + self.forgotten
        } else {
            0
        }
    }

    /// The places on the heap's side of the gap, the padding included in front, and the place of the heap among them.
    fn side(&self, heap: usize) -> (Range<usize>, usize) {
        let front = self.pad + self.kept();
        if self.has_gap() && heap >= self.window_from() {
            (front..self.cells.len(), heap - self.window_from())
        } else {
            (0..front, self.pad + heap)
        }
    }

    /// How many places back an option of this heap may have its source.
    pub fn room(&self, heap: usize) -> usize {
        self.side(heap).1
    }

    /// The source of the options of the block that begins with this heap: the codes on its side of the gap.
    pub fn source(&self, heap: usize) -> Source<'_, C> {
        let (side, at) = self.side(heap);
        if self.masks(heap) {
            // A mask ends before the gap, if there is one.
            let end = side.end.min(self.mask.len());
            Source {
                codes: &self.cells[..end],
                mask: Some(&self.mask[..end]),
                at,
            }
        } else {
            Source {
                codes: &self.cells[side],
                mask: None,
                at,
            }
        }
    }

    /// The last bytes, `most` at most, and the mask beside them if options of the next heap need one: back to the gap, or
    /// into the padding.
    pub fn tail(&self, most: usize) -> (&[C], Option<&[C]>) {
        let (side, _) = self.side(self.len());
        let start = side.end - side.len().min(most);
        let mask = self.masks(self.len()).then(|| &self.mask[start..]);
        (&self.cells[start..], mask)
    }

    /// The least smaller part in `low..high` of a common pair of heaps with this sum and code, neither of which is forgotten.
    pub fn common_pair(
        &self,
        kernel: Kernel,
        sum: usize,
        (low, high): (usize, usize),
        code: C,
    ) -> Option<usize> {
        let high = high.min(self.kept());
        let high = high.min((sum + 1).saturating_sub(self.window_from()));
        let sum = self.places(sum, 1).ok()?.start;
        let parts = (self.pad + low, self.pad + high);
        let found = kernel.scan(&self.cells, &self.mask, self.pad + sum, parts, code)?;
        Some(found - self.pad)
    }

    /// Forgets the heaps from this one on.
    pub fn truncate(&mut self, heap: usize) {
        let heap = heap.max(1);
        self.rares
            .truncate(self.rares.partition_point(|rare| rare.heap < heap));
        if self.has_gap() && heap <= self.window_from() {
            let first = self.first.min(heap);
            self.cells.truncate(self.pad + first);
            (self.first, self.forgotten) = (0, 0);
        } else {
            self.cells.truncate(self.pad + heap - self.forgotten);
        }
        self.mask.truncate(self.cells.len());
    }

    /// Forgets the heaps from `first` to `last` before the end, if no rare heap or pair of them is among them, and they
    /// are worth the time.
    ///
    /// # Panics
    /// If `first` is not what it was when heaps were last forgotten.
    pub fn forget(&mut self, first: usize, last: usize) {
        let until = self.len().saturating_sub(last);
        if until <= self.window_from().max(first) || first <= self.clean_from() + 3 * self.pad {
            return;
        }
        assert!(!self.has_gap() || first == self.first);
        let (from, to) = (self.pad + first, self.pad + until - self.forgotten);
        self.cells.copy_within(to.., from);
        self.cells.truncate(self.cells.len() - (to - from));
        if !self.has_gap() {
            self.cells.shrink_to_fit();
        }
        self.first = first;
        self.forgotten = until - first;
        self.mask.truncate(from);
    }

    /// Forgets all but the first heaps, and goes on after the common heaps with these codes, which end before `to`.
    ///
    /// # Errors
    /// If not so many of the first heaps are kept, the codes would begin among them, or a pair of rare heaps might reach beyond
    /// them, which only a mask tells.
    pub fn restart_at(&mut self, first: usize, to: usize, codes: &[C]) -> Result<(), Forgotten> {
        let begin = to.checked_sub(codes.len());
        let begin =
            begin.filter(|&begin| first <= begin && first <= self.kept() && !self.masks(first));
        let begin = begin.ok_or(Forgotten { heap: first })?;
        self.cells.truncate(self.pad + first);
        self.cells.extend_from_slice(codes);
        self.first = first;
        self.forgotten = begin - first;
        self.mask.truncate(self.pad + first);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
