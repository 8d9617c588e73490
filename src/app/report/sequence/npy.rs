//! An array file of numpy, format 1.0 (<https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>):
//! a header padded to a multiple of 64 bytes, then the values, little-endian, ready to be mapped into memory.

use crate::grundy::NimValue;
use std::io::{self, Write};

/// The magic number, and the version 1.0.
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

/// The bytes that a value takes if the largest is `largest`.
pub fn width(largest: NimValue) -> usize {
    match largest {
        0..0x100 => 1,
        0x100..0x1_0000 => 2,
        0x1_0000..0x1_0000_0000 => 4,
        _ => 8,
    }
}

/// Writes the header of an array of `count` values of `width` bytes each.
pub fn begin(out: &mut dyn Write, count: u128, width: usize) -> io::Result<()> {
    let order = if width == 1 { '|' } else { '<' };
    let fields =
        format!("{{'descr': '{order}u{width}', 'fortran_order': False, 'shape': ({count},), }}");
    let before = MAGIC.len() + 2 + fields.len() + 1;
    let length = before.next_multiple_of(64) - MAGIC.len() - 2;
    out.write_all(MAGIC)?;
    out.write_all(&(length as u16).to_le_bytes())?;
    writeln!(out, "{fields:<0$}", length - 1)
}

/// Writes the values of the heaps from `heap` on, in `width` bytes each.
pub fn block(out: &mut dyn Write, width: usize, heap: u64, values: &[NimValue]) -> io::Result<()> {
    if let Some(at) = values.iter().position(|&value| value > u64::MAX.into()) {
        let text = format!(
            "the nim-value of pile {} is beyond 64 bits",
            heap + at as u64
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    let bytes = match width {
        1 => values.iter().map(|&value| value as u8).collect(),
        2 => cells(values, |value| (value as u16).to_le_bytes()),
        4 => cells(values, |value| (value as u32).to_le_bytes()),
        _ => cells(values, |value| (value as u64).to_le_bytes()),
    };
    out.write_all(&bytes)
}

fn cells<const N: usize>(values: &[NimValue], cell: impl Fn(NimValue) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| cell(value)).collect()
}
