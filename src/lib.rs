//! Who wins a position of an impartial game, why, and by which moves.

pub mod analysis;
pub mod cli;
pub mod commands;
pub mod error;
pub mod game;
pub mod grundy;
pub mod kernel;
pub mod outcome;
pub mod position;
pub mod report;
pub mod ruleset;
pub mod solver;
pub mod table;
pub mod values;

pub use analysis::HeapGame;
pub use error::Error;
pub use game::{Analysis, Game};
pub use outcome::{Convention, Outcome};
pub use ruleset::Ruleset;
