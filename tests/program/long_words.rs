//! Words of any length, in every place where a word is read: an answer or an error, never a panic.

use crate::common::program::nim_analyser;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::tempdir;

/// More characters than the width of a format may count, and fewer bytes than a system allows a word.
const LONG: usize = 70_000;

/// The most bytes of an error: what is long is shortened.
const MESSAGE: usize = 5_000;

fn output_in(directory: &Path, words: &[&str], input: &str) -> Output {
    // A program that refuses its words reads nothing.
    let mut command = nim_analyser(words);
    let output = command.current_dir(directory).write_stdin(input).output();
    output.unwrap()
}

/// What was said on standard error, which is short and no panic.
fn checked(output: &Output, what: &str) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 2 | 3)), "{what}: {code:?} {said}");
    assert!(!said.contains("panicked"), "{what}: {said}");
    assert!(said.len() <= MESSAGE, "{what}: {} bytes", said.len());
    said
}

/// Long words of many kinds: a digit or a letter again and again, alone and within a code, a set, a name, a number.
fn words() -> Vec<String> {
    let long = |text: &str| text.repeat(LONG / text.len());
    vec![
        long("7"),
        format!("0.{}@", long("7")),
        format!("0.@{}", long("7")),
        format!("{}.7", long("0")),
        format!("0.[{}", long("3")),
        format!("0.{{{}", long("2,")),
        long("x"),
        long("é"),
        long("日本"),
        format!("subtraction:{}", long("1,")),
        format!("moore:{}", long("9")),
        format!("take {}", long("1 or ")),
        long("a b "),
        long("\u{1b}["),
        long("3,"),
        format!("7x{}", long("1")),
        format!("2^{}", long("0")),
        format!("{{\"{}\":1}}", long("k")),
        format!("{{\"game\":\"{}\"}}", long("g")),
        format!("{{\"game\":\"0.{}@\",\"piles\":[5]}}", long("7")),
        format!("{{\"piles\":[\"{}\"]}}", long("7")),
        format!("{{\"piles\":[{}]}}", long("-")),
    ]
}

#[test]
fn a_long_word_is_answered_in_every_place_of_the_command_line() {
    let directory = tempdir().unwrap();
    let places: [&[&str]; 16] = [
        &["WORD"],
        &["-g", "WORD", "5"],
        &["--rule", "WORD", "5"],
        &["lookup", "WORD"],
        &["lookup", "--sequence", "1", "WORD"],
        &["survey", "WORD", "--dry-run"],
        &["values", "-g", "WORD", "9"],
        &["values", "9", "--from", "WORD"],
        &["sum", "WORD"],
        &["mex", "WORD"],
        &["verify", "WORD"],
        &["graph", "WORD"],
        &["--from", "WORD"],
        &["quotient", "WORD", "--heaps", "3"],
        &["5", "--memory", "WORD"],
        &["simulate", "WORD", "5", "--games", "1"],
    ];
    for (at, word) in words().iter().enumerate() {
        // Each word in some of the places, each place with some of the words.
        for place in places.iter().skip(at % 6).step_by(6) {
            let words = place.map_word(word);
            let output = output_in(directory.path(), &words, "");
            checked(&output, &format!("{place:?} with word {at}"));
        }
    }
}

trait Place {
    fn map_word<'w>(&'w self, word: &'w str) -> Vec<&'w str>;
}

impl Place for &[&str] {
    fn map_word<'w>(&'w self, word: &'w str) -> Vec<&'w str> {
        let put = |&place: &&'w str| if place == "WORD" { word } else { place };
        self.iter().map(put).collect()
    }
}

#[test]
fn a_long_line_is_an_error_line_and_the_others_are_answered() {
    let directory = tempdir().unwrap();
    let lines: Vec<String> = words()
        .iter()
        .flat_map(|word| [word.replace('\n', " "), "7 8".to_owned()])
        .collect();
    for words in [&["-"][..], &["-", "--json"], &["-", "-g", "nim"]] {
        let output = output_in(directory.path(), words, &lines.join("\n"));
        checked(&output, &format!("{words:?}"));
        let text = String::from_utf8(output.stdout).unwrap();
        let answers: Vec<&str> = text.lines().collect();
        assert_eq!(answers.len(), lines.len(), "{words:?}");
        for (at, answer) in answers.iter().enumerate() {
            let is_error =
                answer.starts_with("error: line") || answer.contains(r#""kind":"error""#);
            let is_answer = answer.contains("winning") || answer.contains("losing");
            assert!(is_error || is_answer, "line {at}: {answer}");
            assert!(!is_error || answer.len() <= MESSAGE, "line {at}: {answer}");
            assert!(at % 2 == 0 || !is_error, "line {at}: {answer}");
        }
    }
}

#[test]
fn files_of_long_names_are_read() {
    let directory = tempdir().unwrap();
    let name = "v".repeat(LONG);
    let files = [
        ("edges", format!("{name} b\nb c\n")),
        ("dot", format!("digraph {{ \"{name}\" -> b -> c }}")),
        (
            "json",
            format!("{{\"edges\":[[\"{name}\",\"b\"],[\"b\",\"c\"]]}}"),
        ),
        ("loop", format!("{name} {name}\n")),
        ("cycle", format!("{name} b\nb {name}\n")),
        ("broken", format!("digraph {{ a -> \"{name}")),
        ("key", format!("{{\"{name}\":[]}}")),
    ];
    for (file, text) in files {
        fs::write(directory.path().join(file), text).unwrap();
        for words in [
            &["graph", file][..],
            &["graph", file, "--misere"],
            &["verify", file],
        ] {
            let output = output_in(directory.path(), words, "");
            checked(&output, &format!("{words:?}"));
        }
        let vertex = ["graph", file, "--at", &name];
        checked(
            &output_in(directory.path(), &vertex, ""),
            &format!("{file}, its vertex"),
        );
    }
    let output = output_in(directory.path(), &["graph", "edges"], "");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(
        table.lines().all(|line| line.len() > LONG),
        "the columns are aligned"
    );
    let piles = vec!["3"; LONG / 2].join(",");
    let output = output_in(directory.path(), &["genus", "-g", "kayles", &piles], "");
    assert_eq!(checked(&output, "genus"), "");
}

#[test]
fn no_width_of_a_format_is_a_variable_that_words_from_outside_set() {
    // Widths that are those of numbers, which have 39 digits at most, or of names of the program's own.
    const OF_NUMBERS: [&str; 10] = [
        "analysis/binary_columns.rs",
        "analysis/nim.rs",
        "app/commands/shown.rs",
        "app/commands/pairs.rs",
        "app/play/board.rs",
        "app/play/row.rs",
        "app/report/plot/terminal.rs",
        "app/report/quotient.rs",
        "app/report/sequence/text.rs",
        "app/report/text.rs",
    ];
    let mut wrong = Vec::new();
    let mut folders = vec![Path::new("src").to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|ending| ending != "rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let by_variable = text
                .match_indices("$}")
                .any(|(at, _)| text[..at].ends_with(|c: char| c.is_ascii_lowercase() || c == '_'));
            let allowed = OF_NUMBERS.iter().any(|file| path.ends_with(file));
            if by_variable && !allowed {
                wrong.push(path);
            }
        }
    }
    assert!(wrong.is_empty(), "use style::padded in {wrong:?}");
}
