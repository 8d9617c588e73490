//! Positions from a pipe or a file, one a line, and an answer a line, in order.
//!
//! Blank lines and those that begin with `#` are skipped. Whatever lines have come are shared out among the threads; their
//! answers are written and flushed before more is read. A line that can't be answered has an error in the place of its answer.
//! The memory taken is that of the lines read at a time, of a bounded stretch of answers for each thread, and of the games kept
//! open.

use super::super::answer::AnswerArgs;
use super::super::shared_args::{EffortArgs, convention};
use super::faults::{Fault, caught};
use super::games::Games;
use super::question::{Place, Question};
use crate::app::error::{Refused, advice, in_words, is_usage, library};
use crate::app::files::lines::{Batch, Line, Lines};
use crate::app::report;
use crate::app::report::style::{brief, harmless, note};
use crate::engine::{Effort, threads_with_room};
use crate::error::Error;
use crate::game::catalogue;
use crate::outcome::Convention;
use crate::position::PileError;
use anyhow::Context;
use serde::Serialize;
use std::io::{self, Read, Write};
use std::process::ExitCode;

/// The number of lines for which a thread is worth starting.
const WORTH_A_THREAD: usize = 64;
/// How many bytes of answers a thread keeps. Beyond that it leaves its other lines for later, and writes a line that is not whole
/// yet.
const KEPT: usize = 4 << 20;
/// How many bytes of whole answers are written together.
const WRITTEN: usize = 1 << 16;

/// A run that answers lines of positions.
pub struct Positions<'a> {
    /// The games, first of all the one that the command line names.
    pub games: Games,
    /// Whether the last move wins or loses, where a line doesn't say.
    pub convention: Convention,
    pub answer: &'a AnswerArgs,
    pub effort: &'a EffortArgs,
    /// Stop at the first line that can't be answered.
    pub strict: bool,
}

/// The report that stands in the place of an answer: why the line can't be answered.
#[derive(Serialize)]
struct Failure<'a> {
    line: u64,
    error: &'a str,
}

impl Positions<'_> {
    /// Answers every line of the input, and says on standard error how many failed.
    ///
    /// # Errors
    /// If the input can't be read or the answers written, if the work is interrupted, or at the first line that can't
    /// be answered if that is wanted.
    pub fn run(&self, input: impl Read, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
        let mut lines = Lines::new(input);
        let (mut count, mut failed) = (0, 0);
        while let Some(batch) = lines.batch().context("the positions can't be read")? {
            let (lines, bad) = self.answer_batch(batch, out)?;
            out.flush()?;
            count += lines;
            failed += bad;
        }
        if failed == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        if !self.effort.quiet {
            note(format_args!("{failed} of {count} lines failed"));
        }
        Ok(ExitCode::from(3))
    }

    /// Answers the lines of a batch. Returns how many lines there were, and how many of them failed.
    fn answer_batch(&self, batch: Batch<'_>, out: &mut dyn Write) -> anyhow::Result<(u64, u64)> {
        let lines: Vec<_> = batch
            .lines()
            .filter(|(_, line)| !is_skipped(*line))
            .collect();
        let threads = self.effort.effort().threads;
        let threads = threads_with_room(threads.min(lines.len() / WORTH_A_THREAD));
        if threads < 2 || self.strict || self.answer.all {
            let failed = self.answer_in_turn(&lines, out)?;
            return Ok((lines.len() as u64, failed));
        }
        let shares: Vec<_> = lines.chunks(lines.len().div_ceil(threads)).collect();
        let answered: Vec<_> = std::thread::scope(|scope| {
            let work = |share| move || self.answer_share(share);
            let workers: Vec<_> = shares
                .iter()
                .map(|&share| std::thread::Builder::new().spawn_scoped(scope, work(share)))
                .collect();
            let results = workers.into_iter().zip(&shares).map(|(worker, share)| {
                match worker.map(std::thread::ScopedJoinHandle::join) {
                    Ok(Ok(answered)) => answered,
                    Ok(Err(panic)) => std::panic::resume_unwind(panic),
                    // Where no thread can be had, its lines are left for this one.
                    Err(_) => Answered {
                        answers: Vec::new(),
                        left: share,
                        failed: 0,
                        ended: Ok(()),
                    },
                }
            });
            results.collect()
        });
        let mut failed = 0;
        for share in answered {
            out.write_all(&share.answers)?;
            share.ended?;
            failed += share.failed + self.answer_in_turn(share.left, out)?;
        }
        Ok((lines.len() as u64, failed))
    }

    /// Answers lines one after another. Returns how many of them failed.
    fn answer_in_turn(
        &self,
        lines: &[(u64, Line<'_>)],
        out: &mut dyn Write,
    ) -> anyhow::Result<u64> {
        let mut answers = Answers {
            out: Some(out),
            ..Answers::default()
        };
        // With few lines somebody may wait for each answer, so each is written at once.
        let together = match lines.len() < WORTH_A_THREAD {
            true => 0,
            false => WRITTEN,
        };
        let mut failed = 0;
        for &(number, line) in lines {
            let answered = self.answer_line(number, line, &mut answers);
            if answered.is_err() || answers.kept.len() > together {
                answers.write_out()?;
            }
            failed += u64::from(!answered?);
        }
        answers.write_out()?;
        Ok(failed)
    }

    fn answer_share<'s, 'b>(&self, lines: &'s [(u64, Line<'b>)]) -> Answered<'s, 'b> {
        let mut answers = Answers::default();
        let (mut left, mut failed, mut ended) = (lines, 0, Ok(()));
        while let Some((&(number, line), after)) = left.split_first()
            && answers.kept.len() < KEPT
        {
            match self.answer_line(number, line, &mut answers) {
                Ok(answered) => failed += u64::from(!answered),
                Err(error) => {
                    ended = Err(error);
                    break;
                }
            }
            left = after;
        }
        Answered {
            answers: answers.kept,
            left,
            failed,
            ended,
        }
    }

    /// Writes the answer to a line, or what is wrong with it. Returns whether it was an answer.
    fn answer_line(
        &self,
        number: u64,
        line: Line<'_>,
        answers: &mut Answers<'_>,
    ) -> anyhow::Result<bool> {
        answers.begin_line();
        let Err(error) = caught(|| self.try_line(line, answers)) else {
            return Ok(true);
        };
        answers.drop_line();
        let is_fault = error.is::<Fault>();
        if is_fault {
            self.games.forget();
        }
        let ends_the_run = matches!(library(&error), Some(Error::Interrupted))
            || !is_fault && library(&error).is_none() && !is_usage(&error)
            || answers.begun
            || self.strict;
        if ends_the_run {
            return Err(match library(&error) {
                Some(Error::Interrupted) => error,
                _ => error.context(format!("line {number}")),
            });
        }
        let advice = library(&error).and_then(advice);
        let advice = advice.map_or_else(String::new, |advice| format!("\nhelp: {advice}"));
        let error = in_words(error.as_ref()) + &advice;
        if self.answer.form.json {
            let failure = Failure {
                line: number,
                error: &brief(&error),
            };
            report::json::line(answers, "error", &failure)?;
        } else {
            let error = harmless(&error).replace('\n', "; ");
            writeln!(answers, "error: line {number}: {error}")?;
        }
        Ok(false)
    }

    fn try_line(&self, line: Line<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
        let asked = Question::read(line)?;
        let game = match &asked.game {
            Some(name) => self.games.open(name)?,
            None => self.games.first(),
        };
        let game = &*game;
        let convention = asked.misere.map_or(self.convention, convention);
        let read = |words: Vec<String>| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            game.read(&words).map_err(with_own_game)
        };
        // In a game whose piles have names, numbers are read as names.
        let are_names = |piles: &[u64]| {
            piles
                .first()
                .is_some_and(|&pile| game.label(pile).is_some())
        };
        let piles = match asked.position {
            Place::Piles(piles) if are_names(&piles) => {
                read(piles.iter().map(u64::to_string).collect())?
            }
            Place::Piles(piles) => piles,
            Place::Words(words) => read(words)?,
        };
        let position = game.start(piles)?;
        let analysis = game.analyse(&position, convention)?;
        let winning = self.answer.shown(game.winning_moves(&analysis));
        if self.answer.form.json {
            report::json::analysis(out, game, &analysis, winning)
        } else {
            report::text::verdict(out, game, &analysis, winning)
        }
    }
}

/// The answers to a share of the lines, and the lines left without one.
struct Answered<'s, 'b> {
    answers: Vec<u8>,
    left: &'s [(u64, Line<'b>)],
    failed: u64,
    /// The error that ends the run at the first line left, if there is one.
    ended: anyhow::Result<()>,
}

/// Answers that wait to be written: whole lines and the beginning of one more. A line that grows too long is written before it is
/// whole.
#[derive(Default)]
struct Answers<'o> {
    kept: Vec<u8>,
    /// Where the last line begins in the text.
    line: usize,
    /// Whether the beginning of the last line is written already.
    begun: bool,
    /// The stream that answers are written to; without one all answers are kept.
    out: Option<&'o mut dyn Write>,
}

impl Answers<'_> {
    fn begin_line(&mut self) {
        self.line = self.kept.len();
        self.begun = false;
    }

    fn drop_line(&mut self) {
        self.kept.truncate(self.line);
    }

    fn write_out(&mut self) -> io::Result<()> {
        if let Some(out) = &mut self.out {
            out.write_all(&self.kept)?;
            self.kept.clear();
            self.line = 0;
        }
        Ok(())
    }
}

impl Write for Answers<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.kept.extend_from_slice(bytes);
        if self.out.is_some() && self.kept.len() - self.line > KEPT {
            self.begun = true;
            self.write_out()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The error that piles can't be read; where a game is named among them, with the place for its name.
fn with_own_game(error: Error) -> Refused {
    match &error {
        Error::Pile(PileError { token, .. })
            if catalogue::open(token, Effort::default()).is_ok() =>
        {
            Refused::Usage(format!(
                "{error}\nhelp: `-g {token}` names the game of all lines, {{\"game\":\"{token}\",\"piles\":[3,4]}} is a line with its own"
            ))
        }
        _ => error.into(),
    }
}

/// Whether a line is blank or a comment.
fn is_skipped(line: Line<'_>) -> bool {
    line.is_some_and(|line| matches!(line.trim_ascii_start().first(), None | Some(b'#')))
}

#[cfg(test)]
mod tests {
    use super::super::Args;
    use super::*;
    use crate::analysis::HeapGame;
    use crate::game::Game;
    use crate::ruleset::Ruleset;
    use clap::{Args as _, Command, FromArgMatches};

    /// A game in which a pile of 5 is a fault of the program.
    fn faulty(name: &str, effort: Effort) -> Result<Box<dyn Game>, Refused> {
        let rule = Ruleset::from_rule(name, |n| match n {
            5 => panic!("five is right out"),
            n => (0..n).map(|left| vec![left]).collect(),
        });
        Ok(Box::new(HeapGame::with_effort(rule, effort)))
    }

    #[test]
    fn a_fault_at_one_line_is_an_error_in_its_place() {
        let input = "3\n5\n4\n{\"game\":\"other\",\"piles\":[6]}\n{\"game\":\"other\",\"piles\":[2]}\n4 4\n";
        for (json, many) in [(false, 1), (true, 1), (false, 100)] {
            let words = if json { vec!["-", "--json"] } else { vec!["-"] };
            let command = Args::augment_args(Command::new("analyse").no_binary_name(true));
            let matches = command.get_matches_from(words);
            let args = Args::from_arg_matches(&matches).unwrap();
            let effort = args.position.effort.effort();
            let positions = Positions {
                games: Games::new(faulty, "faulty", effort).unwrap(),
                convention: Convention::Normal,
                answer: &args.answer,
                effort: &args.position.effort,
                strict: false,
            };
            let mut out = Vec::new();
            positions
                .run(input.repeat(many).as_bytes(), &mut out)
                .unwrap();
            let text = String::from_utf8(out).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines.len(), 6 * many);
            for (at, line) in lines.iter().enumerate() {
                let is_fault = line.contains(
                    "a bug in nim-analyser, not an error in this line: five is right out",
                );
                let is_error = line.contains("error") && line.contains(&(at + 1).to_string());
                assert_eq!(
                    (is_fault, is_error),
                    ([1, 3].contains(&(at % 6)), is_fault),
                    "{line}"
                );
            }
        }
    }
}
