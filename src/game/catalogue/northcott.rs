//! Northcott's game: on each row of a board lie two counters; a move pushes one of them along its row, not over the other.
//!
//! The free squares between the two counters of a row are a heap of Nim: an advance takes from it. A retreat adds to it,
//! and is answered by an advance of the other counter as far, so retreats change nothing (*Winning Ways*, 2nd ed. 2001,
//! vol. 1, ch. 3). On a table one player has the left counters and the other the right ones. Here either may push
//! either, and who wins is the same, for a gap can be closed from both sides. So that the game ends, there are only
//! so many retreats in all. Under misère play, with all gaps closed and a retreat left, the player to move retreats by one
//! square and leaves the last move to the other: the winners are those of Nim there too.
//!
//! A position is the rows, each by its place in the list of rows, and the retreats left as the last number. The simple
//! twin is the game-tree search of the tests.

use super::entry::OtherGame;
use crate::analysis::nim::{Bouton, facts};
use crate::analysis::{Analysis, Moves};
use crate::error::{Error, StartFault};
use crate::game::{Beside, Game, parts, working};
use crate::grundy::NimValue;
use crate::outcome::Convention;
use crate::position::{Change, Move, parse_piles};
use crate::printable::joined;
use crate::ruleset::Entry;
use std::sync::Arc;

/// How many retreats a game has in all where no number is given.
const RETREATS: u64 = 10;

/// The squares of a row, as on a chessboard, from 1.
const SQUARES: u64 = 8;

/// Every row by the squares of its counters.
const ROWS: [&str; 28] = [
    "1-2", "1-3", "1-4", "1-5", "1-6", "1-7", "1-8", "2-3", "2-4", "2-5", "2-6", "2-7", "2-8",
    "3-4", "3-5", "3-6", "3-7", "3-8", "4-5", "4-6", "4-7", "4-8", "5-6", "5-7", "5-8", "6-7",
    "6-8", "7-8",
];

pub(super) const GAMES: &[OtherGame] = &[OtherGame {
    entry: Entry {
        name: "northcott:10",
        aliases: &["northcotts-game"],
        code: None,
        rule: "piles are rows of 8 squares with two counters, as in 2-7; push one along its row, not over the other; 10 retreats in all",
        known: "nim with the gaps as piles: a retreat is answered by an advance",
    },
    open: |name, _| {
        let retreats = name.number("the retreats in all, as in northcott:10")?;
        Ok(Box::new(Northcott::new(retreats.unwrap_or(RETREATS))))
    },
    takes_parameter: true,
}];

/// Northcott's game.
///
/// ```
/// use nim_analyser::game::{Game, Northcott};
/// use nim_analyser::{Convention, Outcome};
///
/// let game = Northcott::new(10);
/// let position = game.start(game.read(&["2-7", "1-6"])?)?;
/// assert_eq!(game.analyse(&position, Convention::Normal)?.outcome, Outcome::P);
/// # Ok::<(), nim_analyser::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Northcott {
    name: String,
    retreats: u64,
}

/// The squares of the two counters of a row, the left one first.
#[derive(Clone, Copy)]
struct Row {
    left: u64,
    right: u64,
}

impl Row {
    /// The row at a place in the list.
    fn at(place: u64) -> Option<Row> {
        let name = ROWS.get(usize::try_from(place).ok()?)?.as_bytes();
        let square = |digit: u8| u64::from(digit - b'0');
        Some(Row {
            left: square(name[0]),
            right: square(name[2]),
        })
    }

    fn name(self) -> String {
        format!("{}-{}", self.left, self.right)
    }

    /// The place of this row in the list of rows.
    fn place(self) -> Option<u64> {
        let name = self.name();
        Some(ROWS.iter().position(|&row| row == name)? as u64)
    }

    fn gap(self) -> u64 {
        self.right - self.left - 1
    }

    /// Every push: advances before retreats, of the left counter before those of the right one, the shortest first.
    fn pushes(self) -> impl Iterator<Item = Row> {
        let Row { left, right } = self;
        let to_left = move |left| Row { left, right };
        let to_right = move |right| Row { left, right };
        let advances = (left + 1..right).map(to_left);
        let advances = advances.chain((left + 1..right).rev().map(to_right));
        let retreats = (1..left).rev().map(to_left);
        advances
            .chain(retreats)
            .chain((right + 1..=SQUARES).map(to_right))
    }
}

impl Northcott {
    /// The game with `retreats` retreats in all.
    pub fn new(retreats: u64) -> Northcott {
        Northcott {
            name: format!("northcott:{retreats}"),
            retreats,
        }
    }

    fn refused(&self, fault: StartFault) -> Error {
        Error::start(&self.name, fault)
    }

    /// The row of two squares, in any order.
    fn row(&self, squares: &[u64]) -> Result<u64, Error> {
        let &[one, other] = squares else {
            return Err(self.refused(StartFault::NotTwoCounters));
        };
        let row = Row {
            left: one.min(other),
            right: one.max(other),
        };
        row.place().ok_or_else(|| {
            self.refused(match one == other {
                true => StartFault::SharedSquareOfRow(one),
                false => StartFault::BeyondRow {
                    row: [row.left, row.right],
                    last: SQUARES,
                },
            })
        })
    }

    /// Checks that these are places in the list of rows.
    fn check(&self, rows: &[u64]) -> Result<(), Error> {
        let last = ROWS.len() as u64 - 1;
        match rows.iter().find(|&&row| row > last) {
            Some(&row) => Err(self.refused(StartFault::RowNumber { row, last })),
            None => Ok(()),
        }
    }

    /// The pushes after which the gap of the row is the one that the rule wants.
    fn pushes_by<'g>(&'g self, position: &[u64], rule: Bouton) -> Moves<'g> {
        let gaps = gaps(position);
        let wins = move |found: &Move| {
            let Change::Vertex { index, .. } = found.change else {
                return false;
            };
            let after = Row::at(found.position[index]).map(Row::gap);
            after == Some(rule.target(gaps[index]))
        };
        let moves = self.moves(position);
        Box::new(moves.filter(move |found| found.as_ref().map_or(true, &wins)))
    }
}

fn gaps(position: &[u64]) -> Vec<u64> {
    let rows = parts(position).0.iter();
    rows.filter_map(|&row| Row::at(row)).map(Row::gap).collect()
}

fn rule(position: &[u64], convention: Convention) -> Bouton {
    Bouton::new(gaps(position), convention)
}

impl Game for Northcott {
    fn name(&self) -> &str {
        &self.name
    }

    fn rule(&self) -> Option<String> {
        Some(format!(
            "push a counter along its row, not over the other; {} retreats in all",
            self.retreats
        ))
    }

    /// Reads rows as in `2-7`, or the squares alone, two by two.
    fn read(&self, words: &[&str]) -> Result<Vec<u64>, Error> {
        let words = words.iter().flat_map(|word| word.split([',', ' ']));
        let (mut rows, mut squares) = (Vec::new(), Vec::new());
        for word in words.filter(|word| !word.is_empty()) {
            match word.split_once('-') {
                Some((one, other)) if squares.is_empty() && !one.is_empty() => {
                    let pair = parse_piles(&[one, other])
                        .map_err(|_| self.refused(StartFault::NotARow((*word).to_owned())))?;
                    rows.push(self.row(&pair)?);
                }
                _ => {
                    squares.extend(parse_piles(&[word])?);
                    let whole = squares.chunks_exact(2);
                    let rest = whole.remainder().to_vec();
                    for pair in whole {
                        rows.push(self.row(pair)?);
                    }
                    squares = rest;
                }
            }
        }
        match squares[..] {
            [] => Ok(rows),
            _ => Err(self.row(&squares).err().unwrap_or(Error::NoPiles)),
        }
    }

    fn start(&self, mut rows: Vec<u64>) -> Result<Vec<u64>, Error> {
        self.check(&rows)?;
        rows.push(self.retreats);
        Ok(rows)
    }

    fn split<'p>(&self, position: &'p [u64]) -> (&'p [u64], Option<u64>) {
        let (rows, retreats) = parts(position);
        (rows, Some(retreats))
    }

    fn beside(&self) -> Beside {
        Beside {
            key: "retreats",
            words: |retreats| match retreats {
                1 => "1 retreat left".to_owned(),
                _ => format!("{retreats} retreats left"),
            },
        }
    }

    fn label(&self, row: u64) -> Option<&str> {
        ROWS.get(usize::try_from(row).ok()?).copied()
    }

    fn drawn(&self, row: u64) -> Option<String> {
        let Row { left, right } = Row::at(row)?;
        let square = |square| match square {
            _ if square == left => '○',
            _ if square == right => '●',
            _ => '·',
        };
        Some(joined((1..=SQUARES).map(square), " "))
    }

    /// Every legal move, row by row: advances, then retreats if any are left.
    fn moves<'g>(&'g self, position: &[u64]) -> Moves<'g> {
        let position: Arc<[u64]> = position.into();
        let (rows, retreats) = parts(&position);
        let count = rows.len();
        Box::new((0..count).flat_map(move |index| {
            let position = Arc::clone(&position);
            let row = Row::at(position[index]);
            row.into_iter().flat_map(move |row| {
                let position = Arc::clone(&position);
                row.pushes().filter_map(move |after| {
                    let retreats = retreats.checked_sub(u64::from(after.gap() > row.gap()))?;
                    let mut left = position.to_vec();
                    left[index] = after.place()?;
                    left[count] = retreats;
                    Some(Ok(Move {
                        change: Change::Vertex {
                            index,
                            from: row.name(),
                            to: after.name(),
                        },
                        position: left,
                    }))
                })
            })
        }))
    }

    fn analyse(&self, position: &[u64], convention: Convention) -> Result<Analysis, Error> {
        self.check(parts(position).0)?;
        Ok(rule(position, convention).analysis(position, gaps(position)))
    }

    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        rule(&analysis.piles, analysis.convention)
            .winning(|rule| self.pushes_by(&analysis.piles, rule))
    }

    fn moves_to<'g>(&'g self, analysis: &'g Analysis, value: NimValue) -> Option<Moves<'g>> {
        rule(&analysis.piles, Convention::Normal)
            .moves_to(value, |rule| self.pushes_by(&analysis.piles, rule))
    }

    fn facts(&self, analysis: &Analysis) -> Vec<String> {
        facts("Gaps", gaps(&analysis.piles).into_iter(), analysis)
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        let (rows, retreats) = parts(&analysis.piles);
        let gaps = gaps(&analysis.piles);
        let named = |(&row, gap): (&u64, u64)| {
            let name = self.label(row).unwrap_or_default();
            (format!("the gap of {name}"), gap)
        };
        let heaps: Vec<_> = rows.iter().zip(gaps).map(named).collect();
        let mut lines = working(&format!(
            "The free squares between the two counters of a row are a pile of Nim. An advance takes from it.\n\
             A retreat adds to it ({retreats} are left in all), and the other player answers by advancing the other counter as\n\
             far: the pile is as before, with the same player to move. So whoever wins Nim with the gaps wins here."
        ));
        lines.extend(heaps.iter().map(|(name, gap)| format!("  {name}: {gap}")));
        lines.push(String::new());
        lines.extend(rule(&analysis.piles, analysis.convention).working(&heaps));
        Ok(lines)
    }
}
