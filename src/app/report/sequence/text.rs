//! Rows of ten with the pile at the left, as the tables in *Winning Ways* have them.

use super::Writer;
use crate::grundy::NimValue;
use std::io::{self, Write};

const COLUMNS: u64 = 10;

pub struct Text {
    from: u64,
    to: u64,
    pile_width: usize,
    value_width: usize,
}

/// The width of a column whose largest value is `largest`, and which has a head.
pub fn width(largest: NimValue) -> usize {
    largest.to_string().len().max(2)
}

impl Text {
    /// A table of the piles `from..=to`, with columns that are `value_width` characters wide.
    pub fn new(from: u64, to: u64, value_width: usize) -> Text {
        Text {
            from,
            to,
            pile_width: to.to_string().len(),
            value_width,
        }
    }
}

impl Writer for Text {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let (pile_width, value_width) = (self.pile_width, self.value_width);
        write!(out, "{:>pile_width$} |", "n")?;
        for column in 0..COLUMNS {
            write!(out, " {:>value_width$}", format!("+{column}"))?;
        }
        let line = (value_width + 1) * COLUMNS as usize;
        writeln!(out, "\n{}-+{}", "-".repeat(pile_width), "-".repeat(line))
    }

    fn block(&mut self, out: &mut dyn Write, heap: u64, values: &[NimValue]) -> io::Result<()> {
        let (pile_width, value_width) = (self.pile_width, self.value_width);
        for (heap, value) in (heap..=u64::MAX).zip(values) {
            let column = heap % COLUMNS;
            if column == 0 || heap == self.from {
                write!(out, "{:>pile_width$} |", heap - column)?;
                let blank = column as usize * (value_width + 1);
                write!(out, "{:blank$}", "")?;
            }
            write!(out, " {value:>value_width$}")?;
            if column == COLUMNS - 1 || heap == self.to {
                writeln!(out)?;
            }
        }
        Ok(())
    }
}
