//! The values of common heaps one by one, as `window.rs` says that they follow from those before them: the twin of
//! `engine/value_window.rs` and `engine/segments_in_lanes.rs`, slow and without bounds of its own.
//!
//! Time: for each heap an operation for each rare heap and each witness looked at. Memory: a few times the values of a window.

use crate::engine::octal::Octal;
use crate::engine::sparse_space::SparseSpace;
use crate::error::Contradiction;

/// Some values of a game, to which more are added.
pub struct Plain<'a> {
    octal: &'a Octal,
    space: SparseSpace,
    rares: &'a [(u64, u16)],
    /// g(0) … g(D): the values of the small parts of witnesses.
    first: Vec<u16>,
    /// The last values, a window of them at least.
    values: Vec<u16>,
    /// For each value, the last heap that has it as an option with a rare part, or as one heap left alone.
    seen: Vec<u64>,
    /// For each value, the last heap below whose value it is a rare-class value without a witness yet.
    missing: Vec<u64>,
}

impl<'a> Plain<'a> {
    /// A state that continues after these values.
    pub fn new(
        octal: &'a Octal,
        space: SparseSpace,
        rares: &'a [(u64, u16)],
        first: Vec<u16>,
        values: Vec<u16>,
    ) -> Self {
        let none = || vec![0; 1 << 16];
        Plain {
            octal,
            space,
            rares,
            first,
            values,
            seen: none(),
            missing: none(),
        }
    }

    /// The last `count` values.
    pub fn last(&self, count: usize) -> &[u16] {
        &self.values[self.values.len() - count..]
    }

    /// Adds the value of the next heap, which is `heap`, and keeps at least `kept` of the last values.
    ///
    /// # Errors
    /// The reason why the heap is not known to be common.
    pub fn next(&mut self, heap: u64, kept: usize) -> Result<(), Contradiction> {
        let value = self.value(heap)?;
        if self.values.len() > 2 * kept + 1024 {
            self.values.drain(..self.values.len() - kept);
        }
        self.values.push(value);
        Ok(())
    }

    /// The value c(n) of the heap n, if n has witnesses of depth D.
    fn value(&mut self, heap: u64) -> Result<u16, Contradiction> {
        let Plain { octal, values, .. } = self;
        let before = |distance: usize| values[values.len() - distance];
        let breaks = || octal.breaks.iter().map(|&(stones, _)| stones);
        for &stones in &octal.ones {
            self.seen[usize::from(before(stones))] = heap;
        }
        for &(rare, value) in self.rares {
            for stones in breaks() {
                let option = value ^ before(stones + rare as usize);
                self.seen[usize::from(option)] = heap;
            }
        }
        let mut open = 0;
        let mut found = None;
        for value in 0..=u16::MAX {
            if self.seen[usize::from(value)] == heap {
                continue;
            }
            if !self.space.is_rare(value, heap as usize) {
                found = Some(value);
                break;
            }
            self.missing[usize::from(value)] = heap;
            open += 1;
        }
        let found = found.ok_or(Contradiction::WideValue(heap))?;
        for (part, &value) in self.first.iter().enumerate().skip(1) {
            if open == 0 {
                break;
            }
            for stones in breaks() {
                let option = value ^ before(stones + part);
                let missing = &mut self.missing[usize::from(option)];
                if *missing == heap {
                    *missing = 0;
                    open -= 1;
                }
            }
        }
        if open == 0 {
            return Ok(found);
        }
        let value = (0..found).find(|&value| self.missing[usize::from(value)] == heap);
        Err(Contradiction::NoWitness {
            heap,
            value: value.unwrap_or(found),
            depth: self.first.len() as u64 - 1,
        })
    }
}
