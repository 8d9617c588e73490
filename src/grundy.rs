//! The nim-value by its definition: the reference for every solver.
//!
//! The nim-value of a heap is the mex of the nim-values of its options, and that of several heaps is their nim-sum
//! (Sprague 1935, Grundy 1939). Nothing here is clever: each value costs a walk over all options of its heap.

use crate::engine::table::Table;
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

/// The nim-value of a heap, by those of the smaller heaps, which the table must hold.
///
/// Time: a walk over all options of that heap. Memory: a byte for each possible nim-value of an option.
///
/// # Errors
/// If an option holds a heap that is not smaller.
///
/// # Panics
/// If the table doesn't reach the heap before.
pub fn value(ruleset: &Ruleset, table: &Table, heap: usize) -> Result<u64, Error> {
    let mut is_option = Vec::new();
    let mut not_smaller = None;
    ruleset.each_option(heap as u64, |leave| {
        let mut value = 0;
        for &part in leave {
            match usize::try_from(part) {
                Ok(part) if part < heap => value ^= usize::from(table.get(part)),
                _ => not_smaller = Some(part),
            }
        }
        if value >= is_option.len() {
            is_option.resize(value + 1, false);
        }
        is_option[value] = true;
    });
    if let Some(left) = not_smaller {
        let game = ruleset.name().to_owned();
        return Err(Error::NotEnding {
            game,
            heap: heap as u64,
            left,
        });
    }
    let values = (0u64..).zip(is_option).filter(|&(_, is_option)| is_option);
    Ok(mex(values.map(|(value, _)| value)))
}

/// Appends the nim-value of the next heap to a table of those before it.
///
/// # Errors
/// As for [`value`], or if the value is beyond what a table holds.
pub fn push_next(ruleset: &Ruleset, table: &mut Table) -> Result<(), Error> {
    let value = value(ruleset, table, table.len())?;
    table.push(value)
}

/// The nim-values g(0) … g(heaps), each by its definition.
///
/// # Errors
/// As for [`push_next`].
///
/// ```
/// use nim_analyser::{grundy, ruleset::Ruleset};
/// let table = grundy::nim_values(&Ruleset::default(), 8)?;
/// assert_eq!(table.iter().collect::<Vec<_>>(), [0, 0, 0, 1, 2, 0, 1, 2, 3]);
/// # Ok::<(), nim_analyser::Error>(())
/// ```
pub fn nim_values(ruleset: &Ruleset, heaps: usize) -> Result<Table, Error> {
    let mut table = Table::new();
    while table.len() <= heaps {
        push_next(ruleset, &mut table)?;
    }
    Ok(table)
}
