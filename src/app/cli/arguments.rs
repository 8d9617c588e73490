//! Puts the command in front: `nim-analyser 7 8` means `nim-analyser analyse 7 8`, and options may stand before a
//! command's name. clap's own way to a default command, its arguments beside the subcommands, takes options before a
//! command's name for the default one's and then refuses the command.

use crate::app::commands::shared_args::names_game;
use crate::engine::Effort;
use crate::game::catalogue;
use clap::Command;
use std::ffi::OsString;

/// The words of the command line with the command's name first, `analyse` where piles stand without one.
///
/// A first word that is neither an option nor could be a pile is left as it is: a mistyped command is to be
/// reported as one.
pub fn with_command(mut words: Vec<OsString>, cli: &Command) -> Vec<OsString> {
    if words.len() == 3 && words[1] == "help" && (words[2] == "--help" || words[2] == "-h") {
        words.remove(1);
        return words;
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
    } else if first.is_none_or(|first| could_be_piles(&first)) {
        words.insert(1.min(words.len()), OsString::from("analyse"));
    }
    words
}

/// Where the first word stands that is no option, or the end if there is none; `None` if help or the version is asked
/// for before.
fn first_word(words: &[OsString], cli: &Command) -> Option<usize> {
    let mut at = 1;
    while let Some(word) = words.get(at).map(|word| word.to_string_lossy()) {
        if word == "--" || !word.starts_with('-') || word == "-" || is_negative(&word) {
            break;
        }
        if ["-h", "--help", "-V", "--version"].contains(&&*word) {
            return None;
        }
        at += 1 + usize::from(takes_next_word(&word, cli));
    }
    Some(at)
}

/// Where the name of a game stands in the place of a command, as in `nim-analyser nim 3 4 5`.
pub fn game_in_command_place(words: &[OsString], cli: &Command) -> Option<usize> {
    let at = first_word(words, cli)?;
    let word = words.get(at)?.to_str()?;
    let is_game = cli.find_subcommand(word).is_none()
        && names_game(word)
        && catalogue::open(word, Effort::default()).is_ok();
    is_game.then_some(at)
}

/// What to type where a game stands in the place of a command.
pub fn what_to_type(words: &[OsString], game: usize) -> String {
    let typed = words[1..].iter().enumerate().map(|(at, word)| {
        let word = quoted(&word.to_string_lossy());
        if at + 1 == game {
            format!("-g {word}")
        } else {
            word
        }
    });
    let typed: Vec<String> = typed.collect();
    let piles = if words.len() == game + 1 {
        " PILES"
    } else {
        ""
    };
    format!(
        "`{}` is a game, not a command; type: nim-analyser {}{piles}",
        words[game].to_string_lossy(),
        typed.join(" ")
    )
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_.,:=+^/".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!(
        "'{}'",
        word.escape_debug().to_string().replace('\'', "'\\''")
    )
}

fn is_negative(word: &str) -> bool {
    word[1..].starts_with(|c: char| c.is_ascii_digit())
}

fn could_be_piles(word: &str) -> bool {
    word.is_empty() || word == "--" || word.starts_with(|c: char| !c.is_alphabetic())
}

/// Whether an option's value is the next word: `-g kayles`, but not `-gkayles`, `--game=kayles` or `--json`.
fn takes_next_word(word: &str, cli: &Command) -> bool {
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
        assert_eq!(rewritten("-g kayles analyse 7"), "analyse -g kayles 7");
    }

    #[test]
    fn a_game_in_the_place_of_a_command_is_answered_by_what_to_type() {
        let answer = |line: &str| {
            let words = std::iter::once("nim-analyser").chain(line.split(' '));
            let words: Vec<OsString> = words.map(OsString::from).collect();
            let cli = crate::app::cli::Cli::command();
            let game = game_in_command_place(&words, &cli)?;
            let message = what_to_type(&words, game);
            Some(message.split_once("; type: nim-analyser ")?.1.to_owned())
        };
        assert_eq!(answer("nim 3 4 5").as_deref(), Some("-g nim 3 4 5"));
        assert_eq!(
            answer("--all Kayles 5").as_deref(),
            Some("--all -g Kayles 5")
        );
        assert_eq!(answer("0.77 5").as_deref(), Some("-g 0.77 5"));
        assert_eq!(answer("4!.0").as_deref(), Some("-g '4!.0' PILES"));
        for line in ["7 8", "play 3", "qqq 7", "1.5", "values nim 3", "-g nim 3"] {
            assert_eq!(answer(line), None, "{line}");
        }
    }

    #[test]
    fn help_version_and_typos_are_left_alone() {
        for line in ["--help", "-V", "anlayse 7", "help analyse"] {
            assert_eq!(rewritten(line), line);
        }
        assert_eq!(rewritten("help --help"), "--help");
    }
}
