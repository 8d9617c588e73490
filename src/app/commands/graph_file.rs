//! Files of graphs: how they are named and read.

use crate::app::error::Refused;
use crate::app::files::{input, is_dash};
use crate::engine::Effort;
use crate::game::GraphGame;
use crate::game::graph::{Graph, GraphError, GraphFormat};
use crate::printable::printable;
use std::io;
use std::path::Path;

/// The prefix of a file's name that makes its graph a game like others.
pub const GRAPH: &str = "graph:";

/// The game of the graph in a file, as one game among others: `graph:FILE`.
pub fn open_named(name: &str, effort: Effort) -> Result<GraphGame, Refused> {
    let file = Path::new(name.strip_prefix(GRAPH).unwrap_or(name));
    let text = read(file, effort.memory)?;
    let format = GraphFormat::of_name(name).unwrap_or_else(|| GraphFormat::of_text(&text));
    let (graph, _) = Graph::read(&text, format, effort.memory)?;
    Ok(GraphGame::new(name, graph)?.with_effort(effort))
}

/// The name of a file in messages.
pub fn name_of(file: &Path) -> String {
    match is_dash(file) {
        true => "standard input".to_owned(),
        false => printable(&file.to_string_lossy()).into_owned(),
    }
}

/// The file's bytes, read no further than the memory allowed, nor past the first block that is not text.
pub fn read(file: &Path, memory: u64) -> Result<Vec<u8>, Refused> {
    const BLOCK: usize = 1 << 16;
    let fault = |error: io::Error| Refused::Usage(format!("can't read {}: {error}", name_of(file)));
    let mut source = input(file).map_err(fault)?;
    let mut text = Vec::new();
    loop {
        let start = text.len();
        if start as u64 > memory {
            return Err(GraphError::Memory {
                needed: start as u64,
                allowed: memory,
            }
            .into());
        }
        text.try_reserve(BLOCK).map_err(|_| GraphError::NoMemory)?;
        text.resize(start + BLOCK, 0);
        let read = source.read(&mut text[start..]);
        text.truncate(start + *read.as_ref().unwrap_or(&0));
        let read = match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(fault)?,
        };
        let is_text = !text[start..].contains(&0);
        if read == 0 || !is_text {
            return Ok(text);
        }
    }
}
