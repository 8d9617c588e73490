//! `analyse`: who wins a position, and by which moves; or many positions, one a line.

mod faults;
mod games;
mod positions;
mod question;

use super::answer::AnswerArgs;
use super::shared_args::{Asked, PositionArgs, names_game, open_game};
use crate::app::error::{Refused, refuse};
use crate::app::files::input;
use crate::app::report::style::note;
use crate::app::report::table::TableFormat;
use games::Games;
use positions::Positions;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Piles are whole numbers to 2^64-1: 7 8, 3,4,5, 1_000, 7x3 (three piles of 7), 1e18, 2^60.
With `-` or --from, each line is a position: its piles, or {\"game\":\"kayles\",\"piles\":[3,4],\"misere\":true}. A sum is a line
like kayles 5 6 + nim 3 4, or {\"parts\":[{\"game\":\"kayles\",\"piles\":[5,6]},{\"game\":\"nim\",\"piles\":[3,4]}]}. Each line gets
one line of answer. Blank lines and lines that begin with # are skipped. If a line fails, an error takes the place of its answer
and the exit status is 3.

Examples:
  nim-analyser 7 8
  nim-analyser analyse -g kayles 3,4,5 --all
  nim-analyser kayles 5 6 + nim 3 4        a sum of games: a move is made in one of them
  nim-analyser -g subtraction:1,3,4 1e18 --json
  nim-analyser -g poker-nim:20 3 4 5       Nim with 20 stones in reserve (10 by default)
  nim-analyser -g moore:2 3 4 5 6          a move takes from one pile or two
  seq 1 100 | nim-analyser - --json        a hundred positions, one object per line
  nim-analyser --from positions.txt -g 0.137";

/// Analyse a position: who wins, and by which moves (the default command)
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The piles, or - to read positions from standard input, one per line
    #[arg(
        required_unless_present = "from",
        value_name = "PILES",
        allow_hyphen_values = false,
        allow_negative_numbers = true
    )]
    piles: Vec<String>,
    /// Read positions from FILE, one per line, and print one line of answer for each
    #[arg(long, value_name = "FILE", conflicts_with_all = ["explain", "exit_code"])]
    from: Option<PathBuf>,
    /// Stop at the first position that can't be answered (with - or --from)
    #[arg(long)]
    strict: bool,
    /// Write the working as a table: each pile with its nim-value, in binary too, and the nim-sum
    #[arg(long, requires = "explain", conflicts_with_all = ["all", "json"])]
    format: Option<TableFormat>,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    answer: AnswerArgs,
}

/// Analyses the position, or many of them, and prints what was found.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.from.is_some() || args.piles.iter().any(|word| word == "-") {
        return run_many(args);
    }
    if args.strict {
        refuse!("--strict needs many positions, from `-` or --from");
    }
    let Asked { named, game, piles } = args.position.piles(&args.piles)?;
    if piles.is_empty() {
        let example = if named.is_named() {
            "kayles 5 6"
        } else {
            "7 8"
        };
        refuse!("no piles are given; write them as in `nim-analyser {example}`");
    }
    let position = game.start(piles)?;
    if !named.is_named() && !args.position.effort.quiet && std::io::stderr().is_terminal() {
        note(format_args!(
            "note: no game is named, so this is {}; `nim-analyser nim 3 4 5` analyses Nim, `nim-analyser games` lists the games",
            game.name()
        ));
    }
    args.answer
        .answer(&*game, &position, named.convention(), args.format)
}

fn run_many(args: &Args) -> anyhow::Result<ExitCode> {
    let words: Vec<&str> = args.piles.iter().map(String::as_str).collect();
    let game = match words[..] {
        [] | ["-"] if args.from.is_none() || words.is_empty() => args.position.game.named(),
        [word] if args.from.is_some() && names_game(word) => {
            args.position.game.named().or_word(Some(word))?
        }
        [word, "-"] if args.from.is_none() && names_game(word) => {
            args.position.game.named().or_word(Some(word))?
        }
        _ => {
            refuse!("`-` and --from read all positions; give no piles beside them");
        }
    };
    if args.answer.explain || args.answer.exit_code {
        refuse!("--explain and --exit-code are for one position, not for many");
    }
    let file = args.from.as_deref().unwrap_or(Path::new("-"));
    let input = input(file).map_err(Refused::unreadable(file))?;
    let effort = args.position.allowed();
    let positions = Positions {
        games: Games::new(open_game, game.name(), effort)?,
        convention: game.convention(),
        answer: &args.answer,
        effort: &args.position.effort,
        strict: args.strict,
    };
    faults::hush();
    positions.run(input, &mut std::io::stdout().lock())
}
