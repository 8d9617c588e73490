//! Rows of ten with the pile at the left, as the tables in *Winning Ways* have them.

use super::Stretch;
use crate::grundy::NimValue;
use std::io::{self, Write};

const COLUMNS: u64 = 10;

/// The width of a column whose largest value is `largest`, and which has a head.
pub fn width(largest: NimValue) -> usize {
    largest.to_string().len().max(2)
}

/// Writes the heads of the columns; those of values are `width` characters wide, and that of piles as wide as the last, `to`.
pub fn begin(out: &mut dyn Write, to: u64, width: usize) -> io::Result<()> {
    let pile_width = to.to_string().len();
    write!(out, "{:>pile_width$} |", "n")?;
    for column in 0..COLUMNS {
        write!(out, " {:>width$}", format!("+{column}"))?;
    }
    let line = (width + 1) * COLUMNS as usize;
    writeln!(out, "\n{}-+{}", "-".repeat(pile_width), "-".repeat(line))
}

/// Writes the values of the heaps from `heap` on in columns that are `width` characters wide.
pub fn block(
    out: &mut dyn Write,
    stretch: &Stretch,
    width: usize,
    heap: u64,
    values: &[NimValue],
) -> io::Result<()> {
    let pile_width = stretch.to.to_string().len();
    for (heap, value) in (heap..=u64::MAX).zip(values) {
        let column = heap % COLUMNS;
        if column == 0 || heap == stretch.from {
            write!(out, "{:>pile_width$} |", heap - column)?;
            let blank = column as usize * (width + 1);
            write!(out, "{:blank$}", "")?;
        }
        write!(out, " {value:>width$}")?;
        if column == COLUMNS - 1 || heap == stretch.to {
            writeln!(out)?;
        }
    }
    Ok(())
}
