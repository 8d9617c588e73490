//! The record of one game in a survey of many: one flat record, with the same keys for every game.
//!
//! A game is computed in its standard form, see `ruleset/standard.rs`, so that games which differ by a shift are
//! computed once; the figures of the others follow: g(n) is g(n - shift) of the standard form, and 0 for the smaller
//! heaps. Cost: the nim-values, a search for the period, and a pass over the values for the largest and the rare ones.

use super::Sequence;
use super::period::{Finding, Period};
use super::rares::{Rares, VALUES_FOR_SPACE};
use crate::engine::Effort;
use crate::engine::sparse_space::SparseSpace;
use crate::error::Error;
use crate::ruleset::{Code, Ruleset};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// The version of the keys and what they mean.
pub const SCHEMA: u32 = 1;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A period holds for ever.
    Proved,
    /// A repetition at the end of the values computed may or may not go on.
    Observed,
    /// No repetition among the values computed.
    None,
    /// No value could be computed.
    Refused,
}

/// The kind of a line, by which it is told from other JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A line of a survey.
    #[default]
    Survey,
}

/// One game of a survey. A figure that doesn't apply or isn't known is null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of the keys, [`SCHEMA`].
    pub schema: u32,
    /// The kind of the line; a line of version 0.2 does not state it.
    #[serde(default)]
    pub kind: Kind,
    /// The code of the game, or its name where it has none.
    pub code: String,
    /// The standard form of the game.
    pub standard_form: Option<String>,
    /// The outcome of the search.
    pub status: Status,
    /// The period.
    pub period: Option<u64>,
    /// The first heap from which the period holds.
    pub preperiod: Option<u64>,
    /// The last heap that breaks the period.
    pub last_exception: Option<u64>,
    /// The number that each period adds to a value.
    pub saltus: Option<u64>,
    /// The theorem that proves the period.
    pub theorem: Option<String>,
    /// How many heaps have a rare value: of all heaps if a period is proved, else of those computed. Null if the values show
    /// no sparse space, or if a period is proved and heaps in it have rare values.
    pub rares: Option<u64>,
    /// The last heap with a rare value.
    pub last_rare: Option<u64>,
    /// A value v is rare if v & mask has an even number of ones.
    pub mask: Option<u16>,
    /// Whether the values that are rare at even heaps are common at odd ones. Heap 0 with its value 0 is then common if the moves
    /// that leave two heaps take an odd number of stones.
    pub alternating: Option<bool>,
    /// The largest nim-value: of all heaps if a period is proved, else of those computed. Null if the values grow for ever.
    pub max: Option<u64>,
    /// The first heap with the largest nim-value.
    pub max_at: Option<u64>,
    /// How many nim-values were computed, those of the heaps 0 to `values - 1`.
    pub values: u64,
    /// The seconds that the search took, to the millisecond.
    pub seconds: f64,
    /// The engine that computed the last values.
    pub engine: Option<String>,
    /// The version of the program.
    pub version: String,
    /// The reason why fewer values were computed than asked for, if so.
    pub why: Option<String>,
}

impl Record {
    /// The columns in order, as in CSV. In JSON `schema` and `kind` come first.
    pub const KEYS: [&str; 20] = [
        "code",
        "standard_form",
        "status",
        "period",
        "preperiod",
        "last_exception",
        "saltus",
        "theorem",
        "rares",
        "last_rare",
        "mask",
        "alternating",
        "max",
        "max_at",
        "values",
        "seconds",
        "engine",
        "version",
        "schema",
        "why",
    ];

    /// Whether the figures of a record that was read fit each other.
    ///
    /// # Errors
    /// The first figures found that don't fit each other.
    pub fn check(&self) -> Result<(), RecordFault> {
        use RecordFault::*;
        let fits = |fits: bool, fault: RecordFault| match fits {
            true => Ok(()),
            false => Err(fault),
        };
        let within = |heap: Option<u64>| heap.is_none_or(|heap| heap < self.values);
        let is_found = matches!(self.status, Status::Proved | Status::Observed);
        let counts = [self.period, self.preperiod, self.saltus];
        fits(self.schema == SCHEMA, Schema)?;
        fits(
            counts.iter().all(|count| count.is_some() == is_found)
                && self.theorem.is_some() == (self.status == Status::Proved),
            StatusOfPeriod,
        )?;
        let (period, preperiod) = (self.period.unwrap_or(1), self.preperiod.unwrap_or(0));
        let end = preperiod.checked_add(period).filter(|_| period > 0);
        let end = end.map(|end| if is_found { end } else { 0 });
        fits(end.is_some_and(|end| end <= self.values), Period)?;
        fits(
            self.last_exception == preperiod.checked_sub(1),
            LastException,
        )?;
        fits(
            within(self.last_rare)
                && self.rares.unwrap_or(0) <= self.values
                && self.rares.is_some() == self.mask.is_some()
                && self.rares.is_some() == self.alternating.is_some()
                && (self.last_rare.is_none() || self.rares > Some(0)),
            Rares,
        )?;
        fits(
            within(self.max_at) && self.max.is_some() == self.max_at.is_some(),
            MaxAt,
        )?;
        fits(self.max.is_none_or(|max| max <= u64::from(u16::MAX)), Max)?;
        fits(self.seconds.is_finite() && self.seconds >= 0.0, Seconds)?;
        fits(
            (self.status == Status::Refused) == (self.values == 0),
            StatusOfValues,
        )
    }
}

/// Figures of a record that don't fit each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// The schema is not [`SCHEMA`].
    #[error("its schema is another")]
    Schema,
    /// A period is stated with a status that has none, or is missing with a status that has one, or a theorem is stated where
    /// nothing is proved.
    #[error("its status does not fit its period")]
    StatusOfPeriod,
    /// The first period ends behind the last value computed, or the period is 0.
    #[error("its period ends behind its values")]
    Period,
    /// The last exception is not the heap before the preperiod.
    #[error("its last exception is not the heap before its period")]
    LastException,
    /// There are more rare heaps than values, or some of the figures about them are missing.
    #[error("its rare values do not fit its values")]
    Rares,
    /// The heap of the largest value is not among those computed, or one of the two is missing.
    #[error("its largest value is at none of its heaps")]
    MaxAt,
    /// The largest value has more than 16 bits.
    #[error("its largest value is larger than a table holds")]
    Max,
    /// The time is negative, infinite or no number.
    #[error("its seconds are none")]
    Seconds,
    /// No value was computed although the status is not a refusal, or the other way round.
    #[error("its status does not fit its values")]
    StatusOfValues,
}

/// A game to be surveyed.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The code of the game, or its name where it has none.
    pub code: String,
    /// The standard form of the game, or the game itself where it has none.
    pub computed: Ruleset,
    /// By how much the heaps of the standard form are smaller; `None` where the game itself is computed for want of a standard
    /// form.
    pub shift: Option<u64>,
}

impl Asked {
    /// The game of a ruleset.
    pub fn new(ruleset: Ruleset) -> Asked {
        let code = ruleset.code();
        let name = code.map_or_else(|| ruleset.name().to_owned(), Code::to_string);
        let (computed, shift) = match code.and_then(Code::standard_form) {
            Some((standard, shift)) => (Ruleset::from_code(standard), Some(shift)),
            None => (ruleset, None),
        };
        Asked {
            code: name,
            computed,
            shift,
        }
    }

    /// The key that games that differ by a shift share: the code of the standard form.
    pub fn key(&self) -> &str {
        match self.shift {
            Some(_) => self.computed.name(),
            None => &self.code,
        }
    }
}

/// The result for the game that is computed, from which the records of the games asked for are derived.
#[derive(Clone, Debug)]
pub struct Found {
    finding: Finding,
    /// For how many heaps before heap 0, all with the value 0, the period holds too.
    back: u64,
    rares: Option<Rares>,
    max: Option<(u64, u64)>,
    values: u64,
    seconds: f64,
    engine: Option<&'static str>,
    why: Option<Error>,
}

impl Found {
    /// Searches a game with at most `values` values. If the watch of the effort or anything else stops the search sooner, the
    /// record says so: that is no error.
    pub fn by(asked: &Asked, values: u64, effort: Effort) -> Found {
        let begun = Instant::now();
        let mut sequence = Sequence::with_effort(asked.computed.clone(), effort);
        let mut limit = values.saturating_sub(1);
        let mut why = None;
        let finding = loop {
            match sequence.find_period(limit) {
                Ok(finding) => break finding,
                Err(error) => {
                    let would_do = match error {
                        Error::OutOfReach { would_do, .. } | Error::Memory { would_do, .. }
                            if would_do < limit && would_do > sequence.computed() =>
                        {
                            Some(would_do)
                        }
                        _ => None,
                    };
                    why.get_or_insert(error);
                    match would_do {
                        Some(would_do) => limit = would_do,
                        None => break sequence.period_so_far(),
                    }
                }
            }
        };
        let computed = sequence.computed();
        let (period, proved) = match &finding {
            Finding::Proved(proof) => (Some(proof.period), Some(proof.period)),
            Finding::Observed { seen, .. } => (Some(*seen), None),
            Finding::Nothing => (None, None),
        };
        let heaps = proved.map_or(computed, |period| period.preperiod + period.period);
        let grows = period.is_some_and(|period| period.saltus > 0);
        let max = heaps.checked_sub(1).filter(|_| !grows);
        let max = max.and_then(|last| {
            let (most, heap) = sequence.values().largest((0, last));
            Some((u64::try_from(most).ok()?, heap))
        });
        Found {
            back: period.map_or(0, |period| back(&sequence, period)),
            rares: rares(&sequence, proved, heaps),
            max,
            values: computed,
            seconds: begun.elapsed().as_millis() as f64 / 1000.0,
            engine: sequence.engine().map(crate::engine::Engine::name),
            why: why.filter(|_| !matches!(finding, Finding::Proved(_))),
            finding,
        }
    }

    /// The record of the game for which this was found, or of another game with the same standard form. `why` puts into words
    /// what stopped the search.
    pub fn record(&self, asked: &Asked, why: impl Fn(&Error) -> String) -> Record {
        let shift = asked.shift.unwrap_or(0);
        let (status, period, theorem) = match &self.finding {
            Finding::Proved(proof) => (Status::Proved, Some(proof.period), Some(proof.theorem)),
            Finding::Observed { seen, .. } => (Status::Observed, Some(*seen), None),
            Finding::Nothing if self.values == 0 => (Status::Refused, None, None),
            Finding::Nothing => (Status::None, None, None),
        };
        let period = period.map(|period| Period {
            preperiod: match period.preperiod {
                0 => shift.saturating_sub(self.back),
                preperiod => preperiod + shift,
            },
            ..period
        });
        let rares = self.rares.map(|rares| Rares {
            count: rares.count + dead_rares(rares.space, shift),
            ..rares
        });
        Record {
            code: asked.code.clone(),
            standard_form: asked.shift.map(|_| asked.computed.name().to_owned()),
            status,
            period: period.map(|found| found.period),
            preperiod: period.map(|found| found.preperiod),
            last_exception: period.and_then(|found| found.last_exception()),
            saltus: period.map(|found| found.saltus),
            theorem: theorem.map(|theorem| theorem.name().to_owned()),
            rares: rares.map(|rares| rares.count),
            last_rare: rares.and_then(|rares| rares.last).map(|last| last + shift),
            mask: rares.map(|rares| rares.space.mask()),
            alternating: rares.map(|rares| rares.space.alternating()),
            max: self.max.map(|(most, _)| most),
            // The heaps before heap 0 of the standard form have the value 0 too.
            max_at: self
                .max
                .map(|(most, heap)| if most == 0 { 0 } else { heap + shift }),
            values: self.values + if self.values > 0 { shift } else { 0 },
            seconds: self.seconds,
            engine: self.engine.map(str::to_owned),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            schema: SCHEMA,
            kind: Kind::Survey,
            why: self.why.as_ref().map(why),
        }
    }
}

/// For how many heaps before heap 0, with the value 0, a period from heap 0 on holds too.
fn back(sequence: &Sequence, period: Period) -> u64 {
    /// No code that is worth surveying is longer than this.
    const MOST: u64 = 4096;
    let holds = |heap: &u64| {
        let later = period.period.checked_sub(*heap);
        later.map_or(0, |later| u64::from(sequence.table().value(later as usize))) == period.saltus
    };
    (1..=MOST).take_while(holds).count() as u64
}

/// The rare heaps below heap `heaps`; `None` if they go on for ever.
fn rares(sequence: &Sequence, proved: Option<Period>, heaps: u64) -> Option<Rares> {
    let computed = sequence.computed();
    let known = proved.map_or(computed, |_| computed.max(VALUES_FOR_SPACE));
    let space = sequence.sparse_space(known.checked_sub(1)?)?;
    let found = sequence.rares(space, heaps);
    let for_ever = proved.is_some_and(|period| found.last >= Some(period.preperiod));
    (!for_ever).then_some(found)
}

/// How many heaps by which a game is larger than its standard form, all with the value 0, are rare.
fn dead_rares(space: SparseSpace, shift: u64) -> u64 {
    let rare = |&back: &u64| space.is_rare(0, back as usize % 2);
    (1..=shift).filter(rare).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(asked: &Asked, values: u64) -> Record {
        Found::by(asked, values, Effort::default().threads(1)).record(asked, ToString::to_string)
    }

    /// The figures, without what differs from one run to the next.
    fn figures(record: Record) -> Record {
        Record {
            standard_form: None,
            seconds: 0.0,
            values: 0,
            engine: None,
            ..record
        }
    }

    #[test]
    fn the_figures_of_a_game_are_those_of_its_standard_form_shifted() {
        for digits in (0..512).step_by(11) {
            for first in [0, 4] {
                let code = format!("{first}.{digits:03o}");
                let by_form = Asked::new(code.parse().unwrap());
                let itself = Asked {
                    computed: by_form.code.parse().unwrap(),
                    shift: None,
                    ..by_form.clone()
                };
                let (by_form, mut itself) = (record(&by_form, 3000), record(&itself, 3000 + 4));
                // With one stone more the heaps of 0.7, all rare without end, are all common but heap 0.
                if by_form.rares.is_none() {
                    itself = Record {
                        rares: None,
                        last_rare: None,
                        mask: None,
                        alternating: None,
                        ..itself
                    };
                }
                if by_form.status == Status::Proved && itself.status == Status::Proved {
                    assert_eq!(figures(by_form), figures(itself));
                }
            }
        }
    }

    #[test]
    fn the_keys_are_those_that_are_written() {
        let asked = Asked::new("0.77".parse().unwrap());
        let written = serde_json::to_string(&record(&asked, 1000)).unwrap();
        let mut at = 0;
        assert!(written.starts_with("{\"schema\":1,\"kind\":\"survey\","));
        for key in Record::KEYS.into_iter().filter(|&key| key != "schema") {
            let found = written.find(&format!("\"{key}\":")).unwrap();
            assert!(found >= at, "{key}");
            at = found;
        }
        assert_eq!(written.matches("\":").count(), Record::KEYS.len() + 1);
    }
}
