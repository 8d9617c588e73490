//! The codes that a window keeps, in a byte each or in two, and what was learnt of them.

use super::Largest;
use crate::engine::kernel::Code;
use crate::engine::octal::Octal;
use crate::engine::packed::{Forgotten, PackedTable};
use crate::engine::sparse::{DeepestPair, Sparse};
use crate::engine::sparse_space::SparseSpace;
use crate::engine::{Effort, codes::Codes};
use std::collections::TryReserveError;

/// The codes of a game, some of them perhaps forgotten, and what it takes to go on from them.
pub(crate) struct Coded<C: Code> {
    pub(super) codes: PackedTable<C>,
    pub(super) sparse: Sparse<C>,
}

/// Codes of a byte as long as that is wide enough, then of two.
// A window has one of them, and few windows are held at a time.
#[allow(clippy::large_enum_variant)]
pub(crate) enum Held {
    Bytes(Coded<u8>),
    Words(Coded<u16>),
}

/// Evaluates an expression of a [`Coded`], whichever width the codes of a [`Held`] have.
macro_rules! either {
    ($held:expr, $coded:pat => $of:expr) => {
        match $held {
            Held::Bytes($coded) => $of,
            Held::Words($coded) => $of,
        }
    };
}
pub(super) use either;

impl Held {
    /// Holds these first values by this split, in codes of `width` bytes at least; `None` if two are not enough.
    pub(super) fn new(
        game: &Octal,
        (values, split): (&[u16], SparseSpace),
        width: usize,
        effort: &Effort,
    ) -> Option<Held> {
        if width == 1
            && let Some(codes) = PackedTable::new(split, values, game.reach())
        {
            return Some(Held::Bytes(Coded::new(game, codes, None, effort)));
        }
        let codes = PackedTable::new(split, values, game.reach())?;
        Some(Held::Words(Coded::new(game, codes, None, effort)))
    }

    /// The bytes of a code.
    pub(super) fn width(&self) -> usize {
        match self {
            Held::Bytes(_) => 1,
            Held::Words(_) => 2,
        }
    }

    /// Keeps codes of two bytes, if they are of one.
    ///
    /// # Errors
    /// If the machine has no memory for it.
    pub(super) fn widen(&mut self) -> Result<(), TryReserveError> {
        if let Held::Bytes(Coded { codes, sparse }) = self {
            let codes = codes.doubled()?;
            let sparse = sparse.doubled(&codes);
            *self = Held::Words(Coded { codes, sparse });
        }
        Ok(())
    }

    /// Makes room for common codes as large as this; `false` if even two bytes have none.
    ///
    /// # Errors
    /// If the machine has no memory for it.
    pub(super) fn make_room(&mut self, largest: u16) -> Result<bool, TryReserveError> {
        if let Held::Bytes(coded) = self
            && !coded.make_room(largest)?
        {
            self.widen()?;
        }
        either!(self, coded => coded.make_room(largest))
    }
}

impl<C: Code> Coded<C> {
    /// Holds codes, with what was learnt of them if anything was.
    pub(crate) fn new(
        game: &Octal,
        codes: PackedTable<C>,
        learnt: Option<Sparse<C>>,
        effort: &Effort,
    ) -> Coded<C> {
        let begun = || Sparse::new(game, &codes, effort.kernel, effort.threads);
        let sparse = learnt.unwrap_or_else(begun);
        Coded { codes, sparse }
    }

    /// The values before this heap, all of which are kept.
    pub(super) fn first_values(&self, before: usize) -> Result<Vec<u16>, Forgotten> {
        let mut values = vec![0; before];
        self.codes.copy(0, &mut values)?;
        Ok(values)
    }

    /// The rare heap of this number, and its value.
    pub(super) fn rare(&self, number: usize) -> (u64, u16) {
        let rare = self.codes.rares()[number];
        let value = self.codes.split().value(rare.code.word(), true, rare.heap);
        (rare.heap as u64, value)
    }

    /// How many codes are kept.
    pub(super) fn count(&self) -> usize {
        self.codes.size() / size_of::<C>()
    }

    /// Whether common codes as large as this have room, or could be given some without wider codes.
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
        self.sparse.restart_at(DeepestPair::default(), to);
        self.sparse.record_known_codes(&codes);
        Ok(())
    }

    /// The largest value, if those of the heaps from `seen` on may be larger than this one.
    pub(super) fn largest(&self, seen: usize, mut largest: Largest) -> Largest {
        const BLOCK: usize = 1 << 12;
        let codes = &self.codes;
        let (new, _) = codes.tail(codes.len() - seen);
        let starts = (codes.len() - new.len()..).step_by(BLOCK);
        for (from, block) in starts.zip(new.chunks(BLOCK)) {
            let to = from + block.len();
            let rares = codes.rares();
            let rare = rares.get(rares.partition_point(|rare| rare.heap < from));
            let rare = rare.is_some_and(|rare| rare.heap < to);
            let mut lanes = [C::ZERO; 64];
            let blocks = block.chunks_exact(64);
            for (lane, &code) in blocks.remainder().iter().enumerate() {
                lanes[lane] = lanes[lane].max(code);
            }
            for block in blocks {
                for (lane, &code) in lanes.iter_mut().zip(block) {
                    *lane = (*lane).max(code);
                }
            }
            let of = |odd: usize| {
                let lanes = lanes.iter().skip(odd).step_by(2);
                lanes.copied().max().unwrap_or(C::ZERO)
            };
            let value = |odd: usize| codes.split().value(of(odd).word(), false, from + odd);
            if rare || value(0).max(value(1)) > largest.value {
                for (heap, value) in
                    (from..to).zip((from..to).map_while(|heap| codes.value(heap).ok()))
                {
                    if value > largest.value {
                        largest = Largest {
                            value,
                            heap: heap as u64,
                        };
                    }
                }
            }
        }
        largest
    }
}
