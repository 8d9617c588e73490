//! Nim-values of a game with a sparse space, at a small constant cost a heap.
//!
//! Nearly all heaps of such a game have a common value (`table/sparse_space.rs`), and the few rare ones bound the options that
//! matter: `find.rs` takes the smallest common value that is no option, 64 heaps at once, and `verify.rs` proves that
//! every rare value below it is one. Where that fails the value is rare after all: the table is cut there, the rare
//! heap joins the list, and the work goes on. Time: about the number of rare heaps plus a constant, a heap; memory: a
//! byte a heap. Twin: `grundy.rs`, heap by heap from all options.

mod ahead;
pub mod check;
mod costs;
mod cover;
pub mod find;
mod learning;
mod narrow;
pub mod order;
pub mod plan;
#[cfg(test)]
mod tests;
mod toll;
pub mod verify;

use crate::engine::kernel::bands::Bands;
use crate::engine::kernel::{DEAD, Kernel, LANES};
use crate::engine::octal::Octal;
use crate::engine::table::packed::PackedTable;
use crate::engine::table::sparse_space::SparseSpace;
use crate::engine::{useful_threads, with_helpers};
use ahead::Ahead;
use check::Check;
use find::{Finder, Outgrown, Span};
use learning::{Due, Learnt};
use plan::{Find, Rules};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use toll::Toll;
pub use verify::Deepest;
use verify::{Missing, Verifier};

/// What it takes to go on from the codes of a game's table, learnt from them. It serves as long as the table is its
/// own: however much longer it gets.
pub struct Sparse {
    game: Octal,
    kernel: Kernel,
    threads: usize,
    rules: Rules,
    find: Find,
    check: Check,
    find_toll: Toll,
    check_toll: Toll,
    /// When a better split was last looked for.
    rares_then: usize,
    deepest: Deepest,
    /// The first heap that counts for it.
    deepest_from: usize,
    /// Pairs no deeper than this were not told apart.
    blur: usize,
    /// All bits of the codes known to be right.
    seen: u8,
    /// Codes found behind those proven, to go on with.
    found: Vec<u8>,
    /// What is at hand in bands of the codes known to be right.
    bands: Mutex<Vec<Bands>>,
}

/// Why the table could not be extended as far as asked. What it holds is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Codes no longer fit a byte.
    Outgrown,
    Memory,
    Interrupted,
    /// The pairs of the next heap that are not forgotten don't tell its value.
    Forgotten,
}

/// The codes of a table, if the game has a sparse space in which at most one in `share` of the last heaps is rare.
pub fn encode(game: &Octal, values: &[u16], share: usize) -> Option<PackedTable> {
    if !game.is_breaking() || values.len() <= game.from {
        return None;
    }
    let breaks: Vec<usize> = game.breaks.iter().map(|&(b, _)| b).collect();
    let from = values.len() / 2;
    let (split, rare) = SparseSpace::discover(&values[from..], from, &breaks)?;
    (rare * share <= values.len() - from).then(|| PackedTable::new(split, values, game.reach()))?
}

/// Whether going by rare heaps costs less than going by all pairs: by as many rare heaps to come as there are among the
/// last half of all.
pub fn pays(codes: &PackedTable) -> bool {
    let half = codes.len() / 2;
    let rares = codes.rares();
    let last = rares.len() - rares.partition_point(|rare| rare.heap < half);
    last * rares.len() * UNDONE <= half * half
}

/// A new rare heap undoes what was found behind it. For each rare heap below and each new one the sparse engine took as long
/// as all pairs take for a hundred: 0.007 to heap 30,000, where one heap in four is rare, 2.4 s and 0.17 s (AMD EPYC, Zen 3,
/// AVX2). Rare heaps become fewer: by 64 instead 0.005 took half as long to 100,000, but 0.14 a quarter longer.
const UNDONE: usize = 32;
/// Deepest pairs are noted from this heap on, and no proof of a period rests on one before it: small heaps need pairs that are
/// deep for their size, and would make every window longer.
pub const DEEPEST_FROM: usize = 1 << 16;
/// One heap in a hundred may need a look at all its options, in nanoseconds; what is looked up of a heap's rare codes is
/// never unusual.
const USUAL_FIND: u64 = 10;
const USUAL_CHECK: u64 = u64::MAX;
/// Heaps found at a time.
const SPAN: usize = 1 << 13;
/// Fewer heaps than this are not worth a thread.
const PIPELINED: usize = 1 << 12;
/// One heap in so many is proved where there is nothing to mark.
const RESERVED: usize = 4;
/// Heaps proven at a time.
const BATCH: usize = 1 << 10;

/// So many of the next `left`, `most` at most: the last two shares are as large as each other.
fn share(left: usize, most: usize) -> usize {
    if left <= most || left >= 2 * most {
        left.min(most)
    } else {
        left.div_ceil(2).next_multiple_of(LANES)
    }
}

impl Sparse {
    /// Goes on from the codes of a table.
    pub fn new(game: &Octal, codes: &PackedTable, kernel: Kernel, threads: usize) -> Self {
        let rules = Rules::new(game, codes);
        let find = Find::unordered(kernel, &rules, codes);
        let check = Check::none(codes);
        Self {
            game: game.clone(),
            kernel,
            threads: useful_threads(threads),
            rules,
            find,
            check,
            find_toll: Toll::new(USUAL_FIND),
            check_toll: Toll::new(USUAL_CHECK),
            rares_then: 0,
            deepest: Deepest::default(),
            deepest_from: codes.len().max(DEEPEST_FROM),
            blur: 0,
            seen: codes.bits(1..codes.len()),
            found: Vec::new(),
            bands: Mutex::default(),
        }
    }

    /// The deepest pair that was needed from some heap on; pairs no deeper than so many are not told apart.
    pub fn deepest(&self) -> (Deepest, usize, usize) {
        (self.deepest, self.deepest_from, self.blur)
    }

    /// From now on other heaps of the same game are computed, those from `to` on; this is the deepest pair that was
    /// needed from the heap `from` on.
    pub fn jump(&mut self, deepest: Deepest, from: usize) {
        (self.deepest, self.deepest_from) = (deepest, from);
        self.found.clear();
        self.forget_bands(0);
    }

    /// These codes are right too.
    pub fn see(&mut self, codes: &[u8]) {
        self.seen = codes.iter().fold(self.seen, |seen, code| seen | code);
    }

    /// Splits the values by this mask, if that leaves class and code of all known as they are.
    pub fn adopt(&mut self, codes: &mut PackedTable, mask: u16) {
        self.found.clear();
        if let Some(split) = codes.split().with_mask(mask, self.seen.into()) {
            codes.set_split(split);
        }
    }

    /// What bits no value has had yet says nothing of the split by them: the first heap with a new highest bit that
    /// would be rare by the mask shows that the bit belongs to it.
    fn raise(&self, codes: &mut PackedTable, missing: Missing) -> bool {
        let is_new = missing.code.checked_ilog2() > self.seen.checked_ilog2();
        let split = codes.split().with_top_bit(missing.code.into());
        let split = split.filter(|_| is_new);
        split.map(|split| codes.set_split(split)).is_some()
    }

    /// The rules of the game's options, as they are split.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Computes the values of all heaps below `to`, given that those known are right.
    ///
    /// While one thread finds the values of the next heaps, the others prove those found before. Where values on to
    /// `on_to` will be asked for next, some beyond `to` are found already, so that nobody waits at its end. `go_on` sees
    /// the codes now and then, of which so many first ones are proven.
    pub fn extend(
        &mut self,
        codes: &mut PackedTable,
        to: usize,
        on_to: usize,
        mut go_on: impl FnMut(&PackedTable, usize) -> bool,
    ) -> Result<(), Stop> {
        let mut span = Span::default();
        let mut proven = codes.len();
        let mut outgrown = None;
        codes.append(&std::mem::take(&mut self.found));
        while proven < to {
            let found = codes.len();
            let on_to = on_to.clamp(to, to + self.find.longest_span()).max(found);
            if codes.reserve(on_to).is_err() {
                codes.truncate(proven);
                return Err(Stop::Memory);
            }
            let splits = self.has_more_rares(codes);
            // New rare heaps are likelier where there have been some lately; they undo what was found behind them.
            let quiet = (proven - codes.last_rare()) / 4;
            let ahead = self.threads > 1 && quiet >= PIPELINED && !splits;
            if proven == found {
                if let Some(Outgrown { code }) = outgrown.take() {
                    if code == DEAD || codes.is_wide() {
                        return Err(Stop::Outgrown);
                    }
                    codes.widen().map_err(|_| Stop::Memory)?;
                    self.start(codes);
                    span.forget(0);
                } else if splits {
                    self.try_split(codes);
                    span.forget(0);
                }
            }
            let mut due = if found < on_to {
                self.due(codes)
            } else {
                Due::default()
            };
            if !ahead {
                if proven == found {
                    self.adopt_lists(self.learn(codes, due), codes);
                }
                due = Due::default();
            }
            let most = if ahead {
                self.find.longest_span()
            } else {
                SPAN
            };
            let count = match outgrown {
                None if ahead && found >= to => quiet.clamp(LANES, most).min(on_to - found),
                None if ahead || proven == found => share(to - found, quiet.clamp(LANES, most)),
                _ => 0,
            };
            let prove = proven..found.min(to);
            match self.find_and_prove(codes, &mut span, count, prove.clone(), due) {
                (Some(missing), _) => {
                    codes.truncate(missing.heap);
                    span.forget(codes.pad() + missing.heap);
                    self.forget_bands(codes.pad() + missing.heap);
                    self.seen |= codes.bits(proven..codes.len());
                    outgrown = None;
                    if !self.raise(codes, missing) {
                        if !missing.certain {
                            return Err(Stop::Forgotten);
                        }
                        self.add_rare(codes, missing.code);
                    }
                    proven = codes.len();
                }
                (None, result) => {
                    self.seen |= codes.bits(prove);
                    proven = found.min(to);
                    let heaps = span.found().len();
                    self.find_toll
                        .pay(self.find.waste(heaps, span.recomputed), heaps);
                    codes.append(span.found());
                    outgrown = outgrown.or(result.err());
                }
            }
            if !go_on(codes, proven) {
                codes.truncate(proven);
                return Err(Stop::Interrupted);
            }
        }
        self.found
            .extend_from_slice(codes.common(proven, codes.len()));
        codes.truncate(proven);
        Ok(())
    }

    /// Finds the next `count` heaps, proves these others, and learns what is due.
    fn find_and_prove(
        &mut self,
        codes: &PackedTable,
        span: &mut Span,
        count: usize,
        Range {
            start: from,
            end: to,
        }: Range<usize>,
        due: Due,
    ) -> (Option<Missing>, Result<(), Outgrown>) {
        self.forget_bands(codes.pad() + from);
        let ahead = Ahead::new(self.kernel, codes, &self.find, count / LANES);
        let finder = Finder {
            kernel: self.kernel,
            codes,
            rules: &self.rules,
            plan: &self.find,
            ahead: &ahead,
        };
        let deeper = Mutex::new(Vec::new());
        let verifier = Verifier {
            kernel: self.kernel,
            codes,
            rules: &self.rules,
            plan: &self.check,
            deeper: &deeper,
            than: self.deepest.part,
            bands: &self.bands,
        };
        let batches = AtomicUsize::new(0);
        let first: Mutex<Option<Missing>> = Mutex::new(None);
        let wasted = AtomicU64::new(0);
        let start_of = |batch: usize| from.saturating_add(batch.saturating_mul(BATCH));
        let prove_some = || {
            // Looked at before it is changed, as those who wait for marks ask again and again.
            if start_of(batches.load(Ordering::Relaxed)) >= to {
                return false;
            }
            let start = start_of(batches.fetch_add(1, Ordering::Relaxed));
            if start >= to {
                return false;
            }
            let mut waste = 0;
            if let Some(missing) = verifier.verify(start, (start + BATCH).min(to), &mut waste) {
                // No batch behind this one matters any more.
                batches.store(to, Ordering::Relaxed);
                let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                if first.is_none_or(|first| missing.heap < first.heap) {
                    *first = Some(missing);
                }
            }
            wasted.fetch_add(waste, Ordering::Relaxed);
            true
        };
        let prove = || while prove_some() {};
        let due = Mutex::new(due);
        let learnt = Mutex::new(Learnt::default());
        let learn_all = || {
            let due = std::mem::take(&mut *due.lock().unwrap_or_else(PoisonError::into_inner));
            if due.any() {
                *learnt.lock().unwrap_or_else(PoisonError::into_inner) = self.learn(codes, due);
            }
        };
        let reserved = to - (to - from) / RESERVED;
        let helpers = if (to - from).max(ahead.heaps()) >= PIPELINED {
            self.threads - 1
        } else {
            0
        };
        let help = || {
            learn_all();
            ahead.help_until_found(
                || start_of(batches.load(Ordering::Relaxed)) < reserved && prove_some(),
                prove_some,
            );
            prove();
        };
        let found = with_helpers(helpers, help, || {
            let found = finder.find(span, count);
            ahead.end();
            learn_all();
            prove();
            found
        });
        self.check_toll.pay(wasted.into_inner(), to - from);
        let learnt = learnt.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.adopt_lists(learnt, codes);
        let missing = first.into_inner().unwrap_or_else(PoisonError::into_inner);
        let right = missing.map_or(to, |missing| missing.heap + 1);
        let deeper = deeper.into_inner().unwrap_or_else(PoisonError::into_inner);
        deeper
            .into_iter()
            .filter(|deep| (self.deepest_from..right).contains(&deep.heap))
            .for_each(|deep| self.deepest.add(deep));
        (missing, found)
    }

    /// What proofs keep in bands from this place on is no longer right.
    fn forget_bands(&mut self, place: usize) {
        let bands = self.bands.get_mut().unwrap_or_else(PoisonError::into_inner);
        bands.iter_mut().for_each(|bands| bands.truncate(place));
    }

    fn add_rare(&mut self, codes: &mut PackedTable, code: u8) {
        codes.push_rare(code);
        self.seen |= code;
        if let Some(&rare) = codes.rares().last() {
            self.find.add(&self.rules, rare);
        }
    }
}
