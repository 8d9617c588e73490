//! Segments of a sequence from given windows, sixty-four at a time.
//!
//! Beyond the last rare heaps a value follows from the last few ones, the rare heaps and the first values (the setting of
//! `sequence/period/window.rs`). So any number of segments can be computed beside one another, and each has a byte lane:
//! nothing waits for a neighbour. A fixed list of witnesses is marked for all lanes; the few codes that it leaves open are
//! compared together with rows of pairs, and each is looked up from part 1 on if no row gives it.
//!
//! A segment is *right* if each of its heaps is common and has witnesses of at most the depth given, and its last values are
//! those stated. Where that does not show here (codes too large, no such witness), the segment is said to be unsure, not wrong:
//! `value_window.rs`, the twin, decides.
//! Time: for 64 heaps some cycles for each rare heap and witness. Memory: a byte a lane and heap of the window, four times,
//! and up to twice more for each plane if the kernel reads marks.

use super::codes::Codes;
use super::kernel::first_parts::{FirstParts, Row, parts_in_row};
use super::kernel::open_candidates::OpenCandidate;
use super::kernel::tuning::Tuning;
use super::kernel::{
    Entry, Kernel, LANES, LaneSegments, Lanes, Open, Rows, SLOTS, Source, Taps, Width, set_bits,
};
use super::packed::PackedTable;
use super::sparse::order::Choice;
use super::sparse::rules::Rules;

// All but the first and the last of these were halved and doubled: `verify` of a certificate of 0.104 took 3 % more or less at most
// (Zen 1).

/// The largest smaller part that a witness may have.
const DEEPEST: usize = 1 << 20;
/// The most witnesses marked for all lanes.
const MOST_MARKED: usize = 200;
/// The smaller parts up to this one are those from which the marked witnesses are chosen.
const MOST_TRIED: usize = 500;
/// About how many cycles a heap of one lane takes that has an open code, besides its codes.
const CYCLES_PER_OPEN_HEAP: f32 = 5.0;
/// About how many cycles each of its open codes takes.
const CYCLES_PER_OPEN_CODE: f32 = 12.0;
/// The most rows of parts that open codes are compared with, for each number of stones.
const ROWS_PER_MOVE: usize = 4;
/// Parts in a row.
const PARTS_IN_ROW: usize = parts_in_row::<u8>();

/// A segment, with the codes before its first heap and before the heap after its last.
#[cfg_attr(test, derive(Clone))]
pub struct Segment {
    pub number: u64,
    pub from: usize,
    pub start: Codes<'static>,
    pub to: usize,
    pub end: Codes<'static>,
}

/// A segment that is being computed in a lane.
struct Runner {
    number: u64,
    /// The next heap.
    heap: usize,
    to: usize,
    end: Codes<'static>,
    unsure: bool,
}

/// A solver that computes sixty-four segments of one game at a time.
pub struct SegmentsInLanes {
    kernel: Kernel,
    planes: usize,
    options: Taps,
    witnesses: Taps,
    flip_class: Vec<usize>,
    breaks: Vec<usize>,
    limits: [Lanes; 2],
    /// The codes of the heaps 0 to the depth, flagged if they are rare.
    beginning: Vec<u8>,
    /// The first codes of `beginning` in rows, with which open codes are compared.
    firsts: FirstParts<u8>,
    window: usize,
    /// The last codes, a row a step.
    rows: Rows,
    at: usize,
    /// The last codes lane by lane, `stride` bytes for each lane, of which `known` are in use.
    codes: Vec<u8>,
    stride: usize,
    known: usize,
    runners: Vec<Option<Runner>>,
}

impl SegmentsInLanes {
    /// A solver of segments with codes up to `largest`, for a game whose first values are given to `depth` at least. All rare
    /// heaps and witnesses of that depth must lie within `window`. `None` if codes are too large or witnesses too deep.
    pub(super) fn new(
        kernel: Kernel,
        rules: &Rules,
        codes: &PackedTable<u8>,
        (depth, window): (usize, usize),
        largest: u8,
    ) -> Option<Self> {
        let largest = (1..codes.kept())
            .take(MOST_TRIED)
            .map_while(|heap| codes.code(heap).ok())
            .chain(codes.rares().iter().map(|rare| rare.code))
            .fold(largest, u8::max);
        let planes = match largest {
            0..16 => 2,
            16..32 => 4,
            32..64 => 8,
            _ => return None,
        };
        let limits = [0, 1].map(|heap| {
            Lanes(std::array::from_fn(|code| {
                codes.rare_below(heap, code as u8)
            }))
        });
        let within = |limits: &Lanes| {
            limits.0[..8 * planes]
                .iter()
                .all(|&below| usize::from(below) <= 8 * planes)
        };
        let widest = rules.breaks.iter().map(|b| b.0).max()?;
        let deep = depth > DEEPEST || depth >= codes.kept() || depth + widest > window;
        if codes.is_full() || deep || !limits.iter().all(within) {
            return None;
        }
        let options = rules.common_options(codes);
        let witnesses = rules.witnesses(codes, depth.min(MOST_TRIED));
        let reach = options
            .iter()
            .chain(&witnesses)
            .map(|entry| entry.q())
            .max()?;
        if reach > window {
            return None;
        }
        let marked = witnesses_to_mark(kernel, codes, &witnesses, planes);
        let beginning = codes.cells(0, depth + 1).ok()?.to_vec();
        let mut firsts = FirstParts::default();
        for first in (1..=depth).step_by(PARTS_IN_ROW).take(ROWS_PER_MOVE) {
            for b in rules.breaks.iter().map(|b| b.0) {
                if b + first + PARTS_IN_ROW <= window {
                    firsts.push(row(&beginning, b, first));
                }
            }
        }
        let (options, witnesses) = (Taps::new(&options), Taps::new(&marked));
        let reach = options.reach().max(witnesses.reach());
        // An odd number of blocks, so that the lanes don't share their places in the cache.
        let stride = (2 * kept_length(window)).next_multiple_of(2 * LANES) + LANES;
        Some(Self {
            kernel,
            planes,
            options,
            witnesses,
            flip_class: rules.flip_class.clone(),
            breaks: rules.breaks.iter().map(|b| b.0).collect(),
            limits,
            beginning,
            firsts,
            window,
            rows: Rows::new(
                kernel,
                planes,
                (reach + LANES + 1).next_power_of_two().max(2 * LANES),
            ),
            at: 0,
            codes: vec![0; LANES * stride],
            stride,
            known: kept_length(window),
            runners: (0..LANES).map(|_| None).collect(),
        })
    }

    /// Computes all segments that `next` gives, and reports each with its number: whether it is right, or else unsure. Returns
    /// `false` if `go_on`, which is called now and then, stops the work.
    pub fn run(
        &mut self,
        next: &mut dyn FnMut() -> Option<Segment>,
        done: &mut dyn FnMut(u64, bool),
        go_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        /// Blocks between two calls of `go_on`.
        const BLOCKS_BETWEEN_CALLS: usize = 1 << 9;
        let mut open = Box::new(Open::NONE);
        let mut candidates = Vec::new();
        let mut more = true;
        for block in 0.. {
            for lane in 0..LANES {
                while more && self.runners[lane].is_none() {
                    match next() {
                        Some(segment) if self.fits(&segment) => self.start(lane, segment),
                        Some(segment) => done(segment.number, false),
                        None => more = false,
                    }
                }
            }
            if self.runners.iter().all(Option::is_none) {
                break;
            }
            if block % BLOCKS_BETWEEN_CALLS == BLOCKS_BETWEEN_CALLS - 1 && !go_on() {
                return false;
            }
            self.step(&mut open, &mut candidates);
            for lane in 0..LANES {
                if let Some(ready) = self.runners[lane].take_if(|runner| runner.is_ready()) {
                    done(ready.number, self.is_right(lane, &ready));
                }
            }
        }
        true
    }

    fn fits(&self, segment: &Segment) -> bool {
        let is_small = |&code: &u8| usize::from(code) < 8 * self.planes;
        let is_small = |codes: &[u8]| codes.iter().all(is_small);
        let windows = segment.start.len() >= self.window && segment.end.len() <= self.window;
        windows && segment.from < segment.to && segment.start.as_bytes().is_some_and(is_small)
    }

    fn start(&mut self, lane: usize, segment: Segment) {
        let start: Vec<u8> = segment.start.of_width();
        for (back, &code) in (1..self.rows.len()).zip(start.iter().rev()) {
            self.rows.set(self.at.wrapping_sub(back), lane, code);
        }
        let end = lane * self.stride + self.known;
        let last = &start[start.len() - self.window..];
        self.codes[end - self.window..end].copy_from_slice(last);
        self.runners[lane] = Some(Runner {
            number: segment.number,
            heap: segment.from,
            to: segment.to,
            end: segment.end,
            unsure: false,
        });
    }

    /// Computes the next 64 heaps of every lane.
    fn step(&mut self, open: &mut Open, candidates: &mut Vec<OpenCandidate>) {
        let is_odd = |runner: &Option<Runner>| runner.as_ref().is_some_and(|r| r.heap % 2 == 1);
        let odd = (0..LANES).fold(0, |odd, lane| {
            odd | u64::from(is_odd(&self.runners[lane])) << lane
        });
        let entries = (&self.options, &self.witnesses);
        let block = LaneSegments::new((&mut self.rows, self.at), entries, &self.limits, odd);
        self.kernel.walk(self.planes, block, open);
        let (eights, _) = self.rows.block(self.at).as_chunks();
        let mut words = [0; LANES];
        for (eight, rows) in eights.iter().enumerate() {
            self.kernel.words_of_lanes(rows, &mut words);
            let lanes = self.codes.chunks_exact_mut(self.stride);
            for (codes, word) in lanes.zip(words) {
                codes[self.known + 8 * eight..][..8].copy_from_slice(&word.to_le_bytes());
            }
        }
        self.at += LANES;
        self.look_up(open, candidates);
        for runner in self.runners.iter_mut().flatten() {
            runner.heap += LANES;
        }
        self.known += LANES;
        if self.known + LANES > self.stride {
            let kept = kept_length(self.window);
            for codes in self.codes.chunks_exact_mut(self.stride) {
                codes.copy_within(self.known - kept..self.known, 0);
            }
            self.known = kept;
        }
    }

    /// Looks up witnesses of the codes that a block left open; a lane that lacks one is unsure.
    fn look_up(&mut self, open: &mut Open, candidates: &mut Vec<OpenCandidate>) {
        let is_on = |runner: &Option<Runner>| runner.as_ref().is_some_and(|r| !r.unsure);
        let running = (0..LANES).filter(|&lane| is_on(&self.runners[lane]));
        let running = running.fold(0, |lanes, lane| lanes | 1 << lane);
        candidates.clear();
        for step in 0..LANES {
            for lane in set_bits(open.lost[step] & running) {
                self.doubt(lane, step);
            }
        }
        open.candidates(self.planes, running, self.stride, candidates);
        let source = Source {
            codes: &self.codes,
            mask: None,
            at: self.known,
        };
        let heaps = self.codes.len() - self.stride + LANES;
        self.kernel
            .unwitnessed(candidates, source, &self.firsts, heaps);
        for candidate in candidates {
            let offset = candidate.offset();
            if !self.has_witness(self.known + offset, candidate.code()) {
                self.doubt(offset / self.stride, offset % self.stride);
            }
        }
    }

    /// Makes the segment of a lane unsure, if the heap at this step belongs to the segment.
    fn doubt(&mut self, lane: usize, step: usize) {
        if let Some(runner) = &mut self.runners[lane] {
            runner.unsure |= runner.heap + step < runner.to;
        }
    }

    /// Whether a rare code is an option of the heap in this place, within the depth.
    fn has_witness(&self, place: usize, code: u8) -> bool {
        let firsts = &self.beginning[1..];
        let given = |b: &usize| {
            let seconds = &self.codes[place - b - firsts.len()..place - b];
            self.kernel.unpaired(firsts, seconds, 1 << code) == 0
        };
        self.flip_class
            .iter()
            .any(|t| self.codes[place - t] == code)
            || self.breaks.iter().any(given)
    }

    /// Whether all heaps of the segment were sure, and the last codes are those stated.
    fn is_right(&self, lane: usize, runner: &Runner) -> bool {
        let behind = runner.heap.saturating_sub(runner.to);
        let found = &self.codes[..lane * self.stride + self.known - behind];
        let stated = runner.end.as_bytes();
        !runner.unsure && stated.is_some_and(|stated| found.ends_with(stated))
    }
}

/// The witnesses that are worth marking for all lanes, in order: as many as cost least with what they leave to be looked up.
fn witnesses_to_mark(
    kernel: Kernel,
    codes: &PackedTable<u8>,
    witnesses: &[Entry<u8>],
    planes: usize,
) -> Vec<Entry<u8>> {
    let choice = Choice {
        kernel,
        codes,
        entries: witnesses,
        given: &[],
        planes,
        in_runs: false,
        limit: |heap, code| codes.rare_below(heap, code),
    };
    let mut order = choice.order(MOST_MARKED, MOST_MARKED);
    // A register takes 64 lanes, or half of them or less.
    let registers = match kernel.tuning() {
        Tuning::Avx512 => 1.0,
        _ => 2.0,
    };
    let mark_cost = registers * planes as f32;
    let cost = |&(k, over): &(usize, [f32; SLOTS])| {
        let look_up =
            over[0] * CYCLES_PER_OPEN_HEAP + over.iter().sum::<f32>() * CYCLES_PER_OPEN_CODE;
        (k, k as f32 * mark_cost + LANES as f32 * look_up)
    };
    let costs = order.share_open.iter().map(cost);
    let marked = costs
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map_or(0, |best| best.0);
    order.entries.truncate(marked);
    order.entries
}

/// How many of the last codes of a lane are kept: a window, and what has been found behind the end of its segment.
fn kept_length(window: usize) -> usize {
    window.next_multiple_of(LANES) + LANES
}

/// The row of the parts from `first` on, as far as they are known, for heaps that lose so many stones.
fn row(beginning: &[u8], stones: usize, first: usize) -> Row<u8> {
    // Neither a flagged code nor what stands for an unknown one gives a code of eight planes, so that nothing needs a mask.
    let code = |part: usize| beginning.get(part).copied().unwrap_or(u8::DEAD);
    Row::new(first, stones, |part| (code(part), 0))
}

impl Runner {
    fn is_ready(&self) -> bool {
        self.unsure || self.heap >= self.to
    }
}

#[cfg(test)]
mod tests;
