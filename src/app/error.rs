//! What the program refuses itself, beside the errors of the library.

use crate::error::{Error, GraphError, NameError};
use crate::position::PileError;

/// Why a command can't do what is asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// What the library reports.
    #[error(transparent)]
    Library(#[from] Error),
    /// Options that make no sense together, or a file that can't be read.
    #[error("{0}")]
    Usage(String),
    /// A position with too many moves to list them for a person.
    #[error("{}, too many to play\nhelp: use smaller or fewer piles", too_many(*most))]
    TooLargeToPlay {
        /// The most moves that a position of as many piles may have; 0 if it has too many piles for any.
        most: u64,
    },
    /// A record of a game that can't be played again.
    #[error("line {line}: {what}")]
    Record {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
}

impl From<GraphError> for Refused {
    fn from(error: GraphError) -> Refused {
        Refused::Library(error.into())
    }
}

impl From<NameError> for Refused {
    fn from(error: NameError) -> Refused {
        Refused::Library(error.into())
    }
}

impl From<PileError> for Refused {
    fn from(error: PileError) -> Refused {
        Refused::Library(error.into())
    }
}

fn too_many(most: u64) -> String {
    match most {
        0 => "this position has about a million piles or more".to_owned(),
        most => format!("this position has more than {most} moves"),
    }
}

/// The error of the library that ended a command, if one did.
pub fn library(error: &anyhow::Error) -> Option<&Error> {
    match error.downcast_ref() {
        Some(Refused::Library(error)) => Some(error),
        Some(_) => None,
        None => error.downcast_ref(),
    }
}

/// Whether the fault lies in what was asked, rather than in the work itself.
pub fn is_usage(error: &anyhow::Error) -> bool {
    match library(error) {
        Some(error) => error.is_usage(),
        None => error.is::<Refused>(),
    }
}
