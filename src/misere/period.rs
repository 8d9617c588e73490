//! Heaps beyond those that the misère quotient is learnt of: their elements may be proved to repeat.

use super::heap_quotient::proved_period;
use super::{Element, Misere, MiserePeriod, Play};
use crate::error::Error;
use crate::outcome::Outcome;

/// Heaps beyond this one are not met one by one before a period is looked for among the heaps up to the last of
/// these, and then up to the next.
const PERIOD_HEAPS: [u64; 3] = [128, 256, 512];

impl Misere {
    /// The preperiod and the period of the heaps' elements in the misère quotient, if they are proved.
    pub fn repeats(&self) -> Option<(u64, u64)> {
        let MiserePeriod { preperiod, period } = self.period?;
        Some((preperiod, period))
    }

    /// Learns of the heaps up to one, unless a period does for the large ones.
    pub(super) fn meet(&mut self, play: &Play<'_>, heap: u64) -> Result<(), Error> {
        for most in PERIOD_HEAPS {
            self.heaps.reach(play.ruleset, heap.min(most))?;
            if heap <= most {
                return Ok(());
            }
            if self.period.is_none() && !self.sought && self.heaps.any_wild() {
                self.seek_period(play, most)?;
            }
            if self.period.is_some() {
                return Ok(());
            }
        }
        self.sought = true;
        self.heaps.reach(play.ruleset, heap)
    }

    /// Looks for a period of the elements of the heaps up to one.
    fn seek_period(&mut self, play: &Play<'_>, most: u64) -> Result<(), Error> {
        let code = play.ruleset.code();
        if !code.is_some_and(|code| code.is_octal() && code.most_taken().is_some()) {
            return Ok(());
        }
        let values = (play.values)(most)?;
        let last = (0..=most)
            .flat_map(|heap| self.heaps.atoms_in(&[heap]))
            .max();
        self.learn(
            play,
            &values,
            last.unwrap_or(0) as usize,
            play.effort.positions / 2,
        )?;
        let elements: Option<Vec<Element>> = (0..=most).map(|heap| self.element(heap)).collect();
        self.period = elements.and_then(|elements| proved_period(play.ruleset, &elements));
        Ok(())
    }

    /// The element of a heap in the misère quotient, if it covers it.
    pub(super) fn element(&self, heap: u64) -> Option<Element> {
        let heap = match self.period {
            Some(MiserePeriod { preperiod, period }) if heap > preperiod => {
                preperiod + (heap - preperiod) % period
            }
            _ => heap,
        };
        self.own_element(heap)
    }

    /// By the elements of the heaps, if they have a period.
    pub(super) fn by_period(&self, heaps: &[u64]) -> Option<Outcome> {
        self.period?;
        let elements: Option<Vec<Element>> = heaps.iter().map(|&heap| self.element(heap)).collect();
        let quotient = self.learner.proved();
        let product = elements?.into_iter().fold(0, |a, b| quotient.times(a, b));
        Some(quotient.outcome(product))
    }
}
