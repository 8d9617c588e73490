//! `game-graph`: the positions that can be reached from one position, as a graph for Graphviz.

use super::shared_args::{PlayedGameArgs, heap, print, read_piles};
use crate::app::error::refuse;
use crate::app::report;
use crate::engine::Effort;
use crate::error::Error;
use crate::game::GraphGame;
use crate::game::graph::Graph;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Every position is shown with its nim-value and its outcome, N or P. P-positions are filled and have a double border.

Examples:
  nim-analyser game-graph -g nim 2 2 | dot -Tsvg > nim.svg
  nim-analyser game-graph -g kayles 6 --misere
  nim-analyser game-graph -g wythoff 3 3 | nim-analyser graph - --explain";

/// The most bytes of memory that the graph may take.
const MEMORY: u64 = 1 << 33;

/// Print the graph of a small game for Graphviz
///
/// The graph has every position that can be reached from the one given, with its nim-value.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: PlayedGameArgs,
    /// The piles of the first position, after the game if -g names none
    #[arg(required = true, value_name = "PILES")]
    piles: Vec<String>,
    /// Refuse more than N positions
    #[arg(long, value_name = "N", default_value = "1000", value_parser = heap)]
    limit: u64,
}

/// Prints the graph.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (named, words) = args.game.named().and_words(&args.piles)?;
    let game = named.open(Effort::default())?;
    let start = game.start(read_piles(&*game, &words, MEMORY)?)?;
    let name = |position: &[u64]| game.shown(position);
    let limit = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let graph = Graph::of_game(&*game, &start, limit, &name, MEMORY)?;
    let Some(graph) = graph else {
        refuse!(
            "more than {} positions can be reached from {}, too many to draw\nhelp: use smaller or fewer piles, or allow more by --limit N",
            args.limit,
            name(&start)
        );
    };
    let graph = GraphGame::new(game.name(), graph).map_err(Error::from)?;
    print(|out| report::graph::dot(out, &graph, named.convention()))
}
