//! Decodes codes into values, and into the number of rare values below each.

use super::{Forgotten, PackedTable};
use crate::engine::kernel::Code;

impl<C: Code> PackedTable<C> {
    /// For each heap of the block that begins with `heap`, how many rare codes lie below its code; 0 for rare heaps.
    ///
    /// # Errors
    /// If one of its heaps is not kept.
    pub fn rare_below_each(&self, heap: usize) -> Result<C::Lanes, Forgotten> {
        let mut lanes = C::ZERO_LANES;
        let limits = C::block_mut(&mut lanes).as_mut();
        let (first, second) = (
            &self.decoder.below[heap % 2],
            &self.decoder.below[(heap + 1) % 2],
        );
        let cells = &self.cells[self.places(heap, C::LANES)?];
        for (limits, cells) in limits.chunks_exact_mut(2).zip(cells.chunks_exact(2)) {
            limits[0] = cells[0].look_up(first);
            limits[1] = cells[1].look_up(second);
        }
        if heap <= self.last_rare() {
            let from = self.rares.partition_point(|rare| rare.heap < heap);
            for rare in self.rares[from..]
                .iter()
                .take_while(|rare| rare.heap < heap + C::LANES)
            {
                limits[rare.heap - heap] = C::ZERO;
            }
        }
        Ok(lanes)
    }

    /// The nim-value of a heap.
    ///
    /// # Errors
    /// If the heap is not kept.
    pub fn value(&self, heap: usize) -> Result<u16, Forgotten> {
        if heap == 0 {
            return Ok(0);
        }
        let cell = self.cells[self.places(heap, 1)?.start];
        let rare = if self.is_masked() {
            self.is_rare(heap)
        } else {
            cell & C::FLAG != C::ZERO
        };
        Ok(if !rare {
            cell.look_up(&self.decoder.values[heap % 2])
        } else {
            let code = cell & self.code_bits();
            self.space.value(code.word(), true, heap)
        })
    }

    /// Decodes the values from heap `from` on.
    ///
    /// # Errors
    /// If one of the heaps is not kept; nothing is copied then.
    pub fn copy(&self, from: usize, out: &mut [u16]) -> Result<(), Forgotten> {
        let cells = &self.cells[self.places(from, out.len())?];
        let (even, odd) = (
            &self.decoder.values[from % 2],
            &self.decoder.values[(from + 1) % 2],
        );
        let mut pairs = out.chunks_exact_mut(2);
        let mut codes = cells.chunks_exact(2);
        for (out, code) in pairs.by_ref().zip(codes.by_ref()) {
            out[0] = code[0].look_up(even);
            out[1] = code[1].look_up(odd);
        }
        for (out, code) in pairs.into_remainder().iter_mut().zip(codes.remainder()) {
            *out = code.look_up(even);
        }
        let end = from + out.len();
        let first = self.rares.partition_point(|rare| rare.heap < from);
        for rare in self.rares[first..]
            .iter()
            .take_while(|rare| rare.heap < end)
        {
            out[rare.heap - from] = self.space.value(rare.code.word(), true, rare.heap);
        }
        if from == 0
            && let Some(zero) = out.first_mut()
        {
            *zero = 0;
        }
        Ok(())
    }
}
