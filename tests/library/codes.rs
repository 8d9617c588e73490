//! The parser of take-and-break codes: canonical forms, refusals, and anything at all.

use nim_analyser::engine::definition::nim_values;
use nim_analyser::ruleset::{Code, Ruleset};
use proptest::prelude::*;

#[test]
fn codes_and_their_canonical_forms() {
    let forms = [
        (".77", "0.77"),
        ("0.77", "0.77"),
        ("0,77", "0.77"),
        ("0.770", "0.77"),
        ("00.7700", "0.77"),
        ("0.0", "0.0"),
        ("4.0", "4.0"),
        ("4.", "error"),
        ("4!.0", "4!.0"),
        ("4.[3]", "4.[3]"),
        ("0.[3]", "0.[3]"),
        ("0.3[3]", "0.[3]"),
        ("0.33[33]", "0.[3]"),
        ("0.[3737]", "0.[37]"),
        ("0.7[37]", "0.[73]"),
        ("0.12[012]", "0.[120]"),
        ("0.3[1]", "0.3[1]"),
        ("0.1[0]", "0.1"),
        ("0.3f", "0.3F"),
        ("0.z", "0.Z"),
        ("0.9", "0.9"),
        ("0.&64;", "0.{6}"),
        ("0.&4;", "0.4"),
        ("{2}.0", "4.0"),
        ("{2,3}.0", "C.0"),
        ("{2+}.0", "{2+}.0"),
        ("{2+}=.0", "{2+}=.0"),
        ("{2!+}.0", "{2+}!.0"),
        ("0.{0+}", "0.*"),
        ("0.*!", "0.*!"),
        ("0.{1,2,3,4,5,6}{6}", "0.{1,2,3,4,5,6}{6}"),
        ("0.{1,2,3,4,5}", "0.{1,2,3,4,5}"),
        ("0.{3,2}", "0.C"),
        ("0.3!", "0.3"),
        ("0.{0,2,3}?", "0.D?"),
        ("0.0!", "0.0"),
        ("0.{0,2!,3=}", "0.{0,2!,3=}"),
        ("G.0", "G.0"),
    ];
    for (text, canonical) in forms {
        let printed = text
            .parse::<Code>()
            .map_or_else(|_| "error".to_owned(), |code| code.to_string());
        assert_eq!(printed, canonical, "{text}");
    }
}

#[test]
fn one_rule_has_one_code() {
    let same = [
        ("0.{1!,2}", "0.6"),
        ("0.1!", "0.1"),
        ("0.{0=,1?,3+}", "0.{0,1,3+}"),
        ("0.3[33]", "0.[3]"),
        ("00.70", ".7"),
    ];
    for (text, other) in same {
        assert_eq!(text.parse::<Code>(), other.parse::<Code>(), "{text}");
    }
    assert_ne!("4!.0".parse::<Code>(), "4.0".parse::<Code>());
}

#[test]
fn takings_far_apart_are_found_without_a_walk_over_those_between() {
    let rules = [
        ("subtraction:3,65536", 70_000, vec![3, 65_536]),
        ("0.1[03]", 7, vec![3, 5, 7]),
        ("0.[0003]", 11, vec![4, 8]),
        ("all-but:2", 4, vec![1, 3, 4]),
    ];
    for (code, heap, takings) in rules {
        let ruleset: nim_analyser::Ruleset = code.parse().unwrap();
        let found: Vec<u64> = ruleset.options(heap).map(|option| option.take).collect();
        assert_eq!(found, takings, "{code}");
    }
}

#[test]
fn codes_that_are_refused_and_where() {
    let refused = [
        ("", 0, "no point"),
        ("77", 2, "no point"),
        ("0.", 2, "no digit"),
        (".", 1, "no digit"),
        ("20.017", 0, "add stones"),
        ("11.0", 0, "add stones"),
        ("1.0", 0, "must split"),
        ("2.3", 0, "must split"),
        ("3.0", 0, "must split"),
        ("05.0", 1, "must split"),
        ("*.0", 0, "must split"),
        ("{1+}.0", 0, "must split"),
        ("0.3!!", 4, "second suffix"),
        ("0.3!?", 4, "second suffix"),
        ("0.!", 2, "not a digit"),
        ("0.[3", 2, "never closed"),
        ("0.[", 2, "never closed"),
        ("0.[]", 3, "nothing to repeat"),
        ("0.[[3]]", 3, "within brackets"),
        ("0.[3]3", 5, "follows"),
        ("0.3]", 3, "closes nothing"),
        ("[3].0", 0, "not a digit"),
        ("0.{}", 2, "empty"),
        ("0.{2", 2, "never closed"),
        ("0.{", 2, "never closed"),
        ("0.{2,", 2, "never closed"),
        ("0.{,2}", 3, "missing"),
        ("0.{2,,3}", 5, "missing"),
        ("0.{2+,3}", 5, "only the last"),
        ("0.{3,2+}", 5, "largest"),
        ("0.{2,2}", 5, "twice"),
        ("0.{64}", 3, "63"),
        ("0.{99999999999999999999}", 3, "63"),
        ("0.{2!}!", 6, "another within"),
        ("0.{2;3}", 4, "in a set"),
        ("0.&;", 2, "semicolon"),
        ("0.&12", 2, "semicolon"),
        ("0.7.7", 3, "second point"),
        ("0.-7", 2, "not a digit"),
        ("0. 7", 2, "not a digit"),
        ("0.7\u{1b}[31m", 3, "not a digit"),
        ("0.٣", 2, "not a digit"),
    ];
    for (text, at, what) in refused {
        let error = text.parse::<Code>().expect_err(text);
        assert_eq!(
            (error.at, error.fault.to_string().contains(what)),
            (at, true),
            "{text}: {error}"
        );
        let caret = error.to_string().lines().nth(2).map(|line| line.find('^'));
        assert_eq!(caret, Some(Some(at + 2)), "{text}");
    }
}

#[test]
fn octal_codes_have_octal_digits() {
    assert_eq!(Code::octal("0.137").unwrap().to_string(), "0.137");
    assert_eq!(Code::octal("4.07").unwrap().to_string(), "4.07");
    for (text, at) in [
        ("0.8", 2),
        ("0.19", 3),
        ("8.0", 0),
        ("0.[3]", 2),
        ("0.3!", 3),
        ("0.{2}", 2),
        ("0.A", 2),
    ] {
        assert_eq!(Code::octal(text).expect_err(text).at, at, "{text}");
    }
}

#[test]
fn a_standard_form_has_the_same_values_shifted() {
    for (code, wanted, shift) in [
        ("0.77", "0.77", 0),
        ("0.07", "0.137", 1),
        ("0.4", "0.137", 2),
        ("0.6", "0.37", 1),
        ("4.0", "0.7", 1),
        ("0.2", "0.3", 1),
        ("0.02", "0.13", 2),
        ("0.8", "0.113377F", 3),
        ("4.4", "0.77", 1),
        ("8.04", "0.137F", 2),
    ] {
        let form = code.parse::<Code>().unwrap().standard_form().unwrap();
        assert_eq!(
            (form.0.to_string().as_str(), form.1),
            (wanted, shift),
            "{code}"
        );
        let values = nim_values(&code.parse().unwrap(), 60).unwrap();
        let standard = nim_values(&Ruleset::from_code(form.0), 60).unwrap();
        let shifted = std::iter::repeat_n(0, form.1 as usize).chain(standard.iter());
        assert!(values.iter().eq(shifted.take(61)), "{code}");
    }
}

#[test]
fn there_is_none_where_sizes_are_compared_or_nothing_can_be_done() {
    for code in ["4!.0", "0.[3]", "{2+}.0", "0.0"] {
        assert_eq!(
            code.parse::<Code>().unwrap().standard_form(),
            None,
            "{code}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused_without_a_panic(text in any::<String>()) {
        let _ = text.parse::<Code>().map_err(|error| error.to_string());
    }

    #[test]
    fn what_is_read_prints_as_what_reads_the_same(text in "[0-9A-Za-z.,{}+!?=*&;\\[\\]]{1,12}") {
        if let Ok(code) = text.parse::<Code>() {
            let printed = code.to_string();
            prop_assert_eq!(printed.parse::<Code>(), Ok(code), "{} prints as {}", text, printed);
        }
    }

    #[test]
    fn a_random_code_prints_as_itself(text in crate::common::codes::codes()) {
        let code: Code = text.parse().unwrap();
        prop_assert_eq!(code.to_string().parse::<Code>(), Ok(code));
    }
}
