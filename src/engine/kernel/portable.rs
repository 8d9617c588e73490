//! The generic algorithms in plain Rust, which every machine can run.

mod planes;
mod registers;
mod segments;

use super::generic;

/// Plain Rust needs no proof that the processor has some instructions.
#[derive(Clone, Copy, Debug)]
pub struct Token;

/// The generic algorithms, but for those that need a shuffle of bytes or two options at a time: in plain Rust these would take
/// 1.1 to 6 times the instructions of the loops that stand here in their place.
mod loops {
    pub use super::generic::plain::{
        least_unmarked, mark_values as mark_strips, mark_values as mark_windows, options_of_heaps,
        words_of_lanes,
    };
    pub use super::generic::*;
    pub use super::planes::{mark_options, open};
    pub use super::segments::walk;
}

instance!(none, loops);
instance! { none, loops:
    fn settle_nibbles(nibbles: &Nibbles, marks: &[u16; QUARTER], codes: &mut [u8], at: usize, from: usize, left_out: u64) -> usize;
}
