//! Tame games whose large heaps are all firm, so that the nim-values of these heaps decide everything.
//!
//! Let the moves of an octal game take at most t stones, and let a heap larger than t + 1 have an option. If all heaps
//! up to N are tame, none larger than F is fickle, and N ≥ 2F + t, then all heaps larger than N are tame and firm: every
//! option of such a heap leaves a part larger than F, which is firm by induction, so that the option is tame and firm;
//! the mex of the options' nim-values is then that of their misère nim-values. This is the rule of `tame` once for all
//! heaps; its twin is `Heaps::reach`, which walks over the options of each.

use super::bits::Bits;
use super::certificate::QuotientCertificate;
use super::heaps::Heaps;
use super::monoid::{Element, MOST_ELEMENTS, Monoid};
use super::tame::{Tame, TameSum};
use super::{Growth, HeapQuotient, Misere, Play};
use crate::certificate::wrong_at;
use crate::engine::{Effort, Watch};
use crate::error::{Contradiction, Error, Stated};
use crate::grundy::NimValue;
use crate::ruleset::Ruleset;
use crate::sequence::{Sequence, Values};
use std::collections::HashMap;

/// Heaps are met one by one up to this heap at least, and this many more before it is tested again whether they are enough.
const MET: u64 = 512;

impl Heaps {
    /// The most stones that a move takes, if all large heaps may yet be firm.
    fn most_taken(&self, ruleset: &Ruleset) -> Option<u64> {
        let code = ruleset.code()?;
        let leaves_heaps = |stones: usize| {
            let digit = code.digit(stones as u64);
            stones > 0 && digit.parts(1).is_some() || digit.parts(2).is_some()
        };
        let may_be = !self.any_wild && code.takings().any(leaves_heaps);
        code.octal_end().filter(|_| may_be)
    }

    /// The heap from which on all are tame and firm, if the heaps met show it.
    pub fn firm_from(&self, ruleset: &Ruleset) -> Option<u64> {
        let taken = self.most_taken(ruleset)?;
        let from = (2 * self.last_fickle).max(1) + taken + 1;
        (from <= self.met()).then_some(from)
    }

    /// Learns of the heaps up to `heap`, or of as many as show that all later ones are tame and firm.
    pub fn meet(
        &mut self,
        ruleset: &Ruleset,
        heap: u64,
        watch: Option<&dyn Watch>,
    ) -> Result<(), Error> {
        let mut last = MET;
        while last < heap && self.most_taken(ruleset).is_some() {
            self.reach(ruleset, last, watch)?;
            if self.firm_from(ruleset).is_some() {
                return Ok(());
            }
            last += MET;
        }
        self.reach(ruleset, heap, watch)
    }
}

impl Misere {
    /// The heap from which on all are tame and firm, if the heaps met show it.
    pub fn firm_from(&self, play: &Play<'_>) -> Option<u64> {
        self.heaps.firm_from(play.ruleset)
    }

    /// Adds the elements of the firm heaps that were not met, up to heap `last` or as far as possible.
    pub(super) fn add_firm(
        &self,
        play: &Play<'_>,
        values: &Values,
        quotient: &mut HeapQuotient,
        last: u64,
    ) {
        let met = self.heaps.met();
        if quotient.elements.len() as u64 != met || self.firm_from(play).is_none() {
            return;
        }
        let sums = self.learner.proved().sums.iter();
        let behaves = sums.map(|sum| self.heaps.tame_sum(sum).map(TameSum::as_one));
        let Some(mut classes) = behaves.collect::<Option<Vec<Tame>>>().map(Classes::new) else {
            return;
        };
        for heap in met..=last {
            let tame = Tame::firm(values.value(heap));
            if classes.element(tame).is_none() && !classes.grow(quotient, heap, tame) {
                return;
            }
            quotient.elements.extend(classes.element(tame));
        }
    }
}

impl QuotientCertificate {
    /// Checks that all heaps have the elements of the Nim heaps that they behave as: the heaps met are tame, and all others firm.
    /// The elements must be those of the sums of Nim heaps, and an element is lost just if Nim's rule says so.
    pub(super) fn check_firm(
        &self,
        ruleset: &Ruleset,
        monoid: &Monoid,
        heaps: &Heaps,
        effort: &Effort,
    ) -> Result<(), Error> {
        let mut sequence = Sequence::with_effort(ruleset.clone(), effort.clone());
        let values = sequence.reach(self.heaps)?;
        let tame = |heap| (heaps.tame(heap)).unwrap_or_else(|| Tame::firm(values.value(heap)));
        let letters: Vec<Tame> = self.generators.iter().map(|&heap| tame(heap)).collect();
        let mut of: Vec<Option<Tame>> = vec![None; monoid.order()];
        of[0] = Some(Tame::END);
        for (element, row) in self.actions.iter().enumerate() {
            for (&product, &letter) in row.iter().zip(&letters) {
                let sum =
                    of[element].map_or(Tame::END, |of| TameSum::from_iter([of, letter]).as_one());
                if *of[usize::from(product)].get_or_insert(sum) != sum {
                    let made = row.clone();
                    let found = Contradiction::Product(product);
                    return Err(wrong_at("actions", Stated::Action { made, element }, found));
                }
            }
        }
        for (element, of) in monoid.elements().zip(&of) {
            if monoid.is_lost(element) != of.is_some_and(Tame::is_lost) {
                return Err(self.wrong_portion(Contradiction::NimRule(element)));
            }
        }
        for (heap, &element) in (0..).zip(&self.elements) {
            if of.get(usize::from(element)).copied().flatten() != Some(tame(heap)) {
                let found = Contradiction::NimValue(values.value(heap));
                return Err(wrong_at(
                    "elements",
                    Stated::Element { element, heap },
                    found,
                ));
            }
        }
        Ok(())
    }
}

/// The elements of a quotient of tame heaps, each with the Nim heap that its sums behave as.
struct Classes {
    of: Vec<Tame>,
    elements: HashMap<Tame, Element>,
}

impl Classes {
    fn new(of: Vec<Tame>) -> Classes {
        let elements = of.iter().copied().zip(0..).collect();
        Classes { of, elements }
    }

    fn element(&self, tame: Tame) -> Option<Element> {
        self.elements.get(&tame).copied()
    }

    /// The element of the sum of an element and a tame heap.
    fn times(&self, a: Element, b: Tame) -> Option<Element> {
        self.element(TameSum::from_iter([self.of[usize::from(a)], b]).as_one())
    }

    /// Adds a firm heap whose nim-value has one bit more than those of all elements: T(n) becomes T(n + 1). Returns whether it
    /// could be added.
    fn grow(&mut self, quotient: &mut HeapQuotient, heap: u64, tame: Tame) -> bool {
        let order = quotient.monoid.order();
        let bits = quotient.kind().tame.filter(|&bits| bits >= 2);
        let has_next_bit = bits.is_some_and(|bits| tame.value >> bits == 1);
        if !has_next_bit || 2 * order - 2 > MOST_ELEMENTS {
            return false;
        }
        // Every element with the new bit is the product of the heap and an element without the bit, a fickle one where there is
        // one.
        let new = quotient.generators.len() as u16;
        let beside = (0..order as NimValue - 2).filter_map(|value| {
            let fickle = self.element(Tame {
                value,
                fickle: true,
            });
            fickle.or(self.element(Tame::firm(value)))
        });
        let mut beside: Vec<Element> = beside.collect();
        beside.sort_unstable();
        let zero = self.element(Tame::firm(0)).unwrap_or(0);
        quotient.generators.push(heap);
        for (number, &other) in (order as Element..).zip(&beside) {
            let sum = Tame::firm(self.of[usize::from(other)].value ^ tame.value);
            self.elements.insert(sum, number);
            self.of.push(sum);
            let mut word = quotient.words[usize::from(other)].clone();
            word.push(new);
            quotient.words.push(word);
        }
        let alone = self.element(tame).unwrap_or(0);
        let with_zero = [&quotient.words[usize::from(zero)][..], &[new]].concat();
        quotient.relations.push((vec![new, new], zero));
        quotient.relations.push((with_zero, alone));
        quotient.monoid = self.monoid(quotient, tame);
        quotient.growth.push(Growth::of(heap, &quotient.monoid));
        true
    }

    /// The monoid of the elements, where the last generator behaves as the Nim heap `last`.
    fn monoid(&self, quotient: &HeapQuotient, last: Tame) -> Monoid {
        let words = (0..).zip(&quotient.words);
        let by_word: HashMap<&[u16], Element> =
            words.map(|(element, word)| (&word[..], element)).collect();
        let made = quotient.words.iter().filter_map(|word| {
            let (&letter, before) = word.split_last()?;
            Some((by_word.get(before).copied()?, usize::from(letter)))
        });
        let behaves = |generator: usize| {
            let letter = by_word.get(&[generator as u16][..]);
            letter.map_or(last, |&element| self.of[usize::from(element)])
        };
        let next = |element, generator| self.times(element, behaves(generator)).unwrap_or(0);
        let losing = (0..self.of.len()).filter(|&element| self.of[element].is_lost());
        let losing = Bits::of(self.of.len(), losing);
        Monoid::of_generators(&made.collect::<Vec<_>>(), next, losing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::HeapGame;

    fn octal_codes() -> impl Iterator<Item = String> {
        let codes = (1..512u32).map(|code| format!("0.{code:03o}"));
        codes.chain((1..64).map(|code| format!("4.{code:02o}")))
    }

    /// Of all codes of up to three digits, those whose heaps are all firm from some heap on, by the walk over all options.
    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
    fn heaps_that_are_firm_for_ever_are_so_by_their_options() {
        let mut seen = 0;
        for code in octal_codes() {
            let ruleset: Ruleset = code.parse().unwrap();
            let mut heaps = Heaps::default();
            let mut from = None;
            while from.is_none() && heaps.met() < 120 && !heaps.any_wild {
                heaps.reach(&ruleset, heaps.met(), None).unwrap();
                from = heaps.firm_from(&ruleset);
            }
            let Some(from) = from else { continue };
            seen += 1;
            heaps.reach(&ruleset, 130, None).unwrap();
            let values = HeapGame::new(ruleset).values(130).unwrap();
            for heap in from..=130 {
                let tame = Some(Tame::firm(values.value(heap)));
                assert_eq!(heaps.tame(heap), tame, "pile {heap} of {code}");
            }
        }
        assert!(seen > 40, "{seen}");
    }

    #[test]
    fn a_nim_value_that_skips_a_bit_makes_no_quotient() {
        let game = HeapGame::new("0.156".parse().unwrap());
        let mut quotient = game.misere_quotient(100).unwrap();
        let bits = quotient.kind().tame.unwrap();
        let mut classes = Classes::new(vec![Tame::END]);
        assert!(!classes.grow(&mut quotient, 101, Tame::firm(2 << bits)));
    }
}
