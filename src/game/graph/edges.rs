//! Graphs as lists of edges: `a b` on a line is a move from a to b, a name alone a vertex.

use super::{Builder, GraphError, Place};

/// Reads a list of edges. Names are parted by blanks, a comma, a semicolon or `->`; `#` starts a comment.
pub fn read(text: &str, builder: &mut Builder) -> Result<(), GraphError> {
    for (index, line) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).map_err(|_| GraphError::TooLarge)?;
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        let mut names = names(line);
        let Some(from) = names.next() else { continue };
        let from = builder.vertex(from)?;
        let Some(to) = names.next() else { continue };
        let to = builder.vertex(to)?;
        if names.next().is_some() {
            return Err(GraphError::Malformed {
                place: Place::Line(number),
                what: "more than two names; a line is `a b`, a move from a to b, or one name alone"
                    .to_owned(),
            });
        }
        builder.edge(from, to, number)?;
    }
    Ok(())
}

fn names(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || c == ',' || c == ';')
        .filter(|name| !name.is_empty() && *name != "->")
}
