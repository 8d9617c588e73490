//! What the costs of a kernel depend on: its instruction set, and how the processor carries it out. And the constants of its
//! loops that were chosen by the clock, but for those of one instruction set, which stand with it.

use super::{InstructionSet, Kernel};

/// How many items of a list are tested before those that are kept are moved. Testing one item while moving the one before it
/// makes the moves wait for the tests: 0.6 took a seventh longer that way (Zen 3, AVX2, items of four or eight bytes).
pub const ITEMS_PER_MOVE: usize = 16;
/// With fewer runs of neighbouring entries than this it takes longer to turn bytes into planes than to mark in planes.
pub const LEAST_RUNS_BY_BYTES: usize = 64;

/// How a block of heaps is processed.
#[allow(dead_code, reason = "each target has only some of them")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tuning {
    /// In plain Rust.
    Portable,
    /// In registers of 128 bits (64-bit Arm).
    Neon,
    /// In registers of 256 bits.
    Avx2,
    /// In registers of 512 bits that the processor handles in two passes (Zen 4).
    Avx512TwoPass,
    /// In registers of 512 bits.
    Avx512,
}

impl Kernel {
    /// How this kernel works on this processor.
    pub(crate) fn tuning(self) -> Tuning {
        match self.0 {
            InstructionSet::Portable(_) => Tuning::Portable,
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon(_) => Tuning::Neon,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2(_) => Tuning::Avx2,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512(token) if token.has_two_passes() => Tuning::Avx512TwoPass,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512(_) => Tuning::Avx512,
        }
    }
}
