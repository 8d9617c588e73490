//! A sum of different games: a move is a move in one of them, by that game's own rule.
//!
//! In normal play the nim-value of a sum is the nim-sum of the values of its parts (Sprague 1935, Grundy 1939), so each part may
//! be any game: its own rule gives its nim-value, or else a bounded search does. Misère play is in `misere`.
//!
//! A position is the positions of the parts one behind another, each behind its length: `[2, 5, 6, 1, 7]` is 5 and 6 in
//! the first game and 7 in the second. The simple twin is the game-tree search of the tests.

mod misere;

use self::misere::AsHeaps;
use super::search::{ByMex, Reduced, Search, WhoWins};
use super::{canonical, moves_of};
use crate::analysis::binary_columns::binary_columns;
use crate::analysis::{Analysis, Moves, pile_working};
use crate::engine::{Effort, lock};
use crate::error::{Error, StartFault};
use crate::game::Game;
use crate::grundy::NimValue;
use crate::outcome::{Convention, Outcome};
use crate::position::{Change, Move};
use crate::printable::joined;
use crate::ruleset::spelling;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::iter;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock};

/// The sign between the parts of a sum, as a word of its own.
pub const PLUS: &str = "+";

/// The text between the names of the games of a sum.
const BETWEEN: &str = " + ";

/// A sum of games.
///
/// ```
/// use nim_analyser::game::{Game, catalogue};
/// use nim_analyser::{Convention, Outcome};
///
/// let sum = catalogue::open("kayles + nim", Default::default())?;
/// let position = sum.read(&["5", "6", "+", "3", "4"])?;
/// let analysis = sum.analyse(&position, Convention::Normal)?;
/// assert_eq!(analysis.nim_values, Some(vec![7, 7]));
/// assert_eq!(analysis.outcome, Outcome::P);
/// # Ok::<(), nim_analyser::Error>(())
/// ```
pub struct Sum {
    name: String,
    parts: Vec<Box<dyn Game>>,
    effort: Effort,
    /// For each part, the search for nim-values that no rule gives.
    values: Vec<Mutex<Search<ByMex>>>,
    /// All parts as one game of heaps, for misère play; `None` if some part is no game of heaps.
    as_heaps: OnceLock<Option<AsHeaps>>,
    misere: Mutex<Search>,
}

/// The positions of the parts of a sum, from a position of the sum.
pub fn positions(position: &[u64]) -> Vec<&[u64]> {
    let mut rest = position;
    let mut found = Vec::new();
    while let Some((&length, behind)) = rest.split_first() {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let (own, others) = behind.split_at(length.min(behind.len()));
        found.push(own);
        rest = others;
    }
    found
}

/// The positions of the parts of a sum, shared while its moves are looked at.
fn kept(position: &[u64]) -> Arc<[Vec<u64>]> {
    let each = positions(position).into_iter();
    each.map(<[u64]>::to_vec).collect()
}

/// The position of a sum whose parts have these positions.
pub fn together(parts: impl Iterator<Item = impl AsRef<[u64]>>) -> Vec<u64> {
    let mut position = Vec::new();
    for own in parts {
        position.push(own.as_ref().len() as u64);
        position.extend(own.as_ref());
    }
    position
}

impl Sum {
    /// The sum of the games in a name like `kayles + nim`; `None` if the name is that of a single game. Each game is opened by
    /// `open`, which is told the number of the part, from 0, the name of the game, and the effort with its share of the memory.
    ///
    /// # Errors
    /// The first error that `open` returns.
    pub fn named<E>(
        name: &str,
        effort: &Effort,
        open: impl Fn(usize, &str, Effort) -> Result<Box<dyn Game>, E>,
    ) -> Option<Result<Sum, E>> {
        let names: Vec<&str> = name.split(BETWEEN).map(str::trim).collect();
        if names.len() < 2 {
            return None;
        }
        let share = effort.clone().memory(effort.memory / names.len() as u64);
        let parts = names.iter().enumerate();
        let parts = parts.map(|(part, name)| open(part, name, share.clone()));
        let parts: Result<_, E> = parts.collect();
        Some(parts.map(|parts| Sum::new(parts, share)))
    }

    /// The sum of these games, with a bound on the searches that its parts need where no rule gives the answer.
    pub fn new(parts: Vec<Box<dyn Game>>, effort: Effort) -> Sum {
        let names: Vec<&str> = parts.iter().map(|part| part.name()).collect();
        let values = || Mutex::new(Search::new(ByMex, effort.clone()));
        Sum {
            name: names.join(BETWEEN),
            values: parts.iter().map(|_| values()).collect(),
            parts,
            as_heaps: OnceLock::new(),
            misere: Mutex::new(Search::new(WhoWins, effort.clone())),
            effort,
        }
    }

    /// The name of a part: its game, and its number where another part is of the same game.
    fn called(&self, part: usize) -> String {
        let name = self.parts[part].name();
        match self.parts.iter().filter(|part| part.name() == name).count() {
            1 => name.to_owned(),
            _ => format!("{name} (part {})", part + 1),
        }
    }

    fn fault(&self, part: usize, fault: Error) -> Error {
        fault.within(part, self.parts[part].name())
    }

    /// The positions of the parts. An error if they are not as many as the parts.
    fn split_up<'p>(&self, position: &'p [u64]) -> Result<Vec<&'p [u64]>, Error> {
        let found = positions(position);
        if found.len() == self.parts.len() && together(found.iter()) == position {
            return Ok(found);
        }
        let parts = self.parts.len();
        Err(Error::start(&self.name, StartFault::NotParts { parts }))
    }

    /// The moves of one part as moves of the sum.
    fn in_part<'g>(&'g self, part: usize, before: Arc<[Vec<u64>]>, moves: Moves<'g>) -> Moves<'g> {
        Box::new(moves.map(move |found| {
            let found = found.map_err(|fault| self.fault(part, fault))?;
            let each = before.iter().enumerate();
            let each = each.map(|(at, own)| if at == part { &found.position } else { own });
            Ok(Move {
                position: together(each),
                change: Change::Part {
                    part,
                    game: self.called(part),
                    change: Box::new(found.change),
                },
            })
        }))
    }

    /// The analysis of a part in normal play, with its nim-value. An error doesn't name the part.
    fn valued(&self, part: usize, position: &[u64]) -> Result<Analysis, Error> {
        let game = &*self.parts[part];
        let mut analysis = game.analyse(position, Convention::Normal)?;
        if analysis.nim_sum.is_none() {
            let mut values = lock(&self.values[part]);
            let reduce = |position: &[u64]| Reduced::Position(canonical(game, position));
            // A lost position has the nim-value 0.
            let value = match analysis.outcome {
                Outcome::P => 0,
                Outcome::N => values.answer(game, &reduce, position)?.into(),
            };
            analysis.nim_sum = Some(value);
        }
        Ok(analysis)
    }

    /// The moves of a part that leave the nim-value `value`.
    fn to_value<'g>(&'g self, part: usize, analysis: &'g Analysis, value: NimValue) -> Moves<'g> {
        let game = &*self.parts[part];
        if let Some(moves) = game.moves_to(analysis, value) {
            return moves;
        }
        let of_value = move |found: Move| {
            let left = self.valued(part, &found.position)?.nim_sum;
            Ok((left == Some(value)).then_some(found))
        };
        let moves = game.moves(&analysis.piles);
        Box::new(moves.filter_map(move |found| found.and_then(of_value).transpose()))
    }

    /// The working of one part: its options where it is a game of heaps, else what decides it.
    fn working_of(&self, part: usize, analysis: &Analysis) -> Result<Vec<String>, Error> {
        let game = &*self.parts[part];
        let shown = game.shown(&analysis.piles);
        let mut lines = vec![String::new(), format!("In {} {shown}:", self.called(part))];
        let by_values = game.heaps().zip(analysis.values.as_ref());
        if let Some((heaps, values)) = by_values {
            let distinct: BTreeSet<u64> = analysis.piles.iter().copied().collect();
            let among = distinct.len() * self.parts.len();
            for pile in distinct {
                let (ruleset, watch) = (heaps.ruleset(), heaps.watch());
                lines.extend(pile_working(ruleset, values, pile, among, watch)?);
            }
        }
        lines.push(String::new());
        lines.extend(game.facts(analysis));
        if by_values.is_none() {
            let value = analysis.nim_sum.unwrap_or(0);
            lines.push(format!("The nim-value is {value}."));
        }
        Ok(lines)
    }
}

impl Game for Sum {
    fn name(&self) -> &str {
        &self.name
    }

    fn parts(&self) -> &[Box<dyn Game>] {
        &self.parts
    }

    /// Reads the parts' positions, with a `+` between them; each may stand behind the name of its game.
    fn read(&self, words: &[&str]) -> Result<Vec<u64>, Error> {
        let each: Vec<&[&str]> = words.split(|&word| word == PLUS).collect();
        let (parts, found) = (self.parts.len(), each.len());
        if found != parts {
            return Err(Error::start(&self.name, StartFault::Parts { parts, found }));
        }
        let own = |part: usize| match each[part] {
            [name, own @ ..] if spelling(name) == self.parts[part].name() => own,
            own => own,
        };
        if (0..each.len()).all(|part| own(part).is_empty()) {
            return Ok(Vec::new());
        }
        let read = |part: usize| match own(part) {
            [] => Err(Error::NoPiles),
            own => self.parts[part].start(self.parts[part].read(own)?),
        };
        let found = (0..each.len()).map(|part| read(part).map_err(|fault| self.fault(part, fault)));
        Ok(together(found.collect::<Result<Vec<_>, _>>()?.iter()))
    }

    /// The position is one that [`Sum::read`] gives, in which each part already stands as at the start of its game.
    fn start(&self, position: Vec<u64>) -> Result<Vec<u64>, Error> {
        self.split_up(&position)?;
        Ok(position)
    }

    fn shown(&self, position: &[u64]) -> String {
        let each = positions(position);
        let each = self.parts.iter().zip(each);
        let each = each.map(|(part, own)| format!("{} {}", part.name(), part.shown(own)));
        joined(each, BETWEEN)
    }

    fn is_ordered(&self) -> bool {
        true
    }

    /// Every legal move, those of the first part first, then those of the second …
    fn moves<'g>(&'g self, position: &[u64]) -> Moves<'g> {
        moves_of(self.split_up(position), |_| {
            let before = kept(position);
            Box::new((0..self.parts.len()).flat_map(move |part| {
                let moves = self.parts[part].moves(&before[part]);
                self.in_part(part, Arc::clone(&before), moves)
            }))
        })
    }

    fn analyse(&self, position: &[u64], convention: Convention) -> Result<Analysis, Error> {
        let each = self.split_up(position)?;
        if convention == Convention::Misere {
            return self.analyse_misere(position, &each);
        }
        let valued = each.iter().enumerate();
        let parts = valued.map(|(part, own)| {
            let found = self.valued(part, own);
            found.map_err(|fault| self.fault(part, fault))
        });
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let values = parts.iter().filter_map(|part| part.nim_sum).collect();
        Ok(Analysis {
            parts,
            ..Analysis::by_values(position, values)
        })
    }

    /// The winning moves of one part after another. A part ends at its first error, and the first of these errors comes last: the
    /// moves of one part may be out of reach where those of another are at hand.
    fn winning_moves<'g>(&'g self, analysis: &'g Analysis) -> Moves<'g> {
        if analysis.outcome == Outcome::P {
            return Box::new(iter::empty());
        }
        if analysis.convention == Convention::Misere {
            return self.winning_misere(analysis);
        }
        let before = kept(&analysis.piles);
        let sum = analysis.nim_sum.unwrap_or(0);
        let first = Rc::new(RefCell::new(None));
        let fault = Rc::clone(&first);
        let parts = analysis.parts.iter().enumerate();
        let moves = parts.flat_map(move |(part, own)| {
            let target = own.nim_sum.unwrap_or(0) ^ sum;
            let moves = self.in_part(part, Arc::clone(&before), self.to_value(part, own, target));
            let first = Rc::clone(&first);
            moves.map_while(move |found| match found {
                Ok(found) => Some(Ok(found)),
                Err(fault) => {
                    first.borrow_mut().get_or_insert(fault);
                    None
                }
            })
        });
        Box::new(moves.chain(iter::from_fn(move || fault.take().map(Err))))
    }

    fn memory(&self) -> u64 {
        self.parts.iter().map(|part| part.memory()).sum()
    }

    fn facts(&self, analysis: &Analysis) -> Vec<String> {
        let mut lines = Vec::new();
        for (part, own) in analysis.parts.iter().enumerate() {
            let facts = self.parts[part].facts(own);
            let name = self.called(part);
            lines.extend(facts.into_iter().map(|fact| format!("{name}: {fact}")));
        }
        if let (Some(values), Some(sum)) = (&analysis.nim_values, analysis.nim_sum) {
            let values = joined(values, " ^ ");
            lines.push(format!("Nim-Sum of the parts ({values}): {sum}"));
        }
        lines
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        if analysis.convention == Convention::Misere {
            return Ok(self.working_misere(analysis));
        }
        let mut lines = vec!["Working:".to_owned()];
        for (part, own) in analysis.parts.iter().enumerate() {
            lines.extend(self.working_of(part, own)?);
        }
        let values = analysis.nim_values.clone().unwrap_or_default();
        lines.push(String::new());
        lines.push("Nim-sum of the parts, in binary columns:".to_owned());
        lines.extend(binary_columns(&values));
        lines.push(String::new());
        let first = self.winning_moves(analysis).next().transpose()?;
        let Some(Change::Part { part, game, .. }) = first.map(|found| found.change) else {
            lines.push("The nim-sum is 0, and every move changes the nim-value of one part: whoever moves now loses.".to_owned());
            return Ok(lines);
        };
        let sum = analysis.nim_sum.unwrap_or(0);
        let (value, target) = (values[part], values[part] ^ sum);
        lines.push(format!("Why the move wins: the other parts together have the nim-sum {value} ^ {sum} = {target}. The move gives {game}"));
        lines.push(format!(
            "the nim-value {target} too, so the new nim-sum is {target} ^ {target} = 0."
        ));
        Ok(lines)
    }
}
