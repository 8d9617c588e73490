//! What a command found, written for people and for programs: one file per format.

pub mod graph;
pub mod json;
mod lookup;
pub mod oeis;
mod period;
pub mod plot;
mod quotient;
pub mod sequence;
pub mod style;
pub mod table;
pub mod text;

pub use lookup::{FoundReport, LookupReport};
pub use period::{PeriodReport, in_words};
pub use quotient::QuotientReport;
