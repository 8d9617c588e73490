//! `verify` for a certificate in segments: all of them, or those that fall to this machine, and what the machines found
//! put together.

use super::verify::Args;
use crate::app::report;
use crate::app::report::in_words;
use crate::engine::{Effort, with_helpers};
use crate::error::Error;
use crate::rng::Rng;
use crate::sequence::period::segments::{Claim, Segments};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Which segments are checked.
#[derive(Clone, Debug, clap::Args)]
#[group(skip)]
pub struct Choice {
    /// Of a certificate in segments check A to B, both included
    #[arg(long, value_name = "A..B", conflicts_with_all = ["shard", "sample"])]
    segments: Option<Range>,
    /// Of a certificate in segments check every n-th from the i-th on: 1/8 to 8/8 check all
    #[arg(long, value_name = "i/n", conflicts_with = "sample")]
    shard: Option<Shard>,
    /// Check nothing, but put together what checks with --json wrote, and say what is missing
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["segments", "shard", "sample", "all"])]
    join: Vec<PathBuf>,
}

impl Choice {
    /// Whether it speaks of segments.
    pub fn is_made(&self) -> bool {
        self.segments.is_some() || self.shard.is_some() || !self.join.is_empty()
    }
}

#[derive(Clone, Copy, Debug)]
struct Range(u64, u64);

impl FromStr for Range {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Range, Self::Err> {
        let read = || {
            let (first, last) = text.split_once("..")?;
            let range = Range(first.parse().ok()?, last.parse().ok()?);
            (range.0 <= range.1).then_some(range)
        };
        read().ok_or("segments are written A..B, as in 0..99")
    }
}

#[derive(Clone, Copy, Debug)]
struct Shard(u64, u64);

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, Self::Err> {
        let read = || {
            let (number, of) = text.split_once('/')?;
            let shard = Shard(number.parse().ok()?, of.parse().ok()?);
            (1..=shard.1).contains(&shard.0).then_some(shard)
        };
        read().ok_or("a shard is written i/n with i from 1 to n, as in 3/8")
    }
}

/// A number of things, or a share of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// So many.
    Count(u64),
    /// So many of a hundred.
    Percent(u64),
}

impl FromStr for Sample {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Sample, Self::Err> {
        let number = |text: &str| text.parse().ok().filter(|&number| number > 0);
        match text.strip_suffix('%') {
            Some(percent) => number(percent)
                .filter(|&percent| percent <= 100)
                .map(Sample::Percent),
            None => number(text).map(Sample::Count),
        }
        .ok_or("a sample is a number from 1 on, or a share from 1% to 100%")
    }
}

/// What a check found, as JSON.
#[derive(Debug, Serialize, Deserialize)]
struct Outcome {
    game: String,
    code: Option<String>,
    /// Whether all segments were checked and are right.
    verified: bool,
    period: u64,
    preperiod: u64,
    theorem: String,
    /// Which certificate it is: the hash of its bytes.
    certificate: String,
    /// How many segments it has.
    segments: u64,
    /// The segments that are right: from one to another, both included.
    right: Vec<(u64, u64)>,
    /// What is wrong, if something is.
    wrong: Option<String>,
}

/// Checks the segments chosen, or puts results together, and prints what is right and what was not checked.
///
/// # Errors
/// If the certificate is false, or a check is out of reach.
pub fn run(args: &Args, text: &str) -> anyhow::Result<ExitCode> {
    let certificate = Segments::read(text)?;
    let (game, code) = (certificate.game.clone(), certificate.code.clone());
    let claim = certificate.claim()?;
    let digits: Vec<String> = Sha256::digest(text)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let mut result = Outcome {
        game,
        code,
        verified: false,
        period: claim.period().period,
        preperiod: claim.period().preperiod,
        theorem: claim.theorem().name().to_owned(),
        certificate: format!("sha256:{}", digits.concat()),
        segments: claim.count(),
        right: Vec::new(),
        wrong: None,
    };
    let failed = if args.choice.join.is_empty() {
        let chosen = chosen(args, claim.count())?;
        let (right, failed) = check(&claim, &chosen, args);
        result.right = ranges(&right);
        failed
    } else {
        let right = join(&result, &args.choice.join)?;
        result.right = ranges(&right);
        None
    };
    match &failed {
        Some(error @ Error::FalseCertificate { .. }) => result.wrong = Some(error.to_string()),
        // What was found before an interruption is worth keeping.
        Some(Error::Interrupted) | None => {}
        Some(error) => return Err(error.clone().into()),
    }
    result.verified = result.right == [(0, result.segments - 1)] && failed.is_none();
    args.form.print(
        |out| report::json::line(out, "segments-verification", &result),
        |out| match result.wrong {
            None => print(out, &result, &claim),
            Some(_) => Ok(()),
        },
    )?;
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn chosen(args: &Args, count: u64) -> Result<Vec<u64>, Error> {
    if let Some(Range(first, last)) = args.choice.segments {
        if last >= count {
            let text = format!("the segments of this certificate are 0..{}", count - 1);
            return Err(Error::Usage(text));
        }
        return Ok((first..=last).collect());
    }
    if let Some(Shard(number, of)) = args.choice.shard {
        let step = usize::try_from(of).unwrap_or(usize::MAX);
        return Ok((number - 1..count).step_by(step).collect());
    }
    let wanted = match args.sample {
        None => return Ok((0..count).collect()),
        Some(Sample::Count(wanted)) => wanted,
        Some(Sample::Percent(percent)) => (count * percent).div_ceil(100),
    };
    let mut rng = Rng::new(args.seed, 0);
    let mut drawn = BTreeSet::new();
    while (drawn.len() as u64) < wanted.min(count) {
        drawn.insert(rng.below(count as usize) as u64);
    }
    Ok(drawn.into_iter().collect())
}

/// The segments that are right, and what ended the work early.
fn check(claim: &Claim, chosen: &[u64], args: &Args) -> (BTreeSet<u64>, Option<Error>) {
    let effort = args.effort.effort();
    let watch = effort.watch.clone();
    let single = Effort {
        watch: None,
        threads: 1,
        ..effort.clone()
    };
    let right = Mutex::new(BTreeSet::new());
    let failed: Mutex<Option<Error>> = Mutex::new(None);
    let next = AtomicUsize::new(0);
    let lock = |right: &Mutex<BTreeSet<u64>>| {
        right.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    };
    let work = || {
        let mut go_on = || {
            let stopped = failed
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .is_some();
            let done = lock(&right);
            !stopped
                && watch
                    .as_ref()
                    .is_none_or(|watch| watch.progress(done, chosen.len() as u64))
        };
        let mut done = |segment| {
            let mut right = right.lock().unwrap_or_else(PoisonError::into_inner);
            right.insert(segment);
        };
        let mut segments = std::iter::from_fn(|| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            chosen.get(at).copied()
        });
        let checked = claim.check(&mut segments, &single, &mut go_on, &mut done);
        if let Err(error) = checked {
            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
            // The others stop because of the first.
            if failed.is_none() {
                *failed = Some(error);
            }
        }
    };
    let threads = effort.threads.min(chosen.len());
    with_helpers(threads.saturating_sub(1), work, work);
    if let Some(watch) = &watch {
        watch.done();
    }
    (
        right.into_inner().unwrap_or_else(PoisonError::into_inner),
        failed.into_inner().unwrap_or_else(PoisonError::into_inner),
    )
}

/// What other checks of the same certificate found right.
fn join(own: &Outcome, files: &[PathBuf]) -> Result<BTreeSet<u64>, Error> {
    let mut right = BTreeSet::new();
    for file in files {
        let name = file.display();
        let text = std::fs::read_to_string(file)
            .map_err(|error| Error::Usage(format!("can't read {name}: {error}")))?;
        for (number, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.is_empty())
        {
            let place = format!("{name}, line {}", number + 1);
            let result: Outcome = serde_json::from_str(line).map_err(|error| {
                Error::Usage(format!("{place} is no result of verify --json: {error}"))
            })?;
            if result.certificate != own.certificate {
                let text = format!(
                    "{place} is about another certificate, {}",
                    result.certificate
                );
                return Err(Error::Usage(text));
            }
            if let Some(wrong) = result.wrong {
                return Err(Error::FalseCertificate {
                    field: "windows",
                    stated: place,
                    found: wrong,
                });
            }
            if result
                .right
                .iter()
                .any(|&(first, last)| first > last || last >= own.segments)
            {
                return Err(Error::Usage(format!(
                    "{place} speaks of segments that are not there"
                )));
            }
            right.extend(result.right.iter().flat_map(|&(first, last)| first..=last));
        }
    }
    Ok(right)
}

fn ranges(segments: &BTreeSet<u64>) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &segment in segments {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == segment => *last = segment,
            _ => ranges.push((segment, segment)),
        }
    }
    ranges
}

fn print(out: &mut dyn Write, result: &Outcome, claim: &Claim) -> std::io::Result<()> {
    let period = in_words(&claim.period());
    let (game, count) = (&result.game, result.segments);
    let theorem = claim.theorem();
    if result.verified {
        writeln!(out, "The certificate is right: {game} has the {period}.")?;
        writeln!(
            out,
            "By the theorem: {} ({}).",
            theorem.name(),
            theorem.source()
        )?;
        return writeln!(
            out,
            "Checked: all {count} segments, the values to g({}).",
            claim.heaps(count - 1).1 - 1
        );
    }
    let right: u64 = result
        .right
        .iter()
        .map(|(first, last)| last + 1 - first)
        .sum();
    writeln!(out, "Nothing wrong so far: {game} would have the {period}.")?;
    let text = |ranges: &[(u64, u64)]| {
        let one = |&(first, last): &(u64, u64)| match first == last {
            true => first.to_string(),
            false => format!("{first}..{last}"),
        };
        ranges.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let all: BTreeSet<u64> = (0..count).collect();
    let done: BTreeSet<u64> = result
        .right
        .iter()
        .flat_map(|&(first, last)| first..=last)
        .collect();
    let missing: BTreeSet<u64> = all.difference(&done).copied().collect();
    writeln!(
        out,
        "Checked: {right} of {count} segments: {}.",
        text(&result.right)
    )?;
    writeln!(out, "Not checked: {}.", text(&ranges(&missing)))
}
