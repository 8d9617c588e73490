//! Processor time of whole processes, ours and ogsolve's, on open octal games drawn at random, and the distribution of
//! the ratio.
//!
//! ```text
//! cargo install ogsolve --root /some/folder
//! cargo build --release --bin nim-analyser --example throughput_sample
//! target/release/examples/throughput_sample --peer /some/folder/bin/ogsolve [--seed 1] [--sample 24] [--values 100000] [GAME…]
//! ```
//!
//! Both programs compute the same values of each game in turn, each on one thread, and their last values are compared.
//! Of the peer's methods the fastest for the game counts. Where one program doesn't end within the limit the ratio is a
//! bound, marked by < or >, and counts as such; where we refuse what the peer computes it is 0.

use clap::Parser;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The open standard forms are those of a survey.
const SURVEY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/survey/games.ndjson.gz");

/// The peer's methods, those first which are the fastest for most games.
const METHODS: [&str; 3] = ["rc2", "rc2s", "naive"];

/// The first word of a call in which this program runs another one and says what it took.
const MEASURED: &str = "measured";

/// Compare processor times with ogsolve on open octal games drawn at random
#[derive(Parser)]
struct Args {
    /// ogsolve's program
    #[arg(long, value_name = "FILE")]
    peer: PathBuf,

    /// Our program [default: nim-analyser in the folder above that of this one]
    #[arg(long, value_name = "FILE")]
    ours: Option<PathBuf>,

    /// Draw the games by this seed
    #[arg(long, default_value_t = 1)]
    seed: u128,

    /// Draw so many games
    #[arg(long, default_value_t = 24)]
    sample: usize,

    /// Compute so many values of each game
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    values: u64,

    /// Take the medians of so many rounds; the peer's slower methods run in the first one only
    #[arg(long, default_value_t = 3)]
    rounds: usize,

    /// Stop a process after so many seconds of processor time
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,

    /// Measure these games instead of a sample
    #[arg(value_name = "GAME")]
    games: Vec<String>,
}

/// What a process took, and what it found.
#[derive(Clone, Copy)]
struct Cost {
    /// Processor time, the kernel's included: the system splits a short run between the two by chance.
    seconds: f64,
    megabytes: f64,
    /// The last nim-value.
    value: u64,
}

/// How a process ended.
#[derive(Clone, Copy)]
enum Outcome {
    Done(Cost),
    Stopped,
    Refused,
}

impl Outcome {
    fn cost(self) -> Option<Cost> {
        match self {
            Self::Done(cost) => Some(cost),
            _ => None,
        }
    }

    /// Of a process that was stopped the limit, which is less than it would have taken.
    fn seconds(self, limit: u64) -> f64 {
        match self {
            Self::Done(cost) => cost.seconds,
            Self::Stopped => limit as f64,
            Self::Refused => f64::INFINITY,
        }
    }

    /// Two cells of the table.
    fn cells(self, limit: u64) -> String {
        match self {
            Self::Done(cost) => format!("{:.3} | {:.1}", cost.seconds, cost.megabytes),
            Self::Stopped => format!("> {limit} | "),
            Self::Refused => "refused | ".to_owned(),
        }
    }
}

fn main() {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == MEASURED) {
        return run_and_report(words);
    }
    let args = Args::parse();
    let ours = args.ours.clone().unwrap_or_else(beside_this_program);
    let games = if args.games.is_empty() {
        let open = open_games();
        let games = draw(&open, args.sample, args.seed);
        println!(
            "{} of the {} open standard forms of up to four digits, drawn by seed {}.",
            games.len(),
            open.len(),
            args.seed
        );
        games
    } else {
        args.games.clone()
    };
    println!(
        "First {} values on one thread, processor time of whole processes, medians of {} rounds.\n",
        args.values, args.rounds
    );
    println!("| game | ours, s | MB | peer, s | MB | its method | ratio |");
    println!("| --- | ---: | ---: | ---: | ---: | --- | ---: |");
    let mut ratios = Vec::new();
    for game in games {
        let (ours, theirs, method) = compare(&args, &ours, &game);
        let limit = args.limit;
        print!("| {game} | {} | ", ours.cells(limit));
        print!("{} | {method} | ", theirs.cells(limit));
        let ratio = theirs.seconds(limit) / ours.seconds(limit);
        match (ours, theirs) {
            (Outcome::Done(_) | Outcome::Refused, Outcome::Done(_)) => println!("{ratio:.1} |"),
            (Outcome::Done(_), Outcome::Stopped) => println!("> {ratio:.1} |"),
            (Outcome::Stopped, Outcome::Done(_)) => println!("< {ratio:.1} |"),
            _ => {
                println!("|");
                continue;
            }
        }
        ratios.push((ratio, game));
    }
    print_distribution(ratios);
}

/// Standard forms of up to four digits for which the survey has no proved period.
fn open_games() -> Vec<String> {
    #[derive(Deserialize)]
    struct Line {
        code: String,
        standard_form: Option<String>,
        status: String,
    }
    let file = std::fs::File::open(SURVEY).expect("the survey");
    let lines = serde_json::Deserializer::from_reader(flate2::read::GzDecoder::new(file));
    lines
        .into_iter::<Line>()
        .map(|line| line.expect("a line of the survey"))
        .filter(|line| line.status != "proved" && line.standard_form.as_ref() == Some(&line.code))
        .map(|line| line.code)
        .filter(|code| code.len() <= "0.1234".len())
        .collect()
}

/// Each set of so many games is as likely as every other one.
fn draw(games: &[String], sample: usize, seed: u128) -> Vec<String> {
    let mut random = oorandom::Rand64::new(seed);
    let mut games = games.to_vec();
    let sample = sample.min(games.len());
    for place in 0..sample {
        let from = random.rand_range(place as u64..games.len() as u64);
        games.swap(place, from as usize);
    }
    games.truncate(sample);
    games
}

fn beside_this_program() -> PathBuf {
    let this = std::env::current_exe().expect("the path of this program");
    let folder = this.parent().and_then(Path::parent).expect("two folders");
    folder.join(format!("nim-analyser{}", std::env::consts::EXE_SUFFIX))
}

/// Our cost and that of the peer by its best method, which is named: medians of rounds in turn.
fn compare(args: &Args, ours: &Path, game: &str) -> (Outcome, Outcome, &'static str) {
    let mut our_runs = vec![run_ours(ours, args, game)];
    let mut best = METHODS[0];
    let mut peer_runs = vec![run_peer(args, best, args.limit, game)];
    for method in &METHODS[1..] {
        // A method that takes longer than the best so far need not end.
        let least = peer_runs[0].seconds(args.limit);
        let limit = (least.ceil() as u64).clamp(1, args.limit);
        let run = run_peer(args, method, limit, game);
        if run.cost().is_some_and(|cost| cost.seconds < least) {
            (best, peer_runs[0]) = (method, run);
        }
    }
    for _ in 1..args.rounds {
        // What did not end would not end another time.
        if our_runs[0].cost().is_some() {
            our_runs.push(run_ours(ours, args, game));
        }
        if peer_runs[0].cost().is_some() {
            peer_runs.push(run_peer(args, best, args.limit, game));
        }
    }
    let values: Vec<u64> = [&our_runs, &peer_runs]
        .into_iter()
        .flatten()
        .filter_map(|run| Some(run.cost()?.value))
        .collect();
    assert!(
        values.iter().all(|value| *value == values[0]),
        "{game}: the programs' values differ"
    );
    let median = |mut runs: Vec<Outcome>| {
        runs.sort_by(|a, b| a.seconds(args.limit).total_cmp(&b.seconds(args.limit)));
        runs[runs.len() / 2]
    };
    (median(our_runs), median(peer_runs), best)
}

fn run_ours(program: &Path, args: &Args, game: &str) -> Outcome {
    let last = (args.values - 1).to_string();
    let words = ["values", &last, "--from", &last, "-g", game];
    let form = ["--format", "csv", "--threads", "1"];
    // A line that names the columns, then `n,g`.
    run(program, &[&words[..], &form].concat(), args.limit, |text| {
        text.trim_end().rsplit_once(',')?.1.parse().ok()
    })
}

fn run_peer(args: &Args, method: &str, limit: u64, game: &str) -> Outcome {
    let last = (args.values - 1).to_string();
    run(
        &args.peer,
        &["-m", method, "-n", &last, game],
        limit,
        |text| {
            let (_, value) = text.split_once(&format!("nimber of {last}: "))?;
            value.split_whitespace().next()?.parse().ok()
        },
    )
}

/// Runs a program by another process of this one, so that the system counts it apart from those before.
fn run(program: &Path, words: &[&str], limit: u64, value: impl Fn(&str) -> Option<u64>) -> Outcome {
    let output = Command::new(std::env::current_exe().expect("the path of this program"))
        .args([MEASURED, &limit.to_string()])
        .arg(program)
        .args(words)
        .output()
        .expect("this program runs");
    let report = String::from_utf8_lossy(&output.stderr);
    let report: Vec<&str> = report.split_whitespace().collect();
    match report[..] {
        [seconds, megabytes, "done"] => Outcome::Done(Cost {
            seconds: seconds.parse().expect("seconds"),
            megabytes: megabytes.parse().expect("megabytes"),
            value: value(&String::from_utf8_lossy(&output.stdout)).expect("a nim-value"),
        }),
        [_, _, "stopped"] => Outcome::Stopped,
        [_, _, "refused"] => Outcome::Refused,
        _ => panic!("{}: {}", program.display(), report.join(" ")),
    }
}

/// Runs the program named behind the limit, and writes on standard error what it took and how it ended.
#[cfg(unix)]
fn run_and_report(mut words: impl Iterator<Item = OsString>) {
    use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
    use nix::sys::time::TimeValLike;

    let limit = words.next().and_then(|word| word.to_str()?.parse().ok());
    let limit = limit.expect("a limit in seconds");
    setrlimit(Resource::RLIMIT_CPU, limit, limit).expect("a limit is set");
    let status = Command::new(words.next().expect("a program"))
        .args(words)
        .stderr(Stdio::null())
        .status()
        .expect("the program runs");
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("what it took");
    let time = usage.user_time() + usage.system_time();
    let ended = match status.code() {
        Some(0) => "done",
        Some(_) => "refused",
        None => "stopped",
    };
    eprintln!(
        "{} {} {ended}",
        time.num_microseconds() as f64 / 1e6,
        usage.max_rss() as f64 / 1024.0
    );
}

#[cfg(not(unix))]
fn run_and_report(_: impl Iterator<Item = OsString>) {
    panic!("only Unix tells what a process took");
}

/// Least, quartiles and most, and the games that give the two ends.
fn print_distribution(mut ratios: Vec<(f64, String)>) {
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some(last) = ratios.len().checked_sub(1) else {
        return;
    };
    let part = |quarters: usize| &ratios[(quarters * last + 2) / 4];
    println!("\n| least | lower quartile | median | upper quartile | most |");
    println!("| ---: | ---: | ---: | ---: | ---: |");
    print!("| {:.1} ({}) ", part(0).0, part(0).1);
    print!("| {:.1} | {:.1} | {:.1} ", part(1).0, part(2).0, part(3).0);
    println!("| {:.1} ({}) |", part(4).0, part(4).1);
}
