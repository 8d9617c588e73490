//! Finds the relations by which beliefs are wrong.
//!
//! A relation that fails is found by looking at sums before they are rewritten: if a sum and the sum that a relation turns it
//! into don't have equal outcomes, each by its own options, the relation is dropped. The least sum that shows such a difference
//! is right about it, because every option is less. If the outcomes of a sum and its options don't fit, there is such a step on
//! the way of the sum, or of one of its options, to a normal form.

use super::beliefs::Beliefs;
use super::heaps::Atom;
use super::normal::{Relation, minus};
use crate::exhaustive::{Budget, Limit};

impl Beliefs {
    /// Drops the relations that fail beside a sum. Returns whether there were any.
    pub(super) fn try_relations(
        &mut self,
        beside: &[Atom],
        budget: &Budget<'_>,
    ) -> Result<bool, Limit> {
        let mut fail = Vec::new();
        for relation in self.relations.clone() {
            let sum = sorted([&relation.greater[..], beside].concat());
            if self.by_options(&sum, budget)? != self.is_lost(&sum, budget)? {
                fail.extend(self.failing(&sum, budget)?);
            }
        }
        fail.dedup();
        self.drop_relations(&fail);
        Ok(!fail.is_empty())
    }

    /// Drops a relation that makes the outcomes of a sum and its options contradict each other, if there is one.
    pub fn mend(&mut self, sum: &[Atom], budget: &Budget<'_>) -> Result<bool, Limit> {
        let mut failing = self.failing(sum, budget)?;
        for (at, &atom) in sum.iter().enumerate() {
            let rest = [&sum[..at], &sum[at + 1..]].concat();
            for option in self.options[atom as usize - 1].clone() {
                if failing.is_none() {
                    failing = self.failing_option(&rest, &option, budget)?;
                }
            }
        }
        self.drop_relations(failing.as_slice());
        Ok(failing.is_some())
    }

    /// The relation on the way of a sum to its normal form that changes its outcome.
    fn failing(&mut self, sum: &[Atom], budget: &Budget<'_>) -> Result<Option<Relation>, Limit> {
        let way = self.forms.way(sum);
        self.failing_on(way, budget)
    }

    /// Like [`Beliefs::failing`], for an option that is added to the rest of a sum: returns a relation if the option and the rest
    /// together have another outcome than their normal forms together.
    fn failing_option(
        &mut self,
        rest: &[Atom],
        option: &[Atom],
        budget: &Budget<'_>,
    ) -> Result<Option<Relation>, Limit> {
        let whole = sorted([rest, option].concat());
        let normal = self.forms.plus(0, rest);
        let lead = self.forms.plus(0, option);
        let left = self.forms.add(normal, lead);
        if self.judge(left, budget)? == self.is_lost(&whole, budget)? {
            return Ok(None);
        }
        let mut way = self.forms.way(option);
        for (sum, _) in &mut way {
            *sum = sorted([rest, sum].concat()).into();
        }
        way.extend(self.forms.way(&[rest, &self.forms.sum(lead)].concat()));
        match self.failing_on(way, budget)? {
            None => self.failing(&whole, budget),
            found => Ok(found),
        }
    }

    /// The first relation on a way that changes the outcome.
    fn failing_on(
        &mut self,
        way: Vec<(Box<[Atom]>, Relation)>,
        budget: &Budget<'_>,
    ) -> Result<Option<Relation>, Limit> {
        for (sum, relation) in way {
            let outside = minus(&sum, &relation.greater).unwrap_or_default();
            let after = sorted([&outside[..], &relation.lesser].concat());
            if self.by_options(&sum, budget)? != self.by_options(&after, budget)? {
                return Ok(Some(relation));
            }
        }
        Ok(None)
    }

    fn drop_relations(&mut self, dropped: &[Relation]) {
        if !dropped.is_empty() {
            self.relations
                .retain(|relation| !dropped.contains(relation));
            self.begin();
        }
    }
}

fn sorted(mut sum: Vec<Atom>) -> Vec<Atom> {
    sum.sort_unstable();
    sum
}
