//! Open candidates: codes of heaps for which it is not known yet whether the heap has an option with that code.
//!
//! The kernels find open candidates as bits in words, a word for each heap. Which bits are set cannot be predicted, so a branch
//! for each bit would often be predicted wrongly. Instead the words are collected first and turned into a list in rounds: each
//! round takes the lowest bit of every word that is left, and words that have become zero are removed without branches.

use super::compaction::{append, retain};
use super::{LANES, Width};

/// A code of a heap that may be or may not be the code of one of its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenCandidate {
    offset: u32,
    // The code, repeated until it fills 32 bits: every instruction set can copy 32 bits from memory to all lanes, but not fewer.
    codes: u32,
}

impl OpenCandidate {
    /// The code `code` of the heap that lies `offset` after the first one.
    ///
    /// # Panics
    /// If the offset is 2³² or more.
    #[inline(always)]
    pub fn new<C: Width>(offset: usize, code: C) -> Self {
        Self {
            offset: u32::try_from(offset).expect("heaps near one another"),
            codes: code.copies(),
        }
    }

    /// How far the heap lies after the first one.
    #[inline(always)]
    pub fn offset(self) -> usize {
        self.offset as usize
    }

    /// The code.
    #[inline(always)]
    pub fn code<C: Width>(self) -> C {
        C::of_copies(self.codes)
    }

    /// The code, repeated in 32 bits.
    #[inline(always)]
    pub fn codes(self) -> u32 {
        self.codes
    }
}

/// Up to 64 codes of one heap: bit c of `codes` stands for the code `first` + c.
#[derive(Clone, Copy)]
struct Some64 {
    offset: u32,
    first: u32,
    codes: u64,
}

/// Open candidates, up to 64 of one heap in a word, that have not been listed yet.
pub struct OpenCandidates(Vec<Some64>);

/// Lanes that are handled between two branches.
const AT_ONCE: usize = 4;

impl OpenCandidates {
    /// An empty list.
    pub const NONE: Self = Self(Vec::new());

    /// Adds codes of the heaps of some lanes. `codes_of` gives for a lane the offset of its heap and a word, not zero, in which
    /// bit c stands for the code `first` + c. It may also be called for lane 0 when that lane is not set; the result is ignored
    /// then.
    ///
    /// # Panics
    /// If an offset is 2³² or more.
    #[inline(always)]
    pub fn add(&mut self, lanes: u64, first: usize, codes_of: impl Fn(usize) -> (usize, u64)) {
        append(&mut self.0, LANES + 1, |all| {
            let mut lanes = lanes;
            while lanes != 0 {
                for _ in 0..AT_ONCE {
                    let (offset, codes) = codes_of(lanes.trailing_zeros() as usize % LANES);
                    let some = Some64 {
                        offset: u32::try_from(offset).expect("heaps near one another"),
                        first: first as u32,
                        codes,
                    };
                    all.push_if(some, lanes != 0);
                    lanes &= lanes.wrapping_sub(1);
                }
            }
        });
    }

    /// Moves all open candidates to the end of a list, as codes of this width.
    pub fn drain_into<C: Width>(&mut self, list: &mut Vec<OpenCandidate>) {
        let all = &mut self.0;
        while !all.is_empty() {
            let least = |some: &Some64| {
                let code = some.first + some.codes.trailing_zeros();
                OpenCandidate::new(some.offset as usize, C::of(code as usize))
            };
            list.extend(all.iter().map(least));
            all.iter_mut().for_each(|some| some.codes &= some.codes - 1);
            retain(all, |some: Some64| some.codes != 0);
        }
    }
}
