//! The legal move that a person typed, or why there is none.

use super::board::{Board, Step};
use super::row::Row;
use super::{check_size, help, messages};
use crate::app::error::Refused;
use crate::app::report::style::any_of;
use crate::error::Error;
use crate::game::{Game, canonical, sum};
use crate::position::{Change, Form};
use crate::printable::{joined, printable};

/// A move as it was typed.
#[derive(Debug, PartialEq, Eq)]
pub enum TypedMove {
    /// By its number in the list of moves, from 1.
    Numbered(usize),
    /// In a row: a place, from 1, and not how many stones.
    Place(u64),
    /// In a row: the first place, from 1, and how many stones, in each way to read it.
    Places(Vec<(u64, u64)>),
    /// In a row: a first place and how many stones; or, if that is no move, two places side by side.
    PlaceOrPair {
        at: u64,
        count: u64,
        pair: Option<(u64, u64)>,
    },
    /// In a row: all the stones that are left, and how many they are said to be.
    AllStones(Option<u64>),
    /// Stones from piles: how many, and from a pile of which size (or from which step).
    Takes(Vec<(u64, u64)>),
    /// So many stones, and not from which pile.
    Take(u64),
    /// So many stones from each pile.
    FromEach(u64),
    /// Stones from a pile and what is left of it; or coins from a step and the step that they come to.
    Leaving {
        take: u64,
        pile: u64,
        left: Vec<u64>,
    },
    /// What becomes of a pile.
    Becomes(u64, Vec<u64>),
    /// The coins that are turned, ascending.
    Turn(Vec<u64>),
    /// Numbers alone: a pile and what becomes of it, or only the parts.
    Numbers(Vec<u64>),
    /// In a graph: the words that name one vertex or two.
    Between(String),
    /// The whole position after the move.
    Position(Vec<u64>),
    /// A move of one game of a sum.
    InPart(usize, Box<TypedMove>),
    /// A move that is known by its own words alone.
    Words,
}

/// The part of a sum that a line names, and the rest of the line: `in kayles: 2 from 5`, `kayles: 2 from 5`,
/// `kayles 2 from 5`, `2 from 5 in kayles`,
/// `part 1: 2 from 5`.
pub fn part_named(game: &dyn Game, line: &str) -> (Option<usize>, String) {
    let text = line.trim().to_lowercase();
    let parts = game.parts();
    let alike = |name: &str| parts.iter().filter(|part| part.name() == name).count();
    for (at, part) in parts.iter().enumerate() {
        let number = format!("part {}", at + 1);
        let mut names = vec![format!("{} ({number})", part.name()), number];
        if alike(part.name()) == 1 {
            names.push(part.name().to_owned());
        }
        for name in names {
            let name = name.to_lowercase();
            let front = text.strip_prefix("in ").unwrap_or(&text);
            let front = front
                .strip_prefix(&*name)
                .and_then(|rest| rest.strip_prefix([':', ' ']));
            let back = text.strip_suffix(&*name).and_then(|rest| {
                let mut words = [" in ", " from ", " of ", " off "].into_iter();
                words.find_map(|word| rest.strip_suffix(word))
            });
            if let Some(rest) = front.or(back) {
                return (Some(at), rest.trim().to_owned());
            }
        }
    }
    (None, line.to_owned())
}

impl TypedMove {
    /// The legal move that was typed, or why there is none, in words for the person.
    pub fn find(
        &self,
        game: &dyn Game,
        board: &Board,
        typed: &str,
    ) -> Result<Result<Step, String>, Refused> {
        match self {
            &TypedMove::Numbered(number) => {
                let step = number.checked_sub(1).map(|at| board.steps(game).nth(at));
                let step = step.flatten().transpose()?;
                return Ok(step.ok_or_else(|| {
                    format!("there is no move #{number}; `moves` lists them by number")
                }));
            }
            TypedMove::Places(readings) => return Ok(one_of(board, readings)),
            &TypedMove::PlaceOrPair { at, count, pair } => {
                let take = |(at, count): (u64, u64)| board.take(place(at), place(count));
                let found = take((at, count));
                let pair = pair.filter(|_| found.is_err()).map(take);
                return Ok(pair.and_then(Result::ok).map_or(found, Ok));
            }
            &TypedMove::AllStones(count) => return Ok(all_stones(board, count)),
            &TypedMove::FromEach(take) => {
                let (piles, _) = game.split(board.position());
                let piles = piles.iter().filter(|&&pile| pile > 0);
                let takings = piles.map(|&pile| (take, pile)).collect();
                return TypedMove::Takes(takings).find(game, board, typed);
            }
            &TypedMove::Place(at) => return Ok(only_at(game, board, place(at))?),
            TypedMove::Numbers(numbers) => {
                if let &[one, other] = numbers.as_slice() {
                    check_size(game, board.position())?;
                    match read_pair(game, board, one, other) {
                        Ok(None) => {}
                        Ok(Some(read)) => return read.find(game, board, typed),
                        Err(question) => return Ok(Err(question)),
                    }
                }
            }
            _ => {}
        }
        check_size(game, board.position())?;
        let mut found: Vec<Step> = Vec::new();
        for step in board.steps(game) {
            let step = step?;
            if self.is_said(&step, typed) {
                return Ok(Ok(step));
            }
            if found.len() < 4 && self.meets(game, &step) {
                let after = canonical(game, step.after.position());
                let new = |other: &Step| canonical(game, other.after.position()) != after;
                if found.iter().all(new) {
                    found.push(step);
                }
            }
        }
        if found.is_empty()
            && let Some(whole) = self.with_the_rest(game, board)
        {
            return whole.find(game, board, typed);
        }
        if let TypedMove::Take(_) = self
            && found.len() > 1
        {
            return Ok(Err(help::which_pile(typed, &help::examples(game, board))));
        }
        if found.len() > 1 {
            let words = joined(found.iter().take(3).map(|step| &step.words), "; or ");
            let more = if found.len() > 3 { "; or …" } else { "" };
            return Ok(Err(format!("which one? {words}{more}")));
        }
        Ok(found
            .pop()
            .ok_or_else(|| self.no_such_move(game, board, typed)))
    }

    /// Whether the move's own words were typed.
    fn is_said(&self, step: &Step, typed: &str) -> bool {
        let is_said = |change: &Change| change.to_string().to_lowercase() == typed;
        match (self, &step.change) {
            (&TypedMove::InPart(wanted, _), Some(Change::Part { part, change, .. })) => {
                *part == wanted && is_said(change)
            }
            (_, Some(change)) => is_said(change),
            _ => step.words == typed,
        }
    }

    /// The split that one part of a pile means in a game that only splits: what is left is the other part.
    fn with_the_rest(&self, game: &dyn Game, board: &Board) -> Option<TypedMove> {
        let (pile, part) = match self {
            TypedMove::Becomes(pile, parts) => (*pile, parts.as_slice()),
            TypedMove::Numbers(numbers) => (*numbers.first()?, &numbers[1..]),
            _ => return None,
        };
        let &[part] = part else { return None };
        let rest = pile
            .checked_sub(part)
            .filter(|&rest| rest > 0 && part > 0)?;
        let whole = vec![part, rest];
        only_splits(game, pile).then_some(())?;
        let (piles, _) = game.split(board.position());
        piles
            .contains(&pile)
            .then_some(TypedMove::Becomes(pile, whole))
    }

    fn no_such_move(&self, game: &dyn Game, board: &Board, typed: &str) -> String {
        if let &TypedMove::InPart(part, ref own) = self
            && let Some(of_part) = game.parts().get(part)
            && let Some(position) = sum::positions(board.position()).get(part)
        {
            let board = Board::new(&**of_part, position.to_vec());
            return own.no_such_move(&**of_part, &board, typed);
        }
        let (piles, _) = game.split(board.position());
        let first = board.steps(game).next().and_then(Result::ok);
        let is_coin = first
            .and_then(|step| step.change)
            .is_some_and(|change| change.typed().0 == Form::Push);
        let named = match self {
            // Of two numbers a coin moves from the one to the other.
            TypedMove::Numbers(numbers) if is_coin && numbers.len() == 2 => vec![numbers[0]],
            _ => self.piles(),
        };
        if let Some(missing) = named.iter().find(|pile| !piles.contains(pile))
            && !game.is_ordered()
        {
            return match is_coin {
                true => format!("there is no coin on square {missing}"),
                false => format!("there is no pile of {missing}"),
            };
        }
        if let TypedMove::Takes(takings) = self {
            for &(take, pile) in takings {
                if take == 0 {
                    return "a move must take something".to_owned();
                }
                if take > pile && !game.is_ordered() {
                    return format!("a pile of {pile} has no {take} stones to take");
                }
            }
        }
        if let TypedMove::Leaving { take, pile, left } = self
            && !game.is_ordered()
            && let Some(rest) = pile.checked_sub(*take)
            && left.iter().map(|&part| u128::from(part)).sum::<u128>() != u128::from(rest)
        {
            return format!(
                "{take} taken from {pile} leaves {rest}, not {}",
                joined(left, " + ")
            );
        }
        if matches!(self, TypedMove::Words | TypedMove::Between(_)) {
            return help::not_understood(typed, &help::examples(game, board));
        }
        if let TypedMove::Becomes(pile, parts) = self
            && let Some(reason) = does_not_add_up(game, *pile, parts)
        {
            return reason;
        }
        match messages::rule(game) {
            Some(rule) => format!("`{typed}` is not a legal move; the rule: {rule}"),
            None => format!("`{typed}` is not a legal move; `moves` lists those that are"),
        }
    }

    /// Whether a move in piles is what was typed. Numbers and places are looked up elsewhere.
    fn meets(&self, game: &dyn Game, step: &Step) -> bool {
        match (self, &step.change) {
            (TypedMove::Position(wanted), _) => {
                let (after, _) = game.split(step.after.position());
                match game.is_ordered() {
                    true => after == wanted,
                    false => sorted(after) == sorted(wanted),
                }
            }
            (TypedMove::InPart(wanted, own), Some(Change::Part { part, change, .. })) => {
                part == wanted && own.says(change)
            }
            (own, Some(change)) => own.says(change),
            _ => false,
        }
    }

    /// Whether what a move does is what was typed.
    fn says(&self, change: &Change) -> bool {
        match self {
            TypedMove::Takes(takings) => change.takes(takings),
            TypedMove::Take(count) => change.takes_in_all() == Some(*count),
            TypedMove::Leaving { take, pile, left } => change.leaves(*take, *pile, left),
            TypedMove::Becomes(pile, parts) => change.makes(*pile, parts),
            TypedMove::Turn(coins) => change.turns(coins),
            TypedMove::Numbers(numbers) => change.is_said_by(numbers),
            TypedMove::Between(words) => {
                let vertices = change.vertices();
                vertices.is_some_and(|(from, to)| vertex_words(from, to).contains(words))
            }
            _ => false,
        }
    }

    /// The piles that the words name.
    fn piles(&self) -> Vec<u64> {
        match self {
            TypedMove::Takes(takings) => takings.iter().map(|&(_, pile)| pile).collect(),
            TypedMove::Becomes(pile, _) | TypedMove::Leaving { pile, .. } => vec![*pile],
            _ => Vec::new(),
        }
    }
}

/// What may be typed for a move from one vertex to another.
fn vertex_words(from: &str, to: &str) -> Vec<String> {
    let [from, to] = [from, to].map(|name| normal(&printable(name)));
    let both = ["-> ", "to ", ""].map(|sign| format!("{from} {sign}{to}"));
    let one = ["-> ", "to ", ""].map(|sign| format!("{sign}{to}"));
    let words = both.iter().chain(&one);
    let fronts = ["", "from ", "move ", "move from ", "go ", "go from "];
    fronts
        .iter()
        .flat_map(|front| words.clone().map(move |words| format!("{front}{words}")))
        .collect()
}

/// What is wrong with the parts of a pile, if they are more than the pile, or less in a game that takes no stones.
fn does_not_add_up(game: &dyn Game, pile: u64, parts: &[u64]) -> Option<String> {
    let sum: u128 = parts.iter().map(|&part| u128::from(part)).sum();
    let words = joined(parts, " + ");
    if sum > u128::from(pile) && parts.len() > 1 {
        return Some(format!("{words} is more than {pile}"));
    }
    (only_splits(game, pile) && sum != u128::from(pile) && !parts.is_empty())
        .then(|| format!("{words} is not {pile}"))
}

/// Whether the moves of a pile split it, and none takes a stone.
fn only_splits(game: &dyn Game, pile: u64) -> bool {
    let only_splits = |position: Vec<u64>| {
        let mut moves = game.moves(&position).filter_map(Result::ok).take(1000);
        moves.all(|found| found.change.takes_in_all() == Some(0))
    };
    game.start(vec![pile]).is_ok_and(only_splits)
}

/// The move that takes all stones that are left of a row, if they lie side by side.
fn all_stones(board: &Board, count: Option<u64>) -> Result<Step, String> {
    let runs = board.row().map(Row::runs).unwrap_or_default();
    let stones: usize = runs.iter().map(ExactSizeIterator::len).sum();
    if let Some(count) = count
        && place(count) != stones
    {
        return Err(format!(
            "{stones} stones are left, not {count}; say the places too"
        ));
    }
    match runs.as_slice() {
        [run] => board.take(run.start + 1, run.len()),
        _ => Err("the stones that are left aren't side by side".to_owned()),
    }
}

/// A place or a number of stones; one beyond any row stands for all of them.
fn place(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The move in a row that one of these places and numbers of stones makes, if the others make none.
fn one_of(board: &Board, readings: &[(u64, u64)]) -> Result<Step, String> {
    let mut found: Vec<((u64, u64), Step)> = Vec::new();
    let mut fault = String::new();
    for &(at, count) in readings {
        match board.take(place(at), place(count)) {
            Ok(step) if found.iter().all(|(_, other)| other.words != step.words) => {
                found.push(((at, count), step));
            }
            Ok(_) => {}
            Err(reason) => fault = reason,
        }
    }
    match found.len() {
        0 => Err(fault),
        1 => found.pop().map(|(_, step)| step).ok_or(fault),
        _ => {
            let ways = found
                .iter()
                .map(|((at, count), step)| format!("{} (`{at} {count}`)", step.words));
            Err(format!("which one? {}", joined(ways, "; or ")))
        }
    }
}

/// What two numbers say in a game in which stones are taken: the pile and what is left of it, what is taken and the
/// pile, or the parts of a pile. `None` if none of these could be.
///
/// # Errors
/// The question which one is meant, if there are several.
fn read_pair(
    game: &dyn Game,
    board: &Board,
    one: u64,
    other: u64,
) -> Result<Option<TypedMove>, String> {
    let steps = || board.steps(game).filter_map(Result::ok);
    let takes = |step: Step| step.change.and_then(|change| change.takes_in_all()) > Some(0);
    if game.is_ordered() || !steps().any(takes) {
        return Ok(None);
    }
    let (piles, _) = game.split(board.position());
    // What becomes of which pile, and how that is typed.
    let mut ways: Vec<(u64, Vec<u64>, String)> = Vec::new();
    let mut way = |pile: u64, left: u64, typed: String| {
        let left: Vec<u64> = Some(left).filter(|&left| left > 0).into_iter().collect();
        let new = ways.iter().all(|way| (way.0, &way.1) != (pile, &left));
        let is_move = |step: Step| step.change.is_some_and(|change| change.makes(pile, &left));
        if new && piles.contains(&pile) && steps().any(is_move) {
            ways.push((pile, left, typed));
        }
    };
    for (take, pile) in [(other, one), (one, other)] {
        if (1..=pile).contains(&take) {
            way(pile, pile - take, format!("{take} from {pile}"));
        }
    }
    if other < one {
        way(one, other, format!("{one} -> {other}"));
    }
    let mut parts = vec![one, other];
    parts.sort_unstable();
    for step in steps() {
        if let Some((_, pile, leave)) = step.change.as_ref().and_then(Change::in_pile)
            && leave == parts
            && ways.iter().all(|way| (way.0, &way.1) != (pile, &parts))
        {
            ways.push((
                pile,
                parts.clone(),
                format!("{pile} -> {} {}", parts[0], parts[1]),
            ));
        }
    }
    match ways.as_slice() {
        [] => Ok(None),
        [(pile, left, _)] => Ok(Some(TypedMove::Becomes(*pile, left.clone()))),
        ways => {
            let typed = any_of(ways.iter().map(|way| format!("`{}`", way.2)));
            Err(format!("which one? `{one} {other}` may mean {typed}"))
        }
    }
}

/// The one move at a place of a row, if there is only one.
fn only_at(game: &dyn Game, board: &Board, at: usize) -> Result<Result<Step, String>, Error> {
    let mut found = Vec::new();
    for step in board.steps(game) {
        let step = step?;
        if step.place.is_some_and(|(place, _)| place == at) {
            found.push(step);
        }
    }
    Ok(match found.len() {
        0 => Err(board
            .take(at, 1)
            .err()
            .unwrap_or_else(|| format!("no move is possible at {at}"))),
        1 => found.pop().ok_or_else(String::new),
        _ => Err(format!(
            "how many? from {at} on you may take {}",
            any_of(found.iter().filter_map(|step| Some(step.place?.1)))
        )),
    })
}

/// The piles that aren't empty, in ascending order.
fn sorted(piles: &[u64]) -> Vec<u64> {
    let mut piles: Vec<u64> = piles.iter().copied().filter(|&pile| pile > 0).collect();
    piles.sort_unstable();
    piles
}

/// Lower case, arrows set off by blanks, and single blanks between words.
pub fn normal(line: &str) -> String {
    let line = line
        .to_lowercase()
        .replace(['→', '⇒'], "->")
        .replace("=>", "->")
        .replace("->", " -> ");
    joined(line.split_whitespace(), " ")
}
