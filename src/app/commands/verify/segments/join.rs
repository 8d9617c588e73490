//! Joins the results that checks of the same certificate wrote. A line is believed about the segments that it says are right, and
//! about nothing else: everything else in it is compared with the certificate.

use super::SegmentsReport;
use crate::app::error::{Refused, refuse};
use crate::app::files::input;
use crate::printable::beginning;
use anyhow::anyhow;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

/// The most bytes of a line: those of a line without segments, and those that each segment adds.
const LINE: usize = 1 << 16;
const SEGMENT: usize = 64;

/// The segments that the lines of these files say are right.
///
/// # Errors
/// If a file can't be read, or a line is not one that a check of this certificate writes, or says that the certificate is false.
pub fn join(own: &SegmentsReport, files: &[PathBuf]) -> anyhow::Result<BTreeSet<u64>> {
    let most = LINE + SEGMENT * own.segments as usize;
    let mut right = BTreeSet::new();
    for file in files {
        let name = file.display();
        let unreadable = Refused::unreadable(file);
        let mut input = BufReader::new(input(file).map_err(unreadable)?);
        let mut line = Vec::new();
        for number in 1u64.. {
            let place = format!("{name}, line {number}");
            line.clear();
            let mut start = Read::by_ref(&mut input).take(most as u64 + 1);
            if start.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
                break;
            }
            if line.len() > most {
                refuse!(
                    "{place} is longer than {most} bytes, the most of a result of verify --json for this certificate"
                );
            }
            if !line.trim_ascii().is_empty() {
                right.extend(read(own, &place, &line)?);
            }
        }
    }
    Ok(right)
}

/// The segments that a line says are right.
fn read(own: &SegmentsReport, place: &str, line: &[u8]) -> anyhow::Result<Vec<u64>> {
    let line: SegmentsReport = serde_json::from_slice(line).map_err(|error| {
        let error = beginning(&error.to_string());
        Refused::Usage(format!("{place} is not a result of verify --json: {error}"))
    })?;
    let agree = |field: &str, said: &dyn Display, own: &dyn Display| {
        let (said, own) = (said.to_string(), own.to_string());
        if said == own {
            return Ok(());
        }
        let said = beginning(&said);
        Err(Refused::Usage(format!(
            "{place} says that {field} is {said}; {own} is right for this certificate"
        )))
    };
    let code = |code: &Option<String>| code.clone().unwrap_or_else(|| "none".to_owned());
    agree("its schema", &line.schema, &own.schema)?;
    agree("its kind", &line.kind, &own.kind)?;
    if line.certificate != own.certificate {
        let other = beginning(&line.certificate);
        refuse!("{place} is about another certificate, {other}");
    }
    agree("the game", &line.game, &own.game)?;
    agree("the code", &code(&line.code), &code(&own.code))?;
    agree("the period", &line.period, &own.period)?;
    agree("the preperiod", &line.preperiod, &own.preperiod)?;
    agree("the theorem", &line.theorem, &own.theorem)?;
    agree("the number of segments", &line.segments, &own.segments)?;
    if let Some(wrong) = &line.wrong {
        return Err(anyhow!(
            "{place} reports that the certificate is false: {}",
            beginning(wrong)
        ));
    }
    let mut next = 0;
    for &(first, last) in &line.right {
        if first > last || first < next || last >= own.segments {
            refuse!(
                "{place} says that segments {first} to {last} are right; segments are 0 to {}, listed in order and once each",
                own.segments - 1
            );
        }
        next = last + 1;
    }
    let right = line.right.iter().flat_map(|&(first, last)| first..=last);
    let right: Vec<u64> = right.collect();
    let is_all = right.len() as u64 == own.segments;
    if line.verified != is_all {
        refuse!(
            "{place} says of the whole certificate that it is verified: {}; its segments say {is_all}",
            line.verified
        );
    }
    if let Some(again) = line.checked_again
        && (again > own.segments || !is_all)
    {
        refuse!(
            "{place} says that {again} segments were checked again, of {}",
            own.segments
        );
    }
    Ok(right)
}
