//! Options in a block itself, for codes below 16: heap by heap, one load an option.

use crate::kernel::{Entries, Entry, LANES};

/// For one source, the mark of the option that it gives XOR u, for each u.
type Marks = [u16; 16];

/// The entries with q < 64.
pub struct Narrow {
    /// Where the mark lies in the window of the 64 heaps before; farther ones first, as the nearest are known last.
    steps: Vec<[u16; 4]>,
    /// The marks of a source, by its byte.
    marks: Box<[Marks; 256]>,
}

impl Narrow {
    /// `None` if some code is no smaller than 16.
    pub fn new(near: &Entries) -> Option<Self> {
        let mut entries = near.as_slice().to_vec();
        if entries.is_empty() || entries.iter().any(|entry| entry.u() >= 16) {
            return None;
        }
        entries.sort_unstable_by(|a, b| b.cmp(a));
        // The first step is filled up with repetitions of the first entry.
        let missing = entries.len().next_multiple_of(4) - entries.len();
        let place = |entry: &Entry| ((LANES - entry.q()) * 16 + usize::from(entry.u())) as u16;
        let places: Vec<u16> = std::iter::repeat_n(&entries[0], missing)
            .chain(&entries)
            .map(place)
            .collect();
        let steps = places
            .chunks_exact(4)
            .map(|step| [step[0], step[1], step[2], step[3]])
            .collect();
        let mark = |x: usize| if x < 16 { 1 << x } else { 0 };
        let marks = Box::new(std::array::from_fn(|byte| {
            std::array::from_fn(|u| mark(byte ^ u))
        }));
        Some(Self { steps, marks })
    }

    /// Writes the smallest unmarked code of each heap of the block behind `codes[at..]`, up to the first lane that has
    /// none below 16 or is in `odd`; returns that lane.
    pub fn settle(
        &self,
        rows: &[u16; LANES],
        codes: &mut [u8],
        at: usize,
        from: usize,
        odd: u64,
    ) -> usize {
        let mut recent = [[0u16; 16]; 2 * LANES];
        for (recent, byte) in recent.iter_mut().zip(&codes[at - LANES..at + from]) {
            *recent = self.marks[usize::from(*byte)];
        }
        let codes = &mut codes[at..at + LANES];
        for lane in from..LANES {
            let mut row = rows[lane];
            if let Some(window) = recent.as_flattened()[16 * lane..].first_chunk::<{ 16 * LANES }>()
            {
                for step in &self.steps {
                    for &place in step {
                        row |= window[usize::from(place) % (16 * LANES)];
                    }
                }
            }
            let code = row.trailing_ones();
            if code >= 16 || odd >> lane & 1 == 1 {
                return lane;
            }
            codes[lane] = code as u8;
            recent[LANES + lane] = self.marks[code as usize % 16];
        }
        LANES
    }
}
