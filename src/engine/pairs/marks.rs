//! The options by some pairs of known heaps, for all heaps of a block: heap n + 1 pairs heap i with the neighbour of its
//! partner.
//!
//! Time: a cycle an option. Memory: 64 KiB, or a byte for each value and heap if that is more. Twin: all options of a heap.

use crate::engine::kernel::WORDS;

/// A byte for each value and each heap of a block, the heaps of a value side by side: 1 for an option, else 0.
pub struct Marks {
    width: usize,
    seen: Vec<u8>,
}

/// So many bytes that a place of two bytes needs no look whether there is room for it.
const ROOM: usize = 1 << u16::BITS;
/// Pairs whose places are worked out before bytes are set: the compiler does the first in registers.
const TOGETHER: usize = 16;

impl Marks {
    /// Makes room for so many values, none of which is marked yet.
    pub fn new(width: usize) -> Self {
        let seen = vec![0; (WORDS * width).max(ROOM)];
        Self { width, seen }
    }

    /// Marks the options by the pairs with these first parts; `sum` is that of both for the block's first heap. All values are
    /// below the width, a power of two.
    #[inline(never)]
    pub fn add(&mut self, values: &[u16], sum: usize, firsts: impl Iterator<Item = usize>) {
        /// With a width that the compiler knows no mark needs a look whether there is room for it.
        macro_rules! of_width {
            ($($width:literal)*) => {
                match self.width {
                    $($width => self.add_wide::<$width>(values, sum, firsts),)*
                    _ => self.add_narrow(values, sum, firsts),
                }
            };
        }
        of_width!(4096 8192 16384 32768 65536);
    }

    /// Of values whose places fit two bytes.
    fn add_narrow(&mut self, values: &[u16], sum: usize, mut firsts: impl Iterator<Item = usize>) {
        let Some(seen) = self.seen.first_chunk_mut::<ROOM>() else {
            return;
        };
        let mut places = [[0u16; WORDS]; TOGETHER];
        loop {
            let mut count = 0;
            for (places, first) in places.iter_mut().zip(&mut firsts) {
                let (one, others) = pair(values, sum, first);
                for lane in 0..WORDS {
                    places[lane] = (one ^ others[lane]) << WORDS.ilog2() | lane as u16;
                }
                count += 1;
            }
            for &place in places[..count].as_flattened() {
                seen[usize::from(place)] = 1;
            }
            if count < TOGETHER {
                break;
            }
        }
    }

    fn add_wide<const WIDTH: usize>(
        &mut self,
        values: &[u16],
        sum: usize,
        firsts: impl Iterator<Item = usize>,
    ) {
        let rows = self.seen.as_chunks_mut::<WORDS>().0;
        let Some(rows) = rows.first_chunk_mut::<WIDTH>() else {
            return;
        };
        for first in firsts {
            let (one, others) = pair(values, sum, first);
            for lane in 0..WORDS {
                rows[usize::from(one ^ others[lane]) % WIDTH][lane] = 1;
            }
        }
    }

    /// Forgets the options below a value.
    pub fn clear_below(&mut self, value: usize) {
        self.seen[..WORDS * value].fill(0);
    }

    /// How many values there are.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The marks of a value, a byte for each heap.
    pub fn of(&self, value: usize) -> &[u8; WORDS] {
        &self.seen.as_chunks().0[value]
    }

    /// A bit for each heap of which the value is no option.
    pub fn open(&self, value: usize) -> u32 {
        /// Brings the lowest bits of eight bytes together in the highest byte.
        const TOGETHER: u64 = 0x0102_0408_1020_4080;
        const ALL: u64 = u64::MAX / 255;
        let eights = self.of(value).as_chunks().0.iter().rev();
        eights.fold(0, |open, &eight| {
            let left = u64::from_le_bytes(eight) ^ ALL;
            open << 8 | (left.wrapping_mul(TOGETHER) >> 56) as u32
        })
    }
}

/// A first value and those opposite it.
#[inline(always)]
fn pair(values: &[u16], sum: usize, first: usize) -> (u16, &[u16; WORDS]) {
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
        let counts = [0, 1, 15, 16, 17, 40];
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
            assert_eq!(marks.width(), width);
            for cleared in [0, rng.below(width / 2)] {
                marks.clear_below(cleared);
                wanted[..cleared].fill([0; WORDS]);
                for (value, wanted) in wanted.iter().enumerate() {
                    assert_eq!(marks.of(value), wanted, "{value} of {width}, {count} pairs");
                    let open = (0..WORDS)
                        .fold(0, |open, lane| open | u32::from(wanted[lane] == 0) << lane);
                    assert_eq!(marks.open(value), open);
                }
            }
        }
    }
}
