//! The smallest common code that is no option, for heap after heap.
//!
//! A common option of a common heap has a rare part, and rare heaps are few: instead of n/2 options a heap n has one for each
//! rare heap below it and each number of stones whose removal splits a heap. A block of heaps is searched at once, 64 with
//! codes of a byte and 32 with wider ones. Whether every rare value below is an option too is left to `verify.rs`. Twin:
//! `grundy.rs`.

use super::mark_ahead::MarkAhead;
use super::near_nibbles::NearNibbles;
use super::rules::Rules;
use super::search_plan::SearchPlan;
use super::tuning::{SEARCH_BAND_ROOM, SPAN_HISTORY};
use crate::engine::kernel::bands::Bands;
use crate::engine::kernel::{Block, Code, Entries, Kernel, QUARTER, SLOTS, Source};
use crate::engine::packed::PackedTable;

/// The code of a heap that no longer fits the table's codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgrown<C> {
    pub code: C,
}

/// New codes behind a copy of the table's end, which is kept from one span to the next.
#[derive(Default)]
pub struct Span<C> {
    codes: Vec<C>,
    mask: Vec<C>,
    /// The place of the first of the codes. Places count the heaps of the table and, before them, its padding.
    first: usize,
    /// The last codes in bands, by their places.
    bands: Bands,
    /// The place where the new codes begin.
    start: usize,
    /// How many of the new codes have been found. They are not proved yet.
    found: usize,
    /// For how many heaps all options had to be looked at.
    pub from_all_options: usize,
}

impl<C: Code> Span<C> {
    /// Forgets the codes from this place on, as those of the table have changed there.
    pub fn truncate(&mut self, place: usize) {
        self.bands.truncate(place);
        self.codes.truncate(place.saturating_sub(self.first));
    }

    /// Begins a span behind the last heap of the table, with at least `history` of the codes before it. What the last span holds
    /// of them is not copied again: where rare heaps are many, spans are short.
    fn begin(&mut self, table: &PackedTable<C>, history: usize) {
        let (codes, mask) = table.tail(history);
        let end = table.pad() + table.len();
        let first = end - codes.len();
        self.codes.truncate(self.start + self.found);
        let known = self.first + self.codes.len();
        let is_kept = (self.first..=self.first + SPAN_HISTORY).contains(&first)
            && (first..=end).contains(&known)
            && mask.is_none() == self.mask.is_empty();
        let new = if is_kept {
            known - first
        } else {
            self.codes.clear();
            self.first = first;
            0
        };
        self.mask.truncate(self.codes.len());
        self.codes.extend_from_slice(&codes[new..]);
        match mask {
            Some(mask) => self.mask.extend_from_slice(&mask[new..]),
            None => self.mask.clear(),
        }
        self.start = self.codes.len();
        self.found = 0;
        self.from_all_options = 0;
    }

    /// The codes found in the span.
    pub fn found(&self) -> &[C] {
        &self.codes[self.start..self.start + self.found]
    }

    /// The source from which the options of the next block are read.
    fn source(&self) -> Source<'_, C> {
        Source {
            codes: &self.codes,
            mask: (!self.mask.is_empty()).then_some(self.mask.as_slice()),
            at: self.start + self.found,
        }
    }
}

pub struct Search<'a, C: Code> {
    pub kernel: Kernel,
    pub codes: &'a PackedTable<C>,
    pub rules: &'a Rules,
    pub plan: &'a SearchPlan<C>,
    /// The marks of those options of the plan that helpers mark, made by helpers or, where none has begun, by the search.
    pub ahead: &'a MarkAhead<'a, C>,
}

impl<C: Code> Search<'_, C> {
    /// Finds the codes of the next `count` heaps, at most [`SearchPlan::longest_span`], as if they were common.
    pub fn find(&self, span: &mut Span<C>, count: usize) -> Result<(), Outgrown<C>> {
        let heap = self.codes.len();
        let blocks = count.div_ceil(C::LANES);
        span.begin(self.codes, self.plan.history);
        // The span has one block more, as the kernels read beyond its end.
        span.codes
            .resize(span.start + (blocks + 1) * C::LANES, C::ZERO);
        if !span.mask.is_empty() {
            span.mask.resize(span.codes.len(), C::ZERO);
        }
        if self.plan.band_reach > 0 {
            self.extend_bands(span, self.codes.pad() + heap);
        }
        for block in 0..blocks {
            let heap = heap + block * C::LANES;
            let done = match &self.plan.near_nibbles {
                Some(near) if span.mask.is_empty() => self.nibble_block(near, span, heap),
                _ => self.slot_block(span, heap, block),
            };
            if let Err((found, outgrown)) = done.and_then(|()| self.check_bound(span)) {
                span.found = (span.found + found).min(count);
                return if span.found < count {
                    Err(outgrown)
                } else {
                    Ok(())
                };
            }
            if self.plan.band_reach > 0 {
                let found = &span.codes[span.start + span.found..][..C::LANES];
                self.kernel.extend_bands(&mut span.bands, found, None);
            }
            span.found += C::LANES;
            self.ahead
                .found(block + 1, &span.codes[span.start..span.start + span.found]);
        }
        span.found = count;
        Ok(())
    }

    /// Refuses a block with a code that the table has no room for: the planes may stand for larger codes than it holds.
    fn check_bound(&self, span: &Span<C>) -> Result<(), (usize, Outgrown<C>)> {
        let bound = self.codes.bound();
        if C::BITS * self.plan.planes <= bound {
            return Ok(());
        }
        let block = &span.codes[span.start + span.found..][..C::LANES];
        match block.iter().position(|code| code.index() >= bound) {
            Some(lane) => Err((lane, Outgrown { code: block[lane] })),
            None => Ok(()),
        }
    }

    /// Extends the bands by the codes before this place, as far back as the marks reach.
    fn extend_bands(&self, span: &mut Span<C>, place: usize) {
        span.bands.truncate(place);
        let from = place - self.plan.band_reach.min(span.start);
        if !span.bands.covers(from, SEARCH_BAND_ROOM) {
            span.bands.begin(from, SEARCH_BAND_ROOM);
        }
        let new = span.start - (place - span.bands.next())..span.start;
        let mask = (!span.mask.is_empty()).then(|| &span.mask[new.clone()]);
        self.kernel
            .extend_bands(&mut span.bands, &span.codes[new], mask);
    }

    /// Searches a block by slots: marks planes, tests slots, then settles the options in the block itself.
    fn slot_block(
        &self,
        span: &mut Span<C>,
        heap: usize,
        block: usize,
    ) -> Result<(), (usize, Outgrown<C>)> {
        let mut planes = C::NO_MARKS;
        let planes = &mut planes.as_mut()[..self.plan.planes];
        if !self.plan.by_helpers.is_empty() {
            (self.ahead).marks(block, span.source(), &span.bands, planes);
        }
        let mut slots = [C::DEAD_LANES; SLOTS];
        let at = (self.codes, heap);
        (self.plan.marked).mark(self.kernel, planes, at, span.source(), &span.bands);
        self.kernel.least_unmarked::<C>(planes, &mut slots);
        let mut width = SLOTS;
        for (slots_tested, stage) in &self.plan.tested {
            width = *slots_tested;
            self.kernel
                .test(&mut slots[..width], span.source(), &stage.from_span);
            self.kernel.test(
                &mut slots[..width],
                self.codes.source(heap),
                &stage.from_table,
            );
            self.kernel.sort::<C>(&mut slots, width);
        }
        let flipped = self.lanes_with_flipped_rare(heap);
        let mut fixed = 0u64;
        loop {
            let Span {
                codes,
                mask,
                start,
                found,
                ..
            } = span;
            let mask = (!mask.is_empty()).then_some(mask.as_slice());
            let lost = self.kernel.settle(
                &slots[..width],
                fixed,
                Block {
                    codes,
                    mask,
                    at: *start + *found,
                },
                &self.plan.near,
            );
            let open = (lost | flipped) & !fixed;
            if open == 0 {
                return Ok(());
            }
            let lane = open.trailing_zeros() as usize;
            C::block_mut(&mut slots[0]).as_mut()[lane] = self
                .look_at_all_options(span, heap, lane, planes)
                .map_err(|outgrown| (lane, outgrown))?;
            fixed |= 1 << lane;
        }
    }

    /// Searches a block with codes below 16, a quarter of the block at a time.
    fn nibble_block(
        &self,
        near: &NearNibbles<C>,
        span: &mut Span<C>,
        heap: usize,
    ) -> Result<(), (usize, Outgrown<C>)> {
        let mut outside = [C::ZERO_LANES; 2];
        let at = (self.codes, heap);
        (self.plan.marked).mark(self.kernel, &mut outside, at, span.source(), &span.bands);
        let flipped = self.lanes_with_flipped_rare(heap);
        for quarter in (0..C::LANES).step_by(QUARTER) {
            // The lanes behind the quarter are marked from codes that are not there yet; they are not read.
            let mut planes = [C::ZERO_LANES; 2];
            let source = span.source();
            let at = source.at + quarter;
            let source = Source { at, ..source };
            (self.kernel).mark_options::<C>(&mut planes, source, &near.before_quarter);
            let byte = |j: usize, lane: usize| {
                let (inside, outside) = (C::block(&planes[j]), C::block(&outside[j]));
                (inside.as_ref()[lane] | outside.as_ref()[quarter + lane]).word()
            };
            let marks = std::array::from_fn(|lane| byte(0, lane) | byte(1, lane) << 8);
            let mut lane = 0;
            loop {
                if let Some(codes) = C::bytes_mut(&mut span.codes) {
                    let (near, flipped) = (&near.in_quarter, flipped >> quarter);
                    lane = (self.kernel).settle_nibbles(near, &marks, codes, at, lane, flipped);
                }
                if lane == QUARTER {
                    break;
                }
                let place = quarter + lane;
                span.codes[at + lane] = self
                    .look_at_all_options(span, heap, place, &outside)
                    .map_err(|outgrown| (place, outgrown))?;
                lane += 1;
            }
        }
        Ok(())
    }

    /// Lanes with a common option that no entry stands for: one rare heap, left by a taking that flips the class.
    fn lanes_with_flipped_rare(&self, heap: usize) -> u64 {
        let Some(&most) = self.rules.flip_class.iter().max() else {
            return 0;
        };
        let mut lanes = 0;
        for rare in self
            .codes
            .rares()
            .iter()
            .rev()
            .take_while(|rare| rare.heap + most >= heap)
        {
            for &t in &self.rules.flip_class {
                let lane = (rare.heap + t).wrapping_sub(heap);
                if lane < C::LANES {
                    lanes |= 1 << lane;
                }
            }
        }
        lanes
    }

    /// The code of one heap of the block at `heap` from all its options, of which some are marked.
    #[cold]
    fn look_at_all_options(
        &self,
        span: &mut Span<C>,
        heap: usize,
        lane: usize,
        planes: &[C::Lanes],
    ) -> Result<C, Outgrown<C>> {
        span.from_all_options += 1;
        let mut seen = vec![false; C::CODES];
        for (seen, plane) in seen.chunks_exact_mut(C::BITS).zip(planes) {
            let marked = C::block(plane).as_ref()[lane].index();
            for (bit, seen) in seen.iter_mut().enumerate() {
                *seen = marked >> bit & 1 == 1;
            }
        }
        let heap = heap + lane;
        let at = span.start + span.found + lane;
        let from_span = Source {
            at,
            ..span.source()
        };
        let from_table = self.codes.source(heap);
        mark_one(&mut seen, from_span, &self.plan.near);
        for (_, stage) in &self.plan.tested {
            mark_one(&mut seen, from_span, &stage.from_span);
            mark_one(&mut seen, from_table, &stage.from_table);
        }
        // The planes do not show options that leave one rare heap alone, and the last code that is open may be the code of such
        // a heap.
        for rare in self.codes.rares().iter().rev() {
            if self.rules.flip_class.iter().any(|t| rare.heap + t == heap) {
                seen[rare.code.index()] = true;
            }
            if rare.heap + self.codes.pad() < heap {
                break;
            }
        }
        // The marked options are looked at again only if the planes leave no code unmarked: they don't show larger codes.
        let covered = C::BITS * planes.len();
        if seen[..covered].iter().all(|&seen| seen) {
            for stage in [&self.plan.marked, &self.plan.by_helpers] {
                mark_one(&mut seen, from_span, &stage.from_span);
                mark_one(&mut seen, from_table, &stage.from_table);
            }
        }
        let code = seen.iter().position(|seen| !seen);
        let code = code.unwrap_or(C::DEAD.index());
        if code < self.codes.bound() {
            Ok(C::of(code))
        } else {
            let code = C::of(code);
            Err(Outgrown { code })
        }
    }
}

/// Marks the options of the one heap at the source's place.
fn mark_one<C: Code>(seen: &mut [bool], source: Source<'_, C>, entries: &Entries<C>) {
    let Source { codes, mask, at } = source;
    for entry in entries.as_slice() {
        let Some(from) = at.checked_sub(entry.q()) else {
            continue;
        };
        let option = codes[from] ^ entry.u();
        let option = mask.map_or(option, |mask| option | mask[from]);
        if let Some(seen) = seen.get_mut(option.index()) {
            *seen = true;
        }
    }
}
