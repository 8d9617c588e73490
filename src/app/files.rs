//! Files that appear whole or not at all, checkpoints of long runs, claims on them, and lines as they come.

pub mod atomic_file;
pub mod checkpoint;
pub mod claim;
pub mod lines;
