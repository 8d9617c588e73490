//! Sixty-four segments at a time, a byte lane each.

use super::{ByteCodes, pieces_at_once};
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

/// Goes on by 64 steps, for as many pieces of the block at a time as leave the marks in registers; no lane waits for another
/// one.
#[inline(always)]
fn walk_planes<M: ByteCodes, const P: usize>(m: M, block: &mut LaneSegments<'_>, open: &mut Open) {
    let pieces = const { pieces_at_once(M::PIECES, P, M::COUNT / 2) };
    for piece in (0..M::PIECES).step_by(pieces) {
        match pieces {
            4 => steps::<M, P, 4>(m, block, open, piece),
            2 => steps::<M, P, 2>(m, block, open, piece),
            _ => steps::<M, P, 1>(m, block, open, piece),
        }
    }
}

/// The codes that the taps give at a step as marks, for `PIECES` pieces from this one on.
#[inline(always)]
fn marks_at<M: ByteCodes, const P: usize, const PIECES: usize>(
    m: M,
    block: &LaneSegments<'_>,
    (step, piece): (usize, usize),
    taps: &[Tap],
) -> [[M::Register; P]; PIECES] {
    let mut marked = [[m.all(0); P]; PIECES];
    let (twos, ones) = taps.as_chunks::<2>();
    let (twos, ones) = if P <= M::TWO_AT_A_TIME {
        (twos, ones)
    } else {
        (&[][..], taps)
    };
    for taps in twos {
        let [one, two] = [block.source(step, taps[0]), block.source(step, taps[1])];
        let [u, v] = [m.all_words(taps[0].us), m.all_words(taps[1].us)];
        for (piece, marked) in (piece..).zip(&mut marked) {
            let (x, y) = (
                m.xor(m.load(&one.0, piece), u),
                m.xor(m.load(&two.0, piece), v),
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
        for (piece, marked) in (piece..).zip(&mut marked) {
            let x = m.xor(m.load(&source.0, piece), u);
            for (j, marked) in marked.iter_mut().enumerate() {
                *marked = m.or(*marked, m.marks_inside::<P>(x, j));
            }
        }
    }
    marked
}

#[inline(always)]
fn steps<M: ByteCodes, const P: usize, const PIECES: usize>(
    m: M,
    block: &mut LaneSegments<'_>,
    open: &mut Open,
    first: usize,
) {
    let (zero, dead) = (m.all(0), m.all(u8::DEAD));
    let limits = [m.table(&block.limits[0]), m.table(&block.limits[1])];
    for step in 0..LANES {
        let marked = marks_at::<M, P, PIECES>(m, block, (step, first), block.options);
        let mut codes = [zero; PIECES];
        for ((piece, marked), code) in (first..).zip(&marked).zip(&mut codes) {
            *code = dead;
            for (j, marks) in marked.iter().enumerate().rev() {
                let free = m.xor(*marks, dead);
                let index = m.add(m.lowest(free), m.all(8 * j as u8));
                *code = m.select(m.equal(free, zero), *code, index);
            }
            let lost = m.equal(*code, dead);
            *code = m.select(lost, zero, *code);
            open.lost[step] |= m.bits(lost) << (piece * M::lanes());
            // The code is stored before the witnesses are looked at, as the next step waits for it.
            m.store(&mut block.row(step).0, piece, *code);
        }
        let hits = marks_at::<M, P, PIECES>(m, block, (step, first), block.witnesses);
        for ((piece, code), hits) in (first..).zip(codes).zip(&hits) {
            let odd = m.mask(block.odd_at(step) >> (piece * M::lanes()));
            let even_limit = m.look_up::<P>(limits[0], code);
            let limit = m.select(odd, m.look_up::<P>(limits[1], code), even_limit);
            let (mut any, mut needs) = (zero, [zero; P]);
            for ((j, hits), need) in hits.iter().enumerate().zip(&mut needs) {
                *need = m.and_not(m.below(limit, j), *hits);
                any = m.or(any, *need);
            }
            let none = m.bits(m.equal(any, zero));
            let lanes = none ^ u64::MAX >> (64 - M::lanes());
            open.lanes[step] |= lanes << (piece * M::lanes());
            if M::PIECES > 1 || lanes != 0 {
                for (plane, need) in open.planes[step].iter_mut().zip(needs) {
                    m.store(&mut plane.0, piece, need);
                }
            }
        }
    }
}
