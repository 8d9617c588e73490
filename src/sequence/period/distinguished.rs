//! Notices when a long sequence begins to repeat, at a cost that is small beside that of its values.
//!
//! A place is *distinguished* if the values right before it are a few certain ones, met at about one place in 64, and the
//! hash of the 64 values before it begins with many zero bits, as in the search for collisions of P. C. van Oorschot and
//! M. J. Wiener (*Parallel collision search with cryptanalytic applications*, J. Cryptology 12, 1999, pp. 1-28). What makes it
//! so is in the values, so a sequence that repeats has its distinguished places repeated. For each the hash of the last 1,024
//! values is kept; the same hash again suggests a period, no more: the bytes decide (`window.rs`). Places with fewer zeros are
//! forgotten sooner, so that a period of any length is met after a small part of it, and 2¹⁴ or so of each kind are kept.
//! Not every period has such places; `bounded_search.rs` says what finds the others. The file of a search calls them marks.
//!
//! Time: a search for some bytes, and a hash of 64 bytes at one place in 64. Memory: some 30 bytes a
//! place, a few MB.

use hashbrown::HashMap;
use memchr::memchr_iter;

/// How many values before a place are hashed to see whether the place is distinguished.
const HASHED_TO_CHOOSE: usize = 64;
/// How many values before a distinguished place are compared by their hash.
const HASHED_TO_COMPARE: usize = 1 << 10;
/// How many zero bits at the beginning of a hash make a place distinguished.
const ZEROS: u32 = 12;
/// A place with z zeros is forgotten after 2^(z + MEMORY) heaps.
const MEMORY: u32 = 15;

/// How many values before the new ones [`DistinguishedPlaces::look`] must be given.
pub const BEFORE: usize = HASHED_TO_COMPARE;

/// Distinguished places lie behind a few certain values, which are met at one place in this many.
const SELDOM: usize = 1 << SELDOM_ZEROS;
/// The number of zeros that a hash begins with as seldom as one place in [`SELDOM`] is met.
const SELDOM_ZEROS: u32 = 6;
/// The most values behind which distinguished places lie.
const MOST_BEFORE: usize = 8;

/// Whether a distinguished place may have a hash with this many zeros.
pub fn is_distinguished(zeros: u32) -> bool {
    (ZEROS..=u64::BITS + SELDOM_ZEROS).contains(&zeros)
}

/// The distinguished places of a sequence.
#[derive(Clone, Debug)]
pub struct DistinguishedPlaces {
    /// The values right behind which distinguished places lie.
    behind: Vec<u8>,
    /// The index in `behind` of the value that is met least often.
    rarest: usize,
    /// For each hash the last place that has it, and the zeros of the hash.
    places: HashMap<u64, (u64, u32)>,
    /// The number of places at which some are forgotten.
    full: usize,
}

impl DistinguishedPlaces {
    /// The distinguished places of a sequence with these values among its values; none of the places are known yet.
    pub fn new(values: &[u8]) -> DistinguishedPlaces {
        let mut counts = [0u64; 256];
        values
            .iter()
            .for_each(|&value| counts[usize::from(value)] += 1);
        let behind = seldom(values);
        let rarest = (0..behind.len()).min_by_key(|&place| counts[usize::from(behind[place])]);
        DistinguishedPlaces {
            rarest: rarest.unwrap_or(0),
            behind,
            places: HashMap::new(),
            full: 0,
        }
    }

    /// The same with its places replaced by these, which come from [`DistinguishedPlaces::iter`].
    pub fn with(self, places: impl Iterator<Item = (u64, u64, u32)>) -> DistinguishedPlaces {
        let places = places.map(|(hash, place, zeros)| (hash, (place, zeros)));
        DistinguishedPlaces {
            places: places.collect(),
            full: 0,
            ..self
        }
    }

    /// Looks at new values, the first of which belongs to heap `from`; `bytes` begins with the [`BEFORE`] values before it. With
    /// `alternating`, heaps of different parity are not compared. If the last values before a new place are those before an
    /// earlier place, returns the earlier place and the new one.
    pub fn look(&mut self, bytes: &[u8], from: u64, alternating: bool) -> Option<(u64, u64)> {
        let mut found = None;
        for (at, zeros) in self.distinguished(bytes) {
            let place = from + (at - BEFORE) as u64;
            let parity = if alternating { place % 2 } else { 0 };
            let long = hash(&bytes[at - HASHED_TO_COMPARE..at]) ^ parity;
            if let Some((before, _)) = self.places.insert(long, (place, zeros)) {
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

    /// Every distinguished place: its hash, the place and the zeros of the hash.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64, u32)> + '_ {
        let places = self.places.iter();
        places.map(|(&hash, &(place, zeros))| (hash, place, zeros))
    }

    /// The distinguished places from [`BEFORE`] on, each with the zeros of its hash.
    fn distinguished(&self, bytes: &[u8]) -> Vec<(usize, u32)> {
        let mut found = Vec::new();
        let behind = self.behind.as_slice();
        let from = BEFORE + 1 - behind.len();
        let last = bytes.len() - (behind.len() - 1 - self.rarest);
        for at in memchr_iter(behind[self.rarest], &bytes[from + self.rarest..last]) {
            let end = from + at + behind.len();
            if !bytes[..end].ends_with(behind) {
                continue;
            }
            let zeros = hash(&bytes[end - HASHED_TO_CHOOSE..end]).leading_zeros() + SELDOM_ZEROS;
            if zeros >= ZEROS {
                found.push((end, zeros));
            }
        }
        found
    }
}

/// A few successive values that are met at about one place in [`SELDOM`], judged by the values given.
fn seldom(values: &[u8]) -> Vec<u8> {
    let mut best = (u64::MAX, vec![0]);
    for length in 1..=MOST_BEFORE {
        let mut counts: HashMap<&[u8], u64> = HashMap::new();
        for few in values.windows(length) {
            *counts.entry(few).or_default() += 1;
        }
        let wanted = (values.len() / SELDOM) as u64;
        for (few, count) in counts {
            // Among equally good choices the least values are taken, so that the choice is always the same.
            best = best.min((count.abs_diff(wanted), few.to_vec()));
        }
        if best.0 <= wanted / 2 {
            break;
        }
    }
    best.1
}

/// The hash of some bytes, taken eight at a time; any 64-bit hash would do.
fn hash(bytes: &[u8]) -> u64 {
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
        let mut places = DistinguishedPlaces::new(&values[..60_000]);
        let mut from = BEFORE;
        while from < values.len() {
            let to = values.len().min(from + 100_003);
            if let Some(found) = places.look(&values[from - BEFORE..to], from as u64, alternating) {
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
    fn distinguished_places_do_not_depend_on_how_the_values_come() {
        let mut rng = Rng::new(7, 0);
        let values: Vec<u8> = (0..300_000).map(|_| rng.below(9) as u8).collect();
        let all = |step: usize| {
            let mut places = DistinguishedPlaces::new(&values[..60_000]);
            for from in (BEFORE..values.len()).step_by(step) {
                let to = values.len().min(from + step);
                places.look(&values[from - BEFORE..to], from as u64, false);
            }
            let mut places: Vec<_> = places.iter().collect();
            places.sort_unstable();
            places
        };
        let places = all(300_000);
        assert!((30..120).contains(&places.len()), "{}", places.len());
        assert_eq!(all(997), places);
        assert_eq!(all(63), places);
    }
}
