//! The kernels of 64-bit Arm: a quarter of a block at a time, tables of 16 bytes, which answer an index beyond them with
//! zero.
// Some loops are the portable ones, which are called as if they were not safe.
#![allow(unsafe_code, unused_unsafe)]

mod orbits;
mod pairs;
mod planes;
mod slots;

use self::orbits::walk;
use super::checked::{Opposite, Options, Pairs, Sources, Unsettled, WordPairs};
use super::orbits::{Open, Orbits};
use super::portable::{
    fresh, open, rows, settle_nibbles, settle_sextets, tally, unanswered, unmarked, unpaired_words,
};
use super::questions::{Question, Unasked};
use super::{LANES, Lanes, Nibbles, QUARTER, SLOTS, Sextets, Words};
pub(super) use pairs::kill_words;
use pairs::{mark_words, scan, unpaired};
use planes::{holes, scatter};
use slots::{kill, settle, sort};
use std::arch::aarch64::*;

/// Proof that this processor has the instructions used here.
#[derive(Clone, Copy, Debug)]
pub struct Token(());

impl Token {
    pub(super) fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

forward!();

/// Registers that a block takes.
const QUARTERS: usize = LANES / QUARTER;

/// The marks of codes 0 to 7 of 16, and of codes 8 to 15.
const LOW_MARKS: [u8; QUARTER] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
const HIGH_MARKS: [u8; QUARTER] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128];
/// The bits from a limit of 0 to 8 on; none where it is larger.
const ABOVE: [u8; QUARTER] = [
    255, 254, 252, 248, 240, 224, 192, 128, 0, 0, 0, 0, 0, 0, 0, 0,
];
/// The bit of a lane among eight.
const OWN: [u8; QUARTER] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

#[inline]
#[target_feature(enable = "neon")]
fn read(bytes: &[u8; QUARTER]) -> uint8x16_t {
    // SAFETY: 16 bytes behind a reference.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn write(bytes: &mut [u8; QUARTER], value: uint8x16_t) {
    // SAFETY: 16 bytes behind a reference.
    unsafe { vst1q_u8(bytes.as_mut_ptr(), value) }
}

#[inline]
#[target_feature(enable = "neon")]
fn load(lanes: &[u8; LANES], quarter: usize) -> uint8x16_t {
    read(&lanes.as_chunks().0[quarter])
}

#[inline]
#[target_feature(enable = "neon")]
fn store(lanes: &mut [u8; LANES], quarter: usize, value: uint8x16_t) {
    write(&mut lanes.as_chunks_mut().0[quarter], value);
}

/// Whether some byte is not 0.
#[inline]
#[target_feature(enable = "neon")]
fn is_any(bytes: uint8x16_t) -> bool {
    vmaxvq_u32(vreinterpretq_u32_u8(bytes)) != 0
}

/// The bits of the lanes that are all ones, none of which is neither that nor 0, shifted to where they are: the first
/// quarter is this one.
#[inline]
#[target_feature(enable = "neon")]
fn lanes_of<const Q: usize>(first: usize, bytes: &[uint8x16_t; Q]) -> u64 {
    let mut own = [vdupq_n_u8(0); QUARTERS];
    for (own, bytes) in own.iter_mut().zip(bytes) {
        *own = vandq_u8(*bytes, read(&OWN));
    }
    let [a, b, c, d] = own;
    let sums = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
    let sums = vreinterpretq_u64_u8(vpaddq_u8(sums, sums));
    vgetq_lane_u64::<0>(sums) << (first * QUARTER)
}

/// All ones in a lane whose bit is set.
#[inline]
#[target_feature(enable = "neon")]
fn spread(quarter: usize, lanes: u64) -> uint8x16_t {
    let bits = (lanes >> (quarter * QUARTER)) as u16;
    let [low, high] = bits.to_le_bytes().map(|byte| vdup_n_u8(byte));
    vtstq_u8(vcombine_u8(low, high), read(&OWN))
}

/// The options of a quarter of a block by one entry.
#[inline]
#[target_feature(enable = "neon")]
fn options<const MASKED: bool>((codes, mask, u): Sources<'_>, quarter: usize) -> uint8x16_t {
    let x = veorq_u8(load(codes, quarter), vdupq_n_u8(u));
    match mask {
        Some(mask) if MASKED => vorrq_u8(x, load(mask, quarter)),
        _ => x,
    }
}

/// The marks of x in two neighbouring planes, the first for code 16 · `window`.
#[inline]
#[target_feature(enable = "neon")]
fn marks(x: uint8x16_t, window: u8) -> [uint8x16_t; 2] {
    // A difference, as the compiler would bring an exclusive or forward to u, where it takes more registers.
    let index = vsubq_u8(x, vdupq_n_u8(16 * window));
    [
        vqtbl1q_u8(read(&LOW_MARKS), index),
        vqtbl1q_u8(read(&HIGH_MARKS), index),
    ]
}

/// The codes of plane j that are not below the limits.
#[inline]
#[target_feature(enable = "neon")]
fn above(j: u8, limits: uint8x16_t) -> uint8x16_t {
    vqtbl1q_u8(read(&ABOVE), vqsubq_u8(limits, vdupq_n_u8(8 * j)))
}

/// The index of the first bit that is not set, 8 if all are.
#[inline]
#[target_feature(enable = "neon")]
fn trailing_ones(bytes: uint8x16_t) -> uint8x16_t {
    vclzq_u8(vrbitq_u8(vmvnq_u8(bytes)))
}
