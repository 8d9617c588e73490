//! The commands that a person types at the table, and what they do.

use super::Session;
use crate::app::error::{Refused, in_words};
use crate::app::play::input::{self, Order, Table};
use crate::app::play::record::Event;
use crate::app::play::typed_move::{self, TypedMove};
use crate::app::play::{Player, Ply, check_size, help, messages};
use crate::app::report::style::harmless;
use crate::error::Error;
use crate::game::sum;

/// How many moves one page of the list shows.
const MOVES_A_PAGE: usize = 20;

/// The answer to a command.
#[derive(Debug, PartialEq, Eq)]
pub struct Reply {
    /// The text to show, in whole lines.
    pub text: String,
    /// Whether the session is over.
    pub quit: bool,
}

impl Session<'_> {
    /// Obeys a line that a person typed. A line that can't be obeyed changes nothing, and the answer says why.
    pub fn obey(&mut self, line: &str) -> Result<Reply, Refused> {
        let mut quit = false;
        let (part, line) = typed_move::part_named(self.game, line);
        let order = input::read(&line, self.table(part), || {
            help::examples(self.game, self.board())
        });
        let order = order.map(|order| match (order, part) {
            (Order::Move(typed, found), Some(part)) => {
                Order::Move(typed, TypedMove::InPart(part, Box::new(found)))
            }
            (order, _) => order,
        });
        let text = match order {
            Err(_) | Ok(Order::Hint | Order::Why | Order::Moves(_) | Order::Move(..))
                if self.winner.is_some() =>
            {
                refused(
                    "the game is over: `new` begins another, `undo` takes back your last move, `quit` ends",
                )
            }
            Err(reason) => refused(&reason),
            Ok(Order::Nothing) => String::new(),
            Ok(Order::Help) => {
                let drawn = self.settings.piles.is_empty();
                help::help(self.game, self.board(), drawn)
            }
            Ok(Order::Quit) => {
                quit = true;
                String::new()
            }
            Ok(Order::Undo) => self.undo()?,
            Ok(Order::New(piles)) => self.another(&piles)?,
            Ok(Order::Hint) => or_refused(self.hint())?,
            Ok(Order::Why) => or_refused(self.why())?,
            Ok(Order::Moves(page)) => self.moves(page)?,
            Ok(Order::Move(typed, found)) => match found.find(self.game, self.board(), &typed)? {
                Ok(step) => self.make(step, None)?,
                Err(reason) => refused(&reason),
            },
        };
        Ok(Reply { text, quit })
    }

    /// The kind of position on the table, or in one part of a sum.
    fn table(&self, part: Option<usize>) -> Table {
        let board = self.board();
        if board.row().is_some() {
            return Table::Row;
        }
        let of_part = part.and_then(|part| {
            let position = sum::positions(board.position()).get(part).copied()?;
            Some((&**self.game.parts().get(part)?, position))
        });
        let (game, position) = of_part.unwrap_or((self.game, board.position()));
        if game.is_row_of_coins() {
            return Table::Coins;
        }
        if game.parts().is_empty()
            && let Some(Ok(first)) = game.moves(position).next()
            && first.change.vertices().is_some()
        {
            return Table::Vertices;
        }
        let (piles, _) = game.split(position);
        let mut left = piles.iter().copied().filter(|&pile| pile > 0);
        let only = left
            .next()
            .filter(|_| left.next().is_none() && !game.is_ordered());
        Table::Piles { only }
    }

    /// A hint where to look; asked for again in the same position, a good move.
    fn hint(&mut self) -> Result<String, Refused> {
        let Some((step, prospect)) = self.choose()? else {
            return Ok(refused("there is no move"));
        };
        let now = (self.games, self.plies.len());
        if self.nudged.replace(now) == Some(now) {
            return Ok(messages::hint(prospect, &step.words));
        }
        Ok(messages::nudge(prospect, self.board(), &step))
    }

    fn why(&self) -> Result<String, Refused> {
        let position = self.board().position();
        let analysis = self.game.analyse(position, self.settings.convention)?;
        let mut text = messages::verdict(self.settings.players, self.to_move(), analysis.outcome);
        for line in self.game.explain(&analysis)? {
            text.push_str(&format!("{line}\n"));
        }
        Ok(text)
    }

    /// Goes back to the position before a person's last move.
    fn undo(&mut self) -> Result<String, Error> {
        let human = |ply: &Ply| self.player(ply.side) == Player::Human;
        let Some(at) = self.plies.iter().rposition(human) else {
            return Ok(refused("you have made no move yet"));
        };
        let moves = self.plies.len() - at;
        self.plies.truncate(at);
        self.nudged = None;
        if let Some(winner) = self.winner.take() {
            self.score[winner as usize] -= 1;
        }
        self.events.push(Event::Undo { moves });
        let taken = match moves {
            1 => "The last move is taken back.\n".to_owned(),
            _ => format!("The last {moves} moves are taken back.\n"),
        };
        Ok(taken + &self.look()?)
    }

    fn another(&mut self, piles: &[String]) -> Result<String, Refused> {
        let words: Vec<&str> = piles.iter().map(String::as_str).collect();
        let read = match words[..] {
            [] => Ok(Vec::new()),
            _ => self.game.read(&words),
        };
        let piles = match read {
            Ok(piles) if piles.is_empty() => self.settings.piles.clone(),
            Ok(piles) => piles,
            Err(error) => return Ok(refused(&in_words(&error))),
        };
        or_refused(self.begin(piles))
    }

    fn moves(&self, page: usize) -> Result<String, Refused> {
        check_size(self.game, self.board().position())?;
        let count = self.board().steps(self.game).count();
        let pages = count.div_ceil(MOVES_A_PAGE);
        if page > pages {
            let there_are = match pages {
                1 => "there is 1 page".to_owned(),
                _ => format!("there are {pages} pages"),
            };
            return Ok(refused(&there_are));
        }
        let from = (page - 1) * MOVES_A_PAGE;
        let steps = self.board().steps(self.game).skip(from).take(MOVES_A_PAGE);
        let shown = steps.map(|step| Ok(step?.words));
        let shown = shown.collect::<Result<Vec<_>, Error>>()?;
        Ok(messages::moves(&shown, from, count, page, pages))
    }
}

/// The answer that a line can't be obeyed. What the reason repeats of the line does no harm.
fn refused(reason: &str) -> String {
    let reason = harmless(reason).replace("\nhelp: ", "; ");
    format!("No: {reason}.\n")
}

/// Turns an error into an answer at the table, so that the game is not lost; an interruption stays an error.
fn or_refused(answer: Result<String, Refused>) -> Result<String, Refused> {
    match answer {
        Err(error) if error != Refused::Library(Error::Interrupted) => {
            Ok(refused(&in_words(&error)))
        }
        answer => answer,
    }
}
