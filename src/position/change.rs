//! A move: what it does, the position that it leaves, and all that is said and asked of it.
//!
//! A new kind of move is a variant of [`Change`] and a line in each of its methods; the compiler names them.

use crate::printable::{joined, printable};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// A move: what it does, and the position that it leaves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// What the move does.
    pub change: Change,
    /// The position after the move.
    pub position: Vec<u64>,
}

/// What a move does; piles, steps and vertices are counted from 0, coins from 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Change {
    /// Stones are taken from one pile, or it is split.
    Heap {
        /// Which pile, counted from 0.
        index: usize,
        /// The size of the pile.
        pile: u64,
        /// The stones taken, 0 for a mere split.
        take: u64,
        /// What becomes of the pile, smaller parts first; empty if it is taken whole.
        leave: Vec<u64>,
    },
    /// Stones of the reserve are added to one pile.
    Add {
        /// Which pile, counted from 0.
        index: usize,
        /// The size of the pile before the move.
        pile: u64,
        /// The stones added.
        add: u64,
    },
    /// Coins are moved from one step of a staircase to the next below.
    Step {
        /// The step that they leave.
        from: usize,
        /// The step that they come to.
        to: usize,
        /// How many coins.
        coins: u64,
    },
    /// A coin on a strip of squares is pushed to the left.
    Push {
        /// Which coin of the position.
        index: usize,
        /// The square of the coin.
        from: u64,
        /// The square that the coin comes to.
        to: u64,
    },
    /// Stones are taken from several piles at once.
    Several {
        /// What is taken, pile by pile.
        piles: Vec<Taking>,
    },
    /// Coins of a row are turned.
    Turn {
        /// The numbers of the coins, from 1 and ascending; the last showed heads.
        coins: Vec<u64>,
    },
    /// One vertex of a graph is left for a neighbour.
    Vertex {
        /// Which vertex of the position.
        index: usize,
        /// The name of the vertex.
        from: String,
        /// The neighbour's name.
        to: String,
    },
    /// A move of one game in a sum of several.
    Part {
        /// Which of the games.
        part: usize,
        /// What the game is called in the sum.
        #[serde(skip)]
        game: String,
        /// The move in that game.
        #[serde(skip)]
        change: Box<Change>,
    },
}

/// The form in which a move is typed. Where moves of several forms can be made, the first of them here is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Stones are taken from a pile: `2 from 9`.
    Take,
    /// Coins of a step are moved: `2 from 3`.
    Step,
    /// A coin is pushed from a square to another: `5 -> 3`.
    Push,
    /// A pile becomes several: `9 -> 3 4`.
    Split,
    /// Stones are added to a pile: `add 2 to 5`.
    Add,
    /// Stones are taken from several piles: `2 from 9, 1 from 4`.
    Several,
    /// A coin is turned: `turn 3`.
    Turn,
    /// Several coins are turned: `turn 1 3`.
    TurnSeveral,
    /// A vertex is left for another: `a -> b`.
    Vertex,
}

/// Stones taken from one of several piles.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Taking {
    /// Which pile, counted from 0.
    pub index: usize,
    /// The size of the pile.
    pub pile: u64,
    /// The stones taken, 1 or more.
    pub take: u64,
}

impl Move {
    /// The move that takes `take` stones from pile `index` and leaves `leave` of it: the other piles keep their order,
    /// then comes what is left.
    pub fn in_pile(piles: &[u64], index: usize, take: u64, leave: Vec<u64>) -> Move {
        let others = piles[..index].iter().chain(&piles[index + 1..]);
        Move {
            position: others.chain(&leave).copied().collect(),
            change: Change::Heap {
                index,
                pile: piles[index],
                take,
                leave,
            },
        }
    }

    /// The move that takes stones from every pile that is smaller in `after`; the piles keep their places.
    pub(crate) fn in_piles(piles: &[u64], after: Vec<u64>) -> Move {
        let pairs = piles.iter().zip(&after).enumerate();
        let taken = pairs.filter(|(_, (before, after))| before != after);
        let taken = taken.map(|(index, (&pile, after))| Taking {
            index,
            pile,
            take: pile - after,
        });
        Move {
            change: Change::Several {
                piles: taken.collect(),
            },
            position: after,
        }
    }
}

impl Change {
    /// The game of a sum that the move is made in, counted from 0, and the move in it; else the move itself.
    pub fn in_part(&self) -> (Option<usize>, &Change) {
        match self {
            Change::Part { part, change, .. } => (Some(*part), change),
            change => (None, change),
        }
    }

    /// Which of the shapes of a move this is, as JSON names it.
    pub fn kind(&self) -> &'static str {
        match self {
            Change::Heap { .. } => "heap",
            Change::Add { .. } => "add",
            Change::Step { .. } => "step",
            Change::Push { .. } => "push",
            Change::Several { .. } => "several",
            Change::Turn { .. } => "turn",
            Change::Vertex { .. } => "vertex",
            Change::Part { change, .. } => change.kind(),
        }
    }

    /// Where the move is made: "the pile of 9".
    pub fn place(&self) -> String {
        match self {
            Change::Heap { pile, .. } | Change::Add { pile, .. } => format!("the pile of {pile}"),
            Change::Step { from, .. } => format!("step {from}"),
            Change::Push { from, .. } => format!("the coin on square {from}"),
            Change::Several { piles } => {
                let largest = piles.iter().map(|taking| taking.pile).max();
                format!("the pile of {}", largest.unwrap_or(0))
            }
            Change::Turn { coins } => format!("coin {}", coins.last().copied().unwrap_or(0)),
            Change::Vertex { from, .. } => from.clone(),
            Change::Part { game, change, .. } => format!("{} in {game}", change.place()),
        }
    }

    /// The move as it may be typed in play, and the form of that.
    pub fn typed(&self) -> (Form, String) {
        match self {
            Change::Heap {
                pile, take, leave, ..
            } => match leave.as_slice() {
                [] | [_] => (Form::Take, format!("{take} from {pile}")),
                parts => (Form::Split, format!("{pile} -> {}", joined(parts, " "))),
            },
            Change::Add { pile, add, .. } => (Form::Add, format!("add {add} to {pile}")),
            Change::Step { from, coins, .. } => (Form::Step, format!("{coins} from {from}")),
            Change::Push { from, to, .. } => (Form::Push, format!("{from} -> {to}")),
            Change::Several { piles } => {
                let takings = piles
                    .iter()
                    .map(|taking| format!("{} from {}", taking.take, taking.pile));
                let form = match piles.len() {
                    1 => Form::Take,
                    _ => Form::Several,
                };
                (form, joined(takings, ", "))
            }
            Change::Turn { coins } => {
                let form = match coins.as_slice() {
                    [_] => Form::Turn,
                    _ => Form::TurnSeveral,
                };
                (form, format!("turn {}", joined(coins, " ")))
            }
            Change::Vertex { from, to, .. } => (
                Form::Vertex,
                format!("{} -> {}", printable(from), printable(to)),
            ),
            Change::Part { game, change, .. } => {
                let (form, typed) = change.typed();
                (form, format!("{game}: {typed}"))
            }
        }
    }

    /// What the move does, in the terms in which it may be typed.
    fn terms(&self) -> Terms<'_> {
        let mut terms = Terms::default();
        match self {
            Change::Heap {
                pile, take, leave, ..
            } => {
                terms.takings.push((*take, *pile));
                (terms.pile, terms.left) = (Some(*pile), leave.clone());
            }
            Change::Add { pile, add, .. } => {
                (terms.pile, terms.left) = (Some(*pile), vec![pile + add]);
            }
            Change::Step { from, to, coins } => {
                terms.takings.push((*coins, *from as u64));
                terms.left.push(*to as u64);
            }
            Change::Push { from, to, .. } => {
                (terms.pile, terms.left) = (Some(*from), vec![*to]);
            }
            Change::Several { piles } => {
                terms.takings = piles.iter().map(|part| (part.take, part.pile)).collect();
                if let [only] = piles.as_slice() {
                    terms.pile = Some(only.pile);
                    let left = Some(only.pile - only.take);
                    terms.left.extend(left.filter(|&left| left > 0));
                }
            }
            Change::Turn { coins } => terms.coins = Some(coins),
            Change::Vertex { from, to, .. } => terms.vertices = Some((from, to)),
            Change::Part { change, .. } => return change.terms(),
        }
        terms
    }

    /// Whether the move takes just this from piles of such sizes, or so many coins from a step: pairs of what is taken
    /// and from what.
    pub fn takes(&self, wanted: &[(u64, u64)]) -> bool {
        let (mut takings, mut wanted) = (self.terms().takings, wanted.to_vec());
        takings.sort_unstable();
        wanted.sort_unstable();
        !takings.is_empty() && takings == wanted
    }

    /// How many stones the move takes from a single pile, or coins from a step; `None` if it is another kind of move.
    pub fn takes_in_all(&self) -> Option<u64> {
        match self.terms().takings[..] {
            [(take, _)] => Some(take),
            _ => None,
        }
    }

    /// Whether a pile of `wanted` becomes just these parts, in any order.
    pub fn makes(&self, wanted: u64, parts: &[u64]) -> bool {
        let terms = self.terms();
        terms.pile == Some(wanted) && terms.leaves(parts)
    }

    /// Whether the move takes `take` from a pile of `pile`, of which these parts are left, or moves so many coins from step
    /// `pile` to the step that is left.
    pub fn leaves(&self, take: u64, pile: u64, left: &[u64]) -> bool {
        self.takes(&[(take, pile)]) && self.terms().leaves(left)
    }

    /// Whether the move turns just these coins, in ascending order.
    pub fn turns(&self, wanted: &[u64]) -> bool {
        self.terms().coins == Some(wanted)
    }

    /// The vertex that is left, and the one gone to; `None` if it is another kind of move.
    pub fn vertices(&self) -> Option<(&str, &str)> {
        self.terms().vertices
    }

    /// The one pile that is lessened or split, counted from 0, with its size and what becomes of it, as a move in a single
    /// game does; `None` if it is another kind of move.
    pub fn in_pile(&self) -> Option<(usize, u64, &[u64])> {
        match self {
            Change::Heap {
                index, pile, leave, ..
            } => Some((*index, *pile, leave)),
            Change::Add { .. }
            | Change::Step { .. }
            | Change::Push { .. }
            | Change::Several { .. }
            | Change::Turn { .. }
            | Change::Vertex { .. }
            | Change::Part { .. } => None,
        }
    }

    /// Whether these numbers alone say the move: a pile and what becomes of it, its parts, or the coins turned.
    pub fn is_said_by(&self, numbers: &[u64]) -> bool {
        let and_parts = match numbers {
            [pile, parts @ ..] => self.makes(*pile, parts),
            [] => false,
        };
        match self {
            Change::Heap { leave, .. } => {
                let mut parts: Vec<u64> = numbers.iter().copied().filter(|&n| n > 0).collect();
                parts.sort_unstable();
                and_parts || !numbers.is_empty() && *leave == parts
            }
            Change::Turn { .. } => self.turns(numbers),
            Change::Part { change, .. } => change.is_said_by(numbers),
            Change::Add { .. }
            | Change::Step { .. }
            | Change::Push { .. }
            | Change::Several { .. }
            | Change::Vertex { .. } => and_parts,
        }
    }
}

/// What a move does, in the terms in which it may be typed.
#[derive(Default)]
struct Terms<'c> {
    /// What is taken, and from piles of which size or from which step.
    takings: Vec<(u64, u64)>,
    /// The one pile that changes, or the square of the coin that is pushed.
    pile: Option<u64>,
    /// The parts that the pile becomes, ascending; or the square or the step that coins come to.
    left: Vec<u64>,
    /// The coins that are turned.
    coins: Option<&'c [u64]>,
    /// The vertex that is left, and the one gone to.
    vertices: Option<(&'c str, &'c str)>,
}

impl Terms<'_> {
    /// Whether just these parts are left, in any order; square or step 0 may be left out.
    fn leaves(&self, parts: &[u64]) -> bool {
        let mut parts = parts.to_vec();
        parts.sort_unstable();
        self.left == parts || self.left == [0] && parts.is_empty()
    }
}

/// The move in words: "take 2 from pile 9, leaving 7".
impl Display for Change {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Change::Heap {
                pile, take, leave, ..
            } => match (take, leave.as_slice()) {
                (0, parts) => write!(
                    out,
                    "split pile {pile} into piles of size {}",
                    listed(parts)
                ),
                (_, []) => write!(out, "take the whole of pile {pile}"),
                (_, [rest]) => write!(out, "take {take} from pile {pile}, leaving {rest}"),
                (_, parts) => write!(
                    out,
                    "take {take} from pile {pile} and split the rest into {}",
                    listed(parts)
                ),
            },
            Change::Add { pile, add, .. } => write!(out, "add {add} to pile {pile}"),
            Change::Step { from, to, coins: 1 } => {
                write!(out, "move 1 coin from step {from} to step {to}")
            }
            Change::Step { from, to, coins } => {
                write!(out, "move {coins} coins from step {from} to step {to}")
            }
            Change::Push { from, to, .. } => {
                write!(out, "move the coin on square {from} to square {to}")
            }
            Change::Several { piles } => write!(out, "take {}", listed(piles)),
            Change::Turn { coins } => match coins.as_slice() {
                [coin] => write!(out, "turn coin {coin}"),
                coins => write!(out, "turn the coins {}", listed(coins)),
            },
            Change::Vertex { from, to, .. } => {
                write!(out, "move from {} to {}", printable(from), printable(to))
            }
            Change::Part { game, change, .. } => write!(out, "in {game}: {change}"),
        }
    }
}

impl Display for Taking {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{} from pile {}", self.take, self.pile)
    }
}

/// Items as in `1, 2 and 3`.
fn listed(items: &[impl Display]) -> String {
    match items {
        [] => String::new(),
        [only] => only.to_string(),
        [others @ .., last] => format!("{} and {last}", joined(others, ", ")),
    }
}
