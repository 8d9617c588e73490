//! The command line as help, the manual pages and the completions show it: with the options of the default command in
//! its own help, a short help (`-h`) and a long one (`--help`), and what a manual page says besides.

use crate::app::commands::analyse;
use crate::engine::Engine;
use crate::game::catalogue;
use crate::printable::joined;
use clap::builder::{PossibleValuesParser, StyledStr};
use clap::{Args, Command};

/// The exit codes and what they mean.
pub const EXIT_STATUS: &[(&str, &str)] = &[
    ("0", "Done, whether the position is won or lost."),
    ("1", "With --exit-code: the position is lost."),
    ("2", "Wrong usage or input."),
    (
        "3",
        "The work failed: a limit was reached, a file can't be written, a certificate is false, a line failed.",
    ),
    ("130", "Interrupted."),
];

/// The variables of the environment that are heeded.
pub const ENVIRONMENT: &[(&str, &str)] = &[
    ("NO_COLOR", "If set and not empty, print no colours."),
    (
        "CLICOLOR_FORCE",
        "If set and not 0, print colours even to a pipe or a file.",
    ),
    (
        "LC_ALL, LC_CTYPE, LANG",
        "If the locale isn't UTF-8, play and plot draw with ASCII characters.",
    ),
];

/// The files that are read and written.
pub const FILES: &[(&str, &str)] = &[
    (
        "-o FILE, --certificate FILE",
        "Created only when complete; - is standard output.",
    ),
    (
        "--checkpoint FILE",
        "The values computed so far; the same command continues from them.",
    ),
    (
        "--record FILE",
        "The moves of a game, one JSON object per line.",
    ),
];

/// The lines of examples that the short help shows.
const SHORT_EXAMPLES: usize = 3;

/// The command line as help, manual pages and completions show it.
pub fn command(cli: Command) -> Command {
    // The piles stay out: a shell would offer no command where a word may be a pile. So does the format, whose values a
    // shell would offer for the format of every command.
    let analyse = analyse::Args::augment_args(Command::new("analyse"));
    let options = analyse
        .get_arguments()
        .filter(|argument| !["piles", "format"].contains(&argument.get_id().as_str()));
    let cli = cli.args(options.cloned());
    let notes = after_help(&cli);
    let lists = [
        ("Exit status", EXIT_STATUS),
        ("Environment", ENVIRONMENT),
        ("Files", FILES),
    ];
    let lists = lists.map(|(title, entries)| format!("\n\n{title}:\n{}", listed(entries)));
    let long = notes.clone() + &lists.concat();
    let cli = cli.after_long_help(long).after_help(shortened(&notes));
    cli.mut_subcommands(|command| {
        let notes = after_help(&command);
        let command = with_usage(command);
        match notes.as_str() {
            "" => command,
            notes => command
                .after_long_help(notes.to_owned())
                .after_help(shortened(notes)),
        }
    })
}

/// The usage of a command with piles says that a game may stand before them.
fn with_usage(command: Command) -> Command {
    let is_piles = |argument: &&clap::Arg| argument.get_id() == "piles";
    let piles = command.get_arguments().find(is_piles);
    let piles = match piles.map(clap::Arg::is_required_set) {
        Some(true) => "<PILES>",
        Some(false) => "[PILES]",
        None => return command,
    };
    let name = command.get_name();
    let usage = format!("nim-analyser {name} [OPTIONS] [GAME] {piles}...");
    command.override_usage(usage)
}

/// The notes and examples of a command, each paragraph in one line, so that it is wrapped once.
pub fn after_help(command: &Command) -> String {
    let text = command.get_after_help().map(StyledStr::to_string);
    let text = text.unwrap_or_default();
    let mut joined = String::new();
    let mut before = "";
    for line in text.lines() {
        let goes_on = !line.is_empty() && !line.starts_with(' ');
        let may_go_on = !before.is_empty() && !before.starts_with(' ') && !before.ends_with(':');
        if !joined.is_empty() {
            joined.push(if goes_on && may_go_on { ' ' } else { '\n' });
        }
        joined.push_str(line);
        before = line;
    }
    joined
}

/// The first examples alone.
fn shortened(notes: &str) -> String {
    let Some((_, examples)) = notes.split_once("Examples:\n") else {
        return String::new();
    };
    let examples = joined(examples.lines().take(SHORT_EXAMPLES), "\n");
    format!("Examples:\n{examples}")
}

fn listed(entries: &[(&str, &str)]) -> String {
    let width = entries.iter().map(|(name, _)| name.len()).max();
    let width = width.unwrap_or(0);
    let line = |(name, meaning): &(&str, &str)| format!("  {name:width$}  {meaning}");
    joined(entries.iter().map(line), "\n")
}

/// A command line with the values that a shell can offer: the names of games, engines and commands.
pub fn with_values(cli: Command) -> Command {
    let names: Vec<String> = cli
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    offering(cli, &names).mut_subcommands(|command| offering(command, &names))
}

fn offering(command: Command, commands: &[String]) -> Command {
    let games = || catalogue::entries().map(|entry| entry.name);
    // A game may stand before the piles, or alone; the default command has piles more often than games.
    let is_analyse = command.get_name() == "analyse";
    command.mut_args(|argument| match argument.get_id().as_str() {
        "game" | "word" | "words" | "codes" | "with" => {
            argument.value_parser(PossibleValuesParser::new(games()))
        }
        "piles" if !is_analyse => argument.value_parser(PossibleValuesParser::new(games())),
        "engine" => argument.value_parser(PossibleValuesParser::new(Engine::ALL.map(Engine::name))),
        "command" => argument.value_parser(PossibleValuesParser::new(commands.to_vec())),
        _ => argument,
    })
}
