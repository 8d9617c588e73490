//! A greedy cover: entries chosen one after another, each of them the one that fills most of the holes that are still open
//! in some heaps.
//!
//! How many holes each entry would fill is known at every moment: when a hole is filled, all entries that would fill it
//! count one less. Time: a byte compared for each hole and entry; memory: a byte for each heap and entry. Twin: counting
//! everything again for every choice (the test below).

use crate::engine::kernel::{DEAD, Entry, Kernel, LANES, Lanes};
use crate::engine::table::packed::PackedTable;

/// Heaps with holes, and the entries that may fill them.
pub struct Cover {
    kernel: Kernel,
    /// How many entries there are.
    width: usize,
    /// What is open of each heap.
    open: Vec<Codes>,
    /// For each heap, the option that every entry stands for.
    options: Vec<u8>,
    /// How many holes an entry would fill.
    gains: Vec<u16>,
}

/// A set of codes, a bit each.
#[derive(Clone, Copy, Default)]
pub struct Codes([u64; 4]);

impl Codes {
    pub fn insert(&mut self, code: u8) {
        self.0[usize::from(code / 64)] |= 1 << (code % 64);
    }

    fn remove(&mut self, code: u8) -> bool {
        let word = &mut self.0[usize::from(code / 64)];
        let bit = 1 << (code % 64);
        let there = *word & bit != 0;
        *word &= !bit;
        there
    }

    /// The codes that are not in the set as marks, eight codes a byte.
    fn marks(self) -> [u8; 32] {
        std::array::from_fn(|j| !(self.0[j / 8] >> (8 * (j % 8))) as u8)
    }
}

/// How many entries have their options written together.
const TILE: usize = 16;

/// How many holes each entry would fill, of heaps as in [`Cover::new`].
pub fn gains(
    kernel: Kernel,
    codes: &PackedTable,
    entries: &[Entry],
    heaps: &[(usize, Codes)],
) -> Vec<u16> {
    let mut gains = vec![0; entries.len()];
    for heaps in heaps.chunks(LANES) {
        let start = heaps[0].0;
        let (source, room) = (codes.source(start), codes.room(start));
        let planes = marks(heaps);
        for (entry, gain) in entries.iter().zip(&mut gains) {
            if entry.q() <= room {
                *gain += kernel.fresh(&planes, source, *entry).count_ones() as u16;
            }
        }
    }
    gains
}

impl Cover {
    /// Of heaps with these codes open, 64 consecutive ones at a time and no more of them than a gain can count, and of entries, each
    /// with the number of holes it would fill.
    pub fn new(
        kernel: Kernel,
        codes: &PackedTable,
        entries: &[(Entry, u16)],
        heaps: &[(usize, Codes)],
    ) -> Self {
        let width = entries.len().max(1);
        let mut options = vec![DEAD; heaps.len() * width];
        for (heaps, rows) in heaps.chunks(LANES).zip(options.chunks_mut(LANES * width)) {
            let start = heaps[0].0;
            let (source, room) = (codes.source(start), codes.room(start));
            for (entries, at) in entries.chunks(TILE).zip((0..).step_by(TILE)) {
                // Options are read entry by entry, as the sources of an entry lie together, and written heap by heap, as they are
                // compared.
                let mut tile = [[DEAD; LANES]; TILE];
                for ((entry, _), options) in entries.iter().zip(&mut tile) {
                    if entry.q() <= room {
                        let from = source.at - entry.q();
                        let codes = &source.codes[from..from + LANES];
                        for (option, code) in options.iter_mut().zip(codes) {
                            *option = code ^ entry.u();
                        }
                        if let Some(mask) = source.mask {
                            for (option, mask) in options.iter_mut().zip(&mask[from..]) {
                                *option |= mask;
                            }
                        }
                    }
                }
                for (lane, row) in rows.chunks_exact_mut(width).enumerate() {
                    for (option, options) in row[at..].iter_mut().zip(&tile) {
                        *option = options[lane];
                    }
                }
            }
        }
        Self {
            kernel,
            width,
            open: heaps.iter().map(|&(_, open)| open).collect(),
            options,
            gains: entries.iter().map(|&(_, gain)| gain).collect(),
        }
    }

    /// The places of at most `most` entries, the best one each time, as long as it fills at least `least` holes.
    pub fn choose(&mut self, most: usize, least: u16) -> Vec<usize> {
        let mut chosen = Vec::new();
        let top = self.gains.iter().copied().max().unwrap_or(0);
        let mut by_gain: Vec<Vec<usize>> = vec![Vec::new(); usize::from(top) + 1];
        for (place, &gain) in self.gains.iter().enumerate().rev() {
            by_gain[usize::from(gain)].push(place);
        }
        let mut top = usize::from(top);
        while top >= usize::from(least.max(1)) && chosen.len() < most {
            let Some(place) = by_gain[top].pop() else {
                top -= 1;
                continue;
            };
            let gain = usize::from(self.gains[place]);
            if gain < top {
                by_gain[gain].push(place);
            } else {
                chosen.push(place);
                self.fill(place);
            }
        }
        chosen
    }

    /// Fills the holes that an entry fills.
    fn fill(&mut self, place: usize) {
        let mut less = vec![0u8; self.width];
        let mut filled = 0;
        let rows = self.options.chunks_exact(self.width);
        for (row, open) in rows.zip(&mut self.open) {
            let option = row[place];
            if !open.remove(option) {
                continue;
            }
            self.kernel.tally(&mut less, row, option);
            filled += 1;
            if filled == u8::MAX {
                lower(&mut self.gains, &mut less);
                filled = 0;
            }
        }
        lower(&mut self.gains, &mut less);
    }
}

/// The codes of these heaps that are not open, as marks in as many planes as show all that are open.
fn marks(heaps: &[(usize, Codes)]) -> Vec<Lanes> {
    let mut planes = vec![Lanes::DEAD; 32];
    for (lane, (_, open)) in heaps.iter().enumerate() {
        for (plane, marks) in planes.iter_mut().zip(open.marks()) {
            plane.0[lane] = marks;
        }
    }
    let open = planes.iter().rposition(|plane| plane.0 != Lanes::DEAD.0);
    planes.truncate((open.unwrap_or(0) + 1).next_multiple_of(2));
    planes
}

/// Subtracts what entries have lost from their gains.
fn lower(gains: &mut [u16], less: &mut [u8]) {
    for (gain, less) in gains.iter_mut().zip(less) {
        *gain -= u16::from(*less);
        *less = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::definition;
    use crate::engine::octal::Octal;
    use crate::engine::sparse::encode;
    use crate::ruleset::Ruleset;

    #[test]
    fn every_choice_fills_most() {
        let ruleset: Ruleset = "0.6".parse().unwrap();
        let values = definition::nim_values(&ruleset, 3000).unwrap();
        let values: Vec<u16> = values.iter().collect();
        let codes = encode(&Octal::breaking(&ruleset).unwrap(), &values, 4).unwrap();
        let common = (1..400).filter(|&heap| !codes.is_rare(heap));
        let entries: Vec<Entry> = common
            .map(|i| Entry::new(i + 1, codes.code(i).unwrap()))
            .collect();
        // At first more entries fill the same hole than a byte counts.
        let heaps = (2300..2900).map(|heap| {
            let mut open = Codes::default();
            (0..codes.rare_below(heap, codes.code(heap).unwrap()))
                .for_each(|code| open.insert(code));
            (heap, open)
        });
        let heaps: Vec<(usize, Codes)> = heaps.collect();
        for kernel in Kernel::available() {
            for least in [1, 40] {
                let gains = gains(kernel, &codes, &entries, &heaps);
                let all: Vec<(Entry, u16)> = entries.iter().copied().zip(gains).collect();
                let mut cover = Cover::new(kernel, &codes, &all, &heaps);
                let chosen = cover.choose(300, least);
                let mut open = heaps.clone();
                let option =
                    |heap: usize, entry: Entry| codes.code(heap - entry.q()).unwrap() ^ entry.u();
                let gain = |open: &[(usize, Codes)], entry: Entry| {
                    let fills = |&&(heap, mut open): &&(usize, Codes)| {
                        !codes.is_rare(heap - entry.q()) && open.remove(option(heap, entry))
                    };
                    open.iter().filter(fills).count()
                };
                let most =
                    |open: &[(usize, Codes)]| entries.iter().map(|&entry| gain(open, entry)).max();
                for &place in &chosen {
                    let entry = entries[place];
                    assert_eq!(Some(gain(&open, entry)), most(&open));
                    for (heap, open) in &mut open {
                        if !codes.is_rare(*heap - entry.q()) {
                            open.remove(option(*heap, entry));
                        }
                    }
                }
                assert!(chosen.len() == 300 || most(&open) < Some(usize::from(least)));
                assert!(chosen.len() > 20, "{}", kernel.name());
            }
        }
    }
}
