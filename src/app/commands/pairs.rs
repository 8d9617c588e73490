//! `pairs`: the P-positions of two piles, as a list and as a grid.

use super::shared_args::{EffortArgs, FormArgs, PlayedGameArgs, SearchArgs};
use crate::app::error::refuse;
use crate::app::report::table::TableFormat;
use crate::engine::DEFAULT_POSITIONS;
use crate::error::Error;
use crate::outcome::{Convention, Outcome};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;

const EXAMPLES: &str = "\
A P-position is a position that the previous player wins, that is, whoever has just moved.

Examples:
  nim-analyser pairs 12 -g wythoff
  nim-analyser pairs 20 -g kayles --grid
  nim-analyser pairs 12 -g nim --misere --json";

/// The largest N allowed, since each pair of piles is analysed.
const LARGEST: u64 = 2000;

/// List the P-positions of two piles of 0 to N stones
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The game, if not named by -g
    #[arg(value_name = "GAME", allow_negative_numbers = true)]
    word: Option<String>,
    /// The largest pile [default: 10]
    #[arg(value_name = "N", allow_negative_numbers = true)]
    last: Option<String>,
    /// Draw a grid with P for each P-position
    #[arg(long, conflicts_with = "json")]
    grid: bool,
    /// Write a table with a row for each P-position
    #[arg(long, conflicts_with_all = ["json", "grid"])]
    format: Option<TableFormat>,
    #[command(flatten)]
    game: PlayedGameArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    form: FormArgs,
}

#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    convention: Convention,
    last: u64,
    p_positions: &'a [[u64; 2]],
}

/// Analyses the pairs and prints the P-positions, the smaller pile first.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    const USUAL_LAST: u64 = 10;
    let words = [args.word.as_deref(), args.last.as_deref()];
    let (named, last) = args.game.named().and_number(words)?;
    let last = last.unwrap_or(USUAL_LAST);
    if last > LARGEST {
        refuse!("{last} is too large: pairs are listed for piles up to {LARGEST}");
    }
    let effort = args.search.bound(args.effort.effort(), DEFAULT_POSITIONS);
    let game = named.open(effort)?;
    if game.label(0).is_some() {
        refuse!(
            "pairs are of piles by their sizes; {} has names for them",
            game.name()
        );
    }
    let convention = named.convention();
    let mut found: Vec<[u64; 2]> = Vec::new();
    // Two coins may need squares of their own; a game that is played with none of the pairs refuses them all.
    let (mut any, mut refused) = (false, None);
    for a in 0..=last {
        // In most games the order of the piles doesn't matter.
        let from = if game.is_ordered() { 0 } else { a };
        for b in from..=last {
            let position = match game.start(vec![a, b]) {
                Ok(position) => position,
                Err(error @ Error::Start { .. }) => {
                    refused.get_or_insert(error);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            any = true;
            if game.analyse(&position, convention)?.outcome == Outcome::P {
                found.push([a, b]);
            }
        }
    }
    if let Some(error) = refused.filter(|_| !any) {
        return Err(error.into());
    }
    let report = Report {
        game: game.name(),
        convention,
        last,
        p_positions: &found,
    };
    let text = |out: &mut dyn Write| match args.format {
        _ if args.grid => grid(out, last, &found, game.is_ordered()),
        Some(format) => {
            format.begin(out, &["first", "second"])?;
            for pair in &found {
                format.row(out, &pair.map(|pile| pile.to_string()))?;
            }
            format.end(out)
        }
        None => found.iter().try_for_each(|[a, b]| writeln!(out, "{a} {b}")),
    };
    args.form.print("pairs", &report, text)
}

/// Draws the grid: a row for each first pile, with the largest piles below and to the right.
fn grid(out: &mut dyn Write, last: u64, found: &[[u64; 2]], is_ordered: bool) -> io::Result<()> {
    let width = last.to_string().len();
    for a in 0..=last {
        let cell = |b: u64| {
            let pair = if is_ordered {
                [a, b]
            } else {
                [a.min(b), a.max(b)]
            };
            let sign = if found.binary_search(&pair).is_ok() {
                "P"
            } else {
                "."
            };
            format!(" {sign:>width$}")
        };
        writeln!(
            out,
            "{a:>width$} |{}",
            (0..=last).map(cell).collect::<String>()
        )?;
    }
    let dashes = "-".repeat((width + 1) * (last as usize + 1));
    let numbers: String = (0..=last).map(|b| format!(" {b:>width$}")).collect();
    writeln!(out, "{:width$} +{dashes}\n{:width$}  {numbers}", "", "")
}
