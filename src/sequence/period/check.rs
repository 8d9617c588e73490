//! Checks whether values prove a stated period: the opposite of a search, which looks for a period.
//!
//! A statement has p, n0, s, a theorem and the number N of values that its proof rests on. These conditions are checked, in this
//! order: g(n + p) = g(n) + s for n0 ≤ n < N - p; it fails at n0 - 1; the theorem makes it true for ever by these N values and no
//! fewer; and no p / q with a prime q is a period, which is enough, since every period of a sequence that repeats for ever is a
//! multiple of the least. Time: one walk over the values, and one over a period for each q.
//!
//! If a statement is false, each field in turn is given the value that the others imply: the field whose change makes the
//! statement right is the one that is wrong.

use super::{Period, Proof, Theorem};
use crate::engine::table::Table;
use crate::error::Contradiction;
use crate::factors::prime_divisors;
use crate::ruleset::Ruleset;

/// The field that is wrong, and why: the right value, if another value makes the whole statement right.
type WrongField = (&'static str, Contradiction);

/// A proof as a statement about the values of a game.
impl Proof {
    /// Checks the statement by the first `range` values of the game or more.
    pub(super) fn check(&self, ruleset: &Ruleset, table: &Table) -> Result<(), WrongField> {
        let Err(fault) = self.fault(ruleset, table) else {
            return Ok(());
        };
        Err(self.mended(ruleset, table).unwrap_or(fault))
    }

    /// Whether the statement is right by the first `range` values of the game or more.
    pub(super) fn is_right(&self, ruleset: &Ruleset, table: &Table) -> bool {
        self.fault(ruleset, table).is_ok()
    }

    /// The first condition that fails.
    fn fault(&self, ruleset: &Ruleset, table: &Table) -> Result<(), WrongField> {
        let wrong = |field, found| Err((field, found));
        let Period {
            period,
            preperiod,
            saltus,
        } = self.period;
        if period == 0 {
            return wrong("period", Contradiction::ZeroPeriod);
        }
        if !self.theorem.allows(&self.period) {
            return wrong("saltus", Contradiction::NoSaltus);
        }
        let value = |n: u64| u64::from(table.value(n as usize));
        let fails = |n: u64| value(n).checked_add(saltus) != Some(value(n + period));
        let range = self.range.min(table.len() as u64);
        let Some(last) = range.checked_sub(period).filter(|&last| last > preperiod) else {
            return wrong("range", Contradiction::FewValues);
        };
        if let Some(n) = (preperiod..last).find(|&n| fails(n)) {
            let [early, late] = [n, n + period].map(|n| (n, value(n)));
            return wrong("period", Contradiction::Unequal { early, late });
        }
        if preperiod.checked_sub(1).is_some_and(|n| !fails(n)) {
            return wrong("preperiod", Contradiction::BeginsBefore);
        }
        match (self.theorem.prover(ruleset, table))(&self.period) {
            Some(range) if range == self.range => {}
            Some(range) => return wrong("range", Contradiction::Right(range.to_string())),
            None => return wrong("range", Contradiction::NotProved),
        }
        // The conditions checked here let the period go on for ever, so values beyond those known follow.
        let rise = |n: u64, step: u64| match n.checked_add(step) {
            Some(late) if late < preperiod + period => value(late).checked_sub(value(n)),
            _ => (value(n + step - period) + saltus).checked_sub(value(n)),
        };
        for prime in prime_divisors(period) {
            let (step, part) = (period / prime, saltus / prime);
            let mut residues = preperiod..preperiod + period;
            if saltus.is_multiple_of(prime) && residues.all(|n| rise(n, step) == Some(part)) {
                return wrong("period", Contradiction::Part(step));
            }
        }
        Ok(())
    }

    /// The single field that makes the statement right when it is changed, if there is one.
    fn mended(&self, ruleset: &Ruleset, table: &Table) -> Option<WrongField> {
        let right = |statement: &Proof| statement.is_right(ruleset, table);
        let with = |period: Period| Proof { period, ..*self };
        let wrong = |field, right: String| Some((field, Contradiction::Right(right)));
        let range = self.range.min(table.len() as u64);
        let value = |n: u64| u64::from(table.value(n as usize));
        let Period { period, saltus, .. } = self.period;
        let theorems = Theorem::covering(ruleset).unwrap_or_default();
        let mut theorems = theorems.into_iter();
        if let Some(theorem) = theorems.find(|&theorem| right(&Proof { theorem, ..*self })) {
            return wrong("theorem", theorem.name().to_owned());
        }
        let last = range.checked_sub(period);
        if let Some(last) = last.filter(|&last| last > 0 && period > 0) {
            let rises = |n: &u64| value(*n).checked_add(saltus) == Some(value(n + period));
            let preperiod = (0..last).rev().take_while(rises).last();
            if let Some(preperiod) = preperiod
                && right(&with(Period {
                    preperiod,
                    ..self.period
                }))
            {
                return wrong("preperiod", preperiod.to_string());
            }
            if let Some(saltus) = value(last - 1 + period).checked_sub(value(last - 1))
                && right(&with(Period {
                    saltus,
                    ..self.period
                }))
            {
                return wrong("saltus", saltus.to_string());
            }
            // A saltus is a difference of values. Provers rely on that, as they are asked only of periods that hold, but here.
            if saltus <= u64::from(u16::MAX)
                && let Some(range) = (self.theorem.prover(ruleset, table))(&self.period)
                && right(&Proof { range, ..*self })
            {
                return wrong("range", range.to_string());
            }
        }
        let period = (1..range).find(|&period| {
            let period = Period {
                period,
                ..self.period
            };
            let needs = self.theorem.needs(&period);
            needs.is_none_or(|needs| needs <= self.range) && right(&with(period))
        })?;
        wrong("period", period.to_string())
    }
}
