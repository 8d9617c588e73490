//! What is missing for the proof of a period, as data that can be put into words.

use crate::error::NoTheorem;

/// What would prove a period that is seen, or why no known theorem does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Missing {
    /// A theorem for the game is missing.
    #[error(transparent)]
    Theorem(#[from] NoTheorem),
    /// A theorem is missing by which one set of numbers to take has a preperiod.
    #[error("this program knows no theorem that gives such a set a preperiod")]
    Preperiod,
    /// A theorem is missing by which such a code has a saltus.
    #[error("this program knows no theorem that gives such a code a saltus")]
    Saltus,
    /// The values up to this heap are missing.
    #[error("a proof needs the nim-values to pile {0}")]
    Values(u64),
    /// It is missing that no number that may be taken joins equal values.
    #[error("some number that may be taken may join equal values")]
    Joins,
    /// The hypotheses of the theorem for arithmetic periods are missing.
    #[error("these values don't satisfy the theorem for arithmetic periods")]
    Hypotheses,
    /// More values are missing; how many is not known.
    #[error("a proof needs more values")]
    MoreValues,
}
