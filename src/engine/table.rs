//! The nim-values of the first heaps, in one byte or two each, or as the codes of a sparse game. Twin: a vector of values.

use super::coded_values::{CodedValues, either};
use super::packed::kept;
use crate::error::Error;

/// The nim-values g(0), g(1), … of a heap game. They take a byte each while all fit one, then two bytes; those of most games
/// with a sparse space are kept as codes, of a byte or of two.
#[derive(Clone, Debug)]
pub struct Table {
    cells: Cells,
}

#[derive(Clone, Debug)]
enum Cells {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
    /// The values as the engine for sparse games keeps them; none of them is forgotten.
    Coded(CodedValues),
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
        let mut bytes = Vec::new();
        let fit = words.iter().all(|&word| word <= u8::MAX.into());
        // Words serve as well where there is no memory for bytes beside them.
        let cells = if fit && bytes.try_reserve_exact(words.len()).is_ok() {
            bytes.extend(words.iter().map(|&word| word as u8));
            Cells::Bytes(bytes)
        } else {
            Cells::Words(words)
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
    pub(crate) fn of_codes(coded: CodedValues) -> Table {
        let cells = Cells::Coded(coded);
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
            Cells::Coded(coded) => coded.len(),
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
            Cells::Coded(coded) => kept(either!(coded, coded => coded.codes.value(heap))),
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
            Cells::Coded(coded) => kept(coded.codes().copy(from, out)),
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

    /// A byte for each of the heaps from `from` to before `to`, if the table keeps bytes. Equal values have equal bytes; at
    /// an odd distance equal bytes need not be equal values, so that they suggest a repetition and don't show it.
    pub(crate) fn bytes_of(&self, from: usize, to: usize) -> Option<&[u8]> {
        match &self.cells {
            Cells::Bytes(cells) => Some(&cells[from..to]),
            Cells::Words(_) => None,
            Cells::Coded(coded) => kept(either!(coded, coded => coded.common_bytes(from, to))),
        }
    }

    /// The codes, if the values are kept as those of a sparse game, from which a search in bounded memory can continue.
    pub(crate) fn coded(&self) -> Option<&CodedValues> {
        match &self.cells {
            Cells::Coded(coded) => Some(coded),
            _ => None,
        }
    }

    /// Like [`Table::coded`], for codes that are to be extended.
    pub(crate) fn coded_mut(&mut self) -> Option<&mut CodedValues> {
        match &mut self.cells {
            Cells::Coded(coded) => Some(coded),
            _ => None,
        }
    }

    /// Like [`Table::coded`], with the codes taken out of the table.
    pub(crate) fn into_coded(self) -> Option<CodedValues> {
        match self.cells {
            Cells::Coded(coded) => Some(coded),
            _ => None,
        }
    }

    /// How many heaps from heap `heap` on are rare, if the values are kept as codes.
    pub(crate) fn rares_from(&self, heap: usize) -> usize {
        match &self.cells {
            Cells::Coded(coded) => either!(coded, coded => coded.codes.rares_from(heap)),
            _ => 0,
        }
    }

    /// Whether the values are kept as codes of a sparse game.
    pub(crate) fn is_by_rares(&self) -> bool {
        self.coded().is_some()
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

    /// Appends the nim-value of the next heap.
    ///
    /// # Errors
    /// If the value doesn't fit in 16 bits, or memory is short.
    pub fn push(&mut self, value: u64) -> Result<(), Error> {
        let heap = self.len();
        let word = u16::try_from(value).map_err(|_| Error::ValueTooLarge { heap: heap as u64 })?;
        if self.is_by_rares() {
            self.cells = Cells::Words(self.to_words()?);
        }
        if let Cells::Bytes(cells) = &mut self.cells {
            if let Ok(byte) = u8::try_from(word) {
                cells.try_reserve(1).map_err(|_| Error::NoMemory {
                    needed: 2 * heap as u64 + 1,
                })?;
                cells.push(byte);
                return Ok(());
            }
            let mut words = Vec::new();
            words
                .try_reserve(2 * heap + 1)
                .map_err(|_| Error::NoMemory {
                    needed: 4 * heap as u64 + 2,
                })?;
            words.extend(cells.iter().map(|&byte| u16::from(byte)));
            self.cells = Cells::Words(words);
        }
        if let Cells::Words(cells) = &mut self.cells {
            cells.try_reserve(1).map_err(|_| Error::NoMemory {
                needed: 4 * heap as u64 + 2,
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
            Cells::Coded(_) if len == 0 => *self = Table::new(),
            Cells::Coded(coded) => either!(coded, coded => coded.truncate(len)),
        }
    }

    /// The nim-values in order, from heap 0.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.len()).map(|heap| self.value(heap))
    }
}
