//! Reports as text for a person. Scripts compare these lines, so they never change with the terminal.

use super::style;
use crate::analysis::{Analysis, Basis, Moves};
use crate::game::Game;
use crate::outcome::Convention;
use crate::position::{Change, Move, Taking};
use crate::printable::printable;
use crate::ruleset::CATALOGUE;
use std::io::Write;

/// The analysis of a position and the winning moves, as they are found.
///
/// # Errors
/// If a move can't be found or the text can't be written.
pub fn analysis(
    out: &mut dyn Write,
    game: &dyn Game,
    analysis: &Analysis,
    winning: Moves<'_>,
) -> anyhow::Result<()> {
    let named = |&pile| game.label(pile).is_some();
    let what = if analysis.piles.first().is_some_and(named) {
        "Position"
    } else {
        "Piles"
    };
    writeln!(out, "Initial {what}: {}", position(game, &analysis.piles))?;
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
    if !analysis.outcome.is_winning() {
        writeln!(
            out,
            "This is a {}Losing{:#} Position.",
            style::LOSING,
            style::LOSING
        )?;
        return Ok(());
    }
    writeln!(
        out,
        "This is a {}Winning{:#} Position.",
        style::WINNING,
        style::WINNING
    )?;
    writeln!(out, "Searching for a winning move...")?;
    let mut any = false;
    for found in winning {
        let found = found?;
        any = true;
        writeln!(out, "A winning move is to {}.", describe(&found))?;
        writeln!(out, "New state: {}", position(game, &found.position))?;
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
///
/// # Errors
/// If a move can't be found or the text can't be written.
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
    write!(
        out,
        "{} is {outcome}",
        self::position(game, &analysis.piles)
    )?;
    if let Some(sum) = analysis.nim_sum {
        write!(out, " (nim-sum {sum})")?;
    }
    let mut before = ": ";
    for found in winning {
        write!(out, "{before}{}", describe(&found?))?;
        before = "; ";
    }
    Ok(writeln!(out)?)
}

/// A position in words: `[3, 4, 5]`.
pub fn position(game: &dyn Game, position: &[u64]) -> String {
    let (piles, reserve) = game.split(position);
    let piles: Vec<String> = piles.iter().map(|&pile| name(game, pile)).collect();
    let reserve = reserve.map(|stones| format!(" and {stones} in reserve"));
    format!("[{}]{}", piles.join(", "), reserve.unwrap_or_default())
}

fn name(game: &dyn Game, pile: u64) -> String {
    game.label(pile)
        .map_or_else(|| pile.to_string(), |name| printable(name).into_owned())
}

/// The proved period that an analysis rests on, after a blank line.
///
/// # Errors
/// If it can't be written.
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

/// A move in words: "take 2 from pile 9, leaving 7".
pub fn describe(found: &Move) -> String {
    match &found.change {
        Change::Heap {
            pile, take, leave, ..
        } => match (take, leave.as_slice()) {
            (0, parts) => format!("split pile {pile} into piles of size {}", list(parts)),
            (_, []) => format!("take the whole of pile {pile}"),
            (_, [rest]) => format!("take {take} from pile {pile}, leaving {rest}"),
            (_, parts) => format!(
                "take {take} from pile {pile} and split the rest into {}",
                list(parts)
            ),
        },
        Change::Add { pile, add, .. } => format!("add {add} to pile {pile}"),
        Change::Step { from, to, coins: 1 } => format!("move 1 coin from step {from} to step {to}"),
        Change::Step { from, to, coins } => {
            format!("move {coins} coins from step {from} to step {to}")
        }
        Change::Several { piles } => {
            let words = piles
                .iter()
                .map(|Taking { pile, take, .. }| format!("{take} from pile {pile}"));
            format!("take {}", listed(&words.collect::<Vec<_>>()))
        }
        Change::Turn { coins } => match coins.as_slice() {
            [coin] => format!("turn coin {coin}"),
            coins => format!("turn the coins {}", list(coins)),
        },
        Change::Vertex { from, to, .. } => {
            format!("move from {} to {}", printable(from), printable(to))
        }
    }
}

fn list(parts: &[u64]) -> String {
    listed(&parts.iter().map(u64::to_string).collect::<Vec<_>>())
}

fn listed(words: &[String]) -> String {
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The working of an analysis, after a blank line.
///
/// # Errors
/// If it can't be written.
pub fn working(out: &mut dyn Write, lines: &[String]) -> Result<(), std::io::Error> {
    writeln!(out)?;
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// The named games in columns.
///
/// # Errors
/// If they can't be written.
pub fn games(out: &mut dyn Write, across: usize) -> Result<(), std::io::Error> {
    const CODE: usize = 6;
    let width = CATALOGUE
        .iter()
        .map(|entry| entry.name.len())
        .max()
        .unwrap_or(0);
    let room = across.saturating_sub(width + CODE + 4).max(20);
    for entry in CATALOGUE {
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
