//! Guesses who wins a sum with an atom that the proved quotient doesn't cover yet.
//!
//! The relations of the quotient of the earlier atoms mostly hold beside the new atom too. So a sum is replaced by its normal
//! form under these relations: there are few normal forms, and each is judged once, by its options. Relations that fail are
//! dropped, see `mending`. A belief is only a guess for the proof; with no relation left, this is plain search.
//!
//! Cost: the normal forms met, times the options of each.

use super::heaps::Atom;
use super::memory::{allocated, allocated_sums};
use super::normal::{Normal, NormalForms, Relation, relations};
use super::quotient::Quotient;
use super::rules::Rules;
use crate::exhaustive::{self, Budget, Limit, Memo, Step};
use std::sync::Arc;

/// The beliefs about sums of the atoms that a proved quotient covers, and of the next atom.
#[derive(Debug)]
pub struct Beliefs {
    proved: Arc<Quotient>,
    pub(super) forms: NormalForms,
    pub(super) relations: Vec<Relation>,
    /// The options of each atom.
    pub(super) options: Vec<Vec<Vec<Atom>>>,
    /// The normal forms of each atom's options, each once.
    leads: Vec<Vec<Normal>>,
    /// Whether each normal form is believed to be lost, if it was judged.
    lost: Vec<Option<bool>>,
    /// The bytes that the relations and the options take.
    listed: u64,
}

/// How many steps a normal form takes beside its options, and how many a sum takes that is rewritten for the first time.
const NEW_FORM: u64 = 16;
const FOUND: u64 = 8;

/// The most bytes that the outcome of one normal form takes while the list of outcomes grows.
const LOST_BYTES: u64 = 3;

/// A normal form being judged.
pub struct Frame {
    normal: Normal,
    /// The part of the normal form up to the atom that is played, all of the form without one of that atom, and the next
    /// option.
    part: Normal,
    rest: Normal,
    option: usize,
}

impl Beliefs {
    /// The beliefs that follow from what is proved, for one atom more.
    pub fn untried(proved: Arc<Quotient>, rules: &mut Rules<'_>) -> Beliefs {
        let new = proved.covered() as Atom + 1;
        let mut beliefs = Beliefs {
            forms: NormalForms::new(0, &[]),
            relations: relations(&proved),
            options: (1..=new).map(|atom| rules.options(atom)).collect(),
            leads: Vec::new(),
            lost: Vec::new(),
            listed: 0,
            proved,
        };
        beliefs.begin();
        beliefs
    }

    /// Like [`Beliefs::untried`], without the relations that fail beside the new atom and sums that tell elements apart.
    pub fn new(
        proved: Arc<Quotient>,
        rules: &mut Rules<'_>,
        tests: &[Vec<Atom>],
        budget: &Budget<'_>,
    ) -> Result<Beliefs, Limit> {
        let mut beliefs = Beliefs::untried(proved, rules);
        let new = beliefs.options.len() as Atom;
        for test in tests {
            let beside = [&test[..], &[new]].concat();
            while beliefs.try_relations(&beside, budget)? {}
        }
        Ok(beliefs)
    }

    /// Forgets all that was judged, and begins with the relations left.
    pub(super) fn begin(&mut self) {
        self.forms = NormalForms::new(self.options.len(), &self.relations);
        self.lost = Vec::new();
        self.leads.clear();
        for options in &self.options {
            let forms = options.iter().map(|option| self.forms.plus(0, option));
            let mut forms: Vec<Normal> = forms.collect();
            forms.sort_unstable();
            forms.dedup();
            self.leads.push(forms);
        }
        // A relation is also listed at each of its atoms, and an option as its normal form.
        let relation = |relation: &Relation| {
            let sums = allocated_sums([&relation.greater, &relation.lesser]);
            sums * (2 + relation.greater.len() as u64)
        };
        self.listed = self.relations.iter().map(relation).sum();
        let options = self.options.iter().flatten();
        self.listed += allocated_sums(options)
            + 2 * allocated::<Normal>(self.leads.iter().map(Vec::len).sum());
    }

    /// Whether a sum is believed to be a P-position; for sums that the proved quotient covers this is proved.
    pub fn is_lost(&mut self, sum: &[Atom], budget: &Budget<'_>) -> Result<bool, Limit> {
        let normal = self.forms.plus(0, sum);
        self.judge(normal, budget)
    }

    /// Like [`Beliefs::is_lost`], by the options of the sum itself and not of its normal form.
    pub(super) fn by_options(&mut self, sum: &[Atom], budget: &Budget<'_>) -> Result<bool, Limit> {
        if let Some(element) = self.proved.element(sum) {
            return Ok(self.proved.monoid.is_lost(element));
        }
        for (at, &atom) in sum.iter().enumerate() {
            if at > 0 && sum[at - 1] == atom {
                continue;
            }
            let rest = [&sum[..at], &sum[at + 1..]].concat();
            let rest = self.forms.plus(0, &rest);
            budget.spend(NEW_FORM)?;
            for number in 0..self.leads[atom as usize - 1].len() {
                let option = self.leads[atom as usize - 1][number];
                let left = self.forms.add(rest, option);
                self.spend(budget)?;
                if self.judge(left, budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether a normal form was judged to be lost.
    fn known(&mut self, normal: Normal) -> Option<bool> {
        let at = normal as usize;
        if at >= self.lost.len() {
            self.lost.resize(self.forms.len(), None);
        }
        if self.lost[at].is_none() {
            if self.forms.greatest(normal) as usize > self.proved.covered() {
                return None;
            }
            let element = self.proved.element(&self.forms.sum(normal))?;
            self.lost[at] = Some(self.proved.monoid.is_lost(element));
        }
        self.lost[at]
    }

    /// Whether a normal form is believed to be lost.
    pub(super) fn judge(&mut self, normal: Normal, budget: &Budget<'_>) -> Result<bool, Limit> {
        if let Some(lost) = self.known(normal) {
            return Ok(lost);
        }
        let first = self.frame(normal);
        exhaustive::answer(self, budget, first, |beliefs, frame, _| {
            beliefs.advance(frame, budget)
        })
    }

    fn frame(&mut self, normal: Normal) -> Frame {
        let mut frame = Frame {
            normal,
            part: 0,
            rest: 0,
            option: 0,
        };
        self.play_in(&mut frame, normal);
        frame
    }

    /// Continues with the options of the greatest atom of a part.
    fn play_in(&mut self, frame: &mut Frame, part: Normal) {
        (frame.part, frame.option) = (part, 0);
        if part != 0 {
            let atom = self.forms.greatest(part);
            frame.rest = self.forms.without(frame.normal, atom);
        }
    }

    /// Counts the steps of a look at an option, and checks that there is room for what the look has added.
    fn spend(&mut self, budget: &Budget<'_>) -> Result<(), Limit> {
        let found = self.forms.take_found();
        budget.spend(1 + FOUND * found)?;
        match found {
            0 => Ok(()),
            _ => budget.check_memory(self.memory()),
        }
    }

    /// Goes through the options from the greatest atom's on, up to the first that decides the form or wasn't judged.
    fn advance(
        &mut self,
        frame: &mut Frame,
        budget: &Budget<'_>,
    ) -> Result<Step<Frame, bool>, Limit> {
        budget.spend(NEW_FORM)?;
        while frame.part != 0 {
            let atom = self.forms.greatest(frame.part);
            let Some(&option) = self.leads[atom as usize - 1].get(frame.option) else {
                self.play_in(frame, self.forms.before(frame.part));
                continue;
            };
            let left = self.forms.add(frame.rest, option);
            self.spend(budget)?;
            match self.known(left) {
                Some(true) => return Ok(Step::Answered(false)),
                Some(false) => frame.option += 1,
                None => return Ok(Step::Into(self.frame(left))),
            }
        }
        Ok(Step::Answered(true))
    }
}

impl Memo<Frame> for Beliefs {
    type Answer = bool;

    fn memory(&self) -> u64 {
        self.listed + self.forms.memory() + self.forms.len() as u64 * LOST_BYTES
    }

    fn memory_of(_: &Frame) -> u64 {
        size_of::<Frame>() as u64
    }

    fn keep(&mut self, frame: Frame, lost: bool, _: &Budget<'_>) -> Result<(), Limit> {
        self.lost[frame.normal as usize] = Some(lost);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::heaps::Heaps;
    use super::super::learner::{Learner, Oracle};
    use super::super::search::Search;
    use super::*;
    use crate::analysis::HeapGame;
    use crate::exhaustive::Limits;
    use std::collections::HashMap;

    /// Gives the quotients of the heaps before the last and of all, if the last is an atom.
    fn learnt(
        game: &str,
        last: u64,
        see: impl FnOnce([&Arc<Quotient>; 2], &mut Rules<'_>, &Budget<'_>),
    ) {
        let game = HeapGame::new(game.parse().unwrap());
        let mut heaps = Heaps::default();
        heaps.reach(game.ruleset(), last, None).unwrap();
        let atoms = heaps.atoms_in(&[last])[0] as usize;
        let values = game.values(last).unwrap();
        let mut rules = Rules::new(game.ruleset(), &values, &mut heaps);
        let limits = Limits {
            positions: 1_000_000,
            memory: 1 << 30,
            watch: None,
        };
        let mut learner = Learner::default();
        let mut cover = |atoms| {
            let mut oracle = Oracle {
                search: &mut Search::default(),
                rules: &mut rules,
                budget: Budget::new(limits, 0),
            };
            learner.cover(&mut oracle, atoms).unwrap();
            assert_eq!(learner.proved().covered(), atoms);
            Arc::new(learner.proved().clone())
        };
        let [before, after] = [atoms - 1, atoms].map(&mut cover);
        see([&before, &after], &mut rules, &Budget::new(limits, 0));
    }

    /// All sums of a few atoms, the least first.
    fn sums(atoms: usize, most: usize) -> Vec<Vec<Atom>> {
        let mut sums = vec![Vec::new()];
        let mut first = 0;
        for _ in 0..most {
            let longer = sums[first..].iter().flat_map(|sum: &Vec<Atom>| {
                let from = sum.last().copied().unwrap_or(1);
                (from..=atoms as Atom).map(move |atom| [&sum[..], &[atom]].concat())
            });
            let longer: Vec<Vec<Atom>> = longer.collect();
            first = sums.len();
            sums.extend(longer);
        }
        sums.sort_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
        sums
    }

    #[test]
    fn wrong_beliefs_are_mended() {
        // These are quotients of which some relations fail beside the next heap.
        let mut times = Vec::new();
        for (game, last, most) in [("0.37", 15, 7), ("0.07", 25, 5), ("0.16", 12, 6)] {
            learnt(game, last, |[before, after], rules, budget| {
                let mut beliefs = Beliefs::untried(Arc::clone(before), rules);
                let sums = sums(after.covered(), most);
                let wrong = |beliefs: &mut Beliefs| {
                    let truth = |sum| after.monoid.is_lost(after.element(sum).unwrap());
                    let wrong = sums
                        .iter()
                        .filter(|sum| beliefs.is_lost(sum, budget).unwrap() != truth(sum));
                    wrong.count()
                };
                assert!(wrong(&mut beliefs) > 0, "{game}");
                // Each time only the misleading relation is dropped.
                let mut mended = 0;
                while sums.iter().any(|sum| beliefs.mend(sum, budget).unwrap()) {
                    mended += 1;
                }
                assert_eq!(wrong(&mut beliefs), 0, "{game}");
                let all = relations(before).len();
                assert!(0 < mended && mended < all, "{game}: {mended} of {all}");
                times.push(mended);
            });
        }
        assert!(times.iter().any(|&mended| mended > 1), "{times:?}");
    }

    #[test]
    fn sums_of_one_element_have_one_normal_form() {
        for (game, last) in [("0.77", 27), ("0.45", 16), ("0.26", 20), ("4.7", 9)] {
            learnt(game, last, |[before, _], _, _| {
                let mut forms = NormalForms::new(before.covered(), &relations(before));
                let mut normal_of = HashMap::new();
                let sums = sums(before.covered(), 4);
                assert!(forms.beginnings(&sums).iter().all(|&found| found == (0, 0)));
                for sum in &sums {
                    let element = before.element(sum).unwrap();
                    let normal = forms.plus(0, sum);
                    assert_eq!(before.element(&forms.sum(normal)), Some(element), "{game}");
                    assert_eq!(
                        *normal_of.entry(element).or_insert(normal),
                        normal,
                        "{game}"
                    );
                }
                for (sum, found) in sums.iter().zip(forms.beginnings(&sums)) {
                    assert_eq!(found, (forms.plus(0, sum), sum.len()), "{game}");
                }
            });
        }
    }
}
