//! The check of a certificate of a misère quotient.

use super::{Args, print_whole};
use crate::app::error::refuse;
use crate::certificate::Certificate;
use crate::misere::certificate::{Found, QuotientCertificate};
use crate::misere::{MiserePeriod, PERIOD_THEOREM};
use serde::Serialize;
use std::process::ExitCode;

/// The JSON report of a certificate that is right.
#[derive(Serialize)]
pub struct Right {
    heaps: u64,
    order: usize,
    /// How many elements are in the P-portion.
    p_portion: usize,
    pairs: usize,
    preperiod: Option<u64>,
    period: Option<u64>,
}

impl Right {
    /// The report of a certificate, and of what its check found out.
    pub fn new(certificate: &QuotientCertificate, found: Found) -> Right {
        Right {
            heaps: certificate.heaps,
            order: certificate.order,
            p_portion: certificate.p_portion.len(),
            pairs: certificate.pairs,
            preperiod: found.period.map(|found| found.preperiod),
            period: found.period.map(|found| found.period),
        }
    }
}

/// Checks the certificate that is written in a text, and prints the report.
pub fn verify(args: &Args, text: &str) -> anyhow::Result<ExitCode> {
    let certificate = QuotientCertificate::read(text)?;
    if args.sample.is_some() {
        refuse!("a certificate of a misère quotient is checked as a whole; leave --sample out");
    }
    let found = certificate.check(&args.effort.effort(), &());
    let found = found.map(|found| {
        let right = Right::new(&certificate, found);
        let text = in_text(&certificate.game, &right, found);
        (right, text)
    });
    print_whole(args, "quotient-verification", certificate.head(), found)
}

fn in_text(game: &str, right: &Right, found: Found) -> String {
    let Right {
        heaps,
        order,
        p_portion: lost,
        pairs,
        ..
    } = right;
    let repeated = found.period.map(|MiserePeriod { preperiod, period }| format!(
        "Elements repeat with period {period} from pile {preperiod} on, so this is the quotient of all piles: {PERIOD_THEOREM}.\n"
    ));
    let piles = match found.firm_from {
        Some(heap) => format!(
            "every option of the piles below {heap}, the nim-values of the others, which are all tame and firm"
        ),
        None => "every option of every pile".to_owned(),
    };
    format!(
        "The certificate is right: the misère quotient of {game}, piles to {heaps}, has {order} elements, {lost} of them lost.\n{}Checked: the product, {piles}, {pairs} pairs of elements, and that no two elements are the same.\n",
        repeated.unwrap_or_default()
    )
}
