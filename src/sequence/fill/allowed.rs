//! The cost that a table may have: a table is refused before the work, and one that was let through is computed to its end.
//!
//! The steps allowed are those of the effort; but while [`Sequence::reach`] seeks a period by the first values, in place of all
//! values to a large heap, they are fewer (`PERIOD_STEPS`).

use crate::engine::cost;
use crate::engine::octal::Octal;
use crate::engine::pairs::Price;
use crate::error::{Error, Reason};
use crate::sequence::Sequence;

/// The most bytes that a value takes in a table.
const BYTES: u64 = 2;

impl Sequence {
    /// The last heap of the largest table that fits the memory allowed.
    fn last_in_memory(&self) -> u64 {
        (self.effort.memory / BYTES).saturating_sub(1)
    }

    pub(in crate::sequence) fn fits_memory(&self, heap: u64) -> bool {
        heap <= self.last_in_memory()
    }

    /// Refuses a table to `heap` that would take more memory or more steps than allowed. `cost` gives the steps of a table to any
    /// heap, and grows with the heap.
    pub(super) fn check_cost(&self, heap: u64, cost: impl Fn(u64) -> u128) -> Result<(), Error> {
        let allowed = self.effort.steps;
        let in_memory = heap.min(self.last_in_memory());
        // Values that are known already will do, even if learning the price took more steps than are allowed.
        let known = self.computed().saturating_sub(1);
        let would_do = || cost::largest_within(allowed.into(), in_memory, &cost).max(known);
        if !self.fits_memory(heap) {
            return Err(Error::Memory {
                needed: heap.saturating_add(1).saturating_mul(BYTES),
                allowed: self.effort.memory,
                would_do: would_do(),
            });
        }
        let needed = cost(heap);
        if needed <= allowed.into() {
            return Ok(());
        }
        Err(Error::OutOfReach {
            game: self.ruleset.name().to_owned(),
            heap,
            reason: Reason::TableSteps { needed, allowed },
            would_do: would_do(),
        })
    }

    /// How many first values are needed to tell the cost of any table by pairs.
    pub(super) fn learnable(&self, game: &Octal) -> u64 {
        Price::of_all(game).learnt_from(u64::MAX)
    }

    /// Refuses a table to `heap` if the cost that the known values predict is too high.
    pub(super) fn check_pairs(&self, game: &Octal, heap: u64) -> Result<(), Error> {
        if self.table.is_by_rares() {
            // By rare heaps a value counts as one step.
            return self.check_cost(heap, u128::from);
        }
        let learnt_from = self.learnable(game).min(self.table.len() as u64);
        let mut values = vec![0; learnt_from as usize];
        self.table.copy_range(0, &mut values);
        let price = Price::learnt(game, &values);
        self.check_cost(heap, |heap| price.steps(heap))
    }

    /// The heap, at most `next`, to which a table on the way to `heap` may be filled by pairs now. It is not beyond the first
    /// values until these have told whether the whole table is allowed.
    pub(super) fn allowed_by_pairs(
        &mut self,
        game: &Octal,
        next: u64,
        heap: u64,
    ) -> Result<u64, Error> {
        let known = self.table.len() as u64;
        if heap <= self.let_through {
            return Ok(next);
        }
        let price = Price::of_all(game);
        let by_all = price.steps(heap) <= u128::from(self.effort.steps);
        if !by_all || !self.fits_memory(heap) {
            let learnt_from = price.learnt_from(heap);
            if known < learnt_from {
                return Ok(next.min(learnt_from - 1));
            }
            self.check_pairs(game, heap)?;
        }
        self.let_through = heap;
        Ok(next)
    }
}
