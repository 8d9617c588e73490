//! One harness for every kernel: each must do what `portable.rs` does.

mod bands;
mod orbits;
mod rough;
mod rows;
mod slots;

use super::*;

/// Bytes that look random, the same on every run.
struct Bytes(u64);

impl Bytes {
    fn next(&mut self) -> u8 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 40) as u8
    }

    fn below(&mut self, bound: usize) -> usize {
        (usize::from(self.next()) << 8 | usize::from(self.next())) % bound
    }

    fn codes(&mut self, len: usize, bound: usize) -> Vec<u8> {
        (0..len).map(|_| self.below(bound) as u8).collect()
    }

    fn mask(&mut self, len: usize) -> Vec<u8> {
        (0..len)
            .map(|_| if self.below(8) == 0 { DEAD } else { 0 })
            .collect()
    }

    fn entries(&mut self, count: usize, from: usize, to: usize, bound: usize) -> Entries {
        (0..count)
            .map(|_| Entry::new(from + self.below(to - from), self.below(bound) as u8))
            .collect()
    }
}

/// Every kernel but the portable one. The CPU that runs the project's CI has AVX2, and 64-bit Arm has NEON.
fn others() -> Vec<Kernel> {
    let kernels: Vec<Kernel> = Kernel::available()
        .into_iter()
        .filter(|kernel| kernel.name() != "portable")
        .collect();
    assert!(
        !kernels.is_empty()
            || cfg!(not(any(target_arch = "x86_64", target_arch = "aarch64")))
            || cfg!(target_arch = "x86_64") && std::env::var_os("CI").is_none()
    );
    kernels
}

const AT: usize = 300;
const BOUNDS: [usize; 7] = [4, 16, 33, 64, 128, 150, 255];
const PLANES: [usize; 12] = [2, 4, 8, 10, 12, 16, 18, 20, 22, 24, 30, 32];

#[test]
fn planes_and_slots() {
    let mut bytes = Bytes(1);
    for kernel in others() {
        for (bound, planes) in BOUNDS
            .into_iter()
            .flat_map(|bound| PLANES.map(|planes| (bound, planes)))
        {
            for count in [0, 1, 2, 7, 40, 300] {
                let codes = bytes.codes(AT + LANES, 256.min(bound + bound / 2));
                let mask = bytes.mask(AT + LANES);
                let mask = (count % 2 == 1).then_some(mask.as_slice());
                let entries = bytes.entries(count, 0, AT + 1, bound);
                let source = Source {
                    codes: &codes,
                    mask,
                    at: AT,
                };
                let mut marked = [vec![Lanes::ZERO; planes], vec![Lanes::ZERO; planes]];
                for (kernel, planes) in [Kernel::Portable, kernel].into_iter().zip(&mut marked) {
                    kernel.scatter(planes, source, &entries);
                    kernel.scatter(planes, source, &Entries::from_iter([Entry::new(5, 1)]));
                }
                let [planes, other] = &marked;
                assert_eq!(planes, other, "{} marks", kernel.name());

                for _ in 0..5 {
                    let entry = Entry::new(bytes.below(AT), bytes.below(bound) as u8);
                    let fresh = [Kernel::Portable, kernel]
                        .map(|kernel| kernel.fresh(planes, source, entry));
                    assert_eq!(fresh[0], fresh[1], "{} fresh", kernel.name());
                }
                let limits = Lanes(std::array::from_fn(|_| bytes.below(bound + 1) as u8));
                assert_eq!(
                    Kernel::Portable.open(planes, &limits),
                    kernel.open(planes, &limits)
                );
                let mut open = [Vec::new(), Vec::new()];
                for (kernel, open) in [Kernel::Portable, kernel].into_iter().zip(&mut open) {
                    let mut unasked = Unasked::NONE;
                    kernel.unmarked(planes, &limits, 0, &mut unasked);
                    unasked.ask(open);
                }
                assert_eq!(open[0], open[1], "{} unmarked", kernel.name());
                let mut slots = [[Lanes::ZERO; SLOTS]; 2];
                for (kernel, slots) in [Kernel::Portable, kernel].into_iter().zip(&mut slots) {
                    kernel.holes(planes, slots);
                }
                assert_eq!(slots[0], slots[1], "{} holes", kernel.name());
                for width in (0..=SLOTS).rev() {
                    let mut sorted = slots;
                    for (kernel, slots) in [Kernel::Portable, kernel].into_iter().zip(&mut sorted) {
                        kernel.kill(&mut slots[..width], source, &entries);
                    }
                    assert_eq!(sorted[0], sorted[1], "{} kills", kernel.name());
                    for (kernel, slots) in [Kernel::Portable, kernel].into_iter().zip(&mut sorted) {
                        kernel.sort(slots, width);
                    }
                    assert_eq!(sorted[0], sorted[1], "{} sorts", kernel.name());
                }
            }
        }
    }
}

#[test]
fn a_hit_at_every_lane() {
    for kernel in others() {
        for lane in 0..LANES {
            let mut codes = vec![1; AT + LANES];
            codes[AT - 100 + lane] = 7;
            let source = Source {
                codes: &codes,
                mask: None,
                at: AT,
            };
            let mut slots = [Lanes([7 ^ 3; LANES]); SLOTS];
            kernel.kill(
                &mut slots,
                source,
                &Entries::from_iter([Entry::new(100, 3)]),
            );
            for slot in &slots {
                assert!((0..LANES).all(|l| (slot.0[l] == DEAD) == (l == lane)));
            }
        }
    }
}

#[test]
fn blocks_settle() {
    let mut bytes = Bytes(2);
    for kernel in others() {
        for bound in BOUNDS {
            for (count, width) in [0, 1, 5, 20, 60]
                .into_iter()
                .flat_map(|count| [1, 2, 4, 8].map(|w| (count, w)))
            {
                let codes = bytes.codes(AT + LANES, bound);
                let mask = bytes.mask(AT + LANES);
                let mask = (width == 2).then_some(mask.as_slice());
                let entries = bytes.entries(count, 1, LANES, bound);
                let mut slots: [Lanes; SLOTS] = std::array::from_fn(|_| {
                    Lanes(std::array::from_fn(|_| bytes.below(bound) as u8))
                });
                Kernel::Portable.sort(&mut slots, width);
                let fixed = if count == 5 { 0x8000_0001_0010_0400 } else { 0 };
                let mut settled = [codes.clone(), codes];
                let [one, two] = &mut settled;
                let lost = [(Kernel::Portable, one), (kernel, two)].map(|(kernel, codes)| {
                    kernel.settle(
                        &slots[..width],
                        fixed,
                        Block {
                            codes,
                            mask,
                            at: AT,
                        },
                        &entries,
                    )
                });
                assert_eq!(lost[0], lost[1], "{} loses", kernel.name());
                assert_eq!(settled[0], settled[1], "{} settles", kernel.name());
            }
        }
    }
}

#[test]
fn pairs_are_found_wherever_they_are() {
    let mut bytes = Bytes(3);
    for kernel in others() {
        for len in 1..200 {
            for masked in [0, 50, 400] {
                let codes = bytes.codes(400, 40);
                let mask = bytes.mask(masked);
                let (low, x) = (bytes.below(100), bytes.below(60) as u8);
                let sum = low + len - 1 + bytes.below(300 - len);
                let wanted = Kernel::Portable.scan(&codes, &mask, sum, (low, low + len), x);
                assert_eq!(kernel.scan(&codes, &mask, sum, (low, low + len), x), wanted);
            }
        }
    }
}

#[test]
fn words_are_marked() {
    let mut bytes = Bytes(5);
    for kernel in others() {
        for (bound, count) in [40, 700, 60_000]
            .into_iter()
            .flat_map(|bound| [0, 1, 2, 9, 100].map(|n| (bound, n)))
        {
            let values: Vec<u16> = (0..500).map(|_| bytes.below(bound) as u16).collect();
            let low = bytes.below(200);
            let sum = low + count + bytes.below(150);
            let windows = Words(std::array::from_fn(|_| {
                16 * bytes.below(bound.div_ceil(16)) as u16
            }));
            let before = Words(std::array::from_fn(|_| bytes.below(4) as u16));
            let mut marked = [before; 3];
            for (lane, marks) in marked[2].0.iter_mut().enumerate() {
                for i in low..low + count {
                    let value = values[i] ^ values[sum + lane - i];
                    if let Some(c @ 0..16) = value.checked_sub(windows.0[lane]) {
                        *marks |= 1 << c;
                    }
                }
            }
            for (marks, kernel) in marked.iter_mut().zip([Kernel::Portable, kernel]) {
                kernel.mark_words(marks, &windows, &values, sum, (low, low + count));
            }
            assert_eq!(marked[0], marked[2]);
            assert_eq!(marked[1], marked[2], "{}", kernel.name());
        }
    }
}

#[test]
fn words_that_no_pair_gives_are_left() {
    let mut bytes = Bytes(9);
    for kernel in Kernel::available() {
        for length in [0, 1, 31, 128, 129, 500] {
            let values: Vec<u16> = (0..2 * length).map(|_| bytes.below(900) as u16).collect();
            let (firsts, seconds) = values.split_at(length);
            let options = firsts.iter().zip(seconds.iter().rev());
            let options: Vec<u16> = options.map(|(first, second)| first ^ second).collect();
            let mut open: Vec<u16> = (0..1024).filter(|_| bytes.below(3) > 0).collect();
            let mut left = open.clone();
            left.retain(|value| !options.contains(value));
            kernel.unpaired_words(firsts, seconds, &mut open);
            assert_eq!(open, left, "{}, {length}", kernel.name());
        }
    }
}

#[test]
fn words_are_killed() {
    let mut bytes = Bytes(10);
    for kernel in Kernel::available() {
        for count in [0, 1, 7, 300] {
            let values: Vec<u16> = (0..700).map(|_| bytes.below(900) as u16).collect();
            let firsts: Vec<u32> = (0..count).map(|_| bytes.below(620) as u32).collect();
            let sum = 620 + bytes.below(40);
            let slots: [Words; SLOTS] =
                std::array::from_fn(|_| Words(std::array::from_fn(|_| bytes.below(1024) as u16)));
            let mut killed = slots;
            kernel.kill_words(&mut killed, &values, sum, &firsts);
            for (slot, killed) in slots.iter().zip(&killed) {
                for lane in 0..WORDS {
                    let gives = |&i: &u32| {
                        let i = i as usize;
                        values[i] ^ values[sum + lane - i] == slot.0[lane]
                    };
                    let is_option = firsts.iter().any(gives);
                    let left = if is_option { u16::MAX } else { slot.0[lane] };
                    assert_eq!(killed.0[lane], left, "{}, {count}", kernel.name());
                }
            }
        }
        for (sum, first) in [(20, 21), (669, 0), (699, 30), (usize::MAX, 5), (750, 700)] {
            let mut slots = [Words::DEAD; SLOTS];
            let values = [0; 700];
            assert!(
                refused(|| kernel.kill_words(&mut slots, &values, sum, &[first])),
                "{sum}"
            );
        }
    }
}

#[test]
fn close_sources_settle() {
    let mut bytes = Bytes(6);
    for kernel in others() {
        for round in 0..400 {
            let least = 1 + round % 6;
            let mut entries: Vec<Entry> = (least..QUARTER)
                .map(|q| Entry::new(q, bytes.below(9) as u8))
                .collect();
            entries.retain(|_| bytes.below(3) > 0);
            let nibbles = Nibbles::new(&entries).unwrap();
            let codes = bytes.codes(4 * QUARTER, if round % 7 == 0 { 17 } else { 9 });
            let rows = std::array::from_fn(|_| u16::from_le_bytes([bytes.next(), bytes.next()]));
            let odd = 1 << bytes.below(64);
            let from = bytes.below(QUARTER + 1);
            let mut settled = [codes.clone(), codes.clone(), codes];
            let mut done = [Kernel::Portable, kernel].into_iter().zip(&mut settled);
            let places = std::array::from_fn(|_| {
                let (kernel, codes) = done.next().unwrap();
                kernel.settle_nibbles(&nibbles, &rows, codes, 2 * QUARTER, from, odd)
            });
            let [place, other]: [usize; 2] = places;
            assert_eq!(place, other, "{}", kernel.name());
            assert_eq!(settled[0], settled[1], "{}", kernel.name());
            // By the definition.
            let codes = &mut settled[2];
            let rows: [u16; QUARTER] = rows;
            for (lane, mut row) in (0..place).zip(rows).skip(from) {
                let at = 2 * QUARTER + lane;
                for entry in &entries {
                    row |= 1 << (codes[at - entry.q()] ^ entry.u());
                }
                codes[at] = row.trailing_ones() as u8;
            }
            assert_eq!(settled[1], settled[2], "{}", kernel.name());
        }
    }
}

#[test]
fn near_sources_settle() {
    let mut bytes = Bytes(9);
    for kernel in Kernel::available() {
        for round in 0..400 {
            let least = 1 + round % 6;
            let most_u = [9, 60, 128][round % 3];
            let entries = (least..LANES).map(|q| Entry::new(q, bytes.below(most_u) as u8));
            let mut entries: Vec<Entry> = entries.collect();
            entries.retain(|_| bytes.below(4) == 0);
            // Two of a distance, one farther back than the last register holds.
            entries.extend([Entry::new(least, 5), Entry::new(9, 3), Entry::new(17, 7)]);
            let sextets = Sextets::new(&entries.iter().copied().collect());
            let mut codes = bytes.codes(3 * LANES, 40);
            codes[bytes.below(LANES)] |= 0x80;
            let rows: [u64; LANES] = std::array::from_fn(|_| 1 << bytes.below(64) | 1);
            let (odd, from) = (1 << bytes.below(64), bytes.below(LANES + 1));
            let most = [16, 32, 64][round % 3];
            let mut settled = codes.clone();
            let place =
                kernel.settle_sextets(&sextets, &rows, &mut settled, (LANES, from), odd, most);
            // By the definition.
            let free = |codes: &[u8], lane: usize| {
                let mut row = rows[lane];
                for entry in &entries {
                    let x = codes[LANES + lane - entry.q()] ^ entry.u();
                    row |= 1u64.checked_shl(x.into()).unwrap_or(0);
                }
                row.trailing_ones()
            };
            for lane in from..place {
                let code = free(&codes, lane);
                assert!(code < most && odd >> lane & 1 == 0, "{}", kernel.name());
                codes[LANES + lane] = code as u8;
            }
            assert!(place == LANES || odd >> place & 1 == 1 || free(&codes, place) >= most);
            assert_eq!(settled, codes, "{}", kernel.name());
        }
    }
}

#[test]
fn rows_are_planes_turned() {
    let mut bytes = Bytes(4);
    for kernel in others() {
        let planes: [Lanes; 8] =
            std::array::from_fn(|_| Lanes(std::array::from_fn(|_| bytes.next())));
        let mut rows = [[0; LANES]; 2];
        Kernel::Portable.rows(&planes, &mut rows[0]);
        kernel.rows(&planes, &mut rows[1]);
        assert_eq!(rows[0], rows[1]);
    }
}

/// Whether a call is refused by a check, rather than done or failing in some other way.
fn refused(call: impl FnOnce()) -> bool {
    let call = std::panic::AssertUnwindSafe(call);
    let Err(panic) = std::panic::catch_unwind(call) else {
        return false;
    };
    let text = panic.downcast_ref::<&str>().copied().unwrap_or_default();
    text.contains("outside")
}

#[test]
fn what_lies_outside_is_refused_by_every_kernel() {
    let mut codes = vec![1; AT + LANES];
    let values = vec![1; 500];
    for kernel in Kernel::available() {
        for (at, q) in [
            (AT, AT + 1),
            (AT + 1, 0),
            (usize::MAX, 0),
            (usize::MAX - 10, 1),
            (usize::MAX - LANES + 2, 1),
            (0, 1),
        ] {
            let entry = Entry::new(q, 0);
            let entries = Entries::from_iter([entry]);
            let source = Source {
                codes: &codes,
                mask: None,
                at,
            };
            let mut planes = [Lanes::ZERO; 2];
            let mut slots = [Lanes::ZERO; 2];
            assert!(
                refused(|| kernel.scatter(&mut planes, source, &entries)),
                "{at} {q}"
            );
            assert!(
                refused(|| kernel.kill(&mut slots, source, &entries)),
                "{at} {q}"
            );
            assert!(
                refused(|| _ = kernel.fresh(&planes, source, entry)),
                "{at} {q}"
            );
            let block = Block {
                codes: &mut codes,
                mask: None,
                at,
            };
            assert!(
                refused(|| _ = kernel.settle(&slots, 0, block, &entries)),
                "{at} {q}"
            );
        }
        let source = Source {
            codes: &codes,
            mask: Some(&values_of(AT)),
            at: AT,
        };
        let entries = Entries::from_iter([Entry::new(1, 0)]);
        assert!(refused(|| kernel.scatter(
            &mut [Lanes::ZERO; 2],
            source,
            &entries
        )));
        for (sum, low, high) in [
            (usize::MAX, 0, 1),
            (usize::MAX, usize::MAX - 1, usize::MAX),
            (usize::MAX - 5, usize::MAX - 40, usize::MAX - 39),
            (499, 0, 1),
            (468, 0, 470),
            (600, 400, 501),
        ] {
            let (mut marks, windows) = (Words([0; WORDS]), Words([0; WORDS]));
            assert!(
                refused(|| kernel.mark_words(&mut marks, &windows, &values, sum, (low, high))),
                "{sum}"
            );
        }
        for (sum, low, high) in [
            (usize::MAX, 0, 1),
            (AT + LANES, 0, 1),
            (10, 0, 12),
            (600, 300, 400),
        ] {
            assert!(
                refused(|| _ = kernel.scan(&codes, &[], sum, (low, high), 0)),
                "{sum}"
            );
        }
    }
}

fn values_of(len: usize) -> Vec<u8> {
    vec![0; len]
}

/// A heap that is its own option would change for ever.
#[test]
fn no_heap_is_its_own_option() {
    let entries = Entries::from_iter([Entry::new(3, 1), Entry::new(0, 0)]);
    for kernel in Kernel::available() {
        let mut codes = vec![0; AT + LANES];
        let block = Block {
            codes: &mut codes,
            mask: None,
            at: AT,
        };
        assert!(refused(
            || _ = kernel.settle(&[Lanes::ZERO; 2], 0, block, &entries)
        ));
    }
}
