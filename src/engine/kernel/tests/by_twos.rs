//! What is marked of two options at a time.

use super::*;

/// Of each two entries that come after one another the smaller code of each 32, and nothing that is no option.
#[test]
fn the_smaller_code_of_each_32_is_marked() {
    let mut bytes = Bytes(13);
    for kernel in Kernel::available() {
        for (planes, count) in PLANES
            .into_iter()
            .flat_map(|planes| [0, 1, 2, 3, 4, 5, 30].map(|count| (planes, count)))
        {
            let at = 500;
            let codes = bytes.codes::<u8>(at + LANES, 200);
            let mask = bytes.mask::<u8>(codes.len());
            let mask = (bytes.below(2) == 1).then_some(mask.as_slice());
            let source = Source {
                codes: &codes,
                mask,
                at,
            };
            let entries = bytes.entries::<u8>(count, 0, at, 200);
            let mut all = vec![Lanes::ZERO; planes];
            Kernel::PORTABLE.mark_options(&mut all, source, &entries);
            let old = Lanes(std::array::from_fn(|_| bytes.below(2) as u8));
            let mut marked = vec![old; planes];
            kernel.mark_options_by_twos(&mut marked, source, &entries);
            for lane in 0..LANES {
                let of = |marks: &[Lanes], code: u8| {
                    let plane = marks.get(usize::from(code) / 8);
                    plane.is_none_or(|plane| plane.0[lane] >> (code % 8) & 1 == 1)
                };
                for code in (0..8 * planes.min(31)).map(|code| code as u8) {
                    let was = code % 8 == 0 && old.0[lane] == 1;
                    assert!(!of(&marked, code) || of(&all, code) || was);
                    assert!(of(&marked, code) || !was);
                }
                for pair in entries.as_slice().chunks(2) {
                    let option = |entry: &Entry<u8>| {
                        let place = at + lane - entry.q();
                        mask.is_none_or(|mask| mask[place] == 0)
                            .then_some(codes[place] ^ entry.u())
                    };
                    let options: Vec<u8> = pair.iter().filter_map(option).collect();
                    for band in 0..8 {
                        let least = options.iter().filter(|&&code| code / 32 == band).min();
                        let is_marked = least.is_none_or(|&code| of(&marked, code));
                        assert!(is_marked, "{} {planes} {count}", kernel.name());
                    }
                }
            }
        }
    }
}
