//! Fills tables of nim-values: the one place that decides how.

mod choice;
pub(crate) mod cost;
pub mod kernel;
mod octal;
mod quadratic;
pub mod ring;
mod sparse;
pub mod table;

use crate::engine::kernel::Kernel;
use crate::engine::table::Table;
use crate::engine::table::sparse_space::Split;
use crate::error::Error;
use crate::grundy;
use crate::ruleset::Ruleset;
pub use choice::Engine;

use octal::Octal;
use quadratic::Quadratic;
use sparse::{Sparse, Stop};
use std::sync::Arc;

/// Sees how far a solver has got, and may stop it.
pub trait Watch: Send + Sync {
    /// Called a few times a second with the number of nim-values known and wanted; `false` stops the work.
    fn progress(&self, known: u64, wanted: u64) -> bool;

    /// Called when the values from here on are computed in another way, said in a few words.
    fn using(&self, _way: &str) {}

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
    /// How to compute.
    pub engine: Engine,
    /// The instruction set to compute with.
    pub kernel: Kernel,
    /// How many threads to compute with; the values don't depend on it.
    pub threads: usize,
}

impl Default for Effort {
    /// 8 GiB, the steps of about two minutes, and nobody watching.
    fn default() -> Effort {
        Effort {
            memory: 8 << 30,
            steps: 60_000_000_000,
            watch: None,
            engine: Engine::Auto,
            kernel: Kernel::detect(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// The rare and the common values of a game, as its values from heap 0 on show them; `None` if more than a quarter of
/// the heaps, or none at all, would be rare, and for games whose moves may leave three heaps.
pub fn split_shown_by(ruleset: &Ruleset, values: &[u16]) -> Option<Split> {
    let octal = Octal::of(ruleset).filter(Octal::is_breaking)?;
    let breaks: Vec<usize> = octal.breaks.iter().map(|&(stones, _)| stones).collect();
    let (split, rare) = Split::discover(values, 0, &breaks)?;
    (rare > 0 && 4 * rare <= values.len()).then_some(split)
}

/// Computes the nim-values of a ruleset, in order, as far as asked.
///
/// ```
/// use nim_analyser::engine::{Effort, Solver};
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
    /// How many values were known when a sparse space was last looked for.
    sought_at: u64,
    /// The engine that the watch was last told of.
    told: Engine,
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
            sought_at: 0,
            told: Engine::Auto,
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
        let filled = self.fill_watched(heap);
        if let Some(watch) = &self.effort.watch {
            watch.done();
        }
        filled
    }

    fn fill_watched(&mut self, heap: u64) -> Result<(), Error> {
        let octal = Octal::of(&self.ruleset).filter(Octal::is_breaking);
        match (self.effort.engine, octal) {
            (Engine::Auto | Engine::Sparse, Some(octal)) => self.fill_octal(&octal, heap),
            (Engine::Quadratic, Some(octal)) => {
                self.check_cost(heap)?;
                self.by_pairs(&octal, heap)
            }
            (Engine::Quadratic | Engine::Sparse, None) => Err(self.unfit(
                "it is not a game whose moves leave two heaps at most, of any or of unequal sizes",
            )),
            (Engine::Auto | Engine::Definition, _) => {
                self.check_cost(heap)?;
                self.by_definition(heap)
            }
        }
    }

    fn unfit(&self, reason: &str) -> Error {
        Error::EngineUnfit {
            engine: self.effort.engine.name(),
            game: self.ruleset.name().to_owned(),
            reason: reason.to_owned(),
        }
    }

    /// Tells the watch which engine computes the next values.
    fn tell(&mut self, engine: Engine) {
        if self.told == engine {
            return;
        }
        self.told = engine;
        let Some(watch) = &self.effort.watch else {
            return;
        };
        let (kernel, threads) = (self.effort.kernel.name(), self.effort.threads);
        let from = self.table.len();
        let threads = if threads == 1 {
            "1 thread".to_owned()
        } else {
            format!("{threads} threads")
        };
        match engine {
            Engine::Auto | Engine::Definition => {
                watch.using(&format!("from pile {from} on by {engine}"))
            }
            _ => watch.using(&format!(
                "from pile {from} on by the {engine} engine ({kernel}, {threads})"
            )),
        }
    }

    fn by_definition(&mut self, heap: u64) -> Result<(), Error> {
        self.tell(Engine::Definition);
        while (self.table.len() as u64) <= heap {
            grundy::push_next(&self.ruleset, &mut self.table)?;
            if self.table.len().is_multiple_of(16) {
                self.report(self.table.len(), heap)?;
            }
        }
        Ok(())
    }

    /// Tells the watch how far the table has got.
    fn report(&self, known: usize, heap: u64) -> Result<(), Error> {
        match &self.effort.watch {
            Some(watch) if !watch.progress(known as u64, heap + 1) => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }

    /// A sparse space shows only once some values are known, and may show or fail later on.
    fn fill_octal(&mut self, game: &Octal, heap: u64) -> Result<(), Error> {
        let forced = self.effort.engine == Engine::Sparse;
        let first = if forced {
            2 * game.from + 64
        } else {
            (4 * game.from).max(1024)
        } as u64;
        self.check_memory(heap)?;
        let share = if forced { 1 } else { 4 };
        while (self.table.len() as u64) <= heap {
            if (self.table.len() as u64) < first {
                self.table.decode()?;
            }
            let known = self.table.len() as u64;
            let due = forced || known >= 2 * self.sought_at;
            if !self.table.is_coded() && known > first && due {
                self.sought_at = known;
                self.encode(game, share)?;
                if forced && !self.table.is_coded() {
                    return Err(self.unfit("it has no sparse space, or its values outgrow a byte"));
                }
            }
            if self.table.is_coded() {
                self.tell(Engine::Sparse);
            }
            if let Some(codes) = self.table.take_codes() {
                let mut sparse = Sparse::new(game, codes, self.effort.kernel, self.effort.threads);
                let done =
                    sparse.extend(heap as usize + 1, |known| self.report(known, heap).is_ok());
                self.table = Table::from(sparse.into_codes());
                match done {
                    Ok(()) => return Ok(()),
                    Err(Stop::Interrupted) => return Err(Error::Interrupted),
                    Err(Stop::Memory | Stop::Forgotten) => return Err(Error::out_of_memory(heap + 1)),
                    Err(Stop::Outgrown) if forced => {
                        return Err(self.unfit("its values outgrow a byte"));
                    }
                    Err(Stop::Outgrown) => self.table.decode()?,
                }
            }
            let next = (2 * self.table.len() as u64).max(first).min(heap);
            self.check_cost(next)?;
            self.by_pairs(game, next)?;
        }
        Ok(())
    }

    /// Fills the table from all pairs.
    fn by_pairs(&mut self, game: &Octal, heap: u64) -> Result<(), Error> {
        self.tell(Engine::Quadratic);
        let mut values = self.table.to_words()?;
        let mut quadratic = Quadratic::new(game, self.effort.kernel, self.effort.threads);
        let done = quadratic.extend(&mut values, heap as usize + 1, |known| {
            self.report(known, heap).is_ok()
        });
        let known = values.len() as u64;
        self.table = Table::from(values);
        done.map_err(|stop| match stop {
            quadratic::Stop::TooLarge => Error::ValueTooLarge { heap: known },
            quadratic::Stop::Memory => Error::out_of_memory(2 * (heap + 1)),
            quadratic::Stop::Interrupted => Error::Interrupted,
        })
    }

    /// Keeps the table as codes, if the game has a sparse space.
    fn encode(&mut self, game: &Octal, share: usize) -> Result<(), Error> {
        let values = self.table.to_words()?;
        if let Some(codes) = sparse::encode(game, &values, share) {
            self.table = Table::from(codes);
        }
        Ok(())
    }

    fn check_memory(&self, heap: u64) -> Result<(), Error> {
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
        Ok(())
    }

    fn check_cost(&self, heap: u64) -> Result<(), Error> {
        self.check_memory(heap)?;
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
