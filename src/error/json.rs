//! What the reader of JSON finds wrong, kept as it says it.

use std::sync::Arc;

/// The error of serde_json, which is the source of this one; two are equal if they say the same.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct JsonError(#[source] Arc<serde_json::Error>);

impl JsonError {
    /// The text without the place in it, which is said elsewhere.
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
