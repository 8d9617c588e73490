//! The games by name, whatever they are played with.

use crate::analysis::HeapGame;
use crate::error::Error;
use crate::game::Game;
use crate::solver::Effort;

/// The game of a name from the catalogue or of a take-and-break code.
///
/// # Errors
/// If there is none of that name, or its code is bad.
pub fn open(name: &str, effort: Effort) -> Result<Box<dyn Game>, Error> {
    Ok(Box::new(HeapGame::with_effort(name.parse()?, effort)))
}
