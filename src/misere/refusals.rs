//! What is said where an answer is out of reach, and how to ask for more.

use super::search::Stopped;
use super::{Misere, Play};
use crate::error::{Error, MoreEffort};
use crate::printable::size_allowed;

impl Misere {
    /// Why the search for an outcome came to no end.
    pub(super) fn why_stopped(&self, play: &Play<'_>, stopped: Stopped) -> Error {
        let searched = self.search.positions();
        let covered = self.heaps_covered();
        let order = self.learner.proved().order();
        let (why, more) = match stopped {
            Stopped::Positions => (
                "as many as allowed",
                MoreEffort::Positions(play.effort.positions.saturating_mul(10)),
            ),
            Stopped::Options => (
                "and the options of piles this large are too many to list",
                MoreEffort::Positions(play.effort.positions.saturating_mul(10)),
            ),
            _ => (
                "all that the memory allowed has room for",
                MoreEffort::Memory,
            ),
        };
        let smaller = match covered.checked_sub(1).filter(|&last| last > 0) {
            Some(last) => format!(
                "; a misère quotient of {order} elements is proved for piles up to {last}, whose positions are answered at once"
            ),
            None => String::new(),
        };
        Error::MisereOutOfReach {
            game: play.ruleset.name().to_owned(),
            reason: format!(
                "{searched} positions were searched without an outcome, {why}{smaller}"
            ),
            more: Some(more),
        }
    }

    /// Why a genus was not found.
    pub(super) fn no_genus(&self, play: &Play<'_>, heaps: &[u64], stopped: Stopped) -> Error {
        let effort = play.effort;
        let (allowed, more) = match stopped {
            Stopped::Memory => (
                format!("{} of memory", size_allowed(effort.memory)),
                MoreEffort::Memory,
            ),
            _ => (
                format!("{} positions", effort.positions),
                MoreEffort::Positions(effort.positions.saturating_mul(10)),
            ),
        };
        Error::MisereOutOfReach {
            game: play.ruleset.name().to_owned(),
            reason: format!("the genus of {heaps:?} takes more than the {allowed} allowed"),
            more: Some(more),
        }
    }

    /// Why the quotient of the heaps from one on is out of reach.
    pub(super) fn why_ended(&self, play: &Play<'_>, heap: u64) -> Error {
        let effort = play.effort;
        let proved = format!(
            "{} elements are proved for piles up to {}",
            self.learner.proved().order(),
            heap - 1
        );
        let positions = MoreEffort::Positions(effort.positions.saturating_mul(10));
        let (reason, more) = match self.learner.ended() {
            Some(Stopped::Memory | Stopped::Elements) => (
                format!(
                    "its elements were guessed and proved, but {} bytes of memory have no room for it; {proved}",
                    effort.memory
                ),
                MoreEffort::Memory,
            ),
            _ => (
                format!(
                    "its elements were guessed and proved for as long as the {} positions allowed would take; {proved}",
                    effort.positions
                ),
                positions,
            ),
        };
        Error::QuotientOutOfReach {
            game: play.ruleset.name().to_owned(),
            heap,
            reason,
            more: Some(more),
        }
    }
}
