//! Learns the misère quotient of more and more atoms, and proves each.
//!
//! The elements are guessed as the states of a finite automaton are from its words: by tests, sums that are laid beside
//! others to see who wins (Angluin, *Learning regular sets from queries and counterexamples*, Inf. Comput. 75, 1987,
//! pp. 87-106). The guess is put to the proof. What fails there names a sum whose outcome and those of its options
//! don't fit; the search says which of them is wrong, and it is traced to a word and its element that need one test
//! more (Rivest and Schapire, *Inference of finite automata using homing sequences*, Inf. Comput. 103, 1993, section
//! 4.5). Each test parts elements that were one, so it ends where the quotient is finite and within the limits. What
//! is proved has as many elements as the quotient itself, for the tests tell any two apart.
//!
//! Cost: as many searches as words asked about times tests; the rows of answers are kept for all later guesses.

use super::bits::Bits;
use super::heap_quotient::{Growth, HeapQuotient};
use super::heaps::{Atom, normalise};
use super::monoid::{Element, MOST_ELEMENTS, Monoid};
use super::proof::{Flaw, Letter, QuotientProof};
use super::quotient::Quotient;
use super::search::{Limits, Rules, Search, Stopped};
use super::words::{Told, Word, Words, with};
use crate::outcome::Outcome;
use std::collections::HashMap;

/// What is learnt of the elements.
#[derive(Debug, Default)]
pub struct Learner {
    /// The quotient proved last, and its proof.
    proved: Quotient,
    proof: QuotientProof,
    /// Atoms that no sum of earlier ones is like.
    generators: Vec<Atom>,
    /// The sums of generators of the quotient proved that are equal to lesser ones, with their elements.
    relations: Vec<(Vec<Atom>, Element)>,
    /// Sums that tell elements apart; the first is empty.
    tests: Vec<Vec<Atom>>,
    /// The answers of sums to the tests: whether they are lost beside each.
    rows: HashMap<Vec<Atom>, Vec<bool>>,
    /// Why the next atom is out of reach.
    ended: Option<Stopped>,
    /// For each atom proved, how many elements the quotient up to it has, and how many of them are lost.
    growth: Vec<(usize, usize)>,
}

/// Why the next atom was not covered.
enum Failure {
    /// A test was found that tells apart what was taken for one element, or a generator.
    Refined,
    Stopped(Stopped),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Failure {
        Failure::Stopped(stopped)
    }
}

/// Who is asked for the outcome of a sum.
pub struct Oracle<'a, 'g> {
    pub search: &'a mut Search,
    pub rules: &'a mut Rules<'g>,
    pub limits: &'a Limits<'a>,
    /// How many questions were put.
    pub asked: u64,
}

/// How many questions come between two looks at the limits, and how many may be put for a position allowed: most
/// have been answered before.
const CHECK_QUESTIONS: u64 = 1 << 14;
const QUESTIONS_PER_POSITION: u64 = 20;

impl Oracle<'_, '_> {
    /// Whether the sum of these atoms is a P-position.
    fn is_lost(&mut self, proved: &Quotient, parts: &[&[Atom]]) -> Result<bool, Stopped> {
        self.asked += 1;
        if self.asked.is_multiple_of(CHECK_QUESTIONS) {
            if self.asked / QUESTIONS_PER_POSITION >= self.limits.positions {
                return Err(Stopped::Positions);
            }
            self.limits.tell(self.search.positions())?;
        }
        let mut atoms = parts.concat();
        normalise(&mut atoms);
        let outcome = (self.search).outcome(self.rules, proved, atoms, self.limits)?;
        Ok(outcome == Outcome::P)
    }
}

impl Learner {
    /// The quotient, as far as it is proved.
    pub fn proved(&self) -> &Quotient {
        &self.proved
    }

    /// What a report of the quotient takes from it: `heaps` stands for the atoms, `elements` are those of the heaps.
    pub fn report(
        &self,
        heap_of: impl Fn(Atom) -> u64,
        elements: Vec<Element>,
        growth: Vec<Growth>,
    ) -> HeapQuotient {
        let generators: Vec<Atom> = (self.proved.sums.iter())
            .filter_map(|sum| <[Atom; 1]>::try_from(sum.as_slice()).ok())
            .map(|[atom]| atom)
            .collect();
        let letter = |atom: &Atom| generators.partition_point(|before| before < atom) as u16;
        let word = |sum: &Vec<Atom>| sum.iter().map(letter).collect();
        let relations = self.relations.iter();
        HeapQuotient {
            monoid: self.proved.monoid.clone(),
            words: self.proved.sums.iter().map(word).collect(),
            relations: relations
                .map(|(sum, element)| (word(sum), *element))
                .collect(),
            generators: generators.iter().map(|&atom| heap_of(atom)).collect(),
            pairs: self.proof.pairs,
            period: None,
            beyond: None,
            elements,
            growth,
        }
    }

    /// For each atom proved, the order and the P-portion's size of the quotient of the atoms up to it.
    pub fn growth(&self) -> &[(usize, usize)] {
        &self.growth
    }

    /// Why the atom after those proved is out of reach, if it was tried.
    pub fn ended(&self) -> Option<Stopped> {
        self.ended
    }

    /// Covers the first `atoms` atoms, or as many as can be.
    ///
    /// # Errors
    /// If a search is interrupted.
    pub fn cover(&mut self, oracle: &mut Oracle<'_, '_>, atoms: usize) -> Result<(), Stopped> {
        while self.proved.covered() < atoms && self.ended.is_none() {
            match self.attempt(oracle) {
                Ok(()) => {
                    let monoid = &self.proved.monoid;
                    let lost = monoid.losing().iter().count();
                    self.growth.push((monoid.order(), lost));
                }
                Err(Failure::Refined) => {}
                Err(Failure::Stopped(Stopped::Interrupted)) => return Err(Stopped::Interrupted),
                Err(Failure::Stopped(stopped)) => self.ended = Some(stopped),
            }
        }
        Ok(())
    }

    /// Guesses the elements of the atoms covered and the next one, and proves that they are right.
    fn attempt(&mut self, oracle: &mut Oracle<'_, '_>) -> Result<(), Failure> {
        if self.tests.is_empty() {
            self.tests.push(Vec::new());
        }
        if self.like_another(oracle) {
            return Ok(());
        }
        let last = self.proved.covered() as Atom + 1;
        let mut elements = HashMap::from([(self.row(oracle, &[])?, 0)]);
        let words = self.words(oracle, &mut elements)?;
        let mut atoms = Vec::new();
        for atom in 1..=last {
            match elements.get(&self.row(oracle, &[atom])?) {
                Some(&element) => atoms.push(element),
                None => {
                    let at = self.generators.partition_point(|&before| before < atom);
                    self.generators.insert(at, atom);
                    return Err(Failure::Refined);
                }
            }
        }
        if let Some((element, [a, b])) = words.disorder() {
            return Err(self.settle(oracle, &words, element, [a, b])?);
        }
        let mut losing = Bits::none(words.order());
        for (_, &element) in elements.iter().filter(|(row, _)| row[0]) {
            losing.insert(element.into());
        }
        let next = |element, generator| words.next(element, generator);
        let quotient = Quotient {
            atoms,
            monoid: Monoid::of_generators(&words.made(), next, losing),
            sums: (words.words.iter()).map(|word| self.sum_of(word)).collect(),
        };
        let letters: Vec<Letter> = (1..=last)
            .map(|atom| quotient.letter(oracle.rules, atom))
            .collect();
        let go_on = || oracle.limits.tell(oracle.search.positions()).is_ok();
        let sum = match QuotientProof::new(&quotient.monoid, &letters, &go_on) {
            Ok(proof) => {
                (self.proved, self.proof) = (quotient, proof);
                let relations = words.relations.iter();
                self.relations = relations
                    .map(|(word, element)| (self.sum_of(word), *element))
                    .collect();
                return Ok(());
            }
            Err(Flaw::Interrupted) => return Err(Stopped::Interrupted.into()),
            Err(Flaw::Ended(heap)) => vec![heap as Atom + 1],
            Err(Flaw::Both { heap, others }) => {
                let others = &quotient.sums[usize::from(others)];
                [others.as_slice(), &[heap as Atom + 1]].concat()
            }
            Err(Flaw::Stuck(heaps)) => heaps.iter().map(|&heap| heap as Atom + 1).collect(),
        };
        Err(self.contradict(oracle, &quotient, &words, sum)?)
    }

    /// Takes in the next atom if some element, with its options, is nothing new: then no question need be asked.
    fn like_another(&mut self, oracle: &mut Oracle<'_, '_>) -> bool {
        let atom = self.proved.covered() as Atom + 1;
        let mut letter = self.proved.letter(oracle.rules, atom);
        for element in self.proved.monoid.elements() {
            letter.element = element;
            if self.proof.admits(&self.proved.monoid, &letter) {
                self.proved.atoms.push(element);
                return true;
            }
        }
        false
    }

    /// The elements that the generators make, and by their rows.
    fn words(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        elements: &mut HashMap<Vec<bool>, Element>,
    ) -> Result<Words, Stopped> {
        Words::find(self.generators.len(), |word| {
            let row = self.row(oracle, &self.sum_of(word))?;
            if let Some(&element) = elements.get(&row) {
                return Ok(Told::Known(element));
            }
            let order = elements.len();
            if order == MOST_ELEMENTS || Monoid::bytes(order + 1) > oracle.limits.memory / 2 {
                return Err(Stopped::Elements);
            }
            elements.insert(row, order as Element);
            Ok(Told::New)
        })
    }

    fn sum_of(&self, word: &[u16]) -> Vec<Atom> {
        let atom = |&letter: &u16| self.generators[usize::from(letter)];
        word.iter().map(atom).collect()
    }

    /// The answers of a sum to all tests.
    fn row(&mut self, oracle: &mut Oracle<'_, '_>, sum: &[Atom]) -> Result<Vec<bool>, Stopped> {
        let known = self.rows.get(sum).map_or(0, Vec::len);
        let mut answers = Vec::new();
        for test in &self.tests[known..] {
            answers.push(oracle.is_lost(&self.proved, &[sum, test])?);
        }
        let row = self.rows.entry(sum.to_vec()).or_default();
        row.extend(answers);
        Ok(row.clone())
    }

    /// Adds a test, knowing that two orders of generators lead from one element to different ones.
    fn settle(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        words: &Words,
        element: Element,
        [a, b]: [u16; 2],
    ) -> Result<Failure, Stopped> {
        let end = |[first, second]: [u16; 2]| {
            words.next(words.next(element, first.into()), second.into())
        };
        let [one, other] =
            [[a, b], [b, a]].map(|way| self.sum_of(&words.words[usize::from(end(way))]));
        for test in self.tests.clone() {
            if self.differ(oracle, [&one, &other], &test)? {
                let found = self.refine(oracle, words, element, &[a, b], &test)?;
                return match found {
                    Failure::Refined => Ok(found),
                    _ => self.refine(oracle, words, element, &[b, a], &test),
                };
            }
        }
        Ok(Failure::Stopped(Stopped::Elements))
    }

    /// Whether a test tells two sums apart.
    fn differ(
        &self,
        oracle: &mut Oracle<'_, '_>,
        [one, other]: [&[Atom]; 2],
        test: &[Atom],
    ) -> Result<bool, Stopped> {
        let one = oracle.is_lost(&self.proved, &[one, test])?;
        Ok(one != oracle.is_lost(&self.proved, &[other, test])?)
    }

    /// Follows generators from an element, and traces what first tells a word from that of its element.
    fn refine(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        words: &Words,
        mut element: Element,
        generators: &[u16],
        test: &[Atom],
    ) -> Result<Failure, Stopped> {
        for (number, &generator) in generators.iter().enumerate() {
            let word = with(&words.words[usize::from(element)], generator);
            let next = words.next(element, generator.into());
            let least = self.sum_of(&words.words[usize::from(next)]);
            let test = [&self.sum_of(&generators[number + 1..]), test].concat();
            if self.differ(oracle, [&self.sum_of(&word), &least], &test)? {
                return self.trace(oracle, words, word, test);
            }
            element = next;
        }
        Ok(Failure::Stopped(Stopped::Elements))
    }

    /// Adds a test, knowing one that tells a word from the least word of its element: that one, if the word was
    /// asked about, or what it makes of the relation that the element followed from.
    fn trace(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        words: &Words,
        mut word: Word,
        mut test: Vec<Atom>,
    ) -> Result<Failure, Stopped> {
        while let Some(claim) = words.claim(&word) {
            let Some(letter) = claim.but else {
                return Ok(self.add_test(test));
            };
            let mut part = word.clone();
            part.retain({
                let mut taken = false;
                move |&each| taken || each != letter || std::mem::replace(&mut taken, true)
            });
            let Some(of_part) = words.claim(&part) else {
                break;
            };
            let lesser = with(&words.words[usize::from(of_part.element)], letter);
            if self.differ(oracle, [&self.sum_of(&word), &self.sum_of(&lesser)], &test)? {
                test.push(self.generators[usize::from(letter)]);
                word = part;
            } else {
                word = lesser;
            }
        }
        Ok(Failure::Stopped(Stopped::Elements))
    }

    fn add_test(&mut self, mut test: Vec<Atom>) -> Failure {
        normalise(&mut test);
        if self.tests.contains(&test) {
            return Failure::Stopped(Stopped::Elements);
        }
        self.tests.push(test);
        Failure::Refined
    }

    /// Adds a test, knowing that the elements of a sum and of its options can't all be right.
    fn contradict(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        quotient: &Quotient,
        words: &Words,
        sum: Vec<Atom>,
    ) -> Result<Failure, Stopped> {
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
            if oracle.is_lost(&self.proved, &[&sum])? != quotient.monoid.is_lost(element) {
                return self.refine_sum(oracle, quotient, words, sum);
            }
        }
        Ok(Failure::Stopped(Stopped::Elements))
    }

    /// Adds a test, knowing that the element of a sum says the wrong outcome.
    fn refine_sum(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        quotient: &Quotient,
        words: &Words,
        mut sum: Vec<Atom>,
    ) -> Result<Failure, Stopped> {
        let mut generators = Vec::new();
        while let Some(atom) = sum.pop() {
            if let Ok(letter) = self.generators.binary_search(&atom) {
                generators.push(letter as u16);
                continue;
            }
            let least = &words.words[usize::from(quotient.atoms[atom as usize - 1])];
            let test = [sum.as_slice(), &self.sum_of(&generators)].concat();
            if self.differ(oracle, [&[atom], &self.sum_of(least)], &test)? {
                return Ok(self.add_test(test));
            }
            generators.extend(least);
        }
        self.refine(oracle, words, 0, &generators, &[])
    }
}
