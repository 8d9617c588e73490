//! Finds out why a guess of the quotient is wrong: a test that separates sums taken for one element, or a belief to drop. Each
//! step says whether it has found one. Where none is found, the quotient is out of reach as if it had too many elements.

use super::elements::{Elements, Word, with};
use super::heaps::{Atom, normalise};
use super::learner::{Learner, Oracle};
use super::monoid::Element;
use super::quotient::Quotient;
use crate::exhaustive::Limit;

/// For each test, how many elements there may be before the elements are found again; one test more is always allowed.
const ELEMENTS_PER_TEST: usize = 64;

/// How many disorders are looked at for each test that may be added.
const DISORDERS_PER_TEST: usize = 16;

impl Learner {
    /// Adds tests, given that products of generators in different orders lead from some elements to different ones.
    pub(super) fn settle(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        elements: &Elements,
    ) -> Result<(), Limit> {
        self.fresh = self.tests.len();
        let most = 1 + elements.order() / ELEMENTS_PER_TEST;
        for (element, ways) in elements.disorder().take(DISORDERS_PER_TEST * most) {
            self.settle_one(oracle, elements, element, ways)?;
            if self.tests.len() >= self.fresh + most {
                break;
            }
        }
        found(self.tests.len() > self.fresh)
    }

    /// Adds a test unless a fresh one will do: two orders of generators lead from an element to different ones.
    fn settle_one(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        elements: &Elements,
        element: Element,
        [a, b]: [u16; 2],
    ) -> Result<bool, Limit> {
        let end = |[first, second]: [u16; 2]| {
            elements.next(elements.next(element, first.into()), second.into())
        };
        let [one, other] =
            [[a, b], [b, a]].map(|way| self.sum_of(&elements.words[usize::from(end(way))]));
        let (one, other) = (self.row(oracle, &one)?, self.row(oracle, &other)?);
        let Some(test) = one.iter().zip(&other).position(|(one, other)| one != other) else {
            return Ok(false);
        };
        let test = self.tests[test].clone();
        Ok(self.refine(oracle, elements, element, &[a, b], &test)?
            || self.refine(oracle, elements, element, &[b, a], &test)?)
    }

    /// Whether a test tells two sums apart.
    fn differ(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        [one, other]: [&[Atom]; 2],
        test: &[Atom],
    ) -> Result<bool, Limit> {
        let one = self.is_lost(oracle, [one, test])?;
        Ok(one != self.is_lost(oracle, [other, test])?)
    }

    /// Follows generators from an element, and traces the first difference between a word and the word of its element.
    fn refine(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        elements: &Elements,
        mut element: Element,
        generators: &[u16],
        test: &[Atom],
    ) -> Result<bool, Limit> {
        for (number, &generator) in generators.iter().enumerate() {
            let word = with(&elements.words[usize::from(element)], generator);
            let next = elements.next(element, generator.into());
            let least = self.sum_of(&elements.words[usize::from(next)]);
            let test = [&self.sum_of(&generators[number + 1..]), test].concat();
            if self.differ(oracle, [&self.sum_of(&word), &least], &test)? {
                return self.trace(oracle, elements, word, test);
            }
            element = next;
        }
        Ok(false)
    }

    /// Adds a test, given one that tells a word from the least word of its element: that test itself if the tests were asked
    /// about the word, else the test that follows for the relation from which the element was derived.
    fn trace(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        elements: &Elements,
        mut word: Word,
        mut test: Vec<Atom>,
    ) -> Result<bool, Limit> {
        while let Some(claim) = elements.claim(&word) {
            let Some(letter) = claim.but else {
                let least = self.sum_of(&elements.words[usize::from(claim.element)]);
                for at in self.fresh..self.tests.len() {
                    let fresh = self.tests[at].clone();
                    if self.differ(oracle, [&self.sum_of(&word), &least], &fresh)? {
                        return Ok(true);
                    }
                }
                return Ok(self.add_test(test));
            };
            let mut part = word.clone();
            if let Some(at) = part.iter().position(|&each| each == letter) {
                part.remove(at);
            }
            let Some(of_part) = elements.claim(&part) else {
                break;
            };
            let lesser = with(&elements.words[usize::from(of_part.element)], letter);
            if self.differ(oracle, [&self.sum_of(&word), &self.sum_of(&lesser)], &test)? {
                test.push(self.generators[usize::from(letter)]);
                word = part;
            } else {
                word = lesser;
            }
        }
        Ok(false)
    }

    fn add_test(&mut self, mut test: Vec<Atom>) -> bool {
        normalise(&mut test);
        let is_new = !self.tests.contains(&test);
        if is_new {
            self.tests.push(test);
        }
        is_new
    }

    /// Adds a test, knowing that the elements of a sum and of its options can't all be right.
    pub(super) fn contradict(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        quotient: &Quotient,
        elements: &Elements,
        mut sum: Vec<Atom>,
    ) -> Result<(), Limit> {
        self.fresh = self.tests.len();
        sum.sort_unstable();
        let mut sums = vec![sum.clone()];
        for (index, &atom) in sum.iter().enumerate() {
            let others = [&sum[..index], &sum[index + 1..]].concat();
            for option in oracle.rules.options(atom) {
                sums.push([others.as_slice(), &option].concat());
            }
        }
        for mut sum in sums {
            normalise(&mut sum);
            let Some(element) = quotient.element(&sum) else {
                break;
            };
            if self.is_lost(oracle, [&sum, &[]])? != quotient.monoid.is_lost(element) {
                return found(self.refine_sum(oracle, quotient, elements, sum)?);
            }
        }
        found(self.mend(oracle, &sum)?)
    }

    /// Adds a test, knowing that the element of a sum says the wrong outcome.
    fn refine_sum(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        quotient: &Quotient,
        elements: &Elements,
        mut sum: Vec<Atom>,
    ) -> Result<bool, Limit> {
        let mut generators = Vec::new();
        while let Some(atom) = sum.pop() {
            if let Ok(letter) = self.generators.binary_search(&atom) {
                generators.push(letter as u16);
                continue;
            }
            let least = &elements.words[usize::from(quotient.atoms[atom as usize - 1])];
            let test = [sum.as_slice(), &self.sum_of(&generators)].concat();
            if self.differ(oracle, [&[atom], &self.sum_of(least)], &test)? {
                return Ok(self.add_test(test));
            }
            generators.extend(least);
        }
        self.refine(oracle, elements, 0, &generators, &[])
    }
}

/// The limit that is reached if no test and no belief was found.
fn found(is_found: bool) -> Result<(), Limit> {
    is_found.then_some(()).ok_or(Limit::Elements)
}
