//! The options of a block by fewer than all pairs, where few enough heaps are rare.
//!
//! Values are written as classed codes: the code of a value, and above all codes a bit for the common class
//! (`sparse_space.rs`). They add under XOR as values do, so those of a pair give that of the option, and its class. A common
//! option has a rare part: the common candidates for the mex are found by the pairs with a rare part alone.
//! Whether the rare values below the least of them are options is asked of all pairs, but one that gives each is enough, and
//! most such pairs are among the first few thousand. With AVX2 only the least open common codes are sought among most rare parts
//! (`tuning.rs: values_sought`). Where several moves leave the same sums, the pairs of a sum are gone through once for all heaps
//! that have them, and looked up for every code that at least one of these heaps seeks.
//!
//! Time: the pairs with a rare part and some thousand more; all n/2 pairs only for what none gives, the value of a rare
//! heap. Memory: four bytes a heap more. Twin: `engine/definition.rs`.

use super::Far;
use super::block::{Rows, Tiles, first_zero, mark, open_in, windows_of, with_least_open};
use super::tuning::{RARES_PER_TILE, SPARE, hand_on_every, most_open_in_strips, values_sought};
use crate::engine::kernel::halves::{HALVES_END, Halves, HalvesOf, halves};
use crate::engine::kernel::{Kernel, WINDOW, WORDS, Window};
use crate::engine::octal::Octal;
use crate::engine::sparse_space::SparseSpace;
use std::collections::BTreeMap;
use std::ops::Range;

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
    pub fn block(&self, kernel: Kernel, far: &[Far], rows: Rows, start: usize) -> MarkedCodes {
        let mut block = MarkedCodes {
            rows,
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

    /// The least common code, without the common bit, that is not marked for a heap of the block; `None` if all those of which
    /// all options are marked are options.
    fn candidate(&self, block: &MarkedCodes, heap: usize) -> Option<u16> {
        let marks = &block.marks[heap * self.stride()..];
        let common = usize::from(self.common);
        first_zero(&marks[common..block.complete[heap]]).map(|code| code as u16)
    }

    /// The codes from one to below another that a heap of the block seeks.
    fn seek(&self, block: &MarkedCodes, heap: usize, (from, to): (usize, usize)) -> Sought {
        let row = heap * self.stride();
        let places = row + from..row + to;
        let mut marks = [1; WINDOW];
        marks[..places.len()].copy_from_slice(&block.marks[places.clone()]);
        Sought {
            heap,
            from,
            marks,
            length: WINDOW,
            places,
        }
    }

    /// Marks the common options by these pairs in the next window of these heaps.
    fn mark_commons(&self, kernel: Kernel, far: &[Far], block: &mut MarkedCodes, heaps: &[usize]) {
        let next = |&heap: &usize| {
            let end = block.complete[heap];
            let marks = &block.marks[heap * self.stride()..][..self.stride()];
            let place = end + first_zero(&marks[end..]).unwrap_or(0);
            self.seek(block, heap, windows_of(place, 1))
        };
        let mut sought: Vec<Sought> = heaps.iter().map(next).collect();
        let mut shared = SharedRow::of(&block.rows, &sought);
        let mut options = Options::new(block.rows.count);
        let zeros = Halves::zeros(RARES_PER_TILE);
        let rares = |far: &Far| {
            let rares = self.rare_below(far.low)..self.rare_below(far.sum + 1 - far.low);
            self.rares.get(rares).unwrap_or_default()
        };
        let pairs = far.iter().map(|far| rares(far).len()).sum();
        // Rows hand on what they have found when `done` reaches `told_at`, and only after that gather again what is sought.
        let (mut done, mut told_at, mut is_told) = (0, 0, true);
        for far in far {
            let mut rares = rares(far);
            // The first pairs give many new options, so the codes still open are looked at again soon.
            let mut length = RARES_PER_TILE / 8;
            while !rares.is_empty() {
                let (tile, rest) = rares.split_at(length.min(rares.len()));
                let in_strips = values_sought(kernel, done, pairs);
                if let Some(least) = in_strips {
                    for sought in &mut sought {
                        sought.narrow(least + SPARE);
                    }
                }
                done += tile.len();
                // In strips few codes are sought, and those should be the least that are open.
                let strips_come = values_sought(kernel, done, pairs).is_some();
                let hands_on = strips_come || done >= told_at || done == pairs;
                if hands_on {
                    told_at = hand_on_every(kernel) * done;
                }
                options.fill(kernel, &self.codes, far.sum, tile);
                for shared in &mut shared {
                    let options = options.of(shared.row, tile.len());
                    let zeros = zeros.of(0..tile.len());
                    if is_told {
                        shared.gather(&sought);
                    }
                    mark(
                        kernel,
                        in_strips.is_some(),
                        shared.window(),
                        (options, zeros),
                    );
                    if hands_on {
                        shared.hand_on(&mut sought);
                    }
                }
                rares = rest;
                is_told = hands_on;
                length = RARES_PER_TILE.min(2 * length);
            }
        }
        for sought in sought {
            block.complete[sought.heap] = sought.from + sought.length;
            block.take_over(&sought);
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
        let most = most_open_in_strips(kernel);
        loop {
            let mut sought = Vec::with_capacity(heaps.len());
            heaps.retain(|&heap| {
                let code = self.candidate(block, heap).unwrap_or(self.common);
                let below = self.space.rare_below(code, start + heap).min(self.common);
                let (from, end) = windows_of(block.proved[heap], 1);
                let to = usize::from(below).min(end);
                let is_open = block.proved[heap] < usize::from(below);
                if is_open {
                    block.proved[heap] = to;
                    sought.push(self.seek(block, heap, (from, to)));
                }
                is_open
            });
            if heaps.is_empty() {
                return;
            }
            let mut shared = SharedRow::of(&block.rows, &sought);
            for tile in Tiles::of(far) {
                if sought.iter().all(Sought::is_met) {
                    break;
                }
                let firsts = tile.firsts(&self.halves);
                for shared in &mut shared {
                    shared.gather(&sought);
                    let (_, marks) = shared.window();
                    let open: usize = marks.as_chunks().0.iter().map(open_in).sum();
                    for pairs in tile.pairs(far, &firsts, &self.halves, shared.row) {
                        mark(kernel, open <= most, shared.window(), pairs);
                    }
                    shared.hand_on(&mut sought);
                }
            }
            sought.iter().for_each(|sought| block.take_over(sought));
        }
    }

    /// The mex of the heap `start + heap`, the next one of the block of `start`, which has these options besides those marked.
    /// `None` if one of them has a code that is not below the common bit.
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
            // All codes below `common` are options as rare codes, and no option has `common` itself as a rare code.
            None if below > self.common => value(self.common, true),
            None => value(code, false),
        })
    }
}

/// The classed codes that pairs give to each heap of a block.
pub struct MarkedCodes {
    rows: Rows,
    /// For each heap a byte for each classed code: 1 for an option.
    marks: Vec<u8>,
    /// For each heap the rare code up to which all options are marked, those by pairs of heaps known before the block.
    proved: [usize; WORDS],
    /// For each heap the classed code of the common ones up to which all options are marked.
    complete: [usize; WORDS],
}

impl MarkedCodes {
    /// Marks the options met.
    fn take_over(&mut self, sought: &Sought) {
        let places = sought.places.clone();
        self.marks[places.clone()].copy_from_slice(&sought.marks[..places.len()]);
    }
}

/// The codes that a heap of a block seeks.
struct Sought {
    heap: usize,
    /// The first of them.
    from: usize,
    /// For each of them 1, where it is an option met or no longer sought.
    marks: Window,
    /// How many of `marks`, from the first on, are looked at; there may be more than `places`.
    length: usize,
    /// Where they are among the marks of the block.
    places: Range<usize>,
}

impl Sought {
    /// How many codes are sought, those met included.
    fn count(&self) -> usize {
        self.length.min(self.places.len())
    }

    /// Whether all codes sought are options met.
    fn is_met(&self) -> bool {
        first_zero(&self.marks[..self.length]).is_none()
    }

    /// Goes on to seek only the first strips, as many as hold the `least` least codes that are not met.
    fn narrow(&mut self, least: usize) {
        self.length = with_least_open(&self.marks[..self.length], least);
    }
}

/// A row of a block, for the heaps that have it and seek the same window.
struct SharedRow {
    row: usize,
    /// The heaps, by their places among those that seek.
    heaps: Vec<usize>,
    /// The first code of the window.
    from: usize,
    /// For each code 1, where no heap seeks it.
    marks: Window,
    /// How many of these are looked at.
    length: usize,
}

impl SharedRow {
    /// The rows of heaps that seek.
    fn of(rows: &Rows, sought: &[Sought]) -> Vec<Self> {
        let mut shared: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for (place, sought) in sought.iter().enumerate() {
            for row in &rows.of_first {
                let key = (row + sought.heap, sought.from);
                shared.entry(key).or_default().push(place);
            }
        }
        let rows = shared.into_iter().map(|((row, from), heaps)| Self {
            row,
            heaps,
            from,
            marks: [1; WINDOW],
            length: 0,
        });
        rows.collect()
    }

    /// Learns which codes the heaps still seek.
    fn gather(&mut self, sought: &[Sought]) {
        self.heaps.retain(|&heap| !sought[heap].is_met());
        (self.marks, self.length) = ([1; WINDOW], 0);
        for heap in self.heaps.iter().map(|&heap| &sought[heap]) {
            self.length = self.length.max(heap.length);
            let marks = self.marks.iter_mut().zip(&heap.marks[..heap.count()]);
            marks.for_each(|(mark, met)| *mark &= met);
        }
    }

    /// The first code and the marks of those to be looked up.
    fn window(&mut self) -> (usize, &mut [u8]) {
        (self.from, &mut self.marks[..self.length])
    }

    /// Tells the heaps which of the codes are options.
    fn hand_on(&self, sought: &mut [Sought]) {
        for &heap in &self.heaps {
            let count = sought[heap].count();
            let met = sought[heap].marks.iter_mut().zip(&self.marks[..count]);
            met.for_each(|(met, mark)| *met |= mark);
        }
    }
}

/// The options that rare parts give to the rows of a block.
struct Options {
    /// For the first rows, one for each heap of a block.
    of_heaps: Halves,
    /// For the rows beyond these.
    beyond: Vec<Halves>,
}

impl Options {
    fn new(rows: usize) -> Self {
        Self {
            of_heaps: Halves::zeros(WORDS * OPTIONS_APART),
            beyond: vec![Halves::zeros(RARES_PER_TILE); rows - WORDS],
        }
    }

    /// Takes those that these rare parts give, where the first row has the pairs of this sum.
    fn fill(&mut self, kernel: Kernel, codes: &[u16], sum: usize, rares: &[u32]) {
        kernel.options_of_heaps(codes, sum, rares, (&mut self.of_heaps, OPTIONS_APART));
        for (sum, row) in (sum + WORDS..).zip(&mut self.beyond) {
            let [low, high] = row.rows_mut();
            for ((low, high), &rare) in low.iter_mut().zip(high).zip(rares) {
                let rare = rare as usize;
                [*low, *high] = halves(codes[rare] ^ codes[sum - rare]);
            }
        }
    }

    /// The first `count` options of a row.
    fn of(&self, row: usize, count: usize) -> HalvesOf<'_> {
        match row.checked_sub(WORDS) {
            Some(beyond) => self.beyond[beyond].of(0..count),
            None => self
                .of_heaps
                .of(row * OPTIONS_APART..row * OPTIONS_APART + count),
        }
    }
}
