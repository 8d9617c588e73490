//! The kernels in plain safe Rust: the specification that the others are tested against.

mod pairs;
mod planes;
mod segments;
mod slots;

pub use self::segments::walk;
use super::checked::Sources;
use super::{LANES, Nibbles, QUARTER, Sextets};
pub use pairs::{hit_in, kill_words, mark_words, scan, unpaired, unpaired_words, unwitnessed};
pub use planes::{fresh, holes, open, rows, scatter, scatter as scatter_by_twos, unmarked};
pub use slots::{kill, settle, sort};

/// The bytes of a register of 128 bits, which NEON and SSE2 have. Loops over so many, or a multiple of it, without a way
/// out become instructions on registers.
const REGISTER: usize = 16;

#[inline(always)]
fn options((codes, mask, u): Sources<'_>) -> impl Iterator<Item = u8> + '_ {
    (0..LANES).map(move |lane| (codes[lane] ^ u) | mask.map_or(0, |mask| mask[lane]))
}

#[inline(always)]
pub fn tally(counts: &mut [u8], options: &[u8], x: u8) {
    for (count, &option) in counts.iter_mut().zip(options) {
        *count += u8::from(option == x);
    }
}

pub(super) fn settle_nibbles(
    nibbles: &Nibbles,
    rows: &[u16; QUARTER],
    codes: &mut [u8],
    at: usize,
    from: usize,
    odd: u64,
) -> usize {
    nibbles.settle(rows, codes, at, from, odd)
}

pub(super) fn settle_sextets(
    sextets: &Sextets,
    rows: &[u64; LANES],
    codes: &mut [u8],
    (at, from): (usize, usize),
    odd: u64,
    most: u32,
) -> usize {
    sextets.settle(rows, codes, at, from, odd, most)
}
