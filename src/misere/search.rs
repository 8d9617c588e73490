//! The search for who wins through the positions that can be reached: by the rule of the game alone, without a theorem.
//!
//! A position is lost if all of its options are won; the end of the game is won. Each position met is judged once and kept.
//! Options of nim-sum 0 are tried first, because most lost positions have nim-sum 0. Positions whose atoms are all tame are not
//! searched further.
//!
//! Cost: a position takes a byte or two an atom and 9 to 18 bytes of the index; time goes with the options of each.

use super::heaps::{Atom, Heaps, normalise};
use super::quotient::Quotient;
use super::rules::Rules;
use crate::exhaustive::{self, Budget, Limit, Limits, Memo, Step};
use crate::outcome::Outcome;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// The positions searched and who wins them; the positions stand in one row of bytes.
#[derive(Debug, Default)]
pub struct Search {
    /// Where each position starts in `keys`, doubled, and 1 added if it is a P-position.
    index: HashTable<u64>,
    keys: Vec<u8>,
    hasher: DefaultHashBuilder,
    /// Bytes taken by the options of atoms.
    options: u64,
    /// A buffer for a key.
    key: Vec<u8>,
}

/// How many bytes of options of heaps may be listed for each position allowed.
const BYTES_PER_POSITION: u64 = 16;

/// A position being judged, with the number of its next option.
pub struct Frame {
    atoms: Vec<Atom>,
    nim_sum: u32,
    /// Whether the options of nim-sum 0 have all been tried, so that the other options are next.
    others: bool,
    atom: usize,
    option: usize,
}

impl Search {
    /// How many positions are kept.
    pub fn positions(&self) -> u64 {
        self.index.len() as u64
    }

    /// Forgets the positions kept if they take half of what is allowed, to make room for others.
    pub fn make_room(&mut self, limits: &Limits<'_>) {
        if self.positions() >= limits.positions / 2 || self.memory() >= limits.memory / 2 {
            self.index = HashTable::new();
            self.keys = Vec::new();
        }
    }

    /// Who wins the position of these atoms.
    ///
    /// # Errors
    /// If a limit is reached; what was found until then is kept.
    pub fn outcome(
        &mut self,
        rules: &mut Rules<'_>,
        quotient: &Quotient,
        atoms: Vec<Atom>,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Limit> {
        if let Some(outcome) = self.known(rules.heaps, quotient, &atoms) {
            return Ok(outcome);
        }
        let value = |&atom: &Atom| rules.values.value(rules.heaps.heap_of(atom)) as u32;
        let nim_sum = atoms.iter().map(value).fold(0, |sum, value| sum ^ value);
        let first = Frame::new(atoms, nim_sum);
        let budget = Budget::new(*limits, 0);
        let mut counted = 0;
        exhaustive::answer(self, &budget, first, |search, frame, last| {
            // Going through a position takes as long as the position is.
            let steps = 1 + frame.atoms.len() as u64 / 16 + search.options - counted;
            counted = search.options;
            if budget.count(steps) {
                search.check(&budget)?;
            }
            Ok(match last {
                Some(Outcome::P) => Step::Answered(Outcome::N),
                _ => search.advance(rules, quotient, frame, &budget)?,
            })
        })
    }

    /// Goes through the options of a position from the next one on, up to the first that decides it or is not known.
    fn advance(
        &mut self,
        rules: &mut Rules<'_>,
        quotient: &Quotient,
        frame: &mut Frame,
        budget: &Budget<'_>,
    ) -> Result<Step<Frame, Outcome>, Limit> {
        let mut left = Vec::new();
        while let Some(&atom) = frame.atoms.get(frame.atom) {
            self.options += rules.make_options(atom, &|bytes| {
                self.check_options(bytes, budget)?;
                budget.check_memory(self.memory() + bytes)?;
                budget.tell(self.positions())
            })?;
            let repeated = frame.atom > 0 && frame.atoms[frame.atom - 1] == atom;
            let options = rules.heaps.options(atom).filter(|_| !repeated);
            let Some((option, change)) = options.and_then(|all| all.get(frame.option)) else {
                frame.next_atom();
                continue;
            };
            frame.option += 1;
            let nim_sum = frame.nim_sum ^ change;
            if (nim_sum != 0) != frame.others {
                continue;
            }
            left.clear();
            left.extend_from_slice(&frame.atoms[..frame.atom]);
            left.extend_from_slice(&frame.atoms[frame.atom + 1..]);
            left.extend_from_slice(option);
            normalise(&mut left);
            match self.known(rules.heaps, quotient, &left) {
                Some(Outcome::P) => return Ok(Step::Answered(Outcome::N)),
                Some(Outcome::N) => {}
                None => return Ok(Step::Into(Frame::new(left, nim_sum))),
            }
        }
        Ok(Step::Answered(Outcome::P))
    }

    /// Who wins a position that was judged before, or whose heaps are all tame.
    fn known(&mut self, heaps: &Heaps, quotient: &Quotient, atoms: &[Atom]) -> Option<Outcome> {
        if let Some(tame) = heaps.tame_sum(atoms) {
            return Some(tame.outcome());
        }
        if let Some(element) = quotient.element(atoms) {
            return Some(quotient.monoid.outcome(element));
        }
        encode(atoms, &mut self.key);
        let (key, keys) = (self.key.as_slice(), &self.keys);
        // A key ends with its only 0, so that no key is the beginning of another.
        let is_it = |&entry: &u64| keys[(entry / 2) as usize..].starts_with(key);
        let entry = self.index.find(self.hasher.hash_one(key), is_it)?;
        Some(Outcome::of_lost(entry % 2 == 1))
    }

    /// The bytes taken once another position is kept; a full list takes three times as much while it grows.
    fn memory_at_next(&self, key: &[u8]) -> u64 {
        let grows = |full: bool, bytes: usize| if full { 2 * bytes as u64 } else { 0 };
        let index = self.index.len() == self.index.capacity();
        let keys = self.keys.len() + key.len() > self.keys.capacity();
        self.memory()
            + grows(index, self.index.allocation_size())
            + grows(keys, self.keys.capacity())
    }

    fn check_room(&self, budget: &Budget<'_>, key: &[u8]) -> Result<(), Limit> {
        if self.positions() >= budget.limits.positions {
            return Err(Limit::Positions);
        }
        budget.check_memory(self.memory_at_next(key))
    }

    fn check(&self, budget: &Budget<'_>) -> Result<(), Limit> {
        self.check_options(0, budget)?;
        self.check_room(budget, &[])?;
        budget.tell(self.positions())
    }

    /// Checks that the options made, and so many bytes of others, are no more than the positions allowed let through.
    fn check_options(&self, more: u64, budget: &Budget<'_>) -> Result<(), Limit> {
        match self.options + more < BYTES_PER_POSITION * budget.limits.positions {
            true => Ok(()),
            false => Err(Limit::Options),
        }
    }
}

impl Memo<Frame> for Search {
    type Answer = Outcome;

    fn memory(&self) -> u64 {
        self.index.allocation_size() as u64 + self.keys.capacity() as u64 + self.options
    }

    fn memory_of(frame: &Frame) -> u64 {
        (size_of::<Frame>() + frame.atoms.capacity() * size_of::<Atom>()) as u64
    }

    fn keep(&mut self, frame: Frame, outcome: Outcome, budget: &Budget<'_>) -> Result<(), Limit> {
        encode(&frame.atoms, &mut self.key);
        self.check_room(budget, &self.key)?;
        let (key, hasher) = (self.key.as_slice(), &self.hasher);
        self.keys
            .try_reserve(key.len())
            .map_err(|_| Limit::Memory)?;
        let entry = 2 * self.keys.len() as u64 + u64::from(outcome == Outcome::P);
        self.keys.extend_from_slice(key);
        let keys = &self.keys;
        let hash_of = |&entry: &u64| hasher.hash_one(key_at(keys, entry));
        (self.index)
            .try_reserve(1, hash_of)
            .map_err(|_| Limit::Memory)?;
        self.index
            .insert_unique(hasher.hash_one(key), entry, hash_of);
        Ok(())
    }
}

impl Frame {
    fn new(atoms: Vec<Atom>, nim_sum: u32) -> Frame {
        Frame {
            atoms,
            nim_sum,
            others: false,
            atom: 0,
            option: 0,
        }
    }

    fn next_atom(&mut self) {
        (self.atom, self.option) = (self.atom + 1, 0);
        if self.atom == self.atoms.len() && !self.others {
            (self.others, self.atom) = (true, 0);
        }
    }
}

fn key_at(keys: &[u8], entry: u64) -> &[u8] {
    let rest = &keys[(entry / 2) as usize..];
    let end = rest
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(rest.len() - 1);
    &rest[..=end]
}

/// Writes atoms in seven bits a byte, lowest first, the last byte of each without its high bit; a 0 ends them,
/// which no atom's last byte is.
fn encode(atoms: &[Atom], key: &mut Vec<u8>) {
    key.clear();
    for &atom in atoms {
        let mut rest = atom;
        while rest >= 0x80 {
            key.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        key.push(rest as u8);
    }
    key.push(0);
}
