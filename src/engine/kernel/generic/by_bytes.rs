//! Marking options with codes of two bytes by a byte each, where planes are many.

use super::{WideCodes, each};
use crate::engine::kernel::checked::Options;
use crate::engine::kernel::entries::LONGEST_RUN;
use crate::engine::kernel::tuning::LEAST_RUNS_BY_BYTES;
use crate::engine::kernel::{WORDS, Words};

/// Runs whose rows are worked out before bytes are set. Four took 1 % longer or less (Sapphire Rapids).
const RUNS_AT_ONCE: usize = 16;

/// How many bytes a code has: one for each source that a run of entries has in a block.
const ROW: usize = WORDS + LONGEST_RUN - 1;

/// The most planes whose rows, and one for all codes beyond them, begin below 2^`bits`.
const fn most_planes(bits: u32) -> usize {
    ((1 << bits) - 1) / (16 * ROW)
}

/// Whether [`mark_bytes`] takes less time than to mark in planes, and can mark in so many.
#[inline(always)]
pub fn pays<M: WideCodes>(planes: &[Words], from: Options<'_, u16>) -> bool {
    planes.len() > M::BYTES_PAY_ABOVE
        && from.runs() >= LEAST_RUNS_BY_BYTES
        && planes.len() <= most_planes(15)
}

/// Marks options in a byte for each code and source, with no more room than the planes need.
#[inline(always)]
pub fn mark_bytes<M: WideCodes>(m: M, planes: &mut [Words], from: Options<'_, u16>) {
    if planes.len() <= most_planes(13) {
        mark::<M, { (1 << 13) + ROW }>(m, planes, from);
    } else if planes.len() <= most_planes(14) {
        mark::<M, { (1 << 14) + ROW }>(m, planes, from);
    } else {
        mark::<M, { (1 << 15) + ROW }>(m, planes, from);
    }
}

/// A byte for each code and each source: byte i of a row stands for the heaps i + 1 − n to i of the block, as far as there are
/// such heaps. The number n is the length of the runs that are being marked.
struct SourceMarks<const ROOM: usize>([u8; ROOM]);

impl<const ROOM: usize> SourceMarks<ROOM> {
    /// Marks the options by a run of `RUN` entries, given the rows of its first entry and of its last one: an entry gives heap
    /// k + 1 the option that the entry before gives heap k. So it is marked for both by its source. Setting a byte needs no
    /// read, and its cost doesn't depend on the number of codes.
    #[inline(always)]
    fn set<const RUN: usize>(&mut self, last: &Words, first: &Words) {
        const { assert!((ROOM - ROW).is_power_of_two() && RUN <= LONGEST_RUN && LONGEST_RUN == 3) };
        let mask = ROOM - ROW - 1;
        for i in 0..WORDS {
            self.0[(usize::from(last.0[i]) & mask) + i] = u8::MAX;
        }
        each!(I in 0 1, if I + 1 < RUN => {
            self.0[(usize::from(first.0[WORDS + I - (RUN - 1)]) & mask) + WORDS + I] = u8::MAX;
        });
    }

    /// Goes on to runs that are one shorter. While runs of n entries are marked, heap h has a code as an option if one of the n
    /// bytes from h on is set in the row of the code; each byte takes the next one over, after which n - 1 bytes tell as much.
    /// In ascending order, so that the next one is still the old one. The last byte of a row takes over the first one of the
    /// next row, but it is read no more: runs that are one shorter have one source less. (`RunMarks` of `planes.rs`
    /// keeps heaps in place of sources, so there marks go to the heaps behind.)
    #[inline(always)]
    fn shorten(&mut self, planes: usize) {
        for i in 0..16 * ROW * planes {
            self.0[i] |= self.0[i + 1];
        }
    }

    /// Adds the marks, each of which stands for one heap, to the planes.
    #[inline(always)]
    fn add_to(&self, planes: &mut [Words]) {
        for (plane, rows) in planes.iter_mut().zip(self.0.chunks_exact(16 * ROW)) {
            let (mut low, mut high) = ([0u8; WORDS], [0u8; WORDS]);
            for bit in 0..8 {
                for lane in 0..WORDS {
                    low[lane] |= rows[bit * ROW + lane] & 1 << bit;
                    high[lane] |= rows[(8 + bit) * ROW + lane] & 1 << bit;
                }
            }
            for lane in 0..WORDS {
                plane.0[lane] |= u16::from(low[lane]) | u16::from(high[lane]) << 8;
            }
        }
    }
}

/// Marks the longest runs first, since marks of runs of n become marks of runs of n − 1, to which those are added then. Codes
/// beyond the planes share a row behind those of the planes.
#[inline(always)]
fn mark<M: WideCodes, const ROOM: usize>(m: M, planes: &mut [Words], from: Options<'_, u16>) {
    let mut marks = SourceMarks([0; ROOM]);
    mark_runs::<M, ROOM, 3>(m, &mut marks, planes.len(), from);
    mark_runs::<M, ROOM, 2>(m, &mut marks, planes.len(), from);
    mark_runs::<M, ROOM, 1>(m, &mut marks, planes.len(), from);
    marks.add_to(planes);
}

/// Marks the options by the runs of `RUN` entries.
#[inline(always)]
fn mark_runs<M: WideCodes, const ROOM: usize, const RUN: usize>(
    m: M,
    marks: &mut SourceMarks<ROOM>,
    planes: usize,
    from: Options<'_, u16>,
) {
    if !from.has_runs_of::<RUN>() {
        return;
    }
    let (beyond, row) = (m.all((16 * planes) as u16), m.all(ROW as u16));
    // The rows are stored first and read back: taking each lane out of a register would need two instructions.
    let mut rows = [[Words::ZERO; 2]; RUNS_AT_ONCE];
    let mut runs = from.ends_of_runs::<RUN>();
    let mut count = RUNS_AT_ONCE;
    while count == RUNS_AT_ONCE {
        count = 0;
        for ([last, first], rows) in runs.by_ref().take(RUNS_AT_ONCE).zip(&mut rows) {
            let row = |x| m.times(m.min(x, beyond), row);
            for piece in 0..M::PIECES {
                m.store(&mut rows[0].0, piece, row(m.option::<true>(last, piece)));
            }
            // Of the first entry only the last sources are needed, which the last one does not have.
            if RUN > 1 {
                let piece = M::PIECES - 1;
                m.store(&mut rows[1].0, piece, row(m.option::<true>(first, piece)));
            }
            count += 1;
        }
        for [last, first] in &rows[..count] {
            marks.set::<RUN>(last, first);
        }
    }
    if RUN > 1 {
        marks.shorten(planes);
    }
}
