//! `period`: finds and proves the period of a game's nim-values.

use super::common::{EffortArgs, GameArgs, heap, stdout};
use super::output::Output;
use super::run::{CheckpointArgs, Run};
use crate::app::report::PeriodReport;
use crate::error::Error;
use crate::sequence::Sequence;
use crate::sequence::period::Finding;
use crate::sequence::period::certificate::Certificate;
use anyhow::bail;
use std::path::PathBuf;
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
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    effort: EffortArgs,
    /// Compute the nim-values to pile N at most [default: 1000000, or as far as is within reach]
    #[arg(long, value_name = "N", value_parser = heap)]
    limit: Option<u64>,
    /// Write what a sceptic needs to check the proof to FILE, for `verify`
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

/// Searches and prints what was found.
///
/// # Errors
/// If the game can't be read, the limit asked for is out of reach, a certificate is asked for and nothing is proved,
/// or something can't be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ruleset = args.game.ruleset()?;
    let certificate = match &args.certificate {
        Some(file) => Some(Output::open(Some(file))?),
        None => None,
    };
    let mut run = Run::begin(ruleset, &args.effort, &args.checkpoint)?;
    let found = run.work(|sequence| match args.limit {
        Some(limit) => sequence.find_period(limit),
        None => search_within_reach(sequence),
    })?;
    let sequence = run.sequence();
    let report = PeriodReport::new(sequence, &found);
    let mut out = stdout();
    if args.json {
        report.json(&mut out)?;
    } else {
        report.text(&mut out)?;
    }
    out.flush()?;
    if let Some(certificate) = certificate {
        let Finding::Proved(proof) = found else {
            bail!("no certificate is written, for no period is proved");
        };
        let content = Certificate::new(sequence, &proof);
        certificate.write(|out| {
            serde_json::to_writer_pretty(&mut *out, &content)?;
            Ok(writeln!(out)?)
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Searches to the default limit, or as far as the values can be computed.
fn search_within_reach(sequence: &mut Sequence) -> Result<Finding, Error> {
    match sequence.find_period(DEFAULT_LIMIT) {
        Err(Error::OutOfReach { would_do, .. } | Error::Memory { would_do, .. })
            if would_do < DEFAULT_LIMIT =>
        {
            sequence.find_period(would_do)
        }
        Err(Error::ValueTooLarge { .. }) => Ok(sequence.period_so_far()),
        found => found,
    }
}
