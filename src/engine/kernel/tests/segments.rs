//! Sixty-four stretches at once.

use super::*;

/// A walk as it is defined, lane by lane: the rows, the lanes that are lost, and the rare codes left open.
fn plain(
    rows: &mut [[u8; LANES]],
    at: usize,
    (options, witnesses): (&Entries<u8>, &Entries<u8>),
    limits: &[Lanes; 2],
    (odd, bound): (u64, u8),
) -> [[(bool, u64); LANES]; LANES] {
    let mut found = [[(false, 0); LANES]; LANES];
    for (step, found) in found.iter_mut().enumerate() {
        for (lane, found) in found.iter_mut().enumerate() {
            let given = |entries: &Entries<u8>| -> Vec<u8> {
                let code = |entry: &Entry<u8>| {
                    rows[(at + step - entry.q()) % rows.len()][lane] ^ entry.u()
                };
                entries.as_slice().iter().map(code).collect()
            };
            let (options, witnesses) = (given(options), given(witnesses));
            let code = (0..bound).find(|code| !options.contains(code));
            let parity = (step + (odd >> lane & 1) as usize) % 2;
            let limit = limits[parity].0[usize::from(code.unwrap_or(0))];
            let rare = (0..limit).filter(|code| !witnesses.contains(code));
            *found = (code.is_none(), rare.fold(0, |open, code| open | 1 << code));
            rows[(at + step) % rows.len()][lane] = code.unwrap_or(0);
        }
    }
    found
}

#[test]
fn segments() {
    const ROWS: usize = 512;
    let mut bytes = Bytes(9);
    for kernel in Kernel::available() {
        for (planes, (options, witnesses, odd)) in [2, 4, 8].into_iter().flat_map(|planes| {
            [(1, 0, 0), (9, 4, u64::MAX), (40, 30, 0x1234_5678_9abc_def1)]
                .map(|case| (planes, case))
        }) {
            let bound = 8 * planes;
            let mut rows = Rows::new(kernel, planes, ROWS);
            let mut codes = [[0; LANES]; ROWS];
            for (row, codes) in codes.iter_mut().enumerate() {
                for (lane, code) in codes.iter_mut().enumerate() {
                    // Twice, as a lane starts anew.
                    rows.set(row, lane, bytes.below(bound) as u8);
                    *code = bytes.below(bound) as u8;
                    rows.set(row, lane, *code);
                }
            }
            let options = bytes.entries::<u8>(options, 1, 448, bound);
            let witnesses = bytes.entries::<u8>(witnesses, 1, 448, bound);
            let limits =
                [(); 2].map(|()| Lanes(std::array::from_fn(|_| bytes.below(bound + 1) as u8)));
            let taps = [&options, &witnesses].map(|entries| Taps::new(entries.as_slice()));
            let mut open = Open::NONE;
            let mut some = 0;
            for at in [448, 512, 576, 1 << 20] {
                let block = LaneSegments::new((&mut rows, at), (&taps[0], &taps[1]), &limits, odd);
                kernel.walk(planes, block, &mut open);
                let entries = (&options, &witnesses);
                let wanted = plain(&mut codes, at, entries, &limits, (odd, bound as u8));
                for (step, (wanted, row)) in wanted.iter().zip(rows.block(at)).enumerate() {
                    let name = kernel.name();
                    assert_eq!(row.0, codes[(at + step) % ROWS], "{name} walks");
                    for (lane, &(lost, needs)) in wanted.iter().enumerate() {
                        assert_eq!(open.lost[step] >> lane & 1 != 0, lost, "{name} loses");
                        assert_eq!(
                            open.lanes[step] >> lane & 1 != 0,
                            needs != 0,
                            "{name} needs"
                        );
                        let planes = open.planes[step][..planes].iter().rev();
                        let told =
                            planes.fold(0, |told, plane| told << 8 | u64::from(plane.0[lane]));
                        assert!(open.lanes[step] == 0 || told == needs, "{name} needs");
                        some |= needs;
                    }
                }
            }
            assert!(some != 0 || witnesses.is_empty());
        }
    }
}

#[test]
fn codes_that_no_pair_gives() {
    let mut bytes = Bytes(10);
    for kernel in Kernel::available() {
        for length in [0, 1, 31, 64, 65, 200, 1000] {
            let (firsts, seconds) = (
                bytes.codes::<u8>(length, 255),
                bytes.codes::<u8>(length, 70),
            );
            for codes in [0, 1, 1 << 63, 0xf0f0, u64::MAX] {
                let options = firsts.iter().zip(seconds.iter().rev());
                let given = options.fold(0, |given, (first, second)| {
                    given | 1u64.checked_shl((first ^ second).into()).unwrap_or(0)
                });
                let left = kernel.unpaired(&firsts, &seconds, codes);
                assert_eq!(left, codes & !given, "{} {length}", kernel.name());
            }
        }
    }
}
