//! The values of a sparse game as codes, with what was learnt from them: the one owner of the width of a code.
//!
//! A code takes a byte as long as all codes fit one, and two bytes from then on. Code that works on codes is generic over their
//! width; a table or a window keeps them as [`CodedValues`]; and codes that are given out are [`Codes`]. Twin: a vector of
//! values.

use super::codes::Codes;
use super::kernel::{Code, Kernel};
use super::octal::Octal;
use super::packed::{Forgotten, PackedTable};
use super::segments_in_lanes::SegmentsInLanes;
use super::sparse::{self, Depth, Sparse};
use super::sparse_space::SparseSpace;
use super::{Effort, Stop};
use std::collections::TryReserveError;
use std::fmt;

/// Codes of one width, some of them perhaps forgotten, and what an engine has learnt to compute more of them.
pub(crate) struct Coded<C: Code> {
    pub(super) codes: PackedTable<C>,
    pub(super) sparse: Sparse<C>,
}

/// The values of a game as codes of one byte, or of two.
#[derive(Clone)]
pub(crate) enum CodedValues {
    Bytes(Box<Coded<u8>>),
    Words(Box<Coded<u16>>),
}

/// Codes, whichever their width is.
pub(crate) trait AnyCodes {
    /// Copies the values of the heaps from this one on.
    ///
    /// # Errors
    /// If one of them is not kept.
    fn copy(&self, from: usize, out: &mut [u16]) -> Result<(), Forgotten>;

    /// Whether going on by rare heaps costs less than by all pairs.
    fn cost_less_than_all_pairs(&self) -> bool;
}

impl<C: Code> AnyCodes for PackedTable<C> {
    fn copy(&self, from: usize, out: &mut [u16]) -> Result<(), Forgotten> {
        PackedTable::copy(self, from, out)
    }

    fn cost_less_than_all_pairs(&self) -> bool {
        sparse::costs_less_than_all_pairs(self)
    }
}

/// Evaluates an expression of a [`Coded`], whichever width the codes of [`CodedValues`] have.
macro_rules! either {
    ($coded_values:expr, $coded:pat => $of:expr) => {
        match $coded_values {
            $crate::engine::coded_values::CodedValues::Bytes($coded) => $of,
            $crate::engine::coded_values::CodedValues::Words($coded) => $of,
        }
    };
}
pub(super) use either;

impl CodedValues {
    /// These first values by this space, in codes of `width` bytes or more; `None` if two bytes are not enough.
    pub(super) fn new(
        game: &Octal,
        (values, space): (&[u16], SparseSpace),
        width: usize,
        effort: &Effort,
    ) -> Option<CodedValues> {
        let bytes = (width == 1).then(|| Coded::new(game, (values, space), effort));
        match bytes.flatten() {
            Some(bytes) => Some(CodedValues::Bytes(bytes)),
            None => Coded::new(game, (values, space), effort).map(CodedValues::Words),
        }
    }

    /// These first values, if they show a sparse space in which at most one in `share` of the last heaps is rare.
    pub(crate) fn encode(
        game: &Octal,
        values: &[u16],
        share: usize,
        effort: &Effort,
    ) -> Option<CodedValues> {
        let space = SparseSpace::shown_by(game, values, share)?;
        CodedValues::new(game, (values, space), 1, effort)
    }

    /// Forgets what was learnt from the codes, in order to continue with this game and this effort.
    pub(crate) fn learn_anew(&mut self, game: &Octal, effort: &Effort) {
        either!(self, coded => {
            coded.sparse = Sparse::new(game, &coded.codes, effort.kernel, effort.threads);
        });
    }

    /// The bytes of a code: 1 or 2.
    pub(super) fn width(&self) -> usize {
        match self {
            CodedValues::Bytes(_) => 1,
            CodedValues::Words(_) => 2,
        }
    }

    /// The solver of segments in lanes, which takes codes of one byte; see [`SegmentsInLanes::new`].
    pub(super) fn in_lanes(
        &self,
        kernel: Kernel,
        reach: (usize, usize),
        largest: u16,
    ) -> Option<SegmentsInLanes> {
        let CodedValues::Bytes(coded) = self else {
            return None;
        };
        let largest = self.space().code(largest).try_into().ok()?;
        SegmentsInLanes::new(kernel, coded.sparse.rules(), &coded.codes, reach, largest)
    }

    /// Keeps the codes in two bytes each from now on. Returns whether they took one byte before.
    ///
    /// # Errors
    /// If the machine has no memory for it.
    pub(crate) fn widen(&mut self) -> Result<bool, TryReserveError> {
        let CodedValues::Bytes(bytes) = self else {
            return Ok(false);
        };
        let codes = bytes.codes.widened()?;
        let sparse = bytes.sparse.copied_to(&codes);
        *self = CodedValues::Words(Box::new(Coded { codes, sparse }));
        Ok(true)
    }

    /// Makes room for common codes as large as `largest`; `false` if even two bytes have no room.
    ///
    /// # Errors
    /// If the machine has no memory for it.
    pub(super) fn make_room(&mut self, largest: u16) -> Result<bool, TryReserveError> {
        if let CodedValues::Bytes(coded) = self
            && !coded.make_room(largest)?
        {
            self.widen()?;
        }
        either!(self, coded => coded.make_room(largest))
    }

    /// Computes the values of all heaps below `to`, given that the known ones are right; a later call up to `on_to` takes less
    /// time if that is known now. `go_on` is shown the codes now and then, and how many of them are proved.
    ///
    /// # Errors
    /// [`Stop::TooLarge`] if a code needs more bytes than codes have; [`Stop::Forgotten`], [`Stop::Memory`], or
    /// [`Stop::Interrupted`] if `go_on` says no. The values found until then are right.
    pub(crate) fn extend(
        &mut self,
        to: usize,
        on_to: usize,
        go_on: &mut dyn FnMut(&dyn AnyCodes, usize) -> bool,
    ) -> Result<(), Stop> {
        either!(self, coded => coded.sparse.extend(&mut coded.codes, to, on_to, |codes, proved| {
            go_on(codes, proved)
        }))
    }

    /// How deep the pairs lie that proofs have needed.
    pub(crate) fn depth(&self) -> Depth {
        either!(self, coded => coded.sparse.depth())
    }

    /// How many values are known.
    pub(super) fn len(&self) -> usize {
        either!(self, coded => coded.codes.len())
    }

    /// The sparse space.
    pub(crate) fn space(&self) -> SparseSpace {
        either!(self, coded => coded.codes.space())
    }

    /// The last rare heap, 0 if there is none.
    pub(crate) fn last_rare(&self) -> usize {
        either!(self, coded => coded.codes.last_rare())
    }

    /// The codes.
    pub(crate) fn codes(&self) -> &dyn AnyCodes {
        either!(self, coded => &coded.codes)
    }
}

impl fmt::Debug for CodedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        either!(self, coded => coded.codes.fmt(f))
    }
}

impl<C: Code> Clone for Coded<C> {
    fn clone(&self) -> Coded<C> {
        let codes = self.codes.clone();
        let sparse = self.sparse.copied_to(&codes);
        Coded { codes, sparse }
    }
}

impl<C: Code> Coded<C> {
    /// These first values by this space; `None` if some code needs more bytes.
    fn new(
        game: &Octal,
        (values, space): (&[u16], SparseSpace),
        effort: &Effort,
    ) -> Option<Box<Coded<C>>> {
        let codes = PackedTable::new(space, values, game.most_taken())?;
        let sparse = Sparse::new(game, &codes, effort.kernel, effort.threads);
        Some(Box::new(Coded { codes, sparse }))
    }

    /// The rare heap of this number, and its value.
    pub(super) fn rare(&self, number: usize) -> (u64, u16) {
        let rare = self.codes.rares()[number];
        let value = self.codes.space().value(rare.code.word(), true, rare.heap);
        (rare.heap as u64, value)
    }

    /// How many codes are kept.
    pub(super) fn count(&self) -> usize {
        self.codes.size() / size_of::<C>()
    }

    /// Forgets all values but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        self.codes.truncate(len);
        self.sparse = self.sparse.copied_to(&self.codes);
    }

    /// A byte for each of the heaps from `from` to before `to`, if codes are bytes and none of these heaps is rare.
    ///
    /// # Errors
    /// If one of them is not kept.
    pub(super) fn common_bytes(&self, from: usize, to: usize) -> Result<Option<&[u8]>, Forgotten> {
        // A rare heap may be flagged.
        if from <= self.codes.last_rare() {
            return Ok(None);
        }
        self.codes.cells(from, to).map(C::bytes)
    }

    /// Makes room for common codes as large as `largest`, if codes of this width can have it. Returns whether they have.
    fn make_room(&mut self, largest: u16) -> Result<bool, TryReserveError> {
        if usize::from(largest) >= self.codes.bound() && !self.codes.is_full() {
            self.sparse.use_mask(&mut self.codes)?;
        }
        Ok(usize::from(largest) < self.codes.bound())
    }

    /// Forgets all but the first heaps, and goes on after the common heaps with these codes, for which there is room, and which
    /// end before `to`.
    ///
    /// # Errors
    /// If not so many of the first heaps are kept, or the codes would begin among them.
    pub(super) fn restart_at(
        &mut self,
        first: usize,
        to: usize,
        codes: &Codes<'_>,
    ) -> Result<(), Forgotten> {
        let codes: Vec<C> = codes.of_width();
        self.codes.restart_at(first, to, &codes)?;
        self.sparse.restart_at(Depth {
            from: to,
            ..Depth::default()
        });
        self.sparse.record_known_codes(&codes);
        Ok(())
    }
}
