//! Which options a block of heaps is checked against, in stages: the first are marked in planes, the later ones tested
//! against the few codes still open, fewer and fewer of them.
//!
//! Which options there are follows from the classes (`table/sparse_space.rs`): a common option of a common heap has a rare
//! part. The stages only say when each is looked at: by the costs below, so that the sum of marking, testing and looking up
//! is least. Time: that of `order.rs`; memory: two words an entry. Twin: one stage that marks all, [`Find::unordered`].

use super::ahead::FAR;
use super::costs::Costs;
use super::narrow::Narrow;
use super::order::{Order, order};
use crate::engine::kernel::bands::Marks;
use crate::engine::kernel::{Entries, Entry, Kernel, LANES, SLOTS, Sextets};
use crate::engine::octal::{Octal, Two};
use crate::engine::table::packed::{PackedTable, Rare};

/// How far back a span of new heaps carries its own copy of the table.
pub const HISTORY: usize = 1 << 18;
/// The most heaps found at a time, where far entries must lie in the table itself, and where there are none.
const LONGEST_SPAN: usize = HISTORY / 2;
const LONGEST_NEAR_SPAN: usize = HISTORY;

/// Room for twice the places that marks from bands reach back.
pub const ROOM: usize = 1 << 16;
/// With so few planes a heap has a word.
pub const FEW_PLANES: usize = 8;
/// With so few there is little to mark, and bands are not worth it: 0.106 took an eighth longer.
const UNBANDED: usize = 2;

/// Entries that are used together.
#[derive(Clone, Default)]
pub struct Stage {
    /// Slots to test; 0 marks planes instead.
    pub width: usize,
    pub local: Entries,
    pub far: Entries,
    /// The local ones again, where they are marked from bands.
    pub marks: Option<Marks>,
}

impl Stage {
    pub fn new(width: usize, entries: &[Entry]) -> Self {
        let mut stage = Self {
            width,
            ..Self::default()
        };
        entries.iter().for_each(|&entry| stage.push(entry));
        stage
    }

    pub fn is_empty(&self) -> bool {
        self.local.is_empty() && self.far.is_empty()
    }

    pub fn push(&mut self, entry: Entry) {
        if entry.q() <= HISTORY {
            self.local.push(entry);
            if let Some(marks) = &mut self.marks {
                marks.push(entry);
            }
        } else {
            self.far.push(entry);
        }
    }
}

/// What the game and the split ask for, apart from the rare heaps.
#[derive(Clone)]
pub struct Rules {
    pub breaks: Vec<(usize, Two)>,
    /// Takings that lead from a common heap to a common one.
    pub keeping: Vec<usize>,
    /// Takings that lead from a common heap to a rare one, and back.
    pub turning: Vec<usize>,
}

impl Rules {
    pub fn new(game: &Octal, codes: &PackedTable) -> Self {
        let (keeping, turning) = game.ones.iter().partition(|&&t| codes.split().keeps(t));
        Self {
            breaks: game.breaks.clone(),
            keeping,
            turning,
        }
    }
}

/// Which options whose sources lie far back are marked by other threads, ahead of the one that finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    None,
    /// Those that are marked anyway: no more work, whoever does it.
    Marked,
    /// All: more work, but the least for the one that finds.
    All,
}

/// All common options of a common heap.
pub struct Find {
    pub planes: usize,
    /// Far options that other threads may mark, or none.
    pub ahead: Stage,
    /// Which are apart if there are any.
    pub sharing: Sharing,
    pub stages: Vec<Stage>,
    /// Options in the block itself.
    pub near: Entries,
    /// The same for codes below 16, if they all are.
    pub narrow: Option<Narrow>,
    /// The same for codes below 64.
    pub sextets: Option<Sextets>,
    /// How far back the local entries reach, and a block more.
    pub history: usize,
    /// How far back those reach that are marked from bands.
    pub banded: usize,
    /// What it costs to learn the best order.
    pub price: u64,
    /// What a heap costs more as long as it is not learnt.
    unordered: u64,
    /// What it costs to look at all options of a heap.
    recompute: u64,
}

fn entries_of(rules: &Rules, rare: Rare) -> impl Iterator<Item = Entry> + '_ {
    rules
        .breaks
        .iter()
        .map(move |&(b, _)| Entry::new(rare.heap + b, rare.code))
}

impl Find {
    /// In the best order, with far options apart if other threads mark them.
    pub fn new(kernel: Kernel, rules: &Rules, codes: &PackedTable, sharing: Sharing) -> Self {
        let costs = Costs::of(kernel);
        let find = Self::with(kernel, rules, codes, |others, planes, near| {
            let far = match sharing {
                Sharing::All => others.partition_point(|entry| entry.q() < FAR),
                _ => others.len(),
            };
            let (others, far) = others.split_at(far);
            let mut far = Stage::new(0, far);
            let most = (MOST_ORDERED, others.len());
            let given = [&far.local, &far.far];
            let order = order(kernel, codes, (others, &given), planes, most, |_, code| {
                code
            });
            let mut stages = stages(&order, costs, planes, near);
            if sharing == Sharing::Marked {
                let marks = &mut stages[0];
                let entries = marks.local.as_slice().iter().chain(marks.far.as_slice());
                let (far_ones, near): (Vec<Entry>, Vec<Entry>) =
                    entries.partition(|entry| entry.q() >= FAR);
                if far_ones.len() >= near.len() / WORTH_SHARING {
                    (*marks, far) = (Stage::new(0, &near), Stage::new(0, &far_ones));
                }
            }
            (far, stages)
        });
        Self { sharing, ..find }
    }

    /// In no order, for a few heaps.
    pub fn unordered(kernel: Kernel, rules: &Rules, codes: &PackedTable) -> Self {
        let mut saved = 0.0;
        let find = Self::with(kernel, rules, codes, |others, planes, _| {
            let costs = Costs::of(kernel);
            saved = (costs.mark(planes) - costs.test(SLOTS)) * others.len() as f32;
            let stages = vec![Stage::new(0, others), Stage::new(SLOTS, &[])];
            (Stage::default(), stages)
        });
        Self {
            unordered: (saved / LANES as f32) as u64 / UNORDERED,
            ..find
        }
    }

    /// What the last heaps cost more than in the best order.
    pub fn waste(&self, heaps: usize, recomputed: usize) -> u64 {
        heaps as u64 * self.unordered + recomputed as u64 * self.recompute
    }

    fn with(
        kernel: Kernel,
        rules: &Rules,
        codes: &PackedTable,
        stages: impl FnOnce(&[Entry], usize, usize) -> (Stage, Vec<Stage>),
    ) -> Self {
        let mut entries: Vec<Entry> = rules.keeping.iter().map(|&t| Entry::new(t, 0)).collect();
        entries.extend(
            codes
                .rares()
                .iter()
                .flat_map(|&rare| entries_of(rules, rare)),
        );
        entries.sort_unstable();
        entries.dedup();
        let first_far = entries.partition_point(|entry| entry.q() < LANES);
        let (near, others) = entries.split_at(first_far);
        let costs = Costs::of(kernel);
        let recompute = costs.recompute(others.len(), near.len());
        let mut planes = planes_for(codes);
        if planes > 8 {
            planes = worth_finding(codes, planes, (others.len(), recompute), costs);
        }
        let ((ahead, stages), price) = if planes <= 8 {
            ((Stage::default(), vec![Stage::new(0, others)]), 0)
        } else {
            let stages = stages(others, planes, near.len());
            (stages, costs.learn * others.len() as u64)
        };
        let mut find = Self {
            planes,
            ahead,
            sharing: Sharing::None,
            stages,
            near: near.iter().copied().collect(),
            narrow: None,
            sextets: None,
            history: 0,
            banded: 0,
            price,
            unordered: 0,
            recompute: recompute as u64,
        };
        if planes > UNBANDED {
            let stages = find.stages.iter_mut().chain([&mut find.ahead]);
            for stage in stages.filter(|stage| stage.width == 0) {
                stage.marks = Some(Marks::new(&stage.local, ROOM));
            }
        }
        find.refresh();
        find
    }

    fn refresh(&mut self) {
        self.narrow = if self.planes <= 2 {
            Narrow::new(&self.near)
        } else {
            None
        };
        self.sextets =
            (self.planes <= 8 && self.narrow.is_none()).then(|| Sextets::new(&self.near));
        let stages = self.stages.iter().chain([&self.ahead]);
        let reach = stages.map(|stage| stage.local.reach()).max().unwrap_or(0);
        self.history = reach.max(LANES) + LANES;
        let stages = self.stages.iter().chain([&self.ahead]);
        let marks = stages.filter_map(|stage| stage.marks.as_ref());
        self.banded = marks.map(Marks::reach).max().unwrap_or(0);
    }

    /// The most heaps that can be found at a time.
    pub fn longest_span(&self) -> usize {
        let mut stages = self.stages.iter().chain([&self.ahead]);
        if stages.all(|stage| stage.far.is_empty()) {
            LONGEST_NEAR_SPAN
        } else {
            LONGEST_SPAN
        }
    }

    /// A new rare heap: its options come last.
    pub fn add(&mut self, rules: &Rules, rare: Rare) {
        for entry in entries_of(rules, rare) {
            if entry.q() < LANES {
                self.near.push(entry);
            } else if let Some(stage) = self.stages.last_mut() {
                stage.push(entry);
            }
        }
        self.refresh();
    }
}

/// Two planes are worth a look at all options of one heap in so many: some 2000 nanoseconds, where four planes take about 40 more
/// a heap (0.054 to 6·10⁷ on the Intel machine of `docs/performance.md`, a third of the time of four planes).
const NARROW_SERVES: usize = 25;

/// Planes that cover nearly all codes of the last heaps.
pub fn planes_for(codes: &PackedTable) -> usize {
    let from = codes.len() - codes.len().min(4096);
    let mut counts = [0usize; 256];
    (from..codes.len()).for_each(|heap| counts[usize::from(codes.code(heap))] += 1);
    let last = codes.len() - from;
    let of_rares = codes.rares().iter().map(|rare| usize::from(rare.code));
    let of_rares = of_rares.max().unwrap_or(0).min(63);
    let wide: usize = counts[16..].iter().sum();
    if wide * NARROW_SERVES <= last && of_rares < 16 {
        return 2;
    }
    let mut above = 0;
    let largest = (0..256).rev().find(|&code| {
        above += counts[code];
        above * 400 > last
    });
    let largest = largest.unwrap_or(0).max(of_rares);
    match largest / 8 + 1 {
        0..=2 => 2,
        3..=4 => 4,
        planes @ 5..=8 => planes.next_multiple_of(8),
        9..=10 => 10,
        planes @ 11..=16 => planes.next_multiple_of(4),
        planes @ 17..=24 => planes.next_multiple_of(2),
        _ => 32,
    }
}

/// Numbers of planes that the kernels have loops for.
pub const PLANES: [usize; 8] = [8, 10, 12, 16, 18, 20, 22, 24];
/// Entries that are marked for each plane, about.
const MARKED: usize = 30;

/// The heaps that say how many planes are worth it.
const SAMPLE: usize = 1 << 16;

/// So many planes that to mark more would cost more than to look at all options of the heaps whose codes lie beyond.
fn worth_finding(
    codes: &PackedTable,
    planes: usize,
    (entries, recompute): (usize, f32),
    costs: Costs,
) -> usize {
    let last = (codes.len() - codes.window_from()).min(SAMPLE);
    let mut counts = [0usize; 257];
    (codes.len() - last..codes.len()).for_each(|heap| counts[usize::from(codes.code(heap))] += 1);
    (0..256)
        .rev()
        .for_each(|code| counts[code] += counts[code + 1]);
    let marked = entries.min(MARKED * planes) as f32;
    let cost = |&planes: &usize| {
        let share = |code: usize| counts[code.min(256)] as f32 / last as f32;
        let beyond = 8 * planes;
        marked * costs.mark(planes) / LANES as f32 + share(beyond) * recompute
    };
    let wide = PLANES.into_iter().filter(|&wide| wide > 8);
    let best = wide
        .chain([planes])
        .min_by(|a, b| cost(a).total_cmp(&cost(b)));
    best.unwrap_or(planes)
}

/// A heap costs one in so many of what testing saves if all is marked, where nothing is in order.
const UNORDERED: u64 = 2;
/// The most entries that are put in order one by one.
const MOST_ORDERED: usize = 1000;
/// Far entries are left to others if they are at least one to so many near ones that are marked.
const WORTH_SHARING: usize = 2;

/// After how many entries it is best to go on with `width` slots, given what an entry costs less from there on, and what a heap
/// costs that has as many holes after so many.
fn switch(order: &Order, width: usize, gain: f32, cost: impl Fn(usize) -> f32) -> usize {
    let total = |&(k, over): &(usize, [f32; SLOTS])| {
        let lost = LANES as f32 * over[width - 1];
        (k as f32 * gain + lost * cost(k), k)
    };
    let best = order
        .over
        .iter()
        .map(total)
        .min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(0, |(_, k)| k)
}

/// Marks until few heaps have more holes than there are slots, then tests.
fn stages(order: &Order, costs: Costs, planes: usize, near: usize) -> Vec<Stage> {
    let all = order.entries.len();
    let mut stages = Vec::new();
    let (mut marked, mut done) = (None, 0);
    let mut before = costs.mark(planes);
    for width in [0, 8, 6, 4] {
        let next = match width {
            0 => 8,
            8 => 6,
            _ => 4,
        };
        let until = if width == next {
            all
        } else {
            let saved = before - costs.test(next);
            // What is marked is not looked at again.
            let cost = |k| costs.recompute(all - marked.unwrap_or(k), near);
            switch(order, next, saved, cost).clamp(done, all)
        };
        marked.get_or_insert(until);
        stages.push(Stage::new(width, &order.entries[done..until]));
        (done, before) = (until, costs.test(next));
    }
    stages
}
