//! The exhaustive search: it answers a position by the answers of its options, however far down they go, each once.
//!
//! It goes depth first, with a stack of its own, so that memory alone bounds the depth, and it ends where the bytes allowed
//! are taken. Whoever searches says how the options are gone through and how they answer a position, keeps the answers, and
//! counts what is looked at in a [`Budget`], which bounds the positions or steps and asks the watch. Memory: what the memo
//! keeps, and the positions under way. Twin: recursion.

use crate::engine::{Effort, Watch};
use std::cell::Cell;
use std::mem;

/// The result of a look at a position.
pub enum Step<P, A> {
    /// This option of the position must be answered first.
    Into(P),
    /// The answer of the position is known.
    Answered(A),
}

/// The memo of a search: it keeps the answers of the positions searched, so that each is answered once. A position under way,
/// `P`, holds which of its options is next, and what the options before it have shown.
pub trait Memo<P> {
    /// The answer that is found for a position.
    type Answer: Copy;

    /// About how many bytes the answers take.
    fn memory(&self) -> u64;

    /// About how many bytes a position under way takes.
    fn memory_of(open: &P) -> u64;

    /// Keeps the answer of a position that was under way.
    ///
    /// # Errors
    /// If there is no room for the answer.
    fn keep(&mut self, open: P, answer: Self::Answer, budget: &Budget<'_>) -> Result<(), Limit>;
}

/// Searches the first position and returns its answer.
///
/// `look` goes on with a position from where it stood, to the first of its options that the memo doesn't know. It is given
/// the answer of the option that it went into last.
///
/// # Errors
/// Whatever `look` reports, and if a limit is reached.
pub fn answer<P, M: Memo<P>, E: From<Limit>>(
    memo: &mut M,
    budget: &Budget<'_>,
    first: P,
    mut look: impl FnMut(&mut M, &mut P, Option<M::Answer>) -> Result<Step<P, M::Answer>, E>,
) -> Result<M::Answer, E> {
    budget.open.set((0, 0));
    budget.take_up(memo, &first)?;
    let (mut above, mut open, mut last) = (Vec::new(), first, None);
    loop {
        match look(memo, &mut open, last.take())? {
            Step::Into(option) => {
                budget.take_up(memo, &option)?;
                above.try_reserve(1).map_err(|_| Limit::Memory)?;
                above.push(mem::replace(&mut open, option));
            }
            Step::Answered(answer) => {
                let bytes = M::memory_of(&open);
                memo.keep(open, answer, budget)?;
                budget.put_down(bytes);
                match above.pop() {
                    Some(before) => (open, last) = (before, Some(answer)),
                    None => return Ok(answer),
                }
            }
        }
    }
}

/// The limit that ended a search, or other work, before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// As many positions were searched as allowed.
    Positions,
    /// The options of the heaps searched are too many to list.
    Options,
    /// As much memory was taken as allowed.
    Memory,
    /// A misère quotient would have more elements than the memory allowed has room for, or than are numbered.
    Elements,
    /// The watch stopped the work.
    Interrupted,
}

/// The bounds on what a search may cost.
#[derive(Clone, Copy)]
pub struct Limits<'w> {
    /// The most positions.
    pub positions: u64,
    /// The most bytes taken.
    pub memory: u64,
    /// The watch that is told of the progress.
    pub watch: Option<&'w dyn Watch>,
}

impl<'w> Limits<'w> {
    /// The limits of an effort, with `positions` as the most positions.
    pub fn of(effort: &'w Effort, positions: u64) -> Limits<'w> {
        Limits {
            positions: positions.min(effort.positions),
            memory: effort.memory,
            watch: effort.watch.as_deref(),
        }
    }
}

/// The work done and the memory taken so far, out of what is allowed.
///
/// Work is counted in steps, so many to a position, each of about the same time: an option looked at, a question that was
/// answered before, a pair of a proof.
pub struct Budget<'w> {
    pub limits: Limits<'w>,
    done: Cell<u64>,
    told: Cell<u64>,
    held: Cell<u64>,
    /// How many positions are under way, and how many bytes these take.
    open: Cell<(u64, u64)>,
}

/// How many steps take as long as a position.
pub const STEPS_OF_POSITION: u64 = 32;

/// How many steps come between two looks at the watch.
const CHECK_STEPS: u64 = 1 << 16;

impl<'w> Budget<'w> {
    /// A budget of which so many steps are done.
    pub fn new(limits: Limits<'w>, done: u64) -> Budget<'w> {
        Budget {
            limits,
            done: Cell::new(done),
            told: Cell::new(done),
            held: Cell::new(0),
            open: Cell::new((0, 0)),
        }
    }

    /// Records how many bytes are taken by everything else, so that a search or a check can't use them.
    pub fn hold(&self, bytes: u64) {
        self.held.set(bytes);
    }

    /// How many steps were done.
    pub fn done(&self) -> u64 {
        self.done.get()
    }

    /// How many positions are under way.
    pub fn open(&self) -> u64 {
        self.open.get().0
    }

    /// The limits of a search of at most `positions` positions, in the memory that nothing else holds.
    pub fn left(&self, positions: u64) -> Limits<'w> {
        Limits {
            positions,
            memory: self.limits.memory.saturating_sub(self.held.get()),
            ..self.limits
        }
    }

    /// Counts steps as done. Returns whether it is time to [tell](Budget::tell) the watch.
    pub fn count(&self, steps: u64) -> bool {
        let done = self.done.get() + steps;
        self.done.set(done);
        let is_time = done >= self.told.get() + CHECK_STEPS;
        if is_time {
            self.told.set(done);
        }
        is_time
    }

    /// Tells the watch that `positions` positions are searched.
    ///
    /// # Errors
    /// If the watch stops the work.
    pub fn tell(&self, positions: u64) -> Result<(), Limit> {
        match self.limits.watch {
            Some(watch) if !watch.progress(positions, self.limits.positions) => {
                Err(Limit::Interrupted)
            }
            _ => Ok(()),
        }
    }

    /// Counts steps as done, for work that is bounded by its steps alone.
    ///
    /// # Errors
    /// If they are more than allowed, or the watch stops the work.
    pub fn spend(&self, steps: u64) -> Result<(), Limit> {
        let is_time = self.count(steps);
        let positions = self.done() / STEPS_OF_POSITION;
        if is_time {
            self.tell(positions)?;
        }
        match positions > self.limits.positions {
            true => Err(Limit::Positions),
            false => Ok(()),
        }
    }

    /// Checks that this many bytes may be taken beside those held and those of the positions under way.
    ///
    /// # Errors
    /// If they may not be taken.
    pub fn check_memory(&self, bytes: u64) -> Result<(), Limit> {
        let others = self.held.get().saturating_add(self.open.get().1);
        match others.saturating_add(bytes) >= self.limits.memory {
            true => Err(Limit::Memory),
            false => Ok(()),
        }
    }

    fn take_up<P, M: Memo<P>>(&self, memo: &M, open: &P) -> Result<(), Limit> {
        self.check_memory(memo.memory())?;
        let (positions, bytes) = self.open.get();
        self.open.set((positions + 1, bytes + M::memory_of(open)));
        Ok(())
    }

    fn put_down(&self, bytes: u64) {
        let (positions, before) = self.open.get();
        self.open.set((positions - 1, before - bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the answers kept.
    struct Kept(u64);

    impl Memo<u64> for Kept {
        type Answer = u64;

        fn memory(&self) -> u64 {
            0
        }

        fn memory_of(_: &u64) -> u64 {
            1
        }

        fn keep(&mut self, _: u64, _: u64, _: &Budget<'_>) -> Result<(), Limit> {
            self.0 += 1;
            Ok(())
        }
    }

    /// A position is the number of moves left, and so is its answer.
    fn chain(moves: u64, memory: u64) -> (Result<u64, Limit>, u64) {
        let limits = Limits {
            positions: 0,
            memory,
            watch: None,
        };
        let mut kept = Kept(0);
        let found = answer(
            &mut kept,
            &Budget::new(limits, 0),
            moves,
            |_, open, last| {
                Ok(match (*open, last) {
                    (0, _) => Step::Answered(0),
                    (moves, None) => Step::Into(moves - 1),
                    (_, Some(below)) => Step::Answered(below + 1),
                })
            },
        );
        (found, kept.0)
    }

    #[test]
    fn a_million_positions_may_lie_one_below_another() {
        assert_eq!(chain(1_000_000, 1_000_001), (Ok(1_000_000), 1_000_001));
    }

    #[test]
    fn positions_under_way_take_memory() {
        assert_eq!(chain(1_000_000, 1_000_000), (Err(Limit::Memory), 0));
    }
}
