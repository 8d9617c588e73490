//! The outcome of a search for a period, as text and as JSON.

use crate::grundy::NimValue;
use crate::sequence::Sequence;
use crate::sequence::law::Law;
use crate::sequence::period::{Finding, Period};
use serde::Serialize;
use std::io::Write;

/// The outcome of a search.
#[derive(Debug, Serialize)]
pub struct PeriodReport {
    pub(super) game: String,
    pub(super) code: Option<String>,
    status: &'static str,
    period: Option<u64>,
    preperiod: Option<u64>,
    last_exception: Option<u64>,
    saltus: Option<u64>,
    /// The largest nim-value: of all piles if the period is proved, else of those computed. `None` if the values grow for ever.
    max: Option<Largest>,
    theorem: Option<&'static str>,
    /// The largest heap whose value was computed.
    computed: u64,
    /// The heaps whose values the proof needed, first and last.
    range: Option<[u64; 2]>,
    /// Where a proof of the theorem is published.
    source: Option<&'static str>,
    /// What is missing for a proof.
    missing: Option<String>,
    /// The closed form that fits.
    law: Option<Law>,
}

#[derive(Debug, Serialize)]
struct Largest {
    value: NimValue,
    heap: u64,
}

impl PeriodReport {
    /// The report of the finding about the values of a sequence.
    pub fn new(sequence: &Sequence, finding: &Finding) -> PeriodReport {
        let ruleset = sequence.ruleset();
        let (status, period, proof, missing) = match finding {
            Finding::Proved(proof) => ("proved", Some(proof.period), Some(proof), None),
            Finding::Observed { seen, missing } => {
                ("observed", Some(*seen), None, Some(missing.to_string()))
            }
            Finding::Nothing => ("none", None, None, None),
        };
        let grows = period.is_some_and(|period| period.saltus > 0);
        let max = sequence.largest().filter(|_| !grows);
        PeriodReport {
            game: ruleset.name().to_owned(),
            code: ruleset.code().map(ToString::to_string),
            status,
            period: period.map(|found| found.period),
            preperiod: period.map(|found| found.preperiod),
            last_exception: period.and_then(|found| found.last_exception()),
            saltus: period.map(|found| found.saltus),
            max: max.map(|(value, heap)| Largest { value, heap }),
            theorem: proof.map(|proof| proof.theorem.name()),
            computed: sequence.computed().saturating_sub(1),
            range: proof.map(|proof| [0, proof.range - 1]),
            source: proof.map(|proof| proof.theorem.source()),
            missing,
            law: Law::of(sequence, finding),
        }
    }

    /// Writes the report for a person.
    pub fn text(&self, out: &mut dyn Write) -> Result<(), std::io::Error> {
        match &self.code {
            Some(code) if *code != self.game => writeln!(out, "{} ({code})", self.game)?,
            _ => writeln!(out, "{}", self.game)?,
        }
        let computed = self.computed;
        let (Some(period), Some(preperiod), Some(saltus)) =
            (self.period, self.preperiod, self.saltus)
        else {
            writeln!(out, "period          none up to pile {computed}")?;
            self.largest_line(out, "so far")?;
            return self.law_line(out);
        };
        let proved = self.status == "proved";
        let status = if proved {
            "proved"
        } else {
            "observed, not proved"
        };
        writeln!(out, "period          {period}, {status}")?;
        if saltus > 0 {
            writeln!(out, "saltus          {saltus}")?;
        }
        let sum = if saltus > 0 {
            format!(" + {saltus}")
        } else {
            String::new()
        };
        let bound = if proved {
            String::new()
        } else {
            format!(" as far as pile {computed}")
        };
        writeln!(
            out,
            "preperiod       {preperiod}: g(n+{period}) = g(n){sum} from n = {preperiod} on{bound}"
        )?;
        match self.last_exception {
            Some(last) => writeln!(out, "last exception  {last}")?,
            None => writeln!(out, "last exception  none")?,
        }
        self.largest_line(out, if proved { "of all" } else { "so far" })?;
        if let (Some(theorem), Some(source), Some([_, last])) =
            (self.theorem, self.source, self.range)
        {
            writeln!(out, "theorem         {theorem} ({source})")?;
            writeln!(out, "rests on        the values g(0) to g({last})")?;
        }
        if let Some(missing) = &self.missing {
            writeln!(out, "missing         {missing}")?;
        }
        self.law_line(out)
    }

    fn law_line(&self, out: &mut dyn Write) -> Result<(), std::io::Error> {
        match &self.law {
            Some(Law {
                formula,
                proved: true,
                ..
            }) => writeln!(out, "law             {formula}, proved"),
            Some(Law { formula, to, .. }) => {
                writeln!(out, "law             {formula}, observed to pile {to}")
            }
            None => Ok(()),
        }
    }

    fn largest_line(&self, out: &mut dyn Write, which: &str) -> Result<(), std::io::Error> {
        match &self.max {
            Some(Largest { value, heap }) => {
                writeln!(out, "largest value   {value} {which}, first at pile {heap}")
            }
            None => Ok(()),
        }
    }
}

/// A period in words, as in "period 4 with saltus 4 from pile 1 on".
pub fn in_words(period: &Period) -> String {
    let saltus = match period.saltus {
        0 => String::new(),
        saltus => format!(" with saltus {saltus}"),
    };
    format!(
        "period {}{saltus} from pile {} on",
        period.period, period.preperiod
    )
}
