//! A position as it lies on the table: piles, or a row of stones with gaps.

use super::row::Row;
use crate::app::report::text;
use crate::error::Error;
use crate::game::Game;
use crate::position::{Change, Move};

/// The largest pile that is drawn stone by stone.
const DRAWN_PILE: u64 = 60;

/// The most piles that are drawn one below the other.
const DRAWN_PILES: usize = 20;

/// A position and how it is shown.
#[derive(Clone, Debug)]
pub struct Board {
    position: Vec<u64>,
    row: Option<Row>,
}

/// A move on a board.
#[derive(Clone, Debug)]
pub struct Step {
    /// The move in words: "take 2 at 6", "take 2 from pile 9, leaving 7".
    pub words: String,
    /// What it does, where it isn't made in a row.
    pub change: Option<Change>,
    /// In a row, the place of the first stone taken, from 1, and how many are taken.
    pub place: Option<(usize, usize)>,
    /// The board after it.
    pub after: Board,
}

impl Board {
    /// A position of a game, as a row where the game is played on rows.
    pub fn new(game: &dyn Game, position: Vec<u64>) -> Board {
        match Row::new(game, &position) {
            Some(row) => Board::of_row(row),
            None => Board {
                position,
                row: None,
            },
        }
    }

    fn of_row(row: Row) -> Board {
        Board {
            position: row.piles(),
            row: Some(row),
        }
    }

    /// The position.
    pub fn position(&self) -> &[u64] {
        &self.position
    }

    /// The row, if it is shown as one.
    pub fn row(&self) -> Option<&Row> {
        self.row.as_ref()
    }

    /// Every legal move.
    pub fn steps<'g>(
        &self,
        game: &'g dyn Game,
    ) -> Box<dyn Iterator<Item = Result<Step, Error>> + 'g> {
        match &self.row {
            None => Box::new(game.moves(&self.position).map(|found| Ok(by_move(found?)))),
            Some(row) => {
                let row = row.clone();
                let moves = row.moves();
                Box::new(
                    moves.filter_map(move |(at, count)| Some(Ok(in_row(&row, at, count).ok()?))),
                )
            }
        }
    }

    /// The position after each legal move, in the order of [`Board::steps`].
    pub fn positions<'b>(
        &'b self,
        game: &'b dyn Game,
    ) -> Box<dyn Iterator<Item = Result<Vec<u64>, Error>> + 'b> {
        match &self.row {
            None => Box::new(game.moves(&self.position).map(|found| Ok(found?.position))),
            Some(row) => Box::new(row.positions().map(Ok)),
        }
    }

    /// The move that takes `count` stones of a row from place `at` on, counted from 1.
    ///
    /// # Errors
    /// Why that is no legal move, in words for the person.
    pub fn take(&self, at: usize, count: usize) -> Result<Step, String> {
        let Some(row) = &self.row else {
            return Err("these are piles, not a row".to_owned());
        };
        match at.checked_sub(1) {
            Some(at) => in_row(row, at, count),
            None => Err("the places are counted from 1".to_owned()),
        }
    }

    /// A move of the game as a step on this board: in a row, at the first place where it can be made.
    pub fn step(&self, found: Move) -> Step {
        let placed = self.row.as_ref().and_then(|row| {
            let (at, count) = row.find(&found.position)?;
            in_row(row, at, count).ok()
        });
        placed.unwrap_or_else(|| by_move(found))
    }

    /// The picture of the board, in lines.
    pub fn picture(&self, game: &dyn Game) -> String {
        if let Some(row) = &self.row {
            return row.picture();
        }
        let (piles, reserve) = game.split(&self.position);
        if piles.len() > DRAWN_PILES || piles.iter().any(|&pile| game.label(pile).is_some()) {
            return format!("   {}\n", text::position(game, &self.position));
        }
        let width = piles.iter().map(|pile| pile.to_string().len()).max();
        let width = width.unwrap_or(0);
        let mut lines = String::new();
        for (step, &pile) in piles.iter().enumerate() {
            let stones = if pile <= DRAWN_PILE {
                "∗".repeat(pile as usize)
            } else {
                format!("{}…", "∗".repeat(DRAWN_PILE as usize))
            };
            let step = match game.is_ordered() {
                true => format!("step {step:>2}:  "),
                false => String::new(),
            };
            let line = format!("   {step}{pile:>width$}  {stones}");
            lines.push_str(line.trim_end());
            lines.push('\n');
        }
        if let Some(stones) = reserve {
            lines.push_str(&format!("   and {stones} in reserve\n"));
        }
        if lines.is_empty() {
            lines.push_str("   (no piles)\n");
        }
        lines
    }
}

fn by_move(found: Move) -> Step {
    Step {
        words: text::describe(&found),
        change: Some(found.change),
        place: None,
        after: Board {
            position: found.position,
            row: None,
        },
    }
}

fn in_row(row: &Row, at: usize, count: usize) -> Result<Step, String> {
    Ok(Step {
        words: format!("take {count} at {}", at + 1),
        change: None,
        place: Some((at + 1, count)),
        after: Board::of_row(row.take(at, count)?),
    })
}
