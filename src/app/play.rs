//! A game between two players at a table: the board, what a person types, the perfect player, the record of a game,
//! and many games at once.
//!
//! Nothing here reads or writes: commands come in as lines, and answers go out as text. Games are known only through [`Game`], so
//! everything works for each of them.

mod blunders;
mod board;
mod help;
mod input;
mod layout;
mod messages;
mod opening;
mod perfect;
mod record;
mod remoteness;
mod replay;
mod row;
mod sentence;
mod session;
mod simulation;
mod typed_move;

pub use blunders::{Ply, blunders};
pub use board::{Board, Step};
pub use perfect::{Choice, Perfect, Prospect};
pub use record::{Event, Replayed, replay};
pub use replay::pages;
pub use row::Row;
pub use session::{Reply, Session, Settings};
pub use simulation::{Broken, Series, Tally};

use crate::app::error::Refused;
use crate::game::Game;
use crate::outcome::Outcome;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The most numbers that the moves of a position may take to list. Beyond it a position is too large to play.
const MOST_LISTED: usize = 1_000_000;

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The player who makes the first move.
    First,
    /// The player who makes the second move.
    Second,
}

impl Side {
    /// Whose turn it is after a number of moves.
    pub fn after(moves: usize) -> Side {
        match moves % 2 {
            0 => Side::First,
            _ => Side::Second,
        }
    }

    /// Who wins with perfect play from a position of this outcome at the start.
    pub fn predicted(outcome: Outcome) -> Side {
        match outcome {
            Outcome::N => Side::First,
            Outcome::P => Side::Second,
        }
    }

    /// The other side.
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::First => "first",
            Side::Second => "second",
        })
    }
}

/// Who decides a side's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Player {
    /// A person at the keyboard
    Human,
    /// A winning move if there is one, else one that makes the reply hard
    Perfect,
    /// A perfect move every second time, on the average, else any legal move
    Casual,
    /// Any legal move, each as likely as another
    Random,
    /// The first legal move
    FirstMove,
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.to_possible_value();
        f.write_str(named.as_ref().map_or("", PossibleValue::get_name))
    }
}

/// Refuses positions whose moves are too many to list.
fn check_size(game: &dyn Game, position: &[u64]) -> Result<(), Refused> {
    let mut left = MOST_LISTED;
    for (most, found) in (0..).zip(game.moves(position)) {
        // A move is listed with the position that it leaves and with its words, which in a game of coins name each coin.
        let size = found?.position.len().max(position.len()) + 1;
        left = left
            .checked_sub(size)
            .ok_or(Refused::TooLargeToPlay { most })?;
    }
    Ok(())
}
