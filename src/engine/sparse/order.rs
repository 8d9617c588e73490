//! The order in which the options of a heap are looked at.
//!
//! The kernels mark a few hundred options and go through the others for what is still open, so the first ones should fill as
//! many holes as they can. Which do so hardly changes along the table: a greedy choice on some recent heaps (`cover.rs`) stays
//! good for long. How far the chosen ones get is counted on other heaps, as the greedy choice flatters its own sample. Time:
//! some thousand cycles for each entry; memory: 512 or 1,024 bytes an entry. Twin: any order gives the same values, as
//! [`SearchPlan::in_natural_order`](super::search_plan::SearchPlan::in_natural_order) does.

use super::cover::{CodeSet, Cover, gains};
use super::tuning::{
    COUNTED_BLOCKS, ENTRIES_PER_COUNT, LARGE_SAMPLE_FROM, ORDER_SAMPLE_BLOCKS, PRESELECTION_BLOCKS,
    PRESELECTION_GAIN, TRIED_PER_CHOICE, TRIED_SHARE,
};
use crate::engine::kernel::entries::runs;
use crate::engine::kernel::open_candidates::{OpenCandidate, OpenCandidates};
use crate::engine::kernel::{Code, Entries, Entry, Kernel, SLOTS};
use crate::engine::packed::PackedTable;

/// Entries in the order in which they are used.
pub struct Order<C> {
    pub entries: Vec<Entry<C>>,
    /// After some numbers of entries, ever farther apart: the share of heaps that still have more than 0, 1, 2 … holes, as far as
    /// it was counted.
    pub share_open: Vec<(usize, [f32; SLOTS])>,
}

/// Some blocks of heaps, and which codes of each are holes: open codes below a limit.
pub struct Sample<'a, C: Code> {
    kernel: Kernel,
    codes: &'a PackedTable<C>,
    blocks: Vec<SampleBlock<C>>,
}

struct SampleBlock<C: Code> {
    start: usize,
    planes: Vec<C::Lanes>,
}

impl<'a, C: Code> Sample<'a, C> {
    /// The blocks that begin at these heaps. Holes of a heap are the codes below `limit(heap, code)` that the entries given
    /// don't fill.
    pub fn new(
        kernel: Kernel,
        codes: &'a PackedTable<C>,
        starts: &[usize],
        planes: usize,
        given: &[&Entries<C>],
        limit: impl Fn(usize, C) -> C,
    ) -> Self {
        let block = |&start: &usize| {
            let mut planes = vec![C::ZERO_LANES; planes];
            for lane in 0..C::LANES {
                let heap = start + lane;
                let code = codes.code(heap).ok().filter(|_| !codes.is_rare(heap));
                let below = code.map_or(0, |code| limit(heap, code).index());
                for (j, plane) in planes.iter_mut().enumerate() {
                    let below = C::bit(below.saturating_sub(C::BITS * j)).index();
                    C::block_mut(plane).as_mut()[lane] = C::of(below.wrapping_neg());
                }
            }
            SampleBlock { start, planes }
        };
        let mut sample = Self {
            kernel,
            codes,
            blocks: starts.iter().map(block).collect(),
        };
        for &entries in given {
            sample.fill(entries);
        }
        sample
    }

    /// Fills the holes that these entries fill.
    fn fill(&mut self, entries: &Entries<C>) {
        for block in &mut self.blocks {
            let room = self.codes.room(block.start);
            let source = self.codes.source(block.start);
            if entries.reach() <= room {
                (self.kernel).mark_options::<C>(&mut block.planes, source, entries);
            } else {
                let inside = entries.as_slice().iter().filter(|entry| entry.q() <= room);
                let inside = inside.copied().collect();
                (self.kernel).mark_options::<C>(&mut block.planes, source, &inside);
            }
        }
    }

    /// After each number of these entries, the share of heaps that still have more than 0, 1, 2 … holes.
    fn counts(mut self, entries: &[Entry<C>]) -> Vec<(usize, [f32; SLOTS])> {
        let mut counts = vec![(0, self.share_open())];
        let mut done = 0;
        while done < entries.len() {
            let next = entries.len().min(done + 1 + done / ENTRIES_PER_COUNT);
            self.fill(&entries[done..next].iter().copied().collect());
            done = next;
            counts.push((done, self.share_open()));
        }
        counts
    }

    /// The share of heaps that have more than 0, 1, 2 … holes.
    fn share_open(&self) -> [f32; SLOTS] {
        let mut counts = [0u32; SLOTS];
        for block in &self.blocks {
            let mut holes = vec![0u8; C::LANES];
            for plane in &block.planes {
                for (holes, plane) in holes.iter_mut().zip(C::block(plane).as_ref()) {
                    *holes = holes.saturating_add(plane.zeros() as u8);
                }
            }
            for (most, count) in (0..).zip(&mut counts) {
                *count += holes
                    .iter()
                    .map(|&holes| u32::from(holes > most))
                    .sum::<u32>();
            }
        }
        let heaps = (self.blocks.len() * C::LANES).max(1) as f32;
        counts.map(|count| count as f32 / heaps)
    }

    /// The holes of all blocks, each with its place in the block.
    pub fn open_candidates(&self) -> Vec<OpenCandidate> {
        let (mut noted, mut open) = (OpenCandidates::NONE, Vec::new());
        let all = C::DEAD_LANES;
        for block in &self.blocks {
            (self.kernel).unmarked::<C>(&block.planes, &all, 0, &mut noted);
        }
        noted.drain_into::<C>(&mut open);
        open
    }

    /// The heaps and the holes of each.
    fn holes(&self) -> Vec<(usize, CodeSet<C>)> {
        let blocks = self.blocks.iter().flat_map(|block| {
            (0..C::LANES).map(|lane| {
                let mut open = CodeSet::default();
                for (j, plane) in block.planes.iter().enumerate() {
                    let marked = C::block(plane).as_ref()[lane].index();
                    (0..C::BITS)
                        .filter(|bit| marked >> bit & 1 == 0)
                        .for_each(|bit| open.insert(C::of(C::BITS * j + bit)));
                }
                (block.start + lane, open)
            })
        });
        blocks.collect()
    }
}

/// Entries of which some are to be chosen, those that fill most holes of recent heaps.
pub struct Choice<'a, C: Code, L> {
    pub kernel: Kernel,
    pub codes: &'a PackedTable<C>,
    pub entries: &'a [Entry<C>],
    /// Entries that are used anyway: what they fill is no hole.
    pub given: &'a [&'a Entries<C>],
    /// In so many planes holes are looked for.
    pub planes: usize,
    /// Whether entries are marked in runs, so that each is chosen with its run.
    pub in_runs: bool,
    /// Holes of a heap are codes below `limit(heap, code)`.
    pub limit: L,
}

impl<C: Code, L: Fn(usize, C) -> C + Copy> Choice<'_, C, L> {
    /// The entries in the order in which they fill most of what those before them leave open. Only `most` are chosen so; the
    /// others follow as they come. How far the first `counted` get is counted.
    pub fn order(&self, most: usize, counted: usize) -> Order<C> {
        let chosen = self.places(most, 0.0);
        let first: Entries<C> = chosen.iter().map(|&place| self.entries[place]).collect();
        let mut is_chosen = vec![false; self.entries.len()];
        chosen.iter().for_each(|&place| is_chosen[place] = true);
        let others = self.entries.iter().zip(is_chosen);
        let others = others.filter(|(_, chosen)| !chosen);
        let mut entries = first.as_slice().to_vec();
        entries.extend(others.map(|(&entry, _)| entry));
        let mut blocks = sample_starts(self.codes, 1);
        blocks.truncate(COUNTED_BLOCKS);
        let sample = self.sample(&blocks, self.given);
        let share_open = sample.counts(&entries[..entries.len().min(counted)]);
        Order {
            entries,
            share_open,
        }
    }

    /// The places of about `most` entries: the last run that is chosen may exceed that. Each is chosen after those before it, as
    /// long as it fills `least` holes a block.
    pub fn places(&self, most: usize, least: f32) -> Vec<usize> {
        let Self {
            kernel,
            codes,
            entries,
            ..
        } = *self;
        let mut chosen = Vec::new();
        let mut first = Entries::default();
        let runs = match self.in_runs {
            true => runs_of(entries),
            false => Vec::new(),
        };
        let blocks = sample_starts(codes, 0);
        let few_blocks = &blocks[..blocks.len().min(PRESELECTION_BLOCKS)];
        for (blocks, least) in [(few_blocks, PRESELECTION_GAIN.max(least)), (&blocks, least)] {
            let given: Vec<&Entries<C>> = self.given.iter().copied().chain([&first]).collect();
            let holes = self.sample(blocks, &given).holes();
            let least = (blocks.len() as f32 * least) as u16;
            let gains = gains(kernel, codes, entries, &holes);
            let tried = best(
                &of_runs(&gains, &runs),
                (entries.len() / TRIED_SHARE).max(TRIED_PER_CHOICE * most),
            );
            let candidates: Vec<(Entry<C>, u16)> = (tried.iter())
                .map(|&place| (entries[place], gains[place]))
                .collect();
            let mut cover = Cover::new(kernel, codes, &candidates, &holes);
            let runs: Vec<usize> = match self.in_runs {
                true => tried.iter().map(|&place| runs[place]).collect(),
                false => Vec::new(),
            };
            let left = most.saturating_sub(chosen.len());
            for place in cover.choose(left, least, &runs) {
                first.push(candidates[place].0);
                chosen.push(tried[place]);
            }
        }
        chosen
    }

    /// The holes of the blocks that begin at these heaps.
    fn sample(&self, starts: &[usize], given: &[&Entries<C>]) -> Sample<'_, C> {
        Sample::new(
            self.kernel,
            self.codes,
            starts,
            self.planes,
            given,
            self.limit,
        )
    }
}

/// For each entry the number of its run: entries with the same u and neighbouring distances.
fn runs_of<C: Code>(entries: &[Entry<C>]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..entries.len()).collect();
    places.sort_unstable_by_key(|&place| (entries[place].u(), entries[place].q()));
    let sorted: Vec<Entry<C>> = places.iter().map(|&place| entries[place]).collect();
    let mut numbers = vec![0; entries.len()];
    let mut places = places.into_iter();
    for (number, run) in runs(&sorted).enumerate() {
        places
            .by_ref()
            .take(run.len())
            .for_each(|place| numbers[place] = number);
    }
    numbers
}

/// The gain of each entry, or that of its run where entries are marked in runs.
fn of_runs(gains: &[u16], runs: &[usize]) -> Vec<u16> {
    let mut sums = vec![0u16; gains.len()];
    for (&gain, &run) in gains.iter().zip(runs) {
        sums[run] = sums[run].saturating_add(gain);
    }
    match runs {
        [] => gains.to_vec(),
        _ => runs.iter().map(|&run| sums[run]).collect(),
    }
}

/// The places of the `most` largest gains, in order.
fn best(gains: &[u16], most: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..gains.len()).collect();
    if most < places.len() {
        places.select_nth_unstable_by_key(most, |&place| std::cmp::Reverse(gains[place]));
        places.truncate(most);
        places.sort_unstable();
    }
    places
}

/// The first heaps of the blocks of a sample, the last block first. With `odd` = 1 they are those of another sample, whose blocks
/// lie between the blocks of the first; it has twice as many and goes twice as far back.
pub fn sample_starts<C: Code>(codes: &PackedTable<C>, odd: usize) -> Vec<usize> {
    let last = codes.len() - C::LANES;
    let known = codes.len() - codes.window_from();
    let stride = (known / 512).clamp(C::LANES, 4096);
    let blocks = if known < LARGE_SAMPLE_FROM {
        ORDER_SAMPLE_BLOCKS
    } else {
        2 * ORDER_SAMPLE_BLOCKS
    };
    (0..blocks * (1 + odd))
        .filter_map(|k| last.checked_sub((2 * k + odd) * stride))
        .filter(|&start| start > codes.window_from())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::first_values::{encode, first_values};
    use crate::engine::kernel::LANES;

    #[test]
    fn what_is_left_is_counted() {
        let (octal, values) = first_values("0.6", 5000);
        let codes = encode(&octal, &values, 4).unwrap();
        // Some entries reach back beyond heap 0 from the first blocks of the sample.
        let rares = codes.rares().iter();
        let entries: Vec<Entry<u8>> = rares
            .map(|rare| Entry::new(rare.heap + 1, rare.code))
            .filter(|entry| entry.q() >= LANES)
            .collect();
        for kernel in Kernel::available() {
            let choice = Choice {
                kernel,
                codes: &codes,
                entries: &entries,
                given: &[],
                planes: 16,
                in_runs: kernel.name() != "avx2",
                limit: |_, code| code,
            };
            let order = choice.order(300, 400);
            let mut sorted = order.entries.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, entries);
            let blocks = sample_starts(&codes, 1).into_iter().take(COUNTED_BLOCKS);
            let heaps: Vec<usize> = blocks.flat_map(|start| start..start + LANES).collect();
            let (last, _) = order.share_open[order.share_open.len() - 1];
            assert_eq!(last, 400);
            for (k, share_open) in order.share_open.iter().step_by(7) {
                let holes = |&heap: &usize| {
                    let limit = if codes.is_rare(heap) {
                        0
                    } else {
                        codes.code(heap).unwrap()
                    };
                    let mut open: Vec<u8> = (0..limit.min(128)).collect();
                    // An entry gives an option only if its source is a heap, so its distance must be less than the heap.
                    for entry in order.entries[..*k].iter().filter(|entry| entry.q() < heap) {
                        let source = heap - entry.q();
                        let option = codes.code(source).unwrap() ^ entry.u();
                        open.retain(|&code| codes.is_rare(source) || code != option);
                    }
                    open.len()
                };
                let left: Vec<usize> = heaps.iter().map(holes).collect();
                let share = |w: usize| {
                    let count = left.iter().filter(|&&left| left > w).count();
                    count as f32 / heaps.len() as f32
                };
                assert_eq!(
                    *share_open,
                    std::array::from_fn(share),
                    "{} {k}",
                    kernel.name()
                );
            }
        }
    }

    #[test]
    fn the_best_are_tried() {
        assert_eq!(best(&[3, 1, 4, 1, 5, 9, 2, 6], 4), [2, 4, 5, 7]);
        assert_eq!(best(&[3, 1, 4], 3), [0, 1, 2]);
    }
}
