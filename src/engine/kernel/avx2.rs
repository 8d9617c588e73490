//! Registers of 256 bits: half a block each, tables of 16 bytes.
#![allow(unsafe_code)]

mod bands;
mod strips;

use super::bands::{BandedOptions, Bands};
use super::generic::{self, ByteCodes, LowestBits, OpenPlaces, Registers, WideCodes};
use super::{LANES, Lanes, WORDS, Window, halves};
use std::arch::x86_64::*;

/// Proof that this processor has the instructions used here.
#[derive(Clone, Copy, Debug)]
pub struct Token(());

impl Token {
    pub(super) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt"))
        .then_some(Self(()))
    }
}

/// The generic algorithms, with strips.
mod loops {
    pub use super::generic::*;
    pub use super::strips::mark_strips;
}

instance!("avx2,bmi1,bmi2,popcnt", loops);
instance! { "avx2,bmi1,bmi2,popcnt", bands:
    fn extend_bands(bands: &mut Bands, codes: &[u8], mask: Option<&[u8]>);
    fn mark_from_bands(planes: &mut [Lanes], from: BandedOptions<'_>);
}
// With wider registers at hand the compiler makes these few shifts slower: 0.104, 0.106 and 0.054 to 9·10⁷ take 1 to 2 % longer
// (Zen 1); `avx512.rs` says by how much there.
instance! { "bmi1,bmi2", generic:
    fn settle_nibbles(nibbles: &Nibbles, marks: &[u16; QUARTER], codes: &mut [u8], at: usize, from: usize, left_out: u64) -> usize;
}

/// The same 16 bytes in both halves of a register.
const fn twice(bytes: [u8; 16]) -> [u8; 32] {
    let mut both = [0; 32];
    let mut i = 0;
    while i < 32 {
        both[i] = bytes[i % 16];
        i += 1;
    }
    both
}

/// The marks of codes 0 to 7 of 16, and of codes 8 to 15.
const MARKS: [[u8; 32]; 2] = [
    twice([1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]),
    twice([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128]),
];
/// The bits below a limit of 0 to 8.
const BELOW: [u8; 32] = twice([0, 1, 3, 7, 15, 31, 63, 127, 255, 0, 0, 0, 0, 0, 0, 0]);
/// The index of the one bit set in a nibble, the lower one or the upper one.
const LOW_INDEX: [u8; 32] = twice([0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]);
const HIGH_INDEX: [u8; 32] = twice([0, 4, 5, 0, 6, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]);
const REVERSED: [u8; 32] = twice([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
const REVERSED_WORDS: [u8; 32] = twice([14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1]);
/// The bytes in which the bits of 32 lanes lie.
const BYTES: [u8; 32] = {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        bytes[i] = i as u8 / 8;
        i += 1;
    }
    bytes
};

/// The places, among sixteen bytes, of the low halves of those of eight numbers whose bits are set, and of their high halves.
const COMPRESSED: [[u8; 16]; 256] = {
    let mut all = [[0x80; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut number, mut count) = (0, 0);
        while number < 8 {
            if set >> number & 1 == 1 {
                all[set][count] = number;
                all[set][8 + count] = 8 + number;
                count += 1;
            }
            number += 1;
        }
        set += 1;
    }
    all
};

/// A register from memory.
#[inline(always)]
fn read(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: 32 bytes behind a reference; it is called only where there are such registers.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The items of the trait `Registers` that are the same for codes of each width.
macro_rules! common {
    ($code:ty, $lanes:expr) => {
        type Register = __m256i;
        type Mask = __m256i;
        type Slot = __m256i;
        const PIECES: usize = 2;
        const COUNT: usize = 16;

        intrinsics! {
            fn load(self, block: &[$code; $lanes], piece: usize) -> __m256i {
                let half: &[$code; $lanes / 2] = &block.as_chunks().0[piece];
                _mm256_loadu_si256(half.as_ptr().cast())
            }
            fn store(self, block: &mut [$code; $lanes], piece: usize, value: __m256i) {
                let half: &mut [$code; $lanes / 2] = &mut block.as_chunks_mut().0[piece];
                _mm256_storeu_si256(half.as_mut_ptr().cast(), value)
            }
            fn all_words(self, word: u32) -> __m256i { _mm256_set1_epi32(word.cast_signed()) }
            fn xor(self, a: __m256i, b: __m256i) -> __m256i { _mm256_xor_si256(a, b) }
            fn or(self, a: __m256i, b: __m256i) -> __m256i { _mm256_or_si256(a, b) }
            fn either(self, a: __m256i, b: __m256i) -> __m256i { _mm256_or_si256(a, b) }
            fn select(self, mask: __m256i, yes: __m256i, no: __m256i) -> __m256i {
                _mm256_blendv_epi8(no, yes, mask)
            }
            fn is_empty(self, mask: __m256i) -> bool { _mm256_movemask_epi8(mask) == 0 }
        }

        #[inline(always)]
        fn slot(self, codes: __m256i) -> __m256i {
            codes
        }

        #[inline(always)]
        fn strike(self, slot: __m256i, option: __m256i) -> __m256i {
            let hit = Registers::<$code>::equal(self, slot, option);
            Registers::<$code>::or(self, slot, hit)
        }

        #[inline(always)]
        fn left(self, slot: __m256i) -> __m256i {
            slot
        }
    };
}

impl Registers<u8> for Token {
    common!(u8, LANES);

    intrinsics! {
        fn all(self, code: u8) -> __m256i { _mm256_set1_epi8(code.cast_signed()) }
        fn min(self, a: __m256i, b: __m256i) -> __m256i { _mm256_min_epu8(a, b) }
        fn max(self, a: __m256i, b: __m256i) -> __m256i { _mm256_max_epu8(a, b) }
        fn equal(self, a: __m256i, b: __m256i) -> __m256i { _mm256_cmpeq_epi8(a, b) }
        fn bits(self, mask: __m256i) -> u64 {
            u64::from(_mm256_movemask_epi8(mask).cast_unsigned())
        }
        fn mask(self, bits: u64) -> __m256i {
            let bits = _mm256_set1_epi32((bits as u32).cast_signed());
            let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
            let own = _mm256_and_si256(_mm256_shuffle_epi8(bits, read(&BYTES)), bit);
            _mm256_cmpeq_epi8(own, bit)
        }
        fn reversed(self, a: __m256i) -> __m256i {
            _mm256_permute4x64_epi64::<0x4e>(_mm256_shuffle_epi8(a, read(&REVERSED)))
        }
    }
}

impl Registers<u16> for Token {
    common!(u16, WORDS);

    intrinsics! {
        fn all(self, code: u16) -> __m256i { _mm256_set1_epi16(code.cast_signed()) }
        fn min(self, a: __m256i, b: __m256i) -> __m256i { _mm256_min_epu16(a, b) }
        fn max(self, a: __m256i, b: __m256i) -> __m256i { _mm256_max_epu16(a, b) }
        fn equal(self, a: __m256i, b: __m256i) -> __m256i { _mm256_cmpeq_epi16(a, b) }
        fn bits(self, mask: __m256i) -> u64 {
            // A byte a lane, eight in each half.
            let bytes = _mm256_packs_epi16(mask, _mm256_setzero_si256());
            let bits = u64::from(_mm256_movemask_epi8(bytes).cast_unsigned());
            bits & 0xff | bits >> 8
        }
        fn mask(self, bits: u64) -> __m256i {
            let bit = _mm256_setr_epi16(
                1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768,
            );
            let own = _mm256_and_si256(_mm256_set1_epi16(bits as i16), bit);
            _mm256_cmpeq_epi16(own, bit)
        }
        fn reversed(self, a: __m256i) -> __m256i {
            _mm256_permute4x64_epi64::<0x4e>(_mm256_shuffle_epi8(a, read(&REVERSED_WORDS)))
        }
    }
}

impl LowestBits<u8> for Token {
    intrinsics! {
        fn add(self, a: __m256i, b: __m256i) -> __m256i { _mm256_add_epi8(a, b) }
        fn lowest(self, a: __m256i) -> __m256i {
            let bit = _mm256_and_si256(a, _mm256_sub_epi8(_mm256_setzero_si256(), a));
            let nibble = _mm256_set1_epi8(0x0f);
            let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(bit), nibble);
            _mm256_or_si256(
                _mm256_shuffle_epi8(read(&LOW_INDEX), _mm256_and_si256(bit, nibble)),
                _mm256_shuffle_epi8(read(&HIGH_INDEX), upper),
            )
        }
        fn without_lowest(self, a: __m256i) -> __m256i {
            _mm256_and_si256(a, _mm256_sub_epi8(a, _mm256_set1_epi8(1)))
        }
    }
}

impl ByteCodes for Token {
    const TWO_AT_A_TIME: usize = 0;
    const MOST_PLANES_AT_ONCE: usize = 10;
    type Table = [__m256i; 4];

    fn planes_at_once(planes: usize) -> usize {
        // Ten planes and six take longer than eight and eight (Zen 3).
        if planes == 16 {
            8
        } else {
            Self::MOST_PLANES_AT_ONCE
        }
    }

    intrinsics! {
        fn and_not(self, a: __m256i, b: __m256i) -> __m256i { _mm256_andnot_si256(b, a) }
        fn marks(self, x: __m256i, first: usize, plane: usize) -> __m256i {
            // Codes of other planes get bit 7 set, which a shuffle answers with zero.
            let window = _mm256_set1_epi8((16 * (first / 2 + plane / 2)) as i8);
            let index = _mm256_adds_epu8(_mm256_xor_si256(x, window), _mm256_set1_epi8(0x70));
            _mm256_shuffle_epi8(read(&MARKS[plane % 2]), index)
        }
        fn marks_inside<const PLANES: usize>(self, x: __m256i, plane: usize) -> __m256i {
            match PLANES {
                2 => _mm256_shuffle_epi8(read(&MARKS[plane]), x),
                _ => self.marks(x, 0, plane),
            }
        }
        fn below(self, limits: __m256i, plane: usize) -> __m256i {
            let rest = _mm256_subs_epu8(limits, _mm256_set1_epi8((8 * plane) as i8));
            _mm256_shuffle_epi8(read(&BELOW), _mm256_min_epu8(rest, _mm256_set1_epi8(8)))
        }
        fn table(self, table: &Lanes) -> [__m256i; 4] {
            let (sixteens, _) = table.0.as_chunks();
            let mut table = [_mm256_setzero_si256(); 4];
            for (table, sixteen) in table.iter_mut().zip(sixteens) {
                *table = read(&twice(*sixteen));
            }
            table
        }
        fn look_up<const PLANES: usize>(self, table: [__m256i; 4], codes: __m256i) -> __m256i {
            let mut found = _mm256_setzero_si256();
            for (w, table) in (0..PLANES / 2).zip(table) {
                let window = _mm256_set1_epi8(16 * w as i8);
                let index = _mm256_adds_epu8(_mm256_xor_si256(codes, window), _mm256_set1_epi8(0x70));
                found = _mm256_or_si256(found, _mm256_shuffle_epi8(table, index));
            }
            found
        }
    }
}

impl WideCodes for Token {
    const BYTES_PAY_ABOVE: usize = 8;
    const PLANES_AT_ONCE: usize = 5;
    type Marked = [__m256i; 2];

    intrinsics! {
        fn times(self, x: __m256i, y: __m256i) -> __m256i { _mm256_mullo_epi16(x, y) }
        fn unmarked(self) -> [__m256i; 2] { [_mm256_setzero_si256(); 2] }
        fn mark_two(self, marked: [__m256i; 2], x: [__m256i; 2]) -> [__m256i; 2] {
            // Two at a time, a byte each: what is larger than 255 becomes 255, and what has bit 7 set marks nothing.
            let most = _mm256_set1_epi16(0xff);
            let (one, two) = (_mm256_min_epu16(x[0], most), _mm256_min_epu16(x[1], most));
            let index = _mm256_packus_epi16(one, two);
            let index = _mm256_adds_epu8(index, _mm256_set1_epi8(0x70));
            [
                _mm256_or_si256(marked[0], _mm256_shuffle_epi8(read(&MARKS[0]), index)),
                _mm256_or_si256(marked[1], _mm256_shuffle_epi8(read(&MARKS[1]), index)),
            ]
        }
        fn marked(self, marked: [__m256i; 2]) -> __m256i {
            // Of each eight lanes the bytes of the first numbers lie before those of the second ones.
            let [low, high] = marked;
            let low = _mm256_or_si256(low, _mm256_srli_si256::<8>(low));
            let high = _mm256_or_si256(high, _mm256_srli_si256::<8>(high));
            _mm256_unpacklo_epi8(low, high)
        }
    }
}

/// A register from a piece of 64 bytes.
#[inline(always)]
fn half(bytes: &[u8; LANES], piece: usize) -> __m256i {
    read(&bytes.as_chunks().0[piece])
}

impl generic::Lookups for Token {
    intrinsics! {
        fn eights(self, eights: [&[u16; 8]; WORDS / 8]) -> __m256i {
            let [a, b, ..] = eights.map(|eight| _mm_loadu_si128(eight.as_ptr().cast()));
            _mm256_set_m128i(b, a)
        }
        fn zip(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
            [_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)]
        }
        fn write_halves(self, to: [&mut [u8]; 2], x: __m256i) {
            let [low, high] = to.map(|to| to.first_chunk_mut::<16>());
            if let (Some(low), Some(high)) = (low, high) {
                let low_bits = _mm256_and_si256(x, _mm256_set1_epi16(127));
                let packed = _mm256_packus_epi16(low_bits, _mm256_srli_epi16::<7>(x));
                // Eight low halves, eight high ones, and the same once more.
                let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
                _mm_storeu_si128(low.as_mut_ptr().cast(), _mm256_castsi256_si128(packed));
                _mm_storeu_si128(high.as_mut_ptr().cast(), _mm256_extracti128_si256::<1>(packed));
            }
        }
    }

    /// Of each eight tables each XOR the one before: what [`Token::look_up_open`] looks up.
    type Open<const WINDOWS: usize> = [OpenPlaces; WINDOWS];

    #[inline(always)]
    fn open<const WINDOWS: usize>(self, windows: &[Window; WINDOWS]) -> [OpenPlaces; WINDOWS] {
        let mut tables = [[[0; 16]; 8]; WINDOWS];
        for (tables, window) in tables.iter_mut().zip(windows) {
            let open = generic::plain::open_places(window);
            *tables = open;
            for (table, before) in tables.iter_mut().skip(1).zip(&open) {
                for (byte, before) in table.iter_mut().zip(before) {
                    *byte ^= before;
                }
            }
        }
        tables
    }

    intrinsics! {
        fn pick<const WINDOWS: usize>(
            self, open: &[OpenPlaces; WINDOWS], pair: [halves::Block<'_>; 2], base: u8, found: [&mut [u8; LANES]; 2]
        ) -> usize {
            let mut count = 0;
            let [found_low, found_high] = found;
            for piece in 0..2 {
                let [low, high] = self.xor_of_halves(pair, base, piece);
                let hits = self.look_up_open(open, [low, high]).to_le_bytes();
                // The halves of eight numbers each: those of the numbers 0 to 7, 8 to 15, 16 to 23 and 24 to 31.
                let (even, odd) = (_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high));
                let eights = [
                    _mm256_castsi256_si128(even),
                    _mm256_castsi256_si128(odd),
                    _mm256_extracti128_si256::<1>(even),
                    _mm256_extracti128_si256::<1>(odd),
                ];
                for (eight, hit) in eights.into_iter().zip(hits) {
                    let order = _mm_loadu_si128(COMPRESSED[usize::from(hit)].as_ptr().cast());
                    let eight = _mm_shuffle_epi8(eight, order);
                    let room = (found_low[count..].first_chunk_mut::<8>(), found_high[count..].first_chunk_mut::<8>());
                    if let (Some(low), Some(high)) = room {
                        _mm_storel_epi64(low.as_mut_ptr().cast(), eight);
                        _mm_storeh_pd(high.as_mut_ptr().cast(), _mm_castsi128_pd(eight));
                    }
                    count += hit.count_ones() as usize;
                }
            }
            count
        }
    }
}

impl Token {
    intrinsics! {
        // The halves of 32 of the numbers `ones[k] ^ others[k] - base`.
        fn xor_of_halves(self, pair: [halves::Block<'_>; 2], base: u8, piece: usize) -> [__m256i; 2] {
            let [ones, others] = pair;
            let low = _mm256_xor_si256(half(ones[0], piece), half(others[0], piece));
            let high = _mm256_xor_si256(half(ones[1], piece), half(others[1], piece));
            [low, _mm256_sub_epi8(high, _mm256_set1_epi8(base.cast_signed()))]
        }
        // Which of these numbers are open. The low half says where the byte is, and the high half which window and which bit.
        fn look_up_open<const WINDOWS: usize>(self, open: &[OpenPlaces; WINDOWS], numbers: [__m256i; 2]) -> u32 {
            let [low, mut high] = numbers;
            let mut hits = _mm256_setzero_si256();
            for tables in open {
                let bit = _mm256_shuffle_epi8(read(&MARKS[0]), _mm256_min_epu8(high, _mm256_set1_epi8(8)));
                high = _mm256_sub_epi8(high, _mm256_set1_epi8(8));
                let mut bytes = _mm256_setzero_si256();
                let mut index = low;
                for table in tables {
                    // An index below 0 gives 0. Each table holds its bytes XOR those of the table before it, so that the sum of
                    // all tables up to the one that has the byte is that byte.
                    let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast()));
                    bytes = _mm256_xor_si256(bytes, _mm256_shuffle_epi8(table, index));
                    index = _mm256_sub_epi8(index, _mm256_set1_epi8(16));
                }
                hits = _mm256_or_si256(hits, _mm256_and_si256(bytes, bit));
            }
            let none = _mm256_cmpeq_epi8(hits, _mm256_setzero_si256());
            !_mm256_movemask_epi8(none) as u32
        }
    }
}
