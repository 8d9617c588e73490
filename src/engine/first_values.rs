//! The first values of a game by the definition, and their codes, for the tests of the engines.

use super::definition;
use super::kernel::Code;
use super::octal::Octal;
use super::packed::PackedTable;
use super::sparse_space::SparseSpace;
use crate::ruleset::Ruleset;

/// A game in which heaps are split, and its values up to a heap.
pub fn first_values(game: &str, last: usize) -> (Octal, Vec<u16>) {
    let ruleset: Ruleset = game.parse().unwrap();
    let octal = Octal::breaking(&ruleset).unwrap();
    let values = definition::nim_values(&ruleset, last).unwrap();
    (octal, values.iter().collect())
}

/// The codes of these first values, if the game has a sparse space in which at most one in `share` of the last heaps is rare.
pub fn encode<C: Code>(game: &Octal, values: &[u16], share: usize) -> Option<PackedTable<C>> {
    PackedTable::new(
        SparseSpace::shown_by(game, values, share)?,
        values,
        game.most_taken(),
    )
}
