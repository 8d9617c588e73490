//! The facts known of a game: its equivalents, and what others have published about it or about one of them.
//!
//! Equivalents are computed, never copied. The standard form is exact, see `ruleset/standard.rs`; the others are octal codes of
//! up to three digits, and codes about which something is published, whose nim-values agree with the game's to a bound. Agreement
//! to a bound is no proof: 0.161 and 0.36 differ at heap 519. Time: a table to that bound for each code that agrees, and shorter
//! ones for those that don't.

mod oeis;
mod search;
mod surveyed;

pub use oeis::{InOeis, OeisSequence, oeis_sequence};
pub use search::{COMPARED, Match, games_with};

use crate::engine::Effort;
use crate::engine::table::Table;
use crate::error::Error;
use crate::ruleset::{Code, Ruleset};
use crate::sequence::Sequence;
use crate::sequence::survey::{Record, Status};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// The published results, compiled from the sources that the entries name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    solved: Vec<Solved>,
    unsolved: Vec<Unsolved>,
    errata: Vec<Erratum>,
}

impl Published {
    fn read() -> Published {
        serde_json::from_str(include_str!("published/known.json"))
            .expect("the list is compiled in, and tests read it")
    }

    /// The octal codes of up to three digits, and the codes about which something is published.
    fn codes(&self) -> impl Iterator<Item = Code> {
        let solved = self.solved.iter().map(|entry| entry.code.clone());
        let unsolved = self.unsolved.iter().map(|entry| entry.code.clone());
        let published = solved.chain(unsolved).chain(oeis::codes());
        three_digits().chain(published)
    }
}

/// A period that is published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solved {
    /// The code for which the period is published.
    pub code: Code,
    /// The period.
    pub period: u64,
    /// The last heap that breaks the period.
    pub last_exception: Option<u64>,
    /// The largest nim-value.
    pub max: Option<u64>,
    /// The first heap with the largest nim-value.
    pub max_heap: Option<u64>,
    /// The source of the result.
    pub source: String,
}

/// How far a game without a known period has been computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unsolved {
    /// The code.
    pub code: Code,
    /// How many heaps have been computed.
    pub heaps: u64,
    /// The largest nim-value seen.
    pub max: Option<u64>,
    /// The first heap with the largest nim-value.
    pub max_heap: Option<u64>,
    /// How many heaps have a rare value.
    pub rares: Option<u64>,
    /// The last heap with a rare value.
    pub last_rare: Option<u64>,
    /// The source of the result.
    pub source: String,
}

/// An error in a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// The codes that the error is about.
    pub codes: Vec<Code>,
    /// What is wrong, and what is right.
    pub text: String,
}

/// A game with the same nim-values: g(n) is the equivalent's g(n + shift), and heaps that only one of the two has are 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Equivalent {
    /// The code of the equivalent.
    pub code: Code,
    /// By how much the heaps of the equivalent are larger.
    pub shift: i64,
}

/// The facts known of a game.
#[derive(Debug)]
pub struct Lookup {
    /// The standard form, if the code has one.
    pub standard: Option<Equivalent>,
    /// The codes whose nim-values agree to the bound, by length, without the game's own.
    pub equivalents: Vec<Equivalent>,
    /// A published period of the game or of an equivalent, with the shift to that equivalent.
    pub solved: Option<(Solved, i64)>,
    /// How far the game or an equivalent has been computed, with the shift to that equivalent.
    pub unsolved: Option<(Unsolved, i64)>,
    /// The line of this program's own survey for the game or for an equivalent, with the shift to that equivalent.
    pub surveyed: Option<(Record, i64)>,
    /// The sequence of the OEIS that lists the values of the game or of an equivalent.
    pub oeis: Option<InOeis>,
    /// The errors in sources that concern the game.
    pub errata: Vec<Erratum>,
}

/// The lines of the survey for these games, by their codes, as far as the survey has them.
pub fn surveys_of(codes: &HashSet<&str>) -> HashMap<String, Record> {
    let records = surveyed::records().filter(|record| codes.contains(&*record.code));
    records
        .map(|record| (record.code.clone(), record))
        .collect()
}

/// By how much the heaps of a code are larger than those of a game that has the same standard form, or is the same: g(n) of
/// the game is g(n + shift) of the code, for ever.
fn exact_shift(ruleset: &Ruleset) -> impl Fn(&Code) -> Option<i64> {
    let own = ruleset.code().map(|code| (code, code.standard_form()));
    move |code| {
        let (own, standard) = own.as_ref()?;
        if *own == code {
            return Some(0);
        }
        let (form, shift) = standard.as_ref()?;
        let (other, others) = code.standard_form()?;
        (*form == other).then(|| others as i64 - *shift as i64)
    }
}

/// The line of the survey that proves a period of a game, or of a game with the same standard form, with the shift to it.
pub fn proved_by_survey(ruleset: &Ruleset) -> Option<(Record, i64)> {
    let proved = surveyed::records().filter(|record| record.status == Status::Proved);
    let shift = exact_shift(ruleset);
    nearest(proved, |record| shift(&record.code.parse().ok()?))
}

/// The published period of a game, or of a game with the same standard form, with the shift to it.
pub fn published_period(ruleset: &Ruleset) -> Option<(Solved, i64)> {
    let published = Published::read().solved.into_iter();
    let shift = exact_shift(ruleset);
    nearest(published, |entry| shift(&entry.code))
}

/// The octal codes of up to three digits that have the same standard form as a game, without its own: g(n) is their
/// g(n + shift).
pub fn same_standard_form(ruleset: &Ruleset) -> Vec<Equivalent> {
    let shift = exact_shift(ruleset);
    let others = three_digits().filter(|code| Some(code) != ruleset.code());
    let others = others.filter_map(|code| {
        Some(Equivalent {
            shift: shift(&code)?,
            code,
        })
    });
    others.collect()
}

/// The largest shift between equivalents that is looked for.
pub const MOST_SHIFT: u64 = 4;
/// How many values are compared first.
const FIRST: u64 = 60;

/// Looks a game up, comparing nim-values to heap `bound` with those of its sequence.
///
/// # Errors
/// If the values can't be computed.
pub fn lookup(sequence: &mut Sequence, bound: u64, effort: &Effort) -> Result<Lookup, Error> {
    sequence.fill(bound.saturating_add(MOST_SHIFT))?;
    let (ruleset, wanted) = (sequence.ruleset(), sequence.table());
    let published = Published::read();
    let standard = ruleset.code().and_then(Code::standard_form);
    let standard = standard.map(|(code, shift)| Equivalent {
        code,
        shift: -(shift as i64),
    });
    let equivalents = equivalents((ruleset, wanted), &standard, &published, bound, effort)?;
    let own = |code: &Code| (Some(code) == ruleset.code()).then_some(0);
    let shift = |code: &Code| {
        let same = equivalents.iter().find(|same| same.code == *code);
        own(code).or(same.map(|same| same.shift))
    };
    let solved = nearest(published.solved.into_iter(), |entry| shift(&entry.code));
    let unsolved = nearest(published.unsolved.into_iter(), |entry| shift(&entry.code));
    let surveyed = surveyed::records().filter_map(|record| {
        let shift = shift(&record.code.parse().ok()?)?;
        Some((record, shift))
    });
    // Agreement to a bound is not equality, so the game's own line is preferred, then that of its standard form.
    let form = standard.as_ref().map(|form| form.code.to_string());
    let name = ruleset.code().map(Code::to_string);
    let surveyed = surveyed.min_by_key(|(record, shift)| {
        let other = ![&name, &form].contains(&&Some(record.code.clone()));
        let open = record.status != Status::Proved;
        let values = std::cmp::Reverse(record.values);
        (other, open, values, shift.abs())
    });
    let errata = published.errata.into_iter();
    let errata = errata.filter(|erratum| erratum.codes.iter().any(|code| own(code).is_some()));
    Ok(Lookup {
        oeis: oeis_sequence(ruleset).or_else(|| oeis::equivalent(shift)),
        errata: errata.collect(),
        unsolved: unsolved.filter(|_| solved.is_none()),
        solved,
        surveyed,
        standard,
        equivalents,
    })
}

/// The entry with the least shift, of those that have one, and the shift.
fn nearest<T>(
    entries: impl Iterator<Item = T>,
    shift: impl Fn(&T) -> Option<i64>,
) -> Option<(T, i64)> {
    let shifted = entries.filter_map(|entry| shift(&entry).map(|shift| (entry, shift)));
    shifted.min_by_key(|(_, shift)| shift.abs())
}

fn equivalents(
    (ruleset, wanted): (&Ruleset, &Table),
    standard: &Option<Equivalent>,
    published: &Published,
    bound: u64,
    effort: &Effort,
) -> Result<Vec<Equivalent>, Error> {
    let reach = bound.saturating_add(MOST_SHIFT);
    let computed = |ruleset: Ruleset, table: Table, heap: u64| {
        let mut sequence = Sequence::resume(ruleset, table, effort.clone());
        sequence.fill(heap).map(|()| sequence.table().clone())
    };
    let mut candidates: Vec<Code> = (published.codes())
        .chain(standard.iter().map(|same| same.code.clone()))
        .filter(|code| Some(code) != ruleset.code())
        .collect();
    candidates.sort_by_cached_key(|code| {
        let text = code.to_string();
        (text.len(), text)
    });
    candidates.dedup();
    let mut found = Vec::new();
    for code in candidates {
        let candidate = Ruleset::from_code(code.clone());
        let first = computed(
            candidate.clone(),
            Table::new(),
            FIRST.min(bound) + MOST_SHIFT,
        )?;
        if shift(wanted, &first).is_none() {
            continue;
        }
        let table = computed(candidate, first, reach)?;
        if let Some(shift) = shift(wanted, &table) {
            found.push(Equivalent { code, shift });
        }
    }
    Ok(found)
}

/// The octal codes of up to three digits behind the point.
fn three_digits() -> impl Iterator<Item = Code> {
    let text = |number: u32| format!("{}.{:03o}", if number < 512 { 0 } else { 4 }, number % 512);
    (0..1024).filter_map(move |number| text(number).parse().ok())
}

/// The least shift by which the values of one table are those of the other, as far as both reach.
fn shift(wanted: &Table, table: &Table) -> Option<i64> {
    let dead = |table: &Table, count: usize| (0..count).all(|heap| table.value(heap) == 0);
    let agrees = |&shift: &i64| {
        let (ahead, behind) = (shift.max(0) as usize, (-shift).max(0) as usize);
        let count = (wanted.len() - behind).min(table.len() - ahead);
        let same = |n: usize| wanted.value(behind + n) == table.value(ahead + n);
        dead(table, ahead) && dead(wanted, behind) && (0..count).all(same)
    };
    let by_size = (0..=MOST_SHIFT as i64).flat_map(|size| [size, -size]);
    by_size.into_iter().find(agrees)
}
