//! Why a text is not a certificate, as data.

use super::JsonError;
use crate::printable::beginning;

/// The fault that keeps a text from being read as a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateFault {
    /// The text doesn't begin as a JSON object does.
    #[error("a certificate is a JSON object, in braces")]
    NoObject,
    /// The text ends before the object does.
    #[error("the text ends too early, in line {line}")]
    CutShort {
        /// The last line, from 1.
        line: usize,
    },
    /// The text is no JSON, or its fields are not those of the certificate that is read.
    #[error("{}", beginning(&.0.to_string()))]
    Json(#[source] JsonError),
    /// The certificate is one of another kind.
    #[error("its kind is {found:?}, not {wanted:?}")]
    Kind {
        /// The kind that the certificate states, empty if it states none.
        found: String,
        /// The kind that was to be read, empty for the certificate of a table.
        wanted: &'static str,
    },
    /// A number lies outside the bounds within which it can be checked.
    #[error("its {field}{} is {number}; only {least} to {most} can be checked", place(*.at))]
    OutOfBounds {
        /// The name of the number's field.
        field: &'static str,
        /// The index of the number in a list of such numbers, from 0, if it stands in one.
        at: Option<usize>,
        /// The number.
        number: u64,
        /// The least number that can be checked.
        least: u64,
        /// The largest number that can be checked.
        most: u64,
    },
}

fn place(at: Option<usize>) -> String {
    at.map_or_else(String::new, |at| format!(" {at}"))
}
