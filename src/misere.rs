//! Who wins when whoever makes the last move loses.
//!
//! There is no nim-value that decides it: heaps don't combine by the nim-sum, and equal heaps don't cancel. So the
//! rule of Nim is used only where it is proved for the heaps at hand, and all else is searched exactly; where the search
//! grows long, the misère quotient of the heaps is learnt from small searches and proved before it is believed.

pub(crate) mod forms;
mod heaps;
mod quotient;
mod search;
mod tame;

pub use tame::{Tame, TameSum};

use crate::engine::Effort;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::ruleset::Ruleset;
use crate::sequence::Values;
use heaps::Heaps;
use quotient::{Element, Learner, Oracle};
use search::{Limits, Rules, Search, Stopped};

/// What is played, and what an answer may cost.
pub struct Play<'g> {
    /// The rule for one heap.
    pub ruleset: &'g Ruleset,
    /// Gives the nim-values of the heaps up to one.
    pub values: &'g dyn Fn(u64) -> Result<Values, Error>,
    /// The bounds of a search.
    pub effort: &'g Effort,
}

/// Judges the positions of a heap game in misère play, and keeps what it has found for later ones.
#[derive(Debug, Default)]
pub struct Misere {
    heaps: Heaps,
    search: Search,
    learner: Learner,
    period: Option<Period>,
    /// Whether a period was looked for.
    sought: bool,
}

/// From the preperiod on, a heap has the element of the misère quotient that the heap a period later has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Period {
    preperiod: u64,
    period: u64,
}

/// How many steps of [`Effort::steps`] a position searched counts for.
const STEPS_PER_POSITION: u64 = 2000;

/// How many positions are searched before a misère quotient is learnt.
const EASY_POSITIONS: u64 = 50_000;

/// Heaps beyond this one are not met one by one before a period is looked for among the heaps up to the last of
/// these, and then up to the next.
const PERIOD_HEAPS: [u64; 3] = [128, 256, 512];

impl Misere {
    /// The Nim heap that each heap behaves as, if all of them are known to be tame.
    ///
    /// # Errors
    /// If the rule need not end, or it would take too long to tell.
    pub fn tame(&mut self, play: &Play<'_>, heaps: &[u64]) -> Result<Option<Vec<Tame>>, Error> {
        let largest = heaps.iter().copied().max().unwrap_or(0);
        if only_takes(play.ruleset) {
            let values = (play.values)(largest)?;
            let tame = |&heap: &u64| {
                let value = values.value(heap);
                let fickle = value <= 1;
                Some(Tame { value, fickle })
            };
            return Ok(heaps.iter().map(tame).collect());
        }
        self.meet(play, largest)?;
        Ok(heaps.iter().map(|&heap| self.heaps.tame(heap)).collect())
    }

    /// Who wins the sum of these heaps.
    ///
    /// # Errors
    /// As for [`Misere::tame`], and if the search comes to a limit: as many positions as the effort has steps for,
    /// or its memory.
    pub fn outcome(&mut self, play: &Play<'_>, heaps: &[u64]) -> Result<Outcome, Error> {
        if let Some(tame) = self.tame(play, heaps)? {
            return Ok(TameSum::from_iter(tame).outcome());
        }
        if let Some(outcome) = self.by_period(heaps) {
            return Ok(outcome);
        }
        let values = (play.values)(heaps.iter().copied().max().unwrap_or(0))?;
        let atoms = self.heaps.atoms_in(heaps);
        self.search.make_room(&limits(play.effort, u64::MAX));
        let easy = limits(play.effort, EASY_POSITIONS);
        let mut rules = Rules {
            ruleset: play.ruleset,
            values: &values,
            heaps: &mut self.heaps,
        };
        let quotient = self.learner.proved();
        let found = (self.search).outcome(&mut rules, quotient, atoms.clone(), &easy);
        let stopped = match found {
            Err(Stopped::Positions | Stopped::Options) => {
                let last = atoms.last().copied().unwrap_or(0) as usize;
                self.learn(play, &values, last)?;
                let mut rules = Rules {
                    ruleset: play.ruleset,
                    values: &values,
                    heaps: &mut self.heaps,
                };
                let all = limits(play.effort, u64::MAX);
                let quotient = self.learner.proved();
                self.search.outcome(&mut rules, quotient, atoms, &all)
            }
            found => found,
        };
        let stopped = match stopped {
            Ok(outcome) => return Ok(outcome),
            Err(Stopped::Interrupted) => return Err(Error::Interrupted),
            Err(Stopped::Positions) => "the most that a search may keep",
            Err(Stopped::Options) => "and the options of piles this large are too many to list",
            Err(Stopped::Memory) => "all that the memory allowed has room for",
        };
        Err(Error::MisereOutOfReach {
            game: play.ruleset.name().to_owned(),
            reason: format!(
                "{} positions were searched without an outcome, {stopped}",
                self.search.positions()
            ),
        })
    }

    /// The preperiod and the period of the heaps' elements in the misère quotient, if they are proved.
    pub fn repeats(&self) -> Option<(u64, u64)> {
        let Period { preperiod, period } = self.period?;
        Some((preperiod, period))
    }

    /// How many positions the searches have judged.
    pub fn searched(&self) -> u64 {
        self.search.positions()
    }

    /// The number of elements of the misère quotient that covers these heaps, if one was learnt.
    pub fn quotient_order(&self, heaps: &[u64]) -> Option<usize> {
        let proved = self.learner.proved();
        let known = self.heaps_covered();
        let covered = self.period.is_some() || heaps.iter().all(|&heap| heap < known);
        (covered && proved.covered() > 0).then(|| proved.order())
    }

    /// The first heap that the misère quotient doesn't cover.
    fn heaps_covered(&self) -> u64 {
        (0..self.heaps.met())
            .find(|&heap| self.element(heap).is_none())
            .unwrap_or(self.heaps.met())
    }

    /// Learns of the heaps up to one, unless a period does for the large ones.
    fn meet(&mut self, play: &Play<'_>, heap: u64) -> Result<(), Error> {
        for most in PERIOD_HEAPS {
            self.heaps.reach(play.ruleset, heap.min(most))?;
            if heap <= most {
                return Ok(());
            }
            if self.period.is_none() && !self.sought && self.heaps.any_wild() {
                self.seek_period(play, most)?;
            }
            if self.period.is_some() {
                return Ok(());
            }
        }
        self.sought = true;
        self.heaps.reach(play.ruleset, heap)
    }

    fn learn(&mut self, play: &Play<'_>, values: &Values, atoms: usize) -> Result<(), Error> {
        let limits = limits(play.effort, u64::MAX);
        let mut rules = Rules {
            ruleset: play.ruleset,
            values,
            heaps: &mut self.heaps,
        };
        let mut oracle = Oracle {
            search: &mut self.search,
            rules: &mut rules,
            limits: &limits,
            work: 0,
        };
        let learnt = self.learner.cover(&mut oracle, atoms);
        learnt.map_err(|_| Error::Interrupted)
    }

    /// Looks for a period of the elements of the heaps up to one.
    ///
    /// If element(n + p) = element(n) for all n from n0 ≥ 1 to 2 n0 + p + t - 1, where no move of an octal game takes
    /// more than t, then it holds for all n ≥ n0: a heap of n + p has in its options the elements that a heap of n
    /// has in its own, as in the theorem of Guy and Smith on nim-values, and so the proof of the quotient holds for
    /// it too (Plambeck, *Taming the wild in impartial combinatorial games*, Integers 5, 2005, G5).
    fn seek_period(&mut self, play: &Play<'_>, most: u64) -> Result<(), Error> {
        let Some(code) = play.ruleset.code().filter(|code| code.is_octal()) else {
            return Ok(());
        };
        let Some(taken) = code.most_taken() else {
            return Ok(());
        };
        let values = (play.values)(most)?;
        let last = (0..=most)
            .flat_map(|heap| self.heaps.atoms_in(&[heap]))
            .max();
        self.learn(play, &values, last.unwrap_or(0) as usize)?;
        let elements: Option<Vec<Element>> = (0..=most).map(|heap| self.element(heap)).collect();
        let Some(elements) = elements else {
            return Ok(());
        };
        self.period = (1..most / 2).find_map(|period| {
            let later = elements.iter().skip(period as usize);
            let exception = later
                .zip(&elements)
                .rposition(|(later, element)| later != element);
            let preperiod = exception.map_or(1, |heap| heap as u64 + 1);
            let proved = 2 * preperiod + 2 * period + taken <= most + 1;
            proved.then_some(Period { preperiod, period })
        });
        Ok(())
    }

    /// The element of a heap in the misère quotient, if it covers it.
    fn element(&self, heap: u64) -> Option<Element> {
        let heap = match self.period {
            Some(Period { preperiod, period }) if heap > preperiod => {
                preperiod + (heap - preperiod) % period
            }
            _ => heap,
        };
        let atoms = (heap < self.heaps.met()).then(|| self.heaps.atoms_in(&[heap]))?;
        self.learner.proved().element(&atoms)
    }

    fn by_period(&self, heaps: &[u64]) -> Option<Outcome> {
        self.period?;
        let elements: Option<Vec<Element>> = heaps.iter().map(|&heap| self.element(heap)).collect();
        let quotient = self.learner.proved();
        let product = elements?.into_iter().fold(0, |a, b| quotient.times(a, b));
        Some(quotient.outcome(product))
    }
}

fn limits(effort: &Effort, positions: u64) -> Limits<'_> {
    Limits {
        positions: positions.min(effort.steps / STEPS_PER_POSITION),
        memory: effort.memory,
        watch: effort.watch.as_deref(),
    }
}

/// Whether a move is to take a number of stones that is in a set, finite or not, and nothing else.
///
/// All heaps of such a game are tame, fickle where the nim-value is 0 or 1: Ferguson, *On sums of graph games with
/// last player losing*, Int. J. Game Theory 3, 1974, pp. 159-167. It follows from his pairing property: with s the
/// least of the set, g(n) = 1 just if g(n - s) = 0.
pub(crate) fn only_takes(ruleset: &Ruleset) -> bool {
    ruleset.code().is_some_and(|code| {
        let (digits, _) = code.written();
        let takes = |digit: &crate::ruleset::Digit| {
            digit.most_heaps() == Some(1) && digit.parts(0).is_some() && digit.parts(1).is_some()
        };
        digits[0].is_zero() && digits.iter().all(|digit| digit.is_zero() || takes(digit))
    })
}
