//! The nim-values of a game with a period, for heaps of any size.
//!
//! From the preperiod on g(n + period) = g(n) + saltus. Heaps of a wanted nim-value are found by a walk over the
//! preperiod and one period, and splits likewise or, where there is a saltus, by the bits of the value; never by a walk over all
//! sizes.

use super::period::Period;
use crate::engine::table::Table;
use crate::grundy::NimValue;
use std::sync::Arc;

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
        let saltus = NimValue::from(self.shape.saltus);
        let mut late: Vec<u64> = residues
            .filter_map(|residue| {
                let raised = value.checked_sub(self.written(preperiod + residue))?;
                let cycle = u64::try_from(raised / saltus).ok()?;
                let heap = cycle
                    .checked_mul(period)?
                    .checked_add(preperiod + residue)?;
                (raised % saltus == 0 && heap <= largest).then_some(heap)
            })
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
        let (period, half) = (self.shape.period, sum / 2);
        let saltus = NimValue::from(self.shape.saltus);
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
            let raised = x.checked_sub(low).filter(|raised| raised % saltus == 0)?;
            let cycles = u64::try_from(raised / saltus).ok()?;
            cycles.checked_mul(period)?.checked_add(first)
        });
        Some(Box::new(heaps.take_while(move |&small| small <= half)))
    }
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

    #[test]
    fn values_heaps_and_splits_agree_with_a_table() {
        agrees_with_a_table("nim", 0, 1, 1);
        agrees_with_a_table("lasker", 1, 4, 4);
        agrees_with_a_table("kayles", 71, 12, 0);
        agrees_with_a_table("all-but:2,3,7", 0, 4, 2);
        agrees_with_a_table("subtraction:1,2,3", 0, 4, 0);
    }
}
