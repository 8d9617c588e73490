//! A finite commutative monoid with a P-portion: a misère quotient without its heaps.

use super::bits::Bits;
use crate::outcome::Outcome;

/// An element of a misère quotient; 0 is the element of the empty sum.
pub type Element = u16;

/// The most elements that are numbered.
pub const MOST_ELEMENTS: usize = 1 << 16;

/// A product table, with the set of elements whose sums are P-positions.
#[derive(Clone, Debug)]
pub struct Monoid {
    order: usize,
    /// The product of any two elements, row by row.
    product: Vec<Element>,
    losing: Bits,
}

impl Default for Monoid {
    /// The monoid of the empty sum alone, in which the player to move wins.
    fn default() -> Monoid {
        Monoid {
            order: 1,
            product: vec![0],
            losing: Bits::none(1),
        }
    }
}

impl Monoid {
    /// How many bytes a monoid with `order` elements takes, with the bytes that a proof takes for it. If that is more than a
    /// number can say, the largest number.
    pub fn bytes(order: usize) -> u64 {
        // Each pair takes sixteen bits for its product, a bit of the mask and a bit for having been seen; most pairs also stand
        // in a queue.
        let pairs = (order as u64).saturating_mul(order as u64);
        pairs.saturating_mul(6).saturating_add(pairs / 4)
    }

    /// The monoid in which generator `g` takes element `e` to `next(e, g)`.
    ///
    /// Each element but the first is made from an earlier one by a generator: `made[e - 1]` says which.
    pub(crate) fn of_generators(
        made: &[(Element, usize)],
        next: impl Fn(Element, usize) -> Element,
        losing: Bits,
    ) -> Monoid {
        let order = made.len() + 1;
        let mut product = Vec::with_capacity(order * order);
        for row in 0..order {
            product.push(row as Element);
            for &(before, generator) in made {
                let before = product[row * order + usize::from(before)];
                product.push(next(before, generator));
            }
        }
        Monoid {
            order,
            product,
            losing,
        }
    }

    /// The same monoid with another P-portion.
    #[cfg(test)]
    pub(crate) fn with_losing(&self, losing: Bits) -> Monoid {
        let product = self.product.clone();
        Monoid {
            losing,
            product,
            ..*self
        }
    }

    /// How many elements there are.
    pub fn order(&self) -> usize {
        self.order
    }

    /// All elements.
    pub fn elements(&self) -> impl DoubleEndedIterator<Item = Element> + Clone + use<> {
        (0..self.order).map(|element| element as Element)
    }

    /// The element of the sum of two elements.
    pub fn times(&self, a: Element, b: Element) -> Element {
        self.product[usize::from(a) * self.order + usize::from(b)]
    }

    /// The products of an element with every element.
    pub fn row(&self, element: Element) -> &[Element] {
        let start = usize::from(element) * self.order;
        &self.product[start..start + self.order]
    }

    /// The P-portion.
    pub(crate) fn losing(&self) -> &Bits {
        &self.losing
    }

    /// Whether the sums of an element are P-positions.
    pub fn is_lost(&self, element: Element) -> bool {
        self.losing.has(element.into())
    }

    /// Who wins the sums of an element.
    pub fn outcome(&self, element: Element) -> Outcome {
        Outcome::of_lost(self.is_lost(element))
    }

    /// The elements whose product with `element` is lost; in a reduced monoid no two elements have the same set.
    pub(crate) fn mask(&self, element: Element) -> Bits {
        let row = self.row(element);
        Bits::of(
            self.order,
            (0..self.order).filter(|&other| self.is_lost(row[other])),
        )
    }
}
