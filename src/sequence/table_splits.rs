//! The splits of a heap in two parts that have a wanted nim-sum, by a table.
//!
//! Sixty-four smaller parts are looked at together, their values beside those of the larger parts, which descend. Time:
//! that of half the heap's values; twin: every split tried, one by one.

use crate::engine::set_bits;
use crate::engine::table::Table;
use crate::grundy::NimValue;

/// How many smaller parts are looked at together.
const SPLITS_AT_ONCE: usize = 64;

/// The ways to write `sum` as two heaps of the table, the smaller one `largest` at most and not above the half, whose nim-sum is
/// `target`; the smaller part first and ascending.
pub fn table_splits(
    table: &Table,
    sum: u64,
    target: NimValue,
    largest: u64,
) -> impl Iterator<Item = (u64, u64)> {
    // No nim-sum of a table's values is larger than 16 bits.
    let last = u16::try_from(target).map_or(0, |_| largest as usize);
    let (sum, target) = (sum as usize, target as u16);
    (1..=last).step_by(SPLITS_AT_ONCE).flat_map(move |first| {
        let count = SPLITS_AT_ONCE.min(last + 1 - first);
        let (mut small, mut large) = ([0; SPLITS_AT_ONCE], [0; SPLITS_AT_ONCE]);
        table.copy_range(first, &mut small[..count]);
        table.copy_range(sum - first - (count - 1), &mut large[..count]);
        let pairs = small[..count].iter().zip(large[..count].iter().rev());
        let found = (pairs.enumerate())
            .map(|(bit, (small, large))| u64::from(small ^ large == target) << bit)
            .sum();
        let smalls = set_bits(found).map(move |bit| first + bit);
        smalls.map(move |small| (small as u64, (sum - small) as u64))
    })
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
            let splits = |target| table_splits(&table, sum as u64, target, last as u64);
            prop_assert_eq!(splits(target.into()).collect::<Vec<_>>(), wanted);
            prop_assert_eq!(splits(1 << 16).count(), 0);
        }
    }
}
