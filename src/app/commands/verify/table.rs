//! The check of a certificate of a period by the table that proves it.

use super::choice::{Sample, no_sample};
use super::{Args, is_right, print_whole};
use crate::app::report::style::note;
use crate::certificate::Certificate;
use crate::sequence::period::Proof;
use crate::sequence::period::certificate::{Checked, MANY, QUICK, TableCertificate};
use serde::Serialize;
use std::process::ExitCode;

/// The JSON report of a certificate that is right.
#[derive(Serialize)]
pub struct Right {
    checked: Checked,
    period: u64,
    preperiod: u64,
    saltus: u64,
    theorem: &'static str,
    range: [u64; 2],
}

impl Right {
    /// The report of what was checked, and of the proof that came of it.
    pub fn new(checked: Checked, proof: &Proof) -> Right {
        Right {
            checked,
            period: proof.period.period,
            preperiod: proof.period.preperiod,
            saltus: proof.period.saltus,
            theorem: proof.theorem.name(),
            range: [0, proof.range - 1],
        }
    }
}

/// Checks the certificate that is written in a text, and prints the report.
pub fn verify(args: &Args, text: &str) -> anyhow::Result<ExitCode> {
    let certificate = TableCertificate::read(text)?;
    if args.sample == Some(Sample::Count(0)) {
        return Err(no_sample().into());
    }
    let checked = checked(args, &certificate);
    if !args.effort.quiet {
        announce(&certificate, checked);
    }
    let found = certificate.check(&args.effort.effort(), &checked);
    let found = found.map(|proof| {
        let text = in_text(&certificate, &proof, checked);
        (Right::new(checked, &proof), text)
    });
    print_whole(args, "verification", certificate.head(), found)
}

/// The values that are checked by the definition.
fn checked(args: &Args, certificate: &TableCertificate) -> Checked {
    let seed = args.seed;
    match args.sample {
        Some(Sample::Count(heaps)) if heaps < certificate.range => Checked::Sample { heaps, seed },
        Some(_) => Checked::All,
        None if args.all => Checked::All,
        None => Checked::usual(certificate, seed),
    }
}

/// Says beforehand what a long check will take.
fn announce(certificate: &TableCertificate, checked: Checked) {
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

fn in_text(certificate: &TableCertificate, proof: &Proof, checked: Checked) -> String {
    let right = is_right(&certificate.game, &proof.period, proof.theorem);
    let last = proof.range - 1;
    let checked = match checked {
        Checked::All => format!("every value from g(0) to g({last}) by the definition"),
        Checked::Sample { heaps, seed } => format!(
            "{heaps} values of g(0) to g({last}) by the definition (drawn with seed {seed}), the others by the solver"
        ),
    };
    format!("{right}Checked: {checked}, and the checksum.\n")
}
