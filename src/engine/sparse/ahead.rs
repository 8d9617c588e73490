//! Far options of the heaps to come, marked by other threads while one thread finds the heaps before them.
//!
//! Finding is one thread's work, as each heap needs those right before it. But an option by a rare heap far back has a
//! source that has long been found: the heaps are taken [`STRETCH`] at a time, and while one stretch is being found the
//! options of the next that reach behind both are marked. The finder takes the marks over, or makes them itself where
//! nobody has begun to; what is left to it are the near options. With few threads only what would be marked anyway is, so
//! nothing is done twice; with more all far options are, as the one that finds has least to do then. Time: the marks of those
//! options, a few cycles each for 64 heaps, shared among the threads; memory: the planes of two stretches, and a copy of the
//! last heaps a thread. Twin: [`Find`] without far options, all of them looked at by the finder.

use super::plan::{Find, HISTORY, ROOM, Sharing};
use crate::engine::kernel::bands::Bands;
use crate::engine::kernel::{Kernel, LANES, Lanes, Source};
use crate::engine::table::packed::PackedTable;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::yield_now;

/// Heaps found while the options of as many are marked.
pub const STRETCH: usize = 1 << 10;
const BLOCKS: usize = STRETCH / LANES;
/// Sources at least so far back have been found before the marking begins.
pub const FAR: usize = 2 * STRETCH;
/// Times to look again before another thread may have the core.
const PATIENCE: u32 = 1 << 8;

/// Of one block.
type Planes = Vec<Lanes>;

/// The marks of a span of heaps.
pub struct Ahead<'a> {
    kernel: Kernel,
    codes: &'a PackedTable,
    find: &'a Find,
    /// So many blocks may be marked by others.
    blocks: usize,
    /// The codes of the whole stretches found since the span began.
    found: Mutex<Vec<u8>>,
    /// How many they are.
    known: AtomicUsize,
    /// The first block that nobody has begun to mark.
    next: AtomicUsize,
    marked: Vec<Mutex<Option<Planes>>>,
    over: AtomicBool,
}

/// What a thread that marks keeps: its own copy of the last heaps.
struct Copied {
    codes: Vec<u8>,
    /// Where the span begins.
    from: usize,
    /// The same in bands, at the heaps' places.
    bands: Bands,
}

/// A moment, and now and then longer, as others may need the core.
fn wait(looks: &mut u32) {
    *looks = looks.wrapping_add(1);
    if looks.is_multiple_of(PATIENCE) {
        yield_now();
    } else {
        spin_loop();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Ahead<'a> {
    /// For so many blocks behind the codes of a table.
    pub fn new(kernel: Kernel, codes: &'a PackedTable, find: &'a Find, blocks: usize) -> Self {
        let alone = find.ahead.is_empty() || codes.masks(codes.len());
        let blocks = if alone { 0 } else { blocks };
        Self {
            kernel,
            codes,
            find,
            blocks,
            found: Mutex::default(),
            known: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
            marked: (0..blocks).map(|_| Mutex::default()).collect(),
            over: AtomicBool::new(false),
        }
    }

    /// How many heaps others may mark.
    pub fn heaps(&self) -> usize {
        self.blocks * LANES
    }

    /// Marks what is due until all is found, and does other work where nothing is due: the first part of it before any marks if the
    /// finder makes these as cheaply.
    pub fn help_until_found(&self, first: impl Fn() -> bool, other: impl Fn() -> bool) {
        if self.blocks == 0 {
            return;
        }
        if self.find.sharing != Sharing::All {
            while !self.is_over() && first() {}
        }
        let mut copied = self.copied();
        let mut looks = 0;
        while !self.is_over() && self.next.load(Ordering::Relaxed) < self.blocks {
            if !self.help(&mut copied) && !other() {
                wait(&mut looks);
            }
        }
    }

    /// A copy of the last heaps before the span.
    fn copied(&self) -> Copied {
        let bytes = self.codes.bytes();
        let codes = bytes[bytes.len() - bytes.len().min(HISTORY + LANES)..].to_vec();
        let (from, heap) = (codes.len(), self.codes.len());
        let mut bands = Bands::default();
        let banded = from - self.find.banded.min(from);
        bands.begin(self.codes.pad() + heap - (from - banded), ROOM);
        if self.find.banded > 0 {
            self.kernel.part(&mut bands, &codes[banded..], None);
        }
        Copied { codes, from, bands }
    }

    /// Marks a block that is due, if there is one.
    fn help(&self, copied: &mut Copied) -> bool {
        let block = self.next.load(Ordering::Relaxed);
        let needed = (block / BLOCKS).saturating_sub(1) * STRETCH;
        if block >= self.blocks
            || self.known.load(Ordering::Acquire) < needed
            || self.is_over()
            || !self.claim(block)
        {
            return false;
        }
        let have = copied.codes.len() - copied.from;
        if have < needed {
            let more = &lock(&self.found)[have..needed];
            copied.codes.extend_from_slice(more);
            if self.find.banded > 0 {
                self.kernel.part(&mut copied.bands, more, None);
            }
        }
        let source = Source {
            codes: &copied.codes,
            mask: None,
            at: copied.from + block * LANES,
        };
        let mut planes = vec![Lanes::ZERO; self.find.planes];
        self.mark(block, source, &copied.bands, &mut planes);
        *lock(&self.marked[block]) = Some(planes);
        true
    }

    fn claim(&self, block: usize) -> bool {
        let next = &self.next;
        next.compare_exchange(block, block + 1, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }

    fn mark(&self, block: usize, source: Source<'_>, bands: &Bands, planes: &mut [Lanes]) {
        let heap = self.codes.len() + block * LANES;
        let ahead = &self.find.ahead;
        match &ahead.marks {
            Some(marks) => {
                let bands = (bands, self.codes.pad() + heap);
                (self.kernel).mark(planes, (source, &ahead.local), bands, marks);
            }
            None => self.kernel.scatter(planes, source, &ahead.local),
        }
        self.kernel
            .scatter(planes, self.codes.source(heap), &ahead.far);
    }

    /// Marks the next block, whose last heaps are these; blocks come in order.
    pub fn marks(&self, block: usize, source: Source<'_>, bands: &Bands, planes: &mut [Lanes]) {
        if block >= self.blocks || self.claim(block) {
            return self.mark(block, source, bands, planes);
        }
        let mut looks = 0;
        loop {
            if let Some(marked) = lock(&self.marked[block]).take() {
                return planes.copy_from_slice(&marked);
            }
            wait(&mut looks);
        }
    }

    /// So many blocks of the span are found, with all their codes.
    pub fn found(&self, blocks: usize, codes: &[u8]) {
        if blocks.is_multiple_of(BLOCKS) && blocks < self.blocks {
            let mut found = lock(&self.found);
            let new = codes.get(found.len()..).unwrap_or_default();
            found.extend_from_slice(new);
            self.known.store(found.len(), Ordering::Release);
        }
    }

    /// Nothing of the span is left to be found.
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::octal::Octal;
    use crate::engine::sparse::check::Check;
    use crate::engine::sparse::find::{Finder, Span};
    use crate::engine::sparse::plan::Rules;
    use crate::engine::sparse::verify::Verifier;
    use crate::engine::sparse::{Sparse, encode};
    use crate::engine::{Effort, clock, definition};
    use crate::ruleset::Ruleset;
    use std::time::Duration;

    /// The codes of the heaps below `to`, by so many threads.
    fn table(code: &str, kernel: Kernel, threads: usize, to: usize) -> (Octal, PackedTable) {
        let ruleset: Ruleset = code.parse().unwrap();
        let octal = Octal::of(&ruleset).unwrap();
        let table = definition::nim_values(&ruleset, 3000).unwrap();
        let values: Vec<u16> = table.iter().collect();
        let mut codes = encode(&octal, &values, 2).unwrap();
        let mut sparse = Sparse::new(&octal, &codes, kernel, threads);
        sparse.extend(&mut codes, to, to, |_, _| true).unwrap();
        (octal, codes)
    }

    #[test]
    fn marks_made_by_others_are_those_of_the_finder() {
        let kernel = Effort::default().kernel;
        let (octal, all) = table("0.6", kernel, 1, 120_000);
        let mut codes = all.clone();
        codes.truncate(110_000);
        let find = Find::new(kernel, &Rules::new(&octal, &codes), &codes, Sharing::All);
        assert!(!find.ahead.is_empty());
        let ahead = Ahead::new(kernel, &codes, &find, 8 * BLOCKS);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| ahead.help_until_found(|| false, || false));
            }
            while ahead.next.load(Ordering::Relaxed) < 2 * BLOCKS {
                yield_now();
            }
            for block in 0..8 * BLOCKS {
                let heap = codes.len() + block * LANES;
                let mut marks = vec![Lanes::ZERO; find.planes];
                let mut bands = Bands::default();
                bands.begin(all.pad() + heap - find.banded, ROOM);
                kernel.part(&mut bands, all.common(heap - find.banded, heap), None);
                ahead.marks(block, all.source(heap), &bands, &mut marks);
                let mut own = vec![Lanes::ZERO; find.planes];
                ahead.mark(block, all.source(heap), &bands, &mut own);
                assert_eq!(marks, own, "{block}");
                ahead.found(block + 1, all.common(codes.len(), heap + LANES));
            }
            ahead.end();
        });
    }

    #[test]
    fn any_number_of_threads_finds_the_same() {
        let kernel = Effort::default().kernel;
        let (_, one) = table("0.6", kernel, 1, 145_000);
        for threads in [2, 3, 7, 16] {
            let (_, many) = table("0.6", kernel, threads, 145_000);
            assert_eq!(many.rares(), one.rares(), "{threads}");
            assert_eq!(many.bytes(), one.bytes(), "{threads}");
        }
    }

    /// The parts of which the time of any number of threads is made, on one:
    /// `cargo test --release --lib ahead -- --ignored --nocapture`
    #[test]
    #[ignore = "measures"]
    fn parts_of_the_work() {
        const COUNT: usize = 1 << 16;
        const TIMES: usize = 20;
        let kernel = Effort::default().kernel;
        println!(
            "ns a heap: game, all found by one; others mark what is far and marked, those marks;"
        );
        println!("others mark all that is far, those marks; proof");
        for game in ["0.6", "4!.0", "0.374", "0.444", "0.14"] {
            let known = 600_000;
            let (octal, all) = table(game, kernel, 1, known + COUNT);
            let mut codes = all.clone();
            codes.truncate(known);
            let rules = Rules::new(&octal, &codes);
            let wanted = all.common(known, known + COUNT);
            let mut span = Span::default();
            let mut once = |find: &Find, blocks: usize| {
                let ahead = Ahead::new(kernel, &codes, find, blocks);
                ahead.found(BLOCKS, wanted);
                let begun = clock();
                ahead.help_until_found(|| false, || false);
                let marks = clock() - begun;
                let finder = Finder {
                    kernel,
                    codes: &codes,
                    rules: &rules,
                    plan: find,
                    ahead: &ahead,
                };
                let begun = clock();
                finder.find(&mut span, COUNT).unwrap();
                let found = clock() - begun;
                assert_eq!(span.found(), wanted);
                [found, marks]
            };
            let a_heap = |time: Duration| time.as_nanos() / (TIMES * COUNT) as u128;
            let mut time = |find: &Find, blocks: usize| {
                let mut sum = [Duration::ZERO; 2];
                for _ in 0..TIMES {
                    let times = once(find, blocks);
                    sum = [sum[0] + times[0], sum[1] + times[1]];
                }
                sum.map(a_heap)
            };
            let [one, _] = time(&Find::new(kernel, &rules, &codes, Sharing::None), 0);
            let [[some_left, some], [near, far]] = [Sharing::Marked, Sharing::All]
                .map(|sharing| time(&Find::new(kernel, &rules, &codes, sharing), COUNT / LANES));
            let check = Check::new(kernel, &rules, &all);
            let verifier = Verifier {
                kernel,
                codes: &all,
                rules: &rules,
                plan: &check,
                deeper: &Mutex::default(),
                than: usize::MAX,
                bands: &Mutex::default(),
            };
            let begun = clock();
            for _ in 0..TIMES {
                assert_eq!(verifier.verify(known, known + COUNT, &mut 0), None);
            }
            let proof = a_heap(clock() - begun);
            println!("{game:6} {one:4}; {some_left:4} {some:4}; {near:4} {far:4}; {proof:4}");
        }
    }
}
