//! Nim-values of a game with a sparse space in bounded memory, for as many heaps as time allows.
//!
//! A heap's options need the last few values, of which only the rare heaps below reach far back, and the proof that
//! the rare values below the mex are options needs pairs with a small part, nearly always. So the first heaps and the
//! last ones are kept and those between are forgotten (`table/packed.rs`), with everything that is to be said of
//! them: the rare heaps, the largest value, the deepest pair. A heap whose proof would need a forgotten pair is
//! not guessed: all is computed again with more of it kept, if memory allows, or it is refused.
//! Time: as `sparse.rs`; memory: a few MB. Twin: a table of all heaps.

use super::octal::Octal;
use super::orbits::Orbits;
use super::sparse::{DEEPEST_FROM, DeepestPair, Sparse};
use super::table::packed::{Forgotten, PackedTable};
use super::table::sparse_space::SparseSpace;
use super::{Effort, Stop};
use crate::error::{Error, Reason};

/// So many heaps are kept before any is forgotten.
const ALL: usize = 1 << 22;
/// Heaps known when a ring begins; they show whether the game has a sparse space.
pub(crate) const BEGINNING: u64 = DEEPEST_FROM as u64;
/// The least number of first heaps to keep.
const FIRST: usize = 1 << 18;
/// The least number of the last heaps that stay readable, whatever is forgotten before them.
#[cfg(feature = "cli")]
pub const BACK: u64 = FIRST as u64;
/// Heaps computed between two looks at the memory.
pub const STRIDE: usize = 1 << 20;

/// A largest value and the first heap that has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Largest {
    /// The value.
    pub value: u16,
    /// The heap.
    pub heap: u64,
}

/// The nim-values of a game, of which the first and the last are kept.
pub struct Ring {
    game: Octal,
    name: String,
    effort: Effort,
    /// The first values, to begin again with.
    beginning: PackedTable,
    codes: PackedTable,
    sparse: Sparse,
    /// So many heaps are kept before any is forgotten.
    all: usize,
    largest: Largest,
    /// The heaps below count for it.
    seen: usize,
    /// Whether the values between the first and the last were never known here.
    jumped: bool,
    /// Whether the split was given and stays as it is.
    is_split_given: bool,
    /// So many of the first heaps are kept at least.
    first: usize,
    /// So many of the last heaps stay readable at least.
    back: usize,
}

impl Ring {
    /// Goes on from the first values of a game with this name, which are at least some hundred.
    pub(crate) fn new(game: Octal, name: &str, codes: PackedTable, effort: &Effort) -> Ring {
        let sparse = Sparse::new(&game, &codes, effort.kernel, effort.threads);
        Ring::after(game, name, (codes, sparse), effort)
    }

    /// Goes on from these first values, which are at least some hundred, and keeps to this split of them. `None` if a code needs
    /// more than a byte.
    pub(crate) fn by_split(
        game: Octal,
        name: &str,
        values: &[u16],
        split: SparseSpace,
        effort: &Effort,
    ) -> Option<Ring> {
        let codes = PackedTable::new(split, values, game.reach())?;
        let mut ring = Ring::new(game, name, codes, effort);
        ring.keep_split();
        Some(ring)
    }

    fn keep_split(&mut self) {
        self.is_split_given = true;
        self.sparse.keep_split();
    }

    /// The same, with what was learnt from them.
    pub(crate) fn after(
        game: Octal,
        name: &str,
        (codes, sparse): (PackedTable, Sparse),
        effort: &Effort,
    ) -> Ring {
        let mut ring = Ring {
            game,
            name: name.to_owned(),
            effort: effort.clone(),
            beginning: codes.beginning(BEGINNING as usize),
            codes,
            sparse,
            all: ALL.min((effort.memory / 4) as usize),
            largest: Largest::default(),
            seen: 0,
            jumped: false,
            is_split_given: false,
            first: FIRST,
            back: FIRST,
        };
        ring.look();
        ring
    }

    /// The first values of the same game.
    pub(crate) fn again(&self) -> Ring {
        let beginning = self.beginning.clone();
        let mut again = Ring::new(self.game.clone(), &self.name, beginning, &self.effort);
        if self.is_split_given {
            again.keep_split();
        } else {
            again.adopt(self.split().mask());
        }
        again
    }

    /// Splits the values by this mask, if that leaves class and code of all known as they are. Values to come may show
    /// that it has higher bits than those before could tell.
    pub(crate) fn adopt(&mut self, mask: u16) {
        self.sparse.adopt_mask(&mut self.codes, mask);
    }

    /// The same with no more than so many heaps kept, and some to work on.
    pub(crate) fn keeping(mut self, all: usize) -> Ring {
        self.all = all;
        self
    }

    /// How many values are known: of the heaps 0 to `len() - 1`.
    pub fn len(&self) -> u64 {
        self.codes.len() as u64
    }

    /// The first of the last heaps whose values are kept.
    pub fn window_from(&self) -> u64 {
        self.codes.window_from() as u64
    }

    /// The rare and the common values.
    pub fn split(&self) -> SparseSpace {
        self.codes.split()
    }

    /// The rare heaps and their values.
    pub fn rares(&self) -> impl ExactSizeIterator<Item = (u64, u16)> + '_ {
        let codes = &self.codes;
        let rares = codes.rares().iter();
        rares.map(|rare| {
            let value = codes.split().value(u16::from(rare.code), true, rare.heap);
            (rare.heap as u64, value)
        })
    }

    /// The last rare heap, 0 if there is none.
    pub fn last_rare(&self) -> u64 {
        self.codes.last_rare() as u64
    }

    /// The most stones that a move takes.
    pub fn reach(&self) -> u64 {
        self.game.reach() as u64
    }

    /// The largest value and the first heap that has it.
    pub fn largest(&self) -> Largest {
        self.largest
    }

    /// No heap computed by the ring needed a pair with a smaller part beyond this; see [`Ring::deepest`].
    pub fn depth(&self) -> u64 {
        let (deepest, _, depth_resolution) = self.sparse.deepest();
        deepest.part.max(depth_resolution) as u64
    }

    /// The size of the smaller part, and the first heap, of the deepest pair that was needed, if it is deep enough to
    /// have been noticed.
    pub fn deepest(&self) -> Option<(u64, u64)> {
        let (deepest, _, depth_resolution) = self.sparse.deepest();
        (deepest.part > depth_resolution).then_some((deepest.part as u64, deepest.heap as u64))
    }

    /// The first heap that counts for [`Ring::depth`] and [`Ring::deepest`].
    pub fn deepest_from(&self) -> u64 {
        self.sparse.deepest().1 as u64
    }

    /// The first heap from which on the rule is the same for all.
    pub fn rule_from(&self) -> u64 {
        self.game.from as u64
    }

    /// The bytes in use.
    #[cfg(test)]
    pub fn size(&self) -> usize {
        self.codes.size()
    }

    /// The values of the heaps from this one on.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if one of them is not kept.
    pub fn copy(&self, from: u64, out: &mut [u16]) -> Result<(), Error> {
        self.codes.copy(from as usize, out).map_err(forgotten)
    }

    /// The values of so many heaps before this one.
    ///
    /// # Errors
    /// As for [`Ring::copy`].
    pub(crate) fn last_values(&self, before: u64, count: usize) -> Result<Vec<u16>, Error> {
        let mut values = vec![0; count];
        self.copy(before - count as u64, &mut values)?;
        Ok(values)
    }

    /// The codes of common heaps: equal codes are equal values, if the heaps are both even or both odd.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if one of them is not kept.
    pub fn codes(&self, from: u64, to: u64) -> Result<&[u8], Error> {
        self.codes
            .common(from as usize, to as usize)
            .map_err(forgotten)
    }

    /// From now on the values of so many first heaps stay readable, and of so many last ones, if they are known.
    pub(crate) fn keep(&mut self, first: u64, back: u64) {
        self.first = self.first.max(first as usize);
        self.back = self.back.max(back as usize);
    }

    /// How many of the first heaps to keep, and how many of the last.
    fn kept(&self) -> (usize, usize) {
        let codes = &self.codes;
        let first = if codes.has_gap() {
            codes.kept()
        } else {
            let rare = 2 * codes.last_rare() + 6 * codes.pad();
            let deep = 4 * self.sparse.deepest().0.part;
            self.first.max(rare).max(deep)
        };
        (first, first + codes.pad() + self.back)
    }

    /// Computes the values of the heaps below `to`. If that is no more than [`STRIDE`] heaps on, these and the last 2¹⁸
    /// before them stay readable. It takes less time to go on to `on_to`, if that is known now.
    ///
    /// # Errors
    /// If a value can't be told by the pairs that are kept, nor all be kept; if codes outgrow a byte; if memory is
    /// short; or if `go_on`, told now and then how many are known, stops the work. The values found until then are right.
    pub fn advance(
        &mut self,
        to: u64,
        on_to: u64,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), Error> {
        let (end, on_to) = (to as usize, on_to as usize);
        while self.codes.len() < end {
            let (first, last) = self.kept();
            let size = self.codes.size();
            if size > self.all.min(2 * STRIDE + first + 2 * last) && self.codes.has_gap()
                || size > self.all.max(first + 2 * last)
            {
                self.codes.forget(first, last);
            }
            let next = end.min(self.codes.len() + STRIDE);
            self.check_memory(next)?;
            let result = self
                .sparse
                .extend(&mut self.codes, next, on_to, |_, known| go_on(known as u64));
            self.look();
            let heap = self.codes.len() as u64;
            match result {
                Ok(()) => {}
                Err(Stop::Interrupted) => return Err(Error::Interrupted),
                Err(Stop::TooLarge) => {
                    return Err(Error::OutOfReach {
                        game: self.name.clone(),
                        heap: to - 1,
                        reason: Reason::WideValue { heap },
                        would_do: heap - 1,
                    });
                }
                Err(Stop::Forgotten) => self.keep_more(heap, go_on)?,
                Err(Stop::Memory | Stop::Steps) => return Err(Error::NoMemory { needed: heap }),
            }
        }
        Ok(())
    }

    /// Whether there is room for the heaps below `next`: late rare heaps keep many others.
    fn check_memory(&self, next: usize) -> Result<(), Error> {
        let allowed = self.effort.memory;
        let needed = (self.codes.size() + next - self.codes.len()) as u64;
        if needed <= allowed {
            return Ok(());
        }
        Err(Error::Memory {
            needed,
            allowed,
            would_do: self.len() - 1,
        })
    }

    /// Computes everything again with all heaps kept to beyond this one.
    fn keep_more(&mut self, heap: u64, go_on: &mut dyn FnMut(u64) -> bool) -> Result<(), Error> {
        let needed = heap.saturating_mul(4);
        if needed > self.effort.memory || self.jumped {
            return Err(Error::OutOfReach {
                game: self.name.clone(),
                heap,
                reason: Reason::ForgottenPairs { needed },
                would_do: heap - 1,
            });
        }
        let mut again = self.again().keeping(needed as usize);
        again.keep(self.first as u64, self.back as u64);
        again.advance(heap, heap, go_on)?;
        *self = again;
        Ok(())
    }

    /// Sixty-four stretches of the same sequence, whose values are no larger than `largest`, with witnesses no deeper than
    /// `depth`, all of which are known here.
    pub(crate) fn orbits(&self, depth: u64, window: u64, largest: u16) -> Option<Orbits> {
        let reach = (usize::try_from(depth).ok()?, usize::try_from(window).ok()?);
        let largest = u8::try_from(self.codes.split().code(largest)).ok()?;
        let rules = self.sparse.rules();
        Orbits::new(self.effort.kernel, rules, &self.codes, reach, largest)
    }

    /// How many of the first heaps are kept, or will be.
    pub(crate) fn first(&self) -> u64 {
        self.kept().0 as u64
    }

    /// How many values are enough to go on from.
    pub(crate) fn least_window(&self) -> u64 {
        (self.codes.last_rare() + self.codes.pad() + 64) as u64
    }

    /// Goes on elsewhere: after common heaps with these codes, which end before `to`, with at least `first` of the first
    /// heaps kept. The largest value and the deepest pair are those found from there on. `false` if that can't be done
    /// from so few.
    ///
    /// # Errors
    /// As for [`Ring::advance`].
    pub(crate) fn jump(
        &mut self,
        first: u64,
        to: u64,
        codes: &[u8],
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<bool, Error> {
        if first > self.effort.memory {
            return Ok(false);
        }
        self.keep(first, 0);
        loop {
            let first = self.kept().0 as u64;
            if first.saturating_add(codes.len() as u64) > to || first > self.effort.memory {
                return Ok(false);
            }
            if self.len() >= first {
                if (codes.len() as u64) < self.least_window() {
                    return Ok(false);
                }
                self.codes
                    .jump(first as usize, to as usize, codes)
                    .map_err(forgotten)?;
                self.sparse.restart_at(DeepestPair::default(), to as usize);
                self.sparse.record_known_codes(codes);
                self.seen = to as usize;
                self.largest = Largest::default();
                self.jumped = true;
                self.keep(first, codes.len() as u64);
                return Ok(true);
            }
            self.advance(first, first, go_on)?;
        }
    }

    /// Takes over what was found on the way to where the ring jumped, all values of which were computed.
    pub(crate) fn recall(&mut self, largest: Largest, deepest: (u64, u64), from: u64) {
        self.largest = largest;
        let deepest = DeepestPair {
            part: deepest.0 as usize,
            heap: deepest.1 as usize,
        };
        self.sparse.restart_at(deepest, from as usize);
        self.jumped = false;
    }

    /// Looks for larger values among the heaps that are new.
    fn look(&mut self) {
        const BLOCK: usize = 1 << 12;
        let codes = &self.codes;
        let (new, _) = codes.tail(codes.len() - self.seen);
        let starts = (codes.len() - new.len()..).step_by(BLOCK);
        for (from, bytes) in starts.zip(new.chunks(BLOCK)) {
            let to = from + bytes.len();
            let rares = codes.rares();
            let rare = rares.get(rares.partition_point(|rare| rare.heap < from));
            let rare = rare.is_some_and(|rare| rare.heap < to);
            let mut lanes = [0u8; 64];
            let blocks = bytes.chunks_exact(64);
            for (lane, &byte) in blocks.remainder().iter().enumerate() {
                lanes[lane] = lanes[lane].max(byte);
            }
            for block in blocks {
                for (lane, &byte) in lanes.iter_mut().zip(block) {
                    *lane = (*lane).max(byte);
                }
            }
            let of = |odd: usize| {
                lanes
                    .iter()
                    .skip(odd)
                    .step_by(2)
                    .copied()
                    .max()
                    .unwrap_or(0)
            };
            let value = |odd: usize| codes.split().value(of(odd).into(), false, from + odd);
            if rare || value(0).max(value(1)) > self.largest.value {
                for (heap, value) in
                    (from..to).zip((from..to).map_while(|heap| codes.value(heap).ok()))
                {
                    if value > self.largest.value {
                        self.largest = Largest {
                            value,
                            heap: heap as u64,
                        };
                    }
                }
            }
        }
        self.seen = codes.len();
    }
}

fn forgotten(Forgotten { heap }: Forgotten) -> Error {
    Error::Forgotten { heap: heap as u64 }
}
