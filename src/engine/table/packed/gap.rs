//! The heaps between the first ones and the last ones may be forgotten. The bytes stay one stretch: what lies before
//! the gap is read at a heap's own place, what lies behind it so many places earlier.

use super::PackedTable;

impl PackedTable {
    /// Where the byte of a heap lies that is not forgotten.
    pub fn place(&self, heap: usize) -> usize {
        if heap < self.first {
            self.pad + heap
        } else {
            self.pad + heap - self.forgotten
        }
    }

    /// Whether some heaps are forgotten.
    pub fn has_gap(&self) -> bool {
        self.forgotten > 0
    }

    /// How many of the first heaps are kept, all that there are if none is forgotten.
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

    /// How many places an option of this heap may reach back.
    pub fn room(&self, heap: usize) -> usize {
        if self.has_gap() {
            heap.saturating_sub(self.window_from())
        } else {
            self.pad + heap
        }
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
        let (from, to) = (self.pad + first, self.place(until));
        self.bytes.copy_within(to.., from);
        self.bytes.truncate(self.bytes.len() - (to - from));
        if !self.has_gap() {
            self.bytes.shrink_to_fit();
        }
        self.first = first;
        self.forgotten = until - first;
        self.mask.truncate(from);
    }

    /// Forgets all but the first heaps, and goes on after the common heaps with these codes, which end before `to`.
    pub fn jump(&mut self, first: usize, to: usize, codes: &[u8]) {
        self.bytes.truncate(self.pad + first);
        self.bytes.extend_from_slice(codes);
        self.first = first;
        self.forgotten = to - codes.len() - first;
        self.mask.truncate(self.pad + first);
    }
}
