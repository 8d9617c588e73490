//! Orders the vertices so that each comes after all its neighbours, and works out values along that order.

use super::{Graph, GraphError};

/// How many vertices of a cycle are printed at either end of it.
const SHOWN: usize = 25;

impl Graph {
    /// The vertices, each after all its neighbours, by a depth-first search with its own stack.
    ///
    /// # Errors
    /// A cycle, if there is one.
    pub fn order(&self) -> Result<Vec<u32>, GraphError> {
        let mut order = Vec::with_capacity(self.len());
        // The edge to follow next; done vertices are beyond their last.
        let mut next: Vec<u32> = self.starts[..self.len()].to_vec();
        let mut on_stack = vec![false; self.len()];
        let mut done = vec![false; self.len()];
        let mut stack = Vec::new();
        for root in 0..self.len() as u32 {
            if done[root as usize] {
                continue;
            }
            stack.push(root);
            on_stack[root as usize] = true;
            while let Some(&vertex) = stack.last() {
                let at = &mut next[vertex as usize];
                if *at == self.starts[vertex as usize + 1] {
                    on_stack[vertex as usize] = false;
                    done[vertex as usize] = true;
                    order.push(vertex);
                    stack.pop();
                    continue;
                }
                let target = self.targets[*at as usize];
                *at += 1;
                if on_stack[target as usize] {
                    let first = stack.iter().position(|&vertex| vertex == target);
                    return Err(self.cycle(&stack[first.unwrap_or(0)..]));
                }
                if !done[target as usize] {
                    stack.push(target);
                    on_stack[target as usize] = true;
                }
            }
        }
        Ok(order)
    }

    fn cycle(&self, vertices: &[u32]) -> GraphError {
        let mut names: Vec<&str> = (vertices.iter())
            .filter_map(|&vertex| self.name(vertex as usize))
            .collect();
        names.extend(names.first().copied());
        if names.len() > 2 * SHOWN {
            names.splice(SHOWN..names.len() - SHOWN, ["…"]);
        }
        GraphError::Cycle {
            length: vertices.len(),
            cycle: names.join(" -> "),
        }
    }

    /// The nim-value of each vertex, along an order from [`Graph::order`].
    pub fn nim_values(&self, order: &[u32]) -> Vec<u32> {
        let mut values = vec![0; self.len()];
        let mut seen_by: Vec<u32> = Vec::new();
        for &vertex in order {
            let neighbours = self.neighbours(vertex as usize);
            // The mex is at most the number of moves; larger values don't matter to it.
            if seen_by.len() < neighbours.len() {
                seen_by.resize(neighbours.len(), u32::MAX);
            }
            for &neighbour in neighbours {
                if let Some(seen) = seen_by.get_mut(values[neighbour as usize] as usize) {
                    *seen = vertex;
                }
            }
            let mex = seen_by.iter().take_while(|&&seen| seen == vertex).count();
            values[vertex as usize] = mex as u32;
        }
        values
    }

    /// Whether the player to move from each vertex wins under misère play, along an order from [`Graph::order`].
    pub fn misere_wins(&self, order: &[u32]) -> Vec<bool> {
        let mut wins = vec![false; self.len()];
        for &vertex in order {
            let neighbours = self.neighbours(vertex as usize);
            let loses = |&neighbour: &u32| !wins[neighbour as usize];
            wins[vertex as usize] = neighbours.is_empty() || neighbours.iter().any(loses);
        }
        wins
    }
}
