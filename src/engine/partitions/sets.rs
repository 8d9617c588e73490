//! Sets of nim-values as bits.

use crate::engine::Stop;

/// A set of nim-values that grows as needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    words: Vec<u64>,
}

impl Set {
    /// The bits, 64 nim-values a word.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    pub fn clear(&mut self) {
        self.words.clear();
    }

    pub fn insert(&mut self, value: u16) {
        let word = usize::from(value / 64);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (value % 64);
    }

    /// Adds the values of another set.
    pub fn join(&mut self, other: &[u64]) {
        if other.len() > self.words.len() {
            self.words.resize(other.len(), 0);
        }
        for (word, other) in self.words.iter_mut().zip(other) {
            *word |= other;
        }
    }

    /// Adds the values of another set, each with `value` added to it without carry.
    pub fn join_shifted(&mut self, other: &[u64], value: u16) {
        let (block, bit) = (usize::from(value / 64), value % 64);
        let end = (other.len().max(1).next_power_of_two())
            .max(block + 1)
            .next_power_of_two();
        if !other.is_empty() && end > self.words.len() {
            self.words.resize(end, 0);
        }
        // Runs of words as long as the lowest bit of `block` keep their order under XOR, so they are joined together.
        let together = if block == 0 {
            other.len().max(1)
        } else {
            1 << block.trailing_zeros()
        };
        for (from, chunk) in (0..).step_by(together).zip(other.chunks(together)) {
            let words = &mut self.words[from ^ block..][..chunk.len()];
            if bit == 0 {
                words
                    .iter_mut()
                    .zip(chunk)
                    .for_each(|(to, word)| *to |= word);
            } else {
                words
                    .iter_mut()
                    .zip(chunk)
                    .for_each(|(to, &word)| *to |= shifted(word, bit));
            }
        }
    }

    /// The least value that is not in the set.
    pub fn mex(&self) -> usize {
        let full = self.words.iter().take_while(|&&word| word == u64::MAX);
        let full = full.count();
        64 * full
            + self
                .words
                .get(full)
                .map_or(0, |word| word.trailing_ones() as usize)
    }

    /// The largest value, if there is one.
    pub fn largest(&self) -> Option<usize> {
        largest(&self.words)
    }
}

/// The largest value of a set.
pub fn largest(words: &[u64]) -> Option<usize> {
    let last = words.iter().rposition(|&word| word != 0)?;
    Some(64 * last + 63 - words[last].leading_zeros() as usize)
}

/// The word whose bit i is bit i XOR `by` of this one.
pub fn shifted(mut word: u64, by: u16) -> u64 {
    const HALVES: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    for (k, half) in HALVES.into_iter().enumerate() {
        if by >> k & 1 == 1 {
            word = (word & half) << (1 << k) | word >> (1 << k) & half;
        }
    }
    word
}

/// A set for each number of stones, one behind the other.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    words: Vec<u64>,
    /// Where each set ends among the words.
    ends: Vec<usize>,
    /// The largest value of each set, -1 for the empty set.
    largest: Vec<i32>,
}

impl Sets {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The set for a number of stones.
    pub fn get(&self, stones: usize) -> &[u64] {
        let start = if stones == 0 {
            0
        } else {
            self.ends[stones - 1]
        };
        &self.words[start..self.ends[stones]]
    }

    /// The largest value of each set, -1 for the empty set.
    pub fn largest(&self) -> &[i32] {
        &self.largest
    }

    pub fn contains(&self, stones: usize, value: usize) -> bool {
        let word = self.get(stones).get(value / 64);
        word.is_some_and(|word| word >> (value % 64) & 1 == 1)
    }

    pub fn push(&mut self, set: &Set) -> Result<(), Stop> {
        let largest = set.largest();
        let words = &set.words()[..largest.map_or(0, |largest| largest / 64 + 1)];
        self.words
            .try_reserve(words.len())
            .map_err(|_| Stop::Memory)?;
        self.ends.try_reserve(1).map_err(|_| Stop::Memory)?;
        self.largest.try_reserve(1).map_err(|_| Stop::Memory)?;
        self.words.extend_from_slice(words);
        self.ends.push(self.words.len());
        self.largest
            .push(largest.map_or(-1, |largest| largest as i32));
        Ok(())
    }

    pub fn bytes(&self) -> u64 {
        8 * self.words.len() as u64 + 12 * self.ends.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifting_adds_to_every_value() {
        for by in [0, 1, 2, 5, 63, 64, 70, 200] {
            let mut set = Set::default();
            let values = [0, 3, 17, 64, 77, 129];
            values.iter().for_each(|&value| set.insert(value));
            let mut sum = Set::default();
            sum.join_shifted(set.words(), by);
            let mut wanted = Set::default();
            values.iter().for_each(|&value| wanted.insert(value ^ by));
            assert_eq!(sum.largest(), wanted.largest(), "{by}");
            assert!((0..=wanted.words().len() * 64).all(|value| {
                let has = |set: &Set| {
                    set.words()
                        .get(value / 64)
                        .is_some_and(|w| w >> (value % 64) & 1 == 1)
                };
                has(&sum) == has(&wanted)
            }));
        }
    }
}
