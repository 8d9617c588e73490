//! Which sequences of the OEIS are the nim-values of a game (`oeis.json`): the titles of its entries (oeis/oeisdata), whose
//! terms were compared with values computed here. The tests compare as many of them as lie in `tests/data`.

use super::{exact_shift, nearest};
use crate::ruleset::{Code, Ruleset};
use serde::{Deserialize, Serialize};

/// A sequence of the OEIS: its a(n) is the nim-value of a heap of n.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OeisSequence {
    /// The A-number.
    pub number: String,
    /// The game, by its code, or by its name where it has none.
    pub game: String,
    /// The first n.
    pub offset: u64,
    /// How many terms were compared.
    pub terms: u64,
}

/// The sequence of the OEIS that has a game's nim-values: g(n) of the game is a(n + shift) of the sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InOeis {
    /// The sequence.
    #[serde(flatten)]
    pub sequence: OeisSequence,
    /// By how much the indices in the sequence are larger than the heaps of the game.
    pub shift: i64,
    /// Whether the two are known to be the same for ever, or only as far as they were compared.
    pub exact: bool,
}

impl OeisSequence {
    fn code(&self) -> Option<Code> {
        self.game.parse().ok()
    }
}

/// Every known sequence, by its number.
pub(super) fn sequences() -> Vec<OeisSequence> {
    serde_json::from_str(include_str!("oeis.json"))
        .expect("the list is compiled in, and tests read it")
}

/// The codes of the games that are in the OEIS.
pub(super) fn codes() -> impl Iterator<Item = Code> {
    sequences().into_iter().filter_map(|entry| entry.code())
}

/// The sequence of a game, or of a game with the same standard form.
pub fn oeis_sequence(ruleset: &Ruleset) -> Option<InOeis> {
    let shift = exact_shift(ruleset);
    let of_entry = |entry: &OeisSequence| match entry.game == ruleset.name() {
        true => Some(0),
        false => shift(&entry.code()?),
    };
    in_oeis(of_entry, true)
}

/// The sequence of an equivalent, if one has a sequence; `shift` gives by how much the heaps of a code are larger.
pub(super) fn equivalent(shift: impl Fn(&Code) -> Option<i64>) -> Option<InOeis> {
    in_oeis(|entry| shift(&entry.code()?), false)
}

/// The sequence with the least shift.
fn in_oeis(shift: impl Fn(&OeisSequence) -> Option<i64>, exact: bool) -> Option<InOeis> {
    nearest(sequences().into_iter(), shift).map(|(sequence, shift)| InOeis {
        sequence,
        shift,
        exact,
    })
}

/// The number of the sequence of a game by its code, or by its name if it has one.
pub(super) fn number_of(code: &str, name: Option<&str>) -> Option<String> {
    let mut all = sequences().into_iter();
    let entry = all.find(|entry| entry.game == code || name == Some(&entry.game))?;
    Some(entry.number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_found_by_the_game_or_its_standard_form() {
        let of = |game: &str| {
            let found = oeis_sequence(&game.parse().unwrap())?;
            Some((found.sequence.number, found.shift))
        };
        let found = |number: &str, shift| Some((number.to_owned(), shift));
        assert_eq!(of("kayles"), found("A002186", 0));
        assert_eq!(of("0.137"), found("A002187", 0));
        assert_eq!(of("0.07"), found("A002187", -1));
        assert_eq!(of("treblecross"), found("A071426", -2));
        assert_eq!(of("0.206"), found("A071484", -1));
        assert_eq!(of("grundy"), found("A002188", 0));
        assert_eq!(of("take primes"), found("A014589", 0));
        assert_eq!(of("0.7102"), None);
    }

    #[test]
    fn every_game_is_one_and_no_number_stands_twice() {
        let all = sequences();
        for pair in all.windows(2) {
            assert!(pair[0].number < pair[1].number, "{}", pair[1].number);
        }
        for entry in all {
            let is_coins = entry.game == "ruler";
            let ruleset = entry.game.parse::<Ruleset>();
            assert!(
                is_coins || ruleset.is_ok_and(|game| game.name() == entry.game),
                "{}",
                entry.number
            );
        }
    }
}
