//! The check of a certificate of a misère quotient.

use super::Args;
use crate::app::commands::shared_args::stdout;
use crate::error::Error;
use crate::misere::certificate::{KIND, QuotientCertificate};
use crate::misere::{MiserePeriod, PERIOD_THEOREM};
use serde_json::{Value, json};
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
    let mut out = stdout();
    match &verified {
        Ok(period) if args.json => {
            let found = json!({
                "order": certificate.order, "p_portion": certificate.p_portion.len(), "heaps": certificate.heaps,
                "pairs": certificate.pairs, "preperiod": period.map(|found| found.preperiod),
                "period": period.map(|found| found.period),
            });
            writeln!(out, "{}", report(&certificate, true, found))?;
        }
        Ok(period) => text(&mut out, &certificate, *period)?,
        Err(Error::FalseCertificate {
            field,
            stated,
            found,
        }) if args.json => {
            let found = json!({"field": field, "stated": stated, "found": found});
            writeln!(out, "{}", report(&certificate, false, found))?;
        }
        Err(_) => {}
    }
    out.flush()?;
    verified?;
    Ok(ExitCode::SUCCESS)
}

fn report(certificate: &QuotientCertificate, verified: bool, found: Value) -> Value {
    let mut report = json!({
        "kind": KIND, "game": certificate.game, "code": certificate.code, "verified": verified,
    });
    if let (Value::Object(report), Value::Object(mut found)) = (&mut report, found) {
        report.append(&mut found);
    }
    report
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
