//! `values`: the nim-sequence of a game, as text, as data, or as a file that other programs read.

mod far_values;

use super::long_run::{CheckpointArgs, IN_TABLE, LongRun, Place};
use super::output::Output;
use super::shared_args::{EffortArgs, GameArgs, heap};
use crate::analysis::{option_values, pile_working};
use crate::app::error::{Refused, refuse};
use crate::app::files::is_dash;
use crate::app::report::sequence::{Format, Stretch};
use crate::app::report::table::TableFormat;
use crate::ruleset::Ruleset;
use crate::sequence::Values;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

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
    /// The game, if not named by -g
    #[arg(value_name = "GAME", allow_negative_numbers = true)]
    word: Option<String>,
    /// The last pile
    #[arg(value_name = "N", allow_negative_numbers = true)]
    last: Option<String>,
    /// Start at pile M
    #[arg(long, value_name = "M", default_value = "0", value_parser = heap)]
    from: u64,
    /// Write in this format [default: by the ending of the file, or text]
    #[arg(long)]
    format: Option<Format>,
    /// Print one JSON object on one line: --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Show the working of each value: the options of the pile, their nim-values and the mex; or as a table, with --format
    /// latex, markdown or tsv
    #[arg(short, long, conflicts_with = "json")]
    explain: bool,
    /// Number the lines of a b-file from INDEX [default: the first pile]
    #[arg(long, value_name = "INDEX", allow_negative_numbers = true, value_parser = index)]
    offset: Option<i128>,
    /// Write to FILE, which is created only when complete
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
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (game, last) = args
        .game
        .and_number([args.word.as_deref(), args.last.as_deref()])?;
    let Some(last) = last else {
        refuse!("the last pile is missing; write it as in `nim-analyser values 100 -g kayles`");
    };
    let ruleset = game.ruleset()?;
    let format = format(args, last)?;
    let result = args.output.as_deref().filter(|file| !is_dash(file));
    args.checkpoint.keep_apart("-o", result)?;
    let output = open(args, format)?;
    let stretch = Stretch {
        game: ruleset.name().to_owned(),
        from: args.from,
        to: last,
        offset: args.offset.unwrap_or(args.from.into()),
    };
    // Whatever the format, a value takes a byte.
    output.check_room(last - args.from)?;
    let place = match last > IN_TABLE && far_values::suit_window(args, &stretch, format) {
        true => Place::Either,
        false => Place::Table,
    };
    let mut run = LongRun::begin(&ruleset, &args.effort, &args.checkpoint, place)?;
    let Some(values) = run.values_to(last)? else {
        return far_values::write(args, &ruleset, &stretch, format, output, run);
    };
    if args.explain {
        return explain(output, &ruleset, &stretch, &values, format.table());
    }
    output.write(|out| Ok(stretch.write(&values, format, out)?))?;
    Ok(ExitCode::SUCCESS)
}

/// A number of a line, which may be below 0.
fn index(text: &str) -> Result<i128, String> {
    match text.strip_prefix('-') {
        Some(text) => Ok(-i128::from(heap(text)?)),
        None => heap(text).map(i128::from),
    }
}

/// Opens the file asked for, or standard output.
fn open(args: &Args, format: Format) -> anyhow::Result<Output> {
    match format {
        Format::Npy => Output::open_binary(args.output.as_deref(), "an npy file"),
        _ => Output::open(args.output.as_deref()),
    }
}

/// The most piles whose working is shown.
const EXPLAINED: u64 = 1000;

/// Writes the working of each value.
fn explain(
    output: Output,
    ruleset: &Ruleset,
    stretch: &Stretch,
    values: &Values,
    table: Option<TableFormat>,
) -> anyhow::Result<ExitCode> {
    let among = usize::try_from(stretch.to - stretch.from + 1).unwrap_or(usize::MAX);
    output.write(|out| {
        if let Some(table) = table {
            table.begin(out, &["n", "nim-values of the options", "g(n)"])?;
            for pile in stretch.from..=stretch.to {
                let options = option_values(ruleset, values, pile, among)?;
                let options = options.map_or("too many to show".to_owned(), |set| set.join(", "));
                let value = values
                    .get(pile)
                    .map_or(String::new(), |value| value.to_string());
                table.row(out, &[pile.to_string(), options, value])?;
            }
            return Ok(table.end(out)?);
        }
        for (at, pile) in (stretch.from..=stretch.to).enumerate() {
            for line in pile_working(ruleset, values, pile, among, None)?
                .iter()
                .skip(usize::from(at == 0))
            {
                writeln!(out, "{line}")?;
            }
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The format asked for. Fails if the options don't fit together.
fn format(args: &Args, last: u64) -> Result<Format, Refused> {
    if args.from > last {
        let from = args.from;
        refuse!("--from {from} is beyond the last pile {last}; it must be from 0 to {last}");
    }
    let format = match args.format {
        Some(format) => format,
        None if args.json => Format::Json,
        None => args.output.as_deref().map_or(Ok(Format::Text), by_ending)?,
    };
    let is_text = format == Format::Text || format.table().is_some();
    if args.explain && !is_text {
        refuse!("--explain is written as text, latex, markdown or tsv");
    }
    if args.explain && last - args.from >= EXPLAINED {
        refuse!("the working is shown for at most {EXPLAINED} piles; choose them by --from and N");
    }
    if args.offset.is_some() && format != Format::Bfile {
        refuse!("--offset needs --format bfile, whose lines are numbered");
    }
    Ok(format)
}

/// The format that a file's name stands for; `b002186.txt` is the OEIS's name of a b-file.
fn by_ending(file: &Path) -> Result<Format, Refused> {
    if is_dash(file) {
        return Ok(Format::Text);
    }
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let oeis = |stem: &str| {
        stem.strip_prefix(['b', 'B'])
            .is_some_and(|number| number.len() >= 6 && number.bytes().all(|b| b.is_ascii_digit()))
    };
    let ending = file.extension().and_then(|ending| ending.to_str());
    match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("csv") => Ok(Format::Csv),
        Some("json") => Ok(Format::Json),
        Some("npy") => Ok(Format::Npy),
        Some("tex") => Ok(Format::Latex),
        Some("md") => Ok(Format::Markdown),
        Some("tsv") => Ok(Format::Tsv),
        Some("bfile") => Ok(Format::Bfile),
        Some("txt") if stem.is_some_and(oeis) => Ok(Format::Bfile),
        Some("txt") | None => Ok(Format::Text),
        _ => refuse!(
            "{} has no known ending; use .txt, .csv, .json, .bfile, .npy, .tex, .md, .tsv or for a b-file a name like b002186.txt, or name the format by --format",
            file.display()
        ),
    }
}
