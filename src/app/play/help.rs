//! The help about what can be typed at the table, with moves of the position for examples.

use super::messages::rule;
use super::{Board, Step};
use crate::app::report::style::{any_of, padded};
use crate::game::Game;
use crate::position::Form;
use crate::printable::joined;

/// A legal move as it may be typed.
pub struct Example {
    /// The form in which the move is typed; a move in a row has none.
    pub form: Option<Form>,
    pub typed: String,
    /// The move in words.
    pub words: String,
}

/// One move of each form, taken from the first legal moves.
pub fn examples(game: &dyn Game, board: &Board) -> Vec<Example> {
    const LOOKED_AT: usize = 200;
    let mut found: Vec<Example> = Vec::new();
    for step in board.steps(game).take(LOOKED_AT).filter_map(Result::ok) {
        let (form, typed) = typed(&step);
        if found.iter().all(|example| example.form != form) {
            found.push(Example {
                form,
                typed,
                words: step.words,
            });
        }
    }
    found.truncate(3);
    found
}

/// The form in which a move is typed, and the text to type.
fn typed(step: &Step) -> (Option<Form>, String) {
    match (&step.change, step.place) {
        (Some(change), _) => {
            let (form, typed) = change.typed();
            (Some(form), typed)
        }
        (None, Some((at, count))) => (None, format!("{at} {count}")),
        (None, None) => (None, step.words.clone()),
    }
}

/// Whether a move of this form may be typed as the whole position after it.
fn leaves_position(form: Form) -> bool {
    match form {
        Form::Take | Form::Step | Form::Push | Form::Split | Form::Add | Form::Several => true,
        Form::Turn | Form::TurnSeveral | Form::Vertex => false,
    }
}

/// The help text about what can be typed, with moves of the position for examples.
pub fn help(game: &dyn Game, board: &Board, drawn: bool) -> String {
    let examples = examples(game, board).into_iter();
    let mut forms: Vec<(String, String)> = examples
        .map(|example| (example.typed, example.words))
        .collect();
    if let Some(row) = board.row() {
        if let Some((at, count)) = row.moves().find(|&(_, count)| count > 1) {
            let (first, last) = (at + 1, at + count);
            forms.push((
                format!("{first}-{last}"),
                format!("take {count} at {first}"),
            ));
        }
    } else if let Some(Ok(step)) = board.steps(game).next() {
        let (left, _) = game.split(step.after.position());
        let is_sum = !game.parts().is_empty();
        if !left.is_empty()
            && left.len() < 8
            && !is_sum
            && typed(&step).0.is_none_or(leaves_position)
        {
            let whole = "the whole position after your move".to_owned();
            forms.push((format!("-> {}", joined(left, " ")), whole));
        }
    }
    let new = match drawn {
        true => "another game with random piles; `new 3 4 5` chooses the piles",
        false => "another game with the same piles; `new 3 4 5` chooses others",
    };
    let others = [
        ("#1", "the first move of the list"),
        ("moves", "list the legal moves; `moves 2` is the next page"),
        ("hint", "where to look; a second `hint` shows a good move"),
        ("why", "who wins from here, with the working"),
        ("undo", "take back your last move and the answer to it"),
        ("new", new),
        ("quit", "stop (also Ctrl-D)"),
    ];
    let others = others.map(|(form, meaning)| (form.to_owned(), meaning.to_owned()));
    let mut text = rule(game)
        .map(|rule| format!("The rule: {rule}.\n"))
        .unwrap_or_default();
    if board.row().is_some() {
        text.push_str("∗ is a stone, × a stone that is gone. Stones on both sides of a gap aren't adjacent.\n");
    }
    let width = forms.iter().map(|(form, _)| form.chars().count()).max();
    let width = width.unwrap_or(0).max(6);
    for (form, meaning) in forms.iter().chain(&others) {
        text.push_str(&format!("  {}  {meaning}\n", padded(form, width)));
    }
    text
}

/// The answer to words that are no move.
pub fn not_understood(text: &str, examples: &[Example]) -> String {
    let typed = examples
        .iter()
        .map(|example| format!("`{}`", example.typed));
    match examples {
        [] => format!("`{text}` isn't understood; `help` lists what is"),
        _ => format!(
            "`{text}` isn't understood; a move is typed like {}, and `help` lists the rest",
            any_of(typed)
        ),
    }
}

/// A question, with the first example of an answer that has one of these forms, or else of any.
pub fn asked(question: &str, examples: &[Example], forms: &[Form]) -> String {
    let fits = |example: &&Example| example.form.is_some_and(|form| forms.contains(&form));
    match examples.iter().find(fits).or(examples.first()) {
        Some(Example { typed, words, .. }) => format!("{question}, as in `{typed}` ({words})"),
        None => question.to_owned(),
    }
}

/// The question from which pile, where only a number of stones was said.
pub fn which_pile(what: &str, examples: &[Example]) -> String {
    let form = examples.iter().filter_map(|example| example.form).min();
    let question = match form {
        Some(Form::Step) => format!("{what} from which step? Say that too"),
        Some(Form::Push) => "say the coin's square and where it goes".to_owned(),
        Some(Form::Split) => "a move splits a pile: say the pile and its parts".to_owned(),
        Some(
            Form::Take | Form::Add | Form::Several | Form::Turn | Form::TurnSeveral | Form::Vertex,
        )
        | None => format!("{what} from which pile? Say that too"),
    };
    let number = match what.parse::<u64>() {
        Ok(number) if matches!(form, Some(Form::Take | Form::Step)) => {
            format!("; `#{number}` is move {number} of the list")
        }
        _ => String::new(),
    };
    asked(&question, examples, &[Form::Take, Form::Step, Form::Push]) + &number
}
