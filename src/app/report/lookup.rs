//! The facts known of a game, as text and as JSON.

use super::PeriodReport;
use crate::printable::joined;
use crate::sequence::published::{
    COMPARED, Equivalent, Erratum, InOeis, Lookup, Match, Solved, Unsolved, surveys_of,
};
use crate::sequence::survey::{Record, Status};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt::Display;
use std::io::Write;

/// The most equivalents that are written out for a person.
const WRITTEN: usize = 24;

/// The facts known of a game.
#[derive(Serialize)]
pub struct LookupReport {
    game: String,
    code: Option<String>,
    /// The standard form, all nim-values of which are the game's.
    standard_form: Option<Equivalent>,
    equivalents: Vec<Equivalent>,
    /// The heap up to which the nim-values of the equivalents agree.
    bound: u64,
    /// The result of this program's own search.
    search: PeriodReport,
    solved: Option<Published<Solved>>,
    unsolved: Option<Published<Unsolved>>,
    /// The line of this program's own survey.
    survey: Option<Published<Record>>,
    /// The sequence of the OEIS with these values.
    oeis: Option<InOeis>,
    errata: Vec<Erratum>,
}

/// A published result about an equivalent: g(n) of the game is g(n + shift) of that equivalent.
#[derive(Serialize)]
struct Published<T> {
    shift: i64,
    #[serde(flatten)]
    entry: T,
}

impl<T> Published<T> {
    fn new((entry, shift): (T, i64)) -> Published<T> {
        Published { shift, entry }
    }
}

impl LookupReport {
    /// The report of a lookup with equivalents computed to `bound`, and of a search for a period.
    pub fn new(lookup: Lookup, bound: u64, search: PeriodReport) -> LookupReport {
        LookupReport {
            game: search.game.clone(),
            code: search.code.clone(),
            standard_form: lookup.standard,
            equivalents: lookup.equivalents,
            bound,
            search,
            solved: lookup.solved.map(Published::new),
            unsolved: lookup.unsolved.map(Published::new),
            survey: lookup.surveyed.map(Published::new),
            oeis: lookup.oeis,
            errata: lookup.errata,
        }
    }

    /// Writes the report for a person.
    pub fn text(&self, out: &mut dyn Write) -> Result<(), std::io::Error> {
        self.search.text(out)?;
        writeln!(out)?;
        match &self.standard_form {
            Some(same) if same.shift == 0 => writeln!(out, "standard form   {}", same.code)?,
            Some(same) => writeln!(out, "standard form   {}", shifted(same))?,
            None => writeln!(
                out,
                "standard form   none: only finite codes without conditions on sizes have one"
            )?,
        }
        self.equivalents(out)?;
        self.published(out)?;
        self.survey(out)?;
        self.oeis(out)?;
        for erratum in &self.errata {
            writeln!(out, "note            {}", erratum.text)?;
        }
        Ok(())
    }

    fn equivalents(&self, out: &mut dyn Write) -> Result<(), std::io::Error> {
        if self.equivalents.is_empty() {
            return writeln!(
                out,
                "equivalents     none among the octal codes of up to three digits"
            );
        }
        let written = self.equivalents.iter().take(WRITTEN).map(shifted);
        writeln!(out, "equivalents     {}", joined(written, ", "))?;
        if self.equivalents.len() > WRITTEN {
            writeln!(
                out,
                "                and {} more (--json lists all)",
                self.equivalents.len() - WRITTEN
            )?;
        }
        writeln!(
            out,
            "                by their nim-values to pile {}; this is not a proof",
            self.bound
        )
    }

    /// Writes what others have published of a game that is solved, or that was searched without finding a period.
    fn published(&self, out: &mut dyn Write) -> Result<(), std::io::Error> {
        if let Some(Published { shift, entry }) = &self.solved {
            let last = entry.last_exception.map_or_else(
                || "no exception".to_owned(),
                |last| format!("last exception {last}"),
            );
            writeln!(
                out,
                "published       {}period {}, {last} ({})",
                self.of(&entry.code, *shift),
                entry.period,
                entry.source
            )?;
        }
        if let Some(Published { shift, entry }) = &self.unsolved {
            writeln!(
                out,
                "published       {}no period to pile {} ({})",
                self.of(&entry.code, *shift),
                entry.heaps,
                entry.source
            )?;
            let largest = (entry.max, entry.max_heap);
            figures(out, largest, (entry.rares, entry.last_rare))?;
        }
        Ok(())
    }

    /// The words that name the code whose figures follow, where these are not the game's own.
    fn of(&self, code: &dyn Display, shift: i64) -> String {
        let code = code.to_string();
        match shift {
            0 if self.game == code || self.code.as_ref() == Some(&code) => String::new(),
            0 => format!("of {code}: "),
            shift => format!("of {code}, g(n) being its g(n{shift:+}): "),
        }
    }

    fn survey(&self, out: &mut dyn Write) -> Result<(), std::io::Error> {
        if let Some(Published { shift, entry }) = &self.survey {
            let of = self.of(&entry.code, *shift);
            writeln!(out, "survey          {of}{} (docs/survey)", surveyed(entry))?;
            if entry.status != Status::Proved {
                let largest = (entry.max, entry.max_at);
                figures(out, largest, (entry.rares, entry.last_rare))?;
            }
        }
        Ok(())
    }

    fn oeis(&self, out: &mut dyn Write) -> Result<(), std::io::Error> {
        let Some(found) = &self.oeis else {
            return Ok(());
        };
        let place = match found.shift {
            0 => "n".to_owned(),
            shift => format!("n{:+}", -shift),
        };
        let so_far = match found.exact {
            true => String::new(),
            false => format!(", to pile {}", self.bound),
        };
        let (number, game) = (&found.sequence.number, &found.sequence.game);
        writeln!(
            out,
            "OEIS            {number} ({game}): a(n) = g({place}){so_far}"
        )
    }
}

/// An equivalent in words: `0.137(n-1)`.
fn shifted(same: &Equivalent) -> String {
    in_words(&same.code, same.shift)
}

fn in_words(code: &dyn Display, shift: i64) -> String {
    match shift {
        0 => format!("{code}(n)"),
        shift => format!("{code}(n{shift:+})"),
    }
}

/// Writes the largest nim-value with its first pile, and the number of piles with a rare value with the last of them, a line
/// each.
fn figures(
    out: &mut dyn Write,
    largest: (Option<u64>, Option<u64>),
    rares: (Option<u64>, Option<u64>),
) -> Result<(), std::io::Error> {
    if let (Some(max), Some(heap)) = largest {
        writeln!(
            out,
            "                largest nim-value {max}, first at pile {heap}"
        )?;
    }
    match rares {
        (Some(rares), Some(last)) => writeln!(
            out,
            "                {rares} piles of a rare nim-value, the last {last}"
        ),
        (Some(rares), None) => writeln!(out, "                {rares} piles of a rare nim-value"),
        _ => Ok(()),
    }
}

/// The result of the survey in words.
fn surveyed(record: &Record) -> String {
    let last = record.values.saturating_sub(1);
    match (record.status, record.period, record.last_exception) {
        (Status::Proved, Some(period), Some(exception)) => {
            format!("period {period}, last exception {exception}, proved")
        }
        (Status::Proved, Some(period), None) => format!("period {period}, no exception, proved"),
        _ => format!("no period proved by the values to pile {last}"),
    }
}

/// The games found by their values.
#[derive(Serialize)]
pub struct FoundReport<'a> {
    values: &'a [u64],
    /// How many of the values were compared.
    compared: usize,
    games: Vec<FoundGame>,
}

#[derive(Serialize)]
struct FoundGame {
    #[serde(flatten)]
    found: Match,
    survey: Option<Record>,
}

impl<'a> FoundReport<'a> {
    /// The report of the games that have these values.
    pub fn new(values: &'a [u64], games: Vec<Match>) -> FoundReport<'a> {
        let codes: HashSet<&str> = games.iter().map(|found| &*found.game).collect();
        let surveys = surveys_of(&codes);
        let game = |found: Match| FoundGame {
            survey: surveys.get(&found.game).cloned(),
            found,
        };
        FoundReport {
            values,
            compared: values.len().min(COMPARED),
            games: games.into_iter().map(game).collect(),
        }
    }

    /// Writes the report for a person.
    pub fn text(&self, out: &mut dyn Write) -> Result<(), std::io::Error> {
        let compared = self.compared;
        match self.games.len() {
            0 => writeln!(
                out,
                "No known game has these {compared} values: no octal code of up to three digits, no named game, and none of the games in docs/survey or in the published lists."
            )?,
            1 => writeln!(out, "One game has these {compared} values:")?,
            count => writeln!(out, "{count} games have these {compared} values:")?,
        }
        for FoundGame { found, survey } in self.games.iter().take(WRITTEN) {
            let game = in_words(&found.game, found.shift);
            let own = |name: &&String| **name != found.game;
            let name = found.name.iter().find(own).cloned();
            let facts = name.into_iter().chain(found.oeis.clone());
            let facts = facts.chain(survey.as_ref().map(surveyed));
            let line = format!("{game:15} {}", joined(facts, "; "));
            writeln!(out, "{}", line.trim_end())?;
        }
        match self.games.len().checked_sub(WRITTEN + 1) {
            Some(more) => writeln!(out, "and {} more (--json lists all)", more + 1),
            None => Ok(()),
        }
    }
}
