//! Nim-values of a game with a sparse space, at a small constant cost a heap.
//!
//! Nearly all heaps of such a game have a common value (`table/split.rs`), and the few rare ones bound the options that
//! matter: `find.rs` takes the smallest common value that is no option, 64 heaps at once, and `verify.rs` proves that
//! every rare value below it is one. Where that fails the value is rare after all: the table is cut there, the rare
//! heap joins the list, and the work goes on. Time: about the number of rare heaps plus a constant, a heap; memory: a
//! byte a heap. Twin: `grundy.rs`, heap by heap from all options.

pub mod find;
pub mod order;
pub mod plan;
pub mod verify;

use crate::kernel::{DEAD, Kernel, LANES};
use crate::solver::octal::Octal;
use crate::table::codes::{Codes, FLAG};
use crate::table::split::Split;
use find::{Finder, Span};
use plan::{Check, Find, HISTORY, Rules};
use verify::{Missing, Verifier};

/// Codes of a game's table, and what it takes to go on from them.
pub struct Sparse {
    game: Octal,
    kernel: Kernel,
    codes: Codes,
    rules: Rules,
    find: Find,
    check: Check,
    /// The heap at which to learn the order of the options anew.
    learn_at: usize,
    rares_learnt: usize,
}

/// Why the table could not be extended as far as asked. What it holds is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Codes no longer fit a byte.
    Outgrown,
    Memory,
    Interrupted,
}

/// The codes of a table, if the game has a sparse space in which at most one in `share` of the last heaps is rare.
pub fn encode(game: &Octal, values: &[u16], share: usize) -> Option<Codes> {
    if !game.is_breaking() || values.len() <= game.from {
        return None;
    }
    let breaks: Vec<usize> = game.breaks.iter().map(|&(b, _)| b).collect();
    let from = values.len() / 2;
    let (split, rare) = Split::discover(&values[from..], from, &breaks)?;
    (rare * share <= values.len() - from).then(|| Codes::new(split, values, game.reach()))?
}

/// From this heap on the split stays as it is.
const LATEST_SPLIT: usize = 1 << 22;

impl Sparse {
    /// Goes on from the codes of a table.
    pub fn new(game: &Octal, codes: Codes, kernel: Kernel) -> Self {
        let rules = Rules::new(game, &codes);
        let find = Find::new(kernel, &rules, &codes);
        let check = Check::new(kernel, &rules, &codes);
        let learn_at = 2 * codes.len();
        let rares_learnt = codes.rares().len();
        Self {
            game: game.clone(),
            kernel,
            codes,
            rules,
            find,
            check,
            learn_at,
            rares_learnt,
        }
    }

    pub fn into_codes(self) -> Codes {
        self.codes
    }

    /// Looks for a split that makes fewer heaps rare.
    fn rediscover(&mut self) {
        let len = self.codes.len();
        if len > LATEST_SPLIT {
            return;
        }
        let from = len - (len / 2).min(1 << 16);
        let mut values = vec![0; len - from];
        self.codes.copy(from, &mut values);
        let breaks: Vec<usize> = self.rules.breaks.iter().map(|b| b.0).collect();
        let Some((split, rare)) = Split::discover(&values, from, &breaks) else {
            return;
        };
        let now = self.codes.rares();
        let now = now.len() - now.partition_point(|rare| rare.heap < from);
        if split != self.codes.split() && rare + rare / 4 + 8 < now {
            let mut values = vec![0; len];
            self.codes.copy(0, &mut values);
            if let Some(codes) = Codes::new(split, &values, self.game.reach()) {
                self.codes = codes;
                self.learn_at = 0;
                self.rules = Rules::new(&self.game, &self.codes);
            }
        }
    }

    fn learn(&mut self) {
        self.rediscover();
        self.find = Find::new(self.kernel, &self.rules, &self.codes);
        if self.codes.len() >= self.learn_at {
            self.check = Check::new(self.kernel, &self.rules, &self.codes);
            self.learn_at = self.codes.len() * 2;
        }
        self.rares_learnt = self.codes.rares().len();
    }

    /// Computes the values of all heaps below `to`.
    pub fn extend(&mut self, to: usize, mut go_on: impl FnMut(usize) -> bool) -> Result<(), Stop> {
        let mut span = Span::default();
        while self.codes.len() < to {
            self.codes.reserve(to).map_err(|_| Stop::Memory)?;
            let len = self.codes.len();
            if len >= self.learn_at
                || self.codes.rares().len() > self.rares_learnt + self.rares_learnt / 4 + 8
            {
                self.learn();
            }
            let quiet = len - self.codes.last_rare();
            let count = (quiet / 4)
                .next_multiple_of(LANES)
                .clamp(LANES, HISTORY / 8)
                .min(to - len);
            let finder = Finder {
                kernel: self.kernel,
                codes: &self.codes,
                rules: &self.rules,
                plan: &self.find,
            };
            let found = finder.find(&mut span, count);
            self.codes.append(span.found());
            let verifier = Verifier {
                kernel: self.kernel,
                codes: &self.codes,
                rules: &self.rules,
                plan: &self.check,
            };
            let missing = verifier.verify(len, self.codes.len());
            match (missing, found) {
                (Some(missing), _) => self.roll_back(missing),
                (None, Err(outgrown))
                    if outgrown.code < DEAD && self.codes.bound() == usize::from(FLAG) =>
                {
                    self.codes.widen();
                    self.learn_at = 0;
                    self.learn();
                }
                (None, Err(_)) => return Err(Stop::Outgrown),
                (None, Ok(())) => {}
            }
            if !go_on(self.codes.len()) {
                return Err(Stop::Interrupted);
            }
        }
        Ok(())
    }

    fn roll_back(&mut self, missing: Missing) {
        self.codes.truncate(missing.heap);
        self.codes.push_rare(missing.code);
        if let Some(&rare) = self.codes.rares().last() {
            self.find.add(&self.rules, rare);
        }
    }
}
