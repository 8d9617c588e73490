//! Comma-separated values: a line `n,g`, then one for each pile.

use super::Writer;
use crate::grundy::NimValue;
use std::io::{self, Write};

pub struct Csv;

impl Writer for Csv {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "n,g")
    }

    fn block(&mut self, out: &mut dyn Write, heap: u64, values: &[NimValue]) -> io::Result<()> {
        let mut lines = (heap..=u64::MAX).zip(values);
        lines.try_for_each(|(heap, value)| writeln!(out, "{heap},{value}"))
    }
}
