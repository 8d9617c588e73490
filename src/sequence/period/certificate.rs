//! The certificate of a proved period, as JSON, and its check.
//!
//! The check recomputes the values that the proof rests on: all by the definition, or all by the solver and some of them, drawn
//! at random, by the definition. Then it compares their checksum, and checks whether they prove the period that is stated. It
//! looks for no period, see `check.rs`.
//!
//! Time: by the definition the options of all heaps, which [`TableCertificate::steps`] counts; else that of the engine, and for
//! each value drawn the options of its heap. Memory: that of the table.

use super::{Period, Proof, Theorem};
use crate::certificate::{Certificate, Head, PROGRAM, agree, code_of, digest, wrong};
use crate::engine::table::Table;
use crate::engine::{Effort, Engine, cost};
use crate::error::{Contradiction, Error};
use crate::printable::{beginning, joined};
use crate::rng::Rng;
use crate::ruleset::Ruleset;
use crate::sequence::Sequence;
use crate::sequence::spot_check::{self, WrongValue};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A proved period with what its proof rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableCertificate {
    /// The program that made the certificate.
    pub program: String,
    /// The game's name.
    pub game: String,
    /// The take-and-break code of the game in normal form, if it has one.
    #[serde(deserialize_with = "Option::deserialize")]
    pub code: Option<String>,
    /// The period: g(n + period) = g(n) + saltus for every n from the preperiod on.
    pub period: u64,
    /// The first n from which the period holds.
    pub preperiod: u64,
    /// The number that each period adds to a value.
    pub saltus: u64,
    /// The theorem that proves the period.
    pub theorem: String,
    /// The proof rests on the values g(0) … g(range - 1).
    pub range: u64,
    /// `sha256:` and the hash of the values g(0) … g(range - 1) in hexadecimal, each value as two bytes, the lower first.
    pub checksum: String,
}

/// How values are recomputed by the definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Checked {
    /// All values.
    All,
    /// So many values, drawn at random; the others are the solver's.
    Sample {
        /// How many values are drawn.
        heaps: u64,
        /// The seed of the draw.
        seed: u64,
    },
}

impl Checked {
    /// The extent of a check by default: all values, if that takes at most [`QUICK`] options, some seconds; else a sample, and a
    /// smaller one of more than [`MANY`] values, because each value in it takes a walk over all the values before it.
    pub fn usual(certificate: &TableCertificate, seed: u64) -> Checked {
        match certificate.range {
            _ if certificate.steps() <= QUICK => Checked::All,
            range => Checked::Sample {
                heaps: if range <= MANY { 100 } else { 10 },
                seed,
            },
        }
    }
}

/// How many options are walked in some seconds.
pub const QUICK: u128 = 1_000_000_000;
/// Beyond this many values even a sample takes long.
pub const MANY: u64 = 10_000_000;

impl Certificate for TableCertificate {
    const KIND: &'static str = "";
    const MOST_BYTES: u64 = 1 << 20;

    /// Which values are recomputed by the definition.
    type Extent<'c> = Checked;

    /// The proof that the certificate states.
    type Found = Proof;

    fn head(&self) -> Head<'_> {
        Head {
            kind: "",
            game: &self.game,
            code: self.code.as_deref(),
        }
    }

    fn check(&self, effort: &Effort, &checked: &Checked) -> Result<Proof, Error> {
        let ruleset = self.ruleset()?;
        let theorems = Theorem::covering(&ruleset)
            .map_err(Contradiction::NoTheorem)
            .map_err(|why| wrong("theorem", beginning(&self.theorem), why))?;
        let named = theorems.iter().find(|one| one.name() == self.theorem);
        let Some(&theorem) = named else {
            let names = joined(theorems.iter().map(Theorem::name), " or ");
            let right = Contradiction::Right(names);
            return Err(wrong("theorem", beginning(&self.theorem), right));
        };
        if self.range == 0 {
            return Err(wrong("range", 0, Contradiction::NoValues));
        }
        let statement = Proof {
            period: Period {
                period: self.period,
                preperiod: self.preperiod,
                saltus: self.saltus,
            },
            theorem,
            range: self.range,
        };
        let mut sequence = Sequence::with_effort(ruleset.clone(), by(effort, checked));
        // Where the period alone tells how many values are needed, a range beyond that costs no more.
        if let Some(range) = theorem.needs(&statement.period)
            && (1..self.range).contains(&range)
        {
            sequence.fill(range - 1)?;
            let needed = Proof { range, ..statement };
            if needed.is_right(&ruleset, sequence.table()) {
                agree("range", self.range, range)?;
            }
        }
        sequence.fill(self.range - 1)?;
        let table = sequence.table();
        statement
            .check(&ruleset, table)
            .map_err(|(field, found)| wrong(field, self.stated(field), found))?;
        let right = checksum(table, table.len());
        agree("checksum", &self.checksum, &right)?;
        if let Checked::Sample { heaps, seed } = checked {
            check_sample(&ruleset, table, effort, heaps, seed)?;
        }
        Ok(statement)
    }
}

impl TableCertificate {
    /// The certificate of a proof, with the values that it rests on.
    ///
    /// # Panics
    /// If the table of the sequence doesn't have these values.
    pub fn new(sequence: &Sequence, proof: &Proof) -> TableCertificate {
        let ruleset = sequence.ruleset();
        TableCertificate {
            program: PROGRAM.to_owned(),
            game: ruleset.name().to_owned(),
            code: code_of(ruleset),
            period: proof.period.period,
            preperiod: proof.period.preperiod,
            saltus: proof.period.saltus,
            theorem: proof.theorem.name().to_owned(),
            range: proof.range,
            checksum: checksum(sequence.table(), proof.range as usize),
        }
    }

    /// An upper bound on the options walked if every value is recomputed by the definition.
    pub fn steps(&self) -> u128 {
        self.game.parse().map_or(0, |ruleset: Ruleset| {
            cost::by_definition(&ruleset, self.range.saturating_sub(1))
        })
    }

    /// The game, if there is a game of that name and the program and the code are stated right.
    fn ruleset(&self) -> Result<Ruleset, Error> {
        let (program, version) = self.program.split_once(' ').unwrap_or_default();
        if program != env!("CARGO_PKG_NAME") || !is_version(version) {
            let found = Contradiction::Program(PROGRAM);
            return Err(wrong("program", beginning(&self.program), found));
        }
        let ruleset: Ruleset = self.game.parse().map_err(|_| {
            let found = Contradiction::UnknownGame;
            wrong("game", beginning(&self.game), found)
        })?;
        agree("game", self.game.as_str(), ruleset.name())?;
        self.check_code(&ruleset)?;
        Ok(ruleset)
    }

    fn stated(&self, field: &str) -> String {
        match field {
            "period" => self.period.to_string(),
            "preperiod" => self.preperiod.to_string(),
            "saltus" => self.saltus.to_string(),
            "range" => self.range.to_string(),
            _ => beginning(&self.theorem),
        }
    }
}

/// Whether a word is a version of this program, up to the present one.
fn is_version(text: &str) -> bool {
    let numbers = |text: &str| -> Option<Vec<u64>> {
        text.split('.').map(|number| number.parse().ok()).collect()
    };
    let own = numbers(env!("CARGO_PKG_VERSION"));
    numbers(text).is_some_and(|version| version.len() == 3 && Some(version) <= own)
}

/// The effort for the values that are checked: all by the definition, or as the solver finds best.
fn by(effort: &Effort, checked: Checked) -> Effort {
    let engine = match checked {
        Checked::All => Engine::Definition,
        Checked::Sample { .. } => effort.engine,
    };
    Effort {
        engine,
        ..effort.clone()
    }
}

/// Recomputes the values of `heaps` heaps by the definition from those of the smaller ones.
fn check_sample(
    ruleset: &Ruleset,
    table: &Table,
    effort: &Effort,
    heaps: u64,
    seed: u64,
) -> Result<(), Error> {
    let mut rng = Rng::new(seed, 0);
    for drawn in 0..heaps {
        let heap = rng.below(table.len());
        if let Some(WrongValue { heap, right, .. }) = spot_check::check(ruleset, table, heap)? {
            let found = Contradiction::Solver { heap, right };
            return Err(wrong("game", ruleset.name(), found));
        }
        if !effort.goes_on(drawn + 1, heaps) {
            return Err(Error::Interrupted);
        }
    }
    effort.done();
    Ok(())
}

/// The hash of the first `count` values.
fn checksum(table: &Table, count: usize) -> String {
    const HASHED_AT_ONCE: usize = 1 << 15;
    let mut hash = Sha256::new();
    let mut values = vec![0; HASHED_AT_ONCE.min(count)];
    for from in (0..count).step_by(HASHED_AT_ONCE) {
        let values = &mut values[..HASHED_AT_ONCE.min(count - from)];
        table.copy_range(from, values);
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        hash.update(&bytes);
    }
    digest(hash)
}
