//! The values that pairs of known heaps give to the heaps of a block, and the least value that none gives.
//!
//! The options by the first pairs are marked one by one, a byte each. What they leave open below a thousand is little and fits
//! two registers of 512 bits, where 64 options at a time are looked up, so that only those still open are marked
//! (`kernel/generic/pairs.rs: mark_windows`). The next thousand values are looked at only where all of these are options; where
//! values are in the thousands, two or four thousand are looked up together. With AVX2 only the least open values are sought
//! among most pairs (`tuning.rs: values_sought`).
//! Where several moves leave the same sums, the pairs of each sum are gone through once for all heaps that have them.
//! The smaller parts are gone through in tiles; a tile stays in the cache while it is used for every heap of the block.
//!
//! Time: all pairs once, and for the thousands of values below the mex as many more as fill them. Where that is dearer than to
//! mark all options one by one, as in plain Rust and where values are large, all are marked. Memory: a byte for each value and
//! row of the block.
//! Twin: all options of a heap.

use super::Far;
use super::tuning::{FIRST_TILE, PAIRS_PER_TILE, values_sought, windows_at_once};
use crate::engine::kernel::halves::{HALVES_END, Halves, HalvesOf, LOW_BITS};
use crate::engine::kernel::{Kernel, STRIP, SeenValues, Strip, WINDOW, WORDS};
use std::borrow::Cow;
use std::ops::Range;

/// Which rows of marks each heap of a block has: one of its own, or that of each sum its moves leave, which other heaps have too.
pub struct Rows {
    /// How many rows a block has.
    pub count: usize,
    /// Those of the block's first heap; heap k has each of these + k.
    pub of_first: Vec<usize>,
}

impl Rows {
    /// A row for each heap.
    pub fn of_heaps() -> Self {
        Self {
            count: WORDS,
            of_first: vec![0],
        }
    }
}

/// The values that pairs give to each heap of a block.
pub struct MarkedValues {
    rows: Rows,
    /// For each row a byte for each value: 1 for an option.
    marks: Vec<u8>,
    /// How many bytes a row has: more than any value that a pair of known heaps gives, and a window beyond them.
    stride: usize,
    /// How many windows are looked up together.
    at_once: usize,
    /// For each heap, all options from the first to below the second value are marked; all values below the first are options.
    complete: [(usize, usize); WORDS],
    /// For each heap the first value of a strip before which no value is open, so that it need not be looked for there again.
    full_to: Vec<usize>,
}

impl MarkedValues {
    /// Marks options by these pairs until each heap has a value that none of them gives and that may be its mex.
    /// `values` come with their halves, and with the largest of them. If the mean of the last values lies beyond `most_windows`
    /// windows, nothing is looked up and all options are marked one by one.
    pub fn new(
        kernel: Kernel,
        (values, halves, largest): (&[u16], &Halves, u16),
        far: &[Far],
        rows: Rows,
        most_windows: usize,
    ) -> Self {
        // The XOR of any two of these values is less than the next power of two.
        let windows = windows(values);
        let at_once = windows_at_once(kernel, windows);
        let size = (usize::from(largest) + 1).next_power_of_two();
        let size = size.max(WINDOW * at_once);
        let stride = size + WINDOW * at_once;
        let in_windows = size <= HALVES_END && windows <= most_windows;
        let first = if in_windows { FIRST_TILE } else { usize::MAX };
        let (first, rest): (Vec<Far>, Vec<Far>) = far.iter().map(|far| far.split_at(first)).unzip();
        let mut marks = Vec::with_capacity(rows.count * stride);
        let mut seen: Box<SeenValues> = Box::new([0; _]);
        let values_of = |far: &Far| values[far.low..far.high].iter().rev().copied().collect();
        let firsts: Vec<Vec<u16>> = first.iter().map(values_of).collect();
        for row in 0..rows.count {
            seen[..size].fill(0);
            for (far, firsts) in first.iter().zip(&firsts) {
                kernel.mark_pairs(&mut seen, firsts, &values[far.seconds(row)]);
            }
            marks.extend(&seen[..size]);
            marks.resize(marks.len() + stride - size, 0);
        }
        let mut block = Self {
            rows,
            marks,
            stride,
            at_once,
            complete: [(0, stride); WORDS],
            full_to: vec![0; WORDS],
        };
        if in_windows {
            let mut heaps: Vec<usize> = (0..WORDS).collect();
            block.complete = [(0, 0); WORDS];
            while !heaps.is_empty() {
                block.look_up(kernel, halves, &rest, &heaps);
                heaps.retain(|&heap| !block.is_open(heap));
            }
        }
        block
    }

    /// The mex of a heap of the block that has these further options, if it is among the values that have been looked at.
    /// Also `None` if an option is larger than all values that have a mark.
    pub fn mex(&self, heap: usize, mut options: impl Iterator<Item = u16>) -> Option<usize> {
        let (from, to) = self.complete[heap];
        let mut marks = self.marks_of(heap, from..to).into_owned();
        // A loop over such a chain of iterators would ask at each option which of them it comes from.
        options.try_for_each(|option| {
            let option = usize::from(option);
            if let Some(mark) = marks.get_mut(option.wrapping_sub(from)) {
                *mark = 1;
            }
            (option < self.stride).then_some(())
        })?;
        first_zero(&marks).map(|at| from + at)
    }

    /// The marks of a heap at these values: what is marked in one of its rows.
    fn marks_of(&self, heap: usize, values: Range<usize>) -> Cow<'_, [u8]> {
        let row = |row| &self.marks[(row + heap) * self.stride..][values.clone()];
        let Some((&first, others)) = self.rows.of_first.split_first() else {
            return Cow::default();
        };
        let mut marks = Cow::from(row(first));
        for &other in others {
            let marks = marks.to_mut().iter_mut();
            marks
                .zip(row(other))
                .for_each(|(mark, other)| *mark |= other);
        }
        marks
    }

    /// The place of the least of these values that is marked in no row of a heap, if there is one. There are whole strips of them.
    fn first_open(&self, heap: usize, values: Range<usize>) -> Option<usize> {
        let row = |row| &self.marks[(row + heap) * self.stride..][values.clone()];
        let (&first, others) = self.rows.of_first.split_first()?;
        if others.is_empty() {
            return first_zero(row(first));
        }
        let strips = |first| row(first).as_chunks::<STRIP>().0;
        strips(first).iter().enumerate().find_map(|(k, strip)| {
            let mut strip = *strip;
            for &other in others {
                let marks = strip.iter_mut().zip(&strips(other)[k]);
                marks.for_each(|(mark, other)| *mark |= other);
            }
            first_zero(&strip).map(|at| STRIP * k + at)
        })
    }

    /// Whether a value between the two bounds in `complete` is not marked for this heap, so that it may be the mex.
    fn is_open(&mut self, heap: usize) -> bool {
        let (from, to) = self.complete[heap];
        let from = from.max(self.full_to[heap]);
        let place = self.first_open(heap, from..to).map_or(to, |at| from + at);
        self.full_to[heap] = place - place % STRIP;
        place < to
    }

    /// Marks the options by these pairs in the next windows of these heaps.
    fn look_up(&mut self, kernel: Kernel, values: &Halves, far: &[Far], heaps: &[usize]) {
        for &heap in heaps {
            let (_, end) = self.complete[heap];
            let place = end + self.first_open(heap, end..self.stride).unwrap_or(0);
            self.complete[heap] = windows_of(place, self.at_once);
        }
        // No pair gives a value beyond those of two halves.
        let mut left: Vec<Walk> = (heaps.iter())
            .filter(|&&heap| self.complete[heap].0 < HALVES_END)
            .map(|&heap| Walk {
                heap,
                from: 0,
                narrowed: Vec::new(),
            })
            .collect();
        while !left.is_empty() {
            self.walk(kernel, values, far, &mut left);
            left.retain_mut(|walk| {
                !self.is_open(walk.heap) && walk.widen(&mut self.complete[walk.heap])
            });
        }
    }

    /// Marks the options by these pairs of what each heap seeks, as long as it seeks any.
    fn walk(&mut self, kernel: Kernel, values: &Halves, far: &[Far], walks: &mut [Walk]) {
        let tiles = Tiles::of(far);
        let end = tiles.end;
        let first = walks.iter().map(|walk| walk.from).min();
        for tile in tiles.skip_while(|tile| Some(tile.low) < first) {
            let firsts = tile.firsts(values);
            let sought = match self.at_once {
                1 => values_sought(kernel, tile.low, end),
                _ => None,
            };
            for (row, from, to) in self.sought_in_rows(walks, tile.low, sought) {
                let marks = &mut self.marks[row * self.stride..][from..to];
                for pairs in tile.pairs(far, &firsts, values, row) {
                    mark(kernel, sought.is_some(), (from, marks), pairs);
                }
            }
        }
    }

    /// The rows in which something is sought in this tile, each with the first value sought and the end of them. If `sought` is
    /// given, each heap seeks only so many of its least open values from this tile on, in whole strips; the end of what it sought
    /// before is noted in its walk, for `Walk::widen`.
    fn sought_in_rows(
        &mut self,
        walks: &mut [Walk],
        tile: usize,
        sought: Option<usize>,
    ) -> Vec<(usize, usize, usize)> {
        let mut in_rows = Vec::with_capacity(self.rows.count);
        for walk in walks {
            let (from, to) = self.complete[walk.heap];
            if tile < walk.from {
                continue;
            }
            // A window that is full needs no more pairs.
            if !self.is_open(walk.heap) {
                continue;
            }
            let marks = || self.marks_of(walk.heap, from..to);
            let end = sought.map_or(to, |sought| from + with_least_open(&marks(), sought));
            if end < to {
                self.complete[walk.heap].1 = end;
                walk.narrowed.push((tile, to));
            }
            let rows = self.rows.of_first.iter();
            in_rows.extend(rows.map(|row| (row + walk.heap, from, end)));
        }
        // Of those that begin together in a row the longest serves.
        in_rows.sort_unstable();
        in_rows.reverse();
        in_rows.dedup_by_key(|&mut (row, from, _)| (row, from));
        in_rows
    }
}

/// How far a heap has come on its way through the tiles.
struct Walk {
    heap: usize,
    /// The tile from which pairs are to be met.
    from: usize,
    /// From which tiles on less of the window was sought, each with the end of what was sought before.
    narrowed: Vec<(usize, usize)>,
}

impl Walk {
    /// Goes back to where less began to be sought, for the values that were left out there. Returns whether there are any.
    fn widen(&mut self, complete: &mut (usize, usize)) -> bool {
        let Some((from, to)) = self.narrowed.pop() else {
            return false;
        };
        self.from = from;
        *complete = (complete.1, to);
        true
    }
}

/// The smaller parts of pairs, as many as stay in the cache.
#[derive(Clone, Copy)]
pub struct Tile {
    low: usize,
    high: usize,
}

impl Tile {
    /// The values of the smaller parts, the largest part first.
    pub fn firsts(self, values: &Halves) -> Halves {
        values.of(self.low..self.high).reversed()
    }

    /// For each of `far`, the values of the smaller and of the larger parts of its pairs in this tile, for a row of the block.
    pub fn pairs<'a>(
        self,
        far: &'a [Far],
        firsts: &'a Halves,
        values: &'a Halves,
        row: usize,
    ) -> impl Iterator<Item = (HalvesOf<'a>, HalvesOf<'a>)> {
        far.iter().filter_map(move |far| {
            let here = far.between(self.low, self.high);
            let is_empty = here.low >= here.high;
            (!is_empty).then(|| {
                let ones = firsts.of(self.high - here.high..self.high - here.low);
                (ones, values.of(here.seconds(row)))
            })
        })
    }
}

/// Tiles that cover some pairs. They grow, as the first pairs give most of what is new.
pub struct Tiles {
    low: usize,
    end: usize,
    length: usize,
}

impl Tiles {
    pub fn of(far: &[Far]) -> Self {
        let end = far.iter().map(|far| far.high).max().unwrap_or(0);
        Self {
            low: far.iter().map(|far| far.low).min().unwrap_or(end),
            end,
            length: FIRST_TILE,
        }
    }
}

impl Iterator for Tiles {
    type Item = Tile;

    fn next(&mut self) -> Option<Tile> {
        let (low, high) = (self.low, self.end.min(self.low + self.length));
        self.low = high;
        self.length = PAIRS_PER_TILE.min(2 * self.length);
        (low < high).then_some(Tile { low, high })
    }
}

/// The mean number of windows that the last values reach over.
fn windows(values: &[u16]) -> usize {
    let last = values.last_chunk::<256>().map_or(values, |last| last);
    let sum: usize = last.iter().map(|&value| usize::from(value)).sum();
    1 + sum / (WINDOW * last.len().max(1))
}

/// The values, among them this one, that the kernel looks up in so many windows. The low half of the first is 0, and all have two
/// halves if this one has.
pub fn windows_of(place: usize, windows: usize) -> (usize, usize) {
    let length = WINDOW * windows;
    let mut from = place - place % (1 << LOW_BITS);
    if place < HALVES_END {
        from = from.min(HALVES_END - length);
    }
    (from, from + length)
}

/// Marks by these pairs, in strips or in windows, what is open from a value on.
pub fn mark(
    kernel: Kernel,
    in_strips: bool,
    (from, marks): (usize, &mut [u8]),
    (ones, others): (HalvesOf<'_>, HalvesOf<'_>),
) {
    let from = from as u16;
    if marks.is_empty() {
        // Nothing is sought. `mark_windows` takes at least one window, and `mark_strips` in plain Rust would go through all
        // pairs.
    } else if in_strips {
        kernel.mark_strips(marks.as_chunks_mut().0, from, ones, others);
    } else {
        kernel.mark_windows(marks.as_chunks_mut().0, from, ones, others);
    }
}

/// How many bytes of a strip are 0.
pub fn open_in(strip: &Strip) -> usize {
    // Fewer than 256, so that the compiler adds bytes.
    usize::from(strip.iter().map(|mark| 1 - mark).sum::<u8>())
}

/// How many of these bytes, in whole strips, have the first `sought` of those that are 0; all, if there are fewer.
pub fn with_least_open(marks: &[u8], sought: usize) -> usize {
    let mut open = 0;
    let (strips, _) = marks.as_chunks();
    let last = strips.iter().position(|strip| {
        open += open_in(strip);
        open >= sought
    });
    last.map_or(marks.len(), |last| STRIP * (last + 1))
}

/// The place of the first byte that is 0, if there is one; the others are 1.
pub fn first_zero(bytes: &[u8]) -> Option<usize> {
    memchr::memchr(0, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn windows_begin_where_halves_do_and_end_with_them() {
        for windows in [1, 2, 4] {
            for place in (0..HALVES_END + 5000)
                .step_by(61)
                .chain([HALVES_END - 1, HALVES_END])
            {
                let (from, to) = windows_of(place, windows);
                assert!((from..to).contains(&place) && to - from == WINDOW * windows);
                assert!(from.is_multiple_of(1 << LOW_BITS), "{place}");
                assert_eq!(to <= HALVES_END, place < HALVES_END, "{place}");
            }
        }
    }

    /// Values that are no game's, so many that some heaps have all values of a window, or of two or three, among their options: by
    /// two moves, and by the sums of three.
    #[test]
    fn the_least_value_that_no_pair_gives_is_found_in_any_window() {
        let mut rng = Rng::new(21, 0);
        let values: Vec<u16> = (0..36_000).map(|_| rng.below(4096) as u16).collect();
        let mut halves = Halves::default();
        halves.extend(&values).unwrap();
        let far = |sum, low, high| Far { sum, low, high };
        let by_moves = vec![far(35_900, 40, 15_000), far(35_890, 30, 17_000)];
        let sums = [5, 1, 0];
        for (far, sums) in [(by_moves, &[0][..]), (vec![far(35_890, 50, 10_700)], &sums)] {
            let mex = |heap| {
                let mut seen = [false; 4097];
                for (Far { sum, low, high }, more) in far
                    .iter()
                    .flat_map(|far| sums.iter().map(move |more| (far, more)))
                {
                    for i in *low..*high {
                        seen[usize::from(values[i] ^ values[sum + more + heap - i])] = true;
                    }
                }
                seen.iter().position(|seen| !seen)
            };
            let wanted: Vec<Option<usize>> = (0..WORDS).map(mex).collect();
            let windows = |from, to| wanted.iter().flatten().any(|&mex| from <= mex && mex < to);
            assert!(windows(0, WINDOW) && windows(WINDOW, 2 * WINDOW) && windows(2 * WINDOW, 4097));
            for kernel in Kernel::available() {
                for most_windows in [0, 10] {
                    let rows = Rows {
                        count: WORDS + sums[0],
                        of_first: sums.to_vec(),
                    };
                    let known = (&values[..], &halves, 4095);
                    let marked = MarkedValues::new(kernel, known, &far, rows, most_windows);
                    let found = (0..WORDS).map(|heap| marked.mex(heap, [].into_iter()));
                    let found: Vec<Option<usize>> = found.collect();
                    let name = kernel.name();
                    assert_eq!(found, wanted, "{name}, {sums:?}, {most_windows} windows");
                }
            }
        }
    }
}
