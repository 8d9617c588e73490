//! How wide a code is.

use super::{Entries, LANES, Lanes, WORDS, Words};
use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

/// The codes of a block, aligned.
pub trait Aligned: Copy + PartialEq + Debug + Send + Sync {
    /// A code of one heap.
    type Code: Width<Lanes = Self>;
}

/// A code of one heap. A block of heaps has 64 bytes of codes, so there are fewer heaps in a block of wider codes.
///
/// Marks lie in planes: plane k has a bit for each of the codes k · `BITS` to k · `BITS` + `BITS` - 1 of every heap.
pub trait Width:
    Copy
    + Ord
    + Default
    + Debug
    + Send
    + Sync
    + 'static
    + BitXor<Output = Self>
    + BitOr<Output = Self>
    + BitAnd<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
{
    /// The codes of a block: an array of [`Width::LANES`] of them.
    type Block: Copy + AsRef<[Self]> + AsMut<[Self]> + Send + Sync;
    /// The codes of a block, aligned to 64 bytes.
    type Lanes: Aligned<Code = Self>;
    /// As many planes as are ever marked.
    type Planes: AsMut<[Self::Lanes]>;
    /// A bit for each code that planes show.
    type Set: Copy + Default + AsRef<[u64]> + AsMut<[u64]>;
    /// An array with an element for each code.
    type Table<T: Copy + Debug + Send + Sync>: Clone + Debug + Send + Sync;
    /// Heaps in a block.
    const LANES: usize;
    /// Codes in a plane.
    const BITS: usize;
    /// Codes are less than this.
    const CODES: usize;
    /// Zero.
    const ZERO: Self;
    /// All ones: no code of a heap, and what a masked source reads as.
    const DEAD: Self;
    /// Marks a rare heap, where codes leave this bit free.
    const FLAG: Self;
    /// Whether all bits may be needed, so that a mask tells rare heaps instead of a flag.
    const MAY_BE_MASKED: bool;
    /// Zero in every lane.
    const ZERO_LANES: Self::Lanes;
    /// All ones in every lane.
    const DEAD_LANES: Self::Lanes;
    /// No marks.
    const NO_MARKS: Self::Planes;

    /// The code with this number. Of a number larger than `DEAD` only the lowest bits are taken.
    fn of(number: usize) -> Self;
    /// The number of the code.
    fn index(self) -> usize;
    /// The number of the code in 16 bits.
    fn word(self) -> u16;
    /// The code again and again in 32 bits.
    fn copies(self) -> u32;
    /// The code that 32 bits repeat, see [`Width::copies`].
    fn of_copies(copies: u32) -> Self;
    /// How many bits are not set.
    fn zeros(self) -> u32;
    /// A bit; none beyond the last one.
    fn bit(place: usize) -> Self;
    /// The plane of the code.
    fn plane(self) -> Self;
    /// The bit of the code in its plane.
    fn mark(self) -> Self;
    /// The bits of smaller codes in its plane.
    fn marks_below(self) -> Self;
    /// The codes of aligned lanes, as a block.
    fn block(lanes: &Self::Lanes) -> &Self::Block;
    /// Like [`Width::block`], for codes that are to be changed.
    fn block_mut(lanes: &mut Self::Lanes) -> &mut Self::Block;
    /// A code for each lane.
    fn lanes(of: impl FnMut(usize) -> Self) -> Self::Block;
    /// A table with what `of` gives for each code.
    fn table<T: Copy + Debug + Send + Sync>(of: impl FnMut(usize) -> T) -> Self::Table<T>;
    /// What a table has for this code.
    fn look_up<T: Copy + Debug + Send + Sync>(self, table: &Self::Table<T>) -> T;

    /// The codes as bytes; `None` if they are wider.
    fn bytes(codes: &[Self]) -> Option<&[u8]>;
    /// Like [`Width::bytes`], for codes that are to be changed.
    fn bytes_mut(codes: &mut [Self]) -> Option<&mut [u8]>;
    /// The planes of codes that are bytes; `None` if codes are wider.
    fn byte_planes(planes: &[Self::Lanes]) -> Option<&[Lanes]>;
    /// The entries of codes that are bytes; `None` if codes are wider.
    fn byte_entries(entries: &Entries<Self>) -> Option<&Entries<u8>>;

    /// The marks of a lane in planes that together fit 64 bits: bit k for code k.
    #[inline(always)]
    fn marks(planes: &[Self::Lanes], lane: usize) -> u64 {
        planes.iter().rev().fold(0, |marks, plane| {
            marks << Self::BITS | Self::block(plane).as_ref()[lane].index() as u64
        })
    }
}

macro_rules! width {
    ($code:ident, $lanes:ident, $count:expr; $($own:tt)*) => {
        impl Width for $code {
            type Block = [$code; $count];
            type Lanes = $lanes;
            const LANES: usize = $count;
            const BITS: usize = $code::BITS as usize;
            const ZERO: Self = 0;
            const DEAD: Self = $code::MAX;
            const FLAG: Self = 1 << ($code::BITS - 1);
            const ZERO_LANES: $lanes = $lanes([0; $count]);
            const DEAD_LANES: $lanes = $lanes([$code::MAX; $count]);

            #[inline(always)]
            fn of(number: usize) -> Self {
                number as $code
            }

            #[inline(always)]
            fn index(self) -> usize {
                usize::from(self)
            }

            #[inline(always)]
            fn word(self) -> u16 {
                u16::from(self)
            }

            #[inline(always)]
            fn copies(self) -> u32 {
                u32::from(self) * (u32::MAX / u32::from($code::MAX))
            }

            #[inline(always)]
            fn of_copies(copies: u32) -> Self {
                copies as $code
            }

            #[inline(always)]
            fn zeros(self) -> u32 {
                self.count_zeros()
            }

            #[inline(always)]
            fn bit(place: usize) -> Self {
                (1 as $code).checked_shl(place as u32).unwrap_or(0)
            }

            #[inline(always)]
            fn plane(self) -> Self {
                self / $code::BITS as $code
            }

            #[inline(always)]
            fn marks_below(self) -> Self {
                self.mark() - 1
            }

            #[inline(always)]
            fn block(lanes: &$lanes) -> &Self::Block {
                &lanes.0
            }

            #[inline(always)]
            fn block_mut(lanes: &mut $lanes) -> &mut Self::Block {
                &mut lanes.0
            }

            #[inline(always)]
            fn lanes(of: impl FnMut(usize) -> Self) -> Self::Block {
                std::array::from_fn(of)
            }

            $($own)*
        }

        impl Aligned for $lanes {
            type Code = $code;
        }
    };
}

width! { u8, Lanes, LANES;
    type Planes = [Lanes; 32];
    type Set = [u64; 4];
    type Table<T: Copy + Debug + Send + Sync> = [T; 256];
    const CODES: usize = 256;
    const MAY_BE_MASKED: bool = true;
    const NO_MARKS: Self::Planes = [Lanes::ZERO; 32];

    /// The bit of the code in its plane, in steps that registers can do: none shifts bytes by bytes.
    #[inline(always)]
    fn mark(self) -> u8 {
        let r = self & 3;
        let low = r + 1 + if r > 1 { 1 } else { 0 } + if r == 3 { 3 } else { 0 };
        low.wrapping_add(low.wrapping_mul(15) & 0u8.wrapping_sub(self >> 2 & 1))
    }

    fn table<T: Copy + Debug + Send + Sync>(mut of: impl FnMut(usize) -> T) -> [T; 256] {
        std::array::from_fn(&mut of)
    }

    #[inline(always)]
    fn look_up<T: Copy + Debug + Send + Sync>(self, table: &[T; 256]) -> T {
        table[usize::from(self)]
    }

    #[inline(always)]
    fn bytes(codes: &[u8]) -> Option<&[u8]> {
        Some(codes)
    }

    #[inline(always)]
    fn bytes_mut(codes: &mut [u8]) -> Option<&mut [u8]> {
        Some(codes)
    }

    #[inline(always)]
    fn byte_planes(planes: &[Lanes]) -> Option<&[Lanes]> {
        Some(planes)
    }

    #[inline(always)]
    fn byte_entries(entries: &Entries<u8>) -> Option<&Entries<u8>> {
        Some(entries)
    }
}

width! { u16, Words, WORDS;
    type Planes = [Words; 64];
    type Set = [u64; 16];
    type Table<T: Copy + Debug + Send + Sync> = Vec<T>;
    const CODES: usize = 1 << 13;
    const MAY_BE_MASKED: bool = false;
    const NO_MARKS: Self::Planes = [Words::ZERO; 64];

    #[inline(always)]
    fn mark(self) -> u16 {
        1 << (self & 15)
    }

    fn table<T: Copy + Debug + Send + Sync>(of: impl FnMut(usize) -> T) -> Vec<T> {
        (0..Self::CODES).map(of).collect()
    }

    #[inline(always)]
    fn look_up<T: Copy + Debug + Send + Sync>(self, table: &Vec<T>) -> T {
        table[usize::from(self) % Self::CODES]
    }

    fn bytes(_: &[u16]) -> Option<&[u8]> {
        None
    }

    fn bytes_mut(_: &mut [u16]) -> Option<&mut [u8]> {
        None
    }

    fn byte_planes(_: &[Words]) -> Option<&[Lanes]> {
        None
    }

    fn byte_entries(_: &Entries<u16>) -> Option<&Entries<u8>> {
        None
    }
}
