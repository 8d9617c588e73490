//! Checks whether values from outside are those of a game, by computing some of them again.
//!
//! Values that agree with a checksum may still be false. The first 128 values are checked, then four heaps drawn from each later
//! stretch, which is twice as long as the one before, and one heap drawn from all. A heap with more options than the steps left
//! allow is passed over. The value of each is computed by its definition from the values before it, see [`definition`]. So a
//! false value is certain to be found only among the first 128; behind them a long run of false values is very likely to be
//! found, a single one only by chance.
//!
//! Cost: `STEPS` options walked, and the options of one more heap.

use crate::engine::cost;
use crate::engine::definition;
use crate::engine::table::Table;
use crate::error::Error;
use crate::rng::Rng;
use crate::ruleset::Ruleset;

/// The most options that are walked in all, without those of the last heap drawn.
const STEPS: u128 = 50_000_000;
/// The most options that are walked for the last heap drawn.
const MOST_STEPS: u128 = 1 << 31;
/// How many heaps are drawn from each stretch.
const DRAWN: usize = 4;
/// How many of the first values are all checked, if their options are few enough.
const FIRST: usize = 128;

/// A value that is not the game's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongValue {
    /// The heap.
    pub heap: u64,
    /// The value given for it.
    pub given: u64,
    /// The value by the definition.
    pub right: u64,
}

/// Looks for a wrong value in a table; `None` if none of the values checked is wrong. The values checked are drawn by `seed`.
///
/// # Errors
/// If the rule need not end.
pub fn wrong_value(
    ruleset: &Ruleset,
    table: &Table,
    seed: u64,
) -> Result<Option<WrongValue>, Error> {
    let mut rng = Rng::new(seed, 0);
    let count = table.len();
    let first: Vec<usize> = (0..count.min(FIRST)).collect();
    let stretches = (0..).map_while(|k| FIRST.checked_shl(k).filter(|&from| from < count));
    let drawn: Vec<usize> = stretches
        .flat_map(|from| [from; DRAWN])
        .map(|from| from + rng.below(from.min(count - from)))
        .collect();
    let mut left = STEPS;
    for heap in first.into_iter().chain(drawn) {
        let steps = steps(ruleset, heap);
        if steps <= left {
            left -= steps;
            if let Some(wrong) = check(ruleset, table, heap)? {
                return Ok(Some(wrong));
            }
        }
    }
    let last = rng.below(count);
    if count > 0 && steps(ruleset, last) <= MOST_STEPS {
        return check(ruleset, table, last);
    }
    Ok(None)
}

/// An upper bound on the number of options of one heap.
fn steps(ruleset: &Ruleset, heap: usize) -> u128 {
    cost::by_definition(ruleset, heap as u64) / (heap as u128 + 1)
}

/// Recomputes the value of a heap.
pub(super) fn check(
    ruleset: &Ruleset,
    table: &Table,
    heap: usize,
) -> Result<Option<WrongValue>, Error> {
    let given = u64::from(table.value(heap));
    let right = definition::value(ruleset, table, heap as u64)?;
    Ok((given != right).then_some(WrongValue {
        heap: heap as u64,
        given,
        right,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::Sequence;

    fn table(game: &str, last: u64) -> (Ruleset, Table) {
        let mut sequence = Sequence::new(game.parse().unwrap());
        sequence.fill(last).unwrap();
        (sequence.ruleset().clone(), sequence.table().clone())
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
    fn right_values_pass_and_those_of_another_game_do_not() {
        let games = [
            "kayles",
            "grundy",
            "0.137",
            "8.0",
            "4.[3]",
            "subtraction:2,3",
            "{2+}.0",
        ];
        for game in games {
            let (ruleset, right) = table(game, 60);
            for seed in 0..5 {
                let found = wrong_value(&ruleset, &right, seed).unwrap();
                assert_eq!(found, None, "{game}");
            }
            for other in games.into_iter().filter(|&other| other != game) {
                let (_, other) = table(other, 60);
                let found = wrong_value(&ruleset, &other, 1).unwrap();
                assert!(found.is_some(), "{game}");
            }
        }
        let (ruleset, _) = table("kayles", 0);
        let none = wrong_value(&ruleset, &Table::new(), 1);
        assert_eq!(none, Ok(None));
    }

    #[test]
    fn a_false_end_is_found() {
        let (ruleset, mut values) = table("kayles", 20_000);
        for _ in 0..20_000 {
            values.push(0).unwrap();
        }
        let found = wrong_value(&ruleset, &values, 3).unwrap();
        assert!(
            found.is_some_and(|wrong| wrong.heap > 20_000 && wrong.given == 0),
            "{found:?}"
        );
    }
}
