//! Who saves the values of a sequence while they are computed.

use super::period::bounded_search::BoundedSearch;
use crate::error::Error;

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
    ///
    /// # Errors
    /// Whatever `visit` reports.
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

/// What of a long run is saved, and gone on with.
pub(crate) enum Progress<'v> {
    /// The values of a table.
    Table(FirstValues<'v>),
    /// The last values in a window, with the search for a period among them.
    Window(&'v BoundedSearch),
}

/// Saves the values of a long run, when the computation asks it now and then. Every error is an [`Error::NotSaved`], which
/// ends the run.
pub(crate) trait Saver: Send {
    /// Whether it is time to save, with `known` values known.
    fn is_due(&mut self, known: u64) -> bool;

    /// Saves what the run is to go on with.
    ///
    /// # Errors
    /// If they can't be saved.
    fn save(&mut self, progress: Progress<'_>) -> Result<(), Error>;

    /// From now on the values stand in a window, and no table is saved any more.
    ///
    /// # Errors
    /// If a window can't be saved where the table was.
    fn begin_window(&mut self) -> Result<(), Error>;
}
