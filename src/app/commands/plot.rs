//! `plot`: the nim-values as a picture.

use super::output::Output;
use super::shared_args::{EffortArgs, GameArgs, heap, print};
use crate::app::error::{Refused, refuse};
use crate::app::files::is_dash;
use crate::app::report::plot::{MOST_POINTS, PictureFormat, Plot, Theme, terminal};
use crate::app::report::style::{plain, speaks_utf8};
use crate::engine::cost;
use crate::engine::sparse_space::SparseSpace;
use crate::error::Error;
use crate::game::catalogue;
use crate::grundy::NimValue;
use crate::ruleset::Ruleset;
use crate::sequence::Sequence;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  nim-analyser plot 200 -g kayles                  in the terminal
  nim-analyser plot 200 -g kayles -o kayles.svg    a browser shows the value of each point
  nim-analyser plot 1e6 -o forever.png --theme dark
  nim-analyser plot 100 -g kayles --with dawsons-kayles
  nim-analyser plot 1e5 -g 0.16 --histogram
  nim-analyser plot 100 kayles --title 'Kayles, the first hundred piles' -o kayles.png";

/// Draw the nim-values: in the terminal, as SVG or as PNG
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The game, if not named by -g
    #[arg(value_name = "GAME", allow_negative_numbers = true)]
    word: Option<String>,
    /// The last pile [default: 200]
    #[arg(value_name = "N", allow_negative_numbers = true)]
    last: Option<String>,
    /// Draw another game in the same picture
    #[arg(long, value_name = "GAME")]
    with: Option<String>,
    /// Draw a histogram: how many piles have each nim-value
    #[arg(long)]
    histogram: bool,
    /// Show only the nim-values from LOW to HIGH, as in 0..20
    #[arg(long, value_name = "LOW..HIGH", value_parser = range)]
    y_range: Option<(NimValue, NimValue)>,
    /// Write this title above the picture
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Start at pile M
    #[arg(long, value_name = "M", default_value = "0", value_parser = heap)]
    from: u64,
    /// Write the picture to FILE, which ends in .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw in the terminal (the default without a file)
    #[arg(long, conflicts_with_all = ["output", "format", "size", "theme"])]
    terminal: bool,
    /// Draw in the terminal with plain ASCII characters (the default where the locale isn't UTF-8)
    #[arg(long, conflicts_with_all = ["output", "format", "size", "theme"])]
    ascii: bool,
    /// Write in this format [default: by the ending of the file]
    #[arg(long)]
    format: Option<PictureFormat>,
    /// Draw this many pixels [default: 1200x700]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    size: Option<(u32, u32)>,
    /// Draw in these colours [default: light]
    #[arg(long)]
    theme: Option<Theme>,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    effort: EffortArgs,
}

/// The last pile of a picture, if none is named.
const USUAL_LAST: u64 = 200;

/// How many pixels a picture has, if nothing else is asked for.
const USUAL_SIZE: (u32, u32) = (1200, 700);

/// The most piles of one picture: each costs a look at its value.
const MOST_PILES: u64 = 10_000_000_000;

fn size(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('x').filter(|_| !text.contains('+'));
    let size = parts.and_then(|(width, height)| {
        let size = (width.parse().ok()?, height.parse().ok()?);
        ((400..=20_000).contains(&size.0) && (300..=20_000).contains(&size.1)).then_some(size)
    });
    size.ok_or_else(|| {
        "a size is WIDTHxHEIGHT from 400x300 to 20000x20000, as in 1200x700".to_owned()
    })
}

/// Computes the values and draws them.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (game, last) = args
        .game
        .and_number([args.word.as_deref(), args.last.as_deref()])?;
    let last = last.unwrap_or(USUAL_LAST);
    let mut rulesets = vec![game.ruleset()?];
    if let Some(name) = &args.with {
        rulesets.push(catalogue::ruleset(name).map_err(Error::from)?);
    }
    let format = format(args, last)?;
    if last.saturating_sub(args.from) >= MOST_PILES {
        refuse!(
            "a picture shows at most {MOST_PILES} piles; --from and the last pile choose which"
        );
    }
    let output = match format {
        Some(PictureFormat::Png) => Output::open_binary(args.output.as_deref(), "a PNG")?,
        _ => Output::open(args.output.as_deref())?,
    };
    let (mut sequences, mut space) = (Vec::new(), None);
    for ruleset in rulesets {
        let (sequence, found) = sequence(ruleset, last, &args.effort)?;
        sequences.push(sequence);
        space = found;
    }
    let (heaps, title) = ((args.from, last), args.title.clone());
    let plot = Plot::new(
        &sequences,
        space,
        args.histogram,
        heaps,
        args.y_range,
        title,
    );
    match format {
        Some(format) => {
            let theme = args.theme.unwrap_or(Theme::Light);
            let size = args.size.unwrap_or(USUAL_SIZE);
            output.write(|out| Ok(plot.write(format, theme, size, out)?))?;
            Ok(ExitCode::SUCCESS)
        }
        None => {
            let mut picture = Vec::new();
            terminal::draw(&plot, terminal_size(), &mut picture)?;
            if args.ascii || !speaks_utf8() {
                picture = plain(&String::from_utf8_lossy(&picture)).into_bytes();
            }
            print(|out| Ok(out.write_all(&picture)?))
        }
    }
}

/// A period beyond the picture is sought only if its proof walks no more options, and makes no more values, than this.
const SOON_STEPS: u128 = 100_000_000;
const SOON_VALUES: u64 = 1 << 17;

/// The values to `last`, and more values if they soon show the period and the rare values.
fn sequence(
    ruleset: Ruleset,
    last: u64,
    effort: &EffortArgs,
) -> Result<(Sequence, Option<SparseSpace>), Error> {
    let by_definition = |heap| cost::by_definition(&ruleset, heap);
    let soon = cost::largest_within(SOON_STEPS, SOON_VALUES, by_definition);
    let mut sequence = Sequence::with_effort(ruleset, effort.effort());
    if sequence.ruleset().formula().is_some() {
        // The formula alone gives every value, but a picture is drawn from a table.
        sequence.fill(last)?;
        return Ok((sequence, None));
    }
    sequence.reach(last)?;
    // A picture without a period found shows none.
    sequence.find_period_within_reach(soon)?;
    let space = sequence.learn_sparse_space(last)?;
    sequence.find_period_within_reach(sequence.computed().saturating_sub(1))?;
    Ok((sequence, space))
}

/// Reads a range of values, both ends in it.
fn range(text: &str) -> Result<(NimValue, NimValue), String> {
    let ends = text.split_once("..");
    let ends = ends.and_then(|(low, high)| Some((heap(low).ok()?, heap(high).ok()?)));
    ends.filter(|&(low, high)| low <= high && high < u64::MAX)
        .map(|(low, high)| (low.into(), high.into()))
        .ok_or_else(|| "a range is LOW..HIGH, as in 0..20".to_owned())
}

/// The width and height of a picture in characters: the terminal's, but no larger than can be seen at once.
fn terminal_size() -> (usize, usize) {
    match terminal_size::terminal_size() {
        Some((width, height)) => (
            usize::from(width.0).clamp(40, 160),
            usize::from(height.0).clamp(12, 40),
        ),
        None => (80, 24),
    }
}

/// The format of the picture, `None` for the terminal. Fails if the options don't fit together.
fn format(args: &Args, last: u64) -> Result<Option<PictureFormat>, Refused> {
    if args.from > last {
        let from = args.from;
        refuse!("there is nothing to plot: --from {from} is beyond the last pile {last}");
    }
    let format = match (args.format, args.output.as_deref()) {
        (format, None) => format,
        (Some(format), Some(_)) => Some(format),
        (None, Some(file)) if is_dash(file) => None,
        (None, Some(file)) => Some(by_ending(file)?),
    };
    if format.is_none() && (args.size.is_some() || args.theme.is_some()) {
        refuse!(
            "--size and --theme are those of an SVG or PNG; write one to a file with -o, or name the format by --format"
        );
    }
    let games = 1 + u64::from(args.with.is_some());
    let points = (last - args.from).saturating_mul(games);
    if format == Some(PictureFormat::Svg) && !args.histogram && points >= MOST_POINTS {
        refuse!(
            "an SVG of more than {MOST_POINTS} points is too large to look at; write a .png, which shows their density"
        );
    }
    Ok(format)
}

fn by_ending(file: &Path) -> Result<PictureFormat, Refused> {
    let ending = file.extension().and_then(|ending| ending.to_str());
    match PictureFormat::from_str(ending.unwrap_or_default(), true) {
        Ok(format) => Ok(format),
        Err(_) => refuse!(
            "{} has no known ending; use .svg or .png, or name the format by --format",
            file.display()
        ),
    }
}
