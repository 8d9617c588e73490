//! The question in a line of input: a position as words, as the command line has it, or as JSON.

use super::super::shared_args::{as_rule, sum_of};
use crate::app::error::{Refused, refuse};
use crate::app::files::lines::{LONGEST, Line};
use crate::game::sum::PLUS;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// The question that a line asks.
pub struct Question {
    /// The name of the game, if it isn't that of the command line.
    pub game: Option<String>,
    pub position: Place,
    /// Whether play is misère, if the line says so.
    pub misere: Option<bool>,
}

/// The position that a line asks about.
pub enum Place {
    Piles(Vec<u64>),
    /// A position given by words that the game reads.
    Words(Vec<String>),
}

/// A question in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    game: Option<String>,
    /// The game as a rule in words, in the place of the game's name.
    rule: Option<String>,
    piles: Option<Vec<Piles>>,
    /// The games of a sum, in the place of a game or rule and its piles.
    parts: Option<Vec<AskedPart>>,
    misere: Option<bool>,
}

/// One game of a sum in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedPart {
    game: Option<String>,
    rule: Option<String>,
    piles: Vec<Piles>,
}

/// Piles in JSON: a number is one pile, and a string is read as on the command line.
enum Piles {
    Number(u64),
    Words(String),
}

impl fmt::Display for Piles {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Piles::Number(size) => size.fmt(out),
            Piles::Words(words) => words.fmt(out),
        }
    }
}

impl<'de> Deserialize<'de> for Piles {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Piles, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl Visitor<'_> for Reader {
    type Value = Piles;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pile: a whole number from 0 to 2^64-1, or a string like \"7x3\"")
    }

    fn visit_u64<E>(self, size: u64) -> Result<Piles, E> {
        Ok(Piles::Number(size))
    }

    fn visit_i64<E: de::Error>(self, size: i64) -> Result<Piles, E> {
        self.visit_str(&size.to_string())
    }

    /// Takes a number with a fraction or an exponent, or one that doesn't fit 64 bits.
    fn visit_f64<E: de::Error>(self, size: f64) -> Result<Piles, E> {
        let what = if size < 2f64.powi(63) {
            "has a fraction or an exponent"
        } else {
            "is too large"
        };
        Err(E::custom(format_args!(
            "a pile {what}; piles are whole numbers from 0 to 2^64-1, or strings like \"7x3\""
        )))
    }

    fn visit_str<E: de::Error>(self, words: &str) -> Result<Piles, E> {
        Ok(Piles::Words(words.to_owned()))
    }
}

impl Question {
    /// Reads the question in a line.
    ///
    /// # Errors
    /// If the line is too long or not in UTF-8, or is JSON that asks for no position.
    pub fn read(line: Line<'_>) -> Result<Question, Refused> {
        let usage = |text: &str| Refused::Usage(text.to_owned());
        let line = line.ok_or_else(|| usage(&format!("longer than {} MiB", LONGEST >> 20)))?;
        let line = std::str::from_utf8(line).map_err(|_| usage("not text in UTF-8"))?;
        let line = line.trim();
        if line.starts_with('{') {
            return Question::of_json(line);
        }
        let (game, words) = match sum_of(&[line]).transpose()? {
            Some(sum) => (sum.name, sum.position),
            None => (None, vec![line.to_owned()]),
        };
        Ok(Question {
            game,
            position: Place::Words(words),
            misere: None,
        })
    }

    fn of_json(line: &str) -> Result<Question, Refused> {
        let refused = |error: &str| {
            Refused::Usage(format!(
                r#"{error}; a position is {{"piles":[7,8]}}, with "game" or "rule", and "misere", where it has its own"#
            ))
        };
        let asked: Asked = serde_json::from_str(line).map_err(|error| {
            // The JSON reader counts lines within this line alone, so its line number is left out.
            refused(&error.to_string().replace(" line 1 column", " column"))
        })?;
        let single = named(asked.game, asked.rule)?;
        let (game, position) = match (asked.piles, asked.parts) {
            (Some(piles), None) => (single, place(&piles)),
            (None, Some(parts)) if single.is_none() && parts.len() > 1 => {
                let each: Vec<_> = parts.iter().map(|part| words(&part.piles)).collect();
                let names = parts.into_iter().map(|part| {
                    let name = named(part.game, part.rule)?;
                    name.ok_or_else(|| refused("a part is missing its field `game`"))
                });
                let names = names.collect::<Result<Vec<_>, _>>()?;
                let position = Place::Words(each.join(&PLUS.to_owned()));
                (Some(names.join(" + ")), position)
            }
            (None, Some(_)) => {
                refuse!(
                    r#""parts" are two games or more, each with "game" and "piles", and nothing beside them but "misere""#
                );
            }
            (None, None) => return Err(refused("missing field `piles`")),
            (Some(_), Some(_)) => refuse!(r#""piles" are those of "parts"; leave one out"#),
        };
        Ok(Question {
            game,
            position,
            misere: asked.misere,
        })
    }
}

/// The name of a game that is given by its name or as a rule.
fn named(game: Option<String>, rule: Option<String>) -> Result<Option<String>, Refused> {
    if game.is_some() && rule.is_some() {
        refuse!(r#""game" and "rule" both name the game; leave one out"#);
    }
    Ok(game.or_else(|| rule.map(|rule| as_rule(&rule))))
}

fn words(piles: &[Piles]) -> Vec<String> {
    piles.iter().map(Piles::to_string).collect()
}

fn place(piles: &[Piles]) -> Place {
    let number = |pile: &Piles| match pile {
        Piles::Number(size) => Some(*size),
        Piles::Words(_) => None,
    };
    match piles.iter().map(number).collect() {
        Some(numbers) => Place::Piles(numbers),
        None => Place::Words(words(piles)),
    }
}
