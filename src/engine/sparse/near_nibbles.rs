//! The options of a heap whose sources lie in its own block, for codes below 16.
//!
//! These sources lie close before the heap, so a quarter of a block is marked at a time by the options whose sources lie before
//! the quarter, and the remaining ones are taken heap by heap. Time: a step for each entry and quarter, or for each of the
//! closest entries and heap. Twin: `Search::slot_block`.

use crate::engine::kernel::{Code, Entries, Nibbles, QUARTER};

/// The near entries, those with q < 64, for codes below 16.
pub struct NearNibbles<C> {
    /// The entries with q of a quarter of a block or more.
    pub before_quarter: Entries<C>,
    /// The entries with smaller q.
    pub in_quarter: Nibbles,
}

impl<C: Code> NearNibbles<C> {
    /// The near entries as they are used here. `None` if codes are not bytes, or if of the entries with q below a quarter of a
    /// block one has a u of 16 or more, or two have the same q.
    pub fn new(near: &Entries<C>) -> Option<Self> {
        let mut entries = near.as_slice().to_vec();
        entries.sort_unstable();
        let in_quarter = entries.partition_point(|e| e.q() < QUARTER);
        let (in_quarter, before_quarter) = entries.split_at(in_quarter);
        Some(Self {
            before_quarter: before_quarter.iter().copied().collect(),
            in_quarter: Nibbles::new(
                C::byte_entries(&in_quarter.iter().copied().collect())?.as_slice(),
            )?,
        })
    }
}
