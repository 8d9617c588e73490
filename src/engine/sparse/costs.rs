//! What marking, testing and going over a heap's options cost with each kernel, for the plans to weigh against each other.
//!
//! In nanoseconds, about: what matters is how they compare. They come from a table, not from a clock, so that the same
//! run always looks at the same options in the same order; values don't depend on it. The rows were measured with
//! `examples/kernel_work` and the ignored test in `sparse/tests.rs` on machines of `docs/performance.md`: AVX-512 on Intel
//! (2.6 GHz), AVX2 (from bands) and plain Rust on Zen 3. Marking by AVX-512 was set against testing anew on Zen 5, where all takes less
//! than half of what is written here, and asking weighed by what proofs took with it. Where a processor does 512 bits in two passes
//! (Zen 4), each such instruction takes twice as long; that row was not measured. Nor was that of NEON: it is AVX2's, times the
//! instructions of each loop on AArch64 by those of the same loop with AVX2. What it costs to ask was measured
//! with AVX2, and counted from instructions in plain Rust and with NEON. To put an entry in order takes 2,500 to 4,500 to find and 900 to 1,600
//! to prove, in plain Rust twice as long; the look-ups that are weighed against it take 0.6 of what is counted.

use crate::engine::kernel::Kernel;
use crate::engine::kernel::tuning::Tuning;

/// Nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// To mark an entry in a plane, for a block of heaps, and in none.
    mark: (f32, f32),
    /// To test it against a slot, and against none.
    test: (f32, f32),
    /// To settle a block again, for each option in it.
    settle: f32,
    /// To ask one row for one code.
    pub ask: f32,
    /// To put an entry in order.
    pub learn: u64,
}

/// To look at an entry of one heap: measured 1.1 to 1.4.
const AN_ENTRY: f32 = 1.2;

impl Costs {
    /// Those of a kernel.
    pub fn of(kernel: Kernel) -> Self {
        let (mark, test, settle, ask, learn) = match kernel.tuning() {
            Tuning::Portable => ((2.5, 50.0), (1.8, 0.0), 90.0, 10.0, 10_000),
            Tuning::Neon => ((1.15, 0.1), (0.82, 0.5), 11.0, 3.8, 7000),
            Tuning::Halves => ((0.42, 0.2), (0.31, 0.5), 7.0, 3.0, 4500),
            Tuning::Split => ((0.40, 3.4), (0.56, 1.0), 10.0, 10.0, 4500),
            Tuning::Whole => ((0.20, 1.7), (0.28, 0.5), 5.0, 7.0, 4500),
        };
        Self {
            mark,
            test,
            settle,
            ask,
            learn,
        }
    }

    /// To mark an entry in so many planes.
    pub fn mark(self, planes: usize) -> f32 {
        self.mark.0 * planes as f32 + self.mark.1
    }

    /// To test it against so many slots.
    pub fn test(self, slots: usize) -> f32 {
        self.test.0 * slots as f32 + self.test.1
    }

    /// To look at all options of a heap, by so many entries, and again at so many near ones of its block.
    pub fn recompute(self, entries: usize, near: usize) -> f32 {
        AN_ENTRY * entries as f32 + self.settle * near as f32
    }
}
