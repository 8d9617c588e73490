//! A statement of a graph that isn't ended yet.

use super::groups::Group;

/// An end of an arrow, or a statement of its own.
pub struct Operand {
    pub ends: Ends,
    pub line: u32,
}

pub enum Ends {
    /// Vertices of the statement, from the one to before the other.
    Vertices(usize, usize),
    /// All vertices of a subgraph.
    Group(Group),
}

/// A subgraph, or the graph, that isn't closed yet, and its statement that isn't ended yet.
pub struct Open {
    pub group: Group,
    pub operands: Vec<Operand>,
    pub vertices: Vec<u32>,
}

impl Open {
    pub fn new(group: Group) -> Open {
        Open {
            group,
            operands: Vec::new(),
            vertices: Vec::new(),
        }
    }
}
