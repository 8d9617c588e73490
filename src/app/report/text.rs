//! Reports as text for a person. Scripts compare these lines, so they never change with the terminal.

use super::style;
use crate::analysis::{Analysis, Basis, Moves};
use crate::game::{Game, catalogue};
use crate::outcome::Convention;
use crate::position::Change;
use std::io::Write;

/// The analysis of a position and the winning moves, as they are found.
pub fn analysis(
    out: &mut dyn Write,
    game: &dyn Game,
    analysis: &Analysis,
    winning: Moves<'_>,
) -> anyhow::Result<()> {
    let named = |&pile| game.label(pile).is_some();
    let is_named = analysis.piles.first().is_some_and(named);
    let what = if is_named || !game.parts().is_empty() {
        "Position"
    } else {
        "Piles"
    };
    writeln!(out, "Initial {what}: {}", game.shown(&analysis.piles))?;
    if analysis.convention == Convention::Misere {
        writeln!(
            out,
            "Convention: misère (whoever makes the last move loses)"
        )?;
    }
    for fact in game.facts(analysis) {
        writeln!(out, "{fact}")?;
    }
    writeln!(out)?;
    let (style, word) = match analysis.outcome.is_winning() {
        true => (style::WINNING, "Winning"),
        false => (style::LOSING, "Losing"),
    };
    writeln!(out, "This is a {style}{word}{style:#} Position.")?;
    if !analysis.outcome.is_winning() {
        return Ok(());
    }
    writeln!(out, "Searching for a winning move...")?;
    let mut any = false;
    for found in winning {
        let found = found?;
        any = true;
        match found.change {
            Change::Part { .. } => writeln!(out, "A winning move is {}.", found.change)?,
            change => writeln!(out, "A winning move is to {change}.")?,
        }
        writeln!(out, "New state: {}", game.shown(&found.position))?;
    }
    if !any {
        writeln!(
            out,
            "There is no move left: whoever made the last one has lost."
        )?;
    }
    Ok(())
}

/// The analysis of a position on one line, for many of them: `[7, 8] is winning (nim-sum 1): split pile 7 into …`.
pub fn verdict(
    out: &mut dyn Write,
    game: &dyn Game,
    analysis: &Analysis,
    winning: Moves<'_>,
) -> anyhow::Result<()> {
    let outcome = if analysis.outcome.is_winning() {
        "winning"
    } else {
        "losing"
    };
    write!(out, "{} is {outcome}", game.shown(&analysis.piles))?;
    if let Some(sum) = analysis.nim_sum {
        write!(out, " (nim-sum {sum})")?;
    }
    let mut before = ": ";
    for found in winning {
        write!(out, "{before}{}", found?.change)?;
        before = "; ";
    }
    Ok(writeln!(out)?)
}

/// The proved period that an analysis rests on, after a blank line.
pub fn basis(out: &mut dyn Write, basis: &Basis) -> Result<(), std::io::Error> {
    let Basis {
        period,
        theorem,
        source,
    } = basis;
    let period = super::in_words(period);
    writeln!(
        out,
        "\nThis rests on the proved {period}: {theorem} ({source})."
    )
}

/// The working of an analysis, after a blank line.
pub fn working(out: &mut dyn Write, lines: &[String]) -> Result<(), std::io::Error> {
    writeln!(out)?;
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// The named games in columns.
pub fn games(out: &mut dyn Write, across: usize) -> Result<(), std::io::Error> {
    const CODE: usize = 6;
    let width = catalogue::entries()
        .map(|entry| entry.name.len())
        .max()
        .unwrap_or(0);
    let room = across.saturating_sub(width + CODE + 4).max(20);
    for entry in catalogue::entries() {
        let aliases = (!entry.aliases.is_empty())
            .then(|| format!("also called {}", entry.aliases.join(", ")));
        let known = (!entry.known.is_empty()).then(|| entry.known.to_owned());
        let texts = [Some(entry.rule.to_owned()), known, aliases];
        let texts = texts.into_iter().flatten();
        let lines = texts.flat_map(|text| wrapped(&text, room));
        for (at, line) in lines.enumerate() {
            let (name, code) = match at {
                0 => (entry.name, entry.code.unwrap_or("")),
                _ => ("", ""),
            };
            writeln!(out, "{name:width$}  {code:CODE$}  {line}")?;
        }
    }
    writeln!(
        out,
        "\nA take-and-break code is a game too: 0.77, 4!.0, 0.[3], 0.3F, {{2+}}.0."
    )
}

/// A text in lines of so many characters, broken between words; the second and later ones are indented.
fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let count = lines.len();
        let line = &mut lines[count - 1];
        let length = line.chars().count() + 1 + word.chars().count();
        match line.as_str() {
            "" => line.push_str(word),
            _ if length <= room => *line += &format!(" {word}"),
            _ => lines.push(format!("  {word}")),
        }
    }
    lines
}
