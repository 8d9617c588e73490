//! `play`: a game at the terminal, or the replay of a recorded one.

use super::shared_args::{Asked, PositionArgs, file_to_keep, heap, open_game, stdout};
use crate::app::error::Refused;
use crate::app::files::{input, lines, remove_empty};
use crate::app::play::{Event, Player, Session, Settings, pages, replay};
use crate::app::report;
use crate::app::report::style::{self, plain, speaks_utf8};
use crate::printable::printable;
use crate::rng::Rng;
use anyhow::Context;
use rustyline::error::ReadlineError;
use rustyline::{Cmd, KeyEvent};
use std::fs::File;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Octal games in which a move can split a pile, like Kayles, are played on a row of stones; the
others are played with piles. Without PILES the computer chooses a position at random that you
can win: a row of 8 to 16 stones, three piles of 3 to 9, or what suits the game.

Examples:
  nim-analyser play                             the default game against the perfect player
  nim-analyser play -g kayles 12 --explain      Kayles on a row of 12
  nim-analyser play -g nim 3 4 5 --first perfect       the computer begins
  printf 'hint\\n3 2\\n' | nim-analyser play -g kayles 7
  nim-analyser play -g kayles 12 --record game.jsonl
  nim-analyser play --replay game.jsonl         the saved game, with the outcome of each position";

/// Play a game at the terminal, against the computer
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The piles, as for analyse
    #[arg(value_name = "PILES", allow_negative_numbers = true)]
    piles: Vec<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// Who moves first [default: human, or perfect if the person is second]
    #[arg(long, value_enum, value_name = "PLAYER")]
    first: Option<Player>,
    /// Who moves second [default: perfect, or human if the computer is first]
    #[arg(long, value_enum, value_name = "PLAYER")]
    second: Option<Player>,
    /// Repeat the random choices of an earlier session
    #[arg(long, value_name = "NUMBER", value_parser = heap)]
    seed: Option<u64>,
    /// Let the perfect player explain its moves
    #[arg(short, long)]
    explain: bool,
    /// Don't predict the winner
    #[arg(long)]
    no_prediction: bool,
    /// Draw with plain ASCII characters (the default unless the locale is UTF-8)
    #[arg(long)]
    ascii: bool,
    /// Save the game to FILE, one JSON object per line
    #[arg(long, value_name = "FILE", value_parser = file_to_keep())]
    record: Option<PathBuf>,
    /// Step through the game saved in FILE, with the outcome of each position; - reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["piles", "game", "rule", "misere", "first", "second", "seed", "explain", "no_prediction", "record"])]
    replay: Option<PathBuf>,
}

/// Plays until the person quits, the input ends, or a game without a person is over.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut table = Table::new(args.ascii);
    if let Some(path) = &args.replay {
        return show(&mut table, path, args.position.allowed());
    }
    let Asked { named, game, piles } = args.position.piles(&args.piles)?;
    let players = players(args.first, args.second);
    let by_chance =
        piles.is_empty() || players.contains(&Player::Random) || players.contains(&Player::Casual);
    let settings = Settings {
        players,
        convention: named.convention(),
        prediction: !args.no_prediction,
        explain: args.explain,
        seed: args.seed.unwrap_or_else(Rng::any_seed),
        piles,
        width: width(),
    };
    let seed = settings.seed;
    let (mut session, text) = Session::new(&*game, settings)?;
    let mut record = args.record.as_deref().map(Record::create).transpose()?;
    if by_chance && !args.position.effort.quiet {
        table.say(&format!("(--seed {seed} repeats the random choices.)\n"))?;
    }
    table.say(&text)?;
    loop {
        keep(&mut record, session.take_events())?;
        while let Some(text) = session.step()? {
            keep(&mut record, session.take_events())?;
            table.say(&text)?;
        }
        if !session.has_human() {
            return Ok(ExitCode::SUCCESS);
        }
        let line = match table.ask(&session.prompt())? {
            Ok(line) => line,
            Err(code) => return Ok(code),
        };
        let reply = session.obey(&line)?;
        keep(&mut record, session.take_events())?;
        table.say(&reply.text)?;
        if reply.quit {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// Both players, where one or none is named: a person plays the computer.
fn players(first: Option<Player>, second: Option<Player>) -> [Player; 2] {
    let against = |player| match player {
        Player::Human => Player::Perfect,
        _ => Player::Human,
    };
    match (first, second) {
        (None, None) => [Player::Human, Player::Perfect],
        (Some(first), None) => [first, against(first)],
        (None, Some(second)) => [against(second), second],
        (Some(first), Some(second)) => [first, second],
    }
}

/// The file of a record, which is flushed after every event.
struct Record<'a> {
    file: File,
    path: &'a Path,
    /// Whether there was no such file before.
    is_new: bool,
}

impl Record<'_> {
    fn create(path: &Path) -> anyhow::Result<Record<'_>> {
        let new = File::create_new(path);
        let is_new = new.is_ok();
        let file = new.or_else(|error| match std::fs::metadata(path) {
            // A pipe or a device may always be written to; an empty file holds nothing to lose.
            Ok(found) if !found.is_file() || found.len() == 0 => {
                File::options().append(true).open(path)
            }
            Ok(_) => Err(std::io::Error::other(
                "it exists already; name another file, or remove it",
            )),
            Err(_) => Err(error),
        });
        let file = file.with_context(|| format!("can't write {}", path.display()))?;
        Ok(Record { file, path, is_new })
    }
}

fn keep(record: &mut Option<Record<'_>>, events: Vec<Event>) -> anyhow::Result<()> {
    let Some(record) = record else {
        return Ok(());
    };
    for event in events {
        let mut line = Vec::new();
        report::json::line(&mut line, "record", &event)?;
        let written = record.file.write_all(&line);
        if written.is_err() && record.is_new {
            remove_empty(&record.file, record.path);
        }
        written.with_context(|| format!("can't write {}", record.path.display()))?;
    }
    Ok(())
}

/// The terminal or pipe where a person plays: line editing and history at a terminal, plain lines from a pipe, which are echoed.
struct Table {
    out: Box<dyn Write>,
    ascii: bool,
    editor: Option<rustyline::DefaultEditor>,
}

/// The line editor. A Ctrl-D that is typed before a prompt is there arrives as a NUL, by which the terminal keeps the end of its
/// input for a program that then reads single keys.
fn editor() -> rustyline::Result<rustyline::DefaultEditor> {
    let mut editor = rustyline::DefaultEditor::new()?;
    editor.bind_sequence(KeyEvent::ctrl('@'), Cmd::EndOfFile);
    Ok(editor)
}

impl Table {
    fn new(ascii: bool) -> Table {
        let at_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        Table {
            out: stdout(),
            ascii: ascii || !speaks_utf8(),
            editor: at_terminal.then(editor).and_then(Result::ok),
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        let mut text = wrapped(text, width());
        if self.ascii {
            text = plain(&text);
        }
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// The next line; or the exit code, where the input ends or is interrupted.
    fn ask(&mut self, prompt: &str) -> anyhow::Result<Result<String, ExitCode>> {
        let Some(editor) = &mut self.editor else {
            let mut line = Vec::new();
            if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
                return Ok(Err(ExitCode::SUCCESS));
            }
            let line = String::from_utf8_lossy(&line).into_owned();
            self.say(&format!("> {}\n", printable(line.trim_end())))?;
            return Ok(Ok(line));
        };
        match editor.readline(prompt) {
            Ok(line) => {
                editor.add_history_entry(&line)?;
                Ok(Ok(line))
            }
            Err(ReadlineError::Eof) => Ok(Err(ExitCode::SUCCESS)),
            Err(ReadlineError::Interrupted) => Ok(Err(ExitCode::from(130))),
            Err(error) => Err(error.into()),
        }
    }
}

/// How many characters a line has room for.
fn width() -> usize {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    let width = terminal.map(|(width, _)| usize::from(width.0));
    width.filter(|&width| width >= 20).unwrap_or(usize::MAX)
}

/// A text in which no line is longer than the width of the terminal, where it has a blank to be broken at. The rest of
/// a line is indented as the line is.
fn wrapped(text: &str, width: usize) -> String {
    let mut whole = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches('\n');
        let words = body.trim_start();
        let indent = &body[..body.len() - words.len()];
        whole += &style::wrapped(words, width, indent, indent).join("\n");
        whole += &line[body.len()..];
    }
    whole
}

/// The text of a record, of a bounded length.
fn read(path: &Path) -> io::Result<String> {
    /// The most bytes of a record, which has room for some hundred thousand moves.
    const LONGEST: u64 = 64 << 20;
    lines::text(input(path)?, LONGEST)
}

/// Steps through a record: at a terminal one position at a time, else all at once.
fn show(table: &mut Table, path: &Path, effort: crate::engine::Effort) -> anyhow::Result<ExitCode> {
    let text = read(path).map_err(Refused::unreadable(path))?;
    let open = |name: &str| open_game(name, effort.clone());
    let games = replay(&text, open).with_context(|| format!("bad record {}", path.display()))?;
    for game in &games {
        let pages = pages(game, width())?;
        let last = pages.len();
        for (at, page) in pages.into_iter().enumerate() {
            table.say(&page)?;
            if at + 1 == last || table.editor.is_none() {
                continue;
            }
            match table.ask("Enter for the next position, q to stop> ")? {
                Ok(line) if line.trim() != "q" => {}
                Ok(_) => return Ok(ExitCode::SUCCESS),
                Err(code) => return Ok(code),
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::report::style::WINNING;

    #[test]
    fn lines_are_broken_between_words() {
        let text = "short\n  a line that is longer than it may be\n\n∗∗∗ ×\nend";
        let wanted = "short\n  a line that is\n  longer than it may\n  be\n\n∗∗∗ ×\nend";
        assert_eq!(wrapped(text, 20), wanted);
        let styled = format!("{WINNING}twenty letters long.{WINNING:#}");
        assert_eq!(wrapped(&styled, 20), styled);
        let word = "x".repeat(50);
        assert_eq!(wrapped(&word, 20), word);
    }
}
