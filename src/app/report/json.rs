//! Reports as JSON, one object or array on one line. Keys are only ever added.

use crate::analysis::{Analysis, Basis, Moves};
use crate::error::Error;
use crate::game::{Game, catalogue, sum};
use crate::grundy::NimValue;
use crate::outcome::{Convention, Outcome};
use crate::position::{Change, Move};
use crate::printable::is_unprintable;
use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};
use std::cell::RefCell;
use std::io::{self, BufWriter, Write};

/// The analysis of a position.
#[derive(Serialize)]
struct AnalysisReport<'a> {
    game: &'a str,
    code: Option<String>,
    convention: Convention,
    piles: Row<'a>,
    #[serde(flatten)]
    beside: Option<Beside>,
    nim_values: Option<&'a [NimValue]>,
    nim_sum: Option<NimValue>,
    outcome: Outcome,
    winning: bool,
    winning_moves: Stream<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    basis: Option<&'a Basis>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartReport<'a>>,
}

/// One game of a sum.
#[derive(Serialize)]
struct PartReport<'a> {
    game: &'a str,
    code: Option<String>,
    piles: Row<'a>,
    #[serde(flatten)]
    beside: Option<Beside>,
    nim_values: Option<&'a [NimValue]>,
    nim_value: Option<NimValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    basis: Option<&'a Basis>,
}

/// The parts of an analysed sum.
fn parts<'a>(game: &'a dyn Game, analysis: &'a Analysis) -> Vec<PartReport<'a>> {
    let each = game.parts().iter().zip(sum::positions(&analysis.piles));
    let each = each.enumerate().map(|(at, (part, own))| {
        let known = analysis.parts.get(at);
        PartReport {
            game: part.name(),
            code: part.code(),
            piles: Row::new(&**part, own),
            beside: Beside::of(&**part, own),
            nim_values: known.and_then(|known| known.nim_values.as_deref()),
            nim_value: analysis
                .nim_values
                .as_ref()
                .and_then(|values| values.get(at).copied()),
            basis: known.and_then(|known| known.basis.as_ref()),
        }
    });
    each.collect()
}

/// Piles by their sizes, or by the names that a game gives them; for a sum, a list for each part.
pub struct Row<'a> {
    game: &'a dyn Game,
    piles: &'a [u64],
}

impl<'a> Row<'a> {
    /// The piles of a position, without the number that stands behind them in some games.
    pub fn new(game: &'a dyn Game, position: &'a [u64]) -> Row<'a> {
        let (piles, _) = game.split(position);
        Row { game, piles }
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = self.game.parts();
        if !parts.is_empty() {
            let each = parts.iter().zip(sum::positions(self.piles));
            return serializer.collect_seq(each.map(|(part, own)| Row::new(&**part, own)));
        }
        let mut list = serializer.serialize_seq(Some(self.piles.len()))?;
        for &pile in self.piles {
            match self.game.label(pile) {
                Some(name) => list.serialize_element(name)?,
                None => list.serialize_element(&pile)?,
            }
        }
        list.end()
    }
}

/// The number behind the piles of a position, under its name.
struct Beside(&'static str, u64);

impl Beside {
    fn of(game: &dyn Game, position: &[u64]) -> Option<Beside> {
        let (_, number) = game.split(position);
        Some(Beside(game.beside().key, number?))
    }
}

impl Serialize for Beside {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, self.1)])
    }
}

/// A move and the position after it.
#[derive(Serialize)]
struct MoveReport<'a> {
    /// The game of a sum in which the move is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<usize>,
    #[serde(flatten)]
    change: &'a Change,
    position: Row<'a>,
    #[serde(flatten)]
    beside: Option<Beside>,
    /// The name of the move's shape.
    kind: &'static str,
    /// The move in words.
    text: String,
}

/// A move of a game, ready to be written.
pub fn moved<'a>(game: &'a dyn Game, found: &'a Move) -> impl Serialize + 'a {
    let (part, change) = found.change.in_part();
    MoveReport {
        part,
        change,
        position: Row::new(game, &found.position),
        beside: Beside::of(game, &found.position),
        kind: found.change.kind(),
        text: found.change.to_string(),
    }
}

/// Moves that are written as they are found. They can be written only once.
struct Stream<'m> {
    game: &'m dyn Game,
    moves: RefCell<Moves<'m>>,
    /// The error that ended the moves: it is kept here because serde_json keeps only its text.
    failure: &'m RefCell<Option<Error>>,
}

impl Serialize for Stream<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for found in self.moves.borrow_mut().by_ref() {
            match found {
                Ok(found) => list.serialize_element(&moved(self.game, &found))?,
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
        piles: Row::new(game, &analysis.piles),
        beside: Beside::of(game, &analysis.piles),
        nim_values: analysis.nim_values.as_deref(),
        nim_sum: analysis.nim_sum,
        outcome: analysis.outcome,
        winning: analysis.outcome.is_winning(),
        winning_moves: Stream {
            game,
            moves: RefCell::new(winning),
            failure: &failure,
        },
        basis: analysis.basis.as_ref(),
        parts: parts(game, analysis),
    };
    let written = line(out, "analysis", &report);
    match failure.take() {
        Some(error) => Err(error.into()),
        None => written,
    }
}

/// The named games.
pub fn games(out: &mut dyn Write) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, &catalogue::entries().collect::<Vec<_>>())?;
    Ok(out.write_all(b"\n")?)
}

/// Escapes characters in strings that JSON need not escape but that a terminal would obey.
struct Escaping;

impl serde_json::ser::Formatter for Escaping {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if fragment.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return out.write_all(fragment.as_bytes());
        }
        for part in fragment.split_inclusive(is_unprintable) {
            let last = part
                .chars()
                .next_back()
                .filter(|&last| is_unprintable(last));
            out.write_all(&part.as_bytes()[..part.len() - last.map_or(0, char::len_utf8)])?;
            if let Some(last) = last {
                write!(out, "\\u{:04x}", u32::from(last))?;
            }
        }
        Ok(())
    }
}

/// The version of the shapes that `docs/json.md` describes.
pub const SCHEMA: u32 = 1;

/// A report after the version of its shape and its kind.
#[derive(Serialize)]
struct Headed<'a, T: Serialize> {
    schema: u32,
    kind: &'static str,
    #[serde(flatten)]
    report: &'a T,
}

/// Writes a report of a kind as one object on one line.
pub fn line(
    out: &mut dyn Write,
    kind: &'static str,
    report: &impl Serialize,
) -> anyhow::Result<()> {
    let headed = Headed {
        schema: SCHEMA,
        kind,
        report,
    };
    // A buffer is used because serde_json writes a few bytes at a time.
    let mut out = BufWriter::with_capacity(1 << 10, out);
    headed.serialize(&mut serde_json::Serializer::with_formatter(
        &mut out, Escaping,
    ))?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}
