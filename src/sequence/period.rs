//! The period of a game's nim-values: found as they are computed, and proved where a theorem covers the game.
//!
//! The values are computed in growing stretches, and the end of each is searched for a repetition. Once one is seen,
//! the next stretch ends where the theorem is satisfied; so a proof is complete at the first value that can
//! complete it. Cost: a ns or so a value on top of the values themselves.

mod arithmetic;
pub mod certificate;
mod check;
mod detect;
pub mod hunt;
mod repeat;
pub mod segments;
mod theorem;
pub mod window;

pub use theorem::{NoTheorem, Theorem};

use super::Sequence;
use crate::engine::table::Table;
use crate::error::Error;
use crate::ruleset::Ruleset;
use detect::Repeat;
use serde::Serialize;

/// An arithmetic period: g(n + period) = g(n) + saltus for every n from the preperiod on. The saltus is 0 for a
/// period in the plain sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Period {
    /// How far apart equal values are, 1 at least.
    pub period: u64,
    /// The first n from which it holds.
    pub preperiod: u64,
    /// What each period adds.
    pub saltus: u64,
}

impl Period {
    /// The largest n with g(n + period) ≠ g(n) + saltus, if there is one.
    pub fn last_exception(&self) -> Option<u64> {
        self.preperiod.checked_sub(1)
    }
}

/// What a search for a period has found.
#[derive(Clone, Debug)]
pub enum Finding {
    /// A period that holds for ever.
    Proved(Proof),
    /// A repetition at the end of the values computed, which may or may not go on.
    Observed {
        /// The repetition.
        seen: Period,
        /// What a proof would need.
        missing: String,
    },
    /// No repetition among the values computed.
    Nothing,
}

/// A period with what proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The least period, with its least preperiod.
    pub period: Period,
    /// The theorem.
    pub theorem: Theorem,
    /// The proof rests on the values g(0) … g(range - 1).
    pub range: u64,
}

/// The values that the first look at a sequence takes.
const FIRST_LOOK: u64 = 64;
/// For fewer n in a row g(n + p) = g(n) + s is a chance likeness.
const FEW: u64 = 32;

/// Searches for the least period, with values to heap `limit` at most, and stops as soon as one is proved.
///
/// The sequence keeps the values computed, also after an error.
///
/// # Errors
/// If the values can't be computed as far as that, see [`Sequence::fill`].
pub(super) fn search(sequence: &mut Sequence, limit: u64) -> Result<Finding, Error> {
    let theorems = Theorem::covering(sequence.ruleset()).unwrap_or_default();
    let wanted = limit.saturating_add(1);
    let mut target = wanted.min(FIRST_LOOK.max(sequence.computed()));
    loop {
        sequence.fill_on_to(target - 1, limit)?;
        let found = look(sequence.table(), sequence.ruleset());
        if target == wanted || matches!(found, Finding::Proved(_)) {
            return Ok(found);
        }
        let enough = match &found {
            Finding::Observed { seen, .. } => needs(&theorems, seen),
            _ => None,
        };
        // A repetition from n0 on shows in a look at 4/3 to 2 times n0 + p values, in time for any theorem here.
        let grown = target + target / 2;
        target = enough
            .filter(|&enough| enough > target)
            .unwrap_or(grown)
            .min(wanted)
            .min(4 * target);
    }
}

/// What the values of a table say about the period of their game.
///
/// A period is proved if, and only if, the values prove it by one of the theorems that cover the game.
pub(super) fn look(table: &Table, ruleset: &Ruleset) -> Finding {
    let theorems = Theorem::covering(ruleset);
    for &theorem in theorems.iter().flatten() {
        if let Some(proof) = proof(table, ruleset, theorem) {
            return Finding::Proved(proof);
        }
    }
    let known = table.len() as u64;
    // A quarter of the values, and three periods: less is a chance likeness. So is what shows while the heap is too
    // small for some of the takings, as in 0, 1, 2, 3 of a game whose values never exceed 3.
    let code = ruleset.coded_from().map(|(code, _)| code.written().0.len());
    let few = code.unwrap_or(0) as u64 + FEW;
    let reach = |period: u64| few.max(known / 4).max(2 * period);
    match detect::repetition(table, Repeat::Differences, reach, |&seen| Some(seen)) {
        Some(seen) => Finding::Observed {
            seen,
            missing: missing(&seen, known, theorems),
        },
        None => Finding::Nothing,
    }
}

/// The least period that a theorem proves by the values of a table.
fn proof(table: &Table, ruleset: &Ruleset, theorem: Theorem) -> Option<Proof> {
    let known = table.len() as u64;
    let range = theorem.prover(ruleset, table);
    let reach = |period| theorem.reach(known, period);
    let proof = |found: &Period| {
        let range = range(found)?;
        let period = *found;
        Some(Proof {
            period,
            theorem,
            range,
        })
    };
    if !matches!(theorem, Theorem::Arithmetic { .. }) {
        return detect::repetition(table, theorem.repeat(), reach, proof);
    }
    // All that reach so far are multiples of the first, which is the least.
    let least = detect::repetition(table, theorem.repeat(), reach, |found| {
        theorem.allows(found).then_some(*found)
    });
    least.and_then(|found| proof(&found))
}

/// How many values would prove what is seen, if that is known.
fn needs(theorems: &[Theorem], seen: &Period) -> Option<u64> {
    let theorems = theorems.iter().filter(|theorem| theorem.allows(seen));
    theorems.filter_map(|theorem| theorem.needs(seen)).min()
}

fn missing(seen: &Period, known: u64, theorems: Result<Vec<Theorem>, NoTheorem>) -> String {
    let theorems = match theorems {
        Ok(theorems) => theorems,
        Err(why) => return why.to_string(),
    };
    if !theorems.iter().any(|theorem| theorem.allows(seen)) {
        return "no theorem known to this program gives such a code a saltus".to_owned();
    }
    match needs(&theorems, seen) {
        Some(needs) if needs > known => {
            format!("a proof needs the nim-values to pile {}", needs - 1)
        }
        Some(_) => "these values don't satisfy the theorem for arithmetic periods".to_owned(),
        None => "a proof needs more values".to_owned(),
    }
}
