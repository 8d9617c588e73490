//! What can be wrong with piles that a game isn't played with.

use crate::printable::quoted;

/// Why a game can't be played with these piles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartFault {
    /// The game has one pile, but this many are given.
    #[error("it needs one pile, as in 20, not {0}")]
    NotOne(usize),
    /// The game has two piles, but another number is given.
    #[error("it needs two piles, as in {example}, not {found}")]
    NotTwo {
        /// An example of two piles.
        example: &'static str,
        /// How many piles there are.
        found: usize,
    },
    /// A sum is given piles for more or fewer games than it has.
    #[error("it has {parts} parts, which stand with a `+` between them, not {found}")]
    Parts {
        /// How many games the sum has.
        parts: usize,
        /// For how many games there are piles.
        found: usize,
    },
    /// A position of a sum isn't made of as many positions as the sum has games.
    #[error("a position has {parts} parts, each behind the length of its own")]
    NotParts {
        /// How many games the sum has.
        parts: usize,
    },
    /// The graph doesn't have the vertex.
    #[error("{vertex} is not among the vertices 0 to {last}")]
    Vertex {
        /// The vertex.
        vertex: u64,
        /// The last vertex of the graph.
        last: u64,
    },
    /// The steps of a staircase have more coins than one step could hold.
    #[error("more than 2^64-1 coins in all")]
    TooManyCoins,
    /// Two coins of a strip are on this square.
    #[error("two coins are on square {0}; each needs its own square")]
    SharedSquare(u64),
    /// This coin stands twice among those that show heads.
    #[error("coin {0} is named twice; a pile is the number of a coin that shows heads")]
    CoinTwice(u64),
    /// Coin 0 is named, but the row begins with coin 1.
    #[error("coin 0; the coins are numbered from 1")]
    CoinZero,
    /// A winning move turns more coins than are shown.
    #[error("a winning move turns {turned} coins side by side; up to {shown} are shown")]
    ManyTurned {
        /// How many coins it turns.
        turned: u64,
        /// The most that are shown.
        shown: u64,
    },
    /// A row of counters isn't given by two squares.
    #[error("a row is the squares of its two counters, as in 2-7")]
    NotTwoCounters,
    /// The text isn't a row of counters.
    #[error("`{}` is no row; a row is written 2-7", quoted(.0))]
    NotARow(String),
    /// Both counters of a row are on this square.
    #[error("two counters are on square {0} of a row")]
    SharedSquareOfRow(u64),
    /// Counters lie beyond the ends of a row.
    #[error("the squares of a row are 1 to {last}, unlike those of {}-{}", row[0], row[1])]
    BeyondRow {
        /// The squares of the counters.
        row: [u64; 2],
        /// The last square.
        last: u64,
    },
    /// No row of counters has this number.
    #[error("{row} is not among the rows 0 to {last}")]
    RowNumber {
        /// The number.
        row: u64,
        /// The last number of a row.
        last: u64,
    },
}
