//! What is known of a game, as text and as JSON.

use super::PeriodReport;
use crate::sequence::published::{Equivalent, Erratum, Lookup, Solved, Unsolved};
use serde::Serialize;
use std::io::Write;

/// How many equivalents are written out for a person.
const WRITTEN: usize = 24;

/// What is known of a game.
#[derive(Serialize)]
pub struct LookupReport {
    game: String,
    code: Option<String>,
    /// A standard form is exact.
    standard_form: Option<Equivalent>,
    equivalents: Vec<Equivalent>,
    /// The equivalents agree up to this heap.
    bound: u64,
    /// What our own search found.
    search: PeriodReport,
    solved: Option<Published<Solved>>,
    unsolved: Option<Published<Unsolved>>,
    errata: Vec<Erratum>,
}

/// What is published of an equivalent: g(n) of the game is g(n + shift) of that.
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
    /// The report of a lookup with equivalents computed to `bound`, and of our own search for a period.
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
            errata: lookup.errata,
        }
    }

    /// One JSON object on one line.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        super::json::line(out, "lookup", self)
    }

    /// Lines for a person.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn text(&self, out: &mut dyn Write) -> Result<(), std::io::Error> {
        self.search.text(out)?;
        writeln!(out)?;
        match &self.standard_form {
            Some(same) if same.shift == 0 => writeln!(out, "standard form   {}", same.code)?,
            Some(same) => writeln!(out, "standard form   {}", shifted(same))?,
            None => writeln!(
                out,
                "standard form   none: it is for finite codes without conditions on sizes"
            )?,
        }
        let bound = self.bound;
        if self.equivalents.is_empty() {
            writeln!(
                out,
                "equivalents     none among the octal codes of up to three digits"
            )?;
        } else {
            let written: Vec<String> = self.equivalents.iter().take(WRITTEN).map(shifted).collect();
            writeln!(out, "equivalents     {}", written.join(", "))?;
            if self.equivalents.len() > WRITTEN {
                writeln!(
                    out,
                    "                and {} more (all with --json)",
                    self.equivalents.len() - WRITTEN
                )?;
            }
            writeln!(
                out,
                "                by their nim-values to pile {bound}, which is no proof"
            )?;
        }
        if let Some(Published { shift, entry }) = &self.solved {
            let last = entry.last_exception.map_or_else(
                || "no exception".to_owned(),
                |last| format!("last exception {last}"),
            );
            writeln!(
                out,
                "published       period {}, {last}{} ({})",
                entry.period,
                of(&entry.code, *shift),
                entry.source
            )?;
        }
        if let Some(Published { shift, entry }) = &self.unsolved {
            writeln!(
                out,
                "published       no period to pile {}{} ({})",
                entry.heaps,
                of(&entry.code, *shift),
                entry.source
            )?;
            if let (Some(max), Some(heap)) = (entry.max, entry.max_heap) {
                writeln!(
                    out,
                    "                largest nim-value {max}, first at pile {heap}"
                )?;
            }
            if let (Some(rares), Some(last)) = (entry.rares, entry.last_rare) {
                writeln!(
                    out,
                    "                {rares} piles of a rare nim-value, the last {last}"
                )?;
            }
        }
        for erratum in &self.errata {
            writeln!(out, "note            {}", erratum.text)?;
        }
        Ok(())
    }
}

/// An equivalent in words: `0.137(n-1)`.
fn shifted(same: &Equivalent) -> String {
    match same.shift {
        0 => format!("{}(n)", same.code),
        shift => format!("{}(n{shift:+})", same.code),
    }
}

/// Whose figures they are, where not the game's own.
fn of(code: &crate::ruleset::Code, shift: i64) -> String {
    match shift {
        0 => format!(" of {code}"),
        shift => format!(" of {code}, g(n) being its g(n{shift:+})"),
    }
}
