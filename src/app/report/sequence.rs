//! A stretch of a nim-sequence g(from), …, g(to), with one file per format, in memory that doesn't grow with its length.

mod bfile;
mod csv;
mod json;
mod npy;
mod outcomes;
mod table;
mod text;

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
    /// The game.
    pub game: String,
    /// The first heap.
    pub from: u64,
    /// The last heap, at least `from`.
    pub to: u64,
    /// The index that the first heap has in a b-file.
    pub offset: i128,
}

/// Writes one format, block by block.
pub trait Writer {
    /// Writes what stands before the first value.
    fn begin(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Writes the values of the heaps from `heap` on, which come after those written before.
    fn block(&mut self, out: &mut dyn Write, heap: u64, values: &[NimValue]) -> io::Result<()>;

    /// Writes what stands behind the last value.
    fn end(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

impl Stretch {
    /// Writes the stretch, which the values must reach.
    pub fn write(&self, values: &Values, format: Format, out: &mut dyn Write) -> io::Result<()> {
        let range = (self.from, self.to);
        let width = match format {
            Format::Text | Format::Npy => format.width(values.largest(range).0),
            _ => 0,
        };
        let mut writer = self.begin(format, width, out)?;
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
    ) -> io::Result<Box<dyn Writer + '_>> {
        let count = u128::from(self.to - self.from) + 1;
        let mut writer: Box<dyn Writer + '_> = match format {
            Format::Text => Box::new(text::Text::new(self.from, self.to, width)),
            Format::Csv => Box::new(csv::Csv),
            Format::Json => Box::new(json::Json::new(&self.game, self.from)),
            Format::Bfile => Box::new(bfile::Bfile::new(self.from, self.offset)),
            Format::Wl => Box::new(outcomes::Outcomes),
            Format::Npy => Box::new(npy::Npy::new(count, width)),
            Format::Latex => Box::new(TableFormat::Latex),
            Format::Markdown => Box::new(TableFormat::Markdown),
            Format::Tsv => Box::new(TableFormat::Tsv),
        };
        writer.begin(out)?;
        Ok(writer)
    }
}
