//! One habit for all commands: how games, piles and files are named, and what is said where they are not understood.

use crate::common::program::{answer, nim_analyser, printed, stdout};
use predicates::prelude::*;
use predicates::str::contains;

fn refused(words: &[&str], what: &str) {
    nim_analyser(words)
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains(what));
}

#[test]
fn a_game_is_named_by_g_or_by_a_word() {
    for (by_word, by_option) in [
        (&["period", "kayles"][..], &["period", "-g", "kayles"][..]),
        (&["period", "0.56"], &["period", "-g", "0.56"]),
        (
            &["values", "kayles", "30"],
            &["values", "30", "-g", "kayles"],
        ),
        (&["values", "30", "0.137"], &["values", "-g", "0.137", "30"]),
        (&["plot", "kayles"], &["plot", "-g", "kayles"]),
        (&["plot", "kayles", "60"], &["plot", "60", "-g", "kayles"]),
        (&["lookup", "0.07"], &["lookup", "-g", "0.07"]),
        (&["analyse", "nim", "3", "4"], &["-g", "nim", "3", "4"]),
        (
            &["game-graph", "nim", "2", "1"],
            &["game-graph", "-g", "nim", "2", "1"],
        ),
        (&["genus", "kayles", "5"], &["genus", "-g", "kayles", "5"]),
        (
            &["quotient", "kayles", "5"],
            &["quotient", "-g", "kayles", "--piles", "5"],
        ),
        (&["pairs", "nim", "4"], &["pairs", "-g", "nim", "4"]),
        (
            &["survey", "kayles", "--dry-run"],
            &["survey", "-g", "kayles", "--dry-run"],
        ),
        (
            &["simulate", "kayles", "9", "--games", "9"],
            &["simulate", "-g", "kayles", "9", "--games", "9"],
        ),
        (
            &["play", "Kayles", "5", "--first", "random"],
            &["play", "-g", "kayles", "5", "--first", "random"],
        ),
    ] {
        let seed: &[&str] = if by_word[0] == "play" {
            &["--seed", "1", "--second", "random"]
        } else {
            &[]
        };
        let words = |words: &[&'static str]| printed(&mut nim_analyser(&[words, seed].concat()));
        assert_eq!(words(by_word), words(by_option), "{by_word:?}");
    }
    refused(&["values", "nim", "9", "-g", "kayles"], "named twice");
    refused(&["values", "kayles"], "values 100 -g kayles");
    refused(&["values", "kayles", "nim"], "two games");
    refused(&["quotient", "kayles", "9", "--piles", "5"], "given twice");
    refused(&["analyse", "nim"], "no piles are given");
}

#[test]
fn a_game_in_the_place_of_a_command_is_analysed() {
    for words in [
        &["nim", "3", "4", "5"][..],
        &["0.77", "5"],
        &["Kayles", "5", "--all"],
        &["take 1 or 2", "7"],
        &["turning-turtles", "3", "5", "--json"],
    ] {
        let named = [&["-g"], words].concat();
        assert_eq!(stdout(words), stdout(&named), "{words:?}");
        assert_eq!(stdout(&[&["analyze"], words].concat()), stdout(&named));
    }
    refused(&["kayles"], "no piles are given");
    refused(&["subtraction", "9"], "as in subtraction:1,2,3");
    refused(&["nym", "3"], "no command and no game is called `nym`");
}

#[test]
fn a_power_of_ten_may_have_a_point_and_a_code_stays_a_code() {
    let fifteen = stdout(&["values", "15", "-g", "kayles"]);
    assert_eq!(stdout(&["values", "1.5e1", "-g", "kayles"]), fifteen);
    assert_eq!(stdout(&["4.5e3", "20"]), stdout(&["-g", "4.5e3", "20"]));
    refused(&["values", "1.25e1"], "without a fraction");
}

#[test]
fn every_number_of_an_option_may_be_written_as_a_power_or_with_underscores() {
    for (short, plain) in [
        (
            "game-graph nim 2 --limit 1e1",
            "game-graph nim 2 --limit 10",
        ),
        (
            "simulate nim 5 --games 1e1 --seed 1_0 --json",
            "simulate nim 5 --games 10 --seed 10 --json",
        ),
        (
            "play nim 3 --first random --second random --seed 1e3",
            "play nim 3 --first random --second random --seed 1000",
        ),
        (
            "plot 20 kayles --y-range 0..1e1",
            "plot 20 kayles --y-range 0..10",
        ),
        (
            "values 9 kayles --format bfile --offset 1e3",
            "values 9 kayles --format bfile --offset 1000",
        ),
        (
            "values 9 kayles --format bfile --offset=-1_000",
            "values 9 kayles --format bfile --offset -1000",
        ),
    ] {
        assert_eq!(stdout(short), stdout(plain), "{short}");
    }
    stdout("quotient 0.75 --seconds 9.5");
    refused(&["game-graph", "nim", "2", "--limit", "x"], "--limit <N>");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kayles.json");
    let file = file.to_str().unwrap();
    stdout(&["period", "kayles", "--quiet", "--certificate", file]);
    let sample = |count, seed| stdout(&["verify", file, "--sample", count, "--seed", seed]);
    assert_eq!(sample("1e1", "1e1"), sample("10", "10"));
    let piped = answer("verify -", &std::fs::read(file).unwrap());
    assert_eq!(piped, (0, stdout(&["verify", file]), String::new()));
}

#[test]
fn without_a_word_there_is_a_page_to_start_from() {
    let page = stdout(&[]);
    let commands = page
        .lines()
        .filter_map(|line| line.strip_prefix("  nim-analyser "));
    let commands: Vec<&str> = commands.collect();
    assert!(page.lines().count() <= 10 && commands.len() >= 5, "{page}");
    for command in commands {
        let (words, _) = command.split_once("  ").unwrap();
        let words: Vec<&str> = words.split(' ').collect();
        nim_analyser(&words).write_stdin("").assert().success();
    }
}

#[test]
fn names_are_read_in_any_case_and_near_ones_offered() {
    assert_eq!(
        stdout(&["-g", "Kayles", "7"]),
        stdout(&["-g", "kayles", "7"])
    );
    assert_eq!(
        stdout(&["-g", "Wythoff", "4", "7"]),
        stdout(&["-g", "wythoff", "4", "7"])
    );
    refused(
        &["-g", "dawson", "3"],
        "`dawsons-kayles` or `dawsons-chess`",
    );
    refused(&["-g", "subtraction", "5"], "as in subtraction:1,2,3");
    refused(&["-g", "all-but", "5"], "as in all-but:1,2");
    refused(&["-g", "octal", "7"], "as in octal:0.137");
    refused(&["-g", "subtract:1", "5"], "`subtraction:1,2,3`");
    refused(&["-g", "qqqqqq", "5"], "unknown game `qqqqqq`");
    refused(&["-g", "moore", "7"], "as in moore:2");
    assert_eq!(
        stdout(&["-g", "subtraction:1-9", "25", "--json"]),
        stdout(&["-g", "subtraction:1,2,3,4,5,6,7,8,9", "25", "--json"])
    );
}

#[test]
fn piles_are_written_as_lists_are() {
    let answer = stdout(&["7", "8"]);
    for words in [
        &["7,", "8"][..],
        &["7 8"],
        &["[7,", "8]"],
        &["[7, 8]"],
        &["(7,8)"],
    ] {
        assert_eq!(stdout(words), answer, "{words:?}");
    }
    assert_eq!(stdout(&["7×3"]), stdout(&["7x3"]));
    refused(&["10k"], "bad pile `10k`: write thousands");
    for (words, asked) in [
        (&["nim", "1,000"][..], "bad pile `1,000`: a comma stands"),
        (&["nim", "[12,034,5]"], "write 1_000 or 1000"),
        (&["sum", "0x1f", "1,000"], "bad number `1,000`: a comma"),
        (&["values", "1,000", "kayles"], "write 1_000 or 1000"),
        (&["nim", "5..10"], "bad pile `5..10`: it is a range"),
        (&["0..10", "5"], "bad pile `0..10`: it is a range"),
        (&["values", "5-10", "kayles"], "its first behind --from"),
    ] {
        refused(words, asked);
    }
    assert_eq!(stdout(&["nim", "1, 000"]), stdout(&["nim", "1", "0"]));
    assert_eq!(stdout(&["nim", "10,200"]), stdout(&["nim", "10", "200"]));
    refused(&["7,"], "bad pile");
}

#[test]
fn turning_coins_have_the_sequences_of_their_heads() {
    for (game, values) in [
        ("turning-turtles", "[0,1,2,3,4,5,6,7,8]"),
        ("mock-turtles", "[0,1,2,4,7,8,11,13,14]"),
        ("ruler", "[0,1,2,1,4,1,2,1,8]"),
        ("twins", "[0,0,1,2,3,4,5,6,7]"),
    ] {
        let json = stdout(&["values", "8", "-g", game, "--json"]);
        assert!(json.contains(&format!("\"values\":{values}")), "{json}");
        // The formulas are the mex of the moves.
        let rule = nim_analyser::game::Turning::named(game).unwrap().heads();
        let table = nim_analyser::engine::definition::nim_values(&rule, 60).unwrap();
        let shown = stdout(&["values", "60", "-g", game, "--format", "csv"]);
        for (heap, value) in table.iter().enumerate() {
            assert!(
                shown.contains(&format!("\n{heap},{value}\n")),
                "{game} {heap}"
            );
        }
        nim_analyser(&["plot", "60", "-g", game]).assert().success();
    }
    // The formula gives any pile, and values that no table holds.
    for (game, value) in [
        ("mock-turtles", "1999999999999999998"),
        ("ruler", "262144"),
        ("twins", "999999999999999999"),
    ] {
        let far = format!("values 1e18 -g {game} --from 1e18 --format csv");
        let shown = stdout(&far.split(' ').collect::<Vec<_>>());
        assert!(
            shown.ends_with(&format!("\n1000000000000000000,{value}\n")),
            "{shown}"
        );
    }
    refused(&["period", "ruler"], "there is no period");
    refused(&["values", "9", "-g", "wythoff"], "is not a sum of piles");
}

#[test]
fn a_dash_is_standard_output_and_unknown_endings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let within = |words: &[&str]| {
        let mut command = nim_analyser(words);
        command.current_dir(folder.path());
        command
    };
    within(&["values", "5", "-o", "-"])
        .assert()
        .success()
        .stdout(contains("0 |"));
    within(&["plot", "5", "-o", "-", "--format", "svg"])
        .assert()
        .success()
        .stdout(contains("<svg"));
    for name in ["x.xml", "x.xyz"] {
        within(&["values", "5", "-o", name])
            .assert()
            .code(2)
            .stderr(contains(".csv, .json, .bfile, .npy, .tex, .md, .tsv or"));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    for (name, first) in [
        ("b002186.txt", "0 0\n"),
        ("x.bfile", "0 0\n"),
        ("x.TXT", " n |"),
        ("x.CSV", "n,g\n"),
    ] {
        within(&["values", "5", "-o", name]).assert().success();
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(
            text.starts_with(first.trim_start_matches(' ')) || text.starts_with(first),
            "{name}: {text}"
        );
    }
}

#[test]
fn a_missing_file_is_wrong_input_everywhere() {
    for words in [
        &["verify", "no-such-file"][..],
        &["graph", "no-such-file"],
        &["play", "--replay", "no-such-file"],
        &["lookup", "--sequence", "no-such-file"],
        &["--from", "no-such-file"],
    ] {
        refused(words, "can't read no-such-file: ");
    }
}

#[test]
fn a_search_for_a_period_ends_with_its_time() {
    // No period of 0.6 is known, and a search for it would go on for hours.
    nim_analyser(&["period", "-g", "0.6", "--seconds", "0.2", "--json"])
        .assert()
        .success()
        .stdout(contains("\"status\":\"none\"").and(contains("\"period\":null")));
}

#[test]
fn rules_are_given_in_words() {
    assert_eq!(
        stdout(&["values", "20", "--rule", "take 1..3", "--json"]),
        stdout(&["values", "20", "-g", "subtraction:1,2,3", "--json"])
    );
    assert_eq!(
        stdout(&["values", "8", "--rule", "take squares", "--format", "wl"]),
        "LWLWWLWLW\n"
    );
    assert!(stdout(&["--rule", "take up to half", "7", "11"]).contains("Nim-Sum"));
    refused(&["--rule", "take fish", "7"], "bad rule `take fish`");
    refused(
        &["--rule", "take 1", "-g", "nim", "7"],
        "cannot be used with",
    );
}

#[test]
fn learners_get_the_working_of_a_table_and_the_mex() {
    let text = stdout(&["values", "7", "--from", "6", "-e", "-g", "subtraction:1,3"]);
    assert_eq!(
        text,
        "Pile 6:\n  take 1: leaves a pile of 5, nim-value 1\n  take 3: leaves a pile of 3, nim-value 1\n  g(6) = mex {1} = 0\n\nPile 7:\n  take 1: leaves a pile of 6, nim-value 0\n  take 3: leaves a pile of 4, nim-value 0\n  g(7) = mex {0} = 1\n"
    );
    assert!(stdout(&["mex", "0", "1", "3", "4"]).starts_with("mex {0, 1, 3, 4} = 2\n"));
    assert!(stdout(&["mex"]).starts_with("mex {} = 0\n"));
    assert_eq!(
        stdout(&["sum", "--binary", "10", "11", "100"]),
        stdout(&["sum", "2", "3", "4"])
    );
    refused(&["sum", "--binary", "12"], "`12`: not a 64-bit number");
    refused(&["sum", "--binary", "0b1", "10"], "bad number `0b1`");
    assert_eq!(
        stdout(&["-g", "kayles", "∗××∗∗"]),
        stdout(&["-g", "kayles", "1", "2"])
    );
}

#[test]
fn p_positions_of_two_piles_are_listed_and_drawn() {
    assert_eq!(
        stdout(&["pairs", "7", "-g", "wythoff"]),
        "0 0\n1 2\n3 5\n4 7\n"
    );
    assert_eq!(
        stdout(&["pairs", "2", "-g", "wythoff", "--grid"]),
        "0 | P . .\n1 | . . P\n2 | . P .\n  +------\n    0 1 2\n"
    );
    assert_eq!(stdout("pairs silver-dollar 3"), "0 1\n1 2\n2 3\n");
    assert_eq!(stdout("pairs turning-turtles 3"), "");
    refused(&["pairs", "fibonacci-nim", "3"], "it needs one pile");
}

#[test]
fn numbers_of_one_are_singular_and_sizes_have_units() {
    let one = stdout(&["simulate", "nim", "1", "--games", "1"]);
    assert!(
        one.ends_with("won 1 of 1 game.\nThe game took 1 move.\n"),
        "{one}"
    );
    let working = stdout(&["-g", "nim", "1", "--misere", "--explain"]);
    assert!(
        working.contains("There is one pile of one stone"),
        "{working}"
    );
    let words = ["values", "1e12", "-g", "0.007", "--memory", "8G"];
    let run = nim_analyser(&words).assert().code(3);
    run.stderr(predicates::str::contains(
        "its table would take 1.9 TiB (8 GiB allowed)",
    ));
}

#[test]
fn misere_play_is_offered_where_it_is_answered() {
    for command in ["values", "period", "plot", "lookup", "invariants", "survey"] {
        assert!(
            !stdout(&[command, "--help"]).contains("--misere"),
            "{command}"
        );
        refused(&[command, "-g", "kayles", "--misere"], "--misere");
    }
    for command in "analyse | play | simulate | pairs | game-graph | genus | quotient".split(" | ")
    {
        assert!(
            stdout(&[command, "--help"]).contains("--misere"),
            "{command}"
        );
    }
}

#[test]
fn the_help_names_every_engine() {
    use nim_analyser::engine::Engine;
    for command in ["analyse", "values", "period"] {
        let help = stdout(&[command, "--help"]);
        let (_, behind) = help.split_once("--engine").unwrap();
        let about: String = behind
            .split_whitespace()
            .take(30)
            .collect::<Vec<_>>()
            .join(" ");
        for engine in Engine::ALL {
            assert!(
                about.contains(engine.name()),
                "{command}: {engine} is not in {about}"
            );
            let word = engine.name();
            nim_analyser(&["values", "9", "-g", "nim", "--engine", word, "--quiet"])
                .assert()
                .code(predicates::function::function(|&code: &i32| {
                    [0, 2].contains(&code)
                }));
        }
    }
}

#[test]
fn what_is_refused_is_refused_for_what_it_is() {
    let cases: [(&[&str], &str); 5] = [
        (&["--from", "Cargo.toml", "7"], "give no piles beside them"),
        (&["7", "-"], "give no piles beside them"),
        (&["play", "-g", "nim", "7x1000000"], "a million piles"),
        (&["7", "--threads", "2^64"], "from 1 to 2^64-1"),
        (
            &["survey", "0.?????????????????????"],
            "a pattern has at most 20 times ?",
        ),
    ];
    for (words, what) in cases {
        refused(words, what);
    }
    stdout(&["7", "--threads", "1e18"]);
    stdout(&["survey", "0.8?", "--values", "10"]);
    for (pile, what) in [
        ("-1", "bad pile `-1`: it can't be negative"),
        ("1.0", "a pile has a fraction or an exponent"),
        ("18446744073709551616", "a pile is too large"),
        ("null", "expected a pile"),
        ("[3]", "expected a pile"),
    ] {
        let line = format!("{{\"piles\":[{pile}]}}");
        let run = nim_analyser(&["-", "--quiet"]).write_stdin(line).assert();
        run.stdout(contains(what).and(contains("untagged").not()));
    }
}

#[test]
fn the_working_speaks_of_one_other_pile_as_of_one() {
    for (piles, wanted) in [
        (
            &["5"][..],
            "there is no other pile, so what is left must have the nim-sum 0.",
        ),
        (&["5", "6"], "the other pile, 6, has the nim-value 3."),
        (
            &["5", "6", "1"],
            "the other piles together have the nim-sum",
        ),
    ] {
        let working = stdout(&[&["kayles", "--explain"], piles].concat());
        assert!(working.contains(wanted), "{piles:?}: {working}");
    }
}

#[test]
fn nim_products_quotients_roots_and_tables() {
    assert_eq!(stdout(&["mul", "8", "9"]), "8 ⊗ 9 = 5\n");
    assert_eq!(stdout(&["mul", "2", "0x3", "4"]), "2 ⊗ 3 ⊗ 4 = 4\n");
    assert_eq!(
        stdout(&["mul", "--divide", "5", "9"]),
        "5 ⊘ 9 = 8, because 8 ⊗ 9 = 5\n"
    );
    assert_eq!(
        stdout(&["mul", "--sqrt", "3"]),
        "the nim square root of 3 is 2, because 2 ⊗ 2 = 3\n"
    );
    assert_eq!(
        stdout(&["mul", "--table", "3"]),
        "⊗ | 0 1 2 3\n-----------\n0 | 0 0 0 0\n1 | 0 1 2 3\n2 | 0 2 3 1\n3 | 0 3 1 2\n"
    );
    let largest = "18446744073709551615";
    assert!(stdout(&["mul", largest, "1"]).ends_with(&format!("= {largest}\n")));
    refused(&["mul", "8"], "two numbers or more");
    refused(&["mul", "--divide", "8", "0"], "division by 0");
    refused(&["mul", "--table", "256"], "from 0 to at most 255");
    refused(&["mul"], "required");
    for words in [["mul", "x", "2"], ["sum", "x", "2"], ["mex", "x", "2"]] {
        refused(&words, "bad number `x`: not a whole number; write 7");
    }
    refused(&["sum", "0b2"], "bad number `0b2`: not a 64-bit number");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn games_are_found_by_their_values_with_their_names() {
    let found = |words: &[&str]| stdout(&[&["lookup", "--quiet"], words].concat());
    let mock = found(&[
        "0",
        "1",
        "2",
        "4",
        "7",
        "8",
        "11",
        "13",
        "14",
        "16",
        "--sequence",
    ]);
    assert!(mock.contains("mock-turtles(n)"), "{mock}");
    let ruler = found(&["1", "2", "1", "4", "1", "2", "1", "8", "--sequence"]);
    assert!(ruler.contains("ruler(n+1)"), "{ruler}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("values.csv");
    let file = file.to_str().unwrap();
    stdout(&["values", "50", "-g", "kayles", "-o", file]);
    let kayles = found(&["--sequence", file]);
    assert!(kayles.contains("0.77(n)         kayles"), "{kayles}");
    let list = "0,1,2,3,1,4,3,2,1,4,2,6,4,1,2,7,1,4,3,2";
    let listed = found(&["--sequence", list]);
    assert_eq!(listed, found(&[list, "--sequence"]));
    refused(&["lookup", "--sequence", "0,1,x"], "can't read 0,1,x");
}

#[test]
fn the_likeliest_first_mistakes_are_answered_by_what_to_type() {
    for (words, said) in [
        (&["kayle", "5"][..], "did you mean the game `kayles`?"),
        (&["xyzzy", "3"], "no command and no game is called `xyzzy`"),
        (&["help", "kayles"], "`nim-analyser lookup kayles` tells"),
        (&["nim", "3", "-misere"], "did you mean `--misere`?"),
        (
            &["misere", "nim", "3"],
            "did you mean the option `--misere`?",
        ),
        (&["kayles", "--plot"], "`nim-analyser plot GAME`"),
        (&["kayles"], "write them as in `nim-analyser kayles 5 6`"),
        (
            &["7,8,x"],
            "bad pile `x`: not a whole number; write 7, 1_000",
        ),
        (
            &["kayles:5 + nim:3"],
            "piles stand behind the game, with a blank between",
        ),
        (&["-g", "kayls", "5"], "did you mean `kayles`?"),
        (&["value", "10"], "did you mean the command `values`?"),
        (
            &["7", "8", "--explian"],
            "a similar argument exists: '--explain'",
        ),
        (
            &["values", "kayles"],
            "the last pile is missing; write it as in",
        ),
        (&["subtraction", "10"], "as in subtraction:1,2,3"),
        (&["0.77.", "5"], "bad take-and-break code: a second point"),
        (
            &["wythoff", "3", "4", "5"],
            "it needs two piles, as in 3 5, not 3",
        ),
        (&["nim", "1e20"], "the largest is 2^64-1"),
        (&["plot", "kayles", "-o", "a.jpg"], "use .svg or .png"),
    ] {
        let refused = nim_analyser(words).assert().code(2).stdout("");
        refused.stderr(contains(said));
    }
}

#[test]
fn the_usage_says_where_a_game_may_stand() {
    for (command, usage) in [
        ("analyse", "[GAME] [PILES]..."),
        ("play", "[GAME] [PILES]..."),
        ("simulate", "[GAME] [PILES]..."),
        ("genus", "[GAME] [PILES]..."),
        ("game-graph", "[GAME] <PILES>..."),
        ("values", "[GAME] [N]"),
    ] {
        let help = stdout(&[command, "-h"]);
        let line = format!("Usage: nim-analyser {command} [OPTIONS] {usage}\n");
        assert!(help.contains(&line), "{help}");
    }
}

#[test]
fn every_option_of_the_manual_pages_has_a_text() {
    let folder = tempfile::tempdir().unwrap();
    stdout(&["man", "--out", folder.path().to_str().unwrap()]);
    let mut options = 0;
    for page in std::fs::read_dir(&folder).unwrap() {
        let text = std::fs::read_to_string(page.unwrap().path()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for three in lines.windows(3) {
            if three[0] == ".TP" && three[1].starts_with("\\fB\\-") {
                assert!(
                    !three[2].is_empty() && !three[2].starts_with('.'),
                    "{three:?}"
                );
                options += 1;
            }
        }
    }
    assert!(options > 200, "{options}");
}
