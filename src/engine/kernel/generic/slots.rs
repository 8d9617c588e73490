//! Comparing options with the few candidates of each heap.

use super::{Registers, pieces_at_once};
use crate::engine::kernel::checked::{Options, Sources, Unsettled};
use crate::engine::kernel::code::Code;
use crate::engine::kernel::{Nibbles, QUARTER, SLOTS};

/// Every slot that is the same as an option of its lane dies.
#[inline(always)]
pub fn test<C: Code, M: Registers<C>>(m: M, slots: &mut [C::Lanes], from: Options<'_, C>) {
    match slots.len() {
        0..=1 => test_slots::<C, M, 1>(m, slots, from),
        2 => test_slots::<C, M, 2>(m, slots, from),
        3 => test_slots::<C, M, 3>(m, slots, from),
        4 => test_slots::<C, M, 4>(m, slots, from),
        5 => test_slots::<C, M, 5>(m, slots, from),
        6 => test_slots::<C, M, 6>(m, slots, from),
        7 => test_slots::<C, M, 7>(m, slots, from),
        _ => test_slots::<C, M, 8>(m, slots, from),
    }
}

#[inline(always)]
fn test_slots<C: Code, M: Registers<C>, const W: usize>(
    m: M,
    slots: &mut [C::Lanes],
    from: Options<'_, C>,
) {
    if from.is_masked() {
        test_each::<C, M, W, true>(m, slots, from.each());
    } else {
        test_each::<C, M, W, false>(m, slots, from.each());
    }
}

/// Lets every slot die that is the same as an option of its lane, for as many pieces of the block at a time as leave their slots
/// in registers.
#[inline(always)]
fn test_each<'a, C: Code + 'a, M: Registers<C>, const W: usize, const MASKED: bool>(
    m: M,
    slots: &mut [C::Lanes],
    sources: impl Iterator<Item = Sources<'a, C>> + Clone,
) {
    match const { pieces_at_once(M::PIECES, W + 1, M::COUNT - 2) } {
        4 => test_pieces::<C, M, W, 4, MASKED>(m, slots, sources),
        2 => test_pieces::<C, M, W, 2, MASKED>(m, slots, sources),
        _ => test_pieces::<C, M, W, 1, MASKED>(m, slots, sources),
    }
}

#[inline(always)]
fn test_pieces<'a, C, M, const W: usize, const P: usize, const MASKED: bool>(
    m: M,
    slots: &mut [C::Lanes],
    sources: impl Iterator<Item = Sources<'a, C>> + Clone,
) where
    C: Code + 'a,
    M: Registers<C>,
{
    let Some(slots) = slots.first_chunk_mut::<W>() else {
        return;
    };
    for first in (0..M::PIECES).step_by(P) {
        let mut left = [[m.slot(m.all(C::DEAD)); W]; P];
        for (piece, left) in (first..).zip(&mut left) {
            for (left, slot) in left.iter_mut().zip(slots.iter()) {
                *left = m.slot(m.load(C::block(slot), piece));
            }
        }
        strike::<C, M, W, P, MASKED>(m, &mut left, sources.clone(), first);
        for (piece, left) in (first..).zip(&left) {
            for (left, slot) in left.iter().zip(slots.iter_mut()) {
                m.store(C::block_mut(slot), piece, m.left(*left));
            }
        }
    }
}

/// Compares `W` slots of `P` pieces, from the first one on, with all options.
#[inline(always)]
fn strike<'a, C, M, const W: usize, const P: usize, const MASKED: bool>(
    m: M,
    slots: &mut [[M::Slot; W]; P],
    sources: impl Iterator<Item = Sources<'a, C>>,
    first: usize,
) where
    C: Code + 'a,
    M: Registers<C>,
{
    for sources in sources {
        for (piece, slots) in (first..).zip(slots.iter_mut()) {
            let x = m.option::<MASKED>(sources, piece);
            for slot in slots {
                *slot = m.strike(*slot, x);
            }
        }
    }
}

/// Sorts the first `width` slots of every lane; the others die.
#[inline(always)]
pub fn sort<C: Code, M: Registers<C>>(m: M, slots: &mut [C::Lanes; SLOTS], width: usize) {
    for piece in 0..M::PIECES {
        let mut sorted = [m.all(C::DEAD); SLOTS];
        for (sorted, slot) in sorted.iter_mut().zip(&slots[..width]) {
            *sorted = m.load(C::block(slot), piece);
        }
        network!(sorted, |a, b| (m.min(a, b), m.max(a, b)));
        for (slot, sorted) in slots.iter_mut().zip(sorted) {
            m.store(C::block_mut(slot), piece, sorted);
        }
    }
}

/// Gives every heap of a block its first slot that is no option of it, where the block may be among its own sources. Returns the
/// lanes that have none; those in `fixed` take their first slot whatever the options are.
#[inline(always)]
pub fn settle<C: Code, M: Registers<C>>(
    m: M,
    slots: &[C::Lanes],
    fixed: u64,
    mut block: Unsettled<'_, C>,
) -> u64 {
    let mut lost = 0;
    // A piece has the pieces before it among its sources, but not the other way round.
    for piece in 0..M::PIECES {
        let fixed = m.mask(fixed >> (piece * M::lanes()));
        let piece_lost = match slots.len() {
            0..=1 => rounds::<C, M, 1>(m, slots, piece, fixed, &mut block),
            2 => rounds::<C, M, 2>(m, slots, piece, fixed, &mut block),
            4 => rounds::<C, M, 4>(m, slots, piece, fixed, &mut block),
            _ => rounds::<C, M, 8>(m, slots, piece, fixed, &mut block),
        };
        lost |= piece_lost << (piece * M::lanes());
    }
    lost
}

/// Settles a piece of a block in rounds. Every round is right for at least one more heap than the round before, and a few rounds
/// are right for most heaps. Returns the lanes that have no slot left.
#[inline(always)]
fn rounds<C: Code, M: Registers<C>, const W: usize>(
    m: M,
    slots: &[C::Lanes],
    piece: usize,
    fixed: M::Mask,
    block: &mut Unsettled<'_, C>,
) -> u64 {
    let dead = m.all(C::DEAD);
    let mut candidates = [dead; W];
    for (candidate, slot) in candidates.iter_mut().zip(slots) {
        *candidate = m.load(C::block(slot), piece);
    }
    let mut now = candidates[0];
    loop {
        m.store(block.codes(), piece, now);
        let from = block.options();
        let mut left = [[m.slot(dead); W]; 1];
        for (left, candidate) in left[0].iter_mut().zip(candidates) {
            *left = m.slot(candidate);
        }
        if from.is_masked() {
            strike::<C, M, W, 1, true>(m, &mut left, from.each(), piece);
        } else {
            strike::<C, M, W, 1, false>(m, &mut left, from.each(), piece);
        }
        let mut next = dead;
        for left in left[0].iter().rev() {
            let left = m.left(*left);
            next = m.select(m.equal(left, dead), next, left);
        }
        next = m.select(fixed, candidates[0], next);
        let same = m.bits(m.equal(next, now)) == u64::MAX >> (64 - M::lanes());
        now = next;
        if same {
            return m.bits(m.equal(now, dead));
        }
    }
}

/// Calls [`Nibbles::settle`], which is compiled with the shifts of each instruction set.
#[inline(always)]
pub fn settle_nibbles<M>(
    _: M,
    nibbles: &Nibbles,
    marks: &[u16; QUARTER],
    codes: &mut [u8],
    at: usize,
    from: usize,
    left_out: u64,
) -> usize {
    nibbles.settle(marks, codes, at, from, left_out)
}
