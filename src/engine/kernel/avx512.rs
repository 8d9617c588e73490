//! Registers of 512 bits: a block is one register, and one instruction looks 64 bytes up in a table of 64.
#![allow(unsafe_code)]

mod by_twos;

use super::checked::Options;
use super::generic::{self, ByteCodes, LowestBits, Registers, WideCodes};
use super::{LANES, Lanes, MOST_WINDOWS, WORDS, Window, Words, halves};
pub use by_twos::PLANES as PLANES_BY_TWOS;
use std::arch::x86_64::*;

/// Proof that this processor has the instructions used here.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    has_two_passes: bool,
}

impl Token {
    pub(super) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt"))
        .then(|| Self {
            has_two_passes: has_two_passes(),
        })
    }

    /// Whether this processor handles 512 bits in two passes. It is asked once: on a virtual machine `cpuid` takes microseconds.
    pub(super) fn has_two_passes(self) -> bool {
        self.has_two_passes
    }
}

/// Of the processors that have these instructions AMD's family 25 (Zen 4) handles 512 bits in two passes.
fn has_two_passes() -> bool {
    // SAFETY: a processor with these instructions has `cpuid`. (Newer compilers know that it is safe.)
    #[allow(unused_unsafe)]
    let (maker, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let name = [maker.ebx, maker.edx, maker.ecx].map(u32::to_le_bytes);
    let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
    name.as_flattened() == b"AuthenticAMD" && family == 25
}

/// The generic algorithms, with the least unmarked codes of two bytes found in registers too: lane by lane, where no branch can
/// be foreseen, 0.364 and 0.744 to 10⁶ take 4 % longer (Zen 4).
mod loops {
    pub use super::generic::least_unmarked as least_unmarked_words;
    pub use super::generic::plain::mark_values as mark_strips;
    pub use super::generic::*;
}

instance!(
    "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,bmi1,bmi2,popcnt",
    loops
);
instance! { "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,bmi1,bmi2,popcnt", by_twos:
    fn mark_options_by_twos(planes: &mut [Lanes], from: Options<'_, u8>);
}
// With wider registers at hand the compiler makes these few shifts slower: 0.104 and 0.106 to 9·10⁷ take 5 % longer with AVX-512
// (Sapphire Rapids), 0.054 as long.
instance! { "bmi1,bmi2", generic:
    fn settle_nibbles(nibbles: &Nibbles, marks: &[u16; QUARTER], codes: &mut [u8], at: usize, from: usize, left_out: u64) -> usize;
}

/// The bit of each code below 64 in each of eight planes.
const MARKS: [Lanes; 8] = {
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

/// The numbers of the lanes, the last one first.
const REVERSED: Lanes = {
    let mut reversed = Lanes::ZERO;
    let mut i = 0;
    while i < LANES {
        reversed.0[i] = (LANES - 1 - i) as u8;
        i += 1;
    }
    reversed
};
const REVERSED_WORDS: Words = {
    let mut reversed = Words::ZERO;
    let mut i = 0;
    while i < WORDS {
        reversed.0[i] = (WORDS - 1 - i) as u16;
        i += 1;
    }
    reversed
};

/// A register from memory.
#[inline(always)]
fn read<T>(block: &T) -> __m512i {
    const { assert!(size_of::<T>() == 64) }
    // SAFETY: 64 bytes behind a reference; it is called only where there are such registers.
    unsafe { _mm512_loadu_si512(std::ptr::from_ref(block).cast()) }
}

/// The items of the trait `Registers` that are the same for codes of each width.
macro_rules! common {
    ($code:ty, $lanes:expr, $mask:ty) => {
        type Register = __m512i;
        type Mask = $mask;
        /// The codes of a slot, and for each the least of the code XOR an option: 0 where an option was the same.
        /// With one register, as AVX2 has it, 0.376 and Grundy's game take 5 to 6 % longer, and other games between 4 % less and
        /// 4 % more (Sapphire Rapids).
        type Slot = [__m512i; 2];
        const PIECES: usize = 1;
        const COUNT: usize = 32;

        intrinsics! {
            fn load(self, block: &[$code; $lanes], _piece: usize) -> __m512i {
                _mm512_loadu_si512(block.as_ptr().cast())
            }
            fn store(self, block: &mut [$code; $lanes], _piece: usize, value: __m512i) {
                _mm512_storeu_si512(block.as_mut_ptr().cast(), value)
            }
            fn all_words(self, word: u32) -> __m512i { _mm512_set1_epi32(word.cast_signed()) }
            fn xor(self, a: __m512i, b: __m512i) -> __m512i { _mm512_xor_si512(a, b) }
            fn or(self, a: __m512i, b: __m512i) -> __m512i { _mm512_or_si512(a, b) }
            fn or_three(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
                _mm512_ternarylogic_epi32::<0xfe>(a, b, c)
            }
            fn slot(self, codes: __m512i) -> [__m512i; 2] { [codes, _mm512_set1_epi8(-1)] }
        }

        #[inline(always)]
        fn either(self, a: $mask, b: $mask) -> $mask {
            a | b
        }

        #[inline(always)]
        fn is_empty(self, mask: $mask) -> bool {
            mask == 0
        }

        #[inline(always)]
        fn bits(self, mask: $mask) -> u64 {
            u64::from(mask)
        }

        #[inline(always)]
        fn mask(self, bits: u64) -> $mask {
            bits as $mask
        }

        #[inline(always)]
        fn strike(self, [codes, least]: [__m512i; 2], option: __m512i) -> [__m512i; 2] {
            let difference = Registers::<$code>::xor(self, codes, option);
            [codes, Registers::<$code>::min(self, least, difference)]
        }

        #[inline(always)]
        fn left(self, [codes, least]: [__m512i; 2]) -> __m512i {
            let zero = Registers::<$code>::all(self, 0);
            let dead = Registers::<$code>::all(self, <$code>::MAX);
            let hit = Registers::<$code>::equal(self, least, zero);
            Registers::<$code>::select(self, hit, dead, codes)
        }
    };
}

impl Registers<u8> for Token {
    common!(u8, LANES, u64);

    intrinsics! {
        fn all(self, code: u8) -> __m512i { _mm512_set1_epi8(code.cast_signed()) }
        fn min(self, a: __m512i, b: __m512i) -> __m512i { _mm512_min_epu8(a, b) }
        fn max(self, a: __m512i, b: __m512i) -> __m512i { _mm512_max_epu8(a, b) }
        fn equal(self, a: __m512i, b: __m512i) -> u64 { _mm512_cmpeq_epi8_mask(a, b) }
        fn select(self, mask: u64, yes: __m512i, no: __m512i) -> __m512i {
            _mm512_mask_mov_epi8(no, mask, yes)
        }
        fn reversed(self, a: __m512i) -> __m512i {
            _mm512_permutexvar_epi8(read(&REVERSED), a)
        }
    }
}

impl Registers<u16> for Token {
    common!(u16, WORDS, u32);

    intrinsics! {
        fn all(self, code: u16) -> __m512i { _mm512_set1_epi16(code.cast_signed()) }
        fn min(self, a: __m512i, b: __m512i) -> __m512i { _mm512_min_epu16(a, b) }
        fn max(self, a: __m512i, b: __m512i) -> __m512i { _mm512_max_epu16(a, b) }
        fn equal(self, a: __m512i, b: __m512i) -> u32 { _mm512_cmpeq_epi16_mask(a, b) }
        fn select(self, mask: u32, yes: __m512i, no: __m512i) -> __m512i {
            _mm512_mask_mov_epi16(no, mask, yes)
        }
        fn reversed(self, a: __m512i) -> __m512i {
            _mm512_permutexvar_epi16(read(&REVERSED_WORDS), a)
        }
    }
}

impl LowestBits<u8> for Token {
    intrinsics! {
        fn add(self, a: __m512i, b: __m512i) -> __m512i { _mm512_add_epi8(a, b) }
        fn lowest(self, a: __m512i) -> __m512i {
            let below = _mm512_andnot_si512(a, _mm512_sub_epi8(a, _mm512_set1_epi8(1)));
            _mm512_popcnt_epi8(below)
        }
        fn without_lowest(self, a: __m512i) -> __m512i {
            _mm512_and_si512(a, _mm512_sub_epi8(a, _mm512_set1_epi8(1)))
        }
    }
}

impl LowestBits<u16> for Token {
    intrinsics! {
        fn add(self, a: __m512i, b: __m512i) -> __m512i { _mm512_add_epi16(a, b) }
        fn lowest(self, a: __m512i) -> __m512i {
            let below = _mm512_andnot_si512(a, _mm512_sub_epi16(a, _mm512_set1_epi16(1)));
            _mm512_popcnt_epi16(below)
        }
        fn without_lowest(self, a: __m512i) -> __m512i {
            _mm512_and_si512(a, _mm512_sub_epi16(a, _mm512_set1_epi16(1)))
        }
    }
}

impl ByteCodes for Token {
    const TWO_AT_A_TIME: usize = 8;
    const MOST_PLANES_AT_ONCE: usize = 20;
    type Table = __m512i;

    #[inline(always)]
    fn table(self, table: &Lanes) -> __m512i {
        read(table)
    }

    fn planes_at_once(planes: usize) -> usize {
        // The marks of twenty planes stay in registers. Other parts of 22 and 24 than sixteen and the rest were not tried.
        if planes <= Self::MOST_PLANES_AT_ONCE {
            Self::MOST_PLANES_AT_ONCE
        } else {
            16
        }
    }

    intrinsics! {
        fn and_not(self, a: __m512i, b: __m512i) -> __m512i { _mm512_andnot_si512(b, a) }
        fn marks(self, x: __m512i, first: usize, plane: usize) -> __m512i {
            let x = _mm512_xor_si512(x, _mm512_set1_epi8((8 * first) as i8));
            let index = _mm512_xor_si512(x, _mm512_set1_epi8((64 * (plane / 8)) as i8));
            let inside = _mm512_cmplt_epu8_mask(index, _mm512_set1_epi8(64));
            _mm512_maskz_permutexvar_epi8(inside, x, read(&MARKS[plane % 8]))
        }
        fn add_marks(self, marked: __m512i, x: __m512i, first: usize, plane: usize) -> __m512i {
            let x = _mm512_xor_si512(x, _mm512_set1_epi8((8 * first) as i8));
            // Matrices that spread bit 6 or 7 of a byte over all of it: of many planes this takes 0.7 of the time of masks (Zen
            // 4).
            let six = _mm512_set1_epi64(0x4040_4040_4040_4040);
            let seven = _mm512_set1_epi64(0x8080_8080_8080_8080_u64.cast_signed());
            let six = _mm512_gf2p8affine_epi64_epi8::<0>(x, six);
            let seven = _mm512_gf2p8affine_epi64_epi8::<0>(x, seven);
            let inside = match plane / 8 {
                0 => _mm512_ternarylogic_epi32::<0x01>(six, six, seven),
                1 => _mm512_andnot_si512(seven, six),
                2 => _mm512_andnot_si512(six, seven),
                _ => _mm512_and_si512(six, seven),
            };
            let bit = _mm512_permutexvar_epi8(x, read(&MARKS[plane % 8]));
            _mm512_ternarylogic_epi32::<0xf8>(marked, bit, inside)
        }
        fn marks_inside<const PLANES: usize>(self, x: __m512i, plane: usize) -> __m512i {
            _mm512_permutexvar_epi8(x, read(&MARKS[plane]))
        }
        fn below(self, limits: __m512i, plane: usize) -> __m512i {
            let rest = _mm512_subs_epu8(limits, _mm512_set1_epi8((8 * plane) as i8));
            _mm512_shuffle_epi8(read(&BELOW), _mm512_min_epu8(rest, _mm512_set1_epi8(8)))
        }
        fn look_up<const PLANES: usize>(self, table: __m512i, codes: __m512i) -> __m512i {
            _mm512_permutexvar_epi8(codes, table)
        }
    }
}

impl WideCodes for Token {
    const BYTES_PAY_ABOVE: usize = 30;
    const PLANES_AT_ONCE: usize = 24;
    type Marked = __m512i;

    intrinsics! {
        fn times(self, x: __m512i, y: __m512i) -> __m512i { _mm512_mullo_epi16(x, y) }
        fn unmarked(self) -> __m512i { _mm512_setzero_si512() }
        fn mark_two(self, marked: __m512i, x: [__m512i; 2]) -> __m512i {
            // A shift by 16 and more leaves nothing.
            let one = _mm512_set1_epi16(1);
            let [x, y] = [_mm512_sllv_epi16(one, x[0]), _mm512_sllv_epi16(one, x[1])];
            _mm512_ternarylogic_epi32::<0xfe>(marked, x, y)
        }
    }

    #[inline(always)]
    fn marked(self, marked: __m512i) -> __m512i {
        marked
    }
}

impl generic::Lookups for Token {
    intrinsics! {
        fn eights(self, eights: [&[u16; 8]; WORDS / 8]) -> __m512i {
            let [a, b, c, d] = eights.map(|eight| _mm_loadu_si128(eight.as_ptr().cast()));
            let [ab, cd] = [_mm256_set_m128i(b, a), _mm256_set_m128i(d, c)];
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(ab), cd)
        }
        fn zip(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
            [_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)]
        }
        fn write_halves(self, to: [&mut [u8]; 2], x: __m512i) {
            let [low, high] = to.map(|to| to.first_chunk_mut::<WORDS>());
            if let (Some(low), Some(high)) = (low, high) {
                let low_bits = _mm512_and_si512(x, _mm512_set1_epi16(127));
                _mm256_storeu_si256(low.as_mut_ptr().cast(), _mm512_cvtepi16_epi8(low_bits));
                _mm256_storeu_si256(high.as_mut_ptr().cast(), _mm512_cvtepi16_epi8(_mm512_srli_epi16::<7>(x)));
            }
        }
    }

    /// Two registers with the 128 bytes of each window.
    type Open<const WINDOWS: usize> = [[__m512i; 2]; WINDOWS];

    #[inline(always)]
    fn open<const WINDOWS: usize>(self, windows: &[Window; WINDOWS]) -> [[__m512i; 2]; WINDOWS] {
        let mut open = [[read(&Lanes::ZERO); 2]; WINDOWS];
        for (open, window) in open.iter_mut().zip(windows) {
            let places = generic::plain::open_places(window);
            for (open, half) in open.iter_mut().zip(places.as_chunks::<4>().0) {
                *open = read(half);
            }
        }
        open
    }

    intrinsics! {
        fn pick<const WINDOWS: usize>(
            self, open: &[[__m512i; 2]; WINDOWS], pair: [halves::Block<'_>; 2], base: u8, found: [&mut [u8; LANES]; 2]
        ) -> usize {
            let [low, high] = self.xor_of_halves(pair, base);
            let hit = self.look_up_open(open, [low, high]);
            let [found_low, found_high] = found;
            _mm512_storeu_si512(found_low.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(hit, low));
            _mm512_storeu_si512(found_high.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(hit, high));
            hit.count_ones() as usize
        }
    }
}

/// The bit of a high half in its window, which has eight of them, and none beyond so many windows.
const BITS_OF_WINDOWS: [Lanes; MOST_WINDOWS + 1] = {
    let mut bits = [Lanes::ZERO; MOST_WINDOWS + 1];
    let mut windows = 0;
    while windows <= MOST_WINDOWS {
        let mut high = 0;
        while high < 8 * windows {
            bits[windows].0[high] = 1 << (high % 8);
            high += 1;
        }
        windows += 1;
    }
    bits
};

impl Token {
    intrinsics! {
        // The halves of the numbers `ones[k] ^ others[k] - base`.
        fn xor_of_halves(self, pair: [halves::Block<'_>; 2], base: u8) -> [__m512i; 2] {
            let [ones, others] = pair;
            let low = _mm512_xor_si512(read(ones[0]), read(others[0]));
            let high = _mm512_xor_si512(read(ones[1]), read(others[1]));
            [low, _mm512_sub_epi8(high, _mm512_set1_epi8(base.cast_signed()))]
        }
        // Which of these numbers are open. The low half says where the byte is, and the high half which window and which bit.
        fn look_up_open<const WINDOWS: usize>(self, open: &[[__m512i; 2]; WINDOWS], numbers: [__m512i; 2]) -> u64 {
            let [low, high] = numbers;
            let mut bytes = _mm512_permutex2var_epi8(open[0][0], low, open[0][1]);
            for (window, open) in open.iter().enumerate().skip(1) {
                let others = _mm512_permutex2var_epi8(open[0], low, open[1]);
                let from_here = _mm512_cmpge_epu8_mask(high, _mm512_set1_epi8(8 * window as i8));
                bytes = _mm512_mask_blend_epi8(from_here, bytes, others);
            }
            let beyond = _mm512_set1_epi8(8 * WINDOWS as i8);
            let bit = _mm512_permutexvar_epi8(_mm512_min_epu8(high, beyond), read(&BITS_OF_WINDOWS[WINDOWS]));
            _mm512_test_epi8_mask(bytes, bit)
        }
    }
}
