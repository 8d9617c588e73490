//! What `verify --join` believes, and how far the numbers of a certificate and of a result may go.

use crate::common::certificates::{Game, second_checker};
use crate::common::program::{nim_analyser, printed};
use crate::common::rng::Rng;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A certificate of several segments, and a result that says of each that it is right.
struct Setting {
    directory: TempDir,
    certificate: PathBuf,
    text: Value,
    result: Value,
    segments: u64,
    /// The files of lines joined without further words, and whether they were believed.
    joined: RefCell<Vec<(PathBuf, bool)>>,
}

fn setting(seed: u64) -> Setting {
    let mut rng = Rng::new(seed, 0);
    let draft = (0..1000).find_map(|_| {
        let game = Game::random(&mut rng)?;
        let mut drafts = (0..20).filter_map(|_| game.certificate(&mut rng, 300, 24));
        drafts.find(|draft| draft.windows.len() > 8 && !draft.rares.is_empty())
    });
    let draft = draft.unwrap();
    let directory = tempfile::tempdir().unwrap();
    let certificate = directory.path().join("certificate.json");
    fs::write(&certificate, draft.json()).unwrap();
    let checked = printed(nim_analyser("verify --json").arg(&certificate));
    let result: Value = serde_json::from_str(&checked).unwrap();
    assert_eq!(result["verified"], json!(true));
    Setting {
        text: serde_json::from_str(&draft.json()).unwrap(),
        segments: draft.windows.len() as u64,
        directory,
        certificate,
        result,
        joined: RefCell::default(),
    }
}

impl Setting {
    /// How a join of such lines ends, and all that it says.
    fn join(&self, lines: &[u8], words: &[&str]) -> (i32, String) {
        let mut joined = self.joined.borrow_mut();
        let name = format!("lines-{}.ndjson", joined.len());
        let file = self.directory.path().join(name);
        fs::write(&file, lines).unwrap();
        let output = nim_analyser("verify")
            .arg(&self.certificate)
            .args(words)
            .arg("--join")
            .arg(&file)
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        if words.is_empty() {
            joined.push((file, output.status.success()));
        }
        (
            output.status.code().unwrap(),
            String::from_utf8(said).unwrap(),
        )
    }

    /// Whether the second checker, which shares no code with the program, believes what the program believed.
    fn second_checker_agrees(&self) {
        let joined = self.joined.borrow();
        let list = joined.iter().map(|(lines, _)| {
            let certificate = self.certificate.display();
            format!("{certificate} {}\n", lines.display())
        });
        let Some(answers) = second_checker(list.collect()) else {
            return;
        };
        assert_eq!(answers.len(), joined.len());
        for ((lines, believed), answer) in joined.iter().zip(&answers) {
            let text = String::from_utf8_lossy(&fs::read(lines).unwrap()).into_owned();
            assert_eq!(answer == "right", *believed, "{answer}: {text}");
        }
    }

    /// A result about some segments.
    fn about(&self, right: &[(u64, u64)]) -> Value {
        let mut line = self.result.clone();
        line["right"] = json!(right);
        line["verified"] = json!(right == [(0, self.segments - 1)]);
        line
    }

    /// The same with one field changed.
    fn with(&self, field: &str, value: Value) -> Value {
        let mut line = self.result.clone();
        line[field] = value;
        line
    }
}

fn text(lines: &[Value]) -> Vec<u8> {
    let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    lines.concat().into_bytes()
}

#[test]
fn a_join_believes_no_more_than_the_segments_of_its_lines() {
    let own = setting(1);
    let last = own.segments - 1;
    let half = last / 2;
    let whole = own.about(&[(0, last)]);
    // Whole, in parts, doubled, overlapping, with empty lines between.
    let parts = [own.about(&[(0, half)]), own.about(&[(half + 1, last)])];
    let overlapping = [
        own.about(&[(0, 1), (half, last)]),
        own.about(&[(0, half + 1)]),
    ];
    for lines in [
        &[whole.clone()][..],
        &parts,
        &overlapping,
        &[whole.clone(), whole.clone()],
    ] {
        let mut text = text(lines);
        text.extend(b"\r\n\n");
        for (words, again) in [
            (&[][..], own.segments.min(100)),
            (&["--sample", "3"], 3),
            (&["--sample", "0"], 0),
            (&["--sample", "100%"], own.segments),
        ] {
            let (code, said) = own.join(&text, words);
            assert_eq!(code, 0, "{said}");
            assert!(
                said.contains(&format!("checked again: {again} of them")),
                "{said}"
            );
            let (code, said) = own.join(&text, &[words, &["--json"]].concat());
            assert_eq!(code, 0, "{said}");
            let joined: Value = serde_json::from_str(&said).unwrap();
            assert_eq!(joined["checked_again"], json!(again));
            // What a join writes is a result like any other.
            assert_eq!(own.join(said.as_bytes(), &[]).0, 0);
        }
    }
    nim_analyser("verify")
        .arg(&own.certificate)
        .args(["--join", "-"])
        .write_stdin(text(&[whole]))
        .assert()
        .code(0);
    // Missing ones, none at all.
    for (lines, missing) in [
        (
            vec![own.about(&[(0, half)])],
            format!("segments {}..{last}", half + 1),
        ),
        (
            vec![own.about(&[(0, 1), (3, last)])],
            "segments 2".to_owned(),
        ),
        (vec![own.about(&[])], format!("segments 0..{last}")),
        (vec![], format!("segments 0..{last}")),
    ] {
        let (code, said) = own.join(&text(&lines), &[]);
        assert_eq!(code, 3, "{said}");
        assert!(said.contains(&format!("lack {missing}")), "{said}");
    }
    let said = own.join(&text(&[own.with("wrong", json!("a \u{1b}[31mword"))]), &[]);
    assert_eq!(said.0, 3);
    assert!(
        said.1
            .contains("reports that the certificate is false: a \\u{1b}[31mword"),
        "{}",
        said.1
    );
    // Of another certificate.
    let (code, said) = own.join(&text(&[setting(2).result]), &[]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("is about another certificate"), "{said}");
    own.second_checker_agrees();
}

/// Lines about parts drawn at random, all true or one of them forged in one of many ways.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn two_checkers_and_the_forger_agree_on_random_results() {
    let mut rng = Rng::new(3, 0);
    let (mut believed, mut refused) = (0, 0);
    for seed in 1..4 {
        let own = setting(seed);
        let last = own.segments - 1;
        for _ in 0..60 {
            let mut lines = Vec::new();
            let mut held = vec![false; own.segments as usize];
            for _ in 0..1 + rng.below(4) {
                let first = rng.below(own.segments as usize) as u64;
                let end = first + rng.below((own.segments - first) as usize) as u64;
                let parts = match rng.below(3) {
                    0 => vec![(0, last)],
                    1 if first > 1 => vec![(0, first - 2), (first, end)],
                    _ => vec![(first, end)],
                };
                for &(first, end) in &parts {
                    held[first as usize..=end as usize].fill(true);
                }
                lines.push(own.about(&parts));
            }
            let mut is_true = held.iter().all(|&held| held);
            if rng.below(2) == 0 {
                let at = rng.below(lines.len());
                let line = &mut lines[at];
                let fields: Vec<String> = line.as_object().unwrap().keys().cloned().collect();
                let field = &fields[rng.below(fields.len())];
                let before = line.clone();
                match rng.below(4) {
                    0 => drop(line.as_object_mut().unwrap().remove(field)),
                    1 => line[field] = json!(rng.below(1 << 40)),
                    2 => line[field] = json!("0.6"),
                    _ => line[field] = json!([[0, last + 1]]),
                }
                is_true &= *line == before;
            }
            let (code, said) = own.join(&text(&lines), &[]);
            assert_eq!(code == 0, is_true, "{said}: {}", json!(lines));
            believed += u32::from(is_true);
            refused += u32::from(!is_true);
        }
        own.second_checker_agrees();
    }
    assert!(believed > 20 && refused > 20, "{believed} {refused}");
}

#[test]
fn a_line_that_contradicts_its_certificate_is_refused_with_the_place() {
    let own = setting(1);
    let last = own.segments - 1;
    let number =
        |field: &str, by: i64| own.with(field, json!(own.result[field].as_i64().unwrap() + by));
    let mut without = own.result.clone();
    without.as_object_mut().unwrap().remove("theorem");
    let hash = own.result["certificate"].as_str().unwrap();
    let cases = [
        (number("schema", 1), "schema is 2; 1 is right"),
        (
            own.with("kind", json!("verification")),
            "kind is verification",
        ),
        (own.with("game", json!("0.0007")), "the game is 0.0007"),
        (own.with("code", json!("0.0007")), "the code is 0.0007"),
        (own.with("code", json!(null)), "the code is none"),
        (own.with("verified", json!(false)), "verified: false"),
        (number("period", 1), "the period is"),
        (number("period", -1), "the period is"),
        (number("preperiod", 1), "the preperiod is"),
        (
            own.with("theorem", json!("by hand")),
            "the theorem is by hand",
        ),
        (
            own.with("certificate", json!(hash.to_uppercase())),
            "another certificate",
        ),
        (
            own.with("certificate", json!("sha256:00")),
            "another certificate",
        ),
        (number("segments", 1), "the number of segments is"),
        (number("segments", -1), "the number of segments is"),
        (own.about(&[(0, last + 1)]), "segments 0 to"),
        (own.about(&[(1, 0)]), "segments 1 to 0"),
        (own.about(&[(0, 2), (2, last)]), "in order and once each"),
        (own.about(&[(3, last), (0, 2)]), "in order and once each"),
        (own.with("right", json!([[0, 1, 2]])), "is not a result"),
        (own.with("right", json!([[-1, 2]])), "is not a result"),
        (own.with("right", json!([[0, 1e99]])), "is not a result"),
        (own.with("more", json!(1)), "is not a result"),
        (own.with("checked_again", json!(last + 2)), "checked again"),
        (without, "is not a result"),
        (json!([1]), "is not a result"),
        (json!("\u{1b}[2J"), "is not a result"),
    ];
    for (line, words) in cases {
        // Among true ones.
        let lines = text(&[own.result.clone(), line.clone(), own.result.clone()]);
        let (code, said) = own.join(&lines, &[]);
        assert_eq!(code, 2, "{line}: {said}");
        assert!(
            said.contains(words) && said.contains("line 2"),
            "{words}: {said}"
        );
        assert!(!said.contains('\u{1b}'));
    }
    for bytes in [&b"\xff\xfe\n"[..], b"{\n", b"\0\0\0"] {
        assert_eq!(own.join(bytes, &[]).0, 2);
    }
    // One field after another cut short.
    let line = own.result.to_string();
    for end in (1..line.len()).step_by(7) {
        assert_eq!(own.join(&line.as_bytes()[..end], &[]).0, 2);
    }
    own.second_checker_agrees();
}

/// The shares of a job array are disjoint, and put together they are all segments.
#[test]
fn a_job_array_checks_every_segment_once() {
    let own = setting(1);
    let check = |share: &str, task: &str| {
        nim_analyser("verify")
            .args(["--json", "--shard", share])
            .arg(&own.certificate)
            .env("SLURM_ARRAY_TASK_ID", task)
            .output()
            .unwrap()
    };
    let mut lines = Vec::new();
    let mut checked = Vec::new();
    for share in 1..=3 {
        let named = check(&format!("{share}/3"), "");
        let line = check("env/3", &share.to_string()).stdout;
        assert_eq!(line, named.stdout);
        let result: Value = serde_json::from_slice(&line).unwrap();
        let ranges: Vec<(u64, u64)> = serde_json::from_value(result["right"].clone()).unwrap();
        checked.extend(ranges.into_iter().flat_map(|(first, last)| first..=last));
        lines.extend(line);
    }
    checked.sort_unstable();
    assert_eq!(checked, (0..own.segments).collect::<Vec<_>>());
    assert_eq!(own.join(&lines, &[]).0, 0);
    assert_eq!(check("4/3", "").status.code(), Some(2));
    for task in ["0", "4", "x"] {
        assert_eq!(check("env/3", task).status.code(), Some(2), "{task}");
    }
}

/// A made-up certificate with a line that calls its segments right is found out by the segments checked again.
#[test]
fn a_forged_result_is_found_out_by_the_sample() {
    let own = setting(1);
    let mut false_one = own.text.clone();
    let windows = false_one["windows"].as_array_mut().unwrap();
    let middle = windows.len() / 2;
    let values = windows[middle]["values"].as_str().unwrap().to_owned();
    let end = if values.ends_with('1') { "2" } else { "1" };
    windows[middle]["values"] = json!(format!("{}{end}", &values[..values.len() - 1]));
    let file = own.directory.path().join("false.json");
    fs::write(&file, false_one.to_string()).unwrap();
    let partial = nim_analyser("verify")
        .args(["--json", "--segments", "0..0"])
        .arg(&file)
        .output()
        .unwrap();
    let mut line: Value = serde_json::from_slice(&partial.stdout).unwrap();
    line["right"] = json!([[0, own.segments - 1]]);
    line["verified"] = json!(true);
    let lines = own.directory.path().join("forged.ndjson");
    fs::write(&lines, line.to_string()).unwrap();
    for (sample, code) in [("100%", 3), ("0", 0)] {
        nim_analyser("verify")
            .arg(&file)
            .arg("--join")
            .arg(&lines)
            .args(["--sample", sample])
            .assert()
            .code(code);
    }
}

/// Every number that is read from a certificate, and from a result, with its bound: what lies beyond is refused at once.
#[test]
fn every_number_read_is_bounded() {
    const MOST: u64 = 1 << 48;
    let own = setting(1);
    let number = |field: &str| own.text[field].as_u64().unwrap();
    let (start, window, end) = (
        number("start"),
        number("window"),
        number("start") + number("period"),
    );
    let beyond = [
        ("/period", json!(0), "its period is 0"),
        ("/period", json!(MOST + 1), "its period is"),
        (
            "/period",
            json!(9_000_000_000_000_000_011u64),
            "its period is 9000000000000000011",
        ),
        ("/period", json!(u64::MAX), "its period is"),
        ("/start", json!(0), "its start is 0"),
        ("/start", json!(MOST + 1), "its start is"),
        ("/start", json!(u64::MAX), "its start is"),
        ("/preperiod", json!(start + 1), "its preperiod is"),
        ("/window", json!(0), "its window is 0"),
        ("/window", json!(start + 1), "its window is"),
        ("/depth", json!(window + 1), "its depth is"),
        ("/mask", json!(0), "mask is 0"),
        ("/mask", json!(1 << 16), "expected u16"),
        ("/digits", json!(0), "its digits is 0"),
        ("/digits", json!(5), "its digits is 5"),
        ("/rares/0/0", json!(0), "its rare pile number 0 is 0"),
        ("/rares/0/0", json!(window + 1), "its rare pile number 0 is"),
        ("/rares/0/1", json!(1 << 16), "expected u16"),
        (
            "/windows/0/before",
            json!(0),
            "its pile behind window 0 is 0",
        ),
        (
            "/windows/0/before",
            json!(end + 1),
            "its pile behind window 0 is",
        ),
        ("/windows/0/values", json!(""), "cut short"),
        ("/windows/0/values", json!("g"), "hexadecimal"),
    ];
    for (place, value, words) in &beyond {
        let mut text = own.text.clone();
        *text.pointer_mut(place).unwrap() = value.clone();
        refuses_certificate(&own, &text.to_string(), words);
    }
    for (field, item) in [
        ("rares", "[1,1]"),
        ("windows", r#"{"before":1,"values":"1"}"#),
    ] {
        let mut text = own.text.clone();
        text[field] = json!("MANY");
        let many = format!("[{}{item}]", format!("{item},").repeat(1 << 20));
        let text = text.to_string().replace("\"MANY\"", &many);
        refuses_certificate(&own, &text, "1048576");
    }
    // Of each, some of what is no such number.
    let places = "/period | /preperiod | /start | /window | /depth | /mask | /digits | /rares/0/0 | \
        /rares/0/1 | /windows/0/before";
    let no_numbers = [
        json!(-1),
        json!(1.5),
        json!(1e99),
        json!("1"),
        json!(null),
        json!(true),
        json!([1]),
    ];
    for (at, place) in places.split(" | ").enumerate() {
        for value in no_numbers.iter().cycle().skip(3 * at).take(3) {
            let mut text = own.text.clone();
            *text.pointer_mut(place).unwrap() = value.clone();
            refuses_certificate(&own, &text.to_string(), "not a certificate");
        }
    }
    let fields = ["schema", "period", "preperiod", "segments"];
    for field in fields {
        for value in [
            json!(u64::MAX),
            json!(-1),
            json!(1.5),
            json!(1e99),
            json!("1"),
            json!(null),
        ] {
            let (code, said) = own.join(&text(&[own.with(field, value)]), &[]);
            assert_eq!(code, 2, "{field}: {said}");
        }
    }
    for ranges in [
        json!([[0, u64::MAX]]),
        json!([[u64::MAX, u64::MAX]]),
        json!([[0, 0], [u64::MAX, 0]]),
    ] {
        let (code, said) = own.join(&text(&[own.with("right", ranges)]), &[]);
        assert_eq!(code, 2, "{said}");
    }
    // A line, and a certificate, of more bytes than is allowed.
    let (code, said) = own.join(&vec![b' '; 1 << 20], &[]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("line 1 is longer than"), "{said}");
    let long = own.directory.path().join("long.json");
    let head = own.text.to_string().replace(
        "\"rares\":[",
        &format!("\"rares\":[{}", "[1,1],".repeat(200_000)),
    );
    fs::write(&long, head).unwrap();
    nim_analyser("verify")
        .arg(&long)
        .args(["--memory", "2M"])
        .assert()
        .code(3)
        .stderr(predicates::str::contains("of memory allowed"));
}

fn refuses_certificate(own: &Setting, text: &str, words: &str) {
    let file = own.directory.path().join("beyond.json");
    fs::write(&file, text).unwrap();
    let output = nim_analyser("verify").arg(&file).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        matches!(output.status.code(), Some(2 | 3)),
        "{words}: {said}"
    );
    assert!(said.contains(words), "{words}: {said}");
    assert!(said.len() < 1000, "{said}");
}
