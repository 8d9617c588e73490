//! `lookup`: what is known of a game.

use super::shared_args::{EffortArgs, FormArgs, GameArgs, heap};
use crate::app::error::{Refused, refuse};
use crate::app::files::{input, lines};
use crate::app::report::{FoundReport, LookupReport, PeriodReport};
use crate::engine::Effort;
use crate::error::Error;
use crate::game::catalogue;
use crate::sequence::Sequence;
use crate::sequence::published::{COMPARED, MOST_SHIFT, games_with, lookup};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The largest heap to which a period is searched.
const SEARCHED: u64 = 5000;
/// How many options may be walked for a period, or for the games with given values, where nothing else is asked for.
pub const STEPS: u64 = 50_000_000;

const EXAMPLES: &str = "\
Two games are equivalent if their nim-values agree, perhaps shifted: `0.137(n-1)` means that a pile of n in this game has
the nim-value of a pile of n-1 in 0.137.

Examples:
  nim-analyser lookup 0.07
  nim-analyser lookup 0.161 --bound 500
  nim-analyser lookup kayles --json
  nim-analyser lookup 0 1 2 0 1 2 3 --sequence       the games that have these values
  nim-analyser lookup --sequence values.txt          the same from a list, b-file, CSV or JSON";

/// Look up what is known of a game, or the games with given values
///
/// Print its standard form, equivalent games, and its period or how far others have computed it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The game, if not named by -g; with --sequence, nim-values
    #[arg(value_name = "CODE")]
    words: Vec<String>,
    /// Find the games with these nim-values, starting at any of the piles 0 to 4; or with those in FILE, or 0,1,2 in its place
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["game", "rule", "bound"])]
    sequence: Option<Option<PathBuf>>,
    #[command(flatten)]
    game: GameArgs,
    /// Compare nim-values to pile N to find equivalent games
    #[arg(long, value_name = "N", default_value = "1000", value_parser = heap)]
    bound: u64,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    form: FormArgs,
}

impl Args {
    fn steps(&self) -> u64 {
        self.effort.steps.unwrap_or(STEPS)
    }
}

/// Looks the game up and prints what is known.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let effort = args.effort.effort();
    if let Some(file) = &args.sequence {
        return find(args, file.as_deref(), effort);
    }
    let word = match &args.words[..] {
        [] => None,
        [word] => Some(word.as_str()),
        _ => {
            refuse!("look up one game at a time; to look up nim-values, add --sequence");
        }
    };
    let ruleset = args.game.or_word(word)?.ruleset()?;
    let mut known = Sequence::with_effort(ruleset, effort.clone());
    let report = look_up(&mut known, args.bound, effort, args.steps())?;
    args.form.print("lookup", &report, |out| report.text(out))
}

/// What is known of the game of a sequence, with the equivalents by their values to pile `bound`, and with the period that a
/// short search of so many steps finds.
///
/// # Errors
/// If the values to `bound` are out of reach, or the work is stopped.
pub fn look_up(
    known: &mut Sequence,
    bound: u64,
    effort: Effort,
    steps: u64,
) -> Result<LookupReport, Error> {
    let found = lookup(known, bound, &effort)?;
    let (ruleset, table) = (known.ruleset().clone(), known.table().clone());
    let mut sequence = Sequence::resume(ruleset, table, effort.steps(steps));
    let search = sequence.find_period_within_reach(SEARCHED)?;
    let search = PeriodReport::new(&sequence, &search);
    Ok(LookupReport::new(found, bound, search))
}

/// Finds games by their values.
fn find(args: &Args, file: Option<&Path>, effort: Effort) -> anyhow::Result<ExitCode> {
    let text = match file {
        None => args.words.join(" "),
        Some(_) if !args.words.is_empty() => {
            refuse!(
                "give nim-values or a file, not both: `lookup 0 1 2 --sequence`, or `lookup --sequence FILE`"
            );
        }
        Some(file) => match file.to_str().filter(|text| values(text).is_ok()) {
            Some(text) if !file.exists() => text.to_owned(),
            _ => read(file)?,
        },
    };
    let values = values(&text)?;
    if values.is_empty() {
        refuse!("no nim-values are given; write them as in `lookup 0 1 2 0 1 2 3 --sequence`");
    }
    let games = games_with(&values, by_formulas()?, &effort.steps(args.steps()))?;
    let report = FoundReport::new(&values, games);
    args.form.print("matches", &report, |out| report.text(out))
}

/// The games whose nim-values have a formula, with as many of them as are compared.
///
/// # Errors
/// If a value doesn't fit a table.
pub fn by_formulas() -> Result<Vec<Sequence>, Error> {
    let last = COMPARED as u64 + MOST_SHIFT;
    let rulesets = catalogue::entries().filter_map(|entry| catalogue::ruleset(entry.name).ok());
    let by_formula = rulesets.filter(|ruleset| ruleset.formula().is_some());
    by_formula
        .map(|ruleset| {
            let mut sequence = Sequence::new(ruleset);
            sequence.fill(last)?;
            Ok(sequence)
        })
        .collect()
}

/// The most bytes of a file of values.
const LONGEST: u64 = 64 << 20;

fn read(file: &Path) -> Result<String, Refused> {
    input(file)
        .and_then(|input| lines::text(input, LONGEST))
        .map_err(Refused::unreadable(file))
}

/// The lines that stand above the values of a CSV and of a TSV.
const HEADS: [&str; 2] = ["n,g", "n\tg(n)"];

/// Numbers with spaces, commas or ends of lines between them; a b-file, a CSV or a TSV, with the numbers of the places in
/// front; or the JSON of `values`.
fn values(text: &str) -> Result<Vec<u64>, Refused> {
    #[derive(serde::Deserialize)]
    struct Written {
        values: Vec<u64>,
    }
    if text.trim_start().starts_with('{') {
        let written: Result<Written, _> = serde_json::from_str(text);
        let fault = |error| Refused::Usage(format!("this JSON has no nim-values: {error}"));
        return Ok(written.map_err(fault)?.values);
    }
    let lines = text.lines().map(str::trim);
    let lines =
        lines.filter(|line| !line.is_empty() && !line.starts_with('#') && !HEADS.contains(line));
    let mut rows = Vec::new();
    for line in lines {
        let cells = line.split([',', ' ', '\t']).filter(|cell| !cell.is_empty());
        let row: Result<Vec<u64>, Refused> = cells
            .map(|cell| {
                let fault =
                    |_| Refused::Usage(format!("`{}` is not a nim-value", cell.escape_debug()));
                cell.parse().map_err(fault)
            })
            .collect();
        rows.push(row?);
    }
    let places = rows.iter().all(|row| row.len() == 2)
        && rows
            .windows(2)
            .all(|pair| pair[0][0].checked_add(1) == Some(pair[1][0]));
    if rows.len() > 1 && places {
        return Ok(rows.into_iter().map(|row| row[1]).collect());
    }
    Ok(rows.concat())
}

#[cfg(test)]
mod tests {
    use super::values;

    #[test]
    fn values_are_read_from_words_lines_and_b_files() {
        for (text, wanted) in [
            ("0 1,2, 3", vec![0, 1, 2, 3]),
            ("# a list\n0\n1\n\n2\r\n", vec![0, 1, 2]),
            ("0 5\n1 6\n2 7\n", vec![5, 6, 7]),
            ("0 5\n0 6\n", vec![0, 5, 0, 6]),
            ("n,g\n0,5\n1,6\n", vec![5, 6]),
            ("{\"game\":\"kayles\",\"values\":[0,1]}", vec![0, 1]),
            ("3 4", vec![3, 4]),
            ("", vec![]),
        ] {
            assert_eq!(values(text).unwrap(), wanted, "{text:?}");
        }
        for text in ["a", "-1", "1.5", "99999999999999999999"] {
            assert!(values(text).is_err(), "{text}");
        }
    }
}
