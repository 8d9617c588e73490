//! Nim-values and options against published ones.

use crate::common::ruleset;
use nim_analyser::Ruleset;
use nim_analyser::engine::definition::nim_values;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sequence {
    /// The OEIS number, or the list it was taken from.
    source: String,
    /// The take-and-break code; none for a rule given below.
    code: Option<String>,
    offset: usize,
    values: Vec<u16>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CgSuite {
    #[expect(dead_code, reason = "says where the figures come from")]
    source: String,
    rulesets: Vec<CgRuleset>,
    options: Vec<CgOptions>,
    normal_forms: Vec<CgNormalForm>,
    examples: Vec<CgExample>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CgRuleset {
    code: String,
    options_of_heap_20: usize,
    nim_values_1_to_20: Vec<u16>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CgOptions {
    code: String,
    heap: u64,
    options: Vec<Vec<u64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CgNormalForm {
    code: String,
    normal: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CgExample {
    code: String,
    values: Vec<u16>,
}

fn cgsuite() -> CgSuite {
    serde_json::from_str(include_str!("../data/cgsuite.json")).unwrap()
}

/// A subtraction game whose set is all numbers with a property.
fn taking(name: &str, may_take: fn(u64) -> bool) -> Ruleset {
    Ruleset::from_rule(name, move |n| {
        (1..=n)
            .filter(|&t| may_take(t))
            .map(|t| vec![n - t])
            .collect()
    })
}

fn is_prime(n: u64) -> bool {
    n > 1 && (2..n).all(|d| !n.is_multiple_of(d))
}

/// The games that are sequences of the OEIS but have no code.
fn by_rule(source: &str) -> Ruleset {
    match source {
        "A014587" => taking("take a factorial", |t| [1, 2, 6, 24, 120].contains(&t)),
        "A014589" => taking("take a prime", is_prime),
        "A242082" => taking("take from 1, 4, 12, 33 …", |t| {
            [1, 4, 12, 33, 88].contains(&t)
        }),
        "A229764" => Ruleset::from_rule("mark", |n| match n {
            0 => vec![],
            1 => vec![vec![0]],
            _ => vec![vec![n - 1], vec![n / 2]],
        }),
        "A025480" => Ruleset::from_rule("leave half or more", |n| {
            (n.div_ceil(2)..n).map(|k| vec![k]).collect()
        }),
        _ => panic!("no rule for {source}"),
    }
}

#[test]
fn published_sequences() {
    let sequences: Vec<Sequence> =
        serde_json::from_str(include_str!("../data/sequences.json")).unwrap();
    assert!(sequences.len() > 60);
    for Sequence {
        source,
        code,
        offset,
        values,
    } in sequences
    {
        let ruleset = code.as_deref().map_or_else(|| by_rule(&source), ruleset);
        let table = nim_values(&ruleset, offset + values.len() - 1).unwrap();
        assert!(table.iter().skip(offset).eq(values), "{source}, {ruleset}");
    }
}

#[test]
fn cgsuite_values_and_numbers_of_options() {
    for CgRuleset {
        code,
        options_of_heap_20,
        nim_values_1_to_20,
    } in cgsuite().rulesets
    {
        let ruleset = ruleset(&code);
        assert_eq!(ruleset.options(20).count(), options_of_heap_20, "{code}");
        assert!(
            nim_values(&ruleset, 20)
                .unwrap()
                .iter()
                .skip(1)
                .eq(nim_values_1_to_20),
            "{code}"
        );
    }
}

#[test]
fn cgsuite_examples() {
    for CgExample { code, values } in cgsuite().examples {
        let table = nim_values(&ruleset(&code), values.len() - 1).unwrap();
        assert!(table.iter().eq(values), "{code}");
    }
}

#[test]
fn cgsuite_options_in_order() {
    for CgOptions {
        code,
        heap,
        options,
    } in cgsuite().options
    {
        let ours: Vec<_> = ruleset(&code)
            .options(heap)
            .map(|option| option.leave)
            .collect();
        assert_eq!(ours, options, "{code}");
    }
}

#[test]
fn cgsuite_normal_forms() {
    for CgNormalForm { code, normal } in cgsuite().normal_forms {
        assert_eq!(ruleset(&code).code().unwrap().to_string(), normal, "{code}");
    }
}

#[test]
fn couples_are_forever_is_officers_shifted() {
    let couples = nim_values(&Ruleset::default(), 400).unwrap();
    let officers = nim_values(&ruleset("officers"), 399).unwrap();
    assert!(couples.iter().skip(1).eq(officers.iter()));
}

#[test]
fn laskers_nim_has_its_closed_form() {
    let table = nim_values(&ruleset("lasker"), 100).unwrap();
    for (heap, value) in table.iter().enumerate().skip(1) {
        let closed = match heap % 4 {
            0 => heap - 1,
            3 => heap + 1,
            _ => heap,
        };
        assert_eq!(usize::from(value), closed, "pile {heap}");
    }
}
