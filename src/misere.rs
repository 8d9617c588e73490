//! Who wins under misère play, in which whoever makes the last move loses.
//!
//! There is no nim-value that decides it: heaps don't combine by the nim-sum, and equal heaps don't cancel. So the
//! rule of Nim is used only where it is proved for the heaps at hand, and all else is searched exhaustively; where the search
//! grows long, the misère quotient of the heaps is learnt from small searches and proved before it is believed.

mod beliefs;
mod bits;
pub mod certificate;
mod counterexamples;
mod elements;
mod firm;
pub(crate) mod forms;
mod genus;
mod heap_quotient;
mod heaps;
mod learner;
mod memory;
mod mending;
mod monoid;
mod normal;
mod options;
mod period;
mod proof;
mod quotient;
mod refusals;
mod rules;
mod search;
pub mod structure;
mod stuck;
mod tame;
mod walk;

pub use genus::{Genus, Nature};
pub use heap_quotient::{Growth, HeapQuotient, MiserePeriod, PERIOD_THEOREM, letter};
pub use monoid::{Element, Monoid};
pub(crate) use tame::only_takes;
pub use tame::{Tame, TameSum};

use crate::engine::Effort;
use crate::error::Error;
use crate::exhaustive::{Budget, Limit, Limits};
use crate::outcome::Outcome;
use crate::ruleset::Ruleset;
use crate::sequence::Values;
use genus::Genera;
use heap_quotient::proved_period;
use heaps::Heaps;
use learner::{Learner, Oracle};
use rules::Rules;
use search::Search;

/// The game that is played, and the bounds on what an answer may cost.
pub struct Play<'g> {
    /// The rule for one heap.
    pub ruleset: &'g Ruleset,
    /// A function that gives the nim-values of the heaps up to a heap.
    pub values: &'g dyn Fn(u64) -> Result<Values, Error>,
    /// A function that gives the preperiod and the period of the nim-values, if they are proved.
    pub nim_period: &'g dyn Fn() -> Result<Option<(u64, u64)>, Error>,
    /// The bounds of a search.
    pub effort: &'g Effort,
}

/// Judges the positions of a heap game in misère play, and keeps what it has found for later ones.
#[derive(Debug, Default)]
pub struct Misere {
    heaps: Heaps,
    search: Search,
    learner: Learner,
    period: Option<MiserePeriod>,
    genera: Genera,
    /// Whether a period has been looked for.
    sought: bool,
}

/// How many positions are searched before a misère quotient is learnt.
const POSITIONS_BEFORE_LEARNING: u64 = 50_000;

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
        if largest >= self.heaps.met() && self.firm_from(play).is_some() {
            let values = (play.values)(largest)?;
            let firm = |heap| Tame::firm(values.value(heap));
            let tame = |&heap: &u64| self.heaps.tame(heap).unwrap_or_else(|| firm(heap));
            return Ok(Some(heaps.iter().map(tame).collect()));
        }
        Ok(heaps.iter().map(|&heap| self.heaps.tame(heap)).collect())
    }

    /// Who wins the sum of these heaps.
    ///
    /// # Errors
    /// As for [`Misere::tame`], and if the search comes to a limit: as many positions as the effort allows, or its memory.
    pub fn outcome(&mut self, play: &Play<'_>, heaps: &[u64]) -> Result<Outcome, Error> {
        if let Some(tame) = self.tame(play, heaps)? {
            return Ok(TameSum::from_iter(tame).outcome());
        }
        if let Some(outcome) = self.by_period(heaps) {
            return Ok(outcome);
        }
        let values = (play.values)(heaps.iter().copied().max().unwrap_or(0))?;
        let atoms = self.heaps.atoms_in(heaps);
        self.search.make_room(&Limits::of(play.effort, u64::MAX));
        let easy = Limits::of(play.effort, POSITIONS_BEFORE_LEARNING);
        let mut rules = Rules::new(play.ruleset, &values, &mut self.heaps);
        let quotient = self.learner.proved();
        let found = (self.search).outcome(&mut rules, quotient, atoms.clone(), &easy);
        let found = match found {
            Err(Limit::Positions | Limit::Options) => {
                let last = atoms.last().copied().unwrap_or(0) as usize;
                // The other half of the positions is left for the search.
                self.learn(play, &values, last, play.effort.positions / 2)?;
                let mut rules = Rules::new(play.ruleset, &values, &mut self.heaps);
                let mut all = Limits::of(play.effort, u64::MAX);
                all.memory = all.memory.saturating_sub(self.learner.memory());
                let quotient = self.learner.proved();
                counted(play.effort, "positions", || {
                    self.search.outcome(&mut rules, quotient, atoms, &all)
                })
            }
            found => found,
        };
        match found {
            Ok(outcome) => Ok(outcome),
            Err(Limit::Interrupted) => Err(Error::Interrupted),
            Err(limit) => Err(self.why_stopped(play, limit)),
        }
    }

    /// How many of the positions that the searches have judged are kept.
    pub fn searched(&self) -> u64 {
        self.search.positions()
    }

    /// The elements of these heaps and of their sum in the proved quotient, if the quotient covers the heaps.
    pub fn elements(&self, heaps: &[u64]) -> Option<(Vec<Element>, Element)> {
        let elements: Vec<Element> = (heaps.iter())
            .map(|&heap| self.element(heap))
            .collect::<Option<_>>()?;
        let quotient = self.learner.proved();
        let product = elements.iter().fold(0, |a, &b| quotient.times(a, b));
        Some((elements, product))
    }

    /// The quotient of the heaps that are known, in the form in which it is given to callers.
    pub fn known_quotient(&self) -> HeapQuotient {
        let covered = 0..self.heaps.met();
        let elements: Vec<Element> = covered.map_while(|heap| self.own_element(heap)).collect();
        self.learner.report(&self.heaps, elements)
    }

    /// Learns and proves the quotient of the heaps from 0 to `last`, or of as many as possible; the quotient covers more heaps if
    /// more are known.
    ///
    /// # Errors
    /// If the rule need not end, the heaps can't be looked through, or the work is interrupted.
    pub fn quotient(&mut self, play: &Play<'_>, last: u64) -> Result<HeapQuotient, Error> {
        self.meet_heaps(play, last)?;
        let values = (play.values)(last)?;
        let met = 0..=last.min(self.heaps.met() - 1);
        let atoms = met.flat_map(|heap| self.heaps.atoms_of(heap));
        let atoms = atoms.copied().max().unwrap_or(0);
        let learnt = self.learn(play, &values, atoms as usize, u64::MAX);
        let mut quotient = self.known_quotient();
        self.add_firm(play, &values, &mut quotient, last);
        quotient.firm_from = self.firm_from(play);
        quotient.period = proved_period(play.ruleset, &quotient.elements);
        let covered = quotient.last_heap();
        let ended = || (covered < last).then(|| self.why_ended(play, covered + 1));
        quotient.beyond = learnt.err().or_else(ended);
        Ok(quotient)
    }

    /// The genus of a sum of heaps, and its nature.
    ///
    /// # Errors
    /// If the rule need not end, or the positions that can follow are too many.
    pub fn genus(&mut self, play: &Play<'_>, heaps: &[u64]) -> Result<(Genus, Nature), Error> {
        let largest = heaps.iter().copied().max().unwrap_or(0);
        self.reach_heaps(play, largest)?;
        let values = (play.values)(largest)?;
        let atoms = self.heaps.atoms_in(heaps);
        let mut rules = Rules::new(play.ruleset, &values, &mut self.heaps);
        let limits = Limits::of(play.effort, u64::MAX);
        let genus = counted(play.effort, "positions", || {
            self.genera.of(&mut rules, &atoms, &limits)
        });
        match genus {
            Ok(genus) => {
                let nature = self.genera.nature(&mut rules, &atoms, &genus);
                Ok((genus, nature))
            }
            Err(Limit::Interrupted) => Err(Error::Interrupted),
            Err(limit) => Err(self.no_genus(play, heaps, limit)),
        }
    }

    /// Calls [`Heaps::reach`] for the game that is played.
    fn reach_heaps(&mut self, play: &Play<'_>, heap: u64) -> Result<(), Error> {
        let watch = play.effort.watch.as_deref();
        counted(play.effort, "piles", || {
            self.heaps.reach(play.ruleset, heap, watch)
        })
    }

    /// Calls [`Heaps::meet`] for the game that is played.
    fn meet_heaps(&mut self, play: &Play<'_>, heap: u64) -> Result<(), Error> {
        let watch = play.effort.watch.as_deref();
        counted(play.effort, "piles", || {
            self.heaps.meet(play.ruleset, heap, watch)
        })
    }

    /// The first heap that the misère quotient doesn't cover.
    fn heaps_covered(&self) -> u64 {
        (0..self.heaps.met())
            .find(|&heap| self.element(heap).is_none())
            .unwrap_or(self.heaps.met())
    }

    /// Learns the quotient of the first `atoms` atoms, by `positions` positions at most.
    fn learn(
        &mut self,
        play: &Play<'_>,
        values: &Values,
        atoms: usize,
        positions: u64,
    ) -> Result<(), Error> {
        let mut rules = Rules::new(play.ruleset, values, &mut self.heaps);
        let mut oracle = Oracle {
            search: &mut self.search,
            rules: &mut rules,
            budget: Budget::new(Limits::of(play.effort, positions), self.learner.work()),
        };
        let learnt = counted(play.effort, "positions", || {
            self.learner.cover(&mut oracle, atoms)
        });
        learnt.map_err(|_| Error::Interrupted)
    }

    /// The element of a heap in the misère quotient, if the quotient covers the heap without the period.
    fn own_element(&self, heap: u64) -> Option<Element> {
        let atoms = (heap < self.heaps.met()).then(|| self.heaps.atoms_in(&[heap]))?;
        self.learner.proved().element(&atoms)
    }
}

/// Does work whose progress is counted in `things` instead of nim-values.
fn counted<T>(effort: &Effort, things: &'static str, work: impl FnOnce() -> T) -> T {
    let say = |things| {
        if let Some(watch) = &effort.watch {
            watch.counting(things);
        }
    };
    say(things);
    let done = work();
    say("nim-values");
    done
}

#[cfg(test)]
mod tests {
    use super::proof::Letter;
    use super::*;
    use crate::analysis::HeapGame;

    /// Kayles by a rule without a code, so that no period is proved: its elements are learnt by 9,000 positions.
    #[test]
    fn options_are_not_listed_where_no_work_is_left() {
        let rule = |heap: u64| {
            let rests = (1..=heap.min(2)).map(|taken| heap - taken);
            let splits = |rest: u64| (0..=rest / 2).map(move |part| vec![part, rest - part]);
            rests.flat_map(splits).collect()
        };
        let ruleset = Ruleset::from_rule("skittles", rule);
        let values = HeapGame::new(ruleset.clone()).values(2000).unwrap();
        let play = Play {
            ruleset: &ruleset,
            values: &|_| Ok(values.clone()),
            nim_period: &|| Ok(None),
            effort: &Effort::default().positions(10_000),
        };
        let mut misere = Misere::default();
        let quotient = misere.quotient(&play, 2000).unwrap();
        let last = quotient.last_heap();
        assert!(
            (200..2000).contains(&last) && quotient.beyond.is_some(),
            "{last}"
        );
        let listed = misere.heaps.options_memory();
        assert!(listed < 1 << 20, "{listed} bytes");
    }

    /// Games, each with a heap up to which its quotient is worked out at once.
    pub const SMALL_QUOTIENTS: [(&str, u64); 5] = [
        ("nim", 40),
        ("0.77", 60),
        ("0.07", 29),
        ("4.7", 12),
        ("0.3F", 8),
    ];

    /// The quotient of the heaps of a game up to `last`, with the elements of each heap and of its options, found one after
    /// another.
    pub fn letters(game: &str, last: u64) -> (Monoid, Vec<Letter>) {
        let game = HeapGame::new(game.parse().unwrap());
        let quotient = game.misere_quotient(last).unwrap();
        let (monoid, elements) = (quotient.monoid(), quotient.elements());
        let letter = |(heap, &element): (u64, &Element)| {
            let options = game.ruleset().options(heap).map(|option| {
                let parts = option.leave.iter().map(|&part| elements[part as usize]);
                parts.fold(0, |a, b| monoid.times(a, b))
            });
            let options = options.collect();
            Letter { element, options }
        };
        (monoid.clone(), (0..).zip(elements).map(letter).collect())
    }
}
