//! The inner loops one at a time, for counting their instructions: the same work by each instruction set.
//!
//! `cargo bench --bench kernel_work -- LOOP KERNEL TIMES`, as in `mark-options-8 portable 100`. Without arguments it lists the
//! loops.

// Cargo builds a benchmark with `cfg(test)`, but without the tests that the imports are for.
#[allow(dead_code, missing_docs, unused_imports)]
#[path = "../src/engine"]
mod engine {
    pub mod kernel;
}

use engine::kernel::first_parts::{BLOCKS_IN_ROW, FirstParts, Row, parts_in_row};
use engine::kernel::halves::Halves;
use engine::kernel::open_candidates::{OpenCandidate, OpenCandidates};
use engine::kernel::{
    Block, Entries, Entry, Kernel, LANES, LaneSegments, Lanes, Nibbles, Open, QUARTER, Rows, SLOTS,
    Source, Taps, WINDOW, WORDS, Words,
};
use std::hint::black_box;

/// Bytes that look random, the same on every run.
struct Bytes(u64);

impl Bytes {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    fn codes(&mut self, len: usize, bound: usize) -> Vec<u8> {
        (0..len).map(|_| self.below(bound) as u8).collect()
    }

    fn lanes(&mut self, bound: usize) -> Lanes {
        Lanes(std::array::from_fn(|_| self.below(bound) as u8))
    }

    fn entries(&mut self, count: usize, (from, to): (usize, usize), bound: usize) -> Entries<u8> {
        let mut entry = || Entry::new(from + self.below(to - from), self.below(bound) as u8);
        (0..count).map(|_| entry()).collect()
    }
}

const LOOPS: [&str; 24] = [
    "mark-options-4",
    "mark-options-8",
    "mark-options-20",
    "mark-runs-14",
    "would-mark",
    "open",
    "least-unmarked",
    "test-4",
    "test-8",
    "sort",
    "settle",
    "scan",
    "mark-pairs",
    "mark-windows",
    "options-of-heaps",
    "settle-nibbles",
    "words-of-lanes",
    "count-equal",
    "walk-2",
    "walk-4",
    "walk-8",
    "unpaired",
    "unmarked-18",
    "unwitnessed",
];

fn main() {
    // Cargo adds `--bench`.
    let words = std::env::args().skip(1).filter(|word| word != "--bench");
    let words: Vec<String> = words.collect();
    let [name, kernel, times] = words.as_slice() else {
        return println!("{}", LOOPS.join("\n"));
    };
    let kernel = Kernel::named(kernel).expect("a kernel of this machine");
    let times = times.parse().expect("how many times");
    let mut bytes = Bytes(1);
    let at = 4096;
    let bound = match name.as_str() {
        "unwitnessed" => 128,
        _ if name.ends_with("-20") || name.ends_with("-18") => 150,
        _ => 30,
    };
    let codes = bytes.codes(at + LANES, bound);
    let source = Source {
        codes: &codes,
        mask: None,
        at,
    };
    let far = bytes.entries(200, (LANES, at), bound);
    let mut planes = vec![
        Lanes::ZERO;
        name.rsplit('-')
            .next()
            .and_then(|n| n.parse().ok())
            .unwrap_or(8)
    ];
    let mut slots = [Lanes::ZERO; SLOTS];
    let limit = bytes.lanes(bound);
    let candidates: [Lanes; SLOTS] = std::array::from_fn(|_| bytes.lanes(bound));
    match name.as_str() {
        "mark-options-4" | "mark-options-8" | "mark-options-20" => {
            for _ in 0..times {
                kernel.mark_options(black_box(&mut planes), source, &far);
            }
        }
        "mark-runs-14" => {
            let codes: Vec<u16> = (0..at + WORDS).map(|_| bytes.below(200) as u16).collect();
            let source = Source {
                codes: &codes,
                mask: None,
                at,
            };
            let runs = (0..500).flat_map(|_| {
                let (q, u) = (WORDS + bytes.below(at - 2 * WORDS), bytes.below(200) as u16);
                [Entry::new(q, u), Entry::new(q + 1, u)]
            });
            let runs = runs.collect::<Entries<u16>>().in_runs();
            let mut planes = vec![Words::ZERO; planes.len()];
            for _ in 0..times {
                kernel.mark_options(black_box(&mut planes), source, &runs);
            }
        }
        "would-mark" => {
            for _ in 0..times {
                black_box(kernel.would_mark(black_box(&planes), source, far.as_slice()[0]));
            }
        }
        "open" => {
            for _ in 0..times {
                black_box(kernel.open::<u8>(black_box(&planes), &limit));
            }
        }
        "least-unmarked" => {
            planes
                .iter_mut()
                .for_each(|plane| *plane = bytes.lanes(256));
            for _ in 0..times {
                kernel.least_unmarked::<u8>(black_box(&planes), black_box(&mut slots));
            }
        }
        "test-4" | "test-8" => {
            for _ in 0..times {
                let mut slots = candidates;
                kernel.test(black_box(&mut slots[..planes.len()]), source, &far);
            }
        }
        "sort" => {
            for _ in 0..times {
                let mut slots = candidates;
                kernel.sort::<u8>(black_box(&mut slots), SLOTS);
            }
        }
        "settle" => {
            let near = bytes.entries(40, (1, LANES), bound);
            let mut codes = codes.clone();
            for _ in 0..times {
                let block = Block {
                    codes: &mut codes,
                    mask: None,
                    at,
                };
                black_box(kernel.settle(black_box(&candidates), 0, block, &near));
            }
        }
        "scan" => {
            for _ in 0..times {
                black_box(kernel.scan(black_box(&codes), &[], at - 1, (0, at / 2), 255));
            }
        }
        "mark-pairs" => {
            let values: Vec<u16> = codes.iter().map(|&code| code.into()).collect();
            let mut marks = Box::new([0; 1 << u16::BITS]);
            for _ in 0..times {
                kernel.mark_pairs(
                    black_box(&mut marks),
                    &values[..at / 2],
                    &values[at / 2..at],
                );
            }
        }
        "mark-windows" => {
            let values: Vec<u16> = codes.iter().map(|&code| code.into()).collect();
            let mut halves = Halves::default();
            halves.extend(&values).expect("room for the values");
            let mut windows = [[1; WINDOW]];
            for _ in 0..times {
                windows[0][20..32].fill(0);
                kernel.mark_windows(
                    black_box(&mut windows),
                    0,
                    halves.of(0..at / 2),
                    halves.of(at / 2..at / 2 * 2),
                );
            }
        }
        "options-of-heaps" => {
            let values: Vec<u16> = codes.iter().map(|&code| code.into()).collect();
            let firsts: Vec<u32> = (0..200).map(|_| bytes.below(at / 2) as u32).collect();
            let mut options = Halves::zeros(WORDS * 256);
            for _ in 0..times {
                let rows = (black_box(&mut options), 256);
                kernel.options_of_heaps(&values, at - 1, &firsts, rows);
            }
        }
        "settle-nibbles" => {
            let entries: Vec<Entry<u8>> = (4..QUARTER).map(|q| Entry::new(q, q as u8)).collect();
            let nibbles = Nibbles::new(&entries).expect("near and narrow");
            let mut codes = bytes.codes(2 * QUARTER, 12);
            for _ in 0..times {
                let marks = black_box([1; QUARTER]);
                black_box(kernel.settle_nibbles(&nibbles, &marks, &mut codes, QUARTER, 0, 0));
            }
        }
        "words-of-lanes" => {
            let planes: [Lanes; 8] = std::array::from_fn(|_| bytes.lanes(256));
            let mut words = [0; LANES];
            for _ in 0..times {
                kernel.words_of_lanes(black_box(&planes), black_box(&mut words));
            }
        }
        "count-equal" => {
            let mut counts = vec![0; 2048];
            for _ in 0..times {
                kernel.count_equal(black_box(&mut counts), &codes[..2048], 255);
            }
        }
        "walk-2" | "walk-4" | "walk-8" => {
            let bound = 8 * planes.len();
            let mut rows = Rows::new(kernel, planes.len(), 1024);
            for (row, lane) in (0..1024).flat_map(|row| (0..LANES).map(move |lane| (row, lane))) {
                rows.set(row, lane, bytes.below(bound) as u8);
            }
            let mut taps = || Taps::new(bytes.entries(20, (1, 900), bound).as_slice());
            let (options, witnesses) = (taps(), taps());
            let limits = [Lanes([3; LANES]); 2];
            let mut open = Box::new(Open::NONE);
            for _ in 0..times {
                let segments =
                    LaneSegments::new((&mut rows, 0), (&options, &witnesses), &limits, 0);
                kernel.walk(planes.len(), segments, black_box(&mut open));
            }
        }
        "unpaired" => {
            for _ in 0..times {
                black_box(kernel.unpaired(&codes[..at / 2], &codes[at / 2..at], 7 << 33));
            }
        }
        "unmarked-18" => {
            for plane in &mut planes {
                plane
                    .0
                    .iter_mut()
                    .for_each(|marks| *marks = !(1u64 << bytes.below(56)) as u8);
            }
            let (mut noted, mut open) = (OpenCandidates::NONE, Vec::new());
            for _ in 0..times {
                open.clear();
                kernel.unmarked::<u8>(black_box(&planes), &limit, 0, &mut noted);
                noted.drain_into::<u8>(&mut open);
            }
        }
        "unwitnessed" => {
            let mut firsts = FirstParts::default();
            for k in 0..48 {
                firsts.push(Row {
                    q: parts_in_row::<u8>() + 64 * k,
                    codes: std::array::from_fn(|_| bytes.lanes(128).0),
                    mask: [Lanes::ZERO.0; BLOCKS_IN_ROW],
                });
            }
            let all: Vec<OpenCandidate> = (0..350)
                .map(|k| OpenCandidate::new(k * LANES / 350, bytes.below(128) as u8))
                .collect();
            let mut open = Vec::new();
            for _ in 0..times {
                open.clone_from(&all);
                kernel.unwitnessed(black_box(&mut open), source, &firsts, LANES);
            }
        }
        _ => panic!("no loop of this name"),
    }
}
