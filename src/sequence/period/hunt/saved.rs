//! The state of a search, to be saved: figures by name, and bytes.

use super::{Hunt, Repeat, Snapshots};
use crate::engine::ring::{Largest, STRIDE};
use crate::error::Error;
use std::collections::BTreeMap;

impl Hunt {
    /// Figures and bytes to go on from; `None` if too few values are known since the last rare heap, or at all.
    pub fn save(&self) -> Option<(BTreeMap<String, u64>, Vec<u8>)> {
        let ring = &self.ring;
        let to = ring.len();
        let least = ring.least_window();
        let from = ring.window_from().max(ring.last_rare() + 1);
        let length = to.saturating_sub(from.max(ring.first()));
        let length = length.min(least.max(STRIDE as u64));
        if length < least {
            return None;
        }
        let mut bytes = ring.codes(to - length, to).ok()?.to_vec();
        for (hash, place, zeros) in self.marks.iter() {
            bytes.extend(hash.to_le_bytes());
            bytes.extend(place.to_le_bytes());
            bytes.extend(zeros.to_le_bytes());
        }
        let (part, heap) = ring.deepest().unwrap_or_default();
        let suggested = self.suggested.unwrap_or(Repeat {
            start: 0,
            period: 0,
        });
        let state = [
            ("known", to),
            ("first", ring.first()),
            ("sparse_space", self.fingerprint()),
            ("mask", self.ring.split().mask().into()),
            ("window", length),
            ("every", self.every),
            ("marked", self.marked),
            ("largest", ring.largest().value.into()),
            ("largest_at", ring.largest().heap),
            ("deepest", part),
            ("deepest_at", heap),
            ("deepest_from", ring.deepest_from()),
            ("suggested", suggested.period),
            ("suggested_from", suggested.start),
        ];
        let state = state.map(|(name, figure)| (name.to_owned(), figure));
        Some((state.into(), bytes))
    }

    /// A hash of what the codes and the proofs of new values depend on.
    fn fingerprint(&self) -> u64 {
        let split = self.ring.split();
        let rares: Vec<(u64, u16)> = self.ring.rares().collect();
        let text = format!("{} {} {rares:?}", split.mask(), split.alternating());
        crc32fast::hash(text.as_bytes()).into()
    }

    /// Goes on with a saved search of the same game. Of the snapshots, those behind the values known are left out.
    /// `None` if these are not the figures and bytes of such a search.
    ///
    /// # Errors
    /// As for [`Hunt::new`].
    pub fn resume(
        mut self,
        state: &BTreeMap<String, u64>,
        bytes: &[u8],
        snapshots: Snapshots,
    ) -> Result<Option<Hunt>, Error> {
        let figure = |name: &str| state.get(name).copied();
        let read = || {
            let window = bytes.get(..usize::try_from(figure("window")?).ok()?)?;
            Some((window, figure("known")?, figure("every")?.max(1)))
        };
        let Some((window, known, every)) = read() else {
            return Ok(None);
        };
        let named = |name| figure(name).unwrap_or(0);
        self.ring.adopt(named("mask") as u16);
        if !self
            .ring
            .jump(named("first"), known, window, &mut |_| true)?
            || named("sparse_space") != self.fingerprint()
        {
            return Ok(None);
        }
        self.ring.recall(
            Largest {
                value: named("largest") as u16,
                heap: named("largest_at"),
            },
            (named("deepest"), named("deepest_at")),
            named("deepest_from"),
        );
        let marks = bytes[window.len()..].chunks_exact(20);
        let marks = marks.map(|mark| {
            let word =
                |at: usize| u64::from_le_bytes(mark[at..at + 8].try_into().unwrap_or_default());
            let zeros = u32::from_le_bytes(mark[16..20].try_into().unwrap_or_default());
            (word(0), word(8), zeros)
        });
        self.marks = self.marks.with(marks);
        self.marked = named("marked");
        self.suggested = (named("suggested") > 0).then(|| Repeat {
            start: named("suggested_from"),
            period: named("suggested"),
        });
        self.snapshots = snapshots;
        self.snapshots.retain(|&heap, _| heap <= known);
        self.every = every;
        let complete = |every: u64| {
            let Some((&first, _)) = self.snapshots.first_key_value() else {
                return true;
            };
            (first.next_multiple_of(every)..=known)
                .step_by(every as usize)
                .all(|heap| self.snapshots.contains_key(&heap))
        };
        while !complete(self.every) {
            self.every *= 2;
        }
        let every = self.every;
        self.snapshots.retain(|heap, _| heap.is_multiple_of(every));
        Ok(Some(self))
    }
}
