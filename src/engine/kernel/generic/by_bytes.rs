//! Marking options with codes of two bytes by a byte each, where planes are many.

use super::plain::add_bytes;
use super::{Words, each};
use crate::engine::kernel::checked::Options;
use crate::engine::kernel::entries::LONGEST_RUN;
use crate::engine::kernel::{WORDS, Words as WordLanes};

/// Runs whose rows are worked out before bytes are set.
const RUNS_AT_ONCE: usize = 16;

/// How many bytes a code has: one for each source that a run of entries has in a block.
pub const ROW: usize = WORDS + LONGEST_RUN - 1;

/// The most planes whose rows, and one for all codes beyond them, begin below 2^`BITS`.
pub const fn most_planes(bits: u32) -> usize {
    ((1 << bits) - 1) / (16 * ROW)
}

/// A byte for each code and each source: byte i of a row stands for the heaps i + 1 − n to i of the block, as far as there are
/// such heaps. The number n is the length of the runs that are being marked.
struct Marks<const ROOM: usize>([u8; ROOM]);

impl<const ROOM: usize> Marks<ROOM> {
    /// Marks the options by a run of `RUN` entries, given the rows of its first entry and of its last one: an entry gives heap k + 1 the
    /// option that the entry before gives heap k. So it is marked for both by its source. To set a byte takes no read, and as long
    /// however many codes there are.
    #[inline(always)]
    fn set<const RUN: usize>(&mut self, last: &WordLanes, first: &WordLanes) {
        const { assert!((ROOM - ROW).is_power_of_two() && RUN <= LONGEST_RUN) };
        let mask = ROOM - ROW - 1;
        for i in 0..WORDS {
            self.0[(usize::from(last.0[i]) & mask) + i] = u8::MAX;
        }
        each!(I in 0 1 => if I + 1 < RUN {
            self.0[(usize::from(first.0[WORDS + I - (RUN - 1)]) & mask) + WORDS + I] = u8::MAX;
        });
    }

    /// Each mark stands for one heap less from here on, and the mark of the source behind it is added.
    #[inline(always)]
    fn shorten(&mut self, planes: usize) {
        for i in 0..16 * ROW * planes {
            self.0[i] |= self.0[i + 1];
        }
    }
}

/// Marks options in a byte for each code and source, the longest runs first. Codes beyond the planes share a row behind those of the
/// planes.
#[inline(always)]
pub fn mark_bytes<M: Words, const ROOM: usize>(
    m: M,
    planes: &mut [WordLanes],
    from: Options<'_, u16>,
) {
    let mut marks = Marks([0; ROOM]);
    mark_runs::<M, ROOM, 3>(m, &mut marks, planes.len(), from);
    mark_runs::<M, ROOM, 2>(m, &mut marks, planes.len(), from);
    mark_runs::<M, ROOM, 1>(m, &mut marks, planes.len(), from);
    add_bytes(planes, &marks.0);
}

/// Marks the options by the runs of `RUN` entries.
#[inline(always)]
fn mark_runs<M: Words, const ROOM: usize, const RUN: usize>(
    m: M,
    marks: &mut Marks<ROOM>,
    planes: usize,
    from: Options<'_, u16>,
) {
    let (beyond, row) = (m.all((16 * planes) as u16), m.all(ROW as u16));
    // The rows are read some runs later: from registers each would take two instructions.
    let mut rows = [[WordLanes::ZERO; 2]; RUNS_AT_ONCE];
    let mut runs = from.ends_of_runs::<RUN>();
    let mut count = RUNS_AT_ONCE;
    while count == RUNS_AT_ONCE {
        count = 0;
        for (ends, rows) in runs.by_ref().take(RUNS_AT_ONCE).zip(&mut rows) {
            for (end, rows) in ends.into_iter().zip(rows).take(RUN) {
                for part in 0..M::PARTS {
                    let x = m.min(m.option::<true>(end, part), beyond);
                    m.store(&mut rows.0, part, m.times(x, row));
                }
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
