//! The options of a heap whose sources lie in its own block, for codes below 64: a word of marks a heap.
//!
//! Eight heaps are marked at a time by the sources that lie eight heaps back or further, all known by then. The last
//! seven codes are looked up, each in a table of what it marks, so that a heap waits for one look-up after the code
//! before it. Compiled for each instruction set, which differ in how many words they shift at once. Time: an entry an eighth
//! of a block, and seven look-ups a heap. Twin: the marks one by one, in `kernel/tests.rs`.

use super::{Entries, LANES};

/// Heaps that are marked at a time.
const STEP: usize = 8;
/// The marks that each code makes, a flagged code too.
type Table = [u64; 256];

/// Entries with 0 < q < [`LANES`].
pub struct Sextets {
    /// The q and u of the entries whose q is no smaller than a step.
    middle: Vec<(usize, u8)>,
    /// What the code so many heaps back marks, from one on.
    tables: Box<[Table; STEP - 1]>,
    /// The least q.
    least: usize,
}

/// The bit of this code, if it is below 64.
#[inline(always)]
fn bit(code: u8) -> u64 {
    1u64.unbounded_shl(code.into())
}

impl Sextets {
    /// The entries, with tables of what each code marks.
    ///
    /// # Panics
    /// If an entry has no source before it, or one in another block.
    pub fn new(entries: &Entries<u8>) -> Self {
        let mut sextets = Self {
            middle: Vec::new(),
            tables: Box::new([[0; 256]; STEP - 1]),
            least: STEP,
        };
        for entry in entries.as_slice() {
            let (q, u) = (entry.q(), entry.u());
            assert!((1..LANES).contains(&q));
            sextets.least = sextets.least.min(q);
            match sextets.tables.get_mut(q - 1) {
                None => sextets.middle.push((q, u)),
                Some(table) => {
                    for (code, marks) in (0..=255u8).zip(table) {
                        *marks |= bit(code ^ u);
                    }
                }
            }
        }
        sextets
    }

    /// Writes the smallest unmarked code of each heap of a block, `codes[at..]`, from one on, up to the first one that has
    /// none below `most` or is in `left_out`; returns where it is.
    #[inline(always)]
    pub(super) fn settle(
        &self,
        rows: &[u64; LANES],
        codes: &mut [u8],
        at: usize,
        from: usize,
        left_out: u64,
        most: u32,
    ) -> usize {
        match self.least {
            1 => self.steps::<1>(rows, codes, at, from, left_out, most),
            2 => self.steps::<2>(rows, codes, at, from, left_out, most),
            3 => self.steps::<3>(rows, codes, at, from, left_out, most),
            4 => self.steps::<4>(rows, codes, at, from, left_out, most),
            _ => self.steps::<5>(rows, codes, at, from, left_out, most),
        }
    }

    /// Settles a block in which no source lies less than `LEAST` heaps back.
    #[inline(always)]
    fn steps<const LEAST: usize>(
        &self,
        rows: &[u64; LANES],
        codes: &mut [u8],
        at: usize,
        from: usize,
        left_out: u64,
        most: u32,
    ) -> usize {
        let codes = &mut codes[at - LANES..at + LANES];
        // What was just written byte by byte is slow to read in one piece.
        let mut recent = match codes[..LANES].last_chunk() {
            Some(&recent) => u128::from_le_bytes(recent),
            None => return from,
        };
        for (step, rows) in rows.as_chunks::<STEP>().0.iter().enumerate() {
            let start = LANES + step * STEP;
            if from >= (step + 1) * STEP {
                let known = codes[start..].first_chunk().unwrap_or(&[0; STEP]);
                recent = recent >> 64 | u128::from(u64::from_le_bytes(*known)) << 64;
                continue;
            }
            let mut marks = *rows;
            for &(q, u) in &self.middle {
                let sources = if q <= 2 * STEP {
                    (recent >> (8 * (2 * STEP - q))) as u64
                } else {
                    let sources = codes[start - q..].first_chunk().unwrap_or(&[0; STEP]);
                    u64::from_le_bytes(*sources)
                };
                for (marks, source) in marks.iter_mut().zip(sources.to_le_bytes()) {
                    *marks |= bit(source ^ u);
                }
            }
            // The last code is the lowest byte.
            let mut latest = ((recent >> 64) as u64).swap_bytes();
            for (k, mut row) in marks.into_iter().enumerate() {
                let lane = step * STEP + k;
                for back in (LEAST..STEP).rev() {
                    row |= self.tables[back - 1][(latest >> (8 * (back - 1))) as usize & 255];
                }
                let mut code = row.trailing_ones();
                if lane < from {
                    code = codes[start + k].into();
                } else if code >= most || left_out >> lane & 1 == 1 {
                    return lane;
                }
                codes[start + k] = code as u8;
                latest = latest << 8 | u64::from(code);
            }
            recent = recent >> 64 | u128::from(latest.swap_bytes()) << 64;
        }
        LANES
    }
}
