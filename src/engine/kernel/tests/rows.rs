//! What is open of a block, by the definition, and what rows leave of it.

use super::*;
use crate::engine::kernel::first_parts::{BLOCKS_IN_ROW, FirstParts, Row, parts_in_row};
use crate::engine::kernel::open_candidates::{OpenCandidate, OpenCandidates};

#[test]
fn unmarked_codes_below_the_limits_are_open() {
    check_unmarked::<u8>(&PLANES);
    check_unmarked::<u16>(&WIDE_PLANES);
}

fn check_unmarked<C: Code>(counts: &[usize]) {
    let mut bytes = Bytes(11);
    for kernel in Kernel::available() {
        for &count in counts {
            for sparse in [false, true] {
                let mut planes = vec![C::ZERO_LANES; count];
                for plane in &mut planes {
                    for marks in C::block_mut(plane).as_mut() {
                        *marks = match sparse && bytes.below(4) > 0 {
                            true => C::DEAD,
                            false => bytes.code(C::DEAD.index() + 1),
                        };
                    }
                }
                let limits = bytes.lanes::<C>(C::BITS * count + C::BITS);
                let kept = OpenCandidate::new(5, C::of(7));
                let mut open = vec![kept];
                let mut noted = OpenCandidates::NONE;
                kernel.unmarked::<C>(&planes, &limits, 9, &mut noted);
                noted.drain_into::<C>(&mut open);
                assert_eq!(open.remove(0), kept, "what was there stays");
                open.sort_unstable();
                let mut wanted = Vec::new();
                for lane in 0..C::LANES {
                    let limit = C::block(&limits).as_ref()[lane].index();
                    let unmarked = |code: &usize| {
                        let marks = C::block(&planes[code / C::BITS]).as_ref()[lane];
                        marks.index() >> (code % C::BITS) & 1 == 0
                    };
                    let codes = (0..limit.min(C::BITS * count)).filter(unmarked);
                    wanted.extend(codes.map(|code| OpenCandidate::new(9 + lane, C::of(code))));
                }
                assert_eq!(open, wanted, "{}", kernel.name());
            }
        }
    }
}

#[test]
fn rows_answer_what_a_pair_gives() {
    check_rows::<u8>();
    check_rows::<u16>();
}

fn check_rows<C: Code>() {
    let mut bytes = Bytes(12);
    let in_row = parts_in_row::<C>();
    for kernel in Kernel::available() {
        for (bound, rows, masks, heaps) in [
            (64, 1, false, LANES),
            (64, 1, false, 70_000),
            (150, 0, false, LANES),
            (150, 3, false, LANES),
            (150, 3, true, 300),
            (256, 40, false, LANES),
            (256, 2, true, LANES),
        ] {
            let at = in_row + 700;
            let codes = bytes.codes::<C>(at + heaps, bound);
            let mask = bytes.mask::<C>(at + heaps);
            let source = Source {
                codes: &codes,
                mask: masks.then_some(&mask),
                at,
            };
            let mut firsts = FirstParts::default();
            for _ in 0..rows {
                firsts.push(Row {
                    q: in_row + bytes.below(700),
                    codes: std::array::from_fn(|_| C::lanes(|_| bytes.code(bound))),
                    // Some have no part that doesn't count.
                    mask: std::array::from_fn(|_| {
                        C::lanes(|_| match rows > 1 && bytes.below(8) == 0 {
                            true => C::DEAD,
                            false => C::ZERO,
                        })
                    }),
                });
            }
            // A masked pair gives all ones, which is no code of a heap.
            let all: Vec<OpenCandidate> = (0..LANES * 6)
                .map(|k| {
                    let code = bytes.code::<C>(bound.min(255));
                    OpenCandidate::new(k / 6 * heaps / LANES, code)
                })
                .collect();
            let mut open = all.clone();
            kernel.unwitnessed(&mut open, source, &firsts, heaps);
            let given = |candidate: &OpenCandidate| {
                firsts.as_slice().iter().any(|row| {
                    let [firsts, skipped] = [&row.codes, &row.mask]
                        .map(|parts| parts.each_ref().map(AsRef::as_ref).concat());
                    (0..BLOCKS_IN_ROW * C::LANES).any(|k| {
                        let opposite = at + candidate.offset() - row.q + k;
                        let masked = skipped[k] != C::ZERO || masks && mask[opposite] != C::ZERO;
                        !masked && codes[opposite] ^ firsts[k] == candidate.code()
                    })
                })
            };
            let left: Vec<OpenCandidate> = all
                .into_iter()
                .filter(|candidate| !given(candidate))
                .collect();
            assert_eq!(open, left, "{}, {bound}, {rows}", kernel.name());
            let all = LANES * 6;
            assert!(rows == 0 || rows == 40 || !left.is_empty() && left.len() < all);
        }
    }
}

#[test]
#[should_panic(expected = "a source lies outside")]
fn a_row_that_reaches_behind_the_codes_is_refused() {
    let codes = vec![0u8; 4 * LANES];
    let mut firsts = FirstParts::default();
    firsts.push(Row {
        q: parts_in_row::<u8>() - 2,
        codes: [[0; LANES]; BLOCKS_IN_ROW],
        mask: [[0; LANES]; BLOCKS_IN_ROW],
    });
    let source = Source {
        codes: &codes,
        mask: None,
        at: 3 * LANES,
    };
    Kernel::PORTABLE.unwitnessed(&mut Vec::new(), source, &firsts, LANES);
}
