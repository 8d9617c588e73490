//! The state of a search, to be saved: figures by name, and bytes.
//!
//! What is read back is not believed: each figure is within its bounds, and the values are computed again from the last
//! snapshot before them. What only all values would show is the largest value and the deepest pair among those forgotten;
//! the heap named for the first is computed again.

use super::{BoundedSearch, EVERY, Repeat, SNAPSHOT_BYTES, Snapshots};
use crate::engine::Effort;
use crate::engine::codes::Codes;
use crate::engine::value_window::{BEGINNING, Largest, STRIDE};
use crate::error::Error;
use crate::ruleset::Ruleset;
use crate::sequence::period::repeat::{BEFORE, is_distinguished};
use std::collections::BTreeMap;

/// A heap that no search reaches.
const FARTHEST: u64 = 1 << 62;
/// The bytes of a mark, which is a distinguished place.
const MARK: usize = 20;
/// How many values are computed again without asking whether they should be so many.
const SOON: u64 = 1 << 26;

/// Why a saved search can't be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// What was saved is no search of this game, or not a whole one.
    #[error("{0}")]
    Wrong(String),
    /// The values to compare what was saved with can't be computed.
    #[error(transparent)]
    Work(#[from] Error),
}

/// The error that something isn't so, unless it `holds`.
fn hold(holds: bool, what: &str) -> Result<(), ResumeError> {
    match holds {
        true => Ok(()),
        false => Err(ResumeError::Wrong(what.to_owned())),
    }
}

/// The figures of a search, each within its bounds.
struct Figures {
    known: u64,
    first: u64,
    sparse_space: u64,
    mask: u16,
    /// The bytes of a code.
    width: usize,
    /// How many codes there are.
    window: usize,
    every: u64,
    marked: u64,
    largest: Largest,
    /// The deepest pair and its heap.
    deepest: (u64, u64),
    deepest_from: u64,
    suggested: Option<Repeat>,
}

impl Figures {
    fn read(state: &BTreeMap<String, u64>, bytes: usize) -> Result<Figures, ResumeError> {
        let figure = |name: &str| {
            let figure = state.get(name).copied();
            figure.ok_or_else(|| ResumeError::Wrong(format!("its figure `{name}` is missing")))
        };
        let (known, first, window) = (figure("known")?, figure("first")?, figure("window")?);
        let (every, marked) = (figure("every")?, figure("marked")?);
        let (largest, largest_at) = (figure("largest")?, figure("largest_at")?);
        let deepest = (figure("deepest")?, figure("deepest_at")?);
        let (deepest_from, mask) = (figure("deepest_from")?, figure("mask")?);
        let (period, start) = (figure("suggested")?, figure("suggested_from")?);
        // Version 0.2 had codes of a byte alone, and did not say so.
        let width = state.get("width").copied().unwrap_or(1);
        let wrong = |name: &str, figure: u64| {
            ResumeError::Wrong(format!("its figure `{name}` can't be {figure}"))
        };
        let within = |fits: bool, name: &str, figure: u64| match fits {
            true => Ok(()),
            false => Err(wrong(name, figure)),
        };
        within((BEGINNING..=FARTHEST).contains(&known), "known", known)?;
        within(first <= known, "first", first)?;
        within((1..=2).contains(&width), "width", width)?;
        within(
            window <= (known - first).min(bytes as u64 / width),
            "window",
            window,
        )?;
        let is_spacing = every.is_power_of_two() && (EVERY..=FARTHEST).contains(&every);
        within(is_spacing, "every", every)?;
        within((BEGINNING..=known).contains(&marked), "marked", marked)?;
        within(largest <= u64::from(u16::MAX), "largest", largest)?;
        within(largest_at < known, "largest_at", largest_at)?;
        within(deepest.0 <= deepest.1 / 2, "deepest", deepest.0)?;
        within(deepest.1 < known, "deepest_at", deepest.1)?;
        within(deepest_from <= known, "deepest_from", deepest_from)?;
        let is_noted = deepest == (0, 0) || deepest.0 > 0 && deepest.1 >= deepest_from;
        within(is_noted, "deepest_at", deepest.1)?;
        within(period <= known, "suggested", period)?;
        within(start <= known - period, "suggested_from", start)?;
        Ok(Figures {
            known,
            first,
            sparse_space: figure("sparse_space")?,
            mask: u16::try_from(mask).map_err(|_| wrong("mask", mask))?,
            width: width as usize,
            window: usize::try_from(window).map_err(|_| wrong("window", window))?,
            every,
            marked,
            largest: Largest {
                value: largest as u16,
                heap: largest_at,
            },
            deepest,
            deepest_from,
            suggested: (period > 0).then_some(Repeat { start, period }),
        })
    }

    /// The marks among these bytes: their hashes, places and zeros.
    fn marks(&self, bytes: &[u8]) -> Result<Vec<(u64, u64, u32)>, ResumeError> {
        let (marks, rest) = bytes.as_chunks::<MARK>();
        hold(rest.is_empty(), "its last mark is cut short")?;
        let mut found = Vec::new();
        for (number, mark) in marks.iter().enumerate() {
            let word =
                |at: usize| u64::from_le_bytes(mark[at..at + 8].try_into().unwrap_or_default());
            let zeros = u32::from_le_bytes(mark[16..].try_into().unwrap_or_default());
            let (hash, place) = (word(0), word(8));
            if place > self.marked || !is_distinguished(zeros) {
                let what = format!("its mark {number} is at pile {place} with {zeros} zeros");
                return Err(ResumeError::Wrong(what));
            }
            found.push((hash, place, zeros));
        }
        Ok(found)
    }
}

/// How many values are known to the search with these figures, which has so many bytes.
///
/// # Errors
/// If the figures can't be those of a search.
pub fn check_state(state: &BTreeMap<String, u64>, bytes: usize) -> Result<u64, ResumeError> {
    Figures::read(state, bytes).map(|figures| figures.known)
}

impl BoundedSearch {
    /// Figures and bytes to go on from; `None` if too few values are known since the last rare heap, or at all.
    pub fn save(&self) -> Option<(BTreeMap<String, u64>, Vec<u8>)> {
        let values = &self.values;
        let to = values.len();
        let least = values.least_window();
        let from = values.window_from().max(values.last_rare() + 1);
        let length = to.saturating_sub(from.max(values.first()));
        // Half of it shows, when it is read back, whether the other half follows.
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
        let (part, heap) = values.deepest().unwrap_or_default();
        let suggested = self.suggested.unwrap_or(Repeat {
            start: 0,
            period: 0,
        });
        let state = [
            ("known", to),
            ("first", values.first()),
            ("sparse_space", self.fingerprint()),
            ("mask", self.values.split().mask().into()),
            ("width", values.width() as u64),
            ("window", length),
            ("every", self.every),
            ("marked", self.looked_at),
            ("largest", values.largest().value.into()),
            ("largest_at", values.largest().heap),
            ("deepest", part),
            ("deepest_at", heap),
            ("deepest_from", values.deepest_from()),
            ("suggested", suggested.period),
            ("suggested_from", suggested.start),
        ];
        let state = state.map(|(name, figure)| (name.to_owned(), figure));
        Some((state.into(), bytes))
    }

    /// A hash of what the codes and the proofs of new values depend on.
    fn fingerprint(&self) -> u64 {
        let split = self.values.split();
        let rares: Vec<(u64, u16)> = self.values.rares().collect();
        let text = format!("{} {} {rares:?}", split.mask(), split.alternating());
        crc32fast::hash(text.as_bytes()).into()
    }

    /// Goes on with a saved search of a game. Of the snapshots, those behind the values known are left out.
    /// `go_on`, told now and then how many values are computed again, may stop it.
    ///
    /// # Errors
    /// If these are not the figures and bytes of such a search; or if the first values of the game can't be computed.
    pub fn resume(
        ruleset: &Ruleset,
        effort: &Effort,
        (state, bytes): (&BTreeMap<String, u64>, &[u8]),
        snapshots: Snapshots,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<BoundedSearch, ResumeError> {
        let figures = Figures::read(state, bytes.len())?;
        let search = BoundedSearch::to_resume(ruleset, effort, figures.first)?;
        search.go_on_from(&figures, bytes, snapshots, go_on)
    }

    fn go_on_from(
        mut self,
        figures: &Figures,
        bytes: &[u8],
        mut snapshots: Snapshots,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<BoundedSearch, ResumeError> {
        let (window, marks) = bytes.split_at(figures.window * figures.width);
        let window = Codes::of_bytes(window, figures.width);
        let window =
            window.ok_or_else(|| ResumeError::Wrong("its codes are cut short".to_owned()))?;
        let marks = figures.marks(marks)?;
        snapshots.retain(|&heap, _| heap <= figures.known);
        self.values.adopt(figures.mask);
        let mut first = figures.first;
        loop {
            first = first.max(self.values.first());
            hold(
                first.saturating_add(figures.window as u64) <= figures.known,
                "its last values are among the first",
            )?;
            if self.values.len() >= first {
                break;
            }
            self.values.advance(first, first, go_on)?;
        }
        let begun = self.values.largest();
        self.compute_again(figures, first, &window, &snapshots, go_on)?;
        self.check_largest(figures, first, begun, &snapshots, go_on)?;
        let deepest = match self.values.deepest() {
            Some(seen) if seen.0 > figures.deepest.0 => seen,
            _ => figures.deepest,
        };
        self.values
            .recall(figures.largest, deepest, figures.deepest_from);
        let from = self.values.window_from() + BEFORE as u64;
        hold(
            figures.marked >= from,
            "its figure `marked` lies too far back",
        )?;
        self.distinguished = self.distinguished.with(marks.into_iter());
        self.looked_at = figures.marked;
        self.suggested = figures.suggested;
        self.every = spacing(&snapshots, figures);
        snapshots.retain(|heap, _| heap.is_multiple_of(self.every));
        self.snapshots = snapshots;
        Ok(self)
    }

    /// Computes the values since the last snapshot again, and compares them with those saved.
    fn compute_again(
        &mut self,
        figures: &Figures,
        first: u64,
        window: &Codes<'_>,
        snapshots: &Snapshots,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), ResumeError> {
        let known = figures.known;
        hold(
            figures.sparse_space == self.fingerprint(),
            "its rare values are not those of the game",
        )?;
        let least = self.values.least_window();
        hold(window.len() as u64 >= least, "its last values are too few")?;
        let half = window.len() / 2;
        let first_half = window.part(0, window.len() - half);
        let restart = match last_before(snapshots, known, first, least) {
            Some((place, codes)) => {
                let spacing = place - last_before(snapshots, place, 0, 0).map_or(0, |(at, _)| at);
                let farthest = SOON.max(8 * spacing).max(64 * self.values.last_rare());
                hold(
                    known - place <= farthest,
                    "snapshots of its last values are missing",
                )?;
                Some((place, codes))
            }
            None if known <= SOON => None,
            None => {
                let bytes = 2 * self.window() * figures.width as u64;
                hold(bytes > SNAPSHOT_BYTES / 8, "its snapshots are missing")?;
                (half as u64 >= least).then(|| (known - half as u64, &first_half))
            }
        };
        if let Some((place, codes)) = restart {
            let restarted = self.values.restart_at(first, place, codes, go_on)?;
            hold(restarted, "its last snapshot is too short")?;
        }
        self.values.advance(known, known, go_on)?;
        hold(
            figures.sparse_space == self.fingerprint() && self.values.len() == known,
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

    /// Compares the largest value saved with those that are known: of the first heaps, `begun`, of those computed again,
    /// and of the heap that is said to have it.
    fn check_largest(
        &self,
        figures: &Figures,
        first: u64,
        begun: Largest,
        snapshots: &Snapshots,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), ResumeError> {
        let saved = figures.largest;
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

/// How far apart snapshots are that are all there: as far as was saved, or farther where some were lost.
fn spacing(snapshots: &Snapshots, figures: &Figures) -> u64 {
    let Some((&first, _)) = snapshots.first_key_value() else {
        return figures.every;
    };
    let mut every = figures.every;
    let is_complete = |every: u64| {
        (first.next_multiple_of(every)..=figures.known)
            .step_by(every as usize)
            .all(|heap| snapshots.contains_key(&heap))
    };
    while !is_complete(every) {
        every *= 2;
    }
    every
}

/// The last snapshot before a heap that a window of values with so many first heaps can go on from.
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
