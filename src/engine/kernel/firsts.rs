//! First parts of pairs, a row of neighbouring ones at a time, to be paired with the heaps that lie opposite them.

use super::LANES;

/// Parts in a row. Of 0.6 two open codes of three are asked of a second row, so fewer parts would mean more steps.
pub const ROW: usize = 2 * LANES;

/// Neighbouring parts, the largest first, so that the second parts of a heap's pairs come upwards.
#[derive(Clone, Debug)]
pub struct Row {
    /// How far back the first of the second parts lies.
    pub q: usize,
    pub codes: [u8; ROW],
    /// [`DEAD`](super::DEAD) for a part that doesn't count.
    pub mask: [u8; ROW],
}

/// Rows in the order in which to use them, and the bounds on their distances that make reading without a check sound.
#[derive(Clone, Debug, Default)]
pub struct Firsts {
    rows: Vec<Row>,
    min: usize,
    max: usize,
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    masked: bool,
}

impl Firsts {
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

    /// Whether there are parts that don't count.
    #[cfg(target_arch = "x86_64")]
    pub fn are_masked(&self) -> bool {
        self.masked
    }

    /// The least and the largest distance; 0 and 0 of no rows.
    pub fn range(&self) -> (usize, usize) {
        (self.min, self.max)
    }
}
