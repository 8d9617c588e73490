//! Sixty-four stretches of one sequence at a time, a byte lane each.
//!
//! The heaps of a block are no sources of one another here: a lane goes on from its own last codes, which lie in the
//! rows before. So nothing waits for a neighbour, and a look at an option is a load, however close its source.

use super::{Entry, LANES, Lanes};

/// An entry as the kernels want it.
#[derive(Clone, Copy)]
pub struct Tap {
    q: u32,
    /// u four times, which is no dearer to read than once and needs not be spread.
    pub us: u32,
}

/// Entries to look at, none further back than `reach`.
#[derive(Default)]
pub struct Taps {
    list: Vec<Tap>,
    reach: usize,
}

impl Taps {
    /// # Panics
    /// If an entry has no source before it, or one too far.
    pub fn new(entries: &[Entry]) -> Self {
        let tap = |entry: &Entry| {
            assert!(entry.q() > 0);
            Tap {
                q: u32::try_from(entry.q()).expect("a near source"),
                us: u32::from_le_bytes([entry.u(); 4]),
            }
        };
        Self {
            list: entries.iter().map(tap).collect(),
            reach: entries.iter().map(|entry| entry.q()).max().unwrap_or(0),
        }
    }

    /// How many there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn reach(&self) -> usize {
        self.reach
    }
}

/// What a step of every lane looks at: a row is a step, kept as many as the ring has.
pub struct Orbits<'a> {
    rows: &'a mut [Lanes],
    at: usize,
    /// The common options, all of them.
    pub options: &'a [Tap],
    /// Options that give most rare codes.
    pub witnesses: &'a [Tap],
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
    /// If the rows are not a power of two of them, or an entry reaches further than those before the block.
    pub fn new(
        (rows, at): (&'a mut [Lanes], usize),
        (options, witnesses): (&'a Taps, &'a Taps),
        limits: &'a [Lanes; 2],
        odd: u64,
    ) -> Self {
        let reach = options.reach.max(witnesses.reach);
        assert!(rows.len().is_power_of_two() && rows.len() >= LANES + reach);
        Self {
            rows,
            at,
            options: &options.list,
            witnesses: &witnesses.list,
            limits,
            odd,
        }
    }

    /// The codes that a tap reads at a step of the block.
    #[inline(always)]
    pub fn source(&self, step: usize, tap: Tap) -> &Lanes {
        let row = (self.at + step).wrapping_sub(tap.q as usize);
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
