//! The entry in the catalogue of a game that is not a sum of heaps.

use super::Game;
use crate::engine::Effort;
use crate::ruleset::{Entry, NameError};

/// A function that opens a game by its name, with bounds on what its answers may cost.
type Opener = fn(&Name<'_>, Effort) -> Result<Box<dyn Game>, NameError>;

/// A game that is not a sum of piles.
pub(super) struct OtherGame {
    /// The entry of the game in the catalogue.
    pub entry: Entry,
    /// Whether a colon and a number may follow its name.
    pub takes_parameter: bool,
    /// The function that opens the game.
    pub open: Opener,
}

impl OtherGame {
    /// Whether this is a name of the game.
    pub fn is_called(&self, name: &Name<'_>) -> bool {
        let family = |own: &str| own.split(':').next() == Some(name.family);
        self.entry.names().any(family) && (self.takes_parameter || name.parameter.is_none())
    }
}

/// The parts of a game's name.
pub(super) struct Name<'n> {
    /// The whole name as the catalogue spells it.
    whole: &'n str,
    /// The part before the colon.
    pub family: &'n str,
    /// The part behind the colon, if there is one.
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
    /// If the part behind the colon isn't a number; `what` names the number that is expected.
    pub fn number(&self, what: &'static str) -> Result<Option<u64>, NameError> {
        let number = self.parameter.map(crate::position::number).transpose();
        number.map_err(|_| self.wrong_parameter(what))
    }

    /// The error that the part behind the colon isn't what it must be: `what`.
    pub fn wrong_parameter(&self, what: &'static str) -> NameError {
        NameError::Parameter {
            name: self.whole.to_owned(),
            what,
        }
    }
}
