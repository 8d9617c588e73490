//! What a person types: a command, or a move in one of several forms.

use super::help::{Example, asked, not_understood, which_pile};
use super::sentence::{self, Fault};
use super::typed_move::{TypedMove, normal};
use crate::position::Form;

/// A line, understood.
#[derive(Debug, PartialEq, Eq)]
pub enum Order {
    /// An empty line.
    Nothing,
    /// What can be typed.
    Help,
    /// A good move.
    Hint,
    /// Why the position is won or lost.
    Why,
    /// The person's last move, taken back.
    Undo,
    /// A page of the legal moves, from 1.
    Moves(usize),
    /// Another game, with these piles.
    New(Vec<String>),
    /// The end.
    Quit,
    /// A move, as it was typed and as it was understood.
    Move(String, TypedMove),
}

/// What lies on the table.
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

/// Reads a line typed at a table. What isn't understood is answered with `examples`: moves
/// as they may be typed, and what they do.
///
/// # Errors
/// What wasn't understood, in words for the person.
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

/// What is asked where a pile is said and not what becomes of it.
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
