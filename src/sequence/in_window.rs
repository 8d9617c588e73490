//! A sequence that keeps only its first and its last values, in a window of a few MB however many they are, in place of a table.

use super::period::bounded_search::{BoundedSearch, Repeat};
use super::period::segments::Segments;
use super::period::window::GoOn;
use super::period::{Finding, Proof};
use super::values::VALUES_AT_ONCE;
use super::{Progress, Sequence, Values};
use crate::engine::Effort;
use crate::engine::table::Table;
use crate::engine::value_window::{BEGINNING, ValueWindow};
use crate::error::Error;
use crate::grundy::NimValue;
use crate::ruleset::Ruleset;
use std::sync::Arc;

/// Rare heaps are taken to keep coming if more than one heap in this many of the last eighth is rare. Of the last eighth of 2^22
/// heaps one in 174 is rare in 0.606, and one in 8,900 in 0.206, whose rare heaps end at 5,668,113.
const HEAPS_PER_LATE_RARE: u64 = 4096;

/// A function that is given values as they are computed: the heap of the first of them, and the values.
pub type OnBlock<'b, E> = dyn FnMut(u64, &[NimValue]) -> Result<(), E> + 'b;

/// A function that is shown a search after each step, with equal windows if the step found some; a result that it returns ends
/// the work.
type Look<'l, T, E> =
    dyn FnMut(&BoundedSearch, Option<Repeat>, GoOn<'_>) -> Result<Option<T>, E> + 'l;

impl Sequence {
    /// The sequence of a ruleset that continues a search in bounded memory.
    pub(crate) fn resume_search(
        ruleset: Ruleset,
        search: BoundedSearch,
        effort: Effort,
    ) -> Sequence {
        Sequence {
            bounded_search: Some(Box::new(search)),
            ..Sequence::resume(ruleset, Table::new(), effort)
        }
    }

    /// Whether the values stand in a window of the last ones, in place of the table.
    pub fn is_in_window(&self) -> bool {
        self.bounded_search.is_some()
    }

    /// Lets the values stand in a window of the last ones from now on: those that are computed next, and those of the table if
    /// they are enough and are codes of a sparse space; else the first values are computed again.
    ///
    /// # Errors
    /// [`Error::EngineUnfit`] if the values show no sparse space, and then the table stays; or if the first values can't be
    /// computed.
    pub fn keep_window(&mut self) -> Result<(), Error> {
        if self.bounded_search.is_some() {
            return Ok(());
        }
        let goes_on = self.table.is_by_rares() && self.computed() >= BEGINNING;
        let search = match goes_on {
            true => BoundedSearch::after(self)?,
            // A new window computes the values of the table again, so it shows all that the table does.
            false => BoundedSearch::new(&self.ruleset, &self.effort)?,
        };
        self.table = Arc::default();
        self.bounded_search = Some(Box::new(search));
        // A saver that can't save a window isn't asked any more.
        if let Some(mut saver) = self.saver.take() {
            if !saver.begin_window() {
                return Err(Error::Interrupted);
            }
            self.saver = Some(saver);
        }
        Ok(())
    }

    /// The first heap from which on all values are kept: 0, unless a window has forgotten some.
    pub fn kept_from(&self) -> u64 {
        let search = self.bounded_search.as_ref();
        search.map_or(0, |search| search.values().window_from())
    }

    /// Whether the values of the table should stand in a window on the way to heap `to`. Where rare heaps keep coming a table is
    /// better if it fits the memory, because such a window can't be saved.
    fn suits_window(&self, to: u64) -> bool {
        let last = self.computed() / 8;
        let rares = self.table.rares_from((self.computed() - last) as usize) as u64;
        let is_saved = rares * HEAPS_PER_LATE_RARE <= last;
        self.table.is_by_rares() && (is_saved || !self.fits_memory(to))
    }

    /// The values to heap `to` as by [`Sequence::reach`], but beyond heap `last` a window may take the place of the table: then
    /// the answer is `None`, and [`Sequence::compute`] shows the values.
    ///
    /// # Errors
    /// As for [`Sequence::reach`] and [`Sequence::keep_window`].
    pub fn reach_far(&mut self, last: u64, to: u64) -> Result<Option<Values>, Error> {
        if self.bounded_search.is_some() {
            return Ok(None);
        }
        // If a period can be proved soon, it is better than any number of values.
        let soon = match self.reach_on_the_way(last, to) {
            Err(Error::OutOfReach { .. }) => self.reach(to)?,
            soon => soon?,
        };
        if soon.reaches(to) {
            return Ok(Some(soon));
        }
        drop(soon);
        if self.computed() <= last + 1 && self.suits_window(to) {
            self.keep_window()?;
            return Ok(None);
        }
        self.reach(to).map(Some)
    }

    /// Lets the values stand in a window on the way to heap `to`, if those of a table to heap `last` show a sparse space: where
    /// many heaps are rare, the first values don't show it. If the values to `to` are out of reach, or rare heaps keep coming,
    /// the table stays.
    ///
    /// # Errors
    /// As for [`Sequence::fill`], except where the values to `to` are out of reach; and as for [`Sequence::keep_window`].
    pub fn leave_table(&mut self, last: u64, to: u64) -> Result<(), Error> {
        match self.fill_on_the_way(last, to) {
            Ok(()) if self.suits_window(to) => self.keep_window(),
            Err(Error::OutOfReach { .. } | Error::Memory { .. }) => Ok(()),
            filled => filled,
        }
    }

    /// Computes the values to heap `to`, in a table or a window. `block` is given those from heap `from` on, in blocks, each with
    /// its first heap; those of a window as they are computed. Values known before that a window has forgotten are an error.
    ///
    /// # Errors
    /// As for [`Sequence::fill`], and the errors of `block`; [`Error::Forgotten`] for forgotten values.
    pub fn compute<E: From<Error>>(
        &mut self,
        to: u64,
        from: u64,
        block: &mut OnBlock<'_, E>,
    ) -> Result<(), E> {
        let Some(search) = &self.bounded_search else {
            self.fill(to)?;
            let values = self.values();
            if from <= to {
                values.each_block((from, to), |heap, values| {
                    block(heap, values).map(|()| true)
                })?;
            }
            return Ok(());
        };
        let mut next = from;
        let mut show = |window: &ValueWindow| -> Result<(), E> {
            let end = window.len().min(to.saturating_add(1));
            while next < end {
                let mut values = vec![0; (end - next).min(VALUES_AT_ONCE) as usize];
                window.copy(next, &mut values)?;
                let values: Vec<_> = values.into_iter().map(NimValue::from).collect();
                block(next, &values)?;
                next += values.len() as u64;
            }
            Ok(())
        };
        show(search.values())?;
        let look: &mut Look<'_, (), E> = &mut |search, _, _| show(search.values()).map(|()| None);
        self.advance_window(to.saturating_add(1), look).map(drop)
    }

    /// Searches for the least period in the window, with values to heap `limit` at most.
    pub(super) fn search_window(&mut self, limit: u64) -> Result<Finding, Error> {
        let look: &mut Look<'_, Proof, Error> = &mut |search, found, go_on| {
            let proof = found.map(|found| search.conclude(found, go_on));
            proof.transpose()
        };
        if self.proof.is_none() {
            self.proof = self.advance_window(limit.saturating_add(1), look)?;
        }
        Ok(self.proof.map_or(Finding::Nothing, Finding::Proved))
    }

    /// Computes the values below heap `end`, or until `look` returns a result.
    fn advance_window<T, E: From<Error>>(
        &mut self,
        end: u64,
        look: &mut Look<'_, T, E>,
    ) -> Result<Option<T>, E> {
        let watch = self.effort.watch.clone();
        let mut go_on = |known: u64| {
            // Without a limit the progress is shown towards the next power of two.
            let wanted = match end {
                u64::MAX => (known + 1).next_power_of_two(),
                end => end,
            };
            watch
                .as_ref()
                .is_none_or(|watch| watch.progress(known, wanted))
        };
        let mut advance = || {
            while let Some(search) = &mut self.bounded_search
                && search.known() < end
            {
                let found = search.step(end, &mut go_on)?;
                let known = search.known();
                let found = look(search, found, &mut || go_on(known))?;
                if found.is_some() {
                    return Ok(found);
                }
                if let Some(watch) = &watch {
                    watch.met(&met(search.values()));
                }
                if let Some(saver) = &mut self.saver
                    && saver.is_due(known)
                    && !saver.save(Progress::Window(search))
                {
                    return Err(Error::Interrupted.into());
                }
            }
            Ok(None)
        };
        let found = advance();
        self.effort.done();
        found
    }

    /// The certificate of a period proved by the window theorem.
    ///
    /// # Errors
    /// If values for it can't be computed again, or the work is interrupted.
    pub fn segments(mut self, proof: &Proof) -> Result<Segments, Error> {
        let search = match self.bounded_search.take() {
            Some(search) => search,
            None => Box::new(BoundedSearch::after(&mut self)?),
        };
        let known = search.known();
        let mut go_on = || self.effort.goes_on(known, known);
        let certificate = search.certificate(&self.ruleset, proof, &mut go_on);
        self.effort.done();
        certificate
    }
}

/// The words of the progress bar about the values: how many are rare, and the largest.
fn met(window: &ValueWindow) -> String {
    let (rares, last) = (window.rares().len(), window.last_rare());
    let largest = window.largest();
    format!(
        "nim-values; {rares} rare, the last {last}; largest {} at {}",
        largest.value, largest.heap
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::period::GrowingValues;

    /// The notes about the deepest pairs hold for a copy of the table too, but not for a table that comes from elsewhere.
    #[test]
    fn a_table_that_is_shared_goes_on_with_what_was_learnt() {
        let mut sequence = Sequence::new("0.106".parse().unwrap());
        sequence.fill(100_000).unwrap();
        let noted_from = |sequence: &Sequence| sequence.bounds().unwrap().from;
        let (shared, before) = (sequence.values(), noted_from(&sequence));
        sequence.fill(150_000).unwrap();
        assert_eq!((noted_from(&sequence), before), (BEGINNING, BEGINNING));
        assert!(!shared.reaches(100_001));
        let (ruleset, table) = (sequence.ruleset().clone(), sequence.table().clone());
        let resumed = Sequence::resume(ruleset, table, Effort::default());
        assert_eq!(noted_from(&resumed), 150_001);
    }

    /// In 0.6 the last rare heap is 20,627; in 0.143 many more rare heaps come.
    #[test]
    fn a_table_stays_where_rare_heaps_keep_coming_and_it_fits_the_memory() {
        for (game, in_memory, beyond) in [("0.6", true, true), ("0.143", false, true)] {
            let effort = Effort::default().memory(1 << 20);
            let mut sequence = Sequence::with_effort(game.parse().unwrap(), effort);
            sequence.fill(100_000).unwrap();
            assert_eq!(sequence.suits_window(200_000), in_memory, "{game}");
            assert_eq!(sequence.suits_window(1 << 20), beyond, "{game}");
            sequence.leave_table(100_000, 200_000).unwrap();
            assert_eq!(sequence.is_in_window(), in_memory, "{game}");
        }
    }
}
