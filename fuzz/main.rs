//! Feeds every reader of foreign text with random mutations of a corpus: none may panic, hang, or contradict itself.
//!
//!     cargo run --release --example fuzz -- all --seconds 20
//!     cargo run --release --example fuzz -- graph-dot --cases 1000000 --seed 1
//!     cargo run --release --example fuzz -- record --seed 1 --from 4711 --cases 1   # that case again
//!
//! The stable compiler is all it takes: no instrumentation, no library but the crate itself. libFuzzer finds more in an
//! hour, by coverage, but asks for a nightly compiler, which the CI of this project does not have; what these readers
//! are, small parsers with dictionaries of a few dozen words, mutations of good examples reach without it.

mod mutation;
#[path = "../src/rng.rs"]
#[allow(dead_code)]
mod rng;
mod targets;

use mutation::Corpus;
use rng::Rng;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use targets::Target;

/// A case that takes longer hangs. The largest take a tenth of a second.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is fuzzed, and how much of it.
struct Work {
    targets: Vec<Target>,
    from: u64,
    cases: u64,
    seconds: Option<u64>,
    seed: u64,
}

fn main() -> ExitCode {
    let work = match work(std::env::args().skip(1)) {
        Ok(work) => work,
        Err(error) => {
            let names: Vec<_> = targets::ALL.iter().map(|target| target.name).collect();
            eprintln!(
                "error: {error}\nfuzz [all|{}] [--cases N] [--seconds S] [--seed S] [--from CASE]",
                names.join("|")
            );
            return ExitCode::from(2);
        }
    };
    // As many targets at a time as there are cores.
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(target) = work.targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if !fuzz(target, &work) {
                        failed.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    if failed.into_inner() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn work(mut arguments: impl Iterator<Item = String>) -> Result<Work, String> {
    let mut work = Work {
        targets: Vec::new(),
        from: 0,
        cases: u64::MAX,
        seconds: None,
        seed: 0,
    };
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let value = arguments.next().unwrap_or_default();
            value
                .parse()
                .map_err(|_| format!("`{argument}` needs a number"))
        };
        match argument.as_str() {
            "--cases" => work.cases = number()?,
            "--seconds" => work.seconds = Some(number()?),
            "--seed" => work.seed = number()?,
            "--from" => work.from = number()?,
            "all" => work.targets.extend(targets::ALL),
            name => {
                let target = targets::ALL.into_iter().find(|target| target.name == name);
                work.targets
                    .push(target.ok_or(format!("no target `{name}`"))?);
            }
        }
    }
    if work.targets.is_empty() || work.cases == u64::MAX && work.seconds.is_none() {
        return Err("what to fuzz, and --cases or --seconds, are missing".to_owned());
    }
    Ok(work)
}

/// Runs one target; whether nothing failed.
fn fuzz(target: &Target, work: &Work) -> bool {
    let corpus = Corpus::new((target.corpus)());
    let case = AtomicU64::new(work.from);
    let begun = Instant::now();
    let run = |case: u64| {
        let mut rng = Rng::new(work.seed, case);
        let input = corpus.mutated(&mut rng);
        let done = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        if done.is_err() {
            let text = String::from_utf8_lossy(&input);
            eprintln!(
                "{}: case {case} of seed {} fails:\n{}",
                target.name,
                work.seed,
                text.escape_debug()
            );
        }
        done.is_ok()
    };
    let stop = AtomicU64::new(0);
    let (done, failed) = thread::scope(|scope| {
        scope.spawn(|| watch(target, work, &corpus, &case, &stop));
        let mut failed = 0u64;
        let end = work.from.saturating_add(work.cases);
        let in_time = || {
            work.seconds
                .is_none_or(|seconds| begun.elapsed().as_secs() < seconds)
        };
        let mut next = work.from;
        while next < end && in_time() && failed < 10 {
            case.store(next, Ordering::Relaxed);
            failed += u64::from(!run(next));
            next += 1;
        }
        stop.store(1, Ordering::Relaxed);
        (next - work.from, failed)
    });
    println!(
        "{}: {done} cases of seed {} from {} seeds of the corpus in {:.0} s, {failed} failed",
        target.name,
        work.seed,
        corpus.len(),
        begun.elapsed().as_secs_f64()
    );
    failed == 0
}

/// Ends the process at a case that hangs, and says which.
fn watch(target: &Target, work: &Work, corpus: &Corpus, case: &AtomicU64, stop: &AtomicU64) {
    let mut last = (u64::MAX, Instant::now());
    while stop.load(Ordering::Relaxed) == 0 {
        thread::sleep(Duration::from_millis(100));
        let now = case.load(Ordering::Relaxed);
        if now != last.0 {
            last = (now, Instant::now());
        } else if last.1.elapsed() > PATIENCE {
            let input = corpus.mutated(&mut Rng::new(work.seed, now));
            let text = String::from_utf8_lossy(&input);
            eprintln!(
                "{}: case {now} of seed {} hangs:\n{}",
                target.name,
                work.seed,
                text.escape_debug()
            );
            std::process::exit(1);
        }
    }
}
