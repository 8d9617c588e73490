//! What can be analysed: a game, a position of it, and what is found out about that position.

pub mod catalogue;
mod coins;
pub mod graph;
mod heaps;
mod moore;
mod poker;
mod search;
mod staircase;
mod wythoff;

pub use coins::{Formula, Turning, TurningCoins};
pub use graph::GraphGame;
pub use moore::Moore;
pub use poker::PokerNim;
pub use staircase::Staircase;
pub use wythoff::Wythoff;

use crate::analysis::{Analysis, Moves};
use crate::error::Error;
use crate::outcome::Convention;
use crate::printable::printable;

/// An impartial game whose positions are rows of numbers: piles, the steps of a staircase, the vertices of a graph.
///
/// Commands, reports and play know games only through this trait.
pub trait Game: Send + Sync {
    /// The game's name, with its parameters.
    fn name(&self) -> &str;

    /// The take-and-break code that the literature knows the game by, if it has one.
    fn code(&self) -> Option<String> {
        None
    }

    /// The position in which play begins with these piles.
    ///
    /// # Errors
    /// If this game isn't played with such piles.
    fn start(&self, piles: Vec<u64>) -> Result<Vec<u64>, Error> {
        Ok(piles)
    }

    /// The rule of this very game in a line, as what a move does; `None` if the catalogue has it under the game's name.
    fn rule(&self) -> Option<String> {
        None
    }

    /// Whether the piles are the numbers of coins in a row that show heads.
    fn is_row_of_coins(&self) -> bool {
        false
    }

    /// The piles of a position, and the number behind them that is no pile: the stones in reserve.
    fn split<'p>(&self, position: &'p [u64]) -> (&'p [u64], Option<u64>) {
        (position, None)
    }

    /// What a pile is called, if not by its size: the name of a vertex.
    fn label(&self, _pile: u64) -> Option<&str> {
        None
    }

    /// Whether the order of the piles matters, as it does for the steps of a staircase.
    fn is_ordered(&self) -> bool {
        false
    }

    /// Every legal move, in the order in which they are reported.
    fn moves<'g>(&'g self, piles: &[u64]) -> Moves<'g>;

    /// Who wins, and the nim-values that say so.
    ///
    /// # Errors
    /// If the position is none of this game, or the answer is out of reach.
    fn analyse(&self, piles: &[u64], convention: Convention) -> Result<Analysis, Error>;

    /// Every winning move of an analysed position, in the order of [`Game::moves`]; none for a P-position.
    fn winning_moves<'g>(&'g self, analysis: &'g Analysis) -> Moves<'g>;

    /// What decides an analysed position, in a line each: the nim-values of its piles and their nim-sum, where they do.
    fn facts(&self, analysis: &Analysis) -> Vec<String> {
        let (Some(values), Some(sum)) = (&analysis.nim_values, analysis.nim_sum) else {
            return Vec::new();
        };
        let name = |pile: u64| {
            self.label(pile)
                .map_or_else(|| pile.to_string(), |name| printable(name).into_owned())
        };
        let each = (analysis.piles.iter().zip(values))
            .map(|(&pile, value)| format!("g({})={value}", name(pile)));
        let terms: Vec<String> = values.iter().map(ToString::to_string).collect();
        vec![
            format!("g-values: [{}]", each.collect::<Vec<_>>().join(", ")),
            format!("Nim-Sum ({}): {sum}", terms.join(" ^ ")),
        ]
    }

    /// About how many bytes of values it keeps from one analysis to the next.
    fn memory(&self) -> u64 {
        0
    }

    /// The working for a learner, line by line.
    ///
    /// # Errors
    /// If the working is out of reach.
    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error>;
}
