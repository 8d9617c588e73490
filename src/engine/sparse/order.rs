//! In what order to look at the options of a heap.
//!
//! The kernels mark a few hundred options and test the others against what is still open, so the first ones should
//! fill as many holes as they can. Which do so hardly changes along the table: a greedy choice on some recent heaps
//! stays good for long. The choice is lazy (Minoux 1978): gains only ever fall, so a stale gain is an upper bound.
//! How far the chosen ones get is counted on other heaps, as the greedy choice flatters its own sample. Source: Minoux,
//! *Accelerated greedy algorithms for maximizing submodular set functions* (Optimization Techniques, LNCIS 7, 1978, p. 234).
//! Time: some looks at eight blocks for each entry; memory: the entries. Twin: any order gives the same values, as
//! [`Find::unordered`](super::plan::Find::unordered) does.

use crate::engine::kernel::{Entries, Entry, Kernel, LANES, Lanes, SLOTS};
use crate::engine::table::packed::PackedTable;

/// Entries in the order in which to use them.
pub struct Order {
    pub entries: Vec<Entry>,
    /// After k entries, the share of heaps that still have more than w holes: `over[k][w]`, as far as it was counted.
    pub over: Vec<[f32; SLOTS]>,
}

/// Some blocks of heaps, and which codes of each are no holes.
struct Sample<'a> {
    kernel: Kernel,
    codes: &'a PackedTable,
    blocks: Vec<Block>,
}

struct Block {
    start: usize,
    planes: Vec<Lanes>,
}

impl<'a> Sample<'a> {
    fn new(
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

    /// How many holes the entry fills in the first blocks.
    fn gain(&self, entry: Entry, blocks: usize) -> usize {
        let fresh = |block| self.fresh(block, entry).count_ones() as usize;
        self.blocks[..blocks].iter().map(fresh).sum()
    }

    fn fill(&mut self, entries: &Entries) {
        for block in &mut self.blocks {
            if entries.reach() <= self.codes.room(block.start) {
                self.kernel
                    .scatter(&mut block.planes, self.codes.source(block.start), entries);
            }
        }
    }
}

/// Blocks of the sample.
const BLOCKS: usize = 8;

/// Orders the entries by how many of the codes below `wanted(heap, code)` they fill that those given leave open. Only `most` are chosen one by one;
/// the others follow as they come. How far the first `counted` get is counted.
pub fn order(
    kernel: Kernel,
    codes: &PackedTable,
    (entries, given): (&[Entry], &[&Entries]),
    planes: usize,
    (most, counted): (usize, usize),
    wanted: impl Fn(usize, u8) -> u8 + Copy,
) -> Order {
    let last = codes.len() - LANES;
    let known = codes.len() - codes.window_from();
    let stride = (known / 512).clamp(LANES, 4096);
    let starts = |odd: usize| -> Vec<usize> {
        (0..BLOCKS * (1 + odd))
            .filter_map(|k| last.checked_sub((2 * k + odd) * stride))
            .filter(|&start| start > codes.window_from())
            .collect()
    };
    let mut sample = Sample::new(kernel, codes, &starts(0), (planes, given), wanted);
    let blocks = sample.blocks.len();
    let mut order = Order {
        entries: Vec::with_capacity(entries.len()),
        over: Vec::new(),
    };
    let mut rest = Vec::new();
    // Buckets by gain: gains are small, and only ever fall.
    let mut buckets: Vec<Vec<Entry>> = vec![Vec::new(); blocks * LANES + 1];
    for &entry in entries.iter().rev() {
        buckets[sample.gain(entry, 1) * blocks].push(entry);
    }
    let mut top = buckets.len() - 1;
    while top > 0 && order.entries.len() < most {
        let Some(entry) = buckets[top].pop() else {
            top -= 1;
            continue;
        };
        let gain = sample.gain(entry, blocks);
        if gain < top {
            buckets[gain].push(entry);
        } else {
            sample.fill(&Entries::from_iter([entry]));
            order.entries.push(entry);
        }
    }
    rest.extend(buckets.into_iter().rev().flatten());
    order.entries.append(&mut rest);

    let mut sample = Sample::new(kernel, codes, &starts(1), (planes, given), wanted);
    let heaps = (sample.blocks.len() * LANES).max(1) as f32;
    let mut left: Vec<usize> = Vec::new();
    let mut over = [0usize; SLOTS];
    for block in &sample.blocks {
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
    order.over.push(over.map(|count| count as f32 / heaps));
    for &entry in order.entries.iter().take(counted) {
        for (k, block) in sample.blocks.iter().enumerate() {
            let mut fresh = sample.fresh(block, entry);
            while fresh != 0 {
                let left = &mut left[k * LANES + fresh.trailing_zeros() as usize];
                *left -= 1;
                if let Some(count) = over.get_mut(*left) {
                    *count -= 1;
                }
                fresh &= fresh - 1;
            }
        }
        sample.fill(&Entries::from_iter([entry]));
        order.over.push(over.map(|count| count as f32 / heaps));
    }
    order
}
