//! The text of a recorded game, with the verdict at each position.

use super::record::Replayed;
use super::{Perfect, Side, blunders, messages};
use crate::error::Error;
use crate::game::Game;

/// The game in pages: one for each position, with the player who wins it and the move that was made, and the last one with the
/// end. Lines of pictures have room for `width` characters.
pub fn pages(replayed: &Replayed, width: usize) -> Result<Vec<String>, Error> {
    let (game, convention): (&dyn Game, _) = (&*replayed.game, replayed.convention);
    let players = replayed.players;
    let mut perfect = Perfect::new(game, convention);
    let judged = |side| blunders(game, convention, &replayed.plies, side);
    let thrown = [judged(Side::First)?, judged(Side::Second)?].concat();
    let boards =
        std::iter::once(&replayed.start).chain(replayed.plies.iter().map(|ply| &ply.after));
    let mut pages = Vec::new();
    for (made, board) in boards.enumerate() {
        let heading = match made {
            0 => format!("{}\nAt the start:", messages::rules(game, convention)),
            1 => "\nAfter 1 move:".to_owned(),
            _ => format!("\nAfter {made} moves:"),
        };
        let mut page = format!("{heading}\n\n{}\n", board.picture(game, width));
        let to_move = Side::after(made);
        if let Some(choice) = perfect.choose(board.position())? {
            let outcome = game.analyse(board.position(), convention)?.outcome;
            page.push_str(&messages::verdict(players, to_move, outcome));
            if outcome.is_winning() {
                let step = board.step(game, choice.found);
                page.push_str(&format!("To win: {}.\n", step.words));
            }
        }
        match replayed.plies.get(made) {
            Some(ply) => {
                page.push_str(&messages::moved(players, to_move, &ply.words));
                if thrown.contains(&made) {
                    page.push_str("  That throws the win away.\n");
                }
            }
            None => page.push_str(&ending(replayed, &mut perfect)?),
        }
        pages.push(page);
    }
    Ok(pages)
}

fn ending(replayed: &Replayed, perfect: &mut Perfect<'_>) -> Result<String, Error> {
    let (game, convention) = (&*replayed.game, replayed.convention);
    let moves = replayed.plies.len();
    let mut text = match replayed.winner {
        None => "The record ends here; the game was not finished.\n".to_owned(),
        Some(winner) => {
            let end = messages::end(replayed.players, winner, convention, moves, None);
            end + &messages::thrown_away(
                game,
                convention,
                replayed.players,
                &replayed.plies,
                perfect,
            )?
        }
    };
    if replayed.taken_back > 0 {
        text.push_str(&format!(
            "(Moves taken back on the way: {}.)\n",
            replayed.taken_back
        ));
    }
    Ok(text)
}
