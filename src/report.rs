//! What a command found, for eyes and for programs: one file per format.

pub mod json;
pub mod sequence;
pub mod style;
pub mod text;
