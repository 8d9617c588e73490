//! `period`: finds and proves the period of a game's nim-values.

use super::common::{EffortArgs, GameArgs, heap, stdout};
use super::interrupt;
use super::output::Output;
use super::run::{CheckpointArgs, Run, seconds};
use crate::app::cli::is_interruption;
use crate::app::report::PeriodReport;
use crate::error::Error;
use crate::game::Turning;
use crate::ruleset::Ruleset;
use crate::sequence::period::certificate::Certificate;
use crate::sequence::period::{self, Finding, Theorem};
use anyhow::bail;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

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
    /// The game, if not named by -g
    #[arg(value_name = "GAME")]
    word: Option<String>,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    effort: EffortArgs,
    /// Compute the nim-values to pile N at most [default: until a period is proved or the memory is full]
    #[arg(long, value_name = "N", value_parser = heap)]
    limit: Option<u64>,
    /// Stop after so many seconds and say what is known by then
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    seconds: Option<Duration>,
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
    let ruleset = args.game.or_word(args.word.as_deref())?.ruleset()?;
    if let Some((_, formula)) = Turning::named(ruleset.name()).and_then(Turning::formula) {
        let text = format!("{} needs no search: {formula}", ruleset.name());
        return Err(Error::Usage(text).into());
    }
    let certificate = match &args.certificate {
        Some(file) => Some(Output::open(Some(file))?),
        None => None,
    };
    let effort = EffortArgs {
        patient: args.limit.is_none(),
        time: args.seconds,
        ..args.effort.clone()
    };
    let mut run = Run::begin(ruleset.clone(), &effort, &args.checkpoint)?;
    let searched = match args.limit {
        Some(limit) => period::search(&mut run, &ruleset, limit),
        None => search_within_reach(&mut run, &ruleset),
    };
    let found = match searched {
        Err(error) if is_interruption(&error) && !interrupt::received() => {
            period::look(run.table(), Theorem::covering(&ruleset))
        }
        searched => searched?,
    };
    let table = run.finish()?;
    let report = PeriodReport::new(&ruleset, &found, &table);
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
        let content = Certificate::new(&ruleset, &proof, &table);
        certificate.write(|out| {
            serde_json::to_writer_pretty(&mut *out, &content)?;
            Ok(writeln!(out)?)
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Searches until a period is proved, or as far as the values can be computed.
fn search_within_reach(run: &mut Run, ruleset: &Ruleset) -> anyhow::Result<Finding> {
    let error = match period::search(run, ruleset, u64::MAX) {
        Err(error) => error,
        found => return found,
    };
    match error.downcast_ref() {
        Some(&Error::OutOfReach { would_do, .. } | &Error::Memory { would_do, .. })
            if would_do < u64::MAX =>
        {
            period::search(run, ruleset, would_do)
        }
        Some(Error::ValueTooLarge { .. }) => {
            Ok(period::look(run.table(), Theorem::covering(ruleset)))
        }
        _ => Err(error),
    }
}
