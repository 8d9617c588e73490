//! A greedy cover: entries chosen one after another, each of them the one that fills most of the holes that are still open
//! in some heaps.
//!
//! How many holes each entry would fill is known at every moment: when a hole is filled, all entries that would fill it
//! count one less. Time: a code compared for each hole and entry; memory: a code for each heap and entry. Twin: counting
//! everything again for every choice (the test below).

use crate::engine::kernel::{Code, Entry, Kernel};
use crate::engine::packed::PackedTable;
use std::collections::HashMap;

/// Heaps with holes, and the entries that may fill them.
pub struct Cover<C: Code> {
    kernel: Kernel,
    /// How many entries there are.
    width: usize,
    /// The holes of each heap that are still open.
    open: Vec<CodeSet<C>>,
    /// For each heap, the option that every entry stands for.
    options: Vec<C>,
    /// How many holes each entry would fill.
    gains: Vec<u16>,
}

/// A set of codes, a bit each.
#[derive(Clone, Copy, Default)]
pub struct CodeSet<C: Code>(C::Set);

impl<C: Code> CodeSet<C> {
    pub fn insert(&mut self, code: C) {
        if let Some(word) = self.0.as_mut().get_mut(code.index() / 64) {
            *word |= 1 << (code.index() % 64);
        }
    }

    fn remove(&mut self, code: C) -> bool {
        let Some(word) = self.0.as_mut().get_mut(code.index() / 64) else {
            return false;
        };
        let bit = 1 << (code.index() % 64);
        let there = *word & bit != 0;
        *word &= !bit;
        there
    }

    /// The codes of a plane that are not in the set.
    fn marks(&self, plane: usize) -> C {
        let first = plane * C::BITS;
        C::of(!(self.0.as_ref()[first / 64] >> (first % 64)) as usize & C::DEAD.index())
    }
}

/// How many entries have their options written together. With 8, 16 and 64 of them 0.6, 0.142, Grundy's game, 0.364 and 0.376
/// take 2 to 8 % longer, 1 to 3 % longer, and as long within 3 % (0.364 to 300,000, the others to 10^6; Zen 1).
const ENTRIES_PER_TILE: usize = 32;

/// How many holes each entry would fill, of heaps as in [`Cover::new`].
pub fn gains<C: Code>(
    kernel: Kernel,
    codes: &PackedTable<C>,
    entries: &[Entry<C>],
    heaps: &[(usize, CodeSet<C>)],
) -> Vec<u16> {
    let mut gains = vec![0; entries.len()];
    for heaps in heaps.chunks(C::LANES) {
        let start = heaps[0].0;
        let (source, room) = (codes.source(start), codes.room(start));
        let planes = marks(heaps);
        for (entry, gain) in entries.iter().zip(&mut gains) {
            if entry.q() <= room {
                *gain += kernel.would_mark(&planes, source, *entry).count_ones() as u16;
            }
        }
    }
    gains
}

impl<C: Code> Cover<C> {
    /// A cover for heaps with these codes open, in blocks of consecutive heaps and no more of them than a gain can count, by
    /// entries, each with the number of holes it would fill.
    pub fn new(
        kernel: Kernel,
        codes: &PackedTable<C>,
        entries: &[(Entry<C>, u16)],
        heaps: &[(usize, CodeSet<C>)],
    ) -> Self {
        let width = entries.len().max(1);
        let mut options = vec![C::DEAD; heaps.len() * width];
        for (heaps, rows) in heaps
            .chunks(C::LANES)
            .zip(options.chunks_mut(C::LANES * width))
        {
            let start = heaps[0].0;
            let (source, room) = (codes.source(start), codes.room(start));
            for (entries, at) in entries
                .chunks(ENTRIES_PER_TILE)
                .zip((0..).step_by(ENTRIES_PER_TILE))
            {
                // Options are read entry by entry, as the sources of an entry lie together, and written heap by heap, as they are
                // compared.
                let mut tile = [C::lanes(|_| C::DEAD); ENTRIES_PER_TILE];
                for ((entry, _), options) in entries.iter().zip(&mut tile) {
                    if entry.q() <= room {
                        let from = source.at - entry.q();
                        let codes = &source.codes[from..from + C::LANES];
                        for (option, &code) in options.as_mut().iter_mut().zip(codes) {
                            *option = code ^ entry.u();
                        }
                        if let Some(mask) = source.mask {
                            for (option, &mask) in options.as_mut().iter_mut().zip(&mask[from..]) {
                                *option |= mask;
                            }
                        }
                    }
                }
                for (lane, row) in rows.chunks_exact_mut(width).enumerate() {
                    for (option, options) in row[at..].iter_mut().zip(&tile) {
                        *option = options.as_ref()[lane];
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

    /// The places of about `most` entries, the best one each time, as long as it fills at least `least` holes, and with it those
    /// that `together` gives the same number.
    pub fn choose(&mut self, most: usize, least: u16, together: &[usize]) -> Vec<usize> {
        let mut companions: HashMap<usize, Vec<usize>> = HashMap::new();
        for (place, &number) in together.iter().enumerate() {
            companions.entry(number).or_default().push(place);
        }
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
                let companions = together
                    .get(place)
                    .and_then(|number| companions.remove(number));
                for place in companions.unwrap_or_else(|| vec![place]) {
                    chosen.push(place);
                    self.fill(place);
                }
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
            self.kernel.count_equal(&mut less, row, option);
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
fn marks<C: Code>(heaps: &[(usize, CodeSet<C>)]) -> Vec<C::Lanes> {
    let shown = size_of::<C::Set>() * 8 / C::BITS;
    let mut planes = vec![C::DEAD_LANES; shown];
    for (lane, (_, open)) in heaps.iter().enumerate() {
        for (j, plane) in planes.iter_mut().enumerate() {
            C::block_mut(plane).as_mut()[lane] = open.marks(j);
        }
    }
    let open = planes.iter().rposition(|plane| *plane != C::DEAD_LANES);
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
    use crate::engine::first_values::{encode, first_values};

    #[test]
    fn every_choice_fills_most() {
        let (octal, values) = first_values("0.6", 3000);
        let codes = encode(&octal, &values, 4).unwrap();
        let common = (1..400).filter(|&heap| !codes.is_rare(heap));
        let entries: Vec<Entry<u8>> = common
            .map(|i| Entry::new(i + 1, codes.code(i).unwrap()))
            .collect();
        // At first more entries fill the same hole than a byte counts.
        let heaps = (2600..2900).map(|heap| {
            let mut open: CodeSet<u8> = CodeSet::default();
            (0..codes.rare_below(heap, codes.code(heap).unwrap()))
                .for_each(|code| open.insert(code));
            (heap, open)
        });
        let heaps: Vec<(usize, CodeSet<u8>)> = heaps.collect();
        for kernel in Kernel::available() {
            for least in [1, 40] {
                let gains = gains(kernel, &codes, &entries, &heaps);
                let all: Vec<(Entry<u8>, u16)> = entries.iter().copied().zip(gains).collect();
                let mut cover = Cover::new(kernel, &codes, &all, &heaps);
                let chosen = cover.choose(300, least, &[]);
                let mut open = heaps.clone();
                let option = |heap: usize, entry: Entry<u8>| {
                    codes.code(heap - entry.q()).unwrap() ^ entry.u()
                };
                let gain = |open: &[(usize, CodeSet<u8>)], entry: Entry<u8>| {
                    let fills = |&&(heap, mut open): &&(usize, CodeSet<u8>)| {
                        !codes.is_rare(heap - entry.q()) && open.remove(option(heap, entry))
                    };
                    open.iter().filter(fills).count()
                };
                let most = |open: &[(usize, CodeSet<u8>)]| {
                    entries.iter().map(|&entry| gain(open, entry)).max()
                };
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
