//! The nim-value by its definition: the reference for every engine.
//!
//! The nim-value of a heap is the mex of the nim-values of its options, and that of several heaps is their nim-sum
//! (Sprague 1935, Grundy 1939). Nothing here is clever: each value costs a walk over all options of its heap. The first few
//! hundred heaps of a game are worked out here, by [`value`], unless they have millions of options or an engine is named; the
//! engines serve longer tables, and `engine/definition.rs` is the table of any length by which they are tested.

mod product;

pub use product::{nim_inverse, nim_product, nim_quotient, nim_sqrt};

use crate::error::Error;
use crate::ruleset::Ruleset;

/// The nim-value of a heap or a position. A heap of a `u64` may have one beyond `u64` (Lasker's Nim at 2^64-1).
pub type NimValue = u128;

/// The least whole number that is not among `values` (minimum excluded value).
///
/// Time and memory grow with how many values there are, not with how large they are.
///
/// ```
/// use nim_analyser::grundy::mex;
/// assert_eq!(mex([0, 1, 3, 4]), 2);
/// assert_eq!(mex([]), 0);
/// ```
pub fn mex(values: impl IntoIterator<Item = u64>) -> u64 {
    let values: Vec<u64> = values.into_iter().collect();
    let mut seen = vec![false; values.len() + 1];
    for value in values {
        if let Some(seen) = usize::try_from(value)
            .ok()
            .and_then(|value| seen.get_mut(value))
        {
            *seen = true;
        }
    }
    seen.iter().take_while(|&&seen| seen).count() as u64
}

/// The nim-sum: the binary addition without carry of Bouton (*Nim, a game with a complete mathematical theory*,
/// Ann. of Math. 3, 1901, pp. 35-39).
pub fn nim_sum(values: impl IntoIterator<Item = NimValue>) -> NimValue {
    values.into_iter().fold(0, |sum, value| sum ^ value)
}

/// The nim-value of a heap; `values` gives the nim-values of the smaller heaps.
///
/// Time: a walk over all options of that heap. Memory: nine bytes an option.
///
/// # Errors
/// If an option holds a heap that is not smaller.
///
/// ```
/// use nim_analyser::{grundy, ruleset::Ruleset};
/// // Couples-are-Forever: a pile of 8 splits into 1 + 7, 2 + 6, 3 + 5 or 4 + 4.
/// let smaller = [0, 0, 0, 1, 2, 0, 1, 2];
/// assert_eq!(grundy::value(&Ruleset::default(), 8, |heap| smaller[heap as usize])?, 3);
/// # Ok::<(), nim_analyser::Error>(())
/// ```
pub fn value(
    ruleset: &Ruleset,
    heap: u64,
    mut values: impl FnMut(u64) -> u64,
) -> Result<u64, Error> {
    let mut option_values = Vec::new();
    let mut not_smaller = None;
    ruleset.each_option(heap, |leave| {
        let mut value = 0;
        for &part in leave {
            if part < heap {
                value ^= values(part);
            } else {
                not_smaller = Some(part);
            }
        }
        option_values.push(value);
    });
    if let Some(left) = not_smaller {
        let game = ruleset.name().to_owned();
        return Err(Error::NotEnding { game, heap, left });
    }
    Ok(mex(option_values))
}

/// The nim-values g(0) to g(heap), each by its definition from those before it, which are remembered.
///
/// Time: a walk over all options of each heap.
///
/// # Errors
/// As for [`value`].
///
/// ```
/// use nim_analyser::{grundy, ruleset::Ruleset};
/// assert_eq!(grundy::values(&"kayles".parse()?, 6)?, [0, 1, 2, 3, 1, 4, 3]);
/// # Ok::<(), nim_analyser::Error>(())
/// ```
pub fn values(ruleset: &Ruleset, heap: u64) -> Result<Vec<u64>, Error> {
    let mut known = Vec::new();
    for next in 0..=heap {
        let value = value(ruleset, next, |smaller| known[smaller as usize])?;
        known.push(value);
    }
    Ok(known)
}
