//! `graph`: a game given as the graph of its positions.

use super::answer::AnswerArgs;
use super::common::{convention, stdout};
use crate::app::report;
use crate::app::report::style::note;
use crate::error::Error;
use crate::game::GraphGame;
use crate::game::graph::{Format, Graph, Repeated};
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
    /// Play misère: whoever makes the last move loses
    #[arg(long)]
    misere: bool,
    #[command(flatten)]
    answer: AnswerArgs,
    /// Print the graph with values and outcomes for Graphviz, P-positions marked
    #[arg(long, conflicts_with_all = ["json", "position"])]
    dot: bool,
    /// Don't warn of repeated edges
    #[arg(short, long)]
    quiet: bool,
}

/// Reads the graph and prints what was found.
///
/// # Errors
/// If the graph can't be read, has a cycle or no such vertex, or the text can't be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let AnswerArgs {
        all,
        explain,
        exit_code,
        json,
    } = args.answer;
    if args.position.is_empty() && (all || explain || exit_code) {
        let what =
            "--all, --explain and --exit-code are about a position; name it by --position A,B,C";
        return Err(Error::Usage(what.to_owned()).into());
    }
    let text = read(&args.file)?;
    let format = args.format.unwrap_or_else(|| Format::of_name(&args.file));
    let file = || name_of(&args.file).to_owned();
    let read = Graph::read(&text, format).map_err(Error::from);
    let (graph, repeated) = read.with_context(file)?;
    drop(text);
    if !args.quiet {
        warn(&graph, &repeated);
    }
    let game = GraphGame::new("graph", graph).map_err(Error::from);
    let game = game.with_context(file)?;
    let convention = convention(args.misere);
    if !args.position.is_empty() {
        let position = game.position(&args.position).map_err(Error::from)?;
        return args.answer.answer(&game, &position, convention);
    }
    let mut out = stdout();
    if json {
        report::graph::json(&mut out, &game, convention)?;
    } else if args.dot {
        report::graph::dot(&mut out, &game, convention)?;
    } else {
        report::graph::text(&mut out, &game, convention)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
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
        note(format_args!(
            "warning: {place}: the edge {from} -> {to} was given before; it counts once"
        ));
    }
    if repeated.len() > SHOWN {
        note(format_args!(
            "warning: {} more edges were given before",
            repeated.len() - SHOWN
        ));
    }
}
