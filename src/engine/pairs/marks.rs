//! The options by some pairs of known heaps, for all heaps of a block: where heap n pairs part i with part j, heap n + 1 pairs i with
//! j + 1, so that a first part meets 32 neighbouring second ones.
//!
//! The heaps of half a block are marked by themselves, for then the marks of 1,024 values are 16 KB and stay in the cache beside
//! what else is read. On Zen 4 (32 KB) the first 10^5 values of 0.007 take 1.15 times as long with a whole block, and with quarters
//! of a block 1.2 times.
//!
//! Time: a cycle an option. Memory: 128 KiB, or a byte for each value and heap if that is more. Twin: all options of a heap.

use crate::engine::kernel::{WORDS, gathered};

/// A byte for each value and each heap of a block, in each half of the block the heaps of a value side by side: 1 for an option,
/// else 0.
pub struct Marks {
    width: usize,
    halves: [Vec<u8>; 2],
}

/// Heaps marked together.
const HALF: usize = WORDS / 2;
/// The fewest bytes of marks, so many that a place of two bytes needs no look whether there is room for it.
const MARKS_OF_ANY_VALUE: usize = 1 << u16::BITS;
/// Pairs whose places are worked out before bytes are set: the compiler does the first in registers.
const TOGETHER: usize = 16;

impl Marks {
    /// Makes room for so many values, none of which is marked yet.
    pub fn new(width: usize) -> Self {
        let half = || vec![0; (HALF * width).max(MARKS_OF_ANY_VALUE)];
        Self {
            width,
            halves: [half(), half()],
        }
    }

    /// Marks the options by the pairs with these first parts; `sum` is that of both for the block's first heap. All values are
    /// below the width, a power of two.
    #[inline(never)]
    pub fn add(&mut self, values: &[u16], sum: usize, firsts: impl Iterator<Item = usize>) {
        let firsts: Vec<usize> = firsts.collect();
        for (seen, sum) in self.halves.iter_mut().zip([sum, sum + HALF]) {
            /// With a width that the compiler knows no mark needs a look whether there is room for it.
            macro_rules! of_width {
                ($($width:literal)*) => {
                    match self.width {
                        $($width => add_wide::<$width>(seen, values, sum, &firsts),)*
                        _ => add_narrow(seen, values, sum, &firsts),
                    }
                };
            }
            of_width!(8192 16384 32768 65536);
        }
    }

    /// Forgets the options below a value.
    pub fn clear_below(&mut self, value: usize) {
        for seen in &mut self.halves {
            seen[..HALF * value].fill(0);
        }
    }

    /// The marks of a value, a byte for each heap.
    pub fn of(&self, value: usize) -> [u8; WORDS] {
        let mut all = [0; WORDS];
        for (all, seen) in all.as_chunks_mut::<HALF>().0.iter_mut().zip(&self.halves) {
            *all = seen.as_chunks().0[value];
        }
        all
    }

    /// A bit for each heap of which the value is no option.
    pub fn open(&self, value: usize) -> u32 {
        const ALL: u64 = u64::MAX / 255;
        let all = self.of(value);
        let eights = all.as_chunks().0.iter().rev();
        eights.fold(0, |open, &eight| {
            let left = u64::from_le_bytes(eight) ^ ALL;
            open << 8 | gathered(left) as u32
        })
    }
}

/// Marks options of values whose places fit two bytes.
#[inline(always)]
fn add_narrow(seen: &mut [u8], values: &[u16], sum: usize, firsts: &[usize]) {
    let Some(seen) = seen.first_chunk_mut::<MARKS_OF_ANY_VALUE>() else {
        return;
    };
    let mut places = [[0; HALF]; TOGETHER];
    for firsts in firsts.chunks(TOGETHER) {
        for (places, &first) in places.iter_mut().zip(firsts) {
            let (one, others) = pair(values, sum, first);
            for lane in 0..HALF {
                places[lane] = (one ^ others[lane]) << HALF.ilog2() | lane as u16;
            }
        }
        for places in &places[..firsts.len()] {
            for &place in places {
                seen[usize::from(place)] = 1;
            }
        }
    }
}

#[inline(always)]
fn add_wide<const WIDTH: usize>(seen: &mut [u8], values: &[u16], sum: usize, firsts: &[usize]) {
    let rows = seen.as_chunks_mut::<HALF>().0;
    let Some(rows) = rows.first_chunk_mut::<WIDTH>() else {
        return;
    };
    for &first in firsts {
        let (one, others) = pair(values, sum, first);
        for lane in 0..HALF {
            rows[usize::from(one ^ others[lane]) % WIDTH][lane] = 1;
        }
    }
}

/// A first value and the values opposite it.
#[inline(always)]
fn pair(values: &[u16], sum: usize, first: usize) -> (u16, &[u16; HALF]) {
    match values[sum - first..].first_chunk() {
        Some(others) => (values[first], others),
        None => panic!("a pair lies outside"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn options_are_marked() {
        let mut rng = Rng::new(19, 0);
        let widths = [16, 512, 2048, 4096, 8192, 16_384, 32_768, 65_536];
        let counts = [0, 1, 15, 16, 17, 40, 256, 300];
        for (width, count) in widths
            .iter()
            .flat_map(|&width| counts.map(|count| (width, count)))
        {
            let values: Vec<u16> = (0..300).map(|_| rng.below(width) as u16).collect();
            let firsts: Vec<usize> = (0..count).map(|_| 1 + rng.below(200)).collect();
            let sum = 200 + rng.below(60);
            let mut marks = Marks::new(width);
            marks.add(&values, sum, firsts.iter().copied());
            let mut wanted = vec![[0; WORDS]; width];
            for (&first, lane) in firsts
                .iter()
                .flat_map(|first| (0..WORDS).map(move |lane| (first, lane)))
            {
                wanted[usize::from(values[first] ^ values[sum + lane - first])][lane] = 1;
            }
            for cleared in [0, rng.below(width / 2)] {
                marks.clear_below(cleared);
                wanted[..cleared].fill([0; WORDS]);
                for (value, wanted) in wanted.iter().enumerate() {
                    assert_eq!(
                        marks.of(value),
                        *wanted,
                        "{value} of {width}, {count} pairs"
                    );
                    let open = (0..WORDS)
                        .fold(0, |open, lane| open | u32::from(wanted[lane] == 0) << lane);
                    assert_eq!(marks.open(value), open);
                }
            }
        }
    }
}
