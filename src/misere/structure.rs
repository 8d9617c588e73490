//! The structure of a finite commutative monoid with a P-portion: idempotents, kernel, divisibility, and its kind.
//!
//! The kernel is the least ideal: the elements that every element divides. It is a group, and its identity is the least
//! idempotent. Plambeck and Siegel, *Misère quotients for impartial games*, J. Combin. Theory Ser. A 115, 2008, sections 3 and 6;
//! Siegel, *The structure and classification of misère quotients*, Games of No Chance 5, 2019.
//!
//! Cost: one walk through the product table for each of these.

use super::bits::Bits;
use super::monoid::{Element, Monoid};
use std::collections::HashMap;

/// A group within a monoid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The identity of the group.
    pub identity: Element,
    /// The elements of the group, ascending.
    pub elements: Vec<Element>,
    /// The orders of the cyclic groups of prime powers that the group is the product of, ascending.
    pub factors: Vec<u64>,
}

/// How far a quotient is like that of Nim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// `Some(n)` if the quotient is that of the Nim heaps below 2^n.
    pub tame: Option<u32>,
    /// Whether just one element of the kernel is in the P-portion.
    pub regular: bool,
    /// Whether the one element of the kernel in the P-portion is its identity: then the kernel is won as in normal play.
    pub normal: bool,
}

/// The elements that are their own squares, ascending.
pub fn idempotents(monoid: &Monoid) -> Vec<Element> {
    let elements = monoid.elements();
    elements.filter(|&x| monoid.times(x, x) == x).collect()
}

/// The kernel of the monoid, as a group.
pub fn kernel(monoid: &Monoid) -> Group {
    let idempotents = idempotents(monoid);
    let identity = idempotents.iter().fold(0, |a, &b| monoid.times(a, b));
    let all = monoid.elements();
    let elements: Vec<Element> = all.filter(|&x| monoid.times(identity, x) == x).collect();
    Group {
        factors: factors(monoid, identity, &elements),
        identity,
        elements,
    }
}

/// The orders of the cyclic factors of an abelian group. Of them p^k or more have as many as the elements that p^k
/// kills tell: p to that number is how many times more they are than those that p^(k-1) kills.
fn factors(monoid: &Monoid, identity: Element, group: &[Element]) -> Vec<u64> {
    let killed = |order: usize| {
        let is_killed =
            |&&x: &&Element| (0..order).fold(identity, |y, _| monoid.times(y, x)) == identity;
        group.iter().filter(is_killed).count()
    };
    let mut factors = Vec::new();
    let mut rest = group.len();
    for prime in (2..).take_while(|&prime| prime <= group.len()) {
        let mut at_least = Vec::new();
        let mut power = prime;
        while rest.is_multiple_of(prime) {
            let ratio = killed(power) / killed(power / prime);
            rest /= ratio;
            at_least.push(ratio.ilog(prime) as usize);
            power *= prime;
        }
        for (k, &number) in at_least.iter().enumerate() {
            let more = at_least.get(k + 1).copied().unwrap_or(0);
            let order = (prime as u64).pow(k as u32 + 1);
            factors.extend(std::iter::repeat_n(order, number - more));
        }
    }
    factors.sort_unstable();
    factors
}

/// Whether a reduced monoid is that of Nim, and how its kernel is won.
///
/// The quotient T(n) of the Nim heaps below 2^n, n ≥ 2, has the elements 1 and a with a² = 1 beside a kernel of 2^n
/// elements, each its own inverse, in which a stands for a heap of 1; its P-portion is a and the kernel's identity.
pub fn kind(monoid: &Monoid) -> Kind {
    let kernel = kernel(monoid);
    let lost = kernel.elements.iter().filter(|&&x| monoid.is_lost(x));
    let regular = lost.count() == 1;
    let normal = regular && monoid.is_lost(kernel.identity);
    let tame = match monoid.order() {
        1 => Some(0),
        2 => Some(1),
        order => {
            let outside: Vec<Element> = (monoid.elements())
                .filter(|x| !kernel.elements.contains(x))
                .collect();
            let stands_for_one = |a: Element| {
                monoid.times(a, a) == 0
                    && monoid.is_lost(a)
                    && normal
                    && monoid.times(a, kernel.identity) != kernel.identity
                    && kernel.factors.iter().all(|&factor| factor == 2)
            };
            match outside[..] {
                [0, a] if stands_for_one(a) => Some((order - 2).ilog2()),
                _ => None,
            }
        }
    };
    Kind {
        tame,
        regular,
        normal,
    }
}

/// The classes of elements that divide one another, and for each the classes next above it: those that it divides
/// with none between. Both in the order of their least elements.
pub fn divisibility(monoid: &Monoid) -> (Vec<Vec<Element>>, Vec<Vec<usize>>) {
    let mut classes: Vec<Vec<Element>> = Vec::new();
    let mut multiples: Vec<Bits> = Vec::new();
    let mut class_of = HashMap::new();
    for x in monoid.elements() {
        let products = monoid.row(x).iter();
        let all = Bits::of(monoid.order(), products.map(|&product| product.into()));
        let class = *class_of.entry(all.clone()).or_insert_with(|| {
            classes.push(Vec::new());
            multiples.push(all);
            classes.len() - 1
        });
        classes[class].push(x);
    }
    let divides = |a: usize, b: usize| a != b && multiples[a].has(classes[b][0].into());
    let all = 0..classes.len();
    let next = |a: usize| {
        let above: Vec<usize> = all.clone().filter(|&b| divides(a, b)).collect();
        let nearest = |&b: &usize| !above.iter().any(|&between| divides(between, b));
        above.iter().copied().filter(|b| nearest(b)).collect()
    };
    let next = all.clone().map(next).collect();
    (classes, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The product of cyclic groups of these orders, as a monoid: an element is a number whose digits are those of its factors.
    fn group(orders: &[usize]) -> Monoid {
        let weight = |at: usize| orders[..at].iter().product::<usize>();
        let digit = |x: usize, at: usize| x / weight(at) % orders[at];
        let next = |x: Element, at: usize| {
            let rest = usize::from(x) - digit(x.into(), at) * weight(at);
            (rest + (digit(x.into(), at) + 1) % orders[at] * weight(at)) as Element
        };
        let size = weight(orders.len());
        let made = (1..size).map(|x| {
            let at = (0..orders.len()).find(|&at| digit(x, at) > 0).unwrap();
            ((x - weight(at)) as Element, at)
        });
        Monoid::of_generators(&made.collect::<Vec<_>>(), next, Bits::none(size))
    }

    #[test]
    fn groups_are_told_by_their_factors() {
        for orders in [
            &[][..],
            &[2],
            &[4],
            &[2, 2],
            &[8],
            &[2, 4],
            &[2, 2, 2],
            &[9],
            &[3, 3],
            &[2, 3],
            &[4, 4, 3],
            &[2, 4, 8],
            &[2, 2, 9],
            &[5, 25],
        ] {
            let kernel = kernel(&group(orders));
            assert_eq!(kernel.identity, 0);
            let mut orders: Vec<u64> = orders.iter().map(|&order| order as u64).collect();
            orders.sort_unstable();
            assert_eq!(kernel.factors, orders);
        }
    }
}
