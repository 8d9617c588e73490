//! Nim-values of a game with a sparse space, at a small constant cost a heap.
//!
//! Nearly all heaps of such a game have a common value (`sparse_space.rs`), and the few rare ones bound the options that
//! matter: `search.rs` takes the smallest common value that is no option, a block of heaps at once, and `verify.rs` proves that
//! every rare value below it is one. Where that fails the value is rare after all: the table is cut there, the rare
//! heap joins the list, and the work goes on. Time: about the number of rare heaps plus a constant, a heap; memory: a
//! byte a heap, or two where codes need them. Twin: `grundy.rs`, heap by heap from all options. `docs/algorithm.md` explains
//! the whole.

mod costs;
mod cover;
mod learning;
mod mark_ahead;
#[cfg(test)]
mod measurements;
mod near_nibbles;
pub mod order;
pub mod rules;
mod schedule;
mod search;
mod search_plan;
#[cfg(test)]
mod tests;
mod tuning;
mod verify;
mod witness_plan;

use crate::engine::kernel::bands::Bands;
use crate::engine::kernel::{Code, Kernel};
use crate::engine::octal::Octal;
use crate::engine::packed::{Forgotten, PackedTable};
use crate::engine::{Stop, lock, unlocked, useful_threads, with_helpers};
use learning::{DuePlans, NewPlans, Plans, better_space};
use mark_ahead::MarkAhead;
use rules::Rules;
use search::{Outgrown, Search, Span};
use std::collections::TryReserveError;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use tuning::{
    FEW_RARES, HALF_OF_A_MILLION, MIN_HEAPS_FOR_HELPERS, MOST_RARES_BY_CODES_SQUARED,
    MOST_RARES_SQUARED_PER_HEAP, PROOF_BATCH, REPEATS_PER_NEW_RARE, REPEATS_PER_NEW_RARE_OF_MANY,
    RESERVED_PROOF_SHARE, SPAN_BETWEEN_PROOFS,
};
pub use tuning::{MAX_PART_IN_ROWS, MOST_THREADS};
pub use verify::{DeepestPair, Depth};
use verify::{MissingWitness, Verifier};

/// The state with which the codes of a game's table are continued, learnt from these codes. It serves the same table however much
/// longer the table gets.
pub struct Sparse<C: Code> {
    game: Octal,
    rules: Rules,
    plans: Plans<C>,
    /// How many rare heaps there were when a better space was last looked for.
    rares_at_last_search: usize,
    /// Whether the space was given and stays as it is, though another may make fewer heaps rare.
    pub is_space_given: bool,
    deepest: DeepestPair,
    /// The first heap that counts for `deepest`.
    deepest_from: usize,
    /// All bits that occur in the codes known to be right.
    known_bits: C,
    /// Codes found behind those proved, to go on with.
    unproved: Vec<C>,
    /// For each thread that has proved some: the last codes known to be right, in bands.
    proof_bands: Mutex<Vec<Bands>>,
}

impl From<Forgotten> for Stop {
    fn from(_: Forgotten) -> Stop {
        Stop::Forgotten
    }
}

/// Whether going by rare heaps costs less than going by all pairs, if twice as many rare heaps are still to come as there are in
/// the last quarter of the table. Where more than [`FEW_RARES`] are known, the answer is no beyond
/// [`MOST_RARES_SQUARED_PER_HEAP`] or [`MOST_RARES_BY_CODES_SQUARED`].
pub fn costs_less_than_all_pairs<C: Code>(codes: &PackedTable<C>) -> bool {
    let half = codes.len() / 2;
    let rares = codes.rares();
    let to_come = 2 * codes.rares_from(codes.len() - half / 2);
    let mut repeats = REPEATS_PER_NEW_RARE.of::<C>();
    if rares.len() > FEW_RARES.of::<C>() {
        if rares.len() * rares.len() > MOST_RARES_SQUARED_PER_HEAP * half {
            return false;
        }
        let last_codes = codes.last_codes(half);
        let (sum, count) = last_codes.fold((0, 0), |(sum, count), (_, code)| {
            (sum + code.index(), count + 1)
        });
        let mean: usize = sum / count.max(1);
        let longer = (half / HALF_OF_A_MILLION).max(1);
        if rares.len() * mean * mean > MOST_RARES_BY_CODES_SQUARED * longer {
            return false;
        }
        repeats = REPEATS_PER_NEW_RARE_OF_MANY;
    }
    to_come * rares.len() * repeats <= half * half
}

/// The deepest pairs are noted from this heap on, and no proof of a period rests on one before it: small heaps need pairs that
/// are deep for their size, and would make every window longer.
pub const DEEPEST_FROM: usize = 1 << 16;

/// The progress of an extension of the table.
struct Extension<C: Code> {
    span: Span<C>,
    /// How many heaps are proved.
    proved: usize,
    /// A code that was found but has no room in the table.
    outgrown: Option<Outgrown<C>>,
}

/// Heaps to be proved, which several threads take batch by batch in ascending order.
struct ProofBatches {
    heaps: Range<usize>,
    taken: AtomicUsize,
}

impl ProofBatches {
    fn new(heaps: Range<usize>) -> Self {
        let taken = AtomicUsize::new(0);
        Self { heaps, taken }
    }

    fn start_of(&self, batch: usize) -> usize {
        (self.heaps.start).saturating_add(batch.saturating_mul(PROOF_BATCH))
    }

    /// The first heap that no thread has taken yet.
    fn next(&self) -> usize {
        self.start_of(self.taken.load(Ordering::Relaxed))
    }

    /// The heaps of the next batch, if any are left.
    fn take(&self) -> Option<Range<usize>> {
        // The counter is read before it is changed, as helpers that wait for marks come here again and again.
        if self.next() >= self.heaps.end {
            return None;
        }
        let start = self.start_of(self.taken.fetch_add(1, Ordering::Relaxed));
        (start < self.heaps.end).then(|| start..self.heaps.end.min(start + PROOF_BATCH))
    }

    /// Leaves no more batches to be taken.
    fn end(&self) {
        self.taken.store(self.heaps.end, Ordering::Relaxed);
    }
}

/// How many of the `left` heaps come next: at most `most`, rounded up to whole blocks; the last two spans are about equal.
fn next_span<C: Code>(left: usize, most: usize) -> usize {
    if left <= most || left >= 2 * most {
        left.min(most)
    } else {
        left.div_ceil(2).next_multiple_of(C::LANES)
    }
}

impl<C: Code> Sparse<C> {
    /// A state that continues the codes of a table.
    pub fn new(game: &Octal, codes: &PackedTable<C>, kernel: Kernel, threads: usize) -> Self {
        let rules = Rules::new(game, codes);
        let threads = useful_threads(threads).min(MOST_THREADS);
        let plans = Plans::unlearnt(kernel, threads, &rules, codes);
        Self {
            game: game.clone(),
            rules,
            plans,
            rares_at_last_search: 0,
            is_space_given: false,
            deepest: DeepestPair::default(),
            deepest_from: codes.len().max(DEEPEST_FROM),
            // Codes that are not kept may have had any bit.
            known_bits: codes.bits(1..codes.len()).unwrap_or(C::DEAD),
            unproved: Vec::new(),
            proof_bands: Mutex::default(),
        }
    }

    /// The state that continues a copy of the same codes, of the same width or wider: the known bits and proofs hold for the
    /// copy, and plans are learnt again.
    pub fn copied_to<D: Code>(&self, codes: &PackedTable<D>) -> Sparse<D> {
        let mut copied = Sparse::new(&self.game, codes, self.plans.kernel, self.plans.threads);
        copied.plans.depth_resolution = self.plans.depth_resolution;
        copied.rares_at_last_search = self.rares_at_last_search;
        copied.is_space_given = self.is_space_given;
        (copied.deepest, copied.deepest_from) = (self.deepest, self.deepest_from);
        copied.known_bits = D::of(self.known_bits.index());
        copied
    }

    /// How deep the pairs lie that proofs have needed.
    pub fn depth(&self) -> Depth {
        Depth {
            deepest: self.deepest,
            from: self.deepest_from,
            resolution: self.plans.depth_resolution,
        }
    }

    /// Continues with other heaps of the same game from now on, for which pairs of this depth were needed.
    pub fn restart_at(&mut self, depth: Depth) {
        (self.deepest, self.deepest_from) = (depth.deepest, depth.from);
        let resolution = &mut self.plans.depth_resolution;
        *resolution = depth.resolution.max(*resolution);
        self.unproved.clear();
        self.truncate_proof_bands(0);
    }

    /// Records that these codes are right too.
    pub fn record_known_codes(&mut self, codes: &[C]) {
        self.known_bits = (codes.iter()).fold(self.known_bits, |bits, &code| bits | code);
    }

    /// Splits the values by this mask, if that leaves class and code of all known values as they are.
    pub fn adopt_mask(&mut self, codes: &mut PackedTable<C>, mask: u16) {
        self.unproved.clear();
        if let Some(space) = codes.space().with_mask(mask, self.known_bits.word()) {
            codes.set_space(space);
        }
    }

    /// Adds to the mask the highest bit of the values that have the missing code, if no value had that bit before and the space
    /// was not given. Returns whether it did.
    ///
    /// The mask says nothing of bits that no value has had: the first heap with a new highest bit that would be rare by the mask
    /// shows that the bit belongs to it.
    fn add_top_bit(&self, codes: &mut PackedTable<C>, missing: MissingWitness<C>) -> bool {
        let is_new = missing.code.word().checked_ilog2() > self.known_bits.word().checked_ilog2();
        let space = codes.space().with_top_bit(missing.code.word());
        let space = space.filter(|_| is_new && !self.is_space_given);
        space.map(|space| codes.set_space(space)).is_some()
    }

    /// What the moves of the game do to the classes of its heaps.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether there are so many more rare heaps than at the last look that another space may be better.
    fn may_be_better(&self, codes: &PackedTable<C>) -> bool {
        let rares = self.rares_at_last_search;
        !self.is_space_given && codes.rares().len() > rares + rares / 4 + 8
    }

    /// Looks for a space that makes fewer heaps rare, and uses it.
    fn try_better_space(&mut self, codes: &mut PackedTable<C>) {
        if let Some(better) = better_space(codes, &self.rules, self.game.most_taken()) {
            *codes = better;
            (self.deepest, self.deepest_from) =
                (DeepestPair::default(), codes.len().max(DEEPEST_FROM));
            self.rules = Rules::new(&self.game, codes);
            self.known_bits = codes.bits(1..codes.len()).unwrap_or(C::DEAD);
            self.begin_with(codes);
        }
        self.rares_at_last_search = codes.rares().len();
    }

    /// Gives the codes all their bits, a mask telling rare heaps instead of a flag.
    ///
    /// # Errors
    /// If the machine has no memory for it.
    pub fn use_mask(&mut self, codes: &mut PackedTable<C>) -> Result<(), TryReserveError> {
        codes.use_mask()?;
        self.begin_with(codes);
        Ok(())
    }

    /// Begins again with codes that have changed as a whole.
    fn begin_with(&mut self, codes: &PackedTable<C>) {
        self.truncate_proof_bands(0);
        self.plans.begin_with(&self.rules, codes, self.deepest.part);
    }

    /// Computes the values of all heaps below `to`, given that the known ones are right.
    ///
    /// Each round finds some heaps behind those found, and proves those found before it. With helpers, and no rare heap for long,
    /// it does both at once: one thread finds and the others prove. Else rounds take turns: one finds, the next one proves. A new
    /// rare heap discards what was found behind it, so the longer there was none, the more is found unproved. Where values up to
    /// `on_to` will be asked for next, some beyond `to` are found already, so that no thread idles at the end. `go_on` is shown
    /// the codes now and then, and how many of them are proved.
    pub fn extend(
        &mut self,
        codes: &mut PackedTable<C>,
        to: usize,
        on_to: usize,
        mut go_on: impl FnMut(&PackedTable<C>, usize) -> bool,
    ) -> Result<(), Stop> {
        let mut state = Extension {
            span: Span::default(),
            proved: codes.len(),
            outgrown: None,
        };
        codes.append(&std::mem::take(&mut self.unproved));
        while state.proved < to {
            let proved = state.proved;
            let found = codes.len();
            let on_to = on_to
                .clamp(to, to + self.plans.search.longest_span())
                .max(found);
            if codes.reserve(on_to).is_err() {
                codes.truncate(proved);
                return Err(Stop::Memory);
            }
            let may_be_better = self.may_be_better(codes);
            // The most heaps that are found unproved: new rare heaps are likelier where there have been some lately.
            let at_risk = (proved - codes.last_rare()) / 4;
            let at_once =
                self.plans.threads > 1 && at_risk >= MIN_HEAPS_FOR_HELPERS && !may_be_better;
            if proved == found {
                self.change_codes(codes, &mut state, may_be_better)?;
            }
            let mut due = DuePlans::default();
            if found < on_to && (at_once || proved == found) {
                due = self.plans.due(codes);
            }
            if !at_once {
                // No helper learns beside the search.
                let due = std::mem::take(&mut due);
                (self.plans).learn_now(&self.rules, codes, due, self.deepest.part);
            }
            let most = if at_once {
                self.plans.search.longest_span()
            } else {
                SPAN_BETWEEN_PROOFS
            };
            let count = match state.outgrown {
                None if at_once && found >= to => at_risk.clamp(C::LANES, most).min(on_to - found),
                None if at_once || proved == found => {
                    next_span::<C>(to - found, at_risk.clamp(C::LANES, most))
                }
                _ => 0,
            };
            let prove = proved..found.min(to);
            match self.find_and_prove(codes, &mut state.span, count, prove.clone(), due) {
                (Some(missing), _) => self.cut_back(codes, &mut state, missing)?,
                (None, result) => {
                    self.known_bits |= codes.bits(prove)?;
                    state.proved = found.min(to);
                    let heaps = state.span.found().len();
                    self.plans.searched(heaps, state.span.from_all_options);
                    codes.append(state.span.found());
                    state.outgrown = state.outgrown.or(result.err());
                }
            }
            if !go_on(codes, state.proved) {
                codes.truncate(state.proved);
                return Err(Stop::Interrupted);
            }
        }
        (self.unproved).extend_from_slice(codes.cells(state.proved, codes.len())?);
        codes.truncate(state.proved);
        Ok(())
    }

    /// Makes room for a code that is too large for the table, or looks for a better space. To be called where all heaps found are
    /// proved.
    fn change_codes(
        &mut self,
        codes: &mut PackedTable<C>,
        state: &mut Extension<C>,
        may_be_better: bool,
    ) -> Result<(), Stop> {
        if let Some(Outgrown { code }) = state.outgrown.take() {
            if code == C::DEAD || codes.is_full() {
                return Err(Stop::TooLarge);
            }
            self.use_mask(codes).map_err(|_| Stop::Memory)?;
            state.span.truncate(0);
        } else if may_be_better {
            self.try_better_space(codes);
            state.span.truncate(0);
        }
        Ok(())
    }

    /// Cuts the table back to the heap that lacks a witness. Its value is the one with the missing code: either the heap is rare,
    /// or the mask lacks the highest bit of that value, and the heap is found again with the new mask.
    fn cut_back(
        &mut self,
        codes: &mut PackedTable<C>,
        state: &mut Extension<C>,
        missing: MissingWitness<C>,
    ) -> Result<(), Stop> {
        codes.truncate(missing.heap);
        state.span.truncate(codes.pad() + missing.heap);
        self.truncate_proof_bands(codes.pad() + missing.heap);
        self.known_bits |= codes.bits(state.proved..codes.len())?;
        state.outgrown = None;
        if !self.add_top_bit(codes, missing) {
            if !missing.is_certain {
                return Err(Stop::Forgotten);
            }
            self.add_rare(codes, missing.code);
        }
        state.proved = codes.len();
        Ok(())
    }

    /// Finds the next `count` heaps, proves these others, and learns what is due. Returns the first missing witness, and whether
    /// codes were outgrown.
    fn find_and_prove(
        &mut self,
        codes: &PackedTable<C>,
        span: &mut Span<C>,
        count: usize,
        Range {
            start: from,
            end: to,
        }: Range<usize>,
        due: DuePlans,
    ) -> (Option<MissingWitness<C>>, Result<(), Outgrown<C>>) {
        self.truncate_proof_bands(codes.pad() + from);
        let plans = &self.plans;
        let kernel = plans.kernel;
        let ahead = MarkAhead::new(kernel, codes, &plans.search, count / C::LANES);
        let search = Search {
            kernel,
            codes,
            rules: &self.rules,
            plan: &plans.search,
            ahead: &ahead,
        };
        let deeper_pairs = Mutex::new(Vec::new());
        let verifier = Verifier {
            kernel,
            codes,
            rules: &self.rules,
            plan: &plans.witnesses,
            deeper_pairs: &deeper_pairs,
            report_deeper_than: self.deepest.part,
            bands: &self.proof_bands,
        };
        let batches = ProofBatches::new(from..to);
        let first: Mutex<Option<MissingWitness<C>>> = Mutex::new(None);
        let cost = AtomicU64::new(0);
        let prove_some = || {
            let Some(batch) = batches.take() else {
                return false;
            };
            let mut cost_of_batch = 0;
            if let Some(missing) = verifier.verify(batch.start, batch.end, &mut cost_of_batch) {
                batches.end();
                let mut first = lock(&first);
                if first.is_none_or(|first| missing.heap < first.heap) {
                    *first = Some(missing);
                }
            }
            cost.fetch_add(cost_of_batch, Ordering::Relaxed);
            true
        };
        let prove_all = || while prove_some() {};
        let due = Mutex::new(due);
        let learnt = Mutex::new(NewPlans::default());
        let learn_due = || {
            let due = std::mem::take(&mut *lock(&due));
            if due.any() {
                *lock(&learnt) = plans.learn(&self.rules, codes, due, self.deepest.part);
            }
        };
        let reserved = to - (to - from) / RESERVED_PROOF_SHARE;
        let helpers = if (to - from).max(ahead.heaps()) >= MIN_HEAPS_FOR_HELPERS {
            plans.threads - 1
        } else {
            0
        };
        let help = || {
            learn_due();
            ahead.help_until_found(|| batches.next() < reserved && prove_some(), prove_some);
            prove_all();
        };
        let found = with_helpers(helpers, help, || {
            let found = search.find(span, count);
            ahead.end();
            learn_due();
            prove_all();
            found
        });
        self.plans.proved(to - from, cost.into_inner());
        self.plans.adopt(unlocked(learnt), codes);
        let missing = unlocked(first);
        let right = missing.map_or(to, |missing| missing.heap + 1);
        unlocked(deeper_pairs)
            .into_iter()
            .filter(|pair| (self.deepest_from..right).contains(&pair.heap))
            .for_each(|pair| self.deepest.add(pair));
        (missing, found)
    }

    /// Discards what proofs keep in bands from this place on, as the codes there have changed.
    fn truncate_proof_bands(&mut self, place: usize) {
        let bands = self.proof_bands.get_mut();
        let bands = bands.unwrap_or_else(PoisonError::into_inner);
        bands.iter_mut().for_each(|bands| bands.truncate(place));
    }

    fn add_rare(&mut self, codes: &mut PackedTable<C>, code: C) {
        codes.push_rare(code);
        self.known_bits |= code;
        if let Some(&rare) = codes.rares().last() {
            self.plans.search.add_rare(&self.rules, rare);
        }
    }
}
