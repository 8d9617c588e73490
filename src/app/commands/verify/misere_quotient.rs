//! The check of a certificate of a misère quotient.

use super::Args;
use crate::app::report;
use crate::error::Error;
use crate::misere::certificate::{KIND, QuotientCertificate};
use crate::misere::{MiserePeriod, PERIOD_THEOREM};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::process::ExitCode;

/// Whether a text is a certificate of a misère quotient, or was meant to be.
pub fn is_one(content: &str) -> bool {
    #[derive(Deserialize)]
    struct Kind {
        kind: Option<String>,
    }
    serde_json::from_str(content).is_ok_and(|Kind { kind }| kind.as_deref() == Some(KIND))
}

/// Checks it, and prints that it is right and what was checked.
///
/// # Errors
/// If it can't be read, what it states is false, or the check is out of reach.
pub fn run(args: &Args, content: &str) -> anyhow::Result<ExitCode> {
    let certificate = QuotientCertificate::read(content)?;
    let effort = args.effort.effort();
    let verified = certificate.verify(&effort);
    let firm = match verified {
        Ok(_) => certificate.firm_from(&effort)?,
        Err(_) => None,
    };
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
                Ok(period) => text(out, &certificate, period, firm),
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
    firm: Option<u64>,
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
    let piles = match firm {
        Some(heap) => format!(
            "every option of the piles below {heap}, the nim-values of the others, which are all tame and firm"
        ),
        None => "every option of every pile".to_owned(),
    };
    writeln!(
        out,
        "Checked: the product, {piles}, {pairs} pairs of elements, and that no two elements are alike."
    )
}
