//! The graph of all positions that can be reached from one position, for games small enough to be drawn.
//!
//! The positions are visited breadth first, each once; piles whose order means nothing stand in ascending order. Time and memory
//! grow with the moves of all these positions.

use super::Graph;
use super::builder::{Builder, Memory};
use crate::error::Error;
use crate::game::{Game, canonical};

impl Graph {
    /// The graph of the positions that can be reached from `start`, with `start` as its first vertex, under the names that `name`
    /// gives; `None` if there are more than `most`.
    ///
    /// # Errors
    /// If a position is none of the game, a move leads back to where it began, or the names and moves take more than
    /// `memory` bytes.
    ///
    /// ```
    /// use nim_analyser::game::{catalogue, graph::Graph};
    /// let nim = catalogue::open("nim", Default::default())?;
    /// let name = |piles: &[u64]| format!("{piles:?}");
    /// let graph = Graph::of_game(&*nim, &[1, 1], 10, &name, 1 << 20)?.unwrap();
    /// assert_eq!(graph.names().collect::<Vec<_>>(), ["[1, 1]", "[1]", "[]"]);
    /// # Ok::<(), nim_analyser::Error>(())
    /// ```
    pub fn of_game(
        game: &dyn Game,
        start: &[u64],
        most: usize,
        name: &dyn Fn(&[u64]) -> String,
        memory: u64,
    ) -> Result<Option<Graph>, Error> {
        let mut builder = Builder::new(Memory::new(memory, 0)?);
        builder.strict = true;
        let mut positions = vec![canonical(game, start)];
        builder.vertex(&name(&positions[0]))?;
        let mut from = 0;
        while let Some(position) = positions.get(from).cloned() {
            for found in game.moves(&position) {
                let after = canonical(game, &found?.position);
                let to = builder.vertex(&name(&after))?;
                if to as usize == positions.len() {
                    positions.push(after);
                }
                if positions.len() > most {
                    return Ok(None);
                }
                builder.edge(from as u32, to, from as u32 + 1)?;
            }
            from += 1;
        }
        Ok(Some(builder.finish()?.0))
    }
}
