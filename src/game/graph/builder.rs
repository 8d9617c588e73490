//! A graph that is being read: names become numbers, and edges are collected and sorted.
//!
//! Lists that grow with the text ask for their memory first, and if there is none left, that is an error. All names stand in one
//! text, so that none takes memory of its own.

use super::{Graph, GraphError, Place, Warning};
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// Bytes that each vertex takes while the graph is solved: its place in the order, the search's stack, its values.
const SOLVING: u64 = 32;

/// The memory that a graph may take and has taken, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    allowed: u64,
    left: u64,
}

impl Memory {
    /// An allowance of so many bytes, of which `taken` are in use.
    pub fn new(allowed: u64, taken: usize) -> Result<Memory, GraphError> {
        let mut memory = Memory {
            allowed,
            left: allowed,
        };
        memory.take(taken as u64)?;
        Ok(memory)
    }

    /// Counts bytes as taken.
    pub fn take(&mut self, bytes: u64) -> Result<(), GraphError> {
        self.left = self.left_after(bytes)?;
        Ok(())
    }

    /// How many bytes are left once `bytes` more are taken.
    fn left_after(&self, bytes: u64) -> Result<u64, GraphError> {
        let left = self.left.checked_sub(bytes);
        left.ok_or_else(|| GraphError::Memory {
            needed: (self.allowed - self.left).saturating_add(bytes),
            allowed: self.allowed,
        })
    }

    /// Makes room for more elements of a list, and for as many again where there is memory.
    pub fn reserve<T>(&mut self, list: &mut Vec<T>, more: usize) -> Result<(), GraphError> {
        const FIRST: usize = 16;
        if list.capacity() - list.len() >= more {
            return Ok(());
        }
        let size = size_of::<T>() as u64;
        let needed = (list.len() + more - list.capacity()) as u64;
        let wanted = (list.capacity().max(FIRST) as u64)
            .max(needed)
            .min(self.left / size);
        let extra = wanted.max(needed);
        self.take(extra.saturating_mul(size))?;
        let whole = list.capacity() + extra as usize;
        granted(list.try_reserve_exact(whole - list.len()))
    }

    /// Adds an element to a list.
    pub fn push<T>(&mut self, list: &mut Vec<T>, element: T) -> Result<(), GraphError> {
        self.reserve(list, 1)?;
        list.push(element);
        Ok(())
    }

    fn filled<T: Clone>(&mut self, length: usize, with: T) -> Result<Vec<T>, GraphError> {
        self.take((length as u64).saturating_mul(size_of::<T>() as u64))?;
        filled(length, with)
    }
}

/// The error that the machine has no memory left, if room was asked for and not given.
pub fn granted<E>(room: Result<(), E>) -> Result<(), GraphError> {
    room.map_err(|_| GraphError::NoMemory)
}

/// A list of `length` equal elements, or an error if the machine has no memory for it.
pub fn filled<T: Clone>(length: usize, with: T) -> Result<Vec<T>, GraphError> {
    let mut list = Vec::new();
    granted(list.try_reserve_exact(length))?;
    list.resize(length, with);
    Ok(list)
}

/// The vertices' names, one after another in a text.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: Vec<u8>,
    /// Where each name ends.
    ends: Vec<usize>,
    /// The vertices by the hash of their names, of which half is kept to tell most others from.
    table: HashTable<(u32, u32)>,
    hasher: DefaultHashBuilder,
}

impl Names {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, vertex: usize) -> Option<&str> {
        std::str::from_utf8(self.bytes(vertex)?).ok()
    }

    fn bytes(&self, vertex: usize) -> Option<&[u8]> {
        let end = *self.ends.get(vertex)?;
        let start = vertex.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.text.get(start..end)
    }

    pub fn number(&self, name: &str) -> Option<u32> {
        self.find(self.hasher.hash_one(name), name)
    }

    fn find(&self, hash: u64, name: &str) -> Option<u32> {
        let found = self.table.find(hash, |&(half, vertex)| {
            half == hash as u32 && self.bytes(vertex as usize) == Some(name.as_bytes())
        });
        found.map(|&(_, vertex)| vertex)
    }
}

struct Edge {
    from: u32,
    to: u32,
    /// The number of the line where the edge stands, or the number of the edge.
    place: u32,
}

/// A graph that is being read.
pub struct Builder {
    pub memory: Memory,
    names: Names,
    edges: Vec<Edge>,
    warnings: Vec<Warning>,
    /// Whether places are the numbers of edges, not of lines.
    pub by_number: bool,
    /// Whether an edge may be given more than once without a warning.
    pub strict: bool,
    /// Which vertices the text lists, if it lists them.
    declared: Option<Vec<bool>>,
}

impl Builder {
    /// A builder that has no vertex yet.
    pub fn new(memory: Memory) -> Builder {
        Builder {
            memory,
            names: Names::default(),
            edges: Vec::new(),
            warnings: Vec::new(),
            by_number: false,
            strict: false,
            declared: None,
        }
    }

    fn place(&self, number: u32) -> Place {
        if self.by_number {
            Place::Edge(number)
        } else {
            Place::Line(number)
        }
    }

    /// The vertex of a name, if it was named before.
    pub fn known(&self, name: &str) -> Option<u32> {
        self.names.number(name)
    }

    /// How many edges were given.
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    /// The vertex of a name, a new one if need be.
    pub fn vertex(&mut self, name: &str) -> Result<u32, GraphError> {
        let hash = self.names.hasher.hash_one(name);
        if let Some(vertex) = self.names.find(hash, name) {
            return Ok(vertex);
        }
        let vertex = u32::try_from(self.names.len()).ok();
        let vertex = vertex
            .filter(|&vertex| vertex < u32::MAX)
            .ok_or(GraphError::TooLarge)?;
        let Names {
            text,
            ends,
            table,
            hasher,
        } = &mut self.names;
        self.memory.reserve(text, name.len())?;
        self.memory.reserve(ends, 1)?;
        if table.len() == table.capacity() {
            // An entry takes 8 bytes and one of the index; 7 of 8 are filled at most.
            self.memory.take(11 * table.len().max(4) as u64)?;
            let hash_of = |&(_, vertex): &(u32, u32)| {
                let end = ends[vertex as usize];
                let start = (vertex as usize)
                    .checked_sub(1)
                    .map_or(0, |before| ends[before]);
                hasher.hash_one(std::str::from_utf8(&text[start..end]).unwrap_or_default())
            };
            granted(table.try_reserve(1, hash_of))?;
        }
        text.extend_from_slice(name.as_bytes());
        ends.push(text.len());
        // There is room, so nothing is hashed again.
        table.insert_unique(hash, (hash as u32, vertex), |&(half, _)| half.into());
        Ok(vertex)
    }

    /// A move from one vertex to another, at the line `place` or as edge number `place`.
    pub fn edge(&mut self, from: u32, to: u32, place: u32) -> Result<(), GraphError> {
        if from == to {
            return Err(GraphError::SelfLoop {
                place: self.place(place),
                vertex: self.name(from).to_owned(),
            });
        }
        if self.edges.len() >= u32::MAX as usize {
            return Err(GraphError::TooLarge);
        }
        self.memory.push(&mut self.edges, Edge { from, to, place })
    }

    /// Refuses edges from each of `tails` vertices to each of `heads` vertices if there is no memory for all of them.
    pub fn check_room(&self, tails: usize, heads: usize) -> Result<(), GraphError> {
        /// The bytes of an edge, and of its target in the graph.
        const EDGE: u64 = (size_of::<Edge>() + size_of::<u32>()) as u64;
        let room = (self.edges.capacity() - self.edges.len()) as u64;
        let edges = (tails as u64).saturating_mul(heads as u64);
        let bytes = edges.saturating_sub(room).saturating_mul(EDGE);
        self.memory.left_after(bytes).map(drop)
    }

    /// Adds a warning.
    pub fn warn(&mut self, warning: Warning) -> Result<(), GraphError> {
        self.memory.push(&mut self.warnings, warning)
    }

    /// Begins a list of the vertices: edges may then join listed vertices only, even edges that stand before the list.
    pub fn declare_all(&mut self) {
        self.declared.get_or_insert_default();
    }

    /// Lists a vertex.
    pub fn declare(&mut self, vertex: u32) -> Result<(), GraphError> {
        let declared = self.declared.get_or_insert_default();
        if let Some(more) = (vertex as usize + 1).checked_sub(declared.len()) {
            self.memory.reserve(declared, more)?;
            declared.resize(vertex as usize + 1, false);
        }
        declared[vertex as usize] = true;
        Ok(())
    }

    fn name(&self, vertex: u32) -> &str {
        self.names.get(vertex as usize).unwrap_or_default()
    }

    /// Returns the graph, with its edges sorted by the vertex where they begin and each kept once, and the warnings.
    pub fn finish(mut self) -> Result<(Graph, Vec<Warning>), GraphError> {
        if self.names.len() == 0 {
            return Err(GraphError::Empty);
        }
        self.check_declared()?;
        let vertices = self.names.len();
        self.memory.take(SOLVING * vertices as u64)?;
        let mut starts = self.memory.filled(vertices + 1, 0u32)?;
        for edge in &self.edges {
            starts[edge.from as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = self.memory.filled(vertices, 0u32)?;
        next.copy_from_slice(&starts[..vertices]);
        let mut sorted = self.memory.filled(self.edges.len(), 0u32)?;
        for (index, edge) in self.edges.iter().enumerate() {
            let at = &mut next[edge.from as usize];
            sorted[*at as usize] = index as u32;
            *at += 1;
        }
        // The targets overwrite the sorted edges from which they are read.
        let mut filled = 0;
        let mut last_from = next;
        last_from.fill(u32::MAX);
        for vertex in 0..vertices {
            let edges = starts[vertex] as usize..starts[vertex + 1] as usize;
            starts[vertex] = filled as u32;
            for at in edges {
                let Edge { from, to, place } = self.edges[sorted[at] as usize];
                if std::mem::replace(&mut last_from[to as usize], from) != from {
                    sorted[filled] = to;
                    filled += 1;
                } else if !self.strict {
                    let place = self.place(place);
                    self.warn(Warning::Repeated { place, from, to })?;
                }
            }
        }
        starts[vertices] = filled as u32;
        sorted.truncate(filled);
        let graph = Graph {
            names: self.names,
            starts,
            targets: sorted,
        };
        Ok((graph, self.warnings))
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
                    vertex: self.name(vertex).to_owned(),
                });
            }
        }
        Ok(())
    }
}
