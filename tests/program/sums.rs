//! Sums of different games, as a user writes and sees them.

use crate::common::program::{answer, run, stdout};
use serde_json::Value;

#[test]
fn a_sum_is_written_in_several_ways_and_answered_alike() {
    let wanted = stdout(&["kayles", "5", "6", "+", "nim", "3", "5"]);
    assert!(wanted.ends_with(
        "A winning move is in kayles: take 2 from pile 6 and split the rest into 1 and 3.\nNew state: kayles [5, 1, 3] + nim [3, 5]\n"
    ));
    for words in [
        &["kayles 5 6 + nim 3 5"][..],
        &["-g", "kayles", "5", "6", "+", "-g", "nim", "3", "5"],
        &["analyse", "--game=kayles", "5", "6", "+", "nim 3,5"],
        &["--rule=kayles", "5", "6", "+", "-gnim", "3", "5"],
        &["-g", "kayles + nim", "5 6 + 3 5"],
        &["analyse", "kayles 5 6", "+", "nim 3 5"],
        &["kayles", "5 6 + nim", "3", "5"],
    ] {
        assert_eq!(stdout(words), wanted, "{words:?}");
    }
    let rule = stdout(&["--rule", "take 1 or 2", "7", "+", "0.77", "3"]);
    assert!(rule.contains("subtraction:1,2 [7] + 0.77 [3]"), "{rule}");
    assert_eq!(stdout(&["take 1 or 2: 7 + 0.77 3"]), rule);
    assert_eq!(stdout(&["take\t1 or 2:\t7 + 0.77 3"]), rule);
    assert_eq!(stdout(&["take 1 or 2", "7", "+", "0.77", "3"]), rule);
    assert_eq!(
        stdout("--rule half 5 + nim 3"),
        stdout(&["take half: 5 + nim 3"])
    );
    assert!(stdout(&["{2+}.0", "5"]).starts_with("Initial Piles: [5]"));
}

#[test]
fn a_graph_is_a_part_like_others() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("moves.txt");
    std::fs::write(&file, "a b\na c\nb c\n").unwrap();
    let game = format!("graph:{}", file.display());
    let out = stdout(&[&game, "a", "+", "nim", "2", "--json"]);
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["outcome"], "P");
    assert_eq!(found["piles"], serde_json::json!([["a"], [2]]));
    let parts = &found["parts"];
    assert_eq!(parts[0]["piles"], serde_json::json!(["a"]));
    assert_eq!(found["winning_moves"], serde_json::json!([]));
    // What a line of JSON says is what it may ask, by names that are strings or numbers.
    for (vertex, name) in [("\"a\"", "a"), ("\"b c\"", "b, c")] {
        let asked = format!(
            "{{\"parts\":[{{\"game\":{game:?},\"piles\":[{vertex}]}},{{\"game\":\"northcott\",\"piles\":[\"2-5\"]}}]}}\n"
        );
        let (code, out, _) = answer(&["-"], &asked);
        assert!(
            out.starts_with(&format!("{game} [{name}] + northcott:10 [2-5]")),
            "{out}"
        );
        assert_eq!(code, 0);
    }
    let (_, out, _) = answer(&["-"], "{\"game\":\"northcott\",\"piles\":[2,5]}\n");
    assert!(
        out.starts_with("[2-5] and 10 retreats left is winning"),
        "{out}"
    );
    let out = stdout(&[&game, "a", "b"]);
    assert!(
        out.contains("A winning move is to move from a to b."),
        "{out}"
    );
}

#[test]
fn a_bad_part_is_named_by_its_number_and_game() {
    for (words, wanted) in [
        (
            &["kayles", "5", "+", "nim", "3", "-4"][..],
            "error: part 2, nim: bad pile `-4`",
        ),
        (
            &["kayles", "5", "+", "foo", "3"],
            "error: part 2, foo: unknown game `foo`",
        ),
        (
            &["kayles", "5", "+", "3"],
            "error: part 2 of the sum `3` is not a game",
        ),
        (&["kayles", "5", "+"], "error: part 2 of the sum is missing"),
        (
            &["5", "+", "nim", "3"],
            "error: part 1 of the sum `5` is not a game",
        ),
        (
            &["kayles", "5", "+", "nim"],
            "error: part 2, nim: its piles are missing",
        ),
        (
            &["wythoff", "1", "+", "nim", "2"],
            "error: part 1, wythoff: wythoff can't be played with these piles",
        ),
        (&["kayles", "+", "nim"], "error: no piles are given"),
        (
            &["-g", "nim", "kayles 5 + nim 3"],
            "error: the game is named twice",
        ),
    ] {
        let (code, out, err) = run(words);
        assert_eq!((code, out.as_str()), (2, ""), "{words:?}");
        assert!(err.starts_with(wanted), "{words:?}: {err}");
    }
    let (code, _, err) = run(&[
        "wythoff",
        "300",
        "200",
        "+",
        "nim",
        "4",
        "--positions",
        "1000",
    ]);
    assert_eq!(code, 3);
    assert!(
        err.starts_with("error: part 1, wythoff: a nim-value of wythoff is out of reach"),
        "{err}"
    );
    assert!(err.contains("--positions 10000 searches further"), "{err}");
}

#[test]
fn an_option_of_a_sum_has_a_value() {
    for words in [
        "kayles 5 + nim 3 -g",
        "kayles 5 + nim 3 --rule",
        "-g -g kayles 5 + nim 3",
        "kayles 5 + -g --json nim 3",
        "play kayles 5 + nim 3 --game",
        "kayles 5 -g + nim 3",
    ] {
        let (code, out, _) = run(words);
        assert_eq!((code, out.as_str()), (2, ""), "{words}");
    }
}

#[test]
fn the_name_of_a_bad_part_is_escaped_once() {
    let (_, _, err) = run(&["kay\u{1}les 5 + nim 3"]);
    let wanted = r"error: part 1, kay\u{1}les: unknown game `kay\u{1}les`; did you mean `kayles`?";
    assert!(err.starts_with(wanted), "{err}");
}

#[test]
fn sums_come_from_a_pipe_as_text_and_as_json() {
    let input = "kayles 5 6 + nim 3 4\n\
        {\"parts\":[{\"game\":\"kayles\",\"piles\":[5,6]},{\"rule\":\"take 1 or 2\",\"piles\":[\"1x2\"]}],\"misere\":true}\n\
        kayles 5 + nim y\n\
        {\"parts\":[{\"game\":\"nim\",\"piles\":[1]}]}\n\
        take 1 or 2: 4 + nim 1\n";
    let (code, out, _) = answer(&["-", "-q"], input);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, lines.len()), (3, 5), "{out}");
    assert_eq!(lines[0], "kayles [5, 6] + nim [3, 4] is losing (nim-sum 0)");
    assert!(
        lines[1].starts_with("kayles [5, 6] + subtraction:1,2 [1, 1] is "),
        "{out}"
    );
    assert!(
        lines[2].starts_with("error: line 3: part 2, nim: bad pile `y`"),
        "{out}"
    );
    assert!(
        lines[3].starts_with("error: line 4: \"parts\" are two games or more"),
        "{out}"
    );
    assert_eq!(
        lines[4],
        "subtraction:1,2 [4] + nim [1] is losing (nim-sum 0)"
    );
    let (code, out, _) = answer(&["-", "-g", "kayles + nim"], "5 6 + 3 4\n");
    assert_eq!(
        (code, out.as_str()),
        (0, "kayles [5, 6] + nim [3, 4] is losing (nim-sum 0)\n")
    );
}

#[test]
fn the_working_shows_every_part() {
    let out = stdout(&["kayles", "2", "+", "moore:2", "1", "2", "--explain"]);
    for wanted in [
        "In kayles [2]:",
        "  g(2) = mex {0, 1} = 2",
        "In moore:2 [1, 2]:",
        "Nim-sum of the parts, in binary columns:",
        "Why the move wins: the other parts together have the nim-sum",
    ] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    let out = stdout(&["nim", "1e9", "+", "kayles", "2", "--misere", "--explain"]);
    assert!(out.contains("All parts are tame"), "{out}");
}

#[test]
fn a_sum_is_played_recorded_and_simulated() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.jsonl");
    let record = record.to_str().unwrap();
    let words = [
        "play", "kayles", "5", "6", "+", "nim", "3", "5", "--record", record,
    ];
    let input = "2 from 5\n1 from 5 in nim\nnim: 1 from 9\nin nim: take 1 from pile 3, leaving 2\nundo\nnew nim 1 + 1\nnew 1 + 1\n";
    let (code, out, _) = answer(&words, input);
    assert_eq!(code, 0);
    for wanted in [
        "No: which one? in kayles: take 2 from pile 5, leaving 3; or",
        "In nim: you take 1 from pile 5, leaving 4.",
        "In kayles: the perfect player takes ",
        "No: there is no pile of 9.",
        "No: part 1, kayles: bad pile `nim`",
        "   kayles:\n   1  ",
    ] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    let (code, out, err) = run(&["play", "--replay", record]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.contains("kayles + nim: make a move in one of the games; in kayles: take one or two"),
        "{out}"
    );
    for words in [
        &[
            "simulate", "kayles", "+", "nim", "--games", "200", "--second", "perfect",
        ][..],
        &[
            "simulate", "kayles", "5", "+", "wythoff", "3", "4", "--games", "200", "--misere",
        ],
    ] {
        assert!(stdout(words).contains("200 games"), "{words:?}");
    }
}

/// Of a part that is a row of Ruler only the winning move counts, whatever the moves of the row alone turn.
#[test]
fn a_row_of_coins_turns_no_more_than_can_be_shown() {
    let lost = stdout("ruler 2097152 4194304 + nim 6291456");
    assert!(lost.ends_with("This is a Losing Position.\n"), "{lost}");
    let (code, _, err) = run("ruler 2199023255552 + nim 1099511627776");
    assert!(
        code == 2 && err.contains("a winning move turns 2199023255552 coins"),
        "{code} {err}"
    );
    let won = stdout("ruler 1099511627776 3298534883328 + nim 2199023255552");
    assert!(won.contains("in nim: take the whole of pile"), "{won}");
}

#[test]
fn a_rule_may_leave_out_take() {
    for (rule, full) in [
        ("cubes", "take cubes"),
        ("even", "take even"),
        ("any number", "take any number"),
        ("1 or half", "take 1 or half"),
        ("split", "split into two"),
        ("kayles", "take 1 or 2 and may split the rest"),
    ] {
        assert_eq!(
            stdout(&["values", "40", "--rule", rule]),
            stdout(&["values", "40", "--rule", full]),
            "{rule}"
        );
    }
    let (_, text, _) = answer(&["-"], "{\"rule\":\"cubes\",\"piles\":[9]}\n");
    assert_eq!(text, "[9] is losing (nim-sum 0)\n");
    let sum = stdout(&["take cubes", "9", "+", "nim", "3"]);
    assert_eq!(stdout(&["--rule", "cubes", "9", "+", "nim", "3"]), sum);
    let part = r#"{"game":"nim","piles":[3]}"#;
    let asked = format!(r#"{{"parts":[{{"rule":"cubes","piles":[9]}},{part}]}}"#);
    let (_, text, _) = answer(&["-"], &asked);
    assert!(
        text.starts_with("take cubes [9] + nim [3] is winning (nim-sum 3)"),
        "{text}"
    );
    for (first, fault) in [
        (
            r#"{"rule":"cubes","game":"nim","piles":[9]}"#,
            "leave one out",
        ),
        (r#"{"piles":[9]}"#, "missing its field `game`"),
    ] {
        let (_, text, _) = answer(&["-"], &format!(r#"{{"parts":[{first},{part}]}}"#));
        assert!(text.contains(fault), "{text}");
    }
    for (rule, wanted) in [
        (
            "foo",
            "error: bad rule `take foo`: `foo` isn't understood\n",
        ),
        ("", "error: bad rule `take`: it ends too early\n"),
        (
            "take -1",
            "error: bad rule `take -1`: `-1` isn't understood\n",
        ),
    ] {
        let (code, _, err) = run(&["--rule", rule, "5"]);
        assert!(code == 2 && err.starts_with(wanted), "{rule}: {err}");
    }
    let (code, _, err) = run(&["pairs", "5", "-g", "northcott"]);
    assert_eq!(code, 2, "{err}");
}
