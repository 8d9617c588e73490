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
mod tests {
    use super::*;
    use crate::engine::octal::Octal;
    use crate::engine::ring::Ring;
    use crate::engine::{Effort, clock, definition, sparse};
    use crate::rng::Rng;
    use crate::ruleset::Ruleset;
    use std::time::Duration;

    /// The first values of a game, if it has a sparse space and few rare heaps.
    fn ring(code: &str, kernel: Kernel, heaps: u64) -> Option<Ring> {
        let ruleset: Ruleset = code.parse().unwrap();
        let octal = Octal::of(&ruleset)?;
        let table = definition::nim_values(&ruleset, 2000).ok()?;
        let values: Vec<u16> = table.iter().collect();
        let codes = sparse::encode(&octal, &values, 20)?;
        let effort = Effort::default().kernel(kernel).threads(1);
        let mut ring = Ring::new(octal, code, codes, &effort);
        ring.advance(heaps, &mut |_| true).ok()?;
        (ring.rares().len() < 60 && ring.last_rare() < heaps / 4).then_some(ring)
    }

    fn codes(ring: &Ring, from: u64, to: u64) -> Vec<u8> {
        ring.codes(from, to).to_vec()
    }

    fn legs(ring: &Ring, window: u64, heaps: &[u64]) -> Vec<Leg> {
        let legs = heaps.windows(2).zip(0..);
        legs.map(|(ends, number)| Leg {
            number,
            from: ends[0] as usize,
            start: codes(ring, ends[0] - window, ends[0]),
            to: ends[1] as usize,
            end: codes(ring, ends[1] - window, ends[1]),
        })
        .collect()
    }

    fn right(orbits: &mut Orbits, legs: Vec<Leg>) -> Vec<bool> {
        let mut right = vec![None; legs.len()];
        let mut legs = legs.into_iter();
        let mut done = |number, found| right[number as usize] = Some(found);
        assert!(orbits.run(&mut || legs.next(), &mut done, &mut || true));
        right
            .into_iter()
            .map(|right| right.expect("each leg is told of"))
            .collect()
    }

    /// How deep the least witness of the rare value that has the deepest one is, by all pairs.
    fn depth_of(ring: &Ring, octal: &Octal, values: &[u16], heap: usize) -> usize {
        let space = ring.split();
        let rare = |heap: usize| space.is_rare(values[heap], heap);
        let wanted = (0..values[heap]).filter(|&value| space.is_rare(value, heap));
        let depth = |value: u16| {
            if octal.ones.iter().any(|&t| values[heap - t] == value) {
                return 0;
            }
            let pair = |i: &usize| {
                octal.breaks.iter().any(|&(b, _)| {
                    let other = heap - b - i;
                    values[*i] ^ values[other] == value && !rare(*i) && !rare(other)
                })
            };
            (1..heap / 2).find(pair).unwrap_or(usize::MAX)
        };
        wanted.map(depth).max().unwrap_or(0)
    }

    #[test]
    fn legs_are_right_exactly_if_all_their_heaps_have_witnesses_so_deep() {
        let mut rng = Rng::new(5, 0);
        let mut games = ["0.106", "0.104", "0.16", "0.054", "0.454", "4.5672"]
            .map(String::from)
            .to_vec();
        games.extend((0..12).map(|_| format!("0.{:03o}", rng.below(0o1000))));
        let (mut some, mut sure, mut unsure) = (0, 0, 0);
        for (game, kernel) in games
            .iter()
            .flat_map(|game| Kernel::available().into_iter().map(move |k| (game, k)))
        {
            const END: u64 = 40_000;
            let Some(ring) = ring(game, kernel, END) else {
                continue;
            };
            let octal = Octal::of(&game.parse().unwrap()).unwrap();
            let mut values = vec![0; END as usize];
            ring.copy(0, &mut values);
            for depth in [40, 300, 2000] {
                let window = ring.last_rare().max(depth) + ring.reach();
                let first = 2 * window + ring.reach() + 1;
                let mut heaps = vec![first];
                while heaps[heaps.len() - 1] + 400 < END.min(first + 20_000) {
                    heaps.push(heaps[heaps.len() - 1] + 1 + rng.below(400) as u64);
                }
                let Some(mut orbits) =
                    ring.orbits(depth, window, values.iter().copied().max().unwrap())
                else {
                    continue;
                };
                some += 1;
                let found = right(&mut orbits, legs(&ring, window, &heaps));
                for (ends, found) in heaps.windows(2).zip(found) {
                    let mut heaps = ends[0] as usize..ends[1] as usize;
                    let shallow =
                        heaps.all(|heap| depth_of(&ring, &octal, &values, heap) <= depth as usize);
                    assert_eq!(
                        found,
                        shallow,
                        "{game} {ends:?} depth {depth} {}",
                        kernel.name()
                    );
                    *(if found { &mut sure } else { &mut unsure }) += 1;
                }
                // A false value in front or at the end.
                let mut wrong = legs(&ring, window, &heaps[..heaps.len().min(70)]);
                for leg in &mut wrong {
                    let codes = if leg.number % 2 == 0 {
                        &mut leg.end
                    } else {
                        &mut leg.start
                    };
                    let last = codes.len() - 1 - rng.below(30);
                    codes[last] ^= 1;
                }
                let found = right(&mut orbits, wrong);
                assert!(found.iter().step_by(2).all(|right| !right), "{game}");
            }
        }
        assert!(
            some >= 18 && sure > 400 && unsure > 400,
            "{some} {sure} {unsure}"
        );
    }

    /// `cargo test --release --lib orbits -- --ignored --nocapture`
    #[test]
    #[ignore = "measures"]
    fn many_orbits_against_one() {
        const LEGS: u64 = 192;
        const LENGTH: u64 = 200_000;
        println!("game  kernel    one orbit, M/s  sixty-four, M/s  ratio");
        for (game, depth) in [("0.106", 15_343), ("0.104", 4178), ("0.054", 16_284)] {
            for kernel in Kernel::available() {
                let begin = 400_000;
                let mut ring = ring(game, kernel, begin).unwrap();
                let window = ring.last_rare().max(depth) + ring.reach();
                let mut values = vec![0; begin as usize];
                ring.copy(0, &mut values);
                let largest = values.iter().copied().max().unwrap();
                let mut one = Duration::ZERO;
                let mut legs: Vec<Leg> = Vec::new();
                for number in 0..LEGS {
                    let (from, to) = (begin + number * LENGTH, begin + (number + 1) * LENGTH);
                    let start = codes(&ring, from - window, from);
                    let begun = clock();
                    ring.advance(to, &mut |_| true).unwrap();
                    one += clock() - begun;
                    let end = codes(&ring, to - window, to);
                    let (from, to) = (from as usize, to as usize);
                    legs.push(Leg {
                        number,
                        from,
                        start,
                        to,
                        end,
                    });
                }
                let begun = clock();
                let mut orbits = ring.orbits(depth, window, largest).unwrap();
                let right = right(&mut orbits, legs);
                let many = clock() - begun;
                assert!(right.iter().all(|&right| right));
                let rate = |time: Duration| (LEGS * LENGTH) as f64 / time.as_secs_f64() / 1e6;
                println!(
                    "{game} {:8} {:14.1} {:16.1} {:7.2}  ({} planes, {} witnesses)",
                    kernel.name(),
                    rate(one),
                    rate(many),
                    rate(many) / rate(one),
                    orbits.planes,
                    orbits.witnesses.len()
                );
            }
        }
    }
}
