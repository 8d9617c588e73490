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
            let marks = std::array::from_fn(|_| u16::from_le_bytes([bytes.next(), bytes.next()]));
            let odd = 1 << bytes.below(64);
            let from = bytes.below(QUARTER + 1);
            let mut settled = [codes.clone(), codes.clone(), codes];
            let mut done = [Kernel::PORTABLE, kernel].into_iter().zip(&mut settled);
            let places = std::array::from_fn(|_| {
                let (kernel, codes) = done.next().unwrap();
                kernel.settle_nibbles(&nibbles, &marks, codes, 2 * QUARTER, from, odd)
            });
            let [place, other]: [usize; 2] = places;
            assert_eq!(place, other, "{}", kernel.name());
            assert_eq!(settled[0], settled[1], "{}", kernel.name());
            // By the definition.
            let codes = &mut settled[2];
            let marks: [u16; QUARTER] = marks;
            for (lane, mut row) in (0..place).zip(marks).skip(from) {
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
