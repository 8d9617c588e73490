//! The misère quotient of the atoms up to some: a finite monoid that knows who wins every sum of them.
//!
//! Two sums are the same element if no sum of these atoms tells them apart by who wins. What the elements are is
//! learnt from searches of small positions, as a finite automaton is from its words (Angluin, *Learning regular sets
//! from queries and counterexamples*, Inf. Comput. 75, 1987, pp. 87-106), and then proved: a sum G has an element x
//! and the set E of the elements of its options, which an atom more changes in a way that depends on x and E alone.
//! So all pairs (x, E) of all sums can be listed; if in each of them x is lost just if E holds nothing lost, but for
//! the empty sum, which is won, then by induction each sum is lost just if its element is.
//!
//! Plambeck and Siegel, *Misère quotients for impartial games*, J. Combin. Theory Ser. A 115, 2008, pp. 593-622.
//!
//! Cost: searches of about as many positions as elements times tests times generators, and the pairs times the
//! atoms. Its twin is the search.

use super::heaps::{Atom, normalise};
use super::search::{Limits, Rules, Search, Stopped};
use crate::outcome::Outcome;
use std::collections::{HashMap, HashSet};

/// The most elements, and the most pairs of an element and the elements of options.
const MOST_ELEMENTS: usize = 256;
const MOST_PAIRS: usize = 100_000;

/// How much work the learning may be: a position searched or asked for is one, and so are so many steps of a proof.
const MOST_WORK: u64 = 500_000;
const PROOF_STEPS: u64 = 20;

/// An element of a misère quotient, 0 that of the empty sum.
pub type Element = u8;

/// A set of elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Set([u64; MOST_ELEMENTS / 64]);

impl Set {
    fn insert(&mut self, element: Element) {
        self.0[usize::from(element) / 64] |= 1 << (element % 64);
    }

    fn union(mut self, other: Set) -> Set {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        self
    }

    fn meets(self, other: Set) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }

    fn elements(self) -> impl Iterator<Item = Element> {
        self.0.into_iter().enumerate().flat_map(|(index, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
                (bit < 64).then(|| (64 * index) as u8 + bit as u8)
            })
        })
    }
}

impl FromIterator<Element> for Set {
    fn from_iter<I: IntoIterator<Item = Element>>(elements: I) -> Set {
        let mut set = Set::default();
        elements.into_iter().for_each(|element| set.insert(element));
        set
    }
}

/// Who wins the sums of the first atoms, proved.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// The element of each atom, from atom 1 on.
    atoms: Vec<Element>,
    product: Vec<Vec<Element>>,
    losing: Set,
}

impl Default for Quotient {
    fn default() -> Quotient {
        Quotient {
            atoms: Vec::new(),
            product: vec![vec![0]],
            losing: Set::default(),
        }
    }
}

impl Quotient {
    /// How many of the first atoms it covers.
    pub fn covered(&self) -> usize {
        self.atoms.len()
    }

    /// How many elements it has.
    pub fn order(&self) -> usize {
        self.product.len()
    }

    /// The element of a sum of atoms, ascending, if it covers them.
    pub fn element(&self, atoms: &[Atom]) -> Option<Element> {
        let covered = atoms
            .last()
            .is_none_or(|&last| last as usize <= self.atoms.len());
        covered.then(|| {
            let element = |&atom: &Atom| self.atoms[atom as usize - 1];
            atoms.iter().map(element).fold(0, |a, b| self.times(a, b))
        })
    }

    /// The elements of the options of an atom, if it covers those.
    fn options(&self, oracle: &mut Oracle<'_, '_>, atom: Atom) -> Option<Set> {
        let options = oracle.rules.options(atom).into_iter();
        options.map(|option| self.element(&option)).collect()
    }

    /// The element of the sum of two.
    pub fn times(&self, a: Element, b: Element) -> Element {
        self.product[usize::from(a)][usize::from(b)]
    }

    /// Who wins the sums of an element.
    pub fn outcome(&self, element: Element) -> Outcome {
        let one: Set = [element].into_iter().collect();
        if one.meets(self.losing) {
            Outcome::P
        } else {
            Outcome::N
        }
    }
}

/// What is learnt of the elements: sums that stand for them, and sums that tell them apart.
#[derive(Debug)]
pub struct Learner {
    /// The quotient proved last.
    proved: Quotient,
    /// A sum of generators for each element, the empty one first.
    sums: Vec<Vec<Atom>>,
    tests: Vec<Vec<Atom>>,
    /// By its answers to the tests, who wins the sum with each of them, an element.
    elements: HashMap<Vec<bool>, Element>,
    /// The element of each atom.
    atoms: Vec<Element>,
    /// Atoms that are elements of their own; and what each of them makes of an element.
    generators: Vec<Atom>,
    next: Vec<Vec<Element>>,
    /// Whether it is known that the next atom is out of reach.
    ended: bool,
    work: u64,
    /// The element of each atom proved, with those of its options.
    letters: HashSet<(Element, Set)>,
}

/// Why the next atom was not covered.
enum Failure {
    /// Too many elements or pairs, or too much searching.
    TooLarge,
    /// A test was found that tells apart what was taken for one element.
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
    /// The work done, see [`MOST_WORK`].
    pub work: u64,
}

impl Oracle<'_, '_> {
    /// Whether the sum of these atoms is a P-position.
    fn is_lost(&mut self, proved: &Quotient, parts: &[&[Atom]]) -> Result<bool, Stopped> {
        let mut atoms = parts.concat();
        normalise(&mut atoms);
        let before = self.search.positions();
        let outcome = self
            .search
            .outcome(self.rules, proved, atoms, self.limits)?;
        self.work += 1 + self.search.positions() - before;
        if self.work > MOST_WORK {
            return Err(Stopped::Positions);
        }
        Ok(outcome == Outcome::P)
    }
}

impl Default for Learner {
    fn default() -> Learner {
        Learner {
            proved: Quotient::default(),
            sums: vec![Vec::new()],
            tests: vec![Vec::new()],
            elements: HashMap::from([(vec![false], 0)]),
            atoms: Vec::new(),
            generators: Vec::new(),
            next: vec![Vec::new()],
            ended: false,
            work: 0,
            letters: HashSet::new(),
        }
    }
}

impl Learner {
    /// The quotient, as far as it is proved.
    pub fn proved(&self) -> &Quotient {
        &self.proved
    }

    /// Covers the first `atoms` atoms, or as many as can be.
    ///
    /// # Errors
    /// If a search is interrupted.
    pub fn cover(&mut self, oracle: &mut Oracle<'_, '_>, atoms: usize) -> Result<(), Stopped> {
        while self.proved.covered() < atoms && !self.ended {
            oracle.work = self.work;
            let attempt = self.attempt(oracle);
            self.work = oracle.work;
            match attempt {
                Ok(quotient) => self.proved = quotient,
                Err(Failure::Refined) => self.forget_elements(),
                Err(Failure::Stopped(Stopped::Interrupted)) => return Err(Stopped::Interrupted),
                Err(Failure::TooLarge | Failure::Stopped(_)) => self.ended = true,
            }
        }
        Ok(())
    }

    fn forget_elements(&mut self) {
        let fresh = Learner {
            proved: std::mem::take(&mut self.proved),
            tests: std::mem::take(&mut self.tests),
            work: self.work,
            elements: HashMap::new(),
            ..Learner::default()
        };
        *self = fresh;
    }

    /// Learns the elements of the atoms covered and the next one, and proves that they are right.
    fn attempt(&mut self, oracle: &mut Oracle<'_, '_>) -> Result<Quotient, Failure> {
        if let Some(quotient) = self.like_another(oracle)? {
            return Ok(quotient);
        }
        if self.elements.is_empty() {
            let row = self.row(oracle, &[])?;
            self.elements.insert(row, 0);
        }
        for atom in self.atoms.len()..=self.proved.covered() {
            self.learn(oracle, atom as Atom + 1)?;
        }
        let quotient = Quotient {
            product: self.product(oracle)?,
            atoms: self.atoms.clone(),
            losing: self.losing(),
        };
        self.prove(oracle, &quotient)?;
        Ok(quotient)
    }

    /// The quotient with one atom more that, with its options, is nothing new: no new pair follows.
    fn like_another(&mut self, oracle: &mut Oracle<'_, '_>) -> Result<Option<Quotient>, Failure> {
        let covered = self.proved.covered();
        if self.letters.is_empty() || self.atoms.len() != covered {
            return Ok(None);
        }
        let atom = covered as Atom + 1;
        let row = self.row(oracle, &[atom])?;
        let Some(&element) = self.elements.get(&row) else {
            return Ok(None);
        };
        let options = self.proved.options(oracle, atom).ok_or(Failure::TooLarge)?;
        if !self.letters.contains(&(element, options)) {
            return Ok(None);
        }
        self.atoms.push(element);
        let mut quotient = self.proved.clone();
        quotient.atoms.push(element);
        Ok(Some(quotient))
    }

    fn losing(&self) -> Set {
        let lost = self.elements.iter().filter(|(row, _)| row[0]);
        lost.map(|(_, &element)| element).collect()
    }

    fn row(&self, oracle: &mut Oracle<'_, '_>, sum: &[Atom]) -> Result<Vec<bool>, Stopped> {
        let answer = |test: &Vec<Atom>| oracle.is_lost(&self.proved, &[sum, test]);
        self.tests.iter().map(answer).collect()
    }

    /// The element of an atom: one that is known, or a generator, which then multiplies all others.
    fn learn(&mut self, oracle: &mut Oracle<'_, '_>, atom: Atom) -> Result<(), Failure> {
        let row = self.row(oracle, &[atom])?;
        if let Some(&element) = self.elements.get(&row) {
            self.atoms.push(element);
            return Ok(());
        }
        self.generators.push(atom);
        let mut element = 0;
        while element < self.sums.len() {
            while let Some(&generator) = self.generators.get(self.next[element].len()) {
                let sum = [self.sums[element].as_slice(), &[generator]].concat();
                let row = self.row(oracle, &sum)?;
                let found = self.elements.get(&row).copied();
                let found = found.map_or_else(|| self.new_element(sum, row), Ok)?;
                self.next[element].push(found);
            }
            element += 1;
        }
        self.atoms.push(self.next[0][self.generators.len() - 1]);
        Ok(())
    }

    fn new_element(&mut self, sum: Vec<Atom>, row: Vec<bool>) -> Result<Element, Failure> {
        if self.sums.len() == MOST_ELEMENTS {
            return Err(Failure::TooLarge);
        }
        let element = self.sums.len() as Element;
        self.elements.insert(row, element);
        self.sums.push(sum);
        self.next.push(Vec::new());
        Ok(element)
    }

    fn times(&self, element: Element, generators: &[Atom]) -> Element {
        generators.iter().fold(element, |element, generator| {
            // Generators ascend.
            let number = self.generators.binary_search(generator).unwrap_or(0);
            self.next[usize::from(element)][number]
        })
    }

    /// The product of all pairs of elements, once it is seen that generators commute.
    fn product(&mut self, oracle: &mut Oracle<'_, '_>) -> Result<Vec<Vec<Element>>, Failure> {
        let elements = 0..self.sums.len() as u16;
        for element in elements.clone().map(|element| element as Element) {
            for (number, &a) in self.generators.iter().enumerate() {
                for &b in &self.generators[..number] {
                    let (one, other) = (self.times(element, &[a, b]), self.times(element, &[b, a]));
                    if one != other {
                        return Err(self.tell_apart(oracle, element, [a, b], one, other)?);
                    }
                }
            }
        }
        let this = &*self;
        let row = |a| {
            let times = |sum: &Vec<Atom>| this.times(a as Element, sum);
            this.sums.iter().map(times).collect()
        };
        Ok(elements.map(row).collect())
    }

    /// Adds a test, knowing that two orders of generators led from one element to different ones.
    fn tell_apart(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        element: Element,
        [a, b]: [Atom; 2],
        one: Element,
        other: Element,
    ) -> Result<Failure, Stopped> {
        for test in self.tests.clone() {
            let one = oracle.is_lost(&self.proved, &[&self.sums[usize::from(one)], &test])?;
            let other = oracle.is_lost(&self.proved, &[&self.sums[usize::from(other)], &test])?;
            if one != other {
                let found = self.refine(oracle, element, &[a, b], &test)?;
                return match found {
                    Failure::Refined => Ok(found),
                    _ => self.refine(oracle, element, &[b, a], &test),
                };
            }
        }
        Ok(Failure::TooLarge)
    }

    /// Follows generators from an element, and adds as a test what first tells a sum from that of its element.
    fn refine(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        mut element: Element,
        generators: &[Atom],
        test: &[Atom],
    ) -> Result<Failure, Stopped> {
        for (number, generator) in generators.iter().enumerate() {
            let rest = &generators[number + 1..];
            let next = self.times(element, &[*generator]);
            let here = [
                &self.sums[usize::from(element)],
                &[*generator][..],
                rest,
                test,
            ];
            let there = [&self.sums[usize::from(next)], rest, test];
            if oracle.is_lost(&self.proved, &here)? != oracle.is_lost(&self.proved, &there)? {
                return Ok(self.add_test([rest, test].concat()));
            }
            element = next;
        }
        Ok(Failure::TooLarge)
    }

    fn add_test(&mut self, mut test: Vec<Atom>) -> Failure {
        normalise(&mut test);
        if self.tests.contains(&test) {
            return Failure::TooLarge;
        }
        self.tests.push(test);
        Failure::Refined
    }

    /// Goes through all pairs of the element of a sum and the elements of its options.
    fn prove(&mut self, oracle: &mut Oracle<'_, '_>, quotient: &Quotient) -> Result<(), Failure> {
        let mut letters: HashMap<(Element, Set), Atom> = HashMap::new();
        for (index, &element) in quotient.atoms.iter().enumerate() {
            let atom = index as Atom + 1;
            let options = quotient.options(oracle, atom).ok_or(Failure::TooLarge)?;
            letters.entry((element, options)).or_insert(atom);
        }
        let mut letters: Vec<_> = letters.into_iter().collect();
        letters.sort_unstable_by_key(|&(_, atom)| atom);
        let scaled = |set: Set, by: Element| {
            let elements = set.elements();
            elements
                .map(|element| quotient.times(element, by))
                .collect::<Set>()
        };
        // Each pair with the pair before it and the atom added.
        let mut pairs: Vec<((Element, Set), usize, Atom)> = vec![((0, Set::default()), 0, 0)];
        let mut seen = HashSet::from([pairs[0].0]);
        let mut at = 0;
        while at < pairs.len() {
            let (element, options) = pairs[at].0;
            oracle.work += 1 + letters.len() as u64 / PROOF_STEPS;
            for &((letter, letter_options), atom) in &letters {
                let after = scaled(options, letter).union(scaled(letter_options, element));
                let pair = (quotient.times(element, letter), after);
                if !seen.insert(pair) {
                    continue;
                }
                pairs.push((pair, at, atom));
                let lost = quotient.outcome(pair.0) == Outcome::P;
                if lost == after.meets(quotient.losing) {
                    let sum = sum_of(&pairs);
                    return Err(self.contradict(oracle, quotient, sum)?);
                }
                if pairs.len() > MOST_PAIRS || oracle.work > MOST_WORK {
                    return Err(Failure::TooLarge);
                }
            }
            at += 1;
        }
        self.letters = letters.into_iter().map(|(letter, _)| letter).collect();
        Ok(())
    }

    /// Adds a test, knowing that the elements of a sum and of its options can't all be right.
    fn contradict(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        quotient: &Quotient,
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
            let claimed = quotient.outcome(element) == Outcome::P;
            if oracle.is_lost(&self.proved, &[&sum])? != claimed {
                return self.refine_sum(oracle, sum);
            }
        }
        Ok(Failure::TooLarge)
    }

    /// Adds a test, knowing that the element of a sum says the wrong outcome.
    fn refine_sum(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        mut sum: Vec<Atom>,
    ) -> Result<Failure, Stopped> {
        let mut generators = Vec::new();
        while let Some(atom) = sum.pop() {
            if self.generators.contains(&atom) {
                generators.push(atom);
                continue;
            }
            let same = self.sums[usize::from(self.atoms[atom as usize - 1])].clone();
            let before = oracle.is_lost(&self.proved, &[&sum, &generators, &[atom]])?;
            let after = oracle.is_lost(&self.proved, &[&sum, &generators, &same])?;
            if before != after {
                return Ok(self.add_test([sum, generators].concat()));
            }
            generators.extend(same);
        }
        self.refine(oracle, 0, &generators, &[])
    }
}

/// The sum that led to the last pair.
fn sum_of(pairs: &[((Element, Set), usize, Atom)]) -> Vec<Atom> {
    let mut sum = Vec::new();
    let mut at = pairs.len() - 1;
    while at > 0 {
        let (_, before, atom) = pairs[at];
        sum.push(atom);
        at = before;
    }
    sum.sort_unstable();
    sum
}
