//! Rare and common nim-values, and the codes of both.
//!
//! The class of a value v at heap n is the parity of v & mask, plus n if the game is alternating, plus a constant: 1 is
//! common, 0 is rare. Classes add under XOR, so a common option of a heap comes from one rare and one common part
//! (Berlekamp, Conway, Guy, Winning Ways, ch. 4, "sparse spaces"). Within a class the lowest bit of the mask follows
//! from the other bits; leaving it out gives the code, half as large. Codes add under XOR too, and among the values of one
//! class they keep the order of the values: the highest bit in which two of them differ is never the lowest bit of the mask,
//! as then they would differ in no other bit of the mask, and so in class. Twin: the classes of the values one by one, in the
//! tests.

use super::octal::{Octal, Two};

/// The sparse space of a game: a mask that parts nim-values into rare ones, which are in it, and common ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseSpace {
    mask: u16,
    /// Whether the class also changes with the parity of the heap.
    alternating: bool,
    constant: bool,
}

impl SparseSpace {
    /// The space that the last half of these first values shows, if the game has a sparse space in which at most one in `share`
    /// of them is rare.
    pub(crate) fn shown_by(game: &Octal, values: &[u16], share: usize) -> Option<Self> {
        if !game.is_breaking() || values.len() <= game.from {
            return None;
        }
        let from = values.len() / 2;
        let found = Self::discover(&values[from..], from, &game.breaks, share);
        found.map(|(space, _)| space)
    }

    /// The space that makes the fewest of `values` rare, if it makes at most one in `share` so; `first` is the heap of the first
    /// value. `breaks` are the moves that may leave two heaps. Returns the number of rare values too.
    ///
    /// A Walsh-Hadamard transform of the histogram gives the balance of every mask at once: O(n + v log v).
    pub(crate) fn discover(
        values: &[u16],
        first: usize,
        breaks: &[(usize, Two)],
        share: usize,
    ) -> Option<(Self, usize)> {
        let largest = usize::from(*values.iter().max()?);
        let size = (largest + 1).next_power_of_two().max(2);
        let mut balance = [vec![0i64; size], vec![0i64; size]];
        for (heap, &value) in (first..).zip(values) {
            balance[heap % 2][usize::from(value)] += 1;
        }
        balance.iter_mut().for_each(|half| transform(half));
        let (odd, same) = parity(breaks)?;
        let mut best: Option<(i64, Self)> = None;
        let [even, odd_heaps] = &balance;
        for (mask, (&even_heaps, &odd_heaps)) in even.iter().zip(odd_heaps).enumerate().skip(1) {
            let mut offer = |score: i64, alternating: bool, constant: bool| {
                if best.is_none_or(|(least, _)| score < least) {
                    best = Some((
                        score,
                        Self {
                            mask: mask as u16,
                            alternating,
                            constant,
                        },
                    ));
                }
            };
            offer(even_heaps + odd_heaps, false, false);
            if same {
                // In even heaps the class is parity + constant, in odd ones the opposite.
                let score = even_heaps - odd_heaps;
                offer(if odd { -score } else { score }, true, odd);
            }
        }
        let (score, space) = best?;
        let rare = ((values.len() as i64 + score) / 2) as usize;
        (rare * share <= values.len()).then_some((space, rare))
    }

    /// The space by this mask, if there is one: `breaks` are the moves that may leave two heaps.
    pub(crate) fn by_mask(mask: u16, alternating: bool, breaks: &[(usize, Two)]) -> Option<Self> {
        let (odd, same) = parity(breaks)?;
        (mask != 0 && (same || !alternating)).then_some(Self {
            mask,
            alternating,
            constant: alternating && odd,
        })
    }

    /// Whether a heap of this value is rare.
    pub fn is_rare(self, value: u16, heap: usize) -> bool {
        !(self.odd(value) ^ self.turned(heap))
    }

    /// Whether a value has the same class at heap n as at heap n - t.
    pub(crate) fn keeps(self, t: usize) -> bool {
        !self.alternating || t.is_multiple_of(2)
    }

    /// The code of a value.
    pub fn code(self, value: u16) -> u16 {
        let low = self.low();
        value & low | value >> 1 & !low
    }

    /// The value with this code in this class at this heap.
    pub fn value(self, code: u16, rare: bool, heap: usize) -> u16 {
        let low = self.low();
        let value = (code & !low) << 1 | code & low;
        if self.is_rare(value, heap) == rare {
            value
        } else {
            value | (low + 1)
        }
    }

    /// The number of rare codes whose values lie below the common value with this code: these are the codes less than that
    /// number.
    pub(crate) fn rare_below(self, code: u16, heap: usize) -> u16 {
        let low = self.low();
        let group = code & !low;
        let set = self.value(code, false, heap) & (low + 1) != 0;
        if set { group + low + 1 } else { group }
    }

    /// Whether the class also changes with the parity of the heap.
    pub fn alternating(self) -> bool {
        self.alternating
    }

    /// The mask whose parity tells the classes apart.
    pub fn mask(self) -> u16 {
        self.mask
    }

    /// The space with the highest bit of the values that have this code in the mask too; `None` if it is there already, or
    /// can't be. All values without that bit keep their class and code.
    pub(crate) fn with_top_bit(self, code: u16) -> Option<Self> {
        let bit = 2u16.checked_shl(code.checked_ilog2()?)?;
        let mask = self.mask | bit;
        (bit > self.low() + 1 && mask != self.mask).then_some(Self { mask, ..self })
    }

    /// This space, and those that part the values up to `seen` as it does and differ in the higher bits of the values up
    /// to `largest`.
    pub(crate) fn with_bits_between(self, seen: u16, largest: u16) -> Vec<Self> {
        let mut spaces = vec![self];
        for bit in bits_of(seen)..bits_of(largest) {
            let with_bit = |space: &Self| Self {
                mask: space.mask | 1 << bit,
                ..*space
            };
            spaces.extend(spaces.iter().map(with_bit).collect::<Vec<_>>());
        }
        spaces
    }

    /// The space by this mask, if all values with codes of no higher bits than `seen` keep their class and code.
    pub(crate) fn with_mask(self, mask: u16, seen: u16) -> Option<Self> {
        let seen = 2 << seen.checked_ilog2().unwrap_or(0);
        let kept = seen | (seen - 1) | (self.low() + 1);
        let same = (self.mask ^ mask) & kept == 0 && mask & self.low() == 0;
        same.then_some(Self { mask, ..self })
    }

    fn low(self) -> u16 {
        (1 << self.mask.trailing_zeros()) - 1
    }

    fn odd(self, value: u16) -> bool {
        (value & self.mask).count_ones() % 2 == 1
    }

    fn turned(self, heap: usize) -> bool {
        (self.alternating && heap % 2 == 1) ^ self.constant
    }
}

/// Whether the first of the moves that may leave two heaps takes an odd number of stones, and whether the others do as it does.
fn parity(breaks: &[(usize, Two)]) -> Option<(bool, bool)> {
    let odd = breaks.first()?.0 % 2 == 1;
    Some((
        odd,
        breaks.iter().all(|(stones, _)| (stones % 2 == 1) == odd),
    ))
}

fn bits_of(value: u16) -> u32 {
    u16::BITS - value.leading_zeros()
}

fn transform(values: &mut [i64]) {
    let mut half = 1;
    while half < values.len() {
        for block in values.chunks_exact_mut(2 * half) {
            let (left, right) = block.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::first_values::first_values;

    /// The space that the values of the first heaps show, and which of these heaps are rare by it.
    fn shown_by_first(game: &str, heaps: usize) -> Option<(SparseSpace, Vec<usize>)> {
        let (octal, values) = first_values(game, heaps);
        let (space, _) = SparseSpace::discover(&values, 0, &octal.breaks, 4)?;
        let rare = (0..values.len()).filter(|&heap| space.is_rare(values[heap], heap));
        Some((space, rare.collect()))
    }

    #[test]
    fn the_masks_of_the_literature_are_found() {
        // Kayles: the common values have an odd number of ones (Winning Ways, chapter 4).
        let (kayles, _) = shown_by_first("kayles", 500).unwrap();
        let rare: Vec<u16> = (0..10).filter(|&value| kayles.is_rare(value, 7)).collect();
        assert_eq!(rare, [0, 3, 5, 6, 9]);
        let (space, _) = shown_by_first("0.16", 3000).unwrap();
        assert_eq!((space.mask(), space.alternating()), (0b11110, false));
        let (_, rare) = shown_by_first("0.051", 300).unwrap();
        assert_eq!(rare, [0, 3, 7, 13, 17, 27, 37]); // Flammenkamp
        let (_, rare) = shown_by_first("0.106", 3000).unwrap();
        assert_eq!((rare.len(), rare.last()), (15, Some(&1103))); // Flammenkamp, in the OEIS at A071458
    }

    #[test]
    fn a_game_without_a_space_shows_none() {
        assert_eq!(shown_by_first("0.007", 2000), None);
        // No heap is split.
        assert_eq!(SparseSpace::discover(&[0, 1, 2, 3], 0, &[], 1), None);
        assert_eq!(SparseSpace::discover(&[], 0, &[(1, Two::Any)], 1), None);
    }

    #[test]
    fn the_transform_is_what_it_says() {
        let counts = [3, 1, 4, 1, 5, 9, 2, 6];
        let mut transformed = counts;
        transform(&mut transformed);
        for (mask, &found) in transformed.iter().enumerate() {
            let signed = |(v, &count): (usize, &i64)| match (v & mask).count_ones() % 2 {
                0 => count,
                _ => -count,
            };
            assert_eq!(found, counts.iter().enumerate().map(signed).sum::<i64>());
        }
    }
}
