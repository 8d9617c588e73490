//! Slots against what sorting means, as all kernels sort by one network.

use super::Bytes;
use crate::engine::kernel::{DEAD, Kernel, LANES, Lanes, SLOTS};

#[test]
fn sorted_slots_ascend_in_every_lane() {
    let mut bytes = Bytes(1);
    for kernel in Kernel::available() {
        for width in 0..=SLOTS {
            let slots: [Lanes; SLOTS] =
                std::array::from_fn(|_| Lanes(std::array::from_fn(|_| bytes.next())));
            let mut sorted = slots;
            kernel.sort::<u8>(&mut sorted, width);
            for lane in 0..LANES {
                let mut wanted = slots.map(|slot| slot.0[lane]);
                wanted[width..].fill(DEAD);
                wanted[..width].sort_unstable();
                let found = sorted.map(|slot| slot.0[lane]);
                assert_eq!(found, wanted, "{} of {width}, {lane}", kernel.name());
            }
        }
    }
}
