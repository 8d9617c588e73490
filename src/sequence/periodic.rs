//! The nim-values of a game with a period, for heaps of any size.
//!
//! From the preperiod on g(n + period) = g(n) + saltus. Heaps of a wanted nim-value are found by a walk over the
//! preperiod and one period, and splits likewise or, where there is a saltus, by the bits of the value; never by a walk over all
//! sizes.

use super::period::Period;
use crate::engine::table::Table;
use crate::grundy::NimValue;
use std::sync::Arc;

/// The longest period of which all pairs of residues are looked at.
const LONGEST_FOR_PAIRS: u64 = 200;

/// The most numbers looked at for one that is a value of a residue class; if none is, no heap is passed over.
const MOST_LOOKED_AT: usize = 1000;

/// Nim-values that repeat, with a saltus added at each period (0 for a purely periodic game).
#[derive(Clone, Debug)]
pub struct Periodic {
    /// g(0) … g(preperiod + period - 1).
    table: Arc<Table>,
    shape: Period,
}

impl Periodic {
    /// The values of a table whose period goes on for ever. The table must reach heap preperiod + period - 1.
    pub fn new(table: Arc<Table>, shape: Period) -> Periodic {
        debug_assert!(shape.period > 0);
        debug_assert!(table.len() as u64 >= shape.preperiod + shape.period);
        Periodic { table, shape }
    }

    /// The period with its preperiod and saltus.
    pub fn shape(&self) -> Period {
        self.shape
    }

    /// The nim-value of a heap.
    pub fn value(&self, heap: u64) -> NimValue {
        match heap.checked_sub(self.shape.preperiod) {
            None => self.written(heap),
            Some(past) => {
                let raised =
                    NimValue::from(past / self.shape.period) * NimValue::from(self.shape.saltus);
                self.written(self.shape.preperiod + past % self.shape.period) + raised
            }
        }
    }

    fn written(&self, heap: u64) -> NimValue {
        NimValue::from(self.table.value(heap as usize))
    }

    /// The heaps of a nim-value from `largest` down to 0.
    pub fn heaps_of_value(
        &self,
        value: NimValue,
        largest: u64,
    ) -> Box<dyn Iterator<Item = u64> + Send + '_> {
        let early = self.shape.preperiod.min(largest.saturating_add(1));
        let early = (0..early)
            .rev()
            .filter(move |&heap| self.written(heap) == value);
        let (preperiod, period) = (self.shape.preperiod, self.shape.period);
        let Some(past) = largest.checked_sub(preperiod) else {
            return Box::new(early);
        };
        let residues = 0..period.min(past.saturating_add(1));
        if self.shape.saltus == 0 {
            let residues: Vec<u64> = residues
                .filter(|r| self.written(preperiod + r) == value)
                .collect();
            let late = repeated(residues, period, (preperiod, largest));
            return Box::new(late.rev().chain(early));
        }
        let mut late: Vec<u64> = residues
            .filter_map(|residue| {
                let raised = value.checked_sub(self.written(preperiod + residue))?;
                periods_on(preperiod + residue, raised, self.shape)
            })
            .filter(|&heap| heap <= largest)
            .collect();
        late.sort_unstable_by(|a, b| b.cmp(a));
        Box::new(late.into_iter().chain(early))
    }

    /// The ways to write `sum` as two heaps, the smaller first and ascending, whose nim-sum is `target`.
    pub fn splits(
        &self,
        sum: u64,
        target: NimValue,
    ) -> Box<dyn Iterator<Item = (u64, u64)> + Send + '_> {
        let half = sum / 2;
        let meets = move |small: &u64| self.value(*small) ^ self.value(sum - small) == target;
        let pair = move |small: u64| (small, sum - small);
        // The larger part lies beyond the preperiod in all but short sums, which are walked.
        if half <= self.shape.preperiod.saturating_add(2 * self.shape.period) {
            return Box::new((1..=half).filter(meets).map(pair));
        }
        let (start, period) = (self.shape.preperiod.max(1), self.shape.period);
        let early = (1..start).filter(meets);
        if self.shape.saltus == 0 {
            let residues: Vec<u64> = (start..start + period)
                .filter(meets)
                .map(|small| small - start)
                .collect();
            let late = repeated(residues, period, (start, half));
            return Box::new(early.chain(late).map(pair));
        }
        let late =
            (0..period).filter_map(|residue| self.raised_splits(start + residue, sum, target));
        Box::new(early.chain(merge(late.collect())).map(pair))
    }

    /// The smaller parts from `first` on in its residue class, ascending, where there is a saltus.
    ///
    /// The values x and y of the two parts have x + y = S, which the classes fix, and x ^ y = target; so
    /// x & y = (S - target) / 2 =: common, and x is common joined with some of the bits of the target.
    fn raised_splits(
        &self,
        first: u64,
        sum: u64,
        target: NimValue,
    ) -> Option<Box<dyn Iterator<Item = u64> + Send>> {
        let (shape, half) = (self.shape, sum / 2);
        let saltus = NimValue::from(shape.saltus);
        let low = self.value(first);
        let total = low + self.value(sum.checked_sub(first)?);
        let twice = total.checked_sub(target)?;
        let common = twice / 2;
        if twice % 2 == 1 || common & target != 0 {
            return None;
        }
        // The powers of two in the saltus fix the lowest bits of the wanted subsets; without them the search might try all
        // subsets in vain.
        let lowest = (saltus & saltus.wrapping_neg()) - 1;
        let fixed = (low ^ common) & lowest;
        if fixed & !target != 0 {
            return None;
        }
        let heaps = subsets(target & !lowest).filter_map(move |chosen| {
            let x = common | fixed | chosen;
            periods_on(first, x.checked_sub(low)?, shape)
        });
        Some(Box::new(heaps.take_while(move |&small| small <= half)))
    }

    /// The least heap from `first` on that may be the smallest of three heaps with the sum `sum` and the nim-sum `target`. None
    /// that may be is passed over; it is `first` itself if that lies within the preperiod or the period is long. Time: for each
    /// pair of residues some twelve times the square of the number of bits.
    pub fn least_of_three(&self, sum: u64, target: NimValue, first: u64) -> Option<u64> {
        if first < self.shape.preperiod || self.shape.period > LONGEST_FOR_PAIRS {
            return Some(first);
        }
        self.least_by_classes(first, |classes| self.least_in_classes(sum, target, classes))
    }

    /// The least number that is found for a residue class, by its first number from `first` on, and for that of another heap.
    fn least_by_classes(
        &self,
        first: u64,
        find: impl Fn((u64, u64)) -> Option<u64>,
    ) -> Option<u64> {
        let (start, period) = (self.shape.preperiod, self.shape.period);
        let classes = first..first.saturating_add(period);
        let pairs = classes.flat_map(|one| (start..start + period).map(move |other| (one, other)));
        pairs.filter_map(find).min()
    }

    /// The same among the heaps from `small` on in its residue class, where another heap is in the class of `other`.
    ///
    /// The classes fix the lowest bits of the three values, as many as the saltus has zeros at its end, and their sum.
    fn least_in_classes(
        &self,
        sum: u64,
        target: NimValue,
        (small, other): (u64, u64),
    ) -> Option<u64> {
        let third = sum.checked_sub(small.checked_add(other)?)?;
        if third < self.shape.preperiod {
            return None;
        }
        let values = [small, other, third].map(|heap| self.value(heap));
        let nim_sum = values[0] ^ values[1] ^ values[2];
        let saltus = NimValue::from(self.shape.saltus);
        if saltus == 0 {
            return (nim_sum == target).then_some(small);
        }
        let zeros = saltus.trailing_zeros();
        let lowest = (1 << zeros) - 1;
        if (nim_sum ^ target) & lowest != 0 {
            return None;
        }
        let total = values.iter().map(|value| value >> zeros).sum();
        let mut from = values[0] >> zeros;
        for _ in 0..MOST_LOOKED_AT {
            let found = least_addend(total, target >> zeros, from)?;
            let raised = (found << zeros | values[0] & lowest) - values[0];
            if let Some(heap) = periods_on(small, raised, self.shape) {
                return Some(heap);
            }
            from = found + 1;
        }
        Some(small)
    }

    /// The least number from `first` on of stones which, taken from `heap`, may leave no heap, one or two with the nim-sum
    /// `target`. None that may be is passed over; it is `first` itself if there is a long preperiod or period.
    pub fn least_taking(&self, heap: u64, target: NimValue, first: u64) -> Option<u64> {
        let most = heap.checked_sub(first)?;
        if self.shape.preperiod > 1 || self.shape.period > LONGEST_FOR_PAIRS {
            return Some(first);
        }
        let one = self.heaps_of_value(target, most).next();
        let two = self.least_by_classes(first, |it| self.taking_in_classes(heap, target, it));
        two.into_iter().chain(one.map(|rest| heap - rest)).min()
    }

    /// The same among the numbers from `take` on in its residue class, with two heaps left, one of them in the class of `part`.
    ///
    /// The values x and y of the two heaps have x + y = S, and x ^ y = target; so x & y = (S - target) / 2 has no bit of the
    /// target. With each period more that is taken S falls by the saltus.
    fn taking_in_classes(
        &self,
        heap: u64,
        target: NimValue,
        (take, part): (u64, u64),
    ) -> Option<u64> {
        let other = heap.checked_sub(take.checked_add(part)?)?;
        let values = [part, other].map(|heap| self.value(heap));
        if other == 0 || self.shape.saltus == 0 {
            return (other > 0 && values[0] ^ values[1] == target).then_some(take);
        }
        let most = (values[0] + values[1]).checked_sub(target)?;
        let mut common = without_bits(most / 2, target);
        for _ in 0..MOST_LOOKED_AT {
            let fallen = most - 2 * common;
            if let Some(taking) = periods_on(take, fallen, self.shape) {
                return Some(taking);
            }
            common = without_bits(common.checked_sub(1)?, target);
        }
        Some(take)
    }
}

/// The number as many periods beyond `first` as raise a nim-value by `raised`, if these are whole periods.
fn periods_on(first: u64, raised: NimValue, shape: Period) -> Option<u64> {
    let saltus = NimValue::from(shape.saltus);
    let periods = raised.is_multiple_of(saltus).then_some(raised / saltus)?;
    let periods = u64::try_from(periods).ok()?;
    periods.checked_mul(shape.period)?.checked_add(first)
}

/// The largest number up to `most` that has none of these bits.
fn without_bits(most: NimValue, bits: NimValue) -> NimValue {
    match (most & bits).checked_ilog2() {
        None => most,
        Some(bit) => (most >> bit << bit | ((1 << bit) - 1) & !bits) & !(1 << bit),
    }
}

/// The least number from `from` on that has with two others the sum `total` and the nim-sum `nim_sum`, if there is one.
fn least_addend(total: NimValue, nim_sum: NimValue, from: NimValue) -> Option<NimValue> {
    let bits = NimValue::BITS - (total | nim_sum | from).leading_zeros();
    // Whether one with these bits is such a number, if its lowest `free` bits may be any.
    let may_be = |number: NimValue, free: u32| {
        let Some(rest) = total.checked_sub(number) else {
            return false;
        };
        let odd = nim_sum ^ number;
        // What may be carried into a bit of the sum.
        let mut carried = [true, false, false];
        for bit in 0..bits {
            let mut next = [false; 3];
            let most = if bit < free { 3 } else { 2 };
            for carry in (0..3).filter(|&carry| carried[carry]) {
                let ones = ((odd >> bit & 1) as usize..=most).step_by(2);
                let fits = |ones: &usize| (ones + carry) % 2 == (rest >> bit & 1) as usize;
                ones.filter(fits)
                    .for_each(|ones| next[(ones + carry) / 2] = true);
            }
            carried = next;
        }
        carried[0]
    };
    if may_be(from, 0) {
        return Some(from);
    }
    let raised = |bit: u32| (from >> bit | 1) << bit;
    let bit = (0..bits).find(|&bit| from >> bit & 1 == 0 && may_be(raised(bit), bit))?;
    let least = |number, bit| match may_be(number, bit) {
        true => number,
        false => number | 1 << bit,
    };
    Some((0..bit).rev().fold(raised(bit), least))
}

/// The numbers from `first` to `last` whose distance from `first` is one of these residues plus whole periods, ascending if the
/// residues are.
pub(crate) fn repeated(
    residues: Vec<u64>,
    period: u64,
    (first, last): (u64, u64),
) -> impl DoubleEndedIterator<Item = u64> + Send {
    let cycles = match residues.is_empty() {
        true => 0,
        false => (last - first) / period + 1,
    };
    let all = (0..cycles).flat_map(move |cycle| {
        let base = first + cycle * period;
        let residues = residues.clone().into_iter();
        residues.filter_map(move |residue| base.checked_add(residue))
    });
    all.filter(move |&number| number <= last)
}

/// The numbers whose bits are all among those of `mask`, ascending.
fn subsets(mask: NimValue) -> impl Iterator<Item = NimValue> + Send {
    std::iter::successors(Some(0), move |&subset: &NimValue| {
        (subset != mask).then(|| subset.wrapping_sub(mask) & mask)
    })
}

/// Several ascending sequences as one.
fn merge(sequences: Vec<Box<dyn Iterator<Item = u64> + Send>>) -> impl Iterator<Item = u64> + Send {
    let mut heads: Vec<_> = sequences.into_iter().map(Iterator::peekable).collect();
    std::iter::from_fn(move || {
        let heads = heads
            .iter_mut()
            .filter_map(|head| head.peek().copied().map(|value| (value, head)));
        heads.min_by_key(|&(value, _)| value)?.1.next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::definition;
    use crate::ruleset::Ruleset;

    fn agrees_with_a_table(game: &str, preperiod: u64, period: u64, saltus: u64) {
        let ruleset: Ruleset = game.parse().unwrap();
        let table = definition::nim_values(&ruleset, 300).unwrap();
        let table = Arc::new(table);
        let shape = Period {
            period,
            preperiod,
            saltus,
        };
        let periodic = Periodic::new(Arc::clone(&table), shape);
        for heap in 0..=300u64 {
            assert_eq!(
                periodic.value(heap),
                NimValue::from(table.value(heap as usize)),
                "{game} at {heap}"
            );
            for value in 0..12 {
                let wanted = (0..=heap)
                    .rev()
                    .filter(|&n| NimValue::from(table.value(n as usize)) == value);
                assert!(
                    periodic.heaps_of_value(value, heap).eq(wanted),
                    "{game}: heaps of {value} to {heap}"
                );
                let value_of = |n: u64| table.value(n as usize);
                let wanted = (1..=heap / 2).map(|small| (small, heap - small));
                let wanted =
                    wanted.filter(|&(a, b)| NimValue::from(value_of(a) ^ value_of(b)) == value);
                assert!(
                    periodic.splits(heap, value).eq(wanted),
                    "{game}: splits of {heap} to {value}"
                );
            }
        }
    }

    /// Heaps of the same nim-values before and after a period, and of values that rise by a number with an odd factor.
    #[test]
    fn no_heap_that_may_be_the_smallest_of_three_is_passed_over() {
        for (game, preperiod, period, saltus) in [
            ("nim", 0, 1, 1),
            ("lasker", 1, 4, 4),
            ("all-but:1,2", 0, 3, 1),
            ("all-but:2,3,7", 0, 4, 2),
            ("0.3F", 0, 6, 3),
            ("0.8", 1, 3, 1),
            ("0.F", 0, 2, 0),
        ] {
            let table = Arc::new(definition::nim_values(&game.parse().unwrap(), 60).unwrap());
            let shape = Period {
                period,
                preperiod,
                saltus,
            };
            let periodic = Periodic::new(table, shape);
            for sum in (40..60).chain(3 * preperiod..20) {
                let is_split = |target, small: u64| {
                    (preperiod..=sum).any(|other| {
                        let third = (sum - small).checked_sub(other);
                        third
                            .filter(|&third| third >= preperiod)
                            .is_some_and(|third| {
                                let values = [small, other, third].map(|heap| periodic.value(heap));
                                values[0] ^ values[1] ^ values[2] == target
                            })
                    })
                };
                for target in 0..32 {
                    let splits: Vec<u64> = (preperiod..=sum)
                        .filter(|&small| is_split(target, small))
                        .collect();
                    let mut first = preperiod;
                    for &small in &splits {
                        let found = periodic.least_of_three(sum, target, first);
                        assert!(
                            found.is_some_and(|found| first <= found && found <= small),
                            "{game}: {sum} to {target}: {found:?}, {small}"
                        );
                        if game == "nim" {
                            assert_eq!(found, Some(small));
                        }
                        first = small + 1;
                    }
                    let beyond = periodic.least_of_three(sum, target, first);
                    assert!(beyond.is_none() || game != "nim", "{sum} to {target}");
                }
            }
        }
    }

    #[test]
    fn values_heaps_and_splits_agree_with_a_table() {
        agrees_with_a_table("nim", 0, 1, 1);
        agrees_with_a_table("lasker", 1, 4, 4);
        agrees_with_a_table("kayles", 71, 12, 0);
        agrees_with_a_table("all-but:2,3,7", 0, 4, 2);
        agrees_with_a_table("subtraction:1,2,3", 0, 4, 0);
    }
}
