//! A stretch of a nim-sequence g(from), …, g(to) in each of its formats, in memory that doesn't grow with its length.

mod npy;
mod text;

use super::json::SCHEMA;
use super::table::TableFormat;
use crate::grundy::NimValue;
use crate::sequence::Values;
use std::io::{self, Write};

/// The formats of a nim-sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Rows of ten with the pile at the left, for reading
    Text,
    /// A line `n,g` for each pile, after a line that says so
    Csv,
    /// One object on one line: the game, the first pile, the values
    Json,
    /// A b-file of the OEIS: a line `n a(n)` for each pile
    Bfile,
    /// A line of letters: W where whoever moves wins a single pile, L where not
    Wl,
    /// An array for numpy, of one, two or more bytes a value as the largest needs
    Npy,
    /// A tabular of LaTeX, a row for each pile
    Latex,
    /// A table of Markdown, a row for each pile
    Markdown,
    /// A line of the pile and its value with a tab between, after a line that says so
    Tsv,
}

impl Format {
    /// The format as one of a table, if it is one.
    pub fn table(self) -> Option<TableFormat> {
        match self {
            Format::Latex => Some(TableFormat::Latex),
            Format::Markdown => Some(TableFormat::Markdown),
            Format::Tsv => Some(TableFormat::Tsv),
            _ => None,
        }
    }

    /// The width of a value, given the largest, in formats that must know it before the first value is written; else 0.
    pub fn width(self, largest: NimValue) -> usize {
        match self {
            Format::Text => text::width(largest),
            Format::Npy => npy::width(largest),
            _ => 0,
        }
    }
}

/// A stretch of a nim-sequence.
#[derive(Clone, Debug)]
pub struct Stretch {
    pub game: String,
    /// The first heap.
    pub from: u64,
    /// The last heap, at least `from`.
    pub to: u64,
    /// The index that the first heap has in a b-file.
    pub offset: i128,
}

impl Stretch {
    /// Writes the stretch, which the values must reach.
    pub fn write(&self, values: &Values, format: Format, out: &mut dyn Write) -> io::Result<()> {
        let range = (self.from, self.to);
        let width = match format {
            Format::Text | Format::Npy => format.width(values.largest(range).0),
            _ => 0,
        };
        let writer = self.begin(format, width, out)?;
        values.each_block(range, |heap, values| {
            writer.block(out, heap, values)?;
            Ok::<_, io::Error>(true)
        })?;
        writer.end(out)
    }

    /// Begins to write the stretch, whose values are no wider than [`Format::width`] says.
    pub fn begin(
        &self,
        format: Format,
        width: usize,
        out: &mut dyn Write,
    ) -> io::Result<Writer<'_>> {
        match (format, format.table()) {
            (_, Some(table)) => table.begin(out, &["n", "g(n)"])?,
            (Format::Text, _) => text::begin(out, self.to, width)?,
            (Format::Csv, _) => writeln!(out, "n,g")?,
            (Format::Json, _) => self.begin_json(out)?,
            (Format::Npy, _) => npy::begin(out, u128::from(self.to - self.from) + 1, width)?,
            _ => {}
        }
        Ok(Writer {
            stretch: self,
            format,
            width,
        })
    }

    fn begin_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let game = serde_json::to_string(&self.game)?;
        write!(
            out,
            "{{\"schema\":{SCHEMA},\"kind\":\"values\",\"game\":{game},\"from\":{},\"values\":[",
            self.from
        )
    }
}

/// Writes a stretch whose beginning is written, block by block.
pub struct Writer<'s> {
    stretch: &'s Stretch,
    format: Format,
    /// The width of a value, as [`Format::width`] has it.
    width: usize,
}

impl Writer<'_> {
    /// Writes the values of the heaps from `heap` on, which come after those written before.
    pub fn block(&self, out: &mut dyn Write, heap: u64, values: &[NimValue]) -> io::Result<()> {
        let stretch = self.stretch;
        let shift = stretch.offset - i128::from(stretch.from);
        let mut rows = (heap..=u64::MAX).zip(values);
        match (self.format, self.format.table()) {
            (_, Some(table)) => rows.try_for_each(|(heap, value)| {
                table.row(out, &[heap.to_string(), value.to_string()])
            }),
            (Format::Text, _) => text::block(out, stretch, self.width, heap, values),
            (Format::Csv, _) => rows.try_for_each(|(heap, value)| writeln!(out, "{heap},{value}")),
            (Format::Json, _) => rows.try_for_each(|(heap, value)| {
                let comma = if heap == stretch.from { "" } else { "," };
                write!(out, "{comma}{value}")
            }),
            (Format::Bfile, _) => rows.try_for_each(|(heap, value)| {
                writeln!(out, "{} {value}", i128::from(heap) + shift)
            }),
            (Format::Npy, _) => npy::block(out, self.width, heap, values),
            _ => {
                let letter = |&value: &NimValue| if value == 0 { b'L' } else { b'W' };
                out.write_all(&values.iter().map(letter).collect::<Vec<u8>>())
            }
        }
    }

    /// Writes what stands behind the last value.
    pub fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        match (self.format, self.format.table()) {
            (_, Some(table)) => table.end(out),
            (Format::Json, _) => writeln!(out, "]}}"),
            (Format::Wl, _) => writeln!(out),
            _ => Ok(()),
        }
    }
}
