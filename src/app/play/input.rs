//! The line that a person types: a command, or a move in one of several forms.

use super::help::{Example, asked, not_understood, which_pile};
use super::sentence::{self, Fault};
use super::typed_move::{TypedMove, normal};
use crate::position::Form;

/// A line as it was understood.
#[derive(Debug, PartialEq, Eq)]
pub enum Order {
    /// The line is empty.
    Nothing,
    /// The person asks what can be typed.
    Help,
    /// The person asks for a good move.
    Hint,
    /// The person asks why the position is won or lost.
    Why,
    /// The person takes back their last move.
    Undo,
    /// The person asks for this page of the list of legal moves, from 1.
    Moves(usize),
    /// The person begins another game, with these piles.
    New(Vec<String>),
    /// The person ends the session.
    Quit,
    /// The person moves: the line as it was typed, and the move as it was understood.
    Move(String, TypedMove),
}

/// The kind of position on the table.
#[derive(Clone, Copy, Debug)]
pub enum Table {
    /// A row of stones.
    Row,
    /// A row of coins that are turned.
    Coins,
    /// Tokens on the vertices of a graph.
    Vertices,
    /// Piles; `only` is the pile if there is no other.
    Piles {
        /// The size of the only pile, if there is no other.
        only: Option<u64>,
    },
}

/// Reads a line typed at a table. A line that isn't understood is answered with `examples`: moves as they may be typed, and what
/// they do.
///
/// # Errors
/// If the line isn't understood: what about it, in words for the person.
pub fn read(
    line: &str,
    table: Table,
    examples: impl Fn() -> Vec<Example>,
) -> Result<Order, String> {
    let text = normal(line);
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    let Some(first) = words.next() else {
        return Ok(Order::Nothing);
    };
    let rest: Vec<&str> = words.collect();
    let alone = |order: Order| match rest.as_slice() {
        [] | ["please"] => Ok(order),
        _ => Err(format!("type `{first}` alone")),
    };
    match first {
        "help" | "h" | "?" => alone(Order::Help),
        "hint" => alone(Order::Hint),
        "why" => alone(Order::Why),
        "undo" | "u" => alone(Order::Undo),
        "quit" | "q" | "exit" | "bye" | "resign" | "stop" => alone(Order::Quit),
        "give" if rest == ["up"] => Ok(Order::Quit),
        "new" | "restart" => Ok(Order::New(
            rest.iter().map(|&word| word.to_owned()).collect(),
        )),
        "moves" | "m" | "list" => match rest.as_slice() {
            [] => Ok(Order::Moves(1)),
            [page] => match page.parse() {
                Ok(page) if page > 0 => Ok(Order::Moves(page)),
                _ => Err("`moves` takes the number of a page, as in `moves 2`".to_owned()),
            },
            _ => Err("`moves` takes one number, that of a page".to_owned()),
        },
        _ => {
            let typed_move = match table {
                Table::Row => sentence::in_row(&text),
                Table::Coins => sentence::of_coins(&text),
                Table::Vertices => Ok(sentence::between_vertices(&text)),
                Table::Piles { only } => sentence::in_piles(&text, only),
            };
            match typed_move {
                Ok(typed_move) => Ok(Order::Move(text, typed_move)),
                Err(Fault::Said(reason)) => Err(reason),
                Err(Fault::NotUnderstood) => Err(not_understood(&text, &examples())),
                Err(Fault::WhichPile(what)) => Err(which_pile(&what, &examples())),
                Err(Fault::WhichParts(pile, split)) => Err(which_parts(pile, split, &examples())),
            }
        }
    }
}

/// The question what becomes of a pile, where only the pile was said.
fn which_parts(pile: u64, split: bool, examples: &[Example]) -> String {
    let has = |form| examples.iter().any(|example| example.form == Some(form));
    match split && has(Form::Split) || !has(Form::Take) && has(Form::Split) {
        true => asked(
            &format!("split {pile} into what? Say the parts too"),
            examples,
            &[Form::Split],
        ),
        false => asked(
            &format!("what of the pile of {pile}? Say how many to take"),
            examples,
            &[Form::Take],
        ),
    }
}
