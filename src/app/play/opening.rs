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
    let parts = game.parts();
    let shapes: &[(usize, u64, usize)] = match Row::new(game, &[8]) {
        // Each part of a sum has shapes of its own.
        _ if !parts.is_empty() => &[(0, 0, 0)],
        Some(_) => &[(1, 8, 9), (2, 4, 5)],
        None if game.is_ordered() => &[(6, 0, 5)],
        None => &[(3, 3, 7), (2, 3, 7), (4, 3, 7), (1, 3, 7)],
    };
    let mut other = None;
    let mut refused = None;
    for &(piles, least, sizes) in shapes {
        let mut failed = 0;
        for _ in 0..DRAWS {
            let drawn = if parts.is_empty() {
                let piles = (0..piles).map(|_| least + rng.below(sizes) as u64);
                game.start(piles.collect())
            } else {
                let each = parts.iter();
                let each = each.map(|part| opening(&**part, convention, None, rng));
                let each: Result<Vec<_>, _> = each.collect();
                each.map(|each| sum::together(each.iter()))
            };
            let position = match drawn {
                Ok(position) => position,
                Err(error) => {
                    refused = Some(error);
                    break;
                }
            };
            if parts.is_empty() && game.moves(&position).next().is_none() {
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
