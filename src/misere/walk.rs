//! The walk that would find a sum without a winning move, see `proof`.
//!
//! Cost: for each pair (p, s) that the walk comes to, the elements that each step can turn s into.

use super::bits::Bits;
use super::monoid::{Element, Monoid};
use super::stuck::Stuck;
use std::collections::HashMap;

/// How many pairs are gone through between two looks at the watch.
const CHECK_PAIRS: usize = 1 << 14;

/// The walk through the pairs (p, s).
pub struct Walk<'m> {
    monoid: &'m Monoid,
    steps: Vec<Step<'m>>,
}

/// The steps of the heaps of an element.
struct Step<'m> {
    element: Element,
    stuck: &'m Bits,
    /// For each element t, the elements s with `element` s = t: their beginnings in `quotients`, and `quotients` itself.
    starts: Vec<u32>,
    quotients: Vec<Element>,
}

impl Step<'_> {
    fn quotients(&self, of: Element) -> &[Element] {
        let at = usize::from(of);
        &self.quotients[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

impl<'m> Walk<'m> {
    /// The walk with these steps: the elements of heaps, each with the elements beside which its heaps are stuck.
    pub fn new(monoid: &'m Monoid, stuck: &'m Stuck) -> Walk<'m> {
        let steps = stuck
            .iter()
            .map(|(element, stuck)| {
                let row = monoid.row(element);
                let mut starts = vec![0u32; monoid.order() + 1];
                row.iter()
                    .for_each(|&product| starts[usize::from(product) + 1] += 1);
                for at in 0..monoid.order() {
                    starts[at + 1] += starts[at];
                }
                let mut ends = starts.clone();
                let mut quotients = vec![0; monoid.order()];
                for (quotient, &product) in monoid.elements().zip(row) {
                    let end = &mut ends[usize::from(product)];
                    quotients[*end as usize] = quotient;
                    *end += 1;
                }
                Step {
                    element,
                    stuck,
                    starts,
                    quotients,
                }
            })
            .collect();
        Walk { monoid, steps }
    }

    /// Goes through all pairs, the nearest first, and returns how many there are. The error is the list of pairs up to one that
    /// ends a walk, or `None` if the work was stopped.
    pub fn go(
        &self,
        go_on: &dyn Fn(usize) -> bool,
    ) -> Result<usize, Option<Vec<(Element, Element)>>> {
        let order = self.monoid.order();
        let mut seen: Vec<Bits> = vec![Bits::none(order); order];
        let mut pairs: Vec<(Element, Element)> = Vec::new();
        for x in self.monoid.elements().filter(|&x| !self.monoid.is_lost(x)) {
            seen[0].insert(x.into());
            pairs.push((0, x));
        }
        let (mut at, mut tried) = (0, 0);
        while let Some(&(before, rest)) = pairs.get(at) {
            at += 1;
            if at.is_multiple_of(CHECK_PAIRS) && !go_on(std::mem::take(&mut tried)) {
                return Err(None);
            }
            let row = self.monoid.row(before);
            for step in &self.steps {
                let quotients = step.quotients(rest);
                tried += quotients.len() + 1;
                for &after in quotients {
                    if !step.stuck.has(row[usize::from(after)].into()) {
                        continue;
                    }
                    let taken = row[usize::from(step.element)];
                    if after == 0 {
                        pairs.truncate(at);
                        pairs.push((taken, after));
                        return Err(Some(pairs));
                    }
                    if seen[usize::from(taken)].insert(after.into()) {
                        pairs.push((taken, after));
                    }
                }
            }
        }
        Ok(pairs.len())
    }

    /// The heaps' elements on the way to the last of these pairs, each with the product of the others.
    pub fn back(&self, pairs: &[(Element, Element)]) -> Vec<(Element, Element)> {
        let met: HashMap<_, usize> = pairs[..pairs.len() - 1]
            .iter()
            .enumerate()
            .map(|(at, &pair)| (pair, at))
            .collect();
        let mut way = Vec::new();
        let mut at = pairs.len() - 1;
        loop {
            let (taken, after) = pairs[at];
            let sources = self.steps.iter().flat_map(|step| {
                let rest = self.monoid.times(step.element, after);
                let sources = self.monoid.elements().filter(move |&before| {
                    self.monoid.times(before, step.element) == taken
                        && (step.stuck).has(self.monoid.times(before, after).into())
                });
                let met = &met;
                sources.filter_map(move |before| {
                    let beside = self.monoid.times(before, after);
                    Some((*met.get(&(before, rest))?, step.element, beside))
                })
            });
            let Some((before, element, beside)) = sources.min().filter(|&(before, ..)| before < at)
            else {
                return way;
            };
            way.push((element, beside));
            // The pairs (1, x) are those with which the walks begin.
            if before < self.beginnings() {
                return way;
            }
            at = before;
        }
    }

    fn beginnings(&self) -> usize {
        let elements = self.monoid.elements();
        elements.filter(|&x| !self.monoid.is_lost(x)).count()
    }
}
