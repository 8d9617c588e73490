//! Files that appear whole or not at all, and checkpoints of long runs.

pub mod atomic_file;
pub mod checkpoint;
