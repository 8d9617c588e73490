//! The errors that say why an answer in misère play is out of reach.

use super::{Misere, Play};
use crate::error::{Bound, Error, Reason};
use crate::exhaustive::Limit;

/// The bound of the effort that a limit comes from.
fn bound(play: &Play<'_>, limit: Limit) -> Bound {
    match limit {
        Limit::Memory | Limit::Elements => Bound::Memory(play.effort.memory),
        Limit::Positions | Limit::Options | Limit::Interrupted => {
            Bound::Positions(play.effort.positions)
        }
    }
}

impl Misere {
    /// The error that the search for an outcome found none.
    pub(super) fn why_stopped(&self, play: &Play<'_>, limit: Limit) -> Error {
        let order = self.learner.proved().order();
        let last = self.heaps_covered().checked_sub(1);
        Error::MisereOutOfReach {
            game: play.ruleset.name().to_owned(),
            reason: Reason::Searched {
                searched: self.search.positions(),
                bound: bound(play, limit),
                by_options: limit == Limit::Options,
                proved: last.filter(|&last| last > 0).map(|last| (order, last)),
            },
        }
    }

    /// The error that a genus was not found.
    pub(super) fn no_genus(&self, play: &Play<'_>, heaps: &[u64], limit: Limit) -> Error {
        Error::MisereOutOfReach {
            game: play.ruleset.name().to_owned(),
            reason: Reason::Genus {
                heaps: heaps.to_vec(),
                bound: bound(play, limit),
            },
        }
    }

    /// The error that the quotient of the heaps from `heap` on is out of reach.
    pub(super) fn why_ended(&self, play: &Play<'_>, heap: u64) -> Error {
        Error::QuotientOutOfReach {
            game: play.ruleset.name().to_owned(),
            heap,
            reason: Reason::Quotient {
                bound: bound(play, self.learner.ended().unwrap_or(Limit::Positions)),
                order: self.learner.proved().order(),
                last: heap - 1,
            },
        }
    }
}
