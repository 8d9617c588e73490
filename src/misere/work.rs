//! What learning a quotient costs, so that its bound is one of time.
//!
//! A bound is given in positions searched. Guessing and proving are counted in steps, so many to a position, each of
//! about the same time: an option looked at, a question that was answered before, a pair of the proof.

use super::search::{Limit, Limits};
use std::cell::Cell;

/// How much is done of the work allowed, in steps.
pub struct Work<'w> {
    limits: &'w Limits<'w>,
    done: Cell<u64>,
    told: Cell<u64>,
    held: Cell<u64>,
}

/// How many steps take as long as a position of a search.
pub const STEPS_OF_POSITION: u64 = 32;

/// How many options of heaps whose elements are known are looked at in a step.
pub const OPTIONS_OF_STEP: u64 = 32;

/// How many steps come between two looks at the watch.
const CHECK_STEPS: u64 = 1 << 16;

impl<'w> Work<'w> {
    /// Work of which so many steps are done.
    pub fn new(limits: &'w Limits<'w>, done: u64) -> Work<'w> {
        Work {
            limits,
            done: Cell::new(done),
            told: Cell::new(done),
            held: Cell::new(0),
        }
    }

    /// Notes how many bytes all else takes, which are not for a search or a check to give out.
    pub fn hold(&self, bytes: u64) {
        self.held.set(bytes);
    }

    /// How many steps were done.
    pub fn done(&self) -> u64 {
        self.done.get()
    }

    /// The limits of a search of so many positions, in the memory that nothing else holds.
    pub fn limits(&self, positions: u64) -> Limits<'w> {
        Limits {
            positions,
            memory: self.limits.memory.saturating_sub(self.held.get()),
            watch: self.limits.watch,
        }
    }

    /// Counts steps as done.
    ///
    /// # Errors
    /// If they are more than allowed, or the watch stops it.
    pub fn spend(&self, steps: u64) -> Result<(), Limit> {
        let done = self.done.get() + steps;
        self.done.set(done);
        if done >= self.told.get() + CHECK_STEPS {
            self.told.set(done);
            self.limits.tell(done / STEPS_OF_POSITION)?;
        }
        if done / STEPS_OF_POSITION > self.limits.positions {
            return Err(Limit::Positions);
        }
        Ok(())
    }

    /// Sees whether so many bytes may be taken beside those held.
    ///
    /// # Errors
    /// If they may not.
    pub fn check_memory(&self, bytes: u64) -> Result<(), Limit> {
        if self.held.get().saturating_add(bytes) > self.limits.memory {
            return Err(Limit::Memory);
        }
        Ok(())
    }
}
