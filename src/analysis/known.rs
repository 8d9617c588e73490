//! The nim-values that a game has computed so far, and how it comes to more of them: from a table, or from a period.

use crate::engine::table::Table;
use crate::engine::{Effort, Solver};
use crate::error::Error;
use crate::ruleset::Ruleset;
use crate::sequence::period::{self, Finding, Period, Proof, Theorem};
use crate::sequence::values::{HeapValues, Periodic};
use std::sync::Arc;

/// Heaps to this size are always looked up in a table, which costs next to nothing.
pub const LARGEST_BY_TABLE: u64 = 1000;

/// How far a period is sought for a larger heap, and the options that may be walked for it by definition.
const PERIOD_SOUGHT_TO: u64 = 1 << 20;
const PERIOD_STEPS: u64 = 100_000_000;

/// Nim-values, and the proof that they rest on if not on a table alone.
#[derive(Clone)]
pub struct Known {
    pub values: HeapValues,
    pub proof: Option<Proof>,
}

impl Default for Known {
    fn default() -> Known {
        Known::from(Table::new())
    }
}

impl From<Table> for Known {
    fn from(table: Table) -> Known {
        Known {
            values: HeapValues::Table(Arc::new(table)),
            proof: None,
        }
    }
}

impl Known {
    /// The values to `heap` at least, from those known: by a table for small heaps, else by a period if the first
    /// values prove one, else by a table.
    ///
    /// # Errors
    /// If they are out of reach, see [`Solver::fill`].
    pub fn grown(&self, ruleset: &Ruleset, effort: &Effort, heap: u64) -> Result<Known, Error> {
        let mut table = match &self.values {
            HeapValues::Table(table) => Table::clone(table),
            HeapValues::Periodic(_) => Table::new(),
        };
        let mut searched = None;
        if heap > LARGEST_BY_TABLE && Theorem::covering(ruleset).is_ok() {
            let little = Effort {
                steps: effort.steps.min(PERIOD_STEPS),
                ..effort.clone()
            };
            let mut solver = Solver::resume(ruleset.clone(), table, little);
            let limit = heap.min(PERIOD_SOUGHT_TO);
            let found = period::search(&mut solver, ruleset, limit);
            table = solver.into_table();
            match found {
                Ok(Finding::Proved(proof)) => return Ok(Known::resting_on(proof, table)),
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                _ => searched = table.len().checked_sub(1),
            }
        }
        let mut solver = Solver::resume(ruleset.clone(), table, effort.clone());
        match (solver.fill(heap), searched) {
            (Ok(()), _) => Ok(Known::from(solver.into_table())),
            (Err(error), Some(searched)) => Err(refusal(error, ruleset, heap, searched)),
            (Err(error), None) => Err(error),
        }
    }

    fn resting_on(proof: Proof, table: Table) -> Known {
        let Period {
            period,
            preperiod,
            saltus,
        } = proof.period;
        let periodic = Periodic::new(table, preperiod, period, saltus);
        Known {
            values: HeapValues::Periodic(Arc::new(periodic)),
            proof: Some(proof),
        }
    }
}

/// Why a heap has no value, a period having been sought as well.
fn refusal(error: Error, ruleset: &Ruleset, heap: u64, searched: usize) -> Error {
    let (reason, would_do) = match error {
        Error::OutOfReach {
            reason, would_do, ..
        } => (reason, would_do),
        Error::Memory {
            needed,
            allowed,
            would_do,
        } => (
            format!("its table would take {needed} bytes ({allowed} allowed)"),
            would_do,
        ),
        error => return error,
    };
    Error::OutOfReach {
        game: ruleset.name().to_owned(),
        heap,
        reason: format!("{reason}, and no period is proved by the values to {searched}"),
        would_do,
    }
}
