//! The commands: each file owns its arguments and its `run`.

pub mod analyse;
pub mod answer;
pub mod common;
pub mod completions;
pub mod games;
pub mod genus;
pub mod graph;
pub mod hunt;
pub mod interrupt;
pub mod invariants;
pub mod lookup;
pub mod man;
pub mod output;
pub mod period;
pub mod play;
pub mod plot;
pub mod progress;
pub mod quotient;
pub mod run;
pub mod simulate;
pub mod sum;
pub mod values;
pub mod verify;
pub mod verify_segments;
