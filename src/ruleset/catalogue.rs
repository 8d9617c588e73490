//! The games of heaps that have a name. Games of other kinds have theirs in `game/catalogue.rs`, which lists them all.

/// A game with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Entry {
    /// The name of the game; a name with parameters ends in their pattern, as in `subtraction:1,2,3`.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// The take-and-break code, if the entry is for a single game.
    pub code: Option<&'static str>,
    /// The rule in one line.
    pub rule: &'static str,
    /// The state of knowledge: the period, a closed form, or that nobody has solved the game.
    pub known: &'static str,
}

impl Entry {
    /// Every name of the game, the main name first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

pub(super) const COUPLES_ARE_FOREVER: &str = "couples-are-forever";

/// Every named game of heaps, the default first.
pub const HEAP_GAMES: &[Entry] = &[
    Entry {
        name: COUPLES_ARE_FOREVER,
        aliases: &["split"],
        code: None,
        rule: "split a pile of three or more into two piles",
        known: "unsolved; a pile of n has the nim-value of a pile of n-1 in officers",
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
        rule: "an octal game: its digits are 0 to 7",
        known: "",
    },
];
