//! What can be wrong with the name of a game.

use super::code::{CodeError, below};
use crate::printable::{joined, quoted};

/// The error that a game's name can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No game has the name.
    #[error("unknown game `{}`{}", quoted(name), meant(near))]
    Unknown {
        /// The name as it was given.
        name: String,
        /// The names of games that may have been meant.
        near: Vec<String>,
    },
    /// The name is that of a family of games, and the parameter that makes it one game is missing.
    #[error("`{family}` is a family of games: it needs {what} after a colon, as in {example}")]
    Incomplete {
        /// The family.
        family: String,
        /// The parameter that is missing.
        what: &'static str,
        /// A game of the family.
        example: &'static str,
    },
    /// The set of a subtraction or all-but game can't be read.
    #[error("bad set `{}`: {fault}", quoted(set))]
    Set {
        /// The set as it was given.
        set: String,
        /// What is wrong with the set.
        fault: SetFault,
    },
    /// The rule in words isn't understood.
    #[error("bad rule `{}`: {fault}{}", quoted(rule), below(rule, *at))]
    Rule {
        /// The rule as it was given.
        rule: String,
        /// The place of the fault, in characters from the start of `rule`.
        at: usize,
        /// What is wrong at this place.
        fault: RuleFault,
    },
    /// The parameter of a name can't be read.
    #[error("bad game `{}`: after the colon comes {what}", quoted(name))]
    Parameter {
        /// The name as it was given.
        name: String,
        /// What the parameter has to be.
        what: &'static str,
    },
    /// The game is not a sum of piles, but one is needed.
    #[error("{name} is not a sum of piles, so it has no sequence of nim-values")]
    NotHeaps {
        /// The game.
        name: String,
    },
    /// The take-and-break code can't be read.
    #[error(transparent)]
    Code(#[from] CodeError),
}

impl NameError {
    /// What to write instead, where the text of the error doesn't say it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            NameError::Code(error) => Some(error.fault.help()),
            NameError::Rule { fault, .. } => Some(fault.help()),
            NameError::Set { .. } => Some("a set is written 1,2,3 or 1-9"),
            _ => None,
        }
    }
}

fn meant(near: &[String]) -> String {
    let names = near.iter().map(|name| format!("`{name}`"));
    match near {
        [] => String::new(),
        _ => format!("; did you mean {}?", joined(names, " or ")),
    }
}

/// What is wrong with a subtraction or all-but set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetFault {
    /// A comma, or the end of a range, without a number beside it.
    #[error("an element is missing")]
    MissingElement,
    /// The element 0.
    #[error("a move takes at least one stone")]
    NoStone,
    /// An element larger than this, the largest.
    #[error("its elements may be at most {0}")]
    TooLarge(usize),
    /// An element that is no number.
    #[error("its elements must be whole numbers")]
    NotANumber,
    /// A range whose last number is below its first.
    #[error("a range goes from its smaller number to its larger")]
    FallingRange,
}

/// What is wrong at a place of a rule in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleFault {
    /// The rule ends where this was expected.
    #[error("it ends too early")]
    Ended(Expected),
    /// The word isn't understood where something else, which is given too, was expected.
    #[error("`{}` isn't understood", quoted(.0))]
    NotUnderstood(String, Expected),
    /// A taking of 0.
    #[error("a move takes at least one stone")]
    NoStone,
    /// A number larger than this, the largest.
    #[error("a number is from 1 to {0}")]
    TooLarge(usize),
    /// A range whose last number is below its first.
    #[error("a range goes from its smaller number to its larger")]
    FallingRange,
    /// It is unclear whether the words about the rest, which stand behind `, or` and a number, belong to that number or to all.
    #[error("it isn't clear whether this belongs to the last number or to all")]
    Unclear,
}

/// What is expected at a place of a rule in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// `take` or `split`.
    Verb,
    /// Numbers of stones that may be taken.
    Numbers,
    /// `and`, between the two numbers of a range.
    And,
    /// The way in which a pile may be split.
    Split,
    /// `or` or a comma.
    Or,
}

impl RuleFault {
    /// What to write instead.
    pub fn help(&self) -> &'static str {
        let expected = match self {
            RuleFault::Unclear => {
                return "say `take 1, or take 2 and may split the rest`, or `take 1 or 2 and may split the rest`";
            }
            RuleFault::Ended(expected) | RuleFault::NotUnderstood(_, expected) => *expected,
            _ => Expected::Numbers,
        };
        match expected {
            Expected::Verb => "expected `take` or `split` here",
            Expected::Numbers => {
                "what may be taken is 1, 1..9, half, up to half, any number, a divisor, a proper divisor, primes, squares, cubes, powers of 2, fibonacci numbers, odd numbers, even numbers or multiples of 3"
            }
            Expected::And => "between two numbers stands `and`",
            Expected::Split => {
                "a split is `split into two` or `split into unequal parts`, and behind a taking `and may split the rest`"
            }
            Expected::Or => "join numbers and splits by `or` and commas",
        }
    }
}
