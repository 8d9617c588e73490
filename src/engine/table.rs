//! The nim-values of the first heaps, in one byte or two each. Twin: a vector of values.

use super::packed::{Forgotten, PackedTable};
use crate::error::Error;

/// The nim-values g(0), g(1), … of a heap game. They take a byte each while all fit one, then two bytes; those of most games
/// with a sparse space are kept as codes, of a byte or of two.
#[derive(Clone, Debug)]
pub struct Table {
    cells: Cells,
}

/// What was read from a table, which forgets nothing between its first heap and its end; a panic if the table ends before.
pub(crate) fn kept<T>(value: Result<T, Forgotten>) -> T {
    value.unwrap_or_else(|Forgotten { heap }| panic!("the table doesn't reach pile {heap}"))
}

#[derive(Clone, Debug)]
enum Cells {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
    /// What the solver of sparse games makes, in codes of a byte.
    Packed(Box<PackedTable<u8>>),
    /// What the solver of sparse games makes, in codes of two bytes.
    Wide(Box<PackedTable<u16>>),
}

/// Tables of the same values are equal, however they are kept.
impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Table {}

impl From<Vec<u16>> for Table {
    fn from(words: Vec<u16>) -> Table {
        let bytes = words.iter().map(|&word| u8::try_from(word).ok());
        let cells = match bytes.collect() {
            Some(bytes) => Cells::Bytes(bytes),
            None => Cells::Words(words),
        };
        Table { cells }
    }
}

impl Default for Table {
    fn default() -> Table {
        Table {
            cells: Cells::Bytes(Vec::new()),
        }
    }
}

impl Table {
    /// The table that is kept as these codes.
    pub(crate) fn of_codes(codes: PackedTable<u8>) -> Table {
        let cells = Cells::Packed(Box::new(codes));
        Table { cells }
    }

    /// The table that is kept as these codes of two bytes.
    pub(crate) fn of_wide_codes(codes: PackedTable<u16>) -> Table {
        let cells = Cells::Wide(Box::new(codes));
        Table { cells }
    }

    /// A table that knows no value yet.
    pub fn new() -> Table {
        Table::default()
    }

    /// How many values are known: those of the heaps 0 to `len() - 1`.
    pub fn len(&self) -> usize {
        match &self.cells {
            Cells::Bytes(cells) => cells.len(),
            Cells::Words(cells) => cells.len(),
            Cells::Packed(codes) => codes.len(),
            Cells::Wide(codes) => codes.len(),
        }
    }

    /// Whether no value is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nim-value of a heap, if the table reaches it.
    pub fn get(&self, heap: usize) -> Option<u16> {
        (heap < self.len()).then(|| self.value(heap))
    }

    /// The nim-value of a heap that the table reaches.
    pub(crate) fn value(&self, heap: usize) -> u16 {
        match &self.cells {
            Cells::Bytes(cells) => u16::from(cells[heap]),
            Cells::Words(cells) => cells[heap],
            Cells::Packed(codes) => kept(codes.value(heap)),
            Cells::Wide(codes) => kept(codes.value(heap)),
        }
    }

    /// Copies the nim-values from heap `from` on, much faster than one by one.
    ///
    /// # Panics
    /// If the table doesn't reach that far.
    pub fn copy_range(&self, from: usize, out: &mut [u16]) {
        match &self.cells {
            Cells::Bytes(cells) => {
                let cells = &cells[from..][..out.len()];
                out.iter_mut()
                    .zip(cells)
                    .for_each(|(out, &cell)| *out = u16::from(cell));
            }
            Cells::Words(cells) => out.copy_from_slice(&cells[from..][..out.len()]),
            Cells::Packed(codes) => kept(codes.copy(from, out)),
            Cells::Wide(codes) => kept(codes.copy(from, out)),
        }
    }

    /// The nim-values as they are kept, if that is in a byte each.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match &self.cells {
            Cells::Bytes(cells) => Some(cells),
            _ => None,
        }
    }

    /// The nim-values as they are kept, if that is in two bytes each.
    pub fn as_words(&self) -> Option<&[u16]> {
        match &self.cells {
            Cells::Words(cells) => Some(cells),
            _ => None,
        }
    }

    /// A byte for each of the heaps from `from` to before `to`, if the table holds such: equal ones for equal values.
    pub(crate) fn bytes_of(&self, from: usize, to: usize) -> Option<&[u8]> {
        match &self.cells {
            Cells::Bytes(cells) => Some(&cells[from..to]),
            Cells::Words(_) | Cells::Wide(_) => None,
            // A rare heap may be flagged.
            Cells::Packed(codes) => {
                (from > codes.last_rare()).then(|| kept(codes.common(from, to)))
            }
        }
    }

    /// The largest nim-value.
    pub fn max(&self) -> Option<u16> {
        let mut values = [0; 4096];
        let blocks = (0..self.len()).step_by(values.len());
        let largest = blocks.map(|from| {
            let values = &mut values[..(self.len() - from).min(4096)];
            self.copy_range(from, values);
            values.iter().copied().max().unwrap_or(0)
        });
        largest.max()
    }

    /// The codes of two bytes of a sparse game, to be extended, if that is how the values are kept.
    pub(crate) fn wide_codes_mut(&mut self) -> Option<&mut PackedTable<u16>> {
        match &mut self.cells {
            Cells::Wide(codes) => Some(codes),
            _ => None,
        }
    }

    /// The codes of two bytes of a sparse game, if that is how the values are kept.
    pub(crate) fn wide_codes(&self) -> Option<&PackedTable<u16>> {
        match &self.cells {
            Cells::Wide(codes) => Some(codes),
            _ => None,
        }
    }

    /// The codes of a byte of a sparse game, to be extended, if that is how the values are kept.
    pub(crate) fn codes_mut(&mut self) -> Option<&mut PackedTable<u8>> {
        match &mut self.cells {
            Cells::Packed(codes) => Some(codes),
            _ => None,
        }
    }

    /// The codes of a byte of a sparse game, if that is how the values are kept.
    pub(crate) fn codes(&self) -> Option<&PackedTable<u8>> {
        match &self.cells {
            Cells::Packed(codes) => Some(codes),
            _ => None,
        }
    }

    /// The codes of a byte of a sparse game, taken out of the table; else the table itself.
    pub(crate) fn into_codes(self) -> Result<PackedTable<u8>, Table> {
        match self.cells {
            Cells::Packed(codes) => Ok(*codes),
            cells => Err(Table { cells }),
        }
    }

    /// The codes of two bytes of a sparse game, taken out.
    pub(crate) fn into_wide_codes(self) -> Option<PackedTable<u16>> {
        match self.cells {
            Cells::Wide(codes) => Some(*codes),
            _ => None,
        }
    }

    /// How many heaps are rare from this one on, if the values are kept as codes.
    pub(crate) fn rares_from(&self, heap: usize) -> usize {
        match &self.cells {
            Cells::Packed(codes) => codes.rares_from(heap),
            Cells::Wide(codes) => codes.rares_from(heap),
            _ => 0,
        }
    }

    /// Whether the values are kept as codes of a sparse game, which bounded memory can go on with.
    pub(crate) fn is_by_rares(&self) -> bool {
        matches!(self.cells, Cells::Packed(_) | Cells::Wide(_))
    }

    /// A copy of the values, two bytes each.
    pub(crate) fn to_words(&self) -> Result<Vec<u16>, Error> {
        let mut words = Vec::new();
        let len = self.len();
        words.try_reserve_exact(len).map_err(|_| Error::NoMemory {
            needed: 2 * len as u64,
        })?;
        words.resize(len, 0);
        self.copy_range(0, &mut words);
        Ok(words)
    }

    /// Keeps the values themselves from now on, instead of codes.
    pub(crate) fn decode(&mut self) -> Result<(), Error> {
        if self.is_by_rares() {
            self.cells = Cells::Words(self.to_words()?);
        }
        Ok(())
    }

    /// Appends the nim-value of the next heap.
    ///
    /// # Errors
    /// If the value doesn't fit in 16 bits, or memory is short.
    pub fn push(&mut self, value: u64) -> Result<(), Error> {
        let heap = self.len();
        let word = u16::try_from(value).map_err(|_| Error::ValueTooLarge { heap: heap as u64 })?;
        self.decode()?;
        if let Cells::Bytes(cells) = &mut self.cells {
            if let Ok(byte) = u8::try_from(word) {
                cells.try_reserve(1).map_err(|_| Error::NoMemory {
                    needed: heap as u64,
                })?;
                cells.push(byte);
                return Ok(());
            }
            let mut words = Vec::new();
            words
                .try_reserve(2 * heap + 1)
                .map_err(|_| Error::NoMemory {
                    needed: 2 * heap as u64,
                })?;
            words.extend(cells.iter().map(|&byte| u16::from(byte)));
            self.cells = Cells::Words(words);
        }
        if let Cells::Words(cells) = &mut self.cells {
            cells.try_reserve(1).map_err(|_| Error::NoMemory {
                needed: 2 * heap as u64,
            })?;
            cells.push(word);
        }
        Ok(())
    }

    /// Forgets all values but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        match &mut self.cells {
            Cells::Bytes(cells) => cells.truncate(len),
            Cells::Words(cells) => cells.truncate(len),
            Cells::Packed(_) | Cells::Wide(_) if len == 0 => *self = Table::new(),
            Cells::Packed(codes) => codes.truncate(len),
            Cells::Wide(codes) => codes.truncate(len),
        }
    }

    /// The nim-values in order, from heap 0.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.len()).map(|heap| self.value(heap))
    }
}
