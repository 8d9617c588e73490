//! `graph`: a game given as the graph of its positions.

use super::common::stdout;
use crate::error::Error;
use crate::game::{Game, Moves};
use crate::games::GraphGame;
use crate::graph::{Format, Graph, Repeated};
use crate::outcome::Convention;
use crate::report;
use anyhow::Context;
use std::fs::File;
use std::io::Read;
use std::process::ExitCode;

const EXAMPLES: &str = "\
A file in the format of edges has a move a line, from and to; a name alone is a vertex:
  a b
  a c     # comments like this
  b c
Other formats are told by the file's ending (.dot or .gv, .json) or by --format.

Examples:
  nim-analyser graph moves.txt
  nim-analyser graph moves.json --position a,b --all
  nim-analyser graph moves.dot --dot | dot -Tsvg > solved.svg";

/// Work out every vertex of an acyclic graph of positions and moves
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The file; - is standard input
    file: String,
    /// How the graph is written; told by the file's ending unless given
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Analyse the sum of these vertices instead of listing all
    #[arg(short, long, value_name = "A,B,C", value_delimiter = ',')]
    position: Vec<String>,
    /// The player who makes the last move loses
    #[arg(long)]
    misere: bool,
    /// List every winning move, not just the first
    #[arg(short, long, requires = "position")]
    all: bool,
    /// Show the working
    #[arg(short, long, requires = "position", conflicts_with = "json")]
    explain: bool,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
    /// Print the graph with values and outcomes for Graphviz, P-positions marked
    #[arg(long, conflicts_with_all = ["json", "position"])]
    dot: bool,
    /// Exit with 1 for a losing position, 0 for a winning one
    #[arg(long, requires = "position")]
    exit_code: bool,
}

/// Reads the graph and prints what was found.
///
/// # Errors
/// If the graph can't be read, has a cycle or no such vertex, or the text can't be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let text = read(&args.file)?;
    let format = args.format.unwrap_or_else(|| Format::of_name(&args.file));
    let context = || name_of(&args.file).to_owned();
    let (graph, repeated) = Graph::read(&text, format)
        .map_err(Error::from)
        .with_context(context)?;
    drop(text);
    warn(&graph, &repeated);
    let game = GraphGame::new("graph", graph)
        .map_err(Error::from)
        .with_context(context)?;
    let convention = if args.misere {
        Convention::Misere
    } else {
        Convention::Normal
    };
    if !args.position.is_empty() {
        return analyse(args, &game, convention);
    }
    let mut out = stdout();
    if args.json {
        report::graph::json(&mut out, &game, convention)?;
    } else if args.dot {
        report::graph::dot(&mut out, &game, convention)?;
    } else {
        report::graph::text(&mut out, &game, convention)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn analyse(args: &Args, game: &GraphGame, convention: Convention) -> anyhow::Result<ExitCode> {
    let position = game.position(&args.position).map_err(Error::from)?;
    let analysis = game.analyse(&position, convention)?;
    let winning = game.winning_moves(&analysis);
    let winning: Moves<'_> = if args.all {
        winning
    } else {
        Box::new(winning.take(1))
    };
    let mut out = stdout();
    if args.json {
        report::json::analysis(&mut out, game, &analysis, winning)?;
    } else {
        report::text::analysis(&mut out, game, &analysis, winning)?;
        if args.explain {
            report::text::working(&mut out, &game.explain(&analysis)?)?;
        }
    }
    out.flush()?;
    let losing = args.exit_code && !analysis.outcome.is_winning();
    Ok(ExitCode::from(u8::from(losing)))
}

fn name_of(file: &str) -> &str {
    if file == "-" { "standard input" } else { file }
}

fn read(file: &str) -> Result<String, Error> {
    let mut text = String::new();
    let read = match file {
        "-" => std::io::stdin().lock().read_to_string(&mut text),
        _ => File::open(file).and_then(|mut file| file.read_to_string(&mut text)),
    };
    let fault = |error| Error::Usage(format!("can't read {}: {error}", name_of(file)));
    read.map(|_| text).map_err(fault)
}

/// Says which edges were given more than once; they change nothing.
fn warn(graph: &Graph, repeated: &[Repeated]) {
    const SHOWN: usize = 10;
    let name = |vertex: u32| graph.name(vertex as usize).unwrap_or_default();
    for Repeated { place, from, to } in repeated.iter().take(SHOWN) {
        let (from, to) = (name(*from), name(*to));
        anstream::eprintln!(
            "warning: {place}: the edge {from} -> {to} was given before; it counts once"
        );
    }
    if repeated.len() > SHOWN {
        anstream::eprintln!(
            "warning: {} more edges were given before",
            repeated.len() - SHOWN
        );
    }
}
