//! Sets of elements of a misère quotient, one bit for each element.

use crate::engine::set_bits;

/// A set of numbers below a length that is fixed when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits(Box<[u64]>);

impl Bits {
    /// The empty set of numbers below `length`.
    pub fn none(length: usize) -> Bits {
        Bits(vec![0; length.div_ceil(64)].into())
    }

    /// The set of these numbers, which are below `length`.
    pub fn of(length: usize, numbers: impl Iterator<Item = usize>) -> Bits {
        let mut bits = Bits::none(length);
        for number in numbers {
            bits.insert(number);
        }
        bits
    }

    /// Adds a number, and says whether it was new.
    pub fn insert(&mut self, number: usize) -> bool {
        let word = &mut self.0[number / 64];
        let before = *word;
        *word |= 1 << (number % 64);
        *word != before
    }

    /// Whether a number is in the set.
    pub fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// The first number that both sets have.
    pub fn common(&self, other: &Bits) -> Option<usize> {
        let mut words = self.0.iter().zip(&other.0).map(|(a, b)| a & b);
        let at = words.position(|word| word != 0)?;
        let word = self.0[at] & other.0[at];
        Some(64 * at + word.trailing_zeros() as usize)
    }

    /// Adds all of another set.
    pub fn unite(&mut self, other: &Bits) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// Keeps only the numbers for which `keep` holds.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        for at in 0..self.0.len() {
            for bit in set_bits(self.0[at]) {
                if !keep(64 * at + bit) {
                    self.0[at] ^= 1 << bit;
                }
            }
        }
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(at, &word)| set_bits(word).map(move |bit| 64 * at + bit))
    }

    /// The numbers below `length` that are not in the set.
    pub fn others(&self, length: usize) -> Bits {
        let mut others = Bits(self.0.iter().map(|word| !word).collect());
        if let Some(last) = others.0.last_mut().filter(|_| !length.is_multiple_of(64)) {
            *last &= (1 << (length % 64)) - 1;
        }
        others
    }
}
