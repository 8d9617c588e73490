//! The first values of a game by the definition, for the tests of the engines.

use super::definition;
use super::octal::Octal;
use crate::ruleset::Ruleset;

/// A game in which heaps are split, and its values up to a heap.
pub fn first_values(game: &str, last: usize) -> (Octal, Vec<u16>) {
    let ruleset: Ruleset = game.parse().unwrap();
    let octal = Octal::breaking(&ruleset).unwrap();
    let values = definition::nim_values(&ruleset, last).unwrap();
    (octal, values.iter().collect())
}
