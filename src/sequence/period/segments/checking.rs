//! Checks the values of the segments of a certificate: one segment by a window of values, many at a time by
//! `engine/segments_in_lanes.rs`, and heap by heap (`plain.rs`) where neither decides.
//!
//! A segment begins with the values of the window before it. Where its own window reaches back farther than that one, it
//! begins with an earlier window, the last one that reaches back as far; if there is none, with the first values.

use super::super::window::{self, Bounds, GoOn};
use super::plain::Plain;
use super::{Claim, Segments};
use crate::certificate::{agree, wrong_at};
use crate::engine::Effort;
use crate::engine::codes::Codes;
use crate::engine::segments_in_lanes::{Segment, SegmentsInLanes};
use crate::engine::value_window::{BEGINNING, ValueWindow};
use crate::error::{Contradiction, Error, Reason, Stated, Which};
use crate::sequence::Sequence;

/// From this many segments on they are checked many at a time.
const FEW: usize = 12;
/// The least number of first values that are computed, however few a certificate is about.
const LEAST_FIRST_VALUES: u64 = 1 << 12;
/// How many heaps are computed between two looks at the watch.
const HEAPS_BETWEEN_LOOKS: u64 = 1 << 12;

impl Claim<'_> {
    /// Checks some segments, and calls `done` after each with its number.
    ///
    /// # Errors
    /// [`Error::FalseCertificate`] with the segment that is wrong; or if the values can't be computed.
    pub(super) fn check(
        &self,
        segments: &mut dyn Iterator<Item = u64>,
        effort: &Effort,
        go_on: GoOn<'_>,
        done: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let beginning = self.beginning(effort, go_on)?;
        let mut alone: Vec<u64> = (&mut *segments).take(FEW).collect();
        if alone.len() == FEW
            && let Some(mut lanes) = self.in_lanes(&beginning)
        {
            let mut all = alone.into_iter().chain(&mut *segments);
            alone = self.check_many(&beginning, &mut lanes, &mut all, go_on, done)?;
        }
        for segment in alone.into_iter().chain(segments) {
            self.check_segment(&beginning, segment, go_on)?;
            done(segment);
        }
        Ok(())
    }

    /// The solver that computes many segments at a time, if it can be used for this game.
    fn in_lanes(&self, beginning: &ValueWindow) -> Option<SegmentsInLanes> {
        let &Segments { depth, window, .. } = self.certificate;
        let values = self.windows.iter().flat_map(|(_, values)| values);
        let largest = values.copied().max().unwrap_or(0);
        beginning.in_lanes(depth, window, largest)
    }

    /// Like [`Claim::check`], for many segments at a time. Returns those that are to be checked one by one, for they turned out
    /// unsure or can't be computed so.
    fn check_many(
        &self,
        beginning: &ValueWindow,
        lanes: &mut SegmentsInLanes,
        segments: &mut dyn Iterator<Item = u64>,
        go_on: GoOn<'_>,
        done: &mut dyn FnMut(u64),
    ) -> Result<Vec<u64>, Error> {
        let mut unsure = Vec::new();
        let mut alone = Vec::new();
        let mut next = || {
            for segment in &mut *segments {
                match self.by_codes(beginning, segment) {
                    found @ Some(_) => return found,
                    None => alone.push(segment),
                }
            }
            None
        };
        let mut ready = |segment, right| {
            if right {
                done(segment);
            } else {
                unsure.push(segment);
            }
        };
        if !lanes.run(&mut next, &mut ready, go_on) {
            return Err(Error::Interrupted);
        }
        alone.extend(unsure);
        Ok(alone)
    }

    /// A segment as codes; `None` if it begins among the first values or some value is not a common one.
    fn by_codes(&self, beginning: &ValueWindow, segment: u64) -> Option<Segment> {
        let before = segment.checked_sub(1)?;
        let [(from, start), (to, end)] = [before, segment].map(|at| &self.windows[at as usize]);
        Some(Segment {
            number: segment,
            from: usize::try_from(*from).ok()?,
            start: self.codes(beginning, *from, start)?,
            to: usize::try_from(*to).ok()?,
            end: self.codes(beginning, *to, end)?,
        })
    }

    /// The codes of the values before a heap, if all are those of common heaps behind the last rare one.
    fn codes(
        &self,
        beginning: &ValueWindow,
        before: u64,
        values: &[u16],
    ) -> Option<Codes<'static>> {
        let heaps = before - values.len() as u64..before;
        let code = |(heap, &value): (u64, &u16)| {
            let is_common =
                heap > beginning.last_rare() && !self.space.is_rare(value, heap as usize);
            is_common.then(|| self.space.code(value))
        };
        heaps.zip(values).map(code).collect()
    }

    /// Computes the first values again: they show the rare heaps, and the hypotheses of the theorem are checked.
    fn beginning(&self, effort: &Effort, go_on: GoOn<'_>) -> Result<ValueWindow, Error> {
        let stated = self.certificate;
        let mut table = Sequence::with_effort(self.ruleset.clone(), effort.clone());
        // A short certificate needs only the values that it is about, but the engine needs some to learn from.
        let last = self.windows.last().map_or(0, |window| window.0);
        table.fill(last.clamp(LEAST_FIRST_VALUES, BEGINNING) - 1)?;
        let values = table.table().to_words()?;
        let name = self.ruleset.name();
        let first = ValueWindow::by_space(self.octal.clone(), name, &values, self.space, effort);
        let mut first = first.ok_or_else(|| Error::OutOfReach {
            game: name.to_owned(),
            heap: values.len() as u64 - 1,
            reason: Reason::WideValues,
            would_do: 0,
        })?;
        let end = self.windows[0].0;
        let rares = stated.rares.last().map_or(0, |rare| rare.0 + 1).min(end);
        let known = rares.max(stated.depth + 1).min(end);
        first.keep(stated.depth + 1, 0);
        window::walk(&mut first, known, go_on)?;
        check_rares(&stated.rares, &first.rares().collect::<Vec<_>>())?;
        let bounds = Bounds {
            depth: stated.depth,
            // How deep the witnesses of later heaps are is what the segments are checked for.
            from: self.octal.from as u64,
            ..Bounds::of(&self.octal, first.coded())
        };
        agree("window", stated.window, bounds.length())?;
        let least = bounds.least_start();
        if end < least {
            let (which, before) = (Which::First, end);
            let stated = Stated::Place { which, before };
            return Err(wrong_at("windows", stated, Contradiction::TooEarly(least)));
        }
        Ok(first)
    }

    fn wrong(&self, number: u64, found: Contradiction) -> Error {
        let end = self.windows[number as usize].0;
        wrong_at("windows", Stated::Segment { number, end }, found)
    }

    fn check_segment(
        &self,
        beginning: &ValueWindow,
        segment: u64,
        go_on: GoOn<'_>,
    ) -> Result<(), Error> {
        if segment == 0 {
            return self.check_first(beginning, go_on);
        }
        let base = self.base(segment);
        if let Some(base) = base {
            self.check_common(beginning, segment, base)?;
            if self.check_by_window(beginning, segment, base, go_on)? {
                return Ok(());
            }
        }
        self.check_plainly(beginning, segment, base, go_on)
    }

    /// The number of the window with which a segment begins; `None` if it begins with the first values.
    fn base(&self, segment: u64) -> Option<usize> {
        let begin = |at: usize| self.windows[at].0 - self.windows[at].1.len() as u64;
        let own = begin(segment as usize);
        (0..segment as usize).rev().find(|&at| begin(at) <= own)
    }

    /// Checks the first segment by computing all of its values.
    fn check_first(&self, beginning: &ValueWindow, go_on: GoOn<'_>) -> Result<(), Error> {
        let (end, values) = &self.windows[0];
        let window = self.to_first_window(beginning, values.len() as u64, go_on)?;
        if window.rares().len() != self.certificate.rares.len() {
            return Err(self.wrong(0, Contradiction::RareHeap(window.last_rare())));
        }
        self.compare(0, &window.last_values(*end, values.len())?)
    }

    /// The values to the first window's heap, of which the last `back` stay readable.
    fn to_first_window(
        &self,
        beginning: &ValueWindow,
        back: u64,
        go_on: GoOn<'_>,
    ) -> Result<ValueWindow, Error> {
        let mut window = beginning.again();
        window.keep(0, back);
        window::walk(&mut window, self.windows[0].0, go_on)?;
        Ok(window)
    }

    /// Checks that no heap beyond the last rare one is rare in the window that a segment begins with.
    fn check_common(
        &self,
        beginning: &ValueWindow,
        segment: u64,
        base: usize,
    ) -> Result<(), Error> {
        let (from, start) = &self.windows[base];
        let mut heaps = (from - start.len() as u64..*from).zip(start);
        let rare = heaps.find(|&(heap, &value)| {
            heap > beginning.last_rare() && self.space.is_rare(value, heap as usize)
        });
        match rare {
            None => Ok(()),
            Some((heap, &value)) => {
                let (number, start) = (segment, *from);
                let found = Contradiction::RareValue { heap, value };
                Err(wrong_at("windows", Stated::Start { number, start }, found))
            }
        }
    }

    /// Whether a segment is right by a window of values. `false` if the window can't show it: too few values are given to begin
    /// with, or the window doesn't tell apart pairs that are deeper than the certificate's depth and pairs that are not.
    fn check_by_window(
        &self,
        beginning: &ValueWindow,
        segment: u64,
        base: usize,
        go_on: GoOn<'_>,
    ) -> Result<bool, Error> {
        let depth = self.certificate.depth;
        let (from, start) = &self.windows[base];
        let (end, values) = &self.windows[segment as usize];
        let first = beginning.first().max(depth + 1);
        // Of a long window, only the values behind all the first values that are kept can be put into the window of values.
        let begin = (from - start.len() as u64).max(first);
        let own = end - values.len() as u64;
        if begin >= *from || own < begin || *from <= 2 * first {
            return Ok(false);
        }
        let start = &start[start.len() - (from - begin) as usize..];
        let Some(codes) = self.codes(beginning, *from, start) else {
            return Ok(false);
        };
        let mut window = beginning.again();
        window.keep(first, values.len() as u64);
        if !window.restart_at(first, *from, &codes, &mut |_| go_on())? {
            return Ok(false);
        }
        match window::walk(&mut window, *end, go_on) {
            Err(Error::OutOfReach { .. }) => return Ok(false),
            done => done?,
        }
        self.compare(segment, &window.last_values(*end, values.len())?)?;
        let needed = window.depth();
        if let Some((part, heap)) = needed.pair().filter(|&(part, _)| part > depth) {
            let found = Contradiction::DeepWitness { heap, part, depth };
            return Err(self.wrong(segment, found));
        }
        Ok(needed.bound() <= depth)
    }

    /// Checks a segment heap by heap.
    fn check_plainly(
        &self,
        beginning: &ValueWindow,
        segment: u64,
        base: Option<usize>,
        go_on: GoOn<'_>,
    ) -> Result<(), Error> {
        let stated = self.certificate;
        let (end, values) = &self.windows[segment as usize];
        let own = end - values.len() as u64;
        let mut first = vec![0; stated.depth as usize + 1];
        beginning.copy(0, &mut first)?;
        let (from, start) = match base {
            Some(base) => self.windows[base].clone(),
            None => {
                let from = self.windows[0].0;
                let back = (from - own).max(stated.window);
                let window = self.to_first_window(beginning, back, go_on)?;
                (from, window.last_values(from, back as usize)?)
            }
        };
        let kept = values.len().max(stated.window as usize);
        let mut plain = Plain::new(&self.octal, self.space, &stated.rares, first, start);
        for heap in from..*end {
            if heap % HEAPS_BETWEEN_LOOKS == 0 && !go_on() {
                return Err(Error::Interrupted);
            }
            let added = plain.next(heap, kept);
            added.map_err(|found| self.wrong(segment, found))?;
        }
        self.compare(segment, plain.last(values.len()))
    }

    /// Compares the values found before the heap after a segment's last with those of its window.
    fn compare(&self, segment: u64, found: &[u16]) -> Result<(), Error> {
        let (end, values) = &self.windows[segment as usize];
        let heaps = end - values.len() as u64..*end;
        let mut pairs = heaps.zip(values.iter().zip(found));
        match pairs.find(|(_, (stated, found))| stated != found) {
            None => Ok(()),
            Some((heap, (&stated, &found))) => {
                let found = Contradiction::Value {
                    heap,
                    found,
                    stated,
                };
                Err(self.wrong(segment, found))
            }
        }
    }
}

/// Compares the rare heaps stated with those that the first values show.
fn check_rares(stated: &[(u64, u16)], found: &[(u64, u16)]) -> Result<(), Error> {
    if stated == found {
        return Ok(());
    }
    let pairs = stated.iter().zip(found);
    let number = pairs.take_while(|(stated, found)| stated == found).count();
    let rare = stated.get(number).copied();
    let found = Contradiction::Rare(found.get(number).copied());
    Err(wrong_at("rares", Stated::Rare { number, rare }, found))
}
