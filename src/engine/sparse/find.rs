//! The smallest common code that is no option, for heap after heap.
//!
//! A common option of a common heap has a rare part, and rare heaps are few: a heap n has one option for each rare
//! heap below it and each number of stones whose removal splits a heap, instead of n/2. 64 heaps are done at once.
//! Whether a rare value lies below is left to `verify.rs`. Twin: `grundy.rs`.

use super::ahead::Ahead;
use super::narrow::Narrow;
use super::plan::{FEW_PLANES, Find, ROOM, Rules};
use crate::engine::kernel::bands::Bands;
use crate::engine::kernel::{Block, DEAD, Entries, Kernel, LANES, Lanes, QUARTER, SLOTS, Source};
use crate::engine::table::packed::PackedTable;

/// The heap at which the codes outgrow their bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgrown {
    pub code: u8,
}

/// New codes behind a copy of the table's end.
#[derive(Default)]
pub struct Span {
    codes: Vec<u8>,
    mask: Vec<u8>,
    /// The last codes in bands, at the places that the blocks of the table have.
    bands: Bands,
    /// Where the new codes begin.
    from: usize,
    /// How many are right.
    found: usize,
    /// Heaps that needed a look at every option.
    pub recomputed: usize,
}

impl Span {
    /// The codes of the table are no longer what they were, from this place on.
    pub fn forget(&mut self, place: usize) {
        self.bands.truncate(place);
    }

    pub fn found(&self) -> &[u8] {
        &self.codes[self.from..self.from + self.found]
    }
}

pub struct Finder<'a> {
    pub kernel: Kernel,
    pub codes: &'a PackedTable,
    pub rules: &'a Rules,
    pub plan: &'a Find,
    /// Who marks the far options of the plan.
    pub ahead: &'a Ahead<'a>,
}

impl Finder<'_> {
    /// Finds the codes of the next `count` heaps, at most [`Find::longest_span`], as if they were common.
    pub fn find(&self, span: &mut Span, count: usize) -> Result<(), Outgrown> {
        let bytes = self.codes.bytes();
        let start = bytes.len() - bytes.len().min(self.plan.history);
        let heap = self.codes.len();
        let blocks = count.div_ceil(LANES);
        span.codes.clear();
        span.codes.extend_from_slice(&bytes[start..]);
        span.from = span.codes.len();
        // And a block of room for marking behind the end.
        span.codes.resize(span.from + (blocks + 1) * LANES, 0);
        span.mask.clear();
        if self.codes.masks(heap) {
            span.mask.extend_from_slice(&self.codes.mask()[start..]);
            span.mask.resize(span.codes.len(), 0);
        }
        (span.found, span.recomputed) = (0, 0);
        if self.plan.banded > 0 {
            self.part(span, self.place(heap));
        }
        for block in 0..blocks {
            let heap = heap + block * LANES;
            let done = match &self.plan.narrow {
                Some(narrow) if span.mask.is_empty() => self.narrow_block(narrow, span, heap),
                _ if self.plan.planes <= FEW_PLANES => self.word_block(span, heap),
                _ => self.block(span, heap, block),
            };
            if let Err((found, outgrown)) = done.and_then(|()| self.check(span)) {
                span.found = (span.found + found).min(count);
                return if span.found < count {
                    Err(outgrown)
                } else {
                    Ok(())
                };
            }
            if self.plan.banded > 0 {
                let found = &span.codes[span.from + span.found..][..LANES];
                self.kernel.part(&mut span.bands, found, None);
            }
            span.found += LANES;
            self.ahead
                .found(block + 1, &span.codes[span.from..span.from + span.found]);
        }
        span.found = count;
        Ok(())
    }

    /// The planes may stand for codes that outgrow their bound.
    fn check(&self, span: &Span) -> Result<(), (usize, Outgrown)> {
        let bound = self.codes.bound();
        if 8 * self.plan.planes <= bound {
            return Ok(());
        }
        let block = &span.codes[span.from + span.found..][..LANES];
        match block.iter().position(|&code| usize::from(code) >= bound) {
            Some(lane) => Err((lane, Outgrown { code: block[lane] })),
            None => Ok(()),
        }
    }

    /// Sees to it that the codes before this place are in bands.
    fn part(&self, span: &mut Span, place: usize) {
        span.bands.truncate(place);
        let from = place - self.plan.banded.min(span.from);
        if !span.bands.covers(from, ROOM) {
            span.bands.begin(from, ROOM);
        }
        let new = span.from - (place - span.bands.next())..span.from;
        let mask = (!span.mask.is_empty()).then(|| &span.mask[new.clone()]);
        self.kernel.part(&mut span.bands, &span.codes[new], mask);
    }

    /// Never less than an option of the heap reaches back.
    fn place(&self, heap: usize) -> usize {
        self.codes.pad() + heap
    }

    fn mark(&self, span: &Span, heap: usize, planes: &mut [Lanes]) {
        for stage in self.plan.stages.iter().filter(|stage| stage.width == 0) {
            let local = (span.source(), &stage.local);
            match &stage.marks {
                Some(marks) => {
                    let bands = (&span.bands, self.place(heap));
                    self.kernel.mark(planes, local, bands, marks);
                }
                None => self.kernel.scatter(planes, local.0, local.1),
            }
            self.kernel
                .scatter(planes, self.codes.source(heap), &stage.far);
        }
    }

    /// Planes, then slots, then the options in the block itself.
    fn block(&self, span: &mut Span, heap: usize, block: usize) -> Result<(), (usize, Outgrown)> {
        let mut planes = [Lanes::ZERO; 32];
        let planes = &mut planes[..self.plan.planes];
        if !self.plan.ahead.is_empty() {
            (self.ahead).marks(block, span.source(), &span.bands, planes);
        }
        let mut slots = [Lanes::DEAD; SLOTS];
        self.mark(span, heap, planes);
        self.kernel.holes(planes, &mut slots);
        let mut width = SLOTS;
        for stage in self.plan.stages.iter().filter(|stage| stage.width != 0) {
            width = stage.width;
            self.kernel
                .kill(&mut slots[..width], span.source(), &stage.local);
            self.kernel
                .kill(&mut slots[..width], self.codes.source(heap), &stage.far);
            self.kernel.sort(&mut slots, width);
        }
        let odd = self.irregular(heap);
        let mut fixed = 0u64;
        loop {
            let Span {
                codes,
                mask,
                from,
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
                    at: *from + *found,
                },
                &self.plan.near,
            );
            let open = (lost | odd) & !fixed;
            if open == 0 {
                return Ok(());
            }
            let lane = open.trailing_zeros() as usize;
            slots[0].0[lane] = self
                .recompute(span, heap, lane, planes)
                .map_err(|outgrown| (lane, outgrown))?;
            fixed |= 1 << lane;
        }
    }

    /// Codes below 16.
    fn narrow_block(
        &self,
        narrow: &Narrow,
        span: &mut Span,
        heap: usize,
    ) -> Result<(), (usize, Outgrown)> {
        let mut far = [Lanes::ZERO; 2];
        self.mark(span, heap, &mut far);
        let odd = self.irregular(heap);
        for quarter in (0..LANES).step_by(QUARTER) {
            // The lanes behind the quarter are marked from codes that are not there yet; they are not read.
            let mut planes = [Lanes::ZERO; 2];
            let source = span.source();
            let at = source.at + quarter;
            self.kernel
                .scatter(&mut planes, Source { at, ..source }, &narrow.middle);
            let byte = |j: usize, lane: usize| planes[j].0[lane] | far[j].0[quarter + lane];
            let rows =
                std::array::from_fn(|lane| u16::from_le_bytes([byte(0, lane), byte(1, lane)]));
            let mut lane = 0;
            loop {
                lane = self.kernel.settle_nibbles(
                    &narrow.close,
                    &rows,
                    &mut span.codes,
                    at,
                    lane,
                    odd >> quarter,
                );
                if lane == QUARTER {
                    break;
                }
                let place = quarter + lane;
                span.codes[at + lane] = self
                    .recompute(span, heap, place, &far)
                    .map_err(|outgrown| (place, outgrown))?;
                lane += 1;
            }
        }
        Ok(())
    }

    /// Codes below 64: a word a heap, the options in the block itself one by one.
    fn word_block(&self, span: &mut Span, heap: usize) -> Result<(), (usize, Outgrown)> {
        let mut planes = [Lanes::ZERO; 8];
        self.mark(span, heap, &mut planes[..self.plan.planes]);
        let mut rows = [0; LANES];
        self.kernel.rows(&planes, &mut rows);
        let odd = self.irregular(heap);
        let at = span.from + span.found;
        let most = 8 * self.plan.planes as u32;
        let mut lane = 0;
        loop {
            lane = match &self.plan.sextets {
                Some(sextets) if span.mask.is_empty() => {
                    let codes = &mut span.codes;
                    (self.kernel).settle_sextets(sextets, &rows, codes, (at, lane), odd, most)
                }
                _ => self.settle_masked(&rows, span, (at, lane), odd, most),
            };
            if lane == LANES {
                return Ok(());
            }
            span.codes[at + lane] = self
                .recompute(span, heap, lane, &planes[..self.plan.planes])
                .map_err(|outgrown| (lane, outgrown))?;
            lane += 1;
        }
    }

    /// The twin of [`Kernel::settle_sextets`] where rare heaps are masked.
    fn settle_masked(
        &self,
        rows: &[u64; LANES],
        span: &mut Span,
        (at, from): (usize, usize),
        odd: u64,
        most: u32,
    ) -> usize {
        for (lane, &row) in rows.iter().enumerate().skip(from) {
            let mut row = row;
            for entry in self.plan.near.as_slice() {
                let source = at + lane - entry.q();
                let masked = span.mask.get(source).copied().unwrap_or(0);
                row |= 1u64.unbounded_shl(u32::from((span.codes[source] ^ entry.u()) | masked));
            }
            let code = row.trailing_ones();
            if code >= most || odd >> lane & 1 == 1 {
                return lane;
            }
            span.codes[at + lane] = code as u8;
        }
        LANES
    }

    /// Lanes with common options that no entry stands for: one rare heap, by a taking that turns the class.
    fn irregular(&self, heap: usize) -> u64 {
        let Some(&most) = self.rules.turning.iter().max() else {
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
            for &t in &self.rules.turning {
                let lane = (rare.heap + t).wrapping_sub(heap);
                if lane < LANES {
                    lanes |= 1 << lane;
                }
            }
        }
        lanes
    }

    /// All options of one heap of the block at `heap`, of which some are marked.
    #[cold]
    fn recompute(
        &self,
        span: &mut Span,
        heap: usize,
        lane: usize,
        planes: &[Lanes],
    ) -> Result<u8, Outgrown> {
        span.recomputed += 1;
        let mut seen = [false; 256];
        for (seen, plane) in seen.as_chunks_mut().0.iter_mut().zip(planes) {
            *seen = std::array::from_fn::<_, 8, _>(|bit| plane.0[lane] >> bit & 1 == 1);
        }
        let heap = heap + lane;
        let at = span.from + span.found + lane;
        let local = Source {
            at,
            ..span.source()
        };
        let far = self.codes.source(heap);
        mark(&mut seen, local, &self.plan.near);
        // What is marked in planes is left out where they stand for all codes that matter.
        let stages = self.plan.stages.iter().filter(|stage| stage.width != 0);
        for stage in stages {
            mark(&mut seen, local, &stage.local);
            mark(&mut seen, far, &stage.far);
        }
        let covered = 8 * planes.len();
        if seen[..covered].iter().all(|&seen| seen) {
            let marked = self.plan.stages.iter().filter(|stage| stage.width == 0);
            for stage in marked.chain([&self.plan.ahead]) {
                mark(&mut seen, local, &stage.local);
                mark(&mut seen, far, &stage.far);
            }
        }
        for rare in self.codes.rares().iter().rev() {
            if self.rules.turning.iter().any(|t| rare.heap + t == heap) {
                seen[usize::from(rare.code)] = true;
            }
            if rare.heap + self.codes.pad() < heap {
                break;
            }
        }
        let code = seen
            .iter()
            .position(|seen| !seen)
            .unwrap_or(usize::from(DEAD));
        if code < self.codes.bound() {
            Ok(code as u8)
        } else {
            Err(Outgrown { code: code as u8 })
        }
    }
}

impl Span {
    /// The options of the block to do next.
    fn source(&self) -> Source<'_> {
        Source {
            codes: &self.codes,
            mask: (!self.mask.is_empty()).then_some(self.mask.as_slice()),
            at: self.from + self.found,
        }
    }
}

fn mark(seen: &mut [bool; 256], source: Source<'_>, entries: &Entries) {
    let options = entries.as_slice().iter().filter_map(|entry| {
        let from = source.at.checked_sub(entry.q())?;
        Some((from, source.codes[from] ^ entry.u()))
    });
    match source.mask {
        None => options.for_each(|(_, option)| seen[usize::from(option)] = true),
        Some(mask) => {
            options.for_each(|(from, option)| seen[usize::from(option | mask[from])] = true);
        }
    }
}
