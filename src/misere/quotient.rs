//! The misère quotient of the first atoms: a finite monoid that tells who wins every sum of them.
//!
//! Two sums have the same element if no sum of these atoms tells them apart by who wins. `learner` explains how the elements are
//! found, and `proof` how they are proved.
//!
//! Plambeck and Siegel, *Misère quotients for impartial games*, J. Combin. Theory Ser. A 115, 2008, pp. 593-622.

use super::heaps::Atom;
use super::memory::{allocated, allocated_sums};
use super::monoid::{Element, Monoid};
use super::proof::Letter;
use super::rules::Rules;
use std::collections::BTreeSet;

/// The proved quotient of the first atoms.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// The element of each atom, from atom 1 on.
    pub(super) atoms: Vec<Element>,
    pub(super) monoid: Monoid,
    /// For each element, one of its sums, with as few atoms as possible.
    pub(super) sums: Vec<Vec<Atom>>,
}

impl Default for Quotient {
    fn default() -> Quotient {
        Quotient {
            atoms: Vec::new(),
            monoid: Monoid::default(),
            sums: vec![Vec::new()],
        }
    }
}

impl Quotient {
    /// How many of the first atoms the quotient covers.
    pub fn covered(&self) -> usize {
        self.atoms.len()
    }

    /// How many elements the quotient has.
    pub fn order(&self) -> usize {
        self.monoid.order()
    }

    /// The element of a sum of atoms, ascending, if the quotient covers them.
    pub fn element(&self, atoms: &[Atom]) -> Option<Element> {
        let covered = atoms
            .last()
            .is_none_or(|&last| last as usize <= self.atoms.len());
        covered.then(|| {
            let element = |&atom: &Atom| self.atoms[atom as usize - 1];
            atoms.iter().map(element).fold(0, |a, b| self.times(a, b))
        })
    }

    /// The element of the sum of two elements.
    pub fn times(&self, a: Element, b: Element) -> Element {
        self.monoid.times(a, b)
    }

    /// The bytes that the quotient takes.
    pub(super) fn memory(&self) -> u64 {
        let products = allocated::<Element>(self.order() * self.order());
        products + 2 * allocated::<Element>(self.atoms.len()) + allocated_sums(&self.sums)
    }

    /// The element of an atom, if the quotient covers it, and those of its options, which it must cover.
    pub(super) fn letter(&self, rules: &mut Rules<'_>, atom: Atom) -> Letter {
        let options = rules.options(atom).into_iter();
        let options: BTreeSet<Element> =
            options.filter_map(|option| self.element(&option)).collect();
        Letter {
            element: self.atoms.get(atom as usize - 1).copied().unwrap_or(0),
            options: options.into_iter().collect(),
        }
    }
}
