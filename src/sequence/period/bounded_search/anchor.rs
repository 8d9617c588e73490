//! The window before a place, looked for in all that follow until there are twice as many (R. P. Brent, *An improved Monte
//! Carlo factorization algorithm*, BIT 20, 1980, pp. 176-184): from a place behind the preperiod it is met again one
//! period on, whatever the values are.

use super::Repeat;
use crate::engine::codes::Codes;
use crate::error::Error;
use crate::sequence::period::window::Bounds;
use memchr::memmem::Finder;

/// The window of codes that is looked for.
pub struct Anchor {
    place: u64,
    /// The values before this heap were searched for the anchor.
    searched: u64,
    codes: Codes<'static>,
    /// Finds the low bytes of the anchor's codes.
    low_bytes: Finder<'static>,
}

/// A sequence of values of which only the last are kept.
pub struct LastValues<'v, R> {
    /// The bounds that the window theorem needs of the values.
    pub bounds: Bounds,
    /// The first heap from which on all values are kept.
    pub kept: u64,
    /// How many values are known.
    pub known: u64,
    /// A function that reads the codes from a heap to below another.
    pub read: &'v R,
}

impl<'v, R: Fn(u64, u64) -> Result<Codes<'v>, Error>> LastValues<'v, R> {
    /// Looks for the anchor in the new values. Once there are twice as many values as before the anchor, a new anchor is set.
    ///
    /// # Errors
    /// If values can't be read, or there is no memory for the anchor.
    pub fn follow(&self, followed: &mut Option<Anchor>) -> Result<Option<Repeat>, Error> {
        let window = self.bounds.length();
        if let Some(anchor) = followed.as_mut().filter(|anchor| self.may_meet(anchor)) {
            let from = anchor.searched + 1 - window;
            let codes = (self.read)(from, self.known)?;
            anchor.searched = self.known;
            return Ok(anchor.met(&codes, from, &self.bounds));
        }
        *followed = None;
        if self.known >= self.bounds.least_start().max(self.kept + window) {
            let codes = (self.read)(self.known - window, self.known)?;
            let needed = codes.size() as u64;
            *followed = Some(Anchor {
                place: self.known,
                searched: self.known,
                low_bytes: Finder::new(&codes.low_bytes()).into_owned(),
                codes: codes.kept().map_err(|_| Error::NoMemory { needed })?,
            });
        }
        Ok(None)
    }

    /// Whether the anchor is still as long as a window must be, and lies where the kept values can meet it.
    fn may_meet(&self, anchor: &Anchor) -> bool {
        let window = self.bounds.length();
        anchor.codes.len() as u64 == window
            && anchor.searched + 1 >= self.kept + window
            && (self.bounds.least_start()..self.known).contains(&anchor.place)
            && self.known < 2 * anchor.place
    }
}

impl Anchor {
    /// The place at which these codes, from heap `from` on, are those of the anchor, over a distance at which equal codes are
    /// equal values.
    fn met(&self, codes: &Codes<'_>, from: u64, bounds: &Bounds) -> Option<Repeat> {
        let (window, start) = (self.codes.len(), self.place);
        let low_bytes = codes.low_bytes();
        let mut next = 0;
        while let Some(found) = low_bytes.get(next..).and_then(|it| self.low_bytes.find(it)) {
            let at = next + found;
            let period = from + (at + window) as u64 - start;
            if codes.part(at, at + window) == self.codes && bounds.keeps_classes(period) {
                return Some(Repeat { start, period });
            }
            next = at + 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// The period of some random values is met by fewer than `limit` of them, which come some at a time; the last quarter is
    /// kept, with two windows at least.
    fn is_met(preperiod: u64, period: u64, letters: usize, bounds: Bounds, limit: u64) {
        let mut rng = Rng::new(preperiod, period);
        let first: Vec<u16> = (0..preperiod + period)
            .map(|_| rng.below(letters) as u16)
            .collect();
        let value = |heap: u64| match heap < preperiod {
            true => first[heap as usize],
            false => first[(preperiod + (heap - preperiod) % period) as usize],
        };
        let read = |from: u64, to: u64| Ok::<Codes<'_>, Error>((from..to).map(value).collect());
        let (mut anchor, mut known) = (None, 0);
        loop {
            known += known / 8 + 1;
            assert!(known < limit, "{preperiod} {period} {bounds:?}");
            let values = LastValues {
                bounds,
                kept: known - known.min((known / 4).max(2 * bounds.length())),
                known,
                read: &read,
            };
            let Some(found) = values.follow(&mut anchor).unwrap() else {
                continue;
            };
            let repeats = |heap| value(heap) == value(heap + found.period);
            assert!((preperiod..preperiod + period).all(repeats), "{found:?}");
            return assert!(bounds.keeps_classes(found.period), "{found:?}");
        }
    }

    /// By no more than four times as many values as the preperiod with a window, the first heap of a proof, or the period,
    /// whichever is largest: twice as many before the anchor is set behind it, once more for the period, and those between two
    /// looks.
    #[test]
    fn every_period_of_random_values_is_met() {
        let mut rng = Rng::new(3, 1);
        for round in 0..400 {
            let mut upto = |most: usize| rng.below(most) as u64;
            let (preperiod, period) = (upto(8 << (round % 11)), 1 + upto(8 << (round % 12)));
            let bounds = Bounds {
                last_rare: upto(20),
                depth: 10 + upto(20),
                taken: 3,
                from: 64,
                alternating: round % 3 == 0,
            };
            let compared = match bounds.keeps_classes(period) {
                true => period,
                false => 2 * period,
            };
            let largest = (preperiod + bounds.length()).max(bounds.least_start());
            let limit = 4 * largest.max(compared);
            // Codes take a byte, or two.
            let letters = [6, 600][round % 2];
            is_met(preperiod, period, letters, bounds, limit);
        }
    }
}
