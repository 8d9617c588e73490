//! The algorithms that are generic over the width of a code, on codes of two bytes.

use super::Bytes;
use crate::engine::kernel::checked::{Block, Options, Pairs, Source, Unsettled};
use crate::engine::kernel::generic::{self, Registers};
use crate::engine::kernel::{Entries, Entry, InstructionSet, Kernel, SLOTS, WORDS, Words};

const DEAD: u16 = u16::MAX;
const AT: usize = 300;
/// Codes are below this, so that they need nine bits.
const BOUND: usize = 400;

fn words(bytes: &mut Bytes) -> Words {
    Words(std::array::from_fn(|_| bytes.below(BOUND) as u16))
}

fn check(registers: impl Registers<u16>) {
    let mut bytes = Bytes(14);
    for (count, masked) in [0, 1, 7, 60, 300]
        .into_iter()
        .flat_map(|count| [false, true].map(|masked| (count, masked)))
    {
        let mut codes: Vec<u16> = (0..AT + WORDS).map(|_| bytes.below(BOUND) as u16).collect();
        let mask: Vec<u16> = codes
            .iter()
            .map(|_| if bytes.below(8) == 0 { DEAD } else { 0 })
            .collect();
        let mask = masked.then_some(mask.as_slice());
        let mut entries = |least: usize, most: usize| -> Entries<u16> {
            let entry = |_| {
                let q = least + bytes.below(most - least);
                Entry::new(q, bytes.below(BOUND) as u16)
            };
            (0..count).map(entry).collect()
        };
        let (far, near) = (entries(WORDS, AT), entries(1, WORDS));
        let is_option = |codes: &[u16], entries: &Entries<u16>, lane: usize, code: u16| {
            entries.as_slice().iter().any(|entry| {
                let place = AT + lane - entry.q();
                mask.is_none_or(|mask| mask[place] == 0) && codes[place] ^ entry.u() == code
            })
        };

        for width in 1..=SLOTS {
            let slots: Vec<Words> = (0..width).map(|_| words(&mut bytes)).collect();
            let mut killed = slots.clone();
            let source = Source {
                codes: &codes,
                mask,
                at: AT,
            };
            generic::kill(registers, &mut killed, Options::new(source, &far));
            for lane in 0..WORDS {
                for (slot, killed) in slots.iter().zip(&killed) {
                    let code = slot.0[lane];
                    let hit = is_option(&codes, &far, lane, code);
                    assert_eq!(killed.0[lane], if hit { DEAD } else { code });
                }
            }
        }

        let mut sorted: [Words; SLOTS] = std::array::from_fn(|_| words(&mut bytes));
        let unsorted = sorted;
        generic::sort::<u16, _>(registers, &mut sorted, 5);
        for lane in 0..WORDS {
            let mut wanted = unsorted.map(|slot| slot.0[lane]);
            wanted[5..].fill(DEAD);
            wanted[..5].sort_unstable();
            assert_eq!(sorted.map(|slot| slot.0[lane]), wanted);
        }

        for width in [1, 2, 4, 8] {
            let (fixed, slots) = (0x8001_0400, &sorted[..width]);
            let mut settled = codes.clone();
            let block = Block {
                codes: &mut settled,
                mask,
                at: AT,
            };
            let lost = generic::settle(registers, slots, fixed, Unsettled::new(block, &near));
            for lane in 0..WORDS {
                let mut candidates = slots.iter().map(|slot| slot.0[lane]);
                let free = |code: &u16| {
                    let taken = fixed >> lane & 1 == 0 && is_option(&codes, &near, lane, *code);
                    *code != DEAD && !taken
                };
                codes[AT + lane] = candidates.find(free).unwrap_or(DEAD);
                assert_eq!(settled[AT + lane], codes[AT + lane]);
                assert_eq!(lost >> lane & 1 == 1, codes[AT + lane] == DEAD);
            }
        }

        for (low, length) in [(0, 1), (3, 31), (5, 32), (20, 100), (2, 250)] {
            let (sum, x) = (low + length + 40, codes[bytes.below(AT)] ^ 3);
            let mask = mask.unwrap_or_default();
            let masked = |i: usize| mask.get(i).is_some_and(|&mask| mask != 0);
            let gives =
                |i: &usize| codes[*i] ^ codes[sum - i] == x && !masked(*i) && !masked(sum - i);
            let pairs = Pairs::new(&codes, sum, low, low + length);
            let found = generic::scan(registers, pairs, mask, x);
            assert_eq!(found, (low..low + length).find(gives));
        }
    }
}

#[test]
fn codes_of_two_bytes_are_treated_alike() {
    for kernel in Kernel::available() {
        match kernel.0 {
            InstructionSet::Portable => {}
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2(token) => check(token),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512(token) => check(token),
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon(token) => check(token),
        }
    }
}
