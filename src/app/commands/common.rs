//! What several commands share: the game to play, the effort allowed, and where the answer goes.

use super::progress::Progress;
use crate::engine::kernel::Kernel;
use crate::engine::{Effort, Engine};
use crate::error::Error;
use crate::game::Game;
use crate::game::catalogue;
use crate::outcome::Convention;
use crate::position::parse_piles;
use crate::ruleset::{NameError, Ruleset};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::Arc;

/// Which game.
#[derive(Clone, Debug, clap::Args)]
pub struct GameArgs {
    /// A name from `nim-analyser games`, or a take-and-break code like 0.77
    #[arg(
        short,
        long,
        value_name = "GAME",
        default_value = "couples-are-forever"
    )]
    pub game: String,
    /// Play misère: whoever makes the last move loses
    #[arg(long)]
    pub misere: bool,
}

impl GameArgs {
    /// The rule for one heap of the game named, for what goes by nim-values.
    ///
    /// # Errors
    /// If there is no game of heaps of that name, its code is bad, or misère play is wanted.
    pub fn ruleset(&self) -> Result<Ruleset, Error> {
        if self.misere {
            let text = "nim-values do not decide misère play; leave out --misere";
            return Err(Error::Usage(text.to_owned()));
        }
        self.game.parse().map_err(|error: NameError| {
            if catalogue::open(&self.game, Effort::default()).is_err() {
                return error.into();
            }
            let game = &self.game;
            Error::Usage(format!(
                "{game} is not played pile by pile; it has no sequence of nim-values"
            ))
        })
    }

    /// The game named.
    ///
    /// # Errors
    /// If there is none of that name, or its code is bad.
    pub fn open(&self, effort: Effort) -> Result<Box<dyn Game>, Error> {
        catalogue::open(&self.game, effort)
    }

    /// What the last move means.
    pub fn convention(&self) -> Convention {
        convention(self.misere)
    }
}

/// What the last move means, by the option `--misere`.
pub fn convention(misere: bool) -> Convention {
    if misere {
        Convention::Misere
    } else {
        Convention::Normal
    }
}

/// What an answer may cost.
#[derive(Clone, Debug, clap::Args)]
pub struct EffortArgs {
    /// The most memory for a table of nim-values, as in 500M or 8G
    #[arg(long, value_name = "SIZE", default_value = "8G", value_parser = bytes)]
    pub memory: u64,
    /// The way to compute nim-values: auto, definition, quadratic or sparse
    #[arg(long, value_name = "ENGINE", default_value_t, value_parser = str::parse::<Engine>)]
    pub engine: Engine,
    /// How many threads to compute with [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// The instruction set to compute with: avx512, avx2 or portable
    #[arg(long, hide = true, value_parser = kernel)]
    pub kernel: Option<Kernel>,
    /// Show no progress and no notes, only results and errors
    #[arg(short, long)]
    pub quiet: bool,
    /// Say on standard error how the nim-values are computed
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
}

impl EffortArgs {
    /// The bounds that the options set.
    pub fn effort(&self) -> Effort {
        let usual = Effort::default();
        Effort {
            memory: self.memory,
            watch: Some(Arc::new(self.progress())),
            engine: self.engine,
            threads: self.threads.unwrap_or(usual.threads),
            kernel: self.kernel.unwrap_or(usual.kernel),
            ..usual
        }
    }

    /// The watch that the options set.
    pub fn progress(&self) -> Progress {
        Progress::new(self.quiet).verbose(self.verbose)
    }
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least one thread must compute".to_owned()),
        Ok(threads) => Ok(threads),
        Err(_) => Err("a number of threads is a whole number from 1 on".to_owned()),
    }
}

fn kernel(name: &str) -> Result<Kernel, String> {
    let names = || {
        Kernel::available()
            .iter()
            .map(|kernel| kernel.name())
            .collect::<Vec<_>>()
    };
    Kernel::named(name).ok_or_else(|| format!("this machine can run {}", names().join(", ")))
}

/// A number of bytes: `1000`, `500M`, `8G`, `8GiB`; the units are powers of 1024.
///
/// # Errors
/// If it is none, or 0.
pub fn bytes(text: &str) -> Result<u64, String> {
    let number: String = text.chars().take_while(char::is_ascii_digit).collect();
    let unit = text[number.len()..].trim().to_ascii_uppercase();
    let unit = unit
        .strip_suffix("IB")
        .or(unit.strip_suffix('B'))
        .unwrap_or(&unit);
    let shift = match unit {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("a size is a number with K, M, G or T, as in 500M or 8G".to_owned()),
    };
    let number: u64 = number
        .parse()
        .map_err(|_| "a size is a whole number with K, M, G or T, as in 8G".to_owned())?;
    number
        .checked_mul(1 << shift)
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| "a size is from 1 byte to 16 million T".to_owned())
}

/// One pile, as a person writes it.
///
/// # Errors
/// If it is none, or more than one.
pub fn heap(text: &str) -> Result<u64, String> {
    match parse_piles(&[text]).map_err(|error| error.to_string())?[..] {
        [heap] => Ok(heap),
        _ => Err("one pile is wanted here, as in 100, 1_000 or 1e6".to_owned()),
    }
}

/// Standard output: line by line for a person, in blocks for a pipe; colours as `--color` and the environment say.
pub fn stdout() -> Box<dyn Write> {
    let lock = anstream::AutoStream::auto(io::stdout().lock());
    if io::stdout().is_terminal() {
        Box::new(lock)
    } else {
        Box::new(BufWriter::new(lock))
    }
}
