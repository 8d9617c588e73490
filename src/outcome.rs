//! Who wins a position, and under which convention.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Who wins when both sides play perfectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// An N-position: the Next player to move wins.
    N,
    /// A P-position: the Previous player, who has just moved, wins.
    P,
}

impl Outcome {
    /// The outcome of a position that the player to move loses if `is_lost`, else wins.
    pub(crate) fn of_lost(is_lost: bool) -> Outcome {
        if is_lost { Outcome::P } else { Outcome::N }
    }

    /// Whether the player to move wins.
    pub fn is_winning(self) -> bool {
        self == Outcome::N
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::N => "N",
            Outcome::P => "P",
        })
    }
}

/// The convention of play: whether the last move wins or loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Convention {
    /// The player who can't move loses.
    #[default]
    Normal,
    /// The player who can't move wins: whoever made the last move loses.
    Misere,
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Convention::Normal => "normal",
            Convention::Misere => "misere",
        })
    }
}
