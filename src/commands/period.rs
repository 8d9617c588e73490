//! `period`: finds and proves the period of a game's nim-values.

use super::common::{EffortArgs, GameArgs, stdout};
use crate::error::Error;
use crate::period::{self, Theorem};
use crate::report::PeriodReport;
use crate::ruleset::Ruleset;
use crate::solver::Solver;
use std::process::ExitCode;

/// How far the values are searched without `--limit`.
const DEFAULT_LIMIT: u64 = 1_000_000;

const EXAMPLES: &str = "\
The period p and the preperiod are the least with g(n+p) = g(n) + saltus for every n from the preperiod on; the
preperiod is the last exception plus 1. `proved` means for ever, by the theorem named; `observed`, as far as computed.

Examples:
  nim-analyser period -g kayles
  nim-analyser period -g all-but:2,3,7 --json
  nim-analyser period -g 0.156 --certificate 0.156.json";

/// Find and prove the period of the nim-values: period, preperiod, last exception, saltus, theorem
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    effort: EffortArgs,
    /// Compute the nim-values to heap N at most [default: 1000000, or as far as is within reach]
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

/// Searches and prints what was found.
///
/// # Errors
/// If the game can't be read, the limit asked for is out of reach, or something can't be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ruleset: Ruleset = args.game.game.parse().map_err(Error::from)?;
    let mut solver = Solver::new(ruleset.clone(), args.effort.effort());
    let limit = args.limit.unwrap_or(DEFAULT_LIMIT);
    let found = match period::search(&mut solver, &ruleset, limit) {
        Err(Error::OutOfReach { would_do, .. } | Error::Memory { would_do, .. })
            if args.limit.is_none() && would_do < limit =>
        {
            period::search(&mut solver, &ruleset, would_do)?
        }
        Err(Error::ValueTooLarge { .. }) if args.limit.is_none() => {
            period::look(solver.table(), Theorem::covering(&ruleset))
        }
        found => found?,
    };
    let report = PeriodReport::new(&ruleset, &found, solver.table());
    let mut out = stdout();
    if args.json {
        report.json(&mut out)?;
    } else {
        report.text(&mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
