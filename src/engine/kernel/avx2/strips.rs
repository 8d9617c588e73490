//! Marking in strips, of which one table tells what is open. Only with AVX2 the engine of pairs goes by strips
//! (`engine/pairs/tuning.rs`); the other kernels mark them as plain Rust does.

use super::{MARKS, Token, read};
use crate::engine::kernel::generic::plain;
use crate::engine::kernel::halves::{self, HalvesOf, halves, number};
use crate::engine::kernel::{STRIP, Strip, WINDOW, set_bits};
use std::arch::x86_64::*;

/// The values of a strip that are not marked.
#[derive(Clone, Copy, Default)]
struct OpenStrip {
    /// The high half of the values.
    high: u8,
    /// Bit k of byte j for the low half 16k + j: 1 for a value that is open.
    places: [u8; 16],
}

impl OpenStrip {
    /// The open values of the strip of this high half, if there are any.
    #[inline(always)]
    fn of(high: u8, strip: &Strip) -> Option<Self> {
        let mut places = [0; 16];
        for (bit, marks) in strip.as_chunks::<16>().0.iter().enumerate() {
            for (byte, mark) in places.iter_mut().zip(marks) {
                *byte |= (mark ^ 1) << bit;
            }
        }
        (places != [0; 16]).then_some(Self { high, places })
    }
}

impl Token {
    intrinsics! {
        // Which of the 64 numbers `ones[k] ^ others[k]` are open in one of these strips, a bit each.
        fn open_in_strips<const STRIPS: usize>(
            self, strips: &[OpenStrip; STRIPS], pair: [halves::Block<'_>; 2]
        ) -> u64 {
            let mut lanes = 0;
            for piece in 0..2 {
                let [low, high] = self.xor_of_halves(pair, 0, piece);
                let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(low), _mm256_set1_epi8(7));
                let bit = _mm256_shuffle_epi8(read(&MARKS[0]), upper);
                let mut open = _mm256_setzero_si256();
                for strip in strips {
                    let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(strip.places.as_ptr().cast()));
                    let here = _mm256_cmpeq_epi8(high, _mm256_set1_epi8(strip.high.cast_signed()));
                    // The low four bits of the index count, as the highest one is 0.
                    open = _mm256_or_si256(open, _mm256_and_si256(here, _mm256_shuffle_epi8(table, low)));
                }
                let none = _mm256_cmpeq_epi8(_mm256_and_si256(open, bit), _mm256_setzero_si256());
                lanes |= u64::from(!_mm256_movemask_epi8(none) as u32) << (32 * piece);
            }
            lanes
        }
    }
}

/// Marks the numbers `ones[k] ^ others[k]` in neighbouring strips, of which the first begins with `base`. A register has sixteen
/// bytes with a bit for each value of a strip, which is met where the high half of a number is that of the strip; strips without
/// open values are left out. Numbers that are open are marked one by one, as there are few.
#[inline(always)]
pub fn mark_strips(
    token: Token,
    strips: &mut [Strip],
    base: u16,
    ones: HalvesOf<'_>,
    others: HalvesOf<'_>,
) {
    let [_, high_base] = halves(base);
    let mut open = [OpenStrip::default(); WINDOW / STRIP];
    let open_strips = (high_base..=u8::MAX)
        .zip(&*strips)
        .filter_map(|(high, strip)| OpenStrip::of(high, strip));
    let mut count = 0;
    for (open, strip) in open.iter_mut().zip(open_strips) {
        *open = strip;
        count += 1;
    }
    match count {
        0 => (),
        1 => mark_open::<1>(token, strips, open, high_base, ones, others),
        2 => mark_open::<2>(token, strips, open, high_base, ones, others),
        3 => mark_open::<3>(token, strips, open, high_base, ones, others),
        4 => mark_open::<4>(token, strips, open, high_base, ones, others),
        5..=6 => mark_open::<6>(token, strips, open, high_base, ones, others),
        _ => mark_open::<8>(token, strips, open, high_base, ones, others),
    }
}

/// Marks what is open in the first `STRIPS` of some open strips.
#[inline(always)]
fn mark_open<const STRIPS: usize>(
    token: Token,
    strips: &mut [Strip],
    open: [OpenStrip; WINDOW / STRIP],
    high_base: u8,
    ones: HalvesOf<'_>,
    others: HalvesOf<'_>,
) {
    let open: [OpenStrip; STRIPS] = std::array::from_fn(|k| open[k]);
    let (blocks, rest) = ones.blocks();
    let (other_blocks, others_rest) = others.blocks();
    for (ones, others) in blocks.zip(other_blocks) {
        for k in set_bits(token.open_in_strips(&open, [ones, others])) {
            let [low, high] = [0, 1].map(|half| ones[half][k] ^ others[half][k]);
            let strip = strips.get_mut(usize::from(high.wrapping_sub(high_base)));
            if let Some(mark) = strip.and_then(|strip| strip.get_mut(usize::from(low))) {
                *mark = 1;
            }
        }
    }
    plain::mark_values(token, strips, number(0, high_base), rest, others_rest);
}
