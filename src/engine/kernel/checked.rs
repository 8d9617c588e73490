//! What the kernels read without a look at each bound: only the checks here make these types. Besides, bands (`bands.rs`) and
//! lists (`compaction.rs`) are read and written unchecked, in their own files.
//!
//! A check costs a few comparisons a call, however many options there are; the loops behind it check nothing.
#![allow(unsafe_code)]

use super::entries::{Distances, RunCounts};
use super::first_parts::{BLOCKS_IN_ROW, FirstParts, Row, parts_in_row};
use super::width::Width;
use super::{Entries, Entry};

/// Where the options of a block come from: `codes[at]` belongs to its first heap. A source whose mask is
/// [`Code::DEAD`](super::Code::DEAD) is no option.
#[derive(Clone, Copy)]
pub struct Source<'a, C> {
    /// The codes.
    pub codes: &'a [C],
    /// The masks beside them.
    pub mask: Option<&'a [C]>,
    /// Where the first heap of the block has its code.
    pub at: usize,
}

/// A block whose codes, from `codes[at]` on, are being found, with what comes before them.
pub struct Block<'a, C> {
    /// The codes.
    pub codes: &'a mut [C],
    /// The masks beside them.
    pub mask: Option<&'a [C]>,
    /// Where the first heap of the block has its code.
    pub at: usize,
}

/// Whether, for distances from `least` to `most`, the block from `at` less the distance on lies inside `length` codes.
fn inside<C: Width>(at: usize, least: usize, most: usize, length: usize) -> bool {
    let end = at
        .checked_sub(least)
        .and_then(|start| start.checked_add(C::LANES));
    most <= at && end.is_some_and(|end| end <= length)
}

/// The options of a block, by entries whose sources all lie inside the codes and the mask.
#[derive(Clone, Copy)]
pub struct Options<'a, C> {
    source: Source<'a, C>,
    entries: &'a [Entry<C>],
    runs: RunCounts,
}

/// The sources of a block by one entry, their masks, and what is XORed to them.
pub type Sources<'a, C> = (&'a <C as Width>::Block, Option<&'a <C as Width>::Block>, C);

impl<'a, C: Width> Options<'a, C> {
    /// The options of a block by these entries.
    ///
    /// # Panics
    /// If some source of some entry lies outside.
    pub fn new(source: Source<'a, C>, entries: &'a Entries<C>) -> Self {
        let Distances { least, most } = entries.distances();
        let length = source.codes.len();
        assert!(
            entries.is_empty()
                || inside::<C>(source.at, least, most, length)
                    && source.mask.is_none_or(|mask| mask.len() >= length),
            "a source lies outside"
        );
        Self {
            source,
            entries: entries.as_slice(),
            runs: entries.runs(),
        }
    }

    /// Like [`Options::new`], for one entry.
    ///
    /// # Panics
    /// If one of its sources lies outside.
    pub fn one(source: Source<'a, C>, entry: &'a Entry<C>) -> Self {
        let length = source.codes.len();
        assert!(
            inside::<C>(source.at, entry.q(), entry.q(), length)
                && source.mask.is_none_or(|mask| mask.len() >= length),
            "a source lies outside"
        );
        Self {
            source,
            entries: std::slice::from_ref(entry),
            runs: [1, 0, 0],
        }
    }

    pub fn is_masked(self) -> bool {
        self.source.mask.is_some()
    }

    /// How many entries there are.
    pub fn len(self) -> usize {
        self.entries.len()
    }

    /// How many runs the entries form.
    pub fn runs(self) -> usize {
        self.runs.iter().sum()
    }

    /// Whether there are runs of `RUN` entries or more.
    pub fn has_runs_of<const RUN: usize>(self) -> bool {
        self.runs[RUN - 1..].iter().any(|&count| count > 0)
    }

    /// The sources of the block by the last entry and by the first one of each run of `RUN` entries.
    #[inline(always)]
    pub fn ends_of_runs<const RUN: usize>(self) -> impl Iterator<Item = [Sources<'a, C>; 2]> {
        let longer = (RUN + 1..).zip(&self.runs[RUN..]);
        let before: usize = longer.map(|(length, count)| length * count).sum();
        let entries = &self.entries[before..][..RUN * self.runs[RUN - 1]];
        let runs = entries.as_chunks::<RUN>().0.iter();
        runs.map(move |run| [self.sources(&run[RUN - 1]), self.sources(&run[0])])
    }

    /// The sources of the block, entry after entry.
    #[inline(always)]
    pub fn each(self) -> impl Iterator<Item = Sources<'a, C>> + Clone {
        self.entries.iter().map(move |entry| self.sources(entry))
    }

    /// The sources of the block by one of its entries.
    #[inline(always)]
    fn sources(self, entry: &Entry<C>) -> Sources<'a, C> {
        let Source { codes, mask, at } = self.source;
        let start = at - entry.q();
        // SAFETY: both constructors have checked that every entry's block lies inside the codes, and that there are as many
        // masks.
        unsafe {
            let mask = mask.map(|mask| block_at(mask, start));
            (block_at(codes, start), mask, entry.u())
        }
    }
}

/// The block from `start` on.
///
/// # Safety
/// It must lie inside the slice.
#[inline(always)]
unsafe fn block_at<C: Width>(slice: &[C], start: usize) -> &C::Block {
    const {
        assert!(size_of::<C::Block>() == C::LANES * size_of::<C>());
        assert!(align_of::<C::Block>() == align_of::<C>());
    }
    debug_assert!(start + C::LANES <= slice.len());
    // SAFETY: the caller promises it, and a block is an array of so many codes.
    unsafe { &*slice.as_ptr().add(start).cast() }
}

/// For some neighbouring heaps, the sources opposite each row of first parts. All lie inside the codes and the mask.
#[derive(Clone, Copy)]
pub struct Opposite<'a, C: Width> {
    source: Source<'a, C>,
    firsts: &'a FirstParts<C>,
    /// How far the last of these heaps lies behind the first one.
    last: usize,
}

/// The sources that lie opposite a row.
#[derive(Clone, Copy)]
pub struct Seconds<'a, C> {
    codes: &'a [C],
    /// How far behind the first of these codes a row begins at most.
    last: usize,
}

impl<'a, C: Width> Seconds<'a, C> {
    /// The sources for the heap that lies `offset` behind the first one.
    #[inline(always)]
    pub fn of(self, offset: usize) -> &'a [C::Block; BLOCKS_IN_ROW] {
        let start = offset.min(self.last);
        debug_assert!(start + parts_in_row::<C>() <= self.codes.len());
        // SAFETY: it was checked when this was made that a row lies inside from `last` on, and a row is an array of so many codes.
        unsafe { &*self.codes.as_ptr().add(start).cast() }
    }
}

impl<'a, C: Width> Opposite<'a, C> {
    /// The sources opposite these rows for the heap at the source's place and those behind it, less than `heaps` behind.
    ///
    /// # Panics
    /// If some source of some row lies outside.
    pub fn new(source: Source<'a, C>, firsts: &'a FirstParts<C>, heaps: usize) -> Self {
        let Distances { least, most } = firsts.distances();
        let length = source.codes.len();
        let end = source.at.checked_sub(least).and_then(|start| {
            start
                .checked_add(parts_in_row::<C>() - 1)?
                .checked_add(heaps)
        });
        assert!(
            firsts.as_slice().is_empty()
                || heaps > 0
                    && most <= source.at
                    && end.is_some_and(|end| end <= length)
                    && source.mask.is_none_or(|mask| mask.len() >= length),
            "a source lies outside"
        );
        let last = heaps.saturating_sub(1);
        Self {
            source,
            firsts,
            last,
        }
    }

    /// Whether the sources have masks.
    pub fn sources_are_masked(self) -> bool {
        self.source.mask.is_some()
    }

    /// Whether there are first parts that must not be used.
    pub fn firsts_are_masked(self) -> bool {
        self.firsts.are_masked()
    }

    /// Each row with the sources opposite it, and their masks if there are any.
    #[inline(always)]
    pub fn each(
        self,
    ) -> impl Iterator<Item = (&'a Row<C>, Seconds<'a, C>, Option<Seconds<'a, C>>)> {
        let Source { codes, mask, at } = self.source;
        let last = self.last;
        self.firsts.as_slice().iter().map(move |row| {
            let from = |codes: &'a [C]| Seconds {
                codes: &codes[at - row.q..],
                last,
            };
            (row, from(codes), mask.map(from))
        })
    }
}

/// A block to settle, by entries whose sources lie before each heap and inside the codes.
pub struct Unsettled<'a, C> {
    block: Block<'a, C>,
    entries: &'a [Entry<C>],
}

impl<'a, C: Width> Unsettled<'a, C> {
    /// A block to be settled by these entries.
    ///
    /// # Panics
    /// If the block or some source lies outside, or if a heap would be a source of itself.
    pub fn new(block: Block<'a, C>, entries: &'a Entries<C>) -> Self {
        let Distances { least, most } = entries.distances();
        let length = block.codes.len();
        assert!(
            inside::<C>(block.at, 0, 0, length)
                && block.mask.is_none_or(|mask| mask.len() >= length)
                && (entries.is_empty() || least >= 1 && most <= block.at),
            "a source lies outside, or a heap is its own"
        );
        let entries = entries.as_slice();
        Self { block, entries }
    }

    /// The codes of the block.
    #[inline(always)]
    pub fn codes(&mut self) -> &mut C::Block {
        let codes = &mut self.block.codes[self.block.at..];
        // SAFETY: it was checked when this was made that the block lies inside.
        unsafe { &mut *codes.as_mut_ptr().cast() }
    }

    /// The options of the block as its codes are now.
    #[inline(always)]
    pub fn options(&self) -> Options<'_, C> {
        let Block { codes, mask, at } = &self.block;
        let source = Source {
            codes,
            mask: *mask,
            at: *at,
        };
        Options {
            source,
            entries: self.entries,
            runs: [self.entries.len(), 0, 0],
        }
    }
}

/// Pairs of codes i and `sum` - i, i from `low` to below `high`, all inside the codes.
#[derive(Clone, Copy)]
pub struct Pairs<'a, C> {
    codes: &'a [C],
    sum: usize,
    low: usize,
    high: usize,
}

impl<'a, C: Width> Pairs<'a, C> {
    /// The pairs of codes i and `sum` - i, for i from `low` to below `high`.
    ///
    /// # Panics
    /// If some code lies outside.
    pub fn new(codes: &'a [C], sum: usize, low: usize, high: usize) -> Self {
        assert!(
            low < high && high <= codes.len() && high - 1 <= sum && sum - low < codes.len(),
            "a pair lies outside"
        );
        Self {
            codes,
            sum,
            low,
            high,
        }
    }

    /// The codes, `sum`, `low` and `high`.
    pub fn parts(self) -> (&'a [C], usize, usize, usize) {
        (self.codes, self.sum, self.low, self.high)
    }

    /// Block after block of pairs from `low` on, as long as the first and the second codes are whole blocks: the first codes, the
    /// second ones backwards, and the first i.
    #[inline(always)]
    pub fn blocks(
        self,
    ) -> impl ExactSizeIterator<Item = (&'a C::Block, &'a C::Block, usize)> + Clone {
        let count = ((self.high - self.low) / C::LANES).min((self.sum - self.low + 1) / C::LANES);
        (0..count).map(move |block| {
            let i = self.low + block * C::LANES;
            // SAFETY: i + LANES <= high <= codes.len(); sum - i + 1 >= LANES, and sum - i <= sum - low < codes.len().
            unsafe {
                (
                    block_at(self.codes, i),
                    block_at(self.codes, self.sum - i + 1 - C::LANES),
                    i,
                )
            }
        })
    }
}
