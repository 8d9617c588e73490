//! The saved state of a search: figures by name, and bytes.
//!
//! Saved data are not believed: each figure must be within its bounds, and the values since the last snapshot are computed again.
//! The largest value and the deepest pair among the forgotten values would take all values to check; only the heap that is said
//! to have the largest value is computed again.

use super::{BoundedSearch, FARTHEST, LEAST_SPACING, MOST_SNAPSHOT_BYTES, Repeat, Snapshots};
use crate::engine::Effort;
use crate::engine::codes::Codes;
use crate::engine::sparse::{DeepestPair, Depth, MAX_PART_IN_ROWS};
use crate::engine::value_window::{BEGINNING, Largest, STRIDE};
use crate::error::Error;
use crate::ruleset::Ruleset;
use crate::sequence::period::distinguished::{BEFORE, is_distinguished};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The bytes of a mark, which is a distinguished place.
const MARK: usize = 20;
/// The most values that are computed again without a further check of their number.
const SOON: u64 = 1 << 26;

/// The reason why a saved search can't be continued.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The saved data are not a search of this game, or not a whole one.
    #[error("{0}")]
    Wrong(&'static str),
    /// A figure is missing.
    #[error("its figure `{0}` is missing")]
    Missing(&'static str),
    /// A figure has a value that no search can have.
    #[error("its figure `{0}` can't be {1}")]
    Figure(&'static str, u64),
    /// A mark is of a heap that was not looked at yet, or of a heap that is no distinguished place.
    #[error("its mark {number} is at pile {place} with {zeros} zeros")]
    Mark {
        /// The index of the mark, counted from 0.
        number: usize,
        /// The heap of the mark.
        place: u64,
        /// The number of zeros at the beginning of its hash.
        zeros: u32,
    },
    /// The values with which the saved ones are compared can't be computed.
    #[error(transparent)]
    Work(#[from] Error),
}

/// The error `what`, unless the condition `holds`.
fn hold(holds: bool, what: &'static str) -> Result<(), ResumeError> {
    match holds {
        true => Ok(()),
        false => Err(ResumeError::Wrong(what)),
    }
}

/// A search that was saved: its figures, each within its bounds, its last codes and its marks.
pub struct SavedSearch<'b> {
    known: u64,
    first: u64,
    sparse_space: u64,
    mask: u16,
    codes: Codes<'b>,
    every: u64,
    marked: u64,
    /// The marks: for each distinguished place its hash, the place and the zeros of the hash.
    marks: Vec<(u64, u64, u32)>,
    largest: Largest,
    /// The deepest pair that a proof needed, and the first heap that needed it.
    deepest: (u64, u64),
    deepest_from: u64,
    /// Pairs whose smaller part is not larger were not noted.
    resolution: u64,
    suggested: Option<Repeat>,
}

impl<'b> SavedSearch<'b> {
    /// Reads a search from these figures and bytes.
    ///
    /// # Errors
    /// If they can't be those of a search.
    pub fn read(
        state: &BTreeMap<String, u64>,
        bytes: &'b [u8],
    ) -> Result<SavedSearch<'b>, ResumeError> {
        let possible = |name, figure, is_possible| match is_possible {
            true => Ok(figure),
            false => Err(ResumeError::Figure(name, figure)),
        };
        let figure = |name, bounds: RangeInclusive<u64>| {
            let figure = state.get(name).copied().ok_or(ResumeError::Missing(name))?;
            possible(name, figure, bounds.contains(&figure))
        };
        let known = figure("known", BEGINNING..=FARTHEST)?;
        let first = figure("first", 0..=known)?;
        // Version 0.2 had only codes of one byte, and did not state the width.
        let width = match state.contains_key("width") {
            true => figure("width", 1..=2)?,
            false => 1,
        };
        let most = (known - first).min(bytes.len() as u64 / width);
        let window = figure("window", 0..=most)?;
        let every = figure("every", LEAST_SPACING..=FARTHEST)?;
        let every = possible("every", every, every.is_power_of_two())?;
        let marked = figure("marked", BEGINNING..=known)?;
        let deepest_at = figure("deepest_at", 0..=known - 1)?;
        let deepest = figure("deepest", 0..=deepest_at / 2)?;
        let deepest_from = figure("deepest_from", 0..=known)?;
        let is_noted = deepest_at == 0 || deepest > 0 && deepest_at >= deepest_from;
        let deepest_at = possible("deepest_at", deepest_at, is_noted)?;
        // Version 0.2 did not state it. A pair that was noted is deeper.
        let resolution = match state.contains_key("resolution") {
            true => figure("resolution", 0..=known)?,
            false if deepest > 0 => 0,
            false => MAX_PART_IN_ROWS as u64,
        };
        let period = figure("suggested", 0..=known)?;
        let start = figure("suggested_from", 0..=known - period)?;
        let (codes, marks) = bytes.split_at((window * width) as usize);
        let codes = Codes::of_bytes(codes, width as usize);
        Ok(SavedSearch {
            known,
            first,
            sparse_space: figure("sparse_space", 0..=u64::MAX)?,
            mask: figure("mask", 0..=u16::MAX.into())? as u16,
            codes: codes.expect("whole codes of a possible width"),
            every,
            marked,
            marks: read_marks(marks, marked)?,
            largest: Largest {
                value: figure("largest", 0..=u16::MAX.into())? as u16,
                heap: figure("largest_at", 0..=known - 1)?,
            },
            deepest: (deepest, deepest_at),
            deepest_from,
            resolution,
            suggested: (period > 0).then_some(Repeat { start, period }),
        })
    }

    /// How many values are known to the search.
    pub fn known(&self) -> u64 {
        self.known
    }
}

/// Reads the marks from these bytes: the hashes, places and zeros of distinguished places up to heap `marked`.
fn read_marks(bytes: &[u8], marked: u64) -> Result<Vec<(u64, u64, u32)>, ResumeError> {
    let (marks, rest) = bytes.as_chunks::<MARK>();
    hold(rest.is_empty(), "its last mark is cut short")?;
    let mut found = Vec::new();
    for (number, mark) in marks.iter().enumerate() {
        let word = |at: usize| u64::from_le_bytes(mark[at..at + 8].try_into().unwrap_or_default());
        let zeros = u32::from_le_bytes(mark[16..].try_into().unwrap_or_default());
        let (hash, place) = (word(0), word(8));
        if place > marked || !is_distinguished(zeros) {
            return Err(ResumeError::Mark {
                number,
                place,
                zeros,
            });
        }
        found.push((hash, place, zeros));
    }
    Ok(found)
}

impl BoundedSearch {
    /// The figures and bytes from which the search can be continued; `None` if too few values are known, in all or since the last
    /// rare heap.
    pub fn save(&self) -> Option<(BTreeMap<String, u64>, Vec<u8>)> {
        let values = &self.values;
        let to = values.len();
        let least = values.least_window();
        let from = values.window_from().max(values.last_rare() + 1);
        let length = to.saturating_sub(from.max(values.first()));
        // When the window is read back, one half of it is used to check whether the other half follows from it.
        let length = length.min((2 * least).max(STRIDE as u64));
        if length < least {
            return None;
        }
        let mut bytes = values.codes(to - length, to).ok()?.to_bytes().into_owned();
        for (hash, place, zeros) in self.distinguished.iter() {
            bytes.extend(hash.to_le_bytes());
            bytes.extend(place.to_le_bytes());
            bytes.extend(zeros.to_le_bytes());
        }
        let depth = values.depth();
        let (part, heap) = depth.pair().unwrap_or_default();
        let suggested = self.suggested.unwrap_or(Repeat {
            start: 0,
            period: 0,
        });
        let state = [
            ("known", to),
            ("first", values.first()),
            ("sparse_space", self.fingerprint()),
            ("mask", self.values.space().mask().into()),
            ("width", values.width() as u64),
            ("window", length),
            ("every", self.every),
            ("marked", self.looked_at),
            ("largest", values.largest().value.into()),
            ("largest_at", values.largest().heap),
            ("deepest", part),
            ("deepest_at", heap),
            ("deepest_from", depth.from as u64),
            ("resolution", depth.resolution as u64),
            ("suggested", suggested.period),
            ("suggested_from", suggested.start),
        ];
        let state = state.map(|(name, figure)| (name.to_owned(), figure));
        Some((state.into(), bytes))
    }

    /// A hash of everything that the codes and proofs of new values depend on.
    fn fingerprint(&self) -> u64 {
        let space = self.values.space();
        let rares: Vec<(u64, u16)> = self.values.rares().collect();
        let text = format!("{} {} {rares:?}", space.mask(), space.alternating());
        crc32fast::hash(text.as_bytes()).into()
    }

    /// Continues a saved search of a game. Snapshots behind the known values are left out. `go_on`, which is told now and then
    /// how many values are computed again, may stop the work.
    ///
    /// # Errors
    /// If this is not a search of this game, or the first values of the game can't be computed.
    pub fn resume(
        ruleset: &Ruleset,
        effort: &Effort,
        saved: &SavedSearch<'_>,
        mut snapshots: Snapshots,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<BoundedSearch, ResumeError> {
        let mut search = BoundedSearch::to_resume(ruleset, effort, saved.first)?;
        snapshots.retain(|&heap, _| heap <= saved.known);
        search.values.adopt(saved.mask);
        let mut first = saved.first;
        loop {
            first = first.max(search.values.first());
            hold(
                first.saturating_add(saved.codes.len() as u64) <= saved.known,
                "its last values are among the first",
            )?;
            if search.values.len() >= first {
                break;
            }
            search.values.advance(first, first, go_on)?;
        }
        let begun = search.values.largest();
        search.compute_again(saved, first, &snapshots, go_on)?;
        search.check_largest(saved.largest, first, begun, &snapshots, go_on)?;
        let deepest = match search.values.depth().pair() {
            Some(seen) if seen.0 > saved.deepest.0 => seen,
            _ => saved.deepest,
        };
        let depth = Depth {
            deepest: DeepestPair {
                part: deepest.0 as usize,
                heap: deepest.1 as usize,
            },
            from: saved.deepest_from as usize,
            resolution: saved.resolution as usize,
        };
        search.values.recall(saved.largest, depth);
        let from = search.values.window_from() + BEFORE as u64;
        hold(
            saved.marked >= from,
            "its figure `marked` lies too far back",
        )?;
        search.distinguished = search.distinguished.with(saved.marks.iter().copied());
        search.looked_at = saved.marked;
        search.suggested = saved.suggested;
        search.every = spacing(&snapshots, saved);
        snapshots.retain(|heap, _| heap.is_multiple_of(search.every));
        search.snapshots = snapshots;
        Ok(search)
    }

    /// Computes the values since the last snapshot again, and compares them with those saved.
    fn compute_again(
        &mut self,
        saved: &SavedSearch<'_>,
        first: u64,
        snapshots: &Snapshots,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), ResumeError> {
        let (known, window) = (saved.known, &saved.codes);
        hold(
            saved.sparse_space == self.fingerprint(),
            "its rare values are not those of the game",
        )?;
        let least = self.values.least_window();
        hold(window.len() as u64 >= least, "its last values are too few")?;
        let half = window.len() / 2;
        let first_half = window.part(0, window.len() - half);
        let restart = match last_before(snapshots, known, first, least) {
            Some((place, codes)) => {
                let spacing = place - last_before(snapshots, place, 0, 0).map_or(0, |(at, _)| at);
                let farthest = SOON
                    .max(spacing.saturating_mul(8))
                    .max(64 * self.values.last_rare());
                hold(
                    known - place <= farthest,
                    "snapshots of its last values are missing",
                )?;
                Some((place, codes))
            }
            None if known <= SOON => None,
            None => {
                let bytes = 2 * self.window_length() * window.width() as u64;
                hold(bytes > MOST_SNAPSHOT_BYTES / 8, "its snapshots are missing")?;
                (half as u64 >= least).then(|| (known - half as u64, &first_half))
            }
        };
        if let Some((place, codes)) = restart {
            let restarted = self.values.restart_at(first, place, codes, go_on)?;
            hold(restarted, "its last snapshot is too short")?;
        }
        self.values.advance(known, known, go_on)?;
        hold(
            saved.sparse_space == self.fingerprint() && self.values.len() == known,
            "its last values need rare values that the game has not",
        )?;
        let from = self.values.window_from().max(known - window.len() as u64);
        let last = window.last((known - from) as usize);
        hold(
            self.values
                .codes(from, known)
                .is_ok_and(|codes| codes == last),
            "its last values are not those that follow from the values before them",
        )
    }

    /// Compares the saved largest value with values that are known: `begun`, the largest of the first heaps, those computed
    /// again, and the value of the heap that is said to have the largest.
    fn check_largest(
        &self,
        saved: Largest,
        first: u64,
        begun: Largest,
        snapshots: &Snapshots,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), ResumeError> {
        let wrong = "its largest value is not the game's";
        for seen in [begun, self.values.largest()] {
            let is_later = seen.value < saved.value || seen.heap >= saved.heap;
            hold(seen.value <= saved.value && is_later, wrong)?;
        }
        let at = if saved.heap < first {
            begun
        } else if saved == self.values.largest() {
            saved
        } else {
            let mut values = self.values.again();
            let least = self.values.least_window();
            if let Some((place, codes)) = last_before(snapshots, saved.heap, first, least) {
                hold(values.restart_at(first, place, codes, go_on)?, wrong)?;
            }
            values.advance(saved.heap + 1, saved.heap + 1, go_on)?;
            values.largest()
        };
        hold(at == saved, wrong)
    }
}

/// The distance between snapshots none of which is missing: the distance saved, or a larger one if some snapshots were lost.
fn spacing(snapshots: &Snapshots, saved: &SavedSearch<'_>) -> u64 {
    let Some((&first, _)) = snapshots.first_key_value() else {
        return saved.every;
    };
    let mut every = saved.every;
    let is_complete = |every: u64| {
        (first.next_multiple_of(every)..=saved.known)
            .step_by(every as usize)
            .all(|heap| snapshots.contains_key(&heap))
    };
    while !is_complete(every) {
        every *= 2;
    }
    every
}

/// The last snapshot before a heap from which a window of values with this many first heaps can continue.
fn last_before(
    snapshots: &Snapshots,
    heap: u64,
    first: u64,
    least: u64,
) -> Option<(u64, &Codes<'static>)> {
    let mut before = snapshots.range(..heap).rev();
    let found = before.find(|(place, codes)| {
        codes.len() as u64 >= least && **place >= first + codes.len() as u64
    });
    found.map(|(&place, codes)| (place, codes))
}
