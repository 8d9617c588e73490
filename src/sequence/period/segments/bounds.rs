//! The numbers of a certificate in segments, bounded before any of them is used.

use super::{Segments, Window};
use crate::error::CertificateFault;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};
use std::fmt::{self, Formatter};
use std::marker::PhantomData;

/// The largest period, and the largest heap before which it may be claimed to begin again. Even the fastest games take weeks to
/// compute so many values, and the prime divisors of such a number are found in a moment.
const MOST: u64 = 1 << 48;
/// The most rare heaps, and the most windows.
const MOST_LISTED: usize = 1 << 20;

impl Segments {
    /// Checks that the numbers of the certificate are within the bounds.
    pub(super) fn check_bounds(&self) -> Result<(), CertificateFault> {
        let within = |(field, at), number: u64, least: u64, most: u64| {
            if (least..=most).contains(&number) {
                return Ok(());
            }
            Err(CertificateFault::OutOfBounds {
                field,
                at,
                number,
                least,
                most,
            })
        };
        within(("period", None), self.period, 1, MOST)?;
        within(("start", None), self.start, 1, MOST)?;
        within(("preperiod", None), self.preperiod, 0, self.start)?;
        within(("window", None), self.window, 1, self.start)?;
        within(("depth", None), self.depth, 0, self.window)?;
        within(("digits", None), self.digits as u64, 1, 4)?;
        for (at, &(heap, _)) in self.rares.iter().enumerate() {
            within(("rare pile number", Some(at)), heap, 1, self.window)?;
        }
        let end = self.start + self.period;
        for (at, Window { before, .. }) in self.windows.iter().enumerate() {
            within(("pile behind window", Some(at)), *before, 1, end)?;
        }
        Ok(())
    }
}

/// Reads a list of at most [`MOST_LISTED`] elements.
pub(super) fn limited<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    struct Limited<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Limited<T> {
        type Value = Vec<T>;

        fn expecting(&self, to: &mut Formatter<'_>) -> fmt::Result {
            write!(to, "a list of {MOST_LISTED} at most")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut all = Vec::new();
            while let Some(one) = list.next_element()? {
                if all.len() == MOST_LISTED {
                    return Err(A::Error::invalid_length(MOST_LISTED + 1, &self));
                }
                all.push(one);
            }
            Ok(all)
        }
    }

    from.deserialize_seq(Limited(PhantomData))
}
