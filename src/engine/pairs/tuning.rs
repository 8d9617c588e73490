//! The tuning constants of the engine of all pairs. They change the time an answer takes, or which answers are refused as too
//! dear, never a value. Where nothing is said of what was tried, a constant was chosen once and not varied.

use crate::engine::kernel::tuning::Tuning;
use crate::engine::kernel::{Kernel, MOST_WINDOWS, WORDS};

// Threads.

/// Blocks for each thread at a time: one that is held up by others should not hold up all.
pub const BLOCKS_PER_THREAD: usize = 4;
/// From this heap on a second thread pays.
pub const LEAST_FOR_THREADS: usize = 20_000;

// All pairs, marked or looked up (`block.rs`).

/// With fewer rows of marks than this pairs are gone through by sums. A row takes a byte for each value, and moves that take from
/// one stone to a thousand would have a thousand rows for 32 heaps. There must also be fewer than by moves, which have 32 each.
pub const MOST_ROWS: usize = 4 * WORDS;

/// Pairs marked one by one, and the length of the first tile. In a prototype 128 and 512 took as long (Zen 4).
pub const FIRST_TILE: usize = 256;
/// Pairs looked up before the values still open are looked at again; tiles grow to it. With AVX2 smaller tiles were no faster.
pub const PAIRS_PER_TILE: usize = 4096;

/// Pairs are looked up if the mean of the last values lies in one of so many windows; otherwise all options are marked one by
/// one. Windows below the mex fill up before all pairs are met, so that they cost the less the more heaps there are. 0.7246,
/// whose values reach nine in the mean at heap 100,000 and sixteen at 200,000, takes 2.0 s to 100,000 with AVX-512, 2.3 with a
/// bound of five there, and to 200,000 as long (Rocket Lake); 10.3 s with AVX2 and no bound, and 2.9 with its bound (Zen 4), if its
/// pairs go by moves.
/// Where pairs are gone through by sums, AVX2 and NEON mark all: 0.764, 0.76 and 0.344 to 100,000 take 0.92, 1.29 and 0.85 s in one
/// window, 0.81, 0.75 and 0.76 so. With AVX-512 0.7246, 0.764 and 0.76 take 1.52, 0.74 and 0.50 s in ten windows, 1.00, 0.70 and
/// 0.46 in two, 1.04, 0.87 and 0.79 if all is marked; to 300,000 the first two take 13.6 and 4.4, and 9.8 and 4.7 (Zen 4).
pub fn most_windows(kernel: Kernel, heaps: usize, by_sums: bool) -> usize {
    match kernel.tuning() {
        Tuning::Avx512TwoPass | Tuning::Avx512 => {
            (heaps / 20_000).max(if by_sums { 2 } else { 10 })
        }
        Tuning::Avx2 | Tuning::Neon if !by_sums => (heaps / 40_000).max(2),
        Tuning::Avx2 | Tuning::Neon | Tuning::Portable => 0,
    }
}

/// How many windows are looked up together where values reach over so many in the mean. One by one 0.764 takes 41 % longer to
/// 100,000 and 8 to 300,000 with AVX-512 (Zen 4), and 0.7246, if it is looked up, 53 to 100,000 (Rocket Lake). With AVX2, where each
/// window has eight tables of its own, two or four together take as long, up to 6 % more or less.
pub fn windows_at_once(kernel: Kernel, windows: usize) -> usize {
    match kernel.tuning() {
        Tuning::Avx512TwoPass | Tuning::Avx512 => windows.next_power_of_two().min(MOST_WINDOWS),
        Tuning::Avx2 | Tuning::Neon | Tuning::Portable => 1,
    }
}

/// Whether a kernel marks in strips, with which little costs little.
fn has_fast_strips(kernel: Kernel) -> bool {
    kernel.tuning() == Tuning::Avx2
}

/// How many of the least open values of a heap are sought among the other pairs, where `done` of all pairs are done; `None` for all
/// values of a window. If all that are sought turn out to be options, larger ones are sought among the pairs from there on again.
/// In 0.206, 0.016, 0.004, 0.007 and 0.024 to 100,000 that takes 10 to 25 % less time, in 0.344 31 %. From a seventh or a twelfth of
/// the pairs on and with 10 or 24 in place of 16 it takes as long, up to 6 % more or less (Zen 1).
pub fn values_sought(kernel: Kernel, done: usize, pairs: usize) -> Option<usize> {
    (has_fast_strips(kernel) && 5 * done >= pairs).then(|| 4 + 16 * (pairs - done) / done.max(1))
}

/// With at most so many values of a window open, only the strips that have them are looked up where a pair is sought for each. 0.146
/// and 0.344 to 200,000 take 3 and 12 % less time so; with 16 or 256 as long, up to 4 % more (Zen 1).
pub fn most_open_in_strips(kernel: Kernel) -> usize {
    if has_fast_strips(kernel) { 64 } else { 0 }
}

// Rare heaps (`by_classes.rs`).

/// At most one heap in so many may be rare for classes to be worth it. With more of them all pairs take less time: of 4, 8, 12,
/// 16 and 24 twelve was the fastest for 300,000 values of 0.007, 0.114, 0.206, 0.344 and 0.005, or within 3 % of it (Zen 4,
/// AVX-512); with AVX2 12 and 24 take as long, up to 8 % more or less. In plain Rust 0.344, 0.146 and 0.007 to 300,000 take 31, 12 and
/// 17 s with 12, 21, 9 and 15 with 24, 16, 8 and 15 with 48, and as long with more (Zen 1).
pub fn heaps_per_rare(kernel: Kernel) -> usize {
    match kernel.tuning() {
        Tuning::Portable => 48,
        _ => 12,
    }
}
/// Classes are looked for again when one in so many of the values is new.
pub const SOUGHT_EVERY: usize = 8;
/// How many more common codes are sought than [`values_sought`] says. Where all that are sought turn out to be options, all rare
/// parts are looked up again. With 12, 28, 60 and 100 in 0.206, 0.344 and 0.1372 to 100,000, with one heap in eleven or fewer taken as
/// rare enough, 60 was the fastest or within 6 % of it, 12 took 20 % longer in 0.344 (Zen 1).
pub const SPARE: usize = 60;
/// With fewer rows than this pairs by classes are gone through by sums: the options of the first 32 rows are made by vectors, those
/// of the others one by one.
pub const MOST_ROWS_BY_CLASSES: usize = WORDS + 8;
/// How many times as many rare parts are looked up before the rows of a block tell its heaps again what they found. With AVX2 0.344
/// and 0.146 to 300,000 take 4 % longer if that is not each time (Zen 1). With AVX-512 to tell takes about as long as to look up a
/// tile; there nothing was tried.
pub fn hand_on_every(kernel: Kernel) -> usize {
    if has_fast_strips(kernel) { 1 } else { 4 }
}
/// Rare parts looked up together.
pub const RARES_PER_TILE: usize = 1024;

// The price of a table (`price.rs`), in steps. Measured by one thread with AVX-512 (Zen 4): 13·10⁹ pairs of 0.344 and 11·10⁹ of
// 0.007 a second, so that a step takes 1.2 to 1.5 ns; in plain Rust it takes 6 ns.

/// Pairs compared in one step.
pub const PAIRS_PER_STEP: u128 = 16;
/// Rare heaps looked up in one step. By this and [`STEPS_BESIDES_RARES`] a step takes about 1.6 ns in 0.364 and 1.8 in 0.007,
/// from heap 300,000 to 10⁶ (Zen 4, AVX-512).
pub const RARES_PER_STEP: u128 = 4;
/// The steps that a heap takes besides its rare heaps.
pub const STEPS_BESIDES_RARES: u128 = 512;
/// If more than one heap in so many is rare, all pairs are counted.
pub const HEAPS_PER_PRICED_RARE: usize = 4;
/// Beyond so many steps the price is learnt from the first values; to make these takes no more.
pub const LEARNT_BEYOND: u128 = 100_000_000;
/// The most first values that are learnt from.
pub const MOST_LEARNT: u64 = 1 << 16;
