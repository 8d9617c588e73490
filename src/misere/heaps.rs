//! The facts known of single heaps: whether they are tame, and which sums of other heaps they are equal to.
//!
//! Heaps of equal canonical form are interchangeable in every sum, so a position is written by atoms: heaps that
//! are equal to no sum of earlier ones that was met. Heaps equal to 0 vanish, and two heaps equal to *1 cancel.

use super::forms::{Form, Forms};
use super::tame::{Tame, TameSum};
use crate::engine::{Watch, cost};
use crate::error::{Error, Reason};
use crate::exhaustive::Limit;
use crate::grundy::NimValue;
use crate::ruleset::Ruleset;
use crate::sequence::Values;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::collections::{BTreeSet, HashMap};
use std::hash::BuildHasher;

/// A heap that is no sum of others, from 1 on.
pub type Atom = u32;

/// The Nim heap of one, which is an option of some heap in every game that has a move.
pub const ONE: Atom = 1;

/// How many options of canonical forms are stored. Beyond that, heaps become atoms without their forms.
const FORM_OPTIONS: usize = 200_000;

/// The most options of heaps that are walked to see which heaps are tame. The walk takes up to 1.7 s on Zen 4 by a code, and
/// several times as long by a rule in words of many sets whose heaps are all tame.
const WALKED_OPTIONS: u64 = 150_000_000;

/// How many options are walked before it is tested whether the most can be enough. Once a heap is wild, that isn't tested: most
/// heaps after it are seen to be wild by one option.
const FREE_OPTIONS: u64 = 100_000;

/// The most heaps that are met.
const MOST_HEAPS: usize = 2_000_000;

/// How many options are walked between two looks at the watch.
const BETWEEN_LOOKS: u64 = 1 << 14;

#[derive(Debug)]
struct Heap {
    tame: Option<Tame>,
    atoms: Box<[Atom]>,
}

/// The options of an atom, each a sum of atoms.
#[derive(Debug, Default)]
pub struct Options {
    atoms: Vec<Atom>,
    /// The end of each option in `atoms`, and the change that the option makes to the nim-sum.
    ends: Vec<(u32, u32)>,
}

impl Options {
    /// The option of a number and its change of the nim-sum (the low bits); `None` if there are no more options.
    pub fn get(&self, number: usize) -> Option<(&[Atom], u32)> {
        let (end, change) = *self.ends.get(number)?;
        let start = number
            .checked_sub(1)
            .map_or(0, |before| self.ends[before].0);
        Some((&self.atoms[start as usize..end as usize], change))
    }

    /// The bytes that the options take.
    fn memory(&self) -> u64 {
        (4 * self.atoms.capacity() + 8 * self.ends.capacity()) as u64
    }

    /// All options.
    pub fn iter(&self) -> impl Iterator<Item = &[Atom]> {
        (0..).map_while(|number| Some(self.get(number)?.0))
    }
}

#[derive(Debug)]
struct AtomOf {
    heap: u64,
    tame: Option<Tame>,
    form: Option<Form>,
    options: Option<Options>,
}

/// The heaps from 0 on, as far as they have been needed.
#[derive(Debug)]
pub struct Heaps {
    heaps: Vec<Heap>,
    /// The atoms, from number 1 on.
    atoms: Vec<AtomOf>,
    /// The canonical forms, until their room is used up.
    forms: Option<Forms>,
    form_of: HashMap<Vec<Atom>, Form>,
    atoms_of: HashMap<Form, Vec<Atom>>,
    walked: u64,
    /// The largest heap to which all options are walked over, once it was asked for.
    within: Option<u64>,
    /// Whether a heap was met that is not tame.
    pub(super) any_wild: bool,
    /// The last of the heaps met that is tame and fickle.
    pub(super) last_fickle: u64,
    /// The bytes that the options made take.
    options_memory: u64,
    /// The nim-values and the misère nim-values of the options of one heap.
    values: [ValueSet; 2],
}

impl Default for Heaps {
    fn default() -> Heaps {
        Heaps {
            heaps: Vec::new(),
            atoms: Vec::new(),
            forms: Some(Forms::new(FORM_OPTIONS)),
            form_of: HashMap::new(),
            atoms_of: HashMap::from([(Forms::END, Vec::new()), (Forms::ONE, vec![ONE])]),
            walked: 0,
            within: None,
            any_wild: false,
            last_fickle: 0,
            options_memory: 0,
            values: Default::default(),
        }
    }
}

impl Heaps {
    /// Learns of the heaps up to `heap`.
    ///
    /// # Errors
    /// If the rule need not end, the work would take too long, or the watch stops it.
    pub fn reach(
        &mut self,
        ruleset: &Ruleset,
        heap: u64,
        watch: Option<&dyn Watch>,
    ) -> Result<(), Error> {
        let mut next_look = self.walked + BETWEEN_LOOKS;
        while (self.heaps.len() as u64) <= heap {
            if self.walked >= next_look {
                next_look = self.walked + BETWEEN_LOOKS;
                let known = self.heaps.len() as u64;
                if watch.is_some_and(|watch| !watch.progress(known, heap.saturating_add(1))) {
                    return Err(Error::Interrupted);
                }
            }
            if self.heaps.len() > MOST_HEAPS
                || self.walked > WALKED_OPTIONS
                || self.walked > FREE_OPTIONS && !self.any_wild && heap > self.within(ruleset)
            {
                let within = self.within(ruleset).min(heap);
                return Err(Error::MisereOutOfReach {
                    game: ruleset.name().to_owned(),
                    reason: Reason::Tameness {
                        heap,
                        allowed: WALKED_OPTIONS,
                        would_do: within.max(self.heaps.len() as u64 - 1),
                    },
                });
            }
            let next = self.next_heap(ruleset)?;
            self.any_wild |= next.tame.is_none();
            if next.tame.is_some_and(|tame| tame.fickle) {
                self.last_fickle = self.heaps.len() as u64;
            }
            self.heaps.push(next);
        }
        Ok(())
    }

    /// The largest heap to which all options can be walked over.
    fn within(&mut self, ruleset: &Ruleset) -> u64 {
        *self.within.get_or_insert_with(|| {
            let price = |heap| cost::by_definition(ruleset, heap);
            cost::largest_within(WALKED_OPTIONS.into(), u64::MAX, price)
        })
    }

    fn next_heap(&mut self, ruleset: &Ruleset) -> Result<Heap, Error> {
        let heap = self.heaps.len() as u64;
        let Some(first) = ruleset.options(heap).next() else {
            let (tame, atoms) = (Some(Tame::END), Box::default());
            return Ok(Heap { tame, atoms });
        };
        self.walked += 1;
        let is_wild = |&part: &u64| part < heap && self.tame(part).is_none();
        // A rule of one's own may leave a heap that is no smaller, so all of its options are looked at.
        let always_ends = ruleset.coded_from().is_some() || ruleset.takings().is_some();
        if self.forms.is_none() && always_ends && first.leave.iter().any(is_wild) {
            return Ok(self.new_atom(heap, None, None));
        }
        let mut not_smaller = None;
        let mut tame = true;
        let [mut normal, mut misere] = std::mem::take(&mut self.values);
        let mut options = BTreeSet::new();
        ruleset.each_option(heap, |leave| {
            self.walked += 1;
            if let Some(&part) = leave.iter().find(|&&part| part >= heap) {
                not_smaller = Some(part);
                return;
            }
            tame = tame && leave.iter().all(|&part| self.tame(part).is_some());
            if tame {
                let parts = leave.iter().filter_map(|&part| self.tame(part));
                let sum = TameSum::from_iter(parts).as_one();
                normal.insert(sum.value, heap);
                misere.insert(sum.misere(), heap);
            }
            if self.forms.is_some() {
                options.insert(self.atoms_in(leave));
            }
        });
        if let Some(left) = not_smaller {
            return Err(Error::NotEnding {
                game: ruleset.name().to_owned(),
                heap,
                left,
            });
        }
        let tame = tame.then(|| Tame::of_pair(normal.mex(heap), misere.mex(heap)));
        self.values = [normal, misere];
        let form = self.form_of_options(options);
        if form.is_none() {
            self.forms = None;
        }
        Ok(self.new_atom(heap, tame.flatten(), form))
    }

    /// Represents a heap as a sum of the known atoms, or else as a new atom.
    fn new_atom(&mut self, heap: u64, tame: Option<Tame>, form: Option<Form>) -> Heap {
        let known = form.and_then(|form| self.known_sum(form));
        let atoms = known.unwrap_or_else(|| {
            self.atoms.push(AtomOf {
                heap,
                tame,
                form,
                options: None,
            });
            let atoms = vec![self.atoms.len() as Atom];
            if let Some(form) = form {
                self.atoms_of.entry(form).or_insert_with(|| atoms.clone());
            }
            atoms
        });
        Heap {
            tame,
            atoms: atoms.into(),
        }
    }

    /// The sum of atoms that is known to have this form, or to have it once *1 is added.
    fn known_sum(&mut self, form: Form) -> Option<Vec<Atom>> {
        if self.atoms.is_empty() && form == Forms::ONE {
            return None;
        }
        if let Some(atoms) = self.atoms_of.get(&form) {
            return Some(atoms.clone());
        }
        let other = self.forms.as_mut()?.sum(form, Forms::ONE)?;
        Some(sum_of([self.atoms_of.get(&other)?, &[ONE]]))
    }

    fn form_of_options(&mut self, options: BTreeSet<Vec<Atom>>) -> Option<Form> {
        let options: Option<Vec<Form>> = options
            .into_iter()
            .map(|atoms| self.form_of_sum(atoms))
            .collect();
        self.forms.as_mut()?.of_options(options?)
    }

    fn form_of_sum(&mut self, atoms: Vec<Atom>) -> Option<Form> {
        if let Some(&form) = self.form_of.get(&atoms) {
            return Some(form);
        }
        let sum = self.sum_of_forms(&atoms)?;
        let known = self.atoms_of.entry(sum).or_insert_with(|| atoms.clone());
        // Sums are compared by their largest atoms first: every move leaves a lesser sum, and so does replacing a sum by a lesser
        // one.
        if atoms.iter().rev().lt(known.iter().rev()) {
            known.clone_from(&atoms);
        }
        self.form_of.insert(atoms, sum);
        Some(sum)
    }

    /// The form of the sum of these atoms' forms, as long as there is room for it.
    fn sum_of_forms(&mut self, atoms: &[Atom]) -> Option<Form> {
        let forms = self.forms.as_mut()?;
        atoms.iter().try_fold(Forms::END, |sum, &atom| {
            forms.sum(sum, self.atoms[atom as usize - 1].form?)
        })
    }

    /// The atoms of a sum of heaps, ascending, with *1 once at most.
    ///
    /// # Panics
    /// If a heap was not reached.
    pub fn atoms_in(&self, heaps: &[u64]) -> Vec<Atom> {
        let atoms = |&heap: &u64| self.heaps[heap as usize].atoms.iter().copied();
        let mut atoms: Vec<Atom> = heaps.iter().flat_map(atoms).collect();
        normalise(&mut atoms);
        match self.form_of.get(&atoms) {
            Some(form) => self.atoms_of[form].clone(),
            None => atoms,
        }
    }

    /// The atoms of a heap that was reached.
    pub fn atoms_of(&self, heap: u64) -> &[Atom] {
        &self.heaps[heap as usize].atoms
    }

    /// The Nim heap that a heap behaves as, if the heap is known to be tame.
    pub fn tame(&self, heap: u64) -> Option<Tame> {
        self.heaps.get(usize::try_from(heap).ok()?)?.tame
    }

    /// How many heaps are known, from 0 on.
    pub fn met(&self) -> u64 {
        self.heaps.len() as u64
    }

    /// The sum of Nim heaps that a sum of atoms behaves as, if all of these are tame.
    pub fn tame_sum(&self, atoms: &[Atom]) -> Option<TameSum> {
        atoms.iter().map(|&atom| self.tame_atom(atom)).collect()
    }

    /// The size of the Nim heap that a sum of atoms is equal to, if it is known to be.
    pub fn nim_heap(&mut self, atoms: &[Atom]) -> Option<u32> {
        let sum = self.sum_of_forms(atoms)?;
        self.forms.as_ref()?.nim_heap(sum)
    }

    /// The Nim heap that an atom behaves as, if the atom is tame.
    pub fn tame_atom(&self, atom: Atom) -> Option<Tame> {
        self.atoms[atom as usize - 1].tame
    }

    /// A heap that an atom stands for.
    pub fn heap_of(&self, atom: Atom) -> u64 {
        self.atoms[atom as usize - 1].heap
    }

    /// The options of an atom, if they were made.
    pub fn options(&self, atom: Atom) -> Option<&Options> {
        self.atoms[atom as usize - 1].options.as_ref()
    }

    /// The bytes that all options made take.
    pub fn options_memory(&self) -> u64 {
        self.options_memory
    }

    /// Makes the options of an atom. Returns how many bytes they take. `check` is told now and then how many bytes the work on
    /// them takes so far, or how many options were looked at, if these are more.
    ///
    /// # Errors
    /// The first that `check` returns. The options are not made then.
    pub fn make_options(
        &mut self,
        ruleset: &Ruleset,
        values: &Values,
        atom: Atom,
        check: &dyn Fn(u64) -> Result<(), Limit>,
    ) -> Result<u64, Limit> {
        let hasher = DefaultHashBuilder::default();
        // The numbers of the options, each found by its atoms.
        let mut seen: HashTable<usize> = HashTable::new();
        let mut options = Options::default();
        let nim_value = |atom: &Atom| values.value(self.heap_of(*atom)) as u32;
        for (option, walked) in ruleset.options(self.heap_of(atom)).zip(1..) {
            if walked % BETWEEN_LOOKS == 0 {
                check(walked.max(options.memory() + seen.allocation_size() as u64))?;
            }
            let atoms = self.atoms_in(&option.leave);
            let hash = hasher.hash_one(&*atoms);
            let atoms_at = |at| options.get(at).map_or(&[][..], |(atoms, _)| atoms);
            if seen.find(hash, |&at| atoms_at(at) == atoms).is_some() {
                continue;
            }
            let after = atoms
                .iter()
                .map(nim_value)
                .fold(0, |sum, value| sum ^ value);
            seen.insert_unique(hash, options.ends.len(), |&at| {
                hasher.hash_one(atoms_at(at))
            });
            options.atoms.extend_from_slice(&atoms);
            let end = options.atoms.len() as u32;
            options.ends.push((end, nim_value(&atom) ^ after));
        }
        options.atoms.shrink_to_fit();
        options.ends.shrink_to_fit();
        let bytes = options.memory();
        self.atoms[atom as usize - 1].options = Some(options);
        self.options_memory += bytes;
        Ok(bytes)
    }
}

/// Sorts atoms and cancels pairs of *1, which come first.
pub fn normalise(atoms: &mut Vec<Atom>) {
    atoms.sort_unstable();
    let ones = atoms.iter().take_while(|&&atom| atom == ONE).count();
    atoms.drain(..ones - ones % 2);
}

/// The sum of these sums.
pub fn sum_of<const N: usize>(parts: [&[Atom]; N]) -> Vec<Atom> {
    let mut sum = parts.concat();
    normalise(&mut sum);
    sum
}

/// A set of small values, used for one heap after another: for each value, 1 more than the last heap that had it.
#[derive(Debug, Default)]
struct ValueSet(Vec<u64>);

impl ValueSet {
    fn insert(&mut self, value: NimValue, heap: u64) {
        let value = value as usize;
        if value >= self.0.len() {
            self.0.resize(value + 1, 0);
        }
        self.0[value] = heap + 1;
    }

    fn mex(&self, heap: u64) -> NimValue {
        self.0.iter().take_while(|&&last| last == heap + 1).count() as NimValue
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::HeapGame;
    use std::cell::Cell;

    /// Where there is no room for forms, one wild option ends the walk over the options of a heap.
    #[test]
    fn a_heap_is_as_tame_without_forms_as_with_them() {
        for rule in [
            "kayles",
            "take primes or half",
            "take squares or half",
            "take cubes or half and may split the rest",
        ] {
            let (ruleset, last) = (rule.parse().unwrap(), 300);
            let mut formed = Heaps::default();
            let mut formless = Heaps {
                forms: None,
                ..Heaps::default()
            };
            formed.reach(&ruleset, last, None).unwrap();
            formless.reach(&ruleset, last, None).unwrap();
            for heap in 0..=last {
                assert_eq!(formed.tame(heap), formless.tame(heap), "{rule}, {heap}");
            }
            let (all, few) = (formed.walked, formless.walked);
            assert!(few < all, "{rule}: {few} of {all} options walked");
        }
    }

    #[test]
    fn the_options_of_an_atom_are_listed_in_the_room_that_there_is() {
        let game = HeapGame::new("4!.Z".parse().unwrap());
        let (mut heaps, last) = (Heaps::default(), 150);
        heaps.reach(game.ruleset(), last, None).unwrap();
        let values = game.values(last).unwrap();
        let atom = heaps.atoms_of(last)[0];
        let most = Cell::new(0);
        let mut make = |room: u64| {
            heaps.make_options(game.ruleset(), &values, atom, &|bytes| {
                most.set(bytes);
                (bytes < room).then_some(()).ok_or(Limit::Memory)
            })
        };
        assert_eq!(make(1 << 20), Err(Limit::Memory));
        assert!(most.get() < 1 << 23, "{}", most.get());
        let bytes = make(u64::MAX).unwrap();
        assert!(bytes > 1 << 22 && most.get() > 1 << 22, "{bytes}");
        let listed: BTreeSet<Vec<Atom>> = (game.ruleset().options(last))
            .map(|option| heaps.atoms_in(&option.leave))
            .collect();
        let made = heaps.options(atom).map(|made| made.iter().count());
        assert_eq!(made, Some(listed.len()));
    }
}
