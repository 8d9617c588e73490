//! Far options of the heaps to come, marked by helper threads while one thread searches the heaps before them.
//!
//! A search is one thread's work, as each heap needs those right before it. But the source of an option by a rare heap far back
//! has long been found. So the heaps are taken [`STRETCH`] at a time, and while one stretch is searched, helpers mark those
//! options of the next one whose sources lie before both. The search takes these marks over, or makes them itself where no
//! helper has begun to; what is left to it are the near options. With few threads helpers mark only what would be marked
//! anyway, so that nothing is done twice; with more they mark all far options, as the search has least to do then. Time: the
//! marks of those options, a few cycles each for 64 heaps, shared among the threads; memory: the planes of two stretches, and a
//! copy of the last heaps for each thread. Twin: [`SearchPlan`] without options for helpers, all of them looked at by the
//! search.

use super::search_plan::{HelperMarks, SearchPlan};
use super::tuning::{SEARCH_BAND_ROOM, SPAN_HISTORY, SPINS_BEFORE_YIELD, STRETCH};
use crate::engine::kernel::bands::Bands;
use crate::engine::kernel::{Code, Kernel, Source, Width};
use crate::engine::lock;
use crate::engine::packed::PackedTable;
use std::hint::spin_loop;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::yield_now;

const fn blocks_per_stretch<C: Code>() -> usize {
    STRETCH / C::LANES
}

/// The marks of one block.
type Planes<C> = Vec<<C as Width>::Lanes>;

/// The marks of a span of heaps.
pub struct MarkAhead<'a, C: Code> {
    kernel: Kernel,
    codes: &'a PackedTable<C>,
    plan: &'a SearchPlan<C>,
    /// How many blocks helpers may mark.
    blocks: usize,
    /// The codes of the whole stretches found since the span began.
    found: Mutex<Vec<C>>,
    /// How many codes `found` holds.
    known: AtomicUsize,
    /// The first block that nobody has begun to mark.
    next: AtomicUsize,
    marked: Vec<Mutex<Option<Planes<C>>>>,
    over: AtomicBool,
}

/// A helper's own copy of the last heaps.
struct LastHeaps<C> {
    codes: Vec<C>,
    /// Where the span begins.
    start: usize,
    /// The codes of the last heaps in bands, at the heaps' places.
    bands: Bands,
}

/// Waits for a moment, and now and then longer, as other threads may need the core.
fn wait(spins: &mut u32) {
    *spins = spins.wrapping_add(1);
    if spins.is_multiple_of(SPINS_BEFORE_YIELD) {
        yield_now();
    } else {
        spin_loop();
    }
}

impl<'a, C: Code> MarkAhead<'a, C> {
    /// The marks of the next `blocks` blocks behind the codes of a table, none of which is made yet.
    pub fn new(
        kernel: Kernel,
        codes: &'a PackedTable<C>,
        plan: &'a SearchPlan<C>,
        blocks: usize,
    ) -> Self {
        let is_unused = plan.by_helpers.is_empty() || codes.masks(codes.len());
        let blocks = if is_unused { 0 } else { blocks };
        Self {
            kernel,
            codes,
            plan,
            blocks,
            found: Mutex::default(),
            known: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
            marked: (0..blocks).map(|_| Mutex::default()).collect(),
            over: AtomicBool::new(false),
        }
    }

    /// How many heaps helpers may mark.
    pub fn heaps(&self) -> usize {
        self.blocks * C::LANES
    }

    /// Marks what is due until every block is taken or the search ends, and does some other work where nothing is due. `first` is
    /// work that comes before any marks, unless helpers are to mark all far options. Both return whether there was any.
    pub fn help_until_found(&self, first: impl Fn() -> bool, other: impl Fn() -> bool) {
        if self.blocks == 0 {
            return;
        }
        if self.plan.helper_marks != HelperMarks::AllFar {
            while !self.is_over() && first() {}
        }
        let mut copied = self.copy_last_heaps();
        let mut spins = 0;
        while !self.is_over() && self.next.load(Ordering::Relaxed) < self.blocks {
            if !self.help(&mut copied) && !other() {
                wait(&mut spins);
            }
        }
    }

    /// A copy of the last heaps before the span.
    fn copy_last_heaps(&self) -> LastHeaps<C> {
        let codes = self.codes.tail(SPAN_HISTORY + C::LANES).0.to_vec();
        let (start, heap) = (codes.len(), self.codes.len());
        let mut bands = Bands::default();
        let banded = start - self.plan.band_reach.min(start);
        bands.begin(self.codes.pad() + heap - (start - banded), SEARCH_BAND_ROOM);
        if self.plan.band_reach > 0 {
            (self.kernel).extend_bands::<C>(&mut bands, &codes[banded..], None);
        }
        LastHeaps {
            codes,
            start,
            bands,
        }
    }

    /// Marks a block that is due, if there is one.
    fn help(&self, copied: &mut LastHeaps<C>) -> bool {
        let block = self.next.load(Ordering::Relaxed);
        let needed = (block / blocks_per_stretch::<C>()).saturating_sub(1) * STRETCH;
        if block >= self.blocks
            || self.known.load(Ordering::Acquire) < needed
            || self.is_over()
            || !self.claim(block)
        {
            return false;
        }
        let have = copied.codes.len() - copied.start;
        if have < needed {
            let more = &lock(&self.found)[have..needed];
            copied.codes.extend_from_slice(more);
            if self.plan.band_reach > 0 {
                (self.kernel).extend_bands::<C>(&mut copied.bands, more, None);
            }
        }
        let source = Source {
            codes: &copied.codes,
            mask: None,
            at: copied.start + block * C::LANES,
        };
        let mut planes = vec![C::ZERO_LANES; self.plan.planes];
        self.mark(block, source, &copied.bands, &mut planes);
        *lock(&self.marked[block]) = Some(planes);
        true
    }

    /// Takes a block, if it is the next one and nobody has taken it.
    fn claim(&self, block: usize) -> bool {
        let next = &self.next;
        next.compare_exchange(block, block + 1, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }

    /// Marks the options of a block that helpers may mark.
    fn mark(&self, block: usize, source: Source<'_, C>, bands: &Bands, planes: &mut [C::Lanes]) {
        let at = (self.codes, self.codes.len() + block * C::LANES);
        (self.plan.by_helpers).mark(self.kernel, planes, at, source, bands);
    }

    /// Writes into empty planes the marks of a block by the options that helpers may mark. If a helper has begun to mark the
    /// block, this waits for its marks; otherwise it makes them. Must be called for one block after another.
    pub fn marks(
        &self,
        block: usize,
        source: Source<'_, C>,
        bands: &Bands,
        planes: &mut [C::Lanes],
    ) {
        if block >= self.blocks || self.claim(block) {
            return self.mark(block, source, bands, planes);
        }
        let mut spins = 0;
        loop {
            if let Some(marked) = lock(&self.marked[block]).take() {
                return planes.copy_from_slice(&marked);
            }
            wait(&mut spins);
        }
    }

    /// Makes the codes of the span known to the helpers; `blocks` blocks are found.
    pub fn found(&self, blocks: usize, codes: &[C]) {
        if blocks.is_multiple_of(blocks_per_stretch::<C>()) && blocks < self.blocks {
            let mut found = lock(&self.found);
            let new = codes.get(found.len()..).unwrap_or_default();
            found.extend_from_slice(new);
            self.known.store(found.len(), Ordering::Release);
        }
    }

    /// Ends the search of the span: nothing is left to be marked.
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
    use crate::engine::Effort;
    use crate::engine::kernel::{LANES, Lanes};
    use crate::engine::sparse::rules::Rules;
    use crate::engine::sparse::tests::table;

    const BLOCKS_PER_STRETCH: usize = blocks_per_stretch::<u8>();

    #[test]
    fn marks_of_helpers_are_those_of_the_search() {
        let kernel = Effort::default().kernel;
        let (octal, all) = table("0.6", kernel, 1, 120_000);
        let mut codes = all.clone();
        codes.truncate(110_000);
        let rules = Rules::new(&octal, &codes);
        let plan = SearchPlan::learn(kernel, &rules, &codes, HelperMarks::AllFar);
        assert!(!plan.by_helpers.is_empty());
        let [ahead, alone] =
            [(); 2].map(|()| MarkAhead::new(kernel, &codes, &plan, 8 * BLOCKS_PER_STRETCH));
        let nothing_due = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    ahead.help_until_found(
                        || false,
                        || {
                            nothing_due.store(true, Ordering::Relaxed);
                            false
                        },
                    );
                });
            }
            while !nothing_due.load(Ordering::Relaxed) {
                yield_now();
            }
            for block in 0..8 * BLOCKS_PER_STRETCH {
                let heap = codes.len() + block * LANES;
                let mut marks = vec![Lanes::ZERO; plan.planes];
                let mut bands = Bands::default();
                bands.begin(all.pad() + heap - plan.band_reach, SEARCH_BAND_ROOM);
                kernel.extend_bands(
                    &mut bands,
                    all.cells(heap - plan.band_reach, heap).unwrap(),
                    None,
                );
                ahead.marks(block, all.source(heap), &bands, &mut marks);
                let mut own = vec![Lanes::ZERO; plan.planes];
                alone.marks(block, all.source(heap), &bands, &mut own);
                assert_eq!(marks, own, "{block}");
                ahead.found(block + 1, all.cells(codes.len(), heap + LANES).unwrap());
            }
            ahead.end();
        });
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
    fn any_number_of_threads_finds_the_same() {
        let kernel = Effort::default().kernel;
        let (_, one) = table("0.6", kernel, 1, 145_000);
        for threads in [2, 3, 7, 16] {
            let (_, many) = table("0.6", kernel, threads, 145_000);
            assert_eq!(many.rares(), one.rares(), "{threads}");
            assert_eq!(many.tail(usize::MAX), one.tail(usize::MAX), "{threads}");
        }
    }
}
