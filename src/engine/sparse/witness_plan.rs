//! The pairs that prove that the rare codes below a heap's code are options of it: first pairs that are marked in planes for 64
//! heaps at once, then rows of neighbouring pairs for each code that is still open.
//!
//! A heap with few codes below its own is soon proved and one with many is not, so all heaps of a block are marked only while a
//! pair serves many of them. From then on each open code is compared with rows of pairs until one of them gives it. The pairs
//! of a row are neighbours, so that their codes are read together; the rows are chosen one after another, each the one that
//! answers most of what is open in some recent heaps. Time: that of `order.rs`; memory: some 300 bytes a row. Twin:
//! [`WitnessPlan::none`].

use super::costs::Costs;
use super::order::{Choice, Sample, sample_starts};
use super::rules::Rules;
use super::search_plan::{fit_word, planes_needed};
use super::tuning::{
    FAR_ROW_STEP, HEAP_PAIRS_PER_SHARED_BAND, MARK_BY_TWOS_COST, MARKS_BETWEEN_LOOKS,
    MARKS_IN_RUNS, MAX_MARKED_PAIRS, MAX_MARKED_PART, MAX_MARKED_PART_NARROW, MAX_PART_IN_ROWS,
    NARROW_PLANES, OPEN_PER_FAR_ANSWER, PAIRS_PER_PLANE, PLANE_COUNTS, PROOF_BAND_ROOM,
    PROOF_PLANE_SAMPLE, ROW_SAMPLE_BLOCKS, ROWS_PER_OPEN_CODE,
};
use crate::engine::kernel::bands::BandedEntries;
use crate::engine::kernel::first_parts::{FirstParts, Row, parts_in_row};
use crate::engine::kernel::open_candidates::OpenCandidate;
use crate::engine::kernel::{Code, Entries, Entry, Kernel, LANES, Source};
use crate::engine::packed::PackedTable;

/// The pairs of common heaps that give most rare codes.
pub struct WitnessPlan<C: Code> {
    pub planes: usize,
    /// The pairs that are marked, in groups; after each it is checked whether any code is open.
    pub marked: Vec<Entries<C>>,
    pub marking: Marking,
    /// Rows of all pairs with a smaller part up to `rows_to`, those first that answer most.
    pub rows: FirstParts<C>,
    pub rows_to: usize,
    /// The rows of `rows`, with some rows of larger parts among them.
    pub far_rows: FirstParts<C>,
    /// The largest smaller part of the rows of larger parts in `far_rows`; 0 if there is none.
    pub far_depth: usize,
    /// The first heap that the pairs are right for.
    pub from: usize,
    /// The largest distance a pair reaches back.
    pub reach: usize,
    /// The largest smaller part of the pairs.
    pub depth: usize,
    /// What it costs to learn the plan again.
    pub learning_cost: u64,
}

/// The way in which pairs are marked.
pub enum Marking {
    /// Each pair is marked by itself.
    Exactly,
    /// Two pairs are marked by one look-up, and one of them may be forgotten.
    ByTwos,
    /// Pairs are marked from codes in bands, each by itself or two a look-up.
    FromBands(Box<BandedEntries>),
}

impl<C: Code> WitnessPlan<C> {
    /// A plan without pairs: every code is looked up, for a few heaps.
    pub fn none(codes: &PackedTable<C>) -> Self {
        Self {
            planes: planes_needed(codes),
            marked: Vec::new(),
            marking: Marking::Exactly,
            rows: FirstParts::default(),
            rows_to: 0,
            far_rows: FirstParts::default(),
            far_depth: 0,
            from: usize::MAX,
            reach: 0,
            depth: 0,
            learning_cost: 0,
        }
    }

    /// The plan that these codes teach. Pairs with a smaller part up to `deepest_needed` were needed before.
    pub fn learn(
        kernel: Kernel,
        rules: &Rules,
        codes: &PackedTable<C>,
        deepest_needed: usize,
    ) -> Self {
        let costs = Costs::of::<C>(kernel, rules);
        let all = planes_needed(codes);
        let planes = planes_worth_marking_for_proofs(codes, all, costs);
        let is_narrow = is_narrow::<C>(planes);
        let deepest = if is_narrow {
            MAX_MARKED_PART_NARROW
        } else {
            MAX_MARKED_PART
        };
        let most = (codes.len() / 3).min(deepest);
        let depth = if fit_word::<C>(all) {
            most
        } else {
            (codes.len() / 3).min(MAX_PART_IN_ROWS)
        };
        let entries = rules.witnesses(codes, most.saturating_sub(1));
        let furthest = rules.breaks.iter().map(|b| b.0).max().unwrap_or(0);
        let mut plan = Self {
            planes,
            from: 2 * depth + furthest + LANES,
            reach: depth + furthest,
            depth: depth - 1,
            learning_cost: costs.learn * entries.len() as u64,
            ..Self::none(codes)
        };
        let max_marked = MAX_MARKED_PAIRS.of::<C>();
        let choice = Choice {
            kernel,
            codes,
            entries: &entries,
            given: &[],
            planes,
            in_runs: !is_narrow && costs.marks_runs(planes),
            limit: |heap, code| codes.rare_below(heap, code),
        };
        if is_narrow {
            let mut order = choice.order(max_marked, max_marked);
            let none_open = order.share_open.iter().find(|(_, share)| share[0] <= 0.0);
            let marked = none_open.map_or(max_marked, |&(marked, _)| marked);
            order.entries.truncate(marked.max(8));
            let groups = order.entries.chunks(MARKS_BETWEEN_LOOKS);
            let groups = groups.map(|group| group.iter().copied().collect());
            plan.marked = groups.collect();
        } else {
            let banded = kernel.reads_bands::<C>();
            let by_twos = match banded {
                true => bands_are_seldom_shared(codes),
                false => kernel.prefers_twos::<C>(planes),
            };
            let mark = costs.mark(planes) * if by_twos { MARK_BY_TWOS_COST } else { 1.0 };
            let least = mark / (ROWS_PER_OPEN_CODE.of::<C>() * costs.row);
            let chosen = choice.places(max_marked, least);
            let mut chosen: Vec<Entry<C>> = chosen.iter().map(|&place| entries[place]).collect();
            if by_twos && !banded {
                chosen = alternate_bands(chosen);
            }
            let mut marked: Entries<C> = chosen.into_iter().collect();
            if MARKS_IN_RUNS.of::<C>() {
                marked = marked.in_runs();
            }
            let in_row = parts_in_row::<C>();
            plan.rows_to = plan.depth / in_row * in_row;
            plan.choose_rows(kernel, rules, codes, &marked, deepest_needed);
            plan.marking = match (C::byte_entries(&marked).filter(|_| banded), by_twos) {
                (Some(entries), true) => {
                    Marking::FromBands(Box::new(BandedEntries::by_twos(entries, PROOF_BAND_ROOM)))
                }
                (Some(entries), false) => {
                    Marking::FromBands(Box::new(BandedEntries::new(entries, PROOF_BAND_ROOM)))
                }
                (None, true) => Marking::ByTwos,
                (None, false) => Marking::Exactly,
            };
            plan.marked = vec![marked];
        }
        plan
    }

    /// Puts all rows in order, those first that answer most of what the marked pairs leave open, and among them rows of larger
    /// parts, up to `deepest`, where they answer more.
    fn choose_rows(
        &mut self,
        kernel: Kernel,
        rules: &Rules,
        codes: &PackedTable<C>,
        marked: &Entries<C>,
        deepest: usize,
    ) {
        let mut starts = sample_starts(codes, 1);
        starts.retain(|&start| self.reach <= codes.room(start));
        starts.truncate(ROW_SAMPLE_BLOCKS);
        let limit = |heap, code| codes.rare_below(heap, code);
        let mut open: Vec<(usize, Vec<OpenCandidate>)> = Vec::new();
        for &start in &starts {
            let sample = Sample::new(kernel, codes, &[start], self.planes, &[marked], limit);
            open.push((start, sample.open_candidates()));
        }
        let in_row = parts_in_row::<C>();
        let mut places: Vec<usize> = (1..self.rows_to).step_by(in_row).collect();
        let furthest = self.reach - self.depth - 1;
        let rooms = (starts.iter()).map(|&start| (start / 2).min(codes.room(start)));
        let deepest = rooms.fold(deepest, |deepest, room| {
            deepest.min(room.saturating_sub(furthest + in_row))
        });
        let mut far = self.rows_to;
        while far > 0 && far + in_row <= deepest.min(codes.kept()) {
            places.push(far + 1);
            far += far / FAR_ROW_STEP;
        }
        let mut left: Vec<(usize, FirstParts<C>)> = Vec::new();
        for &(b, _) in &rules.breaks {
            for &first in &places {
                let mut alone = FirstParts::default();
                alone.push(row(codes, b, first));
                left.push((first, alone));
            }
        }
        let mut scratch = Vec::new();
        loop {
            let mut answered = |rows: &FirstParts<C>| -> usize {
                let answers = open.iter().map(|(start, open)| {
                    scratch.clone_from(open);
                    kernel.unwitnessed(&mut scratch, codes.source(*start), rows, C::LANES);
                    open.len() - scratch.len()
                });
                answers.sum()
            };
            let counts = (left.iter()).map(|(_, rows)| answered(rows)).enumerate();
            let Some((place, count)) = counts.max_by_key(|&(_, count)| count) else {
                break;
            };
            let (first, best) = left.swap_remove(place);
            let is_far = first > self.rows_to;
            if is_far {
                let all: usize = open.iter().map(|(_, open)| open.len()).sum();
                if count * OPEN_PER_FAR_ANSWER < all.max(1) {
                    continue;
                }
                self.far_depth = self.far_depth.max(first + in_row - 1);
            }
            for (start, open) in &mut open {
                kernel.unwitnessed(open, codes.source(*start), &best, C::LANES);
            }
            for row in best.as_slice() {
                self.far_rows.push(row.clone());
                if !is_far {
                    self.rows.push(row.clone());
                }
            }
        }
    }
}

/// Whether so few planes are marked, [`NARROW_PLANES`] at most, that the open codes of a heap are looked up together.
pub fn is_narrow<C: Code>(planes: usize) -> bool {
    fit_word::<C>(planes) && planes <= NARROW_PLANES
}

/// The number of planes, at most `planes`, such that marking more would cost more than comparing the codes beyond them with rows.
fn planes_worth_marking_for_proofs<C: Code>(
    codes: &PackedTable<C>,
    planes: usize,
    costs: Costs,
) -> usize {
    let last = codes.last_codes(PROOF_PLANE_SAMPLE).len();
    let beyond = |planes: usize| -> usize {
        let last = codes.last_codes(PROOF_PLANE_SAMPLE);
        let limits = last.map(|(heap, code)| codes.rare_below(heap, code).index());
        limits
            .map(|limit| limit.saturating_sub(C::BITS * planes))
            .sum()
    };
    let cost = |&planes: &usize| {
        let pairs = PAIRS_PER_PLANE * (planes * C::BITS / 8) as f32;
        let marked = pairs * costs.mark(planes) / C::LANES as f32;
        marked + beyond(planes) as f32 / last as f32 * ROWS_PER_OPEN_CODE.of::<C>() * costs.row
    };
    let fewer = PLANE_COUNTS.into_iter().filter(|&fewer| fewer < planes);
    let best = fewer
        .chain([planes])
        .min_by(|a, b| cost(a).total_cmp(&cost(b)));
    best.unwrap_or(planes)
}

/// Reorders entries such that two neighbours seldom give codes of the same band of 32, as entries with close sources often do.
fn alternate_bands<C: Code>(mut entries: Vec<Entry<C>>) -> Vec<Entry<C>> {
    entries.sort_unstable_by_key(|entry| (entry.u().index() / 32, entry.q()));
    let (first, second) = entries.split_at(entries.len().div_ceil(2));
    let mut second = second.iter();
    let pairs = first.iter().flat_map(|one| [Some(one), second.next()]);
    pairs.flatten().copied().collect()
}

/// Whether two of the last heaps seldom have codes of the same band of 32.
fn bands_are_seldom_shared<C: Code>(codes: &PackedTable<C>) -> bool {
    let last_codes = codes.last_codes(PROOF_PLANE_SAMPLE);
    let last = last_codes.len();
    let mut counts = vec![0; C::CODES / 32];
    last_codes.for_each(|(_, code)| counts[code.index() / 32] += 1);
    let same: usize = counts.iter().map(|count| count * count).sum();
    same * HEAP_PAIRS_PER_SHARED_BAND <= last * last
}

/// The row of the smaller parts from `first` on, for a move that takes `stones` stones.
fn row<C: Code>(codes: &PackedTable<C>, stones: usize, first: usize) -> Row<C> {
    let Source { codes, mask, at } = codes.source(first);
    Row::new(first, stones, |part| {
        let place = at + part - first;
        (codes[place], mask.map_or(C::ZERO, |mask| mask[place]))
    })
}
