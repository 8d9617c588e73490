//! `verify`: checks a certificate of a period by another way than the one that made it.

use super::common::{EffortArgs, stdout};
use super::verify_segments::{self, Choice, Sample};
use crate::app::report::in_words;
use crate::error::Error;
use crate::sequence::period::certificate::{Certificate, Checked};
use crate::sequence::period::segments::Segments;
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
  nim-analyser verify 0.56.json --sample 1000 --seed 7";

/// Check a certificate of a period, by the definition of the nim-values
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The certificate, a file from `period --certificate`
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
    /// Print one JSON object on one line
    #[arg(long)]
    pub(super) json: bool,
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
    if Segments::is_one(&text) {
        return verify_segments::run(args, &text);
    }
    let certificate = Certificate::read(&text)?;
    if args.choice.is_made() || matches!(args.sample, Some(Sample::Percent(_))) {
        let file = args.file.display();
        return Err(Error::Usage(format!("{file} is a certificate without segments")).into());
    }
    let sample = |heaps| Checked::Sample {
        heaps,
        seed: args.seed,
    };
    let checked = match args.sample {
        Some(Sample::Count(heaps)) => sample(heaps),
        _ if args.all || certificate.range <= FEW => Checked::All,
        _ if certificate.range <= MANY => sample(SAMPLE),
        _ => sample(SMALL_SAMPLE),
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
