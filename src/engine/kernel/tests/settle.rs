//! Blocks whose heaps are sources of one another.

use super::*;

#[test]
fn close_sources_settle() {
    let mut bytes = Bytes(6);
    for kernel in others() {
        for round in 0..400 {
            let least = 1 + round % 6;
            let mut entries: Vec<Entry<u8>> = (least..QUARTER)
                .map(|q| Entry::new(q, bytes.below(9) as u8))
                .collect();
            entries.retain(|_| bytes.below(3) > 0);
            let nibbles = Nibbles::new(&entries).unwrap();
            let codes = bytes.codes::<u8>(4 * QUARTER, if round % 7 == 0 { 17 } else { 9 });
            let rows = std::array::from_fn(|_| u16::from_le_bytes([bytes.next(), bytes.next()]));
            let odd = 1 << bytes.below(64);
            let from = bytes.below(QUARTER + 1);
            let mut settled = [codes.clone(), codes.clone(), codes];
            let mut done = [Kernel::PORTABLE, kernel].into_iter().zip(&mut settled);
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
            let mut entries: Vec<Entry<u8>> = entries.collect();
            entries.retain(|_| bytes.below(4) == 0);
            // Two of a distance, one farther back than the last register holds.
            entries.extend([Entry::new(least, 5), Entry::new(9, 3), Entry::new(17, 7)]);
            let sextets = Sextets::new(&entries.iter().copied().collect());
            let mut codes = bytes.codes::<u8>(3 * LANES, 40);
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
