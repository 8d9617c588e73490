//! Why no theorem proves a period, as data.

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
