//! The nim-values of a game as codes of a byte or of two, and the list of its rare heaps.
//!
//! Codes of rare and common heaps collide, so a rare source must be told apart. While the highest bit of all codes is free a rare
//! heap carries it as a flag: an option from it is no code at all, and an option from two flagged heaps is a rare
//! code again. Codes of eight bits leave none; then a mask lies beside them, as far as a pair of rare heaps reaches.
//!
//! That codes add as values do, and keep their order, is shown in `sparse_space.rs`. Time: constant a value. Memory: a byte or
//! two a heap, 16 a rare heap. Twin: the values themselves, two bytes each.

mod decode;
mod gap;

pub use gap::{Forgotten, kept};

use std::collections::TryReserveError;
use std::ops::Range;

use crate::engine::kernel::Code;
use crate::engine::sparse_space::SparseSpace;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rare<C> {
    pub heap: usize,
    pub code: C,
}

#[derive(Clone, Debug)]
pub struct PackedTable<C: Code> {
    space: SparseSpace,
    /// The padding in front, longer than any number of stones taken, and then a code for each heap. Heap 0, which no move leaves
    /// as a heap, is marked as a rare one.
    cells: Vec<C>,
    pad: usize,
    rares: Vec<Rare<C>>,
    /// Tells which heaps are rare, instead of a flag in their codes; empty while flags do.
    mask: Vec<C>,
    decoder: Decoder<C>,
    /// The heaps `first..first + forgotten` are forgotten.
    first: usize,
    forgotten: usize,
}

/// What follows from a space about codes of common heaps, those of even heaps first.
#[derive(Clone, Debug)]
struct Decoder<C: Code> {
    /// Common codes must stay below this, so that they and the rare codes below them can be told from flags and marks.
    bound: usize,
    /// The value of each code.
    values: [C::Table<u16>; 2],
    /// How many rare codes lie below each code.
    below: [C::Table<C>; 2],
}

impl<C: Code> Decoder<C> {
    fn new(space: SparseSpace, masked: bool) -> Self {
        let rare_below = |code, heap| usize::from(space.rare_below(code as u16, heap));
        let most = if masked { C::DEAD } else { C::FLAG };
        let most = most.index().min(C::CODES - 1);
        let fits = |&code: &usize| (0..2).all(|heap| rare_below(code, heap) <= most);
        let below = |code, heap| C::of(rare_below(code, heap).min(C::DEAD.index()));
        Self {
            bound: (0..most).take_while(fits).count(),
            values: [0, 1].map(|heap| C::table(|code| space.value(code as u16, false, heap))),
            below: [0, 1].map(|heap| C::table(|code| below(code, heap))),
        }
    }
}

impl<C: Code> PackedTable<C> {
    /// Encodes the first values; `None` if some code needs more bits.
    pub fn new(space: SparseSpace, prefix: &[u16], most_taken: usize) -> Option<Self> {
        let largest = prefix.iter().map(|&value| space.code(value)).max()?;
        let masks = [false, true].into_iter();
        let masks = masks.filter(|masked| !masked || C::MAY_BE_MASKED);
        let mut decoders = masks.map(|masked| (masked, Decoder::new(space, masked)));
        let (masked, decoder) =
            decoders.find(|(_, decoder)| usize::from(largest) < decoder.bound)?;
        let pad = (most_taken + 64).next_multiple_of(64);
        let mut codes = Self {
            space,
            cells: vec![if masked { C::ZERO } else { C::FLAG }; pad + 1],
            pad,
            rares: Vec::new(),
            mask: if masked {
                vec![C::DEAD; pad + 1]
            } else {
                Vec::new()
            },
            decoder,
            first: 0,
            forgotten: 0,
        };
        for (heap, &value) in prefix.iter().enumerate().skip(1) {
            let code = C::of(space.code(value).into());
            if space.is_rare(value, heap) {
                codes.push_rare(code);
            } else {
                codes.push_common(code);
            }
        }
        Some(codes)
    }

    pub fn space(&self) -> SparseSpace {
        self.space
    }

    /// Changes to another space, by which all known heaps have the same class and code.
    pub fn set_space(&mut self, space: SparseSpace) {
        self.space = space;
        self.decoder = Decoder::new(space, self.is_masked());
    }

    /// The bits that occur in the codes of these heaps.
    ///
    /// # Errors
    /// If one of them is not kept.
    pub fn bits(&self, heaps: Range<usize>) -> Result<C, Forgotten> {
        let codes = self.cells(heaps.start, heaps.end)?;
        Ok(codes.iter().fold(C::ZERO, |bits, &code| bits | code) & self.code_bits())
    }

    pub fn len(&self) -> usize {
        self.cells.len() - self.pad + self.forgotten
    }

    /// How many bytes the codes take.
    pub fn size(&self) -> usize {
        size_of_val(self.cells.as_slice())
    }

    /// The cells of the heaps from `from` to below `to`: their codes, which are flagged where heaps are rare and no mask tells
    /// so.
    ///
    /// # Errors
    /// If one of them is not kept.
    pub fn cells(&self, from: usize, to: usize) -> Result<&[C], Forgotten> {
        Ok(&self.cells[self.places(from, to.saturating_sub(from))?])
    }

    pub fn pad(&self) -> usize {
        self.pad
    }

    pub fn rares(&self) -> &[Rare<C>] {
        &self.rares
    }

    /// How many heaps are rare from this one on.
    pub fn rares_from(&self, heap: usize) -> usize {
        self.rares.len() - self.rares.partition_point(|rare| rare.heap < heap)
    }

    pub fn last_rare(&self) -> usize {
        self.rares.last().map_or(0, |rare| rare.heap)
    }

    /// The bound below which common codes must stay.
    pub fn bound(&self) -> usize {
        self.decoder.bound
    }

    fn is_masked(&self) -> bool {
        !self.mask.is_empty()
    }

    /// Whether codes use all bits of their width, so that no bit is left for a flag.
    pub fn is_full(&self) -> bool {
        self.is_masked() || !C::MAY_BE_MASKED
    }

    /// Whether an option of this heap may come from two rare heaps, so that the mask must be read.
    pub fn masks(&self, heap: usize) -> bool {
        self.is_masked() && heap < self.clean_from()
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

    /// The code of a heap.
    ///
    /// # Errors
    /// If the heap is not kept.
    pub fn code(&self, heap: usize) -> Result<C, Forgotten> {
        Ok(self.cells[self.places(heap, 1)?.start] & self.code_bits())
    }

    /// The codes of the last kept heaps, `most` at most, each with its heap.
    pub fn last_codes(&self, most: usize) -> impl ExactSizeIterator<Item = (usize, C)> + '_ {
        let most = most.min(self.len() - self.window_from());
        let cells = &self.cells[self.cells.len() - most..];
        let bits = self.code_bits();
        let codes = cells.iter().map(move |&cell| cell & bits);
        (self.len() - most..self.len()).zip(codes)
    }

    pub fn rare_below(&self, heap: usize, code: C) -> C {
        code.look_up(&self.decoder.below[heap % 2])
    }

    pub fn reserve(&mut self, to: usize) -> Result<(), TryReserveError> {
        let wanted = to - self.forgotten + self.pad + 64;
        self.cells
            .try_reserve_exact(wanted.saturating_sub(self.cells.len()))
    }

    fn push_common(&mut self, code: C) {
        self.cells.push(code);
        self.cover();
    }

    pub fn push_rare(&mut self, code: C) {
        let heap = self.len();
        self.rares.push(Rare { heap, code });
        if self.is_masked() {
            self.cells.push(code);
            // The mask may have been left behind: bring it up to this heap first.
            self.mask.resize(self.cells.len() - 1, C::ZERO);
            self.mask.push(C::DEAD);
        } else {
            self.cells.push(code | C::FLAG);
        }
    }

    /// Appends common codes.
    pub fn append(&mut self, codes: &[C]) {
        self.cells.extend_from_slice(codes);
        self.cover();
    }

    fn cover(&mut self) {
        if self.is_masked() && self.mask.len() < self.clean_from() + 2 * self.pad {
            self.mask.resize(self.cells.len(), C::ZERO);
        }
    }

    /// Trades the flags for a mask, for codes of eight bits.
    ///
    /// # Errors
    /// If the machine has no memory for it.
    pub fn use_mask(&mut self) -> Result<(), TryReserveError> {
        if !self.is_masked() {
            self.mask.try_reserve_exact(self.cells.len())?;
            self.decoder = Decoder::new(self.space, true);
            self.mask.resize(self.cells.len(), C::ZERO);
            for (cell, mask) in self.cells.iter_mut().zip(&mut self.mask) {
                if *cell & C::FLAG != C::ZERO {
                    (*cell, *mask) = (*cell & !C::FLAG, C::DEAD);
                }
            }
        }
        Ok(())
    }

    fn code_bits(&self) -> C {
        if self.is_masked() { C::DEAD } else { !C::FLAG }
    }

    /// The table with wider codes, which leave room for a flag.
    ///
    /// # Errors
    /// If the machine has no memory for it.
    pub fn widened<D: Code>(&self) -> Result<PackedTable<D>, TryReserveError> {
        let wide = |code: C| D::of(code.index());
        let bits = self.code_bits();
        let mut cells = Vec::new();
        cells.try_reserve_exact(self.cells.len())?;
        cells.extend(self.cells.iter().map(|&cell| wide(cell & bits)));
        cells[..=self.pad].fill(D::FLAG);
        for rare in &self.rares {
            // No rare heap is ever forgotten.
            if let Ok(place) = self.places(rare.heap, 1) {
                cells[place.start] |= D::FLAG;
            }
        }
        let rares = self.rares.iter().map(|&Rare { heap, code }| {
            let code = wide(code);
            Rare { heap, code }
        });
        Ok(PackedTable {
            space: self.space,
            cells,
            pad: self.pad,
            rares: rares.collect(),
            mask: Vec::new(),
            decoder: Decoder::new(self.space, false),
            first: self.first,
            forgotten: self.forgotten,
        })
    }
}
