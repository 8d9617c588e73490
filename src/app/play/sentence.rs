//! A move as a person says it: the words of a sentence, and the move that they mean.
//!
//! A sentence with one meaning is understood. One that has two meanings, or lacks a part, is answered by a question.

use super::typed_move::TypedMove;
use crate::position::parse_piles;

/// Why a sentence is no move.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    /// The sentence is not understood.
    NotUnderstood,
    /// The sentence says what is taken but not from which pile.
    WhichPile(String),
    /// The sentence says a pile but not what becomes of it; the flag says whether it is to be split.
    WhichParts(u64, bool),
    /// Another fault, in words for the person.
    Said(String),
}

/// A word, or several words with one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Number(u64),
    /// `pile 5`, `the pile of 5`, `step 5`.
    Pile(u64),
    /// `#7`
    Numbered(usize),
    /// `3-4`
    Range(u64, u64),
    All,
    /// Both stones of two, or the number 2.
    Both,
    /// Each pile: `from both`, `from each`.
    Each,
    Take,
    Split,
    Turn,
    Add,
    From,
    To,
    Stones,
    And,
    /// A comma, which may part a place from a number of stones as well as two places.
    Comma,
}

use Word::{
    Add, All, And, Both, Comma, Each, From, Number, Numbered, Pile, Range, Split, Stones, Take, To,
    Turn,
};

/// The words of a sentence; `None` if one of them is unknown.
fn words(text: &str) -> Option<Vec<Word>> {
    let mut text = text.replace("->", " -> ");
    for sign in [",", "+", "=", ";", "&"] {
        text = text.replace(sign, &format!(" {sign} "));
    }
    let mut words: Vec<Word> = Vec::new();
    // `pile`, `of` and `size` belong to the number behind them; `a` is a number before stones.
    let (mut pile, mut one) = (false, false);
    for word in text.split_whitespace() {
        let word = match word.trim_end_matches(['.', '!']) {
            "" => continue,
            word => word,
        };
        let number = number(word);
        let found = match word {
            "take" | "takes" | "remove" | "removes" | "subtract" | "draw" | "pick" | "grab"
            | "knock" | "hit" | "minus" | "-" | "by" => Take,
            "split" | "divide" | "break" | "cut" => Split,
            "turn" | "flip" => Turn,
            "add" | "put" => Add,
            "->" | "=" | "to" | "into" | "leave" | "leaves" | "leaving" | "as" | "becomes" => To,
            "in" if words.first() == Some(&Split) && words.len() == 2 => To,
            "from" | "off" | "in" | "at" | "out" | "on" | "onto" => From,
            "of" if pile => continue,
            "of" => From,
            "both" | "each" if words.last() == Some(&From) => Each,
            "both" => Both,
            "all" | "whole" | "entire" | "everything" => All,
            "and" | "+" | "&" | "then" => And,
            "," | ";" => Comma,
            "pile" | "piles" | "heap" | "heaps" | "step" => {
                pile = true;
                continue;
            }
            "stone" | "stones" | "coin" | "coins" | "counter" | "counters" | "match"
            | "matches" | "stick" | "sticks" | "pin" | "pins" => {
                if one && !matches!(words.last(), Some(Number(_))) {
                    words.push(Number(1));
                }
                Stones
            }
            "a" | "an" => {
                one = true;
                continue;
            }
            "the" | "size" | "move" | "push" | "slide" | "reduce" | "lower" | "decrease"
            | "please" | "i" | "my" | "away" | "rest" | "place" | "places" | "square" | "it"
            | "down" | "play" | "mark" => {
                continue;
            }
            _ => match (number, word.strip_prefix('#'), word.split_once('-')) {
                (Some(number), ..) if pile => Pile(number),
                (Some(number), ..) => Number(number),
                (_, Some(number), _) => Numbered(number.parse().ok()?),
                (_, _, Some((from, to))) => Range(from.parse().ok()?, to.parse().ok()?),
                _ => return None,
            },
        };
        (pile, one) = (false, false);
        if found != From || words.last() != Some(&From) {
            words.push(found);
        }
    }
    Some(words)
}

/// A move of a graph, whose vertices may have any names: the move's number in the list, or words that are compared with those of
/// the moves.
pub fn between_vertices(text: &str) -> TypedMove {
    let number = text
        .strip_prefix('#')
        .and_then(|number| number.parse().ok());
    number.map_or_else(|| TypedMove::Between(text.to_owned()), TypedMove::Numbered)
}

/// A number in digits, as piles are written, or as a word.
fn number(word: &str) -> Option<u64> {
    const NAMES: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen \
        fourteen fifteen sixteen seventeen eighteen nineteen twenty";
    if let Some(number) = NAMES.split(' ').position(|name| name == word) {
        return Some(number as u64);
    }
    match parse_piles(&[word]).ok()?[..] {
        [number] => Some(number),
        _ => None,
    }
}

/// The words without `stones`; `of the stones from` becomes a single `from`.
fn without_stones(words: &[Word]) -> Vec<Word> {
    let mut left = words.to_vec();
    left.retain(|&word| word != Stones);
    left.dedup_by(|word, before| (*word, *before) == (From, From));
    left
}

/// The words without those that only join others, `and` and commas.
fn without_joints(words: &[Word]) -> Vec<Word> {
    let mut left = words.to_vec();
    left.retain(|word| ![And, Comma].contains(word));
    left
}

fn size(word: &Word) -> Option<u64> {
    match word {
        Number(number) | Pile(number) => Some(*number),
        Both => Some(2),
        _ => None,
    }
}

fn sizes(words: &[Word]) -> Option<Vec<u64>> {
    words.iter().map(size).collect()
}

/// A move in a row of coins that are turned: a sentence as for piles, or numbers alone, which name the coins.
pub fn of_coins(text: &str) -> Result<TypedMove, Fault> {
    let coins = words(text).and_then(|words| {
        let mut named = without_stones(&words);
        named.retain(|word| ![Turn, Take, And, Comma, From].contains(word));
        turned(&named)
    });
    coins.map_or_else(|| in_piles(text, None), Ok)
}

/// The move that turns the coins that these words name.
fn turned(words: &[Word]) -> Option<TypedMove> {
    let mut coins = sizes(words).filter(|coins| !coins.is_empty())?;
    coins.sort_unstable();
    Some(TypedMove::Turn(coins))
}

/// A move in piles; `only` is the size of the only pile, if there is just one.
pub fn in_piles(text: &str, only: Option<u64>) -> Result<TypedMove, Fault> {
    let Some(words) = words(text) else {
        // The sentence may be the move's own words.
        return match text.split([' ', ',']).any(|word| number(word).is_some()) {
            true => Ok(TypedMove::Words),
            false => Err(Fault::NotUnderstood),
        };
    };
    let words = without_stones(&words);
    let words: Vec<Word> = words.iter().flat_map(|&word| difference(word)).collect();
    let clauses = words.split(|&word| word == And || word == Comma);
    let clauses: Option<Vec<_>> = clauses.map(taking).collect();
    if let Some(takings) = clauses
        && !takings.is_empty()
    {
        return Ok(TypedMove::Takes(takings));
    }
    let words = without_joints(&words);
    match change_of_pile(&words, only)? {
        Some(found) => Ok(found),
        None if words.iter().any(|word| size(word).is_some()) => Ok(TypedMove::Words),
        None => Err(Fault::NotUnderstood),
    }
}

/// A move that does more than take stones, by its words without joints; `None` if it has none of the known forms.
fn change_of_pile(words: &[Word], only: Option<u64>) -> Result<Option<TypedMove>, Fault> {
    Ok(match words {
        [Numbered(number)] => Some(TypedMove::Numbered(*number)),
        [Turn, coins @ ..] => turned(coins),
        [Add, more, To | From, pile] => added(size(more), size(pile)),
        [Add, more] => added(size(more), only),
        [Split, To, left @ ..] => sizes(left).map(|parts| match only {
            Some(pile) => TypedMove::Becomes(pile, parts),
            None => TypedMove::Numbers(parts),
        }),
        [Split, pile] | [Split, pile, To] => {
            let asked = |pile| Fault::WhichParts(pile, true);
            return Err(size(pile).map_or(Fault::NotUnderstood, asked));
        }
        [Number(take), From, Each] | [Take, Number(take), From, Each] => {
            Some(TypedMove::FromEach(*take))
        }
        [From, pile, To, left @ ..]
        | [To, left @ .., From, pile]
        | [Take | Split, pile, To, left @ ..]
        | [pile, To, left @ ..]
        | [Split, pile, left @ ..]
            if size(pile).is_some() && !left.is_empty() =>
        {
            size(pile)
                .zip(parts_left(left))
                .map(|(pile, parts)| TypedMove::Becomes(pile, parts))
        }
        [To, left @ ..] if !left.is_empty() => sizes(left).map(TypedMove::Position),
        [take @ (Number(_) | Both)] | [Take, take @ (Number(_) | Both)] => {
            let take = size(take).unwrap_or(0);
            match (only, words.first()) {
                (Some(pile), _) => Some(TypedMove::Takes(vec![(take, pile)])),
                (None, Some(Take)) => Some(TypedMove::Take(take)),
                (None, _) => return Err(Fault::WhichPile(take.to_string())),
            }
        }
        [Take, All] | [All] => match only {
            Some(pile) => Some(TypedMove::Takes(vec![(pile, pile)])),
            None => return Err(Fault::WhichPile("all".to_owned())),
        },
        [Pile(pile)] => return Err(Fault::WhichParts(*pile, false)),
        [Take, numbers @ ..] | numbers if numbers.len() > 1 && sizes(numbers).is_some() => {
            sizes(numbers).map(TypedMove::Numbers)
        }
        words => taken_and_left(words).or_else(|| several(words)),
    })
}

/// The words of `5-2`, which in piles is a difference: from 5 take 2.
fn difference(word: Word) -> Vec<Word> {
    match word {
        Range(pile, take) => vec![Number(pile), Take, Number(take)],
        word => vec![word],
    }
}

/// The number of stones taken and the size of the pile, from words that say both and nothing else.
fn taking(words: &[Word]) -> Option<(u64, u64)> {
    let (take, pile) = match words {
        [take, From, pile]
        | [Take, take, From, pile]
        | [From, pile, Take, take]
        | [Take, From, pile, take]
        | [pile, Take, take]
        | [From, pile, take]
        | [Take, take, pile @ Pile(_)]
        | [take @ (Number(_) | Both | All), pile @ Pile(_)]
        | [pile, take @ All] => (take, pile),
        [Take, pile @ Pile(_)] => (&All, pile),
        _ => return None,
    };
    let pile = size(pile)?;
    match take {
        All => Some((pile, pile)),
        take => Some((size(take)?, pile)),
    }
}

/// The stones taken from a pile and the sizes left of it, or the coins taken from a step and the step that they come to.
fn taken_and_left(words: &[Word]) -> Option<TypedMove> {
    let to = words.iter().position(|&word| word == To)?;
    let mut before = words[..to].to_vec();
    before.retain(|&word| word != Split);
    let (take, pile) = taking(&before)?;
    let left = parts_left(&words[to + 1..])?;
    Some(TypedMove::Leaving { take, pile, left })
}

/// The sizes left of a pile, from words that say them; a size of 0 is no part.
fn parts_left(words: &[Word]) -> Option<Vec<u64>> {
    let mut left = sizes(words).filter(|left| !left.is_empty())?;
    left.retain(|&part| part > 0);
    Some(left)
}

/// Several takings, one after another without a word between them.
fn several(words: &[Word]) -> Option<TypedMove> {
    let takings: Option<Vec<_>> = words.chunks(3).map(taking).collect();
    takings
        .filter(|takings| !takings.is_empty())
        .map(TypedMove::Takes)
}

fn added(more: Option<u64>, pile: Option<u64>) -> Option<TypedMove> {
    let (more, pile) = more.zip(pile)?;
    Some(TypedMove::Becomes(pile, vec![pile.checked_add(more)?]))
}

/// A move in a row: `3 2`, `take 2 at 3`, `3-4`, `3 and 4`, `3`, `#7`.
pub fn in_row(text: &str) -> Result<TypedMove, Fault> {
    let mut all = words(text).ok_or(Fault::NotUnderstood)?;
    if all.contains(&From) {
        let counted = |word: &Word| if *word == Both { Number(2) } else { *word };
        all = all.iter().map(counted).collect();
    }
    let words = without_stones(&all);
    match (words.as_slice(), all.as_slice()) {
        (&[Numbered(number)], _) => Ok(TypedMove::Numbered(number)),
        (&[All] | &[Take, All], _) => Ok(TypedMove::AllStones(None)),
        (&[Both] | &[Take, Both], _) => Ok(TypedMove::AllStones(Some(2))),
        (
            &[Range(from, to)]
            | &[Take, Range(from, to)]
            | &[Number(from), To, Number(to)]
            | &[From, Number(from), To, Number(to)]
            | &[Take, Number(from), To, Number(to)]
            | &[Take, From, Number(from), To, Number(to)],
            _,
        ) => run_of_places(from, to),
        (&[Number(count)] | &[Take, Number(count)], &[.., Stones]) => Err(from_which_place(count)),
        (&[Take, Number(number)], &[Take, Number(_)]) => Err(count_or_place(number)),
        (
            &[Number(at)]
            | &[From, Number(at)]
            | &[Take, Number(at)]
            | &[Take, From, Number(at)]
            | &[Add, Number(at)]
            | &[Add, From, Number(at)],
            _,
        ) => Ok(TypedMove::Place(at)),
        (
            &[Number(count), From, Number(at)]
            | &[Take, Number(count), From, Number(at)]
            | &[From, Number(at), Take, Number(count)]
            | &[Number(at), Take, Number(count)]
            | &[From, Number(at), Number(count)],
            _,
        ) => Ok(stones_at(at, count)),
        (&[Number(at), Number(count)], _) => Ok(TypedMove::PlaceOrPair {
            at,
            count,
            pair: side_by_side(&[at, count]),
        }),
        (&[Take, Number(one), Number(other)], _) => {
            Ok(TypedMove::Places(vec![(one, other), (other, one)]))
        }
        (&[Number(one), Comma, Number(other)] | &[Take, Number(one), Comma, Number(other)], _) => {
            let mut readings = vec![(one, other)];
            readings.extend(side_by_side(&[one, other]));
            Ok(TypedMove::Places(readings))
        }
        (list, _) => list_of_places(list.strip_prefix(&[Take]).unwrap_or(list)),
    }
}

/// The move that takes `count` stones from a place on.
fn stones_at(place: u64, count: u64) -> TypedMove {
    TypedMove::Places(vec![(place, count)])
}

/// The move that takes the stones at the places from one to another.
fn run_of_places(from: u64, to: u64) -> Result<TypedMove, Fault> {
    match (to.saturating_add(1)).checked_sub(from) {
        Some(count @ 1..) => Ok(stones_at(from, count)),
        _ => Err(Fault::Said(format!("{from} to {to} is no run of places"))),
    }
}

/// The move that takes the stones at places that are listed one by one.
fn list_of_places(list: &[Word]) -> Result<TypedMove, Fault> {
    let places = sizes(&without_joints(list)).filter(|places| places.len() > 1);
    match side_by_side(&places.ok_or(Fault::NotUnderstood)?) {
        Some((from, count)) => Ok(stones_at(from, count)),
        None => Err(Fault::Said("these places are not side by side".to_owned())),
    }
}

/// The question from which place, where only the number of stones is said.
fn from_which_place(count: u64) -> Fault {
    let s = if count == 1 { "" } else { "s" };
    Fault::Said(format!(
        "{count} stone{s} from which place on? Say that too, as in `take {count} at 3`"
    ))
}

/// The question whether a number is a number of stones or a place.
fn count_or_place(number: u64) -> Fault {
    Fault::Said(format!(
        "take {number} at which place, or the stone at {number}? Type `take {number} at 3` for the first, `{number} 1` for the second"
    ))
}

/// The first of these places and their number, if they are side by side.
fn side_by_side(places: &[u64]) -> Option<(u64, u64)> {
    let mut places = places.to_vec();
    places.sort_unstable();
    let adjacent = places
        .windows(2)
        .all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    adjacent.then_some((places[0], places.len() as u64))
}
