//! Every vertex of a graph with its nim-value and outcome: as a table with or without the working, as JSON, and as a
//! graph for Graphviz.

use crate::app::report::style::padded;
use crate::game::{Game, GraphGame};
use crate::grundy::NimValue;
use crate::outcome::{Convention, Outcome};
use crate::printable::{joined, printable};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::io::Write;

/// The vertices in columns.
pub fn text(out: &mut dyn Write, game: &GraphGame, convention: Convention) -> anyhow::Result<()> {
    const HEAD: &str = "vertex";
    let longest = game
        .graph()
        .names()
        .map(|name| printable(name).chars().count())
        .max();
    let width = longest.unwrap_or(0).max(HEAD.len());
    super::text::convention(out, convention)?;
    let mut row = |name: &str, value: &dyn fmt::Display, outcome: &dyn fmt::Display| {
        let name = padded(name, width);
        match convention {
            Convention::Normal => writeln!(out, "{name}  {value:<9}  {outcome}"),
            Convention::Misere => writeln!(out, "{name}  {outcome}"),
        }
    };
    row(HEAD, &"nim-value", &"outcome")?;
    for (vertex, name) in game.graph().names().enumerate() {
        let outcome = game.outcome(vertex, convention);
        row(&printable(name), &game.nim_value(vertex), &outcome)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct GraphReport<'a> {
    game: &'a str,
    convention: Convention,
    vertices: Vertices<'a>,
}

struct Vertices<'a> {
    game: &'a GraphGame,
    convention: Convention,
}

#[derive(Serialize)]
struct VertexReport<'a> {
    vertex: &'a str,
    nim_value: Option<NimValue>,
    outcome: Outcome,
}

impl Serialize for Vertices<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let normal = self.convention == Convention::Normal;
        let names = self.game.graph().names().enumerate();
        serializer.collect_seq(names.map(|(index, vertex)| VertexReport {
            vertex,
            nim_value: normal.then(|| self.game.nim_value(index)),
            outcome: self.game.outcome(index, self.convention),
        }))
    }
}

/// The vertices, as data.
pub fn report(game: &GraphGame, convention: Convention) -> impl Serialize + '_ {
    GraphReport {
        game: game.name(),
        convention,
        vertices: Vertices { game, convention },
    }
}

/// Writes the working: each vertex after all vertices that its moves lead to, with their values and what follows from them.
pub fn working(
    out: &mut dyn Write,
    game: &GraphGame,
    convention: Convention,
) -> anyhow::Result<()> {
    writeln!(
        out,
        "\nWorking, each vertex after those that its moves lead to:"
    )?;
    for &vertex in game.order() {
        let neighbours = game.graph().neighbours(vertex as usize);
        write!(out, "  {}:", name(game, vertex))?;
        if neighbours.is_empty() {
            write!(out, " no move")?;
        }
        for (index, &to) in neighbours.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            match convention {
                Convention::Normal => write!(
                    out,
                    "{comma} {}={}",
                    name(game, to),
                    game.nim_value(to as usize)
                )?,
                Convention::Misere => write!(
                    out,
                    "{comma} {} is {}",
                    name(game, to),
                    game.outcome(to as usize, convention)
                )?,
            }
        }
        let outcome = game.outcome(vertex as usize, convention);
        match convention {
            Convention::Normal => {
                let mut values: Vec<NimValue> = neighbours
                    .iter()
                    .map(|&to| game.nim_value(to as usize))
                    .collect();
                values.sort_unstable();
                values.dedup();
                let (values, value) = (joined(values, ","), game.nim_value(vertex as usize));
                writeln!(out, "; mex{{{values}}} = {value}, {outcome}")?;
            }
            Convention::Misere => {
                let reason = match (neighbours.is_empty(), outcome) {
                    (true, _) => "whoever made the last move has lost",
                    (_, Outcome::N) => "a move leaves a P-position",
                    (_, Outcome::P) => "every move leaves an N-position",
                };
                writeln!(out, "; {reason}: {outcome}")?;
            }
        }
    }
    Ok(())
}

fn name(game: &GraphGame, vertex: u32) -> Cow<'_, str> {
    printable(game.graph().name(vertex as usize).unwrap_or_default())
}

/// The graph with nim-values and outcomes, in the language of Graphviz; P-positions are filled, with a double border.
///
/// A vertex that can't be printed goes by its name as the table shows it, with a prime if another vertex has that name.
pub fn dot(out: &mut dyn Write, game: &GraphGame, convention: Convention) -> anyhow::Result<()> {
    let graph = game.graph();
    writeln!(out, "digraph {{")?;
    writeln!(
        out,
        "  // convention: {convention}; a doubled, filled vertex is a P-position"
    )?;
    for vertex in 0..graph.len() as u32 {
        let outcome = game.outcome(vertex as usize, convention);
        let value = match convention {
            Convention::Normal => format!("{} ", game.nim_value(vertex as usize)),
            Convention::Misere => String::new(),
        };
        let mark = match outcome {
            Outcome::P => ", peripheries=2, style=filled, fillcolor=lightgrey",
            Outcome::N => "",
        };
        let label = name(game, vertex)
            .replace('\\', "\\\\")
            .replace('"', "\\\"");
        let name = identifier(game, vertex);
        writeln!(
            out,
            "  {name} [label=\"{label}\\n{value}{outcome}\"{mark}];"
        )?;
    }
    for vertex in 0..graph.len() as u32 {
        let name = identifier(game, vertex);
        for &to in graph.neighbours(vertex as usize) {
            writeln!(out, "  {name} -> {};", identifier(game, to))?;
        }
    }
    Ok(writeln!(out, "}}")?)
}

/// The name of a vertex in DOT, in quotes.
///
/// A single backslash before the closing quote, or before a quote within, can't be written in DOT; such a name, and one that
/// can't be printed, is written with escapes, and with the vertex's number if another vertex has that name.
fn identifier(game: &GraphGame, vertex: u32) -> String {
    let raw = game.graph().name(vertex as usize).unwrap_or_default();
    let is_written = |(end, _): (usize, &str)| {
        let before = &raw[..end];
        (before.len() - before.trim_end_matches('\\').len()).is_multiple_of(2)
    };
    let ends = raw.match_indices('"').chain([(raw.len(), "")]);
    let mut name = printable(raw).into_owned();
    if name == raw && !{ ends }.all(is_written) {
        name = raw.replace('\\', "\\\\");
    }
    let is_taken = |name: &str| game.graph().vertex(name).is_ok();
    if name != raw && is_taken(&name) {
        name += &format!("\\#{vertex}");
        while is_taken(&name) {
            name += "#";
        }
    }
    format!("\"{}\"", name.replace('"', "\\\""))
}
