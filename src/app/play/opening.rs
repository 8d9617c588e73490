//! The position that a game begins with when none is given.

use super::row::Row;
use crate::error::Error;
use crate::game::{Game, sum};
use crate::outcome::{Convention, Outcome};
use crate::rng::Rng;

/// How often a position is drawn before another number of piles is tried.
const DRAWS: usize = 40;

/// After how many positions out of reach no further one is drawn, because each takes long.
const MOST_OUT_OF_REACH: usize = 8;

/// A random position, of the wanted outcome if one is: one row of 8 to 16 stones (two of 4 to 8, if one can't have the outcome)
/// for games that are played on rows, else three piles of 3 to 9 stones, or two, four or one where the game wants
/// that, and six steps of up to 4 where their order matters; of a sum one for each part. If no such position has the outcome, the
/// last one drawn that can be played.
///
/// # Errors
/// If none of these is a position of the game, or none within reach is drawn.
pub(crate) fn opening(
    game: &dyn Game,
    convention: Convention,
    wanted: Option<Outcome>,
    rng: &mut Rng,
) -> Result<Vec<u64>, Error> {
    if !game.parts().is_empty() {
        return opening_of_parts(game, convention, wanted, rng);
    }
    let shapes: &[(usize, u64, usize)] = match Row::new(game, &[8]) {
        Some(_) => &[(1, 8, 9), (2, 4, 5)],
        None if game.is_ordered() => &[(6, 0, 5)],
        None => &[(3, 3, 7), (2, 3, 7), (4, 3, 7), (1, 3, 7)],
    };
    let mut other = None;
    let mut refused = None;
    for &(piles, least, sizes) in shapes {
        let mut failed = 0;
        for _ in 0..DRAWS {
            let piles = (0..piles).map(|_| least + rng.below(sizes) as u64);
            let position = match game.start(piles.collect()) {
                Ok(position) => position,
                Err(error) => {
                    refused = Some(error);
                    break;
                }
            };
            if game.moves(&position).next().is_none() {
                continue;
            }
            match has_outcome(game, &position, convention, wanted)? {
                Ok(true) => return Ok(position),
                Ok(false) => other = Some(position),
                Err(error) => {
                    refused = Some(error);
                    failed += 1;
                    if failed == MOST_OUT_OF_REACH {
                        break;
                    }
                }
            }
        }
    }
    match (other, refused) {
        (Some(position), _) => Ok(position),
        (None, Some(error)) => Err(error),
        // The game has no moves, so any position will do.
        (None, None) => game.start(vec![3]),
    }
}

/// A random position of a sum: one of each of its parts.
fn opening_of_parts(
    game: &dyn Game,
    convention: Convention,
    wanted: Option<Outcome>,
    rng: &mut Rng,
) -> Result<Vec<u64>, Error> {
    let mut other = None;
    let mut failed = Vec::new();
    for _ in 0..DRAWS {
        let each = game.parts().iter();
        let each = each.map(|part| opening(&**part, convention, None, rng));
        let position = sum::together(each.collect::<Result<Vec<_>, _>>()?.iter());
        match has_outcome(game, &position, convention, wanted)? {
            Ok(true) => return Ok(position),
            Ok(false) => other = Some(position),
            Err(error) => failed.push(error),
        }
        if failed.len() == MOST_OUT_OF_REACH {
            break;
        }
    }
    match (other, failed.pop()) {
        (None, Some(error)) => Err(error),
        (other, _) => Ok(other.unwrap_or_default()),
    }
}

/// Whether a position has the wanted outcome, if one is; or the error that it can't be told, as when it is out of reach.
///
/// # Errors
/// If the work was interrupted.
fn has_outcome(
    game: &dyn Game,
    position: &[u64],
    convention: Convention,
    wanted: Option<Outcome>,
) -> Result<Result<bool, Error>, Error> {
    let Some(outcome) = wanted else {
        return Ok(Ok(true));
    };
    match game.analyse(position, convention) {
        Err(Error::Interrupted) => Err(Error::Interrupted),
        found => Ok(found.map(|analysis| analysis.outcome == outcome)),
    }
}
