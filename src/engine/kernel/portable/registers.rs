//! Arrays in place of registers. The compiler keeps them in registers of 128 bits where there are such, as SSE2 and NEON have
//! them.

use super::Token;
use crate::engine::kernel::generic::{Registers, WideCodes};
use crate::engine::kernel::{LANES, WORDS};

/// Methods that do the same in each lane.
macro_rules! in_each_lane {
    ($register:ty, $lane:ident: $(fn $name:ident($($argument:ident),*) = $do:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $register),*) -> $register {
            let mut all = <$register>::default();
            for ($lane, one) in all.iter_mut().enumerate() {
                *one = $do;
            }
            all
        }
    )*};
}

/// Arrays of so many codes, four of which are a block.
macro_rules! registers {
    ($code:ident, $block:expr, $register:ty) => {
        impl Registers<$code> for Token {
            type Register = $register;
            type Mask = $register;
            type Slot = $register;
            const PIECES: usize = 4;
            const COUNT: usize = 16;

            in_each_lane! { $register, k:
                fn xor(a, b) = a[k] ^ b[k];
                fn or(a, b) = a[k] | b[k];
                fn min(a, b) = a[k].min(b[k]);
                fn max(a, b) = a[k].max(b[k]);
                fn equal(a, b) = if a[k] == b[k] { $code::MAX } else { 0 };
                fn select(mask, yes, no) = mask[k] & yes[k] | !mask[k] & no[k];
                fn either(a, b) = a[k] | b[k];
                fn reversed(a) = a[a.len() - 1 - k];
                fn strike(slot, option) = slot[k] | if slot[k] == option[k] { $code::MAX } else { 0 };
            }

            #[inline(always)]
            fn load(self, block: &[$code; $block], piece: usize) -> $register {
                block.as_chunks().0[piece]
            }

            #[inline(always)]
            fn store(self, block: &mut [$code; $block], piece: usize, value: $register) {
                block.as_chunks_mut().0[piece] = value;
            }

            #[inline(always)]
            fn all(self, code: $code) -> $register {
                [code; _]
            }

            #[inline(always)]
            fn all_words(self, word: u32) -> $register {
                [word as $code; _]
            }

            #[inline(always)]
            fn is_empty(self, mask: $register) -> bool {
                mask.iter().fold(0, |any, &lane| any | lane) == 0
            }

            #[inline(always)]
            fn bits(self, mask: $register) -> u64 {
                let lanes = mask.iter().rev();
                lanes.fold(0, |bits, &lane| bits << 1 | u64::from(lane & 1))
            }

            #[inline(always)]
            fn mask(self, bits: u64) -> $register {
                std::array::from_fn(|k| if bits >> k & 1 == 0 { 0 } else { $code::MAX })
            }

            #[inline(always)]
            fn slot(self, codes: $register) -> $register {
                codes
            }

            #[inline(always)]
            fn left(self, slot: $register) -> $register {
                slot
            }
        }
    };
}
registers!(u8, LANES, [u8; 16]);
registers!(u16, WORDS, [u16; 8]);

impl WideCodes for Token {
    const BYTES_PAY_ABOVE: usize = 0;
    const PLANES_AT_ONCE: usize = 5;
    type Marked = [u16; 8];

    in_each_lane! { [u16; 8], k:
        fn times(x, y) = x[k].wrapping_mul(y[k]);
        fn marked(marked) = marked[k];
    }

    #[inline(always)]
    fn unmarked(self) -> [u16; 8] {
        [0; _]
    }

    #[inline(always)]
    fn mark_two(self, mut marked: [u16; 8], x: [[u16; 8]; 2]) -> [u16; 8] {
        for x in x {
            for (marked, x) in marked.iter_mut().zip(x) {
                *marked |= if x < 16 { 1 << (x & 15) } else { 0 };
            }
        }
        marked
    }
}
