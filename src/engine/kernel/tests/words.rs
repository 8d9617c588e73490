//! Values of two bytes.

use super::refused::refused;
use super::*;
use crate::engine::kernel::entries::runs;

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
            for (marks, kernel) in marked.iter_mut().zip([Kernel::PORTABLE, kernel]) {
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
fn words_of_pairs_are_marked() {
    let mut bytes = Bytes(12);
    for kernel in Kernel::available() {
        for length in [0, 1, 63, 64, 65, 500] {
            let values: Vec<u16> = (0..2 * length)
                .map(|_| bytes.below(65_536) as u16)
                .collect();
            let (firsts, seconds) = values.split_at(length);
            let mut marks = Box::new([0; 1 << 16]);
            kernel.mark_pairs(&mut marks, firsts, seconds);
            let mut wanted = Box::new([0; 1 << 16]);
            for (first, second) in firsts.iter().zip(seconds.iter().rev()) {
                wanted[usize::from(first ^ second)] = 1;
            }
            assert!(marks == wanted, "{}, {length}", kernel.name());
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
fn neighbouring_options_are_marked() {
    let mut bytes = Bytes(17);
    for kernel in Kernel::available() {
        for planes in [1, 5, 15, 16, 31, 40, 63, 64] {
            for (run, count) in [(1, 70), (2, 3), (2, 90), (3, 80), (4, 70)] {
                let bound = 1 << (4 + bytes.below(7));
                let code = |bytes: &mut Bytes| match bytes.below(9) {
                    0 => 0x8000 | bytes.below(bound) as u16,
                    _ => bytes.below(bound) as u16,
                };
                let codes: Vec<u16> = (0..500).map(|_| code(&mut bytes)).collect();
                let entries: Entries<u16> = (0..count)
                    .flat_map(|_| {
                        let (q, u) = (bytes.below(390), bytes.below(bound) as u16);
                        (0..run).map(move |k| Entry::new(q + k, u))
                    })
                    .collect();
                let sorted = |entries: &Entries<u16>| {
                    let mut list = entries.as_slice().to_vec();
                    list.sort_unstable();
                    list
                };
                let in_runs = entries.in_runs();
                assert_eq!(sorted(&in_runs), sorted(&entries));
                for entries in [&entries, &in_runs] {
                    assert_eq!(entries.runs(), runs(entries.as_slice()).count());
                }
                assert!(run == 1 || in_runs.runs() < run * count);
                let mut wanted = [Words::ZERO; 64];
                for entry in entries.as_slice() {
                    for lane in 0..WORDS {
                        let option = codes[400 + lane - entry.q()] ^ entry.u();
                        if let Some(plane) = wanted.get_mut(usize::from(option / 16)) {
                            plane.0[lane] |= 1 << (option % 16);
                        }
                    }
                }
                for entries in [&entries, &in_runs] {
                    let mut marked = [Words::ZERO; 64];
                    let source = Source {
                        codes: &codes,
                        mask: None,
                        at: 400,
                    };
                    kernel.scatter::<u16>(&mut marked[..planes], source, entries);
                    let name = kernel.name();
                    assert_eq!(marked[..planes], wanted[..planes], "{name}, {run}");
                    assert!(marked[planes..].iter().all(|plane| *plane == Words::ZERO));
                }
            }
        }
    }
}
