//! What can go wrong, once a game and a position are understood or before.

use crate::position::PileError;
use crate::ruleset::NameError;

/// Why an answer can't be given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A pile that can't be read.
    #[error(transparent)]
    Pile(#[from] PileError),
    /// A game that can't be read.
    #[error(transparent)]
    Game(#[from] NameError),
    /// A nim-value beyond the 16 bits that a table holds.
    #[error(
        "the nim-value of pile {heap} is larger than 65535, the most that a table holds; piles below {heap} can be analysed"
    )]
    ValueTooLarge {
        /// The heap.
        heap: u64,
    },
    /// The table would not fit in the memory allowed, or the machine has no more.
    #[error(
        "a table of {needed} bytes doesn't fit in the {allowed} bytes of memory allowed\nhelp: piles up to {would_do} would do"
    )]
    Memory {
        /// The bytes needed.
        needed: u64,
        /// The bytes allowed.
        allowed: u64,
        /// The largest heap that would fit.
        would_do: u64,
    },
    /// The work would take unreasonably long.
    #[error(
        "pile {heap} of {game} is out of reach: {reason}\nhelp: piles up to {would_do} would do"
    )]
    OutOfReach {
        /// The game.
        game: String,
        /// The heap.
        heap: u64,
        /// What it would take.
        reason: String,
        /// The largest heap that would do.
        would_do: u64,
    },
    /// An engine asked for by name that can't do the game.
    #[error(
        "the {engine} engine can't do {game}: {reason}\nhelp: the engine is chosen well without being named"
    )]
    EngineUnfit {
        /// The engine.
        engine: &'static str,
        /// The game.
        game: String,
        /// What is in its way.
        reason: String,
    },
    /// A rule of one's own whose game need not end.
    #[error(
        "the rule of {game} lets a move in a pile of {heap} leave a pile of {left}: every pile left must be smaller"
    )]
    NotEnding {
        /// The game.
        game: String,
        /// The heap moved on.
        heap: u64,
        /// The heap left.
        left: u64,
    },
    /// The work was stopped from outside.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// The machine has no memory for `needed` bytes.
    pub(crate) fn out_of_memory(needed: u64) -> Error {
        Error::Memory {
            needed,
            allowed: needed,
            would_do: needed / 2,
        }
    }

    /// Whether the fault lies in what was asked, rather than in the work itself.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Error::Pile(_) | Error::Game(_) | Error::EngineUnfit { .. }
        )
    }
}
