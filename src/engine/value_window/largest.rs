//! The largest value, updated by the codes that are new.

use crate::engine::kernel::Code;
use crate::engine::packed::PackedTable;

/// A largest value and the first heap that has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Largest {
    /// The value.
    pub value: u16,
    /// The heap.
    pub heap: u64,
}

impl Largest {
    /// Updates the largest value by the heaps from `seen` on.
    pub(super) fn look<C: Code>(&mut self, codes: &PackedTable<C>, seen: usize) {
        const BLOCK: usize = 1 << 12;
        let (new, _) = codes.tail(codes.len() - seen);
        let starts = (codes.len() - new.len()..).step_by(BLOCK);
        for (from, block) in starts.zip(new.chunks(BLOCK)) {
            let to = from + block.len();
            let rares = codes.rares();
            let rare = rares.get(rares.partition_point(|rare| rare.heap < from));
            let rare = rare.is_some_and(|rare| rare.heap < to);
            let mut lanes = [C::ZERO; 64];
            let blocks = block.chunks_exact(64);
            for (lane, &code) in blocks.remainder().iter().enumerate() {
                lanes[lane] = lanes[lane].max(code);
            }
            for block in blocks {
                for (lane, &code) in lanes.iter_mut().zip(block) {
                    *lane = (*lane).max(code);
                }
            }
            let of = |odd: usize| {
                let lanes = lanes.iter().skip(odd).step_by(2);
                lanes.copied().max().unwrap_or(C::ZERO)
            };
            let value = |odd: usize| codes.space().value(of(odd).word(), false, from + odd);
            if rare || value(0).max(value(1)) > self.value {
                for (heap, value) in
                    (from..to).zip((from..to).map_while(|heap| codes.value(heap).ok()))
                {
                    if value > self.value {
                        *self = Largest {
                            value,
                            heap: heap as u64,
                        };
                    }
                }
            }
        }
    }
}
