//! Reports as text for a person. Scripts compare these lines, so they never change with the terminal.

use super::style::{LOSING, WINNING, wrapped};
use crate::analysis::{Analysis, Moves};
use crate::game::{Game, catalogue};
use crate::outcome::Convention;
use std::io::Write;

/// The analysis of a position with the winning moves, as they are found, and the proved periods that it rests on.
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
    convention(out, analysis.convention)?;
    for fact in game.facts(analysis) {
        writeln!(out, "{fact}")?;
    }
    writeln!(out)?;
    if analysis.outcome.is_winning() {
        writeln!(out, "This is a {WINNING}Winning{WINNING:#} Position.")?;
        winning_moves(out, game, winning)?;
    } else {
        writeln!(out, "This is a {LOSING}Losing{LOSING:#} Position.")?;
    }
    let parts = analysis.parts.iter().map(|part| &part.basis);
    for basis in [&analysis.basis].into_iter().chain(parts).flatten() {
        let period = super::in_words(&basis.period);
        writeln!(
            out,
            "\nThis rests on the proved {period}: {} ({}).",
            basis.theorem, basis.source
        )?;
    }
    Ok(())
}

/// A line that says that the play is misère, if it is.
pub fn convention(out: &mut dyn Write, convention: Convention) -> Result<(), std::io::Error> {
    match convention {
        Convention::Normal => Ok(()),
        Convention::Misere => writeln!(
            out,
            "Convention: misère (whoever makes the last move loses)"
        ),
    }
}

fn winning_moves(out: &mut dyn Write, game: &dyn Game, winning: Moves<'_>) -> anyhow::Result<()> {
    writeln!(out, "Searching for a winning move...")?;
    let mut any = false;
    for found in winning {
        let found = found?;
        any = true;
        match found.change.in_part() {
            (None, change) => writeln!(out, "A winning move is to {change}.")?,
            (Some(_), _) => writeln!(out, "A winning move is {}.", found.change)?,
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
        let lines = texts.flat_map(|text| wrapped(&text, room, "", "  "));
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
