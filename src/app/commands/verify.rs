//! `verify`: checks a certificate, of a period or of a misère quotient, by a method of its own.

mod choice;
pub mod quotient;
mod segments;
pub mod table;

use super::shared_args::{EffortArgs, FormArgs, heap};
use crate::app::error::{Refused, library, refuse};
use crate::app::files::input;
use crate::app::report::in_words;
use crate::certificate::{Certificate, Head, kind_of};
use crate::error::Error;
use crate::misere::certificate::QuotientCertificate;
use crate::printable::size_allowed;
use crate::sequence::period::certificate::TableCertificate;
use crate::sequence::period::segments::Segments;
use crate::sequence::period::{Period, Theorem};
use choice::{Choice, Sample};
use memchr::memmem;
use serde::Serialize;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Values are checked by their definition, the mex of the nim-values of all options. Without --all or --sample, all values
of a short certificate are checked this way and a random sample of a long one; the solver computes the others.

Examples:
  nim-analyser period -g kayles --certificate kayles.json
  nim-analyser verify kayles.json
  nim-analyser verify 0.56.json --sample 1000 --seed 7";

/// Check a certificate of a period or of a misère quotient
///
/// The check does not use the method that found the result. It works from the definitions.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The certificate, a file from `period --certificate` or `quotient --certificate`; - reads standard input
    file: PathBuf,
    /// Check every value by the definition
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    /// Check K random values by the definition; for a certificate in segments, check K segments or P% of them
    #[arg(long, value_name = "K|P%")]
    sample: Option<Sample>,
    #[command(flatten)]
    choice: Choice,
    /// Choose the random sample by this seed
    #[arg(long, value_name = "SEED", default_value = "1", value_parser = heap)]
    seed: u64,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    form: FormArgs,
}

/// Checks the certificate and prints that it is right, and how it was checked.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (kind, text) = read(&args.file, args.effort.effort().memory)?;
    let verify = match kind.as_str() {
        QuotientCertificate::KIND => quotient::verify,
        Segments::KIND => segments::verify,
        _ => table::verify,
    };
    if kind != Segments::KIND {
        args.choice.refuse_without_segments(args)?;
    }
    verify(args, &text).map_err(|error| match library(&error) {
        Some(Error::NoCertificate(fault)) => {
            let (file, fault) = (args.file.clone(), fault.clone());
            Refused::NoCertificate { file, fault }.into()
        }
        _ => error,
    })
}

/// Prints the report of a check, as JSON of this kind or in words. Fails with the error that the check found, if it found one.
fn print(
    args: &Args,
    kind: &'static str,
    report: &impl Serialize,
    words: &str,
    failed: Option<anyhow::Error>,
) -> anyhow::Result<ExitCode> {
    args.form
        .print(kind, report, |out| out.write_all(words.as_bytes()))?;
    failed.map_or(Ok(ExitCode::SUCCESS), Err)
}

/// The JSON report of a certificate that is checked as a whole.
#[derive(Serialize)]
struct Whole<'c, T> {
    game: &'c str,
    code: Option<&'c str>,
    verified: bool,
    #[serde(flatten)]
    verdict: Verdict<T>,
}

/// The figures of a right certificate, or the field that is wrong in a false one.
#[derive(Serialize)]
#[serde(untagged)]
enum Verdict<T> {
    Right(T),
    Wrong {
        field: &'static str,
        stated: String,
        found: String,
    },
}

/// Prints the report of a check: the figures of a right certificate, in JSON and in words, or which field is false.
fn print_whole<T: Serialize>(
    args: &Args,
    kind: &'static str,
    head: Head<'_>,
    found: Result<(T, String), Error>,
) -> anyhow::Result<ExitCode> {
    let (verdict, words, failed) = match found {
        Ok((right, words)) => (Verdict::Right(right), words, None),
        Err(error) => {
            let Error::FalseCertificate {
                field,
                stated,
                found,
            } = &error
            else {
                return Err(error.into());
            };
            let wrong = Verdict::Wrong {
                field,
                stated: stated.to_string(),
                found: found.to_string(),
            };
            (wrong, String::new(), Some(error.into()))
        }
    };
    let report = Whole {
        game: head.game,
        code: head.code,
        verified: failed.is_none(),
        verdict,
    };
    print(args, kind, &report, &words, failed)
}

/// The sentence that a period is proved, and by which theorem.
fn is_right(game: &str, period: &Period, theorem: Theorem) -> String {
    format!(
        "The certificate is right: {game} has the {}.\nBy the theorem: {} ({}).\n",
        in_words(period),
        theorem.name(),
        theorem.source()
    )
}

/// The most bytes of memory that a byte of a certificate takes: the text itself, and numbers of 16 bytes that are written with
/// two characters each.
const MEMORY: u64 = 9;

/// Reads the text of a certificate and its kind. Fails if the text is longer than a certificate of its kind, or than memory
/// allows.
fn read(file: &Path, allowed: u64) -> anyhow::Result<(String, String)> {
    let shown = file.display();
    let room = allowed / MEMORY;
    let unreadable = Refused::unreadable(file);
    let check_length = |length: usize, most: u64| -> Result<(), Refused> {
        if length as u64 > most {
            refuse!(
                "not a certificate: {shown} is longer than {most} bytes, the most of a certificate"
            );
        }
        Ok(())
    };
    let mut file = input(file).map_err(unreadable)?;
    let mut bytes = Vec::new();
    let mut start = Read::by_ref(&mut file).take(BEGINNING.min(room + 1));
    start.read_to_end(&mut bytes).map_err(unreadable)?;
    // The beginning shows which kind the certificate may be, which bounds its length; the whole text shows which it is.
    let most = match bytes.first() {
        _ if memmem::find(&bytes, Segments::KIND.as_bytes()).is_some() => Segments::MOST_BYTES,
        Some(b'{') => QuotientCertificate::MOST_BYTES,
        _ => TableCertificate::MOST_BYTES,
    };
    let mut rest = file.take(most.min(room) + 1 - bytes.len() as u64);
    rest.read_to_end(&mut bytes).map_err(unreadable)?;
    check_length(bytes.len(), most)?;
    if bytes.len() as u64 > room {
        anyhow::bail!(
            "{shown} is longer than {}, and to check a certificate takes {MEMORY} times its length: more than the {} of memory allowed\nhelp: --memory allows more",
            size_allowed(room),
            size_allowed(allowed)
        );
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| Refused::Usage(format!("not a certificate: {shown} is not text")))?;
    let kind = kind_of(&text);
    if ![QuotientCertificate::KIND, Segments::KIND].contains(&kind.as_str()) {
        check_length(text.len(), TableCertificate::MOST_BYTES)?;
    }
    Ok((kind, text))
}

/// How many bytes at the beginning of a file show which kind of certificate it may be.
const BEGINNING: u64 = 200;
