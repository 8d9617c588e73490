//! First parts of pairs, in rows of neighbouring heaps.
//!
//! A move that leaves two heaps leaves a pair of parts whose sum is fixed. When the first part runs down a row, the second one
//! runs up through neighbouring heaps, so that a row of pairs is one load, an XOR and a comparison.

use super::LANES;

/// Parts in a row. In 0.6 two of three open candidates need a second row; with shorter rows most would need more.
pub const ROW: usize = 2 * LANES;

/// Neighbouring first parts, the largest first, so that the second parts of a heap's pairs ascend.
#[derive(Clone, Debug)]
pub struct Row {
    /// How far back the first of the second parts lies.
    pub q: usize,
    pub codes: [u8; ROW],
    /// [`DEAD`](super::DEAD) for a part that must not be used.
    pub mask: [u8; ROW],
}

/// Rows in the order in which they are used, with the bounds on their distances that make unchecked reads sound.
#[derive(Clone, Debug, Default)]
pub struct FirstParts {
    rows: Vec<Row>,
    min: usize,
    max: usize,
    masked: bool,
}

impl FirstParts {
    /// Adds a row at the end.
    pub fn push(&mut self, row: Row) {
        (self.min, self.max) = match self.rows.is_empty() {
            true => (row.q, row.q),
            false => (self.min.min(row.q), self.max.max(row.q)),
        };
        self.masked |= row.mask.iter().any(|&mask| mask != 0);
        self.rows.push(row);
    }

    /// The rows in order.
    pub fn as_slice(&self) -> &[Row] {
        &self.rows
    }

    /// Whether there are parts that must not be used.
    pub fn are_masked(&self) -> bool {
        self.masked
    }

    /// The least and the largest distance; 0 and 0 of no rows.
    pub fn range(&self) -> (usize, usize) {
        (self.min, self.max)
    }
}
