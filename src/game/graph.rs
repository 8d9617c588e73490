//! A game given as a graph: vertices are positions, arrows are moves.
//!
//! The nim-value of a vertex is the mex of its neighbours' (Sprague 1935, Grundy 1939), worked out from the vertices
//! without moves upwards. Time and memory grow with vertices and arrows together; nothing recurses, however long the
//! longest line of play. The simple twin is the search of the tests.

mod game;
pub use game::GraphGame;
mod builder;
mod dot;
mod edges;
mod followers;
mod json;
mod solve;

pub use crate::error::{GraphError, GraphFault, Place};
use builder::{Builder, Memory, Names};

/// How a graph is written in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum GraphFormat {
    /// Two names a line, from and to; a name alone is a vertex; # starts a comment
    Edges,
    /// A digraph of Graphviz
    Dot,
    /// {"vertices":["a"],"edges":[["a","b"]]} or {"a":["b"],"b":[]}
    Json,
}

impl GraphFormat {
    /// The format that a file's ending stands for: `.dot` and `.gv`, `.json`; others stand for none.
    pub fn of_name(name: &str) -> Option<GraphFormat> {
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("dot" | "gv") => Some(GraphFormat::Dot),
            Some("json") => Some(GraphFormat::Json),
            _ => None,
        }
    }

    /// The format that a text begins like: DOT with `digraph {` or `graph {`, JSON with `{` or `[`; else a list of edges.
    pub fn of_text(text: &[u8]) -> GraphFormat {
        let text = without_mark(text);
        let first = text.trim_ascii_start().first();
        match first {
            Some(b'{' | b'[') => GraphFormat::Json,
            _ if std::str::from_utf8(text).is_ok_and(dot::is_dot) => GraphFormat::Dot,
            _ => GraphFormat::Edges,
        }
    }
}

/// A construct that is read but perhaps not meant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// An edge was given before; it counts once.
    Repeated {
        /// The place of the edge that is given again.
        place: Place,
        /// The vertex where the edge begins.
        from: u32,
        /// The vertex where the edge ends.
        to: u32,
    },
    /// A number has a letter or a second point at its end, where DOT cuts it in two.
    CutNumber {
        /// The place of the number.
        place: Place,
        /// The number and the characters next to it.
        text: String,
        /// How many bytes of the text are the number.
        number: usize,
    },
    /// The first line seems to count the vertices and the edges; it is read as an edge like the others.
    Header {
        /// The place of the line.
        place: Place,
        /// How many vertices the line would count.
        vertices: u64,
        /// How many edges there are behind the line, just as many as it would count.
        edges: u64,
    },
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
    /// Reads a graph of a format, and warns of what is perhaps not meant, such as a repeated edge. The text and the graph may
    /// take `memory` bytes together.
    ///
    /// # Errors
    /// If the text isn't of the format, or has no vertex, a self-loop or an undeclared vertex, or if the memory is
    /// used up. Cycles are found by [`Graph::order`].
    ///
    /// ```
    /// use nim_analyser::game::graph::{GraphFormat, Graph};
    /// let (graph, _) = Graph::read(b"a b\na c\nb c\n", GraphFormat::Edges, 1 << 20)?;
    /// assert_eq!(graph.nim_values(&graph.order()?)?, [2, 1, 0]);
    /// # Ok::<(), nim_analyser::game::graph::GraphError>(())
    /// ```
    pub fn read(
        text: &[u8],
        format: GraphFormat,
        memory: u64,
    ) -> Result<(Graph, Vec<Warning>), GraphError> {
        match format {
            GraphFormat::Edges => parse(text, memory, edges::read),
            GraphFormat::Dot => parse(text, memory, dot::read),
            GraphFormat::Json => parse(text, memory, json::read),
        }
    }

    /// How many vertices there are, 1 or more.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Always `false`, for a graph has a vertex.
    pub fn is_empty(&self) -> bool {
        self.names.len() == 0
    }

    /// The vertices by name.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|vertex| self.names.get(vertex).unwrap_or_default())
    }

    /// The name of a vertex, if there is such a vertex.
    pub fn name(&self, vertex: usize) -> Option<&str> {
        self.names.get(vertex)
    }

    /// The vertex of a name.
    ///
    /// # Errors
    /// If the graph has no vertex of this name.
    pub fn vertex(&self, name: &str) -> Result<usize, GraphError> {
        const SHOWN: usize = 10;
        let found = self.names.number(name).map(|vertex| vertex as usize);
        found.ok_or_else(|| {
            let some = self.names().take(SHOWN).map(str::to_owned);
            GraphError::Unknown {
                vertex: name.to_owned(),
                some: some.collect(),
                count: self.len(),
            }
        })
    }

    /// The neighbours that a move from a vertex leads to, in the order of the file.
    pub fn neighbours(&self, vertex: usize) -> &[u32] {
        &self.targets[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

fn parse(
    bytes: &[u8],
    memory: u64,
    read: fn(&str, &mut Builder) -> Result<(), GraphError>,
) -> Result<(Graph, Vec<Warning>), GraphError> {
    let mut builder = Builder::new(Memory::new(memory, bytes.len())?);
    let malformed = |at: usize, fault: GraphFault| GraphError::Malformed {
        place: Place::of_byte(bytes, at),
        fault,
    };
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(malformed(0, GraphFault::Utf16));
    }
    if let Some(at) = memchr::memchr(0, bytes) {
        return Err(malformed(at, GraphFault::NotText));
    }
    let text = std::str::from_utf8(without_mark(bytes)).map_err(|error| {
        let mark = bytes.len() - without_mark(bytes).len();
        malformed(mark + error.valid_up_to(), GraphFault::NotUtf8)
    })?;
    read(text, &mut builder)?;
    builder.finish()
}

/// The text without the byte order mark that some editors put before it.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}
