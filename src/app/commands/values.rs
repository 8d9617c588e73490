//! `values`: the nim-sequence of a game, as text, as data, or as a file that others read.

use super::common::{EffortArgs, GameArgs, heap};
use super::output::Output;
use super::run::{CheckpointArgs, Run};
use crate::analysis::HeapGame;
use crate::app::report::sequence::{Format, Sequence};
use crate::error::Error;
use crate::sequence::values::HeapValues;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  nim-analyser values 100 -g kayles
  nim-analyser values 1e6 -g 0.137 -o dawson.npy
  nim-analyser values 1000 -g grundy --from 1 --format bfile --offset 0
  nim-analyser values 1e9 -o officers.npy -g officers --checkpoint officers.ck";

/// List the nim-values g(0), g(1), ... of a game
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The last pile
    #[arg(value_name = "N", value_parser = heap, allow_negative_numbers = true)]
    last: u64,
    /// The first pile
    #[arg(long, value_name = "M", default_value = "0", value_parser = heap)]
    from: u64,
    /// The format [default: by the ending of the file, or text]
    #[arg(long)]
    format: Option<Format>,
    /// Print one JSON object on one line: --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The index of the first value in a b-file [default: its pile]
    #[arg(long, value_name = "INDEX", allow_negative_numbers = true)]
    offset: Option<i64>,
    /// Write to FILE, which appears when it is whole
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    effort: EffortArgs,
}

/// Computes the sequence and writes it.
///
/// # Errors
/// If what is asked makes no sense, the values are out of reach, or they can't be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ruleset = args.game.ruleset()?;
    let format = format(args)?;
    let output = if format.is_binary() {
        Output::open_binary(args.output.as_deref(), "an npy file")?
    } else {
        Output::open(args.output.as_deref())?
    };
    let sequence = Sequence {
        game: ruleset.name().to_owned(),
        values: if args.checkpoint.checkpoint.is_some() {
            let mut run = Run::begin(ruleset, &args.effort, &args.checkpoint)?;
            run.fill(args.last)?;
            HeapValues::Table(Arc::new(run.finish()?))
        } else {
            HeapGame::with_effort(ruleset, args.effort.effort()).values(args.last)?
        },
        from: args.from,
        to: args.last,
        offset: args.offset.map_or(args.from.into(), i128::from),
    };
    output.write(|out| Ok(sequence.write(format, out)?))?;
    Ok(ExitCode::SUCCESS)
}

/// The format asked for, if all that is asked fits together.
fn format(args: &Args) -> Result<Format, Error> {
    let usage = |text: String| Err(Error::Usage(text));
    if args.from > args.last {
        let (from, last) = (args.from, args.last);
        return usage(format!(
            "--from {from} is beyond the last pile {last}; it must be from 0 to {last}"
        ));
    }
    let format = match args.format {
        Some(format) => format,
        None if args.json => Format::Json,
        None => args.output.as_deref().map_or(Format::Text, by_ending),
    };
    if args.offset.is_some() && format != Format::Bfile {
        return usage("--offset is for --format bfile, whose lines are numbered".to_owned());
    }
    Ok(format)
}

fn by_ending(file: &Path) -> Format {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("csv") => Format::Csv,
        Some("json") => Format::Json,
        Some("npy") => Format::Npy,
        _ => Format::Text,
    }
}
