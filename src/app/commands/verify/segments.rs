//! `verify` for a certificate in segments: all of them, or those that fall to this machine, and what the machines found
//! put together.

mod join;

use super::{Args, is_right};
use crate::app::commands::shard::Shard;
use crate::app::error::{Refused, refuse};
use crate::app::report;
use crate::app::report::in_words;
use crate::app::report::style::note;
use crate::certificate::{Certificate, digest};
use crate::engine::{Effort, lock, unlocked, with_helpers};
use crate::error::Error;
use crate::printable::joined;
use crate::rng::Rng;
use crate::sequence::period::segments::{Claim, Segments};
use anyhow::anyhow;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Which segments are checked.
#[derive(Clone, Debug, clap::Args)]
#[group(skip)]
pub struct Choice {
    /// Check only the segments A to B of a certificate in segments
    #[arg(long, value_name = "A..B", conflicts_with_all = ["shard", "sample"])]
    segments: Option<Range>,
    /// Check every n-th segment from the i-th on; 1/8 to 8/8 together check all
    #[arg(long, value_name = "i/n", value_parser = str::parse::<Shard>, conflicts_with = "sample")]
    shard: Option<Shard>,
    /// Join the results that `verify --json` wrote for parts, and check a sample of the segments again
    ///
    /// Each result is compared with the certificate, but its word that segments are right is trusted. The sample is checked again
    /// here: K segments or P% with --sample, none with --sample 0, and as many as have a billion piles without it.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["segments", "shard", "all"])]
    join: Vec<PathBuf>,
}

impl Choice {
    /// Whether the command line chooses segments.
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
        match text.strip_suffix('%') {
            Some(percent) => (percent.parse().ok())
                .filter(|percent| (1..=100).contains(percent))
                .map(Sample::Percent),
            None => text.parse().ok().map(Sample::Count),
        }
        .ok_or("a sample is a number from 1 on, or a share from 1% to 100%")
    }
}

/// The kind of a line about a check.
const KIND: &str = "segments-verification";

impl Sample {
    /// How many of so many things these are.
    fn of(self, count: u64) -> u64 {
        match self {
            Sample::Count(wanted) => wanted,
            Sample::Percent(percent) => (count * percent).div_ceil(100),
        }
        .min(count)
    }
}

/// What a check found, as the line of JSON that it writes and that `--join` reads.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Outcome {
    /// Written with every line.
    #[serde(skip_serializing)]
    schema: u64,
    #[serde(skip_serializing)]
    kind: String,
    game: String,
    #[serde(deserialize_with = "Option::deserialize")]
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
    #[serde(deserialize_with = "Option::deserialize")]
    wrong: Option<String>,
    /// How many segments were checked again, where results were put together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checked_again: Option<u64>,
}

/// As many segments as have this many piles together are checked again without being asked for, one at least and a hundred at
/// most.
const PILES_AGAIN: u64 = 1 << 30;
const MOST_AGAIN: u64 = 100;
/// A check of more piles than this takes seconds, so it is announced.
const QUICK: u64 = 1 << 26;

/// Checks the segments chosen, or puts results together, and prints what is right and what was not checked.
///
/// # Errors
/// If the certificate is false, or a check is out of reach.
pub fn run(args: &Args, text: &str) -> anyhow::Result<ExitCode> {
    let certificate = Segments::read(text)?;
    let (game, code) = (certificate.game.clone(), certificate.code.clone());
    let claim = certificate.claim()?;
    let mut result = Outcome {
        schema: report::json::SCHEMA.into(),
        kind: KIND.to_owned(),
        game,
        code,
        verified: false,
        period: claim.period().period,
        preperiod: claim.period().preperiod,
        theorem: claim.theorem().name().to_owned(),
        certificate: digest(Sha256::new_with_prefix(text)),
        segments: claim.count(),
        right: Vec::new(),
        wrong: None,
        checked_again: None,
    };
    let is_joined = !args.choice.join.is_empty();
    let failed = if is_joined {
        let right = join::join(&result, &args.choice.join)?;
        result.right = ranges(&right);
        if right.len() as u64 == claim.count() {
            let again = again(args, &claim, &result.certificate);
            result.checked_again = Some(again.len() as u64);
            check(&claim, &again, args).1
        } else {
            None
        }
    } else {
        let chosen = chosen(args, &claim)?;
        let (right, failed) = check(&claim, &chosen, args);
        result.right = ranges(&right);
        failed
    };
    match &failed {
        Some(error @ Error::FalseCertificate { .. }) => {
            result.wrong = Some(error.to_string());
            if is_joined {
                // Lines about a false certificate say nothing.
                (result.right, result.checked_again) = (Vec::new(), None);
            }
        }
        // What was found before an interruption is worth keeping.
        Some(Error::Interrupted) | None => {}
        Some(error) => return Err(error.clone().into()),
    }
    result.verified = result.right == [(0, result.segments - 1)] && failed.is_none();
    args.form.print(KIND, &result, |out| match result.wrong {
        None => print(out, &result, &claim),
        Some(_) => Ok(()),
    })?;
    match failed {
        Some(error) => Err(error.into()),
        None if is_joined && !result.verified => Err(anyhow!(
            "the joined results lack segments {}",
            in_text(&result.missing())
        )),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// Which segments are checked again where results are put together: drawn by the certificate's hash and the seed.
fn again(args: &Args, claim: &Claim, hash: &str) -> Vec<u64> {
    let digits: String = hash
        .chars()
        .filter(char::is_ascii_hexdigit)
        .skip(2)
        .take(16)
        .collect();
    let mut rng = Rng::new(u64::from_str_radix(&digits, 16).unwrap_or(0), args.seed);
    let count = claim.count();
    let (most, most_piles) = match args.sample {
        Some(sample) => (sample.of(count), u64::MAX),
        None => (MOST_AGAIN.min(count), PILES_AGAIN),
    };
    let (drawn, sum) = draw(claim, &mut rng, most, most_piles);
    if sum > QUICK && !args.effort.quiet {
        note(format_args!(
            "checking {} of {count} segments again, {sum} piles; --sample 0 skips this",
            drawn.len()
        ));
    }
    drawn
}

/// So many segments drawn at random, fewer if they would have more piles than `most_piles`, but one at least; and their
/// piles.
fn draw(claim: &Claim, rng: &mut Rng, most: u64, most_piles: u64) -> (Vec<u64>, u64) {
    let (mut drawn, mut sum) = (BTreeSet::new(), 0u64);
    while (drawn.len() as u64) < most {
        let segment = rng.below(claim.count() as usize) as u64;
        let (from, to) = claim.heaps(segment);
        if drawn.contains(&segment) {
            continue;
        }
        if sum.saturating_add(to - from) > most_piles && !drawn.is_empty() {
            break;
        }
        sum = sum.saturating_add(to - from);
        drawn.insert(segment);
    }
    (drawn.into_iter().collect(), sum)
}

impl Outcome {
    /// The segments that are not known to be right.
    fn missing(&self) -> Vec<(u64, u64)> {
        let mut missing = Vec::new();
        let mut next = 0;
        for &(first, last) in &self.right {
            if first > next {
                missing.push((next, first - 1));
            }
            next = last + 1;
        }
        if next < self.segments {
            missing.push((next, self.segments - 1));
        }
        missing
    }
}

/// Some segments, as a person reads them.
fn in_text(ranges: &[(u64, u64)]) -> String {
    const MOST: usize = 20;
    let one = |&(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}..{last}"),
    };
    let more = if ranges.len() > MOST { ", …" } else { "" };
    joined(ranges.iter().take(MOST).map(one), ", ") + more
}

fn chosen(args: &Args, claim: &Claim) -> Result<Vec<u64>, Refused> {
    let count = claim.count();
    if let Some(Range(first, last)) = args.choice.segments {
        if last >= count {
            refuse!("the segments of this certificate are 0..{}", count - 1);
        }
        return Ok((first..=last).collect());
    }
    if let Some(shard) = args.choice.shard {
        return Ok(shard.of(count).collect());
    }
    match args.sample {
        None => Ok((0..count).collect()),
        Some(Sample::Count(0)) => Err(no_sample()),
        Some(sample) => {
            let mut rng = Rng::new(args.seed, 0);
            Ok(draw(claim, &mut rng, sample.of(count), u64::MAX).0)
        }
    }
}

/// The segments that are right, and what ended the work early.
fn check(claim: &Claim, chosen: &[u64], args: &Args) -> (BTreeSet<u64>, Option<Error>) {
    let effort = args.effort.effort();
    let single = Effort {
        watch: None,
        threads: 1,
        ..effort.clone()
    };
    let found = Mutex::new((BTreeSet::new(), None));
    let lock = || lock(&found);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut go_on = || {
            let (done, stopped) = {
                let found = lock();
                (found.0.len() as u64, found.1.is_some())
            };
            !stopped && effort.goes_on(done, chosen.len() as u64)
        };
        let mut done = |segment| {
            lock().0.insert(segment);
        };
        let mut segments = std::iter::from_fn(|| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            chosen.get(at).copied()
        });
        let checked = claim.check(&mut segments, &single, &mut go_on, &mut done);
        if let Err(error) = checked {
            // The others stop because of the first.
            lock().1.get_or_insert(error);
        }
    };
    let threads = effort.threads.min(chosen.len());
    with_helpers(threads.saturating_sub(1), work, work);
    effort.done();
    unlocked(found)
}

fn ranges(segments: &BTreeSet<u64>) -> Vec<(u64, u64)> {
    let segments: Vec<u64> = segments.iter().copied().collect();
    let ranges = segments.chunk_by(|one, next| one + 1 == *next);
    ranges
        .map(|range| (range[0], range[range.len() - 1]))
        .collect()
}

fn print(out: &mut dyn Write, result: &Outcome, claim: &Claim) -> std::io::Result<()> {
    let (game, count) = (&result.game, result.segments);
    if result.verified {
        write!(out, "{}", is_right(game, &claim.period(), claim.theorem()))?;
        let last = claim.heaps(count - 1).1 - 1;
        return match result.checked_again {
            None => writeln!(
                out,
                "Checked: all {count} segments, the values to g({last})."
            ),
            Some(again) => writeln!(
                out,
                "Joined: all {count} segments, the values to g({last}), are right by the results read; checked again: {again} of them."
            ),
        };
    }
    let lengths = result.right.iter().map(|(first, last)| last + 1 - first);
    let right: u64 = lengths.sum();
    let done = match right {
        0 => "none".to_owned(),
        _ => in_text(&result.right),
    };
    let period = in_words(&claim.period());
    writeln!(out, "Nothing wrong so far: {game} would have the {period}.")?;
    writeln!(out, "Checked: {right} of {count} segments: {done}.")?;
    writeln!(out, "Not checked: {}.", in_text(&result.missing()))
}

/// `--sample 0` where nothing else would be checked.
pub fn no_sample() -> Refused {
    Refused::Usage("--sample 0 checks nothing; use it only with --join".to_owned())
}
