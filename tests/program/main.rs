//! The program as a user sees it: what it prints, reads and refuses.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod cli;
#[cfg(unix)]
mod completions;
mod graphs;
mod habits;
mod joins;
mod json;
#[cfg(unix)]
mod long_words;
mod misere;
mod oeis;
mod periods;
mod play;
mod plot;
mod positions;
mod prices;
mod readme;
mod rule_games_cli;
mod segments;
mod sentences;
mod simulate;
mod sums;
mod survey;
mod values;
mod windows;
