//! Finds the least period with which the end of some values repeats, and from where: of a table, of the last values that
//! bounded memory keeps, or of the elements of heaps in a misère quotient.
//!
//! A sequence has the arithmetic period p and the saltus s if g(n + p) = g(n) + s, which is to say that its
//! differences g(n + 1) - g(n) have the period p; a plain period is one of the values themselves. So what is searched
//! is the values, or their differences, from the last backwards. The candidates are the places where the last of them
//! occur earlier, nearest first; each is measured by comparing backwards.
//!
//! A candidate that fails rules others out: if the longest end with the period p is E long, then by Fine and Wilf
//! (*Uniqueness theorems for periodic functions*, Proc. AMS 16, 1965, Thm 1, pp. 109-114) no q > p with p + q ≤ E can
//! be the period of a longer end, for p would divide q and be a period of that end too.
//!
//! Time: a scan by [`memchr`] of a byte a value, less than a ns each, and one comparison a candidate. Memory: a chunk
//! of 64 Ki values. Its simple twin is the test below, which tries every period.

use super::Period;
use crate::engine::codes::Codes;
use crate::engine::table::Table;
use memchr::memmem::Finder;

/// How many values are copied at a time.
const CHUNK: usize = 1 << 16;
/// How many values or differences a candidate is recognised by, unless they are all equal.
const NEEDLE: usize = 64;

/// Consecutive values whose end is searched.
pub trait Stretch {
    /// How many values there are.
    fn len(&self) -> usize;

    /// Copies the values from the place `from` on.
    fn copy(&self, from: usize, out: &mut [u16]);

    /// A byte for each of the values from `from` to before `to`, if bytes are kept. Equal values have equal bytes; at an odd
    /// distance equal bytes need not be equal values, so that they suggest a repetition and don't show it.
    fn bytes(&self, from: usize, to: usize) -> Option<&[u8]>;
}

impl Stretch for Table {
    fn len(&self) -> usize {
        Table::len(self)
    }

    fn copy(&self, from: usize, out: &mut [u16]) {
        self.copy_range(from, out);
    }

    fn bytes(&self, from: usize, to: usize) -> Option<&[u8]> {
        self.bytes_of(from, to)
    }
}

/// Codes of common heaps, which represent their values as long as they are compared over an allowed distance.
impl Stretch for Codes<'_> {
    fn len(&self) -> usize {
        Codes::len(self)
    }

    fn copy(&self, from: usize, out: &mut [u16]) {
        let codes = self.part(from, from + out.len());
        out.iter_mut()
            .zip(codes.iter())
            .for_each(|(out, code)| *out = code);
    }

    fn bytes(&self, from: usize, to: usize) -> Option<&[u8]> {
        self.as_bytes().map(|codes| &codes[from..to])
    }
}

/// The numbers that are compared with those a period later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// The values.
    Values,
    /// The differences of the values, so that each period may add a saltus.
    Differences,
}

/// The first that `accept` takes of the periods p, least first, for which g(n + p) = g(n) + s holds for at least
/// `least_match(p)` of the last n; each comes with its saltus, which is not negative, and the first n from which it holds.
///
/// `least_match` must not fall as p grows, and is taken to be 1 at least.
pub fn repetition<T, V: Stretch>(
    values: &V,
    compared: Compared,
    least_match: impl Fn(u64) -> u64,
    mut accept: impl FnMut(&Period) -> Option<T>,
) -> Option<T> {
    let least_match = |period: usize| least_match(period as u64).max(1);
    let fits =
        |period: usize| least_match(period).saturating_add(period as u64) <= values.len() as u64;
    let length = match compared {
        Compared::Values => values.len(),
        Compared::Differences => values.len().checked_sub(1)?,
    };
    // The largest period that is long enough; no period from `beyond` on is.
    let (mut most, mut beyond) = (0, length + 1);
    while beyond - most > 1 {
        let middle = most + (beyond - most) / 2;
        if fits(middle) {
            most = middle;
        } else {
            beyond = middle;
        }
    }
    if most == 0 {
        return None;
    }
    let needed = least_match(1) - u64::from(compared == Compared::Differences);
    let needed = needed.min(CHUNK as u64) as usize;
    // Bytes of some of the values alone can't be compared with the others.
    let from = values.len() - length.min(most + needed);
    let bytes = (compared == Compared::Values).then(|| values.bytes(from, values.len()));
    let low_bytes = |from, to| low_bytes(values, compared, bytes.flatten(), (from, to));
    let last = low_bytes(0, needed);
    let alike = last
        .iter()
        .take_while(|&byte| Some(byte) == last.first())
        .count();
    let needle = &last[..NEEDLE.max(alike + 1).min(last.len())];
    let finder = Finder::new(needle);
    let mut distance = 1;
    while distance + needle.len() <= length && distance <= most {
        let to = (distance + CHUNK).min(most) + needle.len();
        let chunk = low_bytes(distance, to.min(length));
        let mut at = 0;
        while let Some(found) = chunk.get(at..).and_then(|rest| finder.find(rest)) {
            let period = distance + at + found;
            let (matched, saltus) = match_length(values, compared, period);
            let reached = matched as u64 >= least_match(period);
            if reached && let Ok(saltus) = u64::try_from(saltus) {
                let accepted = accept(&Period {
                    period: period as u64,
                    preperiod: (values.len() - period - matched) as u64,
                    saltus,
                });
                if accepted.is_some() {
                    return accepted;
                }
            }
            let next = if reached { period } else { matched.max(period) } + 1;
            at = next - distance;
        }
        distance += at.max(chunk.len() + 1 - needle.len());
    }
    None
}

/// A byte for each value or difference, from the `from`-th last to before the `to`-th last: one of `bytes`, which are those of
/// the last values, if there are such.
fn low_bytes(
    values: &impl Stretch,
    compared: Compared,
    bytes: Option<&[u8]>,
    (from, to): (usize, usize),
) -> Vec<u8> {
    if let Some(bytes) = bytes {
        let count = bytes.len();
        let bytes = &bytes[count - to.min(count)..count - from.min(count)];
        return bytes.iter().rev().copied().collect();
    }
    match compared {
        Compared::Values => {
            let count = values.len();
            let values = stretch(values, count - to.min(count), count - from.min(count));
            values.iter().rev().map(|&value| value as u8).collect()
        }
        Compared::Differences => {
            let last = values.len() - 1;
            let values = stretch(values, last - to.min(last), last - from.min(last) + 1);
            let differences = values.windows(2).rev();
            differences
                .map(|pair| pair[1].wrapping_sub(pair[0]) as u8)
                .collect()
        }
    }
}

/// For how many of the last n g(n + period) = g(n) + saltus holds, and that saltus.
fn match_length(values: &impl Stretch, compared: Compared, period: usize) -> (usize, i32) {
    let count = values.len() - period;
    let saltus = match compared {
        Compared::Values => 0,
        Compared::Differences => {
            let (mut early, mut late) = ([0], [0]);
            values.copy(count - 1, &mut early);
            values.copy(values.len() - 1, &mut late);
            i32::from(late[0]) - i32::from(early[0])
        }
    };
    let mut end = count;
    let mut chunk = NEEDLE;
    while end > 0 {
        let start = end.saturating_sub(chunk);
        let early = stretch(values, start, end);
        let late = stretch(values, start + period, end + period);
        let mut pairs = early.iter().zip(&late).rev();
        let differs = |(&early, &late): (&u16, &u16)| i32::from(late) - i32::from(early) != saltus;
        if let Some(back) = pairs.position(differs) {
            return (count - end + back, saltus);
        }
        end = start;
        chunk = (4 * chunk).min(CHUNK / 4);
    }
    (count, saltus)
}

fn stretch(values: &impl Stretch, from: usize, to: usize) -> Vec<u16> {
    let mut stretch = vec![0; to - from];
    values.copy(from, &mut stretch);
    stretch
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All that `repetition` offers, by trying every period.
    fn simply(values: &[u16], compared: Compared, least_match: impl Fn(u64) -> u64) -> Vec<Period> {
        let periods = 1..values.len();
        let found = periods.filter_map(|period| {
            let pairs = values.iter().zip(&values[period..]).rev();
            let rises: Vec<i32> = pairs
                .map(|(&early, &late)| i32::from(late) - i32::from(early))
                .collect();
            let saltus = match compared {
                Compared::Values => 0,
                Compared::Differences => rises[0],
            };
            let length = rises.iter().take_while(|&&rise| rise == saltus).count();
            (length as u64 >= least_match(period as u64).max(1) && saltus >= 0).then(|| Period {
                period: period as u64,
                preperiod: (values.len() - period - length) as u64,
                saltus: saltus as u64,
            })
        });
        found.collect()
    }

    fn offered(
        values: &[u16],
        compared: Compared,
        least_match: impl Fn(u64) -> u64,
    ) -> Vec<Period> {
        let mut offered = Vec::new();
        let none: Option<()> = repetition(
            &Table::from(values.to_vec()),
            compared,
            least_match,
            |found| {
                offered.push(*found);
                None
            },
        );
        assert_eq!(none, None);
        offered
    }

    proptest! {
        #[test]
        fn every_period_that_reaches_is_offered(
            start in prop::collection::vec(0u16..3, 0..40),
            cycle in prop::collection::vec(0u16..3, 1..12),
            inner in 1usize..5,
            saltus in 0u16..3,
            length in 2usize..200,
            part in 2u64..6,
            slope in 0u64..3,
            least in 0u64..4,
        ) {
            // A cycle of a repeated part with one change makes near-periods, the hard case.
            let mut cycle: Vec<u16> = cycle.iter().cycle().take(cycle.len() * inner).copied().collect();
            cycle[0] += 1;
            let late = (0..length).map(|n| cycle[n % cycle.len()] + (n / cycle.len()) as u16 * saltus);
            let values: Vec<u16> = start.iter().copied().chain(late).collect();
            for compared in [Compared::Values, Compared::Differences] {
                for share in [0, values.len() as u64 / part] {
                    let least_match = |period: u64| (share + slope * period).max(least);
                    let wanted = simply(&values, compared, least_match);
                    prop_assert_eq!(offered(&values, compared, least_match), wanted);
                }
            }
        }
    }

    #[test]
    fn a_period_longer_than_a_chunk_is_found() {
        let cycle = CHUNK + 1000;
        let value = |n: usize| (n % cycle * 7919 % 251) as u16 + u16::from(n == 5000);
        let values: Vec<u16> = (0..3 * cycle).map(value).collect();
        for compared in [Compared::Values, Compared::Differences] {
            let found = repetition(
                &Table::from(values.clone()),
                compared,
                |_| cycle as u64,
                |&found| Some(found),
            );
            assert_eq!(found, Some(Period::plain(cycle as u64, 5001)));
        }
    }
}
