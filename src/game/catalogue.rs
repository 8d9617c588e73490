//! Every game by its name: those of heaps, and those that are not sums of heaps.
//!
//! A game of heaps is an entry in `ruleset/catalogue.rs`; one without a code is opened in `ruleset/names.rs`. Another game is a
//! file in the folder of this one, with its entries and how they are opened, and two lines here: its module and its place in
//! `OTHERS`. A row in docs/games.md tells of it; the tests ask for that, and play every game here through. `euclid.rs` is a
//! small model, `moore.rs` one with a parameter in its name.
//!
//! Where there are no nim-values, `analyse` is `Analysis::by_outcome` and the winning moves may come from `search::winning`. A
//! move of a new kind is a variant of `Change`, and the compiler then names what must be said of it. To offer the type in the
//! library, `pub use` it in `game.rs`. A test by moves written anew goes into `tests/library/rule_games.rs`.

pub(super) mod coins;
mod entry;
pub(super) mod euclid;
pub(super) mod fibonacci;
pub(super) mod moore;
pub(super) mod northcott;
pub(super) mod poker;
pub(super) mod staircase;
pub(super) mod strip;
pub(super) mod wythoff;

use super::{Game, Sum};
use crate::analysis::HeapGame;
use crate::engine::Effort;
use crate::error::Error;
use crate::ruleset::{Entry, HEAP_GAMES, NameError, Ruleset, near, spelling};
use coins::Turning;
use entry::{Name, OtherGame};

/// The games that are not sums of heaps, in the order in which they are listed.
const OTHERS: &[&[OtherGame]] = &[
    poker::GAMES,
    staircase::GAMES,
    wythoff::GAMES,
    moore::GAMES,
    coins::GAMES,
    euclid::GAMES,
    fibonacci::GAMES,
    strip::GAMES,
    northcott::GAMES,
];

/// Every named game, the default first.
pub fn entries() -> impl Iterator<Item = &'static Entry> + Clone {
    let others = OTHERS.iter().copied().flatten().map(|game| &game.entry);
    HEAP_GAMES.iter().chain(others)
}

fn other(name: &Name<'_>) -> Option<&'static OtherGame> {
    let mut others = OTHERS.iter().copied().flatten();
    others.find(|game| game.is_called(name))
}

/// Opens the game of a name from the catalogue or of a take-and-break code, or a sum of such games: `kayles + nim`.
///
/// # Errors
/// If no game has the name, or its code or parameter is bad.
///
/// ```
/// use nim_analyser::{Convention, Outcome, game::catalogue};
///
/// let game = catalogue::open("wythoff", Default::default())?;
/// let analysis = game.analyse(&game.start(vec![4, 7])?, Convention::Normal)?;
/// assert_eq!(analysis.outcome, Outcome::P);
/// # Ok::<(), nim_analyser::Error>(())
/// ```
pub fn open(name: &str, effort: Effort) -> Result<Box<dyn Game>, Error> {
    let part =
        |part, name: &str, effort| open(name, effort).map_err(|error| error.within(part, name));
    if let Some(sum) = Sum::named(name, &effort, part) {
        return Ok(Box::new(sum?));
    }
    let spelled = spelling(name);
    let parts = Name::new(&spelled);
    match other(&parts) {
        Some(game) => Ok((game.open)(&parts, effort)?),
        None => Ok(Box::new(HeapGame::with_effort(heap_game(name)?, effort))),
    }
}

/// The rule for one heap of the game of a name, for work with nim-values; of a game of turning coins, the rule for one head.
///
/// # Errors
/// If no game has the name, the game has no sequence of nim-values, or its code or parameter is bad.
pub fn ruleset(name: &str) -> Result<Ruleset, NameError> {
    // No name stands for two games, so the other games are asked only where no game of heaps has it.
    heap_game(name).or_else(|error| {
        let spelled = spelling(name);
        match (Turning::named(&spelled), other(&Name::new(&spelled))) {
            (Some(turning), _) => Ok(turning.heads()),
            (None, Some(_)) => Err(NameError::NotHeaps { name: spelled }),
            (None, None) => Err(error),
        }
    })
}

/// The game of heaps of a name; similar names are looked for among all games.
fn heap_game(name: &str) -> Result<Ruleset, NameError> {
    name.parse().map_err(|error| match error {
        NameError::Unknown { name, .. } => NameError::Unknown {
            near: near(&spelling(&name), entries()),
            name,
        },
        error => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_entry_opens_by_each_of_its_names_and_no_name_stands_twice() {
        let mut seen = HashSet::new();
        for entry in entries() {
            for name in entry.names() {
                assert!(seen.insert(name), "{name} stands twice");
                assert!(open(name, Effort::default()).is_ok(), "{name}");
            }
        }
    }

    #[test]
    fn a_game_without_a_sequence_says_so_and_what_was_meant_is_sought_among_all() {
        let error = |name: &str| ruleset(name).unwrap_err().to_string();
        assert!(error("wythoff").contains("not a sum of piles"));
        assert!(error("wythof").contains("did you mean `wythoff`?"));
        assert!(error("staircase:3").contains("did you mean `staircase`?"));
        assert!(ruleset("ruler").is_ok());
    }
}
