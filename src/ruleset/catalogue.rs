//! The games that have a name.

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

pub(super) const COUPLES_ARE_FOREVER: &str = "couples-are-forever";

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
        rule: "as in nim, or add stones to a pile from a reserve of 10; stones taken never go back to it",
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
        rule: "take stones from 1 to 2 piles (moore:k: from 1 to k)",
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
        rule: "piles are numbers of coins that show heads; turn one to three coins, the rightmost from heads to tails",
        known: "g(n) is the n-th number with an odd number of binary 1s",
    },
    Entry {
        name: "ruler",
        aliases: &[],
        code: None,
        rule: "piles are numbers of coins that show heads; turn any number of coins side by side, the rightmost from heads to tails",
        known: "g(n) is the largest power of 2 that divides n",
    },
    Entry {
        name: "twins",
        aliases: &[],
        code: None,
        rule: "piles are numbers of coins that show heads; turn exactly two coins, the right one from heads to tails",
        known: "g(n) = n - 1",
    },
];
