//! Learns the misère quotient of more and more atoms, and proves each.
//!
//! The elements are guessed as the states of a finite automaton are from its words: by tests, sums that are laid beside
//! others to see who wins (Angluin, *Learning regular sets from queries and counterexamples*, Inf. Comput. 75, 1987,
//! pp. 87-106). The guess is put to the proof. What fails there names a sum whose outcome and those of its options
//! don't fit; the search says which of them is wrong, and it is traced to a word and its element that need one test
//! more (Rivest and Schapire, *Inference of finite automata using homing sequences*, Inf. Comput. 103, 1993, section
//! 4.5). Each test parts elements that were one, so it ends where the quotient is finite and within the limits; a
//! large guess is given many tests before it is made anew. What is proved has as many elements as the quotient itself, for the
//! tests tell any two apart. Tame atoms need no tests: they are told apart as the Nim heaps that they behave as.
//!
//! Cost: as many searches as words asked about times tests; the rows of answers are kept for all later guesses.

mod answers;

use super::beliefs::Beliefs;
use super::bits::Bits;
use super::elements::{Elements, grown};
use super::heap_quotient::{Growth, HeapQuotient};
use super::heaps::{Atom, Heaps};
use super::memory::{allocated, allocated_sums};
use super::monoid::{Element, MOST_ELEMENTS, Monoid};
use super::normal::least_sums;
use super::options::{HeapElements, OPTIONS_OF_STEP};
use super::proof::{Flaw, Letter, QuotientProof};
use super::quotient::Quotient;
use super::rules::Rules;
use super::search::Search;
use crate::exhaustive::{Budget, Limit, Memo};
use hashbrown::HashMap;
use std::sync::Arc;

/// The state of the learner: the quotient proved so far, and what is known of the next atom.
#[derive(Debug, Default)]
pub struct Learner {
    /// The quotient proved last, and its proof.
    proved: Arc<Quotient>,
    proof: QuotientProof,
    /// The atoms that are like no sum of earlier atoms.
    pub(super) generators: Vec<Atom>,
    /// The sums of generators of the quotient proved that are equal to lesser ones, with their elements.
    relations: Vec<(Vec<Atom>, Element)>,
    /// The beliefs about sums with the next atom, once that atom is tried.
    beliefs: Option<Beliefs>,
    /// The most positions that may be kept before sums are judged by beliefs, once the next atom is tried.
    easy: Option<u64>,
    /// A guess that is proved to say who wins, but that has more elements than necessary.
    known: Option<Quotient>,
    /// Whether all atoms tried are tame, so that no tests are needed.
    tame: bool,
    /// Sums that tell elements apart; the first is empty.
    pub(super) tests: Vec<Vec<Atom>>,
    /// The first of the tests that were added since the elements were found.
    pub(super) fresh: usize,
    /// For each sum asked about, whether it is lost beside each test.
    rows: HashMap<Vec<Atom>, Vec<bool>>,
    /// The bytes that the rows take, but for their table.
    row_bytes: u64,
    /// The bytes that the guess under way takes, and the bytes of the quotients that are proved or known.
    guess_bytes: u64,
    proved_bytes: u64,
    /// Why the next atom is out of reach.
    ended: Option<Limit>,
    /// How many steps of work were done.
    work: u64,
    /// The elements of the heaps by the quotient proved, as far as they were needed.
    heaps: HeapElements,
    /// The sizes of the quotient at the heaps with which it grew.
    growth: Vec<Growth>,
}

/// The game that answers the learner's questions, and the bounds on what learning may cost.
pub struct Oracle<'a, 'g> {
    pub search: &'a mut Search,
    pub rules: &'a mut Rules<'g>,
    pub budget: Budget<'a>,
}

impl Learner {
    /// The quotient, as far as it is proved.
    pub fn proved(&self) -> &Quotient {
        &self.proved
    }

    /// The quotient in the form in which it is given to callers; `elements` are the elements of the heaps.
    pub fn report(&self, heaps: &Heaps, elements: Vec<Element>) -> HeapQuotient {
        let generators: Vec<Atom> = (self.proved.sums.iter())
            .filter_map(|sum| <[Atom; 1]>::try_from(sum.as_slice()).ok())
            .map(|[atom]| atom)
            .collect();
        let letter = |atom: &Atom| generators.partition_point(|before| before < atom) as u16;
        let word = |sum: &Vec<Atom>| sum.iter().map(letter).collect();
        let relations = self.relations.iter();
        let first = (!elements.is_empty()).then(|| Growth::of(0, &Monoid::default()));
        HeapQuotient {
            monoid: self.proved.monoid.clone(),
            words: self.proved.sums.iter().map(word).collect(),
            relations: relations
                .map(|(sum, element)| (word(sum), *element))
                .collect(),
            generators: generators.iter().map(|&atom| heaps.heap_of(atom)).collect(),
            pairs: self.proof.pairs,
            period: None,
            firm_from: None,
            beyond: None,
            elements,
            growth: first.into_iter().chain(self.growth.clone()).collect(),
        }
    }

    /// How many steps of work were done.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The limit for which the atom after those proved is out of reach, if that atom was tried.
    pub fn ended(&self) -> Option<Limit> {
        self.ended
    }

    /// Covers the first `atoms` atoms, or as many as possible.
    ///
    /// # Errors
    /// If a search is interrupted.
    pub fn cover(&mut self, oracle: &mut Oracle<'_, '_>, atoms: usize) -> Result<(), Limit> {
        while self.proved.covered() < atoms && self.ended.is_none() {
            let covered = self.cover_next(oracle);
            self.work = oracle.budget.done();
            match covered {
                Ok(true) => self.note_growth(oracle.rules.heaps),
                Ok(false) => {}
                Err(Limit::Interrupted) => return Err(Limit::Interrupted),
                Err(limit) => {
                    let believed = match self.beliefs {
                        Some(_) => Err(limit),
                        None => self.believe(oracle),
                    };
                    self.guess_bytes = 0;
                    if believed == Err(Limit::Interrupted) {
                        return Err(Limit::Interrupted);
                    }
                    self.ended = believed.err();
                    if self.ended.is_some() {
                        // After this no other atom is tried.
                        (self.beliefs, self.known) = (None, None);
                        self.begin_anew();
                    }
                }
            }
        }
        Ok(())
    }

    /// Records the size of the proved quotient, if that is new.
    fn note_growth(&mut self, heaps: &Heaps) {
        let order = self.proved.order();
        if self.growth.last().is_none_or(|last| last.order != order) {
            let heap = heaps.heap_of(self.proved.covered() as Atom);
            self.growth.push(Growth::of(heap, &self.proved.monoid));
        }
    }

    /// Covers the next atom: by an element that is known, or else by a guess of all elements that is proved to be right. Returns
    /// whether it is covered; if not, the next guess has another test or generator, or goes by other beliefs.
    fn cover_next(&mut self, oracle: &mut Oracle<'_, '_>) -> Result<bool, Limit> {
        if self.beliefs.is_none() && self.like_another(oracle)? {
            return Ok(true);
        }
        let Some((quotient, elements)) = self.guess(oracle)? else {
            return Ok(false);
        };
        match self.prove(oracle, &quotient)? {
            Ok(proof) => Ok(self.accept(quotient, &elements, proof)),
            Err(sum) => {
                self.contradict(oracle, &quotient, &elements, sum)?;
                Ok(false)
            }
        }
    }

    /// Guesses the elements of the atoms covered and the next one, by the tests; `None` if a test or a generator more is needed.
    fn guess(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
    ) -> Result<Option<(Quotient, Elements)>, Limit> {
        self.guess_bytes = 0;
        self.proved_bytes = self.memory();
        let last = self.proved.covered() as Atom + 1;
        let is_tame = |atom| oracle.rules.heaps.tame_atom(atom).is_some();
        self.tame = self.known.is_none() && (1..=last).all(is_tame);
        if self.tests.is_empty() && !self.tame {
            self.tests.clone_from(&self.proved.sums);
            self.drop_idle_tests();
        }
        let mut by_row = HashMap::from([(self.row(oracle, &[])?, 0)]);
        let elements = self.find_elements(oracle, &mut by_row)?;
        // The words of each element, and the product of any two.
        let order = elements.order();
        let made = order * (4 * self.generators.len() + order / 8);
        oracle.budget.spend(made as u64)?;
        // These are the bytes of the steps of a walk, two steps a heap, and of the sets of elements beside which heaps are stuck.
        self.guess_bytes += (last as usize * order * 13) as u64 / 2;
        self.check(oracle)?;
        let mut atoms = Vec::new();
        for atom in 1..=last {
            match by_row.get(&self.row(oracle, &[atom])?) {
                Some(&element) => atoms.push(element),
                None => {
                    let at = self.generators.partition_point(|&before| before < atom);
                    self.generators.insert(at, atom);
                    return Ok(None);
                }
            }
        }
        if elements.disorder().next().is_some() {
            self.settle(oracle, &elements)?;
            return Ok(None);
        }
        let losing = by_row.iter().filter(|(row, _)| row[0]);
        let losing = Bits::of(order, losing.map(|(_, &element)| element.into()));
        let next = |element, generator| elements.next(element, generator);
        let quotient = Quotient {
            atoms,
            monoid: Monoid::of_generators(&elements.made(), next, losing),
            sums: (elements.words.iter())
                .map(|word| self.sum_of(word))
                .collect(),
        };
        Ok(Some((quotient, elements)))
    }

    /// Proves a guess. If it fails, returns a sum whose element and the elements of whose options can't all be right.
    fn prove(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        quotient: &Quotient,
    ) -> Result<Result<QuotientProof, Vec<Atom>>, Limit> {
        let mut letters = Vec::new();
        for atom in 1..=quotient.covered() as Atom {
            let letter = quotient.letter(oracle.rules, atom);
            self.guess_bytes += allocated_sums([&letter.options]);
            letters.push(letter);
            self.check(oracle)?;
        }
        if let Some(sum) = unlike_its_options(quotient, &letters) {
            return Ok(Err(sum));
        }
        let go_on = |tried: usize| oracle.budget.spend(tried as u64 / 8).is_ok();
        let flaw = match QuotientProof::new(&quotient.monoid, &letters, &go_on) {
            Ok(proof) => return Ok(Ok(proof)),
            Err(flaw) => flaw,
        };
        let atom = |heap: usize| heap as Atom + 1;
        Ok(Err(match flaw {
            Flaw::Interrupted => {
                oracle.budget.spend(0)?;
                return Err(Limit::Interrupted);
            }
            Flaw::Ended(heap) => vec![atom(heap)],
            Flaw::Both { heap, others } => {
                [&quotient.sums[usize::from(others)][..], &[atom(heap)]].concat()
            }
            Flaw::Stuck(heaps) => heaps.into_iter().map(atom).collect(),
        }))
    }

    /// Accepts a guess that is proved to be right as the quotient, if it has no more elements and generators than necessary.
    /// Returns whether it has.
    fn accept(&mut self, quotient: Quotient, elements: &Elements, proof: QuotientProof) -> bool {
        if proof.alike().is_some() || !self.are_generators(&quotient) {
            self.known = Some(quotient);
            self.begin_anew();
            return false;
        }
        let relations = elements.relations.iter();
        self.relations = relations
            .map(|(word, element)| (self.sum_of(word), *element))
            .collect();
        (self.proved, self.proof) = (Arc::new(quotient), proof);
        (self.beliefs, self.known, self.rows) = (None, None, HashMap::new());
        (self.row_bytes, self.guess_bytes) = (0, 0);
        self.heaps.clear();
        self.easy = None;
        self.drop_idle_tests();
        true
    }

    /// Covers the next atom if it is like a known element, options included: then no question needs to be asked.
    fn like_another(&mut self, oracle: &mut Oracle<'_, '_>) -> Result<bool, Limit> {
        let atom = self.proved.covered() as Atom + 1;
        let (sums, heaps) = (&self.proved.sums, &oracle.rules.heaps);
        let heap = heaps.heap_of(atom);
        self.heaps.reach(heaps, &self.proved, heap);
        if let Some(element) = self.heaps.repeated(oracle.rules.ruleset, heap) {
            Arc::make_mut(&mut self.proved).atoms.push(element);
            return Ok(true);
        }
        let options = (self.heaps).options(oracle.rules.ruleset, &self.proved.monoid, heap);
        let Ok((options, looked_at)) = options else {
            return Ok(false);
        };
        oracle.budget.spend(looked_at / OPTIONS_OF_STEP)?;
        let heap = heaps.tame_atom(atom);
        let may_be = |element: Element| {
            let other = heaps.tame_sum(&sums[usize::from(element)]);
            heap.zip(other)
                .is_none_or(|(heap, other)| heap == other.as_one())
        };
        let known = (self.proof).take_in(&self.proved.monoid, &options, may_be);
        let looked_at = options.len() + known.map_or(self.proved.order(), usize::from);
        oracle.budget.spend(looked_at as u64 / 4)?;
        Arc::make_mut(&mut self.proved).atoms.extend(known);
        Ok(known.is_some())
    }

    /// Finds the elements that the generators make; `by_row` gets each by its row of answers.
    fn find_elements(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        by_row: &mut HashMap<Vec<bool>, Element>,
    ) -> Result<Elements, Limit> {
        Elements::find(self.generators.len(), |word, taken| {
            let of_rows = by_row.len() as u64 * allocated::<bool>(self.tests.len());
            self.guess_bytes = taken + of_rows + grown(by_row) + Monoid::bytes(by_row.len() + 1);
            self.check(oracle)?;
            let row = self.row(oracle, &self.sum_of(word))?;
            if let Some(&element) = by_row.get(&row) {
                return Ok(Some(element));
            }
            let order = by_row.len();
            if order == MOST_ELEMENTS {
                return Err(Limit::Elements);
            }
            by_row.insert(row, order as Element);
            Ok(None)
        })
    }

    /// The bytes that the quotients proved or known to be right take, with those of the report made from them.
    pub fn memory(&self) -> u64 {
        let known = self.known.as_ref().map_or(0, Quotient::memory);
        let relations = self.relations.iter().map(|(sum, _)| sum);
        let words = allocated_sums(relations) + allocated_sums(&self.tests);
        2 * (self.proved.memory() + words) + self.proof.memory() + known
    }

    /// The bytes taken by everything except beliefs and the search.
    pub(super) fn others(&self, oracle: &Oracle<'_, '_>) -> u64 {
        let rows = self.row_bytes + grown(&self.rows);
        self.proved_bytes + self.guess_bytes + rows + 2 * oracle.rules.heaps.options_memory()
    }

    /// Checks that all that is taken fits the memory allowed.
    fn check(&self, oracle: &Oracle<'_, '_>) -> Result<(), Limit> {
        let beliefs = self.beliefs.as_ref().map_or(0, Beliefs::memory);
        oracle.budget.hold(self.others(oracle));
        oracle.budget.check_memory(oracle.search.memory() + beliefs)
    }

    pub(super) fn sum_of(&self, word: &[u16]) -> Vec<Atom> {
        let atom = |&letter: &u16| self.generators[usize::from(letter)];
        word.iter().map(atom).collect()
    }

    /// Whether no generator is like a sum of earlier atoms.
    fn are_generators(&self, quotient: &Quotient) -> bool {
        let least = least_sums(quotient);
        let is_generator = |&atom: &Atom| {
            let element = quotient.atoms[atom as usize - 1];
            *least[usize::from(element)] == [atom]
        };
        self.generators.iter().all(is_generator)
    }
}

/// The sum of an element whose outcome differs from the one that the elements of its options give.
fn unlike_its_options(quotient: &Quotient, letters: &[Letter]) -> Option<Vec<Atom>> {
    let outcome_fits = |sum: &&Vec<Atom>| {
        let element = quotient.element(sum).unwrap_or(0);
        let lost = (sum.iter().enumerate()).all(|(at, &atom)| {
            let rest = [&sum[..at], &sum[at + 1..]].concat();
            let rest = quotient.element(&rest).unwrap_or(0);
            let options = &letters[atom as usize - 1].options;
            let is_lost = |&option: &Element| quotient.monoid.is_lost(quotient.times(rest, option));
            !options.iter().any(is_lost)
        });
        sum.is_empty() || lost == quotient.monoid.is_lost(element)
    };
    (quotient.sums.iter())
        .find(|sum| !outcome_fits(sum))
        .cloned()
}
