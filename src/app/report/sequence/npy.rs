//! An array file of numpy, format 1.0 (<https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>):
//! a header padded to a multiple of 64 bytes, then the values, little-endian, ready to be mapped into memory.

use super::Writer;
use crate::grundy::NimValue;
use std::io::{self, Write};

/// The magic number, and the version 1.0.
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

pub struct Npy {
    count: u128,
    width: usize,
    bytes: Vec<u8>,
}

/// The bytes that a value takes if the largest is `largest`.
pub fn width(largest: NimValue) -> usize {
    match largest {
        0..0x100 => 1,
        0x100..0x1_0000 => 2,
        0x1_0000..0x1_0000_0000 => 4,
        _ => 8,
    }
}

impl Npy {
    /// An array of `count` values of `width` bytes each.
    pub fn new(count: u128, width: usize) -> Npy {
        Npy {
            count,
            width,
            bytes: Vec::new(),
        }
    }
}

impl Writer for Npy {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let order = if self.width == 1 { '|' } else { '<' };
        let (width, count) = (self.width, self.count);
        let fields = format!(
            "{{'descr': '{order}u{width}', 'fortran_order': False, 'shape': ({count},), }}"
        );
        let before = MAGIC.len() + 2 + fields.len() + 1;
        let length = before.next_multiple_of(64) - MAGIC.len() - 2;
        out.write_all(MAGIC)?;
        out.write_all(&(length as u16).to_le_bytes())?;
        writeln!(out, "{fields:<0$}", length - 1)
    }

    fn block(&mut self, out: &mut dyn Write, heap: u64, values: &[NimValue]) -> io::Result<()> {
        self.bytes.clear();
        if let Some(at) = values.iter().position(|&value| value > u64::MAX.into()) {
            let text = format!(
                "the nim-value of pile {} is beyond 64 bits",
                heap + at as u64
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        match self.width {
            1 => self.bytes.extend(values.iter().map(|&value| value as u8)),
            2 => push(&mut self.bytes, values, |value| {
                (value as u16).to_le_bytes()
            }),
            4 => push(&mut self.bytes, values, |value| {
                (value as u32).to_le_bytes()
            }),
            _ => push(&mut self.bytes, values, |value| {
                (value as u64).to_le_bytes()
            }),
        }
        out.write_all(&self.bytes)
    }
}

fn push<const N: usize>(
    bytes: &mut Vec<u8>,
    values: &[NimValue],
    cell: impl Fn(NimValue) -> [u8; N],
) {
    bytes.extend(values.iter().flat_map(|&value| cell(value)));
}
