//! The hypotheses of the theorem, checked by sets of sums instead of heap by heap.

use super::moves::Moves;
use super::sums::{Sums, shifted};
use crate::engine::set_bits;
use crate::ruleset::Parts;
use std::collections::BTreeSet;

/// Values that have an arithmetic period.
pub struct Known<'a> {
    pub moves: &'a Moves,
    pub values: &'a [usize],
    /// n0: the first free heap.
    pub start: usize,
    /// n0 + p.
    pub end: usize,
    /// c, the number of lower bits.
    pub lower: u32,
    pub saltus: usize,
}

impl Known<'_> {
    fn upper(&self, heap: usize) -> usize {
        self.values[heap] >> self.lower
    }

    fn low(&self, value: usize) -> usize {
        value & ((1 << self.lower) - 1)
    }

    /// v*, a multiple of 2^c above the values of all fixed heaps.
    fn beyond(&self) -> usize {
        let largest = (1..self.start).map(|heap| self.upper(heap)).max();
        (largest.unwrap_or(0) + 1) << self.lower
    }

    /// The least M from `from` on for which the options that are fixed heaps alone have smaller values than the heaps
    /// from M on, where the last digit repeats.
    pub fn beyond_fixed(&self, from: usize) -> Option<usize> {
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

    /// The first hypothesis, checked below `range`: no option of any n has the value g(n).
    pub fn never_attained(&self, range: usize) -> bool {
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

    /// The first hypothesis for options with two free heaps or more, checked below `range`: none of them has the value g(n).
    fn never_by_several(&self, fixed: &[BTreeSet<(usize, usize)>], range: usize) -> bool {
        let fixed: Vec<Sums> = fixed
            .iter()
            .map(|sets| {
                let mut sums = Sums::new(self.lower, self.moves.heaps * self.end);
                for &(rest, value) in sets {
                    sums.raise(rest, self.low(value), value >> self.lower);
                }
                sums
            })
            .collect();
        let mut free = vec![Sums::new(self.lower, 1)];
        free[0].raise(0, 0, 0);
        for count in 1..=self.moves.heaps {
            let mut more = Sums::new(self.lower, count * self.end);
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

    /// For each number of fixed heaps, below the most, the pairs of stones and nim-sum that they may have together.
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
                // The pairs of equal heaps take an even number of stones from the sum.
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

    /// The second hypothesis. Returns the heap from which on each value below v* + s is the value of an option whose pair can
    /// grow.
    pub fn attaining(&self) -> Option<usize> {
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
                set_bits(alone).for_each(|value| reach(value, heap, &[heap % 2]));
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
                    set_bits(rest).for_each(|low| reach(self.values[one] ^ low, heap, &[heap % 2]));
                }
            }
        }
        let last = first.iter().flatten().copied().max()?;
        (last < usize::MAX).then_some(last)
    }

    /// The third hypothesis: for a period of heaps from `from` on every value from v* to their own is that of a free heap
    /// and a rest.
    pub fn attained(&self, from: usize) -> bool {
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
                    set_bits(rest).for_each(|low| see(self.values[one] ^ low));
                }
            }
            if let Some(tail) = &self.moves.tail {
                (self.start..=heap - tail.from).for_each(|one| see(self.values[one]));
            }
            seen[beyond..].iter().all(|&seen| seen)
        })
    }
}
