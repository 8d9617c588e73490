//! The options that say which game a command is about, and whether play is normal or misère.

use super::sums::{VERBS, sum_of};
use super::word::{names_game, only_pile, piles_of};
use crate::app::commands::graph_file::{self, GRAPH};
use crate::app::error::{Refused, refuse};
use crate::engine::Effort;
use crate::game::{Game, Sum, catalogue};
use crate::outcome::Convention;
use crate::position::parse_piles;
use crate::printable::quoted;
use crate::ruleset::Ruleset;
use clap::builder::{StringValueParser, TypedValueParser};

const DEFAULT_GAME: &str = "couples-are-forever";

/// The options that choose a game.
#[derive(Clone, Debug, clap::Args)]
pub struct GameArgs {
    /// Choose the game: a name from `nim-analyser games`, or a take-and-break code like 0.77 [default: couples-are-forever]
    #[arg(short, long, value_name = "GAME")]
    pub game: Option<String>,
    /// Define the game by a rule in words: `take 1..9`, `take 1 or half`, `take squares`, `split into unequal parts`
    #[arg(long, value_name = "RULE", conflicts_with = "game", value_parser = StringValueParser::new().map(|words| as_rule(&words)))]
    pub rule: Option<String>,
    /// Whether whoever makes the last move loses, see [`PlayedGameArgs`].
    #[arg(skip)]
    misere: bool,
}

/// The options that choose a game and the convention of play.
#[derive(Clone, Debug, clap::Args)]
pub struct PlayedGameArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Play misère: whoever makes the last move loses
    #[arg(long)]
    misere: bool,
}

impl PlayedGameArgs {
    /// The game chosen, with the convention of the option `--misere`.
    pub fn named(&self) -> GameArgs {
        GameArgs {
            misere: self.misere,
            ..self.game.clone()
        }
    }
}

impl GameArgs {
    /// The game chosen by an option, or else by `word`.
    ///
    /// # Errors
    /// If an option names a game too.
    pub fn or_word(&self, word: Option<&str>) -> Result<GameArgs, Refused> {
        match (self.game.as_ref().or(self.rule.as_ref()), word) {
            (Some(option), Some(word)) => Err(Refused::Usage(format!(
                "the game is named twice, by the option `{option}` and by the word `{word}`"
            ))),
            (_, word) => Ok(GameArgs {
                game: self.game.clone().or_else(|| word.map(str::to_owned)),
                rule: self.rule.clone(),
                misere: self.misere,
            }),
        }
    }

    /// The game and the piles that these words say. The first word may name the game, as for [`GameArgs::or_word`].
    pub fn and_piles(&self, words: &[String]) -> Result<(GameArgs, Vec<u64>), Refused> {
        match words {
            [word, piles @ ..] if names_game(word) => {
                Ok((self.or_word(Some(word))?, parse_piles(piles)?))
            }
            words => Ok((self.clone(), parse_piles(words)?)),
        }
    }

    /// The game and the words for a position among these words. The first word may name the game, as for [`GameArgs::or_word`],
    /// and a sum has its games among the words.
    ///
    /// # Errors
    /// If the game is named twice, or a part of a sum has no name while another has one.
    pub fn and_words(&self, words: &[String]) -> Result<(GameArgs, Vec<String>), Refused> {
        if let Some(sum) = sum_of(words) {
            let sum = sum?;
            return Ok((self.or_word(sum.name.as_deref())?, sum.position));
        }
        // The vertices of a graph may have any names, so the first word is not taken for a game.
        let is_graph = self
            .game
            .as_ref()
            .is_some_and(|name| name.starts_with(GRAPH));
        match words {
            [word, own @ ..] if names_game(word) && !is_graph => {
                Ok((self.or_word(Some(word))?, own.to_vec()))
            }
            words => Ok((self.clone(), words.to_vec())),
        }
    }

    /// The game and the number that these words say: each may be missing, and either may come first. The game may be named by
    /// an option, as for [`GameArgs::or_word`].
    pub fn and_number(&self, words: [Option<&str>; 2]) -> Result<(GameArgs, Option<u64>), Refused> {
        let words = words.into_iter().flatten();
        let words = words.map(|word| (word, piles_of(word)));
        let (games, numbers): (Vec<_>, Vec<_>) = words.partition(|(_, piles)| piles.is_none());
        match (games.as_slice(), numbers.as_slice()) {
            ([(one, _), (two, _)], _) => refuse!("two games, `{one}` and `{two}`"),
            (_, [(one, _), (two, _)]) => {
                refuse!("expected one game and one number, not `{one} {two}`")
            }
            (games, numbers) => {
                let number = numbers.first().map(|(word, piles)| {
                    let fault = |fault| format!("bad number `{}`: {fault}", quoted(word));
                    piles.as_ref().map(|piles| only_pile(piles).map_err(fault))
                });
                let number = number.flatten().transpose().map_err(Refused::Usage)?;
                Ok((self.or_word(games.first().map(|(word, _)| *word))?, number))
            }
        }
    }

    /// Whether an option or a word names a game.
    pub fn is_named(&self) -> bool {
        self.game.is_some() || self.rule.is_some()
    }

    /// The name of the game, or its code, or its rule in words.
    pub fn name(&self) -> &str {
        let named = self.game.as_deref().or(self.rule.as_deref());
        named.unwrap_or(DEFAULT_GAME)
    }

    /// The rule for one heap of the game named, for commands that work with nim-values; of a game of turning coins, the rule for
    /// one head.
    pub fn ruleset(&self) -> Result<Ruleset, Refused> {
        Ok(catalogue::ruleset(self.name())?)
    }

    /// Opens the game named.
    pub fn open(&self, effort: Effort) -> Result<Box<dyn Game>, Refused> {
        open_game(self.name(), effort)
    }

    /// Whether the last move wins or loses.
    pub fn convention(&self) -> Convention {
        convention(self.misere)
    }
}

/// The game of a name: one of the catalogue, `graph:FILE`, or a sum of such games.
pub fn open_game(name: &str, effort: Effort) -> Result<Box<dyn Game>, Refused> {
    let part = |part, name: &str, effort| {
        open_game(name, effort).map_err(|refused| refused.within(part, name))
    };
    if let Some(sum) = Sum::named(name, &effort, part) {
        return Ok(Box::new(sum?));
    }
    match name.strip_prefix(GRAPH) {
        Some(_) => Ok(Box::new(graph_file::open_named(name, effort)?)),
        None => Ok(catalogue::open(name, effort)?),
    }
}

/// A rule as its words stand behind `--rule`, where `take` may be left out.
pub fn as_rule(words: &str) -> String {
    let first = words.split_whitespace().next().unwrap_or_default();
    let is_verb = VERBS.contains(&first.to_lowercase().as_str());
    match words.trim() {
        "split" => "split into two".to_owned(),
        words if is_verb || catalogue::open(words, Effort::default()).is_ok() => words.to_owned(),
        words => format!("take {words}"),
    }
}

/// The convention that the option `--misere` sets.
pub fn convention(misere: bool) -> Convention {
    if misere {
        Convention::Misere
    } else {
        Convention::Normal
    }
}

/// The options that choose a game, which a word may name too.
#[derive(Clone, Debug, clap::Args)]
pub struct NamedGameArgs {
    /// The game, if not named by -g
    #[arg(value_name = "GAME")]
    word: Option<String>,
    #[command(flatten)]
    game: GameArgs,
}

impl NamedGameArgs {
    /// The rule for one heap of the game named.
    pub fn ruleset(&self) -> Result<Ruleset, Refused> {
        self.game.or_word(self.word.as_deref())?.ruleset()
    }
}
