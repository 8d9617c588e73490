//! Fills tables of nim-values: the one place that decides how.

pub(crate) mod cost;

use crate::error::Error;
use crate::grundy;
use crate::ruleset::Ruleset;
use crate::table::Table;
use std::sync::Arc;

/// Sees how far a solver has got, and may stop it.
pub trait Watch: Send + Sync {
    /// Called a few times a second with the number of nim-values known and wanted; `false` stops the work.
    fn progress(&self, known: u64, wanted: u64) -> bool;

    /// Called when the work is over, whether it was done, stopped or failed.
    fn done(&self) {}
}

/// How much work and memory an answer may cost, and who watches it.
#[derive(Clone)]
pub struct Effort {
    /// The most bytes that a table may take.
    pub memory: u64,
    /// The most options that may be walked to make a table by definition.
    pub steps: u64,
    /// Who is told of the progress.
    pub watch: Option<Arc<dyn Watch>>,
}

impl Default for Effort {
    /// 8 GiB, the steps of about two minutes, and nobody watching.
    fn default() -> Effort {
        Effort {
            memory: 8 << 30,
            steps: 60_000_000_000,
            watch: None,
        }
    }
}

/// Computes the nim-values of a ruleset, in order, as far as asked.
///
/// ```
/// use nim_analyser::solver::{Effort, Solver};
///
/// let mut solver = Solver::new("officers".parse()?, Effort::default());
/// solver.fill(10_000)?;
/// assert_eq!(solver.table().get(15), 2);
/// # Ok::<(), nim_analyser::Error>(())
/// ```
pub struct Solver {
    ruleset: Ruleset,
    effort: Effort,
    table: Table,
}

impl Solver {
    /// A solver that knows no value yet.
    pub fn new(ruleset: Ruleset, effort: Effort) -> Solver {
        Solver::resume(ruleset, Table::new(), effort)
    }

    /// A solver that goes on from the values of a table, which must be those of the ruleset.
    pub fn resume(ruleset: Ruleset, table: Table, effort: Effort) -> Solver {
        Solver {
            ruleset,
            effort,
            table,
        }
    }

    /// The values known.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The values known, the solver being done.
    pub fn into_table(self) -> Table {
        self.table
    }

    /// Computes the nim-values of the heaps up to `heap`, so far as they are not known.
    ///
    /// # Errors
    /// If the values would cost more than the effort allows, if one of them doesn't fit a table, if the rule need
    /// not end, or if the watch stopped the work. The values found until then are kept and right.
    pub fn fill(&mut self, heap: u64) -> Result<(), Error> {
        if heap < self.table.len() as u64 {
            return Ok(());
        }
        self.check_cost(heap)?;
        let filled = self.fill_watched(heap);
        if let Some(watch) = &self.effort.watch {
            watch.done();
        }
        filled
    }

    fn fill_watched(&mut self, heap: u64) -> Result<(), Error> {
        while (self.table.len() as u64) <= heap {
            grundy::push_next(&self.ruleset, &mut self.table)?;
            let known = self.table.len() as u64;
            if known.is_multiple_of(16)
                && let Some(watch) = &self.effort.watch
                && !watch.progress(known, heap + 1)
            {
                return Err(Error::Interrupted);
            }
        }
        Ok(())
    }

    fn check_cost(&self, heap: u64) -> Result<(), Error> {
        let needed = 2 * (u128::from(heap) + 1);
        let allowed = self.effort.memory;
        if needed > u128::from(allowed) {
            let needed = u64::try_from(needed).unwrap_or(u64::MAX);
            return Err(Error::Memory {
                needed,
                allowed,
                would_do: (allowed / 2).saturating_sub(1),
            });
        }
        let steps = |heap| cost::by_definition(&self.ruleset, heap);
        let allowed = u128::from(self.effort.steps);
        if steps(heap) <= allowed {
            return Ok(());
        }
        Err(Error::OutOfReach {
            game: self.ruleset.name().to_owned(),
            heap,
            reason: format!("its table would take more than {allowed} steps by definition"),
            would_do: cost::largest_within(allowed, heap, steps),
        })
    }
}
