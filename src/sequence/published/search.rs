//! Finds games by their first nim-values.
//!
//! The candidates are the octal codes of up to three digits, the standard forms that were surveyed, the codes about which
//! something is published, and the named games that have one code. Time: some twelve values of each candidate, and as many values
//! as are given for candidates that agree so far.

use super::{MOST_SHIFT, Published, oeis, surveyed};
use crate::engine::Effort;
use crate::engine::table::Table;
use crate::error::Error;
use crate::ruleset::{Code, HEAP_GAMES, Ruleset};
use crate::sequence::Sequence;
use serde::Serialize;

/// The most values that are compared.
pub const COMPARED: usize = 2000;
/// How many values are compared first, and how many next for the games that agree so far: few values are enough to tell most
/// games apart.
const FIRST: [usize; 2] = [12, 60];

/// A game with the values given: the n-th value, counted from 0, is g(n + shift), and 0 where there is no such heap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Match {
    /// The code of the game, or its name where it has none.
    pub game: String,
    /// The name of the game, if it has one.
    pub name: Option<String>,
    /// By how much the heaps of the game are larger than the places in the sequence.
    pub shift: i64,
    /// The number of the sequence of the OEIS whose a(n) is the game's g(n), if it has one.
    pub oeis: Option<String>,
}

/// The games whose nim-values are these, those with the least shift first, then the shorter codes; `others` are looked at
/// besides, as far as their values are known.
///
/// # Errors
/// If the work is interrupted. A candidate whose values are out of reach is passed over.
pub fn games_with(
    values: &[u64],
    others: Vec<Sequence>,
    effort: &Effort,
) -> Result<Vec<Match>, Error> {
    let values = &values[..values.len().min(COMPARED)];
    let mut found = Vec::new();
    let candidates = candidates().into_iter();
    let candidates = candidates.map(|candidate| Sequence::with_effort(candidate, effort.clone()));
    for mut sequence in candidates.chain(others) {
        let most = MOST_SHIFT as i64;
        let mut shifts = (-most..=most).collect::<Vec<_>>();
        let first = FIRST.into_iter().filter(|&count| count < values.len());
        for count in first.chain([values.len()]) {
            match sequence.fill(count as u64 + MOST_SHIFT) {
                Ok(()) => {}
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                Err(_) => shifts.clear(),
            }
            shifts.retain(|&shift| agrees(&values[..count], sequence.table(), shift));
            if shifts.is_empty() {
                break;
            }
        }
        // Only the least shift is needed.
        if let Some(&shift) = shifts.iter().min_by_key(|shift| shift.abs()) {
            let ruleset = sequence.ruleset();
            let code = ruleset.code().map(Code::to_string);
            let named = code.as_deref().and_then(|code| {
                HEAP_GAMES
                    .iter()
                    .find(|entry| entry.code == Some(code))
                    .map(|entry| entry.name.to_owned())
            });
            let mut game = Match {
                name: named.or_else(|| code.is_none().then(|| ruleset.name().to_owned())),
                game: code.unwrap_or_else(|| ruleset.name().to_owned()),
                shift,
                oeis: None,
            };
            game.oeis = oeis::number_of(&game.game, game.name.as_deref());
            found.push(game);
        }
    }
    found.sort_by_key(|found| (found.shift.abs(), found.game.len(), found.game.clone()));
    found.dedup();
    Ok(found)
}

fn candidates() -> Vec<Ruleset> {
    let published = Published::read();
    let named = HEAP_GAMES
        .iter()
        .filter_map(|entry| entry.code?.parse().ok());
    let surveyed = surveyed::records().filter_map(|record| record.standard_form?.parse().ok());
    let mut codes: Vec<Code> = published.codes().chain(named).chain(surveyed).collect();
    codes.sort_by_cached_key(Code::to_string);
    codes.dedup();
    let codes = codes.into_iter().map(Ruleset::from_code);
    std::iter::once(Ruleset::default()).chain(codes).collect()
}

fn agrees(values: &[u64], table: &Table, shift: i64) -> bool {
    (0..).zip(values).all(
        |(place, &value): (i64, &u64)| match usize::try_from(place + shift) {
            Ok(heap) => u64::from(table.value(heap)) == value,
            Err(_) => value == 0,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
    fn games_are_found_by_their_values_from_heap_0_or_1_on() {
        let effort = Effort::default().threads(1);
        let games = |values: &[u64]| games_with(values, Vec::new(), &effort).unwrap();
        let has = |found: &[Match], game: &str, shift| {
            let mut found = found.iter();
            found.any(|found| found.game == game && found.shift == shift)
        };
        let table = |game: &str, heaps| {
            let ruleset: Ruleset = game.parse().unwrap();
            let mut sequence = Sequence::new(ruleset);
            sequence.fill(heaps).unwrap();
            sequence.table().iter().map(u64::from).collect::<Vec<_>>()
        };
        let kayles = table("kayles", 100);
        assert!(has(&games(&kayles), "0.77", 0));
        assert!(has(&games(&kayles[1..]), "0.77", 1));
        assert!(has(&games(&[&[0, 0], &*kayles].concat()), "0.77", -2));
        let couples = games(&table("couples-are-forever", 1000));
        assert!(has(&couples, "couples-are-forever", 0) && has(&couples, "0.6", -1));
        assert!(has(&games(&table("grundy", 200)), "4!.0", 0));
        // They part at heap 519.
        assert!(has(&games(&table("0.36", 515)), "0.161", 0));
        assert!(!has(&games(&table("0.36", 519)), "0.161", 0));
        assert_eq!(games(&[1, 7, 3]), []);
    }
}
