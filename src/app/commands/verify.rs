//! `verify`: checks a certificate, of a period or of a misère quotient, by another way than the one that made it.

use super::common::{EffortArgs, stdout};
use crate::app::report::in_words;
use crate::error::Error;
use crate::misere::certificate::{self, QuotientCertificate};
use crate::misere::{MiserePeriod, PERIOD_THEOREM};
use crate::sequence::period::certificate::{Certificate, Checked};
use std::path::PathBuf;
use std::process::ExitCode;

/// How many values are made by the definition without `--sample` or `--all`: all of so many, else a sample, and of
/// more than [`MANY`] a smaller one, for each of them is a walk over all the values before.
const FEW: u64 = 10_000;
const SAMPLE: u64 = 100;
const MANY: u64 = 10_000_000;
const SMALL_SAMPLE: u64 = 10;

const EXAMPLES: &str = "\
A value is checked by its definition, the mex over all options. Without --all or --sample, all values of a short
certificate are, and a sample of a long one; the solver makes the others.

Examples:
  nim-analyser period -g kayles --certificate kayles.json
  nim-analyser verify kayles.json
  nim-analyser quotient -g 0.75 --certificate 0.75.json && nim-analyser verify 0.75.json
  nim-analyser verify 0.56.json --sample 1000 --seed 7";

/// Check a certificate: of a period, by the definition of the nim-values, or of a misère quotient
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The certificate, a file from `period --certificate` or `quotient --certificate`
    file: PathBuf,
    /// Make every value by the definition
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    /// Make K values, drawn at random, by the definition
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// What the random draw starts from
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: u64,
    #[command(flatten)]
    effort: EffortArgs,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

/// Checks the certificate and prints that it is right, and how it was checked.
///
/// # Errors
/// If the file is no certificate, what it states is false, or the check is out of reach.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let text = std::fs::read_to_string(&args.file).map_err(|error| {
        let file = args.file.display();
        Error::Usage(format!("{file} can't be read: {error}"))
    })?;
    if kind(&text).as_deref() == Some(certificate::KIND) {
        return misere_quotient(args, &text);
    }
    let certificate = Certificate::read(&text)?;
    let sample = |heaps| Checked::Sample {
        heaps,
        seed: args.seed,
    };
    let checked = match args.sample {
        Some(heaps) => sample(heaps),
        None if args.all || certificate.range <= FEW => Checked::All,
        None if certificate.range <= MANY => sample(SAMPLE),
        None => sample(SMALL_SAMPLE),
    };
    let proof = certificate.verify(&args.effort.effort(), checked)?;
    let mut out = stdout();
    if args.json {
        let report = serde_json::json!({
            "game": certificate.game, "code": certificate.code, "verified": true, "checked": checked,
            "period": proof.period.period, "preperiod": proof.period.preperiod,
            "saltus": proof.period.saltus, "theorem": proof.theorem.name(), "range": [0, proof.range - 1],
        });
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        let (game, period) = (&certificate.game, in_words(&proof.period));
        writeln!(out, "The certificate is right: {game} has the {period}.")?;
        let (theorem, source) = (proof.theorem.name(), proof.theorem.source());
        writeln!(out, "By the theorem: {theorem} ({source}).")?;
        let last = proof.range - 1;
        match checked {
            Checked::All => writeln!(
                out,
                "Checked: every value from g(0) to g({last}) by the definition, and the checksum."
            )?,
            Checked::Sample { heaps, seed } => writeln!(
                out,
                "Checked: {heaps} values of g(0) to g({last}) by the definition (drawn with seed {seed}), the others by the solver, and the checksum."
            )?,
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// What a certificate says that it is of, if it does.
fn kind(text: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    Some(value.get("kind")?.as_str()?.to_owned())
}

/// Checks the certificate of a misère quotient.
fn misere_quotient(args: &Args, text: &str) -> anyhow::Result<ExitCode> {
    let certificate = QuotientCertificate::read(text)?;
    let period = certificate.verify(&args.effort.effort())?;
    let mut out = stdout();
    if args.json {
        let report = serde_json::json!({
            "kind": certificate.kind, "game": certificate.game, "code": certificate.code, "verified": true,
            "heaps": certificate.heaps, "order": certificate.order, "p_portion": certificate.p_portion.len(),
            "pairs": certificate.pairs, "preperiod": period.map(|found| found.preperiod),
            "period": period.map(|found| found.period),
        });
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        let QuotientCertificate {
            game,
            heaps,
            order,
            pairs,
            ..
        } = &certificate;
        let lost = certificate.p_portion.len();
        writeln!(
            out,
            "The certificate is right: the misère quotient of {game}, piles to {heaps}, has {order} elements, {lost} of them lost."
        )?;
        if let Some(MiserePeriod { preperiod, period }) = period {
            writeln!(
                out,
                "Elements repeat with period {period} from pile {preperiod} on, so it is that of all piles: {PERIOD_THEOREM}."
            )?;
        }
        writeln!(
            out,
            "Checked: the product, every option of every pile, {pairs} pairs of elements, and that no two elements are alike."
        )?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
