//! Nim-values of a game whose moves leave at most two heaps, from all pairs, many at a time.
//!
//! A heap n has about n/2 pairs for each number of stones whose removal splits it. `pairs/block.rs` goes through them for a block
//! of 32 heaps together. Pairs with a heap that another thread is computing, or that lies in the block itself, are looked at
//! last. Time: n²/4 pairs for each splitting move, or once for moves that leave the same sums; `price.rs` counts it first, for each
//! move. Memory: four bytes a heap.
//! Twin: `engine/definition.rs`.

mod block;
mod by_classes;
mod price;
mod tuning;

use crate::engine::kernel::halves::Halves;
use crate::engine::kernel::{Kernel, WORDS};
use crate::engine::octal::{Octal, Two};
use crate::engine::{Stop, lock, unlocked, useful_threads, with_helpers};
use block::{MarkedValues, Rows};
use by_classes::{ByClasses, MarkedCodes};
pub use price::Price;
use std::ops::{Range, RangeInclusive};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tuning::{
    BLOCKS_PER_THREAD, LEAST_FOR_THREADS, MOST_ROWS, MOST_ROWS_BY_CLASSES, SOUGHT_EVERY,
    heaps_per_rare, most_windows,
};

/// Pairs whose parts are both known, for the rows of a block: row k has those of the sum `sum` + k. By one move that is a row for
/// each heap of the block.
#[derive(Clone, Copy)]
struct Far {
    /// The sum of the two parts for the first row.
    sum: usize,
    /// The least of the smaller parts.
    low: usize,
    /// The end of the smaller parts: all of them are less.
    high: usize,
}

impl Far {
    /// The pairs for the block of `start` by moves that take so many stones, if the heaps from `first` on are not known.
    fn new(taken: RangeInclusive<usize>, start: usize, first: usize) -> Self {
        let sum = start - taken.end();
        let low = (start + WORDS).saturating_sub(taken.start() + first).max(1);
        let high = sum.div_ceil(2).max(low);
        Self { sum, low, high }
    }

    /// The pairs with the first `count` smaller parts, and the others.
    fn split_at(self, count: usize) -> (Self, Self) {
        let middle = self.high.min(self.low.saturating_add(count));
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

    /// The pairs whose smaller parts lie from `low` to below `high`.
    fn between(self, low: usize, high: usize) -> Self {
        Self {
            low: self.low.max(low),
            high: self.high.min(high),
            ..self
        }
    }

    /// The larger parts of the pairs for a row of the block, the partner of the largest smaller part first.
    fn seconds(self, row: usize) -> Range<usize> {
        self.sum + row + 1 - self.high..self.sum + row + 1 - self.low
    }
}

pub struct AllPairs<'a> {
    game: &'a Octal,
    kernel: Kernel,
    threads: usize,
    /// The largest value known when a block was begun.
    largest: u16,
    /// The values known when a block was begun.
    halves: Halves,
    classes: Option<ByClasses>,
    /// The number of known values at which classes are looked for again.
    sought_at: usize,
}

/// The largest smaller part of two heaps with this sum, which is not 0.
fn last_smaller(two: Two, sum: usize) -> usize {
    match two {
        Two::Unequal => (sum - 1) / 2,
        Two::Any => sum / 2,
    }
}

/// The marks that pairs of known heaps make for a block: by values, or by classed codes.
enum Marked {
    Values(MarkedValues),
    Classed(MarkedCodes),
}

impl<'a> AllPairs<'a> {
    pub fn new(game: &'a Octal, kernel: Kernel, threads: usize) -> Self {
        Self {
            game,
            kernel,
            threads: useful_threads(threads),
            largest: 0,
            halves: Halves::default(),
            classes: None,
            sought_at: 0,
        }
    }

    /// Computes the values of all heaps below `to`. `go_on` is asked after each block, or every 256 of the first heaps; if it
    /// says no, this ends with `Stop::Interrupted`.
    pub fn extend(
        &mut self,
        values: &mut Vec<u16>,
        to: usize,
        mut go_on: impl FnMut(&[u16]) -> bool,
    ) -> Result<(), Stop> {
        values
            .try_reserve_exact(to.saturating_sub(values.len()))
            .map_err(|_| Stop::Memory)?;
        let known = |values: &[u16]| values.iter().copied().max().unwrap_or(0);
        self.largest = known(values);
        self.halves = Halves::default();
        while values.len() < to {
            let before = values.len();
            let small = values.len() < 8 * WORDS * self.threads + 2 * self.game.from;
            if small {
                values.push(self.by_definition(values)?);
            } else {
                self.blocks(values)?;
                values.truncate(to);
            }
            self.largest = self.largest.max(known(&values[before..]));
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
                for i in 1..=last_smaller(two, sum) {
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
        let new = &values[self.halves.len()..];
        self.halves.extend(new).map_err(|_| Stop::Memory)?;
        self.learn(values);
        let known: &[u16] = values;
        let this = &*self;
        let first = known.len();
        let starts = (0..blocks).map(move |k| first + k * WORDS);
        let next = AtomicUsize::new(0);
        let done: Vec<Mutex<Option<Marked>>> = starts.clone().map(|_| Mutex::new(None)).collect();
        let work = || {
            loop {
                let k = next.fetch_add(1, Ordering::Relaxed);
                let Some(block) = done.get(k) else {
                    break;
                };
                let marked = this.mark(known, first + k * WORDS);
                *lock(block) = Some(marked);
            }
        };
        with_helpers(threads - 1, work, work);
        for (start, block) in starts.zip(done.into_iter().map(unlocked)) {
            let mut block = match block {
                Some(block) => block,
                // Not met: the threads leave no block unmarked.
                None => self.mark(&values[..first], start),
            };
            let far = self.far(start, first);
            for heap in 0..WORDS {
                debug_assert_eq!(values.len(), start + heap);
                let mex = self.mex(values, &far, &mut block, start);
                let value = match mex.map(u16::try_from) {
                    Some(Ok(value)) if value < u16::MAX => value,
                    Some(_) => return Err(Stop::TooLarge),
                    None => self.by_definition(values)?,
                };
                values.push(value);
            }
        }
        Ok(())
    }

    /// The options of the next heap other than those by the pairs `far`.
    fn near(&self, values: &[u16], far: &[Far]) -> impl Iterator<Item = u16> {
        let heap = values.len();
        let rows = self.rows().count;
        let ones = self.game.ones.iter().map(move |&t| values[heap - t]);
        // One for each move, or one for all.
        let breaks = self.game.breaks.iter().zip(far.iter().cycle());
        let pairs = breaks.flat_map(move |(&(b, two), &Far { low, high, .. })| {
            let sum = heap - b;
            let last = last_smaller(two, sum);
            // Pairs by classes leave out rare parts whose partner is a little beyond `low`, so they are looked at here. By values
            // they were marked already.
            let left = (1..(low + rows).min(last + 1)).chain(high..=last);
            left.map(move |i| values[i] ^ values[sum - i])
        });
        ones.chain(pairs)
    }

    /// The mex of the next heap, in the block of `start`; `None` if the marks of the block don't tell it.
    fn mex(&self, values: &[u16], far: &[Far], block: &mut Marked, start: usize) -> Option<usize> {
        let heap = values.len() - start;
        let near = self.near(values, far);
        match (block, &self.classes) {
            (Marked::Values(block), _) => block.mex(heap, near),
            (Marked::Classed(block), Some(classes)) => {
                classes.mex(self.kernel, far, block, (start, heap), near)
            }
            (Marked::Classed(_), None) => None,
        }
    }

    /// The pairs of heaps below `first` for the block of `start`: one for each move, or by sums one for all.
    fn far(&self, start: usize, first: usize) -> Vec<Far> {
        if self.by_sums() {
            vec![Far::new(self.taken(), start, first)]
        } else {
            let breaks = self.game.breaks.iter();
            breaks
                .map(|&(b, _)| Far::new(b..=b, start, first))
                .collect()
        }
    }

    /// The rows of marks of a block.
    fn rows(&self) -> Rows {
        if self.by_sums() {
            let (breaks, taken) = (self.game.breaks.iter(), self.taken());
            Rows {
                count: self.rows_by_sums(),
                of_first: breaks.map(|(b, _)| taken.end() - b).collect(),
            }
        } else {
            Rows::of_heaps()
        }
    }

    /// Whether the pairs of a sum are gone through once for all heaps and moves that leave it.
    fn by_sums(&self) -> bool {
        let by_moves = WORDS * self.game.breaks.len();
        let most = match self.classes {
            Some(_) => MOST_ROWS_BY_CLASSES,
            None => MOST_ROWS,
        };
        self.rows_by_sums() < by_moves.min(most)
    }

    /// How many sums lie between the least and the largest that moves of the heaps of a block leave, both included.
    fn rows_by_sums(&self) -> usize {
        let taken = self.taken();
        WORDS + taken.end() - taken.start()
    }

    /// The least and the largest number of stones that a move takes which leaves two heaps.
    fn taken(&self) -> RangeInclusive<usize> {
        let taken = || self.game.breaks.iter().map(|&(b, _)| b);
        taken().min().unwrap_or(0)..=taken().max().unwrap_or(0)
    }

    /// The block of `start`, marked by pairs of known heaps.
    fn mark(&self, values: &[u16], start: usize) -> Marked {
        let far = self.far(start, values.len());
        match &self.classes {
            Some(classes) => Marked::Classed(classes.block(self.kernel, &far, self.rows(), start)),
            None => {
                let most_windows = most_windows(self.kernel, values.len(), self.by_sums());
                let values = (values, &self.halves, self.largest);
                let rows = self.rows();
                Marked::Values(MarkedValues::new(
                    self.kernel,
                    values,
                    &far,
                    rows,
                    most_windows,
                ))
            }
        }
    }

    /// Adds the new values to those by classes, or looks for better classes.
    fn learn(&mut self, values: &[u16]) {
        let serves = match &mut self.classes {
            Some(classes) => classes.extend(values).is_some(),
            None => true,
        };
        if !serves || values.len() >= self.sought_at {
            self.sought_at = values.len() + values.len() / SOUGHT_EVERY;
            self.classes = ByClasses::discover(self.game, values, heaps_per_rare(self.kernel));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::definition;
    use crate::ruleset::Ruleset;

    /// Games with few rare heaps and with many, whose classes alternate or don't, that split into unequal heaps, without rare heaps,
    /// and with several moves that leave the same sums. Where blocks begin at heap 295, heap 1989 of 0.400006 needs an option whose
    /// rare part is the larger one and misses the rows of sums by one, so that it must be looked at for the heap itself.
    #[test]
    fn games_have_the_values_of_the_definition() {
        const HEAPS: usize = 2100;
        let games = "0.6 | 0.16 | 0.142 | 0.106 | 0.206 | 0.146 | 0.364 | 0.376 | 0.63404 | 0.764 | 0.40004 | 4.00065 | 0.005 | 0.007 | 0.77 | 4.6 | grundy | 0.400006";
        let mut roads = [0; 4];
        for game in games.split(" | ") {
            let ruleset: Ruleset = game.parse().unwrap();
            let octal = Octal::breaking(&ruleset).unwrap();
            let wanted = definition::nim_values(&ruleset, HEAPS).unwrap();
            for kernel in Kernel::available() {
                let mut pairs = AllPairs::new(&octal, kernel, 1);
                let mut values = Vec::new();
                for heaps in [295, HEAPS + 1] {
                    let done = pairs.extend(&mut values, heaps, |_| true);
                    assert!(done.is_ok() && values.len() == heaps);
                }
                let differ = (0..=HEAPS).find(|&heap| values[heap] != wanted.value(heap));
                assert_eq!(differ, None, "{game} on {}", kernel.name());
                pairs.learn(&values);
                let next = pairs.mark(&values, values.len());
                let by_classes = matches!(next, Marked::Classed(_));
                roads[2 * usize::from(by_classes) + usize::from(pairs.by_sums())] += 1;
            }
        }
        assert!(roads.iter().all(|&games| games >= 3), "{roads:?}");
    }
}
