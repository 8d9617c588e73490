//! Finds the least period with which the end of a table repeats, and from where.
//!
//! A sequence has the arithmetic period p and the saltus s if g(n + p) = g(n) + s, which is to say that its
//! differences g(n + 1) - g(n) have the period p; a plain period is one of saltus 0. The candidates are the places
//! where the last differences occur earlier, nearest first; each is measured by comparing backwards.
//!
//! A candidate that fails rules others out: if the longest end of the differences with the period p is E long, then by
//! Fine and Wilf (*Uniqueness theorems for periodic functions*, Proc. AMS 16, 1965, Thm 1, pp. 109-114) no q > p with
//! p + q ≤ E can be the period of a longer end, for p would divide q and be a period of that end too.
//!
//! Time: a scan by [`memchr`] of the low bytes of the differences, less than a ns a value, and one comparison a
//! candidate. Memory: a chunk of 64 Ki values. Its simple twin is the test below, which tries every period.

use super::Period;
use crate::engine::table::Table;
use memchr::memmem::Finder;

/// How many differences are taken from the table at a time.
const CHUNK: usize = 1 << 16;
/// How many differences a candidate is recognised by, if they are not all alike.
const NEEDLE: usize = 64;

/// The least period p, from `least` on, for which g(n + p) = g(n) + s holds for at least `reach(p)` of the last n,
/// with its saltus and the first n from which it holds.
///
/// `reach` must not fall as p grows, and is taken to be 2 at least.
pub fn repetition(table: &Table, least: u64, reach: impl Fn(u64) -> u64) -> Option<Period> {
    let differences = table.len().checked_sub(1)?;
    let reach = |period: usize| reach(period as u64).max(2);
    let fits = |period: usize| reach(period).saturating_add(period as u64) <= table.len() as u64;
    let last = backwards(table, 0, (reach(1) - 1).min(CHUNK as u64) as usize);
    let alike = last
        .iter()
        .take_while(|&difference| Some(difference) == last.first())
        .count();
    let needle = &last[..NEEDLE.max(alike + 1).min(last.len())];
    let finder = Finder::new(needle);
    let mut distance = usize::try_from(least).ok()?.max(1);
    while distance + needle.len() <= differences && fits(distance) {
        let end = (distance + CHUNK + needle.len()).min(differences);
        let chunk = backwards(table, distance, end);
        let mut at = 0;
        while let Some(found) = chunk.get(at..).and_then(|rest| finder.find(rest)) {
            let period = distance + at + found;
            if !fits(period) {
                return None;
            }
            let (length, saltus) = match_length(table, period);
            let reached = length as u64 >= reach(period);
            if reached && let Ok(saltus) = u64::try_from(saltus) {
                return Some(Period {
                    period: period as u64,
                    preperiod: (table.len() - period - length) as u64,
                    saltus,
                });
            }
            let next = if reached { period } else { length.max(period) } + 1;
            at = next - distance;
        }
        distance += at.max(chunk.len() + 1 - needle.len());
    }
    None
}

/// The low bytes of the differences, from the `from`-th last to before the `to`-th last.
fn backwards(table: &Table, from: usize, to: usize) -> Vec<u8> {
    let last = table.len() - 1;
    let (from, to) = (from.min(last), to.min(last));
    let values = stretch(table, last - to, last - from + 1);
    let differences = values.windows(2).rev();
    differences
        .map(|pair| pair[1].wrapping_sub(pair[0]) as u8)
        .collect()
}

/// For how many of the last n g(n + period) = g(n) + saltus holds, and that saltus.
fn match_length(table: &Table, period: usize) -> (usize, i32) {
    let count = table.len() - period;
    let saltus = i32::from(table.get(table.len() - 1)) - i32::from(table.get(count - 1));
    let mut end = count;
    let mut chunk = NEEDLE;
    while end > 0 {
        let start = end.saturating_sub(chunk);
        let early = stretch(table, start, end);
        let late = stretch(table, start + period, end + period);
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

fn stretch(table: &Table, from: usize, to: usize) -> Vec<u16> {
    let mut values = vec![0; to - from];
    table.copy_range(from, &mut values);
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(values: &[u16]) -> Table {
        let mut table = Table::new();
        for &value in values {
            table.push(u64::from(value)).unwrap();
        }
        table
    }

    /// By trying every period.
    fn simply(values: &[u16], reach: impl Fn(u64) -> u64) -> Option<Period> {
        (1..values.len()).find_map(|period| {
            let pairs = values.iter().zip(&values[period..]).rev();
            let mut rises = pairs.map(|(&early, &late)| i32::from(late) - i32::from(early));
            let saltus = rises.next()?;
            let length = 1 + rises.take_while(|&rise| rise == saltus).count();
            (length as u64 >= reach(period as u64).max(2) && saltus >= 0).then(|| Period {
                period: period as u64,
                preperiod: (values.len() - period - length) as u64,
                saltus: saltus as u64,
            })
        })
    }

    proptest! {
        #[test]
        fn the_least_period_is_found(
            start in prop::collection::vec(0u16..3, 0..40),
            cycle in prop::collection::vec(0u16..3, 1..12),
            inner in 1usize..5,
            saltus in 0u16..3,
            length in 2usize..200,
            part in 2u64..6,
        ) {
            // A cycle of a repeated part with one change makes near-periods, the hard case.
            let mut cycle: Vec<u16> = cycle.iter().cycle().take(cycle.len() * inner).copied().collect();
            cycle[0] += 1;
            let late = (0..length).map(|n| cycle[n % cycle.len()] + (n / cycle.len()) as u16 * saltus);
            let values: Vec<u16> = start.iter().copied().chain(late).collect();
            let reach = |_| values.len() as u64 / part;
            let wanted = simply(&values, reach);
            prop_assert_eq!(repetition(&table(&values), 1, reach), wanted);
        }
    }

    #[test]
    fn a_period_longer_than_a_chunk_is_found() {
        let cycle = CHUNK + 1000;
        let value = |n: usize| (n % cycle * 7919 % 251) as u16 + u16::from(n == 5000);
        let values: Vec<u16> = (0..3 * cycle).map(value).collect();
        let found = repetition(&table(&values), 1, |_| cycle as u64).unwrap();
        assert_eq!(
            (found.period, found.preperiod, found.saltus),
            (cycle as u64, 5001, 0)
        );
    }
}
