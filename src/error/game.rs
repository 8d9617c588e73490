//! What can be wrong with the name or the code of a game.

use crate::printable::{caret_below, quoted};

/// A game's name that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No game has this name.
    #[error("unknown game `{}`{}", quoted(name), meant(near))]
    Unknown {
        /// What was given.
        name: String,
        /// The names that may have been meant.
        near: Vec<String>,
    },
    /// A family of games, named without the parameter that makes it one game.
    #[error("`{family}` is a family of games: it needs {what} after a colon, as in {example}")]
    Incomplete {
        /// The family.
        family: String,
        /// What is missing.
        what: &'static str,
        /// A game of the family.
        example: &'static str,
    },
    /// A subtraction or all-but set that can't be read.
    #[error("bad set `{}`: {what}", quoted(set))]
    Set {
        /// What was given.
        set: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A rule in words that isn't understood.
    #[error("bad rule `{}`: {what}{}", quoted(rule), below(rule, *at))]
    Rule {
        /// What was given.
        rule: String,
        /// The place of the fault, in characters from the start of `rule`.
        at: usize,
        /// What is wrong there.
        what: String,
        /// What would be right.
        help: &'static str,
    },
    /// A parameter that can't be read.
    #[error("bad game `{}`: after the colon comes {what}", quoted(name))]
    Parameter {
        /// What was given.
        name: String,
        /// What stands there.
        what: &'static str,
    },
    /// A game that is not a sum of piles, where one is asked for.
    #[error("{name} is not a sum of piles, so it has no sequence of nim-values")]
    NotHeaps {
        /// The game.
        name: String,
    },
    /// A bad take-and-break code.
    #[error(transparent)]
    Code(#[from] CodeError),
}

/// The rule again with a caret below a place in it, on lines of their own.
fn below(rule: &str, at: usize) -> String {
    let shown = caret_below(rule, at);
    shown.lines().map(|line| format!("\n  {line}")).collect()
}

fn meant(near: &[String]) -> String {
    let names: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!("; did you mean {}?", names.join(" or ")),
    }
}

/// A take-and-break code that can't be read: what is wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeError {
    /// The code as it was given.
    pub code: String,
    /// The place of the fault, in characters from the start of `code`.
    pub at: usize,
    /// What is wrong there.
    pub what: String,
    /// What would be right.
    pub help: String,
}

impl std::error::Error for CodeError {}

impl std::fmt::Display for CodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let below = below(&self.code, self.at);
        write!(f, "bad take-and-break code: {}{below}", self.what)
    }
}
