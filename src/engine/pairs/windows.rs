//! The smallest values that no pair of known heaps gives, by all pairs.
//!
//! Marking the options of the first pairs leaves few candidates for the mex; the other pairs only mark the options in a
//! window of 16 values, 32 heaps at once. A full window is left for the next one; what is free in a window that has met
//! every pair is no option. Time: an option of each first pair and heap, and the other pairs once a window, 32 of them at
//! once in a register of 512 bits. Twin: all options of a heap.

use super::{Balance, Far, Outcome};
use crate::engine::kernel::tuning::Tuning;
use crate::engine::kernel::{Kernel, Places, WORDS, Words};

/// Values in a window.
const WINDOW: usize = 16;
/// Pairs marked in a window before full windows are left.
const CHUNK: usize = 1024;

/// Finds candidates by all pairs: some are marked first, the others are tested in windows.
pub struct Windows {
    kernel: Kernel,
    marked: Balance,
    /// What a pair of a block costs in windows, in options marked.
    window_cost: usize,
}

impl Windows {
    pub fn new(kernel: Kernel) -> Self {
        Self {
            kernel,
            marked: Balance(512),
            // By 60,000 values of 0.007 (`--engine pairs --kernel …`) on an Intel Xeon with AVX-512: of 2, 4, 8 and 15
            // these were the fastest for avx512 and avx2 by a tenth; portable takes half as long with 15 as with 2.
            // NEON marks words in as many instructions as AVX2.
            window_cost: match kernel.tuning() {
                Tuning::Avx512TwoPass | Tuning::Avx512 => 2,
                Tuning::Avx2 | Tuning::Neon => 4,
                Tuning::Portable => 15,
            },
        }
    }

    /// Marks more pairs or fewer from now on, as testing cost so much, for so many moves of heaps.
    pub fn adapt(&mut self, moves: usize, [tested, _]: [usize; 2]) {
        self.marked.adapt(moves, tested);
    }

    /// For each heap of the block the `spare` smallest values that no far pair gives.
    pub fn candidates(&self, values: &[u16], far: &[Far], spare: usize) -> Outcome {
        let largest = values.iter().copied().max().unwrap_or(0);
        let size = (usize::from(largest) + 1).next_power_of_two().max(WINDOW);
        let parts = far.iter().map(|far| far.split_at(self.marked.0));
        let (first, rest): (Vec<Far>, Vec<Far>) = parts.unzip();
        let chunks: Vec<Far> = rest.iter().flat_map(|far| far.chunks(CHUNK)).collect();
        let words = words(self.kernel, values, &first, size);
        let mut lanes: Vec<Lane> = (0..WORDS).map(|lane| Lane::new(&words, lane)).collect();
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
            let Far { sum, low, high } = chunks[done % chunks.len()];
            tested += (high - low) * self.window_cost;
            self.kernel
                .mark_words(&mut marks, &windows, values, sum, (low, high));
            done += 1;
        }
        let free = lanes.into_iter().map(|lane| lane.free).collect();
        let tested = [tested, 0];
        Outcome { free, tested }
    }
}

/// The values below `size` that these pairs give, for each heap of a block a word for each window: bit c for the c-th of its
/// values. The window behind the last has none. The heaps are marked one after the other, so that their marks stay in the cache.
fn words(kernel: Kernel, values: &[u16], far: &[Far], size: usize) -> Vec<Words> {
    let mut words = vec![Words([0; WORDS]); size / WINDOW + 1];
    let mut seen: Box<Places> = Box::new([0; _]);
    for heap in 0..WORDS {
        seen[..size].fill(0);
        for &Far { sum, low, high } in far {
            let firsts = &values[low..high];
            let seconds = &values[sum + heap + 1 - high..][..firsts.len()];
            kernel.mark_pairs(&mut seen, firsts, seconds);
        }
        let windows = seen[..size].as_chunks::<WINDOW>().0;
        for (words, marks) in words.iter_mut().zip(windows) {
            let marks = marks.iter().rev();
            words.0[heap] = marks.fold(0, |word, &mark| word << 1 | u16::from(mark));
        }
    }
    words
}

/// What is known of one heap of a block.
struct Lane {
    /// The options found before, a word for each window.
    marks: Vec<u16>,
    /// The window that is being marked; beyond the last one if none is yet.
    window: usize,
    /// How many chunks had been done when the marking of the window began.
    since: usize,
    /// Values that no pair gives, ascending.
    free: Vec<u16>,
    is_done: bool,
}

impl Lane {
    fn new(words: &[Words], lane: usize) -> Self {
        Self {
            marks: words.iter().map(|words| words.0[lane]).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn words_have_a_bit_for_each_value_that_a_pair_gives() {
        let mut rng = Rng::new(20, 0);
        for kernel in Kernel::available() {
            for size in [16, 1024, 8192, 65_536] {
                let values: Vec<u16> = (0..900).map(|_| rng.below(size) as u16).collect();
                let pairs = |_| {
                    let low = 1 + rng.below(200);
                    let high = low + rng.below(200);
                    let sum = 2 * high + rng.below(60);
                    Far { sum, low, high }
                };
                let far: Vec<Far> = (0..3).map(pairs).collect();
                let mut wanted = vec![Words([0; WORDS]); size / WINDOW + 1];
                for &Far { sum, low, high } in &far {
                    for (i, heap) in (low..high).flat_map(|i| (0..WORDS).map(move |heap| (i, heap)))
                    {
                        let value = usize::from(values[i] ^ values[sum + heap - i]);
                        wanted[value / WINDOW].0[heap] |= 1 << (value % WINDOW);
                    }
                }
                let found = words(kernel, &values, &far, size);
                assert!(found == wanted, "{size}, {}", kernel.name());
            }
        }
    }
}
