//! Sums of the parts of values, and sets of small numbers.

use crate::engine::set_bits;

/// The largest sum of upper parts, for each number of stones, lower bits and parity.
pub struct Sums {
    lower: u32,
    /// For each number of stones, lower bits and parity: 1 more than the largest sum, or 0 if there is none.
    most: Vec<usize>,
}

impl Sums {
    pub fn new(lower: u32, stones: usize) -> Sums {
        Sums {
            lower,
            most: vec![0; stones << (lower + 1)],
        }
    }

    pub fn raise(&mut self, stones: usize, low: usize, upper: usize) {
        let at = self.at(stones, low, upper);
        self.most[at] = self.most[at].max(upper + 1);
    }

    /// The largest sum of upper parts with these stones and lower bits and with this parity, if there is one.
    pub fn most(&self, stones: usize, low: usize, parity: usize) -> Option<usize> {
        self.most[self.at(stones, low, parity)].checked_sub(1)
    }

    fn at(&self, stones: usize, low: usize, parity: usize) -> usize {
        (stones << self.lower | low) << 1 | parity & 1
    }

    pub fn each(&self, mut visit: impl FnMut(usize, usize, usize)) {
        for (at, &most) in self.most.iter().enumerate().filter(|(_, most)| **most > 0) {
            let low = at >> 1 & ((1 << self.lower) - 1);
            visit(at >> (self.lower + 1), low, most - 1);
        }
    }
}

/// The set of the numbers of `set` with `value` added without carry.
pub fn shifted(set: u64, value: usize) -> u64 {
    set_bits(set).fold(0, |shifted, number| shifted | 1 << (number ^ value))
}
