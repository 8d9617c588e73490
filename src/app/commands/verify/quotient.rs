//! The check of a certificate of a misère quotient.

use super::{Args, conclude};
use crate::certificate::Certificate;
use crate::misere::certificate::QuotientCertificate;
use crate::misere::{MiserePeriod, PERIOD_THEOREM};
use serde::Serialize;
use std::process::ExitCode;

/// The report of a certificate that is right, as JSON.
#[derive(Serialize)]
struct Right {
    heaps: u64,
    order: usize,
    /// How many elements are in the P-portion.
    p_portion: usize,
    pairs: usize,
    preperiod: Option<u64>,
    period: Option<u64>,
}

/// Checks the certificate, and prints that it is right and what was checked.
///
/// # Errors
/// If it can't be read, what it states is false, or the check is out of reach.
pub fn run(args: &Args, text: &str) -> anyhow::Result<ExitCode> {
    let certificate = QuotientCertificate::read(text)?;
    let effort = args.effort.effort();
    let found = certificate.verify(&effort).and_then(|period| {
        let right = Right {
            heaps: certificate.heaps,
            order: certificate.order,
            p_portion: certificate.p_portion.len(),
            pairs: certificate.pairs,
            preperiod: period.map(|found| found.preperiod),
            period: period.map(|found| found.period),
        };
        let firm = certificate.firm_from(&effort)?;
        let text = in_text(&certificate.game, &right, period, firm);
        Ok((right, text))
    });
    conclude(args, "quotient-verification", certificate.head(), found)
}

fn in_text(game: &str, right: &Right, period: Option<MiserePeriod>, firm: Option<u64>) -> String {
    let Right {
        heaps,
        order,
        p_portion: lost,
        pairs,
        ..
    } = right;
    let repeated = period.map(|MiserePeriod { preperiod, period }| format!(
        "Elements repeat with period {period} from pile {preperiod} on, so this is the quotient of all piles: {PERIOD_THEOREM}.\n"
    ));
    let piles = match firm {
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
