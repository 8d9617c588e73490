//! The entry in the catalogue of a game that is not a sum of heaps.

use super::Game;
use crate::engine::Effort;
use crate::ruleset::{Entry, NameError};

/// Opens a game by its name, with what its answers may cost.
type Opener = fn(&Name<'_>, Effort) -> Result<Box<dyn Game>, NameError>;

/// A game that is not a sum of piles.
pub(super) struct OtherGame {
    /// What the catalogue says of the game.
    pub entry: Entry,
    /// Whether a colon and a number may follow its name.
    pub takes_parameter: bool,
    /// Makes the game of its name.
    pub open: Opener,
}

impl OtherGame {
    /// Whether this is a name of the game.
    pub fn is_called(&self, name: &Name<'_>) -> bool {
        let family = |own: &str| own.split(':').next() == Some(name.family);
        self.entry.names().any(family) && (self.takes_parameter || name.parameter.is_none())
    }
}

/// What a game is called, taken apart.
pub(super) struct Name<'n> {
    /// The whole name as the catalogue spells it.
    whole: &'n str,
    /// What stands before the colon.
    pub family: &'n str,
    /// What stands behind the colon, if there is one.
    pub parameter: Option<&'n str>,
}

impl<'n> Name<'n> {
    pub fn new(whole: &'n str) -> Name<'n> {
        let (family, parameter) = match whole.split_once(':') {
            Some((family, parameter)) => (family, Some(parameter)),
            None => (whole, None),
        };
        Name {
            whole,
            family,
            parameter,
        }
    }

    /// The number behind the colon, if one is there.
    ///
    /// # Errors
    /// If `what` stands there and isn't a number.
    pub fn number(&self, what: &'static str) -> Result<Option<u64>, NameError> {
        let number = self.parameter.map(crate::position::number).transpose();
        number.map_err(|_| self.wrong_parameter(what))
    }

    /// What is said if something other than `what` stands behind the colon.
    pub fn wrong_parameter(&self, what: &'static str) -> NameError {
        NameError::Parameter {
            name: self.whole.to_owned(),
            what,
        }
    }
}
