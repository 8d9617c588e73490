//! The theorem for arithmetic periods: g(n + p) = g(n) + s with s > 0, seen in a table, holds for ever.
//!
//! For finite codes whose moves may leave three heaps or more, and for codes whose last digit repeats for ever and may
//! leave one heap. In the line of Austin (*Impartial and partisan games*, thesis, Calgary 1976) and of Howse and
//! Nowakowski (*Periodicity and arithmetic-periodicity in hexadecimal games*, Theoret. Comput. Sci. 313, 2004,
//! pp. 463-472; Siegel, *Combinatorial Game Theory*, 2013, IV.2), with hypotheses of its own, which are these.
//!
//! **What is known.** k is the most heaps that a move leaves, t the most that it takes (of the digits that don't
//! repeat), and g(n + p) = g(n) + s for n0 ≤ n < N - p, n0 ≥ 1. Let 2^c divide s, and write g(n) = 2^c·u(n) + r(n) with
//! r(n) < 2^c. Then r(n + p) = r(n) and u(n + p) = u(n) + s/2^c: the lower bits repeat, the upper ones rise. A nim-sum
//! is taken in both alike, and that of the upper parts is at most their sum and as even or odd. A heap below n0 is
//! *fixed*, one from n0 on is *free*: it may grow by multiples of p.
//!
//! **No option of n has the value g(n).** Move the free heaps of an option of n down to n0 ≤ h < n0 + p, by X periods in
//! all, and n by as much, to m. Each of the p's lowers the sum S of the free heaps' upper parts and u(n) by s/2^c alike.
//! So, F being the nim-sum of the fixed heaps' upper parts, the option has another value than g(n) for every X if at m
//! the lower parts differ, or S + F and u(m) are not both even or both odd, or S + F < u(m), or, with one free heap,
//! |S - u(m)| > F. The first hypothesis is that one of these holds for all fixed and reduced free heaps, one of them
//! free, and every digit. (Options of fixed heaps alone are those of heaps below k·n0 + t; where the last digit repeats
//! it is asked that u(n) is larger than k times any u(h) from some n on.)
//!
//! **Each smaller value is that of an option.** Call light a heap with u = 0, and a *rest* some light heaps and pairs of
//! equal ones, so that its nim-sum X is below 2^c. If a is free, then g(a + p) ^ X = (g(a) ^ X) + s. Hence from an option
//! of n that is a free heap a and a rest comes, with a + p for a, one of n + p whose value is larger by s. Let v* be a
//! multiple of 2^c above the values of all fixed heaps. The second hypothesis is that for each v < v* + s, and for both
//! parities, there is a digit with an option of value v that is a heap a and a rest (for v < v* perhaps a rest alone)
//! with a pair in it; let its pair grow, and it is one for all larger n of that parity. (Or there is a heap of value v
//! and the digit that repeats.) From v* on such a heap a is free. The third is that for M ≤ n < M + p, M being beyond all
//! those options, every v with v* ≤ v < g(n) is the value of a free heap and a rest. By induction so it is for every
//! n ≥ M: v - s at n - p gives v at n, and the values below v* + s are had by growing pairs. (Of heaps that must be
//! unequal none is a pair, and two are a free heap and a smaller light one.)
//!
//! So the N = M + p values prove it, M being at least k·(n0 + p) + t - p. Time: some k²·(n0 + p)²·2^c and p·k·t·M·2^c
//! steps, and no proof where that is beyond reason; 2^c ≤ 64. Memory: k·N words. Its simple twin, in the test below,
//! tries all heaps.

mod known;
mod moves;
mod sums;

use super::Period;
use crate::engine::table::Table;
use crate::ruleset::Code;
use known::Known;
use moves::Moves;

/// The most steps spent on a proof, which take some seconds.
const MOST_PROOF_STEPS: u64 = 1 << 31;
/// The most lower bits that may repeat, so that a set of their values fits one word.
const MOST_LOWER: u32 = 6;

/// How many first values of the table prove that a period with a saltus, which holds from its preperiod to the end of
/// the table, holds for ever, if they do. The code holds from heap `least` on.
pub fn range(code: &Code, least: u64, table: &Table, found: &Period) -> Option<u64> {
    let moves = Moves::of(code)?;
    let start = usize::try_from(found.preperiod.max(least)).ok()?;
    let period = usize::try_from(found.period).ok()?;
    let end = start.checked_add(period)?;
    let window = end
        .checked_mul(moves.heaps)?
        .checked_add(moves.most_taken)?;
    if found.saltus == 0 || window > table.len() {
        return None;
    }
    let saltus = usize::try_from(found.saltus).ok()?;
    let largest = (0..end).map(|heap| usize::from(table.value(heap))).max()?;
    let lower = (0..=saltus.trailing_zeros().min(MOST_LOWER))
        .rev()
        .find(|&lower| moves.steps(end, period, largest, lower) < MOST_PROOF_STEPS)?;
    // No hypothesis needs larger heaps than these.
    let periods = (moves.heaps * largest + (1 << MOST_LOWER)) / saltus + 4;
    let length = window.saturating_add(period.saturating_mul(periods));
    let values: Vec<usize> = table.iter().take(length).map(usize::from).collect();
    let known = Known {
        moves: &moves,
        values: &values,
        start,
        end,
        lower,
        saltus,
    };
    let from = known.attaining()?.max(window - period);
    let from = known.beyond_fixed(from)?;
    let range = from + period;
    (range <= values.len() && known.never_attained(range) && known.attained(from))
        .then_some(range as u64)
}

/// Whether the theorem applies to a code.
pub fn covers(code: &Code) -> bool {
    Moves::of(code).is_some_and(|moves| moves.heaps >= 3 || moves.tail.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::definition::nim_values;
    use crate::ruleset::{Parts, Ruleset, splits_of};
    use crate::sequence::period::detect::{Compared, repetition};
    use proptest::prelude::*;

    /// Whether the hypotheses hold, each by trying all heaps: for a code without a digit that repeats.
    fn simply(code: &Code, values: &[usize], found: &Period) -> Option<usize> {
        let heaps = code.most_heaps()?;
        let most = code.most_taken()?;
        let (start, period) = (found.preperiod.max(1), found.period);
        let end = start + period;
        let lower = found.saltus.trailing_zeros().min(6);
        let value = |heap: u64| values[heap as usize];
        let (upper, mask) = (|heap: u64| value(heap) >> lower, (1 << lower) - 1);
        let options = |heap: u64| {
            let takings = 0..=most.min(heap);
            takings
                .flat_map(move |taken| (1..=heaps).map(move |count| (taken, count)))
                .filter(|&(taken, count)| {
                    code.digit(taken).parts(count).is_some() && (taken > 0 || count > 1)
                })
                .flat_map(move |(taken, count)| splits_of(heap - taken, count, Parts::Any))
        };
        let nim_sum = |heaps: &[u64]| heaps.iter().fold(0, |sum, &heap| sum ^ value(heap));
        for heap in start..heaps * end + most {
            for parts in options(heap).filter(|parts| parts.iter().all(|&part| part < end)) {
                let (free, fixed): (Vec<u64>, Vec<u64>) =
                    parts.iter().partition(|&&part| part >= start);
                let sum: usize = free.iter().map(|&part| upper(part)).sum();
                let with = nim_sum(&fixed) >> lower;
                let own = upper(heap);
                let differs =
                    (nim_sum(&parts) ^ value(heap)) & mask != 0 || (own + sum + with) % 2 == 1;
                let out_of_reach = match free.len() {
                    0 => true,
                    1 => own.abs_diff(sum) > with,
                    _ => sum + with < own,
                };
                if !differs && !out_of_reach {
                    return None;
                }
            }
        }
        let beyond = ((1..start).map(upper).max().unwrap_or(0) + 1) << lower;
        // Whether these parts are one heap that must be there, or none, beside light heaps and pairs of equal ones.
        let is_rest = |parts: &[u64]| {
            let mut odd: Vec<u64> = Vec::new();
            for &part in parts {
                match odd.iter().position(|&other| other == part) {
                    Some(at) => drop(odd.remove(at)),
                    None => odd.push(part),
                }
            }
            odd.iter().all(|&part| upper(part) == 0)
        };
        let mut from = (heaps * end + most - period) as usize;
        let known = values.len() as u64;
        for wanted in 0..beyond + found.saltus as usize {
            for parity in 0..2 {
                let grows = |heap: u64| {
                    options(heap).any(|parts| {
                        let pair = |&(at, &part): &(usize, &u64)| parts[..at].contains(&part);
                        let paired = parts.iter().enumerate().filter(pair).any(|(at, &part)| {
                            let mut others = parts.clone();
                            others.remove(at);
                            let twin = others.iter().position(|&other| other == part).unwrap();
                            others.remove(twin);
                            let alone = wanted < beyond && is_rest(&others);
                            let with_one = (0..others.len()).any(|one| {
                                let mut rest = others.clone();
                                rest.remove(one);
                                is_rest(&rest)
                            });
                            alone || with_one
                        });
                        paired && nim_sum(&parts) == wanted
                    })
                };
                let first = (1..known).find(|&heap| heap % 2 == parity && grows(heap))?;
                from = from.max(first as usize);
            }
        }
        let from = from as u64;
        if from + period > known {
            return None;
        }
        for heap in from..from + period {
            let had: Vec<usize> = options(heap)
                .filter(|parts| {
                    (0..parts.len()).any(|one| {
                        let mut rest = parts.clone();
                        rest.remove(one);
                        parts[one] >= start && is_rest(&rest)
                    })
                })
                .map(|parts| nim_sum(&parts))
                .collect();
            if !(beyond..value(heap)).all(|wanted| had.contains(&wanted)) {
                return None;
            }
        }
        Some((from + period) as usize)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn the_hypotheses_are_those_that_all_heaps_show(
            code in "[08]\\.[0-7]?[89ABCDEF][0-9A-F]?",
            count in 20usize..60,
        ) {
            let ruleset: Ruleset = code.parse().unwrap();
            let code = ruleset.code().unwrap();
            let table = nim_values(&ruleset, count).unwrap();
            let (heaps, most) = (code.most_heaps().unwrap(), code.most_taken().unwrap());
            let known = table.len() as u64;
            let least_match = |period: u64| match ((known - most) / heaps).checked_sub(period) {
                Some(latest) if latest > 0 => known - period - latest,
                _ => u64::MAX,
            };
            let rises = |found: &Period| (found.saltus > 0).then_some(*found);
            if let Some(seen) = repetition(&table, Compared::Differences, least_match, rises) {
                let values: Vec<usize> = table.iter().map(usize::from).collect();
                let wanted = simply(code, &values, &seen).map(|range| range as u64);
                prop_assert_eq!(range(code, 1, &table, &seen), wanted, "{} {:?}", code, seen);
            }
        }
    }
}
