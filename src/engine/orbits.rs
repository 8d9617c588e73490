//! Stretches of a sequence from given windows, sixty-four at a time.
//!
//! Beyond the last rare heaps a value follows from the last few ones, the rare heaps and the first values (the setting of
//! `sequence/period/window.rs`). So any number of stretches can be computed beside one another, and each has a byte lane:
//! nothing waits for a neighbour. A fixed list of witnesses is marked for all lanes; what few values it leaves open are
//! looked up lane by lane, from part 1 on.
//!
//! A stretch is *right* if each of its heaps is common, has witnesses of the depth given at most, and the last values
//! are those stated. Where that does not show here (codes too large, no such witness), it is said to be unsure, not
//! wrong: `ring.rs`, the twin, decides.
//! Time: for 64 heaps some cycles for each rare heap and witness. Memory: a byte a lane and heap of the window, thrice.

use super::kernel::{Entry, Kernel, LANES, Lanes, Open, Orbits as Block, Taps};
use super::sparse::order::order;
use super::sparse::plan::Rules;
use super::table::packed::PackedTable;

/// The most first values that a witness may be deep.
const DEEPEST: usize = 1 << 20;
/// The most witnesses marked for all lanes, and the parts they are chosen from.
const MOST_MARKED: usize = 200;
const MOST_TRIED: usize = 500;
/// Cycles, about, of looking up a heap in one lane, and each of its codes.
const LOOK_UP_COST: f32 = 30.0;
const CODE_COST: f32 = 6.0;

/// A stretch: the codes before its first heap and before the heap after its last.
pub struct Leg {
    pub number: u64,
    pub from: usize,
    pub start: Vec<u8>,
    pub to: usize,
    pub end: Vec<u8>,
}

/// A leg on its way.
struct Runner {
    leg: Leg,
    /// Its last codes, from the heap `first` on.
    codes: Vec<u8>,
    first: usize,
    /// The next heap.
    heap: usize,
    unsure: bool,
}

/// Sixty-four stretches of one game.
pub struct Orbits {
    kernel: Kernel,
    planes: usize,
    options: Taps,
    witnesses: Taps,
    turning: Vec<usize>,
    breaks: Vec<usize>,
    limits: [Lanes; 2],
    /// The codes of the heaps 0 to the depth, flagged if they are rare.
    beginning: Vec<u8>,
    window: usize,
    rows: Vec<Lanes>,
    at: usize,
    runners: Vec<Option<Runner>>,
}

impl Orbits {
    /// For codes up to `largest`, from the first values of the game, which must go as far as `depth`, and a window that
    /// all rare heaps and witnesses of that depth lie within. `None` if codes are too large or witnesses too deep.
    pub(super) fn new(
        kernel: Kernel,
        rules: &Rules,
        codes: &PackedTable,
        (depth, window): (usize, usize),
        largest: u8,
    ) -> Option<Self> {
        let largest = (1..codes.kept().min(MOST_TRIED))
            .map(|heap| codes.code(heap))
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
        if codes.is_wide() || deep || !limits.iter().all(within) {
            return None;
        }
        let mut options: Vec<Entry> = rules.keeping.iter().map(|&t| Entry::new(t, 0)).collect();
        for &(b, _) in &rules.breaks {
            options.extend(codes.rares().iter().map(|r| Entry::new(r.heap + b, r.code)));
        }
        options.sort_unstable();
        options.dedup();
        let mut witnesses: Vec<Entry> = rules.turning.iter().map(|&t| Entry::new(t, 0)).collect();
        for i in (1..=depth.min(MOST_TRIED)).filter(|&i| !codes.is_rare(i)) {
            let u = codes.code(i);
            witnesses.extend(rules.breaks.iter().map(|&(b, _)| Entry::new(b + i, u)));
        }
        let reach = options
            .iter()
            .chain(&witnesses)
            .map(|entry| entry.q())
            .max()?;
        if reach > window {
            return None;
        }
        let most = (MOST_MARKED, MOST_MARKED);
        let mut order = order(
            kernel,
            codes,
            (&witnesses, &[]),
            planes,
            most,
            |heap, code| codes.rare_below(heap, code),
        );
        let mark_cost = planes as f32;
        let cost = |(k, over): (usize, &[f32; 8])| {
            let look_up = over[0] * LOOK_UP_COST + over.iter().sum::<f32>() * CODE_COST;
            (k, k as f32 * mark_cost + LANES as f32 * look_up)
        };
        let costs = order.over.iter().enumerate().map(cost);
        let marked = costs
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map_or(0, |best| best.0);
        order.entries.truncate(marked);
        let (options, witnesses) = (Taps::new(&options), Taps::new(&order.entries));
        let reach = options.reach().max(witnesses.reach());
        Some(Self {
            kernel,
            planes,
            options,
            witnesses,
            turning: rules.turning.clone(),
            breaks: rules.breaks.iter().map(|b| b.0).collect(),
            limits,
            beginning: codes.bytes()[codes.pad()..][..=depth].to_vec(),
            window,
            rows: vec![Lanes::ZERO; (reach + LANES + 1).next_power_of_two().max(2 * LANES)],
            at: 0,
            runners: (0..LANES).map(|_| None).collect(),
        })
    }

    /// Runs all legs that `next` gives, and tells of each its number and whether it is right; else it is unsure.
    /// `false` if `go_on`, asked now and then, stops the work.
    pub fn run(
        &mut self,
        next: &mut dyn FnMut() -> Option<Leg>,
        done: &mut dyn FnMut(u64, bool),
        go_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        /// Blocks between two questions.
        const BLOCKS: usize = 1 << 9;
        let mut open = Box::new(Open::NONE);
        let mut more = true;
        for block in 0.. {
            for lane in 0..LANES {
                while more && self.runners[lane].is_none() {
                    match next() {
                        Some(leg) if self.fits(&leg) => self.start(lane, leg),
                        Some(leg) => done(leg.number, false),
                        None => more = false,
                    }
                }
            }
            if self.runners.iter().all(Option::is_none) {
                break;
            }
            if block % BLOCKS == BLOCKS - 1 && !go_on() {
                return false;
            }
            self.step(&mut open);
            for runner in &mut self.runners {
                if let Some(ready) = runner.take_if(|runner| runner.is_ready()) {
                    done(ready.leg.number, ready.is_right());
                }
            }
        }
        true
    }

    fn fits(&self, leg: &Leg) -> bool {
        let small = |codes: &[u8]| {
            codes
                .iter()
                .all(|&code| usize::from(code) < 8 * self.planes)
        };
        leg.start.len() >= self.window && leg.from < leg.to && small(&leg.start)
    }

    fn start(&mut self, lane: usize, leg: Leg) {
        let last = self.rows.len() - 1;
        for (back, &code) in (1..=last).zip(leg.start.iter().rev()) {
            self.rows[self.at.wrapping_sub(back) & last].0[lane] = code;
        }
        self.runners[lane] = Some(Runner {
            codes: leg.start.clone(),
            first: leg.from - leg.start.len(),
            heap: leg.from,
            unsure: false,
            leg,
        });
    }

    /// The next 64 heaps of every lane.
    fn step(&mut self, open: &mut Open) {
        let is_odd = |runner: &Option<Runner>| runner.as_ref().is_some_and(|r| r.heap % 2 == 1);
        let odd = (0..LANES).fold(0, |odd, lane| {
            odd | u64::from(is_odd(&self.runners[lane])) << lane
        });
        let entries = (&self.options, &self.witnesses);
        let block = Block::new((&mut self.rows, self.at), entries, &self.limits, odd);
        self.kernel.walk(self.planes, block, open);
        let from = self.at & (self.rows.len() - 1);
        let (eights, _) = self.rows[from..][..LANES].as_chunks();
        let mut found = [[[0; 8]; LANES / 8]; LANES];
        for (eight, rows) in eights.iter().enumerate() {
            let mut words = [0; LANES];
            self.kernel.rows(rows, &mut words);
            for (found, word) in found.iter_mut().zip(words) {
                found[eight] = word.to_le_bytes();
            }
        }
        for (runner, found) in self.runners.iter_mut().zip(&found) {
            if let Some(runner) = runner {
                runner.codes.extend_from_slice(found.as_flattened());
            }
        }
        self.at += LANES;
        for step in 0..LANES {
            let mut lanes = open.lanes[step] | open.lost[step];
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let Some(runner) = &self.runners[lane] else {
                    continue;
                };
                let heap = runner.heap + step;
                let sure = heap >= runner.leg.to
                    || runner.unsure
                    || open.lost[step] >> lane & 1 == 0 && {
                        let planes = open.planes[step][..self.planes].iter().rev();
                        let codes =
                            planes.fold(0, |codes, plane| codes << 8 | u64::from(plane.0[lane]));
                        self.have_witnesses(runner, heap, codes)
                    };
                if !sure && let Some(runner) = &mut self.runners[lane] {
                    runner.unsure = true;
                }
            }
        }
        for runner in self.runners.iter_mut().flatten() {
            runner.heap += LANES;
            let keep = self.window.max(runner.leg.end.len() + LANES);
            let excess = runner.codes.len().saturating_sub(keep);
            if excess > keep + LANES {
                runner.codes.drain(..excess);
                runner.first += excess;
            }
        }
    }

    /// Whether each of some rare codes, a bit each, is an option of the heap, within the depth.
    fn have_witnesses(&self, runner: &Runner, heap: usize, codes: u64) -> bool {
        let place = |heap: usize| heap - runner.first;
        let mut codes = codes;
        for &t in &self.turning {
            codes &= !(1 << (runner.codes[place(heap - t)] & 63));
        }
        let firsts = &self.beginning[1..];
        for &b in &self.breaks {
            let end = place(heap - b);
            let seconds = &runner.codes[end - firsts.len()..end];
            codes = self.kernel.unpaired(firsts, seconds, codes);
        }
        codes == 0
    }
}

impl Runner {
    fn is_ready(&self) -> bool {
        self.unsure || self.heap >= self.leg.to
    }

    /// Whether all its heaps were sure, and the last codes are those stated.
    fn is_right(&self) -> bool {
        let Leg { to, end, .. } = &self.leg;
        let from = to
            .checked_sub(end.len())
            .and_then(|from| from.checked_sub(self.first));
        !self.unsure && from.is_some_and(|from| self.codes[from..].starts_with(end))
    }
}

#[cfg(test)]
mod tests;
