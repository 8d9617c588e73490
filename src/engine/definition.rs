//! A table by the definition, one heap after another: the twin of every faster engine.
//!
//! Time: a walk over all options of every heap. Memory: what the table takes.

use super::table::Table;
use crate::error::Error;
use crate::grundy;
use crate::ruleset::Ruleset;

/// The nim-value of a heap, from the values of the smaller heaps, which the table must hold.
///
/// # Errors
/// As for [`grundy::value`].
///
/// # Panics
/// If the table doesn't reach the heap before.
pub fn value(ruleset: &Ruleset, table: &Table, heap: u64) -> Result<u64, Error> {
    grundy::value(ruleset, heap, |part| table.value(part as usize).into())
}

/// Appends the nim-values of the next heaps to a table until it reaches `heap`.
///
/// After each value `go_on` is shown the table, and may stop the work by an error.
///
/// # Errors
/// As for [`grundy::value`], if a value is beyond what a table holds, or the error of `go_on`.
pub fn fill(
    ruleset: &Ruleset,
    table: &mut Table,
    heap: u64,
    mut go_on: impl FnMut(&Table) -> Result<(), Error>,
) -> Result<(), Error> {
    while table.len() as u64 <= heap {
        let value = value(ruleset, table, table.len() as u64)?;
        table.push(value)?;
        go_on(table)?;
    }
    Ok(())
}

/// The nim-values g(0) … g(heaps), each by its definition.
///
/// # Errors
/// As for [`fill`].
///
/// ```
/// use nim_analyser::{engine::definition, ruleset::Ruleset};
/// let table = definition::nim_values(&Ruleset::default(), 8)?;
/// assert_eq!(table.iter().collect::<Vec<_>>(), [0, 0, 0, 1, 2, 0, 1, 2, 3]);
/// # Ok::<(), nim_analyser::Error>(())
/// ```
pub fn nim_values(ruleset: &Ruleset, heaps: usize) -> Result<Table, Error> {
    let mut table = Table::new();
    fill(ruleset, &mut table, heaps as u64, |_| Ok(()))?;
    Ok(table)
}
