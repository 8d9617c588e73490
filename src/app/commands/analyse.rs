//! `analyse`: who wins a position, and by which moves.

use super::answer::AnswerArgs;
use super::common::{EffortArgs, GameArgs, SearchArgs};
use crate::engine::DEFAULT_POSITIONS;
use crate::error::Error;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Piles are whole numbers to 2^64-1: 7 8, 3,4,5, 1_000, 7x3 (three piles of 7), 1e18, 2^60.

Examples:
  nim-analyser 7 8
  nim-analyser analyse -g kayles 3,4,5 --all
  nim-analyser -g subtraction:1,3,4 1e18 --json
  nim-analyser -g poker-nim:20 3 4 5       Nim in which 20 stones may be added in all (10 unless said)
  nim-analyser -g moore:2 3 4 5 6          a move takes from one pile or two";

/// Analyse a position: who wins, and by which moves (the default command)
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The piles
    #[arg(
        required = true,
        value_name = "PILES",
        allow_hyphen_values = false,
        allow_negative_numbers = true
    )]
    piles: Vec<String>,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    answer: AnswerArgs,
}

/// Analyses the position and prints what was found.
///
/// # Errors
/// If the piles or the game can't be read, the answer is out of reach, or it can't be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (named, piles) = args.game.and_piles(&args.piles)?;
    if piles.is_empty() {
        return Err(Error::Usage("which piles? as in `nim-analyser 7 8`".to_owned()).into());
    }
    let game = named.open(args.search.bound(args.effort.effort(), DEFAULT_POSITIONS))?;
    let position = game.start(piles)?;
    args.answer.answer(&*game, &position, named.convention())
}
