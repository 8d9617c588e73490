//! The check of a certificate in segments: its own statements, and the values of a segment or of many together.

use super::super::hunt::ring;
use super::super::window::{self, Window, prime_divisors};
use super::super::{Period, Theorem};
use super::{Segments, agree, false_field};
use crate::engine::Effort;
use crate::engine::orbits::{Leg, Orbits};
use crate::engine::ring::Ring;
use crate::error::Error;
use crate::ruleset::Ruleset;

/// From so many segments on they are checked together.
const FEW: usize = 12;

/// A certificate whose own statements agree; its segments are still to be checked.
#[derive(Clone, Debug)]
pub struct Claim {
    pub(super) ruleset: Ruleset,
    pub(super) certificate: Segments,
    pub(super) windows: Vec<(u64, Vec<u16>)>,
}

impl Claim {
    /// The game.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// What is claimed.
    pub fn period(&self) -> Period {
        Period {
            period: self.certificate.period,
            preperiod: self.certificate.preperiod,
            saltus: 0,
        }
    }

    /// The theorem.
    pub fn theorem(&self) -> Theorem {
        Theorem::Window
    }

    /// How many segments there are, numbered from 0.
    pub fn count(&self) -> u64 {
        self.windows.len() as u64
    }

    /// The heaps of a segment: the first, and the one after the last.
    pub fn heaps(&self, segment: u64) -> (u64, u64) {
        let end = |segment: u64| self.windows[segment as usize].0;
        (segment.checked_sub(1).map_or(0, end), end(segment))
    }

    pub(super) fn check_order(&self) -> Result<(), Error> {
        let stated = &self.certificate;
        for (number, pair) in self.windows.windows(2).enumerate() {
            if pair[0].0 >= pair[1].0 {
                return Err(false_field(
                    "windows",
                    format!("window {} before pile {}", number + 1, pair[1].0),
                    format!("it must come after pile {}", pair[0].0),
                ));
            }
        }
        let last = self.windows.last().map_or(0, |window| window.0);
        let end = stated.start.checked_add(stated.period);
        if stated.period == 0 || end != Some(last) {
            return Err(false_field(
                "windows",
                format!("the last before pile {last}"),
                "the last window is the one before the pile start + period: some are missing",
            ));
        }
        Ok(())
    }

    /// The period and its leastness, by the windows.
    pub(super) fn check_period(&self) -> Result<(), Error> {
        let stated = &self.certificate;
        let window = |before: u64| {
            let at = self
                .windows
                .binary_search_by_key(&before, |window| window.0);
            match at {
                Ok(at) => Ok(self.windows[at].1.as_slice()),
                Err(_) => Err(false_field(
                    "windows",
                    format!("none before pile {before}"),
                    "there must be one",
                )),
            }
        };
        let length = stated.window as usize;
        let (early, late) = (window(stated.start)?, window(stated.start + stated.period)?);
        let equal = early.iter().rev().zip(late.iter().rev());
        let equal = equal.take_while(|(early, late)| early == late).count() as u64;
        if early.len() != late.len() || equal < stated.window {
            return Err(false_field(
                "period",
                stated.period,
                format!(
                    "of the values before piles {} and {} only the last {equal} are equal",
                    stated.start,
                    stated.start + stated.period
                ),
            ));
        }
        if stated.start - equal > 0 && equal == early.len() as u64 {
            return Err(false_field(
                "preperiod",
                stated.preperiod,
                "the windows don't show the last exception",
            ));
        }
        agree("preperiod", stated.preperiod, stated.start - equal)?;
        if stated.alternating && stated.period % 2 == 1 {
            return Err(false_field(
                "period",
                stated.period,
                "the classes alternate, so it must be even",
            ));
        }
        for prime in prime_divisors(stated.period) {
            let shorter = stated.period / prime;
            let values = window(stated.start + shorter)?;
            if values[values.len() - length..] == early[early.len() - length..] {
                return Err(false_field(
                    "period",
                    stated.period,
                    format!("{shorter} is one as well"),
                ));
            }
        }
        Ok(())
    }

    /// Checks some segments, and calls `done` after each with its number.
    ///
    /// # Errors
    /// [`Error::FalseCertificate`] with the segment that is wrong; or if the values can't be computed.
    pub fn check(
        &self,
        segments: &mut dyn Iterator<Item = u64>,
        effort: &Effort,
        go_on: &mut dyn FnMut() -> bool,
        done: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let beginning = self.beginning(effort, go_on)?;
        let mut alone: Vec<u64> = (&mut *segments).take(FEW).collect();
        if alone.len() == FEW
            && let Some(mut orbits) = self.orbits(&beginning, go_on)?
        {
            let mut all = alone.drain(..).chain(&mut *segments);
            self.check_many(&beginning, &mut orbits, &mut all, go_on, done)?;
        }
        for segment in alone.into_iter().chain(segments) {
            self.check_segment(&beginning, segment, go_on)?;
            done(segment);
        }
        Ok(())
    }

    /// What computes many segments at a time, if it can do so for this game.
    fn orbits(
        &self,
        beginning: &Ring,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Orbits>, Error> {
        let Segments { depth, window, .. } = self.certificate;
        if depth >= beginning.first() {
            return Ok(None);
        }
        let mut ring = beginning.again();
        window::walk(&mut ring, beginning.first(), go_on)?;
        let values = self.windows.iter().flat_map(|(_, values)| values);
        let largest = values.copied().max().unwrap_or(0);
        Ok(ring.orbits(depth, window, largest))
    }

    /// The same for many segments at a time. What those are unsure of is checked one by one.
    fn check_many(
        &self,
        beginning: &Ring,
        orbits: &mut Orbits,
        segments: &mut dyn Iterator<Item = u64>,
        go_on: &mut dyn FnMut() -> bool,
        done: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let mut unsure = Vec::new();
        let mut alone = Vec::new();
        let mut next = || {
            for segment in &mut *segments {
                match self.leg(beginning, segment) {
                    Some(leg) => return Some(leg),
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
        if !orbits.run(&mut next, &mut ready, go_on) {
            return Err(Error::Interrupted);
        }
        for segment in alone.into_iter().chain(unsure) {
            self.check_segment(beginning, segment, go_on)?;
            done(segment);
        }
        Ok(())
    }

    /// A segment by its codes, unless it begins among the first values or some value is no common one.
    fn leg(&self, beginning: &Ring, segment: u64) -> Option<Leg> {
        let before = segment.checked_sub(1)?;
        let [(from, start), (to, end)] = [before, segment].map(|at| &self.windows[at as usize]);
        let split = beginning.split();
        let codes = |before: u64, values: &[u16]| {
            let heaps = before - values.len() as u64..before;
            heaps
                .zip(values)
                .map(|(heap, &value)| {
                    let code = u8::try_from(split.code(value)).ok();
                    code.filter(|_| {
                        heap > beginning.last_rare() && !split.is_rare(value, heap as usize)
                    })
                })
                .collect::<Option<Vec<u8>>>()
        };
        Some(Leg {
            number: segment,
            from: usize::try_from(*from).ok()?,
            start: codes(*from, start)?,
            to: usize::try_from(*to).ok()?,
            end: codes(*to, end)?,
        })
    }

    /// The first values, anew: they show the rare heaps and the split, and the hypotheses of the theorem are checked.
    fn beginning(&self, effort: &Effort, go_on: &mut dyn FnMut() -> bool) -> Result<Ring, Error> {
        let stated = &self.certificate;
        let mut first = ring(&self.ruleset, effort)?;
        let end = self.windows[0].0;
        let rares = stated.rares.last().map_or(0, |rare| rare.0 + 1).min(end);
        first.advance(rares, rares, &mut |_| go_on())?;
        first.adopt(stated.mask);
        let split = first.split();
        agree("mask", stated.mask, split.mask())?;
        agree("alternating", stated.alternating, split.alternating())?;
        let found: Vec<(u64, u16)> = first.rares().collect();
        if stated.rares != found {
            let pairs = stated.rares.iter().zip(&found);
            let at = pairs.take_while(|(stated, found)| stated == found).count();
            let show = |rare: Option<&(u64, u16)>| {
                rare.map_or("none".to_owned(), |(heap, value)| {
                    format!("pile {heap} with value {value}")
                })
            };
            return Err(false_field(
                "rares",
                format!("number {at} is {}", show(stated.rares.get(at))),
                format!("{} is right", show(found.get(at))),
            ));
        }
        let last_rare = first.last_rare();
        agree(
            "window",
            stated.window,
            last_rare.max(stated.depth).saturating_add(first.reach()),
        )?;
        let from = first.rule_from().max(first.deepest_from());
        let least = Window::least_start(last_rare, stated.depth, first.reach(), from);
        for (number, heap) in [(0, end), (1, stated.start)] {
            if heap < least {
                let field = if number == 0 { "windows" } else { "start" };
                return Err(false_field(
                    field,
                    heap,
                    format!("the window theorem speaks of piles from {least} on"),
                ));
            }
        }
        Ok(first)
    }

    fn check_segment(
        &self,
        beginning: &Ring,
        segment: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let stated = &self.certificate;
        let (end, values) = &self.windows[segment as usize];
        let wrong = |what: String| {
            false_field(
                "windows",
                format!("segment {segment}, which ends before pile {end}"),
                what,
            )
        };
        let mut ring = beginning.again();
        // A segment among the first values is computed from nothing.
        let late = |before: &u64| self.windows[*before as usize].0 > 2 * beginning.first();
        if let Some(before) = segment.checked_sub(1).filter(late) {
            let (from, start) = &self.windows[before as usize];
            let heaps = from - start.len() as u64..*from;
            let split = ring.split();
            let mut codes = Vec::with_capacity(start.len());
            for (heap, &value) in heaps.zip(start) {
                let code = u8::try_from(split.code(value)).ok();
                let code = code.filter(|_| !split.is_rare(value, heap as usize));
                codes.push(code.ok_or_else(|| {
                    false_field(
                        "windows",
                        format!("segment {segment}, which begins before pile {from}"),
                        format!("the value {value} of pile {heap} is a rare one"),
                    )
                })?);
            }
            if !ring.jump(beginning.first(), *from, &codes, &mut |_| go_on())? {
                return Err(wrong("its window is too short".to_owned()));
            }
        }
        match window::walk(&mut ring, *end, go_on) {
            Err(Error::OutOfReach { heap, .. }) => {
                return Err(wrong(format!("pile {heap} has no witness")));
            }
            done => done?,
        }
        // One mask for all segments, or what is proved of each doesn't join.
        if ring.split() != beginning.split() {
            return Err(wrong("a value has a bit that the mask lacks".to_owned()));
        }
        if ring.rares().len() != stated.rares.len() {
            return Err(wrong(format!("pile {} is rare", ring.last_rare())));
        }
        if ring.depth() > stated.depth {
            return Err(wrong(format!(
                "a pile needs a witness of depth {}, deeper than {}",
                ring.depth(),
                stated.depth
            )));
        }
        let mut found = vec![0; values.len()];
        let from = end - values.len() as u64;
        ring.copy(from, &mut found);
        let mut pairs = (from..).zip(values.iter().zip(&found));
        if let Some((heap, (stated, found))) = pairs.find(|(_, (stated, found))| stated != found) {
            return Err(wrong(format!(
                "pile {heap} has the value {found}, not {stated}"
            )));
        }
        Ok(())
    }
}
