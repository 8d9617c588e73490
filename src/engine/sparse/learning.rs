//! The things learnt from a sparse game's table: the plans of search and proof, when they are learnt again, and a better space.
//!
//! Plans are learnt from the codes as they were found, proved or not: a plan says when an option is looked at, never what is
//! one. So on several threads one of them learns while the others search and prove.

use super::rules::Rules;
use super::schedule::Schedule;
use super::search_plan::{HelperMarks, SearchPlan};
use super::tuning::{
    HEAPS_PER_PLANE_COUNT, HEAPS_TO_MARK_ALL_FAR, MAX_HEAPS_FOR_NEW_SPACE,
    MAX_PLANE_COUNT_DOUBLINGS, MIN_WINDOW_TO_LEARN, THREADS_TO_MARK_ALL_FAR, USUAL_PROOF_COST,
    USUAL_SEARCH_COST,
};
use super::witness_plan::WitnessPlan;
use crate::engine::kernel::{Code, Kernel};
use crate::engine::packed::PackedTable;
use crate::engine::sparse_space::SparseSpace;

/// Which plans are to be learnt again.
#[derive(Clone, Copy, Default)]
pub struct DuePlans {
    search: bool,
    witnesses: bool,
}

impl DuePlans {
    pub fn any(self) -> bool {
        self.search || self.witnesses
    }
}

/// The plans that were learnt.
#[derive(Default)]
pub struct NewPlans<C: Code> {
    search: Option<SearchPlan<C>>,
    witnesses: Option<WitnessPlan<C>>,
}

/// The plans in use, and when each is learnt again.
pub struct Plans<C: Code> {
    pub kernel: Kernel,
    pub threads: usize,
    pub search: SearchPlan<C>,
    pub witnesses: WitnessPlan<C>,
    search_schedule: Schedule,
    proof_schedule: Schedule,
    /// The largest smaller part of the pairs that some plan so far did not tell apart.
    pub depth_resolution: usize,
}

impl<C: Code> Plans<C> {
    /// Plans for a few heaps, for which nothing is learnt.
    pub fn unlearnt(kernel: Kernel, threads: usize, rules: &Rules, codes: &PackedTable<C>) -> Self {
        Self {
            kernel,
            threads,
            search: SearchPlan::in_natural_order(kernel, rules, codes),
            witnesses: WitnessPlan::none(codes),
            search_schedule: Schedule::new(USUAL_SEARCH_COST),
            proof_schedule: Schedule::new(USUAL_PROOF_COST),
            depth_resolution: 0,
        }
    }

    /// Begins anew with other codes: a search in natural order, and witnesses learnt from the codes.
    pub fn begin_with(&mut self, rules: &Rules, codes: &PackedTable<C>, deepest: usize) {
        self.search = SearchPlan::in_natural_order(self.kernel, rules, codes);
        self.search_schedule = Schedule::new(USUAL_SEARCH_COST);
        let due = DuePlans {
            search: false,
            witnesses: true,
        };
        self.learn_now(rules, codes, due, deepest);
    }

    /// Records what the last search cost: `from_all_options` of the heaps were worked out by all options.
    pub fn searched(&mut self, heaps: usize, from_all_options: usize) {
        let cost = self.search.excess_cost(heaps, from_all_options);
        self.search_schedule.spend(cost, heaps);
    }

    /// Records what the last proofs cost: what the witnesses left open took `cost` nanoseconds to look up.
    pub fn proved(&mut self, heaps: usize, cost: u64) {
        self.proof_schedule.spend(cost, heaps);
    }

    /// Which plans are worth learning again.
    pub fn due(&self, codes: &PackedTable<C>) -> DuePlans {
        let enough = !codes.has_gap() || codes.len() - codes.window_from() >= MIN_WINDOW_TO_LEARN;
        DuePlans {
            search: enough && (self.is_search_due() || self.helpers_could_mark_more(codes)),
            witnesses: enough && self.proof_schedule.is_due(),
        }
    }

    fn helpers_could_mark_more(&self, codes: &PackedTable<C>) -> bool {
        self.search.learning_cost > 0
            && self.search.helper_marks != HelperMarks::AllFar
            && self.best_helper_marks(codes) == HelperMarks::AllFar
    }

    /// Where there is no order to learn, only the planes that the last heaps need are counted again, which costs nothing.
    fn is_search_due(&self) -> bool {
        let doublings = self
            .search_schedule
            .doublings
            .min(MAX_PLANE_COUNT_DOUBLINGS);
        let counts_planes_only = self.search.learning_cost == 0
            && self.search_schedule.heaps >= HEAPS_PER_PLANE_COUNT << doublings;
        counts_planes_only || self.search_schedule.is_due()
    }

    fn best_helper_marks(&self, codes: &PackedTable<C>) -> HelperMarks {
        let may_mark_all = codes.len() >= HEAPS_TO_MARK_ALL_FAR && !codes.masks(codes.len());
        match self.threads {
            0..=1 => HelperMarks::None,
            THREADS_TO_MARK_ALL_FAR.. if may_mark_all => HelperMarks::AllFar,
            _ => HelperMarks::FarMarked,
        }
    }

    /// Learns what is due. Pairs with a smaller part up to `deepest` were needed before.
    pub fn learn(
        &self,
        rules: &Rules,
        codes: &PackedTable<C>,
        due: DuePlans,
        deepest: usize,
    ) -> NewPlans<C> {
        let kernel = self.kernel;
        let search = || {
            let helper_marks = self.best_helper_marks(codes);
            SearchPlan::learn(kernel, rules, codes, helper_marks)
        };
        let witnesses = || WitnessPlan::learn(kernel, rules, codes, deepest);
        NewPlans {
            search: due.search.then(search),
            witnesses: due.witnesses.then(witnesses),
        }
    }

    /// Learns what is due, as [`Plans::learn`] does, and uses it from now on.
    pub fn learn_now(
        &mut self,
        rules: &Rules,
        codes: &PackedTable<C>,
        due: DuePlans,
        deepest: usize,
    ) {
        self.adopt(self.learn(rules, codes, due, deepest), codes);
    }

    /// Replaces the plans in use by these.
    pub fn adopt(&mut self, new: NewPlans<C>, codes: &PackedTable<C>) {
        let rares = codes.rares().len();
        if let Some(search) = new.search {
            self.search = search;
            self.search_schedule
                .restart(rares, self.search.learning_cost);
        }
        if let Some(witnesses) = new.witnesses {
            self.witnesses = witnesses;
            self.depth_resolution = self.depth_resolution.max(self.witnesses.depth);
            self.proof_schedule
                .restart(rares, self.witnesses.learning_cost);
        }
    }
}

/// The table by a space that makes clearly fewer of its last heaps rare, if there is one.
pub fn better_space<C: Code>(
    codes: &PackedTable<C>,
    rules: &Rules,
    most_taken: usize,
) -> Option<PackedTable<C>> {
    let len = codes.len();
    if len > MAX_HEAPS_FOR_NEW_SPACE || codes.has_gap() {
        return None;
    }
    let from = len - (len / 2).min(1 << 16);
    let mut values = vec![0; len - from];
    codes.copy(from, &mut values).ok()?;
    let (space, rare) = SparseSpace::discover(&values, from, &rules.breaks, 1)?;
    if space == codes.space() || rare + rare / 4 + 8 >= codes.rares_from(from) {
        return None;
    }
    let mut values = vec![0; len];
    codes.copy(0, &mut values).ok()?;
    PackedTable::new(space, &values, most_taken)
}
