//! Puts the command in front: `nim-analyser 7 8` means `nim-analyser analyse 7 8`, and options may stand before a
//! command's name. clap's own way to a default command, its arguments beside the subcommands, takes options before a
//! command's name for the default one's and then refuses the command.

use crate::app::commands::graph_file::GRAPH;
use crate::app::commands::shared_args::{as_rule, has_plus, names_game};
use crate::engine::Effort;
use crate::error::{Error, NameError};
use crate::game::catalogue;
use crate::game::sum::PLUS;
use clap::Command;
use std::ffi::OsString;

/// The words of the command line with the command's name first, `analyse` where piles stand without one.
///
/// A first word that is neither an option nor a game, nor could be a pile, is left as it is: a mistyped command is to
/// be reported as one.
pub fn with_command(mut words: Vec<OsString>, cli: &Command) -> Vec<OsString> {
    if words.len() == 3 && words[1] == "help" && (words[2] == "--help" || words[2] == "-h") {
        words.remove(1);
        return words;
    }
    if words.iter().any(|word| word == PLUS) {
        words = with_games_as_words(&words).unwrap_or(words);
    }
    let Some(at) = first_word(&words, cli) else {
        return words;
    };
    let first = words
        .get(at)
        .map(|word| word.to_string_lossy().into_owned());
    let command = first
        .as_deref()
        .and_then(|first| cli.find_subcommand(first).map(|_| first));
    if let Some(command) = command {
        let command = OsString::from(command);
        words.remove(at);
        words.insert(1, command);
    } else if first
        .is_none_or(|first| could_be_piles(&first) || is_game(&first) || has_plus(&first))
    {
        words.insert(1.min(words.len()), OsString::from("analyse"));
    }
    words
}

/// The words of a sum in which each option that names a game is replaced by the name as a word: such a game is that of one part
/// of the sum. `None` if such an option has no value, which is to be reported.
fn with_games_as_words(words: &[OsString]) -> Option<Vec<OsString>> {
    const RULE: &str = "--rule";
    const OPTIONS: [&str; 3] = ["-g", "--game", RULE];
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let option = OPTIONS
            .into_iter()
            .find_map(|option| Some((option, text.strip_prefix(option)?)));
        let (option, value) = match option {
            Some((option, "")) => (option, words.next()?.to_string_lossy()),
            Some((option, rest)) if option == "-g" || rest.starts_with('=') => {
                (option, rest.strip_prefix('=').unwrap_or(rest).into())
            }
            _ => {
                found.push(word.clone());
                continue;
            }
        };
        if value == PLUS || value.starts_with('-') {
            return None;
        }
        found.push(match option {
            RULE => as_rule(&value).into(),
            _ => value.as_ref().into(),
        });
    }
    Some(found)
}

/// The index of the first word that is no option, or the number of words if all are options; `None` if help or the version is
/// asked for before it.
fn first_word(words: &[OsString], cli: &Command) -> Option<usize> {
    let mut at = 1;
    while let Some(word) = words.get(at).map(|word| word.to_string_lossy()) {
        if word == "--" || !word.starts_with('-') || word == "-" || is_negative(&word) {
            break;
        }
        if ["-h", "--help", "-V", "--version"].contains(&&*word) {
            return None;
        }
        at += 1 + usize::from(takes_next_word(&word, words.get(at + 1), cli));
    }
    Some(at)
}

fn is_negative(word: &str) -> bool {
    word[1..].starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a word names a game, perhaps in part only.
fn is_game(word: &str) -> bool {
    let unknown = |error| matches!(error, Error::Game(NameError::Unknown { .. }));
    if word.starts_with(GRAPH) {
        return true;
    }
    names_game(word) && !catalogue::open(word, Effort::default()).is_err_and(unknown)
}

fn could_be_piles(word: &str) -> bool {
    word.is_empty() || word == "--" || word.starts_with(|c: char| !c.is_alphabetic())
}

/// Whether an option's value is the next word: `-g kayles`, but not `-gkayles`, `--game=kayles` or `--json`. What takes a value
/// in one command takes none before the name of another in which it is a flag.
fn takes_next_word(word: &str, next: Option<&OsString>, cli: &Command) -> bool {
    let named = next.and_then(|next| cli.find_subcommand(next));
    let is_flag_of = |command: &Command| {
        let mut arguments = command.get_arguments();
        arguments.any(|argument| {
            let long = argument.get_long().map(|long| format!("--{long}"));
            long.as_deref() == Some(word) && !argument.get_action().takes_values()
        })
    };
    if named.is_some_and(is_flag_of) {
        return false;
    }
    let arguments = || {
        cli.get_subcommands()
            .flat_map(Command::get_arguments)
            .chain(cli.get_arguments())
    };
    let takes_value = |argument: &clap::Arg| argument.get_action().takes_values();
    if let Some(long) = word.strip_prefix("--") {
        return arguments()
            .any(|argument| argument.get_long() == Some(long) && takes_value(argument));
    }
    // Of short options in one word, as in -ag, the last may take the next word; one before it takes the rest.
    let shorts: Vec<char> = word.chars().skip(1).collect();
    let takes = |short: &char| {
        arguments().any(|argument| argument.get_short() == Some(*short) && takes_value(argument))
    };
    shorts.iter().position(takes) == Some(shorts.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn rewritten(line: &str) -> String {
        let words =
            std::iter::once("nim-analyser").chain(line.split(' ').filter(|word| !word.is_empty()));
        let words = with_command(
            words.map(OsString::from).collect(),
            &crate::app::cli::Cli::command(),
        );
        let words: Vec<_> = words[1..]
            .iter()
            .map(|word| word.to_string_lossy())
            .collect();
        words.join(" ")
    }

    #[test]
    fn piles_alone_are_analysed() {
        for line in [
            "7 8",
            "-g kayles 7",
            "-g games 7",
            "--game=kayles 7",
            "-ag kayles 7",
            "--json",
            "",
            "-3",
            "-- 7",
            "7 games",
        ] {
            assert_eq!(rewritten(line), format!("analyse {line}").trim(), "{line}");
        }
    }

    #[test]
    fn a_command_stays_and_comes_first() {
        assert_eq!(rewritten("analyse 7 8"), "analyse 7 8");
        assert_eq!(rewritten("--json games"), "games --json");
        assert_eq!(
            rewritten("--table quotient kayles 5"),
            "quotient --table kayles 5"
        );
        assert_eq!(rewritten("--table 5 mul"), "mul --table 5");
        assert_eq!(rewritten("-g kayles analyse 7"), "analyse -g kayles 7");
    }

    #[test]
    fn a_game_in_the_place_of_a_command_is_analysed() {
        for line in
            "kayles 5 | Nim 3 4 | subtraction:1,2 9 | subtraction 9 | dawsons-chess | 0.77 5 | \
            --json kayles 5 | kayles -"
                .split(" | ")
        {
            assert_eq!(rewritten(line), format!("analyse {line}"), "{line}");
        }
        assert_eq!(rewritten("kayle 5"), "kayle 5");
        assert_eq!(rewritten("analyze 7 8"), "analyze 7 8");
    }

    #[test]
    fn help_version_and_typos_are_left_alone() {
        for line in ["--help", "-V", "anlayse 7", "help analyse"] {
            assert_eq!(rewritten(line), line);
        }
        assert_eq!(rewritten("help --help"), "--help");
    }
}
