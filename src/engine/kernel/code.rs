//! How wide a code is.

use super::{DEAD, LANES, Lanes, WORDS, Words};

/// A code of one heap. A block of heaps has 64 bytes of codes, so there are fewer heaps in a block of wider codes.
pub trait Code: Copy + Ord {
    /// The codes of a block.
    type Block: Copy;
    /// The same, aligned to 64 bytes.
    type Lanes: Copy;
    /// Heaps in a block.
    const LANES: usize;
    /// All ones: no code of a heap, and what a masked source reads as.
    const DEAD: Self;
    /// The codes of a block.
    fn block(lanes: &Self::Lanes) -> &Self::Block;
    /// The codes of a block.
    fn block_mut(lanes: &mut Self::Lanes) -> &mut Self::Block;
    /// The code XOR another one.
    fn xor(self, other: Self) -> Self;
}

macro_rules! code {
    ($code:ty, $lanes:ident, $count:expr, $dead:expr) => {
        impl Code for $code {
            type Block = [$code; $count];
            type Lanes = $lanes;
            const LANES: usize = $count;
            const DEAD: Self = $dead;

            #[inline(always)]
            fn block(lanes: &$lanes) -> &Self::Block {
                &lanes.0
            }

            #[inline(always)]
            fn block_mut(lanes: &mut $lanes) -> &mut Self::Block {
                &mut lanes.0
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
        }
    };
}

code!(u8, Lanes, LANES, DEAD);
code!(u16, Words, WORDS, u16::MAX);
