//! Nim-values of a game with two heaps left at most, from all pairs, many at a time.
//!
//! A heap n has some n/2 pairs for each number of stones whose removal splits it. Of a block of 32 heaps `windows.rs` marks the
//! options by some of them and tests what is left against all others; `split.rs` does with fewer pairs where few heaps are
//! rare, and marks by `marks.rs`. Pairs of heaps that other threads are at, or that lie in the block itself, are looked at
//! last. Time: n²/4 pairs for each splitting move, or as many as there are rare heaps below each heap; `price.rs` counts it
//! first. Memory: two bytes a heap, or four with a split. Twin: `grundy.rs`.

mod marks;
mod price;
mod split;
mod windows;

use crate::engine::kernel::{Kernel, WORDS};
use crate::engine::octal::{Octal, Two};
use crate::engine::{Stop, lock, unlocked, useful_threads, with_helpers};
pub use price::Price;
use split::Split;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use windows::Windows;

/// Values that must be known to be no options before the pairs inside the block are looked at.
const CANDIDATES_PER_HEAP: usize = 1;
/// Blocks for each thread at a time: one that is held up by others should not hold up all.
const BLOCKS_PER_THREAD: usize = 4;
/// Pairs compared before it is seen what is left.
const CHUNK: usize = 512;
/// How many comparisons cost as much as to mark an option, a register of words at once.
const COMPARED_AT_ONCE: usize = 32;
/// How many comparisons cost as much as to work an option out.
const COMPARISONS_PER_OPTION: usize = 2;
/// From this heap on a second thread pays.
const LEAST_FOR_THREADS: usize = 20_000;
/// A split is looked for again when one in so many of the values is new.
const SOUGHT_EVERY: usize = 8;

/// Pairs whose parts are all known, for a block.
#[derive(Clone, Copy)]
struct Far {
    /// The sum of the two parts for the block's first heap.
    sum: usize,
    /// The least of the smaller parts.
    low: usize,
    /// The end of the smaller parts: all of them are less.
    high: usize,
}

impl Far {
    /// The pairs for the block of `start` by a move that takes b stones, if the heaps from `first` on are not known.
    fn new(b: usize, start: usize, first: usize) -> Self {
        let sum = start - b;
        let low = (start + WORDS).saturating_sub(b + first).max(1);
        let high = sum.div_ceil(2).max(low);
        Self { sum, low, high }
    }

    /// The pairs with the first `count` smaller parts, and the others.
    fn split_at(self, count: usize) -> (Self, Self) {
        let middle = self.high.min(self.low + count);
        let first = Self {
            high: middle,
            ..self
        };
        (
            first,
            Self {
                low: middle,
                ..self
            },
        )
    }

    fn chunks(self, length: usize) -> impl Iterator<Item = Self> {
        let starts = (self.low..self.high).step_by(length);
        starts.map(move |low| Self { low, ..self }.split_at(length).0)
    }
}

/// How many pairs are marked before the others are tested: both together cost least where they cost the same, about.
struct Balance(usize);

impl Balance {
    /// Marks more pairs or fewer from now on, as testing the others cost so much, in options marked, for so many moves of
    /// heaps.
    fn adapt(&mut self, moves: usize, tested: usize) {
        if tested > self.0 * moves {
            self.0 += self.0 / 16 + 1;
        } else {
            self.0 -= self.0 / 17;
        }
        self.0 = self.0.clamp(64, 1 << 16);
    }
}

/// Leaves in `open` only the values that no far pair gives for the heap of this lane; returns what that cost, in options
/// marked.
fn leave_unpaired(
    kernel: Kernel,
    values: &[u16],
    far: &[Far],
    lane: usize,
    open: &mut Vec<u16>,
) -> usize {
    let mut cost = 0;
    for Far { sum, low, high } in far.iter().flat_map(|far| far.chunks(CHUNK)) {
        let before = open.len();
        if before == 0 {
            break;
        }
        let firsts = &values[low..high];
        let seconds = &values[sum + lane + 1 - high..][..firsts.len()];
        kernel.unpaired_words(firsts, seconds, open);
        cost += firsts.len() * (before + COMPARISONS_PER_OPTION) / COMPARED_AT_ONCE;
    }
    cost
}

/// What was found of a block.
struct Outcome {
    /// For each heap, ascending, the values that no far pair gives; as many as asked for unless there are no more.
    free: Vec<Vec<u16>>,
    /// What the block cost besides marking, in options marked: to test candidates, and to look up rare values.
    tested: [usize; 2],
}

pub struct AllPairs<'a> {
    game: &'a Octal,
    kernel: Kernel,
    threads: usize,
    windows: Windows,
    split: Option<Split>,
    /// How many values are known when a split is looked for again.
    sought_at: usize,
}

impl<'a> AllPairs<'a> {
    pub fn new(game: &'a Octal, kernel: Kernel, threads: usize) -> Self {
        Self {
            game,
            kernel,
            threads: useful_threads(threads),
            windows: Windows::new(kernel),
            split: None,
            sought_at: 0,
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
            seen[0] = self.game.wholes.contains(&heap);
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
        let threads = if values.len() < LEAST_FOR_THREADS {
            1
        } else {
            self.threads
        };
        let blocks = if threads == 1 {
            1
        } else {
            BLOCKS_PER_THREAD * threads
        };
        self.learn(values);
        // Pairs inside the blocks are looked at last, and may hit a value that was free; there are more of them in more.
        let spare = CANDIDATES_PER_HEAP + usize::from(threads > 1);
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
                let found = this.candidates(known, first + k * WORDS, spare);
                *lock(outcome) = Some(found);
            }
        };
        with_helpers(threads - 1, work, work);
        let outcomes = outcomes.into_iter().map(unlocked);
        let mut tested = [0; 2];
        for (start, outcome) in starts.zip(outcomes) {
            let outcome = match outcome {
                Some(outcome) => outcome,
                None => self.candidates(&values[..first], start, spare),
            };
            tested = [0, 1].map(|k| tested[k] + outcome.tested[k]);
            for lane in 0..WORDS {
                debug_assert_eq!(values.len(), start + lane);
                let near = self.near(values, start, first);
                let free = outcome.free[lane]
                    .iter()
                    .find(|value| !near.contains(value));
                let value = match free {
                    Some(&u16::MAX) => return Err(Stop::TooLarge),
                    Some(&value) => value,
                    None => self.beyond(values, (start, first), &outcome.free[lane], &near)?,
                };
                values.push(value);
            }
        }
        let moves = self.game.breaks.len() * blocks * WORDS;
        match &mut self.split {
            Some(split) => split.adapt(moves, tested),
            None => self.windows.adapt(moves, tested),
        }
        Ok(())
    }

    /// The value of the next heap, in the block of `start`, if it lies beyond those of `free`.
    fn beyond(
        &self,
        values: &[u16],
        (start, first): (usize, usize),
        free: &[u16],
        near: &[u16],
    ) -> Result<u16, Stop> {
        let breaks = self.game.breaks.iter();
        let far: Vec<Far> = breaks.map(|&(b, _)| Far::new(b, start, first)).collect();
        let lane = values.len() - start;
        let mut from = free.last().map_or(0, |&last| last.saturating_add(1));
        loop {
            let to = from.checked_add(WORDS as u16).ok_or(Stop::TooLarge)?;
            let mut open = (from..to).filter(|value| !near.contains(value)).collect();
            leave_unpaired(self.kernel, values, &far, lane, &mut open);
            if let Some(&value) = open.first() {
                return Ok(value);
            }
            from = to;
        }
    }

    /// Tells the split the new values, or looks for a better split.
    fn learn(&mut self, values: &[u16]) {
        let serves = match &mut self.split {
            Some(split) => split.extend(values).is_some(),
            None => true,
        };
        if !serves || values.len() >= self.sought_at {
            self.sought_at = values.len() + values.len() / SOUGHT_EVERY;
            let found = Split::discover(self.game, values);
            self.split = match (found, self.split.take()) {
                (Some(found), Some(old)) => Some(found.balanced_as(old)),
                (found, _) => found,
            };
            if let Some(split) = &mut self.split {
                split.arrange(WORDS * BLOCKS_PER_THREAD * self.threads + self.game.from);
            }
        }
    }

    /// The options of the next heap, in the block of `start`, that [`AllPairs::candidates`] leaves out, and some more.
    fn near(&self, values: &[u16], start: usize, first: usize) -> Vec<u16> {
        let heap = values.len();
        let mut near: Vec<u16> = self.game.ones.iter().map(|&t| values[heap - t]).collect();
        for &(b, two) in &self.game.breaks {
            let sum = heap - b;
            let Far { low, high, .. } = Far::new(b, start, first);
            let last = if two == Two::Unequal {
                (sum - 1) / 2
            } else {
                sum / 2
            };
            // The split leaves out rare parts whose partner is below `low`, so they are looked at here.
            let left = (1..(low + WORDS).min(last + 1)).chain(high..=last);
            near.extend(left.map(|i| values[i] ^ values[sum - i]));
        }
        near
    }

    /// For each heap of the block of `start` the smallest values that no pair of known heaps gives.
    fn candidates(&self, values: &[u16], start: usize, spare: usize) -> Outcome {
        let breaks = self.game.breaks.iter();
        let far: Vec<Far> = breaks
            .map(|&(b, _)| Far::new(b, start, values.len()))
            .collect();
        match &self.split {
            Some(split) => split.candidates(self.kernel, &far, start, spare),
            None => self.windows.candidates(values, &far, spare),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::definition;
    use crate::ruleset::Ruleset;

    /// Games with few rare heaps and with many, whose classes alternate or don't, that split into unequal heaps, and
    /// without a split.
    #[test]
    fn games_with_and_without_a_split_have_the_values_of_the_definition() {
        const HEAPS: usize = 2100;
        let games = "0.6 | 0.16 | 0.142 | 0.106 | 0.206 | 0.146 | 0.364 | 0.376 | 0.63404 | 0.005 | 0.007 | 0.77 | 4.6 | grundy";
        let mut with_split = 0;
        for game in games.split(" | ") {
            let ruleset: Ruleset = game.parse().unwrap();
            let octal = Octal::breaking(&ruleset).unwrap();
            let wanted = definition::nim_values(&ruleset, HEAPS).unwrap();
            for kernel in Kernel::available() {
                let mut pairs = AllPairs::new(&octal, kernel, 1);
                let mut values = Vec::new();
                let done = pairs.extend(&mut values, HEAPS + 1, |_| true);
                assert!(done.is_ok() && values.len() == HEAPS + 1);
                let differ = (0..=HEAPS).find(|&heap| values[heap] != wanted.value(heap));
                assert_eq!(differ, None, "{game} on {}", kernel.name());
                with_split += usize::from(pairs.split.is_some());
            }
        }
        assert!(with_split >= 8);
    }
}
