//! The moves by which a won game was thrown away: the record is judged again.

use super::{Board, Side};
use crate::error::Error;
use crate::game::Game;
use crate::outcome::Convention;

/// One move of a game.
#[derive(Clone, Debug)]
pub struct Ply {
    pub side: Side,
    pub before: Board,
    /// The move in words.
    pub words: String,
    pub after: Board,
}

/// The moves of a side, by their places in the record from 0, that gave a won position away.
///
/// The loser's last such move lost the game: from there on every position was won for the other side.
pub fn blunders(
    game: &dyn Game,
    convention: Convention,
    record: &[Ply],
    side: Side,
) -> Result<Vec<usize>, Error> {
    let won = |board: &Board| -> Result<bool, Error> {
        let analysis = game.analyse(board.position(), convention)?;
        Ok(analysis.outcome.is_winning())
    };
    let mut found = Vec::new();
    for (at, ply) in record.iter().enumerate() {
        if ply.side == side && won(&ply.before)? && won(&ply.after)? {
            found.push(at);
        }
    }
    Ok(found)
}
