//! A row for each pile, in a table for papers and pages.

use super::Writer;
use crate::app::report::table::TableFormat;
use crate::grundy::NimValue;
use std::io::{self, Write};

impl Writer for TableFormat {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        TableFormat::begin(*self, out, &["n", "g(n)"])
    }

    fn block(&mut self, out: &mut dyn Write, heap: u64, values: &[NimValue]) -> io::Result<()> {
        let mut rows = (heap..=u64::MAX).zip(values);
        rows.try_for_each(|(heap, value)| self.row(out, &[heap.to_string(), value.to_string()]))
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        TableFormat::end(*self, out)
    }
}
