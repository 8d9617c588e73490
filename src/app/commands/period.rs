//! `period`: finds and proves the period of a game's nim-values.

use super::interrupt;
use super::long_run::{CheckpointArgs, LongRun, Place, seconds};
use super::output::Output;
use super::shared_args::{EffortArgs, FormArgs, NamedGameArgs, heap};
use crate::app::error::{library, refuse, remedy};
use crate::app::report::PeriodReport;
use crate::app::report::style::note;
use crate::certificate::Certificate;
use crate::engine::octal::Octal;
use crate::engine::value_window::BEGINNING;
use crate::engine::{Engine, cost};
use crate::error::Error;
use crate::sequence::Sequence;
use crate::sequence::period::certificate::TableCertificate;
use crate::sequence::period::{Finding, Theorem};
use anyhow::bail;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

const EXAMPLES: &str = "\
The period p and the preperiod are the least numbers with g(n+p) = g(n) + saltus for every n from the preperiod on. The
saltus is 0 in most games. The last exception is the pile before the preperiod. `proved` means that the theorem named
proves it for all n; `observed` means that it holds as far as computed.

Examples:
  nim-analyser period -g kayles
  nim-analyser period -g all-but:2,3,7 --json
  nim-analyser period -g 0.156 --certificate 0.156.json";

/// Find and prove the period of a game's nim-values
///
/// Print the period with the preperiod, the last exception, the saltus and the theorem that proves it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: NamedGameArgs,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    effort: EffortArgs,
    /// Compute the nim-values at most to pile N [default: until a period is proved or the memory is full]
    #[arg(long, value_name = "N", value_parser = heap)]
    limit: Option<u64>,
    /// Stop after SECONDS and print what is known by then
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Write a certificate of the proof to FILE, for `verify`; with - to standard output, and the report to standard error
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    form: FormArgs,
}

/// Searches and prints what was found.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ruleset = args.game.ruleset()?;
    if let (None, Some(formula)) = (ruleset.takings(), ruleset.formula()) {
        refuse!("{} needs no search: {}", ruleset.name(), formula.words());
    }
    args.checkpoint
        .keep_apart("--certificate", args.certificate.as_deref())?;
    let certificate = args.certificate.as_deref();
    let certificate = certificate
        .map(|file| Output::open(Some(file)))
        .transpose()?;
    let effort = EffortArgs {
        patient: args.limit.is_none(),
        time: args.seconds,
        ..args.effort.clone()
    };
    let fits = matches!(effort.engine, Engine::Auto | Engine::Sparse);
    let far = args.limit.unwrap_or(u64::MAX - 1);
    let far = (fits && far > BEGINNING && Octal::breaking(&ruleset).is_some()).then_some(far);
    let place = far.map_or(Place::Table, |_| Place::Either);
    let mut run = LongRun::begin(&ruleset, &effort, &args.checkpoint, place)?;
    let found = search(&mut run, args, far)?;
    let report = PeriodReport::new(run.sequence(), &found);
    args.form
        .print_beside(certificate.as_ref(), "period", &report, |out| {
            report.text(out)
        })?;
    if let Some(certificate) = certificate {
        let Finding::Proved(proof) = found else {
            bail!("no certificate is written, because no period is proved");
        };
        if proof.theorem == Theorem::Window {
            let content = run.segments(&proof)?;
            certificate.write(|out| Ok(content.write(out)?))?;
        } else {
            let content = TableCertificate::new(run.sequence(), &proof);
            certificate.write(|out| Ok(content.write(out)?))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Searches to heap `far`: by the window theorem too if that is asked for and of use, else by a table.
fn search(run: &mut LongRun, args: &Args, far: Option<u64>) -> anyhow::Result<Finding> {
    let found = run.work(|sequence| {
        let found = match far.map(|limit| sequence.find_period_far(limit)) {
            Some(Ok(Some(found))) => Ok(found),
            Some(Err(error)) if sequence.is_in_window() => Err(error),
            _ => match args.limit {
                Some(limit) => sequence.find_period(limit),
                None => search_within_reach(sequence, args.effort.quiet),
            },
        };
        match found {
            // The work was interrupted without a signal, so its time is up.
            Err(Error::Interrupted) if !interrupt::received() => Ok(sequence.period_so_far()),
            found => found,
        }
    });
    // Without a limit the search goes as far as it can.
    let goes_on = args.limit.is_none() && run.sequence().is_in_window();
    let is_end = |error| {
        let end = library(error);
        matches!(end, Some(Error::OutOfReach { .. } | Error::Memory { .. }))
    };
    match found {
        Err(error) if goes_on && is_end(&error) => {
            if !args.effort.quiet {
                note(format_args!("{error:#}{}", remedy(error.root_cause())));
            }
            Ok(Finding::Nothing)
        }
        found => found,
    }
}

/// A search that walks more options or makes more values than this is announced.
const QUICK_STEPS: u128 = 500_000_000;
const QUICK_VALUES: u64 = 1_000_000;

/// Searches until a period is proved, or as far as the values can be computed. After some seconds a message says so; the search
/// gives up where more values can't prove anything.
pub fn search_within_reach(sequence: &mut Sequence, quiet: bool) -> Result<Finding, Error> {
    let ruleset = sequence.ruleset();
    let theorems = Theorem::covering(ruleset);
    // A theorem that needs only the first periods is not worth a long search.
    let is_worth_more = |theorem: &Theorem| *theorem != Theorem::OneSet;
    let covered = (theorems.as_ref()).is_ok_and(|theorems| theorems.iter().any(is_worth_more));
    let has_formula = ruleset.formula().is_some();
    let steps = |heap| cost::by_definition(ruleset, heap);
    let soon = cost::largest_within(QUICK_STEPS, QUICK_VALUES, steps);
    if let (Err(why), false) = (theorems, quiet || has_formula) {
        note(format_args!(
            "{why}: a period can only be observed, in the first {} nim-values",
            soon + 1
        ));
    }
    let found = search_to(sequence, soon)?;
    match found {
        Finding::Observed { seen, .. } if seen.saltus > 0 => return Ok(found),
        Finding::Proved(_) => return Ok(found),
        _ if !covered => return Ok(found),
        _ => {}
    }
    if !quiet {
        let computed = sequence.computed();
        note(format_args!(
            "the first {computed} nim-values prove no period; continuing until a period is proved or the memory is full (--limit N or --seconds S stops earlier)"
        ));
    }
    search_to(sequence, u64::MAX)
}

/// Searches with the values to a heap, or as far as they can be computed.
fn search_to(sequence: &mut Sequence, limit: u64) -> Result<Finding, Error> {
    match sequence.find_period(limit) {
        Err(Error::OutOfReach { would_do, .. } | Error::Memory { would_do, .. })
            if would_do < limit =>
        {
            sequence.find_period(would_do)
        }
        Err(Error::ValueTooLarge { .. }) => Ok(sequence.period_so_far()),
        found => found,
    }
}
