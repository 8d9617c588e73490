//! How the table of a sequence is filled: the one place that chooses among the engines.

mod allowed;
mod hook;

use super::Sequence;
use super::saver::FirstValues;
use crate::engine::coded_values::CodedValues;
use crate::engine::octal::Octal;
use crate::engine::pairs::AllPairs;
use crate::engine::partitions::{self, Partitions};
use crate::engine::sparse::MOST_THREADS;
use crate::engine::table::Table;
use crate::engine::{Engine, Stop, cost, definition, takings, useful_threads};
use crate::error::{Error, Unfit};
use crate::ruleset::Formula;
use hook::Hook;
use std::sync::Arc;

/// The heaps to this one are worked out by the definition, and so all small positions: no engine is asked.
const FIRST_HEAPS: u64 = 255;

/// A game with more options than this among them is left to an engine.
const FIRST_OPTIONS: u128 = 1 << 21;

/// A table that comes to more values than this by rare heaps goes on to its end, even if it has to change to all pairs on the
/// way.
const LET_THROUGH: u64 = 1 << 18;

impl Sequence {
    /// Computes the nim-values of the heaps up to `heap` one by one, so far as they are not known, even beyond a proved period:
    /// see [`Sequence::reach`] for one value.
    ///
    /// # Errors
    /// If the values would cost more than the effort allows, if one of them doesn't fit a table, if the rule need
    /// not end, or if the watch stopped the work. Those found until then are kept and
    /// right.
    pub fn fill(&mut self, heap: u64) -> Result<(), Error> {
        self.fill_on_to(heap, heap)
    }

    /// Like [`Sequence::fill`], in less time if the next call goes on to heap `on_to`.
    pub(super) fn fill_on_to(&mut self, heap: u64, on_to: u64) -> Result<(), Error> {
        if heap < self.computed() {
            return Ok(());
        }
        if self.bounded_search.is_some() {
            return self.compute(heap, u64::MAX, &mut |_, _| Ok(()));
        }
        let filled = self.fill_watched(heap, on_to);
        self.effort.done();
        filled
    }

    /// Fills the table to heap `last` on the way to heap `to`, if all values to that are allowed.
    pub(super) fn fill_on_the_way(&mut self, last: u64, to: u64) -> Result<(), Error> {
        let Some(octal) = Octal::breaking(&self.ruleset) else {
            return Ok(());
        };
        while self.computed() <= last {
            // By rare heaps the values to `to` stand in a window.
            let next = match self.table.is_by_rares() {
                true => last,
                false => self.allowed_by_pairs(&octal, last, to)?,
            };
            self.fill(next)?;
        }
        Ok(())
    }

    fn fill_watched(&mut self, heap: u64, on_to: u64) -> Result<(), Error> {
        let first = heap.min(FIRST_HEAPS);
        let options = |heap| cost::by_definition(&self.ruleset, heap);
        let is_short = self.effort.engine == Engine::Auto && self.computed() <= FIRST_HEAPS;
        if is_short && options(first) <= FIRST_OPTIONS {
            self.check_cost(first, options)?;
            self.by_definition(first)?;
            if heap < self.table.len() as u64 {
                return Ok(());
            }
        }
        let octal = Octal::breaking(&self.ruleset);
        match (self.effort.engine, octal) {
            (Engine::Auto | Engine::Sparse, Some(octal)) => self.fill_octal(&octal, heap, on_to),
            (Engine::Pairs, Some(octal)) => self.fill_by_pairs(&octal, heap),
            (Engine::Pairs | Engine::Sparse, None) => Err(self.unfit(Unfit::Moves)),
            (Engine::Partitions, _) => self.by_partitions(heap),
            (Engine::Auto, None) if Partitions::of(&self.ruleset).is_some_and(|k| k.pays()) => {
                self.by_partitions(heap)
            }
            (Engine::Auto, None) if let Some(formula) = self.ruleset.formula() => {
                self.by_formula(formula, heap)
            }
            (Engine::Auto, None) if self.ruleset.takings().is_some() => self.by_takings(heap),
            (Engine::Auto | Engine::Definition, _) => {
                self.check_cost(heap, |heap| cost::by_definition(&self.ruleset, heap))?;
                self.by_definition(heap)
            }
        }
    }

    fn unfit(&self, reason: Unfit) -> Error {
        Error::EngineUnfit {
            engine: self.effort.engine.name(),
            game: self.ruleset.name().to_owned(),
            reason,
        }
    }

    /// Tells the watch which engine computes the next values.
    fn tell(&mut self, engine: Engine) {
        if self.told == Some(engine) {
            return;
        }
        self.told = Some(engine);
        let Some(watch) = &self.effort.watch else {
            return;
        };
        let (kernel, threads) = (
            self.effort.kernel.name(),
            useful_threads(self.effort.threads),
        );
        let threads = match engine {
            Engine::Sparse => threads.min(MOST_THREADS),
            _ => threads,
        };
        let from = self.table.len();
        let threads = if threads == 1 {
            "1 thread".to_owned()
        } else {
            format!("{threads} threads")
        };
        let how = match engine {
            Engine::Auto | Engine::Definition => engine.to_string(),
            Engine::Partitions => format!("the {engine} engine"),
            _ => format!("the {engine} engine ({kernel}, {threads})"),
        };
        watch.using(&format!("from pile {from} on by {how}"));
    }

    /// The table, taken out to be extended: the owner's own unless somebody still looks at it.
    pub(super) fn take_table(&mut self) -> Table {
        Arc::unwrap_or_clone(std::mem::take(&mut self.table))
    }

    fn by_definition(&mut self, heap: u64) -> Result<(), Error> {
        self.tell(Engine::Definition);
        let mut table = self.take_table();
        let mut hook = Hook::new(&self.effort, &mut self.saver, heap);
        let done = definition::fill(&self.ruleset, &mut table, heap, |table| {
            if !table.len().is_multiple_of(16) || hook.go_on(FirstValues::Table(table)) {
                return Ok(());
            }
            Err(Error::Interrupted)
        });
        self.table = Arc::new(table);
        done
    }

    fn by_formula(&mut self, formula: Formula, heap: u64) -> Result<(), Error> {
        self.check_cost(heap, u128::from)?;
        let mut table = self.take_table();
        let mut hook = Hook::new(&self.effort, &mut self.saver, heap);
        let value = |heap| u64::try_from(formula.value(heap)).unwrap_or(u64::MAX);
        let pushed = (table.len() as u64..=heap).try_for_each(|heap| {
            if heap.is_multiple_of(1 << 16) && !hook.go_on(FirstValues::Table(&table)) {
                return Err(Error::Interrupted);
            }
            table.push(value(heap))
        });
        self.table = Arc::new(table);
        pushed
    }

    /// The values of a rule in words: by sets of heaps where it only takes, else by the definition.
    fn by_takings(&mut self, heap: u64) -> Result<(), Error> {
        let ruleset = self.ruleset.clone();
        let takings = ruleset.takings();
        self.check_cost(heap, |heap| cost::by_definition(&ruleset, heap))?;
        let Some(plain) = takings.and_then(|takings| takings.plain(heap)) else {
            return self.by_definition(heap);
        };
        self.tell(Engine::Definition);
        let has_room = heap < self.effort.memory / takings::BYTES;
        let memory = |_| Error::NoMemory {
            needed: takings::BYTES * (heap + 1),
        };
        self.extend_words(heap, memory, |values, go_on| {
            takings::extend(values, heap as usize + 1, &plain, has_room, go_on)
        })
    }

    /// Extends the values with `extend`, which gets them as a vector and a function to call now and then, whether to go on. If
    /// memory is short, the error is `memory` of the number of values known by then.
    fn extend_words(
        &mut self,
        heap: u64,
        memory: impl FnOnce(u64) -> Error,
        extend: impl FnOnce(&mut Vec<u16>, &mut dyn FnMut(&[u16]) -> bool) -> Result<(), Stop>,
    ) -> Result<(), Error> {
        let mut values = self.table.to_words()?;
        let mut hook = Hook::new(&self.effort, &mut self.saver, heap);
        let done = extend(&mut values, &mut |values| {
            hook.go_on(FirstValues::Slice(values))
        });
        let known = values.len() as u64;
        self.table = Arc::new(Table::from(values));
        done.map_err(|stop| match stop {
            Stop::TooLarge => Error::ValueTooLarge { heap: known },
            Stop::Interrupted => Error::Interrupted,
            Stop::Memory | Stop::Steps | Stop::Forgotten => memory(known),
        })
    }

    /// Fills the table of an octal game. A sparse space shows only once some values are known, and may show or fail later on.
    fn fill_octal(&mut self, game: &Octal, heap: u64, on_to: u64) -> Result<(), Error> {
        let forced = self.effort.engine == Engine::Sparse;
        let first = if forced {
            2 * game.from + 64
        } else {
            (4 * game.from).max(1024)
        } as u64;
        if !self.fits_memory(heap) {
            // The first values tell which piles would do.
            let last = self.learnable(game).saturating_sub(1);
            if self.fits_memory(last) {
                self.fill_octal(game, last, last)?;
            }
            return self.check_pairs(game, heap);
        }
        while (self.table.len() as u64) <= heap {
            if (self.table.len() as u64) < first {
                self.decode()?;
            }
            let known = self.table.len() as u64;
            let due = forced || known >= 2 * self.sought_at;
            if known > first && due {
                self.sought_at = known;
                match self.pays_by_rares() {
                    Some(false) if !forced => self.decode()?,
                    Some(_) => {}
                    None => self.encode(game, forced)?,
                }
                if forced && !self.table.is_by_rares() {
                    return Err(self.unfit(Unfit::NoSparseSpace));
                }
            }
            if self.table.is_by_rares() {
                self.tell(Engine::Sparse);
                let has_room = self.by_rares(heap, on_to, forced)?;
                if self.table.len() as u64 > LET_THROUGH {
                    self.let_through = self.let_through.max(heap);
                }
                if has_room {
                    continue;
                }
                let is_wider = self.widen()?;
                if is_wider && (forced || self.pays_by_rares() == Some(true)) {
                    continue;
                }
                if forced {
                    return Err(self.unfit(Unfit::Values));
                }
                self.decode()?;
            }
            let next = (2 * self.table.len() as u64).max(first).min(heap);
            let next = self.allowed_by_pairs(game, next, heap)?;
            self.by_pairs(game, next)?;
        }
        Ok(())
    }

    /// Fills the table by all pairs, whether rare heaps would pay or not.
    fn fill_by_pairs(&mut self, game: &Octal, heap: u64) -> Result<(), Error> {
        while (self.table.len() as u64) <= heap {
            let next = self.allowed_by_pairs(game, heap, heap)?;
            self.by_pairs(game, next)?;
        }
        Ok(())
    }

    /// Extends a table of codes, if it is one, with what was learnt from it before. Unless `forced`, it is tested each time twice
    /// as many values are proved whether this still costs less than all pairs, and the work ends when it doesn't. Returns `false`
    /// if a value has no code that fits, and `true` in every other case.
    fn by_rares(&mut self, heap: u64, on_to: u64, forced: bool) -> Result<bool, Error> {
        let mut table = self.take_table();
        let sought_at = &mut self.sought_at;
        let mut pays = true;
        let mut hook = Hook::new(&self.effort, &mut self.saver, heap);
        let (to, on_to) = (heap as usize + 1, on_to.saturating_add(1) as usize);
        let extend = |coded: &mut CodedValues| {
            coded.extend(to, on_to, &mut |codes, proven| {
                if !forced && proven as u64 >= 2 * *sought_at {
                    pays = codes.cost_less_than_all_pairs();
                    // Where it doesn't, all that is known is looked at.
                    if pays {
                        *sought_at = proven as u64;
                    }
                }
                pays && hook.go_on(FirstValues::Codes(codes, proven))
            })
        };
        let done = table.coded_mut().map_or(Ok(()), extend);
        self.table = Arc::new(table);
        match done {
            Ok(()) => Ok(true),
            Err(Stop::TooLarge) => Ok(false),
            Err(Stop::Interrupted) if hook.stopped => Err(Error::Interrupted),
            // Else the engine was stopped because rare heaps no longer pay.
            Err(Stop::Interrupted) => Ok(true),
            // A table forgets nothing, and its steps are not counted.
            Err(Stop::Memory | Stop::Steps | Stop::Forgotten) => {
                Err(Error::NoMemory { needed: heap + 1 })
            }
        }
    }

    /// Fills the table from all pairs.
    fn by_pairs(&mut self, game: &Octal, heap: u64) -> Result<(), Error> {
        self.tell(Engine::Pairs);
        let mut pairs = AllPairs::new(game, self.effort.kernel, self.effort.threads);
        let memory = |_| Error::NoMemory {
            needed: 2 * (heap + 1),
        };
        self.extend_words(heap, memory, |values, go_on| {
            pairs.extend(values, heap as usize + 1, go_on)
        })
    }

    /// Fills the table from the sets of nim-sums of so many stones in so many heaps; the first ones tell what all cost.
    fn by_partitions(&mut self, heap: u64) -> Result<(), Error> {
        if self.partitions.is_none() {
            self.partitions = Partitions::of(&self.ruleset);
        }
        while let Some(partitions) = self.partitions.as_ref().filter(|_| heap > self.let_through) {
            let next = partitions
                .learn_next()
                .max(self.table.len() as u64)
                .min(heap);
            if partitions.steps() >= partitions::STEPS_TO_LEARN || !self.fits_memory(next) {
                let price = partitions.price();
                self.check_cost(heap, |heap| price.steps(heap))?;
                self.let_through = heap;
                break;
            }
            self.extend_partitions(next, partitions::STEPS_TO_LEARN)?;
            if self.table.len() as u64 > heap {
                return Ok(());
            }
        }
        self.extend_partitions(heap, u64::MAX)
    }

    /// Fills the table from the sets of nim-sums, by so many steps at most, those taken before among them.
    fn extend_partitions(&mut self, heap: u64, steps: u64) -> Result<(), Error> {
        let Some(mut partitions) = self.partitions.take() else {
            return Err(self.unfit(Unfit::NoCode));
        };
        let allowed = self.effort.memory;
        self.tell(Engine::Partitions);
        let limits = partitions::Limits {
            memory: allowed,
            steps,
        };
        let memory = |known: u64| Error::Memory {
            needed: allowed.saturating_add(1),
            allowed,
            would_do: known.saturating_sub(1),
        };
        let mut are_whole = false;
        let extended = self.extend_words(heap, memory, |values, go_on| {
            let done = partitions.extend(values, heap as usize + 1, limits, go_on);
            // After another stop the sets may lack a part.
            are_whole = matches!(done, Ok(()) | Err(Stop::Interrupted | Stop::Steps));
            match done {
                Err(Stop::Steps) => Ok(()),
                done => done,
            }
        });
        if are_whole {
            self.partitions = Some(partitions);
        }
        extended
    }

    /// Keeps the table as codes, if the game has a sparse space, and one that pays unless it is forced.
    pub(in crate::sequence) fn encode(&mut self, game: &Octal, forced: bool) -> Result<(), Error> {
        let values = self.table.to_words()?;
        let share = if forced { 1 } else { 4 };
        let coded = CodedValues::encode(game, &values, share, &self.effort);
        if let Some(coded) = coded.filter(|it| forced || it.codes().cost_less_than_all_pairs()) {
            self.table = Arc::new(Table::of_codes(coded));
        }
        Ok(())
    }

    /// Whether going by rare heaps pays still, if the table holds codes.
    fn pays_by_rares(&self) -> Option<bool> {
        let coded = self.table.coded();
        coded.map(|coded| coded.codes().cost_less_than_all_pairs())
    }

    /// Keeps codes of two bytes instead of one, and says whether there were such.
    fn widen(&mut self) -> Result<bool, Error> {
        let mut table = self.take_table();
        let needed = 2 * table.len() as u64;
        let widened = table.coded_mut().map_or(Ok(false), CodedValues::widen);
        self.table = Arc::new(table);
        widened.map_err(|_| Error::NoMemory { needed })
    }

    fn decode(&mut self) -> Result<(), Error> {
        if self.table.is_by_rares() {
            self.table = Arc::new(Table::from(self.table.to_words()?));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grundy;

    #[test]
    fn the_first_heaps_are_worked_out_by_the_definition_however_few_are_asked_for_at_a_time() {
        for game in ["0.6", "kayles", "grundy"] {
            let mut sequence = Sequence::new(game.parse().unwrap());
            for heap in [8, 9, 100, FIRST_HEAPS] {
                sequence.fill(heap).unwrap();
                assert_eq!(
                    sequence.engine(),
                    Some(Engine::Definition),
                    "{game}, {heap}"
                );
            }
            sequence.fill(1000).unwrap();
            assert_ne!(sequence.engine(), Some(Engine::Definition), "{game}");
            let wanted = grundy::values(sequence.ruleset(), 1000).unwrap();
            let values = (0..=1000).map(|heap| u64::from(sequence.table().value(heap)));
            assert!(values.eq(wanted), "{game}");
        }
    }
}
