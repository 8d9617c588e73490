//! What a person types: a command, or a move in one of several forms.

use super::typed_move::TypedMove;
use crate::position::parse_piles;

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

/// Reads a line typed at a board that shows a row, or piles. What isn't understood is answered with `examples`: moves
/// as they may be typed, and what they do.
///
/// # Errors
/// What wasn't understood, in words for the person.
pub fn read(
    line: &str,
    in_row: bool,
    examples: impl Fn() -> Vec<(String, String)>,
) -> Result<Order, String> {
    let text = normal(line);
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    let Some(first) = words.next() else {
        return Ok(Order::Nothing);
    };
    let rest: Vec<&str> = words.collect();
    let alone = |order: Order| match rest.as_slice() {
        [] => Ok(order),
        _ => Err(format!("`{first}` stands alone")),
    };
    match first {
        "help" | "h" | "?" => alone(Order::Help),
        "hint" => alone(Order::Hint),
        "why" => alone(Order::Why),
        "undo" | "u" => alone(Order::Undo),
        "quit" | "q" | "exit" => alone(Order::Quit),
        "new" => Ok(Order::New(
            rest.iter().map(|&word| word.to_owned()).collect(),
        )),
        "moves" | "m" => match rest.as_slice() {
            [] => Ok(Order::Moves(1)),
            [page] => match page.parse() {
                Ok(page) if page > 0 => Ok(Order::Moves(page)),
                _ => Err("`moves` takes the number of a page, as in `moves 2`".to_owned()),
            },
            _ => Err("`moves` takes one number, that of a page".to_owned()),
        },
        _ => {
            let typed_move = if in_row { place(&text) } else { change(&text) };
            match typed_move {
                Ok(typed_move) => Ok(Order::Move(text, typed_move)),
                Err(Fault::Said(reason)) => Err(reason),
                Err(Fault::NotUnderstood) => Err(not_understood(&text, &examples())),
                Err(Fault::WhichPile(number)) => Err(which_pile(&number, &examples())),
            }
        }
    }
}

/// Lower case, arrows set off by blanks, and single blanks between words.
fn normal(line: &str) -> String {
    let line = line.to_lowercase().replace('→', "->").replace("->", " -> ");
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why a line is no move.
enum Fault {
    /// It is not understood.
    NotUnderstood,
    /// A number of stones alone.
    WhichPile(String),
    /// Anything else, in words for the person.
    Said(String),
}

fn not_understood(text: &str, examples: &[(String, String)]) -> String {
    let typed: Vec<String> = examples
        .iter()
        .map(|(typed, _)| format!("`{typed}`"))
        .collect();
    match typed.as_slice() {
        [] => format!("`{text}` isn't understood; `help` lists what is"),
        typed => format!(
            "`{text}` isn't understood; a move is typed like {}, and `help` lists the rest",
            super::row::any_of(typed)
        ),
    }
}

fn which_pile(number: &str, examples: &[(String, String)]) -> String {
    let like = match examples.first() {
        Some((typed, words)) => format!(", as in `{typed}` ({words})"),
        None => String::new(),
    };
    format!(
        "{number} from which pile? Say that too{like}; `#{number}` is move {number} of the list"
    )
}

/// A move in a row: `3 2`, `take 2 at 3`, `3-4`, `3`, `#7`.
fn place(text: &str) -> Result<TypedMove, Fault> {
    let fault = || Fault::NotUnderstood;
    let count = |word: &str| word.parse::<usize>().map_err(|_| fault());
    let words: Vec<&str> = text
        .split([' ', ','])
        .filter(|word| !["", "take", "stone", "stones", "the", "place"].contains(word))
        .collect();
    match words.as_slice() {
        [number] if number.starts_with('#') => Ok(TypedMove::Numbered(count(&number[1..])?)),
        [range] if range.contains('-') => {
            let (from, to) = range.split_once('-').ok_or_else(fault)?;
            let (from, to) = (count(from)?, count(to)?);
            let stones = (to + 1).checked_sub(from).filter(|&stones| stones > 0);
            let stones =
                stones.ok_or_else(|| Fault::Said(format!("{from} to {to} is no run of places")))?;
            Ok(TypedMove::Place(from, Some(stones)))
        }
        [at] | ["at", at] => Ok(TypedMove::Place(count(at)?, None)),
        [stones, "at" | "from", at] => Ok(TypedMove::Place(count(at)?, Some(count(stones)?))),
        [at, stones] => Ok(TypedMove::Place(count(at)?, Some(count(stones)?))),
        _ => Err(fault()),
    }
}

/// A move in piles: `2 from 9`, `9 -> 3 4`, `9 -> 3+4`, `9 3 4`, `3 4`, `-> 3 4 5`, `turn 2 5`, `#7`, or the move's own
/// words.
fn change(text: &str) -> Result<TypedMove, Fault> {
    let plain = text.replace([',', '+'], " ");
    let filler = |word: &&str| {
        ![
            "take", "split", "move", "pile", "piles", "of", "size", "the", "stone", "stones",
            "coin", "coins", "step", "and",
        ]
        .contains(word)
    };
    let words: Vec<&str> = plain
        .split_whitespace()
        .filter(filler)
        .map(|word| match word {
            "into" | "to" | "leaving" | "=" => "->",
            _ => word,
        })
        .collect();
    let number = |word: &str| {
        let piles = parse_piles(&[word]).ok()?;
        (piles.len() == 1).then(|| piles[0])
    };
    let parts = |words: &[&str]| -> Option<Vec<u64>> {
        let parts: Option<Vec<u64>> = words.iter().map(|word| number(word)).collect();
        parts.map(|parts| parts.into_iter().filter(|&part| part > 0).collect())
    };
    let typed_move = match words.as_slice() {
        [one] if one.starts_with('#') => one[1..].parse().ok().map(TypedMove::Numbered),
        [one] if number(one).is_some() => return Err(Fault::WhichPile((*one).to_owned())),
        ["turn", coins @ ..] if !coins.is_empty() => {
            let coins: Option<Vec<u64>> = coins.iter().map(|word| number(word)).collect();
            coins.map(|mut coins| {
                coins.sort_unstable();
                TypedMove::Turn(coins)
            })
        }
        ["whole", pile] => number(pile).map(|pile| TypedMove::Becomes(pile, Vec::new())),
        ["add", stones, "->", pile] => number(stones)
            .zip(number(pile))
            .and_then(|(more, pile)| Some(TypedMove::Becomes(pile, vec![pile.checked_add(more)?]))),
        ["->", left @ ..] if !left.is_empty() => {
            let piles: Option<Vec<u64>> = left.iter().map(|word| number(word)).collect();
            piles.map(TypedMove::Position)
        }
        [pile, "->", left @ ..] if !left.is_empty() => number(pile)
            .zip(parts(left))
            .map(|(pile, left)| TypedMove::Becomes(pile, left)),
        [take, "from", pile, "->", left @ ..] => {
            let whole = number(pile).zip(number(take)).zip(parts(left));
            let adds_up = |(pile, take): (u64, u64), left: &[u64]| {
                left.iter()
                    .try_fold(take, |sum, &part| sum.checked_add(part))
                    == Some(pile)
            };
            whole
                .filter(|(taking, left)| adds_up(*taking, left))
                .map(|((pile, _), left)| TypedMove::Becomes(pile, left))
        }
        several if several.len() % 3 == 0 => {
            let takings = several.chunks(3).map(|taking| match taking {
                [take, "from", pile] => number(take).zip(number(pile)),
                _ => None,
            });
            takings.collect::<Option<Vec<_>>>().map(TypedMove::Takes)
        }
        _ => None,
    };
    let bare: Option<Vec<u64>> = words.iter().map(|word| number(word)).collect();
    match (typed_move, bare) {
        (Some(typed_move), _) => Ok(typed_move),
        (None, Some(numbers)) if numbers.len() > 1 => Ok(TypedMove::Numbers(numbers)),
        (None, _) if words.iter().any(|word| number(word).is_some()) => Ok(TypedMove::Words),
        (None, _) => Err(Fault::NotUnderstood),
    }
}
