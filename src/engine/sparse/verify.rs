//! Whether every rare value below a heap's common value is an option of it.
//!
//! A rare option has two common parts, or two rare ones. Any pair that gives the value proves it, and a good list of
//! small common parts proves nearly all of them, for 64 heaps at once; what is left is looked up pair by pair. A value
//! that no pair gives is the mex: a new rare heap. (*Winning Ways*, ch. 4, "sparse space phenomena", has the common values;
//! that rare values below must be options too is the definition of the mex.)
//! Time: some hundred entries for 64 heaps, and all n/2 pairs of a heap for a value that none gives. Memory: nothing that
//! grows. Twin: `grundy.rs`.

use super::check::{Check, Marking, NARROW, ROOM};
use super::plan::Rules;
use crate::engine::kernel::bands::{Bands, Marks};
use crate::engine::kernel::questions::{Question, Unasked};
use crate::engine::kernel::{Kernel, LANES, Lanes, Source};
use crate::engine::octal::Two;
use crate::engine::table::packed::PackedTable;
use std::sync::{Mutex, PoisonError};

/// The first heap with a rare value below its common one that no pair gives, and the code of that value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    pub heap: usize,
    pub code: u8,
    /// Whether all pairs were looked at: then that value is the heap's. Otherwise some were forgotten.
    pub certain: bool,
}

/// The deepest pair that was needed: how large its smaller part is, and the first heap that needed it.
///
/// Of the pairs that prove a value the one with the smallest part counts, except that every part up to
/// [`Check::depth`](super::check::Check) counts as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deepest {
    pub part: usize,
    pub heap: usize,
}

impl Deepest {
    pub fn add(&mut self, other: Deepest) {
        if other.part > self.part || other.part == self.part && other.heap < self.heap {
            *self = other;
        }
    }
}

pub struct Verifier<'a> {
    pub kernel: Kernel,
    pub codes: &'a PackedTable,
    pub rules: &'a Rules,
    pub plan: &'a Check,
    /// Gathers the pairs with a smaller part beyond this.
    pub deeper: &'a Mutex<Vec<Deepest>>,
    pub than: usize,
    /// What is at hand of these codes in bands, for whoever proves some.
    pub bands: &'a Mutex<Vec<Bands>>,
}

/// What a value that is looked up costs besides the pairs, in nanoseconds, about: look-ups take 0.6 of what is counted (`sparse/tests.rs`).
const LOOK_UP: u64 = 100;
const PAIRS_A_NANOSECOND: u64 = 16;
/// What a heap costs whose codes are looked up together.
const LOOK_UP_ALL: u64 = 50;
/// In so many first pairs.
const FIRST: usize = 4 * LANES;

/// What it costs to ask for an open code, in nanoseconds.
const ASKED: u64 = 5;
/// Heaps whose open codes are asked for together, as of 64 alone hardly any is left after some rows, and each row costs something to begin
/// with: 0.6 and Grundy's game took 9 % longer to prove. With half as many or twice as many both take as long.
const GROUP: usize = 512;
/// With no more open lanes than this, looking up what is left is cheaper than to go on marking.
const VERY_FEW: u32 = 5;

impl Verifier<'_> {
    /// Checks the heaps `from..to`, given that those below are right. What had to be looked up pair by pair adds to
    /// `wasted`, in nanoseconds, about.
    pub fn verify(&self, from: usize, to: usize, wasted: &mut u64) -> Option<Missing> {
        let at_hand = || self.bands.lock().unwrap_or_else(PoisonError::into_inner);
        let is_banded = matches!(self.plan.marking, Marking::Banded(_));
        let mut bands = is_banded
            .then(|| at_hand().pop())
            .flatten()
            .unwrap_or_default();
        let (mut unasked, mut open) = (Unasked::NONE, Vec::new());
        let mut missing = None;
        let mut from = from;
        while from < to && missing.is_none() {
            let end = to.min(from + GROUP);
            missing = self.group(from, end, wasted, &mut bands, (&mut unasked, &mut open));
            from = end;
        }
        if is_banded {
            at_hand().push(bands);
        }
        missing
    }

    /// The same for heaps whose open codes are asked for together.
    fn group(
        &self,
        from: usize,
        to: usize,
        wasted: &mut u64,
        bands: &mut Bands,
        (unasked, open): (&mut Unasked, &mut Vec<Question>),
    ) -> Option<Missing> {
        let first = from.min(to.max(LANES) - LANES);
        let plan = self.plan;
        let useful = first >= plan.from && plan.reach <= self.codes.room(first);
        let mut heap = from;
        let mut missing = None;
        while heap < to && missing.is_none() {
            let start = heap.min(to.max(LANES) - LANES);
            let at = (start, start - first);
            missing = self.block(at, heap, useful, wasted, bands, unasked);
            heap = start + LANES;
        }
        open.clear();
        unasked.ask(open);
        let mut asked = 0;
        if useful {
            *wasted += ASKED * open.len() as u64;
            let source = self.codes.source(first);
            self.kernel
                .unanswered(open, source, &plan.firsts, heap - first);
            asked = plan.asked;
        }
        open.sort_unstable();
        let earlier = open
            .iter()
            .find(|question| !self.hit(first + question.offset(), question.code(), asked, wasted));
        let earlier = earlier.map(|question| Missing {
            heap: first + question.offset(),
            code: question.code(),
            certain: !self.codes.has_gap(),
        });
        earlier.or(missing)
    }

    /// Leaves open what the marks of a block do.
    fn block(
        &self,
        (start, at): (usize, usize),
        from: usize,
        useful: bool,
        wasted: &mut u64,
        bands: &mut Bands,
        unasked: &mut Unasked,
    ) -> Option<Missing> {
        let plan = self.plan;
        let mut limits = self.codes.rare_below_each(start);
        limits.0[..from - start].fill(0);
        let mut planes = [Lanes::ZERO; 32];
        let planes = &mut planes[..plan.planes];
        let source = self.codes.source(start);
        let largest = limits
            .0
            .iter()
            .fold(0, |largest, &limit| limit.max(largest));
        let covered = usize::from(largest) <= 8 * planes.len();
        let mut marks = plan.marks.iter().filter(|_| useful).peekable();
        while let Some(some) = marks.next() {
            match &plan.marking {
                Marking::All => self.kernel.scatter(planes, source, some),
                Marking::Roughly => self.kernel.roughly(planes, source, some),
                Marking::Banded(banded) => {
                    let place = self.part(bands, start, banded);
                    (self.kernel).mark(planes, (source, some), (bands, place), banded);
                }
            }
            if covered && marks.peek().is_some() {
                match self.kernel.open(planes, &limits).count_ones() {
                    0 => return None,
                    1..=VERY_FEW => break,
                    _ => {}
                }
            }
        }
        if planes.len() <= NARROW && covered && useful && plan.depth > FIRST {
            return self.look_up_each(start, planes, &limits, wasted);
        }
        self.kernel.unmarked(planes, &limits, at, unasked);
        for first in (8 * planes.len()..usize::from(largest)).step_by(64) {
            let beyond = |lane: usize| usize::from(limits.0[lane]).saturating_sub(first);
            let lanes = (0..LANES).filter(|&lane| beyond(lane) > 0);
            let lanes = lanes.fold(0, |lanes, lane| lanes | 1 << lane);
            unasked.add(lanes, first as u8, |lane| {
                let rest = 64 - beyond(lane).min(64) as u32;
                (at + lane, u64::MAX.checked_shr(rest).unwrap_or(0))
            });
        }
        None
    }

    /// Sees to it that a block is among the codes in bands, with all that these marks reach; tells its place there.
    fn part(&self, bands: &mut Bands, start: usize, marks: &Marks) -> usize {
        let place = self.codes.pad() + start;
        let from = place - marks.reach();
        if !bands.covers(from, ROOM) {
            bands.begin(from, ROOM);
        }
        let to = place + LANES;
        if bands.next() < to {
            let Source { codes, mask, at } = self.codes.source(start);
            let new = at - place + bands.next()..at + LANES;
            let mask = mask.map(|mask| &mask[new.clone()]);
            self.kernel.part(bands, &codes[new], mask);
        }
        place
    }

    /// What the marks leave open of few codes: all of a heap at once, by the first pairs, which nearly always do.
    fn look_up_each(
        &self,
        start: usize,
        planes: &[Lanes],
        limits: &Lanes,
        wasted: &mut u64,
    ) -> Option<Missing> {
        let codes = self.codes;
        let bytes = codes.bytes();
        let firsts = &bytes[codes.pad() + 1..][..FIRST];
        let mut open = self.kernel.open(planes, limits);
        while open != 0 {
            let lane = open.trailing_zeros() as usize;
            open &= open - 1;
            let heap = start + lane;
            let below = u64::MAX
                .checked_shr(64 - u32::from(limits.0[lane]))
                .unwrap_or(0);
            let marked = planes.iter().rev();
            let marked = marked.fold(0, |marks, plane| marks << 8 | u64::from(plane.0[lane]));
            let mut left = below & !marked;
            for &(b, _) in &self.rules.breaks {
                let end = codes.place(heap - b);
                left = self.kernel.unpaired(firsts, &bytes[end - FIRST..end], left);
            }
            *wasted += LOOK_UP_ALL;
            while left != 0 {
                let code = left.trailing_zeros() as u8;
                left &= left - 1;
                if !self.hit(heap, code, 0, wasted) {
                    return Some(Missing {
                        heap,
                        code,
                        certain: !codes.has_gap(),
                    });
                }
            }
        }
        None
    }

    /// Whether some option of the heap has this rare code, as far as its parts are not forgotten, given that no pair of
    /// common heaps with a smaller part up to `asked` has.
    #[cold]
    fn hit(&self, heap: usize, code: u8, asked: usize, wasted: &mut u64) -> bool {
        *wasted += LOOK_UP;
        let codes = self.codes;
        let alone = |t: usize, rare: bool| {
            t < heap && codes.is_rare(heap - t) == rare && codes.code(heap - t) == code
        };
        if self.rules.turning.iter().any(|&t| alone(t, false))
            || self.rules.keeping.iter().any(|&t| alone(t, true))
        {
            return true;
        }
        // In whole registers, a few first, as most pairs are found among them.
        let (mut low, mut length) = (1 + asked, 4 * LANES);
        while low < codes.kept() && low <= heap / 2 {
            let high = low.saturating_add(length);
            let hit = self.pair(heap, low, high, code);
            *wasted += hit.unwrap_or(high.min(heap / 2)) as u64 / PAIRS_A_NANOSECOND;
            if let Some(part) = hit {
                if part > self.than {
                    let mut deeper = self.deeper.lock().unwrap_or_else(PoisonError::into_inner);
                    deeper.push(Deepest { part, heap });
                }
                return true;
            }
            low = high;
            length *= 32;
        }
        self.rare_pair(heap, code)
    }

    /// The least smaller part in `low..high` of a common pair with this code.
    fn pair(&self, heap: usize, low: usize, high: usize, code: u8) -> Option<usize> {
        let codes = self.codes;
        let parts = self.rules.breaks.iter().filter_map(|&(b, two)| {
            let sum = heap.checked_sub(b)?;
            let half = sum / 2 + 1 - usize::from(two == Two::Unequal && sum % 2 == 0);
            let end = half.min(high).min(codes.kept());
            let end = end.min((sum + 1).saturating_sub(codes.window_from()));
            let pad = codes.pad();
            let part = self.kernel.scan(
                codes.bytes(),
                codes.mask(),
                pad + codes.place(sum),
                (pad + low, pad + end),
                code,
            )?;
            Some(part - pad)
        });
        parts.min()
    }

    fn rare_pair(&self, heap: usize, code: u8) -> bool {
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
