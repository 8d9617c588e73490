//! What a table by definition would cost, counted before any of it is made.

use crate::ruleset::{Code, Ruleset};

/// The options of one heap, counted from above and never too low; `u128::MAX` if beyond counting.
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

/// At least the number of ways to write `sum` as at most `parts` positive parts, in any order.
fn partitions(sum: u64, parts: u64) -> u128 {
    let parts = parts.min(sum).max(1);
    // The compositions into k parts, C(sum - 1, k - 1), count each partition at least once, and k! times if its
    // parts differ; sum^(k-1) / (k-1)! / k! is the leading term.
    let mut ways: u128 = 1;
    let mut total: u128 = 1;
    for k in 2..=parts {
        let Some(next) = ways.checked_mul(u128::from(sum)) else {
            return u128::MAX;
        };
        ways = next / u128::from(k * (k - 1)) + 1;
        total = total.saturating_add(ways);
        if total > 1 << 100 {
            return u128::MAX;
        }
    }
    total
}

/// The options walked to make a table up to `heap`, counted from above.
pub fn by_definition(ruleset: &Ruleset, heap: u64) -> u128 {
    let own_rule = u128::from(heap) + 1;
    let last = ruleset
        .coded_from()
        .map_or(own_rule, |(code, _)| options(code, heap));
    last.saturating_mul(u128::from(heap) + 1)
}

/// The least steps that the sets of a knapsack up to `heap` take: all pairs of heaps.
pub fn by_knapsack(heap: u64) -> u128 {
    u128::from(heap) * u128::from(heap) / 4
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
