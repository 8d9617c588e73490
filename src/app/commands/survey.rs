//! `survey`: many games, one flat line each.
//!
//! Workers take the games one after another, each computing one at a time. A game whose standard form another worker is computing
//! waits for that result, and one whose standard form is computed takes the result over. A line is written whole and flushed as
//! soon as its game is done, so a survey that is stopped or killed loses only the games under way.

mod codes;
mod lines;
mod resume;
mod work;

use super::interrupt::{self, Graceful};
use super::long_run::seconds;
use super::shard::Shard;
use super::shared_args::{EffortArgs, file_to_keep, heap};
use crate::app::error::{Refused, refuse};
use crate::app::report::style::note;
use crate::engine::cost;
use crate::error::Error;
use crate::sequence::survey::{Record, Status};
use codes::Codes;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lines::Out;
use resume::Done;
use serde::Serialize;
use std::io::{IsTerminal, stderr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;
use work::{Budget, Work};

const EXAMPLES: &str = "\
A pattern is an octal code in which ? stands for any digit: 0.??? is 512 games. The keys of a line are schema, kind, code,
standard_form, status (proved, observed, none or refused), period, preperiod, last_exception, saltus, theorem, rares,
last_rare, mask, alternating, max, max_at, values, seconds, engine, version and why (the reason if fewer values were
computed than asked for).

Examples:
  nim-analyser survey '0.??' > two-digits.ndjson
  nim-analyser survey '0.???' '4.???' --values 1e6 --seconds 10 --resume survey.ndjson
  nim-analyser survey --from codes.txt --format csv
  nim-analyser survey '0.????' --shard 3/16 --resume shard-3.ndjson
  nim-analyser survey '0.????' --shard env/16 --resume \"shard-$SLURM_ARRAY_TASK_ID.ndjson\"
  nim-analyser survey '0.????' --dry-run";

/// The form of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LineFormat {
    /// A JSON object
    Ndjson,
    /// Comma-separated cells, after a line with their names
    Csv,
}

/// Survey many games: one line of results per game
///
/// Print the period, rare values and largest value of each, with the same keys for every game.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Codes, names or patterns like 0.???, or - to read them from standard input, one per line
    #[arg(value_name = "CODE", required_unless_present_any = ["from", "game"])]
    codes: Vec<String>,
    /// Survey this game, as if it stood among the codes
    #[arg(short, long, value_name = "GAME")]
    game: Vec<String>,
    /// Read codes, names and patterns from FILE, one per line; skip blank lines and lines that begin with #
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// Compute at most N nim-values of each game
    #[arg(long, value_name = "N", default_value = "100000", value_parser = heap)]
    values: u64,
    /// Stop a game after SECONDS and print what was found
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Survey only the i-th of n shares of the games; env/n takes i from SLURM_ARRAY_TASK_ID (1 to n) or JOB_COMPLETION_INDEX
    /// (0 to n-1)
    #[arg(long, value_name = "i/n", value_parser = str::parse::<Shard>)]
    shard: Option<Shard>,
    /// Append to OUT, and skip the games in it that are proved, were stopped or have as many values
    #[arg(long, value_name = "OUT", value_parser = file_to_keep())]
    resume: Option<PathBuf>,
    /// Write lines in this format
    #[arg(long, value_enum, default_value = "ndjson")]
    format: LineFormat,
    /// List what would be computed and the most that it would cost, without computing
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,
    #[command(flatten)]
    effort: EffortArgs,
}

/// Surveys the games and writes a line each.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.values == 0 {
        refuse!("a survey computes at least one value per game");
    }
    let (out, done) = Out::open(args.resume.as_deref(), args.format)?;
    let words = [args.codes.as_slice(), &args.game].concat();
    let games = || Codes::new(&words, &args.from, args.shard, args.effort.quiet);
    if args.dry_run {
        return price(args, games()?, out);
    }
    let graceful = Graceful::begin(false);
    let mut codes = games()?;
    if !args.effort.quiet {
        tell(&done, args);
    }
    codes.skip(done.values, args.values);
    let bad = codes.bad_lines();
    let bar = progress_bar(args, codes.count());
    let work = Work::begin(
        codes,
        Budget {
            values: args.values,
            time: args.seconds,
            effort: args.effort.effort(),
            verbose: args.effort.verbose,
        },
    );
    let written = write_all(&work, out, &bar);
    bar.finish_and_clear();
    drop(graceful);
    written.map(|()| exit_code(&bad))
}

/// That of a survey that ended: whether each line named a game.
fn exit_code(bad_lines: &AtomicU64) -> ExitCode {
    match bad_lines.load(Ordering::Relaxed) {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(3),
    }
}

/// Says how many games of a file are computed again, and how many are not.
fn tell(done: &Done, args: &Args) {
    let Some(file) = &args.resume else { return };
    let (name, games, wanted) = (file.display(), done.values.len(), args.values);
    let few = done.below(wanted);
    if few > 0 {
        note(format_args!(
            "{few} of the {games} games in {name} have fewer than {wanted} values and no proof: they are computed again, and the later line of a game counts"
        ));
    }
    if done.given_up > 0 {
        note(format_args!(
            "games in {name} that were stopped: {}; remove the line of a game to compute it again",
            done.given_up
        ));
    }
}

/// Writes the records as they come.
fn write_all(work: &Work, mut out: Out, bar: &ProgressBar) -> anyhow::Result<()> {
    /// The longest time until a signal is answered.
    const PATIENCE: Duration = Duration::from_millis(100);
    let mut put = |record: Result<Record, Refused>| -> anyhow::Result<()> {
        let record = record?;
        show(bar, &record);
        bar.suspend(|| out.write(&record))
    };
    loop {
        match work.records.recv_timeout(PATIENCE) {
            Ok(record) => put(record)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if interrupt::received() {
            // The games under way are given up; --resume does them again.
            work.records.try_iter().try_for_each(put)?;
            return Err(Error::Interrupted.into());
        }
    }
    if interrupt::received() {
        return Err(Error::Interrupted.into());
    }
    out.end()
}

/// The most that a game may cost.
#[derive(Serialize)]
struct Price<'a> {
    code: &'a str,
    standard_form: Option<&'a str>,
    values: u64,
    /// An upper bound on the options of all these heaps together. The engines look at many options at once, and in a sparse space
    /// at few of them.
    options: Option<u64>,
    /// The bytes that a table of the values takes.
    memory: u64,
}

/// Lists what is to be computed, one game for each standard form.
fn price(args: &Args, mut codes: Codes, mut out: Out) -> anyhow::Result<ExitCode> {
    const KEYS: &[&str] = &["code", "standard_form", "values", "options", "memory"];
    let mut forms = std::collections::HashSet::new();
    let (mut games, mut options) = (0u64, 0u128);
    while let Some(asked) = codes.next()? {
        games += 1;
        if !forms.insert(asked.key().to_owned()) {
            continue;
        }
        let cost = cost::by_definition(&asked.computed, args.values - 1);
        options = options.saturating_add(cost);
        let price = Price {
            code: &asked.code,
            standard_form: asked.shift.map(|_| asked.computed.name()),
            values: args.values,
            options: u64::try_from(cost).ok(),
            memory: args.values.saturating_mul(2),
        };
        out.write_any(&price, KEYS)?;
    }
    out.end()?;
    note(format_args!(
        "{games} games, {} to compute, {:.1e} options at most",
        forms.len(),
        options as f64
    ));
    Ok(exit_code(&codes.bad_lines()))
}

/// The bar that shows how many games are done, and what was found last; hidden where no person sees it or wants it.
fn progress_bar(args: &Args, games: Option<u64>) -> ProgressBar {
    if args.effort.quiet || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = match games {
        Some(_) => "{bar:30} {pos} of {len} games, {eta} left  {msg}",
        None => "{spinner} {pos} games  {msg}",
    };
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(games, ProgressDrawTarget::stderr_with_hz(5));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar.with_style(style.progress_chars("=> "))
}

/// Counts a game; the bar keeps showing the newest period that took long to find.
fn show(bar: &ProgressBar, record: &Record) {
    bar.inc(1);
    if record.status == Status::Proved
        && let (Some(period), Some(preperiod)) = (record.period, record.preperiod)
        && preperiod >= 100
    {
        let code = &record.code;
        bar.set_message(format!("{code}: period {period} from pile {preperiod} on"));
    }
}
