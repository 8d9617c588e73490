//! What can be wrong with piles that a game isn't played with.

use crate::printable::quoted;

/// Why a game can't be played with these piles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartFault {
    /// So many piles, in a game of one.
    #[error("it needs one pile, as in 20, not {0}")]
    NotOne(usize),
    /// Another number of piles than two, in a game of two.
    #[error("it needs two piles, as in {example}, not {found}")]
    NotTwo {
        /// Two piles.
        example: &'static str,
        /// How many piles there are.
        found: usize,
    },
    /// Piles for more or fewer games than a sum has.
    #[error("it has {parts} parts, which stand with a `+` between them, not {found}")]
    Parts {
        /// How many games the sum has.
        parts: usize,
        /// For how many games there are piles.
        found: usize,
    },
    /// A position of a sum that isn't those of as many games.
    #[error("a position has {parts} parts, each behind the length of its own")]
    NotParts {
        /// How many games the sum has.
        parts: usize,
    },
    /// A vertex that a graph doesn't have.
    #[error("{vertex} is not among the vertices 0 to {last}")]
    Vertex {
        /// The vertex.
        vertex: u64,
        /// The last that there is.
        last: u64,
    },
    /// More coins on the steps of a staircase than one step could hold.
    #[error("more than 2^64-1 coins in all")]
    TooManyCoins,
    /// Two coins of a strip on this square.
    #[error("two coins are on square {0}; each needs its own square")]
    SharedSquare(u64),
    /// This coin twice among those that show heads.
    #[error("coin {0} is named twice; a pile is the number of a coin that shows heads")]
    CoinTwice(u64),
    /// Coin 0, in a row that begins with 1.
    #[error("coin 0; the coins are numbered from 1")]
    CoinZero,
    /// A winning move that turns more coins than are shown.
    #[error("a winning move turns {turned} coins side by side; up to {shown} are shown")]
    ManyTurned {
        /// How many coins it turns.
        turned: u64,
        /// The most that are shown.
        shown: u64,
    },
    /// A row of counters that isn't the squares of two.
    #[error("a row is the squares of its two counters, as in 2-7")]
    NotTwoCounters,
    /// Text that isn't a row of counters.
    #[error("`{}` is no row; a row is written 2-7", quoted(.0))]
    NotARow(String),
    /// Both counters of a row on this square.
    #[error("two counters are on square {0} of a row")]
    SharedSquareOfRow(u64),
    /// Counters beyond the ends of a row.
    #[error("the squares of a row are 1 to {last}, unlike those of {}-{}", row[0], row[1])]
    BeyondRow {
        /// The squares of the counters.
        row: [u64; 2],
        /// The last square.
        last: u64,
    },
    /// A number that no row of counters has.
    #[error("{row} is not among the rows 0 to {last}")]
    RowNumber {
        /// The number.
        row: u64,
        /// The last number of a row.
        last: u64,
    },
}
