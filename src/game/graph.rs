//! A game given as a graph: vertices are positions, arrows are moves.
//!
//! The nim-value of a vertex is the mex of its neighbours' (Sprague 1935, Grundy 1939), worked out from the vertices
//! without moves upwards. Time and memory grow with vertices and arrows together; nothing recurses, however long the
//! longest line of play. The simple twin is the search of the tests.

mod game;
pub use game::GraphGame;
mod dot;
mod edges;
mod json;
mod solve;

use hashbrown::HashMap;
use smol_str::SmolStr;
use std::fmt;

/// How a graph is written in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// Two names a line, from and to; a name alone is a vertex; # starts a comment
    Edges,
    /// A digraph of Graphviz
    Dot,
    /// {"vertices":["a"],"edges":[["a","b"]]} or {"a":["b"],"b":[]}
    Json,
}

impl Format {
    /// The format that a file's ending stands for: `.dot` and `.gv`, `.json`, else a list of edges.
    pub fn of_name(name: &str) -> Format {
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("dot" | "gv") => Format::Dot,
            Some("json") => Format::Json,
            _ => Format::Edges,
        }
    }
}

/// A graph that can't be read, or is none of a game that ends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// No vertex at all.
    #[error("the graph is empty: it has no vertex; a line `a b` is a move from a to b")]
    Empty,
    /// Text that isn't of the format.
    #[error("{place}: {what}")]
    Malformed {
        /// Where.
        place: Place,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// A move from a vertex to itself.
    #[error(
        "{place}: {vertex} has a move to itself, so the game need not end; a graph must be without cycles"
    )]
    SelfLoop {
        /// Where.
        place: Place,
        /// The vertex.
        vertex: String,
    },
    /// An edge of a vertex that the graph's list of vertices doesn't have.
    #[error("{place}: {vertex} is not among the vertices that the graph lists")]
    Undeclared {
        /// Where.
        place: Place,
        /// The vertex.
        vertex: String,
    },
    /// A vertex that was asked for.
    #[error("there is no vertex `{vertex}`; the graph's vertices are {some}")]
    Unknown {
        /// The vertex.
        vertex: String,
        /// Those that there are, or the first of them.
        some: String,
    },
    /// Moves that lead round.
    #[error("the graph has a cycle of {length} vertices, so the game need not end: {cycle}")]
    Cycle {
        /// Its length.
        length: usize,
        /// The vertices, the first again at the end; the middle of a long cycle is left out.
        cycle: String,
    },
    /// More than 32 bits can count.
    #[error("the graph has more than 4294967294 vertices or edges")]
    TooLarge,
}

/// A place in a graph's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line, from 1.
    Line(u32),
    /// An edge, from 1 in the order of the file.
    Edge(u32),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Edge(edge) => write!(f, "edge {edge}"),
        }
    }
}

/// An edge that was given before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// Its place.
    pub place: Place,
    /// Where it goes out.
    pub from: u32,
    /// Where it comes in.
    pub to: u32,
}

/// A graph without repeated edges, its vertices numbered from 0 in the order in which they were first named.
#[derive(Clone, Debug)]
pub struct Graph {
    names: Names,
    /// The neighbours of vertex v are `targets[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// Reads a graph, and the repeated edges that it leaves out.
    ///
    /// # Errors
    /// If the text isn't of the format, or has no vertex, a self-loop or an undeclared vertex. Cycles are found by
    /// [`Graph::order`].
    ///
    /// ```
    /// use nim_analyser::game::graph::{Format, Graph};
    /// let (graph, _) = Graph::read("a b\na c\nb c\n", Format::Edges)?;
    /// assert_eq!(graph.nim_values(&graph.order()?), [2, 1, 0]);
    /// # Ok::<(), nim_analyser::game::graph::GraphError>(())
    /// ```
    pub fn read(text: &str, format: Format) -> Result<(Graph, Vec<Repeated>), GraphError> {
        let mut builder = Builder::default();
        match format {
            Format::Edges => edges::read(text, &mut builder)?,
            Format::Dot => dot::read(text, &mut builder)?,
            Format::Json => json::read(text, &mut builder)?,
        }
        builder.finish()
    }

    /// How many vertices there are, 1 or more.
    pub fn len(&self) -> usize {
        self.names.list.len()
    }

    /// Never: a graph has a vertex.
    pub fn is_empty(&self) -> bool {
        self.names.list.is_empty()
    }

    /// The vertices by name.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.list.iter().map(SmolStr::as_str)
    }

    /// The name of a vertex, if there is such a vertex.
    pub fn name(&self, vertex: usize) -> Option<&str> {
        self.names.list.get(vertex).map(SmolStr::as_str)
    }

    /// The vertex of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn vertex(&self, name: &str) -> Result<usize, GraphError> {
        const SHOWN: usize = 10;
        let found = self.names.numbers.get(name).map(|&vertex| vertex as usize);
        found.ok_or_else(|| {
            let some: Vec<&str> = self.names().take(SHOWN).collect();
            let more = if self.len() > SHOWN { ", …" } else { "" };
            GraphError::Unknown {
                vertex: name.to_owned(),
                some: some.join(", ") + more,
            }
        })
    }

    /// The neighbours that a move from a vertex leads to, in the order of the file.
    pub fn neighbours(&self, vertex: usize) -> &[u32] {
        &self.targets[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// The vertices' names, short ones in place: that saves a look into memory for each end of each edge.
#[derive(Clone, Debug, Default)]
struct Names {
    list: Vec<SmolStr>,
    numbers: HashMap<SmolStr, u32>,
}

struct Edge {
    from: u32,
    to: u32,
    /// The number of its line or its own.
    place: u32,
}

/// A graph that is being read.
#[derive(Default)]
struct Builder {
    names: Names,
    edges: Vec<Edge>,
    /// Whether places are the numbers of edges, not of lines.
    by_number: bool,
    /// Which vertices the file lists, if it lists them.
    declared: Option<Vec<bool>>,
}

impl Builder {
    fn place(&self, number: u32) -> Place {
        if self.by_number {
            Place::Edge(number)
        } else {
            Place::Line(number)
        }
    }

    fn vertex(&mut self, name: &str) -> Result<u32, GraphError> {
        if let Some(&vertex) = self.names.numbers.get(name) {
            return Ok(vertex);
        }
        let vertex = u32::try_from(self.names.list.len()).ok();
        let vertex = vertex
            .filter(|&vertex| vertex < u32::MAX)
            .ok_or(GraphError::TooLarge)?;
        let name = SmolStr::new(name);
        self.names.list.push(name.clone());
        self.names.numbers.insert(name, vertex);
        Ok(vertex)
    }

    fn edge(&mut self, from: u32, to: u32, place: u32) -> Result<(), GraphError> {
        if from == to {
            return Err(GraphError::SelfLoop {
                place: self.place(place),
                vertex: self.names.list[from as usize].to_string(),
            });
        }
        if self.edges.len() >= u32::MAX as usize {
            return Err(GraphError::TooLarge);
        }
        self.edges.push(Edge { from, to, place });
        Ok(())
    }

    /// Lists a vertex: from now on the edges may have listed ones only, wherever they stand.
    fn declare(&mut self, vertex: u32) {
        let declared = self.declared.get_or_insert_default();
        if declared.len() <= vertex as usize {
            declared.resize(vertex as usize + 1, false);
        }
        declared[vertex as usize] = true;
    }

    fn finish(self) -> Result<(Graph, Vec<Repeated>), GraphError> {
        if self.names.list.is_empty() {
            return Err(GraphError::Empty);
        }
        self.check_declared()?;
        let vertices = self.names.list.len();
        let mut starts = vec![0u32; vertices + 1];
        for edge in &self.edges {
            starts[edge.from as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut sorted = vec![0u32; self.edges.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            let at = &mut next[edge.from as usize];
            sorted[*at as usize] = index as u32;
            *at += 1;
        }
        let mut repeated = Vec::new();
        let mut targets = Vec::with_capacity(self.edges.len());
        let mut last_from = vec![u32::MAX; vertices];
        for vertex in 0..vertices {
            let edges = starts[vertex] as usize..starts[vertex + 1] as usize;
            starts[vertex] = targets.len() as u32;
            for &index in &sorted[edges] {
                let Edge { from, to, place } = self.edges[index as usize];
                if std::mem::replace(&mut last_from[to as usize], from) == from {
                    let place = self.place(place);
                    repeated.push(Repeated { place, from, to });
                } else {
                    targets.push(to);
                }
            }
        }
        starts[vertices] = targets.len() as u32;
        let graph = Graph {
            names: self.names,
            starts,
            targets,
        };
        Ok((graph, repeated))
    }

    fn check_declared(&self) -> Result<(), GraphError> {
        let Some(declared) = &self.declared else {
            return Ok(());
        };
        let missing = |vertex: u32| !declared.get(vertex as usize).is_some_and(|&listed| listed);
        for edge in &self.edges {
            if let Some(&vertex) = [edge.from, edge.to].iter().find(|&&end| missing(end)) {
                return Err(GraphError::Undeclared {
                    place: self.place(edge.place),
                    vertex: self.names.list[vertex as usize].to_string(),
                });
            }
        }
        Ok(())
    }
}
