//! What a proof of a period lacks, as data that say it in words.

/// Why no theorem covers a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoTheorem {
    /// The rule has no code.
    #[error("no theorem covers a rule without a take-and-break code")]
    NoCode,
    /// The code is infinite, and not of a form that a theorem covers.
    #[error(
        "this program knows no theorem for an infinite code whose last digits repeat in turn, or leave no single pile"
    )]
    Endless,
    /// A move may leave any number of heaps.
    #[error("no theorem covers a move that may leave any number of piles")]
    ManyHeaps,
    /// The heaps that a move leaves must be equal, or three or more of them unequal.
    #[error("this program knows no theorem for equal piles, or for three or more unequal ones")]
    Equality,
}

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
