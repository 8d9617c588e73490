//! The part of a certificate that is checked: the options, and the segments that they choose.

use super::Args;
use crate::app::commands::shard::Shard;
use crate::app::commands::shared_args::heap;
use crate::app::error::{Refused, refuse};
use crate::app::report::style::note;
use crate::rng::Rng;
use crate::sequence::period::segments::Claim;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::str::FromStr;

/// The options that choose which segments are checked.
#[derive(Clone, Debug, clap::Args)]
#[group(skip)]
pub struct Choice {
    /// Check only the segments A to B of a certificate in segments
    #[arg(long, value_name = "A..B", value_parser = range, conflicts_with_all = ["shard", "sample"])]
    segments: Option<(u64, u64)>,
    /// Check every n-th segment from the i-th on; 1/8 to 8/8 together check all
    #[arg(long, value_name = "i/n", value_parser = str::parse::<Shard>, conflicts_with = "sample")]
    shard: Option<Shard>,
    /// Join the results that `verify --json` wrote for parts, and check a sample of the segments again
    ///
    /// The certificate stands in front: `verify CERTIFICATE --join RESULT RESULT`; - reads standard input. Each result is
    /// compared with the certificate, but its word that segments are right is trusted. The sample is checked again here: K
    /// segments or P% with --sample, none with --sample 0, and as many as have a billion piles without it.
    #[arg(long, value_name = "RESULT", num_args = 1.., conflicts_with_all = ["segments", "shard", "all"])]
    pub join: Vec<PathBuf>,
}

impl Choice {
    /// Refuses a choice of segments for a certificate that has none.
    pub fn refuse_without_segments(&self, args: &Args) -> Result<(), Refused> {
        let is_made = self.segments.is_some() || self.shard.is_some() || !self.join.is_empty();
        if is_made || matches!(args.sample, Some(Sample::Percent(_))) {
            let file = args.file.display();
            refuse!("{file} is a certificate without segments");
        }
        Ok(())
    }
}

fn range(text: &str) -> Result<(u64, u64), &'static str> {
    let ends = text.split_once("..");
    ends.and_then(|(first, last)| Some((heap(first).ok()?, heap(last).ok()?)))
        .filter(|(first, last)| first <= last)
        .ok_or("segments are written A..B, as in 0..99")
}

/// The size of a random sample: a number of things, or a share of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// The number of things in the sample.
    Count(u64),
    /// The share of the things in per cent.
    Percent(u64),
}

impl FromStr for Sample {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Sample, Self::Err> {
        match text.strip_suffix('%') {
            Some(percent) => (percent.parse().ok())
                .filter(|share| (1..=100).contains(share) && !percent.starts_with('+'))
                .map(Sample::Percent),
            None => heap(text).ok().map(Sample::Count),
        }
        .ok_or("a sample is a number from 1 on, or a share from 1% to 100%")
    }
}

impl Sample {
    /// How many of `count` things the sample has.
    fn of(self, count: u64) -> u64 {
        match self {
            Sample::Count(wanted) => wanted,
            Sample::Percent(percent) => (count * percent).div_ceil(100),
        }
        .min(count)
    }
}

/// The most piles of the segments that are checked again by default; at least one segment is checked, and at most a hundred.
const PILES_AGAIN: u64 = 1 << 30;
const MOST_AGAIN: u64 = 100;
/// A check of more piles than this takes seconds, so it is announced.
const QUICK: u64 = 1 << 26;

/// The segments that the command line chooses.
pub fn chosen(args: &Args, claim: &Claim<'_>) -> Result<Vec<u64>, Refused> {
    let count = claim.count();
    if let Some((first, last)) = args.choice.segments {
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

/// The segments that are checked again where results are joined: drawn at random by the certificate's hash and the seed.
pub fn again(args: &Args, claim: &Claim<'_>, hash: &str) -> Vec<u64> {
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

/// Draws `most` segments at random, or fewer, but at least one, if these would have more than `most_piles` piles together.
/// Returns also how many piles they have.
fn draw(claim: &Claim<'_>, rng: &mut Rng, most: u64, most_piles: u64) -> (Vec<u64>, u64) {
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

/// The refusal of `--sample 0` where nothing else would be checked.
pub fn no_sample() -> Refused {
    Refused::Usage("--sample 0 checks nothing; use it only with --join".to_owned())
}
