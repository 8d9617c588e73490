//! A position as it lies on the table: piles, or a row of stones with gaps.

use super::layout::Layout;
use super::row::Row;
use crate::error::Error;
use crate::game::{Game, sum};
use crate::position::{Change, Move};

/// The largest pile that is drawn stone by stone.
const DRAWN_PILE: u64 = 60;

/// The most piles that are drawn one below the other.
const DRAWN_PILES: usize = 20;

/// The longest row of coins that is drawn.
const DRAWN_COINS: u64 = 60;

/// A position and how it is shown.
#[derive(Clone, Debug)]
pub struct Board {
    position: Vec<u64>,
    row: Option<Row>,
    layout: Layout,
    /// How many coins lie in a row, in a game of turning coins.
    coins: Option<u64>,
}

/// A move on a board.
#[derive(Clone, Debug)]
pub struct Step {
    /// The move in words: "take 2 at 6", "take 2 from pile 9, leaving 7".
    pub words: String,
    /// What the move does to the piles, where it isn't made in a row.
    pub change: Option<Change>,
    /// In a row, the place of the first stone taken, from 1, and how many are taken.
    pub place: Option<(usize, usize)>,
    /// The board after the move.
    pub after: Board,
}

impl Board {
    /// A position of a game, as a row where the game is played on rows.
    pub fn new(game: &dyn Game, position: Vec<u64>) -> Board {
        match Row::new(game, &position) {
            Some(row) => Board::of_row(row),
            None => Board::of_piles(game, position),
        }
    }

    fn of_piles(game: &dyn Game, position: Vec<u64>) -> Board {
        Board {
            row: None,
            layout: Layout::new(game.split(&position).0.len()),
            coins: game
                .is_row_of_coins()
                .then(|| position.iter().copied().max().unwrap_or(0)),
            position,
        }
    }

    fn of_row(row: Row) -> Board {
        let position = row.piles();
        Board {
            layout: Layout::new(position.len()),
            position,
            row: Some(row),
            coins: None,
        }
    }

    pub fn position(&self) -> &[u64] {
        &self.position
    }

    /// The row, if the position is shown as one.
    pub fn row(&self) -> Option<&Row> {
        self.row.as_ref()
    }

    /// Every legal move.
    pub fn steps<'g>(
        &self,
        game: &'g dyn Game,
    ) -> Box<dyn Iterator<Item = Result<Step, Error>> + 'g> {
        match &self.row {
            None => {
                let board = self.clone();
                let steps = game.moves(&self.position);
                Box::new(steps.map(move |found| Ok(board.by_move(game, found?))))
            }
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
    /// If this is no legal move: why, in words for the person.
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
    pub fn step(&self, game: &dyn Game, found: Move) -> Step {
        let placed = self.row.as_ref().and_then(|row| {
            let (at, count) = row.find(&found.position)?;
            in_row(row, at, count).ok()
        });
        placed.unwrap_or_else(|| self.by_move(game, found))
    }

    fn by_move(&self, game: &dyn Game, found: Move) -> Step {
        let piles = game.split(&found.position).0.len();
        let words = found.change.to_string();
        Step {
            words,
            place: None,
            after: Board {
                row: None,
                layout: self
                    .layout
                    .after(game.split(&self.position).0, &found, piles),
                coins: self.coins,
                position: found.position,
            },
            change: Some(found.change),
        }
    }

    /// The picture of the board, in lines of at most `width` characters as far as possible.
    pub fn picture(&self, game: &dyn Game, width: usize) -> String {
        if let Some(row) = &self.row {
            return row.picture(width);
        }
        if !game.parts().is_empty() {
            let each = game.parts().iter().zip(sum::positions(&self.position));
            let each = each.map(|(part, own)| {
                let board = Board::of_piles(&**part, own.to_vec());
                format!("   {}:\n{}", part.name(), board.picture(&**part, width))
            });
            return each.collect();
        }
        if let Some(coins) = self
            .coins
            .filter(|&coins| coins <= DRAWN_COINS && coins as usize + 3 <= width)
        {
            return heads_and_tails(coins, &self.position);
        }
        let (piles, number) = game.split(&self.position);
        let is_drawn = |&pile: &u64| game.label(pile).is_none() || game.drawn(pile).is_some();
        if piles.len() > DRAWN_PILES || !piles.iter().all(is_drawn) {
            return format!("   {}\n", game.shown(&self.position));
        }
        let digits = piles.iter().map(|pile| pile.to_string().len()).max();
        let digits = digits.unwrap_or(0);
        let others = digits + if game.is_ordered() { 16 } else { 6 };
        let drawn_pile = DRAWN_PILE.min(width.saturating_sub(others).max(1) as u64);
        let mut lines = String::new();
        let mut finished = Vec::new();
        for step in self.layout.places() {
            let pile = piles[step];
            if let Some(drawn) = game.drawn(pile) {
                let name = game.label(pile).unwrap_or_default();
                lines.push_str(&format!("   {name}  {drawn}\n"));
                continue;
            }
            if !game.is_ordered() && number.is_none() && is_finished(game, pile) {
                if pile > 0 {
                    finished.push(pile.to_string());
                }
                continue;
            }
            let stones = if pile <= drawn_pile {
                "∗".repeat(pile as usize)
            } else {
                format!("{}…", "∗".repeat(drawn_pile as usize))
            };
            let step = match game.is_ordered() {
                true => format!("step {step:>2}:  "),
                false => String::new(),
            };
            let line = format!("   {step}{pile:>digits$}  {stones}");
            lines.push_str(line.trim_end());
            lines.push('\n');
        }
        if !finished.is_empty() {
            lines.push_str(&format!("   finished: {}\n", finished.join(", ")));
        }
        if let Some(number) = number {
            lines.push_str(&format!("   and {}\n", (game.beside().words)(number)));
        }
        if lines.is_empty() {
            lines.push_str("   (no piles)\n");
        }
        lines
    }
}

/// Whether a pile allows no move, whatever lies beside it.
fn is_finished(game: &dyn Game, pile: u64) -> bool {
    let alone = game.start(vec![pile]);
    alone.is_ok_and(|position| game.moves(&position).next().is_none())
}

/// A row of coins below their numbers: the numbers of coins that are multiples of ten, and all numbers modulo ten.
fn heads_and_tails(coins: u64, heads: &[u64]) -> String {
    let row = |sign: &dyn Fn(u64) -> char| -> String {
        let signs: String = (1..=coins).map(sign).collect();
        format!("   {}\n", signs.trim_end())
    };
    let digit = |number: u64| char::from_digit((number % 10) as u32, 10).unwrap_or(' ');
    let mut lines = String::new();
    if coins >= 10 {
        lines.push_str(&row(&|coin| match coin % 10 {
            0 => digit(coin / 10),
            _ => ' ',
        }));
    }
    lines.push_str(&row(&digit));
    lines.push_str(&row(&|coin| if heads.contains(&coin) { 'H' } else { 'T' }));
    lines
}

fn in_row(row: &Row, at: usize, count: usize) -> Result<Step, String> {
    Ok(Step {
        words: format!("take {count} at {}", at + 1),
        change: None,
        place: Some((at + 1, count)),
        after: Board::of_row(row.take(at, count)?),
    })
}
