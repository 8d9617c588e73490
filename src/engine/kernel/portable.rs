//! The kernels in plain safe Rust: the specification that the others are tested against.

mod pairs;
mod planes;
mod segments;
mod slots;

pub use self::segments::walk;
use super::checked::Sources;
use super::open_candidates::OpenCandidates;
use super::width::Width;
use super::{LANES, Lanes, Nibbles, QUARTER, SLOTS, Sextets, Words};
pub use pairs::{hit_in, kill_words, mark_words, scan, unpaired, unpaired_words, unwitnessed};
pub use planes::{
    add_bytes, fresh, fresh as fresh_words, pays_by_bytes, rows, scatter, scatter_words,
};
pub use slots::{kill, settle, sort};

/// The bytes of a register of 128 bits, which NEON and SSE2 have. Loops over so many, or a multiple of it, without a way
/// out become instructions on registers.
const REGISTER: usize = 16;

#[inline(always)]
fn options<C: Width>((codes, mask, u): Sources<'_, C>) -> impl Iterator<Item = C> + '_ {
    let (codes, mask) = (codes.as_ref(), mask.map(AsRef::as_ref));
    (0..C::LANES).map(move |lane| (codes[lane] ^ u) | mask.map_or(C::ZERO, |mask| mask[lane]))
}

#[inline(always)]
pub fn tally<C: Width>(counts: &mut [u8], options: &[C], x: C) {
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

/// The loops over planes for codes of one width, by names of their own.
macro_rules! of_width {
    ($code:ty, $lanes:ty: $open:ident, $holes:ident, $unmarked:ident) => {
        #[inline(always)]
        pub fn $open(planes: &[$lanes], limit: &$lanes) -> u64 {
            planes::open::<$code>(planes, limit)
        }

        #[inline(always)]
        pub fn $holes(planes: &[$lanes], slots: &mut [$lanes; SLOTS]) {
            planes::holes::<$code>(planes, slots);
        }

        #[inline(always)]
        pub fn $unmarked(planes: &[$lanes], limit: &$lanes, at: usize, open: &mut OpenCandidates) {
            planes::unmarked::<$code>(planes, limit, at, open);
        }
    };
}
of_width!(u8, Lanes: open, holes, unmarked);
of_width!(u16, Words: open_words, holes_words, unmarked_words);
