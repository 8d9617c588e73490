//! The title of a game and its rule in words.

use crate::app::report::style::any_of;
use crate::game::catalogue;
use crate::printable::joined;
use crate::ruleset::{Code, Entry, Ruleset, spelling};

/// The games that a title names as people write them.
const TITLES: [&str; 13] = [
    "Couples-are-Forever",
    "Dawson's Chess",
    "Dawson's Kayles",
    "Grundy's Game",
    "Kayles",
    "Lasker's Nim",
    "Mock Turtles",
    "Nim",
    "Officers",
    "Ruler",
    "Treblecross",
    "Turning Turtles",
    "Twins",
];

/// The game's name in the name of a sequence.
pub fn title(ruleset: &Ruleset) -> String {
    let code = ruleset.code().map(ToString::to_string);
    let title = entry(ruleset).map(|entry| {
        let is_it = |title: &&str| entry.names().any(|name| name == spelling(title));
        TITLES
            .into_iter()
            .find(is_it)
            .unwrap_or(entry.name)
            .to_owned()
    });
    let kind = ruleset.code().map(|code| match code.is_octal() {
        true => "octal game",
        false => "take-and-break game",
    });
    let named = ruleset.name();
    match (title, kind, code) {
        (Some(title), Some(kind), Some(code)) => format!("{title} ({kind} {code})"),
        (Some(title), ..) => title,
        (None, Some(kind), Some(code)) if code == named => format!("the {kind} {code}"),
        (None, Some(kind), Some(code)) => format!("the game \"{named}\" ({kind} {code})"),
        (None, ..) => format!("the game \"{named}\""),
    }
}

/// The catalogue's entry of a game. A game with a set has none, because the entry's set is only one of many.
fn entry(ruleset: &Ruleset) -> Option<&'static Entry> {
    let code = ruleset.code().map(ToString::to_string);
    catalogue::entries().find(|entry| {
        let is_named = entry.name == ruleset.name() && !entry.name.contains(':');
        is_named || entry.code.is_some() && entry.code == code.as_deref()
    })
}

/// The words that say what a move may do.
pub fn words(ruleset: &Ruleset) -> String {
    match (entry(ruleset), ruleset.code()) {
        (Some(entry), _) => entry.rule.to_owned(),
        (None, Some(code)) => of_code(code),
        (None, None) => ruleset.name().to_owned(),
    }
}

/// The rule of a code in words: takings with the same digit stand together.
fn of_code(code: &Code) -> String {
    if code.octal_end().is_none() {
        return format!(
            "in the code {code}, bit k of the digit t places behind the point says whether a move may take t stones and leave the others as exactly k nonempty piles"
        );
    }
    let mut kinds: Vec<(String, Vec<u64>)> = Vec::new();
    for taken in code.takings().map(|taken| taken as u64) {
        let digit = code.digit(taken);
        let may = (0..=2).filter(|&piles| digit.parts(piles).is_some());
        let may = any_of(may.map(|piles| ["none", "one pile", "two piles"][piles as usize]));
        match kinds
            .iter_mut()
            .find(|(left, takings)| *left == may && takings != &[0])
        {
            Some((_, takings)) => takings.push(taken),
            None => kinds.push((may, vec![taken])),
        }
    }
    let moves = kinds.iter().map(|(left, takings)| {
        if takings == &[0] {
            return format!("split a pile into {left}");
        }
        let stones = match takings.as_slice() {
            [1] => "stone",
            _ => "stones",
        };
        format!(
            "take {} {stones} and leave {left} of the others",
            any_of(takings)
        )
    });
    match joined(moves, "; or ") {
        none if none.is_empty() => "there is no move".to_owned(),
        moves => moves,
    }
}
