//! The outcomes of single piles as one line of letters: W if whoever moves wins, L if not.

use super::Writer;
use crate::grundy::NimValue;
use std::io::{self, Write};

pub struct Outcomes;

impl Writer for Outcomes {
    fn block(&mut self, out: &mut dyn Write, _: u64, values: &[NimValue]) -> io::Result<()> {
        let letters: Vec<u8> = values
            .iter()
            .map(|&value| if value == 0 { b'L' } else { b'W' })
            .collect();
        out.write_all(&letters)
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out)
    }
}
