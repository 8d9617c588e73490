//! What a proof of a period lacks, as data that say it in words.

use crate::error::NoTheorem;

/// What would prove a period that is seen, or why nothing known does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Missing {
    /// A theorem for the game.
    #[error(transparent)]
    Theorem(#[from] NoTheorem),
    /// A theorem by which one set of numbers to take has a preperiod.
    #[error("this program knows no theorem that gives such a set a preperiod")]
    Preperiod,
    /// A theorem by which such a code has a saltus.
    #[error("this program knows no theorem that gives such a code a saltus")]
    Saltus,
    /// The values up to this heap.
    #[error("a proof needs the nim-values to pile {0}")]
    Values(u64),
    /// That no number that may be taken joins equal values.
    #[error("some number that may be taken may join equal values")]
    Joins,
    /// What the theorem for arithmetic periods supposes.
    #[error("these values don't satisfy the theorem for arithmetic periods")]
    Hypotheses,
    /// More values; how many is not known.
    #[error("a proof needs more values")]
    MoreValues,
}
