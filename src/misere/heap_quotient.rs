//! The misère quotient of the heaps 0 to N of a game, in the form in which it is given to callers.
//!
//! Its elements are numbered, 0 being that of the empty sum, and have names in the letters of the literature: a, b, c …
//! are the heaps that are equal to no sum of smaller ones, and each element is named by its least word in them. The
//! relations found on the way present the monoid: each makes a word that is not least equal to one that is.
//!
//! If heaps n and n + p have the same element for all n from n0 ≥ 1 to 2 n0 + p + t - 1, where no move of an octal game
//! takes more than t, then they have for all n ≥ n0, and the quotient is that of all heaps: a heap of n + p has in its
//! options the elements that a heap of n has in its own, as in the theorem of Guy and Smith on nim-values, and so the
//! proof holds for it too (Plambeck, *Taming the wild in impartial combinatorial games*, Integers 5, 2005, G5).

use super::monoid::{Element, Monoid};
use super::structure::{self, Group, Kind};
use crate::error::Error;
use crate::ruleset::Ruleset;
use crate::sequence::period::{Theorem, least_period};
use serde::Serialize;

/// The period of the elements: from the preperiod on, a heap has the same element as the heap a period later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MiserePeriod {
    /// The first heap from which on the elements repeat.
    pub preperiod: u64,
    /// The period.
    pub period: u64,
}

impl MiserePeriod {
    /// The last heap whose element a proof needs, if no move takes more than `taken` stones.
    pub fn last_heap(self, taken: u64) -> u64 {
        let both = self.preperiod.saturating_add(self.period);
        both.saturating_mul(2).saturating_add(taken) - 1
    }
}

/// The name of the theorem by which a period of elements holds for ever.
pub const PERIOD_THEOREM: &str =
    "elements that repeat to pile 2 n0 + 2 p + t - 1 repeat for ever (Plambeck 2005)";

/// The size of the quotient of the heaps up to one heap, which stays the same until the quotient grows again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Growth {
    /// The last heap of the quotient.
    pub heap: u64,
    /// How many elements there are.
    pub order: usize,
    /// How many of the elements are in the P-portion.
    pub p_portion: usize,
}

impl Growth {
    /// The size of the quotient of the heaps up to `heap`, which is the monoid.
    pub(super) fn of(heap: u64, monoid: &Monoid) -> Growth {
        Growth {
            heap,
            order: monoid.order(),
            p_portion: monoid.losing().iter().count(),
        }
    }
}

/// The proved misère quotient of the heaps from 0 on.
#[derive(Debug)]
pub struct HeapQuotient {
    pub(super) monoid: Monoid,
    pub(super) elements: Vec<Element>,
    /// The heaps that the letters stand for.
    pub(super) generators: Vec<u64>,
    /// The least word of each element, in letters.
    pub(super) words: Vec<Vec<u16>>,
    pub(super) relations: Vec<(Vec<u16>, Element)>,
    pub(super) growth: Vec<Growth>,
    pub(super) pairs: usize,
    pub(super) period: Option<MiserePeriod>,
    pub(super) firm_from: Option<u64>,
    /// Why the next heap is out of reach, if more heaps were asked for.
    pub beyond: Option<Error>,
}

impl HeapQuotient {
    /// The last heap that the quotient covers.
    pub fn last_heap(&self) -> u64 {
        self.elements.len().saturating_sub(1) as u64
    }

    /// The monoid, with its P-portion.
    pub fn monoid(&self) -> &Monoid {
        &self.monoid
    }

    /// The elements of the heaps from 0 on.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The heaps that the letters a, b, c … stand for.
    pub fn generators(&self) -> &[u64] {
        &self.generators
    }

    /// The relations, each as a word and the element that it is equal to.
    pub fn relations(&self) -> impl Iterator<Item = (String, Element)> + '_ {
        (self.relations.iter()).map(|(word, element)| (monomial(word), *element))
    }

    /// The name of an element: its least word.
    pub fn name(&self, element: Element) -> String {
        monomial(&self.words[usize::from(element)])
    }

    /// The P-portion, ascending.
    pub fn p_portion(&self) -> Vec<Element> {
        let losing = self.monoid.losing().iter();
        losing.map(|element| element as Element).collect()
    }

    /// The order and the P-portion's size of the quotients of fewer heaps: of heap 0, and of each heap with which the
    /// quotient grows.
    pub fn growth(&self) -> &[Growth] {
        &self.growth
    }

    /// How many pairs of elements the proof went through.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// The period of the elements, if it is proved for ever: then the quotient is that of all heaps.
    pub fn period(&self) -> Option<MiserePeriod> {
        self.period
    }

    /// The heap from which on all heaps are proved to be tame and firm, in an octal game without a wild one: their
    /// nim-values alone say which Nim heaps they behave as.
    pub fn firm_from(&self) -> Option<u64> {
        self.firm_from
    }

    /// The elements that are their own squares, ascending.
    pub fn idempotents(&self) -> Vec<Element> {
        structure::idempotents(&self.monoid)
    }

    /// The kernel, the least ideal: a group.
    pub fn kernel(&self) -> Group {
        structure::kernel(&self.monoid)
    }

    /// How far the quotient is like that of Nim, and whether its kernel is like that of normal play.
    pub fn kind(&self) -> Kind {
        structure::kind(&self.monoid)
    }
}

/// The least preperiod and period that these elements prove, if the moves of the game are such as the theorem supposes.
pub fn proved_period(ruleset: &Ruleset, elements: &[Element]) -> Option<MiserePeriod> {
    let guy_and_smith = Theorem::Finite {
        heaps: 2,
        most_taken: ruleset.code()?.octal_end()?,
        unequal: false,
        least: 1,
    };
    let found = least_period(elements, guy_and_smith)?;
    Some(MiserePeriod {
        preperiod: found.preperiod.max(1),
        period: found.period,
    })
}

/// The first heap, 1 or more, from which on these elements have the period.
pub fn preperiod(elements: &[Element], period: u64) -> u64 {
    let later = elements.iter().skip(period as usize);
    let exception = later
        .zip(elements)
        .rposition(|(later, element)| later != element);
    exception.map_or(1, |heap| heap as u64 + 1)
}

/// The name of a letter: a to z, then A to Z, then x53 and so on.
pub fn letter(number: usize) -> String {
    match number {
        0..26 => char::from(b'a' + number as u8).to_string(),
        26..52 => char::from(b'A' + number as u8 - 26).to_string(),
        _ => format!("x{}", number + 1),
    }
}

/// A word, as in `ab^2`; `1` is the empty one.
fn monomial(word: &[u16]) -> String {
    if word.is_empty() {
        return "1".to_owned();
    }
    let power = |run: &[u16]| {
        let letter = letter(run[0].into());
        match run.len() {
            1 => letter,
            exponent => format!("{letter}^{exponent}"),
        }
    };
    let powers: Vec<String> = word.chunk_by(|a, b| a == b).map(power).collect();
    let long = word.last().is_some_and(|&last| last >= 52);
    powers.join(if long { "*" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_least_period_is_that_which_trying_all_of_them_finds(
            start in prop::collection::vec(0u16..3, 0..12),
            cycle in prop::collection::vec(0u16..3, 1..7),
            length in 0usize..80,
        ) {
            let ruleset: Ruleset = "0.37".parse().unwrap();
            let late = cycle.iter().cycle().take(length);
            let elements: Vec<Element> = start.iter().chain(late).copied().collect();
            let last = elements.len() as u64;
            let wanted = (1..last).find_map(|period| {
                let preperiod = preperiod(&elements, period);
                let found = MiserePeriod { preperiod, period };
                (found.last_heap(2) < last).then_some(found)
            });
            prop_assert_eq!(proved_period(&ruleset, &elements), wanted);
        }
    }
}
