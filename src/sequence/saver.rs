//! The saver, which saves the values of a sequence while they are computed.

use super::period::bounded_search::BoundedSearch;
use crate::engine::coded_values::AnyCodes;
use crate::engine::packed::kept;
use crate::engine::table::Table;

/// The first nim-values of a game, as far as they are computed.
#[derive(Clone, Copy)]
pub(crate) enum FirstValues<'v> {
    /// Those of a table.
    Table(&'v Table),
    /// Those of a slice.
    Slice(&'v [u16]),
    /// So many of those that are kept as codes, none of which is forgotten.
    Codes(&'v dyn AnyCodes, usize),
}

impl FirstValues<'_> {
    /// How many values there are: those of the heaps 0 to `count() - 1`.
    pub fn count(&self) -> u64 {
        let count = match *self {
            FirstValues::Table(table) => table.len(),
            FirstValues::Slice(values) => values.len(),
            FirstValues::Codes(_, count) => count,
        };
        count as u64
    }

    /// Copies the values from heap `from` on.
    fn copy(&self, from: usize, out: &mut [u16]) {
        match *self {
            FirstValues::Table(table) => table.copy_range(from, out),
            FirstValues::Slice(values) => out.copy_from_slice(&values[from..][..out.len()]),
            FirstValues::Codes(codes, _) => kept(codes.copy(from, out)),
        }
    }

    /// Visits all values in order, some ten thousand at a time.
    pub fn each_block<E>(&self, mut visit: impl FnMut(&[u16]) -> Result<(), E>) -> Result<(), E> {
        let mut values = [0; 1 << 14];
        let count = self.count() as usize;
        for from in (0..count).step_by(values.len()) {
            let length = values.len().min(count - from);
            self.copy(from, &mut values[..length]);
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
