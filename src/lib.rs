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
//! [`engine::definition`] goes by [`grundy`], the definition; [`sequence::Sequence`] gives the same values fast, for millions
//! of piles, and proves periods:
//!
//! ```
//! use nim_analyser::sequence::{Sequence, period::Finding};
//!
//! let mut kayles = Sequence::new("kayles".parse()?);
//! assert_eq!(kayles.reach(1_000)?.get(1_000), Some(1));
//! let Finding::Proved(proof) = kayles.find_period(10_000)? else {
//!     panic!("the period of Kayles is proved by few values");
//! };
//! assert_eq!((proof.period.period, proof.period.preperiod), (12, 71));
//! assert_eq!(kayles.reach(1 << 60)?.get(1 << 60), Some(1));
//! # Ok::<(), nim_analyser::Error>(())
//! ```
//!
//! # What is promised
//!
//! Every value is exact: where the work would go beyond what an [`Effort`](engine::Effort) allows, an [`Error`] says what it
//! would take. A panic is a fault of the library, unless the documentation of the function names it.
//!
//! Versions follow [SemVer](https://semver.org). Before 1.0 a change of the second number may break programs that use the
//! library, and CHANGELOG.md says how; a change of the third doesn't. A change of the third may bring new variants and fields
//! of what is `#[non_exhaustive]`, and change the texts of errors, which engine computes a value and how fast, and how many
//! steps or positions it counts. Values never change.
//!
//! Without the feature `cli`, on by default, the library brings no crate of the command line. The module of the program is
//! hidden and no part of these promises.

// Only the program saves runs and continues them, so without it some of the code is unused.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

/// The library's lines of the README, which are run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

pub mod analysis;
#[cfg(feature = "cli")]
#[doc(hidden)]
#[allow(unnameable_types)]
pub mod app;
pub mod certificate;
pub mod engine;
pub mod error;
mod exhaustive;
mod factors;
pub mod game;
pub mod grundy;
pub mod misere;
pub mod outcome;
pub mod position;
mod printable;
mod rng;
pub mod ruleset;
pub mod sequence;

pub use analysis::{Analysis, HeapGame};
pub use error::Error;
pub use game::Game;
pub use outcome::{Convention, Outcome};
pub use ruleset::Ruleset;
