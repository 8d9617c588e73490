//! The error of the JSON reader, kept with its own words.

use std::error::Error as StdError;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// The error of serde_json, which is the source of this one; two errors are equal if their texts are.
#[derive(Clone, Debug)]
pub struct JsonError(Arc<serde_json::Error>);

impl Display for JsonError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl StdError for JsonError {
    // The source that thiserror would derive is the `Arc`, which is of another type.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.0)
    }
}

impl JsonError {
    /// The text without the place in it, because the place is told elsewhere.
    pub(super) fn without_place(&self) -> String {
        let text = self.to_string();
        let what = text
            .rsplit_once(" at line ")
            .map(|(what, _)| what.to_owned());
        what.unwrap_or(text)
    }
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> JsonError {
        JsonError(Arc::new(error))
    }
}

impl PartialEq for JsonError {
    fn eq(&self, other: &JsonError) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for JsonError {}
