//! Periods, their proofs and their certificates, against searches that know no theorem and against published ones.

use crate::common::program::{nim_analyser, printed, program, stdout};
use crate::common::solved;
use assert_cmd::Command;
use nim_analyser::engine::Effort;
use nim_analyser::engine::definition::nim_values;
use nim_analyser::engine::table::Table;
use nim_analyser::ruleset::Ruleset;
use nim_analyser::sequence::Sequence;
use nim_analyser::sequence::period::{Finding, Period, Proof};
use predicates::prelude::*;
use proptest::prelude::*;
use serde_json::Value;
use std::path::Path;

/// What the values of a table say.
fn look(ruleset: &Ruleset, table: Table) -> Finding {
    Sequence::resume(ruleset.clone(), table, Effort::default()).period_so_far()
}

fn proved(game: &str, limit: u64) -> Proof {
    let ruleset: Ruleset = game.parse().unwrap();
    match Sequence::new(ruleset).find_period(limit).unwrap() {
        Finding::Proved(proof) => proof,
        found => panic!("{game}: {found:?}"),
    }
}

/// Period, preperiod and saltus, by trying every period on values that reach far beyond both.
fn naive(values: &[u32], tail: usize) -> Option<(u64, u64, u64)> {
    (1..values.len() - tail).find_map(|period| {
        let rise = |n: usize| i64::from(values[n + period]) - i64::from(values[n]);
        let count = values.len() - period;
        let saltus = rise(count - 1);
        let start = (0..count).rev().take_while(|&n| rise(n) == saltus).last()?;
        (start + period + tail <= values.len()).then_some((
            period as u64,
            start as u64,
            saltus as u64,
        ))
    })
}

fn figures(proof: &Proof) -> (u64, u64, u64) {
    let Period {
        period,
        preperiod,
        saltus,
    } = proof.period;
    (period, preperiod, saltus)
}

/// The nim-values of taking a number of stones that `allowed` allows, by the definition.
fn taking(heaps: usize, allowed: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::new();
    for heap in 0..heaps {
        let options: std::collections::HashSet<u32> = (1..=heap)
            .filter(|&take| allowed(take))
            .map(|take| values[heap - take])
            .collect();
        values.push((0..).find(|value| !options.contains(value)).unwrap());
    }
    values
}

#[test]
fn every_set_of_three_to_24_has_the_period_that_a_naive_search_finds() {
    for c in 3..=24 {
        for b in 2..c {
            for a in 1..b {
                let proof = proved(&format!("subtraction:{a},{b},{c}"), 2000);
                let mut values: Vec<u8> = Vec::with_capacity(1600);
                for heap in 0..1600 {
                    let seen = [a, b, c].map(|take| (take <= heap).then(|| values[heap - take]));
                    values.push((0..4).find(|&value| !seen.contains(&Some(value))).unwrap());
                }
                let values: Vec<u32> = values.into_iter().map(u32::from).collect();
                assert_eq!(Some(figures(&proof)), naive(&values, 800), "{a}, {b}, {c}");
            }
        }
    }
}

#[test]
fn every_all_but_set_to_6_has_the_period_that_a_naive_search_finds() {
    for bits in 1..1 << 6 {
        let set: Vec<usize> = (1..=6).filter(|take| bits >> (take - 1) & 1 == 1).collect();
        let list: Vec<String> = set.iter().map(ToString::to_string).collect();
        let proof = proved(&format!("all-but:{}", list.join(",")), 1000);
        let values = taking(300, |take| !set.contains(&take));
        assert_eq!(Some(figures(&proof)), naive(&values, 150), "{set:?}");
    }
}

#[test]
fn known_arithmetic_periods() {
    for (game, wanted) in [
        ("lasker", (4, 1, 4)),
        ("all-but:2,3,7", (4, 0, 2)),
        ("nim", (1, 0, 1)),
        ("0.8", (3, 1, 1)),
        ("0.C", (2, 1, 1)),
        ("8.0", (2, 1, 1)),
        ("0.3F", (6, 0, 3)),
        ("0.84", (3, 1, 1)),
        ("0.G", (4, 1, 1)),
        ("4!.[3]", (4, 1, 4)),
        ("4.[2]", (1, 1, 1)),
        ("0.[2]", (1, 1, 1)),
        ("0.[7]", (1, 0, 1)),
    ] {
        assert_eq!(figures(&proved(game, 100)), wanted, "{game}");
    }
}

/// Finite codes of one to three digits, some with unequal heaps or three of them.
fn finite_codes() -> impl Strategy<Value = String> {
    let digit = prop_oneof![6 => "[0-7]", 1 => "[4-7]!", 1 => "[4-7]\\?", 1 => "[89AF]"];
    let before = prop::sample::select(vec!["0", "0", "4", "4!", "8"]);
    (before, prop::collection::vec(digit, 1..4))
        .prop_map(|(before, digits)| format!("{before}.{}", digits.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn what_is_proved_holds_far_beyond_the_proof(code in finite_codes()) {
        let ruleset: Ruleset = code.parse().unwrap();
        let table = nim_values(&ruleset, 120).unwrap();
        if let Finding::Proved(proof) = look(&ruleset, table) {
            let table = nim_values(&ruleset, 300).unwrap();
            let Period { period, preperiod, saltus } = proof.period;
            for n in preperiod..=300 - period {
                let (early, late) = (table.get(n as usize), table.get((n + period) as usize));
                prop_assert_eq!(u64::from(early.unwrap()) + saltus, u64::from(late.unwrap()), "{} at {}", code, n);
            }
            let values: Vec<u32> = table.iter().map(u32::from).collect();
            prop_assert_eq!(naive(&values, 150), Some((period, preperiod, saltus)), "{}", code);
        }
    }
}

/// Codes that may leave three heaps, and codes that end in a digit for ever.
fn rising_codes() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[048C]\\.[0-7]?[89A-F][0-9A-F]?",
        1 => "[04]\\.[0-3][0-7]?[89]",
        1 => "(0|4|4!)\\.[0-7]{0,2}\\[[2367]\\]",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn a_proved_saltus_holds_ten_times_as_far(code in rising_codes()) {
        let ruleset: Ruleset = code.parse().unwrap();
        let found = look(&ruleset, nim_values(&ruleset, 70).unwrap());
        if let Finding::Proved(proof) = found {
            let Period { period, preperiod, saltus } = proof.period;
            let last = 10 * proof.range.min(50) as usize;
            let table = nim_values(&ruleset, last).unwrap();
            for n in preperiod as usize..=last - period as usize {
                let (early, late) = (table.get(n), table.get(n + period as usize));
                prop_assert_eq!(u64::from(early.unwrap()) + saltus, u64::from(late.unwrap()), "{} at {}", code, n);
            }
            let values: Vec<u32> = table.iter().map(u32::from).collect();
            prop_assert_eq!(naive(&values, last / 2), Some(figures(&proof)), "{}", code);
        }
    }
}

#[test]
fn a_proof_needs_its_whole_range_and_stops_there() {
    for game in "kayles | 0.07 | 0.45 | subtraction:5,7,13 | all-but:2,3,7 | 4.102".split(" | ") {
        let ruleset: Ruleset = game.parse().unwrap();
        let proof = proved(game, 2000);
        for (values, enough) in [(proof.range, true), (proof.range - 1, false)] {
            let table = nim_values(&ruleset, values as usize - 1).unwrap();
            let found = look(&ruleset, table);
            assert_eq!(
                matches!(found, Finding::Proved(_)),
                enough,
                "{game} with {values}"
            );
        }
    }
}

#[test]
fn nothing_is_proved_where_no_theorem_covers_the_code() {
    for game in ["0.[03]", "4=.0", "8!.0", "{2+}.0", "0.[37]"] {
        let ruleset: Ruleset = game.parse().unwrap();
        let found = look(&ruleset, nim_values(&ruleset, 40).unwrap());
        assert!(!matches!(found, Finding::Proved(_)), "{game}: {found:?}");
    }
}

fn published(least: u64, most: u64) -> usize {
    let mut count = 0;
    for (code, period, preperiod) in solved() {
        if !(least..most).contains(&(preperiod + period)) {
            continue;
        }
        let proof = proved(&code, 1_000_000_000);
        // Heap 0 is no exception where its value 0 fits the period; some lists count it as one all the same.
        let agrees =
            proof.period.preperiod == preperiod || proof.period.preperiod == 0 && preperiod == 1;
        assert!(agrees && proof.period.period == period, "{code}: {proof:?}");
        count += 1;
    }
    count
}

#[test]
fn every_published_period_below_a_million_is_proved_anew() {
    assert!(published(0, 1_000_000) > 50);
}

/// `cargo test --release --test program periods -- --ignored`
#[test]
#[ignore = "a minute in a release build, and half a gigabyte"]
fn the_long_published_periods_are_proved_anew() {
    assert!(published(1_000_000, 1_000_000_000) > 5);
}

#[test]
fn a_period_as_json_and_as_text() {
    let found: Value = serde_json::from_str(&stdout("period -g kayles --json")).unwrap();
    for (key, value) in [
        ("game", "\"kayles\""),
        ("code", "\"0.77\""),
        ("status", "\"proved\""),
        ("period", "12"),
        ("preperiod", "71"),
        ("last_exception", "70"),
        ("saltus", "0"),
        ("max", "{\"value\":8,\"heap\":27}"),
    ] {
        assert_eq!(
            found[key],
            serde_json::from_str::<Value>(value).unwrap(),
            "{key}"
        );
    }
    assert!(stdout("period -g lasker").contains("saltus          4"));
    let none = stdout("period -g grundy --limit 500");
    assert!(none.contains("none up to pile 500"), "{none}");
    let observed = stdout("period -g kayles --limit 120");
    assert!(
        observed.contains("12, observed, not proved") && observed.contains("to pile 167"),
        "{observed}"
    );
}

#[test]
fn a_period_is_proved_at_any_limit_at_which_the_values_prove_it() {
    for (game, period, least) in [
        ("subtraction:1,2,3", 4, 7),
        ("subtraction:2,3", 5, 8),
        ("nim", 1, 1),
    ] {
        for limit in [least, least + 4, 13, 63] {
            let text = stdout(&format!("period -g {game} --limit {limit}"));
            assert!(
                text.contains(&format!("{period}, proved")),
                "{game} to {limit}: {text}"
            );
        }
        let text = stdout(&format!("period -g {game} --limit {}", least - 1));
        assert!(text.contains("none up to pile"), "{game}: {text}");
    }
}

#[test]
fn a_long_search_says_so_and_one_that_can_prove_nothing_ends() {
    nim_analyser("period -g 0.[37]").assert().success().stdout(
        predicate::str::contains("observed, not proved")
            .and(predicate::str::contains("no theorem")),
    );
    nim_analyser("period -g 0.007 --memory 4K")
        .assert()
        .success()
        .stdout(predicate::str::contains("none up to pile 2047"))
        .stderr(predicate::str::contains("--seconds"));
    nim_analyser("period -g 0.007 --memory 4K --quiet")
        .assert()
        .success()
        .stderr("");
}

#[test]
fn a_pile_of_a_hexadecimal_game_rests_on_its_arithmetic_period() {
    let found: Value = serde_json::from_str(&stdout("-g 0.8 100000 --json")).unwrap();
    assert_eq!(found["nim_values"][0], 33_333);
    assert_eq!(found["basis"]["saltus"], 1);
}

#[test]
fn what_period_cannot_do_is_refused() {
    nim_analyser("period -g kayles --misere")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("'--misere'"));
    nim_analyser("period -g grundy --memory 1K --limit 1e18")
        .assert()
        .code(3)
        .stderr(predicate::str::contains("within reach"));
    nim_analyser("period -g kayles --limit x").assert().code(2);
}

/// A command whose last word is a file.
fn with_file(words: &[&str], file: &Path) -> Command {
    let mut command = nim_analyser(words);
    command.arg(file);
    command
}

#[test]
fn a_certificate_with_a_figure_that_no_period_has_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("certificate.json");
    let command = |words: &[&str]| with_file(words, &file);
    for (game, changes, refusal) in [
        (
            "lasker",
            &[("preperiod", 2), ("saltus", 1_000_000_000_000_000_000_u64)][..],
            "its period is 4, but g(2) is 2",
        ),
        ("take 1 or 3 or primes", &[("period", 0)], "its period is 0"),
    ] {
        command(&["period", "-g", game, "--certificate"])
            .assert()
            .success();
        let text = std::fs::read_to_string(&file).unwrap();
        let mut changed: Value = serde_json::from_str(&text).unwrap();
        for &(field, figure) in changes {
            changed[field] = figure.into();
        }
        std::fs::write(&file, changed.to_string()).unwrap();
        let named = predicate::str::contains(refusal);
        command(&["verify"]).assert().code(3).stderr(named);
    }
}

#[test]
fn a_certificate_is_written_and_verified_and_each_wrong_field_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("certificate.json");
    let command = |words: &[&str]| with_file(words, &file);
    command(&["period", "-g", "kayles", "--certificate"])
        .assert()
        .success();
    command(&["verify"])
        .assert()
        .success()
        .stdout(predicate::str::contains("every value from g(0) to g(167)"));
    command(&["verify", "--sample", "30", "--seed", "4"])
        .assert()
        .success()
        .stdout(predicate::str::contains("30 values"));
    let right = std::fs::read_to_string(&file).unwrap();
    for (field, from, to) in [
        ("period", "\"period\": 12", "\"period\": 24"),
        ("preperiod", "71", "72"),
        ("saltus", "\"saltus\": 0", "\"saltus\": 12"),
        ("range", "168", "167"),
        ("range", "168", "170"),
        ("checksum", "sha256:b", "sha256:c"),
        ("code", "0.77", "0.771"),
        ("theorem", "octal", "decimal"),
    ] {
        let wrong = right.replace(from, to);
        assert_ne!(wrong, right);
        std::fs::write(&file, wrong).unwrap();
        let named = predicate::str::contains(format!("its {field} is"));
        command(&["verify"]).assert().code(3).stderr(named);
    }
    for (from, to, what) in [
        ("\"saltus\": 0,", "", "missing field `saltus`"),
        ("\"code\": \"0.77\",", "", "missing field `code`"),
        ("{", "{\"note\": 1,", "unknown field `note`"),
        ("168", "-168", "invalid value"),
        ("}", "", ".json: the text ends too early, in line 1"),
        (&right, "[]", ".json: a certificate is a JSON object"),
        (&right, "-12", ".json: a certificate is a JSON object"),
    ] {
        std::fs::write(&file, right.replace(from, to)).unwrap();
        command(&["verify"])
            .assert()
            .code(2)
            .stderr(predicate::str::contains(what));
    }
    std::fs::remove_file(&file).unwrap();
    command(&["verify"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("can't read"));
    command(&["period", "-g", "grundy", "--limit", "300", "--certificate"])
        .assert()
        .code(3);
    assert!(!file.exists());
}

#[test]
fn a_pile_beyond_any_table_rests_on_a_period_and_says_so() {
    let found: Value = serde_json::from_str(&stdout("-g kayles 1e18 --json")).unwrap();
    assert_eq!(found["basis"]["period"], 12);
    let (first, moves) = (
        &found["winning_moves"][0],
        nim_values(&"kayles".parse().unwrap(), 400).unwrap(),
    );
    let value = |pile: &Value| {
        moves
            .get(pile.as_u64().map_or(0, |pile| {
                if pile < 400 {
                    pile
                } else {
                    72 + (pile - 72) % 12
                }
            }) as usize)
            .unwrap()
    };
    assert_eq!(found["nim_values"][0], value(&found["piles"][0]));
    let left = first["leave"].as_array().unwrap();
    assert_eq!(left.iter().map(value).fold(0, |sum, value| sum ^ value), 0);
    let text = stdout("-g kayles 1e18");
    assert!(text.ends_with("This rests on the proved period 12 from pile 71 on: finite octal code (Guy and Smith 1956).\n"), "{text}");
    for small in ["7 8", "-g kayles 500", "-g nim 3 4 5"] {
        assert!(!stdout(small).contains("rests on"), "{small}");
    }
    nim_analyser("1e18")
        .assert()
        .code(3)
        .stderr(predicate::str::contains("no period is proved"));
}

#[test]
fn all_winning_moves_of_a_huge_pile_come_one_after_another() {
    use std::io::{BufRead, BufReader};
    let mut child = program()
        .args(["-g", "kayles", "1e18", "--all"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .take(5000);
    assert_eq!(
        lines
            .map_while(Result::ok)
            .filter(|line| line.starts_with("A winning move"))
            .count(),
        2497
    );
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_lookup_tells_standard_form_equivalents_and_errata() {
    let dawson = stdout("lookup 0.07 --bound 100");
    for what in [
        "standard form   0.137(n-1)",
        "0.4(n+1)",
        "published       of 0.137, g(n) being its g(n-1): period 34, last exception 51 (OEIS",
        "survey          period 34, last exception 52, proved (docs/survey)\n",
        "34, proved",
        "OEIS            A002187 (0.137): a(n) = g(n+1)\n",
    ] {
        assert!(dawson.contains(what), "{what}: {dawson}");
    }
    let equivalents = |bound: u64| -> Value {
        let found: Value =
            serde_json::from_str(&stdout(&format!("lookup 0.161 --json --bound {bound}"))).unwrap();
        assert!(
            found["errata"][0]["text"]
                .as_str()
                .unwrap()
                .contains("pile 519")
        );
        found["equivalents"].clone()
    };
    assert_eq!(
        equivalents(510),
        serde_json::json!([{"code": "0.36", "shift": 0}, {"code": "0.361", "shift": 0}])
    );
    assert_eq!(equivalents(519), serde_json::json!([]));
    assert!(
        stdout("lookup couples-are-forever --bound 50")
            .contains("no period to pile 140000000000000")
    );
    let so_far = stdout("lookup 0.161 --bound 500");
    assert!(
        so_far.contains("A071432 (0.36): a(n) = g(n), to pile 500\n"),
        "{so_far}"
    );
    let values = stdout("lookup 0 1 2 3 1 4 3 2 1 4 2 6 --sequence");
    assert!(
        values.contains("0.77(n)         kayles; A002186;"),
        "{values}"
    );
    nim_analyser("lookup 0.9").assert().success();
    nim_analyser("lookup 0.7.7").assert().code(2);
}

#[test]
fn a_certificate_that_is_none_is_refused_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("certificate.json");
    let verify = |more: &[&str]| {
        let mut command = nim_analyser("verify");
        command.arg(&file).args(more).assert()
    };
    std::fs::write(&file, vec![b' '; 2 << 20]).unwrap();
    let too_long = predicate::str::contains("longer than 1048576 bytes");
    verify(&[]).code(2).stderr(too_long);
    #[cfg(unix)]
    nim_analyser("verify /dev/zero").assert().code(2);
    nim_analyser(&format!(
        "period -g kayles --certificate {}",
        file.display()
    ))
    .assert()
    .success();
    let right = std::fs::read_to_string(&file).unwrap();
    // More values than any machine has: refused by what the theorem needs, before any of them.
    for range in ["1000000000", "1000000000000000000"] {
        std::fs::write(&file, right.replace("168", range)).unwrap();
        let assert = verify(&["--json", "--quiet"]).code(3);
        let found: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
        assert_eq!(found["verified"], false);
        assert_eq!(
            (&found["field"], &found["found"]),
            (&"range".into(), &"168 is right".into())
        );
    }
    let hostile = right.replace("\"kayles\"", "\"kay\\u001b[31mles\\u0007\"");
    std::fs::write(&file, hostile).unwrap();
    let harmless =
        predicate::str::contains("kay\\u{1b}[31mles").and(predicate::str::contains("\u{7}").not());
    verify(&[]).code(3).stderr(harmless);
    std::fs::write(&file, right.replace("{", "{\"\\u001b[31m\": 1,")).unwrap();
    verify(&[])
        .code(2)
        .stderr(predicate::str::contains("\u{1b}").not());
}

/// What a command says of a rule in words.
fn of_rule(command: &str, rule: &str) -> String {
    printed(nim_analyser(&format!("{command} -q --rule")).arg(rule))
}

#[test]
fn a_closed_form_is_said_where_one_shows() {
    for (rule, wanted) in [
        (
            "take a proper divisor",
            "law             g(n) is the exponent of 2 in n, proved\n",
        ),
        (
            "take half",
            "law             g(n) is the exponent of 2 in n, modulo 2, proved\n",
        ),
        (
            "take a divisor, or split",
            "law             g(n) is one more than the exponent of 2 in n, observed to pile 300\n",
        ),
        (
            "take a divisor and may split the rest",
            "law             g(n) depends only on the exponent of 2 in n: 1, 2, 4, 7, 8, ",
        ),
        (
            "take powers of 2",
            "law             g(n) = n mod 3, proved\n",
        ),
        (
            "take 1 or primes",
            "law             g(n) = n mod 4, proved\n",
        ),
        (
            "take 2 or odd numbers",
            "law             g(n) = n mod 4, proved\n",
        ),
        (
            "take 2 or 3",
            "law             g(n) = floor((n mod 5) / 2), proved\n",
        ),
        (
            "take even numbers",
            "law             g(n) = floor(n / 2), observed to pile 300\n",
        ),
        ("take any number", "law             g(n) = n, proved\n"),
    ] {
        for (command, last) in [
            ("period --limit 300", "300"),
            ("lookup --bound 100", "5000"),
        ] {
            let text = of_rule(command, rule);
            assert!(
                text.contains(&wanted.replace("300", last)),
                "{rule}: {text}"
            );
        }
    }
    for rule in "take squares | take cubes | take primes | take 1 or half".split(" | ") {
        let text = of_rule("period --limit 300", rule);
        assert!(!text.contains("law"), "{rule}: {text}");
    }
}
