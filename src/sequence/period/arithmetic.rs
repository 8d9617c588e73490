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

use super::Period;
use crate::engine::table::Table;
use crate::ruleset::{Code, Parts};
use std::collections::BTreeSet;

/// More steps than these, some seconds, are not spent on a proof.
const MOST_STEPS: u64 = 1 << 31;
/// The most lower bits that repeat: sets of their values are words.
const MOST_LOWER: u32 = 6;

/// How many first values of the table prove that a period with a saltus, which holds from its preperiod to the end of
/// the table, holds for ever, if they do. The code holds from heap `least` on.
pub fn range(code: &Code, least: u64, table: &Table, found: &Period) -> Option<u64> {
    let moves = Moves::of(code)?;
    let start = found.preperiod.max(least);
    let (start, period) = (
        usize::try_from(start).ok()?,
        usize::try_from(found.period).ok()?,
    );
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
        .find(|&lower| moves.steps(end, period, largest, lower) < MOST_STEPS)?;
    // No hypothesis asks for larger heaps than these.
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

/// Whether the theorem is for such a code.
pub fn covers(code: &Code) -> bool {
    Moves::of(code).is_some_and(|moves| moves.heaps >= 3 || moves.tail.is_some())
}

/// The moves of a code.
struct Moves {
    /// A number of stones taken and of heaps left, one at least, and how these must compare.
    moves: Vec<(usize, usize, Parts)>,
    /// The least number of stones of the digit that repeats, where one does.
    tail: Option<Tail>,
    /// The most heaps left.
    heaps: usize,
    /// The most stones taken by a digit that doesn't repeat.
    most_taken: usize,
}

/// What a move that takes so many stones, or any number more, may leave. One heap is among it.
struct Tail {
    from: usize,
    counts: Vec<usize>,
    whole: bool,
}

impl Moves {
    fn of(code: &Code) -> Option<Moves> {
        let (digits, repeat) = code.written();
        let heaps = usize::try_from(code.most_heaps()?).ok()?;
        let written = digits.len() - repeat;
        let mut moves = Vec::new();
        for (taken, digit) in digits[..written].iter().enumerate() {
            for count in 1..=heaps {
                if let Some(parts) = digit.parts(count as u64) {
                    moves.push((taken, count, parts));
                }
            }
        }
        let tail = match &digits[written..] {
            [] => None,
            [digit] if digit.parts(1).is_some() => Some(Tail {
                from: written,
                counts: (1..=heaps)
                    .filter(|&count| digit.parts(count as u64).is_some())
                    .collect(),
                whole: digit.parts(0).is_some(),
            }),
            _ => return None,
        };
        Some(Moves {
            moves,
            tail,
            heaps,
            most_taken: written - 1,
        })
    }

    /// What it takes to check the hypotheses, roughly.
    fn steps(&self, end: usize, period: usize, largest: usize, lower: u32) -> u64 {
        let moves = self.moves.len() + self.tail.as_ref().map_or(0, |_| 4 * self.heaps * end);
        let [end, period, heaps, moves, largest] =
            [end, period, self.heaps, moves, largest + 1].map(|number| number as u64);
        let product = |numbers: &[u64]| {
            numbers
                .iter()
                .fold(1, |product: u64, &n| product.saturating_mul(n))
        };
        let sums = product(&[heaps, end]);
        let by_several = product(&[sums, sums, moves, heaps, 2 << lower]);
        let by_one = product(&[sums, largest.next_power_of_two(), end.max(period * moves)]);
        let attained = product(&[sums, period, moves, 1 << lower]);
        by_several.saturating_add(by_one).saturating_add(attained)
    }

    /// The numbers of stones by whose taking a heap of less than `largest` may leave `count` heaps with `sum` stones.
    fn takings(&self, count: usize, sum: usize, largest: usize) -> impl Iterator<Item = usize> {
        let listed = self
            .moves
            .iter()
            .filter(move |&&(_, left, _)| left == count);
        let tail = self
            .tail
            .as_ref()
            .filter(|tail| tail.counts.contains(&count));
        let beyond = tail.map_or(0..0, |tail| tail.from..largest.saturating_sub(sum));
        listed.map(|&(taken, ..)| taken).chain(beyond)
    }
}

/// Values with an arithmetic period in them.
struct Known<'a> {
    moves: &'a Moves,
    values: &'a [usize],
    /// n0: heaps from here on are free.
    start: usize,
    /// n0 + p.
    end: usize,
    /// c, the number of lower bits.
    lower: u32,
    saltus: usize,
}

impl Known<'_> {
    fn upper(&self, heap: usize) -> usize {
        self.values[heap] >> self.lower
    }

    fn low(&self, value: usize) -> usize {
        value & ((1 << self.lower) - 1)
    }

    /// v*.
    fn beyond(&self) -> usize {
        let largest = (1..self.start).map(|heap| self.upper(heap)).max();
        (largest.unwrap_or(0) + 1) << self.lower
    }

    /// The least M from `from` on for which the options that are fixed heaps alone have smaller values than the heaps
    /// from M on, where the last digit repeats.
    fn beyond_fixed(&self, from: usize) -> Option<usize> {
        if self.moves.tail.is_none() {
            return Some(from);
        }
        let largest = (1..self.end).map(|heap| self.upper(heap)).max()?;
        let most = largest * self.moves.heaps;
        let last = self.values.len().checked_sub(self.end - self.start)?;
        (from..=last).find(|&from| {
            let period = from..from + self.end - self.start;
            period.into_iter().all(|heap| self.upper(heap) > most)
        })
    }

    /// The first hypothesis: no option of any n has the value g(n); seen below `range`.
    fn never_attained(&self, range: usize) -> bool {
        let heaps = self.moves.heaps;
        let fixed = self.fixed();
        let one_free = (1..=heaps).all(|count| {
            fixed[count - 1].iter().all(|&(rest, value)| {
                (self.start..self.end).all(|free| {
                    let takings = self.moves.takings(count, free + rest, range);
                    takings.into_iter().all(|taken| {
                        let heap = free + rest + taken;
                        let (own, upper) = (self.upper(heap), self.upper(free));
                        let with = value >> self.lower;
                        self.low(self.values[free] ^ value ^ self.values[heap]) != 0
                            || (own + upper + with) % 2 == 1
                            || own.abs_diff(upper) > with
                    })
                })
            })
        });
        one_free && self.never_by_several(&fixed, range)
    }

    /// The same for options with two free heaps or more.
    fn never_by_several(&self, fixed: &[BTreeSet<(usize, usize)>], range: usize) -> bool {
        let fixed: Vec<Sums> = fixed
            .iter()
            .map(|sets| {
                let mut sums = Sums::new(self, self.moves.heaps * self.end);
                for &(rest, value) in sets {
                    sums.raise(rest, self.low(value), value >> self.lower);
                }
                sums
            })
            .collect();
        let mut free = vec![Sums::new(self, 1)];
        free[0].raise(0, 0, 0);
        for count in 1..=self.moves.heaps {
            let mut more = Sums::new(self, count * self.end);
            free[count - 1].each(|sum, low, upper| {
                for heap in self.start..self.end {
                    let low = low ^ self.low(self.values[heap]);
                    more.raise(sum + heap, low, upper + self.upper(heap));
                }
            });
            free.push(more);
        }
        (2..=self.moves.heaps).all(|count| {
            (2..=count).all(|several| {
                let mut never = true;
                free[several].each(|sum, low, upper| {
                    for rest in 0..=(count - several) * (self.start - 1) {
                        for taken in self.moves.takings(count, sum + rest, range) {
                            let heap = sum + rest + taken;
                            let (own, missing) =
                                (self.upper(heap), low ^ self.low(self.values[heap]));
                            let with = fixed[count - several].most(rest, missing, own ^ upper);
                            never &= with.is_none_or(|with| upper + with < own);
                        }
                    }
                });
                never
            })
        })
    }

    /// For each number of fixed heaps, below the most, what they may have together: stones and nim-sum.
    fn fixed(&self) -> Vec<BTreeSet<(usize, usize)>> {
        let mut fixed = vec![BTreeSet::from([(0, 0)])];
        for count in 1..self.moves.heaps {
            let fewer = fixed[count - 1].iter();
            let more = fewer.flat_map(|&(sum, value)| {
                (1..self.start).map(move |heap| (sum + heap, value ^ self.values[heap]))
            });
            fixed.push(more.collect());
        }
        fixed
    }

    /// For each number of heaps, below the most, and each number of stones: the nim-sums of rests, as a word of bits.
    fn rests(&self) -> Vec<Vec<u64>> {
        let length = self.values.len();
        let light: Vec<usize> = (1..length).filter(|&heap| self.upper(heap) == 0).collect();
        let mut rests = vec![vec![0; length]];
        rests[0][0] = 1;
        for count in 1..self.moves.heaps {
            let mut more = vec![0; length];
            for &heap in &light {
                for (to, &from) in more[heap..].iter_mut().zip(&rests[count - 1]) {
                    *to |= shifted(from, self.values[heap]);
                }
            }
            if count >= 2 {
                // Pairs of equal heaps: the sums smaller by an even number.
                let mut pairs = [0, 0];
                for sum in 2..length {
                    pairs[sum % 2] |= rests[count - 2][sum - 2];
                    more[sum] |= pairs[sum % 2];
                }
            }
            rests.push(more);
        }
        rests
    }

    /// The second hypothesis: from which heap on each value below v* + s is had by options whose pair grows.
    fn attaining(&self) -> Option<usize> {
        let values = self.beyond() + self.saltus;
        let mut first = vec![[usize::MAX; 2]; values];
        let mut reach = |value: usize, heap: usize, parities: &[usize]| {
            for &parity in parities.iter().filter(|_| value < values) {
                first[value][parity] = first[value][parity].min(heap);
            }
        };
        if let Some(tail) = &self.moves.tail {
            for (heap, &value) in self.values.iter().enumerate().skip(1) {
                reach(value, heap + tail.from, &[0, 1]);
            }
            if tail.whole {
                reach(0, tail.from, &[0, 1]);
            }
        }
        let rests = self.rests();
        let moves = self.moves.moves.iter();
        for &(taken, count, _) in
            moves.filter(|&&(_, count, parts)| count >= 2 && parts == Parts::Any)
        {
            for (sum, &alone) in rests[count - 2].iter().enumerate() {
                let heap = sum + taken + 2;
                bits(alone).for_each(|value| reach(value, heap, &[heap % 2]));
            }
            if count == 2 {
                continue;
            }
            for (sum, &rest) in rests[count - 3]
                .iter()
                .enumerate()
                .filter(|(_, rest)| **rest != 0)
            {
                for one in 1..self.values.len() - sum {
                    let heap = one + sum + taken + 2;
                    bits(rest).for_each(|low| reach(self.values[one] ^ low, heap, &[heap % 2]));
                }
            }
        }
        let last = first.iter().flatten().copied().max()?;
        (last < usize::MAX).then_some(last)
    }

    /// The third hypothesis: for a period of heaps from `from` on every value from v* to their own is that of a free heap
    /// and a rest.
    fn attained(&self, from: usize) -> bool {
        let (beyond, rests) = (self.beyond(), self.rests());
        (from..from + self.end - self.start).all(|heap| {
            let own = self.values[heap];
            let mut seen = vec![false; own.max(beyond)];
            let mut see = |value: usize| {
                if let Some(seen) = seen.get_mut(value) {
                    *seen = true;
                }
            };
            let moves = self.moves.moves.iter();
            for &(taken, count, parts) in moves.filter(|&&(taken, ..)| taken <= heap) {
                for one in self.start..=heap - taken {
                    let other = heap - taken - one;
                    let may = match parts {
                        Parts::Any => true,
                        // The free heap stays the larger of two.
                        Parts::Unequal | Parts::NotAllEqual => count == 2 && other < one,
                        Parts::Equal => false,
                    };
                    let rest = if may { rests[count - 1][other] } else { 0 };
                    bits(rest).for_each(|low| see(self.values[one] ^ low));
                }
            }
            if let Some(tail) = &self.moves.tail {
                (self.start..=heap - tail.from).for_each(|one| see(self.values[one]));
            }
            seen[beyond..].iter().all(|&seen| seen)
        })
    }
}

/// For numbers of stones, lower bits and parities: the largest sum of upper parts.
struct Sums {
    lower: u32,
    /// 0 for none, else the sum and 1.
    most: Vec<usize>,
}

impl Sums {
    fn new(known: &Known<'_>, stones: usize) -> Sums {
        let lower = known.lower;
        Sums {
            lower,
            most: vec![0; stones << (lower + 1)],
        }
    }

    fn raise(&mut self, stones: usize, low: usize, upper: usize) {
        let at = self.at(stones, low, upper);
        self.most[at] = self.most[at].max(upper + 1);
    }

    /// The largest with such lower bits and as even or odd as `parity`, if there is one.
    fn most(&self, stones: usize, low: usize, parity: usize) -> Option<usize> {
        self.most[self.at(stones, low, parity)].checked_sub(1)
    }

    fn at(&self, stones: usize, low: usize, parity: usize) -> usize {
        (stones << self.lower | low) << 1 | parity & 1
    }

    fn each(&self, mut visit: impl FnMut(usize, usize, usize)) {
        for (at, &most) in self.most.iter().enumerate().filter(|(_, most)| **most > 0) {
            let low = at >> 1 & ((1 << self.lower) - 1);
            visit(at >> (self.lower + 1), low, most - 1);
        }
    }
}

/// The set of the numbers of `set` with `value` added without carry.
fn shifted(set: u64, value: usize) -> u64 {
    if set == 0 {
        return 0;
    }
    bits(set).fold(0, |shifted, number| shifted | 1 << (number ^ value))
}

/// The numbers of a set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let number = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (number < 64).then_some(number as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::definition::nim_values;
    use crate::ruleset::{Ruleset, splits_of};
    use crate::sequence::period::detect::{Repeat, repetition};
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
        // The options of a heap that are some heap, if any is needed, and light ones and pairs.
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
            let reach = |period: u64| match ((known - most) / heaps).checked_sub(period) {
                Some(latest) if latest > 0 => known - period - latest,
                _ => u64::MAX,
            };
            let rises = |found: &Period| (found.saltus > 0).then_some(*found);
            if let Some(seen) = repetition(&table, Repeat::Differences, reach, rises) {
                let values: Vec<usize> = table.iter().map(usize::from).collect();
                let wanted = simply(code, &values, &seen).map(|range| range as u64);
                prop_assert_eq!(range(code, 1, &table, &seen), wanted, "{} {:?}", code, seen);
            }
        }
    }
}
