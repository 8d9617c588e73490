//! The answers of sums to tests: by a known quotient, by beliefs, or by a search. Also drops the answers that a failed belief
//! made wrong.

use super::{Learner, Oracle};
use crate::exhaustive::{Limit, Memo, STEPS_OF_POSITION};
use crate::grundy::NimValue;
use crate::misere::beliefs::Beliefs;
use crate::misere::heaps::{Atom, sum_of};
use crate::misere::memory::allocated;
use crate::misere::normal::Normal;
use crate::outcome::Outcome;
use hashbrown::HashMap;
use std::sync::Arc;

/// How many positions are searched for an atom before its sums are judged by beliefs.
const POSITIONS_BEFORE_BELIEFS: u64 = 50_000;

/// How many steps a question takes if its answer is known.
const QUESTION: u64 = 4;

/// How many tests of a row have their normal forms looked up at once.
const SIDE_BY_SIDE: usize = 16;

impl Learner {
    /// The answers of a sum to all tests, or the Nim heap that it behaves as.
    pub(in crate::misere) fn row(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        sum: &[Atom],
    ) -> Result<Vec<bool>, Limit> {
        if let Some(sum) = oracle.rules.heaps.tame_sum(sum).filter(|_| self.tame) {
            let heap = sum.as_one();
            let bits = (0..NimValue::BITS).map(|bit| heap.value >> bit & 1 == 1);
            let is_lost = sum.outcome() == Outcome::P;
            return Ok([is_lost, heap.fickle].into_iter().chain(bits).collect());
        }
        let known = self.rows.get(sum).map_or(0, Vec::len);
        let mut answers = Vec::new();
        let tests = self.tests.get(known..).unwrap_or_default().to_vec();
        for tests in tests.chunks(SIDE_BY_SIDE) {
            let sums: Vec<Vec<Atom>> = tests.iter().map(|test| sum_of([sum, test])).collect();
            let beginnings = match (&self.beliefs, &self.known) {
                (Some(beliefs), None) => beliefs.forms.beginnings(&sums),
                _ => vec![(0, 0); sums.len()],
            };
            for (sum, beginning) in sums.into_iter().zip(beginnings) {
                answers.push(self.is_lost_from(oracle, sum, beginning)?);
            }
        }
        let row = match self.rows.get_mut(sum) {
            Some(row) => row,
            None => {
                self.row_bytes += allocated::<Atom>(sum.len());
                self.rows.entry(sum.to_vec()).or_default()
            }
        };
        let before = row.capacity();
        row.extend(answers);
        self.row_bytes +=
            allocated::<bool>(row.capacity()) - u64::from(before > 0) * allocated::<bool>(before);
        Ok(row.clone())
    }

    /// Whether the sum of these two parts is believed to be a P-position.
    pub(in crate::misere) fn is_lost(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        parts: [&[Atom]; 2],
    ) -> Result<bool, Limit> {
        self.is_lost_from(oracle, sum_of(parts), (0, 0))
    }

    /// Like [`Learner::is_lost`], where the normal form of the first atoms of the sum is known, given with their number.
    fn is_lost_from(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        sum: Vec<Atom>,
        (normal, length): (Normal, usize),
    ) -> Result<bool, Limit> {
        oracle.budget.spend(QUESTION)?;
        if let Some(known) = &self.known {
            let element = known.element(&sum).unwrap_or(0);
            return Ok(known.monoid.is_lost(element));
        }
        let others = self.others(oracle);
        if let Some(beliefs) = &mut self.beliefs {
            oracle.budget.hold(others + oracle.search.memory());
            let normal = beliefs.forms.plus(normal, &sum[length..]);
            return beliefs.judge(normal, &oracle.budget);
        }
        let before = oracle.search.positions();
        oracle.budget.hold(others);
        let easy = *self.easy.get_or_insert(before + POSITIONS_BEFORE_BELIEFS);
        let limits = oracle.budget.left(easy);
        let found = (oracle.search).outcome(oracle.rules, &self.proved, sum, &limits);
        let searched = oracle.search.positions() - before;
        oracle.budget.spend(STEPS_OF_POSITION * searched)?;
        Ok(found? == Outcome::P)
    }

    /// Lets sums be judged by beliefs from now on, because the search grows long.
    pub(super) fn believe(&mut self, oracle: &mut Oracle<'_, '_>) -> Result<(), Limit> {
        // Where no work is left to be done, no list of all options is begun, which may be far larger than what was kept.
        oracle.budget.spend(0)?;
        // Beliefs list all options once more, each by itself.
        let listed = 8 * oracle.rules.heaps.options_memory();
        oracle
            .budget
            .hold(self.others(oracle) + oracle.search.memory());
        oracle.budget.check_memory(listed)?;
        let proved = Arc::clone(&self.proved);
        let beliefs = Beliefs::new(proved, oracle.rules, &self.tests, &oracle.budget)?;
        self.beliefs = Some(beliefs);
        self.begin_anew();
        Ok(())
    }

    /// Drops a belief that contradicts the options of a sum, if there is one, and everything that was concluded from it.
    pub(in crate::misere) fn mend(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        sum: &[Atom],
    ) -> Result<bool, Limit> {
        let others = self.others(oracle) + oracle.search.memory();
        let Some(beliefs) = &mut self.beliefs else {
            return Ok(false);
        };
        oracle.budget.hold(others);
        let mended = beliefs.mend(sum, &oracle.budget)?;
        if mended {
            self.begin_anew();
        }
        Ok(mended)
    }

    /// Forgets everything that was concluded from wrong answers.
    pub(super) fn begin_anew(&mut self) {
        self.rows = HashMap::new();
        self.row_bytes = 0;
        let proved = &self.proved.sums;
        self.generators
            .retain(|&generator| proved.iter().any(|sum| *sum == [generator]));
    }

    /// Drops the tests that separate nothing that the tests before them don't: they came from wrong beliefs.
    pub(super) fn drop_idle_tests(&mut self) {
        let proved = &self.proved;
        let mut class = vec![0; proved.order()];
        let mut classes = 1;
        self.tests.retain(|test| {
            let row = proved.monoid.row(proved.element(test).unwrap_or(0));
            let mut finer = HashMap::new();
            for (class, &product) in class.iter_mut().zip(row) {
                let number = finer.len();
                *class = *finer
                    .entry((*class, proved.monoid.is_lost(product)))
                    .or_insert(number);
            }
            let parts = finer.len() > classes || test.is_empty();
            classes = finer.len();
            parts
        });
    }
}
