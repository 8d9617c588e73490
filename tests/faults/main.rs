//! What goes wrong: full disks, signals, kills, foreign files, terminals.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

#[cfg(unix)]
mod bounds;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod files_and_signals;
#[cfg(unix)]
mod kills;
#[cfg(unix)]
mod long_runs;
#[cfg(unix)]
mod terminal;
