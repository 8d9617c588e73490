//! Random games: what the values prove is proved, at the first value that proves it; and what is proved is certified,
//! verified, and refused once a field is changed.

use nim_analyser::certificate::Certificate;
use nim_analyser::engine::Effort;
use nim_analyser::engine::definition::nim_values;
use nim_analyser::error::Error;
use nim_analyser::ruleset::Ruleset;
use nim_analyser::sequence::Sequence;
use nim_analyser::sequence::period::certificate::{Checked, TableCertificate};
use nim_analyser::sequence::period::{Finding, Period};
use proptest::prelude::*;

/// Octal codes of up to four digits, hexadecimal ones, unequal heaps, sets, all but a set, many heaps.
fn games() -> impl Strategy<Value = String> {
    let octal = ("[04]", "[0-7]{1,4}").prop_map(|(before, digits)| format!("{before}.{digits}"));
    let hexadecimal = ("[048]", "[0-9A-F]{1,2}");
    let hexadecimal = hexadecimal.prop_map(|(before, digits)| format!("{before}.{digits}"));
    let digit = prop_oneof!["[0-7]", "[4-7]!", "[4-7]\\?"];
    let unequal = ("0|4!", prop::collection::vec(digit, 1..4));
    let unequal = unequal.prop_map(|(before, digits)| format!("{before}.{}", digits.concat()));
    let many = ("[013]{0,2}", "\\{(0,)?[34]\\}|\\{1,[34]\\}|G|H");
    let many = many.prop_map(|(start, digit)| format!("0.{start}{digit}"));
    let list = |set: &Vec<u64>| {
        let words: Vec<String> = set.iter().map(ToString::to_string).collect();
        words.join(",")
    };
    let set = || prop::sample::subsequence((1..=12).collect::<Vec<u64>>(), 1..5);
    prop_oneof![
        4 => octal,
        2 => hexadecimal,
        2 => unequal,
        1 => many,
        2 => set().prop_map(move |set| format!("subtraction:{}", list(&set))),
        2 => set().prop_map(move |set| format!("all-but:{}", list(&set))),
    ]
}

/// How many values a game's test takes: three heaps and more are slow by the definition.
fn enough(ruleset: &Ruleset) -> u64 {
    match ruleset.code().and_then(|code| code.most_heaps()) {
        Some(0..=2) => 400,
        Some(3) => 110,
        _ => 70,
    }
}

/// The least number of values to prove a period, tried for every number and every period, with that period.
fn simply(ruleset: &Ruleset, values: &[u64]) -> Option<(u64, Period)> {
    let (code, least) = ruleset.coded_from()?;
    let (digits, repeat) = code.written();
    let heaps = code.most_heaps()?.max(1);
    let written = digits.len() as u64;
    let unequal = digits.iter().any(|digit| {
        digit
            .parts(2)
            .is_some_and(|parts| parts != nim_analyser::ruleset::Parts::Any)
    });
    // The least value that no heap far enough below each heap has, also for the heap after the last if that follows from these.
    let attained: Vec<i64> = (0..=values.len())
        .map_while(|n| {
            let below = values.get(..(n + 1).saturating_sub(written.saturating_sub(1) as usize))?;
            Some((0..).find(|value| !below.contains(value)).unwrap_or(0) as i64)
        })
        .collect();
    (1..=values.len()).find_map(|known| {
        let values = &values[..known];
        let known = known as u64;
        (1..known).find_map(|period| {
            let rise = |n: u64| values[(n + period) as usize] as i64 - values[n as usize] as i64;
            let last = known - period;
            if repeat == 0 {
                let preperiod = (0..last).rev().take_while(|&n| rise(n) == 0).last()?;
                let start = preperiod.max(least);
                let octal = heaps * (start + period);
                let needs = if unequal {
                    octal.max(2 * start + 3 * period)
                } else {
                    octal
                };
                return (needs + written - 1 <= known).then_some((
                    known,
                    Period {
                        period,
                        preperiod,
                        saltus: 0,
                    },
                ));
            }
            let from = written - 1;
            // The state at m is that at m + p.
            (from.max(1)..=last).find_map(|m| {
                let saltus = attained.get((m + period) as usize)? - attained[m as usize];
                let same = (m + 1 - from..m).all(|n| rise(n) == saltus);
                let preperiod = (0..last).rev().take_while(|&n| rise(n) == saltus).last()?;
                let whole = preperiod.max(1) + from - 1 <= m;
                (same && whole).then_some((
                    known,
                    Period {
                        period,
                        preperiod,
                        saltus: saltus as u64,
                    },
                ))
            })
        })
    })
}

/// The certificates with one field changed, and that field.
fn changed(right: &TableCertificate) -> Vec<(&'static str, TableCertificate)> {
    let numbers = |number: u64| {
        let around = [
            0,
            1,
            2,
            3,
            number / 2,
            number.wrapping_sub(1),
            number + 1,
            2 * number,
            3 * number + 1,
        ];
        around
            .into_iter()
            .filter(move |&other| other != number && other < 1 << 32)
    };
    let mut changed = Vec::new();
    let mut add = |field, change: &dyn Fn(&mut TableCertificate)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        changed.push((field, wrong));
    };
    for period in numbers(right.period) {
        add("period", &|wrong| wrong.period = period);
    }
    for preperiod in numbers(right.preperiod) {
        add("preperiod", &|wrong| wrong.preperiod = preperiod);
    }
    for saltus in numbers(right.saltus) {
        add("saltus", &|wrong| wrong.saltus = saltus);
    }
    for range in numbers(right.range) {
        add("range", &|wrong| wrong.range = range);
    }
    add("checksum", &|wrong| {
        wrong.checksum = wrong.checksum.replace(':', ":0")
    });
    add("checksum", &|wrong| wrong.checksum.clear());
    add("theorem", &|wrong| wrong.theorem.push('s'));
    add("code", &|wrong| wrong.code = Some("0.12345".to_owned()));
    add("code", &|wrong| wrong.code = None);
    add("game", &|wrong| wrong.game = "chess".to_owned());
    add("game", &|wrong| wrong.game = format!(" {}", wrong.game));
    add("program", &|wrong| wrong.program = "magic 1.0.0".to_owned());
    add("program", &|wrong| wrong.program.push_str(".1"));
    changed
}

fn named(error: Error) -> &'static str {
    match error {
        Error::FalseCertificate { field, .. } => field,
        error => panic!("{error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn what_is_proved_is_certified_and_verified_and_no_field_can_be_changed(game in games()) {
        let ruleset: Ruleset = game.parse().unwrap();
        let mut sequence = Sequence::new(ruleset.clone());
        if let Finding::Proved(proof) = sequence.find_period(enough(&ruleset)).unwrap() {
            let certificate = TableCertificate::new(&sequence, &proof);
            let effort = Effort::default();
            for checked in [Checked::All, Checked::Sample { heaps: 5, seed: 1 }] {
                let verified = certificate.check(&effort, &checked);
                prop_assert!(verified.as_ref() == Ok(&proof), "{}: {:?}, not {:?}", game, verified, proof);
            }
            for (field, wrong) in changed(&certificate) {
                let error = wrong.check(&effort, &Checked::All).unwrap_err();
                let named = named(error);
                // A game's code goes with it.
                prop_assert_eq!(named, field, "{:?}", wrong);
            }
        }
    }

    #[test]
    fn a_period_is_proved_as_soon_as_the_values_prove_it(game in games()) {
        let ruleset: Ruleset = game.parse().unwrap();
        let most = enough(&ruleset).min(150);
        let table = nim_values(&ruleset, most as usize).unwrap();
        let values: Vec<u64> = table.iter().map(u64::from).collect();
        // What a saltus of a code with three heaps needs is checked beside the theorem; here that it needs no more.
        let rising = |range: u64| {
            let table = nim_values(&ruleset, range as usize - 1).unwrap();
            match Sequence::resume(ruleset.clone(), table, Effort::default()).period_so_far() {
                Finding::Proved(proof) if proof.period.saltus > 0 => Some((proof.range, proof.period)),
                _ => None,
            }
        };
        let first = simply(&ruleset, &values).or_else(|| rising(most + 1));
        for limit in 0..=most {
            let table = nim_values(&ruleset, limit as usize).unwrap();
            let found = Sequence::resume(ruleset.clone(), table, Effort::default()).period_so_far();
            match (&first, found) {
                (&Some((needs, period)), Finding::Proved(proof)) => {
                    prop_assert!(needs <= limit + 1, "{} at {}", game, limit);
                    prop_assert_eq!((proof.range, proof.period), (needs, period), "{} at {}", game, limit);
                }
                (first, found) => {
                    let due = first.is_some_and(|(needs, _)| needs <= limit + 1);
                    prop_assert!(!due && !matches!(found, Finding::Proved(_)), "{} at {}: {:?}", game, limit, found);
                }
            }
            if limit % 16 == 7 {
                let searched = Sequence::new(ruleset.clone()).find_period(limit).unwrap();
                let proved = matches!(searched, Finding::Proved(_));
                prop_assert_eq!(proved, first.is_some_and(|(needs, _)| needs <= limit + 1));
            }
        }
    }
}
