//! Rare and common nim-values: the split that the first values of a game show.
//!
//! In many octal games the values with an even number of ones under a mask occur at a few small heaps only; the others
//! are common (*Winning Ways*, chapter 4, extras: Sparse Space Spells Speed). In some the class also goes with the
//! parity of the heap (A. Flammenkamp, *Sparse- and Common-Positions of Sprague-Grundy Values of Octal-Games*).
//! The mask that leaves the fewest heaps rare has the largest coefficient in the Walsh-Hadamard transform of how often
//! each value occurs. Time: linear in the values, and m log m for m the largest.

use crate::grundy::NimValue;

/// A split of the heaps into those of rare and those of common value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    mask: u16,
    /// Whether the class also changes with the parity of the heap.
    alternating: bool,
    /// The parity of the common values (at even heaps).
    common: bool,
}

/// A split that leaves more than this share of the heaps rare tells little.
const MOST_RARE: f64 = 0.25;

impl Split {
    /// The split that the values of the heaps from 0 on show best; `None` if they show none.
    pub fn shown_by(values: &[u16]) -> Option<Split> {
        let size = usize::from(values.iter().copied().max()?) + 1;
        let mut best: Option<(i64, Split)> = None;
        for alternating in [false, true] {
            let mut counts = vec![0i64; size.next_power_of_two()];
            for (heap, &value) in values.iter().enumerate() {
                let sign = if alternating && heap % 2 == 1 { -1 } else { 1 };
                counts[usize::from(value)] += sign;
            }
            walsh_hadamard(&mut counts);
            for (mask, &even_minus_odd) in counts.iter().enumerate().skip(1) {
                let common = even_minus_odd < 0;
                let bias = even_minus_odd.abs();
                // A heap without options is rare, for it adds nothing to a nim-sum.
                if (alternating || common) && best.is_none_or(|(most, _)| bias > most) {
                    let mask = mask as u16;
                    let split = Split {
                        mask,
                        alternating,
                        common,
                    };
                    best = Some((bias, split));
                }
            }
        }
        let (_, split) = best?;
        let heaps = (0..).zip(values);
        let rare = heaps.filter(|&(heap, &value)| split.is_rare(heap, value.into()));
        let share = rare.count() as f64 / values.len() as f64;
        (share > 0.0 && share <= MOST_RARE).then_some(split)
    }

    /// Whether a heap is of rare value.
    pub fn is_rare(&self, heap: u64, value: NimValue) -> bool {
        let odd = (value & NimValue::from(self.mask)).count_ones() % 2 == 1;
        (odd ^ (self.alternating && heap % 2 == 1)) != self.common
    }
}

/// Σ counts(v) (-1)^(ones of v & m) for every m, in place; the length is a power of two.
fn walsh_hadamard(counts: &mut [i64]) {
    let mut half = 1;
    while half < counts.len() {
        for pair in counts.chunks_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grundy;

    fn shown(game: &str, heaps: usize) -> Option<Split> {
        let table = grundy::nim_values(&game.parse().unwrap(), heaps).unwrap();
        Split::shown_by(&table.iter().collect::<Vec<_>>())
    }

    fn rare_heaps(game: &str, heaps: usize) -> Vec<u64> {
        let table = grundy::nim_values(&game.parse().unwrap(), heaps).unwrap();
        let split = shown(game, heaps).unwrap();
        let heaps = (0..).zip(table.iter());
        let rare = heaps.filter(|&(heap, value)| split.is_rare(heap, value.into()));
        rare.map(|(heap, _)| heap).collect()
    }

    #[test]
    fn the_masks_of_the_literature_are_found() {
        // Kayles: the common values have an odd number of ones (Winning Ways, chapter 4).
        let kayles = shown("kayles", 500).unwrap();
        let rare: Vec<u128> = (0..10).filter(|&value| kayles.is_rare(7, value)).collect();
        assert_eq!(rare, [0, 3, 5, 6, 9]);
        let split = |mask, alternating, common| {
            Some(Split {
                mask,
                alternating,
                common,
            })
        };
        assert_eq!(shown("0.16", 3000), split(0b11110, false, true));
        assert_eq!(rare_heaps("0.051", 300), [0, 3, 7, 13, 17, 27, 37]); // Flammenkamp
        let rare = rare_heaps("0.106", 3000);
        assert_eq!((rare.len(), rare.last()), (15, Some(&1103))); // Flammenkamp, in the OEIS at A071458
    }

    #[test]
    fn a_game_without_a_split_shows_none() {
        assert_eq!(shown("0.007", 2000), None);
        assert_eq!(shown("nim", 1000), None);
        assert_eq!(Split::shown_by(&[]), None);
    }

    #[test]
    fn the_transform_is_what_it_says() {
        let counts = [3, 1, 4, 1, 5, 9, 2, 6];
        let mut transformed = counts;
        walsh_hadamard(&mut transformed);
        for (mask, &found) in transformed.iter().enumerate() {
            let signed = |(v, &count): (usize, &i64)| match (v & mask).count_ones() % 2 {
                0 => count,
                _ => -count,
            };
            assert_eq!(found, counts.iter().enumerate().map(signed).sum::<i64>());
        }
    }
}
