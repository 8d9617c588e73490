//! What is open of a block, by the definition, and what rows leave of it.

use super::*;
use crate::engine::kernel::first_parts::{FirstParts, ROW, Row};
use crate::engine::kernel::open_candidates::{OpenCandidate, OpenCandidates};

#[test]
fn unmarked_codes_below_the_limits_are_open() {
    let mut bytes = Bytes(11);
    for kernel in Kernel::available() {
        for planes in PLANES {
            for sparse in [false, true] {
                let mut marks = |_| match sparse && bytes.below(4) > 0 {
                    true => 255,
                    false => bytes.next(),
                };
                let planes: Vec<Lanes> = (0..planes)
                    .map(|_| Lanes(std::array::from_fn(&mut marks)))
                    .collect();
                let limits = Lanes(std::array::from_fn(|_| bytes.next()));
                let mut open = vec![OpenCandidate::new(5, 7)];
                let mut unasked = OpenCandidates::NONE;
                kernel.unmarked(&planes, &limits, 9, &mut unasked);
                unasked.drain_into(&mut open);
                assert_eq!(
                    open.remove(0),
                    OpenCandidate::new(5, 7),
                    "what was there stays"
                );
                open.sort_unstable();
                let mut wanted = Vec::new();
                for lane in 0..LANES {
                    let below = 0..usize::from(limits.0[lane]).min(8 * planes.len());
                    let unmarked = |code: &usize| planes[code / 8].0[lane] >> (code % 8) & 1 == 0;
                    let codes = below.filter(unmarked);
                    wanted.extend(codes.map(|code| OpenCandidate::new(9 + lane, code as u8)));
                }
                assert_eq!(open, wanted, "{}", kernel.name());
            }
        }
    }
}

#[test]
fn rows_answer_what_a_pair_gives() {
    let mut bytes = Bytes(12);
    for kernel in Kernel::available() {
        for (bound, rows, masks, span) in [
            (64, 1, false, LANES),
            (64, 1, false, 70_000),
            (150, 0, false, LANES),
            (150, 3, false, LANES),
            (150, 3, true, 300),
            (256, 40, false, LANES),
            (256, 2, true, LANES),
        ] {
            let at = ROW + 700;
            let codes = bytes.codes(at + span, bound);
            let mask = bytes.mask(at + span);
            let source = Source {
                codes: &codes,
                mask: masks.then_some(&mask),
                at,
            };
            let mut firsts = FirstParts::default();
            for _ in 0..rows {
                firsts.push(Row {
                    q: ROW + bytes.below(700),
                    codes: std::array::from_fn(|_| bytes.below(bound) as u8),
                    // Some have no part that doesn't count.
                    mask: std::array::from_fn(|_| match rows > 1 && bytes.below(8) == 0 {
                        true => DEAD,
                        false => 0,
                    }),
                });
            }
            // A masked pair gives 255, which is no code of a heap.
            let all: Vec<OpenCandidate> = (0..LANES * 6)
                .map(|k| {
                    OpenCandidate::new(k / 6 * span / LANES, bytes.below(bound.min(255)) as u8)
                })
                .collect();
            let mut open = all.clone();
            kernel.unwitnessed(&mut open, source, &firsts, span);
            let given = |candidate: &OpenCandidate| {
                firsts.as_slice().iter().any(|row| {
                    (0..ROW).any(|k| {
                        let opposite = at + candidate.offset() - row.q + k;
                        let masked = row.mask[k] != 0 || masks && mask[opposite] != 0;
                        !masked && codes[opposite] ^ row.codes[k] == candidate.code()
                    })
                })
            };
            let left: Vec<OpenCandidate> = all
                .into_iter()
                .filter(|candidate| !given(candidate))
                .collect();
            assert_eq!(open, left, "{}, {bound}, {rows}", kernel.name());
            assert!(rows == 0 || rows == 40 || !left.is_empty() && left.len() < LANES * 6);
        }
    }
}

#[test]
#[should_panic(expected = "a source lies outside")]
fn a_row_that_reaches_behind_the_codes_is_refused() {
    let codes = vec![0; 4 * LANES];
    let mut firsts = FirstParts::default();
    firsts.push(Row {
        q: ROW - 2,
        codes: [0; ROW],
        mask: [0; ROW],
    });
    let source = Source {
        codes: &codes,
        mask: None,
        at: 3 * LANES,
    };
    Kernel::PORTABLE.unwitnessed(&mut Vec::new(), source, &firsts, LANES);
}
