//! The record of a game: one JSON object per line, so that a game that is broken off keeps what was played.

use super::blunders::Ply;
use super::{Board, Player, Side, Step, check_size};
use crate::app::error::{Refused, in_words};
use crate::game::{Game, canonical};
use crate::outcome::{Convention, Outcome};
use serde::{Deserialize, Serialize};
use std::error::Error as StdError;

/// One line of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// A game begins.
    Start {
        game: String,
        /// Whether the last move wins or loses.
        convention: Convention,
        piles: Vec<u64>,
        /// Who plays the first side.
        first: Player,
        /// Who plays the second side.
        second: Player,
        /// The seed of random play.
        seed: u64,
        /// Who wins with perfect play.
        outcome: Outcome,
    },
    /// A move is made.
    Move {
        /// The number of the move in the game, from 1.
        ply: usize,
        /// Who makes the move.
        side: Side,
        /// The move in words.
        words: String,
        /// In a row: the place of the first stone taken, from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<usize>,
        /// In a row: the stones taken.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        take: Option<usize>,
        /// The position after the move.
        position: Vec<u64>,
    },
    /// The last moves are taken back.
    Undo {
        /// How many moves are taken back.
        moves: usize,
    },
    /// No move is left.
    End {
        /// Who has won.
        winner: Side,
        /// The moves made.
        moves: usize,
    },
}

/// A game as its record tells it, move by move, checked against the rules.
pub struct Replayed {
    pub game: Box<dyn Game>,
    /// Who has the first and the second side.
    pub players: [Player; 2],
    pub convention: Convention,
    /// The board at the start.
    pub start: Board,
    /// The moves that were not taken back.
    pub plies: Vec<Ply>,
    /// How many moves were taken back.
    pub taken_back: usize,
    /// Who won, if the record goes so far.
    pub winner: Option<Side>,
}

/// Reads the games of a record, one after another, and plays them again.
///
/// # Errors
/// The first line that is no event, or that can't follow what came before: an illegal move, a move of the wrong
/// side, a winner who didn't win.
pub fn replay<E: StdError + 'static>(
    text: &str,
    open: impl Fn(&str) -> Result<Box<dyn Game>, E>,
) -> Result<Vec<Replayed>, Refused> {
    let mut games: Vec<Replayed> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let fault = |what: String| Refused::Record { line: at + 1, what };
        if line.trim().is_empty() {
            continue;
        }
        let event: Event = serde_json::from_str(line).map_err(|error| fault(bad_json(&error)))?;
        match games.last_mut() {
            Some(game) if !matches!(event, Event::Start { .. }) => game.follow(event),
            _ => Replayed::start(event, &open).map(|game| games.push(game)),
        }
        .map_err(fault)?;
    }
    if games.is_empty() {
        return Err(Refused::Record {
            line: 1,
            what: "there is no game in the record".to_owned(),
        });
    }
    Ok(games)
}

/// The message of the JSON reader without its line number, which is always 1.
fn bad_json(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or(&text);
    format!("not an event of a game, column {}: {what}", error.column())
}

/// A number of moves.
fn counted(moves: usize) -> String {
    match moves {
        1 => "1 move".to_owned(),
        _ => format!("{moves} moves"),
    }
}

impl Replayed {
    fn start<E: StdError + 'static>(
        event: Event,
        open: &impl Fn(&str) -> Result<Box<dyn Game>, E>,
    ) -> Result<Replayed, String> {
        let Event::Start {
            game,
            convention,
            piles,
            first,
            second,
            ..
        } = event
        else {
            return Err("a record begins with a `start` event".to_owned());
        };
        let game = open(&game).map_err(|error| in_words(&error))?;
        let position = game.start(piles).map_err(|error| in_words(&error))?;
        Ok(Replayed {
            players: [first, second],
            convention,
            start: Board::new(&*game, position),
            plies: Vec::new(),
            taken_back: 0,
            winner: None,
            game,
        })
    }

    fn follow(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Start { .. } => Ok(()),
            Event::Move {
                ply,
                side,
                words,
                at,
                take,
                position,
            } => {
                let due = self.plies.len() + 1;
                if ply != due {
                    return Err(format!("move {ply} where move {due} should come"));
                }
                let turn = self.to_move();
                if side != turn {
                    return Err(format!(
                        "the {side} player moves where it is the {turn}'s turn"
                    ));
                }
                let before = self.board().clone();
                let step = match (at, take) {
                    (Some(at), Some(take)) => before
                        .take(at, take)
                        .map_err(|reason| format!("illegal move `{words}`: {reason}"))?,
                    _ => self.find(&before, &words, &position)?,
                };
                if step.after.position() != position {
                    return Err(format!(
                        "`{words}` leaves {:?}, not {position:?}",
                        step.after.position()
                    ));
                }
                self.winner = None;
                self.plies.push(Ply {
                    side,
                    before,
                    words: step.words,
                    after: step.after,
                });
                Ok(())
            }
            Event::Undo { moves } => {
                let made = self.plies.len();
                let Some(left) = made.checked_sub(moves) else {
                    let moves = counted(moves);
                    return Err(format!("{moves} taken back where {made} were made"));
                };
                self.plies.truncate(left);
                self.taken_back += moves;
                self.winner = None;
                Ok(())
            }
            Event::End { winner, moves } => {
                let made = self.plies.len();
                if moves != made {
                    let moves = counted(moves);
                    return Err(format!("an end after {moves} where {made} were made"));
                }
                if self.board().steps(&*self.game).next().is_some() {
                    return Err("an end where moves are left".to_owned());
                }
                let won = winner_at_end(self.convention, self.to_move());
                if winner != won {
                    return Err(format!(
                        "the {winner} player is said to win, but the {won} has"
                    ));
                }
                self.winner = Some(winner);
                Ok(())
            }
        }
    }

    /// The board after all moves.
    pub fn board(&self) -> &Board {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// Whose turn it is after all moves.
    pub fn to_move(&self) -> Side {
        Side::after(self.plies.len())
    }

    /// The legal move to a position, given as it is or with its piles in another order.
    fn find(&self, before: &Board, words: &str, position: &[u64]) -> Result<Step, String> {
        // A position that is too large to play can't be part of a record, and its moves are too many to look through.
        check_size(&*self.game, before.position()).map_err(|error| in_words(&error))?;
        let wanted = canonical(&*self.game, position);
        let mut alike = None;
        for step in before.steps(&*self.game) {
            let step = step.map_err(|error| in_words(&error))?;
            if step.after.position() == position {
                return Ok(step);
            }
            if canonical(&*self.game, step.after.position()) == wanted {
                alike.get_or_insert(step);
            }
        }
        alike.ok_or_else(|| format!("illegal move `{words}`: no legal move leaves {position:?}"))
    }
}

/// The side that has won when `to_move` has no move.
pub fn winner_at_end(convention: Convention, to_move: Side) -> Side {
    match convention {
        Convention::Normal => to_move.other(),
        Convention::Misere => to_move,
    }
}
