//! The splits of a heap in two parts that have a wanted nim-sum, by a table.
//!
//! Sixty-four smaller parts are looked at together, their values beside those of the larger parts, which descend. Time:
//! that of half the heap's values; twin: every split tried, one by one.

use crate::engine::table::Table;
use crate::grundy::NimValue;

/// How many smaller parts are looked at together.
const SPLITS_AT_ONCE: usize = 64;

/// The splits as an iterator, the smaller part first and ascending.
#[derive(Debug)]
pub struct TableSplits<'t> {
    table: &'t Table,
    sum: usize,
    target: u16,
    /// The first smaller part that has not been looked at, and the last one.
    next: usize,
    last: usize,
    /// The first smaller part of the present block, and a bit for each split of the block that is still to be given out.
    block: usize,
    found: u64,
}

impl<'t> TableSplits<'t> {
    /// The ways to write `sum` as two heaps of the table, the smaller one `largest` at most and not above the half,
    /// whose nim-sum is `target`.
    pub fn new(table: &'t Table, sum: u64, target: NimValue, largest: u64) -> TableSplits<'t> {
        let target = u16::try_from(target);
        TableSplits {
            table,
            sum: sum as usize,
            // No nim-sum of a table's values is larger than 16 bits.
            last: target.map_or(0, |_| largest as usize),
            target: target.unwrap_or(0),
            next: 1,
            block: 1,
            found: 0,
        }
    }

    /// Looks at the next block.
    fn look(&mut self) {
        let count = SPLITS_AT_ONCE.min(self.last + 1 - self.next);
        let (mut small, mut large) = ([0; SPLITS_AT_ONCE], [0; SPLITS_AT_ONCE]);
        self.table.copy_range(self.next, &mut small[..count]);
        let least = self.sum - self.next - (count - 1);
        self.table.copy_range(least, &mut large[..count]);
        let pairs = small[..count].iter().zip(large[..count].iter().rev());
        self.found = (pairs.enumerate())
            .map(|(bit, (small, large))| u64::from(small ^ large == self.target) << bit)
            .sum();
        self.block = self.next;
        self.next += count;
    }
}

impl Iterator for TableSplits<'_> {
    type Item = (u64, u64);

    fn next(&mut self) -> Option<(u64, u64)> {
        while self.found == 0 {
            if self.next > self.last {
                return None;
            }
            self.look();
        }
        let small = self.block + self.found.trailing_zeros() as usize;
        self.found &= self.found - 1;
        Some((small as u64, (self.sum - small) as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn splits_are_those_of_a_walk(
            values in prop::collection::vec(0u16..5, 1..400),
            target in 0u16..6,
            unequal: bool,
        ) {
            let table = Table::from(values.clone());
            let sum = values.len() - 1;
            let last = sum.saturating_sub(usize::from(unequal)) / 2;
            let wanted: Vec<(u64, u64)> = (1..=last)
                .filter(|&small| values[small] ^ values[sum - small] == target)
                .map(|small| (small as u64, (sum - small) as u64))
                .collect();
            let splits = |target| TableSplits::new(&table, sum as u64, target, last as u64);
            prop_assert_eq!(splits(target.into()).collect::<Vec<_>>(), wanted);
            prop_assert_eq!(splits(1 << 16).count(), 0);
        }
    }
}
