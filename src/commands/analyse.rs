//! `analyse`: who wins a position, and by which moves.

use super::common::{EffortArgs, GameArgs, stdout};
use crate::error::Error;
use crate::game::Moves;
use crate::position::parse_piles;
use crate::report;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Piles are whole numbers to 2^64-1: 7 8, 3,4,5, 1_000, 7x3 (three piles of 7), 1e18, 2^60.

Examples:
  nim-analyser 7 8
  nim-analyser analyse -g kayles 3,4,5 --all
  nim-analyser -g subtraction:1,3,4 1e18 --json";

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
    /// List every winning move, not just the first
    #[arg(short, long)]
    all: bool,
    /// Show the working: options, nim-values, mex, and the nim-sum in binary columns
    #[arg(short, long, conflicts_with = "json")]
    explain: bool,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
    /// Exit with 1 for a losing position, 0 for a winning one
    #[arg(long)]
    exit_code: bool,
}

/// Analyses the position and prints what was found.
///
/// # Errors
/// If the piles or the game can't be read, the answer is out of reach, or it can't be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let piles = parse_piles(&args.piles).map_err(Error::from)?;
    let game = args.game.open(args.effort.effort())?;
    let analysis = game.analyse(&game.start(piles)?, args.game.convention())?;
    let winning = game.winning_moves(&analysis);
    let winning: Moves<'_> = if args.all {
        winning
    } else {
        Box::new(winning.take(1))
    };
    let mut out = stdout();
    if args.json {
        report::json::analysis(&mut out, &*game, &analysis, winning)?;
    } else {
        report::text::analysis(&mut out, &*game, &analysis, winning)?;
        if let Some(basis) = game.basis(&analysis) {
            report::text::basis(&mut out, &basis)?;
        }
        if args.explain {
            report::text::working(&mut out, &game.explain(&analysis)?)?;
        }
    }
    out.flush()?;
    let losing = args.exit_code && !analysis.outcome.is_winning();
    Ok(ExitCode::from(u8::from(losing)))
}
