//! Sums of heaps, each played by the same rule, among the other games.

use super::Game;
use crate::analysis::{Analysis, HeapGame, Moves};
use crate::error::Error;
use crate::grundy::NimValue;
use crate::outcome::Convention;

impl Game for HeapGame {
    fn name(&self) -> &str {
        self.ruleset().name()
    }

    fn code(&self) -> Option<String> {
        self.ruleset().code().map(ToString::to_string)
    }

    fn rule(&self) -> Option<String> {
        // The name of a game by a rule in words is the rule itself.
        self.ruleset()
            .name()
            .contains(' ')
            .then(|| self.ruleset().name().to_owned())
    }

    fn heaps(&self) -> Option<&HeapGame> {
        Some(self)
    }

    fn moves<'g>(&'g self, piles: &[u64]) -> Moves<'g> {
        HeapGame::moves(self, piles)
    }

    fn analyse(&self, piles: &[u64], convention: Convention) -> Result<Analysis, Error> {
        HeapGame::analyse(self, piles, convention)
    }

    fn winning_moves<'g>(&'g self, analysis: &'g Analysis) -> Moves<'g> {
        HeapGame::winning_moves(self, analysis)
    }

    fn moves_to<'g>(&'g self, analysis: &'g Analysis, value: NimValue) -> Option<Moves<'g>> {
        Some(HeapGame::moves_to(self, analysis, value))
    }

    fn memory(&self) -> u64 {
        HeapGame::memory(self)
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        HeapGame::explain(self, analysis)
    }
}
