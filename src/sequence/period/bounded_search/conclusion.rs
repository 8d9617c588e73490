//! The least period and preperiod behind equal windows that a search has found, computed from its values and snapshots.

use super::{BoundedSearch, Repeat};
use crate::error::Error;
use crate::factors::prime_divisors;
use crate::sequence::period::window::{GoOn, walk};
use crate::sequence::period::{Period, Proof, Theorem};

/// How many values are compared at a time.
const COMPARED_AT_ONCE: u64 = 1 << 14;

impl BoundedSearch {
    /// The least period and preperiod behind equal windows, which [`BoundedSearch::step`] has found.
    pub(crate) fn conclude(&self, found: Repeat, go_on: GoOn<'_>) -> Result<Proof, Error> {
        let mut period = found.period;
        let target = self.window_before(found.start, go_on)?;
        for prime in prime_divisors(period) {
            while period.is_multiple_of(prime) {
                let shorter = period / prime;
                let equal = self.bounds().keeps_classes(shorter)
                    && self.window_before(found.start + shorter, go_on)? == target;
                if !equal {
                    break;
                }
                period = shorter;
            }
        }
        let preperiod = self.preperiod(found.start, period, go_on)?;
        Ok(Proof {
            period: Period::plain(period, preperiod),
            theorem: Theorem::Window,
            range: found.start + found.period,
        })
    }

    /// The `length` values before a heap.
    pub(in crate::sequence::period) fn values_before(
        &self,
        heap: u64,
        length: u64,
        go_on: GoOn<'_>,
    ) -> Result<Vec<u16>, Error> {
        let (from, count) = (heap - length, length as usize);
        let own = self.values();
        let snapshot = self.snapshots().get(&heap);
        if let Some(codes) = snapshot.filter(|codes| codes.len() >= count) {
            let space = own.space();
            let value = |(code, heap): (u16, u64)| space.value(code, false, heap as usize);
            return Ok(codes.last(count).iter().zip(from..).map(value).collect());
        }
        if from >= own.window_from() && heap <= own.len() {
            return own.last_values(heap, count);
        }
        // A snapshot has a window of values at least; a longer stretch begins behind the snapshot.
        let place = match length <= self.window_length() {
            true => heap,
            false => from.max(self.window_length()),
        };
        let mut other = self.values_at(place, go_on)?;
        walk(&mut other, heap, go_on)?;
        other.last_values(heap, count)
    }

    /// The window of values before a heap.
    pub(super) fn window_before(&self, heap: u64, go_on: GoOn<'_>) -> Result<Vec<u16>, Error> {
        self.values_before(heap, self.window_length(), go_on)
    }

    /// The least preperiod of a period that holds from `start` on.
    fn preperiod(&self, start: u64, period: u64, go_on: GoOn<'_>) -> Result<u64, Error> {
        let window = self.window_length();
        let least_start = self.bounds().least_start();
        let places = self.long_snapshots(..start).map(|(heap, _)| heap);
        let places: Vec<u64> = places.filter(|&heap| heap >= least_start).collect();
        // The period holds from the windows at places[high] on, not from those at places[low - 1] on.
        let (mut low, mut high) = (0, places.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let place = places[middle];
            if self.window_before(place, go_on)? == self.window_before(place + period, go_on)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let end = places.get(high).copied().unwrap_or(start);
        let begin = match low.checked_sub(1) {
            Some(below) => places[below] - window,
            None => 0,
        };
        let last = self.last_exception(begin, end, period, go_on)?;
        Ok(last.map_or(0, |last| last + 1))
    }

    /// The last n in `begin..end` with g(n + period) ≠ g(n).
    fn last_exception(
        &self,
        begin: u64,
        end: u64,
        period: u64,
        go_on: GoOn<'_>,
    ) -> Result<Option<u64>, Error> {
        let mut early = self.values_at(begin + self.window_length(), go_on)?;
        let mut late = self.values_at(begin + self.window_length() + period, go_on)?;
        walk(&mut late, begin + self.window_length() + period, go_on)?;
        walk(&mut early, begin + self.window_length(), go_on)?;
        let mut last = None;
        let mut from = begin;
        while from < end {
            let to = end.min(from + COMPARED_AT_ONCE);
            walk(&mut early, to, go_on)?;
            walk(&mut late, to + period, go_on)?;
            let length = (to - from) as usize;
            let earlier = early.last_values(to, length)?;
            let later = late.last_values(to + period, length)?;
            let mut pairs = earlier.iter().zip(&later);
            if let Some(at) = pairs.rposition(|(early, late)| early != late) {
                last = Some(from + at as u64);
            }
            from = to;
        }
        Ok(last)
    }
}
