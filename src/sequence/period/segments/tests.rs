//! Segments of a game whose codes pass a byte. No period of such a game is known; a segment speaks of values alone.

use super::*;
use crate::engine::Effort;
use crate::sequence::period::window::walk;

/// Heaps and the values before each.
type Windows = Vec<(u64, Vec<u16>)>;

/// The values before these heaps of 0.744, as segments from one to the next, and what a certificate would state of them.
fn segments(heaps: &[u64], effort: &Effort) -> (Segments, Windows) {
    let ruleset: Ruleset = "0.744".parse().unwrap();
    let search = BoundedSearch::new(&ruleset, effort).unwrap();
    let mut window = search.values().again();
    let mut windows = Vec::new();
    for &before in heaps {
        walk(&mut window, before, &mut || true).unwrap();
        windows.push((before, window.last_values(before, 20_000).unwrap()));
    }
    let depth = window.depth().bound();
    let length = window.last_rare().max(depth) + window.game().most_taken() as u64;
    for (_, values) in &mut windows {
        values.drain(..values.len() - length as usize);
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
        depth,
        mask: window.space().mask(),
        alternating: window.space().alternating(),
        rares: window.rares().collect(),
        digits: 4,
        windows: Vec::new(),
    };
    (certificate, windows)
}

fn claim(certificate: &Segments, windows: Windows) -> Claim<'_> {
    let ruleset: Ruleset = certificate.game.parse().unwrap();
    let octal = Octal::breaking(&ruleset).unwrap();
    let space = SparseSpace::by_mask(certificate.mask, certificate.alternating, &octal.breaks);
    Claim {
        octal,
        space: space.unwrap(),
        ruleset,
        certificate,
        windows,
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn segments_of_codes_of_two_bytes_are_checked() {
    let effort = Effort::default().threads(1);
    // The first by all values, the second heap by heap; the others by a window, as they lie behind twice the 262,144 first
    // values that a window keeps.
    let (certificate, windows) = segments(&[70_000, 71_000, 526_000, 527_000, 528_000], &effort);
    let check = |certificate: &Segments, windows: &Windows, segments: &[u64]| {
        let claim = claim(certificate, windows.clone());
        let share = Share::new(claim, segments.iter().copied());
        let checked = certificate.check(&effort, &share);
        checked.map(|()| share.right())
    };
    // A number from the count of segments on is that of none.
    let most = [0, 1, 3, 4];
    let right = check(&certificate, &windows, &[0, 1, 3, 4, 5, u64::MAX]).unwrap();
    assert!(right.into_iter().eq(most));
    // So many would go sixty-four at a time, if their codes were bytes.
    let right = check(&certificate, &windows, &[1; 13]).unwrap();
    assert!(right.into_iter().eq([1]));
    for segment in [0, 1, 3] {
        let mut wrong = windows.clone();
        let values = &mut wrong[segment as usize].1;
        let large = values.iter().position(|&value| value > 255).unwrap();
        // In the upper byte alone.
        values[large] ^= 0x100;
        let Err(Error::FalseCertificate { .. }) = check(&certificate, &wrong, &[segment]) else {
            panic!("segment {segment} is taken for right");
        };
    }
    let mut shallow = certificate;
    shallow.window -= shallow.depth - 11_268;
    shallow.depth = 40;
    for segment in [1, 4] {
        let refused = check(&shallow, &windows, &[segment])
            .unwrap_err()
            .to_string();
        assert!(refused.contains("with a part up to 40"), "{refused}");
    }
}
