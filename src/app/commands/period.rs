//! `period`: finds and proves the period of a game's nim-values.

use super::common::{EffortArgs, GameArgs, heap, stdout};
use super::hunt::{self, HuntRun};
use super::output::Output;
use super::run::{CheckpointArgs, Run};
use crate::app::report::PeriodReport;
use crate::engine::Engine;
use crate::error::Error;
use crate::ruleset::Ruleset;
use crate::sequence::Sequence;
use crate::sequence::period::Finding;
use crate::sequence::period::certificate::Certificate;
use anyhow::bail;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// How far the values are searched without `--limit`.
const DEFAULT_LIMIT: u64 = 1_000_000;

/// With more values than this a game with a sparse space is searched in bounded memory.
const BY_TABLE: u64 = 1 << 22;

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
    let fits = matches!(args.effort.engine, Engine::Auto | Engine::Sparse);
    let far = args.limit.filter(|&limit| limit > BY_TABLE && fits);
    if let Some(limit) = far
        && hunt::is_in(&args.checkpoint, &ruleset)?
    {
        return search_far(args, &ruleset, limit, certificate);
    }
    let mut run = Run::begin(ruleset.clone(), &args.effort, &args.checkpoint)?;
    let mut found = run.work(|sequence| match args.limit {
        Some(limit) if far.is_some() => sequence.find_period(limit.min(BY_TABLE)),
        Some(limit) => sequence.find_period(limit),
        None => search_within_reach(sequence),
    })?;
    if let Some(limit) = far
        && !matches!(found, Finding::Proved(_))
    {
        if run.sequence().table().is_coded() {
            drop(run);
            return search_far(args, &ruleset, limit, certificate);
        }
        found = run.work(|sequence| sequence.find_period(limit))?;
    }
    let sequence = run.sequence();
    print(args, &PeriodReport::new(sequence, &found))?;
    if let Some(certificate) = certificate {
        let Finding::Proved(proof) = found else {
            bail!(NO_CERTIFICATE);
        };
        write(certificate, &Certificate::new(sequence, &proof))?;
    }
    Ok(ExitCode::SUCCESS)
}

const NO_CERTIFICATE: &str = "no certificate is written, for no period is proved";

/// Searches in bounded memory.
fn search_far(
    args: &Args,
    ruleset: &Ruleset,
    limit: u64,
    certificate: Option<Output>,
) -> anyhow::Result<ExitCode> {
    let mut run = HuntRun::begin(ruleset, &args.effort, &args.checkpoint)?;
    let found = run.search(limit.saturating_add(1))?;
    let finding = found.map_or(Finding::Nothing, |found| Finding::Proved(found.proof));
    print(
        args,
        &PeriodReport::of_ring(ruleset, run.hunt().ring(), &finding),
    )?;
    if let Some(certificate) = certificate {
        let Some(found) = found else {
            bail!(NO_CERTIFICATE);
        };
        write(certificate, &run.certificate(ruleset, &found)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(args: &Args, report: &PeriodReport) -> anyhow::Result<()> {
    let mut out = stdout();
    if args.json {
        report.json(&mut out)?;
    } else {
        report.text(&mut out)?;
    }
    Ok(out.flush()?)
}

fn write(certificate: Output, content: &impl Serialize) -> anyhow::Result<()> {
    certificate.write(|out| {
        serde_json::to_writer_pretty(&mut *out, content)?;
        Ok(writeln!(out)?)
    })
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
