//! `oeis`: the lines of three games word for word, the terms and the program of others by the definition, and the b-file
//! read again by `lookup`.

use crate::common::program::{nim_analyser, stdout};
use flate2::read::GzDecoder;
use nim_analyser::engine::definition;
use nim_analyser::ruleset::Ruleset;
use predicates::str::contains;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process;

/// What the lines of a kind say, without the number of the sequence.
fn lines<'t>(text: &'t str, kind: &'t str) -> impl Iterator<Item = &'t str> {
    let rest = move |line: &'t str| line.strip_prefix(kind)?.get(" A000000 ".len()..);
    text.lines().filter_map(rest)
}

/// The first terms, and the first n.
fn terms(text: &str) -> (usize, Vec<u64>) {
    let offset = lines(text, "%O").next().unwrap();
    let (offset, _) = offset.split_once(',').unwrap();
    let terms = ["%S", "%T", "%U"].map(|kind| lines(text, kind).collect::<String>());
    let terms = terms.concat();
    let terms = terms.split(',').map(|term| term.parse().unwrap());
    (offset.parse().unwrap(), terms.collect())
}

#[test]
fn the_lines_of_three_games_are_these() {
    for (game, wanted) in [
        ("kayles", include_str!("../data/oeis/kayles.txt")),
        ("0.137", include_str!("../data/oeis/0.137.txt")),
        ("0.007", include_str!("../data/oeis/0.007.txt")),
    ] {
        assert_eq!(stdout(&["oeis", game, "-q"]), wanted, "{game}");
    }
}

#[test]
fn the_terms_are_those_of_the_definition_and_fill_three_lines() {
    for game in
        "0.7102 | 0.3037 | 4.7662 | 0.17 | grundy | lasker | all-but:2,3 | subtraction:2,5 | \
        take primes | couples-are-forever | 0.E7!3 | 0.0 | nim"
            .split(" | ")
    {
        let text = stdout(&["oeis", game, "-q", "--limit", "300"]);
        let (offset, terms) = terms(&text);
        let ruleset: Ruleset = game.parse().unwrap();
        let table = definition::nim_values(&ruleset, offset + terms.len() - 1).unwrap();
        let values: Vec<u64> = table.iter().skip(offset).map(u64::from).collect();
        assert_eq!(terms, values, "{game}");
        for line in text.lines() {
            assert!(line.is_ascii() && !line.ends_with(' '), "{line}");
        }
        let length: usize = ["%S", "%T", "%U"]
            .map(|kind| lines(&text, kind).collect::<String>().len())
            .iter()
            .sum();
        assert!((220..=260).contains(&length), "{game}: {length}");
        let beyond_1 = terms
            .iter()
            .position(|&term| term > 1)
            .map_or(1, |at| at + 1);
        assert_eq!(
            lines(&text, "%O").collect::<String>(),
            format!("{offset},{beyond_1}")
        );
    }
}

#[test]
fn the_program_in_python_prints_the_terms() {
    for game in "kayles | 0.3037 | 4.7662 | grundy | lasker | all-but:2,3,7 | 0.4".split(" | ") {
        let text = stdout(&["oeis", game, "-q", "--limit", "300"]);
        let program: Vec<&str> = lines(&text, "%o").collect();
        assert_eq!(program[0], "(Python)");
        let output = process::Command::new("python3")
            .args(["-c", &program[1..].join("\n")])
            .output()
            .unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        let shown: Vec<u64> = serde_json::from_str(&shown).unwrap();
        assert_eq!(shown, terms(&text).1, "{game}");
    }
}

#[test]
fn the_b_file_is_read_again_and_begins_at_the_offset() {
    let folder = tempfile::tempdir().unwrap();
    for (game, found, first) in [
        ("kayles", "0.77(n)", "0 0\n1 1\n"),
        ("0.3037", "0.3037(n+1)", "1 1\n2 0\n"),
        ("ruler", "ruler(n+1)", "1 1\n2 2\n"),
        ("0.007", "0.11337(n-2)", "0 0\n1 0\n"),
    ] {
        let file = folder.path().join("b000000.txt");
        let path = file.to_str().unwrap();
        nim_analyser(&["oeis", game, "--b-file", "300", "-o", path])
            .assert()
            .success()
            .stdout("");
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with(first), "{game}");
        assert!(text.lines().last().unwrap().starts_with("300 "), "{game}");
        let lookup = stdout(&["lookup", "--sequence", path, "-q"]);
        assert!(lookup.contains(found), "{game}: {lookup}");
    }
}

#[test]
fn what_is_said_is_what_is_proved_or_counted() {
    let long = stdout(&["oeis", "0.7102", "-q"]);
    assert!(long.contains("period 8; the last exception is at n = 610170153"));
    assert!(long.contains("of all terms, 53 are rare, the last at n = 1453515"));
    assert!(long.contains("%K A000000 nonn,easy"));
    let alternating = stdout(&["oeis", "0.106", "-q", "--limit", "1e5"]);
    assert!(alternating.contains("period 328226140474; the last exception is at n = 465384263796"));
    assert!(alternating.contains("of all terms, 15 are rare, the last at n = 1103"));
    // Of an alternating game the rule for even n is that for odd n the other way round.
    assert!(alternating.contains(
        "an odd number of its binary 1s are in the mask 1101 for even n, an even number for odd n"
    ));
    let shifted = stdout(&["oeis", "0.206", "-q"]);
    assert!(shifted.contains("Cf. A071484: a(n) = A071484(n-1) for n >= 2."));
    assert!(shifted.contains("No period is known; a(0) to a(10000) show none."));
    nim_analyser(&["oeis", "0.206"])
        .assert()
        .success()
        .stderr(contains("`nim-analyser oeis 0.3037`"));
    nim_analyser(&["oeis", "wythoff"]).assert().code(2);
    nim_analyser(&["oeis", "kayles", "--b-file", "10", "--limit", "10"])
        .assert()
        .code(2);
}

#[test]
fn rare_values_are_counted_as_the_comment_defines_them() {
    for game in ["0.106", "0.16", "0.104", "kayles"] {
        let limit = 20_000;
        let text = stdout(&["oeis", game, "-q", "--limit", &limit.to_string()]);
        let comment = lines(&text, "%C")
            .find(|line| line.starts_with("Sparse"))
            .unwrap();
        let word_after = |before: &str| {
            let rest = &comment[comment.find(before).unwrap() + before.len()..];
            rest.split([',', ' ', '.']).next().unwrap()
        };
        let mask = u64::from_str_radix(word_after("in the mask "), 2).unwrap();
        let even_is_rare = word_after("if an ") == "even";
        let alternates = comment.contains("for even n");
        let output = stdout(&["values", game, &limit.to_string(), "--format", "json"]);
        let output: serde_json::Value = serde_json::from_str(&output).unwrap();
        let (offset, _) = terms(&text);
        let rare = |n: usize| {
            let value = output["values"][n].as_u64().unwrap();
            let even = (value & mask).count_ones().is_multiple_of(2);
            (even == even_is_rare) != (alternates && n % 2 == 1)
        };
        let rare: Vec<usize> = (offset..=limit).filter(|&n| rare(n)).collect();
        let counted = comment.split(" are rare").next().unwrap();
        let counted: usize = counted.rsplit(' ').next().unwrap().parse().unwrap();
        assert_eq!(counted, rare.len(), "{game}: {comment}");
        assert_eq!(
            word_after("last at n = "),
            rare.last().unwrap().to_string(),
            "{game}"
        );
    }
}

/// Those of the two games without a period rest on more values than a test can compute: of them the terms are compared.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn the_texts_of_the_records_are_what_the_program_writes() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let survey = File::open(docs.join("survey/five-digits.ndjson.gz")).unwrap();
    let survey = BufReader::new(GzDecoder::new(survey)).lines();
    let survey: Vec<String> = survey.map(Result::unwrap).collect();
    let mut texts = 0;
    let texts_of = std::fs::read_dir(docs.join("records/oeis")).unwrap();
    let mut paths: Vec<_> = texts_of.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let game = path.file_stem().unwrap().to_str().unwrap();
        let wanted = std::fs::read_to_string(&path).unwrap();
        let computed = match game {
            "0.007" => "0.11337",
            "0.206" => "0.3037",
            _ => game,
        };
        let is_long = game.len() == "0.12345".len();
        // Of the many of five digits some are computed.
        if !is_long || texts % 8 == 0 {
            let text = stdout(&["oeis", computed, "-q", "--limit", "300"]);
            if computed == game {
                assert_eq!(text, wanted, "{game}");
            } else {
                assert_eq!(terms(&text), terms(&wanted), "{game}");
                assert_eq!(text.lines().next(), wanted.lines().next(), "{game}");
            }
        }
        if is_long {
            let code = format!("\"code\":\"{game}\"");
            let line = survey.iter().find(|line| line.contains(&code)).unwrap();
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let (period, last) = (&line["period"], &line["last_exception"]);
            let period =
                format!("period {period}; the last exception is at n = {last} (proved by ");
            assert!(wanted.contains(&period), "{game}: {period}");
        }
        texts += 1;
    }
    assert_eq!(texts, 73);
}

/// The value 64 comes late, and a mask with its bit makes fewer heaps rare.
#[test]
fn the_survey_the_invariants_and_the_text_have_the_same_rare_values() {
    for (game, to) in [("0.11174", 300_000), ("0.17707", 500_000)] {
        let json =
            |words: &[&str]| -> serde_json::Value { serde_json::from_str(&stdout(words)).unwrap() };
        let survey = json(&["survey", game, "--values", &(to + 1).to_string(), "-q"]);
        let invariants = json(&["invariants", game, "--to", &to.to_string(), "--json", "-q"]);
        assert_eq!(survey["max"], 64, "{game}");
        assert!(survey["max_at"].as_u64() > Some(1 << 17), "{game}");
        assert_eq!(survey["rares"], invariants["rare_with_heap_0"], "{game}");
        assert_eq!(survey["last_rare"], invariants["last_rare"], "{game}");
        assert_eq!(survey["mask"], invariants["mask"], "{game}");
        let text = stdout(&["oeis", game, "--limit", &to.to_string(), "-q"]);
        let comment = text.lines().find(|line| line.contains("Sparse space"));
        let said = format!(
            ", {} are rare, the last at n = {}. A value is rare if an even number of its binary 1s are in the mask {:b}.",
            survey["rares"],
            survey["last_rare"],
            survey["mask"].as_u64().unwrap()
        );
        assert!(comment.unwrap().ends_with(&said), "{text}\n{said}");
    }
}
