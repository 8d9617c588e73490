//! Graphs as lists of edges: `a b` on a line is a move from a to b, a name alone a vertex.

use super::builder::Builder;
use super::{GraphError, Place, Warning};

/// Reads a list of edges. Names are parted by blanks, a comma, a semicolon or `->`; `#` starts a comment.
///
/// A first line of two numbers that could be those of the vertices and edges, as programming contests have it, is
/// warned of.
pub fn read(text: &str, builder: &mut Builder) -> Result<(), GraphError> {
    let mut header = Header::Expected;
    for (index, line) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).map_err(|_| GraphError::TooLarge)?;
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        let mut names = line.split("->").flat_map(names);
        let (from, to) = (names.next(), names.next());
        let what = names.next().map(|_| "more than two names");
        if let Some(what) = arrow_fault(line).or(what) {
            return Err(GraphError::Malformed {
                place: Place::Line(number),
                what: format!(
                    "{what}; a line is `a b` or `a -> b`, a move from a to b, or one name alone"
                ),
            });
        }
        let Some(from) = from else { continue };
        let from = builder.vertex(from)?;
        let Some(to) = to else {
            header = Header::None;
            continue;
        };
        header = header.then(number, line);
        let to = builder.vertex(to)?;
        builder.edge(from, to, number)?;
    }
    if let Header::Possible {
        line,
        vertices,
        edges,
        found,
    } = header
        && edges == found
        && edges > 0
    {
        let place = Place::Line(line);
        builder.warn(Warning::Header {
            place,
            vertices,
            edges,
        })?;
    }
    Ok(())
}

/// Whether the first line may count the vertices and the edges.
enum Header {
    /// No line has been read.
    Expected,
    /// It may: the edges behind it are between vertices that are numbers up to the first.
    Possible {
        line: u32,
        vertices: u64,
        edges: u64,
        found: u64,
    },
    /// It doesn't.
    None,
}

impl Header {
    fn then(self, number: u32, line: &str) -> Header {
        if matches!(self, Header::None) {
            return self;
        }
        let numbers: Option<Vec<u64>> = names(line).map(|name| name.parse().ok()).collect();
        match (self, numbers.as_deref()) {
            (Header::Expected, Some(&[vertices, edges])) => Header::Possible {
                line: number,
                vertices,
                edges,
                found: 0,
            },
            (
                Header::Possible {
                    line,
                    vertices,
                    edges,
                    found,
                },
                Some(&[from, to]),
            ) if from.max(to) <= vertices => Header::Possible {
                line,
                vertices,
                edges,
                found: found + 1,
            },
            _ => Header::None,
        }
    }
}

/// What is wrong about the arrows of a line.
fn arrow_fault(line: &str) -> Option<&'static str> {
    let (left, right) = line.split_once("->")?;
    let is_empty = |side| names(side).next().is_none();
    if right.contains("->") {
        Some("more than one `->`")
    } else if is_empty(left) {
        Some("no vertex on the left of `->`")
    } else {
        is_empty(right).then_some("no vertex on the right of `->`")
    }
}

fn names(part: &str) -> impl Iterator<Item = &str> {
    part.split(|c: char| c.is_whitespace() || c == ',' || c == ';')
        .filter(|name| !name.is_empty())
}
