//! The kernels with 512-bit registers: a block of heaps is one register, a table lookup of 64 bytes is one instruction.
#![allow(unsafe_code)]

mod orbits;
mod pairs;
mod planes;
mod rough;
mod slots;

use self::orbits::walk;
use super::checked::{Opposite, Options, Pairs, Sources, Unsettled, WordPairs};
use super::orbits::{Open, Orbits};
use super::questions::{Question, Unasked};
use super::{LANES, Lanes, Nibbles, QUARTER, SLOTS, Sextets, Words, portable};
use pairs::{kill_words, mark_words, scan, unanswered, unpaired, unpaired_words};
use planes::{fresh, holes, open, rows, scatter, unmarked};
use rough::roughly;
use slots::{kill, settle, sort};
use std::arch::x86_64::*;

/// Proof that this processor has the instructions used here.
#[derive(Clone, Copy, Debug)]
pub struct Token(());

impl Token {
    pub(super) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2"))
        .then_some(Self(()))
    }

    /// Whether this processor does 512 bits in two passes: of those with these instructions, AMD's family 25 (Zen 4).
    pub(super) fn is_split(self) -> bool {
        // SAFETY: a processor with these instructions has `cpuid`. (Newer compilers know that it is safe.)
        #[allow(unused_unsafe)]
        let (maker, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
        let name = [maker.ebx, maker.edx, maker.ecx].map(u32::to_le_bytes);
        let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
        name.as_flattened() == b"AuthenticAMD" && family == 25
    }
}

forward!();
forward! {
    fn roughly(planes: &mut [Lanes], from: Options<'_>);
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(lanes: &Lanes) -> __m512i {
    // SAFETY: 64 aligned bytes behind a reference.
    unsafe { _mm512_load_si512(lanes.0.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(lanes: &mut Lanes, value: __m512i) {
    // SAFETY: 64 aligned bytes behind an exclusive reference.
    unsafe { _mm512_store_si512(lanes.0.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_bytes(bytes: &[u8; LANES]) -> __m512i {
    // SAFETY: 64 bytes behind a reference.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// The options of a block by one entry.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn options<const MASKED: bool>((codes, mask, u): Sources<'_>) -> __m512i {
    let x = _mm512_xor_si512(load_bytes(codes), _mm512_set1_epi8(u.cast_signed()));
    match mask {
        Some(mask) if MASKED => _mm512_or_si512(x, load_bytes(mask)),
        _ => x,
    }
}

/// `TABLES[j]` sends x to its bit in plane j, x < 64.
const TABLES: [Lanes; 8] = {
    let mut tables = [Lanes::ZERO; 8];
    let mut x = 0;
    while x < LANES {
        tables[x / 8].0[x] = 1 << (x % 8);
        x += 1;
    }
    tables
};

/// The bits below a limit of 0 to 8.
const BELOW: Lanes = {
    let mut below = Lanes([0xff; LANES]);
    let mut i = 0;
    while i < LANES {
        if i % 16 < 8 {
            below.0[i] = (1 << (i % 16)) - 1;
        }
        i += 1;
    }
    below
};

/// The codes of plane j below the limits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn below(j: u8, limits: __m512i) -> __m512i {
    let rest = _mm512_subs_epu8(limits, _mm512_set1_epi8((8 * j).cast_signed()));
    let rest = _mm512_min_epu8(rest, _mm512_set1_epi8(8));
    _mm512_shuffle_epi8(load(&BELOW), rest)
}

/// The same loop: the compiler takes the registers.
#[target_feature(enable = "avx512f,avx512bw")]
fn tally(counts: &mut [u8], options: &[u8], x: u8) {
    portable::tally(counts, options, x);
}

#[target_feature(enable = "bmi1,bmi2")]
fn settle_nibbles(
    nibbles: &Nibbles,
    rows: &[u16; QUARTER],
    codes: &mut [u8],
    at: usize,
    from: usize,
    odd: u64,
) -> usize {
    nibbles.settle(rows, codes, at, from, odd)
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn settle_sextets(
    sextets: &Sextets,
    rows: &[u64; LANES],
    codes: &mut [u8],
    (at, from): (usize, usize),
    odd: u64,
    most: u32,
) -> usize {
    sextets.settle(rows, codes, at, from, odd, most)
}
