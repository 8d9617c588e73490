//! The period of a game's nim-values: found as they are computed, and proved where a theorem covers the game.
//!
//! The values are computed in growing stretches, and the end of each is searched for a repetition. Once one is seen,
//! the next stretch ends where the theorem is satisfied; so a proof is complete at the first value that can
//! complete it. Cost: a ns or so a value on top of the values themselves. A search that may go
//! beyond memory (`bounded_search.rs`) begins here too, with the window theorem (`window.rs`) among the proofs: as long as
//! the values are in memory, one finder (`detect.rs`) sees every period.

mod arithmetic;
pub(crate) mod bounded_search;
pub mod certificate;
mod check;
mod detect;
mod distinguished;
mod missing;
#[cfg(test)]
mod planted;
pub mod segments;
mod theorem;
pub(super) mod window;

pub use crate::error::NoTheorem;
pub use missing::Missing;
pub use theorem::Theorem;

use super::Sequence;
use crate::engine::codes::Codes;
use crate::engine::octal::Octal;
use crate::engine::table::Table;
use crate::error::Error;
use crate::ruleset::Ruleset;
use detect::{Compared, Stretch};
use serde::Serialize;
use window::Bounds;

/// An arithmetic period: g(n + period) = g(n) + saltus for every n from the preperiod on. The saltus is 0 for a
/// period in the plain sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Period {
    /// The distance p from n to n + p, 1 at least.
    pub period: u64,
    /// The first n from which the period holds.
    pub preperiod: u64,
    /// The number that each period adds to a value.
    pub saltus: u64,
}

impl Period {
    /// A period in the plain sense.
    pub(crate) fn plain(period: u64, preperiod: u64) -> Period {
        Period {
            period,
            preperiod,
            saltus: 0,
        }
    }

    /// The largest n with g(n + period) ≠ g(n) + saltus, if there is one.
    pub fn last_exception(&self) -> Option<u64> {
        self.preperiod.checked_sub(1)
    }
}

/// The outcome of a search for a period.
#[derive(Clone, Debug)]
pub enum Finding {
    /// A period that holds for ever.
    Proved(Proof),
    /// A repetition at the end of the values computed, which may or may not go on.
    Observed {
        /// The repetition.
        seen: Period,
        /// What is missing for a proof.
        missing: Missing,
    },
    /// The values computed show no repetition.
    Nothing,
}

/// A period with what proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The least period, with its least preperiod.
    pub period: Period,
    /// The theorem that proves the period.
    pub theorem: Theorem,
    /// The proof rests on the values g(0) … g(range - 1).
    pub range: u64,
}

/// The number of values at the first look at a sequence.
const FIRST_LOOK: u64 = 64;
/// If g(n + p) = g(n) + s holds for fewer n in a row than this, that is taken for chance.
const FEW: u64 = 32;
/// Up to this many values the window theorem is tried only when no more values are to be computed, because a proof by the
/// theorems for the game's code can be checked by the definition alone.
const WINDOWS_FROM: u64 = 1 << 22;
/// The fewest values that a search keeps in a table before it goes on in bounded memory.
pub(super) const LEAST_TABLE: u64 = 1 << 25;

/// The values of a sequence as far as they are computed; more can be computed.
pub(super) trait GrowingValues {
    /// The game and the values computed.
    fn known(&self) -> (&Ruleset, &Table);

    /// Computes the values up to `heap`; the values up to `on_to` will be wanted soon.
    fn extend(&mut self, heap: u64, on_to: u64) -> Result<(), Error>;

    /// The bounds that the window theorem needs to know of the values, if it applies to them.
    fn bounds(&self) -> Option<Bounds>;
}

impl GrowingValues for Sequence {
    fn known(&self) -> (&Ruleset, &Table) {
        (self.ruleset(), self.table())
    }

    fn extend(&mut self, heap: u64, on_to: u64) -> Result<(), Error> {
        self.fill_on_to(heap, on_to)
    }

    fn bounds(&self) -> Option<Bounds> {
        let game = Octal::breaking(self.ruleset())?;
        Some(Bounds::of(&game, self.table().coded()?))
    }
}

/// Searches for the least period, with values to heap `limit` at most, and stops as soon as one is proved. The sequence keeps
/// the values computed, also after an error.
///
/// All values are in a table, and a theorem for the game's code is the proof. If `table` is given, the search can go on in
/// bounded memory: then the window theorem is a proof too, and the answer is `None` once there are so many values and
/// bounded memory would keep few of them, for then nothing is left that only a table shows.
///
/// Whatever Guy and Smith's theorem proves by values beyond that, the window theorem does by as many. Let R be the last
/// rare heap, D the depth of the witnesses, both below an eighth of the values known; a period p holds from n0 > R on,
/// and T is the most that a move takes. If D ≤ n0, the window theorem needs no more than 2·n0 + T + 1 + p values, and Guy
/// and Smith's 2·n0 + 2p + T.
///
/// # Errors
/// If the values can't be computed as far as that, see [`Sequence::fill`].
pub(super) fn search(
    values: &mut impl GrowingValues,
    limit: u64,
    table: Option<u64>,
) -> Result<Option<Finding>, Error> {
    let (ruleset, known) = values.known();
    let theorems = Theorem::covering(ruleset).unwrap_or_default();
    let wanted = limit.saturating_add(1);
    let mut target = wanted.min(FIRST_LOOK.max(known.len() as u64));
    loop {
        values.extend(target - 1, limit)?;
        let at_end = target == wanted;
        let far = target > WINDOWS_FROM;
        let leaves = table.is_some_and(|table| target >= table);
        let windows = table.is_some() && (far || at_end || leaves);
        let bounds = windows.then(|| values.bounds()).flatten();
        let (ruleset, known) = values.known();
        if let Some(proof) = proved(known, ruleset, bounds.as_ref()) {
            return Ok(Some(Finding::Proved(proof)));
        }
        if at_end {
            return Ok(Some(observed(known, ruleset, bounds.as_ref())));
        }
        if leaves && bounds.is_some_and(|bounds| !bounds.would_keep_many(target)) {
            return Ok(None);
        }
        // A repetition from n0 on shows in a look at 4/3 to 2 times n0 + p values, in time for any theorem here.
        let grown = target + target / 2;
        // Looking at many values takes as long as computing some more.
        let seen = (!far).then(|| observed(known, ruleset, None));
        let enough = match seen {
            Some(Finding::Observed { seen, .. }) => needs(&theorems, None, &seen),
            _ => None,
        };
        let next = enough.filter(|&enough| enough > target).unwrap_or(grown);
        let most = match table {
            Some(table) if target < table => wanted.min(table),
            _ => wanted,
        };
        target = next.min(4 * target).min(most);
    }
}

/// The finding about the period of a game from the values of a table.
///
/// A period is proved if, and only if, the values prove it by one of the theorems that cover the game.
pub(super) fn look(table: &Table, ruleset: &Ruleset) -> Finding {
    match proved(table, ruleset, None) {
        Some(proof) => Finding::Proved(proof),
        None => observed(table, ruleset, None),
    }
}

/// The proof that the values of a table give, by a theorem for the game's code or else by the window theorem.
fn proved(table: &Table, ruleset: &Ruleset, bounds: Option<&Bounds>) -> Option<Proof> {
    let theorems = Theorem::covering(ruleset).unwrap_or_default();
    let mut proofs = theorems
        .iter()
        .filter_map(|&theorem| proof(table, ruleset, theorem));
    let by_windows = || proof_by_windows(table, 0, bounds?);
    proofs.next().or_else(by_windows)
}

/// The repetition at the end of a table, unless it is taken for chance.
fn observed(table: &Table, ruleset: &Ruleset, bounds: Option<&Bounds>) -> Finding {
    let known = table.len() as u64;
    // The repetition must cover a quarter of the values, and three periods; less is taken for chance. So is a repetition that
    // shows while the heap is too small for some of the takings, as in 0, 1, 2, 3 of a game whose values never exceed 3.
    let code = ruleset.coded_from().map(|(code, _)| code.written().0.len());
    let few = code.unwrap_or(0) as u64 + FEW;
    let least_match = |period: u64| few.max(known / 4).max(2 * period);
    match detect::repetition(table, Compared::Differences, least_match, |&seen| {
        Some(seen)
    }) {
        Some(seen) => Finding::Observed {
            seen,
            missing: missing(&seen, known, Theorem::covering(ruleset), bounds),
        },
        None => Finding::Nothing,
    }
}

/// The least period that the window theorem proves by the last values: those from heap `from` on.
pub(super) fn proof_by_windows<V: Stretch>(
    values: &V,
    from: u64,
    bounds: &Bounds,
) -> Option<Proof> {
    let known = from + values.len() as u64;
    let least_match = |period| bounds.least_match(known, period);
    detect::repetition(values, Compared::Values, least_match, |found| {
        let period = Period {
            preperiod: from + found.preperiod,
            ..*found
        };
        let range = bounds.needs(&period).filter(|&needs| needs <= known)?;
        Some(Proof {
            period,
            theorem: Theorem::Window,
            range,
        })
    })
}

/// The least period that a theorem proves by the values of a table.
fn proof(table: &Table, ruleset: &Ruleset, theorem: Theorem) -> Option<Proof> {
    let known = table.len() as u64;
    let range = theorem.prover(ruleset, table);
    let least_match = |period| theorem.least_match(known, period);
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
        return detect::repetition(table, theorem.compares(), least_match, proof);
    }
    // All periods with so long a repetition are multiples of the first one, which is the least.
    let least = detect::repetition(table, theorem.compares(), least_match, |found| {
        theorem.allows(found).then_some(*found)
    });
    least.and_then(|found| proof(&found))
}

/// The least period of these numbers, one for each heap from 0 on, if the theorem makes it hold for ever. The theorems about
/// nim-values hold for any quantity that follows from those of the options by the same rule for all heaps, such as the element of
/// a heap in a misère quotient.
pub(crate) fn least_period(numbers: &[u16], theorem: Theorem) -> Option<Period> {
    let known = numbers.len() as u64;
    let least_match = |period| theorem.least_match(known, period);
    detect::repetition(
        &Codes::from(numbers),
        Compared::Values,
        least_match,
        |found| {
            let needs = theorem.needs(found)?;
            (needs <= known).then_some(*found)
        },
    )
}

/// How many values would prove the repetition that is seen, if that is known.
fn needs(theorems: &[Theorem], bounds: Option<&Bounds>, seen: &Period) -> Option<u64> {
    let theorems = theorems.iter().filter(|theorem| theorem.allows(seen));
    let by_code = theorems.filter_map(|theorem| theorem.needs(seen));
    by_code.chain(bounds.and_then(|it| it.needs(seen))).min()
}

fn missing(
    seen: &Period,
    known: u64,
    theorems: Result<Vec<Theorem>, NoTheorem>,
    bounds: Option<&Bounds>,
) -> Missing {
    let theorems = match theorems {
        Ok(theorems) => theorems,
        Err(why) => return why.into(),
    };
    if theorems == [Theorem::OneSet] && seen.preperiod > 0 {
        return Missing::Preperiod;
    }
    if !theorems.iter().any(|theorem| theorem.allows(seen)) {
        return Missing::Saltus;
    }
    match needs(&theorems, bounds, seen) {
        Some(needs) if needs > known => Missing::Values(needs - 1),
        Some(_) if theorems == [Theorem::OneSet] => Missing::Joins,
        Some(_) => Missing::Hypotheses,
        None => Missing::MoreValues,
    }
}
