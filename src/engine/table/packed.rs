//! The nim-values of a game as byte codes, and the list of its rare heaps.
//!
//! Codes of rare and common heaps collide, so a rare source must be told apart. While all codes are below 128 a rare
//! heap carries [`FLAG`]: an option from it is no code at all, and an option from two flagged heaps is a rare code
//! again. Wider codes leave no bit for that; then a mask lies beside them, as far as a pair of rare heaps reaches.
//!
//! The heaps between the first ones and the last ones may be forgotten. The bytes stay one stretch: what lies before
//! the gap is read at a heap's own place, what lies behind it so many places earlier.
//!
//! That codes add as values do, and keep their order, is shown in `sparse_space.rs`. Time: constant a value. Memory: a byte a
//! heap, 16 a rare heap. Twin: the values themselves, two bytes each.

use std::collections::TryReserveError;
use std::ops::Range;

use super::sparse_space::SparseSpace;
use crate::engine::kernel::{DEAD, LANES, Lanes, Source};

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
    pub fn bits(&self, heaps: Range<usize>) -> u8 {
        let codes = &self.bytes[self.place(heaps.start)..self.place(heaps.end)];
        codes.iter().fold(0, |bits, code| bits | code) & self.code_bits()
    }

    pub fn len(&self) -> usize {
        self.bytes.len() - self.pad + self.forgotten
    }

    /// Where the byte of a heap lies that is not forgotten.
    pub fn place(&self, heap: usize) -> usize {
        if heap < self.first {
            self.pad + heap
        } else {
            self.pad + heap - self.forgotten
        }
    }

    /// Whether some heaps are forgotten.
    pub fn has_gap(&self) -> bool {
        self.forgotten > 0
    }

    /// How many of the first heaps are kept, all that there are if none is forgotten.
    pub fn kept(&self) -> usize {
        if self.has_gap() {
            self.first
        } else {
            self.len()
        }
    }

    /// The first of the last heaps, from which on all are known.
    pub fn window_from(&self) -> usize {
        if self.has_gap() {
            self.first + self.forgotten
        } else {
            0
        }
    }

    /// How many places an option of this heap may reach back.
    pub fn room(&self, heap: usize) -> usize {
        if self.has_gap() {
            heap.saturating_sub(self.window_from())
        } else {
            self.pad + heap
        }
    }

    /// How many bytes the codes take.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Forgets the heaps from `first` to `last` before the end, if no rare heap or pair of them is among them, and they
    /// are worth the time.
    ///
    /// # Panics
    /// If `first` is not what it was when heaps were last forgotten.
    pub fn forget(&mut self, first: usize, last: usize) {
        let until = self.len().saturating_sub(last);
        if until <= self.window_from().max(first) || first <= self.clean_from() + 3 * self.pad {
            return;
        }
        assert!(!self.has_gap() || first == self.first);
        let (from, to) = (self.pad + first, self.place(until));
        self.bytes.copy_within(to.., from);
        self.bytes.truncate(self.bytes.len() - (to - from));
        if !self.has_gap() {
            self.bytes.shrink_to_fit();
        }
        self.first = first;
        self.forgotten = until - first;
        self.mask.truncate(from);
    }

    /// Forgets all but the first heaps, and goes on after the common heaps with these codes, which end before `to`.
    pub fn jump(&mut self, first: usize, to: usize, codes: &[u8]) {
        self.bytes.truncate(self.pad + first);
        self.bytes.extend_from_slice(codes);
        self.first = first;
        self.forgotten = to - codes.len() - first;
        self.mask.truncate(self.pad + first);
    }

    /// The bytes of the heaps from this one on, which must be common.
    pub fn common(&self, from: usize, to: usize) -> &[u8] {
        &self.bytes[self.place(from)..self.place(from) + to - from]
    }

    pub fn pad(&self) -> usize {
        self.pad
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn mask(&self) -> &[u8] {
        &self.mask
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

    /// The options of the block that begins with this heap.
    pub fn source(&self, heap: usize) -> Source<'_> {
        let (codes, mask) = if self.masks(heap) {
            let end = self.bytes.len().min(self.mask.len());
            (&self.bytes[..end], Some(&self.mask[..end]))
        } else {
            (self.bytes.as_slice(), None)
        };
        Source {
            codes,
            mask,
            at: self.place(heap),
        }
    }

    pub fn is_rare(&self, heap: usize) -> bool {
        heap <= self.last_rare()
            && self
                .rares
                .binary_search_by_key(&heap, |rare| rare.heap)
                .is_ok()
    }

    pub fn code(&self, heap: usize) -> u8 {
        self.bytes[self.place(heap)] & self.code_bits()
    }

    pub fn rare_below(&self, heap: usize, code: u8) -> u8 {
        self.below[heap % 2][usize::from(code)]
    }

    /// The same for the block that begins with this heap; 0 for rare heaps.
    pub fn rare_below_each(&self, heap: usize) -> Lanes {
        let mut limits = Lanes::ZERO;
        let (first, second) = (&self.below[heap % 2], &self.below[(heap + 1) % 2]);
        let bytes = &self.bytes[self.place(heap)..][..LANES];
        for (limits, bytes) in limits.0.chunks_exact_mut(2).zip(bytes.chunks_exact(2)) {
            limits[0] = first[usize::from(bytes[0])];
            limits[1] = second[usize::from(bytes[1])];
        }
        if heap <= self.last_rare() {
            let from = self.rares.partition_point(|rare| rare.heap < heap);
            for rare in self.rares[from..]
                .iter()
                .take_while(|rare| rare.heap < heap + LANES)
            {
                limits.0[rare.heap - heap] = 0;
            }
        }
        limits
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

    /// Forgets the heaps from this one on.
    pub fn truncate(&mut self, heap: usize) {
        let heap = heap.max(1);
        self.rares
            .truncate(self.rares.partition_point(|rare| rare.heap < heap));
        let place = self.place(heap);
        self.bytes.truncate(place);
        self.mask.truncate(place);
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

    pub fn value(&self, heap: usize) -> u16 {
        if heap == 0 {
            return 0;
        }
        let byte = self.bytes[self.place(heap)];
        let rare = if self.masked {
            self.is_rare(heap)
        } else {
            byte & FLAG != 0
        };
        if !rare {
            self.values[heap % 2][usize::from(byte)]
        } else {
            self.split
                .value(u16::from(byte & self.code_bits()), true, heap)
        }
    }

    fn code_bits(&self) -> u8 {
        if self.masked { DEAD } else { !FLAG }
    }

    /// Decodes the values from heap `from` on.
    pub fn copy(&self, from: usize, out: &mut [u16]) {
        let bytes = &self.bytes[self.place(from)..][..out.len()];
        let (even, odd) = (&self.values[from % 2], &self.values[(from + 1) % 2]);
        let mut pairs = out.chunks_exact_mut(2);
        let mut codes = bytes.chunks_exact(2);
        for (out, code) in pairs.by_ref().zip(codes.by_ref()) {
            out[0] = even[usize::from(code[0])];
            out[1] = odd[usize::from(code[1])];
        }
        for (out, code) in pairs.into_remainder().iter_mut().zip(codes.remainder()) {
            *out = even[usize::from(*code)];
        }
        let end = from + out.len();
        let first = self.rares.partition_point(|rare| rare.heap < from);
        for rare in self.rares[first..]
            .iter()
            .take_while(|rare| rare.heap < end)
        {
            out[rare.heap - from] = self.split.value(u16::from(rare.code), true, rare.heap);
        }
        if from == 0
            && let Some(zero) = out.first_mut()
        {
            *zero = 0;
        }
    }
}
