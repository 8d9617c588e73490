//! The elements of the options of a heap, from the elements of the smaller heaps alone.
//!
//! Where the elements of all smaller heaps are proved, the options of a heap need not be kept, nor written as sums of
//! atoms: the product of the parts' elements is the element of their sum. So a heap takes the two bytes of its own
//! element, however many options it has.
//!
//! Cost: a look-up in the product for each option, until a period of the elements is proved. Its twin is `Quotient::letter`.

use super::heap_quotient::{MiserePeriod, proved_period};
use super::heaps::Heaps;
use super::monoid::{Element, Monoid};
use super::quotient::Quotient;
use crate::ruleset::{Code, Ruleset};

/// How many options, of heaps whose smaller heaps have known elements, are looked at in one step of work.
pub const OPTIONS_OF_STEP: u64 = 32;

/// The elements of the heaps from 0 on, and room to mark those of options.
#[derive(Debug, Default)]
pub struct HeapElements {
    elements: Vec<Element>,
    seen: Vec<bool>,
    /// The period that these elements prove, as far as it was sought, and how many elements there were then.
    period: Option<MiserePeriod>,
    sought: usize,
}

impl HeapElements {
    /// Heaps from 0 on that have these elements.
    pub fn of(elements: Vec<Element>) -> HeapElements {
        HeapElements {
            elements,
            ..HeapElements::default()
        }
    }

    /// Forgets all elements, as when they are numbered anew.
    pub fn clear(&mut self) {
        *self = HeapElements::default();
    }

    /// Adds the elements of the heaps below `end`, all of which the quotient covers.
    pub fn reach(&mut self, heaps: &Heaps, quotient: &Quotient, end: u64) {
        for heap in self.elements.len() as u64..end {
            match quotient.element(heaps.atoms_of(heap)) {
                Some(element) => self.elements.push(element),
                None => break,
            }
        }
    }

    /// The element of a heap a period later than one that is known, if those known prove a period. It is sought each time that
    /// they are twice as many.
    pub fn repeated(&mut self, ruleset: &Ruleset, heap: u64) -> Option<Element> {
        let known = self.elements.len();
        if self.period.is_none() && known >= 2 * self.sought {
            self.sought = known;
            self.period = proved_period(ruleset, &self.elements);
        }
        let MiserePeriod { period, .. } = self.period?;
        self.elements.get((heap - period) as usize).copied()
    }

    /// The elements of the options of a heap whose smaller heaps are all known, ascending, each once; and how many options were
    /// looked at.
    ///
    /// # Errors
    /// The first heap whose element is not known, or a heap that an option leaves and that is no smaller than `heap`.
    pub fn options(
        &mut self,
        ruleset: &Ruleset,
        monoid: &Monoid,
        heap: u64,
    ) -> Result<(Vec<Element>, u64), u64> {
        if (self.elements.len() as u64) < heap {
            return Err(self.elements.len() as u64);
        }
        self.seen.clear();
        self.seen.resize(monoid.order(), false);
        let looked_at = match octal(ruleset) {
            Some((code, least)) if heap >= least => self.mark_octal(code, monoid, heap),
            Some(_) => 0,
            None => self.mark_each(ruleset, monoid, heap)?,
        };
        let marked = monoid.elements().zip(&self.seen);
        let elements = marked.filter_map(|(element, &seen)| seen.then_some(element));
        Ok((elements.collect(), looked_at))
    }

    /// Marks the elements of the options by an octal code, in which a move leaves at most two heaps.
    fn mark_octal(&mut self, code: &Code, monoid: &Monoid, heap: u64) -> u64 {
        let mut looked_at = 0;
        let takings = code.takings().map(|stones| stones as u64);
        for stones in takings.take_while(|&stones| stones <= heap) {
            let digit = code.digit(stones);
            let rest = (heap - stones) as usize;
            if rest == 0 && digit.parts(0).is_some() {
                self.seen[0] = true;
            }
            if rest > 0 && stones > 0 && digit.parts(1).is_some() {
                self.seen[usize::from(self.elements[rest])] = true;
                looked_at += 1;
            }
            if rest > 1 && digit.parts(2).is_some() {
                let half = rest / 2;
                let (smaller, larger) = (&self.elements[1..=half], &self.elements[rest - half..]);
                for (&a, &b) in smaller.iter().zip(larger[..half].iter().rev()) {
                    self.seen[usize::from(monoid.times(a, b))] = true;
                }
                looked_at += half as u64;
            }
        }
        looked_at
    }

    fn mark_each(&mut self, ruleset: &Ruleset, monoid: &Monoid, heap: u64) -> Result<u64, u64> {
        let (mut looked_at, mut not_smaller) = (0, None);
        ruleset.each_option(heap, |leave| {
            looked_at += 1;
            let mut product = 0;
            for &part in leave {
                match self.elements.get(part as usize) {
                    Some(&element) if part < heap => product = monoid.times(product, element),
                    _ => not_smaller = not_smaller.or(Some(part)),
                }
            }
            self.seen[usize::from(product)] = true;
        });
        match not_smaller {
            Some(part) => Err(part),
            None => Ok(looked_at),
        }
    }
}

/// The octal code of a game with an end, and the least heap for which it holds.
fn octal(ruleset: &Ruleset) -> Option<(&Code, u64)> {
    let coded = ruleset.coded_from();
    coded.filter(|(code, _)| code.is_octal() && code.most_taken().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::misere::tests::letters;
    use std::collections::BTreeSet;

    /// The options are compared with those found one after another.
    #[test]
    fn the_options_of_a_heap_have_the_elements_of_their_parts() {
        for (game, heaps) in [
            ("kayles", 60),
            ("0.156", 70),
            ("4.7", 12),
            ("0.3F", 8),
            ("4!.0", 20),
            ("0.07", 20),
            ("couples-are-forever", 9),
            ("0.[3]", 9),
        ] {
            let ruleset: Ruleset = game.parse().unwrap();
            let (monoid, letters) = letters(game, heaps);
            let elements = letters.iter().map(|letter| letter.element);
            let mut known = HeapElements::of(elements.collect());
            for (heap, letter) in (0..).zip(letters) {
                let options = BTreeSet::from_iter(letter.options);
                let (found, _) = known.options(&ruleset, &monoid, heap).unwrap();
                assert!(found.iter().eq(&options), "{game}, pile {heap}");
            }
        }
    }

    #[test]
    fn a_heap_that_does_not_get_smaller_is_named() {
        let rule = |heap: u64| vec![vec![if heap == 3 { 5 } else { heap / 2 }]];
        let ruleset = Ruleset::from_rule("halving", rule);
        let mut known = HeapElements::of(vec![0; 9]);
        assert_eq!(known.options(&ruleset, &Monoid::default(), 3), Err(5));
        assert_eq!(known.options(&ruleset, &Monoid::default(), 12), Err(9));
        let found = known.options(&ruleset, &Monoid::default(), 4);
        assert_eq!(found, Ok((vec![0], 1)));
    }
}
