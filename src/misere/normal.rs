//! Sums of atoms, each rewritten by relations until none applies.
//!
//! A relation makes a sum equal to a lesser one: of two sums, the lesser has fewer of the greatest atom in which they differ. So
//! every move leads to a lesser sum, and so does every relation. The relations of a quotient are those whose left sides are the
//! least sums that are not the least of their elements (a reduced Gröbner basis of binomials: Rosales and García-Sánchez,
//! *Finitely Generated Commutative Monoids*, 1999, ch. 6). Relations may be dropped; then the normal form of a sum is the one
//! found by adding its atoms one by one.
//!
//! Cost: a look-up for each atom added, and a walk over the relations of the atom when it is added for the first time.
//! A normal form takes a few bytes beside four for each atom, however long it is: it is kept as its greatest atom, how
//! often it has it, and the number of what is left.

use super::elements::with;
use super::heaps::Atom;
use super::monoid::Element;
use super::quotient::Quotient;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::cmp::Ordering;
use std::hash::BuildHasher;

/// A sum that is equal to a lesser one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    pub greater: Box<[Atom]>,
    pub lesser: Box<[Atom]>,
}

/// The number of a normal form; 0 is the empty sum.
pub type Normal = u32;

/// An atom and how often it is in a sum.
type Run = (Atom, u32);

/// The normal forms met so far. A normal form without all of its greatest atom is a normal form too, and is among them.
#[derive(Debug)]
pub struct NormalForms {
    /// For each atom, the relations whose left sides hold it.
    rules: Vec<Vec<Rule>>,
    forms: Vec<Form>,
    index: HashTable<Normal>,
    hasher: DefaultHashBuilder,
    /// For each normal form and atom, the normal form of the two together; `UNKNOWN` if it was not asked for.
    next: Vec<Normal>,
    /// How many entries of `next` were found since [`NormalForms::take_found`] was last called.
    found: u64,
    /// Buffers for the runs of a sum, and for the normal forms of its first runs.
    room: Vec<Run>,
    starts: Vec<Normal>,
}

#[derive(Debug)]
struct Rule {
    relation: Relation,
    greater: Vec<Run>,
}

/// A normal form: its greatest atom, how often it has that atom, and the normal form without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Form {
    before: Normal,
    atom: Atom,
    times: u32,
}

const UNKNOWN: Normal = Normal::MAX;

/// How many normal forms there is room for, at least, where no growing is expected soon.
const SPARE: usize = 256;

impl NormalForms {
    /// The normal forms of the sums of the first `atoms` atoms by these relations.
    pub fn new(atoms: usize, relations: &[Relation]) -> NormalForms {
        let with = |atom: Atom| {
            let holds = |relation: &&Relation| relation.greater.contains(&atom);
            let rule = |relation: &Relation| Rule {
                relation: relation.clone(),
                greater: runs(&relation.greater),
            };
            relations.iter().filter(holds).map(rule).collect()
        };
        let empty = Form {
            before: 0,
            atom: 0,
            times: 0,
        };
        NormalForms {
            rules: (1..=atoms as Atom).map(with).collect(),
            forms: vec![empty],
            index: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            next: vec![UNKNOWN; atoms],
            found: 0,
            room: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// The sum with this normal form, which is the form itself.
    pub fn sum(&self, normal: Normal) -> Vec<Atom> {
        let mut runs = Vec::new();
        self.write(normal, &mut runs);
        let run = |&(atom, times): &Run| std::iter::repeat_n(atom, times as usize);
        runs.iter().flat_map(run).collect()
    }

    /// The greatest atom of a normal form; 0 if it is empty.
    pub fn greatest(&self, normal: Normal) -> Atom {
        self.forms[normal as usize].atom
    }

    /// A normal form without all of its greatest atom.
    pub fn before(&self, normal: Normal) -> Normal {
        self.forms[normal as usize].before
    }

    /// How many normal forms were met.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// How many sums of a normal form and an atom were looked at for the first time since the last call.
    pub fn take_found(&mut self) -> u64 {
        std::mem::take(&mut self.found)
    }

    /// The bytes that the normal forms take, and the bytes taken while their lists grow if they are about to.
    pub fn memory(&self) -> u64 {
        let vectors =
            self.forms.capacity() * size_of::<Form>() + self.next.capacity() * size_of::<Normal>();
        let index = self.index.allocation_size();
        let mut bytes = vectors + index;
        if self.forms.len() + SPARE > self.forms.capacity() {
            bytes += vectors + vectors / GROWTH;
        }
        if self.index.len() + SPARE > self.index.capacity() {
            bytes += 2 * index;
        }
        bytes as u64
    }

    fn write(&self, mut normal: Normal, runs: &mut Vec<Run>) {
        runs.clear();
        while normal != 0 {
            let form = self.forms[normal as usize];
            runs.push((form.atom, form.times));
            normal = form.before;
        }
        runs.reverse();
    }

    /// The number of the normal form with these runs; the runs that it shares with the normal form `like` need no look-up.
    fn number(&mut self, runs: &[Run], like: Normal) -> Normal {
        self.starts.clear();
        let mut start = like;
        while start != 0 {
            self.starts.push(start);
            start = self.before(start);
        }
        let mut in_common = 0;
        let mut left = runs;
        while let (Some(&start), Some((&run, rest))) = (self.starts.last(), left.split_first()) {
            let Form { atom, times, .. } = self.forms[start as usize];
            if run != (atom, times) {
                break;
            }
            (in_common, left) = (start, rest);
            self.starts.pop();
        }
        (left.iter()).fold(in_common, |before, &run| self.number_run(before, run))
    }

    fn number_run(&mut self, before: Normal, (atom, times): Run) -> Normal {
        let form = Form {
            before,
            atom,
            times,
        };
        let (forms, hasher) = (&self.forms, &self.hasher);
        let hash = hasher.hash_one(form);
        let is_it = |&number: &Normal| forms[number as usize] == form;
        if let Some(&number) = self.index.find(hash, is_it) {
            return number;
        }
        let number = forms.len() as Normal;
        let hash_of = |&number: &Normal| hasher.hash_one(forms[number as usize]);
        self.index.insert_unique(hash, number, hash_of);
        if self.forms.len() == self.forms.capacity() {
            let more = self.forms.len() / GROWTH + SPARE;
            self.forms.reserve_exact(more);
            self.next.reserve_exact(more * self.rules.len());
        }
        self.forms.push(form);
        let end = self.next.len() + self.rules.len();
        self.next.resize(end, UNKNOWN);
        number
    }

    /// A normal form without one of its atoms, which is a normal form too.
    pub fn without(&mut self, normal: Normal, atom: Atom) -> Normal {
        let form = self.forms[normal as usize];
        match form.times {
            1 if form.atom == atom => form.before,
            times if form.atom == atom => self.number_run(form.before, (atom, times - 1)),
            times => {
                let before = self.without(form.before, atom);
                self.number_run(before, (form.atom, times))
            }
        }
    }

    /// The number of a normal form with one more atom, if that sum is a normal form too.
    fn normal_with(&mut self, normal: Normal, atom: Atom) -> Normal {
        let known = self.next[self.place(normal, atom)];
        if known != UNKNOWN {
            return known;
        }
        let form = self.forms[normal as usize];
        match form.atom.cmp(&atom) {
            Ordering::Less => self.number_run(normal, (atom, 1)),
            Ordering::Equal => self.number_run(form.before, (atom, form.times + 1)),
            Ordering::Greater => {
                let before = self.normal_with(form.before, atom);
                self.number_run(before, (form.atom, form.times))
            }
        }
    }

    /// The index in `next` of the entry for a normal form and an atom.
    fn place(&self, normal: Normal, atom: Atom) -> usize {
        normal as usize * self.rules.len() + atom as usize - 1
    }

    /// The normal form of a normal form and these atoms together.
    pub fn plus(&mut self, normal: Normal, atoms: &[Atom]) -> Normal {
        atoms
            .iter()
            .fold(normal, |sum, &atom| self.plus_one(sum, atom))
    }

    /// For each of these sums, the normal form of its longest beginning that was asked for before, and the beginning's length.
    ///
    /// The sums are gone through side by side, because a look-up mostly waits for memory.
    pub fn beginnings(&self, sums: &[Vec<Atom>]) -> Vec<(Normal, usize)> {
        let mut found = vec![(0, 0); sums.len()];
        let longest = sums.iter().map(Vec::len).max().unwrap_or(0);
        for place in 0..longest {
            for ((normal, length), sum) in found.iter_mut().zip(sums) {
                let Some(&atom) = sum.get(place).filter(|_| *length == place) else {
                    continue;
                };
                let next = self.next[self.place(*normal, atom)];
                if next != UNKNOWN {
                    (*normal, *length) = (next, place + 1);
                }
            }
        }
        found
    }

    /// The normal form of two normal forms together.
    pub fn add(&mut self, normal: Normal, other: Normal) -> Normal {
        if other == 0 {
            return normal;
        }
        let Form {
            before,
            atom,
            times,
        } = self.forms[other as usize];
        let sum = self.add(normal, before);
        (0..times).fold(sum, |sum, _| self.plus_one(sum, atom))
    }

    fn plus_one(&mut self, normal: Normal, atom: Atom) -> Normal {
        let at = self.place(normal, atom);
        if self.next[at] == UNKNOWN {
            self.found += 1;
            let mut sum = std::mem::take(&mut self.room);
            self.write(normal, &mut sum);
            add_one(&mut sum, atom);
            let mut rest;
            if let Some(rule) = self.step(&sum, atom) {
                take_out(&mut sum, &self.rules[atom as usize - 1][rule].greater);
                rest = self.number(&sum, normal);
                let lesser = |forms: &NormalForms, at: usize| {
                    (forms.rules[atom as usize - 1][rule].relation.lesser.get(at)).copied()
                };
                self.room = sum;
                let mut place = 0;
                while let Some(one) = lesser(self, place) {
                    rest = self.plus_one(rest, one);
                    place += 1;
                }
            } else {
                self.room = sum;
                rest = self.normal_with(normal, atom);
            }
            self.next[at] = rest;
        }
        self.next[at]
    }

    /// The relation to apply to a sum that is normal without this atom, by its number among the relations of the atom.
    fn step(&self, sum: &[Run], atom: Atom) -> Option<usize> {
        (self.rules[atom as usize - 1].iter()).position(|rule| holds(sum, &rule.greater))
    }

    /// The sums on the way to the normal form that is found by adding atoms in this order, each with the relation that leads to
    /// the next sum.
    pub fn way(&self, sum: &[Atom]) -> Vec<(Box<[Atom]>, Relation)> {
        let mut way = Vec::new();
        let mut normal: Box<[Atom]> = Box::default();
        let mut rest: Vec<Atom> = sum.iter().rev().copied().collect();
        while let Some(atom) = rest.pop() {
            normal = with(&normal, atom).into();
            if let Some(rule) = self.step(&runs(&normal), atom) {
                let relation = &self.rules[atom as usize - 1][rule].relation;
                let mut whole = [&normal, rest.as_slice()].concat();
                whole.sort_unstable();
                way.push((whole.into(), relation.clone()));
                rest.extend(relation.lesser.iter().rev());
                normal = minus(&normal, &relation.greater).unwrap_or_default();
            }
        }
        way
    }
}

/// The room of a list grows by one part in this many.
const GROWTH: usize = 4;

fn runs(sum: &[Atom]) -> Vec<Run> {
    let runs = sum.chunk_by(|a, b| a == b);
    runs.map(|run| (run[0], run.len() as u32)).collect()
}

fn add_one(sum: &mut Vec<Run>, atom: Atom) {
    let place = sum.partition_point(|&(one, _)| one < atom);
    match sum.get_mut(place) {
        Some((one, times)) if *one == atom => *times += 1,
        _ => sum.insert(place, (atom, 1)),
    }
}

/// Whether a sum contains these atoms.
fn holds(sum: &[Run], atoms: &[Run]) -> bool {
    let mut sum = sum.iter();
    (atoms.iter()).all(|&(atom, times)| {
        let run = sum.find(|&&(one, _)| one >= atom);
        run.is_some_and(|&(one, have)| one == atom && have >= times)
    })
}

/// Takes atoms out of a sum that contains them.
fn take_out(sum: &mut Vec<Run>, atoms: &[Run]) {
    for &(atom, times) in atoms {
        let place = sum.partition_point(|&(one, _)| one < atom);
        if let Some((_, have)) = sum.get_mut(place) {
            *have -= times;
        }
    }
    sum.retain(|&(_, times)| times > 0);
}

/// The relations of a quotient.
pub fn relations(quotient: &Quotient) -> Vec<Relation> {
    let least = least_sums(quotient);
    let element = |sum: &[Atom]| usize::from(quotient.element(sum).unwrap_or(0));
    let mut relations = Vec::new();
    for (sum, x) in least.iter().zip(quotient.monoid.elements()) {
        let from = sum.last().copied().unwrap_or(1);
        for atom in from..=quotient.covered() as Atom {
            let greater: Box<[Atom]> = with(sum, atom).into();
            let product = quotient.times(x, quotient.atoms[atom as usize - 1]);
            let lesser = &least[usize::from(product)];
            let is_least = |part: Box<[Atom]>| least[element(&part)] == part;
            let mut parts = sum.iter().filter_map(|&one| minus(&greater, &[one]));
            if *lesser != greater && parts.all(is_least) {
                let lesser = lesser.clone();
                relations.push(Relation { greater, lesser });
            }
        }
    }
    relations.sort_by(|a, b| a.greater.iter().rev().cmp(b.greater.iter().rev()));
    relations
}

/// The least sum of each element.
pub fn least_sums(quotient: &Quotient) -> Vec<Box<[Atom]>> {
    let mut least: Vec<Option<Box<[Atom]>>> = vec![None; quotient.order()];
    least[0] = Some(Box::default());
    let mut found: Vec<Element> = vec![0];
    for (atom, &element) in (1..).zip(&quotient.atoms) {
        // The sums of the earlier atoms get one of this atom, and then more of it as long as a sum is new.
        let mut layer = 0..found.len();
        while !layer.is_empty() {
            let first = found.len();
            for at in layer {
                let product = quotient.times(found[at], element);
                if least[usize::from(product)].is_none() {
                    let sum = least[usize::from(found[at])].as_deref().unwrap_or_default();
                    least[usize::from(product)] = Some(with(sum, atom).into());
                    found.push(product);
                }
            }
            layer = first..found.len();
        }
    }
    least.into_iter().map(Option::unwrap_or_default).collect()
}

/// A sum without these atoms, if it contains them.
pub fn minus(sum: &[Atom], atoms: &[Atom]) -> Option<Box<[Atom]>> {
    let mut rest = Vec::with_capacity(sum.len());
    let mut atoms = atoms.iter().peekable();
    for &atom in sum {
        match atoms.peek() {
            Some(&&next) if next == atom => drop(atoms.next()),
            Some(&&next) if next < atom => return None,
            _ => rest.push(atom),
        }
    }
    atoms.peek().is_none().then(|| rest.into())
}
