//! On what a kernel's costs depend: its instruction set, and how the processor does it.

use super::Kernel;

/// How a block of heaps is worked on.
#[allow(dead_code, reason = "each processor has its own")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tuning {
    /// In plain Rust.
    Portable,
    /// In registers of 128 bits (64-bit Arm).
    Neon,
    /// In registers of 256 bits.
    Halves,
    /// In registers of 512 bits, in two passes (Zen 4).
    Split,
    /// In registers of 512 bits, at once.
    Whole,
}

impl Kernel {
    /// How it works on this machine.
    pub(crate) fn tuning(self) -> Tuning {
        match self {
            Self::Portable => Tuning::Portable,
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => Tuning::Neon,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => Tuning::Halves,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) if token.is_split() => Tuning::Split,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => Tuning::Whole,
        }
    }
}
