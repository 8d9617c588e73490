//! The nim-values that are known at some moment: from a table, or without end from a proved period or a formula.

use super::period::Period;
use super::periodic::Periodic;
use super::table_splits::table_splits;
use crate::engine::table::Table;
use crate::grundy::NimValue;
use crate::ruleset::{Formula, Parts};
use std::convert::Infallible;
use std::sync::Arc;

/// The nim-values of single heaps, as [`Sequence`](super::Sequence) knows them at some moment: gives the value of a
/// heap, and finds the heaps and the splits that have a wanted one. Cloning costs nothing.
#[derive(Clone, Debug)]
pub struct Values {
    known: Known,
}

/// How many values are decoded at a time.
pub(super) const VALUES_AT_ONCE: u64 = 1 << 14;

/// The source of the values.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// Values up to a largest heap.
    Table(Arc<Table>),
    /// Values of every heap, by a period.
    Periodic(Arc<Periodic>),
    /// Values of every heap, by a formula.
    Formula(Formula),
}

/// The most nim-value that heaps have for each stone, as a nim-value and so many stones; nothing is known of a formula.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope(Option<(NimValue, NimValue)>);

impl Slope {
    /// Whether heaps with so many stones together may have the nim-sum, which is no larger than the sum of their nim-values.
    pub fn allows(self, stones: u64, nim_sum: NimValue) -> bool {
        self.0.is_none_or(|(value, heap)| {
            nim_sum.saturating_mul(heap) <= value * NimValue::from(stones)
        })
    }
}

impl From<Table> for Values {
    fn from(table: Table) -> Values {
        Values::of(Known::Table(Arc::new(table)))
    }
}

impl Values {
    pub(super) fn of(known: Known) -> Values {
        Values { known }
    }

    /// The proved period that the values rest on, if there is one.
    pub fn period(&self) -> Option<Period> {
        match &self.known {
            Known::Table(_) | Known::Formula(_) => None,
            Known::Periodic(periodic) => Some(periodic.shape()),
        }
    }

    /// The table that the values are in, if they are in one.
    pub fn table(&self) -> Option<&Table> {
        match &self.known {
            Known::Table(table) => Some(table),
            Known::Periodic(_) | Known::Formula(_) => None,
        }
    }

    /// Whether the nim-value of `heap` is known.
    pub fn reaches(&self, heap: u64) -> bool {
        match &self.known {
            Known::Table(table) => heap < table.len() as u64,
            Known::Periodic(_) | Known::Formula(_) => true,
        }
    }

    /// The nim-value of a heap, if it is known.
    pub fn get(&self, heap: u64) -> Option<NimValue> {
        self.reaches(heap).then(|| self.value(heap))
    }

    /// The nim-value of a heap that is known.
    pub(crate) fn value(&self, heap: u64) -> NimValue {
        match &self.known {
            Known::Table(table) => NimValue::from(table.value(heap as usize)),
            Known::Periodic(periodic) => periodic.value(heap),
            Known::Formula(formula) => formula.value(heap),
        }
    }

    /// Copies the nim-values of the heaps from `from` on into a slice, all of them known.
    fn copy_range(&self, from: u64, values: &mut [NimValue]) {
        match &self.known {
            Known::Table(table) => {
                let mut words = vec![0; values.len()];
                table.copy_range(from as usize, &mut words);
                for (value, word) in values.iter_mut().zip(words) {
                    *value = word.into();
                }
            }
            Known::Periodic(_) | Known::Formula(_) => {
                for (heap, value) in (from..=u64::MAX).zip(values) {
                    *value = self.value(heap);
                }
            }
        }
    }

    /// The first `count` values in the form of a table, if they are known and fit 16 bits.
    pub(super) fn first(&self, count: u64) -> Option<Vec<u16>> {
        self.reaches(count.checked_sub(1)?).then_some(())?;
        let mut first = vec![0; count as usize];
        self.copy_range(0, &mut first);
        let words = first.into_iter().map(|value| u16::try_from(value).ok());
        words.collect()
    }

    /// The largest nim-value of the heaps `from` to `to` and the first heap that has it, in no more time than preperiod and
    /// period take, where there is one, and at once where there is a formula.
    ///
    /// # Panics
    /// If one of them is not known, see [`Values::reaches`], or `from` is larger than `to`.
    pub fn largest(&self, (from, to): (u64, u64)) -> (NimValue, u64) {
        let ranges = match &self.known {
            Known::Formula(formula) => return formula.largest((from, to)),
            Known::Table(_) => vec![(from, to)],
            Known::Periodic(periodic) => {
                // The values of a residue don't fall, so the last period has the largest beyond the preperiod; without a
                // saltus the first has them too.
                let shape = periodic.shape();
                let late = match shape.saltus {
                    0 => from.max(shape.preperiod),
                    _ => shape.preperiod.max(to.saturating_sub(shape.period)),
                };
                let late = late.clamp(from, to);
                vec![
                    (from, shape.preperiod.clamp(from, to)),
                    (late, late.saturating_add(shape.period).min(to)),
                ]
            }
        };
        let mut largest = (self.value(from), from);
        for range in ranges {
            let Ok(_) = self.each_block(range, |first, values| {
                let most = values.iter().copied().max().unwrap_or(0);
                if most > largest.0 {
                    let at = values.iter().position(|&value| value == most);
                    largest = (most, first + at.unwrap_or(0) as u64);
                }
                Ok::<_, Infallible>(true)
            });
        }
        largest
    }

    /// Calls `visit` with the nim-values of the heaps `from` to `to`, a block of some thousand at a time with its first heap,
    /// until it returns `false`. Returns whether it never did.
    ///
    /// # Errors
    /// Whatever `visit` reports.
    ///
    /// # Panics
    /// If one of them is not known, see [`Values::reaches`], or `from` is larger than `to`.
    pub fn each_block<E>(
        &self,
        (mut from, to): (u64, u64),
        mut visit: impl FnMut(u64, &[NimValue]) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let mut values = vec![0; (to - from).saturating_add(1).min(VALUES_AT_ONCE) as usize];
        loop {
            let last = to.min(from.saturating_add(VALUES_AT_ONCE - 1));
            let values = &mut values[..=(last - from) as usize];
            self.copy_range(from, values);
            if !visit(from, values)? {
                return Ok(false);
            }
            if last == to {
                return Ok(true);
            }
            from = last + 1;
        }
    }

    /// The heaps of a nim-value from `largest` down to 0.
    ///
    /// # Panics
    /// The iterator does at a heap that is not known, see [`Values::reaches`].
    pub fn heaps_of_value(
        &self,
        value: NimValue,
        largest: u64,
    ) -> Box<dyn Iterator<Item = u64> + Send + '_> {
        match &self.known {
            Known::Periodic(periodic) => periodic.heaps_of_value(value, largest),
            Known::Table(_) | Known::Formula(_) => Box::new(
                (0..=largest)
                    .rev()
                    .filter(move |&heap| self.value(heap) == value),
            ),
        }
    }

    /// The slope of the heaps from 1 to `largest`, all of them known. Time: a step for each of them, or of a preperiod and a
    /// period.
    pub(crate) fn slope(&self, largest: u64) -> Slope {
        let (to, period) = match &self.known {
            Known::Table(_) => (largest, None),
            Known::Periodic(periodic) => {
                let shape = periodic.shape();
                (largest.min(shape.preperiod + shape.period), Some(shape))
            }
            Known::Formula(_) => return Slope(None),
        };
        // A period further on, value and size grow by saltus and period, so that the slope comes no further from theirs.
        let beyond = period.map(|shape| (shape.saltus.into(), shape.period.into()));
        let heaps = (1..=to).map(|heap| (self.value(heap), heap.into()));
        let by_size = |one: &(NimValue, NimValue), other: &(NimValue, NimValue)| {
            (one.0 * other.1).cmp(&(other.0 * one.1))
        };
        Slope(heaps.chain(beyond).max_by(by_size))
    }

    /// The least heap from `first` on that may be the smallest of three heaps with the sum `sum` and the nim-sum `target`. None
    /// that may be is passed over; where the values have no period, it is `first`.
    pub(crate) fn least_of_three(&self, sum: u64, target: NimValue, first: u64) -> Option<u64> {
        match &self.known {
            Known::Table(_) | Known::Formula(_) => Some(first),
            Known::Periodic(periodic) => periodic.least_of_three(sum, target, first),
        }
    }

    /// The least number from `first` on of stones which, taken from `heap`, may leave no heap, one or two with the nim-sum
    /// `target`. None that may be is passed over; where the values have no period, it is `first`.
    pub(crate) fn least_taking(&self, heap: u64, target: NimValue, first: u64) -> Option<u64> {
        match &self.known {
            Known::Table(_) | Known::Formula(_) => Some(first),
            Known::Periodic(periodic) => periodic.least_taking(heap, target, first),
        }
    }

    /// The ways to write `sum` as two heaps, the smaller first and ascending, whose nim-sum is `target`.
    pub fn splits(
        &self,
        sum: u64,
        target: NimValue,
        comparison: Parts,
    ) -> Box<dyn Iterator<Item = (u64, u64)> + Send + '_> {
        let largest = match comparison {
            Parts::Any => sum / 2,
            Parts::Unequal | Parts::NotAllEqual => sum.saturating_sub(1) / 2,
            Parts::Equal => {
                let halves = sum > 0 && sum.is_multiple_of(2) && target == 0;
                return Box::new(halves.then_some((sum / 2, sum / 2)).into_iter());
            }
        };
        match &self.known {
            Known::Periodic(periodic) => {
                let splits = periodic.splits(sum, target);
                Box::new(splits.take_while(move |&(small, _)| small <= largest))
            }
            Known::Table(table) => Box::new(table_splits(table, sum, target, largest)),
            Known::Formula(_) => {
                let splits = (1..=largest).map(move |small| (small, sum - small));
                let has_it = move |&(a, b): &(u64, u64)| self.value(a) ^ self.value(b) == target;
                Box::new(splits.filter(has_it))
            }
        }
    }
}
