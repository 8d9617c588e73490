//! What can be wrong with a graph, and where.

use super::dot::{DotFault, Unclosed};
use super::json::JsonError;
use crate::printable::{joined, printable, size_allowed, size_wanted};
use std::fmt;

/// The error that a graph can't be read, or that its game need not end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The graph has no vertex.
    #[error("the graph has no vertices; a line `a b` is a move from a to b")]
    Empty,
    /// The text isn't of the format.
    #[error("{place}: {fault}")]
    Malformed {
        /// The place of the fault.
        place: Place,
        /// What is wrong at this place.
        fault: GraphFault,
    },
    /// A move leads from a vertex to itself.
    #[error(
        "{place}: {} has a move to itself, so the game need not end; the graph must have no cycles",
        printable(vertex)
    )]
    SelfLoop {
        /// The place of the move.
        place: Place,
        /// The vertex.
        vertex: String,
    },
    /// An edge has a vertex that is missing in the graph's list of vertices.
    #[error(
        "{place}: {} is not among the vertices that the graph lists",
        printable(vertex)
    )]
    Undeclared {
        /// The place of the edge.
        place: Place,
        /// The vertex.
        vertex: String,
    },
    /// The graph has no vertex of the name that was asked for.
    #[error(
        "there is no vertex `{}`; the graph's vertices are {}{}",
        printable(vertex),
        joined(some.iter().map(|name| printable(name)), ", "),
        if some.len() < *count { ", …" } else { "" }
    )]
    Unknown {
        /// The vertex.
        vertex: String,
        /// The names of the graph's vertices, or of the first of them.
        some: Vec<String>,
        /// How many vertices the graph has.
        count: usize,
    },
    /// Moves lead round in a cycle.
    #[error(
        "the graph has a cycle of {length} vertices, so the game need not end: {}",
        arrows(*length, begin, end)
    )]
    Cycle {
        /// How many vertices the cycle has.
        length: usize,
        /// The vertices in the order of the moves, with the first again at the end; of a long cycle only the first ones.
        begin: Vec<String>,
        /// The last vertices of the cycle, if some are left out between.
        end: Vec<String>,
    },
    /// The graph has more vertices or edges than 32 bits can count.
    #[error("the graph has more than 4294967294 vertices or edges")]
    TooLarge,
    /// The graph takes more memory than is allowed.
    #[error("the graph takes at least {}, more than the {} of memory allowed", size_wanted(*needed), size_allowed(*allowed))]
    Memory {
        /// The least number of bytes that the graph takes.
        needed: u64,
        /// The bytes allowed.
        allowed: u64,
    },
    /// The graph takes more memory than there is.
    #[error("the machine has no memory left for the graph")]
    NoMemory,
}

impl GraphError {
    /// Whether the fault lies in the graph, rather than in the memory that it takes.
    pub fn is_usage(&self) -> bool {
        !matches!(self, GraphError::Memory { .. } | GraphError::NoMemory)
    }
}

/// What is wrong at a place of a graph's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphFault {
    /// The text is in UTF-16.
    #[error("the text is UTF-16; it must be saved as UTF-8")]
    Utf16,
    /// The text has a byte of value 0.
    #[error("a byte of value 0: this is not text")]
    NotText,
    /// The text has a byte that UTF-8 does not allow there.
    #[error("a byte that is not UTF-8; the text must be saved as UTF-8")]
    NotUtf8,
    /// A line of a list of edges that is neither an edge nor a vertex.
    #[error("{0}; a line is `a b` or `a -> b`, a move from a to b, or one name alone")]
    Edge(EdgeFault),
    /// The text breaks the rules of DOT.
    #[error("{fault}{}{}", ended(*unclosed), commented(*after_hash))]
    Dot {
        /// What is wrong.
        fault: DotFault,
        /// What the text ends with, if it is not closed.
        unclosed: Option<Unclosed>,
        /// Whether a comment that `#` began stands where the value of an attribute should.
        after_hash: bool,
    },
    /// A key stands twice: a vertex with its neighbours, or `edges` or `vertices`.
    #[error("the key {0:?} appears twice")]
    RepeatedKey(String),
    /// The text is no JSON, or JSON of another shape.
    #[error("{}", .0.without_place())]
    Json(#[source] JsonError),
}

fn arrows(length: usize, begin: &[String], end: &[String]) -> String {
    let between = match begin.len() + end.len() <= length {
        true => Some("…".into()),
        false => None,
    };
    let [begin, end] = [begin, end].map(|part| part.iter().map(|name| printable(name)));
    joined(begin.chain(between).chain(end), " -> ")
}

fn ended(unclosed: Option<Unclosed>) -> String {
    unclosed.map_or_else(String::new, |by| format!("; the text ends with {by}"))
}

fn commented(after_hash: bool) -> &'static str {
    match after_hash {
        true => "; `#` began a comment after `=`, a colour like \"#ff0000\" needs quotes",
        false => "",
    }
}

/// What is wrong with a line of a list of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EdgeFault {
    /// More names than an edge has.
    #[error("more than two names")]
    ManyNames,
    /// More arrows than an edge has.
    #[error("more than one `->`")]
    ManyArrows,
    /// An arrow with more than one stroke, which could also end a name.
    #[error("`-->` in the place of `->`")]
    LongArrow,
    /// An arrow that goes out of nothing.
    #[error("no vertex on the left of `->`")]
    NoTail,
    /// An arrow that goes to nothing.
    #[error("no vertex on the right of `->`")]
    NoHead,
}

/// A place in a graph's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line, from 1.
    Line(u32),
    /// A character of a line, both from 1.
    Character {
        /// The line.
        line: u32,
        /// How many characters of the line there are up to this one.
        column: u32,
    },
    /// An edge, from 1 in the order of the text.
    Edge(u32),
}

impl Place {
    /// The place of a byte of a text.
    pub(crate) fn of_byte(text: &[u8], at: usize) -> Place {
        let before = &text[..at.min(text.len())];
        let count = |number: usize| u32::try_from(number + 1).unwrap_or(u32::MAX);
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let begins_character = |byte: &&u8| **byte & 0xc0 != 0x80;
        Place::Character {
            line: count(memchr::memchr_iter(b'\n', before).count()),
            column: count(before[line_start..].iter().filter(begins_character).count()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Character { line, column } => write!(f, "line {line}, column {column}"),
            Place::Edge(edge) => write!(f, "edge {edge}"),
        }
    }
}
