//! The check of a certificate of a misère quotient.

use super::Args;
use crate::app::report;
use crate::error::Error;
use crate::misere::certificate::{KIND, QuotientCertificate};
use crate::misere::{MiserePeriod, PERIOD_THEOREM};
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};
use std::process::ExitCode;

/// Whether a text is a certificate of a misère quotient, or was meant to be.
pub fn is_one(content: &str) -> bool {
    let content: Result<Value, _> = serde_json::from_str(content);
    content.is_ok_and(|content| content["kind"] == KIND)
}

/// Checks it, and prints that it is right and what was checked.
///
/// # Errors
/// If it can't be read, what it states is false, or the check is out of reach.
pub fn run(args: &Args, content: &str) -> anyhow::Result<ExitCode> {
    let certificate = QuotientCertificate::read(content)?;
    let verified = certificate.verify(&args.effort.effort());
    if let Some(outcome) = Outcome::of(&certificate, &verified) {
        let report = Report {
            game: &certificate.game,
            code: certificate.code.as_deref(),
            verified: verified.is_ok(),
            outcome,
        };
        args.form.print(
            |out| report::json::line(out, "quotient-verification", &report),
            |out| match verified {
                Ok(period) => text(out, &certificate, period),
                Err(_) => Ok(()),
            },
        )?;
    }
    verified?;
    Ok(ExitCode::SUCCESS)
}

/// What is found, as JSON.
#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    code: Option<&'a str>,
    verified: bool,
    #[serde(flatten)]
    outcome: Outcome<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome<'a> {
    Right {
        heaps: u64,
        order: usize,
        /// How many elements are in it.
        p_portion: usize,
        pairs: usize,
        preperiod: Option<u64>,
        period: Option<u64>,
    },
    Wrong {
        field: &'a str,
        stated: &'a str,
        found: &'a str,
    },
}

impl<'a> Outcome<'a> {
    /// What a check found; nothing, if it could not be made.
    fn of(
        certificate: &QuotientCertificate,
        verified: &'a Result<Option<MiserePeriod>, Error>,
    ) -> Option<Outcome<'a>> {
        match verified {
            Ok(period) => Some(Outcome::Right {
                heaps: certificate.heaps,
                order: certificate.order,
                p_portion: certificate.p_portion.len(),
                pairs: certificate.pairs,
                preperiod: period.map(|found| found.preperiod),
                period: period.map(|found| found.period),
            }),
            Err(Error::FalseCertificate {
                field,
                stated,
                found,
            }) => Some(Outcome::Wrong {
                field,
                stated,
                found,
            }),
            Err(_) => None,
        }
    }
}

fn text(
    out: &mut dyn Write,
    certificate: &QuotientCertificate,
    period: Option<MiserePeriod>,
) -> io::Result<()> {
    let QuotientCertificate {
        game,
        heaps,
        order,
        pairs,
        ..
    } = certificate;
    let lost = certificate.p_portion.len();
    writeln!(
        out,
        "The certificate is right: the misère quotient of {game}, piles to {heaps}, has {order} elements, {lost} of them lost."
    )?;
    if let Some(MiserePeriod { preperiod, period }) = period {
        writeln!(
            out,
            "Elements repeat with period {period} from pile {preperiod} on, so it is that of all piles: {PERIOD_THEOREM}."
        )?;
    }
    writeln!(
        out,
        "Checked: the product, every option of every pile, {pairs} pairs of elements, and that no two elements are alike."
    )
}
