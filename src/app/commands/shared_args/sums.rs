//! Sums of games on the command line and in lines of text: `kayles 5 6 + nim 3 4`.

use super::word::names_game;
use crate::app::error::Refused;
use crate::game::sum::PLUS;

/// The words that a rule may begin with.
pub const VERBS: [&str; 4] = ["take", "remove", "subtract", "split"];

/// Whether a word is a `+` between the parts of a sum, or has such a `+` between blanks.
pub fn has_plus(word: &str) -> bool {
    word.split_whitespace().any(|word| word == PLUS)
}

/// A sum: its games by a name like `kayles + nim`, if its words name any, and the words for the positions of its parts.
pub struct Written {
    pub name: Option<String>,
    /// The positions, with a `+` between them.
    pub position: Vec<String>,
}

/// The sum that these words are; `None` if they have no `+`.
///
/// A word with blanks in it is several words, or the rule of a part in words, behind which a colon may stand.
///
/// # Errors
/// If some parts name their games and one doesn't.
pub fn sum_of<T: AsRef<str>>(words: &[T]) -> Option<Result<Written, Refused>> {
    if !words.iter().any(|word| has_plus(word.as_ref())) {
        return None;
    }
    let mut parts: Vec<Vec<String>> = vec![Vec::new()];
    for word in words {
        for (at, piece) in pieces(word.as_ref()).into_iter().enumerate() {
            if at > 0 {
                parts.push(Vec::new());
            }
            let count = parts.len();
            parts[count - 1].extend(own_words(piece));
        }
    }
    let is_named = |part: &Vec<String>| part.first().is_some_and(|word| names_game(word));
    let unnamed = parts.iter().position(|part| !is_named(part));
    if parts.iter().any(is_named)
        && let Some(part) = unnamed
    {
        let what = match parts[part].join(" ") {
            words if words.is_empty() => "is missing".to_owned(),
            words => format!("`{}` is not a game", crate::printable::quoted(&words)),
        };
        let text = format!(
            "part {} of the sum {what}; a sum is written kayles 5 6 + nim 3 4",
            part + 1
        );
        return Some(Err(Refused::Usage(text)));
    }
    let skipped = usize::from(unnamed.is_none());
    let names: Vec<&str> = parts
        .iter()
        .filter_map(|part| Some(part.first()?.as_str()))
        .collect();
    let name = unnamed.is_none().then(|| names.join(" + "));
    let each: Vec<&[String]> = parts.iter().map(|part| &part[skipped..]).collect();
    Some(Ok(Written {
        name,
        position: each.join(&PLUS.to_owned()),
    }))
}

/// The pieces of a word between its `+` signs.
fn pieces(word: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = word;
    loop {
        let sign = rest.match_indices(PLUS).find(|(at, _)| {
            let before = rest[..*at].chars().next_back();
            let behind = rest[at + PLUS.len()..].chars().next();
            [before, behind]
                .into_iter()
                .flatten()
                .all(char::is_whitespace)
        });
        let Some((at, _)) = sign else {
            found.push(rest);
            return found;
        };
        found.push(&rest[..at]);
        rest = &rest[at + PLUS.len()..];
    }
}

/// The words of a piece of a sum. A rule is one word, up to a colon or to the end.
fn own_words(piece: &str) -> Vec<String> {
    let mut words = piece.split_whitespace();
    let is_verb = words
        .next()
        .is_some_and(|word| VERBS.contains(&word.to_lowercase().as_str()));
    // `split 7 8` is a game of that name.
    let is_rule =
        is_verb && (!piece.trim().starts_with("split ") || words.next().is_some_and(names_game));
    let (rule, rest) = match piece.split_once(": ") {
        Some((rule, rest)) if is_rule => (Some(rule), rest),
        _ if is_rule => (Some(piece), ""),
        _ => (None, piece),
    };
    let rule = rule.map(|rule| rule.trim().trim_end_matches(':').to_owned());
    let rest = rest.split_whitespace().map(str::to_owned);
    rule.into_iter().chain(rest).collect()
}
