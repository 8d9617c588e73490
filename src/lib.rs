//! Who wins a position of an impartial game, why, and by which moves.
//!
//! An impartial game is one in which both players have the same moves; whoever can't move loses (normal play), or
//! wins (misère play). A position of several piles is a sum of games, and the theory of Sprague and Grundy gives each
//! pile a nim-value: the player to move wins unless the nim-sum (XOR) of the values is 0.
//!
//! # Analyse a position
//!
//! A [`Ruleset`] says what a move may do to one pile; [`HeapGame`] makes a [`Game`] of it.
//!
//! ```
//! use nim_analyser::{Convention, Game, HeapGame, Outcome};
//!
//! let game = HeapGame::new("kayles".parse()?);
//! let analysis = game.analyse(&[5, 6], Convention::Normal)?;
//! assert_eq!(analysis.outcome, Outcome::N);
//! assert_eq!(analysis.nim_values, Some(vec![4, 3]));
//! let first = game.winning_moves(&analysis).next().transpose()?;
//! assert_eq!(first.map(|found| found.position), Some(vec![6, 3]));
//! assert_eq!(game.winning_moves(&analysis).count(), 3);
//! # Ok::<(), nim_analyser::Error>(())
//! ```
//!
//! Other games than sums of piles (staircases, Wythoff's game, graphs …) are opened by name with [`game::catalogue::open`] and
//! analysed in the same way.
//!
//! # A table of nim-values, for a rule of one's own
//!
//! ```
//! use nim_analyser::{Ruleset, engine::definition};
//!
//! // Take one stone, or half of an even pile.
//! let rule = Ruleset::from_rule("one or half", |n| match n {
//!     0 => vec![],
//!     _ if n % 2 == 0 => vec![vec![n - 1], vec![n / 2]],
//!     _ => vec![vec![n - 1]],
//! });
//! let table = definition::nim_values(&rule, 8)?;
//! assert_eq!(table.iter().collect::<Vec<_>>(), [0, 1, 0, 1, 2, 0, 2, 0, 1]);
//! # Ok::<(), nim_analyser::Error>(())
//! ```
//!
//! [`engine::definition`] goes by [`grundy`], the definition; [`sequence::Sequence`] gives the same values fast, for millions of piles.

pub mod analysis;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod app;
pub mod certificate;
pub mod engine;
pub mod error;
pub mod game;
pub mod grundy;
pub mod misere;
pub mod outcome;
pub mod position;
pub mod printable;
pub mod rng;
pub mod ruleset;
pub mod sequence;

pub use analysis::{Analysis, HeapGame};
pub use error::Error;
pub use game::Game;
pub use outcome::{Convention, Outcome};
pub use ruleset::Ruleset;
