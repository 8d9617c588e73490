//! The nim-sequence of a game: values by table or period, periods and their proofs, and what is published.

pub mod period;
pub mod published;
pub mod values;
