//! Codes become values again, and the number of rare values below each.

use super::{FLAG, Forgotten, PackedTable};
use crate::engine::kernel::{LANES, Lanes};

impl PackedTable {
    /// The same for the block that begins with this heap; 0 for rare heaps.
    ///
    /// # Errors
    /// If one of its heaps is not kept.
    pub fn rare_below_each(&self, heap: usize) -> Result<Lanes, Forgotten> {
        let mut limits = Lanes::ZERO;
        let (first, second) = (&self.below[heap % 2], &self.below[(heap + 1) % 2]);
        let bytes = &self.bytes[self.places(heap, LANES)?];
        for (limits, bytes) in limits.0.chunks_exact_mut(2).zip(bytes.chunks_exact(2)) {
            limits[0] = first[usize::from(bytes[0])];
            limits[1] = second[usize::from(bytes[1])];
        }
        if heap <= self.last_rare() {
            let from = self.rares.partition_point(|rare| rare.heap < heap);
            for rare in self.rares[from..]
                .iter()
                .take_while(|rare| rare.heap < heap + LANES)
            {
                limits.0[rare.heap - heap] = 0;
            }
        }
        Ok(limits)
    }

    /// # Errors
    /// If the heap is not kept.
    pub fn value(&self, heap: usize) -> Result<u16, Forgotten> {
        if heap == 0 {
            return Ok(0);
        }
        let byte = self.bytes[self.places(heap, 1)?.start];
        let rare = if self.masked {
            self.is_rare(heap)
        } else {
            byte & FLAG != 0
        };
        Ok(if !rare {
            self.values[heap % 2][usize::from(byte)]
        } else {
            self.split
                .value(u16::from(byte & self.code_bits()), true, heap)
        })
    }

    /// Decodes the values from heap `from` on.
    ///
    /// # Errors
    /// If one of the heaps is not kept; nothing is copied then.
    pub fn copy(&self, from: usize, out: &mut [u16]) -> Result<(), Forgotten> {
        let bytes = &self.bytes[self.places(from, out.len())?];
        let (even, odd) = (&self.values[from % 2], &self.values[(from + 1) % 2]);
        let mut pairs = out.chunks_exact_mut(2);
        let mut codes = bytes.chunks_exact(2);
        for (out, code) in pairs.by_ref().zip(codes.by_ref()) {
            out[0] = even[usize::from(code[0])];
            out[1] = odd[usize::from(code[1])];
        }
        for (out, code) in pairs.into_remainder().iter_mut().zip(codes.remainder()) {
            *out = even[usize::from(*code)];
        }
        let end = from + out.len();
        let first = self.rares.partition_point(|rare| rare.heap < from);
        for rare in self.rares[first..]
            .iter()
            .take_while(|rare| rare.heap < end)
        {
            out[rare.heap - from] = self.split.value(u16::from(rare.code), true, rare.heap);
        }
        if from == 0
            && let Some(zero) = out.first_mut()
        {
            *zero = 0;
        }
        Ok(())
    }
}
