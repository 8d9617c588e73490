//! The saver, which saves the values of a sequence while they are computed.

use super::period::bounded_search::BoundedSearch;

/// The first nim-values of a game, as far as they are computed.
#[derive(Clone, Copy)]
pub(crate) struct FirstValues<'v> {
    count: usize,
    copy: &'v dyn Fn(usize, &mut [u16]),
}

impl<'v> FirstValues<'v> {
    /// The first `count` values, which `copy` copies into a slice from a heap on.
    pub(crate) fn new(count: usize, copy: &'v dyn Fn(usize, &mut [u16])) -> FirstValues<'v> {
        FirstValues { count, copy }
    }

    /// How many values there are: those of the heaps 0 to `count() - 1`.
    pub fn count(&self) -> u64 {
        self.count as u64
    }

    /// Visits all values in order, some ten thousand at a time.
    pub fn each_block<E>(&self, mut visit: impl FnMut(&[u16]) -> Result<(), E>) -> Result<(), E> {
        let mut values = [0; 1 << 14];
        for from in (0..self.count).step_by(values.len()) {
            let length = values.len().min(self.count - from);
            (self.copy)(from, &mut values[..length]);
            visit(&values[..length])?;
        }
        Ok(())
    }
}

/// The part of a long run that is saved and can be continued.
pub(crate) enum Progress<'v> {
    /// The values of a table.
    Table(FirstValues<'v>),
    /// The last values in a window, with the search for a period among them.
    Window(&'v BoundedSearch),
}

/// Saves the values of a long run when the loop that computes them asks for it now and then. If they can't be saved the work is
/// stopped with [`Error::Interrupted`](crate::Error); the saver keeps the reason for its owner.
pub(crate) trait Saver: Send {
    /// Whether it is time to save, with `known` values known.
    fn is_due(&self, known: u64) -> bool;

    /// Saves the state from which the run can continue; `false` stops the work.
    fn save(&mut self, progress: Progress<'_>) -> bool;

    /// Called when the values stand in a window from now on, so that no table is saved any more; `false` stops the work.
    fn begin_window(&mut self) -> bool;
}

#[cfg(test)]
mod tests {
    use super::super::Sequence;
    use super::*;
    use crate::error::Error;

    /// A saver that is asked each time, and never saves.
    struct Full;

    impl Saver for Full {
        fn is_due(&self, _: u64) -> bool {
            true
        }

        fn save(&mut self, _: Progress<'_>) -> bool {
            false
        }

        fn begin_window(&mut self) -> bool {
            false
        }
    }

    #[test]
    fn work_that_cannot_be_saved_is_stopped_and_what_it_found_stays() {
        // By the definition, in words, by pairs, by partitions and by rare values.
        for game in ["0.{3}7", "take squares", "4.7", "officers", "0.16"] {
            let ruleset = game.parse().unwrap();
            let mut sequence = Sequence::new(ruleset).saved_by(Box::new(Full));
            assert_eq!(sequence.fill(100_000), Err(Error::Interrupted), "{game}");
            assert!((16..100_000).contains(&sequence.computed()), "{game}");
        }
        let mut sequence = Sequence::new("0.16".parse().unwrap()).saved_by(Box::new(Full));
        assert_eq!(sequence.keep_window(), Err(Error::Interrupted));
    }
}
