//! When and what a sparse game's table teaches: a better split, and the orders of its options.
//!
//! An order is learnt from the codes as they were found, proven or not: it says when an option is looked at, never what
//! is one. So with several threads one learns while the others find and prove.

use super::check::Check;
use super::plan::{Find, Rules, Sharing};
use super::toll::Toll;
use super::verify::Deepest;
use super::{DEEPEST_FROM, Sparse, USUAL_FIND};
use crate::engine::table::packed::PackedTable;
use crate::engine::table::sparse_space::SparseSpace;

/// From this heap on the split stays as it is.
const LATEST_SPLIT: usize = 1 << 22;
/// So many heaps are found with as many planes before it is looked again how many are needed.
const PLANES_SERVE: u64 = 1 << 16;
/// Where as many are needed each time, it is looked half as often, down to this power of two.
const MOST_PATIENCE: u32 = 6;
/// Where heaps are forgotten, so many last ones are enough to learn from.
const LEARNT_FROM: usize = 1 << 14;
/// With so many threads all far options are marked by others: that is more work in all, but less for the one that finds. By
/// the model in `docs/performance.md`; of tables so long.
const ALL_AHEAD: usize = 4;
const LONG: usize = 1 << 17;

/// Lists to learn anew.
#[derive(Clone, Copy, Default)]
pub struct Due {
    find: bool,
    check: bool,
}

impl Due {
    pub fn any(self) -> bool {
        self.find || self.check
    }
}

/// Lists that were.
#[derive(Default)]
pub struct Learnt {
    find: Option<Find>,
    check: Option<Check>,
}

impl Sparse {
    /// Looks for a split that makes fewer heaps rare.
    fn rediscover(&mut self, codes: &mut PackedTable) {
        let len = codes.len();
        if len > LATEST_SPLIT || codes.has_gap() {
            return;
        }
        let from = len - (len / 2).min(1 << 16);
        let mut values = vec![0; len - from];
        codes.copy(from, &mut values);
        let breaks: Vec<usize> = self.rules.breaks.iter().map(|b| b.0).collect();
        let Some((split, rare)) = SparseSpace::discover(&values, from, &breaks) else {
            return;
        };
        let now = codes.rares();
        let now = now.len() - now.partition_point(|rare| rare.heap < from);
        if split != codes.split() && rare + rare / 4 + 8 < now {
            let mut values = vec![0; len];
            codes.copy(0, &mut values);
            if let Some(better) = PackedTable::new(split, &values, self.game.reach()) {
                *codes = better;
                (self.deepest, self.deepest_from) = (Deepest::default(), len.max(DEEPEST_FROM));
                self.rules = Rules::new(&self.game, codes);
                self.start(codes);
            }
        }
    }

    /// Lists for the codes as they are, the one for finding in no order.
    pub(super) fn start(&mut self, codes: &PackedTable) {
        self.forget_bands(0);
        self.find = Find::unordered(self.kernel, &self.rules, codes);
        self.find_toll = Toll::new(USUAL_FIND);
        let due = Due {
            find: false,
            check: true,
        };
        self.adopt_lists(self.learn(codes, due), codes);
    }

    /// What pays to be learnt anew.
    pub(super) fn due(&self, codes: &PackedTable) -> Due {
        let enough = !codes.has_gap() || codes.len() - codes.window_from() >= LEARNT_FROM;
        Due {
            find: enough && (self.is_find_due() || self.is_to_go_ahead(codes)),
            check: enough && self.check_toll.is_due(),
        }
    }

    fn is_to_go_ahead(&self, codes: &PackedTable) -> bool {
        self.find.price > 0
            && self.find.sharing != Sharing::All
            && self.sharing(codes) == Sharing::All
    }

    /// Where there is no order to learn, it is only asked how many planes the last heaps need, which costs nothing.
    fn is_find_due(&self) -> bool {
        let serve = PLANES_SERVE << self.find_toll.patience.min(MOST_PATIENCE);
        let planes_alone = self.find.price == 0 && self.find_toll.heaps >= serve;
        planes_alone || self.find_toll.is_due()
    }

    /// What it pays that others mark.
    fn sharing(&self, codes: &PackedTable) -> Sharing {
        match self.threads {
            0..=1 => Sharing::None,
            ALL_AHEAD.. if codes.len() >= LONG && !codes.masks(codes.len()) => Sharing::All,
            _ => Sharing::Marked,
        }
    }

    /// So many that another split may be better.
    pub(super) fn has_more_rares(&self, codes: &PackedTable) -> bool {
        codes.rares().len() > self.rares_then + self.rares_then / 4 + 8
    }

    /// Looks for a better split, once.
    pub(super) fn try_split(&mut self, codes: &mut PackedTable) {
        self.rediscover(codes);
        self.rares_then = codes.rares().len();
    }

    pub(super) fn learn(&self, codes: &PackedTable, due: Due) -> Learnt {
        let sharing = self.sharing(codes);
        Learnt {
            find: (due.find).then(|| Find::new(self.kernel, &self.rules, codes, sharing)),
            check: (due.check).then(|| Check::new(self.kernel, &self.rules, codes)),
        }
    }

    /// From now on these are used.
    pub(super) fn adopt_lists(&mut self, learnt: Learnt, codes: &PackedTable) {
        let rares = codes.rares().len();
        if let Some(find) = learnt.find {
            self.find = find;
            self.find_toll.learnt(rares, self.find.price);
        }
        if let Some(check) = learnt.check {
            self.check = check;
            self.blur = self.blur.max(self.check.depth);
            self.check_toll.learnt(rares, self.check.price);
        }
    }
}
