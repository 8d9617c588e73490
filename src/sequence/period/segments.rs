//! A certificate of a period proved by the window theorem, which any number of machines can check at the same time.
//!
//! It holds the values before some heaps, the *windows*. Segment 0 goes from nothing to the first window, segment k from
//! one window to the next: from its values, the rare heaps and the first values of the game, which segment 0
//! checks and anybody can make, the values of the segment follow one by one, with witnesses of depth D at most; they
//! must end in the next window. If all segments are right, all values are, by induction, and what is left is
//! in the certificate itself: the hypotheses of the theorem (`window.rs`), that the windows before n0 and n0 + p are
//! equal, that those before n0 + p/q are others, and that the values before the equal ones differ. So the
//! period is proved, and that it and its preperiod are the least.
//!
//! Time to check: a segment as its values (`engine/value_window.rs`), in a few MB of memory.

mod bounds;
mod checking;
mod claim;
mod plain;
mod share;

pub use claim::Claim;
pub use share::Share;

use super::bounded_search::BoundedSearch;
use super::window::GoOn;
use super::{Period, Proof};
use crate::certificate::{Certificate, Head, PROGRAM, code_of, wrong, wrong_at};
use crate::engine::Effort;
use crate::engine::octal::Octal;
use crate::engine::sparse_space::SparseSpace;
use crate::error::{Contradiction, Error, Stated};
use crate::factors::prime_divisors;
use crate::ruleset::Ruleset;
use serde::{Deserialize, Serialize};

/// A period proved by the window theorem, with what its proof rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segments {
    /// The kind of the certificate: `windows of a sparse space`.
    pub kind: String,
    /// The program that made the certificate.
    pub program: String,
    /// The game's name.
    pub game: String,
    /// The take-and-break code of the game in normal form, if it has one.
    #[serde(deserialize_with = "Option::deserialize")]
    pub code: Option<String>,
    /// The period: g(n + period) = g(n) for every n from the preperiod on.
    pub period: u64,
    /// The first n from which the period holds.
    pub preperiod: u64,
    /// n0: the heap before which the values are those before heap `start + period`.
    pub start: u64,
    /// W: how many values before heap `start` equal those before heap `start + period`.
    pub window: u64,
    /// D: the largest smaller part of the witnesses that the heaps need.
    pub depth: u64,
    /// The mask of the space: a value is common if an odd number of its binary 1s are in the mask; where the classes alternate,
    /// that holds of every other heap, and the opposite of those between.
    pub mask: u16,
    /// Whether the classes of values change places from heap to heap.
    pub alternating: bool,
    /// The rare heaps and their values.
    #[serde(deserialize_with = "bounds::limited")]
    pub rares: Vec<(u64, u16)>,
    /// How many hexadecimal digits a value in a window has.
    pub digits: usize,
    /// The windows, in the order of their heaps.
    #[serde(deserialize_with = "bounds::limited")]
    pub windows: Vec<Window>,
}

/// The values before a heap, as many as a window has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// The heap before which the values stand.
    pub before: u64,
    /// The values in hexadecimal.
    pub values: String,
}

impl BoundedSearch {
    /// The certificate of what [`BoundedSearch::conclude`] has proved.
    pub(crate) fn certificate(
        &self,
        ruleset: &Ruleset,
        proof: &Proof,
        go_on: GoOn<'_>,
    ) -> Result<Segments, Error> {
        let Period {
            period, preperiod, ..
        } = proof.period;
        let (values, bounds) = (self.values(), self.bounds());
        let window = bounds.length();
        let start = bounds.least_start().max(preperiod + window);
        // The values since the last exception are needed, or all from heap 0.
        let reach = start - preperiod.saturating_sub(1);
        let primes = prime_divisors(period).into_iter();
        let mut places: Vec<u64> = primes.map(|prime| start + period / prime).collect();
        let snapshots = self.long_snapshots(bounds.least_start()..start + period);
        places.extend(snapshots.map(|(heap, _)| heap));
        places.extend([start, start + period]);
        places.sort_unstable();
        places.dedup();
        let mut windows = Vec::new();
        for before in places {
            let exact = before == start || before == start + period;
            let length = if exact { reach } else { window };
            windows.push((before, self.values_before(before, length, go_on)?));
        }
        let mut each = windows.iter().flat_map(|(_, values)| values);
        let digits = match each.all(|&value| value < 256) {
            true => 2,
            false => 4,
        };
        let shown = |(before, values): (u64, Vec<u16>)| Window {
            before,
            values: values
                .iter()
                .map(|value| format!("{value:0digits$x}"))
                .collect(),
        };
        Ok(Segments {
            kind: Segments::KIND.to_owned(),
            program: PROGRAM.to_owned(),
            game: ruleset.name().to_owned(),
            code: code_of(ruleset),
            period,
            preperiod,
            start,
            window,
            depth: bounds.depth,
            mask: values.space().mask(),
            alternating: values.space().alternating(),
            rares: values.rares().collect(),
            digits,
            windows: windows.into_iter().map(shown).collect(),
        })
    }
}

impl Certificate for Segments {
    const KIND: &'static str = "windows of a sparse space";
    const MOST_BYTES: u64 = 1 << 30;

    /// The segments that are checked, of a claim whose own statements agree.
    type Extent<'c> = Share<'c>;

    type Found = ();

    fn head(&self) -> Head<'_> {
        Head {
            kind: &self.kind,
            game: &self.game,
            code: self.code.as_deref(),
        }
    }

    fn check(&self, effort: &Effort, share: &Share<'_>) -> Result<(), Error> {
        share.check(effort)
    }
}

impl Segments {
    /// Checks everything that can be checked without computing values of the segments.
    ///
    /// # Errors
    /// [`Error::FalseCertificate`] with what is wrong.
    pub fn claim(&self) -> Result<Claim<'_>, Error> {
        self.check_bounds()?;
        let ruleset: Ruleset = self.game.parse()?;
        let octal = Octal::breaking(&ruleset)
            .ok_or_else(|| wrong("game", ruleset.name(), Contradiction::NotForWindows))?;
        let space = SparseSpace::by_mask(self.mask, self.alternating, &octal.breaks);
        let space = space.ok_or_else(|| match self.mask {
            0 => wrong("mask", 0, Contradiction::NoCommonValue),
            _ => wrong("alternating", self.alternating, Contradiction::BothParities),
        })?;
        self.check_code(&ruleset)?;
        let windows = self
            .windows
            .iter()
            .enumerate()
            .map(|(number, window)| window.read(number, self.window, self.digits))
            .collect::<Result<Vec<_>, _>>()?;
        let claim = Claim {
            ruleset,
            octal,
            space,
            certificate: self,
            windows,
        };
        claim.check_order()?;
        claim.check_period()?;
        Ok(claim)
    }
}

impl Window {
    fn read(&self, number: usize, window: u64, digits: usize) -> Result<(u64, Vec<u16>), Error> {
        let before = self.before;
        let cut = |found| wrong_at("windows", Stated::Window { number, before }, found);
        let texts = self.values.as_bytes().chunks(digits.max(1));
        let value = |text: &[u8]| {
            let text = std::str::from_utf8(text).ok().filter(|text| {
                text.len() == digits && text.bytes().all(|b| b.is_ascii_hexdigit())
            })?;
            u16::from_str_radix(text, 16).ok()
        };
        let values: Option<Vec<u16>> = texts.map(value).collect();
        let values = values.ok_or_else(|| cut(Contradiction::NotHexadecimal))?;
        let count = values.len() as u64;
        if count < window {
            return Err(cut(Contradiction::CutShort {
                values: count,
                window,
            }));
        }
        if count > before {
            return Err(cut(Contradiction::TooLong {
                values: count,
                heaps: before,
            }));
        }
        Ok((before, values))
    }
}

#[cfg(test)]
mod tests;
