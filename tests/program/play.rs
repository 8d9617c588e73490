//! Games at the terminal as scripts play them: lines in, lines out.

use crate::common::program::{nim_analyser, printed, program};
use assert_cmd::Command;
use std::path::Path;

fn play(words: &[&str]) -> Command {
    let mut command = nim_analyser("play");
    command.args(words).env("LC_ALL", "C.UTF-8");
    command
}

/// What is shown when these lines are typed.
fn shown(words: &[&str], lines: &[&str]) -> String {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    printed(play(words).write_stdin(input))
}

/// Asserts that the texts are shown in this order.
fn shows(text: &str, wanted: &[&str]) {
    let mut rest = text;
    for want in wanted {
        match rest.find(want) {
            Some(at) => rest = &rest[at + want.len()..],
            None => panic!("`{want}` isn't shown in the rest of\n{text}"),
        }
    }
}

#[test]
fn a_game_of_kayles_lost_by_one_move() {
    let text = shown(
        &["-g", "kayles", "5", "--explain"],
        &["2 1", "3 9", "2 1", "hint", "hint", "4", "4 1"],
    );
    assert_eq!(
        text,
        "\
kayles (0.77): take one or two adjacent stones; what is left may be two piles.
Whoever can't move loses.
Type `help` for the commands.
Prediction: you win with perfect play (an N-position: whoever moves next wins).

   12345
   ∗∗∗∗∗

> 2 1
You take 1 at 2.
The perfect player takes 2 at 3.
  It wins: this leaves a P-position, in which whoever moves next loses.

   12345
   ∗×××∗

> 3 9
No: the stone at 3 is gone.
> 2 1
No: the stone at 2 is gone.
> hint
Hint: no move wins against perfect play. (`hint` again shows the one that is hardest to answer.)
> hint
Hint: no move wins against perfect play. Take 1 at 1: this leaves only one winning answer, the last move.
> 4
No: the stone at 4 is gone.
> 4 1
No: the stone at 4 is gone.
"
    );
}

/// What a refused line must not change: the hints asked for, and the random positions to come.
#[test]
fn a_refused_line_changes_nothing_and_a_hint_belongs_to_its_position() {
    let drawn = |lines: &[&str]| {
        let text = shown(&["-g", "nim", "--seed", "4"], lines);
        text.rsplit_once("> new\n").unwrap().1.to_owned()
    };
    assert_eq!(drawn(&["new"]), drawn(&["new 1e18", "new"]));
    let text = shown(&["-g", "nim", "1", "2", "3"], &["hint", "new 1e18", "hint"]);
    shows(
        &text,
        &[
            "again shows",
            "No: ",
            "Hint: no move wins against perfect play. Take ",
        ],
    );
    // Several answers win: whether they end the game is not said.
    let text = shown(&["-g", "subtraction:3,4,5", "9"], &["hint", "hint"]);
    shows(&text, &["leaving 6: this leaves 2 winning answers.\n"]);
    let text = shown(
        &["-g", "nim", "3", "4", "5"],
        &["1 from 5", "hint", "undo", "2 from 5", "hint"],
    );
    assert_eq!(text.matches("again shows").count(), 2, "{text}");
}

#[test]
fn the_end_tells_who_won_and_where_the_game_was_lost() {
    let text = shown(
        &["-g", "kayles", "5"],
        &["2 1", "1", "undo", "undo", "3", "1 2", "4 2"],
    );
    shows(
        &text,
        &[
            "No move is left after move 4.\nThe perfect player wins with the last move, against the prediction.",
            "You threw the win away at move 1: take 1 at 2.\n  To win: take 1 at 3.",
            "> undo\nThe last 2 moves are taken back.",
            "> undo\nThe last 2 moves are taken back.",
            "> 3\nNo: how many? from 3 on you may take 1 or 2.",
        ],
    );
    let two = ["-g", "nim", "9", "--first", "human", "--second", "human"];
    let text = shown(&two, &["-> 8", "-> 7", "-> 6", "-> 5", "-> 4", "4 -> 0"]);
    shows(
        &text,
        &[
            "at move 5: ",
            "(The win changed sides earlier too, at moves 1, 3.)",
        ],
    );
    let text = shown(&["nim", "1"], &["1", "9", "again", "1 from 1"]);
    let over = "No: the game is over: `new` begins another, `undo` takes back your last move, `quit` ends.";
    assert_eq!(text.matches(over).count(), 3, "{text}");
    let text = shown(&["-g", "kayles", "5"], &["3 1", "1 2", "5 1", "4", "5"]);
    shows(
        &text,
        &[
            "You win with the last move, as predicted.",
            "The perfect player never had a won position.",
        ],
    );
}

#[test]
fn nim_with_piles_in_every_form_of_a_move() {
    let text = shown(
        &["-g", "nim", "3", "4", "5"],
        &[
            "2 from 3",
            "undo",
            "take 2 from 3",
            "undo",
            "3 -> 1",
            "undo",
            "3 to 1",
            "undo",
            "-> 1 4 5",
            "undo",
            "#2",
            "undo",
            "take 2 from pile 3, leaving 1",
        ],
    );
    assert_eq!(
        text.matches("You take 2 from pile 3, leaving 1.").count(),
        7,
        "{text}"
    );
}

/// The answers to lines typed in one position: each move that is made is taken back.
pub fn answers(words: &[&str], lines: &[&str]) -> Vec<String> {
    let undone = lines.iter().flat_map(|&line| [line, "undo"]);
    let text = shown(words, &undone.collect::<Vec<_>>());
    let mut answers = text.split("\n> ").skip(1);
    let mut found = Vec::new();
    while let Some(answer) = answers.next() {
        let (_, answer) = answer.split_once('\n').unwrap_or((answer, ""));
        found.push(answer.lines().next().unwrap_or_default().to_owned());
        answers.next();
    }
    assert_eq!(found.len(), lines.len(), "{text}");
    found
}

#[test]
fn what_has_one_meaning_is_played_and_what_has_two_is_asked() {
    let check = |words: &[&str], cases: &[(&str, &str)]| {
        let lines: Vec<&str> = cases.iter().map(|&(line, _)| line).collect();
        for (answer, (line, wanted)) in answers(words, &lines).iter().zip(cases) {
            assert!(answer.starts_with(wanted), "{words:?}, {line}: {answer}");
        }
    };
    check(
        &["-g", "nim", "3", "4", "5"],
        &[
            ("5 take 2", "You take 2 from pile 5, leaving 3."),
            ("pile 4 take 3", "You take 3 from pile 4, leaving 1."),
            ("remove two from the pile of 5", "You take 2 from pile 5,"),
            ("all from 5", "You take the whole of pile 5."),
            ("take one of 4", "You take 1 from pile 4,"),
            ("take both from 3", "You take 2 from pile 3,"),
            ("4 2", "You take 2 from pile 4, leaving 2."),
            ("4 4", "You take the whole of pile 4."),
            ("4=>1", "You take 3 from pile 4, leaving 1."),
            (
                "5 2",
                "No: which one? `5 2` may mean `2 from 5` or `5 -> 2`.",
            ),
            ("3 5", "You take 3 from pile 5,"),
            ("3", "No: 3 from which pile?"),
            ("take all", "No: all from which pile?"),
        ],
    );
    check(
        &["-g", "subtraction:1-3", "21"],
        &[
            ("3", "You take 3 from pile 21, leaving 18."),
            ("take one", "You take 1 from pile 21,"),
            ("4", "No: `4` is not a legal move; the rule: take"),
            ("21 3", "You take 3 from pile 21, leaving 18."),
            (
                "4 from 21",
                "No: `4 from 21` is not a legal move; the rule: take 1, 2 or 3 stones.",
            ),
        ],
    );
    check(
        &["-g", "kayles", "9"],
        &[
            ("2,3", "You take 2 at 2."),
            ("2 and 3", "You take 2 at 2."),
            ("remove the stone at 3", "No: how many?"),
            ("take 2 at 3", "You take 2 at 3."),
            (
                "3,2",
                "No: which one? take 2 at 3 (`3 2`); or take 2 at 2 (`2 2`).",
            ),
            ("take 2", "No: take 2 at which place, or the stone at 2?"),
            ("2 stones", "No: 2 stones from which place on?"),
            ("2 and 5", "No: these places are not side by side."),
        ],
    );
    check(
        &["-g", "grundy", "7", "5"],
        &[
            (
                "split 7 into 3 and 4",
                "You split pile 7 into piles of size 3 and 4.",
            ),
            ("3 4", "You split pile 7 into piles of size 3 and 4."),
            (
                "split 5",
                "No: split 5 into what? Say the parts too, as in `7 -> 1 6`",
            ),
            (
                "5",
                "No: a move splits a pile: say the pile and its parts, as in",
            ),
        ],
    );
}

#[test]
fn a_bad_move_is_refused_with_the_reason_and_nothing_is_lost() {
    let lines = [
        "4 from 3",
        "2 from 9",
        "0 from 3",
        "3 -> 1 1",
        "#99",
        "#0",
        "nonsense",
        "3 from",
        "undo",
        "moves 9",
        "new x",
        "why not",
        "1e30 from 3",
    ];
    let text = shown(&["-g", "nim", "3", "4", "5"], &lines);
    shows(
        &text,
        &[
            "No: a pile of 3 has no 4 stones to take.",
            "No: there is no pile of 9.",
            "No: a move must take something.",
            "No: `3 -> 1 1` is not a legal move; the rule: take any number of stones from a pile.",
            "No: there is no move #99; `moves` lists them by number.",
            "No: there is no move #0",
            "No: `nonsense` isn't understood; a move is typed like `1 from 3`, and `help`",
            "No: `3 from` isn't understood",
            "No: you have made no move yet.",
            "No: there is 1 page.",
            "No: bad pile `x`",
            "No: type `why` alone.",
            "No: ",
        ],
    );
    assert_eq!(
        text.matches("∗∗∗∗∗").count(),
        1,
        "the board is shown again\n{text}"
    );
}

#[test]
fn a_row_refuses_what_isnt_adjacent_or_not_allowed() {
    let text = shown(
        &["-g", "0.137", "9"],
        &[
            "10 1", "0 1", "4 1", "4 2", "4 4", "4-6", "3 3", "5", "1 2", "9-7",
        ],
    );
    shows(
        &text,
        &[
            "No: the places are 1 to 9.",
            "No: the places are counted from 1.",
            "No: that would leave two runs, 3 and 5, but a move that takes 1 must leave nothing of its run.",
            "No: that would leave two runs, 3 and 4, but a move that takes 2 must leave nothing of its run or one run.",
            "No: a move takes 1, 2 or 3, not 4.",
            "You take 3 at 4.",
            "No: from 3 on there is only 1 stone.",
            "No: the stone at 5 is gone.",
        ],
    );
    shows(&text, &["No: 9 to 7 is no run of places."]);
}

#[test]
fn the_default_game_splits_piles() {
    let text = shown(&["7", "8"], &["7 -> 3 4", "4 = 2 + 2", "moves"]);
    shows(
        &text,
        &[
            "couples-are-forever: split a pile of three or more into two piles.",
            "   7  ∗∗∗∗∗∗∗\n   8  ∗∗∗∗∗∗∗∗\n",
            "You split pile 7 into piles of size 3 and 4.",
            "The perfect player splits pile",
            "You split pile 4 into piles of size 2 and 2.",
        ],
    );
}

#[test]
fn grundys_game_asks_which_move_is_meant_where_several_fit() {
    let text = shown(&["-g", "grundy", "7"], &["7 -> 1 6"]);
    shows(&text, &["You split pile 7 into piles of size 1 and 6."]);
    let text = shown(&["-g", "4.77", "7"], &["1 from 7"]);
    shows(
        &text,
        &[
            "No: which one? take 1 from pile 7, leaving 6; or take 1 from pile 7 and split the rest into",
        ],
    );
}

#[test]
fn games_that_are_no_sums_of_heaps() {
    let text = shown(
        &["-g", "staircase", "0", "3", "2", "2"],
        &["1 from 3", "-> 0 3 2 2", "hint"],
    );
    shows(
        &text,
        &[
            "   step  3:  2  ∗∗",
            "You move 1 coin from step 3 to step 2.",
        ],
    );
    let text = shown(&["-g", "wythoff", "4", "6"], &["1 from 4, 1 from 6"]);
    shows(
        &text,
        &[
            "You take 1 from pile 4 and 1 from pile 6.",
            "The perfect player takes",
        ],
    );
    let text = shown(
        &["-g", "poker-nim", "2", "2"],
        &["add 3 to 2", "2 -> 4", "undo", "-> 6 2"],
    );
    shows(
        &text,
        &[
            "and 10 in reserve",
            "You add 3 to pile 2.",
            "The perfect player takes 3 from pile 5",
            "You add 2 to pile 2.",
            "You add 4 to pile 2.",
        ],
    );
    let text = shown(&["-g", "silver-dollar", "1", "4", "9"], &["9 -> 7", "hint"]);
    shows(&text, &["You move the coin on square 9 to square 7."]);
    let text = shown(&["-g", "nimble", "5", "2"], &["7 5", "7 to 5", "5 -> 0"]);
    shows(
        &text,
        &[
            "there is no coin on square 7",
            "there is no coin on square 7",
            "You move the coin on square 5 to square 0.",
        ],
    );
    let text = shown(&["-g", "fibonacci-nim", "20"], &["2", "help"]);
    shows(
        &text,
        &[
            "   and at most 19 may be taken",
            "You take 2 from pile 20, leaving 18.",
        ],
    );
    let text = shown(
        &["-g", "northcott", "2-7", "1-4", "3-4"],
        &["2-7 -> 4-7", "help"],
    );
    shows(
        &text,
        &[
            "   1-4  ○ · · ● · · · ·\n   3-4  · · ○ ● · · · ·\n   and 10 retreats left",
            "You move from 2-7 to 4-7.",
        ],
    );
    let sum = [
        "northcott",
        "2-7",
        "+",
        "staircase",
        "0",
        "2",
        "+",
        "nim",
        "2",
    ];
    let text = shown(&sum, &["northcott:10: 2-7 -> 6-7"]);
    shows(
        &text,
        &[
            "   northcott:10:\n   2-7  · ○ · · · · ● ·\n   and 10 retreats left\n   staircase:\n   step  0:  0\n   step  1:  2  ∗∗\n   nim:\n   2  ∗∗\n",
            "In northcott:10: you move from 2-7 to 6-7.",
        ],
    );
    // Of a part that isn't named, though the first move of the sum is one on a graph of rows.
    let text = shown(&sum, &["1 from 2"]);
    shows(&text, &["In nim: you take 1 from pile 2, leaving 1."]);
    play(&["-g", "wythoff", "4"]).assert().code(2).stdout("");
}

#[test]
fn a_new_game_that_is_out_of_reach_doesnt_end_the_old_one() {
    let text = shown(&["5"], &["new 1e12", "new 5e18", "5 -> 1 4"]);
    assert_eq!(text.matches("> new").count(), 2);
    assert_eq!(text.matches("No: ").count(), 2, "{text}");
    shows(&text, &["You split pile 5 into piles of size 1 and 4."]);
}

#[test]
fn a_new_game_and_a_page_of_moves() {
    let text = shown(
        &["-g", "kayles", "12"],
        &["moves", "moves 2", "new 2 2", "m", "new", "quit", "moves"],
    );
    shows(
        &text,
        &[
            "#20 take 2 at 8",
            "page 1 of 2, 23 moves; `moves 2` shows more",
            "#21 take 2 at 9",
            "page 2 of 2, 23 moves",
            "Prediction: the perfect player wins",
            "   12  34\n   ∗∗  ∗∗\n",
            "#6 take 2 at 3",
            "   ∗∗∗∗∗∗∗∗∗∗∗∗\n",
            "> quit\n",
        ],
    );
    assert!(text.ends_with("> quit\n"), "{text}");
}

#[test]
fn a_seed_repeats_what_is_left_to_chance() {
    let random = [
        "-g", "kayles", "--first", "random", "--second", "random", "--seed", "7",
    ];
    let once = shown(&random, &[]);
    assert_eq!(once, shown(&random, &[]));
    shows(
        &once,
        &[
            "--seed 7 repeats the random choices.",
            "The first player",
            "The second player",
            "No move is left",
        ],
    );
    let other = shown(
        &[
            "-g", "kayles", "--first", "random", "--second", "random", "--seed", "8",
        ],
        &[],
    );
    assert_ne!(once, other);
}

#[test]
fn an_opening_out_of_reach_is_drawn_again() {
    for seed in ["1", "3"] {
        let drawn = [
            "-g",
            "grundy + kayles",
            "--misere",
            "--positions",
            "30",
            "--seed",
            seed,
        ];
        shows(&shown(&drawn, &[]), &["Prediction: ", "   kayles:\n"]);
    }
}

#[test]
fn plain_ascii_on_request_and_where_the_locale_isnt_utf_8() {
    let plain = shown(&["-g", "kayles", "5", "--ascii"], &["2 1"]);
    shows(&plain, &["   *****\n", "   *xxx*\n"]);
    assert!(plain.is_ascii());
    let mut command = play(&["-g", "kayles", "5"]);
    command.env("LC_ALL", "C").write_stdin("2 1\n");
    assert_eq!(printed(&mut command), plain);
    let games: serde_json::Value =
        serde_json::from_str(&printed(&mut nim_analyser("games --json"))).unwrap();
    for game in games.as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let words = ["-g", name, "--seed", "1", "--ascii"];
        let text = shown(&words, &["help", "hint", "hint", "why", "moves", "#1"]);
        assert!(text.is_ascii(), "{text}");
    }
    shows(
        &shown(&["-g", "northcott", "2-4", "--ascii"], &[]),
        &["  2-4  . o . @ . . . .\n"],
    );
}

#[test]
fn the_prediction_can_be_hidden() {
    let text = shown(&["-g", "kayles", "1", "--no-prediction"], &["1"]);
    assert!(!text.contains("redict"), "{text}");
    shows(
        &text,
        &["No move is left after move 1.\nYou win with the last move."],
    );
}

#[test]
fn misere_play_is_won_by_leaving_the_last_move() {
    let text = shown(
        &["-g", "nim", "1", "1", "2", "--misere"],
        &["2 -> 1", "1 -> 0"],
    );
    shows(
        &text,
        &[
            "Misère: whoever makes the last move loses.",
            "You win: the perfect player made the last move, as predicted.",
        ],
    );
}

#[test]
fn what_cant_be_played_is_refused_before_it_begins() {
    // In the ruler game the k-th move turns k coins: a few thousand moves name millions.
    for words in [["-g", "nim", "1e18"], ["-g", "ruler", "100000"]] {
        play(&words)
            .timeout(std::time::Duration::from_secs(60))
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicates::str::contains("too many to play"));
    }
    play(&["-g", "kayls", "5"]).assert().code(2).stdout("");
    play(&["five"]).assert().code(2).stdout("");
    play(&["--first", "cheat"]).assert().code(2).stdout("");
    play(&["5", "--record", "/nowhere/at/all"])
        .assert()
        .code(3)
        .stderr(predicates::str::contains("/nowhere/at/all"));
}

#[test]
fn bytes_that_are_no_text_are_a_bad_move() {
    let text = printed(play(&["-g", "nim", "3"]).write_stdin(b"\xff\xfe\n3 -> 0\n".to_vec()));
    shows(&text, &["No: ", "You take the whole of pile 3."]);
    // Nor does what is typed change colours, or fill pages.
    let typed = format!("\x02evil\x1b[31m\nnew \x03x\n{}\n", "x".repeat(30_000));
    let text = printed(play(&["-g", "nim", "3", "--color", "always"]).write_stdin(typed));
    shows(
        &text,
        &[
            r"No: `\u{2}evil\u{1b}[31m` isn't understood",
            r"No: bad pile `\u{3}x`",
            "(30002 characters)",
        ],
    );
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = program()
        .args([
            "play",
            "-g",
            "nim",
            "2000",
            "2000",
            "--first",
            "random",
            "--second",
            "first-move",
        ])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn long_rows_go_over_several_lines_and_longer_ones_are_piles() {
    let text = shown(&["-g", "kayles", "65", "3"], &["new 300", "new 0"]);
    let sixty = "∗".repeat(60);
    let picture = format!(
        "
            1         2         3         4         5         6
   123456789012345678901234567890123456789012345678901234567890
   {sixty}

   12345  678
   ∗∗∗∗∗  ∗∗∗
"
    );
    let pile = format!("\n   300  {sixty}…\n");
    shows(
        &text,
        &[
            &picture,
            &pile,
            "   (no stones)\n",
            "There is no move to make.",
        ],
    );
}

#[test]
fn a_killed_game_keeps_what_was_played() {
    let folder = folder();
    let file = folder.path().join("game.jsonl");
    let mut child = program()
        .args([
            "play",
            "-g",
            "nim",
            "3",
            "4",
            "5",
            "--record",
            file.to_str().unwrap(),
        ])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    use std::io::Write;
    child
        .stdin
        .as_mut()
        .unwrap()
        .write_all(b"2 from 3\n")
        .unwrap();
    let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
    let lines = || {
        std::fs::read_to_string(&file)
            .unwrap_or_default()
            .lines()
            .count()
    };
    while lines() < 3 && std::time::Instant::now() < end {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let told = shown(&["--replay", file.to_str().unwrap()], &[]);
    shows(
        &told,
        &[
            "You take 2 from pile 3, leaving 1.",
            "After 2 moves:",
            "the game was not finished",
        ],
    );
}

/// The record of a game played by these lines.
fn recorded(folder: &Path, words: &[&str], lines: &[&str]) -> (String, String) {
    let file = folder.join("game.jsonl");
    let path = file.to_str().unwrap();
    let words = [words, &["--record", path]].concat();
    shown(&words, lines);
    (path.to_owned(), std::fs::read_to_string(&file).unwrap())
}

#[test]
fn a_record_is_played_again_with_the_verdict_at_each_position() {
    let folder = folder();
    let lines = ["3 1", "undo", "2 1", "1"];
    let (path, record) = recorded(folder.path(), &["-g", "kayles", "5", "--seed", "1"], &lines);
    assert_eq!(
        record,
        r#"{"schema":1,"kind":"record","event":"start","game":"kayles","convention":"normal","piles":[5],"first":"human","second":"perfect","seed":1,"outcome":"N"}
{"schema":1,"kind":"record","event":"move","ply":1,"side":"first","words":"take 1 at 3","at":3,"take":1,"position":[2,2]}
{"schema":1,"kind":"record","event":"move","ply":2,"side":"second","words":"take 1 at 1","at":1,"take":1,"position":[1,2]}
{"schema":1,"kind":"record","event":"undo","moves":2}
{"schema":1,"kind":"record","event":"move","ply":1,"side":"first","words":"take 1 at 2","at":2,"take":1,"position":[1,3]}
{"schema":1,"kind":"record","event":"move","ply":2,"side":"second","words":"take 2 at 3","at":3,"take":2,"position":[1,1]}
{"schema":1,"kind":"record","event":"move","ply":3,"side":"first","words":"take 1 at 1","at":1,"take":1,"position":[1]}
{"schema":1,"kind":"record","event":"move","ply":4,"side":"second","words":"take 1 at 5","at":5,"take":1,"position":[]}
{"schema":1,"kind":"record","event":"end","winner":"second","moves":4}
"#
    );
    let told = shown(&["--replay", &path], &[]);
    assert_eq!(shown(&["--replay", "-"], &[record.trim_end()]), told);
    shows(
        &told,
        &[
            "At the start:",
            "   ∗∗∗∗∗\n",
            "You win from here with perfect play (N-position).\nTo win: take 1 at 3.\nYou take 1 at 2.\n  That throws the win away.",
            "After 1 move:",
            "The perfect player wins from here with perfect play (N-position).",
            "After 2 moves:\n\n   12345\n   ∗×××∗\n",
            "(P-position).\nYou take 1 at 1.\n",
            "After 4 moves:\n\n   12345\n   ×××××\n\nNo move is left after move 4.\nThe perfect player wins with the last move.",
            "You threw the win away at move 1: take 1 at 2.\n  To win: take 1 at 3.",
            "(Moves taken back on the way: 2.)",
        ],
    );
}

#[test]
fn a_record_that_breaks_off_is_played_as_far_as_it_goes() {
    let folder = folder();
    let (path, _) = recorded(folder.path(), &["-g", "nim", "3", "4", "5"], &["2 from 3"]);
    shows(
        &shown(&["--replay", &path], &[]),
        &[
            "After 2 moves:",
            "The record ends here; the game was not finished.",
        ],
    );
}

#[test]
fn a_bad_record_is_an_error_with_its_line() {
    let folder = folder();
    let (path, record) = recorded(folder.path(), &["-g", "kayles", "5"], &["2 1", "1"]);
    let refused = |record: &str, why: &str| {
        std::fs::write(&path, record).unwrap();
        let run = play(&["--replay", &path]).assert().code(2).stdout("");
        let error = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        assert!(error.contains(why), "`{why}` isn't in {error}");
    };
    refused("", "line 1: there is no game in the record");
    refused("{\n", "line 1: not an event");
    refused(
        &record[record.find('\n').unwrap() + 1..],
        "line 1: a record begins with a `start` event",
    );
    refused(
        &record.replace(r#""game":"kayles""#, r#""game":"kayls""#),
        "line 1: unknown game `kayls`",
    );
    refused(
        &record.replace(r#""at":2,"take":1"#, r#""at":2,"take":7"#),
        "line 2: illegal move `take 1 at 2`: from 2 on there are only 4 adjacent stones",
    );
    refused(
        &record.replace("[1,3]", "[1,4]"),
        "line 2: `take 1 at 2` leaves [1, 3], not [1, 4]",
    );
    refused(
        &record.replace(r#""ply":2"#, r#""ply":3"#),
        "line 3: move 3 where move 2 should come",
    );
    refused(
        &record.replace(r#""side":"second""#, r#""side":"first""#),
        "line 3: the first player moves where it is the second's turn",
    );
    refused(
        &record.replace(r#""winner":"second""#, r#""winner":"first""#),
        "line 6: the first player is said to win, but the second has",
    );
    let (last, _) = record.trim_end().rsplit_once('\n').unwrap();
    let (short, _) = last.rsplit_once('\n').unwrap();
    let (start, _) = record.split_once('\n').unwrap();
    let end = r#"{"event":"end","winner":"first","moves":3}"#;
    refused(
        &format!("{short}\n{end}"),
        "line 5: an end where moves are left",
    );
    refused(
        &format!("{short}\n{}", r#"{"event":"undo","moves":9}"#),
        "line 5: 9 moves taken back where 3 were made",
    );
    refused(
        &format!("{start}\n{}", r#"{"event":"undo","moves":1}"#),
        "line 2: 1 move taken back where 0 were made",
    );
    refused(
        &format!("{short}\n{}", &last[last.len() - 20..]),
        "line 5: not an event",
    );
    std::fs::remove_file(&path).unwrap();
    play(&["--replay", &path])
        .assert()
        .code(2)
        .stderr(predicates::str::contains("can't read"));
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn the_rule_is_that_of_the_game_at_hand() {
    for (game, piles, rule) in [
        ("moore:3", ["3", "4"], "take stones from 1 to 3 piles."),
        (
            "poker-nim:2",
            ["2", "2"],
            "a reserve of 2, which is never refilled",
        ),
        ("twins", ["2", "5"], "turn exactly two coins, the right one"),
        ("mock-turtles", ["2", "5"], "turn one to three coins"),
    ] {
        let text = shown(&["-g", game, piles[0], piles[1]], &[]);
        assert!(text.lines().next().unwrap().contains(rule), "{text}");
        assert!(!text.contains("turning-turtles"), "{text}");
    }
}
