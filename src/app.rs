//! The program: its command line, commands, reports, play and files.

pub mod cli;
pub mod commands;
pub mod error;
pub mod files;
pub mod play;
pub mod report;
