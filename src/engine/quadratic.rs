//! Nim-values of a game with two heaps left at most, from all pairs, many at a time.
//!
//! Where no sparse space helps, a heap n has some n/2 pairs for each number of stones whose removal splits it. Marking
//! the first few thousand options leaves few candidates for the mex; the other pairs only mark the options in a window
//! of 16 values, 32 heaps at once, since heap n + 1 pairs heap i with the neighbour of its partner. A full window is left
//! for the next one; what is free in a window that has met every pair is no option. Time: n²/4 pairs for each splitting
//! move, 32 of them at once in a register of 512 bits. Memory: two bytes a heap. Twin: `grundy.rs`.

use crate::engine::kernel::{Kernel, WORDS, Words};
use crate::engine::octal::{Octal, Two};
use crate::engine::{useful_threads, with_helpers};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Why the values could not be extended as far as asked. Those that there are are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    TooLarge,
    Memory,
    Interrupted,
}

/// Values in a window.
const WINDOW: usize = 16;
/// Pairs marked in a window before full windows are left.
const CHUNK: usize = 1024;
/// Options made before they are marked.
const MARKED_AT_ONCE: usize = 256;
/// Values that must be known to be no options before the pairs inside the block are looked at.
const SPARE: usize = 1;
/// Blocks for each thread at a time: one that is held up by others should not hold up all.
const SHARED: usize = 4;
/// From this heap on a second thread pays.
const THREADED: usize = 20_000;

/// A range of first parts, to be paired with what makes the sum.
#[derive(Clone, Copy)]
struct Pairs {
    /// The sum for the block's first heap.
    sum: usize,
    low: usize,
    high: usize,
}

pub struct Quadratic<'a> {
    game: &'a Octal,
    kernel: Kernel,
    threads: usize,
    /// How many pairs to mark.
    marked: usize,
    /// What a pair of a block costs in windows, in options marked.
    window_cost: usize,
}

impl<'a> Quadratic<'a> {
    pub fn new(game: &'a Octal, kernel: Kernel, threads: usize) -> Self {
        Self {
            game,
            kernel,
            threads: useful_threads(threads),
            marked: 512,
            // By 60,000 values of 0.007 (`--engine quadratic --kernel …`) on an Intel Xeon with AVX-512: of 2, 4, 8 and 15
            // these were the fastest for avx512 and avx2 by a tenth; portable takes half as long with 15 as with 2.
            window_cost: match kernel.name() {
                "avx512" => 2,
                "avx2" => 4,
                _ => 15,
            },
        }
    }

    /// Computes the values of all heaps below `to`.
    pub fn extend(
        &mut self,
        values: &mut Vec<u16>,
        to: usize,
        mut go_on: impl FnMut(&[u16]) -> bool,
    ) -> Result<(), Stop> {
        values
            .try_reserve_exact(to.saturating_sub(values.len()))
            .map_err(|_| Stop::Memory)?;
        while values.len() < to {
            let small = values.len() < 8 * WORDS * self.threads + 2 * self.game.from;
            if small {
                values.push(self.by_definition(values)?);
            } else {
                self.blocks(values)?;
                values.truncate(to);
            }
            if (!small || values.len().is_multiple_of(256)) && !go_on(values) {
                return Err(Stop::Interrupted);
            }
        }
        Ok(())
    }

    /// The value of the next heap from all its options.
    fn by_definition(&self, values: &[u16]) -> Result<u16, Stop> {
        let heap = values.len();
        let largest = values.iter().copied().max().unwrap_or(0);
        let mut seen = vec![false; (usize::from(largest) + 2).next_power_of_two()];
        if heap >= self.game.least {
            for &t in self.game.wholes.iter().filter(|&&t| t == heap) {
                seen[heap - t] = true;
            }
            for &t in self.game.ones.iter().filter(|&&t| t < heap) {
                seen[usize::from(values[heap - t])] = true;
            }
            for &(b, two) in self.game.breaks.iter().filter(|(b, _)| *b < heap) {
                let sum = heap - b;
                let (low, high) = match two {
                    Two::Any => (1, sum / 2 + 1),
                    Two::Unequal => (1, sum.div_ceil(2)),
                };
                for i in low..high {
                    seen[usize::from(values[i] ^ values[sum - i])] = true;
                }
            }
        }
        let mex = seen.iter().position(|seen| !seen).unwrap_or(seen.len());
        u16::try_from(mex)
            .ok()
            .filter(|&mex| mex < u16::MAX)
            .ok_or(Stop::TooLarge)
    }

    /// Appends a block of heaps, or several that the threads share.
    fn blocks(&mut self, values: &mut Vec<u16>) -> Result<(), Stop> {
        let threads = if values.len() < THREADED {
            1
        } else {
            self.threads
        };
        let blocks = if threads == 1 { 1 } else { SHARED * threads };
        // Pairs inside the blocks are looked at last, and may hit a value that was free; there are more of them in more.
        let spare = if threads == 1 { SPARE } else { SPARE + 1 };
        let known: &[u16] = values;
        let this = &*self;
        let first = known.len();
        let starts = (0..blocks).map(move |k| first + k * WORDS);
        let next = AtomicUsize::new(0);
        let outcomes: Vec<Mutex<Option<Outcome>>> =
            starts.clone().map(|_| Mutex::new(None)).collect();
        let work = || {
            loop {
                let k = next.fetch_add(1, Ordering::Relaxed);
                let Some(outcome) = outcomes.get(k) else {
                    break;
                };
                let found = this.candidates(known, first + k * WORDS, first, spare);
                *outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
            }
        };
        with_helpers(threads - 1, work, work);
        let outcomes = outcomes
            .into_iter()
            .map(|outcome| outcome.into_inner().unwrap_or_else(PoisonError::into_inner));
        let mut tested = 0;
        for (start, outcome) in starts.zip(outcomes) {
            let outcome = match outcome {
                Some(outcome) => outcome,
                None => self.candidates(&values[..first], start, first, spare),
            };
            tested += outcome.tested;
            for lane in 0..WORDS {
                debug_assert_eq!(values.len(), start + lane);
                let near = self.near(values, start, first);
                let free = outcome.free[lane]
                    .iter()
                    .find(|value| !near.contains(value));
                let value = match free {
                    Some(&u16::MAX) => return Err(Stop::TooLarge),
                    Some(&value) => value,
                    None => self.by_definition(values)?,
                };
                values.push(value);
            }
        }
        let heaps = blocks * WORDS;
        // Both together cost least where they cost the same.
        if tested > self.marked * self.game.breaks.len() * heaps {
            self.marked += self.marked / 16 + 1;
        } else {
            self.marked -= self.marked / 17;
        }
        self.marked = self.marked.clamp(64, 1 << 16);
        Ok(())
    }

    /// The first parts whose partners in the block of `start` are known to every thread, if the heaps from `first` on
    /// are not, and are larger.
    fn far(b: usize, start: usize, first: usize) -> (usize, usize) {
        let low = (start + WORDS).saturating_sub(b + first).max(1);
        (low, (start - b).div_ceil(2).max(low))
    }

    /// The options of the next heap, in the block of `start`, that [`Quadratic::candidates`] leaves out.
    fn near(&self, values: &[u16], start: usize, first: usize) -> Vec<u16> {
        let heap = values.len();
        let mut near: Vec<u16> = self.game.ones.iter().map(|&t| values[heap - t]).collect();
        for &(b, two) in &self.game.breaks {
            let sum = heap - b;
            let (low, high) = Self::far(b, start, first);
            let last = if two == Two::Unequal {
                (sum - 1) / 2
            } else {
                sum / 2
            };
            let left = (1..low.min(last + 1)).chain(high..=last);
            near.extend(left.map(|i| values[i] ^ values[sum - i]));
        }
        near
    }

    /// For each heap of the block of `start` the smallest values that no pair of known heaps gives.
    fn candidates(&self, values: &[u16], start: usize, first: usize, spare: usize) -> Outcome {
        let breaks = self.game.breaks.iter();
        let pairs: Vec<Pairs> = breaks
            .map(|&(b, _)| {
                let (low, high) = Self::far(b, start, first);
                Pairs {
                    sum: start - b,
                    low,
                    high,
                }
            })
            .collect();
        let largest = values.iter().copied().max().unwrap_or(0);
        let size = (usize::from(largest) + 1).next_power_of_two().max(WINDOW);
        let mut lanes: Vec<Lane> = (0..WORDS)
            .map(|lane| Lane::new(self.mark(values, &pairs, lane, size)))
            .collect();
        let chunks: Vec<Pairs> = pairs
            .iter()
            .flat_map(|pairs| pairs.after(self.marked).chunks())
            .collect();
        let (mut windows, mut marks) = (Words([0; WORDS]), Words([0; WORDS]));
        let (mut done, mut tested) = (0, 0);
        loop {
            let mut busy = false;
            for (at, lane) in lanes.iter_mut().enumerate() {
                lane.advance(&mut marks.0[at], done, chunks.len(), spare);
                if !lane.is_done {
                    windows.0[at] = (WINDOW * lane.window) as u16;
                    busy = true;
                }
            }
            if !busy {
                break;
            }
            let Pairs { sum, low, high } = chunks[done % chunks.len()];
            tested += (high - low) * self.window_cost;
            self.kernel
                .mark_words(&mut marks, &windows, values, sum, (low, high));
            done += 1;
        }
        let free = lanes.into_iter().map(|lane| lane.free).collect();
        Outcome { free, tested }
    }

    /// The options by the first pairs, a word for each window of values; the window behind the last has none.
    fn mark(&self, values: &[u16], pairs: &[Pairs], lane: usize, size: usize) -> Vec<u16> {
        let mut seen = vec![[false; WINDOW]; size / WINDOW + 1];
        let marks = seen.as_flattened_mut();
        let mut options = [0; MARKED_AT_ONCE];
        for pairs in pairs {
            let high = pairs.high.min(pairs.low + self.marked);
            let ones = &values[pairs.low..high];
            let others = &values[pairs.sum + lane + 1 - high..][..ones.len()];
            let others = others.rchunks(MARKED_AT_ONCE);
            // First options and then marks, as only the first becomes instructions on registers.
            for (ones, others) in ones.chunks(MARKED_AT_ONCE).zip(others) {
                let pairs = ones.iter().zip(others.iter().rev());
                for (option, (one, other)) in options.iter_mut().zip(pairs) {
                    *option = one ^ other;
                }
                for &option in &options[..ones.len()] {
                    if let Some(mark) = marks.get_mut(usize::from(option)) {
                        *mark = true;
                    }
                }
            }
        }
        let bits = |seen: &[bool; WINDOW]| {
            let bits = seen.iter().rev();
            bits.fold(0, |bits, &seen| bits << 1 | u16::from(seen))
        };
        seen.iter().map(bits).collect()
    }
}

impl Pairs {
    /// Without the first ones.
    fn after(self, marked: usize) -> Pairs {
        Pairs {
            low: self.high.min(self.low + marked),
            ..self
        }
    }

    fn chunks(self) -> impl Iterator<Item = Pairs> {
        let starts = (self.low..self.high).step_by(CHUNK);
        starts.map(move |low| Pairs {
            low,
            high: self.high.min(low + CHUNK),
            ..self
        })
    }
}

/// What is known of one heap of a block.
struct Lane {
    /// The options found before, a word for each window.
    marks: Vec<u16>,
    /// The window that is being marked; none yet, if it is beyond.
    window: usize,
    /// How many chunks had been done when that began.
    since: usize,
    /// Values that no pair gives, ascending.
    free: Vec<u16>,
    is_done: bool,
}

impl Lane {
    fn new(marks: Vec<u16>) -> Self {
        Self {
            marks,
            window: usize::MAX,
            since: 0,
            free: Vec::new(),
            is_done: false,
        }
    }

    /// Goes on to the next window where `marks`, those of this one, are full or all chunks have been met.
    fn advance(&mut self, marks: &mut u16, done: usize, chunks: usize, spare: usize) {
        while !self.is_done {
            let begun = self.window < self.marks.len();
            let met = done - self.since >= chunks;
            if begun && *marks != u16::MAX && !met {
                return;
            }
            if begun && met {
                let base = WINDOW * self.window;
                let free = (0..WINDOW).filter(|c| *marks >> c & 1 == 0);
                self.free.extend(free.map(|c| (base + c) as u16));
            }
            let next = self.window.wrapping_add(1);
            let hole = self.marks[next..]
                .iter()
                .position(|&marks| marks != u16::MAX);
            match hole.map(|hole| next + hole) {
                Some(window) if window + 1 < self.marks.len() && self.free.len() < spare => {
                    (self.window, self.since, *marks) = (window, done, self.marks[window]);
                }
                _ => {
                    if self.free.len() < spare {
                        // Nothing gives a value of the last window, which is too large if it is beyond a word.
                        let last = WINDOW * (self.marks.len() - 1);
                        self.free.push(u16::try_from(last).unwrap_or(u16::MAX));
                    }
                    self.is_done = true;
                }
            }
        }
    }
}

struct Outcome {
    /// For each heap, ascending; as many as asked for unless there are no more.
    free: Vec<Vec<u16>>,
    /// What marking in windows cost, in options marked.
    tested: usize,
}
