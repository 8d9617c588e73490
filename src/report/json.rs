//! Reports as JSON, one object or array on one line. Keys are only ever added.

use crate::error::Error;
use crate::game::{Analysis, Game, Moves};
use crate::grundy::NimValue;
use crate::outcome::{Convention, Outcome};
use crate::ruleset::CATALOGUE;
use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};
use std::cell::RefCell;
use std::io::Write;

/// The analysis of a position.
#[derive(Serialize)]
struct AnalysisReport<'a> {
    game: &'a str,
    code: Option<String>,
    convention: Convention,
    piles: &'a [u64],
    nim_values: Option<&'a [NimValue]>,
    nim_sum: Option<NimValue>,
    outcome: Outcome,
    winning: bool,
    winning_moves: Stream<'a>,
}

/// Moves that are written as they are found. Can be written once.
struct Stream<'m> {
    moves: RefCell<Moves<'m>>,
    /// The error that ended the moves, for serde_json keeps only its text.
    failure: &'m RefCell<Option<Error>>,
}

impl Serialize for Stream<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for found in self.moves.borrow_mut().by_ref() {
            match found {
                Ok(found) => list.serialize_element(&found)?,
                Err(error) => {
                    let text = S::Error::custom(&error);
                    self.failure.replace(Some(error));
                    return Err(text);
                }
            }
        }
        list.end()
    }
}

/// The analysis of a position and the winning moves, as they are found.
///
/// # Errors
/// If a move can't be found or the object can't be written.
pub fn analysis(
    out: &mut dyn Write,
    game: &dyn Game,
    analysis: &Analysis,
    winning: Moves<'_>,
) -> anyhow::Result<()> {
    let failure = RefCell::new(None);
    let report = AnalysisReport {
        game: game.name(),
        code: game.code(),
        convention: analysis.convention,
        piles: &analysis.piles,
        nim_values: analysis.nim_values.as_deref(),
        nim_sum: analysis.nim_sum,
        outcome: analysis.outcome,
        winning: analysis.outcome.is_winning(),
        winning_moves: Stream {
            moves: RefCell::new(winning),
            failure: &failure,
        },
    };
    let written = line(out, &report);
    match failure.take() {
        Some(error) => Err(error.into()),
        None => written,
    }
}

/// A named game.
#[derive(Serialize)]
struct GameReport<'a> {
    name: &'a str,
    aliases: &'a [&'a str],
    code: Option<&'a str>,
    rule: &'a str,
    known: &'a str,
}

/// The named games.
///
/// # Errors
/// If they can't be written.
pub fn games(out: &mut dyn Write) -> anyhow::Result<()> {
    let games = CATALOGUE.iter().map(|entry| GameReport {
        name: entry.name,
        aliases: entry.aliases,
        code: entry.code,
        rule: entry.rule,
        known: entry.known,
    });
    line(out, &games.collect::<Vec<_>>())
}

/// Writes one value and ends the line.
fn line(out: &mut dyn Write, value: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")?;
    Ok(())
}
