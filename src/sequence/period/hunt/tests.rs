//! Against tables, and from saved states.

use super::*;

#[test]
fn a_ring_has_the_values_of_a_table() {
    let effort = Effort::default().threads(1);
    for game in ["0.106", "0.16", "grundy"] {
        let heaps = if game == "grundy" { 300_000 } else { 2_000_000 };
        let ruleset: Ruleset = game.parse().unwrap();
        let mut table = Sequence::with_effort(ruleset.clone(), effort.clone());
        table.fill(heaps - 1).unwrap();
        let mut hunt = Hunt::new(&ruleset, &effort).unwrap();
        hunt.ring = hunt.ring.again().keeping(0);
        let mut from = 0;
        while hunt.ring().len() < heaps {
            let to = hunt.ring().len();
            let mut values = vec![0; (to - from) as usize];
            hunt.ring().copy(from, &mut values).unwrap();
            for (heap, value) in (from..).zip(values) {
                assert_eq!(value, table.table().value(heap as usize), "{game} {heap}");
            }
            from = to;
            hunt.step(heaps, &mut |_| true).unwrap();
        }
        let known = hunt.ring().len() as usize;
        let largest = (0..known).max_by_key(|&n| (table.table().value(n), usize::MAX - n));
        assert_eq!(
            hunt.ring().largest().heap as usize,
            largest.unwrap(),
            "{game}"
        );
        assert!(game == "grundy" || hunt.ring().window_from() > 0, "{game}");
    }
}

#[test]
fn a_ring_that_jumped_keeps_as_much_as_it_was_given() {
    let (to, length) = (2_000_000, 800_000);
    let ring = ring(&"0.106".parse().unwrap(), &Effort::default().threads(2));
    let mut ring = ring.unwrap().keeping(usize::MAX);
    ring.advance(to, to, &mut |_| true).unwrap();
    let codes = ring.codes(to - length, to).unwrap().to_vec();
    let mut other = ring.again().keeping(0);
    // Some more are found, and nobody wants them.
    other.advance(300_000, to, &mut |_| true).unwrap();
    other.jump(ring.first(), to, &codes, &mut |_| true).unwrap();
    let end = to + 4 * STRIDE as u64 + 10;
    for ring in [&mut ring, &mut other] {
        ring.advance(end, end, &mut |_| true).unwrap();
    }
    assert!(other.window_from() > to && other.window_from() <= end - length);
    let last = |ring: &Ring| ring.codes(end - length, end).unwrap().to_vec();
    assert!(last(&ring) == last(&other));
}

#[test]
fn behind_a_table_a_search_has_noted_what_it_would_have() {
    let (ruleset, effort): (Ruleset, _) = ("0.106".parse().unwrap(), Effort::default());
    let limit = 1_500_000;
    let mut table = Sequence::with_effort(ruleset.clone(), effort.clone());
    table.fill(1_000_000).unwrap();
    let mut hunts = [
        Hunt::new(&ruleset, &effort).unwrap(),
        Hunt::after(table, &effort).unwrap(),
    ];
    for hunt in &mut hunts {
        while hunt.ring().len() < limit {
            assert_eq!(hunt.step(limit, &mut |_| true).unwrap(), None);
        }
    }
    let [noted, by_table] = [&hunts[0].snapshots, &hunts[1].snapshots];
    assert!(noted.len() > 15 && noted.keys().eq(by_table.keys()));
    let mut pairs = noted.values().zip(by_table.values());
    // Longer, as more was known of the window.
    assert!(pairs.all(|(codes, longer)| longer.ends_with(codes)));
    let [(one, marks), (other, other_marks)] = hunts.map(|hunt| hunt.save().unwrap());
    assert_eq!(one, other);
    assert_eq!(marks.len(), other_marks.len());
}

#[test]
fn a_long_search_takes_less_than_a_hundred_megabytes() {
    // What is kept before some is forgotten, or snapshots and the ring behind it.
    let snapshots = SNAPSHOTS as u64 * SNAPSHOT;
    assert!(snapshots < 40 << 20);
    let mut hunt = Hunt::new(&"0.106".parse().unwrap(), &Effort::default()).unwrap();
    let limit = 40_000_000;
    let mut most = 0;
    while hunt.ring().len() < limit {
        assert_eq!(hunt.step(limit, &mut |_| true).unwrap(), None);
        most = most.max(hunt.ring().size());
    }
    assert!(most < 36 << 20, "{most}");
    assert!(hunt.ring().size() < 4 << 20, "{}", hunt.ring().size());
    assert!(hunt.marks.iter().count() * 32 < 4 << 20);
}

#[test]
fn a_period_without_marks_is_met_by_the_window_before_one_place() {
    for (game, period, preperiod) in [("0.16", 149_459, 105_351), ("0.7726", 44, 294_096)] {
        let mut hunt = Hunt::new(&game.parse().unwrap(), &Effort::default().threads(1)).unwrap();
        let limit = 3 * (preperiod + period);
        let found = loop {
            let to = hunt.ring.len() + 30_000;
            assert!(to < limit, "{game}");
            hunt.ring.advance(to, limit, &mut |_| true).unwrap();
            if let Some(found) = hunt.follow().unwrap() {
                break found;
            }
        };
        let proved = hunt.conclude(found, &mut || true).unwrap().period;
        assert_eq!(
            (proved.period, proved.preperiod),
            (period, preperiod),
            "{game}"
        );
    }
}
