//! A share of the segments of a certificate, checked on several threads; it is known at any moment which of them are right.

use super::Claim;
use crate::engine::{Effort, lock, with_helpers};
use crate::error::Error;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A share in the check of a certificate.
#[derive(Debug)]
pub struct Share<'c> {
    claim: Claim<'c>,
    /// The segments to be checked, with the first values; `None` if nothing is checked.
    chosen: Option<Vec<u64>>,
    right: Mutex<BTreeSet<u64>>,
}

impl<'c> Share<'c> {
    /// A share of these segments, with which the first values are checked. Numbers from [`Claim::count`] on are no segments, and
    /// are left out.
    pub fn new(claim: Claim<'c>, chosen: impl IntoIterator<Item = u64>) -> Share<'c> {
        let chosen = chosen.into_iter().collect();
        Share::again(claim, BTreeSet::new(), Some(chosen))
    }

    /// A share of all segments.
    pub fn all(claim: Claim<'c>) -> Share<'c> {
        let all = 0..claim.count();
        Share::new(claim, all)
    }

    /// A share of segments that other checks have shown to be right, and those of them that are checked again; `None` if nothing
    /// is checked. Numbers from [`Claim::count`] on are left out.
    pub fn again(claim: Claim<'c>, right: BTreeSet<u64>, chosen: Option<Vec<u64>>) -> Share<'c> {
        let is_there = |segment: &u64| *segment < claim.count();
        Share {
            chosen: chosen.map(|chosen| chosen.into_iter().filter(is_there).collect()),
            right: Mutex::new(right.into_iter().filter(is_there).collect()),
            claim,
        }
    }

    /// The claim of the certificate.
    pub fn claim(&self) -> &Claim<'c> {
        &self.claim
    }

    /// The segments to be checked, with the first values; `None` if nothing is.
    pub fn chosen(&self) -> Option<&[u64]> {
        self.chosen.as_deref()
    }

    /// The segments that are known to be right by now, also after an error.
    pub fn right(&self) -> BTreeSet<u64> {
        lock(&self.right).clone()
    }

    /// Checks the segments chosen, each on one thread, and ends at the first error.
    pub(super) fn check(&self, effort: &Effort) -> Result<(), Error> {
        let Some(chosen) = &self.chosen else {
            return Ok(());
        };
        let single = Effort {
            watch: None,
            threads: 1,
            ..effort.clone()
        };
        let wanted = chosen.len();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let ended = Mutex::new(None);
        let work = || {
            let mut go_on = || {
                let has_ended = lock(&ended).is_some();
                let done = done.load(Ordering::Relaxed) as u64;
                !has_ended && effort.goes_on(done, wanted as u64)
            };
            let mut ready = |segment| {
                lock(&self.right).insert(segment);
                done.fetch_add(1, Ordering::Relaxed);
            };
            let mut segments = std::iter::from_fn(|| {
                let at = next.fetch_add(1, Ordering::Relaxed);
                chosen.get(at).copied()
            });
            let checked = (self.claim).check(&mut segments, &single, &mut go_on, &mut ready);
            if let Err(error) = checked {
                // The other threads stop because of the first error.
                lock(&ended).get_or_insert(error);
            }
        };
        let threads = effort.threads.min(wanted);
        with_helpers(threads.saturating_sub(1), work, work);
        effort.done();
        let ended = lock(&ended).take();
        ended.map_or(Ok(()), Err)
    }
}
