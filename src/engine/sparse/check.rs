//! Which pairs prove that rare codes below a heap's code are options of it: first some that are marked in planes for 64 heaps
//! at once, then rows of neighbouring ones for each code that is open still.
//!
//! A heap with few codes below its own is soon proved and one with many is not, so all heaps of a block are marked only while
//! a pair serves many of them. From then on each open code is asked for by itself, a row of pairs at a time; they are neighbours,
//! as their codes must lie together to be read together, and the rows are chosen one after another, each the one that answers
//! most of what is open in some recent heaps. Time: that of `order.rs`; memory: 256 bytes a row. Twin: [`Check::none`].

use super::costs::Costs;
use super::order::{Sample, choose, order, starts};
use super::plan::{FEW_PLANES, PLANES, Rules, planes_for};
use crate::engine::kernel::bands::Marks;
use crate::engine::kernel::firsts::{Firsts, ROW, Row};
use crate::engine::kernel::questions::Question;
use crate::engine::kernel::{Entries, Entry, Kernel, LANES};
use crate::engine::table::packed::PackedTable;

/// Common pairs that hit most rare codes.
#[derive(Default)]
pub struct Check {
    pub planes: usize,
    /// What is marked, in parts between which it is looked what is open.
    pub marks: Vec<Entries>,
    pub marking: Marking,
    /// All pairs with a smaller part up to `asked`, those first that answer most.
    pub firsts: Firsts,
    pub asked: usize,
    /// The first heap that the pairs are right for.
    pub from: usize,
    /// How far back they reach, and the largest of their smaller parts.
    pub reach: usize,
    pub depth: usize,
    /// What it costs to learn them anew.
    pub price: u64,
}

/// How pairs are marked.
#[derive(Default)]
pub enum Marking {
    /// All, each by itself.
    #[default]
    All,
    /// Two at a time, of which one may be forgotten.
    Roughly,
    /// From codes in bands: all or roughly, by these.
    Banded(Box<Marks>),
}

/// Room for twice the places that the marks reach back.
pub const ROOM: usize = 1 << 14;
/// Pairs with a smaller part beyond this are not marked. With half as many 0.6 took a tenth longer to prove, Grundy's game an eighth.
const DEEPEST_MARK: usize = 6000;
/// The same where few planes tell of few values: a list of fewer pairs serves them.
const DEEPEST_NARROW: usize = 500;
/// Pairs with a smaller part beyond this are looked up where they are needed, one code after another: beyond 6000 Grundy's game took
/// half as long again to prove, 0.6 a tenth; beyond 24,000 they take 7 and 2 % less, but longer to learn. With few planes what pairs are
/// needed tells how long the window of a proved period is, so it is looked up there beyond what is marked.
const DEEPEST_ASKED: usize = 12_000;
/// With so few planes marking costs little, and what is open of a heap is looked up together.
pub const NARROW: usize = 4;
/// Of so few planes, marked between two looks.
const TOGETHER: usize = 16;
/// The most entries that mark common pairs.
const MOST_MARKED: usize = 900;
/// Rows that an open code is asked of until one answers: of 0.6 five where 3.2 codes a heap are open, but most by the last few,
/// which hardly any pair gives. With twice this the time of 0.6 and 0.142 is the same (Zen 3), with half of it up to a tenth more.
const ROWS_ASKED: f32 = 3.3;
/// What part of it marking costs where some marks may be forgotten, and those that are counted with it.
const ROUGH: f32 = 0.38;
/// Of so many pairs of heaps one may have codes of the same 32: of 0.6 and 0.142 one in four has, of Grundy's game and 0.374 two in
/// five; there it took 2 % longer.
const SCATTERED: usize = 3;
/// Entries that are marked for each plane, about.
const MARKED: f32 = 25.0;
/// The heaps that say how many planes are worth it.
const SAMPLE: usize = 4096;
/// The blocks of heaps that rows are chosen for.
const BLOCKS: usize = 8;

impl Check {
    /// Nothing to check with: all is looked up, for a few heaps.
    pub fn none(codes: &PackedTable) -> Self {
        Self {
            planes: planes_for(codes),
            from: usize::MAX,
            ..Self::default()
        }
    }

    pub fn new(kernel: Kernel, rules: &Rules, codes: &PackedTable) -> Self {
        let costs = Costs::of(kernel);
        let all = planes_for(codes);
        let planes = worth_marking(codes, all, costs);
        let is_narrow = planes <= NARROW;
        let deepest = if is_narrow {
            DEEPEST_NARROW
        } else {
            DEEPEST_MARK
        };
        let most = (codes.len() / 3).min(deepest);
        let depth = if all <= FEW_PLANES {
            most
        } else {
            (codes.len() / 3).min(DEEPEST_ASKED)
        };
        let mut entries: Vec<Entry> = rules.turning.iter().map(|&t| Entry::new(t, 0)).collect();
        for i in (1..most).filter(|&i| !codes.is_rare(i)) {
            let u = codes.code(i);
            entries.extend(rules.breaks.iter().map(|&(b, _)| Entry::new(b + i, u)));
        }
        let furthest = rules.breaks.iter().map(|b| b.0).max().unwrap_or(0);
        let mut check = Self {
            planes,
            from: 2 * depth + furthest + LANES,
            reach: depth + furthest,
            depth: depth - 1,
            price: costs.learn * entries.len() as u64,
            ..Self::default()
        };
        let wanted = |heap, code| codes.rare_below(heap, code);
        if is_narrow {
            let marked = (MOST_MARKED, MOST_MARKED);
            let mut order = order(kernel, codes, (&entries, &[]), planes, marked, wanted);
            let none_open = order.over.iter().find(|(_, over)| over[0] <= 0.0);
            let marked = none_open.map_or(MOST_MARKED, |&(marked, _)| marked);
            order.entries.truncate(marked.max(8));
            let parts = order.entries.chunks(TOGETHER);
            check.marks = parts.map(|part| part.iter().copied().collect()).collect();
        } else {
            let banded = kernel.reads_bands();
            let rough = match banded {
                true => are_scattered(codes),
                false => kernel.marks_roughly(planes),
            };
            let mark = costs.mark(planes) * if rough { ROUGH } else { 1.0 };
            let least = mark / (ROWS_ASKED * costs.ask);
            let chosen = choose(
                kernel,
                codes,
                (&entries, &[]),
                planes,
                (MOST_MARKED, least),
                wanted,
            );
            let mut chosen: Vec<Entry> = chosen.iter().map(|&place| entries[place]).collect();
            if rough && !banded {
                chosen = apart(chosen);
            }
            let marks = chosen.into_iter().collect();
            check.asked = check.depth / ROW * ROW;
            check.firsts = check.rows(kernel, rules, codes, &marks);
            check.marking = match (banded, rough) {
                (true, true) => Marking::Banded(Box::new(Marks::roughly(&marks, ROOM))),
                (true, false) => Marking::Banded(Box::new(Marks::new(&marks, ROOM))),
                (false, true) => Marking::Roughly,
                (false, false) => Marking::All,
            };
            check.marks = vec![marks];
        }
        check
    }

    /// All rows, those first that answer most of what these marks leave open.
    fn rows(&self, kernel: Kernel, rules: &Rules, codes: &PackedTable, marks: &Entries) -> Firsts {
        let mut starts = starts(codes, 1);
        starts.retain(|&start| self.reach <= codes.room(start));
        starts.truncate(BLOCKS);
        let wanted = |heap, code| codes.rare_below(heap, code);
        let mut open: Vec<(usize, Vec<Question>)> = Vec::new();
        for start in starts {
            let sample = Sample::new(kernel, codes, &[start], (self.planes, &[marks]), wanted);
            open.push((start, sample.questions()));
        }
        let mut left: Vec<Firsts> = Vec::new();
        for &(b, _) in &rules.breaks {
            for first in (1..self.asked).step_by(ROW) {
                let mut alone = Firsts::default();
                alone.push(row(codes, b, first));
                left.push(alone);
            }
        }
        let mut chosen = Firsts::default();
        let mut scratch = Vec::new();
        loop {
            let mut answered = |firsts: &Firsts| -> usize {
                let answers = open.iter().map(|(start, open)| {
                    scratch.clone_from(open);
                    kernel.unanswered(&mut scratch, codes.source(*start), firsts, LANES);
                    open.len() - scratch.len()
                });
                answers.sum()
            };
            let counts = left.iter().map(&mut answered).enumerate();
            let Some((place, _)) = counts.max_by_key(|&(_, count)| count) else {
                break;
            };
            let best = left.swap_remove(place);
            for (start, open) in &mut open {
                kernel.unanswered(open, codes.source(*start), &best, LANES);
            }
            best.as_slice()
                .iter()
                .for_each(|row| chosen.push(row.clone()));
        }
        chosen
    }
}

/// So many of these planes that marking more would cost more than to ask for the codes beyond them.
fn worth_marking(codes: &PackedTable, planes: usize, costs: Costs) -> usize {
    let last = (codes.len() - codes.window_from()).min(SAMPLE);
    let beyond = |planes: usize| -> usize {
        let heaps = codes.len() - last..codes.len();
        let limits = heaps.map(|heap| usize::from(codes.rare_below(heap, codes.code(heap))));
        limits.map(|limit| limit.saturating_sub(8 * planes)).sum()
    };
    let cost = |&planes: &usize| {
        let marks = MARKED * planes as f32 * costs.mark(planes) / LANES as f32;
        marks + beyond(planes) as f32 / last as f32 * ROWS_ASKED * costs.ask
    };
    let fewer = PLANES.into_iter().filter(|&fewer| fewer < planes);
    let best = fewer
        .chain([planes])
        .min_by(|a, b| cost(a).total_cmp(&cost(b)));
    best.unwrap_or(planes)
}

/// In pairs whose sources seldom give codes of the same 32, as neighbours often do.
fn apart(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.sort_unstable_by_key(|entry| (entry.u() / 32, entry.q()));
    let (first, second) = entries.split_at(entries.len().div_ceil(2));
    let mut second = second.iter();
    let pairs = first.iter().flat_map(|one| [Some(one), second.next()]);
    pairs.flatten().copied().collect()
}

/// Whether two of the last heaps seldom have codes of the same 32.
fn are_scattered(codes: &PackedTable) -> bool {
    let last = (codes.len() - codes.window_from()).min(SAMPLE);
    let mut counts = [0; 8];
    (codes.len() - last..codes.len())
        .for_each(|heap| counts[usize::from(codes.code(heap) / 32)] += 1);
    let same: usize = counts.iter().map(|count| count * count).sum();
    same * SCATTERED <= last * last
}

/// The row of the parts from `first` on, for heaps that lose so many stones.
fn row(codes: &PackedTable, stones: usize, first: usize) -> Row {
    let last = first + ROW - 1;
    let place = codes.place(last);
    let mask = |place: usize| codes.mask().get(place).copied().unwrap_or(0);
    Row {
        q: stones + last,
        codes: std::array::from_fn(|k| codes.bytes()[place - k]),
        mask: std::array::from_fn(|k| mask(place - k)),
    }
}
