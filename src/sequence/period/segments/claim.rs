//! The claim of a certificate in segments, and whether its statements agree with one another. `checking.rs` checks the values of
//! its segments.

use super::super::{Period, Theorem};
use super::Segments;
use crate::certificate::{agree, wrong, wrong_at};
use crate::engine::octal::Octal;
use crate::engine::sparse_space::SparseSpace;
use crate::error::{Contradiction, Error, Stated, Which};
use crate::factors::prime_divisors;
use crate::ruleset::Ruleset;

/// A certificate whose own statements agree; its segments are still to be checked.
#[derive(Clone, Debug)]
pub struct Claim<'c> {
    pub(super) ruleset: Ruleset,
    pub(super) octal: Octal,
    pub(super) space: SparseSpace,
    pub(super) certificate: &'c Segments,
    pub(super) windows: Vec<(u64, Vec<u16>)>,
}

impl Claim<'_> {
    /// The game.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The period that is claimed.
    pub fn period(&self) -> Period {
        Period::plain(self.certificate.period, self.certificate.preperiod)
    }

    /// The theorem that the claim rests on.
    pub fn theorem(&self) -> Theorem {
        Theorem::Window
    }

    /// How many segments there are, numbered from 0.
    pub fn count(&self) -> u64 {
        self.windows.len() as u64
    }

    /// The heaps of a segment: the first, and the one after the last.
    ///
    /// # Panics
    /// If the segment's number is not below [`Claim::count`].
    pub fn heaps(&self, segment: u64) -> (u64, u64) {
        let end = |segment: u64| self.windows[segment as usize].0;
        (segment.checked_sub(1).map_or(0, end), end(segment))
    }

    pub(super) fn check_order(&self) -> Result<(), Error> {
        let stated = self.certificate;
        let wrong_at =
            |which, before, found| Err(wrong_at("windows", Stated::Place { which, before }, found));
        for (number, pair) in self.windows.windows(2).enumerate() {
            let (which, [before, after]) = (Which::Number(number + 1), [pair[0].0, pair[1].0]);
            if before >= after {
                return wrong_at(which, after, Contradiction::NotAfter(before));
            }
        }
        let last = self.windows.last().map_or(0, |window| window.0);
        if stated.start + stated.period != last {
            return wrong_at(Which::Last, last, Contradiction::WindowsMissing);
        }
        Ok(())
    }

    /// Checks by the windows that the period holds, and that no smaller one does.
    pub(super) fn check_period(&self) -> Result<(), Error> {
        let stated = self.certificate;
        let window = |before: u64| {
            let windows = &self.windows;
            let at = windows.binary_search_by_key(&before, |window| window.0);
            let which = Which::None;
            let stated = Stated::Place { which, before };
            let at = at.map_err(|_| wrong_at("windows", stated, Contradiction::NoWindow))?;
            Ok::<_, Error>(windows[at].1.as_slice())
        };
        let length = stated.window as usize;
        let (early, late) = (window(stated.start)?, window(stated.start + stated.period)?);
        let equal = early.iter().rev().zip(late.iter().rev());
        let equal = equal.take_while(|(early, late)| early == late).count() as u64;
        if early.len() != late.len() || equal < stated.window {
            let before = [stated.start, stated.start + stated.period];
            let found = Contradiction::FewEqual { before, equal };
            return Err(wrong("period", stated.period, found));
        }
        if stated.start - equal > 0 && equal == early.len() as u64 {
            let found = Contradiction::ShortWindows;
            return Err(wrong("preperiod", stated.preperiod, found));
        }
        agree("preperiod", stated.preperiod, stated.start - equal)?;
        if stated.alternating && stated.period % 2 == 1 {
            let found = Contradiction::OddPeriod;
            return Err(wrong("period", stated.period, found));
        }
        for prime in prime_divisors(stated.period) {
            let shorter = stated.period / prime;
            let values = window(stated.start + shorter)?;
            if values[values.len() - length..] == early[early.len() - length..] {
                let found = Contradiction::Shorter(shorter);
                return Err(wrong("period", stated.period, found));
            }
        }
        Ok(())
    }
}
