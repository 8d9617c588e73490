//! `graph`: a game given as the graph of its positions.

use super::answer::AnswerArgs;
use super::graph_file::{name_of, read};
use super::progress::Progress;
use super::shared_args::{SearchArgs, bytes, convention};
use crate::app::error::{Refused, refuse};
use crate::app::report;
use crate::app::report::style::note;
use crate::engine::{DEFAULT_POSITIONS, Effort};
use crate::game::graph::{Graph, GraphFormat, Warning};
use crate::game::{Game, GraphGame};
use crate::printable::{printable, quoted};
use anyhow::Context;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

const EXAMPLES: &str = "\
A list of edges has one move per line, from and to; a name alone is a vertex:
  a b
  a -> c     # comments like this
  b, c
DOT is read as Graphviz reads it. JSON is {\"vertices\":[\"a\"],\"edges\":[[\"a\",\"b\"]]}, where
the vertices may be omitted, or {\"a\":[\"b\"],\"b\":[]}.

Examples:
  nim-analyser graph moves.txt
  nim-analyser graph moves.json --position a,b --all
  nim-analyser graph moves.txt --explain
  nim-analyser graph moves.dot --dot | dot -Tsvg > solved.svg";

/// Find the nim-value and outcome of every vertex of an acyclic graph
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The file; - is standard input
    file: PathBuf,
    /// The format of the file [default: by its ending or its content]
    #[arg(long, value_enum)]
    format: Option<GraphFormat>,
    /// Skip the first line of a list of edges, which counts vertices and edges
    #[arg(long)]
    header: bool,
    /// Analyse the sum of these vertices instead of listing all
    #[arg(short, long, value_name = "A,B,C")]
    position: Vec<String>,
    /// Play misère: whoever makes the last move loses
    #[arg(long)]
    misere: bool,
    #[command(flatten)]
    answer: AnswerArgs,
    /// Print the graph for Graphviz, with nim-values and outcomes, P-positions marked
    #[arg(long, conflicts_with_all = ["json", "position", "explain"])]
    dot: bool,
    /// Use at most SIZE of memory for the graph, as in 500M or 8G
    #[arg(long, value_name = "SIZE", default_value = "8G", value_parser = bytes)]
    memory: u64,
    #[command(flatten)]
    search: SearchArgs,
    /// Print no warnings, such as those of repeated edges
    #[arg(short, long)]
    quiet: bool,
}

/// Reads the graph and prints what was found.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let answer = &args.answer;
    if args.position.is_empty() && (answer.all || answer.exit_code) {
        refuse!("--all and --exit-code need a position: --position A,B,C");
    }
    let text = read(&args.file, args.memory)?;
    let game = open(args, text).with_context(|| name_of(&args.file))?;
    let convention = convention(args.misere);
    if !args.position.is_empty() {
        let names: Vec<&str> = args.position.iter().map(String::as_str).collect();
        let position = game.read(&names)?;
        return answer.answer(&game, &position, convention, None);
    }
    let text = |out: &mut dyn Write| {
        if args.dot {
            return report::graph::dot(out, &game, convention);
        }
        report::graph::text(out, &game, convention)?;
        match answer.explain {
            true => report::graph::working(out, &game, convention),
            false => Ok(()),
        }
    };
    let report = report::graph::report(&game, convention);
    answer.form.print("graph", &report, text)
}

/// The game of the graph that is written in the file's text.
fn open(args: &Args, mut text: Vec<u8>) -> Result<GraphGame, Refused> {
    let format = args
        .format
        .or_else(|| GraphFormat::of_name(&args.file.to_string_lossy()));
    let format = format.unwrap_or_else(|| GraphFormat::of_text(&text));
    if args.header && format != GraphFormat::Edges {
        refuse!("--header is for a list of edges");
    }
    if args.header {
        leave_out_header(&mut text)?;
    }
    let (graph, warnings) = Graph::read(&text, format, args.memory)?;
    drop(text);
    if !args.quiet {
        warn(&graph, &warnings);
    }
    let effort = Effort::default().memory(args.memory);
    let effort = effort.watch(Arc::new(Progress::new(args.quiet)));
    let effort = args.search.bound(effort, DEFAULT_POSITIONS);
    Ok(GraphGame::new("graph", graph)?.with_effort(effort))
}

/// Blanks out the first line that isn't empty, so that the byte positions of the other lines stay as they are.
///
/// # Errors
/// If this line is not two numbers.
fn leave_out_header(text: &mut [u8]) -> Result<(), Refused> {
    let says_something = |line: &&mut [u8]| {
        let line = line.trim_ascii_start();
        !line.is_empty() && !line.starts_with(b"#")
    };
    let mut lines = text.split_mut(|&byte| byte == b'\n');
    let Some(line) = lines.find(says_something) else {
        return Ok(());
    };
    let words = String::from_utf8_lossy(line).into_owned();
    let numbers: Result<Vec<u64>, _> = words.split_whitespace().map(str::parse).collect();
    if numbers.is_ok_and(|numbers| numbers.len() == 2) {
        line.fill(b' ');
        return Ok(());
    }
    refuse!(
        "--header skips a first line of two numbers, not `{}`",
        quoted(words.trim())
    );
}

/// Prints warnings about what is perhaps not meant, such as repeated edges.
fn warn(graph: &Graph, warnings: &[Warning]) {
    const SHOWN: usize = 10;
    let name = |vertex: u32| printable(graph.name(vertex as usize).unwrap_or_default());
    for warning in warnings.iter().take(SHOWN) {
        match warning {
            Warning::Repeated { place, from, to } => note(format_args!(
                "warning: {place}: the edge {} -> {} was given before; it counts once",
                name(*from),
                name(*to)
            )),
            Warning::CutNumber {
                place,
                text,
                number,
            } => {
                let (first, second) = text.split_at(*number);
                note(format_args!(
                    "warning: {place}: {text} without quotes is {first} followed by {second}, as Graphviz reads it; \"{text}\" is one name"
                ));
            }
            Warning::Header {
                place,
                vertices,
                edges,
            } => note(format_args!(
                "warning: {place}: `{vertices} {edges}` is read as a move; if it counts {vertices} vertices and {edges} edges, use --header to skip it"
            )),
        }
    }
    if let Some(more @ 1..) = warnings.len().checked_sub(SHOWN) {
        note(format_args!("warning: {more} more warnings like these"));
    }
}
