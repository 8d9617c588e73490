//! Every vertex of a graph with its nim-value and outcome: as a table, as JSON, and as a graph for Graphviz.

use crate::game::Game;
use crate::game::GraphGame;
use crate::grundy::NimValue;
use crate::outcome::{Convention, Outcome};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use std::io::Write;

/// The vertices in columns.
///
/// # Errors
/// If they can't be written.
pub fn text(out: &mut dyn Write, game: &GraphGame, convention: Convention) -> anyhow::Result<()> {
    const HEAD: &str = "vertex";
    let longest = game.graph().names().map(|name| name.chars().count()).max();
    let width = longest.unwrap_or(0).max(HEAD.len());
    if convention == Convention::Misere {
        writeln!(
            out,
            "Convention: misère (whoever makes the last move loses)"
        )?;
        writeln!(out, "{HEAD:width$}  outcome")?;
    } else {
        writeln!(out, "{HEAD:width$}  nim-value  outcome")?;
    }
    for (vertex, name) in game.graph().names().enumerate() {
        let outcome = game.outcome(vertex, convention);
        match convention {
            Convention::Normal => {
                writeln!(
                    out,
                    "{name:width$}  {:<9}  {outcome}",
                    game.nim_value(vertex)
                )?;
            }
            Convention::Misere => writeln!(out, "{name:width$}  {outcome}")?,
        }
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
        let names = self.game.graph().names();
        let mut list = serializer.serialize_seq(Some(names.len()))?;
        for (index, vertex) in names.enumerate() {
            let normal = self.convention == Convention::Normal;
            list.serialize_element(&VertexReport {
                vertex,
                nim_value: normal.then(|| self.game.nim_value(index)),
                outcome: self.game.outcome(index, self.convention),
            })?;
        }
        list.end()
    }
}

/// The vertices as one JSON object on one line.
///
/// # Errors
/// If it can't be written.
pub fn json(out: &mut dyn Write, game: &GraphGame, convention: Convention) -> anyhow::Result<()> {
    let report = GraphReport {
        game: game.name(),
        convention,
        vertices: Vertices { game, convention },
    };
    super::json::line(out, "graph", &report)
}

/// The graph with nim-values and outcomes, in the language of Graphviz; P-positions are filled, with a double border.
///
/// # Errors
/// If it can't be written.
pub fn dot(out: &mut dyn Write, game: &GraphGame, convention: Convention) -> anyhow::Result<()> {
    let graph = game.graph();
    let escaped = |name: &str| name.replace('\\', "\\\\").replace('"', "\\\"");
    let quoted: Vec<String> = graph.names().map(escaped).collect();
    writeln!(out, "digraph {{")?;
    writeln!(
        out,
        "  // convention: {convention}; a doubled, filled vertex is a P-position"
    )?;
    for (vertex, name) in quoted.iter().enumerate() {
        let outcome = game.outcome(vertex, convention);
        let value = match convention {
            Convention::Normal => format!("{} ", game.nim_value(vertex)),
            Convention::Misere => String::new(),
        };
        let mark = match outcome {
            Outcome::P => ", peripheries=2, style=filled, fillcolor=lightgrey",
            Outcome::N => "",
        };
        writeln!(
            out,
            "  \"{name}\" [label=\"{name}\\n{value}{outcome}\"{mark}];"
        )?;
    }
    for (vertex, name) in quoted.iter().enumerate() {
        for &to in graph.neighbours(vertex) {
            writeln!(out, "  \"{name}\" -> \"{}\";", quoted[to as usize])?;
        }
    }
    Ok(writeln!(out, "}}")?)
}
