//! The elements beside which heaps offer no winning move, and which of them follow from others.
//!
//! A heap of element h beside a sum of element c offers no winning move if c is in U(h), see `proof`. Let h = f g for
//! heaps of elements f and g, with c g in U(f) and c f in U(g). Then these two beside the sum offer none either. For
//! every heap of that sum it makes no difference whether h or f and g stand beside it, since the product is the same. So a
//! walk need not take the step of h to s with p s = c: from (p, h s) it comes to (p f, g s) and to (p h, s) by the two
//! others. A heap of Nim, say, follows from those of the powers of two that it is the sum of.
//!
//! Cost: the products of any two elements of heaps, and for those that are a heap's a look at each element of its U.

use super::bits::Bits;
use super::monoid::{Element, Monoid};

/// For each element of heaps, the union of their sets U(h), see `proof`.
#[derive(Clone, Debug, Default)]
pub struct Stuck {
    beside: Vec<Option<Bits>>,
    /// The elements whose heaps have such a union, ascending.
    elements: Vec<Element>,
}

impl Stuck {
    /// Adds the set U of a heap.
    pub fn unite(&mut self, element: Element, beside: Bits) {
        let at = usize::from(element);
        if at >= self.beside.len() {
            self.beside.resize(at + 1, None);
        }
        if let Some(known) = &mut self.beside[at] {
            known.unite(&beside);
        } else {
            self.beside[at] = Some(beside);
            let place = self.elements.partition_point(|&before| before < element);
            self.elements.insert(place, element);
        }
    }

    /// The elements, each with the elements beside which its heaps are stuck.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Element, &Bits)> {
        (self.elements.iter()).filter_map(|&element| Some((element, self.of(element)?)))
    }

    fn of(&self, element: Element) -> Option<&Bits> {
        self.beside.get(usize::from(element))?.as_ref()
    }

    /// Whether a heap of this element and U has no winning move, alone or beside one that has none either.
    pub fn ends_walk(&self, element: Element, beside: &Bits) -> bool {
        let both =
            |(other, of_other): (_, &Bits)| beside.has(other) && of_other.has(element.into());
        beside.has(0) || self.iter().any(|(other, set)| both((other.into(), set)))
    }

    /// Whether the set U of a heap with this element adds nothing to what is known.
    pub fn has(&self, monoid: &Monoid, element: Element, beside: &Bits) -> bool {
        let mut rest = beside.clone();
        if let Some(known) = self.of(element) {
            rest.retain(|c| !known.has(c));
        }
        self.rest(monoid, element, rest).is_empty()
    }

    /// The unions of all elements, without the members that follow from the unions of other elements.
    pub fn reduced(&self, monoid: &Monoid) -> Stuck {
        let mut left = self.clone();
        for (element, beside) in self.iter().rev() {
            let rest = left.rest(monoid, element, beside.clone());
            if rest.is_empty() {
                left.elements.retain(|&other| other != element);
            }
            left.beside[usize::from(element)] = Some(rest);
        }
        left
    }

    /// Those of the elements c for which it doesn't follow from two other elements that a heap of this element is stuck beside c.
    fn rest(&self, monoid: &Monoid, element: Element, mut rest: Bits) -> Bits {
        for (at, &f) in self.elements.iter().enumerate() {
            if rest.is_empty() {
                break;
            }
            let beside_g = monoid.row(f);
            for &g in &self.elements[at..] {
                if beside_g[usize::from(g)] != element || f == element || g == element {
                    continue;
                }
                if let [Some(of_f), Some(of_g)] = [self.of(f), self.of(g)] {
                    let beside_f = monoid.row(g);
                    let both =
                        |c: usize| of_f.has(beside_f[c].into()) && of_g.has(beside_g[c].into());
                    rest.retain(|c| !both(c));
                }
            }
        }
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::super::proof::Letter;
    use super::super::walk::Walk;
    use super::*;
    use crate::misere::tests::{SMALL_QUOTIENTS, letters};

    #[test]
    fn without_steps_that_follow_a_walk_comes_to_the_same_pairs() {
        let mut left_out = 0;
        for (game, last) in SMALL_QUOTIENTS {
            let (monoid, letters) = letters(game, last);
            let mut all = Stuck::default();
            for Letter { element, options } in letters {
                let offers_none = |&c: &Element| {
                    let is_lost = |&x: &Element| monoid.is_lost(monoid.times(c, x));
                    !is_lost(&element) && !options.iter().any(is_lost)
                };
                let beside = monoid.elements().filter(offers_none).map(usize::from);
                if !options.is_empty() {
                    all.unite(element, Bits::of(monoid.order(), beside));
                }
            }
            let least = all.reduced(&monoid);
            let pairs = |stuck: &Stuck| Walk::new(&monoid, stuck).go(&|_| true);
            assert!(pairs(&all).is_ok(), "{game}");
            assert_eq!(pairs(&least), pairs(&all));
            left_out += all.iter().count() - least.iter().count();
        }
        assert!(left_out > 30, "{left_out}");
    }
}
