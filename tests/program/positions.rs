//! Positions from a pipe or a file: a line in, a line out, in order.

use crate::common::codes::codes;
use crate::common::program::{nim_analyser, program};
use proptest::prelude::*;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// What is printed for an input.
fn answers(words: &str, input: impl Into<Vec<u8>>) -> Vec<String> {
    let output = nim_analyser(words).write_stdin(input).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let is_error =
        |line: &String| line.starts_with("error: ") || line.contains(r#""kind":"error""#);
    let code = if lines.iter().any(is_error) { 3 } else { 0 };
    assert_eq!(output.status.code(), Some(code), "{lines:?}");
    lines
}

const MIXED: &str = "7 8\r\n5\nfoo\n\n{\"game\":\"kayles\",\"piles\":[3,\"4x2\"],\"misere\":true}\n{\"pile\":[3]}\n\0\n0\n{\"game\":\"wythoff\",\"piles\":[1,2,3]}\n3,3";

#[test]
fn a_line_in_is_a_line_out_and_a_bad_one_says_where() {
    let found = answers("- -q", MIXED);
    let errors: Vec<_> = (found.iter().enumerate())
        .filter(|(_, line)| line.starts_with("error: line "))
        .map(|(at, _)| at)
        .collect();
    assert_eq!((found.len(), errors), (9, vec![2, 4, 5, 7]));
    assert_eq!(
        found[0],
        "[7, 8] is winning (nim-sum 1): split pile 7 into piles of size 3 and 4"
    );
    assert_eq!(found[1], "[5] is losing (nim-sum 0)");
    assert!(found[2].starts_with("error: line 3: bad pile `foo`"));
    assert_eq!(
        found[3],
        "[3, 4, 4] is winning (nim-sum 3): take 2 from pile 3, leaving 1"
    );
    assert_eq!(found[8], "[3, 3] is losing (nim-sum 0)");
    let game = answers("- -q -g nim", "kayles 3 4");
    let (word, help) = (
        "bad pile `kayles`",
        "`-g kayles` names the game of all lines",
    );
    assert!(game[0].contains(word) && game[0].contains(help), "{game:?}");
    nim_analyser("-")
        .write_stdin(MIXED)
        .assert()
        .code(3)
        .stderr("4 of 9 lines failed\n");
}

#[test]
fn blank_lines_and_comments_are_skipped_and_counted() {
    let found = answers("-", "# piles\n\n7 8\n  \t\r\n  # {\n5 # x\n");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("[7, 8] is winning"));
    assert!(found[1].starts_with("error: line 6: "), "{}", found[1]);
    assert_eq!(answers("-", "\n#\n").len(), 0);
}

#[test]
fn a_line_may_have_a_rule_of_its_own() {
    let rule = r#"{"rule":"take 1 or 2","piles":[7]}"#;
    assert_eq!(
        answers("- -g nim", rule),
        answers("-", r#"{"game":"take 1 or 2","piles":[7]}"#)
    );
    let both = r#"{"rule":"take 1","game":"nim","piles":[7]}"#;
    assert!(answers("-", both)[0].contains("both name the game"));
}

#[test]
fn lines_end_as_any_system_ends_them_and_a_byte_order_mark_is_none_of_them() {
    let plain = answers("-", "7 8\n5\n0\n3,3\n");
    for input in [
        "7 8\r5\r0\r3,3\r",
        "7 8\r\n5\r\n0\r\n3,3",
        "\u{feff}7 8\n5\r0\r\n3,3",
    ] {
        assert_eq!(answers("-", input), plain, "{input:?}");
    }
}

#[test]
fn an_object_a_line_is_that_of_a_position_alone() {
    let found = answers("- --json --all", MIXED);
    for (words, at) in [
        ("7 8", 0),
        ("5", 1),
        ("3 4 4 -g kayles --misere", 3),
        ("3 3", 8),
    ] {
        let alone = answers(&format!("{words} --json --all"), "");
        assert_eq!(found[at], alone[0], "{words}");
    }
    let error: serde_json::Value = serde_json::from_str(&found[5]).unwrap();
    assert_eq!(error["line"], 7);
    assert!(error["error"].as_str().unwrap().contains(r"`\0`"));
    assert_eq!(
        (&error["schema"], &error["kind"]),
        (&1.into(), &"error".into())
    );
    assert_eq!(error.as_object().unwrap().len(), 4);
}

#[test]
fn a_file_is_read_like_a_pipe_and_threads_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions");
    let mut text = String::new();
    for n in 0..3000u32 {
        let (a, b) = (n * 7919 % 997, n * 104_729 % 1009);
        text += &match n % 50 {
            7 => format!("{a} x\n"),
            9 => format!("{{\"game\":\"0.{:o}7\",\"piles\":[{a},{b}]}}\n", n / 50),
            _ => format!("{a} {b} {n}\n"),
        };
    }
    std::fs::write(&file, &text).unwrap();
    let one = answers("- --threads 1 --json", text);
    assert_eq!(one.len(), 3000);
    let file = file.display();
    assert_eq!(
        answers(&format!("-g nim --from {file} --json"), ""),
        answers(&format!("--from {file} --json -g nim"), "")
    );
    assert_eq!(
        answers(&format!("--from {file} --threads 3 --json"), ""),
        one
    );
}

#[test]
fn a_partner_gets_its_answer_before_it_goes_on() {
    let mut child = program()
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for (question, answer) in [
        ("5", "[5] is losing"),
        ("7", "[7] is winning"),
        ("x", "error: line 3"),
    ] {
        writeln!(input, "{question}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.starts_with(answer), "{line}");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn strict_stops_at_the_first_bad_line_and_keeps_what_was_answered() {
    let output = nim_analyser("- --strict").write_stdin(MIXED).assert();
    let output = output.code(2).get_output().clone();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.starts_with("error: line 3: bad pile `foo`"),
        "{error}"
    );
}

#[test]
fn noise_and_long_lines_are_errors_of_their_lines() {
    let mut noise: Vec<u8> = (0..200_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    noise.extend(b"\n7 8\n");
    noise.extend(vec![b'9'; 1 << 20]);
    noise.extend(b"\n5");
    let found = answers("- -q", noise);
    assert!(found[found.len() - 3].starts_with("[7, 8] is winning"));
    assert!(
        found[found.len() - 2].len() < 500,
        "an error as long as its line"
    );
    assert_eq!(found[found.len() - 1], "[5] is losing (nim-sum 0)");
}

#[test]
fn a_closed_pipe_is_quiet() {
    let script = "seq 1 20000 | $NIM - | head -n 1";
    let output = std::process::Command::new("sh")
        .args(["-c", script])
        .env("NIM", program().get_program())
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"[1] is losing (nim-sum 0)\n");
    assert_eq!(output.stderr, b"");
}

#[test]
fn what_makes_no_sense_together_is_refused() {
    for words in
        "- 7 | 7 - | - --explain | - --exit-code | 7 --strict | --from x - 7 | --from no-such-file"
            .split(" | ")
    {
        nim_analyser(words).assert().code(2).stdout("");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// Random games and positions, together and each alone.
    #[test]
    fn positions_together_are_answered_as_each_alone(
        asked in prop::collection::vec((codes(), prop::collection::vec(0u64..9, 1..4)), 1..4),
    ) {
        let lines = asked.iter().map(|(code, piles)| {
            serde_json::json!({"game": code, "piles": piles}).to_string() + "\n"
        });
        let together = answers("- --json", lines.collect::<String>());
        for (line, (code, piles)) in together.iter().zip(&asked) {
            let mut alone = nim_analyser(&["--json", "-g", code]);
            alone.args(piles.iter().map(u64::to_string));
            let output = alone.output().unwrap();
            if output.status.success() {
                prop_assert_eq!(format!("{line}\n"), String::from_utf8(output.stdout).unwrap());
            } else {
                prop_assert!(line.contains("\"error\""), "{}", line);
            }
        }
    }
}
