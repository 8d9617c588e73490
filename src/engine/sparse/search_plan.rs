//! The stages in which a block of heaps is checked against its options: the first options are marked in planes, the later ones
//! tested against the few codes that are still open; the fewer codes are open, the fewer slots are tested.
//!
//! Which options there are follows from the classes (`sparse_space.rs`): a common option of a common heap has a rare
//! part. The stages only say when each is looked at, such that marking, testing and looking up cost least together by
//! `costs.rs`. Time: that of `order.rs`; memory: two words an entry. Twin: one stage that marks everything,
//! [`SearchPlan::in_natural_order`].

use super::costs::Costs;
use super::near_nibbles::NearNibbles;
use super::order::{Choice, Order};
use super::rules::Rules;
use super::tuning::{
    ByWidth, ENTRIES_PER_PLANE, FAR_DISTANCE, HEAPS_PER_CODE_BEYOND, HEAPS_PER_FULL_LOOK,
    MARKS_IN_RUNS, MAX_NEARER_PER_FAR, MAX_ORDERED_ENTRIES, MAX_PLANES_WITHOUT_BANDS, MAX_SPAN,
    MAX_SPAN_WITH_TABLE, MIN_WIDE_PLANES, NATURAL_ORDER_DISCOUNT, PLANE_COUNTS, RECENT_HEAPS,
    SEARCH_BAND_ROOM, SEARCH_PLANE_SAMPLE, SPAN_HISTORY, WORD_PLANES,
};
use crate::engine::kernel::bands::{BandedEntries, Bands};
use crate::engine::kernel::{Code, Entries, Entry, Kernel, LANES, SLOTS, Source};
use crate::engine::packed::{PackedTable, Rare};

/// Entries that are used together.
#[derive(Clone)]
pub struct Stage<C> {
    /// Entries whose sources lie in the span's copy of the table.
    pub from_span: Entries<C>,
    /// Entries that reach further back, into the table.
    pub from_table: Entries<C>,
    /// The entries of `from_span` again, where they are marked from bands.
    pub banded: Option<BandedEntries>,
}

impl<C: Code> Stage<C> {
    /// Entries that are tested.
    fn new(entries: &[Entry<C>]) -> Self {
        let mut stage = Self {
            from_span: Entries::default(),
            from_table: Entries::default(),
            banded: None,
        };
        entries.iter().for_each(|&entry| stage.push(entry));
        stage
    }

    /// Entries that are marked.
    fn marked(entries: &[Entry<C>]) -> Self {
        let mut stage = Self::new(entries);
        if MARKS_IN_RUNS.of::<C>() {
            stage.from_span = stage.from_span.in_runs();
        }
        stage
    }

    pub fn is_empty(&self) -> bool {
        self.from_span.is_empty() && self.from_table.is_empty()
    }

    /// Marks these options of the block of `heap`, given the source of those from the span, and the bands of its codes.
    #[inline(always)]
    pub fn mark(
        &self,
        kernel: Kernel,
        planes: &mut [C::Lanes],
        (codes, heap): (&PackedTable<C>, usize),
        span: Source<'_, C>,
        bands: &Bands,
    ) {
        match &self.banded {
            Some(banded) => {
                let bands = (bands, codes.pad() + heap);
                kernel.mark_from_bands(planes, (span, &self.from_span), bands, banded);
            }
            None => kernel.mark_options(planes, span, &self.from_span),
        }
        kernel.mark_options(planes, codes.source(heap), &self.from_table);
    }

    pub fn push(&mut self, entry: Entry<C>) {
        if entry.q() <= SPAN_HISTORY {
            self.from_span.push(entry);
            if let (Some(banded), Some(&[u])) = (&mut self.banded, C::bytes(&[entry.u()])) {
                banded.push(Entry::new(entry.q(), u));
            }
        } else {
            self.from_table.push(entry);
        }
    }
}

/// A stage that is marked, and those that are tested behind it, each with the number of slots.
type Stages<C> = (Stage<C>, Vec<(usize, Stage<C>)>);

/// Which far options helper threads mark, ahead of the thread that searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelperMarks {
    None,
    /// Helpers mark the far options that are marked anyway: no more work, whichever thread does it.
    FarMarked,
    /// Helpers mark all far options, of which some would be tested otherwise: more work, but the least for the thread that
    /// searches.
    AllFar,
}

/// The entries of [`Rules::common_options`], and when each of them is looked at.
pub struct SearchPlan<C: Code> {
    pub planes: usize,
    /// Far options that helpers may mark; empty if there are none.
    pub by_helpers: Stage<C>,
    /// Which options `by_helpers` holds.
    pub helper_marks: HelperMarks,
    /// The options that the search marks.
    pub marked: Stage<C>,
    /// The options that are tested then, each stage with so many slots.
    pub tested: Vec<(usize, Stage<C>)>,
    /// Options whose sources may lie in the block itself.
    pub near: Entries<C>,
    /// `near` again where two planes are marked, so that nearly all codes are below 16. `None` too if the entries don't fit: see
    /// [`NearNibbles::new`].
    pub near_nibbles: Option<NearNibbles<C>>,
    /// How far back the entries reach that are read from the span, and a block more.
    pub history: usize,
    /// How far back the entries reach that are marked from bands.
    pub band_reach: usize,
    /// What it costs to learn the best order; 0 where there is none to learn.
    pub learning_cost: u64,
    /// How much more a heap costs in natural order than in the best one.
    natural_order_cost: u64,
    /// What it costs to look at all options of a heap.
    all_options_cost: u64,
}

impl<C: Code> SearchPlan<C> {
    /// The plan in the best order, in which the far options that helpers mark are kept apart.
    pub fn learn(
        kernel: Kernel,
        rules: &Rules,
        codes: &PackedTable<C>,
        helper_marks: HelperMarks,
    ) -> Self {
        let costs = Costs::of::<C>(kernel, rules);
        let plan = Self::with_stages(kernel, rules, codes, |others, planes, near| {
            let far = match helper_marks {
                HelperMarks::AllFar => others.partition_point(|entry| entry.q() < FAR_DISTANCE),
                _ => others.len(),
            };
            let (others, far) = others.split_at(far);
            let mut far = Stage::marked(far);
            let choice = Choice {
                kernel,
                codes,
                entries: others,
                given: &[&far.from_span, &far.from_table],
                planes,
                in_runs: costs.marks_runs(planes),
                limit: |_, code| code,
            };
            let order = choice.order(MAX_ORDERED_ENTRIES, others.len());
            let (mut marked, tested) = stages(&order, costs, planes, near);
            if helper_marks == HelperMarks::FarMarked {
                let from_span = marked.from_span.as_slice().iter();
                let entries = from_span.chain(marked.from_table.as_slice());
                let (far_ones, nearer): (Vec<Entry<C>>, Vec<Entry<C>>) =
                    entries.partition(|entry| entry.q() >= FAR_DISTANCE);
                if far_ones.len() >= nearer.len() / MAX_NEARER_PER_FAR {
                    (marked, far) = (Stage::marked(&nearer), Stage::marked(&far_ones));
                }
            }
            (far, (marked, tested))
        });
        Self {
            helper_marks,
            ..plan
        }
    }

    /// The plan in the order of distance, for a few heaps.
    pub fn in_natural_order(kernel: Kernel, rules: &Rules, codes: &PackedTable<C>) -> Self {
        let mut saved = 0.0;
        let plan = Self::with_stages(kernel, rules, codes, |others, planes, _| {
            let costs = Costs::of::<C>(kernel, rules);
            saved = (costs.mark(planes) - costs.test(SLOTS)) * others.len() as f32;
            let stages = (Stage::marked(others), vec![(SLOTS, Stage::new(&[]))]);
            (Stage::new(&[]), stages)
        });
        Self {
            natural_order_cost: (saved / C::LANES as f32) as u64 / NATURAL_ORDER_DISCOUNT,
            ..plan
        }
    }

    /// The extra cost of the last heaps, compared with the best order.
    pub fn excess_cost(&self, heaps: usize, from_all_options: usize) -> u64 {
        heaps as u64 * self.natural_order_cost + from_all_options as u64 * self.all_options_cost
    }

    /// A plan in which `stages` arranges the entries that reach out of a block, given also the number of planes and of the
    /// other entries: into a stage for helpers, and the other stages.
    fn with_stages(
        kernel: Kernel,
        rules: &Rules,
        codes: &PackedTable<C>,
        stages: impl FnOnce(&[Entry<C>], usize, usize) -> (Stage<C>, Stages<C>),
    ) -> Self {
        let entries = rules.common_options(codes);
        let first_outside = entries.partition_point(|entry| entry.q() < C::LANES);
        let (near, others) = entries.split_at(first_outside);
        let costs = Costs::of::<C>(kernel, rules);
        let all_options = costs.all_options(others.len(), near.len());
        let mut planes = planes_needed(codes);
        if !fit_word::<C>(planes) {
            planes = planes_worth_marking(codes, planes, (others.len(), all_options), costs);
        }
        let ((by_helpers, (marked, tested)), learning_cost) = if fit_word::<C>(planes) {
            ((Stage::new(&[]), (Stage::marked(others), Vec::new())), 0)
        } else {
            let stages = stages(others, planes, near.len());
            (stages, costs.learn * others.len() as u64)
        };
        let mut plan = Self {
            planes,
            by_helpers,
            helper_marks: HelperMarks::None,
            marked,
            tested,
            near: near.iter().copied().collect(),
            near_nibbles: None,
            history: 0,
            band_reach: 0,
            learning_cost,
            natural_order_cost: 0,
            all_options_cost: all_options as u64,
        };
        if planes > MAX_PLANES_WITHOUT_BANDS {
            for stage in [&mut plan.marked, &mut plan.by_helpers] {
                let entries = C::byte_entries(&stage.from_span);
                stage.banded = entries.map(|entries| BandedEntries::new(entries, SEARCH_BAND_ROOM));
            }
        }
        plan.refresh();
        plan
    }

    /// Brings up to date what follows from the entries.
    fn refresh(&mut self) {
        self.near_nibbles = if self.planes <= 2 {
            NearNibbles::new(&self.near)
        } else {
            None
        };
        let reach = self.stages().map(|stage| stage.from_span.reach()).max();
        self.history = reach.unwrap_or(0).max(LANES) + LANES;
        let banded = self.stages().filter_map(|stage| stage.banded.as_ref());
        self.band_reach = banded.map(BandedEntries::reach).max().unwrap_or(0);
    }

    /// All stages, that of helpers among them.
    pub fn stages(&self) -> impl Iterator<Item = &Stage<C>> {
        let tested = self.tested.iter().map(|(_, stage)| stage);
        [&self.marked, &self.by_helpers].into_iter().chain(tested)
    }

    /// The most heaps that can be found at a time.
    pub fn longest_span(&self) -> usize {
        if self.stages().all(|stage| stage.from_table.is_empty()) {
            MAX_SPAN
        } else {
            MAX_SPAN_WITH_TABLE
        }
    }

    /// Adds the options by a new rare heap, which come last.
    pub fn add_rare(&mut self, rules: &Rules, rare: Rare<C>) {
        for entry in rules.pairs_with(rare) {
            if entry.q() < C::LANES {
                self.near.push(entry);
            } else if let Some((_, last)) = self.tested.last_mut() {
                last.push(entry);
            } else {
                self.marked.push(entry);
            }
        }
        self.refresh();
    }
}

/// Whether so few planes are marked, [`WORD_PLANES`] at most, that all options are marked and there is no order to learn. The marks
/// of a heap then fit one word.
pub fn fit_word<C: Code>(planes: usize) -> bool {
    ByWidth(planes <= WORD_PLANES, false).of::<C>()
}

/// Planes that cover nearly all codes of the last heaps.
pub fn planes_needed<C: Code>(codes: &PackedTable<C>) -> usize {
    let last_codes = codes.last_codes(RECENT_HEAPS);
    let last = last_codes.len();
    let mut counts = vec![0usize; C::CODES];
    last_codes.for_each(|(_, code)| counts[code.index()] += 1);
    let of_rares = codes.rares().iter().map(|rare| rare.code.index());
    let of_rares = of_rares.max().unwrap_or(0).min(63);
    let beyond_nibbles: usize = counts[16..].iter().sum();
    if fit_word::<C>(2) && beyond_nibbles * HEAPS_PER_FULL_LOOK <= last && of_rares < 16 {
        return 2;
    }
    let mut above = 0;
    let largest = (0..C::CODES).rev().find(|&code| {
        above += counts[code];
        above * HEAPS_PER_CODE_BEYOND > last
    });
    let largest = largest.unwrap_or(0).max(of_rares);
    let planes = largest / C::BITS + 1;
    let of_bytes = match planes {
        0..=2 => 2,
        3..=4 => 4,
        planes @ 5..=8 => planes.next_multiple_of(8),
        9..=10 => 10,
        planes @ 11..=16 => planes.next_multiple_of(4),
        planes @ 17..=24 => planes.next_multiple_of(2),
        _ => 32,
    };
    let of_words = planes.clamp(MIN_WIDE_PLANES, size_of::<C::Planes>() / LANES);
    ByWidth(of_bytes, of_words).of::<C>()
}

/// The number of planes such that to mark more would cost more than to look at all options of the heaps whose codes lie beyond.
fn planes_worth_marking<C: Code>(
    codes: &PackedTable<C>,
    planes: usize,
    (entries, all_options): (usize, f32),
    costs: Costs,
) -> usize {
    let last_codes = codes.last_codes(SEARCH_PLANE_SAMPLE);
    let last = last_codes.len();
    let mut counts = vec![0usize; C::CODES + 1];
    last_codes.for_each(|(_, code)| counts[code.index()] += 1);
    (0..C::CODES)
        .rev()
        .for_each(|code| counts[code] += counts[code + 1]);
    let marked = entries.min(ENTRIES_PER_PLANE * planes * C::BITS / 8) as f32;
    let cost = |&planes: &usize| {
        let share = |code: usize| counts[code.min(C::CODES)] as f32 / last as f32;
        let beyond = C::BITS * planes;
        marked * costs.mark(planes) / C::LANES as f32 + share(beyond) * all_options
    };
    let counts = PLANE_COUNTS
        .into_iter()
        .filter(|&count| count > WORD_PLANES);
    let best = counts
        .chain([planes])
        .min_by(|a, b| cost(a).total_cmp(&cost(b)));
    best.unwrap_or(planes)
}

/// After how many entries it is best to go on with `slots` slots, given what an entry costs less from there on, and what a heap
/// costs that has more holes than slots then.
fn switch<C: Code>(
    order: &Order<C>,
    slots: usize,
    gain: f32,
    cost: impl Fn(usize) -> f32,
) -> usize {
    let total = |&(k, share): &(usize, [f32; SLOTS])| {
        let lost = C::LANES as f32 * share[slots - 1];
        (k as f32 * gain + lost * cost(k), k)
    };
    let best = order
        .share_open
        .iter()
        .map(total)
        .min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(0, |(_, k)| k)
}

/// The stage that is marked, until few heaps have more holes than there are slots, and those that are then tested.
fn stages<C: Code>(order: &Order<C>, costs: Costs, planes: usize, near: usize) -> Stages<C> {
    let all = order.entries.len();
    let mut before = costs.mark(planes);
    let mut until = |slots: usize, done: usize, marked: Option<usize>| {
        let saved = before - costs.test(slots);
        before = costs.test(slots);
        // What is marked is not looked at again.
        let cost = |k| costs.all_options(all - marked.unwrap_or(k), near);
        switch(order, slots, saved, cost).clamp(done, all)
    };
    let marked = until(8, 0, None);
    let with_eight = until(6, marked, Some(marked));
    let with_six = until(4, with_eight, Some(marked));
    let tested = [
        (8, marked..with_eight),
        (6, with_eight..with_six),
        (4, with_six..all),
    ];
    let tested = tested.map(|(slots, places)| (slots, Stage::new(&order.entries[places])));
    (Stage::marked(&order.entries[..marked]), tested.into())
}
