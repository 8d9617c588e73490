//! The options of sums of atoms in one game.

use super::heaps::{Atom, Heaps, Options, sum_of};
use crate::exhaustive::Limit;
use crate::ruleset::Ruleset;
use crate::sequence::Values;

/// A game with the facts known of its heaps.
pub struct Rules<'g> {
    /// The rule for one heap.
    pub ruleset: &'g Ruleset,
    /// The nim-values of the game, at least as far as the heaps of the position.
    pub values: &'g Values,
    /// The facts known of the game's heaps, at least as far as the heaps of the position.
    pub heaps: &'g mut Heaps,
}

impl<'g> Rules<'g> {
    /// The options of sums in a game, with the facts known of its heaps.
    pub fn new(ruleset: &'g Ruleset, values: &'g Values, heaps: &'g mut Heaps) -> Rules<'g> {
        Rules {
            ruleset,
            values,
            heaps,
        }
    }

    /// Makes the options of an atom if they aren't made yet. Returns how many bytes they take. See [`Heaps::make_options`].
    ///
    /// # Errors
    /// The first that `check` returns.
    pub fn make_options(
        &mut self,
        atom: Atom,
        check: &dyn Fn(u64) -> Result<(), Limit>,
    ) -> Result<u64, Limit> {
        match self.heaps.options(atom) {
            Some(_) => Ok(0),
            None => (self.heaps).make_options(self.ruleset, self.values, atom, check),
        }
    }

    /// The options of an atom, each a sum of atoms.
    pub fn options(&mut self, atom: Atom) -> Vec<Vec<Atom>> {
        let options = self.made(atom).into_iter().flat_map(Options::iter);
        options.map(<[Atom]>::to_vec).collect()
    }

    fn made(&mut self, atom: Atom) -> Option<&Options> {
        self.make_options(atom, &|_| Ok(())).ok()?;
        self.heaps.options(atom)
    }

    /// The options of a sum of atoms, some of them more than once: to sort them takes longer than to look them up again.
    pub fn options_of_sum(&mut self, atoms: &[Atom]) -> Vec<Vec<Atom>> {
        let mut options = Vec::new();
        for (index, &atom) in atoms.iter().enumerate() {
            if index > 0 && atoms[index - 1] == atom {
                continue;
            }
            for option in self.made(atom).into_iter().flat_map(Options::iter) {
                options.push(sum_of([&atoms[..index], &atoms[index + 1..], option]));
            }
        }
        options
    }
}
