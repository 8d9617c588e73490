//! The period that a stretch of a nim-sequence shows: seen, not proved.
//!
//! From some n₀ on, g(n + p) - g(n) is the same for all n known. That is a period of the differences, found with the
//! Z-function of their reversal, which gives for every p how far back it holds (Gusfield, *Algorithms on Strings,
//! Trees, and Sequences*, 1997, pp. 7-10). Time and memory are linear.

use crate::table::Table;

/// A period of a nim-sequence: g(n + period) = g(n) + saltus for every n ≥ preperiod that is spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The first n from which it holds.
    pub preperiod: u64,
    /// The least period.
    pub period: u64,
    /// What is added at each period; 0 for a purely periodic game.
    pub saltus: u64,
    /// Whether it holds for all n, by a theorem, and not just for those computed.
    pub proved: bool,
}

/// The least period that the values show from n₀ on, to at least 2 n₀ + 3 periods; `None` if there is none.
pub fn observed(table: &Table) -> Option<Cycle> {
    let known = table.len();
    let value = |heap: usize| i32::from(table.get(heap));
    let differences: Vec<i32> = (1..known).rev().map(|n| value(n) - value(n - 1)).collect();
    let back = z_function(&differences);
    (1..=known / 3).find_map(|period| {
        let preperiod = differences.len() - period - back[period];
        if 2 * preperiod + 3 * period > known {
            return None;
        }
        let saltus = value(preperiod + period) - value(preperiod);
        Some(Cycle {
            preperiod: preperiod as u64,
            period: period as u64,
            saltus: u64::try_from(saltus).ok()?,
            proved: false,
        })
    })
}

/// For every place how long a prefix of the whole begins there.
fn z_function(text: &[i32]) -> Vec<usize> {
    let mut z = vec![0; text.len()];
    let (mut left, mut right) = (0, 0);
    for at in 1..text.len() {
        let mut length = if at < right {
            z[at - left].min(right - at)
        } else {
            0
        };
        while at + length < text.len() && text[length] == text[at + length] {
            length += 1;
        }
        if at + length > right {
            (left, right) = (at, at + length);
        }
        z[at] = length;
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grundy;

    #[test]
    fn known_periods_are_seen() {
        for (game, preperiod, period, saltus) in [
            ("0.77", 71, 12, 0),
            ("0.07", 53, 34, 0),
            ("nim", 0, 1, 1),
            ("lasker", 1, 4, 4),
            ("all-but:2,3,7", 0, 4, 2),
            ("0.0", 0, 1, 0),
        ] {
            let table = grundy::nim_values(&game.parse().unwrap(), 400).unwrap();
            let seen = observed(&table).map(|seen| (seen.preperiod, seen.period, seen.saltus));
            assert_eq!(seen, Some((preperiod, period, saltus)), "{game}");
        }
    }

    #[test]
    fn no_period_is_seen_where_none_is() {
        for game in ["couples-are-forever", "grundy", "0.007"] {
            let table = grundy::nim_values(&game.parse().unwrap(), 2000).unwrap();
            assert_eq!(observed(&table), None, "{game}");
        }
        let kayles = grundy::nim_values(&"0.77".parse().unwrap(), 2 * 71 + 3 * 12 - 2).unwrap();
        assert_eq!(observed(&kayles), None);
    }
}
