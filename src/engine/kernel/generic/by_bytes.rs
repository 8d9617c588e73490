//! Marking options with codes of two bytes by a byte each, where planes are many.

use super::Words;
use super::plain::add_bytes;
use crate::engine::kernel::checked::Options;
use crate::engine::kernel::mark_bytes::MarkBytes;
use crate::engine::kernel::{WORDS, Words as WordLanes};

/// Runs whose rows are worked out before bytes are set.
const RUNS_AT_ONCE: usize = 16;

/// Marks options in a byte for each code and heap, the heaps of a code side by side. Two or three entries with neighbouring
/// distances and the same u have the same option for neighbouring heaps: they are marked together. Codes beyond the planes
/// share a row behind those of the planes.
#[inline(always)]
pub fn mark_bytes<M: Words, const CODES: usize, const ROOM: usize>(
    m: M,
    planes: &mut [WordLanes],
    from: Options<'_, u16>,
) {
    let mut marks = MarkBytes::<CODES, ROOM>::NONE;
    let beyond = m.all((16 * planes.len()) as u16);
    // Of each run the rows of the first entry and of the last one. They are read some runs later: from registers each would take
    // two instructions.
    let mut rows = [[WordLanes::ZERO; 2]; RUNS_AT_ONCE];
    let mut lengths = [0; RUNS_AT_ONCE];
    let mut runs = from.each_run();
    loop {
        let mut count = 0;
        while count < RUNS_AT_ONCE
            && let Some(run) = runs.next()
        {
            let mut length = 0;
            for one in run.each() {
                let place = usize::from(length > 0);
                for part in 0..M::PARTS {
                    let x = m.min(m.option::<true>(one, part), beyond);
                    m.store(&mut rows[count][place].0, part, m.times_lanes(x));
                }
                length += 1;
            }
            lengths[count] = length;
            count += 1;
        }
        if count == 0 {
            break;
        }
        for ([first, last], length) in rows[..count].iter().zip(lengths) {
            match length {
                1 => set_bytes::<CODES, ROOM, 1>(&mut marks, first, first),
                2 => set_bytes::<CODES, ROOM, 2>(&mut marks, last, first),
                _ => set_bytes::<CODES, ROOM, 3>(&mut marks, last, first),
            }
        }
    }
    add_bytes(planes, marks.as_bytes());
}

/// Marks the options by a run of `RUN` entries, given the codes of the first entry and of the last one: an entry gives heap k + 1
/// the option that the entry before gives heap k. So the code in lane k of the last entry is marked for the lanes
/// k + 1 − `RUN` to k at once; the first and the last lanes, where the run reaches beyond the block, are marked singly.
#[inline(always)]
fn set_bytes<const CODES: usize, const ROOM: usize, const RUN: usize>(
    marks: &mut MarkBytes<CODES, ROOM>,
    last: &WordLanes,
    first: &WordLanes,
) {
    for k in 0..RUN - 1 {
        let rest = RUN - 1 - k;
        for lane in 0..=k {
            marks.set::<1>(last.0[k], lane);
        }
        for lane in WORDS - rest..WORDS {
            marks.set::<1>(first.0[WORDS - rest], lane);
        }
    }
    for k in RUN - 1..WORDS {
        marks.set::<RUN>(last.0[k], k + 1 - RUN);
    }
}
