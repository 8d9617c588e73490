//! Sums of atoms, each rewritten by relations until none applies.
//!
//! A relation makes a sum equal to a lesser one: of two sums the one is less that has fewer of the greatest atom in
//! which they differ. So every move leads to a lesser sum, and so does every relation. The relations of a quotient are
//! those whose left sides are least among the sums that are not the least of their elements (a reduced Gröbner basis
//! of binomials: Rosales and García-Sánchez, *Finitely Generated Commutative Monoids*, 1999, ch. 6). Relations may be
//! dropped; then a sum has the normal form that is found by adding its atoms one by one.
//!
//! Cost: a look-up for each atom added, and a walk over the relations of the atom when it is added for the first time.

use super::heaps::Atom;
use super::monoid::Element;
use super::quotient::Quotient;
use hashbrown::HashMap;

/// A sum equal to a lesser one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    pub greater: Box<[Atom]>,
    pub lesser: Box<[Atom]>,
}

/// A normal form, by number; 0 is the empty sum.
pub type Normal = u32;

/// The normal forms met so far.
#[derive(Debug)]
pub struct NormalForms {
    /// For each atom, the relations whose left sides hold it.
    relations: Vec<Vec<Relation>>,
    sums: Vec<Box<[Atom]>>,
    index: HashMap<Box<[Atom]>, Normal>,
    /// What each atom makes of each normal form, `UNKNOWN` if it was not asked.
    next: Vec<Normal>,
    /// How many of those were found since it was asked.
    found: u64,
}

const UNKNOWN: Normal = Normal::MAX;

impl NormalForms {
    /// The normal forms of the sums of the first `atoms` atoms by these relations.
    pub fn new(atoms: usize, relations: &[Relation]) -> NormalForms {
        let with = |atom: Atom| {
            let holds = |relation: &&Relation| relation.greater.contains(&atom);
            relations.iter().filter(holds).cloned().collect()
        };
        let mut forms = NormalForms {
            relations: (1..=atoms as Atom).map(with).collect(),
            sums: Vec::new(),
            index: HashMap::new(),
            next: Vec::new(),
            found: 0,
        };
        forms.number(Box::default());
        forms
    }

    /// The sum that a normal form is.
    pub fn sum(&self, normal: Normal) -> &[Atom] {
        &self.sums[normal as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// How many sums of a normal form and an atom were looked at for the first time since this was asked last.
    pub fn take_found(&mut self) -> u64 {
        std::mem::take(&mut self.found)
    }

    /// About how many bytes are taken.
    pub fn memory(&self) -> u64 {
        let each = 4 * self.relations.len() + 2 * (size_of::<Box<[Atom]>>() + 24) + 8;
        (self.sums.len() * each) as u64
    }

    fn number(&mut self, sum: Box<[Atom]>) -> Normal {
        if let Some(&number) = self.index.get(&sum) {
            return number;
        }
        let number = self.sums.len() as Normal;
        self.sums.push(sum.clone());
        self.index.insert(sum, number);
        self.next
            .resize(self.sums.len() * self.relations.len(), UNKNOWN);
        number
    }

    /// A normal form without one of its atoms, which is one too.
    pub fn without(&mut self, normal: Normal, atom: Atom) -> Normal {
        let rest = minus(self.sum(normal), &[atom]);
        self.number(rest.unwrap_or_default())
    }

    /// A normal form and these atoms.
    pub fn plus(&mut self, normal: Normal, atoms: &[Atom]) -> Normal {
        atoms
            .iter()
            .fold(normal, |sum, &atom| self.plus_one(sum, atom))
    }

    /// The sum of two.
    pub fn add(&mut self, normal: Normal, other: Normal) -> Normal {
        let mut sum = normal;
        for at in 0..self.sums[other as usize].len() {
            sum = self.plus_one(sum, self.sums[other as usize][at]);
        }
        sum
    }

    fn plus_one(&mut self, normal: Normal, atom: Atom) -> Normal {
        let at = normal as usize * self.relations.len() + atom as usize - 1;
        if self.next[at] == UNKNOWN {
            self.found += 1;
            let sum = with(self.sum(normal), atom);
            self.next[at] = match self.step(&sum, atom) {
                None => self.number(sum),
                Some((rest, relation)) => {
                    let lesser = relation.lesser.clone();
                    let rest = self.number(rest);
                    self.plus(rest, &lesser)
                }
            };
        }
        self.next[at]
    }

    /// The relation that is applied to a sum that is normal but for this atom, and what of the sum is outside of it.
    fn step(&self, sum: &[Atom], atom: Atom) -> Option<(Box<[Atom]>, &Relation)> {
        (self.relations[atom as usize - 1].iter())
            .find_map(|relation| Some((minus(sum, &relation.greater)?, relation)))
    }

    /// The sums on the way to the normal form that is found by adding atoms in this order, each with the relation that
    /// leads to the next.
    pub fn way(&self, sum: &[Atom]) -> Vec<(Box<[Atom]>, Relation)> {
        let mut way = Vec::new();
        let mut normal: Box<[Atom]> = Box::default();
        let mut rest: Vec<Atom> = sum.iter().rev().copied().collect();
        while let Some(atom) = rest.pop() {
            normal = with(&normal, atom);
            if let Some((outside, relation)) = self.step(&normal, atom) {
                let mut whole = [&normal, rest.as_slice()].concat();
                whole.sort_unstable();
                way.push((whole.into(), relation.clone()));
                rest.extend(relation.lesser.iter().rev());
                normal = outside;
            }
        }
        way
    }
}

/// The relations of a quotient.
pub fn relations(quotient: &Quotient) -> Vec<Relation> {
    let least = least_sums(quotient);
    let element = |sum: &[Atom]| usize::from(quotient.element(sum).unwrap_or(0));
    let mut relations = Vec::new();
    for (sum, x) in least.iter().zip(quotient.monoid.elements()) {
        let from = sum.last().copied().unwrap_or(1);
        for atom in from..=quotient.covered() as Atom {
            let greater = with(sum, atom);
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
        // Those of the atoms before, with one of this atom, and with more as long as anything is new.
        let mut layer = 0..found.len();
        while !layer.is_empty() {
            let first = found.len();
            for at in layer {
                let product = quotient.times(found[at], element);
                if least[usize::from(product)].is_none() {
                    let sum = least[usize::from(found[at])].as_deref().unwrap_or_default();
                    least[usize::from(product)] = Some(with(sum, atom));
                    found.push(product);
                }
            }
            layer = first..found.len();
        }
    }
    least.into_iter().map(Option::unwrap_or_default).collect()
}

/// A sum and one atom more.
fn with(sum: &[Atom], atom: Atom) -> Box<[Atom]> {
    let (before, after) = sum.split_at(sum.partition_point(|&one| one <= atom));
    [before, &[atom], after].concat().into()
}

/// A sum without these atoms, if it has them.
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
