//! Marking options from codes in bands. From the codes themselves 0.6, 0.142 and Grundy's game to 3·10⁶ take 22, 19 and 2 % longer
//! (Sapphire Rapids).

use super::{MARKS, Token, half, read};
use crate::engine::kernel::bands::{BandedOptions, Bands, OUTSIDE};
use crate::engine::kernel::{LANES, Lanes};
use std::arch::x86_64::*;

/// Lanes of a register.
const HALF: usize = LANES / 2;

#[inline]
#[target_feature(enable = "avx2")]
fn all(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2")]
fn write(bytes: &mut [u8; HALF], value: __m256i) {
    // SAFETY: 32 bytes behind a reference.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx2")]
pub(super) fn extend_bands(_: Token, bands: &mut Bands, codes: &[u8], mask: Option<&[u8]>) {
    let write = |bytes: &mut [u8], codes: &[u8], mask: Option<&[u8]>, band| {
        let (whole, rest) = codes.as_chunks::<HALF>();
        let (bytes, last) = bytes.as_chunks_mut::<HALF>();
        let (masks, masked) = mask.unwrap_or_default().as_chunks::<HALF>();
        for (k, (bytes, codes)) in bytes.iter_mut().zip(whole).enumerate() {
            write(bytes, indices(codes, masks.get(k), band));
        }
        if !rest.is_empty() {
            let padded = |bytes: &[u8]| {
                let mut whole = [0; HALF];
                whole[..bytes.len()].copy_from_slice(bytes);
                whole
            };
            let mut bytes = [0; HALF];
            let masked = padded(masked);
            write(&mut bytes, indices(&padded(rest), Some(&masked), band));
            last.copy_from_slice(&bytes[..rest.len()]);
        }
    };
    bands.push(codes, mask, |codes| groups(codes), write);
}

/// The groups of sixteen that have one of these codes, a bit each.
#[inline]
#[target_feature(enable = "avx2")]
fn groups(codes: &[u8]) -> u16 {
    let mut seen = [_mm256_setzero_si256(); 2];
    let (whole, rest) = codes.as_chunks::<HALF>();
    for codes in whole {
        let group = _mm256_and_si256(_mm256_srli_epi16::<4>(read(codes)), all(0x0f));
        for (seen, marks) in seen.iter_mut().zip(&MARKS) {
            *seen = _mm256_or_si256(*seen, _mm256_shuffle_epi8(read(marks), group));
        }
    }
    let seen = seen.map(|seen| {
        let mut bytes = [0; HALF];
        write(&mut bytes, seen);
        bytes.into_iter().fold(0, |all, byte| all | byte)
    });
    let rest = rest.iter().fold(0, |all, code| all | 1 << (code >> 4));
    rest | u16::from_le_bytes(seen)
}

/// The bytes that heaps with these codes have in a band. Those of masked heaps are `OUTSIDE`.
#[inline]
#[target_feature(enable = "avx2")]
fn indices(codes: &[u8; HALF], mask: Option<&[u8; HALF]>, band: u8) -> __m256i {
    let codes = read(codes);
    let inside = _mm256_cmpeq_epi8(_mm256_and_si256(codes, all(0xe0)), all(32 * band));
    let inside = match mask {
        Some(mask) => _mm256_andnot_si256(read(mask), inside),
        None => inside,
    };
    let upper = _mm256_and_si256(_mm256_slli_epi16::<3>(codes), all(0x80));
    let index = _mm256_or_si256(_mm256_and_si256(codes, all(0x0f)), upper);
    _mm256_blendv_epi8(all(OUTSIDE), index, inside)
}

#[target_feature(enable = "avx2")]
pub(super) fn mark_from_bands(_: Token, planes: &mut [Lanes], from: BandedOptions<'_>) {
    for (band, planes) in planes.chunks_mut(4).enumerate() {
        if planes.len() == 4 {
            whole(planes, band, from);
        } else {
            lower(planes, band, from);
        }
    }
}

/// Marks by sixteen codes of a band (the lower ones, the upper ones), by half of the lanes, and by plane.
type Marked = [[[__m256i; 2]; 2]; 2];

/// Marks all four planes of a band.
#[inline]
#[target_feature(enable = "avx2")]
fn whole(planes: &mut [Lanes], band: usize, from: BandedOptions<'_>) {
    let mut marked = [[[_mm256_setzero_si256(); 2]; 2]; 2];
    mark_entries::<0>(&mut marked, band, from);
    mark_entries::<1>(&mut marked, band, from);
    for (planes, marked) in planes.chunks_mut(2).zip(marked) {
        add(planes, marked);
    }
}

/// Marks the options by the entries that leave the two halves of a band in their places (`SWAP` 0) or swap them (`SWAP` 1).
#[inline]
#[target_feature(enable = "avx2")]
fn mark_entries<const SWAP: usize>(marked: &mut Marked, band: usize, from: BandedOptions<'_>) {
    for entry in from.all(SWAP) {
        let (sources, [low, high]) = from.look_up(band, entry);
        let tables = [read(low), read(high)];
        let indices = [half(sources, 0), half(sources, 1)];
        mark_indices::<SWAP>(marked, indices, tables);
    }
    let tables = [read(&MARKS[0]), read(&MARKS[1])];
    for [one, other] in from.twos(SWAP) {
        let (one, other) = (from.with_low(band, one), from.with_low(band, other));
        let index = |(sources, low), k| _mm256_xor_si256(four_times(low), half(sources, k));
        // What is outside is larger.
        let indices = [0, 1].map(|k| _mm256_min_epu8(index(one, k), index(other, k)));
        mark_indices::<SWAP>(marked, indices, tables);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn four_times(low: u32) -> __m256i {
    _mm256_set1_epi32(low.cast_signed())
}

/// Marks by indices of sources: as they are for the lower sixteen codes of the source band, less 16 for the upper sixteen.
#[inline]
#[target_feature(enable = "avx2")]
fn mark_indices<const SWAP: usize>(
    marked: &mut Marked,
    indices: [__m256i; 2],
    [low, high]: [__m256i; 2],
) {
    let upper = all(0u8.wrapping_sub(16));
    // Written out, as a loop would keep the planes in memory.
    macro_rules! halves {
        ($($half:literal)*) => {$(
            let (first, second) = (indices[$half], _mm256_add_epi8(indices[$half], upper));
            let [a, b] = &mut marked[SWAP][$half];
            *a = _mm256_or_si256(*a, _mm256_shuffle_epi8(low, first));
            *b = _mm256_or_si256(*b, _mm256_shuffle_epi8(high, first));
            let [a, b] = &mut marked[1 - SWAP][$half];
            *a = _mm256_or_si256(*a, _mm256_shuffle_epi8(low, second));
            *b = _mm256_or_si256(*b, _mm256_shuffle_epi8(high, second));
        )*};
    }
    halves!(0 1);
}

/// Marks the first two planes of a band.
#[inline]
#[target_feature(enable = "avx2")]
fn lower(planes: &mut [Lanes], band: usize, from: BandedOptions<'_>) {
    let mut marked = [[_mm256_setzero_si256(); 2]; 2];
    for (swap, turn) in [(0, 0), (1, 16)] {
        let turn = all(0u8.wrapping_sub(turn));
        for entry in from.of_lower(band, swap) {
            let (sources, [low, high]) = from.look_up(band, entry);
            let (low, high) = (read(low), read(high));
            for (k, [a, b]) in marked.iter_mut().enumerate() {
                let index = _mm256_add_epi8(half(sources, k), turn);
                *a = _mm256_or_si256(*a, _mm256_shuffle_epi8(low, index));
                *b = _mm256_or_si256(*b, _mm256_shuffle_epi8(high, index));
            }
        }
    }
    add(planes, marked);
}

/// Adds marks of the first and of the second half of the lanes to two planes.
#[inline]
#[target_feature(enable = "avx2")]
fn add(planes: &mut [Lanes], marked: [[__m256i; 2]; 2]) {
    for (k, marked) in marked.into_iter().enumerate() {
        for (plane, marked) in planes.iter_mut().zip(marked) {
            let now = _mm256_or_si256(half(&plane.0, k), marked);
            write(&mut plane.0.as_chunks_mut().0[k], now);
        }
    }
}
