//! `verify`: checks a certificate, of a period or of a misère quotient, by another way than the one that made it.

mod misere_quotient;

use super::shared_args::{EffortArgs, FormArgs};
use super::verify_segments::{self, Choice, Sample};
use crate::app::report;
use crate::app::report::in_words;
use crate::app::report::style::note;
use crate::error::Error;
use crate::misere::certificate::QuotientCertificate;
use crate::printable::size_allowed;
use crate::sequence::period::Proof;
use crate::sequence::period::certificate::{Certificate, Checked};
use crate::sequence::period::segments::Segments;
use serde::Serialize;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How many values are made by the definition without `--sample` or `--all`: all, if that takes no more options than
/// [`QUICK`], some seconds; else a sample, and of more than [`MANY`] values a smaller one, for each of them is a walk
/// over all the values before.
const QUICK: u128 = 1_000_000_000;
const SAMPLE: u64 = 100;
const MANY: u64 = 10_000_000;
const SMALL_SAMPLE: u64 = 10;

const EXAMPLES: &str = "\
A value is checked by its definition, the mex over all options. Without --all or --sample, all values of a short
certificate are, and a sample of a long one; the solver makes the others.

Examples:
  nim-analyser period -g kayles --certificate kayles.json
  nim-analyser verify kayles.json
  nim-analyser verify 0.56.json --sample 1000 --seed 7";

/// Check a certificate of a period or of a misère quotient
///
/// It goes by another way than the one that made it: that of the definitions.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The certificate, a file from `period --certificate` or `quotient --certificate`
    file: PathBuf,
    /// Make every value by the definition
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    /// Make K values, drawn at random, by the definition; of a certificate in segments check K, or P% of them
    #[arg(long, value_name = "K|P%")]
    pub(super) sample: Option<Sample>,
    #[command(flatten)]
    pub(super) choice: Choice,
    /// What the random draw starts from
    #[arg(long, value_name = "SEED", default_value = "1")]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) effort: EffortArgs,
    #[command(flatten)]
    pub(super) form: FormArgs,
}

/// What is found, as JSON.
#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    code: Option<&'a str>,
    verified: bool,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Right {
        checked: Checked,
        period: u64,
        preperiod: u64,
        saltus: u64,
        theorem: &'static str,
        range: [u64; 2],
    },
    Wrong {
        field: &'static str,
        stated: String,
        found: String,
    },
}

/// Checks the certificate and prints that it is right, and how it was checked.
///
/// # Errors
/// If the file is no certificate, what it states is false, or the check is out of reach.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let content = read(&args.file, args.effort.effort().memory)?;
    if misere_quotient::is_one(&content) {
        return misere_quotient::run(args, &content);
    }
    if Segments::is_one(&content) {
        return verify_segments::run(args, &content);
    }
    let certificate = Certificate::read(&content)?;
    if args.sample == Some(Sample::Count(0)) {
        return Err(verify_segments::no_sample().into());
    }
    if args.choice.is_made() || matches!(args.sample, Some(Sample::Percent(_))) {
        let file = args.file.display();
        return Err(Error::Usage(format!("{file} is a certificate without segments")).into());
    }
    let checked = checked(args, &certificate);
    if !args.effort.quiet {
        announce(&certificate, checked);
    }
    let verified = certificate.verify(&args.effort.effort(), checked);
    let outcome = match &verified {
        Ok(proof) => Outcome::Right {
            checked,
            period: proof.period.period,
            preperiod: proof.period.preperiod,
            saltus: proof.period.saltus,
            theorem: proof.theorem.name(),
            range: [0, proof.range - 1],
        },
        Err(Error::FalseCertificate {
            field,
            stated,
            found,
        }) => Outcome::Wrong {
            field,
            stated: stated.clone(),
            found: found.clone(),
        },
        Err(error) => return Err(error.clone().into()),
    };
    let report = Report {
        game: &certificate.game,
        code: certificate.code.as_deref(),
        verified: verified.is_ok(),
        outcome,
    };
    args.form.print(
        |out| report::json::line(out, "verification", &report),
        |out| match &verified {
            Ok(proof) => text(out, &certificate, proof, checked),
            Err(_) => Ok(()),
        },
    )?;
    verified?;
    Ok(ExitCode::SUCCESS)
}

/// What a byte of a certificate takes in memory, at most: the text, and numbers of 16 bytes that are two characters each.
const MEMORY: u64 = 9;

/// The content of a file, so far as a certificate may go and memory is allowed.
fn read(file: &Path, allowed: u64) -> anyhow::Result<String> {
    let shown = file.display();
    let room = allowed / MEMORY;
    let unreadable = |error| Error::Usage(format!("can't read {shown}: {error}"));
    let mut file = File::open(file).map_err(unreadable)?;
    let mut bytes = Vec::new();
    let too_long = |most| {
        let reason = format!("{shown} is longer than {most} bytes, the most of a certificate");
        Error::NoCertificate(reason)
    };
    let mut most = Certificate::MOST_BYTES;
    let mut start = Read::by_ref(&mut file).take(most.min(room) + 1);
    start.read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > most {
        most = if Segments::may_begin(&bytes) {
            Segments::MOST_BYTES
        } else if bytes.starts_with(b"{") {
            QuotientCertificate::MOST_BYTES
        } else {
            return Err(too_long(most).into());
        };
        let mut rest = file.take(most.min(room));
        rest.read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if bytes.len() as u64 > most {
        return Err(too_long(most).into());
    }
    if bytes.len() as u64 > room {
        anyhow::bail!(
            "{shown} is longer than {}, and to check a certificate takes {MEMORY} times its length: more than the {} of memory allowed\nhelp: --memory allows more",
            size_allowed(room),
            size_allowed(allowed)
        );
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::NoCertificate(format!("{shown} is no text")))?;
    let is_long_kind = |text: &str| misere_quotient::is_one(text) || Segments::is_one(text);
    if text.len() as u64 > Certificate::MOST_BYTES && !is_long_kind(&text) {
        return Err(too_long(Certificate::MOST_BYTES).into());
    }
    Ok(text)
}

/// Which values are made by the definition.
fn checked(args: &Args, certificate: &Certificate) -> Checked {
    let seed = args.seed;
    match args.sample {
        Some(Sample::Count(heaps)) => Checked::Sample { heaps, seed },
        _ if args.all || certificate.steps() <= QUICK => Checked::All,
        _ => Checked::Sample {
            heaps: if certificate.range <= MANY {
                SAMPLE
            } else {
                SMALL_SAMPLE
            },
            seed,
        },
    }
}

/// Says beforehand what a long check will take.
fn announce(certificate: &Certificate, checked: Checked) {
    let (values, steps) = (certificate.range, certificate.steps());
    match checked {
        Checked::All if steps > QUICK => note(format_args!(
            "checking {values} nim-values by the definition takes up to {steps} steps; --sample takes fewer"
        )),
        Checked::Sample { heaps, .. } if values > MANY => note(format_args!(
            "checking {heaps} nim-values by the definition, once the first {values} are computed"
        )),
        _ => {}
    }
}

fn text(
    out: &mut dyn Write,
    certificate: &Certificate,
    proof: &Proof,
    checked: Checked,
) -> std::io::Result<()> {
    let (game, period) = (&certificate.game, in_words(&proof.period));
    writeln!(out, "The certificate is right: {game} has the {period}.")?;
    let (theorem, source) = (proof.theorem.name(), proof.theorem.source());
    writeln!(out, "By the theorem: {theorem} ({source}).")?;
    let last = proof.range - 1;
    match checked {
        Checked::All => writeln!(
            out,
            "Checked: every value from g(0) to g({last}) by the definition, and the checksum."
        ),
        Checked::Sample { heaps, seed } => writeln!(
            out,
            "Checked: {heaps} values of g(0) to g({last}) by the definition (drawn with seed {seed}), the others by the solver, and the checksum."
        ),
    }
}
