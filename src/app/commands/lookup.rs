//! `lookup`: what is known of a game.

use super::common::{EffortArgs, GameArgs, heap, stdout};
use crate::app::report::{LookupReport, PeriodReport};
use crate::error::Error;
use crate::sequence::Sequence;
use crate::sequence::published::lookup;
use std::process::ExitCode;

/// How far a period is searched, and the options that may be walked for it.
const SEARCHED: u64 = 5000;
const STEPS: u64 = 50_000_000;

const EXAMPLES: &str = "\
Two games are equivalent if their nim-values agree, perhaps shifted: 0.137(n-1) is the pile of n-1 in 0.137.

Examples:
  nim-analyser lookup 0.07
  nim-analyser lookup 0.161 --bound 500
  nim-analyser lookup kayles --json";

/// Look up what is known of a game: its standard form, equivalents, period, or how far others got
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The game, if not named by -g
    #[arg(value_name = "CODE")]
    word: Option<String>,
    #[command(flatten)]
    game: GameArgs,
    /// Compare nim-values to pile N to find equivalents
    #[arg(long, value_name = "N", default_value = "1000", value_parser = heap)]
    bound: u64,
    #[command(flatten)]
    effort: EffortArgs,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

/// Looks the game up and prints what is known.
///
/// # Errors
/// If the game can't be read, its values are out of reach, or the answer can't be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ruleset = args.game.or_word(args.word.as_deref())?.ruleset()?;
    let effort = args.effort.effort();
    let found = lookup(&ruleset, args.bound, &effort)?;
    let mut sequence = Sequence::with_effort(ruleset, effort.steps(STEPS));
    let search = match sequence.find_period(SEARCHED) {
        Ok(search) => search,
        Err(Error::Interrupted) => return Err(Error::Interrupted.into()),
        Err(_) => sequence.period_so_far(),
    };
    let search = PeriodReport::new(&sequence, &search);
    let report = LookupReport::new(found, args.bound, search);
    let mut out = stdout();
    if args.json {
        report.json(&mut out)?;
    } else {
        report.text(&mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
