//! First parts of pairs, in rows of neighbouring heaps.
//!
//! A move that leaves two heaps leaves a pair of parts whose sum is fixed. When the first part runs down a row, the second one
//! runs up through neighbouring heaps, so that a row of pairs is one load, an XOR and a comparison.

use super::Width;
use super::entries::Distances;

/// Blocks of parts in a row. In 0.6 two of three open candidates need a second row; with shorter rows most would need more.
pub const BLOCKS_IN_ROW: usize = 2;

/// Parts in a row.
pub const fn parts_in_row<C: Width>() -> usize {
    BLOCKS_IN_ROW * C::LANES
}

/// Neighbouring first parts, the largest first, so that the second parts of a heap's pairs ascend.
#[derive(Clone)]
pub struct Row<C: Width> {
    /// How far back the first of the second parts lies.
    pub q: usize,
    pub codes: [C::Block; BLOCKS_IN_ROW],
    /// [`Width::DEAD`] for a part that must not be used.
    pub mask: [C::Block; BLOCKS_IN_ROW],
}

impl<C: Width> Row<C> {
    /// The row of the parts from `first` on, for heaps that lose so many stones: each part's code, and its mask.
    pub fn new(first: usize, stones: usize, part: impl Fn(usize) -> (C, C)) -> Self {
        let last = first + parts_in_row::<C>() - 1;
        let blocks = std::array::from_fn(|block| last - block * C::LANES);
        Self {
            q: stones + last,
            codes: blocks.map(|last| C::lanes(|lane| part(last - lane).0)),
            mask: blocks.map(|last| C::lanes(|lane| part(last - lane).1)),
        }
    }
}

/// Rows in the order in which they are used, and their distances.
#[derive(Clone, Default)]
pub struct FirstParts<C: Width> {
    rows: Vec<Row<C>>,
    distances: Distances,
    masked: bool,
}

impl<C: Width> FirstParts<C> {
    /// Adds a row at the end.
    pub fn push(&mut self, row: Row<C>) {
        self.distances.add(row.q);
        self.masked |= row
            .mask
            .iter()
            .any(|mask| mask.as_ref().iter().any(|&mask| mask != C::ZERO));
        self.rows.push(row);
    }

    /// The rows in order.
    pub fn as_slice(&self) -> &[Row<C>] {
        &self.rows
    }

    /// Whether there are parts that must not be used.
    pub fn are_masked(&self) -> bool {
        self.masked
    }

    /// The least and the largest distance.
    pub fn distances(&self) -> Distances {
        self.distances
    }
}
