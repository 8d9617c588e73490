//! The nim-values of a game as byte codes, and the list of its rare heaps.
//!
//! Codes of rare and common heaps collide, so a rare source must be told apart. While all codes are below 128 a rare
//! heap carries [`FLAG`]: an option from it is no code at all, and an option from two flagged heaps is a rare code
//! again. Wider codes leave no bit for that; then a mask lies beside them, as far as a pair of rare heaps reaches.
//!
//! That codes add as values do, and keep their order, is shown in `sparse_space.rs`. Time: constant a value. Memory: a byte a
//! heap, 16 a rare heap. Twin: the values themselves, two bytes each.

mod decode;
mod gap;

pub use gap::Forgotten;

use std::collections::TryReserveError;
use std::ops::Range;

use super::sparse_space::SparseSpace;
use crate::engine::kernel::DEAD;

/// Marks a rare heap, and heap 0, which is no heap to leave.
pub const FLAG: u8 = 0x80;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rare {
    pub heap: usize,
    pub code: u8,
}

#[derive(Clone, Debug)]
pub struct PackedTable {
    split: SparseSpace,
    /// Padding in front, longer than any number of stones taken, then a byte a heap.
    bytes: Vec<u8>,
    pad: usize,
    rares: Vec<Rare>,
    /// Masks instead of flags.
    masked: bool,
    bound: usize,
    mask: Vec<u8>,
    values: [[u16; 256]; 2],
    below: [[u8; 256]; 2],
    /// The heaps `first..first + forgotten` are forgotten.
    first: usize,
    forgotten: usize,
}

fn bound(split: SparseSpace, masked: bool) -> usize {
    let most = if masked { DEAD } else { FLAG };
    let fits =
        |&code: &u8| (0..2).all(|heap| split.rare_below(u16::from(code), heap) <= u16::from(most));
    (0..most).take_while(fits).count()
}

impl PackedTable {
    /// Encodes a prefix. `None` if some code needs more than a byte.
    pub fn new(split: SparseSpace, prefix: &[u16], reach: usize) -> Option<Self> {
        let largest = prefix.iter().map(|&value| split.code(value)).max()?;
        if usize::from(largest) >= bound(split, true) {
            return None;
        }
        let masked = usize::from(largest) >= bound(split, false);
        let pad = (reach + 64).next_multiple_of(64);
        let mut codes = Self {
            split,
            bytes: vec![if masked { 0 } else { FLAG }; pad + 1],
            pad,
            rares: Vec::new(),
            masked,
            bound: bound(split, masked),
            mask: if masked {
                vec![DEAD; pad + 1]
            } else {
                Vec::new()
            },
            values: [[0; 256]; 2],
            below: [[0; 256]; 2],
            first: 0,
            forgotten: 0,
        };
        codes.tabulate();
        for (heap, &value) in prefix.iter().enumerate().skip(1) {
            let code = split.code(value) as u8;
            if split.is_rare(value, heap) {
                codes.push_rare(code);
            } else {
                codes.push_common(code);
            }
        }
        Some(codes)
    }

    pub fn split(&self) -> SparseSpace {
        self.split
    }

    /// Another split by which all heaps known have the same class and code.
    pub fn set_split(&mut self, split: SparseSpace) {
        self.split = split;
        self.bound = bound(split, self.masked);
        self.tabulate();
    }

    fn tabulate(&mut self) {
        let split = self.split;
        for heap in 0..2 {
            for code in 0..=255u8 {
                let below = split.rare_below(u16::from(code), heap);
                self.values[heap][usize::from(code)] = split.value(u16::from(code), false, heap);
                self.below[heap][usize::from(code)] = below.min(u16::from(DEAD)) as u8;
            }
        }
    }

    /// All bits of the codes of these heaps.
    ///
    /// # Errors
    /// If one of them is not kept.
    pub fn bits(&self, heaps: Range<usize>) -> Result<u8, Forgotten> {
        let codes = self.common(heaps.start, heaps.end)?;
        Ok(codes.iter().fold(0, |bits, code| bits | code) & self.code_bits())
    }

    pub fn len(&self) -> usize {
        self.bytes.len() - self.pad + self.forgotten
    }

    /// How many bytes the codes take.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes of the heaps from this one on, which must be common.
    ///
    /// # Errors
    /// If one of them is not kept.
    pub fn common(&self, from: usize, to: usize) -> Result<&[u8], Forgotten> {
        Ok(&self.bytes[self.places(from, to.saturating_sub(from))?])
    }

    pub fn pad(&self) -> usize {
        self.pad
    }

    pub fn rares(&self) -> &[Rare] {
        &self.rares
    }

    pub fn last_rare(&self) -> usize {
        self.rares.last().map_or(0, |rare| rare.heap)
    }

    /// Common codes must stay below this, so that they and the rare codes below them can be told from marks.
    pub fn bound(&self) -> usize {
        self.bound
    }

    /// Whether codes take eight bits.
    pub fn is_wide(&self) -> bool {
        self.masked
    }

    /// Whether options of this heap may come from two rare heaps, and a mask tells.
    pub fn masks(&self, heap: usize) -> bool {
        self.masked && heap < self.clean_from()
    }

    fn clean_from(&self) -> usize {
        2 * self.last_rare() + 2 * self.pad
    }

    pub fn is_rare(&self, heap: usize) -> bool {
        heap <= self.last_rare()
            && self
                .rares
                .binary_search_by_key(&heap, |rare| rare.heap)
                .is_ok()
    }

    /// # Errors
    /// If the heap is not kept.
    pub fn code(&self, heap: usize) -> Result<u8, Forgotten> {
        Ok(self.bytes[self.places(heap, 1)?.start] & self.code_bits())
    }

    /// The codes of the last heaps, as many as are kept but `most` at most, with their heaps.
    pub fn last_codes(&self, most: usize) -> impl ExactSizeIterator<Item = (usize, u8)> + '_ {
        let most = most.min(self.len() - self.window_from());
        let bytes = &self.bytes[self.bytes.len() - most..];
        let bits = self.code_bits();
        let codes = bytes.iter().map(move |byte| byte & bits);
        (self.len() - most..self.len()).zip(codes)
    }

    pub fn rare_below(&self, heap: usize, code: u8) -> u8 {
        self.below[heap % 2][usize::from(code)]
    }

    pub fn reserve(&mut self, to: usize) -> Result<(), TryReserveError> {
        let wanted = to - self.forgotten + self.pad + 64;
        self.bytes
            .try_reserve_exact(wanted.saturating_sub(self.bytes.len()))
    }

    fn push_common(&mut self, code: u8) {
        self.bytes.push(code);
        self.cover();
    }

    pub fn push_rare(&mut self, code: u8) {
        let heap = self.len();
        self.rares.push(Rare { heap, code });
        if self.masked {
            self.bytes.push(code);
            // The mask may have been left behind: bring it up to this heap first.
            self.mask.resize(self.bytes.len() - 1, 0);
            self.mask.push(DEAD);
        } else {
            self.bytes.push(code | FLAG);
        }
    }

    /// Appends common codes.
    pub fn append(&mut self, codes: &[u8]) {
        self.bytes.extend_from_slice(codes);
        self.cover();
    }

    fn cover(&mut self) {
        if self.masked && self.mask.len() < self.clean_from() + 2 * self.pad {
            self.mask.resize(self.bytes.len(), 0);
        }
    }

    /// The first heaps alone.
    pub fn beginning(&self, heaps: usize) -> Self {
        let mut beginning = self.clone();
        beginning.truncate(heaps);
        beginning.bytes.shrink_to_fit();
        beginning
    }

    /// Trades the flags for a mask, for codes of eight bits.
    ///
    /// # Errors
    /// If the machine has no memory for it.
    pub fn widen(&mut self) -> Result<(), TryReserveError> {
        if !self.masked {
            self.mask.try_reserve_exact(self.bytes.len())?;
            self.masked = true;
            self.bound = bound(self.split, true);
            self.mask.resize(self.bytes.len(), 0);
            for (byte, mask) in self.bytes.iter_mut().zip(&mut self.mask) {
                if *byte & FLAG != 0 {
                    (*byte, *mask) = (*byte & !FLAG, DEAD);
                }
            }
        }
        Ok(())
    }

    fn code_bits(&self) -> u8 {
        if self.masked { DEAD } else { !FLAG }
    }
}
