//! Graphs as JSON: a list of edges with or without one of vertices, or the neighbours of each vertex.
//!
//! The lists are read edge by edge into the graph. Serde's derive would first build lists of all names, which takes
//! several times the memory without a limit, and would merge a key that stands twice.

use super::builder::{Builder, granted};
use super::{GraphError, GraphFault, Place};
use hashbrown::HashSet;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Reads `{"vertices":["a","b"],"edges":[["a","b"]]}` or `{"a":["b"],"b":[]}`; names are strings or whole numbers.
pub fn read(text: &str, builder: &mut Builder) -> Result<(), GraphError> {
    if text.trim().is_empty() {
        return Err(GraphError::Empty);
    }
    builder.by_number = true;
    let mut reader = Reader {
        builder,
        failure: None,
        repeated: None,
    };
    let mut json = serde_json::Deserializer::from_str(text);
    let read = GraphSeed(&mut reader).deserialize(&mut json);
    let read = read.and_then(|()| json.end());
    match (read, reader.failure) {
        (Ok(()), _) => Ok(()),
        (Err(_), Some(failure)) => Err(failure),
        (Err(error), None) => Err(GraphError::Malformed {
            place: Place::Character {
                line: u32::try_from(error.line()).unwrap_or(u32::MAX),
                column: u32::try_from(error.column().max(1)).unwrap_or(u32::MAX),
            },
            fault: match reader.repeated {
                Some(key) => GraphFault::RepeatedKey(key),
                None => GraphFault::Json(error.into()),
            },
        }),
    }
}

struct Reader<'b> {
    builder: &'b mut Builder,
    /// The error that ended the reading: it is kept here because serde_json keeps only its text.
    failure: Option<GraphError>,
    /// The key that ended the reading because it had come before.
    repeated: Option<String>,
}

impl Reader<'_> {
    fn keep<T, E: Error>(&mut self, found: Result<T, GraphError>) -> Result<T, E> {
        found.map_err(|error| {
            let text = E::custom(&error);
            self.failure = Some(error);
            text
        })
    }

    fn edge<E: Error>(&mut self, from: u32, to: u32) -> Result<(), E> {
        let number = u32::try_from(self.builder.edges() + 1).unwrap_or(u32::MAX);
        let added = self.builder.edge(from, to, number);
        self.keep(added)
    }
}

/// Bytes that a key takes in the set of those read.
const KEY: u64 = 20;

/// Reads the whole graph.
struct GraphSeed<'a, 'b>(&'a mut Reader<'b>);

impl<'de> DeserializeSeed<'de> for GraphSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for GraphSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"an object like {"edges":[["a","b"]]} or {"a":["b"]}"#)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            let list = match key.as_str() {
                "edges" => List::Edges,
                "vertices" => List::Vertices,
                _ => {
                    let vertex = self.0.builder.vertex(&key);
                    List::Neighbours(self.0.keep(vertex)?)
                }
            };
            let room = granted(keys.try_reserve(1));
            let taken = self.0.builder.memory.take(KEY);
            self.0.keep(room.and(taken))?;
            if !keys.insert(list) {
                self.0.repeated = Some(key);
                return Err(A::Error::custom("a key appears twice"));
            }
            map.next_value_seed(ListSeed(self.0, list))?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum List {
    Vertices,
    Edges,
    Neighbours(u32),
    /// An edge, as a pair of vertices.
    Edge,
}

/// Reads a list in the graph, element by element.
struct ListSeed<'a, 'b>(&'a mut Reader<'b>, List);

impl<'de> DeserializeSeed<'de> for ListSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ListSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.1 {
            List::Edges => r#"a list of edges like [["a","b"]]"#,
            List::Vertices | List::Neighbours(_) => r#"a list of vertices like ["a","b"]"#,
            List::Edge => r#"an edge like ["a","b"], a move from a to b"#,
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let ListSeed(reader, kind) = self;
        match kind {
            List::Vertices => {
                reader.builder.declare_all();
                while let Some(vertex) = list.next_element_seed(VertexSeed(reader))? {
                    let declared = reader.builder.declare(vertex);
                    reader.keep(declared)?;
                }
            }
            List::Edges => {
                while list
                    .next_element_seed(ListSeed(reader, List::Edge))?
                    .is_some()
                {}
            }
            List::Neighbours(from) => {
                while let Some(to) = list.next_element_seed(VertexSeed(reader))? {
                    reader.edge(from, to)?;
                }
            }
            List::Edge => {
                const PAIR: &&str = &r#"two vertices, as in ["a","b"]"#;
                let from = list.next_element_seed(VertexSeed(reader))?;
                let from = from.ok_or_else(|| A::Error::invalid_length(0, PAIR))?;
                let to = list.next_element_seed(VertexSeed(reader))?;
                let to = to.ok_or_else(|| A::Error::invalid_length(1, PAIR))?;
                if list.next_element_seed(VertexSeed(reader))?.is_some() {
                    return Err(A::Error::invalid_length(3, PAIR));
                }
                reader.edge(from, to)?;
            }
        }
        Ok(())
    }
}

/// Reads a vertex by its name or number.
struct VertexSeed<'a, 'b>(&'a mut Reader<'b>);

impl<'de> DeserializeSeed<'de> for VertexSeed<'_, '_> {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u32, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for VertexSeed<'_, '_> {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a vertex: a string or a whole number")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<u32, E> {
        let vertex = self.0.builder.vertex(name);
        self.0.keep(vertex)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<u32, E> {
        self.visit_str(&number.to_string())
    }
}
