//! Sixty-four segments at a time, a byte lane each.

use super::{ByteCodes, parts_at_once};
use crate::engine::kernel::segments::{LaneSegments, Open, Tap};
use crate::engine::kernel::{LANES, Width};

/// Goes on by 64 steps in every lane.
#[inline(always)]
pub fn walk<M: ByteCodes>(m: M, planes: usize, mut block: LaneSegments<'_>, open: &mut Open) {
    (open.lanes, open.lost) = ([0; LANES], [0; LANES]);
    match planes {
        0..=2 => walk_planes::<M, 2>(m, &mut block, open),
        3..=4 => walk_planes::<M, 4>(m, &mut block, open),
        _ => walk_planes::<M, 8>(m, &mut block, open),
    }
}

/// Goes on by 64 steps, for as many parts of the block at a time as leave the marks in registers; no lane waits for another
/// one.
#[inline(always)]
fn walk_planes<M: ByteCodes, const P: usize>(m: M, block: &mut LaneSegments<'_>, open: &mut Open) {
    let parts = const { parts_at_once(M::PARTS, P, M::COUNT / 2) };
    for part in (0..M::PARTS).step_by(parts) {
        match parts {
            4 => steps::<M, P, 4>(m, block, open, part),
            2 => steps::<M, P, 2>(m, block, open, part),
            _ => steps::<M, P, 1>(m, block, open, part),
        }
    }
}

/// The codes that the taps give at a step as marks, for `PARTS` parts from this one on.
#[inline(always)]
fn marks_at<M: ByteCodes, const P: usize, const PARTS: usize>(
    m: M,
    block: &LaneSegments<'_>,
    (step, part): (usize, usize),
    taps: &[Tap],
) -> [[M::Register; P]; PARTS] {
    let mut marked = [[m.all(0); P]; PARTS];
    let (twos, ones) = taps.as_chunks::<2>();
    let (twos, ones) = if P <= M::TWO_AT_A_TIME {
        (twos, ones)
    } else {
        (&[][..], taps)
    };
    for taps in twos {
        let [one, two] = [block.source(step, taps[0]), block.source(step, taps[1])];
        let [u, v] = [m.all_words(taps[0].us), m.all_words(taps[1].us)];
        for (part, marked) in (part..).zip(&mut marked) {
            let (x, y) = (
                m.xor(m.load(&one.0, part), u),
                m.xor(m.load(&two.0, part), v),
            );
            for (j, marked) in marked.iter_mut().enumerate() {
                let (x, y) = (m.marks_inside::<P>(x, j), m.marks_inside::<P>(y, j));
                *marked = m.or_three(*marked, x, y);
            }
        }
    }
    for tap in ones {
        let source = block.source(step, *tap);
        let u = m.all_words(tap.us);
        for (part, marked) in (part..).zip(&mut marked) {
            let x = m.xor(m.load(&source.0, part), u);
            for (j, marked) in marked.iter_mut().enumerate() {
                *marked = m.or(*marked, m.marks_inside::<P>(x, j));
            }
        }
    }
    marked
}

#[inline(always)]
fn steps<M: ByteCodes, const P: usize, const PARTS: usize>(
    m: M,
    block: &mut LaneSegments<'_>,
    open: &mut Open,
    first: usize,
) {
    let (zero, dead) = (m.all(0), m.all(u8::DEAD));
    let limits = [m.table(&block.limits[0]), m.table(&block.limits[1])];
    for step in 0..LANES {
        let marked = marks_at::<M, P, PARTS>(m, block, (step, first), block.options);
        let mut codes = [zero; PARTS];
        for ((part, marked), code) in (first..).zip(&marked).zip(&mut codes) {
            *code = dead;
            for (j, marks) in marked.iter().enumerate().rev() {
                let free = m.xor(*marks, dead);
                let index = m.add(m.lowest(free), m.all(8 * j as u8));
                *code = m.select(m.equal(free, zero), *code, index);
            }
            let lost = m.equal(*code, dead);
            *code = m.select(lost, zero, *code);
            open.lost[step] |= m.bits(lost) << (part * M::lanes());
            // The code is stored before the witnesses are looked at, as the next step waits for it.
            m.store(&mut block.row(step).0, part, *code);
        }
        let hits = marks_at::<M, P, PARTS>(m, block, (step, first), block.witnesses);
        for ((part, code), hits) in (first..).zip(codes).zip(&hits) {
            let odd = m.mask(block.odd_at(step) >> (part * M::lanes()));
            let even_limit = m.look_up::<P>(limits[0], code);
            let limit = m.select(odd, m.look_up::<P>(limits[1], code), even_limit);
            let (mut any, mut needs) = (zero, [zero; P]);
            for ((j, hits), need) in hits.iter().enumerate().zip(&mut needs) {
                *need = m.and_not(m.below(limit, j), *hits);
                any = m.or(any, *need);
            }
            let none = m.bits(m.equal(any, zero));
            let lanes = none ^ u64::MAX >> (64 - M::lanes());
            open.lanes[step] |= lanes << (part * M::lanes());
            if M::PARTS > 1 || lanes != 0 {
                for (plane, need) in open.planes[step].iter_mut().zip(needs) {
                    m.store(&mut plane.0, part, need);
                }
            }
        }
    }
}
