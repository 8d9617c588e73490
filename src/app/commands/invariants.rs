//! `invariants`: the figures by which computations of a sparse game are compared.

mod histogram;

use super::long_run::{CheckpointArgs, IN_TABLE, LongRun, Place};
use super::shared_args::{EffortArgs, FormArgs, NamedGameArgs, heap};
use crate::app::error::{Refused, library, refuse};
use crate::engine::value_window::BEGINNING;
use crate::error::{Error, Reason};
use crate::ruleset::Ruleset;
use crate::sequence::figures::Figures;
use histogram::{Counting, Histogram};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

const EXAMPLES: &str = "\
In many octal games nearly all nim-values are common and few are rare: the sparse space. A bit mask tells them apart. A value
is rare if an even number of its bits are in the mask. In games whose classes alternate that is so of piles of the parity
of the numbers of stones that are taken to leave two piles, and of the others the values with an odd number are rare.
The depth is the largest smaller part of any pair of piles that was needed to show that a rare value is an option.
A checkpoint of one bound can be continued to a larger one.

Examples:
  nim-analyser invariants 0.106 --to 2^28
  nim-analyser invariants grundy --to 1e6 --json
  nim-analyser invariants 0.167 --to 2^20 --histogram
  nim-analyser invariants 0.167 --to 2^36 --checkpoint 0.167.ck";

/// Count a game's rare values, with its largest value and mask
///
/// The game must have a sparse space (see below). The depth of the deepest proof is shown where it is known.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: NamedGameArgs,
    /// Compute the piles to N
    #[arg(long, value_name = "N", value_parser = heap)]
    to: u64,
    /// Count the piles from 1 on that have each nim-value; with --json at every power of two too
    #[arg(long, conflicts_with = "checkpoint")]
    histogram: bool,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    form: FormArgs,
}

/// The figures counted.
#[derive(Debug, PartialEq, Serialize)]
pub struct Invariants {
    game: String,
    code: Option<String>,
    to: u64,
    mask: u16,
    alternating: bool,
    /// How many piles from 1 on have a rare value.
    rare: u64,
    rare_with_heap_0: u64,
    last_rare: Option<u64>,
    max: u64,
    max_at: u64,
    /// The depth of the deepest proof: its pair's smaller part, and the first pile that needed it. `None` if no pair was deeper
    /// than `depth_seen_beyond`.
    depth: Option<u64>,
    depth_at: Option<u64>,
    depth_seen_beyond: Option<u64>,
    /// The first pile whose proof counts for the depth. `None` if all values are known by a table, which doesn't show depths.
    depth_from: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    histograms: Option<Vec<Histogram>>,
}

/// Counts and prints.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ruleset = args.game.ruleset()?;
    let invariants = count(&ruleset, args)?;
    args.form
        .print("invariants", &invariants, |out| invariants.print(out))
}

fn count(ruleset: &Ruleset, args: &Args) -> anyhow::Result<Invariants> {
    let place = if args.to < BEGINNING {
        Place::Table
    } else {
        Place::Window
    };
    let begin = |place| LongRun::begin(ruleset, &args.effort, &args.checkpoint, place);
    let mut run = begin(place)?;
    if run.sequence().figures_from() > args.to {
        refuse!(
            "the checkpoint holds a search up to pile {}, beyond {}; use --to with at least that pile, or name another file",
            run.sequence().figures_from(),
            args.to
        );
    }
    let histograms = match histograms(&mut run, args) {
        Err(error)
            if args.to <= IN_TABLE
                && args.checkpoint.checkpoint.is_none()
                && outgrows_window(&error) =>
        {
            run = begin(Place::Table)?;
            histograms(&mut run, args)
        }
        counted => counted,
    }?;
    let figures = match run.sequence().figures(args.to) {
        None => run.work(|sequence| sequence.learn_figures(args.to))?,
        known => known,
    };
    let Some(figures) = figures else {
        let (game, to) = (ruleset.name(), args.to);
        refuse!(
            "the nim-values of {game} to pile {to} show no sparse space: too many of them are rare, or none"
        );
    };
    Ok(Invariants::new(ruleset, args.to, figures, histograms))
}

/// Whether the error is that a window can't hold the values, which a table may still hold.
fn outgrows_window(error: &anyhow::Error) -> bool {
    let wide_or_deep = matches!(
        library(error),
        Some(Error::OutOfReach {
            reason: Reason::WideValue { .. } | Reason::ForgottenPairs { .. },
            ..
        })
    );
    wide_or_deep || matches!(error.downcast_ref(), Some(Refused::Hours { .. }))
}

/// Computes the values, and counts them if asked to.
fn histograms(run: &mut LongRun, args: &Args) -> anyhow::Result<Option<Vec<Histogram>>> {
    let mut counting = Counting::default();
    let from = if args.histogram { 0 } else { u64::MAX };
    run.compute(args.to, from, &mut |_, values| {
        counting.count(values);
        Ok(())
    })?;
    Ok(args.histogram.then(|| counting.end()))
}

impl Invariants {
    fn new(
        ruleset: &Ruleset,
        to: u64,
        figures: Figures,
        histograms: Option<Vec<Histogram>>,
    ) -> Invariants {
        let Figures { space, rare, .. } = figures;
        let (max, max_at) = figures.largest;
        let depth = figures.depth;
        let deepest = depth.and_then(|depth| depth.pair());
        let resolution = depth.map(|depth| depth.resolution as u64);
        Invariants {
            game: ruleset.name().to_owned(),
            code: ruleset.code().map(ToString::to_string),
            to,
            mask: space.mask(),
            alternating: space.alternating(),
            rare,
            rare_with_heap_0: rare + u64::from(space.is_rare(0, 0)),
            last_rare: figures.last_rare,
            max: u64::try_from(max).unwrap_or(u64::MAX),
            max_at,
            depth: deepest.map(|(part, _)| part),
            depth_at: deepest.map(|(_, heap)| heap),
            depth_seen_beyond: resolution.filter(|_| deepest.is_none()),
            depth_from: depth.map(|depth| depth.from as u64),
            histograms,
        }
    }

    fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Invariants {
            to,
            rare,
            rare_with_heap_0,
            max,
            max_at,
            ..
        } = self;
        writeln!(out, "{}, through pile {to}", self.game)?;
        let zero = match rare_with_heap_0 - rare {
            0 => "pile 0 is common".to_owned(),
            _ => format!("{rare_with_heap_0} with pile 0"),
        };
        writeln!(out, "rare values     {rare} ({zero})")?;
        let last = self
            .last_rare
            .map_or("none".to_owned(), |heap| heap.to_string());
        writeln!(out, "last rare pile  {last}")?;
        writeln!(out, "largest value   {max}, first at pile {max_at}")?;
        let alternating = if self.alternating {
            ", the classes alternate"
        } else {
            ""
        };
        writeln!(
            out,
            "mask            {:x} in hexadecimal{alternating}",
            self.mask
        )?;
        writeln!(out, "deepest proof   {}", self.deepest())?;
        let values = match rare_with_heap_0 {
            1 => "value",
            _ => "values",
        };
        let last = self
            .last_rare
            .map_or(String::new(), |heap| format!(", last at pile {heap}"));
        let through = match to.is_power_of_two() {
            true => format!("2^{}", to.ilog2()),
            false => to.to_string(),
        };
        writeln!(
            out,
            "in the OEIS     {rare_with_heap_0} rare {values} with pile 0, {rare} without it{last}, maximum {max}, first at pile {max_at}, through {through}."
        )?;
        histogram::print(self.histograms.as_deref().unwrap_or_default(), out)
    }

    /// The deepest proof in words.
    fn deepest(&self) -> String {
        let Some(from) = self.depth_from else {
            let from = BEGINNING;
            return format!(
                "not known: it is recorded only from pile {from} on, in games with few rare values"
            );
        };
        match (self.depth, self.depth_at, self.depth_seen_beyond) {
            (Some(depth), Some(heap), _) => {
                format!("{depth}, first at pile {heap}, of the piles from {from} on")
            }
            (_, _, Some(depth)) => {
                format!("no deeper than {depth}, of the piles from {from} on")
            }
            _ => "none".to_owned(),
        }
    }
}
