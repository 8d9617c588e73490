//! Sequences with a planted period, which belong to no game: each is proved by as many values as the theorems need, and no fewer.

use super::*;
use crate::engine::codes::Codes;
use crate::rng::Rng;

/// Values of a planted sequence, of which the first ones are known.
struct Planted {
    ruleset: Ruleset,
    all: Vec<u16>,
    known: Table,
    bounds: Option<Bounds>,
}

/// The most stones that a move of the ruleset takes.
const TAKEN: u64 = 2;

impl Planted {
    /// Some random values, then a period, `length` values in all.
    fn new(period: Period, bounds: Option<Bounds>, length: u64) -> Planted {
        let (start, length) = (period.preperiod as usize, length as usize);
        let mut rng = Rng::new(period.preperiod ^ period.period, 0);
        let mut all: Vec<u16> = (0..start).map(|_| rng.below(6) as u16).collect();
        let cycle: Vec<u16> = match period.period {
            few @ 1..6 => (0..few as u16).collect(),
            many => (0..many).map(|_| rng.below(6) as u16).collect(),
        };
        if let (Some(before), Some(&last)) = (all.last_mut(), cycle.last()) {
            *before = (last + 1) % 6;
        }
        all.extend(cycle.iter().cycle().take(length.saturating_sub(start)));
        Planted {
            ruleset: "0.77".parse().unwrap(),
            all,
            known: Table::new(),
            bounds,
        }
    }

    /// The proof that the first `values` values give, if they give one.
    fn proved_by(&mut self, values: u64) -> Option<Proof> {
        self.known = Table::new();
        match search(self, values - 1, Some(LEAST_TABLE)).unwrap() {
            Some(Finding::Proved(proof)) => Some(proof),
            _ => None,
        }
    }
}

impl GrowingValues for Planted {
    fn known(&self) -> (&Ruleset, &Table) {
        (&self.ruleset, &self.known)
    }

    fn extend(&mut self, heap: u64, _on_to: u64) -> Result<(), Error> {
        self.known = Table::from(self.all[..=heap as usize].to_vec());
        Ok(())
    }

    fn bounds(&self) -> Option<Bounds> {
        let known = self.known.len() as u64;
        self.bounds.map(|bounds| Bounds {
            last_rare: if bounds.last_rare < known {
                bounds.last_rare
            } else {
                0
            },
            ..bounds
        })
    }
}

fn bounds(last_rare: u64, depth: u64) -> Bounds {
    Bounds {
        last_rare,
        depth,
        taken: TAKEN,
        from: 1 << 16,
        alternating: false,
    }
}

/// The number of values that each theorem needs, as the theorems state it.
fn needed(period: &Period, bounds: &Bounds) -> (u64, u64) {
    let deep = bounds.last_rare.max(bounds.depth);
    let window = deep + TAKEN;
    let start = [
        period.preperiod + window,
        2 * deep + TAKEN + 1,
        window + bounds.last_rare + 1,
        bounds.from,
    ];
    let by_windows = start.into_iter().max().unwrap() + period.period;
    (2 * (period.preperiod + period.period) + TAKEN, by_windows)
}

/// Each kind of period with these preperiods is proved by the fewest values that a theorem needs.
fn every_kind(preperiods: &[u64], periods: &[u64]) {
    for &preperiod in preperiods {
        for &length in periods {
            let period = Period::plain(length, preperiod);
            // Witnesses may be deeper than the preperiod by nearly a period.
            for last_rare in [100, preperiod - 10] {
                for depth in [50, preperiod / 2, preperiod + length / 2] {
                    let bounds = bounds(last_rare, depth);
                    let (by_pairs, by_windows) = needed(&period, &bounds);
                    let least = by_pairs.min(by_windows);
                    let mut planted = Planted::new(period, Some(bounds), by_pairs.max(by_windows));
                    let proof = planted
                        .proved_by(least)
                        .map(|proof| (proof.period, proof.range));
                    assert_eq!(proof, Some((period, least)), "{period:?} {bounds:?}");
                    let fewer = planted.proved_by(least - 1);
                    assert_eq!(fewer, None, "{period:?} {bounds:?}");
                    let more = planted.proved_by(by_pairs.max(by_windows));
                    assert_eq!(more.map(|proof| proof.period), Some(period), "{bounds:?}");
                }
            }
        }
    }
}

#[test]
fn short_and_long_periods_are_proved_about_the_first_heaps_that_windows_are_compared_from() {
    let beginning = 1 << 16;
    every_kind(
        &[beginning - 1000, beginning + 1000],
        &[1, 4, 997, 40_000, 100_000],
    );
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "seconds without optimisation: cargo test --release --lib planted"
)]
fn short_and_long_periods_are_proved_about_the_heaps_from_which_windows_come_first() {
    let from = WINDOWS_FROM;
    every_kind(&[from - 1000, from + 1000], &[4, 1_500_000]);
}

#[test]
fn without_a_sparse_space_guy_and_smith_prove_at_every_length() {
    for (preperiod, length) in [(3000, 7), (70_000, 30_000), (WINDOWS_FROM, 12)] {
        let period = Period::plain(length, preperiod);
        let least = 2 * (preperiod + length) + TAKEN;
        let mut planted = Planted::new(period, None, least);
        let proof = planted.proved_by(least).unwrap();
        assert_eq!((proof.period, proof.range), (period, least));
        assert_eq!(planted.proved_by(least - 1), None);
    }
}

#[test]
fn a_table_is_left_for_bounded_memory_only_where_that_keeps_less() {
    let length = 1 << 19;
    for (last_rare, depth, left_at) in [
        (100, 50, 1 << 17),
        (40_000, 50, 320_001),
        (100, 40_000, 320_001),
        (70_000, 50, length),
    ] {
        let period = Period::plain(1, length);
        let mut planted = Planted::new(period, Some(bounds(last_rare, depth)), length);
        let found = search(&mut planted, length - 1, Some(1 << 17)).unwrap();
        let known = planted.known.len() as u64;
        match found {
            None => assert!((left_at..2 * left_at).contains(&known), "{known}"),
            Some(_) => assert_eq!(left_at, length),
        }
    }
}

#[test]
fn codes_prove_over_even_distances_where_classes_alternate() {
    let (from, window) = (200_000, bounds(100, 50).length());
    for (period, alternating, proved) in [(6, true, 6), (7, true, 14), (7, false, 7)] {
        let codes: Codes<'_> = (0..3 * window).map(|n| (n % period) as u16).collect();
        let bounds = Bounds {
            alternating,
            ..bounds(100, 50)
        };
        let proof = proof_by_windows(&codes, from, &bounds).unwrap();
        assert_eq!(proof.period, Period::plain(proved, from));
        assert_eq!(proof.range, from + window + proved);
        assert_eq!(
            proof_by_windows(
                &codes.part(0, (window + proved - 1) as usize),
                from,
                &bounds
            ),
            None
        );
    }
}
