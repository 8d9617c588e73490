//! A certificate of a period proved by the window theorem, which any number of machines can check at the same time.
//!
//! It holds the values before some heaps, the *windows*. Segment 0 goes from nothing to the first window, segment k from
//! one window to the next: from its values, the rare heaps and the first values of the game, which segment 0
//! checks and anybody can make, the values of the segment follow one by one, with witnesses of depth D at most; they
//! must end in the next window. If all segments are right, all values are, by induction, and what is left is
//! in the certificate itself: the hypotheses of the theorem (`window.rs`), that the windows before n0 and n0 + p are
//! equal, that those before n0 + p/q are others, and that the values before the equal ones differ. So the
//! period is proved, and that it and its preperiod are the least.
//!
//! Time to check: a segment as its values (`engine/ring.rs`), in a few MB of memory.

use super::hunt::{Hunt, ring};
use super::window::{Concluded, Window, prime_divisors};
use super::{Period, Theorem};
use crate::engine::Effort;
use crate::engine::orbits::{Leg, Orbits};
use crate::engine::ring::Ring;
use crate::error::Error;
use crate::ruleset::Ruleset;
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// The program and its version, as certificates name it.
const PROGRAM: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
/// What such a certificate says that it is.
const KIND: &str = "windows of a sparse space";
/// From so many segments on they are checked together.
const FEW: usize = 12;

/// A period proved by the window theorem, with what its proof rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segments {
    /// `windows of a sparse space`.
    pub kind: String,
    /// The program that made it.
    pub program: String,
    /// The game's name.
    pub game: String,
    /// Its take-and-break code in normal form, if it has one.
    #[serde(deserialize_with = "Option::deserialize")]
    pub code: Option<String>,
    /// g(n + period) = g(n) for every n from the preperiod on.
    pub period: u64,
    /// The first such n.
    pub preperiod: u64,
    /// n0: the values before it are those before `start + period`.
    pub start: u64,
    /// W: so many.
    pub window: u64,
    /// D: no heap needs a witness with a smaller part beyond it.
    pub depth: u64,
    /// A value is common if an odd number of its bits are in the mask, after what follows.
    pub mask: u16,
    /// Whether the classes change places from heap to heap.
    pub alternating: bool,
    /// The rare heaps and their values.
    pub rares: Vec<(u64, u16)>,
    /// How many hexadecimal digits a value in a window has.
    pub digits: usize,
    /// The windows, in the order of their heaps.
    pub windows: Vec<Stretch>,
}

/// The values before a heap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// The heap.
    pub before: u64,
    /// The values in hexadecimal.
    pub values: String,
}

/// A certificate whose own statements agree; its segments are still to be checked.
#[derive(Clone, Debug)]
pub struct Claim {
    ruleset: Ruleset,
    certificate: Segments,
    windows: Vec<(u64, Vec<u16>)>,
}

impl Hunt {
    /// The certificate of what was concluded.
    ///
    /// # Errors
    /// As for `Ring::advance`.
    pub fn certificate(
        &self,
        ruleset: &Ruleset,
        concluded: &Concluded,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Segments, Error> {
        let Concluded { proof, window } = concluded;
        let Period {
            period, preperiod, ..
        } = proof.period;
        let ring = self.ring();
        let start = self.least_start().max(preperiod + window.length);
        // From the last exception on, or from heap 0.
        let reach = start - preperiod.saturating_sub(1);
        let primes = prime_divisors(period).into_iter();
        let mut places: Vec<u64> = primes.map(|prime| start + period / prime).collect();
        let places_of_one = self.least_start()..start + period;
        let snapshots = self.snapshots().iter().filter(|(heap, codes)| {
            places_of_one.contains(heap) && codes.len() as u64 >= window.length
        });
        places.extend(snapshots.map(|(&heap, _)| heap));
        places.extend([start, start + period]);
        places.sort_unstable();
        places.dedup();
        let mut windows = Vec::new();
        for before in places {
            let exact = before == start || before == start + period;
            let length = if exact { reach } else { window.length };
            windows.push((before, self.values_before(before, length, go_on)?));
        }
        let digits = if windows
            .iter()
            .flat_map(|(_, values)| values)
            .all(|&value| value < 256)
        {
            2
        } else {
            4
        };
        let stretch = |(before, values): (u64, Vec<u16>)| Stretch {
            before,
            values: values
                .iter()
                .map(|value| format!("{value:0digits$x}"))
                .collect(),
        };
        Ok(Segments {
            kind: KIND.to_owned(),
            program: PROGRAM.to_owned(),
            game: ruleset.name().to_owned(),
            code: ruleset.code().map(ToString::to_string),
            period,
            preperiod,
            start,
            window: window.length,
            depth: window.depth,
            mask: ring.split().mask(),
            alternating: ring.split().alternating(),
            rares: ring.rares().collect(),
            digits,
            windows: windows.into_iter().map(stretch).collect(),
        })
    }
}

impl Segments {
    /// No certificate is longer.
    pub const MOST_BYTES: u64 = 1 << 30;

    /// Whether a text that begins so may be a certificate of this kind.
    pub fn may_begin(text: &[u8]) -> bool {
        let start = &text[..text.len().min(200)];
        memchr::memmem::find(start, KIND.as_bytes()).is_some()
    }

    /// Whether a text is a certificate of this kind, right or wrong.
    pub fn is_one(text: &str) -> bool {
        #[derive(Deserialize)]
        struct Kind {
            kind: Option<String>,
        }
        serde_json::from_str(text).is_ok_and(|Kind { kind }| kind.as_deref() == Some(KIND))
    }

    /// Reads a certificate.
    ///
    /// # Errors
    /// If it is no JSON, or a field is unknown, missing or of the wrong kind.
    pub fn read(text: &str) -> Result<Segments, Error> {
        serde_json::from_str(text).map_err(|error| Error::NoCertificate(error.to_string()))
    }

    /// Checks what can be checked without computing values of the segments.
    ///
    /// # Errors
    /// [`Error::FalseCertificate`] with what is wrong.
    pub fn claim(self) -> Result<Claim, Error> {
        let ruleset: Ruleset = self.game.parse()?;
        let code = ruleset.code().map(ToString::to_string);
        let show = |code: &Option<String>| code.clone().unwrap_or_else(|| "none".to_owned());
        agree("code", show(&self.code), show(&code))?;
        agree("kind", self.kind.as_str(), KIND)?;
        let windows = self
            .windows
            .iter()
            .enumerate()
            .map(|(number, stretch)| stretch.read(number, self.window, self.digits))
            .collect::<Result<Vec<_>, _>>()?;
        let claim = Claim {
            ruleset,
            certificate: self,
            windows,
        };
        claim.check_order()?;
        claim.check_period()?;
        Ok(claim)
    }
}

fn false_field(field: &'static str, stated: impl Display, found: impl Display) -> Error {
    Error::FalseCertificate {
        field,
        stated: stated.to_string(),
        found: found.to_string(),
    }
}

fn agree<T: PartialEq + Display>(field: &'static str, stated: T, found: T) -> Result<(), Error> {
    if stated == found {
        return Ok(());
    }
    Err(false_field(field, stated, format!("{found} is right")))
}

impl Stretch {
    fn read(&self, number: usize, window: u64, digits: usize) -> Result<(u64, Vec<u16>), Error> {
        let wrong = |what: &str| {
            false_field(
                "windows",
                format!("window {number}, before pile {}", self.before),
                what,
            )
        };
        let texts = self.values.as_bytes().chunks(digits.max(1));
        let value = |text: &[u8]| {
            let text = std::str::from_utf8(text)
                .ok()
                .filter(|text| text.len() == digits)?;
            u16::from_str_radix(text, 16).ok()
        };
        let values: Option<Vec<u16>> = texts.map(value).collect();
        let values = values.ok_or_else(|| wrong("values are hexadecimal digits, as many each"))?;
        if (values.len() as u64) < window || values.len() as u64 > self.before {
            return Err(wrong(&format!(
                "it has {} values, not {window}: it is cut short",
                values.len()
            )));
        }
        Ok((self.before, values))
    }
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

    fn check_order(&self) -> Result<(), Error> {
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
    fn check_period(&self) -> Result<(), Error> {
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
        super::window::walk(&mut ring, beginning.first(), go_on)?;
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
        first.advance(
            stated.rares.last().map_or(0, |rare| rare.0 + 1).min(end),
            &mut |_| go_on(),
        )?;
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
        match super::window::walk(&mut ring, *end, go_on) {
            Err(Error::OutOfReach { heap, .. }) => {
                return Err(wrong(format!("pile {heap} has no witness")));
            }
            done => done?,
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
