//! The commands: each file owns its arguments and its `run`.

pub mod analyse;
pub mod common;
pub mod completions;
pub mod games;
pub mod man;
pub mod period;
