//! Values of two bytes.

use super::*;
use crate::engine::kernel::entries::{LONGEST_RUN, runs};
use crate::engine::kernel::halves::{HALVES_END, Halves};

fn in_halves(numbers: &[u16]) -> Halves {
    let mut halves = Halves::default();
    halves.extend(numbers).unwrap();
    halves
}

/// Marks the values of pairs from a value on.
fn mark_one_by_one<const N: usize>(
    marks: &mut [[u8; N]],
    base: usize,
    ones: &[u16],
    others: &[u16],
) {
    let marks = marks.as_flattened_mut();
    for (one, other) in ones.iter().zip(others) {
        let place = usize::from(one ^ other).checked_sub(base);
        if let Some(mark) = place.and_then(|place| marks.get_mut(place)) {
            *mark = 1;
        }
    }
}

#[test]
fn words_of_pairs_are_marked() {
    let mut bytes = Bytes(12);
    for kernel in Kernel::available() {
        for length in [0, 1, 63, 64, 65, 500] {
            let mut values =
                || -> Vec<u16> { (0..length).map(|_| bytes.below(65_536) as u16).collect() };
            let (ones, others) = (values(), values());
            let mut marks = Box::new([0; 1 << 16]);
            kernel.mark_pairs(&mut marks, &ones, &others);
            let mut wanted = Box::new([0; 1 << 16]);
            for (one, other) in ones.iter().zip(&others) {
                wanted[usize::from(one ^ other)] = 1;
            }
            assert!(marks == wanted, "{}, {length}", kernel.name());
        }
    }
}

/// In windows that are nearly full and nearly empty, at the beginning and the end of all values, and many values that are the
/// same.
#[test]
fn words_of_pairs_are_marked_in_windows() {
    let mut bytes = Bytes(5);
    for kernel in Kernel::available() {
        for (bound, base) in [
            (1024, 0),
            (900, 128),
            (4096, 1664),
            (HALVES_END, 0),
            (HALVES_END, 31_744),
            (2, 0),
        ] {
            for length in [0, 1, 63, 64, 65, 500, 5000] {
                let mut values =
                    || -> Vec<u16> { (0..length).map(|_| bytes.below(bound) as u16).collect() };
                let (ones, others) = (values(), values());
                for (marked, count) in [(0, 1), (1, 2), (1, 4), (5, 1), (5, 4), (100, 2)] {
                    let base = base.min(HALVES_END - count * WINDOW);
                    let mut window =
                        |()| [0; WINDOW].map(|_: u8| u8::from(bytes.below(100) < marked));
                    let mut windows: Vec<Window> =
                        vec![(); count].into_iter().map(&mut window).collect();
                    let mut wanted = windows.clone();
                    mark_one_by_one(&mut wanted, base, &ones, &others);
                    let [ones, others] = [&ones, &others].map(|row| in_halves(row));
                    let pair = (ones.of(0..length), others.of(0..length));
                    kernel.mark_windows(&mut windows, base as u16, pair.0, pair.1);
                    assert!(
                        windows == wanted,
                        "{}, {bound}, {base}, {length}, {count}",
                        kernel.name()
                    );
                }
            }
        }
    }
}

/// With each number of strips that have open values, few and many, and none, at the beginning and the end of all values.
#[test]
fn words_of_pairs_are_marked_in_strips() {
    let mut bytes = Bytes(6);
    for kernel in Kernel::available() {
        for (bound, base) in [
            (1024, 0),
            (1024, 384),
            (HALVES_END, 0),
            (HALVES_END, HALVES_END - STRIP),
            (2, 0),
        ] {
            for count in 0..=WINDOW / STRIP {
                let base = base.min(HALVES_END - count * STRIP);
                for (length, open) in [(0, 5), (63, 100), (64, 100), (500, 5), (5000, 1)] {
                    let mut values =
                        || -> Vec<u16> { (0..length).map(|_| bytes.below(bound) as u16).collect() };
                    let (ones, others) = (values(), values());
                    let mut strip = |k| match k % 3 {
                        1 => [1; STRIP],
                        _ => [0; STRIP].map(|_: u8| u8::from(bytes.below(100) >= open)),
                    };
                    let mut strips: Vec<Strip> = (0..count).map(&mut strip).collect();
                    let mut wanted = strips.clone();
                    mark_one_by_one(&mut wanted, base, &ones, &others);
                    let [ones, others] = [&ones, &others].map(|row| in_halves(row));
                    let pair = (ones.of(0..length), others.of(0..length));
                    kernel.mark_strips(&mut strips, base as u16, pair.0, pair.1);
                    assert!(
                        strips == wanted,
                        "{}, {bound}, {base}, {length}, {count}",
                        kernel.name()
                    );
                }
            }
        }
    }
}

#[test]
fn options_stand_in_a_row_for_each_heap() {
    let mut bytes = Bytes(9);
    for kernel in Kernel::available() {
        for count in [0, 1, 7, 8, 31, 32, 33, 64, 100] {
            let words: Vec<u16> = (0..700).map(|_| bytes.below(HALVES_END) as u16).collect();
            let firsts: Vec<u32> = (0..count).map(|_| bytes.below(620) as u32).collect();
            let sum = 620 + bytes.below(40);
            for row in [count, count + 5] {
                let mut options = Halves::zeros(WORDS * row);
                kernel.options_of_heaps(&words, sum, &firsts, (&mut options, row));
                for (k, &first) in firsts.iter().enumerate() {
                    let first = first as usize;
                    for heap in 0..WORDS {
                        let wanted = words[first] ^ words[sum + heap - first];
                        let place = heap * row + k;
                        let found = options.of(place..place + 1).numbers().next();
                        assert_eq!(found, Some(wanted), "{}, {count}, {row}", kernel.name());
                    }
                }
            }
        }
    }
}

#[test]
fn neighbouring_options_are_marked() {
    let mut bytes = Bytes(17);
    for kernel in Kernel::available() {
        for planes in [
            1, 5, 10, 12, 14, 15, 16, 18, 20, 24, 29, 30, 31, 40, 59, 60, 61, 64,
        ] {
            for (run, count) in [(1, 70), (2, 3), (2, 90), (3, 80), (4, 70)] {
                let bound = 1 << (4 + bytes.below(7));
                let code = |bytes: &mut Bytes| match bytes.below(9) {
                    0 => 0x8000 | bytes.below(bound) as u16,
                    _ => bytes.below(bound) as u16,
                };
                let codes: Vec<u16> = (0..500).map(|_| code(&mut bytes)).collect();
                let masked = |bytes: &mut Bytes| if bytes.below(9) == 0 { u16::MAX } else { 0 };
                let mask: Vec<u16> = (0..500).map(|_| masked(&mut bytes)).collect();
                let mask = (bytes.below(2) == 0).then_some(mask.as_slice());
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
                assert_eq!(entries.runs(), [run * count, 0, 0]);
                let mut left = in_runs.as_slice();
                for length in (1..=LONGEST_RUN).rev() {
                    for _ in 0..in_runs.runs()[length - 1] {
                        let (one, others) = left.split_at(length);
                        assert_eq!(runs(one).next(), Some(one));
                        left = others;
                    }
                }
                assert!(left.is_empty());
                assert!(run == 1 || in_runs.runs()[0] < run * count);
                let mut wanted = [Words::ZERO; 64];
                for entry in entries.as_slice() {
                    for lane in 0..WORDS {
                        let from = 400 + lane - entry.q();
                        let option = (codes[from] ^ entry.u()) | mask.map_or(0, |mask| mask[from]);
                        if let Some(plane) = wanted.get_mut(usize::from(option / 16)) {
                            plane.0[lane] |= 1 << (option % 16);
                        }
                    }
                }
                for entries in [&entries, &in_runs] {
                    let mut marked = [Words::ZERO; 64];
                    let source = Source {
                        codes: &codes,
                        mask,
                        at: 400,
                    };
                    kernel.mark_options::<u16>(&mut marked[..planes], source, entries);
                    let name = kernel.name();
                    assert_eq!(marked[..planes], wanted[..planes], "{name}, {run}");
                    assert!(marked[planes..].iter().all(|plane| *plane == Words::ZERO));
                }
            }
        }
    }
}
