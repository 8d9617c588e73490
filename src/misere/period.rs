//! Positions with heaps far larger than those that a misère quotient is learnt from: the elements may be proved to repeat.
//!
//! In most games whose elements are known to repeat, they do so from about the same heap as the nim-values, and with the same
//! period. So a proved period of the nim-values tells how many heaps to cover: as many as would prove the same period of the
//! elements. Only that number rests on the nim-values; the period of the elements is proved by the elements.

use super::heap_quotient::{HeapQuotient, preperiod, proved_period};
use super::options::OPTIONS_OF_STEP;
use super::{Element, Misere, MiserePeriod, Play};
use crate::engine::cost;
use crate::error::{Error, Reason};
use crate::exhaustive::STEPS_OF_POSITION;
use crate::outcome::Outcome;
use crate::ruleset::Code;

/// How many heaps are met one by one before a period of the elements is looked for: the heaps up to the first of these, then up
/// to the next. Once a period is found, no larger heaps are met.
const PERIOD_HEAPS: [u64; 3] = [128, 256, 512];

/// How many heaps a quotient is learnt from before the period of the nim-values decides how many are needed: for an octal game,
/// up to the first of these that proves a period; for another game, up to the first.
const HEAPS: [u64; 5] = [32, 64, 128, 256, 512];

/// The largest multiple of the period of the nim-values that is tried as the period of the elements.
const MULTIPLES: u64 = 12;

impl Misere {
    /// The period of the heaps' elements in the misère quotient, if it is proved.
    pub fn repeats(&self) -> Option<MiserePeriod> {
        self.period
    }

    /// Learns and proves the quotient of more and more heaps, until a period is proved or no more heaps can be covered.
    ///
    /// # Errors
    /// As for [`Misere::quotient`].
    pub fn whole_quotient(&mut self, play: &Play<'_>) -> Result<HeapQuotient, Error> {
        let octal = play.ruleset.code().is_some_and(|code| code.is_octal());
        let far = if octal { &HEAPS[..] } else { &HEAPS[..1] };
        let mut quotient = self.quotient(play, far[0])?;
        let ended =
            |quotient: &HeapQuotient| quotient.beyond.is_some() || quotient.period.is_some();
        for &heaps in &far[1..] {
            if ended(&quotient) {
                return Ok(quotient);
            }
            quotient = self.quotient(play, heaps)?;
        }
        while !ended(&quotient) {
            match self.further(play, &quotient.elements, play.effort.positions) {
                Ok(Some(heaps)) => quotient = self.quotient(play, heaps)?,
                Ok(None) => break,
                Err(error) => quotient.beyond = Some(error),
            }
        }
        Ok(quotient)
    }

    /// The last heap to cover so that a period may be proved, if these elements are known and prove none; `None` if nothing
    /// tells.
    ///
    /// # Errors
    /// If so many heaps take more than `positions` positions.
    fn further(
        &self,
        play: &Play<'_>,
        elements: &[Element],
        positions: u64,
    ) -> Result<Option<u64>, Error> {
        let Some(taken) = play.ruleset.code().and_then(Code::octal_end) else {
            return Ok(None);
        };
        let Some((of_values, period)) = (play.nim_period)()? else {
            return Ok(None);
        };
        let covered = elements.len() as u64 - 1;
        let first = MiserePeriod {
            preperiod: of_values.max(1),
            period,
        };
        let repeats = (1..=MULTIPLES).filter_map(|multiple| {
            let period = period.checked_mul(multiple)?;
            let preperiod = preperiod(elements, period);
            // A likeness that is seen for less than a period is no repetition yet.
            let seen = preperiod.checked_add(2 * period)? <= covered;
            seen.then_some(MiserePeriod { preperiod, period })
        });
        let wanted = [first].into_iter().chain(repeats);
        let wanted = wanted.map(|repeat| repeat.last_heap(taken));
        let Some(heaps) = wanted.filter(|&heap| heap > covered).min() else {
            return Ok(None);
        };
        // The bound takes every heap for as large as the last; a heap of half the size has half the options, so half of it will do.
        let options = cost::by_definition(play.ruleset, heaps) / 2;
        let needed = options / u128::from(OPTIONS_OF_STEP * STEPS_OF_POSITION);
        let done = self.learner.work() / STEPS_OF_POSITION;
        let needed = u64::try_from(needed)
            .unwrap_or(u64::MAX)
            .saturating_add(done);
        // Heaps that are known to be firm need no look at their options.
        if needed <= positions || self.firm_from(play).is_some() {
            return Ok(Some(heaps));
        }
        Err(Error::QuotientOutOfReach {
            game: play.ruleset.name().to_owned(),
            heap: covered + 1,
            reason: Reason::WholeQuotient {
                period,
                start: of_values,
                last: heaps,
                needed,
                allowed: positions,
            },
        })
    }

    /// Learns of the heaps up to `heap`, unless a period gives the elements of the large ones.
    pub(super) fn meet(&mut self, play: &Play<'_>, heap: u64) -> Result<(), Error> {
        for most in PERIOD_HEAPS {
            self.meet_heaps(play, heap.min(most))?;
            if heap <= most {
                return Ok(());
            }
            if self.period.is_none() && !self.sought && self.heaps.any_wild {
                self.seek_period(play, most)?;
            }
            if self.period.is_some() {
                return Ok(());
            }
        }
        self.sought = true;
        self.meet_heaps(play, heap)
    }

    /// Looks for a period of the elements of the heaps up to `most`, and meets as many more as the period seems to need for a
    /// proof.
    fn seek_period(&mut self, play: &Play<'_>, most: u64) -> Result<(), Error> {
        if play.ruleset.code().and_then(Code::octal_end).is_none() {
            return Ok(());
        }
        let positions = play.effort.positions / 2;
        let mut most = Some(most);
        while let Some(last) = most {
            self.reach_heaps(play, last)?;
            let values = (play.values)(last)?;
            let atoms = (0..=last).flat_map(|heap| self.heaps.atoms_of(heap));
            let atoms = atoms.copied().max().unwrap_or(0) as usize;
            self.learn(play, &values, atoms, positions)?;
            let elements: Option<Vec<Element>> =
                (0..=last).map(|heap| self.element(heap)).collect();
            let Some(elements) = elements else {
                break;
            };
            self.period = proved_period(play.ruleset, &elements);
            let is_last = PERIOD_HEAPS.last().is_some_and(|&most| last >= most);
            most = match self.period {
                None if is_last => self.further(play, &elements, positions).unwrap_or(None),
                _ => None,
            };
        }
        Ok(())
    }

    /// The element of a heap in the misère quotient, if the quotient covers the heap.
    pub(super) fn element(&self, heap: u64) -> Option<Element> {
        let heap = match self.period {
            Some(MiserePeriod { preperiod, period }) if heap > preperiod => {
                preperiod + (heap - preperiod) % period
            }
            _ => heap,
        };
        self.own_element(heap)
    }

    /// Who wins a sum of heaps by the elements of the heaps, if these have a period.
    pub(super) fn by_period(&self, heaps: &[u64]) -> Option<Outcome> {
        self.period?;
        let (_, product) = self.elements(heaps)?;
        Some(self.learner.proved().monoid.outcome(product))
    }
}
