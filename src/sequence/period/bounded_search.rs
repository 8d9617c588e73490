//! The search for a period in bounded memory: values as far as time allows, a snapshot of the last ones now and then, and
//! a proof by the window theorem (`window.rs`) once they repeat.
//!
//! The values that are kept are searched for a period as those of a table are (`detect.rs`): so a search proves all that a table
//! of so many values does, and by as few values. A longer period doesn't show there, as its beginning is forgotten; something
//! must be remembered of the values, by which they are known when they come again. The *anchor* (`anchor.rs`), the W values
//! before one place, is met again one period on, whatever the values are: once it lies W heaps behind the preperiod and the
//! period is no longer than half of what is known, so by some three times as many values as the larger of the two, as soon as W
//! grows no more. That alone would do, and so no period is missed, but late; so distinguished places (`distinguished.rs`) suggest
//! most periods a small part of the period after the values have begun to repeat. All of these only suggest a period: the windows
//! that `window.rs` speaks of are compared, value by value.

mod anchor;
mod conclusion;
mod saved;

use super::distinguished::{BEFORE, DistinguishedPlaces};
use super::proof_by_windows;
use super::window::{Bounds, GoOn};
use crate::engine::codes::Codes;
use crate::engine::octal::Octal;
use crate::engine::value_window::{BEGINNING, STRIDE, ValueWindow};
use crate::engine::{Effort, Engine};
use crate::error::{Error, Unfit};
use crate::ruleset::Ruleset;
use crate::sequence::Sequence;
use anchor::{Anchor, LastValues};
pub use saved::{ResumeError, SavedSearch};
use std::collections::BTreeMap;
use std::ops::RangeBounds;

/// A heap that no search reaches.
pub const FARTHEST: u64 = 1 << 62;
/// A step computes one part in this many of the values known, but at least as many as lie between two snapshots, and at most as
/// many as the window of values computes at once: the more at a time, the more of them are proved while others are found.
const KNOWN_PER_STEP: u64 = 8;
/// The least number of values between two snapshots. They are taken at heaps that are multiples of it.
pub const LEAST_SPACING: u64 = 1 << 16;
/// With more snapshots than this, every other one is dropped.
const MOST_SNAPSHOTS: usize = 256;
/// With more bytes of snapshots than this, every other one is dropped too, and also where snapshots would overlap.
const MOST_SNAPSHOT_BYTES: u64 = 1 << 23;
/// The least number of values in a snapshot.
const LEAST_SNAPSHOT: u64 = 1 << 13;
/// The values that are kept are searched for a period again once there are as many new ones as are kept, and at least one in this
/// many of all values.
const KNOWN_PER_SEARCH: u64 = 8;

/// Two equal stretches of values, which show a period if the other conditions of the window theorem hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The heap before which the first of the equal stretches ends.
    pub start: u64,
    /// How many heaps later the second stretch ends: it ends before heap `start + period`.
    pub period: u64,
}

/// For some heaps, the codes of the heaps right before each.
pub type Snapshots = BTreeMap<u64, Codes<'static>>;

/// A search under way.
pub struct BoundedSearch {
    values: ValueWindow,
    distinguished: DistinguishedPlaces,
    /// The number of values that were looked at for distinguished places.
    looked_at: u64,
    every: u64,
    snapshots: Snapshots,
    /// The number of known values at which the kept values are searched again.
    searched: u64,
    /// The window by which any period is noticed at last, if by nothing else.
    anchor: Option<Anchor>,
    /// The period that a distinguished place suggests, to be decided by the first snapshot from `start` on.
    suggested: Option<Repeat>,
}

impl BoundedSearch {
    /// Begins a search.
    ///
    /// # Errors
    /// If the game has no sparse space by heap 65,536, or its first values can't be computed.
    pub fn new(ruleset: &Ruleset, effort: &Effort) -> Result<BoundedSearch, Error> {
        let mut first = Sequence::with_effort(ruleset.clone(), effort.clone());
        if Octal::breaking(ruleset).is_some() {
            first.fill(BEGINNING - 1)?;
        }
        BoundedSearch::after(&mut first)
    }

    /// Begins a search that continues the values of a table, which are taken out of it.
    ///
    /// # Errors
    /// If the values show no sparse space.
    pub fn after(known: &mut Sequence) -> Result<BoundedSearch, Error> {
        let (ruleset, effort) = (known.ruleset().clone(), known.effort.clone());
        let unfit = || Error::EngineUnfit {
            engine: Engine::Sparse.name(),
            game: ruleset.name().to_owned(),
            reason: Unfit::NoSparseSpace,
        };
        let octal = Octal::breaking(&ruleset).ok_or_else(unfit)?;
        let learnt = known.take_table().into_coded().ok_or_else(unfit)?;
        let values = ValueWindow::new(octal, ruleset.name(), learnt, &effort);
        BoundedSearch::of(values)
    }

    /// Begins a search that can continue a saved one, which kept the values below heap `first`. That search may have continued a
    /// table, whose values show a sparse space later than the first ones do.
    ///
    /// # Errors
    /// As for [`BoundedSearch::new`], if the values show no sparse space by that heap.
    fn to_resume(ruleset: &Ruleset, effort: &Effort, first: u64) -> Result<BoundedSearch, Error> {
        let unfit = match BoundedSearch::new(ruleset, effort) {
            Err(unfit @ Error::EngineUnfit { .. }) => unfit,
            search => return search,
        };
        let Some(octal) = Octal::breaking(ruleset) else {
            return Err(unfit);
        };
        let mut table = Sequence::with_effort(ruleset.clone(), effort.clone());
        table.fill(first.max(BEGINNING) - 1)?;
        if !table.table().is_by_rares() {
            table.encode(&octal, true)?;
        }
        BoundedSearch::after(&mut table)
    }

    fn of(values: ValueWindow) -> Result<BoundedSearch, Error> {
        Ok(BoundedSearch {
            looked_at: BEGINNING,
            distinguished: DistinguishedPlaces::new(&values.codes(0, BEGINNING)?.low_bytes()),
            values,
            every: LEAST_SPACING,
            snapshots: BTreeMap::new(),
            searched: 0,
            anchor: None,
            suggested: None,
        })
    }

    /// How many values are known: those of the heaps 0 to `known() - 1`.
    pub fn known(&self) -> u64 {
        self.values.len()
    }

    /// The window of values.
    pub fn values(&self) -> &ValueWindow {
        &self.values
    }

    /// The heaps of the snapshots and the codes before each.
    pub fn snapshots(&self) -> &Snapshots {
        &self.snapshots
    }

    /// The snapshots of these heaps that have a window of values at least, by what is known so far.
    pub(super) fn long_snapshots(
        &self,
        heaps: impl RangeBounds<u64>,
    ) -> impl DoubleEndedIterator<Item = (u64, &Codes<'static>)> {
        let window = self.window_length();
        let long = self.snapshots.range(heaps);
        let long = long.filter(move |(_, codes)| codes.len() as u64 >= window);
        long.map(|(&heap, codes)| (heap, codes))
    }

    /// The number of equal values that prove a period, as far as is known now.
    pub fn window_length(&self) -> u64 {
        self.bounds().length()
    }

    /// The bounds that the window theorem needs, as far as they are known now.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds::of(self.values.game(), self.values.coded())
    }

    /// A window of values that continues from the last snapshot to this heap, or from the first values if there is no snapshot.
    pub(super) fn values_at(&self, heap: u64, go_on: GoOn<'_>) -> Result<ValueWindow, Error> {
        let mut values = self.values.again();
        let first = self.values.first();
        let mut before = self.long_snapshots(..=heap).rev();
        let last = before.find(|(place, codes)| *place > first + codes.len() as u64);
        if let Some((place, codes)) = last {
            values.restart_at(first, place, codes, &mut |_| go_on())?;
        }
        Ok(values)
    }

    /// Computes some more values, below `limit`; returns equal windows once there are some.
    ///
    /// # Errors
    /// As for `ValueWindow::advance`; the search may go on where it stopped.
    pub fn step(
        &mut self,
        limit: u64,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<Repeat>, Error> {
        let known = self.values.len();
        while self.looked_at < known {
            // The values of a table are noted part by part, as if they were computed one after another.
            self.note((self.looked_at + LEAST_SPACING).min(known))?;
            if let Some(repeat) = self.decide()? {
                return Ok(Some(repeat));
            }
        }
        let stride = (known / KNOWN_PER_STEP).clamp(LEAST_SPACING, STRIDE as u64);
        let mut to = limit.min((known + stride) / LEAST_SPACING * LEAST_SPACING);
        if let Some(Repeat { start, period }) = self.decisive()
            && start + period > known
        {
            to = to.min(start + period);
        }
        let advanced = self.values.advance(to, limit, go_on);
        self.note(self.values.len())?;
        advanced?;
        if let Some(repeat) = self.decide()? {
            return Ok(Some(repeat));
        }
        if let Some(repeat) = self.follow()? {
            return Ok(Some(repeat));
        }
        let known = self.values.len();
        if (known >= self.searched || known >= limit)
            && let Some(repeat) = self.search_kept()?
        {
            return Ok(Some(repeat));
        }
        if known >= limit {
            return self.decide_at_end(&mut || go_on(known));
        }
        Ok(None)
    }

    /// Looks at the new values below `to` for distinguished places, and takes snapshots of them.
    fn note(&mut self, to: u64) -> Result<(), Error> {
        let from = self.looked_at;
        self.look(to)?;
        let mut place = from;
        loop {
            place = (place / self.every + 1) * self.every;
            if place > to {
                return Ok(());
            }
            self.take_snapshot(place)?;
        }
    }

    /// The stretches whose comparison will decide the suggested period, if there is one.
    fn decisive(&self) -> Option<Repeat> {
        let Repeat { start, period } = self.suggested?;
        let (start, _) = self.long_snapshots(start..).next()?;
        Some(Repeat { start, period })
    }

    fn look(&mut self, to: u64) -> Result<(), Error> {
        let from = self.looked_at;
        let alternating = self.values.space().alternating();
        let codes = self.values.codes(from - BEFORE as u64, to)?;
        let found = self
            .distinguished
            .look(&codes.low_bytes(), from, alternating);
        self.looked_at = to;
        if let Some((start, place)) = found
            && self.suggested.is_none()
        {
            self.suggested = Some(Repeat {
                start,
                period: place - start,
            });
        }
        Ok(())
    }

    /// Compares the windows of the suggested period, if both are there.
    fn decide(&mut self) -> Result<Option<Repeat>, Error> {
        let Some(Repeat { start, period }) = self.decisive() else {
            return Ok(None);
        };
        let window = self.window_length();
        let end = start + period;
        if end > self.values.len() || end - window < self.values.window_from() {
            return Ok(None);
        }
        self.suggested = None;
        let Some(early) = self.snapshots.get(&start) else {
            return Ok(None);
        };
        let early = early.last(window as usize);
        let late = self.values.codes(end - window, end)?;
        let bounds = self.bounds();
        let decided =
            bounds.keeps_classes(period) && early == late && start >= bounds.least_start();
        Ok(decided.then_some(Repeat { start, period }))
    }

    /// Takes a snapshot of the values before this heap.
    fn take_snapshot(&mut self, heap: u64) -> Result<(), Error> {
        let length = LEAST_SNAPSHOT.max((2 * self.window_length()).next_power_of_two());
        if heap > 2 * length
            && heap - length > self.values.last_rare().max(self.values.window_from())
        {
            let codes = self.values.codes(heap - length, heap)?;
            let needed = codes.size() as u64;
            let kept = codes.kept().map_err(|_| Error::NoMemory { needed })?;
            self.snapshots.insert(heap, kept);
        }
        let sizes = self.snapshots.values().map(|codes| codes.size() as u64);
        let size: u64 = sizes.sum();
        if self.snapshots.len() > MOST_SNAPSHOTS
            || size > MOST_SNAPSHOT_BYTES
            || self.every < length
        {
            self.every *= 2;
            let every = self.every;
            self.snapshots.retain(|heap, _| heap.is_multiple_of(every));
        }
        Ok(())
    }

    /// Looks for the anchor in the new values. Once there are twice as many values as before the anchor, a new anchor is set.
    fn follow(&mut self) -> Result<Option<Repeat>, Error> {
        let values = LastValues {
            bounds: self.bounds(),
            kept: self.values.window_from(),
            known: self.values.len(),
            read: &|from, to| self.values.codes(from, to),
        };
        values.follow(&mut self.anchor)
    }

    /// A period proved by the values that are kept.
    fn search_kept(&mut self) -> Result<Option<Repeat>, Error> {
        let bounds = self.bounds();
        let to = self.values.len();
        let from = self.values.window_from().max(bounds.last_rare + 1).min(to);
        self.searched = to + (to - from).max(to / KNOWN_PER_SEARCH);
        let found = proof_by_windows(&self.values.codes(from, to)?, from, &bounds);
        Ok(found.map(|found| {
            let period = found.period.period;
            Repeat {
                start: found.range - period,
                period,
            }
        }))
    }

    /// Compares the last of all values with those a period before, if a period is suggested: they may lie between two snapshots.
    fn decide_at_end(&self, go_on: GoOn<'_>) -> Result<Option<Repeat>, Error> {
        let (Some(Repeat { period, .. }), to) = (self.suggested, self.values.len()) else {
            return Ok(None);
        };
        let start = to.saturating_sub(period);
        let bounds = self.bounds();
        let possible = bounds.keeps_classes(period) && start >= bounds.least_start();
        let equal =
            possible && self.window_before(start, go_on)? == self.window_before(to, go_on)?;
        Ok(equal.then_some(Repeat { start, period }))
    }
}

#[cfg(test)]
mod tests;
