//! One harness for every kernel: each must do what the definition says, or what the portable one does in its own way.

mod bands;
mod by_twos;
mod refused;
mod rows;
mod segments;
mod settle;
mod slots;
mod words;

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

    fn code<C: Code>(&mut self, bound: usize) -> C {
        C::of(self.below(bound))
    }

    fn codes<C: Code>(&mut self, len: usize, bound: usize) -> Vec<C> {
        (0..len).map(|_| self.code(bound)).collect()
    }

    fn lanes<C: Code>(&mut self, bound: usize) -> C::Lanes {
        let mut lanes = C::ZERO_LANES;
        *C::block_mut(&mut lanes) = C::lanes(|_| self.code(bound));
        lanes
    }

    fn mask<C: Code>(&mut self, len: usize) -> Vec<C> {
        (0..len)
            .map(|_| if self.below(8) == 0 { C::DEAD } else { C::ZERO })
            .collect()
    }

    fn entries<C: Code>(
        &mut self,
        count: usize,
        from: usize,
        to: usize,
        bound: usize,
    ) -> Entries<C> {
        (0..count)
            .map(|_| Entry::new(from + self.below(to - from), self.code(bound)))
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

const WIDE_BOUNDS: [usize; 4] = [40, 255, 400, 1500];
const WIDE_PLANES: [usize; 10] = [1, 4, 5, 6, 10, 16, 20, 24, 43, 64];

#[test]
fn planes_and_slots() {
    check_planes_and_slots::<u8>(&BOUNDS, &PLANES);
    check_planes_and_slots::<u16>(&WIDE_BOUNDS, &WIDE_PLANES);
}

fn check_planes_and_slots<C: Code>(bounds: &[usize], counts: &[usize]) {
    let mut bytes = Bytes(1);
    for kernel in others() {
        for (&bound, &planes) in bounds
            .iter()
            .flat_map(|bound| counts.iter().map(move |planes| (bound, planes)))
        {
            for count in [0, 1, 2, 7, 40, 300] {
                let codes =
                    bytes.codes::<C>(AT + LANES, (C::DEAD.index() + 1).min(bound + bound / 2));
                let mask = bytes.mask::<C>(AT + LANES);
                let mask = (count % 2 == 1).then_some(mask.as_slice());
                let entries = bytes.entries::<C>(count, 0, AT + 1, bound);
                let source = Source {
                    codes: &codes,
                    mask,
                    at: AT,
                };
                let mut marked = [vec![C::ZERO_LANES; planes], vec![C::ZERO_LANES; planes]];
                for (kernel, planes) in [Kernel::PORTABLE, kernel].into_iter().zip(&mut marked) {
                    kernel.mark_options::<C>(planes, source, &entries);
                    kernel.mark_options::<C>(
                        planes,
                        source,
                        &Entries::from_iter([Entry::new(5, C::of(1))]),
                    );
                }
                let [planes, other] = &marked;
                assert_eq!(planes, other, "{} marks", kernel.name());

                for _ in 0..5 {
                    let entry = Entry::new(bytes.below(AT), bytes.code(bound));
                    let marked = [Kernel::PORTABLE, kernel]
                        .map(|kernel| kernel.would_mark::<C>(planes, source, entry));
                    assert_eq!(marked[0], marked[1], "{} would mark", kernel.name());
                }
                let limits = bytes.lanes::<C>(bound + 1);
                assert_eq!(
                    Kernel::PORTABLE.open::<C>(planes, &limits),
                    kernel.open::<C>(planes, &limits)
                );
                let mut open = [Vec::new(), Vec::new()];
                for (kernel, open) in [Kernel::PORTABLE, kernel].into_iter().zip(&mut open) {
                    let mut noted = OpenCandidates::NONE;
                    kernel.unmarked::<C>(planes, &limits, 0, &mut noted);
                    noted.drain_into::<C>(open);
                }
                assert_eq!(open[0], open[1], "{} unmarked", kernel.name());
                let mut slots = [[C::ZERO_LANES; SLOTS]; 2];
                for (kernel, slots) in [Kernel::PORTABLE, kernel].into_iter().zip(&mut slots) {
                    kernel.least_unmarked::<C>(planes, slots);
                }
                assert_eq!(slots[0], slots[1], "{} least unmarked", kernel.name());
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
            kernel.test::<u8>(
                &mut slots,
                source,
                &Entries::from_iter([Entry::new(100, 3)]),
            );
            for slot in &slots {
                assert!((0..LANES).all(|l| (slot.0[l] == u8::DEAD) == (l == lane)));
            }
        }
    }
}

#[test]
fn pairs_are_found_wherever_they_are() {
    check_pairs::<u8>();
    check_pairs::<u16>();
}

fn check_pairs<C: Code>() {
    let mut bytes = Bytes(3);
    for kernel in Kernel::available() {
        for len in 1..200 {
            for masked in [0, 50, 400] {
                let codes = bytes.codes::<C>(400, 40);
                let mask = bytes.mask::<C>(masked);
                let (low, x) = (bytes.below(100), bytes.code(60));
                let sum = low + len - 1 + bytes.below(300 - len);
                let free = |i: usize| mask.get(i).is_none_or(|&mask| mask == C::ZERO);
                let gives = |&i: &usize| codes[i] ^ codes[sum - i] == x && free(i) && free(sum - i);
                let found = kernel.scan(&codes, &mask, sum, (low, low + len), x);
                assert_eq!(found, (low..low + len).find(gives), "{}", kernel.name());
            }
        }
    }
}

#[test]
fn words_of_lanes_are_planes_turned() {
    let mut bytes = Bytes(4);
    for kernel in Kernel::available() {
        let planes: [Lanes; 8] =
            std::array::from_fn(|_| Lanes(std::array::from_fn(|_| bytes.next())));
        let mut words = [0; LANES];
        kernel.words_of_lanes(&planes, &mut words);
        for (lane, word) in words.into_iter().enumerate() {
            assert_eq!(word.to_le_bytes(), planes.map(|plane| plane.0[lane]));
        }
    }
}
