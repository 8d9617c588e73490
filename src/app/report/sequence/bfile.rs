//! A b-file as the OEIS takes it (<https://oeis.org/wiki/B-files>): `n a(n)` with one space, a line feed after each.

use super::Writer;
use crate::grundy::NimValue;
use std::io::{self, Write};

pub struct Bfile {
    /// What is added to a heap to give its index.
    shift: i128,
}

impl Bfile {
    /// A b-file that counts the heap `from` as `offset`.
    pub fn new(from: u64, offset: i128) -> Bfile {
        Bfile {
            shift: offset - i128::from(from),
        }
    }
}

impl Writer for Bfile {
    fn block(&mut self, out: &mut dyn Write, heap: u64, values: &[NimValue]) -> io::Result<()> {
        let mut lines = (i128::from(heap) + self.shift..).zip(values);
        lines.try_for_each(|(index, value)| writeln!(out, "{index} {value}"))
    }
}
