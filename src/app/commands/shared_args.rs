//! What several commands share: the game to play, the effort allowed, and where the answer goes.

mod game;
mod sums;
mod word;

use super::output::Output;
use super::progress::Progress;
use crate::app::error::{Kept, Refused};
use crate::app::files::is_dash;
use crate::app::report::json;
use crate::app::report::style::any_of;
use crate::engine::Kernel;
use crate::engine::{DEFAULT_POSITIONS, Effort, Engine, useful_threads};
use crate::game::Game;
use crate::printable::joined;
use clap::builder::{PathBufValueParser, TypedValueParser};
pub use game::{GameArgs, NamedGameArgs, PlayedGameArgs, as_rule, convention, open_game};
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
pub use sums::{has_plus, sum_of};
pub use word::{heap, names_game};

/// What an answer may cost.
#[derive(Clone, Debug, clap::Args)]
pub struct EffortArgs {
    /// Use at most SIZE of memory for nim-values and searches, as in 500M or 8G
    #[arg(long, value_name = "SIZE", default_value = "8G", value_parser = bytes, hide_short_help = true)]
    pub memory: u64,
    /// Allow at most N steps to compute a table of nim-values, as in 1e12 [default: 6e10, a few minutes]
    #[arg(long, value_name = "N", value_parser = heap, hide_short_help = true)]
    pub steps: Option<u64>,
    #[arg(long, value_name = "ENGINE", help = engine_help(), default_value_t, value_parser = str::parse::<Engine>, hide_short_help = true)]
    pub engine: Engine,
    /// Compute with N threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads, hide_short_help = true)]
    pub threads: Option<usize>,
    /// The instruction set to compute with: avx512, avx2, neon or portable
    #[arg(long, hide = true, value_parser = kernel)]
    pub kernel: Option<Kernel>,
    /// Print only results and errors: no progress, no notes
    #[arg(short, long)]
    pub quiet: bool,
    /// Report on standard error how the nim-values are computed
    #[arg(short, long, conflicts_with = "quiet", hide_short_help = true)]
    pub verbose: bool,
    /// Whether the work may take as long as it needs.
    #[arg(skip)]
    pub patient: bool,
    /// How long the work may take.
    #[arg(skip)]
    pub time: Option<Duration>,
}

/// The help of `--engine`: every engine by its name.
fn engine_help() -> String {
    let names = any_of(Engine::ALL.map(Engine::name));
    format!("Compute nim-values with this engine: {names}")
}

impl EffortArgs {
    /// The bounds that the options set.
    pub fn effort(&self) -> Effort {
        let usual = Effort::default();
        let progress = Progress::new(self.quiet)
            .verbose(self.verbose)
            .within(self.time);
        Effort {
            memory: self.memory.min(memory_left() / 2),
            steps: match self.steps {
                Some(steps) => steps,
                None if self.patient => u64::MAX,
                None => usual.steps,
            },
            watch: Some(Arc::new(progress)),
            engine: self.engine,
            threads: self.threads.map_or(usual.threads, useful_threads),
            kernel: self.kernel.unwrap_or(usual.kernel),
            ..usual
        }
    }
}

/// The form of a report.
#[derive(Clone, Debug, clap::Args)]
pub struct FormArgs {
    /// Print one JSON object on one line
    #[arg(long)]
    pub json: bool,
}

impl FormArgs {
    /// Prints a report in the form wanted: as JSON of this kind, or by `text`.
    pub fn print<E: Into<anyhow::Error>>(
        &self,
        kind: &'static str,
        report: &impl Serialize,
        text: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> anyhow::Result<ExitCode> {
        print(|out| self.write(out, kind, report, text))
    }

    /// Like [`FormArgs::print`], but on standard error if the certificate of the report goes to standard output.
    pub fn print_beside<E: Into<anyhow::Error>>(
        &self,
        certificate: Option<&Output>,
        kind: &'static str,
        report: &impl Serialize,
        text: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> anyhow::Result<ExitCode> {
        match certificate {
            Some(Output::Stdout) => {
                self.write(&mut anstream::stderr().lock(), kind, report, text)?;
                Ok(ExitCode::SUCCESS)
            }
            _ => self.print(kind, report, text),
        }
    }

    fn write<E: Into<anyhow::Error>>(
        &self,
        out: &mut dyn Write,
        kind: &'static str,
        report: &impl Serialize,
        text: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> anyhow::Result<()> {
        match self.json {
            true => json::line(out, kind, report),
            false => text(out).map_err(Into::into),
        }
    }
}

/// The option that says how far a search in misère play may go.
#[derive(Clone, Debug, clap::Args)]
pub struct SearchArgs {
    /// Search at most N positions in misère play, as in 1e6
    #[arg(long, value_name = "N", value_parser = heap)]
    pub positions: Option<u64>,
}

impl SearchArgs {
    /// The effort with as many positions as the option allows, or else with `usual` as the most positions.
    pub fn bound(&self, effort: Effort, usual: u64) -> Effort {
        effort.positions(self.positions.unwrap_or(usual))
    }
}

/// The options that choose a game and say what its answers may cost.
#[derive(Clone, Debug, clap::Args)]
pub struct PositionArgs {
    #[command(flatten)]
    pub game: PlayedGameArgs,
    #[command(flatten)]
    pub effort: EffortArgs,
    #[command(flatten)]
    search: SearchArgs,
}

impl PositionArgs {
    /// What an answer may cost, with the positions of a search in misère play.
    pub fn allowed(&self) -> Effort {
        self.search.bound(self.effort.effort(), DEFAULT_POSITIONS)
    }

    /// The game, and the piles that these words say; the first word may name the game.
    pub fn piles(&self, words: &[String]) -> Result<Asked, Refused> {
        let (named, words) = self.game.named().and_words(words)?;
        let game = named.open(self.allowed())?;
        let piles = read_piles(&*game, &words, self.effort.memory)?;
        Ok(Asked { named, game, piles })
    }
}

/// The game and the piles of a question, with the name by which the game was opened.
pub struct Asked {
    pub named: GameArgs,
    pub game: Box<dyn Game>,
    pub piles: Vec<u64>,
}

/// The piles of a game that these words say; no piles if there are no words.
///
/// # Errors
/// If they can't be read, or are more than there is memory for.
pub fn read_piles(game: &dyn Game, words: &[String], memory: u64) -> Result<Vec<u64>, Refused> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let piles = match words[..] {
        [] => Vec::new(),
        _ => game.read(&words)?,
    };
    check_piles(piles.len(), memory)?;
    Ok(piles)
}

/// About how many bytes a pile takes, with its working and the words for it.
const BYTES_PER_PILE: u64 = 300;

/// Refuses a position of more piles than there is memory for.
pub fn check_piles(count: usize, memory: u64) -> Result<(), Refused> {
    let allowed = memory.min(memory_left());
    if count as u64 * BYTES_PER_PILE > allowed {
        let kept = Kept::Piles(count);
        return Err(Refused::NoRoom { kept, allowed });
    }
    Ok(())
}

/// The memory that the system lets this process have beyond what it has. A table gets half of it, because the table is copied
/// when it grows.
#[cfg(unix)]
pub fn memory_left() -> u64 {
    use rustix::process::{Resource, getrlimit};
    let limits = [Resource::As, Resource::Data].map(|resource| getrlimit(resource).current);
    let Some(limit) = limits.into_iter().flatten().min() else {
        return u64::MAX;
    };
    let taken = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = taken.split(' ').next().and_then(|pages| pages.parse().ok());
    let taken = pages.unwrap_or(0_u64) * rustix::param::page_size() as u64;
    limit.saturating_sub(taken)
}

#[cfg(not(unix))]
pub fn memory_left() -> u64 {
    u64::MAX
}

fn threads(text: &str) -> Result<usize, String> {
    match crate::position::number(text) {
        Ok(0) => Err("at least one thread must compute".to_owned()),
        Ok(threads) => Ok(usize::try_from(threads).unwrap_or(usize::MAX)),
        Err(_) => Err("a number of threads is a whole number from 1 to 2^64-1".to_owned()),
    }
}

fn kernel(name: &str) -> Result<Kernel, String> {
    let names = || joined(Kernel::available().iter().map(|kernel| kernel.name()), ", ");
    Kernel::named(name).ok_or_else(|| format!("this machine can run {}", names()))
}

/// The parser of the name of a file that is read back, or written to for long, which a stream can't be.
pub fn file_to_keep() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|file| match is_dash(&file) {
        true => Err("it must be a file, not a stream; ./- is a file named -"),
        false => Ok(file),
    })
}

/// A number of bytes: `1000`, `500M`, `8G`, `8GiB`; the units are powers of 1024.
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

/// Lets `write` write all that a command has to say on standard output.
pub fn print(write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> anyhow::Result<ExitCode> {
    let mut out = stdout();
    write(&mut out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Standard output: line by line for a person, in blocks for a pipe; colours as `--color` and the environment say.
///
/// A standard output that the shell has closed (`>&-`) can't be told from one that is thrown away: before `main` Rust's runtime
/// opens `/dev/null` in its place, for reading and writing, which is just what Python's `subprocess.DEVNULL` passes on.
pub fn stdout() -> Box<dyn Write> {
    let lock = anstream::AutoStream::auto(io::stdout().lock());
    if io::stdout().is_terminal() {
        Box::new(lock)
    } else {
        Box::new(BufWriter::new(lock))
    }
}
