//! Testing options against the few candidates of each heap.

use super::options;
use crate::engine::kernel::checked::{Options, Unsettled};
use crate::engine::kernel::{DEAD, LANES, Lanes, SLOTS};

pub fn kill(slots: &mut [Lanes], from: Options<'_>) {
    for sources in from.each() {
        let mut x = [0; LANES];
        x.iter_mut()
            .zip(options(sources))
            .for_each(|(x, option)| *x = option);
        for slot in slots.iter_mut() {
            for (slot, x) in slot.0.iter_mut().zip(&x) {
                *slot |= if *slot == *x { DEAD } else { 0 };
            }
        }
    }
}

pub fn sort(slots: &mut [Lanes; SLOTS], width: usize) {
    slots[width..].fill(Lanes::DEAD);
    let by = |of: fn(u8, u8) -> u8, a: Lanes, b: Lanes| {
        Lanes(std::array::from_fn(|lane| of(a.0[lane], b.0[lane])))
    };
    network!(slots, |a, b| (by(u8::min, a, b), by(u8::max, a, b)));
}

pub fn settle(slots: &[Lanes], fixed: u64, mut block: Unsettled<'_>) -> u64 {
    let mut lost = 0;
    for lane in 0..LANES {
        let mut marks = [false; 256];
        if fixed >> lane & 1 == 0 {
            for option in block.options_of(lane) {
                marks[usize::from(option)] = true;
            }
        }
        let free = |code: &u8| *code != DEAD && !marks[usize::from(*code)];
        let code = slots
            .iter()
            .map(|slot| slot.0[lane])
            .find(free)
            .unwrap_or(DEAD);
        block.codes()[lane] = code;
        lost |= u64::from(code == DEAD) << lane;
    }
    lost
}
