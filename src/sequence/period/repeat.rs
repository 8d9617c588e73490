//! Notices that a long sequence begins to repeat, at a cost that vanishes beside its values.
//!
//! A place is *marked* if a rolling hash of the 64 values before it ends in many zeros: what the places have in common
//! is in the values, so a sequence that repeats has its marks repeated. Under each mark lies the hash of the last 1,024
//! values; the same hash again suggests a period, no more: the bytes decide (`window.rs`). Marks with fewer zeros
//! are forgotten sooner, so that a period of any length is met after a small part of it, and 2¹⁴ or so of each kind are
//! kept. Periods shorter than the marks are apart are left to a look at the last values now and then.
//!
//! Time: a quarter of a ns a value. Memory: 16 bytes a mark, a few MB. The hash is of the kind of W. Xia et al.
//! (*Ddelta*, Performance Evaluation 79, 2014): shifted left by one, so that a value is gone after 64.

use hashbrown::HashMap;

/// Values before a mark that make it one.
const SHORT: usize = 64;
/// Values before a mark that are compared by their hash.
const LONG: usize = 1 << 10;
/// Zeros that make a mark.
const ZEROS: u32 = 12;
/// A mark with z zeros is forgotten after 2^(z + MEMORY) heaps.
const MEMORY: u32 = 15;

/// How many values before the new ones [`Marks::look`] must be given.
pub const BEFORE: usize = LONG;

/// A random number for each byte.
const GEAR: [u64; 256] = {
    let mut gear = [0; 256];
    let mut state = 0u64;
    let mut i = 0;
    while i < 256 {
        // Splitmix64 (Steele, Lea and Flood 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        gear[i] = z ^ z >> 31;
        i += 1;
    }
    gear
};

/// The marked places of a sequence.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// The last place with this hash.
    places: HashMap<u64, (u64, u32)>,
    /// So many marks call for forgetting some.
    full: usize,
}

impl Marks {
    /// Looks at new values, the first of which belongs to heap `from`; the [`BEFORE`] values before it come first in
    /// `bytes`. If heaps of the two parities can't be compared, `alternating`. Returns the earlier place with the last
    /// values before some place, and that place.
    pub fn look(&mut self, bytes: &[u8], from: u64, alternating: bool) -> Option<(u64, u64)> {
        let mut found = None;
        let mut marks = Vec::new();
        mark(bytes, &mut marks);
        for (at, zeros) in marks {
            let place = from + (at - BEFORE) as u64;
            let parity = if alternating { place % 2 } else { 0 };
            let hash = long_hash(&bytes[at - LONG..at]) ^ parity;
            if let Some((before, _)) = self.places.insert(hash, (place, zeros)) {
                found = found.or(Some((before, place)));
            }
        }
        if self.places.len() > self.full {
            let now = from + (bytes.len() - BEFORE) as u64;
            let lasts = |zeros: u32| 1u64.checked_shl(zeros + MEMORY).unwrap_or(u64::MAX);
            self.places
                .retain(|_, &mut (place, zeros)| now.saturating_sub(place) < lasts(zeros));
            self.full = (2 * self.places.len()).max(1 << 15);
        }
        found
    }

    /// Every mark: its hash, its place and its zeros.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64, u32)> + '_ {
        let places = self.places.iter();
        places.map(|(&hash, &(place, zeros))| (hash, place, zeros))
    }
}

impl FromIterator<(u64, u64, u32)> for Marks {
    fn from_iter<I: IntoIterator<Item = (u64, u64, u32)>>(marks: I) -> Marks {
        let marks = marks.into_iter();
        let places = marks.map(|(hash, place, zeros)| (hash, (place, zeros)));
        Marks {
            places: places.collect(),
            full: 0,
        }
    }
}

/// The places from [`BEFORE`] on that are marked, and with how many zeros.
fn mark(bytes: &[u8], marks: &mut Vec<(usize, u32)>) {
    // Four stretches at once, as each hash waits for the one before it.
    const STREAMS: usize = 4;
    let length = (bytes.len() - BEFORE) / STREAMS;
    let starts: [usize; STREAMS] = std::array::from_fn(|stream| BEFORE + stream * length);
    let mut hashes = starts.map(|start| short_hash(&bytes[start - SHORT..start]));
    let streams = starts.map(|start| &bytes[start..start + length]);
    for i in 0..length {
        for stream in 0..STREAMS {
            let hash = (hashes[stream] << 1).wrapping_add(GEAR[usize::from(streams[stream][i])]);
            hashes[stream] = hash;
            if hash >> (64 - ZEROS) == 0 {
                marks.push((starts[stream] + i + 1, hash.leading_zeros()));
            }
        }
    }
    let done = BEFORE + STREAMS * length;
    for end in done + 1..=bytes.len() {
        let hash = short_hash(&bytes[end - SHORT..end]);
        if hash >> (64 - ZEROS) == 0 {
            marks.push((end, hash.leading_zeros()));
        }
    }
    marks.sort_unstable();
}

fn short_hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |hash, &byte| {
        (hash << 1).wrapping_add(GEAR[usize::from(byte)])
    })
}

/// Eight bytes at a time; any hash of 64 bits would do.
fn long_hash(bytes: &[u8]) -> u64 {
    let words = bytes.chunks_exact(8);
    words.fold(0, |hash, word| {
        let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
        (hash ^ word)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// The values of a sequence with this preperiod and period, and where the repeat is first suggested.
    fn noticed(preperiod: usize, period: usize, alternating: bool) -> (u64, u64) {
        let mut rng = Rng::new(preperiod as u64, 0);
        let mut values: Vec<u8> = (0..preperiod + period)
            .map(|_| rng.below(6) as u8)
            .collect();
        values.extend_from_within(preperiod..);
        values.extend_from_within(preperiod..preperiod + period.min(1 << 17));
        let mut marks = Marks::default();
        let mut from = BEFORE;
        while from < values.len() {
            let to = values.len().min(from + 100_003);
            if let Some(found) = marks.look(&values[from - BEFORE..to], from as u64, alternating) {
                return found;
            }
            from = to;
        }
        panic!("nothing was noticed");
    }

    #[test]
    fn a_repeat_is_noticed_soon_with_its_period() {
        for (preperiod, period) in [(0, 70_000), (1_000_000, 80_000), (50_000, 1_500_000)] {
            let (before, place) = noticed(preperiod, period, false);
            assert_eq!(place - before, period as u64);
            assert!(place < (preperiod + period) as u64 + 100_000, "{place}");
        }
        // Heaps of the two parities are not compared.
        let (before, place) = noticed(1000, 70_001, true);
        assert_eq!(place - before, 140_002);
    }

    #[test]
    fn marks_do_not_depend_on_how_the_values_come() {
        let mut rng = Rng::new(7, 0);
        let values: Vec<u8> = (0..300_000).map(|_| rng.below(9) as u8).collect();
        let all = |step: usize| {
            let mut marks = Marks::default();
            for from in (BEFORE..values.len()).step_by(step) {
                let to = values.len().min(from + step);
                marks.look(&values[from - BEFORE..to], from as u64, false);
            }
            let mut marks: Vec<_> = marks.iter().collect();
            marks.sort_unstable();
            marks
        };
        let marks = all(300_000);
        assert!((30..120).contains(&marks.len()), "{}", marks.len());
        assert_eq!(all(997), marks);
        assert_eq!(all(63), marks);
    }
}
