//! A word that names a game or says a number or piles.

use crate::error::{CodeFault, NameError};
use crate::position::{PileError, PileFault, parse_piles};
use crate::ruleset::Ruleset;

/// One number, as a person writes a pile.
pub fn heap(text: &str) -> Result<u64, String> {
    only_pile(&parse_piles(&[text]))
}

/// Whether a word names a game, or was meant to: it begins with a letter, or is a take-and-break code.
pub fn names_game(word: &str) -> bool {
    piles_of(word).is_none()
}

/// The piles that a word says, or why it says none; `None` for a word that names a game.
pub(super) fn piles_of(word: &str) -> Option<Result<Vec<u64>, PileError>> {
    if word.starts_with(char::is_alphabetic) {
        return None;
    }
    let piles = parse_piles(&[word]);
    let is_game = match word.parse::<Ruleset>() {
        // `4.5e3` is a code, whatever number it would be.
        Ok(_) => word.contains('.') || piles.is_err(),
        // `0.77.` is a code with a fault, and `0..77` a range of numbers.
        Err(NameError::Code(error)) if error.fault == CodeFault::SecondPoint => {
            word.matches('.').count() == 2 && !word.contains("..") && piles.is_err()
        }
        Err(_) => false,
    };
    (!is_game).then_some(piles)
}

/// The number, if it is the only one, as for [`heap`].
pub(super) fn only_pile(piles: &Result<Vec<u64>, PileError>) -> Result<u64, String> {
    match piles.as_deref() {
        Ok([heap]) => Ok(*heap),
        Ok(_) => Err("expected one number, as in 100, 1_000 or 1e6".to_owned()),
        Err(error) => Err(match error.fault {
            PileFault::NotANumber => "expected one number, as in 100, 1_000 or 1e6".to_owned(),
            PileFault::Range => {
                "it is a range; its last number stands here, and its first behind --from, where the command has that"
                    .to_owned()
            }
            fault => fault.to_string(),
        }),
    }
}
