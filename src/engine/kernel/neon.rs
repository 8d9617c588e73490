//! Registers of 128 bits of 64-bit Arm: a quarter of a block each, tables of 16 bytes, which answer an index beyond them with
//! zero.
#![allow(unsafe_code)]

use super::generic::{self, ByteCodes, LowestBits, OpenPlaces, Registers, WideCodes};
use super::{LANES, Lanes, QUARTER, WORDS, Window, halves};
use std::arch::aarch64::*;

/// Proof that this processor has the instructions used here.
#[derive(Clone, Copy, Debug)]
pub struct Token(());

impl Token {
    pub(super) fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

/// The generic algorithms; nothing is marked in strips but in tests.
mod loops {
    pub use super::generic::plain::mark_values as mark_strips;
    pub use super::generic::*;
}

instance!("neon", loops);
instance! { "neon", generic:
    fn settle_nibbles(nibbles: &Nibbles, marks: &[u16; QUARTER], codes: &mut [u8], at: usize, from: usize, left_out: u64) -> usize;
}

/// The marks of codes 0 to 7 of 16, and of codes 8 to 15.
const MARKS: [[u8; QUARTER]; 2] = [
    [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128],
];
/// The bits below a limit of 0 to 8.
const BELOW: [u8; QUARTER] = [0, 1, 3, 7, 15, 31, 63, 127, 255, 0, 0, 0, 0, 0, 0, 0];
/// The bit of a lane among eight.
const OWN: [u8; QUARTER] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
const OWN_WORDS: [u16; QUARTER / 2] = [1, 2, 4, 8, 16, 32, 64, 128];
const REVERSED: [u8; QUARTER] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// A register from memory.
#[inline(always)]
fn read(bytes: &[u8; QUARTER]) -> uint8x16_t {
    // SAFETY: 16 bytes behind a reference; it is called only where there are such registers.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

/// The items of the trait `Registers` that are the same for codes of each width.
macro_rules! common {
    ($code:ty, $lanes:expr, $register:ty, $load:ident, $store:ident, $all:ident, $xor:ident, $or:ident,
        $min:ident, $max:ident, $equal:ident, $select:ident) => {
        type Register = $register;
        type Mask = $register;
        type Slot = $register;
        const PIECES: usize = 4;
        const COUNT: usize = 32;

        intrinsics! {
            fn load(self, block: &[$code; $lanes], piece: usize) -> $register {
                let quarter: &[$code; $lanes / 4] = &block.as_chunks().0[piece];
                $load(quarter.as_ptr())
            }
            fn store(self, block: &mut [$code; $lanes], piece: usize, value: $register) {
                let quarter: &mut [$code; $lanes / 4] = &mut block.as_chunks_mut().0[piece];
                $store(quarter.as_mut_ptr(), value)
            }
            fn all(self, code: $code) -> $register { $all(code) }
            fn xor(self, a: $register, b: $register) -> $register { $xor(a, b) }
            fn or(self, a: $register, b: $register) -> $register { $or(a, b) }
            fn either(self, a: $register, b: $register) -> $register { $or(a, b) }
            fn min(self, a: $register, b: $register) -> $register { $min(a, b) }
            fn max(self, a: $register, b: $register) -> $register { $max(a, b) }
            fn equal(self, a: $register, b: $register) -> $register { $equal(a, b) }
            fn select(self, mask: $register, yes: $register, no: $register) -> $register {
                $select(mask, yes, no)
            }
            fn strike(self, slot: $register, option: $register) -> $register {
                $or(slot, $equal(slot, option))
            }
        }

        #[inline(always)]
        fn slot(self, codes: $register) -> $register {
            codes
        }

        #[inline(always)]
        fn left(self, slot: $register) -> $register {
            slot
        }
    };
}

impl Registers<u8> for Token {
    common!(
        u8, LANES, uint8x16_t, vld1q_u8, vst1q_u8, vdupq_n_u8, veorq_u8, vorrq_u8, vminq_u8,
        vmaxq_u8, vceqq_u8, vbslq_u8
    );

    intrinsics! {
        fn all_words(self, word: u32) -> uint8x16_t { vreinterpretq_u8_u32(vdupq_n_u32(word)) }
        fn is_empty(self, mask: uint8x16_t) -> bool { vmaxvq_u32(vreinterpretq_u32_u8(mask)) == 0 }
        fn bits(self, mask: uint8x16_t) -> u64 {
            let own = vandq_u8(mask, read(&OWN));
            u64::from(vaddv_u8(vget_low_u8(own))) | u64::from(vaddv_u8(vget_high_u8(own))) << 8
        }
        fn mask(self, bits: u64) -> uint8x16_t {
            let [low, high] = (bits as u16).to_le_bytes();
            vtstq_u8(vcombine_u8(vdup_n_u8(low), vdup_n_u8(high)), read(&OWN))
        }
        fn reversed(self, a: uint8x16_t) -> uint8x16_t { vqtbl1q_u8(a, read(&REVERSED)) }
    }
}

impl Registers<u16> for Token {
    common!(
        u16,
        WORDS,
        uint16x8_t,
        vld1q_u16,
        vst1q_u16,
        vdupq_n_u16,
        veorq_u16,
        vorrq_u16,
        vminq_u16,
        vmaxq_u16,
        vceqq_u16,
        vbslq_u16
    );

    intrinsics! {
        fn all_words(self, word: u32) -> uint16x8_t { vreinterpretq_u16_u32(vdupq_n_u32(word)) }
        fn is_empty(self, mask: uint16x8_t) -> bool { vmaxvq_u32(vreinterpretq_u32_u16(mask)) == 0 }
        fn bits(self, mask: uint16x8_t) -> u64 {
            u64::from(vaddvq_u16(vandq_u16(mask, vld1q_u16(OWN_WORDS.as_ptr()))))
        }
        fn mask(self, bits: u64) -> uint16x8_t {
            vtstq_u16(vdupq_n_u16(bits as u16 & 0xff), vld1q_u16(OWN_WORDS.as_ptr()))
        }
        fn reversed(self, a: uint16x8_t) -> uint16x8_t {
            let halves = vrev64q_u16(a);
            vextq_u16::<4>(halves, halves)
        }
    }
}

impl LowestBits<u8> for Token {
    intrinsics! {
        fn add(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t { vaddq_u8(a, b) }
        fn lowest(self, a: uint8x16_t) -> uint8x16_t { vclzq_u8(vrbitq_u8(a)) }
        fn without_lowest(self, a: uint8x16_t) -> uint8x16_t {
            vandq_u8(a, vsubq_u8(a, vdupq_n_u8(1)))
        }
    }
}

impl ByteCodes for Token {
    const TWO_AT_A_TIME: usize = 0;
    const MOST_PLANES_AT_ONCE: usize = 10;
    type Table = [uint8x16_t; 4];

    #[inline(always)]
    fn table(self, table: &Lanes) -> [uint8x16_t; 4] {
        let (sixteens, _) = table.0.as_chunks();
        [
            read(&sixteens[0]),
            read(&sixteens[1]),
            read(&sixteens[2]),
            read(&sixteens[3]),
        ]
    }

    #[inline(always)]
    fn marks_inside<const PLANES: usize>(self, x: uint8x16_t, plane: usize) -> uint8x16_t {
        self.marks(x, 0, plane)
    }

    intrinsics! {
        fn and_not(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t { vbicq_u8(a, b) }
        fn marks(self, x: uint8x16_t, first: usize, plane: usize) -> uint8x16_t {
            // A difference, as the compiler would bring an exclusive or forward to u, where it takes more registers.
            let index = vsubq_u8(x, vdupq_n_u8((16 * (first / 2 + plane / 2)) as u8));
            vqtbl1q_u8(read(&MARKS[plane % 2]), index)
        }
        fn below(self, limits: uint8x16_t, plane: usize) -> uint8x16_t {
            let rest = vqsubq_u8(limits, vdupq_n_u8((8 * plane) as u8));
            vqtbl1q_u8(read(&BELOW), vminq_u8(rest, vdupq_n_u8(8)))
        }
        fn look_up<const PLANES: usize>(self, table: [uint8x16_t; 4], codes: uint8x16_t) -> uint8x16_t {
            let mut found = vdupq_n_u8(0);
            for (w, table) in (0..PLANES / 2).zip(table) {
                found = vqtbx1q_u8(found, table, vsubq_u8(codes, vdupq_n_u8(16 * w as u8)));
            }
            found
        }
    }
}

impl WideCodes for Token {
    const BYTES_PAY_ABOVE: usize = 8;
    const PLANES_AT_ONCE: usize = 10;
    type Marked = [uint8x16_t; 2];

    intrinsics! {
        fn times(self, x: uint16x8_t, y: uint16x8_t) -> uint16x8_t { vmulq_u16(x, y) }
        fn unmarked(self) -> [uint8x16_t; 2] { [vdupq_n_u8(0); 2] }
        fn mark_two(self, marked: [uint8x16_t; 2], x: [uint16x8_t; 2]) -> [uint8x16_t; 2] {
            // Two registers of codes become one of bytes; a code beyond a byte becomes 255.
            let index = vqmovn_high_u16(vqmovn_u16(x[0]), x[1]);
            [
                vorrq_u8(marked[0], vqtbl1q_u8(read(&MARKS[0]), index)),
                vorrq_u8(marked[1], vqtbl1q_u8(read(&MARKS[1]), index)),
            ]
        }
        fn marked(self, marked: [uint8x16_t; 2]) -> uint16x8_t {
            // The bytes of the first numbers lie before those of the second ones.
            let [low, high] = marked;
            let low = vorrq_u8(low, vextq_u8::<8>(low, low));
            let high = vorrq_u8(high, vextq_u8::<8>(high, high));
            vreinterpretq_u16_u8(vzip1q_u8(low, high))
        }
    }
}

impl generic::Lookups for Token {
    intrinsics! {
        fn eights(self, eights: [&[u16; 8]; WORDS / 8]) -> uint16x8_t { vld1q_u16(eights[0].as_ptr()) }
        fn zip(self, a: uint16x8_t, b: uint16x8_t) -> [uint16x8_t; 2] { [vzip1q_u16(a, b), vzip2q_u16(a, b)] }
        fn write_halves(self, to: [&mut [u8]; 2], x: uint16x8_t) {
            let [low, high] = to.map(|to| to.first_chunk_mut::<8>());
            if let (Some(low), Some(high)) = (low, high) {
                vst1_u8(low.as_mut_ptr(), vmovn_u16(vandq_u16(x, vdupq_n_u16(127))));
                vst1_u8(high.as_mut_ptr(), vshrn_n_u16::<7>(x));
            }
        }
    }

    type Open<const WINDOWS: usize> = [OpenPlaces; WINDOWS];

    #[inline(always)]
    fn open<const WINDOWS: usize>(self, windows: &[Window; WINDOWS]) -> [OpenPlaces; WINDOWS] {
        let mut open = [[[0; 16]; 8]; WINDOWS];
        for (open, window) in open.iter_mut().zip(windows) {
            *open = generic::plain::open_places(window);
        }
        open
    }

    #[inline(always)]
    fn pick<const WINDOWS: usize>(
        self,
        open: &[OpenPlaces; WINDOWS],
        pair: [halves::Block<'_>; 2],
        base: u8,
        [found_low, found_high]: [&mut [u8; LANES]; 2],
    ) -> usize {
        let [ones, others] = pair;
        let mut count = 0;
        for piece in 0..4 {
            let mut hits = self.look_up_open(open, pair, base, piece);
            while hits != 0 {
                let k = 16 * piece + hits.trailing_zeros() as usize % 16;
                found_low[count] = ones[0][k] ^ others[0][k];
                found_high[count] = (ones[1][k] ^ others[1][k]).wrapping_sub(base);
                count += 1;
                hits &= hits - 1;
            }
        }
        count
    }
}

/// A register from a piece of 64 bytes.
#[inline(always)]
fn quarter(bytes: &[u8; LANES], piece: usize) -> uint8x16_t {
    // SAFETY: sixteen bytes behind a reference; a token exists only where there are such registers.
    unsafe { vld1q_u8(bytes.as_chunks::<16>().0[piece].as_ptr()) }
}

impl Token {
    intrinsics! {
        // Which of sixteen of the numbers `ones[k] ^ others[k] - base` are open. The low half says where the byte is, and the
        // high half which window and which bit.
        fn look_up_open<const WINDOWS: usize>(
            self, open: &[OpenPlaces; WINDOWS], pair: [halves::Block<'_>; 2], base: u8, piece: usize
        ) -> u16 {
            let [ones, others] = pair;
            let low = veorq_u8(quarter(ones[0], piece), quarter(others[0], piece));
            let high = veorq_u8(quarter(ones[1], piece), quarter(others[1], piece));
            let mut high = vsubq_u8(high, vdupq_n_u8(base));
            let mut hits = vdupq_n_u8(0);
            for tables in open {
                let shift = vreinterpretq_s8_u8(vminq_u8(high, vdupq_n_u8(8)));
                let bit = vshlq_u8(vdupq_n_u8(1), shift);
                let first = vld1q_u8_x4(tables.as_ptr().cast());
                let second = vld1q_u8_x4(tables.as_ptr().add(4).cast());
                let bytes = vqtbx4q_u8(vqtbl4q_u8(first, low), second, vsubq_u8(low, vdupq_n_u8(64)));
                hits = vorrq_u8(hits, vtstq_u8(bytes, bit));
                high = vsubq_u8(high, vdupq_n_u8(8));
            }
            let bits = vandq_u8(hits, vld1q_u8([1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128].as_ptr()));
            u16::from_le_bytes([vaddv_u8(vget_low_u8(bits)), vaddv_u8(vget_high_u8(bits))])
        }
    }
}
