//! The options of a block by fewer than all pairs, where few enough heaps are rare.
//!
//! Values are written as classed codes: the code of a value, and above all codes a bit for the common class
//! (`sparse_space.rs`). They add under XOR as values do, so those of a pair give that of the option, and its class. A common
//! option has a rare part: the common candidates for the mex are found by the pairs with a rare part alone.
//! Whether the rare values below the least of them are options is asked of all pairs, but one that gives each is enough, and
//! most are among the first thousands. With AVX2 only the least open common codes are sought among most rare parts
//! (`tuning.rs: values_sought`).
//!
//! Time: the pairs with a rare part and some thousand more; all n/2 pairs only for what none gives, the value of a rare
//! heap. Memory: four bytes a heap more. Twin: `block.rs`.

use super::Far;
use super::block::{Tiles, first_zero, open_in, windows_of, with_least_open};
use super::tuning::{RARES_PER_TILE, SPARE, most_open_in_strips, values_sought};
use crate::engine::kernel::halves::{HALVES_END, Halves};
use crate::engine::kernel::{Kernel, WINDOW, WORDS, Window};
use crate::engine::octal::Octal;
use crate::engine::sparse_space::SparseSpace;

/// The distance from one row of options to the next, such that the same places of rows lie in different lines of the cache.
const OPTIONS_APART: usize = RARES_PER_TILE + 32;

/// The values as classed codes, and which heaps are rare.
pub struct ByClasses {
    space: SparseSpace,
    /// The bit of the common class, larger than all codes of heaps and so than all codes of options.
    common: u16,
    /// For each heap its code, and the bit of the common class where it is common.
    codes: Vec<u16>,
    /// The halves of these codes.
    halves: Halves,
    rares: Vec<u32>,
}

impl ByClasses {
    /// By the classes that the last half of these first values shows, if at most one heap in `share` is rare.
    pub fn discover(game: &Octal, values: &[u16], share: usize) -> Option<Self> {
        let space = SparseSpace::shown_by(game, values, 1)?;
        let largest = values.iter().map(|&value| space.code(value)).max()?;
        let mut found = Self {
            space,
            // The options of codes and the common bit must be numbers of two halves, and the window beyond them too.
            common: Some((largest + 1).next_power_of_two())
                .filter(|&bit| 4 * usize::from(bit) <= HALVES_END)?,
            codes: Vec::new(),
            halves: Halves::default(),
            rares: Vec::new(),
        };
        found.extend(values)?;
        (share * found.rares.len() <= values.len()).then_some(found)
    }

    /// How many of the first `heaps` heaps are rare.
    pub fn rare_below(&self, heaps: usize) -> usize {
        self.rares.partition_point(|&rare| (rare as usize) < heaps)
    }

    /// Takes over the values of further heaps; `None` if there is no room for them, or a code has a new bit.
    pub fn extend(&mut self, values: &[u16]) -> Option<()> {
        let known = self.codes.len();
        self.codes.try_reserve(values.len() - known).ok()?;
        for (heap, &value) in values.iter().enumerate().skip(known) {
            if self.space.code(value) >= self.common {
                return None;
            }
            let code = self.classed(value, heap);
            if code < self.common {
                self.rares.push(u32::try_from(heap).ok()?);
            }
            self.codes.push(code);
        }
        self.halves.extend(&self.codes[known..]).ok()
    }

    /// The classed code of a value that the heap has, or that an option of the heap has.
    fn classed(&self, value: u16, heap: usize) -> u16 {
        let class = match self.space.is_rare(value, heap) {
            true => 0,
            false => self.common,
        };
        self.space.code(value) | class
    }

    /// The block of `start`, with all its common options by these pairs marked, and a pair sought for each rare value that may
    /// be a mex.
    pub fn block(&self, kernel: Kernel, far: &[Far], start: usize) -> MarkedCodes {
        let mut block = MarkedCodes {
            marks: vec![0; WORDS * self.stride()],
            proved: [0; WORDS],
            complete: [usize::from(self.common); WORDS],
        };
        let mut heaps: Vec<usize> = (0..WORDS).collect();
        while !heaps.is_empty() {
            self.mark_commons(kernel, far, &mut block, &heaps);
            heaps.retain(|&heap| self.candidate(&block, heap).is_none());
        }
        let all: Vec<usize> = (0..WORDS).collect();
        self.prove(kernel, far, &mut block, start, all);
        block
    }

    /// How many bytes the marks of a heap take: every classed code of an option is less than twice the common bit.
    fn stride(&self) -> usize {
        2 * usize::from(self.common) + WINDOW
    }

    /// The least common code of a heap of the block that is not marked, if all options as small are.
    fn candidate(&self, block: &MarkedCodes, heap: usize) -> Option<u16> {
        let marks = &block.marks[heap * self.stride()..];
        let common = usize::from(self.common);
        first_zero(&marks[common..block.complete[heap]]).map(|code| code as u16)
    }

    /// Marks the common options by these pairs in the next window of these heaps.
    fn mark_commons(&self, kernel: Kernel, far: &[Far], block: &mut MarkedCodes, heaps: &[usize]) {
        let stride = self.stride();
        let mut windows = [0; WORDS];
        for &heap in heaps {
            let marks = &block.marks[heap * stride..][..stride];
            let end = block.complete[heap];
            let place = end + first_zero(&marks[end..]).unwrap_or(0);
            (windows[heap], block.complete[heap]) = windows_of(place, 1);
        }
        let mut options = Halves::zeros(WORDS * OPTIONS_APART);
        let zeros = Halves::zeros(RARES_PER_TILE);
        let rares = |far: &Far| {
            let rares = self.rare_below(far.low)..self.rare_below(far.sum + 1 - far.low);
            self.rares.get(rares).unwrap_or_default()
        };
        let pairs = far.iter().map(|far| rares(far).len()).sum();
        let mut done = 0;
        for far in far {
            let mut rares = rares(far);
            // The first pairs give many new options, so the codes still open are looked at again soon.
            let mut length = RARES_PER_TILE / 8;
            while !rares.is_empty() {
                let (tile, rest) = rares.split_at(length.min(rares.len()));
                let sought = values_sought(kernel, done, pairs);
                kernel.options_of_heaps(&self.codes, far.sum, tile, (&mut options, OPTIONS_APART));
                for &heap in heaps {
                    let (from, to) = (windows[heap], &mut block.complete[heap]);
                    let marks = &mut block.marks[heap * stride..][from..*to];
                    let row = heap * OPTIONS_APART;
                    let options = options.of(row..row + tile.len());
                    let zeros = zeros.of(0..tile.len());
                    match sought {
                        Some(sought) => {
                            *to = from + with_least_open(marks, sought + SPARE);
                            let (strips, _) = marks[..*to - from].as_chunks_mut();
                            kernel.mark_strips(strips, from as u16, options, zeros);
                        }
                        None => {
                            let (windows, _) = marks.as_chunks_mut();
                            kernel.mark_windows(windows, from as u16, options, zeros);
                        }
                    }
                }
                rares = rest;
                done += tile.len();
                length = RARES_PER_TILE.min(2 * length);
            }
        }
    }

    /// Seeks a pair for each rare value of these heaps below their common candidates.
    fn prove(
        &self,
        kernel: Kernel,
        far: &[Far],
        block: &mut MarkedCodes,
        start: usize,
        mut heaps: Vec<usize>,
    ) {
        let stride = self.stride();
        let most = most_open_in_strips(kernel);
        loop {
            let mut windows = Vec::with_capacity(heaps.len());
            heaps.retain(|&heap| {
                let code = self.candidate(block, heap).unwrap_or(self.common);
                let below = self.space.rare_below(code, start + heap).min(self.common);
                let (from, end) = windows_of(block.proved[heap], 1);
                let to = usize::from(below).min(end);
                let is_open = block.proved[heap] < usize::from(below);
                if is_open {
                    let mut marks: Window = [1; WINDOW];
                    let places = heap * stride + from..heap * stride + to;
                    marks[..to - from].copy_from_slice(&block.marks[places.clone()]);
                    block.proved[heap] = to;
                    windows.push((heap, from, places, marks));
                }
                is_open
            });
            if heaps.is_empty() {
                return;
            }
            let mut left: Vec<_> = windows.iter_mut().collect();
            for tile in Tiles::of(far) {
                left.retain(|(.., marks)| first_zero(marks).is_some());
                if left.is_empty() {
                    break;
                }
                let firsts = tile.firsts(&self.halves);
                for (heap, from, _, marks) in &mut left {
                    let open: usize = marks.as_chunks().0.iter().map(open_in).sum();
                    for (ones, others) in tile.pairs(far, &firsts, &self.halves, *heap) {
                        if open <= most {
                            let (strips, _) = marks.as_chunks_mut();
                            kernel.mark_strips(strips, *from as u16, ones, others);
                        } else {
                            kernel.mark_windows(
                                std::slice::from_mut(marks),
                                *from as u16,
                                ones,
                                others,
                            );
                        }
                    }
                }
            }
            for (.., places, marks) in &windows {
                block.marks[places.clone()].copy_from_slice(&marks[..places.len()]);
            }
        }
    }

    /// The mex of the next heap of a block, which has the options `near` besides those marked.
    pub fn mex(
        &self,
        kernel: Kernel,
        far: &[Far],
        block: &mut MarkedCodes,
        (start, heap): (usize, usize),
        mut options: impl Iterator<Item = u16>,
    ) -> Option<usize> {
        let marks = &mut block.marks[heap * self.stride()..][..self.stride()];
        options.try_for_each(|option| {
            let fits = self.space.code(option) < self.common;
            fits.then(|| marks[usize::from(self.classed(option, start + heap))] = 1)
        })?;
        while self.candidate(block, heap).is_none() {
            self.mark_commons(kernel, far, block, &[heap]);
        }
        self.prove(kernel, far, block, start, vec![heap]);
        let code = self.candidate(block, heap)?;
        let below = self.space.rare_below(code, start + heap);
        let rares = &block.marks[heap * self.stride()..][..usize::from(below.min(self.common))];
        let value = |code, rare| self.space.value(code, rare, start + heap).into();
        Some(match first_zero(rares) {
            Some(rare) => value(rare as u16, true),
            // All rare codes below `common` are options, and no option has that one.
            None if below > self.common => value(self.common, true),
            None => value(code, false),
        })
    }
}

/// The classed codes that pairs give to each heap of a block.
pub struct MarkedCodes {
    /// For each heap a byte for each classed code: 1 for an option.
    marks: Vec<u8>,
    /// For each heap the rare code up to which all options are marked, those by pairs of heaps known before the block.
    proved: [usize; WORDS],
    /// For each heap the classed code of the common ones up to which all options are marked.
    complete: [usize; WORDS],
}
