//! The nim-values of the first heaps, in one byte or two each.

use crate::error::Error;

/// The nim-values g(0), g(1), … of a heap game: one byte a value while they fit, two from the first that doesn't.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    cells: Cells,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Cells {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

impl Default for Table {
    fn default() -> Table {
        Table {
            cells: Cells::Bytes(Vec::new()),
        }
    }
}

impl Table {
    /// A table that knows no value yet.
    pub fn new() -> Table {
        Table::default()
    }

    /// How many values are known: those of the heaps 0 to `len() - 1`.
    pub fn len(&self) -> usize {
        match &self.cells {
            Cells::Bytes(cells) => cells.len(),
            Cells::Words(cells) => cells.len(),
        }
    }

    /// Whether no value is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nim-value of a heap.
    ///
    /// # Panics
    /// If the table doesn't reach that heap.
    pub fn get(&self, heap: usize) -> u16 {
        match &self.cells {
            Cells::Bytes(cells) => u16::from(cells[heap]),
            Cells::Words(cells) => cells[heap],
        }
    }

    /// Copies the nim-values of the heaps from `from` on into a slice.
    ///
    /// # Panics
    /// If the table doesn't reach so far.
    pub fn copy_range(&self, from: usize, values: &mut [u16]) {
        let range = from..from + values.len();
        match &self.cells {
            Cells::Words(cells) => values.copy_from_slice(&cells[range]),
            Cells::Bytes(cells) => {
                for (value, &byte) in values.iter_mut().zip(&cells[range]) {
                    *value = byte.into();
                }
            }
        }
    }

    /// Appends the nim-value of the next heap.
    ///
    /// # Errors
    /// If the value doesn't fit in 16 bits, or memory is short.
    pub fn push(&mut self, value: u64) -> Result<(), Error> {
        let heap = self.len();
        let word = u16::try_from(value).map_err(|_| Error::ValueTooLarge { heap: heap as u64 })?;
        if let Cells::Bytes(cells) = &mut self.cells {
            if let Ok(byte) = u8::try_from(word) {
                cells
                    .try_reserve(1)
                    .map_err(|_| Error::out_of_memory(heap as u64))?;
                cells.push(byte);
                return Ok(());
            }
            let mut words = Vec::new();
            words
                .try_reserve(2 * heap + 1)
                .map_err(|_| Error::out_of_memory(2 * heap as u64))?;
            words.extend(cells.iter().map(|&byte| u16::from(byte)));
            self.cells = Cells::Words(words);
        }
        if let Cells::Words(cells) = &mut self.cells {
            cells
                .try_reserve(1)
                .map_err(|_| Error::out_of_memory(2 * heap as u64))?;
            cells.push(word);
        }
        Ok(())
    }

    /// Forgets all values but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        match &mut self.cells {
            Cells::Bytes(cells) => cells.truncate(len),
            Cells::Words(cells) => cells.truncate(len),
        }
    }

    /// The nim-values in order, from heap 0.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.len()).map(|heap| self.get(heap))
    }
}
