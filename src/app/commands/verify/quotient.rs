//! The check of a certificate of a misère quotient.

use super::{Args, Kind, Said, Whole};
use crate::certificate::Certificate;
use crate::error::Error;
use crate::misere::certificate::{Found, QuotientCertificate};
use crate::misere::{MiserePeriod, PERIOD_THEOREM};
use serde::Serialize;

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

impl Kind for QuotientCertificate {
    const REPORT: &'static str = "quotient-verification";

    type Report = Whole<Right>;

    fn extent(&self, _args: &Args, _text: &str) -> anyhow::Result<()> {
        Ok(())
    }

    fn said(
        &self,
        _args: &Args,
        _text: &str,
        (): &(),
        found: Result<Found, Error>,
    ) -> anyhow::Result<Said<Whole<Right>>> {
        let found = found.map(|found| {
            let right = Right {
                heaps: self.heaps,
                order: self.order,
                p_portion: self.p_portion.len(),
                pairs: self.pairs,
                preperiod: found.period.map(|found| found.preperiod),
                period: found.period.map(|found| found.period),
            };
            let text = in_text(&self.game, &right, found);
            (right, text)
        });
        Whole::said(self.head(), found)
    }
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
