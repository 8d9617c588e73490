//! Sixty-four stretches of one sequence at a time, a byte lane each.
//!
//! The heaps of a block are no sources of one another here: a lane goes on from its own last codes, which lie in the
//! rows before. So nothing waits for a neighbour, and a look at an option is a load, however close its source.

use super::{Entry, LANES, Lanes};

/// What a step of every lane looks at: a row is a step, kept as many as the ring has.
pub struct Orbits<'a> {
    rows: &'a mut [Lanes],
    at: usize,
    /// The common options, all of them.
    pub options: &'a [Entry],
    /// Options that give most rare codes.
    pub witnesses: &'a [Entry],
    /// How many rare codes lie below a common code, at an even heap and at an odd one.
    pub limits: &'a [Lanes; 2],
    /// The lanes whose first heap is odd.
    pub odd: u64,
}

/// What 64 steps left to be looked up.
pub struct Open {
    /// For each step the lanes with rare codes below their own that no witness gives, and those codes in planes.
    pub lanes: [u64; LANES],
    pub planes: [[Lanes; 8]; LANES],
    /// For each step the lanes in which the planes have no unmarked code.
    pub lost: [u64; LANES],
}

impl Open {
    pub const NONE: Self = Self {
        lanes: [0; LANES],
        planes: [[Lanes::ZERO; 8]; LANES],
        lost: [0; LANES],
    };
}

impl<'a> Orbits<'a> {
    /// The next 64 steps are those from `at` on.
    ///
    /// # Panics
    /// If the rows are not a power of two of them, at least two blocks, or an entry reaches further than they do.
    pub fn new(
        (rows, at): (&'a mut [Lanes], usize),
        (options, witnesses): (&'a [Entry], &'a [Entry]),
        limits: &'a [Lanes; 2],
        odd: u64,
    ) -> Self {
        let inside = |entry: &Entry| (1..rows.len() - LANES).contains(&entry.q());
        assert!(
            rows.len().is_power_of_two()
                && rows.len() >= 2 * LANES
                && options.iter().chain(witnesses).all(inside)
        );
        Self {
            rows,
            at,
            options,
            witnesses,
            limits,
            odd,
        }
    }

    /// Whose codes an entry reads at a step of the block.
    #[inline(always)]
    pub fn source(&self, step: usize, entry: Entry) -> &Lanes {
        let row = (self.at + step).wrapping_sub(entry.q());
        &self.rows[row & (self.rows.len() - 1)]
    }

    /// Where the codes of a step go.
    #[inline(always)]
    pub fn row(&mut self, step: usize) -> &mut Lanes {
        let row = (self.at + step) & (self.rows.len() - 1);
        &mut self.rows[row]
    }

    /// The lanes whose heap is odd at a step.
    #[inline(always)]
    pub fn odd_at(&self, step: usize) -> u64 {
        if step.is_multiple_of(2) {
            self.odd
        } else {
            !self.odd
        }
    }
}
