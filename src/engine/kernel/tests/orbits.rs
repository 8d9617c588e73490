//! Sixty-four stretches at once.

use super::*;

#[test]
fn orbits() {
    let mut bytes = Bytes(9);
    for kernel in others() {
        for planes in [2, 4, 8] {
            for (options, witnesses, odd) in
                [(1, 0, 0), (9, 4, u64::MAX), (40, 30, 0x1234_5678_9abc_def1)]
            {
                let bound = 8 * planes;
                let rows: Vec<Lanes> = (0..512)
                    .map(|_| Lanes(std::array::from_fn(|_| bytes.below(bound) as u8)))
                    .collect();
                let options = bytes.entries(options, 1, 448, bound);
                let witnesses = bytes.entries(witnesses, 1, 448, bound);
                let limits =
                    [(); 2].map(|()| Lanes(std::array::from_fn(|_| bytes.below(bound + 1) as u8)));
                let mut found = [Kernel::Portable, kernel].map(|kernel| {
                    let mut rows = rows.clone();
                    let mut open = Open::NONE;
                    for at in [448, 512, 576, 1 << 20] {
                        let entries = (
                            &Taps::new(options.as_slice()),
                            &Taps::new(witnesses.as_slice()),
                        );
                        kernel.walk(
                            planes,
                            Orbits::new((&mut rows, at), entries, &limits, odd),
                            &mut open,
                        );
                    }
                    (rows, open)
                });
                for (_, open) in &mut found {
                    for (lanes, needs) in open.lanes.iter().zip(&mut open.planes) {
                        let shown = if *lanes == 0 { 0 } else { planes };
                        needs[shown..].fill(Lanes::ZERO);
                    }
                }
                let [(rows, open), (other_rows, other)] = &found;
                assert_eq!(rows, other_rows, "{} walks", kernel.name());
                assert_eq!(
                    (open.lanes, open.lost),
                    (other.lanes, other.lost),
                    "{}",
                    kernel.name()
                );
                assert!(open.planes == other.planes, "{} needs", kernel.name());
                assert!(open.lanes != [0; LANES] || witnesses.is_empty());
            }
        }
    }
}

#[test]
fn codes_that_no_pair_gives() {
    let mut bytes = Bytes(10);
    for kernel in others() {
        for length in [0, 1, 31, 64, 65, 200, 1000] {
            let (firsts, seconds) = (bytes.codes(length, 255), bytes.codes(length, 70));
            for codes in [0, 1, 1 << 63, 0xf0f0, u64::MAX] {
                let left = [Kernel::Portable, kernel]
                    .map(|kernel| kernel.unpaired(&firsts, &seconds, codes));
                assert_eq!(left[0], left[1], "{} {length}", kernel.name());
            }
        }
    }
}
