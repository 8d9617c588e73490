//! Slots by the definition, as all kernels treat them by the same algorithms.

use super::*;

#[test]
fn slots_die_are_sorted_and_settle() {
    for kernel in Kernel::available() {
        for bound in BOUNDS {
            check::<u8>(kernel, bound);
        }
        check::<u16>(kernel, 400);
    }
}

fn check<C: Code>(kernel: Kernel, bound: usize) {
    let mut bytes = Bytes(14);
    for (count, masked) in [0, 1, 7, 60, 300]
        .into_iter()
        .flat_map(|count| [false, true].map(|masked| (count, masked)))
    {
        let mut codes = bytes.codes::<C>(AT + LANES, bound);
        let mask = bytes.mask::<C>(codes.len());
        let mask = masked.then_some(mask.as_slice());
        let far = bytes.entries::<C>(count, 0, AT + 1, bound);
        let near = bytes.entries::<C>(count, 1, C::LANES, bound);
        let is_option = |codes: &[C], entries: &Entries<C>, lane: usize, code: C| {
            entries.as_slice().iter().any(|entry| {
                let place = AT + lane - entry.q();
                mask.is_none_or(|mask| mask[place] == C::ZERO) && codes[place] ^ entry.u() == code
            })
        };
        let in_lane = |slots: &[C::Lanes], lane: usize| -> Vec<C> {
            let of = |slot| C::block(slot).as_ref()[lane];
            slots.iter().map(of).collect()
        };
        let name = kernel.name();

        let mut slots: [C::Lanes; SLOTS] = std::array::from_fn(|_| bytes.lanes::<C>(bound));
        for width in 0..=SLOTS {
            let mut tested = slots;
            let source = Source {
                codes: &codes,
                mask,
                at: AT,
            };
            kernel.test::<C>(&mut tested[..width], source, &far);
            let mut sorted = slots;
            kernel.sort::<C>(&mut sorted, width);
            for lane in 0..C::LANES {
                let mut wanted = in_lane(&slots, lane);
                let left = |code: &C| match is_option(&codes, &far, lane, *code) {
                    true => C::DEAD,
                    false => *code,
                };
                let left: Vec<C> = wanted[..width].iter().map(left).collect();
                assert_eq!(in_lane(&tested[..width], lane), left, "{name} tests");
                wanted[width..].fill(C::DEAD);
                wanted[..width].sort_unstable();
                assert_eq!(in_lane(&sorted, lane), wanted, "{name} sorts");
            }
        }

        kernel.sort::<C>(&mut slots, 5);
        for width in [1, 2, 4, 8] {
            let fixed = 0x8000_0001_8011_0400;
            let mut settled = codes.clone();
            let block = Block {
                codes: &mut settled,
                mask,
                at: AT,
            };
            let lost = kernel.settle::<C>(&slots[..width], fixed, block, &near);
            for lane in 0..C::LANES {
                let free = |code: &C| {
                    let taken = fixed >> lane & 1 == 0 && is_option(&codes, &near, lane, *code);
                    *code != C::DEAD && !taken
                };
                let candidates = in_lane(&slots[..width], lane);
                codes[AT + lane] = candidates.into_iter().find(free).unwrap_or(C::DEAD);
                let is_lost = codes[AT + lane] == C::DEAD;
                assert_eq!(lost >> lane & 1 == 1, is_lost, "{name} loses");
            }
            assert_eq!(settled, codes, "{name} settles");
        }
    }
}
