//! Marking options in planes, and reading what is not marked back out.

use super::by_bytes::{mark_bytes, pays};
use super::{ByteCodes, LowestBits, WideCodes, each, pieces_at_once};
use crate::engine::kernel::checked::{Options, Sources};
use crate::engine::kernel::code::Code;
use crate::engine::kernel::entries::LONGEST_RUN;
use crate::engine::kernel::width::{Aligned, Width};
use crate::engine::kernel::{Lanes, SLOTS, WORDS, Words};

/// Marks every option: bit x mod 8 of plane ⌊x/8⌋, if there is such a plane.
#[inline(always)]
pub fn mark_options<M: ByteCodes>(m: M, planes: &mut [Lanes], from: Options<'_, u8>) {
    let at_once = M::planes_at_once(planes.len());
    let (low, high) = planes.split_at_mut(at_once.min(planes.len()));
    mark_chunk(m, low, 0, from);
    for (first, planes) in (at_once..).step_by(at_once).zip(high.chunks_mut(at_once)) {
        mark_chunk(m, planes, first, from);
    }
}

#[inline(always)]
fn mark_chunk<M: ByteCodes>(m: M, planes: &mut [Lanes], first: usize, from: Options<'_, u8>) {
    match planes.len() {
        0..=2 => mark_planes::<M, 2>(m, planes, first, from),
        3..=4 => mark_planes::<M, 4>(m, planes, first, from),
        5..=6 if const { M::TWO_AT_A_TIME == 0 } => mark_planes::<M, 6>(m, planes, first, from),
        5..=8 => mark_planes::<M, 8>(m, planes, first, from),
        9..=10 => mark_planes::<M, 10>(m, planes, first, from),
        _ if const { M::MOST_PLANES_AT_ONCE <= 10 } => {}
        11..=12 => mark_planes::<M, 12>(m, planes, first, from),
        13..=16 => mark_planes::<M, 16>(m, planes, first, from),
        17..=18 => mark_planes::<M, 18>(m, planes, first, from),
        _ => mark_planes::<M, 20>(m, planes, first, from),
    }
}

/// Marks options in `P` planes at once, for as many pieces of the block at a time as leave their marks in registers.
#[inline(always)]
fn mark_planes<M: ByteCodes, const P: usize>(
    m: M,
    planes: &mut [Lanes],
    first: usize,
    from: Options<'_, u8>,
) {
    let pieces = const { pieces_at_once(M::PIECES, P, M::COUNT - 8) };
    for piece in (0..M::PIECES).step_by(pieces) {
        match (pieces, from.is_masked()) {
            (4, true) => mark_all::<M, P, 4, true>(m, planes, (first, piece), from),
            (4, false) => mark_all::<M, P, 4, false>(m, planes, (first, piece), from),
            (2, true) => mark_all::<M, P, 2, true>(m, planes, (first, piece), from),
            (2, false) => mark_all::<M, P, 2, false>(m, planes, (first, piece), from),
            (_, true) => mark_all::<M, P, 1, true>(m, planes, (first, piece), from),
            (_, false) => mark_all::<M, P, 1, false>(m, planes, (first, piece), from),
        }
    }
}

#[inline(always)]
fn mark_all<M: ByteCodes, const P: usize, const PIECES: usize, const MASKED: bool>(
    m: M,
    planes: &mut [Lanes],
    (first, piece): (usize, usize),
    from: Options<'_, u8>,
) {
    let mut marked = [[m.all(0); P]; PIECES];
    let mut options = from.each();
    while let Some(one) = options.next() {
        if const { P <= M::TWO_AT_A_TIME && PIECES == 1 } {
            // The option is put into a register first, so that u comes from memory to all lanes at once.
            let x = m.option::<MASKED>(one, piece);
            let mut y = x;
            if let Some(two) = options.next() {
                y = m.option::<MASKED>(two, piece);
            }
            each!(J in 0 1 2 3 4 5 6 7, if J < P => {
                let (x, y) = (m.marks(x, first, J), m.marks(y, first, J));
                marked[0][J] = m.or_three(marked[0][J], x, y);
            });
        } else {
            each!(PIECE in 0 1 2 3, if PIECE < PIECES => {
                let x = m.option::<MASKED>(one, piece + PIECE);
                each!(J in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19, if J < P => {
                    marked[PIECE][J] = m.add_marks(marked[PIECE][J], x, first, J);
                });
            });
        }
    }
    each!(PIECE in 0 1 2 3, if PIECE < PIECES => {
        each!(J in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19, if J < P => {
            if let Some(plane) = planes.get_mut(J) {
                let all = m.or(m.load(&plane.0, piece + PIECE), marked[PIECE][J]);
                m.store(&mut plane.0, piece + PIECE, all);
            }
        });
    });
}

/// The lanes that have an unmarked code below their limit. As `plain.rs` has it, 0.104 and 0.106 to 9·10⁷ take 6 and 5 % longer
/// with AVX-512 (Sapphire Rapids).
#[inline(always)]
pub fn open<M: ByteCodes>(m: M, planes: &[Lanes], limit: &Lanes) -> u64 {
    let mut lanes = 0;
    for piece in 0..M::PIECES {
        let limits = m.load(&limit.0, piece);
        let mut open = m.all(0);
        for (j, plane) in planes.iter().enumerate() {
            open = m.or(open, m.and_not(m.below(limits, j), m.load(&plane.0, piece)));
        }
        let none = m.bits(m.equal(open, m.all(0)));
        lanes |= (none ^ u64::MAX >> (64 - M::lanes())) << (piece * M::lanes());
    }
    lanes
}

/// The smallest unmarked codes of every lane, ascending. Lane by lane, as `plain.rs` has it, whole runs of 0.6, 0.142, 0.376 and
/// Grundy's game to 10⁶ took 1 to 5 % longer with AVX2 and 6 to 12 % with AVX-512 (Sapphire Rapids).
#[inline(always)]
pub fn least_unmarked<C, L, M: LowestBits<C>>(m: M, planes: &[L], slots: &mut [L; SLOTS])
where
    C: Code + Width<Lanes = L>,
    L: Aligned<Code = C>,
{
    let (zero, dead) = (m.all(C::ZERO), m.all(C::DEAD));
    for piece in 0..M::PIECES {
        let mut sorted = [dead; SLOTS];
        for (j, plane) in planes.iter().enumerate() {
            let mut open = m.xor(m.load(C::block(plane), piece), dead);
            loop {
                let none = m.equal(open, zero);
                if m.bits(none) == u64::MAX >> (64 - M::lanes()) {
                    break;
                }
                let code = m.add(m.lowest(open), m.all(C::of(C::BITS * j)));
                let mut code = m.select(none, dead, code);
                open = m.without_lowest(open);
                for slot in &mut sorted {
                    let larger = m.max(*slot, code);
                    *slot = m.min(*slot, code);
                    code = larger;
                }
            }
            if m.is_empty(m.equal(sorted[SLOTS - 1], dead)) {
                break;
            }
        }
        for (slot, sorted) in slots.iter_mut().zip(sorted) {
            m.store(C::block_mut(slot), piece, sorted);
        }
    }
}

/// Marks options with codes of two bytes: bit x mod 16 of plane ⌊x/16⌋, if there is such a plane.
#[inline(always)]
pub fn mark_options_words<M: WideCodes>(m: M, planes: &mut [Words], from: Options<'_, u16>) {
    if pays::<M>(planes, from) {
        return mark_bytes(m, planes, from);
    }
    let at_once = M::PLANES_AT_ONCE;
    for (first, planes) in (0..).step_by(at_once).zip(planes.chunks_mut(at_once)) {
        match planes.len() {
            0..=4 => mark_all_words::<M, 4>(m, planes, first, from),
            5 => mark_all_words::<M, 5>(m, planes, first, from),
            _ if const { M::PLANES_AT_ONCE <= 5 } => {}
            6..=10 => mark_all_words::<M, 10>(m, planes, first, from),
            _ if const { M::PLANES_AT_ONCE <= 10 } => {}
            11..=12 => mark_all_words::<M, 12>(m, planes, first, from),
            13..=14 => mark_all_words::<M, 14>(m, planes, first, from),
            15..=16 => mark_all_words::<M, 16>(m, planes, first, from),
            17..=18 => mark_all_words::<M, 18>(m, planes, first, from),
            19..=20 => mark_all_words::<M, 20>(m, planes, first, from),
            _ => mark_all_words::<M, 24>(m, planes, first, from),
        }
    }
}

/// Marks options in `P` planes at once.
#[inline(always)]
fn mark_all_words<M: WideCodes, const P: usize>(
    m: M,
    planes: &mut [Words],
    first: usize,
    from: Options<'_, u16>,
) {
    const { assert!(P <= MOST_PLANES && LONGEST_RUN == 3) };
    if from.has_runs_of::<2>() {
        let mut marks = RunMarks::<P>([[0; BEFORE + WORDS]; P]);
        marks.add_runs::<M, 3>(m, first, from);
        marks.add_runs::<M, 2>(m, first, from);
        for (plane, marks) in planes.iter_mut().zip(&marks.0) {
            for (plane, mark) in plane.0.iter_mut().zip(&marks[BEFORE..]) {
                *plane |= mark;
            }
        }
    }
    for piece in 0..M::PIECES {
        let marked = mark_first_of_runs::<M, P, 1>(m, (piece, first), from, &mut []);
        each!(J in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23, if J < P => {
            if let Some(plane) = planes.get_mut(J) {
                let all = m.or(m.load(&plane.0, piece), m.marked(marked[J]));
                m.store(&mut plane.0, piece, all);
            }
        });
    }
}

/// The marks of a piece of a block by the first entry of each run of `RUN` entries, two runs at a time. What these entries give
/// the heaps before the block is marked in `before`, if there is room for it.
#[inline(always)]
fn mark_first_of_runs<M: WideCodes, const P: usize, const RUN: usize>(
    m: M,
    (piece, first): (usize, usize),
    from: Options<'_, u16>,
    before: &mut [MarksOfHeap],
) -> [M::Marked; P] {
    let mut marked = [m.unmarked(); P];
    let mut runs = from.ends_of_runs::<RUN>();
    while let Some([last, one]) = runs.next() {
        let x = m.option::<true>(one, piece);
        mark_before::<RUN>(last, first, before);
        let mut y = m.all(u16::DEAD);
        if let Some([last, two]) = runs.next() {
            y = m.option::<true>(two, piece);
            mark_before::<RUN>(last, first, before);
        }
        each!(J in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23, if J < P => {
            let window = m.all((16 * (first + J)) as u16);
            marked[J] = m.mark_two(marked[J], [m.xor(x, window), m.xor(y, window)]);
        });
    }
    marked
}

/// The marks of one heap in as many planes as are marked at once, and one for all others.
type MarksOfHeap = [u16; MOST_PLANES + 1];

/// Marks the options that the first entry of a run of `RUN` entries gives the heaps right before the block, which hand them on to
/// it; the last entry reads the same sources for the block's first heaps. It costs little between marks in registers, and as few
/// bytes are written: a processor holds a read back if an earlier write goes to the same place of another page. By itself, with a
/// byte for each code, runs of two in 14 planes took 1.4 times as long (Zen 4).
#[inline(always)]
fn mark_before<const RUN: usize>(
    (codes, mask, u): Sources<'_, u16>,
    first: usize,
    before: &mut [MarksOfHeap],
) {
    for (heap, marks) in before.iter_mut().enumerate().take(RUN - 1) {
        let x = (codes[heap] ^ u) | mask.map_or(0, |mask| mask[heap]);
        let x = x.wrapping_sub(16 * first as u16);
        marks[usize::from(x / 16).min(MOST_PLANES)] |= 1 << (x % 16);
    }
}

/// Marks in `P` planes of heaps that hand them on: those of a block, and before them those right before it. A mark stands for
/// as many heaps, from its own on, as the runs have entries that are being marked.
struct RunMarks<const P: usize>([[u16; BEFORE + WORDS]; P]);

/// How many heaps before a block hand marks on to it.
const BEFORE: usize = LONGEST_RUN - 1;

/// The most planes that are marked at once.
const MOST_PLANES: usize = 24;

impl<const P: usize> RunMarks<P> {
    /// Marks the options by the runs of `RUN` entries. An entry gives heap n + 1 the option that the entry before gives heap n,
    /// so a run is marked as the options by its first entry alone. Longer runs must have been added before: at the end each
    /// mark stands for one heap less, as those of shorter runs do.
    #[inline(always)]
    fn add_runs<M: WideCodes, const RUN: usize>(
        &mut self,
        m: M,
        first: usize,
        from: Options<'_, u16>,
    ) {
        if !from.has_runs_of::<RUN>() {
            return;
        }
        let mut before = [[0; MOST_PLANES + 1]; BEFORE];
        for piece in 0..M::PIECES {
            let room = if piece == 0 { before.len() } else { 0 };
            let before = &mut before[..room];
            let marked = mark_first_of_runs::<M, P, RUN>(m, (piece, first), from, before);
            let mut lanes = Words::ZERO;
            each!(J in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23, if J < P => {
                m.store(&mut lanes.0, piece, m.marked(marked[J]));
                for lane in piece * WORDS / M::PIECES..(piece + 1) * WORDS / M::PIECES {
                    self.0[J][BEFORE + lane] |= lanes.0[lane];
                }
            });
        }
        for (heap, found) in before.iter().enumerate().take(RUN - 1) {
            for (marks, found) in self.0.iter_mut().zip(found) {
                marks[BEFORE + 1 - RUN + heap] |= found;
            }
        }
        for marks in &mut self.0 {
            let old = *marks;
            for lane in 1..BEFORE + WORDS {
                marks[lane] = old[lane] | old[lane - 1];
            }
        }
    }
}
