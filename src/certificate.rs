//! The fields and checks that all certificates share: a JSON object that names its program, its game, what a check needs and,
//! except in that of a table, its kind.
//!
//! There are three kinds: of a period by a table of values (`sequence/period/certificate.rs`), of one in segments
//! (`sequence/period/segments.rs`), and of a misère quotient (`misere/certificate.rs`). Each is written, read and checked by
//! the trait [`Certificate`].

use crate::engine::Effort;
use crate::error::{CertificateFault, Contradiction, Error, Stated};
use crate::printable::beginning;
use crate::ruleset::Ruleset;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Display;
use std::io::{self, Write};

/// The program and its version, as certificates name it.
pub const PROGRAM: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

/// The fields that every certificate has.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The kind of the certificate; empty for that of a table, which states none.
    pub kind: &'a str,
    /// The name of the game.
    pub game: &'a str,
    /// The take-and-break code of the game in normal form, if it has one.
    pub code: Option<&'a str>,
}

/// A certificate of one kind.
pub trait Certificate: Serialize + DeserializeOwned {
    /// The value of the certificate's field `kind`; empty for the certificate of a table, which has no such field.
    const KIND: &'static str;

    /// The most bytes that a certificate of this kind has.
    const MOST_BYTES: u64;

    /// Whether the certificate is written over many lines, for a person to read.
    const IN_LINES: bool = true;

    /// How much of a certificate is checked, and how.
    type Extent<'c>
    where
        Self: 'c;

    /// What a check finds out, beside the fact that all that it checked is right.
    type Found;

    /// The fields that every certificate has, of this one.
    fn head(&self) -> Head<'_>;

    /// Reads a certificate, and checks that it is of this kind. The length of the text is not bounded here: whoever reads it from
    /// a file compares it with [`Certificate::MOST_BYTES`].
    ///
    /// # Errors
    /// [`Error::NoCertificate`] if the text is no JSON object, if a field is unknown, missing or of the wrong type, or if the
    /// certificate is one of another kind.
    fn read(text: &str) -> Result<Self, Error> {
        if !text.trim_start().starts_with('{') {
            return Err(CertificateFault::NoObject.into());
        }
        let read: Self = serde_json::from_str(text).map_err(|error| match error.is_eof() {
            true => CertificateFault::CutShort { line: error.line() },
            false => CertificateFault::Json(error.into()),
        })?;
        match read.head().kind {
            kind if kind == Self::KIND => Ok(read),
            other => Err(Error::NoCertificate(CertificateFault::Kind {
                found: other.to_owned(),
                wanted: Self::KIND,
            })),
        }
    }

    /// Checks what the certificate states, without the search that found it. The `extent` says how much is checked and how; the
    /// module of each kind tells what that costs.
    ///
    /// # Errors
    /// [`Error::FalseCertificate`] with what is wrong; or if the check would take more than the effort allows, or is
    /// interrupted.
    fn check(&self, effort: &Effort, extent: &Self::Extent<'_>) -> Result<Self::Found, Error>;

    /// Writes the certificate, with a newline behind it.
    ///
    /// # Errors
    /// If it can't be written.
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match Self::IN_LINES {
            true => serde_json::to_writer_pretty(&mut *out, self)?,
            false => serde_json::to_writer(&mut *out, self)?,
        }
        writeln!(out)
    }

    /// Compares the code that is stated with that of the game.
    ///
    /// # Errors
    /// [`Error::FalseCertificate`] if the two differ.
    fn check_code(&self, ruleset: &Ruleset) -> Result<(), Error> {
        let right = code_of(ruleset);
        let stated = self.head().code.unwrap_or("none");
        agree("code", stated, right.as_deref().unwrap_or("none"))
    }
}

/// The kind that a text states; empty if it is no JSON object or states none.
pub fn kind_of(text: &str) -> String {
    #[derive(Default, Deserialize)]
    struct Kind {
        kind: Option<String>,
    }
    let Kind { kind } = serde_json::from_str(text).unwrap_or_default();
    kind.unwrap_or_default()
}

/// The code of a game as a certificate states it.
pub(crate) fn code_of(ruleset: &Ruleset) -> Option<String> {
    ruleset.code().map(ToString::to_string)
}

/// A hash as certificates write it: `sha256:` and 64 hexadecimal digits.
pub(crate) fn digest(hash: Sha256) -> String {
    let digits = hash.finalize();
    let digits: Vec<String> = digits.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{}", digits.concat())
}

/// The error that the value stated in a field is wrong.
pub(crate) fn wrong(field: &'static str, value: impl Display, found: Contradiction) -> Error {
    wrong_at(field, Stated::Value(value.to_string()), found)
}

/// The error that something stated in a field is wrong.
pub(crate) fn wrong_at(field: &'static str, stated: Stated, found: Contradiction) -> Error {
    Error::FalseCertificate {
        field,
        stated,
        found,
    }
}

/// Compares what a field states with what is right.
pub(crate) fn agree<T: PartialEq + Display>(
    field: &'static str,
    stated: T,
    right: T,
) -> Result<(), Error> {
    match stated == right {
        true => Ok(()),
        false => {
            let stated = beginning(&stated.to_string());
            Err(wrong(
                field,
                stated,
                Contradiction::Right(right.to_string()),
            ))
        }
    }
}
