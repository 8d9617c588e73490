//! Options in a block itself, for codes below 16.
//!
//! The sources of a heap's options lie close behind it, so a quarter of a block is marked at a time by the options that
//! reach behind it, and the last few are taken heap by heap. Time: an entry a quarter, or a heap for the closest ones.
//! Twin: the same in `find.rs` for codes below 64.

use crate::engine::kernel::{Entries, Nibbles, QUARTER};

/// The entries with q < 64.
pub struct Narrow {
    /// Those with q of a quarter or more.
    pub middle: Entries,
    /// The others.
    pub close: Nibbles,
}

impl Narrow {
    /// `None` if some code is no smaller than 16, or two close sources are the same.
    pub fn new(near: &Entries) -> Option<Self> {
        let mut entries = near.as_slice().to_vec();
        entries.sort_unstable();
        let (close, middle) = entries.split_at(entries.partition_point(|e| e.q() < QUARTER));
        Some(Self {
            middle: middle.iter().copied().collect(),
            close: Nibbles::new(close)?,
        })
    }
}
