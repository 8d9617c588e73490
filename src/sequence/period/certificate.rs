//! What a sceptic needs to check a proved period, as JSON, and the check.
//!
//! The check takes nothing over from the certificate but the game and how many values the proof rests on. It makes
//! those values by the definition, whatever made them before, or makes them with the solver and recomputes some of
//! them, drawn at random, by the definition; then it compares their checksum, and looks for their least period anew.

use super::{Finding, Proof, Theorem, look};
use crate::engine::table::Table;
use crate::engine::{Effort, definition};
use crate::error::Error;
use crate::rng::Chance;
use crate::ruleset::Ruleset;
use crate::sequence::Sequence;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The program and its version, as certificates name it.
const PROGRAM: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

/// A proved period with what its proof rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The program that made it.
    pub program: String,
    /// The game's name.
    pub game: String,
    /// Its take-and-break code in normal form, if it has one.
    #[serde(deserialize_with = "Option::deserialize")]
    pub code: Option<String>,
    /// g(n + period) = g(n) + saltus for every n from the preperiod on.
    pub period: u64,
    /// The first such n.
    pub preperiod: u64,
    /// What each period adds.
    pub saltus: u64,
    /// The theorem that proves it.
    pub theorem: String,
    /// The proof rests on the values g(0) … g(range - 1).
    pub range: u64,
    /// `sha256:` and the hash of those values in hexadecimal, each value as two bytes, the lower first.
    pub checksum: String,
}

/// How values were recomputed by the definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Checked {
    /// All of them.
    All,
    /// So many, drawn at random; the others are the solver's.
    Sample {
        /// How many.
        heaps: u64,
        /// What the draw started from.
        seed: u64,
    },
}

impl Certificate {
    /// The certificate of a proof, with the values that it rests on.
    pub fn new(sequence: &Sequence, proof: &Proof) -> Certificate {
        let ruleset = sequence.ruleset();
        Certificate {
            program: PROGRAM.to_owned(),
            game: ruleset.name().to_owned(),
            code: ruleset.code().map(ToString::to_string),
            period: proof.period.period,
            preperiod: proof.period.preperiod,
            saltus: proof.period.saltus,
            theorem: proof.theorem.name().to_owned(),
            range: proof.range,
            checksum: checksum(sequence.table(), proof.range as usize),
        }
    }

    /// Reads a certificate.
    ///
    /// # Errors
    /// If it is no JSON, or a field is unknown, missing or of the wrong kind.
    pub fn read(text: &str) -> Result<Certificate, Error> {
        serde_json::from_str(text).map_err(|error| Error::NoCertificate(error.to_string()))
    }

    /// Checks what it states, with all values by the definition or as many as are drawn.
    ///
    /// # Errors
    /// [`Error::FalseCertificate`] with what is wrong; or if the values can't be computed.
    pub fn verify(&self, effort: &Effort, checked: Checked) -> Result<Proof, Error> {
        let ruleset: Ruleset = self.game.parse()?;
        let code = ruleset.code().map(ToString::to_string);
        let show = |code: &Option<String>| code.clone().unwrap_or_else(|| "none".to_owned());
        compare("code", show(&self.code), show(&code))?;
        let theorem = Theorem::covering(&ruleset).map_err(|why| Error::FalseCertificate {
            field: "theorem",
            stated: self.theorem.clone(),
            found: why.to_owned(),
        })?;
        compare("theorem", self.theorem.as_str(), theorem.name())?;
        let Some(last) = self.range.checked_sub(1) else {
            return Err(self.too_short(theorem));
        };
        let table = match checked {
            Checked::All => by_definition(&ruleset, effort, last)?,
            Checked::Sample { heaps, seed } => {
                let mut sequence = Sequence::with_effort(ruleset.clone(), effort.clone());
                sequence.fill(last)?;
                check_sample(&ruleset, sequence.table(), effort, heaps, seed)?;
                sequence.table().clone()
            }
        };
        let Finding::Proved(proof) = look(&table, Ok(theorem)) else {
            return Err(self.too_short(theorem));
        };
        compare("period", self.period, proof.period.period)?;
        compare("preperiod", self.preperiod, proof.period.preperiod)?;
        compare("saltus", self.saltus, proof.period.saltus)?;
        compare("range", self.range, proof.range)?;
        compare("checksum", &self.checksum, &checksum(&table, table.len()))?;
        Ok(proof)
    }

    fn too_short(&self, theorem: Theorem) -> Error {
        Error::FalseCertificate {
            field: "range",
            stated: self.range.to_string(),
            found: format!("so many values prove no period ({})", theorem.name()),
        }
    }
}

fn compare<T: PartialEq + ToString>(field: &'static str, stated: T, found: T) -> Result<(), Error> {
    if stated == found {
        return Ok(());
    }
    Err(Error::FalseCertificate {
        field,
        stated: stated.to_string(),
        found: format!("{} is right", found.to_string()),
    })
}

/// The values to heap `last`, each by the definition.
fn by_definition(ruleset: &Ruleset, effort: &Effort, last: u64) -> Result<Table, Error> {
    let mut table = Table::new();
    definition::fill(ruleset, &mut table, last, |table| {
        tell(effort, table.len() as u64, last + 1)
    })?;
    Ok(table)
}

/// Recomputes the values of `heaps` heaps by the definition from those of the smaller ones.
fn check_sample(
    ruleset: &Ruleset,
    table: &Table,
    effort: &Effort,
    heaps: u64,
    seed: u64,
) -> Result<(), Error> {
    let mut chance = Chance::new(seed, 0);
    for drawn in 0..heaps {
        let heap = chance.below(table.len());
        let value = definition::value(ruleset, table, heap as u64)?;
        if value != u64::from(table.get(heap)) {
            return Err(Error::FalseCertificate {
                field: "game",
                stated: ruleset.name().to_owned(),
                found: format!("the solver has a wrong value for pile {heap}: {value} is right"),
            });
        }
        tell(effort, drawn + 1, heaps)?;
    }
    Ok(())
}

fn tell(effort: &Effort, done: u64, wanted: u64) -> Result<(), Error> {
    match &effort.watch {
        Some(watch) if !watch.progress(done, wanted) => Err(Error::Interrupted),
        Some(watch) if done == wanted => {
            watch.done();
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The hash of the first `count` values.
fn checksum(table: &Table, count: usize) -> String {
    const BLOCK: usize = 1 << 15;
    let mut hash = Sha256::new();
    let mut values = vec![0; BLOCK.min(count)];
    for from in (0..count).step_by(BLOCK) {
        let values = &mut values[..BLOCK.min(count - from)];
        table.copy_range(from, values);
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        hash.update(&bytes);
    }
    let digits: Vec<String> = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("sha256:{}", digits.concat())
}
