//! The check of a certificate in segments: of all segments, of those that fall to this machine, or of a few once more where the
//! results of other machines are joined.

mod join;

use super::choice::{again, chosen};
use super::{Args, is_right, print};
use crate::app::report::{in_words, json};
use crate::certificate::{Certificate, digest};
use crate::error::Error;
use crate::printable::joined;
use crate::sequence::period::segments::{Claim, Segments, Share};
use anyhow::anyhow;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::process::ExitCode;

/// The report of a check, as the line of JSON that `verify` writes and that `--join` reads.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentsReport {
    /// The version of the report's shape, which every line states.
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
    /// The hash of the certificate's bytes, which tells which certificate it is.
    certificate: String,
    /// How many segments the certificate has.
    segments: u64,
    /// The segments that are right, as ranges with both ends included.
    right: Vec<(u64, u64)>,
    /// The fault of the certificate, if one was found.
    #[serde(deserialize_with = "Option::deserialize")]
    wrong: Option<String>,
    /// How many segments were checked again, where results were joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checked_again: Option<u64>,
}

/// The field `kind` in the JSON report of a check.
const REPORT: &str = "segments-verification";

/// Checks the certificate that is written in a text as far as the options want it, and prints the report.
pub fn verify(args: &Args, text: &str) -> anyhow::Result<ExitCode> {
    let certificate = Segments::read(text)?;
    let claim = certificate.claim()?;
    let own = SegmentsReport::nothing(&certificate, &claim, text);
    let share = share(args, &own, claim)?;
    let found = certificate.check(&args.effort.effort(), &share);
    let is_joined = !args.choice.join.is_empty();
    let again = share.chosen().filter(|_| is_joined);
    let mut report = SegmentsReport {
        right: ranges(&share.right()),
        checked_again: again.map(|again| again.len() as u64),
        ..own
    };
    match &found {
        Err(error @ Error::FalseCertificate { .. }) => {
            report.wrong = Some(error.to_string());
            if is_joined {
                // A line about a false certificate says nothing of segments.
                (report.right, report.checked_again) = (Vec::new(), None);
            }
        }
        // An interruption still leaves the segments checked before it, which are reported.
        Err(Error::Interrupted) | Ok(()) => {}
        Err(error) => return Err(error.clone().into()),
    }
    report.verified = found.is_ok() && report.right == [(0, report.segments - 1)];
    let words = match report.wrong {
        None => report.in_text(share.claim()),
        Some(_) => String::new(),
    };
    let failed = match found {
        Err(error) => Some(error.into()),
        Ok(()) if is_joined && !report.verified => Some(anyhow!(
            "the joined results lack segments {}",
            listed(&report.missing())
        )),
        Ok(()) => None,
    };
    print(args, REPORT, &report, &words, failed)
}

/// The segments that are to be checked here: those chosen, or where results are joined some once more, if none is missing.
fn share<'c>(args: &Args, own: &SegmentsReport, claim: Claim<'c>) -> anyhow::Result<Share<'c>> {
    if args.choice.join.is_empty() {
        let chosen = chosen(args, &claim)?;
        return Ok(Share::new(claim, chosen));
    }
    let right = join::join(own, &args.choice.join)?;
    let is_complete = right.len() as u64 == claim.count();
    let again = is_complete.then(|| again(args, &claim, &own.certificate));
    Ok(Share::again(claim, right, again))
}

impl SegmentsReport {
    /// The report of a certificate of which no segment is known to be right yet.
    fn nothing(certificate: &Segments, claim: &Claim<'_>, text: &str) -> SegmentsReport {
        SegmentsReport {
            schema: json::SCHEMA.into(),
            kind: REPORT.to_owned(),
            game: certificate.game.clone(),
            code: certificate.code.clone(),
            verified: false,
            period: claim.period().period,
            preperiod: claim.period().preperiod,
            theorem: claim.theorem().name().to_owned(),
            certificate: digest(Sha256::new_with_prefix(text)),
            segments: claim.count(),
            right: Vec::new(),
            wrong: None,
            checked_again: None,
        }
    }

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

    fn in_text(&self, claim: &Claim<'_>) -> String {
        let (game, count) = (&self.game, self.segments);
        if self.verified {
            let right = is_right(game, &claim.period(), claim.theorem());
            let last = claim.heaps(count - 1).1 - 1;
            return match self.checked_again {
                None => format!("{right}Checked: all {count} segments, the values to g({last}).\n"),
                Some(again) => format!(
                    "{right}Joined: all {count} segments, the values to g({last}), are right by the results read; checked again: {again} of them.\n"
                ),
            };
        }
        let lengths = self.right.iter().map(|(first, last)| last + 1 - first);
        let right: u64 = lengths.sum();
        let done = match right {
            0 => "none".to_owned(),
            _ => listed(&self.right),
        };
        let period = in_words(&claim.period());
        let missing = listed(&self.missing());
        format!(
            "Nothing wrong so far: {game} would have the {period}.\nChecked: {right} of {count} segments: {done}.\nNot checked: {missing}.\n"
        )
    }
}

/// Ranges of segments in words.
fn listed(ranges: &[(u64, u64)]) -> String {
    const MOST: usize = 20;
    let one = |&(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}..{last}"),
    };
    let more = if ranges.len() > MOST { ", …" } else { "" };
    joined(ranges.iter().take(MOST).map(one), ", ") + more
}

fn ranges(segments: &BTreeSet<u64>) -> Vec<(u64, u64)> {
    let segments: Vec<u64> = segments.iter().copied().collect();
    let ranges = segments.chunk_by(|one, next| one + 1 == *next);
    ranges
        .map(|range| (range[0], range[range.len() - 1]))
        .collect()
}
