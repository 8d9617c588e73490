//! In what order to look at the options of a heap.
//!
//! The kernels mark a few hundred options and go through the others for what is still open, so the first ones should
//! fill as many holes as they can. Which do so hardly changes along the table: a greedy choice on some recent heaps
//! (`cover.rs`) stays good for long. How far the chosen ones get is counted on other heaps, as the greedy choice flatters its
//! own sample.
//! Time: some thousand cycles for each entry; memory: 512 bytes an entry. Twin: any order gives the same values, as
//! [`Find::unordered`](super::plan::Find::unordered) does.

use super::cover::{Codes, Cover};
use crate::engine::kernel::firsts::Question;
use crate::engine::kernel::{Entries, Entry, Kernel, LANES, Lanes, SLOTS};
use crate::engine::table::packed::PackedTable;

/// Entries in the order in which to use them.
pub struct Order {
    pub entries: Vec<Entry>,
    /// After k entries, the share of heaps that still have more than w holes: `over[k][w]`, as far as it was counted.
    pub over: Vec<[f32; SLOTS]>,
}

/// Some blocks of heaps, and which codes of each are no holes.
pub struct Sample<'a> {
    kernel: Kernel,
    codes: &'a PackedTable,
    blocks: Vec<Block>,
}

struct Block {
    start: usize,
    planes: Vec<Lanes>,
}

impl<'a> Sample<'a> {
    pub fn new(
        kernel: Kernel,
        codes: &'a PackedTable,
        starts: &[usize],
        (planes, given): (usize, &[&Entries]),
        wanted: impl Fn(usize, u8) -> u8,
    ) -> Self {
        let block = |&start: &usize| {
            let mut planes = vec![Lanes::ZERO; planes];
            for lane in 0..LANES {
                let heap = start + lane;
                let limit = if codes.is_rare(heap) {
                    0
                } else {
                    usize::from(wanted(heap, codes.code(heap)))
                };
                for (j, plane) in planes.iter_mut().enumerate() {
                    plane.0[lane] = 0xff_u8
                        .checked_shl(limit.saturating_sub(8 * j) as u32)
                        .unwrap_or(0);
                }
            }
            Block { start, planes }
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

    /// The lanes of a block in which the entry fills a hole.
    fn fresh(&self, block: &Block, entry: Entry) -> u64 {
        if entry.q() > self.codes.room(block.start) {
            return 0;
        }
        self.kernel
            .fresh(&block.planes, self.codes.source(block.start), entry)
    }

    fn fill(&mut self, entries: &Entries) {
        for block in &mut self.blocks {
            if entries.reach() <= self.codes.room(block.start) {
                self.kernel
                    .scatter(&mut block.planes, self.codes.source(block.start), entries);
            }
        }
    }

    /// After so many of these entries, the share of heaps that still have more than w holes.
    fn counts(mut self, entries: &[Entry]) -> Vec<[f32; SLOTS]> {
        let heaps = (self.blocks.len() * LANES).max(1) as f32;
        let mut left: Vec<usize> = Vec::new();
        let mut over = [0usize; SLOTS];
        for block in &self.blocks {
            for lane in 0..LANES {
                let open: u32 = block
                    .planes
                    .iter()
                    .map(|plane| plane.0[lane].count_zeros())
                    .sum();
                over[..(open as usize).min(SLOTS)]
                    .iter_mut()
                    .for_each(|count| *count += 1);
                left.push(open as usize);
            }
        }
        let share = |over: [usize; SLOTS]| over.map(|count| count as f32 / heaps);
        let mut counts = vec![share(over)];
        for &entry in entries {
            for (k, block) in self.blocks.iter().enumerate() {
                let mut fresh = self.fresh(block, entry);
                while fresh != 0 {
                    let left = &mut left[k * LANES + fresh.trailing_zeros() as usize];
                    *left -= 1;
                    if let Some(count) = over.get_mut(*left) {
                        *count -= 1;
                    }
                    fresh &= fresh - 1;
                }
            }
            self.fill(&Entries::from_iter([entry]));
            counts.push(share(over));
        }
        counts
    }

    /// What is open of the blocks.
    pub fn questions(&self) -> Vec<Question> {
        let mut open = Vec::new();
        let all = Lanes::DEAD;
        for block in &self.blocks {
            self.kernel.unmarked(&block.planes, &all, &mut open);
        }
        open
    }

    /// The heaps and what is open of each.
    fn holes(&self) -> Vec<(usize, Codes)> {
        let blocks = self.blocks.iter().flat_map(|block| {
            (0..LANES).map(|lane| {
                let mut open = Codes::default();
                let planes = (0u8..).zip(&block.planes);
                planes
                    .flat_map(|(j, plane)| {
                        (0..8).map(move |bit| (8 * j + bit, plane.0[lane] >> bit & 1))
                    })
                    .filter(|&(_, marked)| marked == 0)
                    .for_each(|(code, _)| open.insert(code));
                (block.start + lane, open)
            })
        });
        blocks.collect()
    }
}

/// Blocks of the sample.
const BLOCKS: usize = 8;
/// While nearly all is open, so many are enough for the first choices: while each fills a hole in so many heaps of a block.
const FIRST_BLOCKS: usize = 2;
const FIRST_LEAST: f32 = 8.0;

/// Orders the entries by how many of the codes below `wanted(heap, code)` they fill that those given leave open. Only `most` are
/// chosen one by one; the others follow as they come. How far the first `counted` get is counted.
pub fn order(
    kernel: Kernel,
    codes: &PackedTable,
    (entries, given): (&[Entry], &[&Entries]),
    planes: usize,
    (most, counted): (usize, usize),
    wanted: impl Fn(usize, u8) -> u8 + Copy,
) -> Order {
    let chosen = choose(kernel, codes, (entries, given), planes, (most, 0.0), wanted);
    let first: Entries = chosen.iter().map(|&place| entries[place]).collect();
    let mut is_chosen = vec![false; entries.len()];
    chosen.iter().for_each(|&place| is_chosen[place] = true);
    let others = entries.iter().zip(is_chosen).filter(|(_, chosen)| !chosen);
    let mut entries = first.as_slice().to_vec();
    entries.extend(others.map(|(&entry, _)| entry));
    let sample = Sample::new(kernel, codes, &starts(codes, 1), (planes, given), wanted);
    let over = sample.counts(&entries[..entries.len().min(counted)]);
    Order { entries, over }
}

/// The places of the entries, `most` at most, that fill most of the codes below `wanted(heap, code)` that those given leave open, one
/// chosen after another while it fills `least` of a block of heaps.
pub fn choose(
    kernel: Kernel,
    codes: &PackedTable,
    (entries, given): (&[Entry], &[&Entries]),
    planes: usize,
    (most, least): (usize, f32),
    wanted: impl Fn(usize, u8) -> u8 + Copy,
) -> Vec<usize> {
    let mut chosen = Vec::new();
    let mut first = Entries::default();
    let blocks = starts(codes, 0);
    let few = &blocks[..blocks.len().min(FIRST_BLOCKS)];
    for (blocks, least) in [(few, FIRST_LEAST.max(least)), (&blocks, least)] {
        let given: Vec<&Entries> = given.iter().copied().chain([&first]).collect();
        let holes = Sample::new(kernel, codes, blocks, (planes, &given), wanted).holes();
        let least = (blocks.len() as f32 * least) as u16;
        let mut cover = Cover::new(kernel, codes, entries, &holes);
        let more = cover.choose(most - chosen.len(), least);
        more.iter().for_each(|&place| first.push(entries[place]));
        chosen.extend(more);
    }
    chosen
}

/// The first heaps of the blocks of a sample, or of those between them.
pub fn starts(codes: &PackedTable, odd: usize) -> Vec<usize> {
    let last = codes.len() - LANES;
    let known = codes.len() - codes.window_from();
    let stride = (known / 512).clamp(LANES, 4096);
    (0..BLOCKS * (1 + odd))
        .filter_map(|k| last.checked_sub((2 * k + odd) * stride))
        .filter(|&start| start > codes.window_from())
        .collect()
}
