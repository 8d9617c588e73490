//! When a plan is worth learning again.

use super::tuning::MIN_LEARNING_COST;

/// A plan is learnt again once what it leaves to be looked up has cost as much as learning does. As in the ski rental problem,
/// both together then cost at most twice the least possible. Where learning again brings nothing, because no rare heap is new,
/// the schedule waits for twice as much each time, unless the last heaps have cost more than usual.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// What was spent since the plan was learnt, in nanoseconds, about.
    spent: u64,
    /// The heaps that it was spent on.
    pub heaps: u64,
    /// What a heap may cost without being unusual.
    usual: u64,
    learning_cost: u64,
    /// How often the plan was learnt in succession without a new rare heap.
    pub doublings: u32,
    /// How many rare heaps were known when the plan was learnt.
    rares: usize,
}

impl Schedule {
    pub const fn new(usual: u64) -> Self {
        Self {
            spent: 0,
            heaps: 0,
            usual,
            learning_cost: MIN_LEARNING_COST,
            doublings: 0,
            rares: 0,
        }
    }

    /// Records what some heaps have cost.
    pub fn spend(&mut self, nanoseconds: u64, heaps: usize) {
        self.spent += nanoseconds;
        self.heaps += heaps as u64;
    }

    pub fn is_due(self) -> bool {
        let is_unusual = self.spent > self.heaps.saturating_mul(self.usual);
        self.spent >= self.learning_cost
            && (is_unusual || self.spent >= self.learning_cost << self.doublings)
    }

    /// Begins anew with a plan just learnt, with `rares` rare heaps known; to learn it again costs `learning_cost` nanoseconds.
    pub fn restart(&mut self, rares: usize, learning_cost: u64) {
        self.doublings = if rares == self.rares {
            (self.doublings + 1).min(20)
        } else {
            0
        };
        (self.spent, self.heaps, self.rares) = (0, 0, rares);
        self.learning_cost = learning_cost.max(MIN_LEARNING_COST);
    }
}
