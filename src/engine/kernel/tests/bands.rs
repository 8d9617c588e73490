//! Marks from codes in bands are those from the codes.

use super::{BOUNDS, Bytes, PLANES};
use crate::engine::kernel::bands::{BandedEntries, Bands};
use crate::engine::kernel::{Entries, Entry, Kernel, LANES, Lanes, Source};

/// The place of the first code.
const FIRST: usize = 5000;

/// Whether all is marked as it should be, for some blocks while codes are added.
fn check(kernel: Kernel, bytes: &mut Bytes, room: usize, bound: usize, planes: usize) {
    let codes = bytes.codes::<u8>(3 * room, 256.min(bound + bound / 8));
    let mask = bytes.mask::<u8>(codes.len());
    let mask = (bytes.below(2) == 1).then_some(mask.as_slice());
    // Some reach further back than the bands.
    let count = bytes.below(100);
    let entries = bytes.entries::<u8>(count, 0, room / 2 + room / 8, bound);
    let banded = BandedEntries::new(&entries, room);
    let mut bands = Bands::default();
    bands.begin(FIRST, room);
    let mut known = 0;
    while known < codes.len() {
        let more = (1 + bytes.below(room)).min(codes.len() - known);
        let new = known..known + more;
        kernel.extend_bands(&mut bands, &codes[new.clone()], mask.map(|mask| &mask[new]));
        known += more;
        let Some(at) = known.checked_sub(LANES).filter(|&at| at > room) else {
            continue;
        };
        let source = Source {
            codes: &codes,
            mask,
            at,
        };
        let mut wanted = vec![Lanes::ZERO; planes];
        Kernel::PORTABLE.mark_options(&mut wanted, source, &entries);
        if let Some(plane) = wanted.get_mut(31) {
            // 255 is no code: a masked source reads so.
            plane.0 = plane.0.map(|marks| marks & 0x7f);
        }
        let mut marked = vec![Lanes::ZERO; planes];
        let place = (&bands, FIRST + at);
        kernel.mark_from_bands(&mut marked, (source, &entries), place, &banded);
        if let Some(plane) = marked.get_mut(31) {
            plane.0 = plane.0.map(|marks| marks & 0x7f);
        }
        assert!(marked == wanted, "{}: {bound} {planes}", kernel.name());
        // What has been marked stays.
        kernel.mark_from_bands(
            &mut marked,
            (source, &Entries::default()),
            place,
            &BandedEntries::new(&Entries::default(), room),
        );
        assert!(marked == wanted);
    }
}

#[test]
fn marks_from_bands_are_those_from_codes() {
    let mut bytes = Bytes(8);
    for kernel in Kernel::available() {
        for (bound, planes) in BOUNDS
            .into_iter()
            .flat_map(|bound| PLANES.map(|planes| (bound, planes)))
        {
            for room in [256, 512, 1024] {
                check(kernel, &mut bytes, room, bound, planes);
            }
        }
    }
}

/// Where two options share a look-up, only options are marked, and at least one of each band of 32 codes that has any.
#[test]
fn marks_of_two_options_a_look_up_are_options_and_forget_no_band() {
    let mut bytes = Bytes(9);
    let room = 512;
    for kernel in Kernel::available() {
        for planes in PLANES {
            for count in [0, 1, 2, 3, 10, 60] {
                let codes = bytes.codes::<u8>(room, 150);
                let entries = bytes.entries::<u8>(count, 1, room / 2 - LANES + 1, 150);
                let mut bands = Bands::default();
                bands.begin(FIRST, room);
                kernel.extend_bands(&mut bands, &codes, None);
                let at = codes.len() - LANES;
                let source = Source {
                    codes: &codes,
                    mask: None,
                    at,
                };
                let mut wanted = vec![Lanes::ZERO; planes];
                Kernel::PORTABLE.mark_options(&mut wanted, source, &entries);
                let mut marked = vec![Lanes::ZERO; planes];
                let place = (&bands, FIRST + at);
                let banded = BandedEntries::by_twos(&entries, room);
                kernel.mark_from_bands(&mut marked, (source, &entries), place, &banded);
                for lane in 0..LANES {
                    let of = |band: &[Lanes]| -> Vec<u8> {
                        band.iter().map(|plane| plane.0[lane]).collect()
                    };
                    for (marked, wanted) in marked.chunks(4).zip(wanted.chunks(4)) {
                        let (marked, wanted) = (of(marked), of(wanted));
                        let all = marked.iter().zip(&wanted).all(|(a, b)| a & b == *a);
                        assert!(all, "{}: {marked:?} {wanted:?}", kernel.name());
                        let some = |marks: &[u8]| marks.iter().any(|&marks| marks != 0);
                        assert_eq!(some(&marked), some(&wanted), "{}", kernel.name());
                    }
                }
            }
        }
    }
}

/// Bands that have been begun anew know nothing of what they held.
#[test]
fn bands_begin_anew() {
    let entries = Entries::from_iter([Entry::new(LANES, 0)]);
    let banded = BandedEntries::new(&entries, 256);
    for kernel in Kernel::available() {
        let mut bands = Bands::default();
        for code in [200, 3, 37] {
            let codes = [code; LANES];
            bands.begin(FIRST, 256);
            assert!(bands.covers(FIRST, 256) && !bands.covers(FIRST - 1, 256));
            kernel.extend_bands(&mut bands, &codes, None);
            let source = Source {
                codes: &codes,
                mask: None,
                at: LANES,
            };
            let mut planes = [Lanes::ZERO; 26];
            let place = (&bands, FIRST + LANES);
            kernel.mark_from_bands(&mut planes, (source, &entries), place, &banded);
            for (plane, marked) in (0..).zip(&planes) {
                let mark = if plane == code / 8 {
                    1 << (code % 8)
                } else {
                    0
                };
                assert_eq!(marked.0, [mark; LANES], "{} {code}", kernel.name());
            }
        }
    }
}

/// A group of which one heap alone has a code is not left out.
#[test]
fn one_code_of_a_group_is_marked() {
    let reach = 100;
    let entries = Entries::from_iter([Entry::new(reach, 3), Entry::new(LANES, 18)]);
    let banded = BandedEntries::new(&entries, 512);
    for kernel in Kernel::available() {
        for lane in 0..LANES {
            let mut codes = [0; 2 * LANES];
            let at = codes.len();
            codes[at - reach + lane] = 8 * 16;
            let mut bands = Bands::default();
            bands.begin(FIRST, 512);
            for code in codes.chunks(1) {
                kernel.extend_bands(&mut bands, code, None);
            }
            let source = Source {
                codes: &codes,
                mask: None,
                at,
            };
            let mut planes = [Lanes::ZERO; 18];
            let place = (&bands, FIRST + at);
            kernel.mark_from_bands(&mut planes, (source, &entries), place, &banded);
            assert_eq!(planes[16].0[lane], 1 << 3, "{}", kernel.name());
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
#[should_panic(expected = "outside")]
fn a_source_behind_the_bands_is_refused() {
    use crate::engine::kernel::bands::BandedOptions;
    let banded = BandedEntries::new(&Entries::from_iter([Entry::new(LANES - 1, 0)]), 256);
    let kernel = Kernel::named("avx2");
    let mut bands = Bands::default();
    bands.begin(FIRST, 256);
    if let Some(kernel) = kernel {
        kernel.extend_bands(&mut bands, &[1u8; LANES], None);
    }
    let _ = BandedOptions::new(&bands, FIRST + LANES, &banded);
}
