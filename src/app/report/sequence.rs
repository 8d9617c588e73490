//! A stretch of a nim-sequence g(from), …, g(to), one file a format, in memory that doesn't grow with its length.

mod bfile;
mod csv;
mod json;
mod npy;
mod outcomes;
mod text;

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
}

impl Format {
    /// Whether it is no text.
    pub fn is_binary(self) -> bool {
        self == Format::Npy
    }
}

/// A stretch of a nim-sequence.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The game.
    pub game: String,
    /// The nim-values.
    pub values: Values,
    /// The first heap.
    pub from: u64,
    /// The last heap, at least `from`; the values must reach it.
    pub to: u64,
    /// What the first heap is counted as in a b-file.
    pub offset: i128,
}

/// Writes one format, block by block.
trait Writer {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()>;
    /// The values of the heaps from `heap` on.
    fn block(&mut self, out: &mut dyn Write, heap: u64, values: &[NimValue]) -> io::Result<()>;
    fn end(&mut self, out: &mut dyn Write) -> io::Result<()>;
}

impl Sequence {
    /// Writes the sequence.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        let range = (self.from, self.to);
        let largest = match format {
            Format::Text | Format::Npy => self.values.largest(range).0,
            Format::Csv | Format::Json | Format::Bfile | Format::Wl => 0,
        };
        let count = u128::from(self.to - self.from) + 1;
        let mut writer: Box<dyn Writer> = match format {
            Format::Text => Box::new(text::Text::new(self.from, self.to, largest)),
            Format::Csv => Box::new(csv::Csv),
            Format::Json => Box::new(json::Json::new(&self.game, self.from)),
            Format::Bfile => Box::new(bfile::Bfile::new(self.from, self.offset)),
            Format::Wl => Box::new(outcomes::Outcomes),
            Format::Npy => Box::new(npy::Npy::new(count, largest)),
        };
        writer.begin(out)?;
        self.values.each_block(range, |heap, values| {
            writer.block(out, heap, values)?;
            Ok::<_, io::Error>(true)
        })?;
        writer.end(out)
    }
}
