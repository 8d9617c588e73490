//! Orders the vertices so that each comes after all its neighbours, and works out values along that order.
//!
//! The nim-value of a vertex is the mex of its neighbours' values (Sprague 1935, Grundy 1939). The misère nim-value is defined in
//! the same way, except that a vertex without moves has 1 instead of 0; under misère play a vertex alone is a P-position if and
//! only if its misère nim-value is 0 (Conway, *On Numbers and Games*, 2nd ed. 2001, ch. 12).
//!
//! Time and memory are linear in vertices and arrows together. The simple twin is the recursion of the tests.

use super::builder::{filled, granted};
use super::{Graph, GraphError};
use std::ops::Range;

/// How many vertices of a cycle are printed at either end of it.
const SHOWN: usize = 25;

impl Graph {
    /// The vertices, each after all its neighbours, by a depth-first search with its own stack.
    ///
    /// # Errors
    /// If the graph has a cycle, which the error names.
    pub fn order(&self) -> Result<Vec<u32>, GraphError> {
        let mut order = Vec::new();
        granted(order.try_reserve_exact(self.len()))?;
        // The next edge to follow from each vertex; vertices that are done stand beyond their last edge.
        let mut next = filled(self.len(), 0u32)?;
        next.copy_from_slice(&self.starts[..self.len()]);
        let mut on_stack = filled(self.len(), false)?;
        let mut done = filled(self.len(), false)?;
        let mut stack = Vec::new();
        granted(stack.try_reserve_exact(self.len()))?;
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
        let whole = vertices.len() + 1;
        let head = SHOWN.min(whole);
        let tail = whole.saturating_sub(SHOWN).max(head);
        let names = |indices: Range<usize>| {
            let name = |index| self.name(vertices[index % vertices.len()] as usize);
            let names = indices.filter_map(name).map(str::to_owned);
            names.collect()
        };
        GraphError::Cycle {
            length: vertices.len(),
            begin: names(0..head),
            end: names(tail..whole),
        }
    }

    /// The nim-value of each vertex, along an order from [`Graph::order`].
    ///
    /// # Errors
    /// If the machine has no memory for them.
    pub fn nim_values(&self, order: &[u32]) -> Result<Vec<u32>, GraphError> {
        self.values(order, 0)
    }

    /// The misère nim-value of each vertex, along an order from [`Graph::order`].
    ///
    /// # Errors
    /// If the machine has no memory for them.
    pub fn misere_values(&self, order: &[u32]) -> Result<Vec<u32>, GraphError> {
        self.values(order, 1)
    }

    /// The mex of each vertex's neighbours, `end` for a vertex without any.
    fn values(&self, order: &[u32], end: u32) -> Result<Vec<u32>, GraphError> {
        let mut values = filled(self.len(), end)?;
        let most = (0..self.len())
            .map(|vertex| self.neighbours(vertex).len())
            .max();
        // The mex is at most the number of moves, so larger values don't matter.
        let mut seen_by = filled(most.unwrap_or(0), u32::MAX)?;
        for &vertex in order {
            let neighbours = self.neighbours(vertex as usize);
            if neighbours.is_empty() {
                continue;
            }
            for &neighbour in neighbours {
                if let Some(seen) = seen_by.get_mut(values[neighbour as usize] as usize) {
                    *seen = vertex;
                }
            }
            let mex = seen_by.iter().take_while(|&&seen| seen == vertex).count();
            values[vertex as usize] = mex as u32;
        }
        Ok(values)
    }
}
