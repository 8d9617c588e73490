//! Why the library can't answer: the input can't be read, the answer is out of reach, or a certificate states what is false.

mod certificate;
mod code;
mod contradiction;
mod dot;
mod game;
mod graph;
mod json;
mod reason;
mod start;
mod theorem;

pub use certificate::CertificateFault;
pub use code::{CodeError, CodeFault};
pub use contradiction::{Contradiction, Stated, Which};
pub use dot::{DotFault, Unclosed};
pub use game::{Expected, NameError, RuleFault, SetFault};
pub use graph::{EdgeFault, GraphError, GraphFault, Place};
pub use json::JsonError;
pub use reason::{Bound, Reason, Unfit};
pub use start::StartFault;
pub use theorem::NoTheorem;

use crate::position::PileError;
use crate::printable::{printable, size_allowed, size_wanted};

/// A bound that can be raised to carry further the work that it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoreEffort {
    /// The number of positions to allow, see [`Effort::positions`](crate::engine::Effort).
    Positions(u64),
    /// The number of steps to allow for a table, see [`Effort::steps`](crate::engine::Effort).
    Steps(u64),
    /// More memory.
    Memory,
}

/// Why an answer can't be given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A pile can't be read.
    #[error(transparent)]
    Pile(#[from] PileError),
    /// The name of a game can't be read.
    #[error(transparent)]
    Game(#[from] NameError),
    /// The game isn't played with these piles.
    #[error("{game} can't be played with these piles: {fault}")]
    Start {
        /// The game.
        game: String,
        /// What is wrong with the piles.
        fault: StartFault,
    },
    /// One of the games of a sum has a fault.
    #[error("part {}, {}: {fault}", part + 1, printable(game))]
    Part {
        /// The index of the game in the sum, counted from 0.
        part: usize,
        /// The game.
        game: String,
        /// The fault.
        fault: Box<Error>,
    },
    /// The graph can't be read, or has a cycle, so that the game need not end.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A nim-value is beyond the 16 bits that a table holds.
    #[error("the nim-value of pile {heap} is larger than 65535, the most that a table holds")]
    ValueTooLarge {
        /// The heap with this value.
        heap: u64,
    },
    /// The table would not fit in the memory allowed.
    #[error(
        "a table of {} doesn't fit in the {} of memory allowed", size_wanted(*needed), size_allowed(*allowed)
    )]
    Memory {
        /// The bytes needed.
        needed: u64,
        /// The bytes allowed.
        allowed: u64,
        /// The largest heap that would fit.
        would_do: u64,
    },
    /// The machine has no more memory, whatever is allowed.
    #[error(
        "{} of memory are needed, and the machine has no more", size_wanted(*needed)
    )]
    NoMemory {
        /// The bytes wanted.
        needed: u64,
    },
    /// The work would take unreasonably long.
    #[error("pile {heap} of {game} is out of reach: {reason}")]
    OutOfReach {
        /// The game.
        game: String,
        /// The heap asked for.
        heap: u64,
        /// What the answer would take.
        reason: Reason,
        /// The largest heap that is within reach.
        would_do: u64,
    },
    /// No rule gives the nim-value, and finding it would take too long or too much memory.
    #[error("a nim-value of {game} is out of reach: {reason}")]
    ValueOutOfReach {
        /// The game.
        game: String,
        /// How far the work got.
        reason: Reason,
    },
    /// Finding the misère outcome would take too long or too much memory.
    #[error("a misère outcome of {game} is out of reach: {reason}")]
    MisereOutOfReach {
        /// The game.
        game: String,
        /// How far the work got.
        reason: Reason,
    },
    /// The misère quotient outgrows what is allowed.
    #[error("the misère quotient of {game} ends before pile {heap}: {reason}")]
    QuotientOutOfReach {
        /// The game.
        game: String,
        /// The first heap that is not covered.
        heap: u64,
        /// Which bound was met, and how far the work got.
        reason: Reason,
    },
    /// The engine asked for by name can't compute the game.
    #[error("the {engine} engine can't compute {game}: {reason}")]
    EngineUnfit {
        /// The engine.
        engine: &'static str,
        /// The game.
        game: String,
        /// What keeps the engine from it.
        reason: Unfit,
    },
    /// A rule of one's own leaves a heap that is no smaller, so that its game need not end.
    #[error(
        "the rule of {game} lets a move in a pile of {heap} leave a pile of {left}: every pile left must be smaller"
    )]
    NotEnding {
        /// The game.
        game: String,
        /// The heap in which the move is made.
        heap: u64,
        /// The heap that the move leaves.
        left: u64,
    },
    /// A part of a sum of games has no piles.
    #[error("its piles are missing")]
    NoPiles,
    /// The certificate can't be read.
    #[error("not a certificate: {0}")]
    NoCertificate(CertificateFault),
    /// The certificate states something false.
    #[error("the certificate is false: its {field} is {stated}, but {found}")]
    FalseCertificate {
        /// Which field of the certificate is wrong.
        field: &'static str,
        /// What the certificate states.
        stated: Stated,
        /// What contradicts it.
        found: Contradiction,
    },
    /// A value asked for was forgotten to save memory, or is not known yet.
    #[error("the value of pile {heap} is not kept")]
    Forgotten {
        /// The first pile whose value is not kept.
        heap: u64,
    },
    /// The work was stopped from outside.
    #[error("interrupted")]
    Interrupted,
}

// The text of the error contains the fault, so the fault is not given as its source too.
impl From<CertificateFault> for Error {
    fn from(fault: CertificateFault) -> Error {
        Error::NoCertificate(fault)
    }
}

impl Error {
    /// The bound that would carry the work further if it were raised, if that is known.
    pub fn more(&self) -> Option<MoreEffort> {
        match self {
            Error::Part { fault, .. } => fault.more(),
            Error::OutOfReach { reason, .. }
            | Error::ValueOutOfReach { reason, .. }
            | Error::MisereOutOfReach { reason, .. }
            | Error::QuotientOutOfReach { reason, .. } => reason.more(),
            _ => None,
        }
    }

    /// The error that a game of this name isn't played with some piles.
    pub(crate) fn start(game: &str, fault: StartFault) -> Error {
        let game = game.to_owned();
        Error::Start { game, fault }
    }

    /// The error of a part of a sum, which is this game; an interruption is returned as it is.
    pub(crate) fn within(self, part: usize, game: &str) -> Error {
        match self {
            Error::Interrupted => Error::Interrupted,
            fault => Error::Part {
                part,
                game: game.to_owned(),
                fault: Box::new(fault),
            },
        }
    }

    /// Whether the fault lies in what was asked, and not in the work itself.
    pub fn is_usage(&self) -> bool {
        match self {
            Error::Graph(error) => error.is_usage(),
            Error::Part { fault, .. } => fault.is_usage(),
            Error::Pile(_)
            | Error::Game(_)
            | Error::Start { .. }
            | Error::NoPiles
            | Error::NoCertificate(_)
            | Error::EngineUnfit { .. } => true,
            _ => false,
        }
    }
}
