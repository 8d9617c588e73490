//! Testing options against the few candidates of each heap.

use super::options;
use crate::engine::kernel::SLOTS;
use crate::engine::kernel::checked::{Options, Unsettled};
use crate::engine::kernel::width::Width;

/// Lets every slot die that is the same as an option of its lane. A whole block is written at a time: of a store in some lanes
/// the compiler makes a branch for each.
pub fn kill<C: Width>(slots: &mut [C::Lanes], from: Options<'_, C>) {
    for sources in from.each() {
        let mut x = C::lanes(|_| C::ZERO);
        let all = x.as_mut().iter_mut().zip(options(sources));
        all.for_each(|(x, option)| *x = option);
        for slot in slots.iter_mut() {
            let codes = *C::block(slot);
            let (codes, x) = (codes.as_ref(), x.as_ref());
            *C::block_mut(slot) = C::lanes(|lane| match codes[lane] == x[lane] {
                true => C::DEAD,
                false => codes[lane],
            });
        }
    }
}

pub fn sort<C: Width>(slots: &mut [C::Lanes; SLOTS], width: usize) {
    slots[width..].fill(C::DEAD_LANES);
    let by = |of: fn(C, C) -> C, a: C::Lanes, b: C::Lanes| {
        let (one, other) = (C::block(&a).as_ref(), C::block(&b).as_ref());
        let mut both = C::ZERO_LANES;
        *C::block_mut(&mut both) = C::lanes(|lane| of(one[lane], other[lane]));
        both
    };
    network!(slots, |a, b| (by(C::min, a, b), by(C::max, a, b)));
}

pub fn settle<C: Width>(slots: &[C::Lanes], fixed: u64, mut block: Unsettled<'_, C>) -> u64 {
    let mut lost = 0;
    let mut marks = vec![false; C::CODES];
    for lane in 0..C::LANES {
        marks.fill(false);
        if fixed >> lane & 1 == 0 {
            for option in block.options_of(lane) {
                if let Some(mark) = marks.get_mut(option.index()) {
                    *mark = true;
                }
            }
        }
        let free = |code: &C| *code != C::DEAD && !marks[code.index()];
        let code = slots
            .iter()
            .map(|slot| C::block(slot).as_ref()[lane])
            .find(free)
            .unwrap_or(C::DEAD);
        block.codes().as_mut()[lane] = code;
        lost |= u64::from(code == C::DEAD) << lane;
    }
    lost
}
