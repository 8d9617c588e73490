//! The subgraphs of a graph, and which vertices are in each.
//!
//! A vertex is in the subgraph that names it and in all around that one, but for the graph itself, which has all. Each
//! vertex costs a step for each subgraph that it comes to be in.

use super::super::GraphError;
use super::super::builder::{Memory, granted};
use super::tokens::Kind;
use hashbrown::{HashMap, HashSet};

/// A subgraph's number; 0 is the graph itself.
pub type Group = u32;

/// Bytes taken for a subgraph, besides its name.
const GROUP: u64 = 48;

/// Bytes that a vertex takes in a subgraph, besides its place in the list: 8 in a table of which 7 of 16 are filled.
const MEMBER: u64 = 20;

/// The subgraphs of a graph.
#[derive(Default)]
pub struct Groups {
    /// For each subgraph, from the first on, the one that contains it; the graph itself is left out.
    parents: Vec<Group>,
    members: Vec<Vec<u32>>,
    put: HashSet<(Group, u32)>,
    /// The subgraphs that have a name, by the subgraph that they are in and their name, with whether the name stood in angle
    /// brackets.
    named: HashMap<(Group, Box<str>), (Group, bool)>,
}

impl Groups {
    /// The graph itself.
    pub const ROOT: Group = 0;

    /// Adds a subgraph without a name.
    pub fn add(&mut self, parent: Group, memory: &mut Memory) -> Result<Group, GraphError> {
        memory.take(GROUP)?;
        granted(self.parents.try_reserve(1))?;
        granted(self.members.try_reserve(1))?;
        self.parents.push(parent);
        self.members.push(Vec::new());
        Group::try_from(self.parents.len()).map_err(|_| GraphError::TooLarge)
    }

    /// The subgraph of a name within another, a new one if there is none yet. `None` if the name stood in angle brackets before
    /// and doesn't now, or the other way round.
    pub fn named(
        &mut self,
        parent: Group,
        name: &str,
        kind: Kind,
        memory: &mut Memory,
    ) -> Result<Option<Group>, GraphError> {
        let is_html = kind == Kind::Html;
        let key = (parent, name.into());
        if let Some(&(group, was_html)) = self.named.get(&key) {
            return Ok((is_html == was_html).then_some(group));
        }
        memory.take(GROUP + name.len() as u64)?;
        let group = self.add(parent, memory)?;
        granted(self.named.try_reserve(1))?;
        self.named.insert(key, (group, is_html));
        Ok(Some(group))
    }

    /// Puts a vertex into a subgraph and those around it.
    pub fn put(
        &mut self,
        mut group: Group,
        vertex: u32,
        memory: &mut Memory,
    ) -> Result<(), GraphError> {
        // A vertex that is in a subgraph is in all subgraphs around it too.
        while let Some(inner) = group.checked_sub(1).map(|inner| inner as usize) {
            granted(self.put.try_reserve(1))?;
            if !self.put.insert((group, vertex)) {
                break;
            }
            memory.take(MEMBER)?;
            memory.push(&mut self.members[inner], vertex)?;
            group = self.parents[inner];
        }
        Ok(())
    }

    /// The vertices of a subgraph, in the order in which they came to it.
    pub fn members(&self, group: Group) -> &[u32] {
        group
            .checked_sub(1)
            .map_or(&[], |inner| &self.members[inner as usize])
    }
}
