//! Segments of a game whose codes pass a byte. No period of such a game is known; a segment speaks of values alone.

use super::*;
use crate::engine::Effort;
use crate::sequence::period::bounded_search;
use crate::sequence::period::window::walk;

/// The values before these heaps of 0.744, as segments from one to the next.
fn segments(heaps: &[u64], effort: &Effort) -> Claim {
    let ruleset: Ruleset = "0.744".parse().unwrap();
    let mut window = bounded_search::value_window(&ruleset, effort).unwrap();
    walk(&mut window, heaps[heaps.len() - 1], &mut || true).unwrap();
    let length = window.last_rare().max(window.depth()) + window.reach();
    let mut window = bounded_search::value_window(&ruleset, effort).unwrap();
    let mut windows = Vec::new();
    for &before in heaps {
        walk(&mut window, before, &mut || true).unwrap();
        let values = window.last_values(before, length as usize).unwrap();
        windows.push((before, values));
    }
    assert_eq!((window.width(), window.last_rare()), (2, 11_268));
    assert!(window.largest().value > 511);
    let certificate = Segments {
        kind: Segments::KIND.to_owned(),
        program: PROGRAM.to_owned(),
        game: ruleset.name().to_owned(),
        code: code_of(&ruleset),
        period: 1,
        preperiod: 0,
        start: 1,
        window: length,
        depth: window.depth(),
        mask: window.split().mask(),
        alternating: window.split().alternating(),
        rares: window.rares().collect(),
        digits: 4,
        windows: Vec::new(),
    };
    Claim {
        octal: Octal::breaking(&ruleset).unwrap(),
        split: window.split(),
        ruleset,
        certificate,
        windows,
    }
}

#[test]
fn segments_of_codes_of_two_bytes_are_checked() {
    let effort = Effort::default().threads(1);
    // The first by all values, the second heap by heap, the others by a window.
    let claim = segments(&[70_000, 80_000, 150_000, 160_000, 180_000], &effort);
    let check = |claim: &Claim, segments: &[u64]| {
        let mut right = Vec::new();
        let checked = claim.check(
            &mut segments.iter().copied(),
            &effort,
            &mut || true,
            &mut |segment| right.push(segment),
        );
        checked.map(|()| right)
    };
    let most = [0, 1, 3, 4];
    assert_eq!(check(&claim, &most).unwrap(), most);
    // So many would go sixty-four at a time, if their codes were bytes.
    let many: Vec<u64> = (0..13).map(|number| 3 + number % 2).collect();
    assert_eq!(check(&claim, &many).unwrap(), many);
    for segment in most {
        let mut wrong = claim.clone();
        let values = &mut wrong.windows[segment as usize].1;
        let large = values.iter().position(|&value| value > 255).unwrap();
        // In the upper byte alone.
        values[large] ^= 0x100;
        let Err(Error::FalseCertificate { .. }) = check(&wrong, &[segment]) else {
            panic!("segment {segment} is taken for right");
        };
    }
    let mut shallow = claim;
    shallow.certificate.depth = 40;
    assert!(check(&shallow, &[4]).is_err());
}
