//! The command line: which commands there are. It only parses; the commands do the work.

mod arguments;

use crate::app::commands::shared_args::stdout;
use crate::app::commands::{
    analyse, completions, game_graph, games, genus, graph, invariants, lookup, man, mex, mul, oeis,
    pairs, period, play, plot, quotient, shown, simulate, sum, survey, values, verify,
};
use crate::app::error::{advice, is_usage, library, remedy};
use crate::app::report::style::{self, harmless, note};
use crate::engine::Effort;
use crate::error::{Error, NameError};
use crate::game::catalogue;
use crate::printable::printable;
use clap::error::{ContextKind, ContextValue};
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  nim-analyser 7 8                       who wins, and a winning move
  nim-analyser nim 3 4 5 --explain       the same for Nim, with the working
  nim-analyser games                     the named games
  nim-analyser kayles 5 6 --all          every winning move in Kayles
  nim-analyser kayles 5 6 + nim 3 4      a sum of different games
  nim-analyser 0.137 1_000 --json        a take-and-break code, for scripts
  nim-analyser sum 2 3 4                 a nim-sum in binary columns
  nim-analyser graph moves.txt           every vertex of a graph of positions
  nim-analyser play kayles 12            a game against the computer";

/// The text that is shown for a command line without words.
const START: &str = "\
nim-analyser tells who wins a position of an impartial game, why, and by which moves.

  nim-analyser nim 3 4 5                 analyse Nim with piles of 3, 4 and 5
  nim-analyser kayles 5 6 --explain      Kayles, with the working
  nim-analyser games                     list the named games
  nim-analyser play nim 3 4 5            play against the computer
  nim-analyser period kayles             find and prove the period of a game
  nim-analyser --help                    show all commands and options
";

/// Tell who wins a position of an impartial game, why, and by which moves.
///
/// Without a command, analyse the piles given: `nim-analyser 7 8`.
#[derive(Debug, Parser)]
#[command(name = "nim-analyser", version, after_help = EXAMPLES)]
#[command(
    override_usage = "nim-analyser [OPTIONS] [GAME] PILES...\n       nim-analyser COMMAND [OPTIONS] ..."
)]
#[command(subcommand_required = true, arg_required_else_help = false)]
pub struct Cli {
    /// Controls when to use color
    #[arg(long, default_value_t = ColorChoice::Auto, value_name = "WHEN", value_enum, global = true)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(alias = "analyze")]
    Analyse(analyse::Args),
    Values(values::Args),
    Period(period::Args),
    Verify(verify::Args),
    Invariants(invariants::Args),
    Lookup(lookup::Args),
    Oeis(oeis::Args),
    Quotient(quotient::Args),
    Genus(genus::Args),
    Sum(sum::Args),
    Mul(mul::Args),
    Survey(survey::Args),
    Mex(mex::Args),
    Pairs(pairs::Args),
    Graph(graph::Args),
    GameGraph(game_graph::Args),
    Plot(plot::Args),
    Play(play::Args),
    Simulate(simulate::Args),
    Games(games::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Reads the command line, with `analyse` as the command where none is named.
pub fn parse(words: Vec<OsString>) -> Cli {
    let cli = shown::command(Cli::command());
    if words.len() == 1 {
        show(START);
    }
    let matches = cli
        .clone()
        .try_get_matches_from(arguments::with_command(words, &cli));
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    cli.unwrap_or_else(|error| exit(&error))
}

/// Shows what is wrong with the command line, or the help that was asked for, and ends.
fn exit(error: &clap::Error) -> ! {
    let text = error.render();
    if !error.use_stderr() {
        show(text.ansi());
    }
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) {
        style::error(&unknown_word(word));
        std::process::exit(error.exit_code())
    }
    let plain = text.to_string();
    let lines = plain.split_inclusive('\n');
    // A word that begins with a dash is hardly ever meant as a pile.
    let kept: String = lines
        .filter(|line| !line.trim_start().starts_with("tip: to pass '"))
        .collect();
    let mut harmless = harmless(&kept.replace("\n\n\n", "\n\n")).to_string();
    if let Some(tip) = tip(error) {
        harmless = harmless.replacen("\n\n", &format!("\n\n  tip: {tip}\n\n"), 1);
    }
    if harmless == plain {
        error.exit()
    }
    note(format_args!("{}", harmless.trim_end()));
    std::process::exit(error.exit_code())
}

/// What was probably meant by an unknown option: a command, or a long option behind a single dash.
fn tip(error: &clap::Error) -> Option<String> {
    let ContextValue::String(option) = error.get(ContextKind::InvalidArg)? else {
        return None;
    };
    let cli = Cli::command();
    let command = option.trim_start_matches('-');
    if cli.find_subcommand(command).is_some() {
        return Some(format!(
            "`{command}` is a command: `nim-analyser {command} GAME`, see `nim-analyser {command} --help`"
        ));
    }
    let is_long = |name: &str| is_option(&cli, name);
    let words = std::env::args_os().filter_map(|word| word.into_string().ok());
    let mut dashed = words.filter(|word| word.starts_with(option.as_str()));
    let long = dashed.find(|word| word.strip_prefix('-').is_some_and(is_long))?;
    Some(format!("did you mean `-{long}`?"))
}

/// Whether a command has this long option.
fn is_option(cli: &clap::Command, name: &str) -> bool {
    let mut arguments = cli.get_subcommands().flat_map(clap::Command::get_arguments);
    arguments.any(|argument| argument.get_long() == Some(name))
}

/// The message about a first word that is neither a command nor a game, with the commands and games of a similar name.
fn unknown_word(word: &str) -> String {
    // One letter in three may differ, at least one and at most two.
    let similar_to = (word.len() / 3).clamp(1, 2);
    let games = match catalogue::open(word, Effort::default()) {
        Ok(_) => {
            return format!(
                "`{0}` is a game and no command\nhelp: `nim-analyser lookup {0}` tells what is known of it, `nim-analyser {0} 5` analyses a pile",
                printable(word)
            );
        }
        Err(Error::Game(NameError::Unknown { near, .. })) => near,
        _ => Vec::new(),
    };
    let cli = Cli::command();
    let commands = cli.get_subcommands().map(clap::Command::get_name);
    let commands = commands.filter(|name| strsim::damerau_levenshtein(name, word) <= similar_to);
    let option = is_option(&cli, word).then(|| format!("the option `--{word}`"));
    let similar: Vec<String> = commands
        .map(|name| format!("the command `{name}`"))
        .chain(option)
        .chain(games.iter().map(|name| format!("the game `{name}`")))
        .collect();
    let meant = match similar.as_slice() {
        [] => String::new(),
        similar => format!("; did you mean {}?", similar.join(" or ")),
    };
    format!(
        "no command and no game is called `{}`{meant}\nhelp: `nim-analyser games` lists the games, `nim-analyser --help` the commands",
        printable(word)
    )
}

/// Writes a text to standard output, and ends.
fn show(text: impl Display) -> ! {
    let mut out = stdout();
    let written = write!(out, "{text}").and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            style::error(&format!("the help can't be written: {error}"));
            std::process::exit(3)
        }
        _ => std::process::exit(0),
    }
}

/// Runs the command.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let colour = match cli.color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    colour.write_global();
    match cli.command {
        Command::Analyse(args) => analyse::run(&args),
        Command::Values(args) => values::run(&args),
        Command::Period(args) => period::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Invariants(args) => invariants::run(&args),
        Command::Lookup(args) => lookup::run(&args),
        Command::Oeis(args) => oeis::run(&args),
        Command::Quotient(args) => quotient::run(&args),
        Command::Genus(args) => genus::run(&args),
        Command::Sum(args) => sum::run(&args),
        Command::Mul(args) => mul::run(&args),
        Command::Survey(args) => survey::run(&args),
        Command::Mex(args) => mex::run(&args),
        Command::Pairs(args) => pairs::run(&args),
        Command::Graph(args) => graph::run(&args),
        Command::GameGraph(args) => game_graph::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Games(args) => games::run(&args),
        Command::Completions(args) => completions::run(&args, shown::command(Cli::command())),
        Command::Man(args) => man::run(&args, shown::command(Cli::command())),
    }
}

/// Whether the work was stopped from outside.
pub fn is_interruption(error: &anyhow::Error) -> bool {
    library(error) == Some(&Error::Interrupted)
}

/// The help below an error, a line for each piece: what would be right, what would do, what to type instead. It is empty where
/// the error says it all.
pub fn help_for(error: &anyhow::Error) -> String {
    remedy(error.root_cause()) + &to_type(error)
}

fn to_type(error: &anyhow::Error) -> String {
    let error = match library(error) {
        Some(Error::Part { fault, .. }) => Some(&**fault),
        error => error,
    };
    match error {
        Some(Error::Game(NameError::Unknown { name, near })) if !near.is_empty() && name.contains(':') => {
            "\nhelp: piles stand behind the game, with a blank between: `kayles 5 6`, or in a sum `kayles 5 + nim 3`"
                .to_owned()
        }
        Some(Error::Game(NameError::Unknown { .. })) => {
            "\nhelp: `nim-analyser games` lists the names; a take-and-break code like 0.77 is a game too"
                .to_owned()
        }
        Some(Error::Game(NameError::NotHeaps { name })) => format!(
            "\nhelp: `nim-analyser -g {} PILES` analyses its positions",
            printable(name)
        ),
        Some(error) => advice(error).map_or_else(String::new, |advice| format!("\nhelp: {advice}")),
        None => String::new(),
    }
}

/// The exit code: 2 for wrong input, 130 for an interruption, 3 for work that failed.
pub fn exit_code_of(error: &anyhow::Error) -> ExitCode {
    ExitCode::from(match library(error) {
        _ if is_usage(error) => 2,
        Some(Error::Interrupted) => 130,
        _ => 3,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
        shown::with_values(shown::command(Cli::command())).debug_assert();
    }
}
