//! The cost of a table in steps, counted before any of it is made, and never too low.
//!
//! By definition a heap costs its options, which are partitions. Up to 1000 stones they are counted: partitions with parts
//! up to k are as many as those into at most k parts (Euler, *Introductio in analysin infinitorum*, 1748, ch. 16). Beyond,
//! each partition of n into k parts gives, with 0, 1, …, k - 1 added to its parts, one of N = n + k(k - 1)/2 into unequal
//! parts, which k! compositions of N are orders of: there are at most C(N - 1, k - 1) / k! of them.
//! Time: a million additions at most, or a few multiplications for each k. Twin: the options themselves, in the tests.

use crate::ruleset::{Code, Ruleset};

/// An upper bound on the number of options of one heap; `u128::MAX` if the number is beyond counting.
fn options(code: &Code, heap: u64) -> u128 {
    let (digits, repeat) = code.written();
    let start = digits.len() - repeat;
    let mut count: u128 = 0;
    for (t, digit) in digits
        .iter()
        .enumerate()
        .take_while(|(t, _)| *t as u64 <= heap)
    {
        if digit.is_zero() {
            continue;
        }
        let times = if t >= start {
            (heap - t as u64) / repeat as u64 + 1
        } else {
            1
        };
        let ways = match digit.most_heaps() {
            Some(most) => partitions(heap - t as u64, most),
            None => partitions(heap - t as u64, heap),
        };
        count = count.saturating_add(ways.saturating_mul(u128::from(times)));
    }
    count
}

/// The most stones whose partitions are counted exactly; of more stones there are more than 2^100 partitions into any number of
/// parts.
const COUNTED: u64 = 1000;

/// An upper bound on the number of ways to write `sum` as at most `parts` positive parts, in any order.
fn partitions(sum: u64, parts: u64) -> u128 {
    let parts = parts.min(sum).max(1);
    if sum <= COUNTED {
        let mut ways = vec![0u128; sum as usize + 1];
        ways[0] = 1;
        for part in 1..=parts as usize {
            for n in part..ways.len() {
                ways[n] = ways[n].saturating_add(ways[n - part]);
            }
        }
        return ways[sum as usize];
    }
    let mut total: u128 = 1;
    for k in 2..=u128::from(parts) {
        let n = u128::from(sum) + k * (k - 1) / 2;
        let mut ways: u128 = 1;
        for factor in 1..k {
            // The binomial C(n - 1, factor), which is a whole number.
            let Some(next) = ways.checked_mul(n - factor) else {
                return u128::MAX;
            };
            ways = next / factor;
        }
        let orders: u128 = (1..=k.min(30)).product();
        total = total.saturating_add(ways / orders + 1);
        if total > 1 << 100 {
            return u128::MAX;
        }
    }
    total
}

/// An upper bound on the number of options walked to make a table up to `heap`.
pub fn by_definition(ruleset: &Ruleset, heap: u64) -> u128 {
    let own_rule = match ruleset.takings() {
        Some(takings) => takings.options_at_most(heap),
        None => u128::from(heap) + 1,
    };
    let last = ruleset
        .coded_from()
        .map_or(own_rule, |(code, _)| options(code, heap));
    last.saturating_mul(u128::from(heap) + 1)
}

/// The largest heap up to `heap` whose cost, which grows with the heap, is within `allowed`.
pub fn largest_within(allowed: u128, heap: u64, cost: impl Fn(u64) -> u128) -> u64 {
    let (mut within, mut beyond) = (0, heap.saturating_add(1));
    while within + 1 < beyond {
        let middle = within + (beyond - within) / 2;
        if cost(middle) <= allowed {
            within = middle
        } else {
            beyond = middle
        }
    }
    within
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_count_is_too_low() {
        for (sum, parts, ways) in [
            (0, 1, 1),
            (10, 2, 6),
            (20, 20, 627),
            (20, 5, 192),
            (100, 100, 190_569_292),
            (1000, 3, 83_834),
        ] {
            assert_eq!(partitions(sum, parts), ways, "{sum} in {parts}");
        }
        assert_eq!(partitions(COUNTED + 1, COUNTED + 1), u128::MAX);
        // There are n/2 partitions into two parts and n²/12 into three, rounded.
        for sum in [1001, 5000, 1 << 40] {
            let n = u128::from(sum);
            assert!(partitions(sum, 2) > n / 2 && partitions(sum, 2) < n / 2 + 4);
            let three = 1 + n / 2 + (n * n + 6) / 12;
            assert!(
                (three..three + n + 9).contains(&partitions(sum, 3)),
                "{sum}"
            );
        }
        for code in ["0.8", "{2+}.0", "0.[7]", "C!.3", "0.{1,4?}3"] {
            let code: Code = code.parse().unwrap();
            let ruleset = Ruleset::from_code(code.clone());
            for heap in 0..30 {
                let walked = ruleset.options(heap).count() as u128;
                assert!(options(&code, heap) >= walked, "{code} at {heap}");
            }
        }
    }
}
