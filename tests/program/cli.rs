//! The program as its users meet it: words in, lines and exit codes out.

use crate::common::program::{nim_analyser, program, run, stdout};
use serde::Deserialize;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

const SEVEN_EIGHT: &str = "\
Initial Piles: [7, 8]
g-values: [g(7)=2, g(8)=3]
Nim-Sum (2 ^ 3): 1

This is a Winning Position.
Searching for a winning move...
A winning move is to split pile 7 into piles of size 3 and 4.
New state: [8, 3, 4]
";

const FIVE: &str = "\
Initial Piles: [5]
g-values: [g(5)=0]
Nim-Sum (0): 0

This is a Losing Position.
";

#[test]
fn the_two_examples_byte_for_byte() {
    for words in [
        &["7", "8"][..],
        &["analyse", "7", "8"],
        &["7,8"],
        &["-g", "split", "7", "8"],
        &["7", "8", "--color=never"],
    ] {
        nim_analyser(words)
            .assert()
            .success()
            .stdout(SEVEN_EIGHT)
            .stderr("");
    }
    nim_analyser(&["5"])
        .assert()
        .success()
        .stdout(FIVE)
        .stderr("");
}

#[test]
fn colour_only_where_it_is_asked_for() {
    let coloured = stdout(&["7", "8", "--color", "always"]);
    assert!(
        coloured.contains("\u{1b}[1m\u{1b}[32mWinning\u{1b}[0m"),
        "{coloured:?}"
    );
    nim_analyser(&["7", "8"])
        .env("CLICOLOR_FORCE", "1")
        .assert()
        .success()
        .stdout(coloured);
    nim_analyser(&["7", "8"])
        .env("NO_COLOR", "1")
        .assert()
        .success()
        .stdout(SEVEN_EIGHT);
}

#[test]
fn json_byte_for_byte() {
    let one = r#"{"schema":1,"kind":"analysis","game":"couples-are-forever","code":null,"convention":"normal","piles":[7,8],"nim_values":[2,3],"nim_sum":1,"outcome":"N","winning":true,"winning_moves":[{"index":0,"pile":7,"take":0,"leave":[3,4],"position":[8,3,4],"kind":"heap","text":"split pile 7 into piles of size 3 and 4"}]}"#;
    assert_eq!(stdout(&["7", "8", "--json"]), format!("{one}\n"));
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    schema: u32,
    kind: String,
    game: String,
    code: Option<String>,
    convention: String,
    piles: Vec<u64>,
    nim_values: Option<Vec<u128>>,
    nim_sum: Option<u128>,
    outcome: String,
    winning: bool,
    /// What the answer rests on, where that is a period.
    #[serde(default)]
    basis: Option<serde_json::Value>,
    winning_moves: Vec<WinningMove>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct WinningMove {
    index: usize,
    pile: u64,
    take: u64,
    leave: Vec<u64>,
    position: Vec<u64>,
    kind: String,
    text: String,
}

fn json(words: &[&str]) -> Report {
    let report = stdout(&[words, &["--json"]].concat());
    let report: Report = serde_json::from_str(&report).unwrap();
    assert_eq!((report.schema, &*report.kind), (1, "analysis"));
    report
}

#[test]
fn json_is_read_back_strictly() {
    let report = json(&["-g", "kayles", "3", "3", "1", "--all"]);
    assert_eq!(
        (report.game.as_str(), report.code.as_deref()),
        ("kayles", Some("0.77"))
    );
    assert_eq!(
        (
            report.convention.as_str(),
            report.outcome.as_str(),
            report.winning
        ),
        ("normal", "N", true)
    );
    assert_eq!(
        (report.piles, report.nim_values, report.nim_sum),
        (vec![3, 3, 1], Some(vec![3, 3, 1]), Some(1))
    );
    let whole = WinningMove {
        index: 2,
        pile: 1,
        take: 1,
        leave: vec![],
        position: vec![3, 3],
        kind: "heap".to_owned(),
        text: "take the whole of pile 1".to_owned(),
    };
    assert!(
        report.winning_moves.contains(&whole),
        "{:?}",
        report.winning_moves
    );
    // Equal piles keep their index, and no move is listed twice.
    assert!(report.winning_moves.iter().any(|found| found.index == 0));
    assert!(report.winning_moves.iter().any(|found| found.index == 1));
    let mut keys: Vec<_> = report
        .winning_moves
        .iter()
        .map(|found| (found.index, found.take, &found.leave))
        .collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), report.winning_moves.len());

    let lost = json(&["5", "--all"]);
    assert!(lost.basis.is_none());
    assert_eq!(
        (lost.outcome.as_str(), lost.winning, lost.winning_moves),
        ("P", false, vec![])
    );
}

#[test]
fn numbers_beyond_the_floating_ones_are_exact() {
    let report = json(&["-g", "nim", "18446744073709551615", "9007199254740993"]);
    assert_eq!(report.piles, [u64::MAX, 9_007_199_254_740_993]);
    assert_eq!(
        report.nim_sum,
        Some(u128::from(u64::MAX ^ 9_007_199_254_740_993))
    );
    let report = json(&["-g", "lasker", "18446744073709551615"]);
    assert_eq!(report.nim_values, Some(vec![1 << 64]));
    assert_eq!(report.basis.unwrap()["saltus"], 4);
}

#[test]
fn moves_in_words() {
    let line = |words: &[&str]| stdout(words).lines().nth(6).map(String::from).unwrap();
    assert_eq!(
        line(&["-g", "nim", "9", "7"]),
        "A winning move is to take 2 from pile 9, leaving 7."
    );
    assert_eq!(
        line(&["-g", "nim", "2"]),
        "A winning move is to take the whole of pile 2."
    );
    assert_eq!(
        line(&["-g", "officers", "6", "7"]),
        "A winning move is to take 1 from pile 6 and split the rest into 2 and 3."
    );
    assert_eq!(
        line(&["-g", "8.0", "5"]),
        "A winning move is to split pile 5 into piles of size 1, 2 and 2."
    );
}

#[test]
fn one_code_however_it_is_written() {
    let canonical = stdout(&["-g", "0.77", "9", "--json"]);
    for code in [".77", "0.770", "0,77", "octal:.77"] {
        assert_eq!(stdout(&["-g", code, "9", "--json"]), canonical);
    }
    assert!(canonical.contains(r#""game":"0.77","code":"0.77""#));
}

#[test]
fn exit_codes() {
    nim_analyser(&["7", "8", "--exit-code"]).assert().code(0);
    nim_analyser(&["5", "--exit-code"])
        .assert()
        .code(1)
        .stdout(FIVE);
    nim_analyser(&["5"]).assert().code(0);
    nim_analyser(&["--help"]).assert().code(0);
    nim_analyser(&["--version"]).assert().code(0);
}

#[test]
fn bad_input_is_refused_with_an_empty_stdout() {
    let refused: &[(&[&str], &str)] = &[
        (&["--json"], "required"),
        (&["-3"], "can't be negative"),
        (&["1.5"], "without a fraction"),
        (&[""], "is empty"),
        (&["7", ""], "is empty"),
        (&["2^64"], "too large"),
        (&["1e20"], "too large"),
        (&["99999999999999999999999"], "too large"),
        (&["7x"], "missing"),
        (&["7", "eight"], "bad pile `eight`"),
        (&["seven"], "no command and no game is called `seven`"),
        (&["anlayse", "7"], "analyse"),
        (&["-g", "kayle", "7"], "did you mean `kayles`"),
        (&["-g", "", "7"], "unknown game"),
        (&["-g", "20.017", "7"], "^"),
        (&["-g", "0.[3", "7"], "^"),
        (&["-g", "octal:0.9", "7"], "^"),
        (&["-g", "subtraction:", "7"], "missing"),
        (&["-g", "subtraction:0,1", "7"], "at least one"),
        (&["-g", "all-but:x", "7"], "whole numbers"),
        (&["-g", "subtraction:65537", "7"], "65536"),
        (&["--bogus", "7"], "--bogus"),
        (&["7", "--memory", "lots"], "--memory"),
        (&["7", "--threads", "0"], "at least one thread"),
        (&["7", "--engine", "fast"], "pairs, sparse, partitions"),
        (
            &["-g", "8.0", "2000", "--engine", "sparse"],
            "can't compute 8.0",
        ),
        (&["man", "nothing"], "no command"),
        (&["completions", "csh"], "csh"),
    ];
    for (words, reason) in refused {
        let (code, out, stderr) = run(words);
        assert_eq!((code, out.as_str()), (2, ""), "{words:?}");
        assert!(
            stderr.starts_with("error: ") && stderr.contains(reason),
            "{words:?}: {stderr}"
        );
        assert!(!stderr.contains("panicked"), "{words:?}: {stderr}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_error_that_cannot_be_told_is_no_panic() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = program();
    let status = command.args(["7", "eight"]).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn what_is_out_of_reach_is_refused_with_what_would_do() {
    for words in [
        &["-g", "{2+}.0", "1e6"][..],
        &["-g", "grundy", "1e15"],
        &["5000", "--memory", "1K"],
    ] {
        let (code, out, stderr) = run(words);
        assert_eq!((code, out.as_str()), (3, ""), "{words:?}");
        assert!(
            stderr.starts_with("error: ") && stderr.contains("within reach"),
            "{words:?}: {stderr}"
        );
    }
}

#[test]
fn piles_of_nim_of_any_size() {
    let text = stdout(&["-g", "nim", "1e18", "2^60", "7x3"]);
    assert!(
        text.starts_with("Initial Piles: [1000000000000000000, 1152921504606846976, 7, 7, 7]\n"),
        "{text}"
    );
    assert!(text.contains("\nThis is a Winning Position.\n"));
    // A long run of equal values before the first change, and takings far apart.
    let rare = json(&["-g", "subtraction:65536", "1e18", "70000"]);
    assert_eq!(rare.nim_values, Some(vec![0, 1]));
}

#[test]
fn the_first_moves_of_millions_come_at_once_and_a_closed_pipe_is_quiet() {
    let mut command = program();
    // Millions of splits win, so the program ends early only because nobody reads on.
    command
        .args(["-g", "lasker", "999999999999999999", "1e18", "--all"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(
        lines
            .nth(20)
            .unwrap()
            .unwrap()
            .starts_with("A winning move is to ")
    );
    drop(lines);
    let output = child.wait_with_output().unwrap();
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_working_is_shown() {
    let text = stdout(&["7", "8", "--explain"]);
    let working = text
        .strip_prefix(SEVEN_EIGHT)
        .expect("the standard lines come first");
    for line in [
        "  2 + 5 -> 0 ^ 0 = 0",
        "  g(7) = mex {0, 1, 3} = 2",
        "   2   1 0",
        "   3   1 1",
        "  1s   2 1   number of 1s",
    ] {
        assert!(
            working.lines().any(|shown| shown == line),
            "{line:?} is missing from\n{working}"
        );
    }
    assert!(working.contains("3 ^ 3 = 0."), "{working}");
    let folded = stdout(&["1000", "--explain"]);
    assert!(
        folded.contains("more options") && folded.lines().count() < 50,
        "{folded}"
    );
}

#[test]
fn every_engine_and_kernel_gives_the_same_answer_and_is_named() {
    let answer = stdout(&["4000"]);
    let ways: [(&[&str], &str); 6] = [
        (&["--engine", "definition"], "by definition"),
        (&["--engine", "pairs"], "pairs engine"),
        // Its name to version 0.2.
        (&["--engine", "quadratic"], "pairs engine"),
        (&["--engine", "sparse"], "sparse engine"),
        (
            &["--kernel", "portable", "--threads", "2"],
            "(portable, 2 threads)",
        ),
        (&["--threads", "1"], "1 thread)"),
    ];
    for (options, named) in ways {
        let words = [&["4000", "--verbose"], options].concat();
        let (_, out, stderr) = run(&words);
        assert_eq!(out, answer);
        assert!(stderr.contains(named), "{words:?}: {stderr}");
    }
}

#[test]
fn the_games_are_listed() {
    let text = stdout(&["games"]);
    let list: Vec<serde_json::Value> = serde_json::from_str(&stdout(&["games", "--json"])).unwrap();
    assert_eq!(list[0]["name"], "couples-are-forever");
    for game in &list {
        let name = game["name"].as_str().unwrap();
        assert!(text.contains(name), "{name}");
        let position: &[&str] = match name {
            "fibonacci-nim" => &["20"],
            _ => &["3", "4"],
        };
        nim_analyser(&[&["-g", name], position].concat())
            .assert()
            .success();
        for alias in game["aliases"].as_array().unwrap() {
            let named = [&["-g", alias.as_str().unwrap(), "--json"], position];
            let report = stdout(&named.concat());
            let report: serde_json::Value = serde_json::from_str(&report).unwrap();
            assert_eq!(report["game"], name);
        }
    }
}

#[test]
fn manners() {
    assert!(stdout(&["completions", "bash"]).contains("nim-analyser"));
    assert!(stdout(&["man"]).starts_with(".ie"));
    assert!(stdout(&["man", "analyse"]).contains("analyse"));
    assert!(stdout(&["--help"]).contains("Examples:"));
    assert!(stdout(&["analyse", "--help"]).contains("Examples:"));
}
