//! Checks whether every rare value below a heap's common value is an option of the heap.
//!
//! A rare option has two common parts, or two rare ones. Any pair that gives the value is a witness for it, and a good list of
//! small common parts proves nearly all of them, for a block of heaps at once; what is left is looked up pair by pair. A value
//! that no pair gives is the mex: a new rare heap. (*Winning Ways*, ch. 4, "sparse space phenomena", has the common values;
//! that rare values below must be options too is the definition of the mex.) Time: some hundred entries for a block (64 heaps
//! with codes of a byte, else 32), and all n/2 pairs of a heap for a value that none gives. Memory: nothing that grows. Twin:
//! `grundy.rs`.

use super::rules::Rules;
use super::tuning::{
    FEW_OPEN_LANES, FIRST_PAIRS, HEAPS_PER_ROW_PASS, JOINT_LOOK_UP_COST, LOOK_UP_COST,
    OPEN_CODE_COST, PAIRS_PER_NANOSECOND, PROOF_BAND_ROOM,
};
use super::witness_plan::{Marking, WitnessPlan, is_narrow};
use crate::engine::kernel::bands::{BandedEntries, Bands};
use crate::engine::kernel::open_candidates::{OpenCandidate, OpenCandidates};
use crate::engine::kernel::{Code, Kernel, Source, set_bits};
use crate::engine::lock;
use crate::engine::octal::Two;
use crate::engine::packed::PackedTable;
use std::sync::Mutex;

/// The first heap with a rare value below its common one that no pair gives, and the code of that value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingWitness<C> {
    pub heap: usize,
    pub code: C,
    /// Whether all pairs were looked at, so that the value is the heap's; otherwise some pairs are forgotten.
    pub is_certain: bool,
}

/// The deepest pair that was needed: how large its smaller part is, and the first heap that needed it.
///
/// Of several pairs that prove a value the one with the least smaller part counts. Pairs whose smaller parts lie up to
/// [`WitnessPlan::depth`](super::witness_plan::WitnessPlan) are not told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeepestPair {
    pub part: usize,
    pub heap: usize,
}

impl DeepestPair {
    pub fn add(&mut self, other: DeepestPair) {
        if other.part > self.part || other.part == self.part && other.heap < self.heap {
            *self = other;
        }
    }
}

/// How deep the pairs lie that proofs have needed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Depth {
    /// The deepest pair that was noted.
    pub deepest: DeepestPair,
    /// The first heap whose proof counts.
    pub from: usize,
    /// Pairs whose smaller part is not larger than this are not noted: they are marked or stand in rows, and nobody sees which of
    /// them gave a code.
    pub resolution: usize,
}

impl Depth {
    /// A bound on the smaller parts of all pairs that were needed.
    pub fn bound(&self) -> u64 {
        self.deepest.part.max(self.resolution) as u64
    }

    /// The smaller part of the deepest pair and the first heap that needed it; `None` if no pair was deep enough to be noted.
    pub fn pair(&self) -> Option<(u64, u64)> {
        let DeepestPair { part, heap } = self.deepest;
        (part > self.resolution).then_some((part as u64, heap as u64))
    }
}

pub struct Verifier<'a, C: Code> {
    pub kernel: Kernel,
    pub codes: &'a PackedTable<C>,
    pub rules: &'a Rules,
    pub plan: &'a WitnessPlan<C>,
    /// Gathers the pairs whose smaller part is beyond `report_deeper_than`.
    pub deeper_pairs: &'a Mutex<Vec<DeepestPair>>,
    pub report_deeper_than: usize,
    /// The last codes in bands, one for each thread that is not proving just now.
    pub bands: &'a Mutex<Vec<Bands>>,
}

impl<C: Code> Verifier<'_, C> {
    /// Checks the heaps `from..to`, given that those below are right. What the marks leave open adds its cost, in nanoseconds, to
    /// `cost`.
    pub fn verify(&self, from: usize, to: usize, cost: &mut u64) -> Option<MissingWitness<C>> {
        let kept = || lock(self.bands);
        let from_bands = matches!(self.plan.marking, Marking::FromBands(_));
        let mut bands = from_bands
            .then(|| kept().pop())
            .flatten()
            .unwrap_or_default();
        let (mut noted, mut open) = (OpenCandidates::NONE, Vec::new());
        let mut missing = None;
        let mut from = from;
        while from < to && missing.is_none() {
            let end = to.min(from + HEAPS_PER_ROW_PASS);
            missing = self.verify_group(from, end, cost, &mut bands, (&mut noted, &mut open));
            from = end;
        }
        if from_bands {
            kept().push(bands);
        }
        missing
    }

    /// Checks heaps whose open codes are compared with the rows together.
    fn verify_group(
        &self,
        from: usize,
        to: usize,
        cost: &mut u64,
        bands: &mut Bands,
        (noted, open): (&mut OpenCandidates, &mut Vec<OpenCandidate>),
    ) -> Option<MissingWitness<C>> {
        let first = from.min(to.max(C::LANES) - C::LANES);
        let plan = self.plan;
        let plan_applies = first >= plan.from && plan.reach <= self.codes.room(first);
        let mut heap = from;
        let mut missing = None;
        while heap < to && missing.is_none() {
            let start = heap.min(to.max(C::LANES) - C::LANES);
            let at = (start, start - first);
            missing = self.verify_block(at, heap, plan_applies, cost, bands, noted);
            heap = start + C::LANES;
        }
        open.clear();
        noted.drain_into::<C>(open);
        let mut rows_to = 0;
        if plan_applies {
            *cost += OPEN_CODE_COST * open.len() as u64;
            let source = self.codes.source(first);
            let rows = if self.may_use_far_rows(first) {
                &plan.far_rows
            } else {
                &plan.rows
            };
            self.kernel.unwitnessed(open, source, rows, heap - first);
            rows_to = plan.rows_to;
        }
        open.sort_unstable();
        let earlier = open.iter().find(|candidate| {
            !self.is_option(first + candidate.offset(), candidate.code(), rows_to, cost)
        });
        let earlier = earlier.map(|candidate| MissingWitness {
            heap: first + candidate.offset(),
            code: candidate.code(),
            is_certain: !self.codes.has_gap(),
        });
        earlier.or(missing)
    }

    /// Whether the pairs in far rows are known for the heaps from this one on, and don't count as deeper than others before.
    fn may_use_far_rows(&self, first: usize) -> bool {
        let plan = self.plan;
        let reach = plan.far_rows.distances().most;
        plan.far_depth <= self.report_deeper_than
            && first > 2 * reach
            && reach <= self.codes.room(first)
    }

    /// Marks a block, and notes what is open then, to be compared with rows, or looks it up.
    fn verify_block(
        &self,
        (start, at): (usize, usize),
        from: usize,
        plan_applies: bool,
        cost: &mut u64,
        bands: &mut Bands,
        noted: &mut OpenCandidates,
    ) -> Option<MissingWitness<C>> {
        let plan = self.plan;
        let Ok(mut limits) = self.codes.rare_below_each(start) else {
            return Some(MissingWitness {
                heap: from,
                code: C::ZERO,
                is_certain: false,
            });
        };
        C::block_mut(&mut limits).as_mut()[..from - start].fill(C::ZERO);
        let mut planes = C::NO_MARKS;
        let planes = &mut planes.as_mut()[..plan.planes];
        let source = self.codes.source(start);
        let below = C::block(&limits).as_ref();
        let largest = (below.iter()).fold(C::ZERO, |largest, &limit| limit.max(largest));
        let covered = largest.index() <= C::BITS * planes.len();
        let mut groups = plan.marked.iter().filter(|_| plan_applies).peekable();
        while let Some(group) = groups.next() {
            match &plan.marking {
                Marking::Exactly => self.kernel.mark_options::<C>(planes, source, group),
                Marking::ByTwos => self.kernel.mark_options_by_twos::<C>(planes, source, group),
                Marking::FromBands(banded) => {
                    let place = self.extend_bands(bands, start, banded);
                    (self.kernel).mark_from_bands::<C>(
                        planes,
                        (source, group),
                        (bands, place),
                        banded,
                    );
                }
            }
            if covered && groups.peek().is_some() {
                match self.kernel.open::<C>(planes, &limits).count_ones() {
                    0 => return None,
                    1..=FEW_OPEN_LANES => break,
                    _ => {}
                }
            }
        }
        // Codes are looked up together by the cells alone, so rare heaps must have a flag there: a mask is not read.
        let is_narrow = is_narrow::<C>(planes.len()) && !self.codes.is_full();
        if is_narrow && covered && plan_applies && plan.depth > FIRST_PAIRS {
            return self.look_up_few_codes(start, planes, &limits, cost);
        }
        self.kernel.unmarked::<C>(planes, &limits, at, noted);
        for first in (C::BITS * planes.len()..largest.index()).step_by(64) {
            let beyond = |lane: usize| below[lane].index().saturating_sub(first);
            let lanes = (0..C::LANES).filter(|&lane| beyond(lane) > 0);
            let lanes = lanes.fold(0, |lanes, lane| lanes | 1 << lane);
            noted.add(lanes, first, |lane| {
                let above = 64 - beyond(lane).min(64) as u32;
                (at + lane, u64::MAX.checked_shr(above).unwrap_or(0))
            });
        }
        None
    }

    /// Extends the bands by a block and by all that these entries reach back from it, and returns its place there.
    fn extend_bands(&self, bands: &mut Bands, start: usize, banded: &BandedEntries) -> usize {
        let place = self.codes.pad() + start;
        let from = place - banded.reach();
        if !bands.covers(from, PROOF_BAND_ROOM) {
            bands.begin(from, PROOF_BAND_ROOM);
        }
        let to = place + C::LANES;
        if bands.next() < to {
            let Source { codes, mask, at } = self.codes.source(start);
            let new = at + bands.next() - place..at + C::LANES;
            let mask = mask.map(|mask| &mask[new.clone()]);
            self.kernel.extend_bands(bands, &codes[new], mask);
        }
        place
    }

    /// Looks up what the marks leave open of few codes: all codes of a heap at once by the first pairs, which nearly always
    /// give them, then each by itself.
    fn look_up_few_codes(
        &self,
        start: usize,
        planes: &[C::Lanes],
        limits: &C::Lanes,
        cost: &mut u64,
    ) -> Option<MissingWitness<C>> {
        let codes = self.codes;
        let first_parts = codes.cells(1, 1 + FIRST_PAIRS);
        for lane in set_bits(self.kernel.open::<C>(planes, limits)) {
            let heap = start + lane;
            let limit = C::block(limits).as_ref()[lane].index();
            let below = u64::MAX.checked_shr(64 - limit as u32).unwrap_or(0);
            let mut left = below & !C::marks(planes, lane);
            for &(b, _) in &self.rules.breaks {
                let second_parts = codes.cells(heap - b - FIRST_PAIRS, heap - b);
                let parts = (first_parts.map(C::bytes), second_parts.map(C::bytes));
                if let (Ok(Some(first_parts)), Ok(Some(second_parts))) = parts {
                    left = self.kernel.unpaired(first_parts, second_parts, left);
                }
            }
            *cost += JOINT_LOOK_UP_COST;
            for code in set_bits(left).map(C::of) {
                if !self.is_option(heap, code, 0, cost) {
                    return Some(MissingWitness {
                        heap,
                        code,
                        is_certain: !codes.has_gap(),
                    });
                }
            }
        }
        None
    }

    /// Whether some option of the heap has this rare code, as far as its parts are not forgotten, given that no pair of
    /// common heaps with a smaller part up to `rows_to` has.
    #[cold]
    fn is_option(&self, heap: usize, code: C, rows_to: usize, cost: &mut u64) -> bool {
        *cost += LOOK_UP_COST;
        let codes = self.codes;
        let alone = |t: usize, rare: bool| {
            t < heap && codes.is_rare(heap - t) == rare && codes.code(heap - t) == Ok(code)
        };
        if self.rules.flip_class.iter().any(|&t| alone(t, false))
            || self.rules.keep_class.iter().any(|&t| alone(t, true))
        {
            return true;
        }
        // The first few pairs are looked through first, as most codes are found there; then more and more at a time.
        let (mut low, mut length) = (1 + rows_to, FIRST_PAIRS);
        while low < codes.kept() && low <= heap / 2 {
            let high = low.saturating_add(length);
            let part = self.witness_pair(heap, low, high, code);
            *cost += part.unwrap_or(high.min(heap / 2)) as u64 / PAIRS_PER_NANOSECOND;
            if let Some(part) = part {
                if part > self.report_deeper_than {
                    let mut pairs = lock(self.deeper_pairs);
                    pairs.push(DeepestPair { part, heap });
                }
                return true;
            }
            low = high;
            length *= 32;
        }
        self.has_rare_pair(heap, code)
    }

    /// The least smaller part in `low..high` of a common pair with this code.
    fn witness_pair(&self, heap: usize, low: usize, high: usize, code: C) -> Option<usize> {
        let codes = self.codes;
        let parts = self.rules.breaks.iter().filter_map(|&(b, two)| {
            let sum = heap.checked_sub(b)?;
            let half = sum / 2 + 1 - usize::from(two == Two::Unequal && sum % 2 == 0);
            codes.common_pair(self.kernel, sum, (low, half.min(high)), code)
        });
        parts.min()
    }

    /// Whether two rare heaps give this code.
    fn has_rare_pair(&self, heap: usize, code: C) -> bool {
        let rares = self.codes.rares();
        self.rules.breaks.iter().any(|&(b, two)| {
            let Some(sum) = heap.checked_sub(b) else {
                return false;
            };
            let below = rares.partition_point(|rare| rare.heap < sum);
            let mut high = rares[..below].iter().rev().peekable();
            rares[..below]
                .iter()
                .take_while(|rare| 2 * rare.heap <= sum)
                .any(|rare| {
                    while high.next_if(|other| rare.heap + other.heap > sum).is_some() {}
                    high.peek().is_some_and(|other| {
                        let fits = rare.heap + other.heap == sum && rare.code ^ other.code == code;
                        fits && (two != Two::Unequal || rare.heap != other.heap)
                    })
                })
        })
    }
}
