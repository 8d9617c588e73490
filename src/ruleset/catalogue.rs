//! The games that have a name, and how a game is named on the command line.

use super::code::Code;
use super::digit::{Digit, Parts};
use super::parse::CodeError;
use super::{Rule, Ruleset};
use std::str::FromStr;

/// A game with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name; one with parameters ends in their pattern, as in `subtraction:1,2,3`.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// The take-and-break code, if it is one game.
    pub code: Option<&'static str>,
    /// The rule in a line.
    pub rule: &'static str,
    /// What is known: its period, a closed form, or that nobody has solved it.
    pub known: &'static str,
}

const COUPLES_ARE_FOREVER: &str = "couples-are-forever";

/// The games of the catalogue that are no sums of heaps.
const NOT_HEAPS: &[&str] = &[
    "poker-nim",
    "staircase",
    "staircase-nim",
    "wythoff",
    "wythoffs-game",
    "moore",
    "turning-turtles",
    "mock-turtles",
    "ruler",
    "twins",
];

/// Every named game, the default first.
pub const CATALOGUE: &[Entry] = &[
    Entry {
        name: COUPLES_ARE_FOREVER,
        aliases: &["split"],
        code: None,
        rule: "split a pile of three or more into two piles",
        known: "unsolved; its pile of n is the pile of n-1 in officers",
    },
    Entry {
        name: "grundy",
        aliases: &["grundys-game"],
        code: Some("4!.0"),
        rule: "split a pile into two unequal piles",
        known: "unsolved: no period is known",
    },
    Entry {
        name: "nim",
        aliases: &[],
        code: Some("0.[3]"),
        rule: "take any number of stones from a pile",
        known: "g(n) = n (Bouton 1901)",
    },
    Entry {
        name: "kayles",
        aliases: &["advanced-nim"],
        code: Some("0.77"),
        rule: "take one or two adjacent stones; what is left may be two piles",
        known: "period 12, last exception 70",
    },
    Entry {
        name: "dawsons-kayles",
        aliases: &[],
        code: Some("0.07"),
        rule: "take two adjacent stones; what is left may be two piles",
        known: "period 34, last exception 52",
    },
    Entry {
        name: "dawsons-chess",
        aliases: &[],
        code: Some("0.137"),
        rule: "take a stone and its neighbours: one alone, two at an end, or three",
        known: "period 34, last exception 51",
    },
    Entry {
        name: "treblecross",
        aliases: &[],
        code: Some("0.007"),
        rule: "take three adjacent stones; a row of n squares is a pile of n+2",
        known: "unsolved: no period is known",
    },
    Entry {
        name: "officers",
        aliases: &[],
        code: Some("0.6"),
        rule: "take one stone from a pile of two or more; what is left may be two piles",
        known: "unsolved, the last of the one-digit octal games",
    },
    Entry {
        name: "lasker",
        aliases: &["laskers-nim"],
        code: Some("4.[3]"),
        rule: "take any number of stones from a pile, or split it into two piles",
        known: "period 4 with saltus 4",
    },
    Entry {
        name: "subtraction:1,2,3",
        aliases: &[],
        code: None,
        rule: "take a number of stones that is in the set",
        known: "every finite set has a period",
    },
    Entry {
        name: "all-but:1,2",
        aliases: &[],
        code: None,
        rule: "take any number of stones that is not in the set",
        known: "every finite set has a period, with a saltus",
    },
    Entry {
        name: "octal:0.137",
        aliases: &[],
        code: None,
        rule: "an octal game, its digits 0 to 7 alone",
        known: "",
    },
    Entry {
        name: "poker-nim:10",
        aliases: &[],
        code: None,
        rule: "nim, or add stones to a pile from a reserve (10 in all unless said) that they never return to",
        known: "won as nim is: an addition can be taken off again",
    },
    Entry {
        name: "staircase",
        aliases: &["staircase-nim"],
        code: None,
        rule: "piles are steps 0, 1, 2, ...; move any number of coins from a step to the next below",
        known: "won as nim with the odd steps (Sprague 1937)",
    },
    Entry {
        name: "wythoff",
        aliases: &["wythoffs-game"],
        code: None,
        rule: "two piles: take any number of stones from one, or the same number from both",
        known: "P-positions by the golden ratio (Wythoff 1907)",
    },
    Entry {
        name: "moore:2",
        aliases: &[],
        code: None,
        rule: "take stones from at least one and at most so many piles",
        known: "P-positions by binary digits modulo one more (Moore 1910)",
    },
    Entry {
        name: "turning-turtles",
        aliases: &[],
        code: None,
        rule: "piles are numbers of coins that show heads; turn one coin or two, the rightmost from heads to tails",
        known: "g(n) = n",
    },
    Entry {
        name: "mock-turtles",
        aliases: &[],
        code: None,
        rule: "as turning-turtles, but turn one to three coins, the rightmost from heads to tails",
        known: "g(n) is the n-th number with an odd number of binary 1s",
    },
    Entry {
        name: "ruler",
        aliases: &[],
        code: None,
        rule: "as turning-turtles, but turn any number of coins side by side, the rightmost from heads to tails",
        known: "g(n) is the largest power of 2 that divides n",
    },
    Entry {
        name: "twins",
        aliases: &[],
        code: None,
        rule: "as turning-turtles, but turn exactly two coins, the right one from heads to tails",
        known: "g(n) = n - 1",
    },
];

/// A game's name that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No game has this name.
    #[error("unknown game `{}`{}\nhelp: `nim-analyser games` lists the names; a take-and-break code like 0.77 is a game too",
        name.escape_debug(), nearest.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    Unknown {
        /// What was given.
        name: String,
        /// The nearest name, if one is near.
        nearest: Option<String>,
    },
    /// A subtraction or all-but set that can't be read.
    #[error("bad set `{}`: {what}\nhelp: a set is written 1,2,3", set.escape_debug())]
    Set {
        /// What was given.
        set: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A parameter that can't be read.
    #[error("bad game `{name}`: after the colon stands {what}")]
    Parameter {
        /// What was given.
        name: String,
        /// What stands there.
        what: &'static str,
    },
    /// A game that is no sum of heaps, where one is asked for.
    #[error(
        "{name} isn't a sum of heaps, so there is no table of nim-values; `nim-analyser -g {name} PILES` analyses its positions"
    )]
    NotHeaps {
        /// The game.
        name: String,
    },
    /// A bad take-and-break code.
    #[error(transparent)]
    Code(#[from] CodeError),
}

/// The largest element of a subtraction or all-but set.
const LARGEST_ELEMENT: usize = 65_536;

impl FromStr for Ruleset {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Ruleset, NameError> {
        if let Some(set) = text.strip_prefix("subtraction:") {
            return subtraction(set);
        }
        if let Some(set) = text.strip_prefix("all-but:") {
            return all_but(set);
        }
        if let Some(code) = text.strip_prefix("octal:") {
            return Ok(Ruleset::from_code(Code::octal(code)?));
        }
        let named = |entry: &&Entry| entry.name == text || entry.aliases.contains(&text);
        let family = text.split(':').next().unwrap_or(text);
        if NOT_HEAPS.contains(&family) {
            return Err(NameError::NotHeaps {
                name: text.to_owned(),
            });
        }
        match CATALOGUE.iter().find(named) {
            Some(Entry {
                name,
                code: Some(code),
                ..
            }) => return Ok(Ruleset::named(name, code.parse()?)),
            Some(entry) if entry.name == COUPLES_ARE_FOREVER => return Ok(couples_are_forever()),
            _ => {}
        }
        let looks_like_code =
            text.starts_with(|c: char| "0123456789.,{*&[".contains(c)) || text.contains('.');
        if looks_like_code {
            return Ok(Ruleset::from_code(text.parse()?));
        }
        Err(NameError::Unknown {
            name: text.to_owned(),
            nearest: nearest(text),
        })
    }
}

impl Ruleset {
    fn named(name: &str, code: Code) -> Ruleset {
        Ruleset {
            name: name.to_owned(),
            ..Ruleset::from_code(code)
        }
    }
}

/// The default game: 4.0 for heaps of three and more, while a heap of two is terminal.
pub(super) fn couples_are_forever() -> Ruleset {
    let splitting = Digit::new(vec![None, None, Some(Parts::Any)], None);
    let code = Code::new(vec![splitting], 0);
    Ruleset {
        name: COUPLES_ARE_FOREVER.to_owned(),
        rule: Rule::Code { code, least: 3 },
    }
}

/// The name nearest to what was given, if it is near enough to be meant.
fn nearest(text: &str) -> Option<String> {
    let names = CATALOGUE
        .iter()
        .flat_map(|entry| std::iter::once(&entry.name).chain(entry.aliases));
    let names = names.map(|name| name.split(':').next().unwrap_or(name));
    let near = names
        .map(|name| (strsim::damerau_levenshtein(text, name), name))
        .min()?;
    (near.0 <= 2.max(text.chars().count() / 3)).then(|| near.1.to_owned())
}

fn subtraction(set: &str) -> Result<Ruleset, NameError> {
    let elements = elements(set)?;
    let taking = Digit::new(vec![Some(Parts::Any); 2], None);
    let digits = digits(&elements, Digit::default(), taking);
    Ok(Ruleset::named(
        &format!("subtraction:{}", list(&elements)),
        Code::new(digits, 0),
    ))
}

fn all_but(set: &str) -> Result<Ruleset, NameError> {
    let elements = elements(set)?;
    let taking = Digit::new(vec![Some(Parts::Any); 2], None);
    let mut digits = digits(&elements, taking.clone(), Digit::default());
    digits.push(taking);
    Ok(Ruleset::named(
        &format!("all-but:{}", list(&elements)),
        Code::new(digits, 1),
    ))
}

/// The digits from 0 to the largest element: nothing for taking none, `inside` for the elements, `outside` else.
fn digits(elements: &[usize], outside: Digit, inside: Digit) -> Vec<Digit> {
    let largest = elements.last().copied().unwrap_or(0);
    let mut digits = vec![outside; largest + 1];
    digits[0] = Digit::default();
    for &element in elements {
        digits[element] = inside.clone();
    }
    digits
}

/// The elements of a set, ascending, each once.
fn elements(set: &str) -> Result<Vec<usize>, NameError> {
    let fault = |what| NameError::Set {
        set: set.to_owned(),
        what,
    };
    let mut elements = Vec::new();
    for element in set.split(',') {
        let element = element.trim();
        if element.is_empty() {
            return Err(fault("an element is missing"));
        }
        if !element.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(fault("its elements must be whole numbers"));
        }
        match element.parse::<usize>() {
            Ok(0) => return Err(fault("a move takes at least one stone")),
            Ok(element) if element <= LARGEST_ELEMENT => elements.push(element),
            _ => return Err(fault("its elements may be 65536 at most")),
        }
    }
    elements.sort_unstable();
    elements.dedup();
    Ok(elements)
}

fn list(elements: &[usize]) -> String {
    elements
        .iter()
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(",")
}
