//! The costs of marking, testing and looking up with each kernel, which the plans weigh against each other.
//!
//! The costs are nanoseconds, about: what matters is how they compare. They come from a table and not from a clock, so that the
//! same run always looks at the same options in the same order; values don't depend on it. How each row was obtained:
//!
//! - AVX-512: marking and testing measured on Intel at 2.6 GHz and set against each other again on Zen 5, where everything takes
//!   less than half of what is written here; comparing an open code with a row by what proofs took with it on Zen 5.
//! - AVX-512 in two passes (Zen 4): marking, testing and settling twice as long as on Zen 5, a row 1.4 times; not measured.
//! - AVX2, which marks from bands, and portable: measured on Zen 3.
//! - Codes of two bytes: marking in planes and testing measured on Zen 4, with AVX-512 and AVX2; the other rows in proportion,
//!   not measured. Neighbouring entries that are marked together in planes take as long as one of them does (Zen 4, AVX-512);
//!   marking by bytes set against these by the time of whole computations on Intel (Sapphire Rapids).
//! - NEON: AVX2's row, times the instructions of each loop on AArch64 by those of the same loop with AVX2; not measured.
//!
//! To put an entry in order takes 2,500 to 4,500 for a search plan and 900 to 1,600 for a witness plan, with the portable kernel
//! twice as long. The measuring programs are `benches/kernel_work.rs` and `sparse/measurements.rs`.

use super::rules::Rules;
use super::tuning::MARKS_IN_RUNS;
use crate::engine::kernel::entries::LONGEST_RUN;
use crate::engine::kernel::tuning::Tuning;
use crate::engine::kernel::{Code, Kernel};

/// What the steps of a search and of a proof cost with a kernel, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// The cost of marking an entry for a block of heaps: for each plane, and besides.
    mark: (f32, f32),
    /// The most that it costs to mark an entry, however many planes there are.
    mark_at_most: f32,
    /// Whether neighbouring entries are marked together in planes too.
    runs_in_planes: bool,
    /// The cost of testing an entry for a block of heaps: for each slot, and besides.
    test: (f32, f32),
    /// The cost of settling a block again, for each option inside it.
    settle: f32,
    /// The cost of comparing one open code with one row of pairs.
    pub row: f32,
    /// The cost of putting an entry in order.
    pub learn: u64,
}

/// The cost of looking at an entry of one heap: measured 1.1 to 1.4.
const ENTRY_COST: f32 = 1.2;

impl Costs {
    /// The costs of a kernel.
    pub fn of<C: Code>(kernel: Kernel, rules: &Rules) -> Self {
        let (mark, test, settle, row, learn) = match kernel.tuning() {
            Tuning::Portable if C::BITS > 8 => ((3.0, 0.0), (6.3, 0.0), 90.0, 10.0, 10_000),
            Tuning::Neon if C::BITS > 8 => ((1.6, 0.1), (0.82, 0.5), 11.0, 3.8, 7000),
            Tuning::Avx2 if C::BITS > 8 => ((1.2, 0.2), (0.31, 0.5), 7.0, 3.0, 4500),
            Tuning::Avx512TwoPass if C::BITS > 8 => ((0.36, 0.6), (0.30, 0.1), 10.0, 10.0, 4500),
            Tuning::Avx512 if C::BITS > 8 => ((0.18, 0.3), (0.15, 0.1), 5.0, 7.0, 4500),
            Tuning::Portable => ((2.5, 50.0), (1.8, 0.0), 90.0, 10.0, 10_000),
            Tuning::Neon => ((1.15, 0.1), (0.82, 0.5), 11.0, 3.8, 7000),
            Tuning::Avx2 => ((0.42, 0.2), (0.31, 0.5), 7.0, 3.0, 4500),
            Tuning::Avx512TwoPass => ((0.40, 3.4), (0.56, 1.0), 10.0, 10.0, 4500),
            Tuning::Avx512 => ((0.20, 1.7), (0.28, 0.5), 5.0, 7.0, 4500),
        };
        let of_a_run = match rules.longest_run() {
            1 => 9.5,
            2 => 5.3,
            _ => 4.0,
        };
        let marks_in_runs = MARKS_IN_RUNS.of::<C>();
        let mark_at_most = match kernel.tuning() {
            _ if !marks_in_runs => f32::INFINITY,
            Tuning::Avx512 => 0.7 * of_a_run,
            _ => of_a_run,
        };
        // With other kernels a byte for each mark takes less time from a few planes on.
        let with_avx512 = matches!(kernel.tuning(), Tuning::Avx512 | Tuning::Avx512TwoPass);
        let runs_in_planes = marks_in_runs && with_avx512 && rules.longest_run() > 1;
        let mark = if runs_in_planes {
            let run = rules.longest_run().min(LONGEST_RUN) as f32;
            (mark.0 / run, mark.1 / run)
        } else {
            mark
        };
        Self {
            mark,
            mark_at_most,
            runs_in_planes,
            test,
            settle,
            row,
            learn,
        }
    }

    /// The cost of marking an entry in this many planes.
    pub fn mark(self, planes: usize) -> f32 {
        self.mark_in_planes(planes).min(self.mark_at_most)
    }

    /// Whether neighbouring entries are marked together, with this many planes.
    pub fn marks_runs(self, planes: usize) -> bool {
        self.runs_in_planes || self.mark_in_planes(planes) > self.mark_at_most
    }

    fn mark_in_planes(self, planes: usize) -> f32 {
        self.mark.0 * planes as f32 + self.mark.1
    }

    /// The cost of testing an entry against this many slots.
    pub fn test(self, slots: usize) -> f32 {
        self.test.0 * slots as f32 + self.test.1
    }

    /// The cost of looking at all options of a heap, by this many entries, and again at the near ones of its block.
    pub fn all_options(self, entries: usize, near: usize) -> f32 {
        ENTRY_COST * entries as f32 + self.settle * near as f32
    }
}
