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
        let words: Vec<&str> = word.as_ref().split_whitespace().collect();
        for (at, piece) in words.split(|word| *word == PLUS).enumerate() {
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

/// The words of a piece of a sum. A rule is one word, up to a colon or to the end.
fn own_words(piece: &[&str]) -> Vec<String> {
    let is_rule = piece.split_first().is_some_and(|(verb, behind)| {
        // `split 7 8` is a game of that name.
        let is_game = *verb == "split" && behind.first().is_some_and(|word| !names_game(word));
        VERBS.contains(&verb.to_lowercase().as_str()) && !is_game
    });
    let colon = piece.iter().position(|word| word.ends_with(':'));
    let length = colon.map_or(piece.len(), |at| at + 1);
    let (rule, rest) = piece.split_at(if is_rule { length } else { 0 });
    let rule = is_rule.then(|| rule.join(" ").trim_end_matches(':').to_owned());
    let rest = rest.iter().map(|&word| word.to_owned());
    rule.into_iter().chain(rest).collect()
}
