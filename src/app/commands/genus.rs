//! `genus`: genus symbols, the nim-value and the misère nim-values in one.

use super::shared_args::{EffortArgs, FormArgs, PlayedGameArgs, SearchArgs, heap};
use crate::analysis::HeapGame;
use crate::app::error::refuse;
use crate::app::report::style::{indented, padded};
use crate::misere::{Genus, Nature};
use crate::printable::joined;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// The largest pile that is shown where neither piles nor `--piles` is given.
const HEAPS: u64 = 20;

/// The most positions searched without `--positions`: less than two seconds of work, also on a busy machine.
const POSITIONS: u64 = 250_000;

/// The largest pile that a list may go to; not so many piles are looked through.
const LARGEST: u64 = 2_000_000;

const EXAMPLES: &str = "\
The genus 4^146 means: the nim-value is 4, and the misère nim-values are 1, 4, 6, 4, 6, … with 0, 1, 2, … Nim piles of 2
added (On Numbers and Games, ch. 12; Winning Ways, ch. 13). Tame positions have the genus of a Nim position and behave
like Nim in misère play, restive and restless ones nearly do, and wild ones do not. As in these books, 2 stands for the Nim pile
of 2, and 2^2 is short for the tame genus 2^20.

Examples:
  nim-analyser genus -g kayles --piles 30
  nim-analyser genus -g 0.07 10 14
  nim-analyser genus -g grundy --piles 20 --json";

/// Show the genus symbols of piles and positions
///
/// Print the misère nim-values that describe a pile, and whether it is tame, restive, restless or wild.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The piles of a position; without them each pile is shown alone
    #[arg(value_name = "PILES", allow_negative_numbers = true)]
    piles: Vec<String>,
    #[command(flatten)]
    game: PlayedGameArgs,
    /// List the piles to N [default: 20]
    #[arg(long = "piles", alias = "heaps", value_name = "N", value_parser = heap)]
    heaps: Option<u64>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    form: FormArgs,
}

/// The genus of one position.
#[derive(Serialize)]
struct Found {
    piles: Vec<u64>,
    /// The genus symbol as the books write it.
    genus: String,
    nim_value: u32,
    /// The misère nim-values of the position with more and more heaps of 2 beside it, as far as the first two that differ by a
    /// nim-sum of 2 for ever.
    misere_nim_values: Vec<u32>,
    nature: &'static str,
}

/// The report, one object.
#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    code: Option<String>,
    genera: Vec<Found>,
}

/// Finds the genera and prints them.
///
/// # Errors
/// If the game or the piles can't be read, or a genus is out of reach: those found are printed first.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (named, piles) = args.game.named().and_piles(&args.piles)?;
    if !piles.is_empty() && args.heaps.is_some() {
        refuse!("give piles or --piles N, not both");
    }
    let last = args.heaps.unwrap_or(HEAPS);
    if last > LARGEST {
        refuse!("{last} is too large: genus symbols are listed for piles up to {LARGEST}");
    }
    let ruleset = named.ruleset()?;
    let effort = args.search.bound(args.effort.effort(), POSITIONS);
    let game = HeapGame::with_effort(ruleset, effort);
    let positions: Box<dyn Iterator<Item = Vec<u64>>> = match piles.is_empty() {
        true => Box::new((0..=last).map(|pile| vec![pile])),
        false => Box::new(std::iter::once(piles)),
    };
    let mut ended = None;
    let genera = positions.map_while(|piles| {
        let genus = game.genus(&piles).map_err(|error| ended = Some(error));
        let (genus, nature) = genus.ok()?;
        Some(found(piles, &genus, nature))
    });
    let genera = genera.collect();
    let report = Report {
        game: game.ruleset().name(),
        code: game.ruleset().code().map(ToString::to_string),
        genera,
    };
    args.form
        .print("genus", &report, |out| text(out, &report.genera))?;
    match ended {
        Some(error) => Err(error.into()),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn found(piles: Vec<u64>, genus: &Genus, nature: Nature) -> Found {
    Found {
        piles,
        genus: genus.short_symbol(nature),
        nim_value: genus.value,
        misere_nim_values: genus.superscript.clone(),
        nature: nature.name(),
    }
}

fn text(out: &mut dyn Write, genera: &[Found]) -> std::io::Result<()> {
    let piles = |found: &Found| joined(&found.piles, " ");
    let width = genera.iter().map(|found| piles(found).len()).max();
    let width = width.unwrap_or(0).max("pile".len());
    writeln!(out, "{}  genus       nature", indented("pile", width))?;
    for found in genera {
        let (piles, genus) = (indented(&piles(found), width), padded(&found.genus, 10));
        writeln!(out, "{piles}  {genus}  {}", found.nature)?;
    }
    Ok(())
}
