//! A game, a position of it, and the analysis of that position.

pub mod catalogue;
pub mod graph;
mod heaps;
pub(crate) mod search;
pub mod sum;

pub use catalogue::coins::{Turning, TurningCoins};
pub use catalogue::euclid::Euclid;
pub use catalogue::fibonacci::FibonacciNim;
pub use catalogue::moore::Moore;
pub use catalogue::northcott::Northcott;
pub use catalogue::poker::PokerNim;
pub use catalogue::staircase::Staircase;
pub use catalogue::strip::{Nimble, SilverDollar};
pub use catalogue::wythoff::Wythoff;
pub use graph::GraphGame;
pub use sum::Sum;

use crate::analysis::{Analysis, HeapGame, Moves};
use crate::error::{Error, StartFault};
use crate::grundy::NimValue;
use crate::outcome::Convention;
use crate::position::parse_piles;
use crate::printable::{joined, printable};

/// The name of the number that stands behind the piles of a position and is no pile.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    /// The key of the number in JSON.
    pub key: &'static str,
    /// The number in words: `10 in reserve`.
    pub words: fn(u64) -> String,
}

/// An impartial game whose positions are rows of numbers: piles, the steps of a staircase, the vertices of a graph.
///
/// Play and the analysis of positions know games only through this trait; what is asked of a sequence of nim-values needs a
/// rule for one heap, a [`Ruleset`](crate::Ruleset).
pub trait Game: Send + Sync {
    /// The game's name, with its parameters.
    fn name(&self) -> &str;

    /// The take-and-break code that the literature knows the game by, if it has one.
    fn code(&self) -> Option<String> {
        None
    }

    /// Reads the piles from words; no words give no piles.
    ///
    /// # Errors
    /// If the words can't be read.
    fn read(&self, words: &[&str]) -> Result<Vec<u64>, Error> {
        Ok(parse_piles(words)?)
    }

    /// The position in which play begins with these piles.
    ///
    /// # Errors
    /// If this game isn't played with such piles.
    fn start(&self, piles: Vec<u64>) -> Result<Vec<u64>, Error> {
        Ok(piles)
    }

    /// The rule of this very game in one line, which says what a move does; `None` if the catalogue has it under the game's name.
    fn rule(&self) -> Option<String> {
        None
    }

    /// Whether the piles are the numbers of coins in a row that show heads.
    fn is_row_of_coins(&self) -> bool {
        false
    }

    /// The piles of a position, and the number behind them that is no pile, such as the stones in reserve.
    fn split<'p>(&self, position: &'p [u64]) -> (&'p [u64], Option<u64>) {
        (position, None)
    }

    /// The name of the number behind the piles, see [`Game::split`]; asked only where there is such a number.
    fn beside(&self) -> Beside {
        Beside {
            key: "reserve",
            words: |stones| format!("{stones} in reserve"),
        }
    }

    /// The games that this one is a sum of, see [`Sum`]; empty for a single game.
    fn parts(&self) -> &[Box<dyn Game>] {
        &[]
    }

    /// This game as a game of heaps, if it is one.
    fn heaps(&self) -> Option<&HeapGame> {
        None
    }

    /// A position as it is written: `[3, 4, 5]`.
    fn shown(&self, position: &[u64]) -> String {
        let (piles, number) = self.split(position);
        let names = piles.iter().map(|&pile| called(self.label(pile), pile));
        let beside = number.map_or_else(String::new, |number| {
            format!(" and {}", (self.beside().words)(number))
        });
        format!("[{}]{beside}", joined(names, ", "))
    }

    /// The name of a pile that isn't named by its size, such as that of a vertex.
    fn label(&self, _pile: u64) -> Option<&str> {
        None
    }

    /// The picture of a pile that doesn't consist of stones.
    fn drawn(&self, _pile: u64) -> Option<String> {
        None
    }

    /// Whether the order of the piles matters, as it does for the steps of a staircase.
    fn is_ordered(&self) -> bool {
        false
    }

    /// Every legal move, in the order in which they are reported.
    fn moves<'g>(&'g self, piles: &[u64]) -> Moves<'g>;

    /// Analyses a position: who wins it, and the nim-values that show it.
    ///
    /// # Errors
    /// If the position isn't one of this game, or the answer is out of reach.
    fn analyse(&self, piles: &[u64], convention: Convention) -> Result<Analysis, Error>;

    /// Every winning move of an analysed position, in the order of [`Game::moves`]; none for a P-position.
    fn winning_moves<'g>(&'g self, analysis: &'g Analysis) -> Moves<'g>;

    /// The moves from a position analysed in normal play that leave a nim-value other than its own, where they are found
    /// without trying all moves.
    fn moves_to<'g>(&'g self, _analysis: &'g Analysis, _value: NimValue) -> Option<Moves<'g>> {
        None
    }

    /// The facts that decide an analysed position, one a line: the nim-values of its piles and their nim-sum, where these decide
    /// it.
    fn facts(&self, analysis: &Analysis) -> Vec<String> {
        let (Some(values), Some(sum)) = (&analysis.nim_values, analysis.nim_sum) else {
            return Vec::new();
        };
        let name = |pile: u64| called(self.label(pile), pile);
        let each = (analysis.piles.iter().zip(values))
            .map(|(&pile, value)| format!("g({})={value}", name(pile)));
        vec![
            format!("g-values: [{}]", joined(each, ", ")),
            format!("Nim-Sum ({}): {sum}", joined(values, " ^ ")),
        ]
    }

    /// About how many bytes of values the game keeps from one analysis to the next.
    fn memory(&self) -> u64 {
        0
    }

    /// The working for a learner, line by line.
    ///
    /// # Errors
    /// If the working is out of reach.
    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error>;
}

/// The name of a pile: its label if it has one, else its size.
fn called(label: Option<&str>, pile: u64) -> String {
    label.map_or_else(|| pile.to_string(), |name| printable(name).into_owned())
}

/// The moves of a position that was checked, or a single error if the check failed.
fn moves_of<'g, T>(checked: Result<T, Error>, moves: impl FnOnce(T) -> Moves<'g>) -> Moves<'g> {
    checked.map_or_else(
        |error| Box::new(std::iter::once(Err(error))) as Moves<'g>,
        moves,
    )
}

/// The working that begins with the lines of this text.
fn working(text: &str) -> Vec<String> {
    let lines = ["Working:", ""].into_iter().chain(text.lines());
    lines.map(str::to_owned).collect()
}

/// The two piles of a position of a game with exactly two piles.
fn pair_of(position: &[u64], game: &str, example: &'static str) -> Result<[u64; 2], Error> {
    let found = position.len();
    let fault = StartFault::NotTwo { example, found };
    position.try_into().map_err(|_| Error::start(game, fault))
}

/// The piles of a position that has a number behind them, and that number.
fn parts(position: &[u64]) -> (&[u64], u64) {
    match position.split_last() {
        Some((&number, piles)) => (piles, number),
        None => (&[], 0),
    }
}

/// The canonical position: piles in ascending order where their order doesn't matter, so that positions that play alike are
/// equal.
pub fn canonical(game: &dyn Game, position: &[u64]) -> Vec<u64> {
    let parts = game.parts();
    if !parts.is_empty() {
        let each = parts.iter().zip(sum::positions(position));
        return sum::together(each.map(|(part, own)| canonical(&**part, own)));
    }
    let mut sorted = position.to_vec();
    if !game.is_ordered() {
        sorted[..game.split(position).0.len()].sort_unstable();
    }
    sorted
}
