//! The errors of the program itself, beside those of the library, and the help that it adds to both: what would be right, or what
//! would do instead.

use crate::error::{CertificateFault, Error, MoreEffort, NameError, Reason, StartFault};
use crate::printable::{printable, size_allowed};
use std::error::Error as StdError;
use std::io;
use std::path::{Path, PathBuf};

/// Why a command can't do what is asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The library has reported an error.
    #[error(transparent)]
    Library(Error),
    /// Options make no sense together, or a file can't be read.
    #[error("{0}")]
    Usage(String),
    /// The file is no certificate.
    #[error("not a certificate: {}: {fault}", file.display())]
    NoCertificate {
        file: PathBuf,
        fault: CertificateFault,
    },
    /// The position has too many moves to list them for a person.
    #[error("{}, too many to play\nhelp: use smaller or fewer piles", too_many(*most))]
    TooLargeToPlay {
        /// The most moves that a position of as many piles may have; 0 if it has too many piles for any.
        most: u64,
    },
    /// The values would be computed one after another for hours, and not be saved.
    #[error(
        "pile {heap} of {game} is out of reach: its values must be computed one after another, and so many take hours; --checkpoint FILE allows that and saves the work\nhelp: piles up to {would_do} are within reach"
    )]
    Hours {
        game: String,
        heap: u64,
        /// The largest heap that is within reach.
        would_do: u64,
    },
    /// The time was too short for a misère quotient.
    #[error("the misère quotient of {game} ends before pile {heap}: the time limit is reached")]
    Late {
        game: String,
        /// The first heap that is not covered.
        heap: u64,
    },
    /// What must be kept at once is more than the memory allowed.
    #[error("{kept} would take more than the {} of memory allowed", size_allowed(*allowed))]
    NoRoom {
        kept: Kept,
        /// The bytes allowed.
        allowed: u64,
    },
    /// The record of a game can't be played again.
    #[error("line {line}: {what}")]
    Record {
        /// The line, from 1.
        line: usize,
        what: String,
    },
}

/// What must be kept in memory at once.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Kept {
    /// A position with this number of piles.
    #[error("a position of {0} piles")]
    Piles(usize),
    /// The positions of a game.
    #[error("the positions of a game of {moves} moves")]
    Game {
        /// How many moves it has so far.
        moves: usize,
    },
    /// The content of a checkpoint.
    #[error("the {what} in {}", file.display())]
    Saved {
        /// Whether the content is values or a search.
        what: &'static str,
        file: PathBuf,
    },
}

/// Returns from a function with a refusal, in words written as by `format!`.
macro_rules! refuse {
    ($($words:tt)*) => {
        return Err($crate::app::error::Refused::Usage(format!($($words)*)).into())
    };
}

pub(crate) use refuse;

impl Refused {
    /// The refusal of a file that can't be read.
    pub fn unreadable(file: &Path) -> impl Fn(io::Error) -> Refused + Copy + '_ {
        |error| Refused::Usage(format!("can't read {}: {error}", file.display()))
    }

    /// The refusal of a part of a sum, which is this game, in the form that the library gives to the errors of parts.
    pub fn within(self, part: usize, game: &str) -> Refused {
        match self {
            Refused::Library(error) => Refused::Library(error.within(part, game)),
            refused => Refused::Usage(format!("part {}, {}: {refused}", part + 1, printable(game))),
        }
    }
}

impl<E: Into<Error>> From<E> for Refused {
    fn from(error: E) -> Refused {
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
        None => !matches!(
            error.downcast_ref(),
            None | Some(Refused::Hours { .. } | Refused::Late { .. } | Refused::NoRoom { .. })
        ),
    }
}

/// The words of an error, with what would be right or would do instead.
pub fn in_words(error: &(dyn StdError + 'static)) -> String {
    format!("{error}{}", remedy(error))
}

/// The addition to an error: what would be right or would do instead, after a semicolon or in a line below. Empty where the error
/// says it all.
pub fn remedy(error: &(dyn StdError + 'static)) -> String {
    let library = match error.downcast_ref() {
        Some(Refused::Library(error)) => Some(error),
        _ => error.downcast_ref(),
    };
    let name = match library {
        Some(Error::Game(name)) => Some(name),
        _ => error.downcast_ref(),
    };
    match error.downcast_ref() {
        Some(Refused::NoRoom { .. }) => {
            return "\nhelp: use smaller or fewer piles, or allow more".to_owned();
        }
        Some(Refused::Late { .. }) => return "\nhelp: a larger --seconds goes further".to_owned(),
        _ => {}
    }
    let help = match (library, name.and_then(NameError::help)) {
        (_, Some(help)) => help.to_owned(),
        (Some(Error::Part { fault, .. }), _) => return remedy(&**fault),
        (
            Some(Error::Start {
                game,
                fault: StartFault::NotOne(_),
            }),
            _,
        ) => {
            let family = game.split(':').next().unwrap_or(game);
            return format!("; several are a sum, as in {family} 20 + {family} 8");
        }
        (Some(Error::ValueTooLarge { heap }), _) => {
            return format!("; piles below {heap} can be analysed");
        }
        (
            Some(Error::ValueOutOfReach { reason, .. } | Error::MisereOutOfReach { reason, .. }),
            _,
        ) if is_of_a_search(reason) => {
            return "; use a smaller position".to_owned();
        }
        (
            Some(Error::MisereOutOfReach {
                reason: Reason::Tameness { would_do, .. },
                ..
            }),
            _,
        ) => format!("piles up to {would_do} can be looked through; no option allows more"),
        (Some(Error::OutOfReach { would_do, .. } | Error::Memory { would_do, .. }), _) => {
            format!("piles up to {would_do} are within reach")
        }
        (Some(Error::NoMemory { .. }), _) => {
            "use smaller or fewer piles, or let the process have more memory".to_owned()
        }
        (Some(Error::EngineUnfit { .. }), _) => {
            "where no engine is named, a suitable one is chosen".to_owned()
        }
        _ => return String::new(),
    };
    format!("\nhelp: {help}")
}

/// Whether the answer is out of reach because a search of a game tree found no end.
fn is_of_a_search(reason: &Reason) -> bool {
    matches!(
        reason,
        Reason::Unsettled { .. } | Reason::NotFound { .. } | Reason::FullMemory { .. }
    )
}

/// The options that can bring an answer within reach, if the error is that it is out of reach.
pub fn advice(error: &Error) -> Option<String> {
    Some(match error.more()? {
        MoreEffort::Positions(positions) => format!("--positions {positions} searches further"),
        MoreEffort::Steps(steps) => format!("--steps {steps} goes further"),
        MoreEffort::Memory => "a larger --memory searches further".to_owned(),
    })
}
