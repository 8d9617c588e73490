//! Sixty-four segments of one sequence at a time, a byte lane each.
//!
//! The heaps of a block are no sources of one another here: a lane goes on from its own last codes, which lie in the
//! rows before. So nothing waits for a neighbour, and a look at an option is a load, however close its source.
//!
//! A kernel without shuffles of bytes is slow to make a mark of a code, so it has the rows as marks too, made once a row:
//! bit x mod 8 of plane ⌊x/8⌋. To XOR u is then to take another plane, by its upper bits, and to swap bits within the bytes,
//! by its lower three, which is done for all taps of the same lower three at a time.

use super::open_candidates::{OpenCandidate, OpenCandidates};
use super::{Entry, Kernel, LANES, Lanes};
use std::cmp::Reverse;

/// An entry (q, u) as the kernels want it.
#[derive(Clone, Copy)]
pub struct Tap {
    q: u32,
    /// u in each of four bytes, which is no dearer to read than one byte and needs not be spread.
    pub us: u32,
}

/// Entries to look at, none further back than `reach`.
#[derive(Default)]
pub struct Taps {
    list: Vec<Tap>,
    reach: usize,
    largest: u8,
}

impl Taps {
    /// The taps of these entries.
    ///
    /// # Panics
    /// If an entry has no source before it, or one too far.
    pub fn new(entries: &[Entry<u8>]) -> Self {
        // From one group of the same lower three bits to the next, and from the last to 0, one bit changes: a Gray code.
        let turns = |entry: &Entry<u8>| {
            let low = entry.u() & 7;
            Reverse(low ^ low >> 1 ^ low >> 2)
        };
        let mut entries = entries.to_vec();
        entries.sort_by_key(turns);
        let tap = |entry: &Entry<u8>| {
            assert!(entry.q() > 0);
            Tap {
                q: u32::try_from(entry.q()).expect("a near source"),
                us: u32::from_le_bytes([entry.u(); 4]),
            }
        };
        Self {
            list: entries.iter().map(tap).collect(),
            reach: entries.iter().map(|entry| entry.q()).max().unwrap_or(0),
            largest: entries.iter().map(|entry| entry.u()).max().unwrap_or(0),
        }
    }

    pub fn reach(&self) -> usize {
        self.reach
    }
}

/// The last codes of every lane, a row a step.
pub struct Rows {
    codes: Vec<Lanes>,
    /// The codes as marks, so many planes a row; empty if the kernel reads codes.
    marks: Vec<Lanes>,
    planes: usize,
}

impl Rows {
    /// A number of rows, a power of two, of code 0 in every lane.
    pub fn new(kernel: Kernel, planes: usize, count: usize) -> Self {
        assert!(count.is_power_of_two() && count >= LANES);
        let mut zeros = vec![Lanes::ZERO; planes];
        zeros[0] = Lanes([1; LANES]);
        let marked = if kernel.reads_marks() { count } else { 0 };
        Self {
            codes: vec![Lanes::ZERO; count],
            marks: zeros.repeat(marked),
            planes,
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// The codes of the 64 steps from this one on, a multiple of 64.
    pub fn block(&self, at: usize) -> &[Lanes] {
        &self.codes[at & (self.len() - 1)..][..LANES]
    }

    /// Puts a code into a lane of the row of a step.
    pub fn set(&mut self, step: usize, lane: usize, code: u8) {
        let row = step & (self.len() - 1);
        self.codes[row].0[lane] = code;
        if let Some(marks) = self.marks.chunks_exact_mut(self.planes).nth(row) {
            marks.iter_mut().for_each(|plane| plane.0[lane] = 0);
            marks[usize::from(code / 8)].0[lane] = 1 << (code % 8);
        }
    }
}

/// What a step of every lane looks at.
pub struct LaneSegments<'a> {
    rows: &'a mut [Lanes],
    marks: &'a mut [Lanes],
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
    candidates: OpenCandidates,
}

impl Open {
    pub const NONE: Self = Self {
        lanes: [0; LANES],
        planes: [[Lanes::ZERO; 8]; LANES],
        lost: [0; LANES],
        candidates: OpenCandidates::NONE,
    };

    /// Adds all that is open in some lanes, whose heaps lie so far apart.
    pub fn candidates(
        &mut self,
        planes: usize,
        lanes: u64,
        stride: usize,
        into: &mut Vec<OpenCandidate>,
    ) {
        match planes {
            0..=2 => self.gather::<2>(lanes, stride),
            3..=4 => self.gather::<4>(lanes, stride),
            _ => self.gather::<8>(lanes, stride),
        }
        self.candidates.drain_into::<u8>(into);
    }

    #[inline(always)]
    fn gather<const P: usize>(&mut self, running: u64, stride: usize) {
        for (step, (planes, lanes)) in self.planes.iter().zip(self.lanes).enumerate() {
            self.candidates.add(lanes & running, 0, |lane| {
                let bytes = planes[..P].iter().rev();
                let codes = bytes.fold(0, |codes, plane| codes << 8 | u64::from(plane.0[lane]));
                (lane * stride + step, codes)
            });
        }
    }
}

impl<'a> LaneSegments<'a> {
    /// The next 64 steps are those from `at` on.
    ///
    /// # Panics
    /// If an entry reaches further than the rows before the block, or has a code beyond the planes.
    pub fn new(
        (rows, at): (&'a mut Rows, usize),
        (options, witnesses): (&'a Taps, &'a Taps),
        limits: &'a [Lanes; 2],
        odd: u64,
    ) -> Self {
        assert!(rows.len() >= LANES + options.reach.max(witnesses.reach));
        assert!(usize::from(options.largest.max(witnesses.largest)) < 8 * rows.planes);
        Self {
            rows: &mut rows.codes,
            marks: &mut rows.marks,
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

    /// The codes that a tap reads, as marks.
    #[inline(always)]
    pub fn source_marks<const P: usize>(&self, step: usize, tap: Tap) -> &[Lanes; P] {
        let row = (self.at + step).wrapping_sub(tap.q as usize);
        let rows = self.marks.as_chunks().0;
        &rows[row & (rows.len() - 1)]
    }

    /// Where the marks of a step go.
    #[inline(always)]
    pub fn row_marks<const P: usize>(&mut self, step: usize) -> &mut [Lanes; P] {
        let rows = self.marks.as_chunks_mut().0;
        let row = (self.at + step) & (rows.len() - 1);
        &mut rows[row]
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
