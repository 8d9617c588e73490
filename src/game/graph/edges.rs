//! Graphs as lists of edges: `a b` on a line is a move from a to b, a name alone a vertex.

use super::builder::Builder;
use super::{GraphError, GraphFault, Place, Warning};
use crate::error::EdgeFault;

/// Reads a list of edges. Names are parted by blanks, a comma, a semicolon or `->`; `#` starts a comment.
///
/// A first line of two numbers that could be those of the vertices and edges, as programming contests have it, is
/// warned of.
pub fn read(text: &str, builder: &mut Builder) -> Result<(), GraphError> {
    let mut header = None;
    let mut begins = true;
    for (index, line) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).map_err(|_| GraphError::TooLarge)?;
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        let mut names = line.split("->").flat_map(names);
        let (from, to) = (names.next(), names.next());
        let fault = names.next().map(|_| EdgeFault::ManyNames);
        if let Some(fault) = arrow_fault(line).or(fault) {
            return Err(GraphError::Malformed {
                place: Place::Line(number),
                fault: GraphFault::Edge(fault),
            });
        }
        let Some(from) = from else { continue };
        let from = builder.vertex(from)?;
        let is_first = std::mem::take(&mut begins);
        let Some(to) = to else {
            header = None;
            continue;
        };
        let may_count = is_first || header.is_some();
        let numbers = may_count.then(|| two_numbers(line)).flatten();
        header = match (header, numbers) {
            (None, Some((vertices, edges))) => Some(Header {
                line: number,
                vertices,
                edges,
                found: 0,
            }),
            (Some(header), Some((from, to))) if from.max(to) <= header.vertices => Some(Header {
                found: header.found + 1,
                ..header
            }),
            _ => None,
        };
        let to = builder.vertex(to)?;
        builder.edge(from, to, number)?;
    }
    if let Some(header) = header
        && header.edges == header.found
        && header.edges > 0
    {
        builder.warn(Warning::Header {
            place: Place::Line(header.line),
            vertices: header.vertices,
            edges: header.edges,
        })?;
    }
    Ok(())
}

/// A first line that may count the vertices and the edges, as long as the edges behind it are between vertices whose numbers are
/// at most the first number of the line.
struct Header {
    line: u32,
    vertices: u64,
    edges: u64,
    found: u64,
}

/// The two numbers of a line that consists of two numbers.
fn two_numbers(line: &str) -> Option<(u64, u64)> {
    let mut numbers = names(line).map(|name| name.parse().ok());
    numbers.next()?.zip(numbers.next()?)
}

/// The fault of the arrows in a line, if there is one.
fn arrow_fault(line: &str) -> Option<EdgeFault> {
    let (left, right) = line.split_once("->")?;
    let is_empty = |side| names(side).next().is_none();
    if right.contains("->") {
        Some(EdgeFault::ManyArrows)
    } else if left.ends_with('-') {
        Some(EdgeFault::LongArrow)
    } else if is_empty(left) {
        Some(EdgeFault::NoTail)
    } else {
        is_empty(right).then_some(EdgeFault::NoHead)
    }
}

fn names(part: &str) -> impl Iterator<Item = &str> {
    part.split(|c: char| c.is_whitespace() || c == ',' || c == ';')
        .filter(|name| !name.is_empty())
}
