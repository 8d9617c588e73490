//! `plot`: the nim-values as a picture.

use super::output::{Output, is_stdout};
use super::shared_args::{EffortArgs, GameArgs, by_formula, heap, stdout};
use crate::app::report::plot::{MOST_POINTS, PictureFormat, Plot, Theme, terminal};
use crate::error::Error;
use crate::sequence::Sequence;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  nim-analyser plot 200 -g kayles                  in the terminal
  nim-analyser plot 200 -g kayles -o kayles.svg    in a browser, each point tells its value
  nim-analyser plot 1e6 -o forever.png --theme dark";

/// Draw the nim-values as a picture: SVG, PNG, or in the terminal
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The game, if not named by -g
    #[arg(value_name = "GAME", allow_negative_numbers = true)]
    word: Option<String>,
    /// The last pile [default: 200]
    #[arg(value_name = "N", allow_negative_numbers = true)]
    last: Option<String>,
    /// The first pile
    #[arg(long, value_name = "M", default_value = "0", value_parser = heap)]
    from: u64,
    /// The picture's file, ending in .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw in the terminal (what happens without a file)
    #[arg(long, conflicts_with_all = ["output", "format", "size", "theme"])]
    terminal: bool,
    /// The format [default: by the ending of the file]
    #[arg(long)]
    format: Option<PictureFormat>,
    /// The picture's size in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1200x700", value_parser = size)]
    size: (u32, u32),
    /// The picture's colours
    #[arg(long, default_value = "light")]
    theme: Theme,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    effort: EffortArgs,
}

/// The last pile of a picture, if none is named.
const USUAL_LAST: u64 = 200;

/// The most piles of one picture: each costs a look at its value.
const MOST_PILES: u64 = 10_000_000_000;

fn size(text: &str) -> Result<(u32, u32), String> {
    let size = text.split_once('x').and_then(|(width, height)| {
        let size = (width.parse().ok()?, height.parse().ok()?);
        ((400..=20_000).contains(&size.0) && (300..=20_000).contains(&size.1)).then_some(size)
    });
    size.ok_or_else(|| "a size is from 400x300 to 20000x20000, as in 1200x700".to_owned())
}

/// Computes the values and draws them.
///
/// # Errors
/// If what is asked makes no sense, the values are out of reach, or the picture can't be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (game, last) = args
        .game
        .and_number([args.word.as_deref(), args.last.as_deref()])?;
    let last = last.unwrap_or(USUAL_LAST);
    let ruleset = game.ruleset()?;
    let format = format(args, last)?;
    if last.saturating_sub(args.from) >= MOST_PILES {
        let text = format!(
            "a picture shows at most {MOST_PILES} piles; --from and the last pile choose which"
        );
        return Err(Error::Usage(text).into());
    }
    let output = match format {
        Some(PictureFormat::Png) => Output::open_binary(args.output.as_deref(), "a PNG")?,
        _ => Output::open(args.output.as_deref())?,
    };
    let sequence = match by_formula(&ruleset, last)? {
        Some(sequence) => sequence,
        None => {
            let mut sequence = Sequence::with_effort(ruleset, args.effort.effort());
            sequence.reach(last)?;
            sequence
        }
    };
    let plot = Plot::new(&sequence, (args.from, last));
    match format {
        Some(format) => {
            output.write(|out| Ok(plot.write(format, args.theme, args.size, out)?))?;
        }
        None => {
            let mut out = stdout();
            terminal::draw(&plot, terminal_size(), &mut out)?;
            out.flush()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Characters across and down: the terminal's, but not so many that the picture is no longer seen at once.
fn terminal_size() -> (usize, usize) {
    match terminal_size::terminal_size() {
        Some((width, height)) => (
            usize::from(width.0).clamp(40, 160),
            usize::from(height.0).clamp(12, 40),
        ),
        None => (80, 24),
    }
}

/// The format of the picture, `None` for the terminal, if all that is asked fits together.
fn format(args: &Args, last: u64) -> Result<Option<PictureFormat>, Error> {
    let usage = |text: String| Err(Error::Usage(text));
    if args.from > last {
        let from = args.from;
        return usage(format!(
            "there is nothing to plot: --from {from} is beyond the last pile {last}"
        ));
    }
    let format = match (args.format, args.output.as_deref()) {
        (format, None) => format,
        (Some(format), Some(_)) => Some(format),
        (None, Some(file)) if is_stdout(file) => None,
        (None, Some(file)) => Some(by_ending(file)?),
    };
    let points = last - args.from;
    if format == Some(PictureFormat::Svg) && points >= MOST_POINTS {
        return usage(format!(
            "an SVG of more than {MOST_POINTS} points would be too large to look at; a PNG shows their density"
        ));
    }
    Ok(format)
}

fn by_ending(file: &Path) -> Result<PictureFormat, Error> {
    let ending = file.extension().and_then(|ending| ending.to_str());
    match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(PictureFormat::Svg),
        Some("png") => Ok(PictureFormat::Png),
        _ => Err(Error::Usage(format!(
            "the ending of {} says no format; it is .svg or .png, or --format says which",
            file.display()
        ))),
    }
}
