//! Sixty-four stretches, a byte lane each.

use super::{above, lanes_of, load, marks, spread, store, trailing_ones};
use crate::engine::kernel::orbits::{Open, Orbits, Tap};
use crate::engine::kernel::{DEAD, LANES};
use std::arch::aarch64::*;

#[target_feature(enable = "neon")]
pub(super) fn walk(planes: usize, mut orbits: Orbits<'_>, open: &mut Open) {
    (open.lanes, open.lost) = ([0; LANES], [0; LANES]);
    match planes {
        0..=2 => steps::<1, 4>(&mut orbits, open, 0),
        3..=4 => steps::<2, 4>(&mut orbits, open, 0),
        // More marks than registers, if not one half after the other.
        _ => [0, 2]
            .into_iter()
            .for_each(|quarter| steps::<4, 2>(&mut orbits, open, quarter)),
    }
}

/// The codes that the taps give at a step, in `W` pairs of planes, for `Q` quarters from this one on.
#[inline]
#[target_feature(enable = "neon")]
fn marks_at<const W: usize, const Q: usize>(
    orbits: &Orbits<'_>,
    (step, quarter): (usize, usize),
    taps: &[Tap],
) -> [[[uint8x16_t; 2]; W]; Q] {
    let mut marked = [[[vdupq_n_u8(0); 2]; W]; Q];
    for &tap in taps {
        let u = vreinterpretq_u8_u32(vdupq_n_u32(tap.us));
        let source = orbits.source(step, tap);
        for (quarter, marked) in (quarter..).zip(&mut marked) {
            let x = veorq_u8(load(&source.0, quarter), u);
            for (w, marked) in (0u8..).zip(marked) {
                let [low, high] = marks(x, w);
                marked[0] = vorrq_u8(marked[0], low);
                marked[1] = vorrq_u8(marked[1], high);
            }
        }
    }
    marked
}

/// The entry of a lane's code in a table, sixteen of it in a register.
#[inline]
#[target_feature(enable = "neon")]
fn look_up<const W: usize>(code: uint8x16_t, tables: &[uint8x16_t; W]) -> uint8x16_t {
    let mut found = vdupq_n_u8(0);
    for (w, &table) in (0u8..).zip(tables) {
        found = vqtbx1q_u8(found, table, veorq_u8(code, vdupq_n_u8(16 * w)));
    }
    found
}

#[inline]
#[target_feature(enable = "neon")]
fn steps<const W: usize, const Q: usize>(orbits: &mut Orbits<'_>, open: &mut Open, first: usize) {
    let (zero, full) = (vdupq_n_u8(0), vdupq_n_u8(0xff));
    let limits: [[uint8x16_t; W]; 2] = orbits
        .limits
        .each_ref()
        .map(|limits| std::array::from_fn(|w| load(&limits.0, w)));
    for step in 0..LANES {
        let marked = marks_at::<W, Q>(orbits, (step, first), orbits.options);
        let (mut codes, mut lost) = ([zero; Q], [zero; Q]);
        for (q, marked) in marked.iter().enumerate() {
            let mut code = vdupq_n_u8(DEAD);
            for (j, marks) in marked.as_flattened().iter().enumerate().rev() {
                let index = vaddq_u8(trailing_ones(*marks), vdupq_n_u8(8 * j as u8));
                code = vbslq_u8(vceqq_u8(*marks, full), code, index);
            }
            lost[q] = vceqq_u8(code, vdupq_n_u8(DEAD));
            codes[q] = vbicq_u8(code, lost[q]);
            // Before the witnesses, as the next step waits for it.
            store(&mut orbits.row(step).0, first + q, codes[q]);
        }
        open.lost[step] |= lanes_of(first, &lost);
        let hits = marks_at::<W, Q>(orbits, (step, first), orbits.witnesses);
        let mut any = [zero; Q];
        for (q, hits) in hits.iter().enumerate() {
            let odd = spread(first + q, orbits.odd_at(step));
            let [even_limit, odd_limit] = limits.each_ref().map(|tables| look_up(codes[q], tables));
            let limit = vbslq_u8(odd, odd_limit, even_limit);
            let planes = &mut open.planes[step];
            // Not over iterators, which would keep the planes in memory.
            for j in 0..2 * W {
                let need = vmvnq_u8(vorrq_u8(hits[j / 2][j % 2], above(j as u8, limit)));
                store(&mut planes[j].0, first + q, need);
                any[q] = vorrq_u8(any[q], need);
            }
        }
        open.lanes[step] |= lanes_of(first, &any.map(|any| vtstq_u8(any, any)));
    }
}
