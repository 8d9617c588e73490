//! Graphs as lists of edges: `a b` on a line is a move from a to b, a name alone a vertex.

use super::builder::Builder;
use super::{GraphError, Place};

/// Reads a list of edges. Names are parted by blanks, a comma, a semicolon or `->`; `#` starts a comment.
pub fn read(text: &str, builder: &mut Builder) -> Result<(), GraphError> {
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
        let Some(to) = to else { continue };
        let to = builder.vertex(to)?;
        builder.edge(from, to, number)?;
    }
    Ok(())
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
