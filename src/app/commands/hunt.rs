//! A search for a period in bounded memory, for days: watched, saved every half minute, and gone on with.
//!
//! The checkpoint holds the last values and the marks, a few MB; beside it `FILE.windows` grows by a snapshot now and
//! then, each with its checksum. The checkpoint is claimed from the first value on, whether that comes by a table or not,
//! so that no two processes work on one search.

mod keeper;
mod snapshots;

use super::interrupt::Graceful;
use super::long_run::{CheckpointArgs, LongRun};
use super::shared_args::EffortArgs;
use crate::app::error::Refused;
use crate::app::files::checkpoint::{CheckpointError, Saved};
use crate::app::files::claim::Claim;
use crate::app::report::style::note;
use crate::engine::ring::Ring;
use crate::engine::{Effort, Watch};
use crate::ruleset::Ruleset;
use crate::sequence::Sequence;
use crate::sequence::period::hunt::{Hunt, Repeat};
use crate::sequence::period::segments::Segments;
use crate::sequence::period::window::Concluded;
use anyhow::Context;
use keeper::Keeper;
use std::collections::BTreeMap;
use std::sync::Arc;

/// With more values than this those of a game with a sparse space are computed in bounded memory.
pub const BY_TABLE: u64 = 1 << 22;

/// What a checkpoint of such a search says that it is; another number means another form.
const CONTENT: &str = "window search 1";
const SEARCH: &str = "window search";
const CONTENT_NAME: &str = "content";

/// A search under way.
pub struct HuntRun {
    hunt: Hunt,
    /// How many values are made without a checkpoint, where they are all that is asked for.
    most: u64,
    watch: Option<Arc<dyn Watch>>,
    keeper: Option<Keeper>,
    /// A signal may come at any moment.
    _graceful: Graceful,
}

/// Whether the checkpoint holds such a search already.
///
/// # Errors
/// If there is a file that is none, or broken.
pub fn is_in(checkpoint: &CheckpointArgs, ruleset: &Ruleset) -> Result<bool, CheckpointError> {
    let Some(file) = &checkpoint.checkpoint else {
        return Ok(false);
    };
    match Saved::open(file, &parameters(ruleset)) {
        Ok(saved) => Ok(saved.is_some()),
        // Of values in a table, or whatever else is told of where it is read.
        Err(CheckpointError::Other { name, found, .. })
            if name == CONTENT_NAME && !found.starts_with(SEARCH) =>
        {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

fn parameters(ruleset: &Ruleset) -> BTreeMap<String, String> {
    let game = super::long_run::parameters(ruleset).remove("game");
    BTreeMap::from([
        (CONTENT_NAME.to_owned(), CONTENT.to_owned()),
        ("game".to_owned(), game.unwrap_or_default()),
    ])
}

impl HuntRun {
    /// Begins a search, or goes on with the one in the checkpoint.
    ///
    /// # Errors
    /// [`EngineUnfit`](crate::Error::EngineUnfit) if the game has no sparse space; or if the checkpoint can't be used.
    pub fn begin(
        ruleset: &Ruleset,
        effort: &EffortArgs,
        checkpoint: &CheckpointArgs,
    ) -> anyhow::Result<HuntRun> {
        let claim = checkpoint.claim()?;
        HuntRun::claimed(ruleset, effort, checkpoint, claim, BY_TABLE + 1)
    }

    /// The same with a checkpoint that is claimed already. One of no more than so many values of a table gives way to the
    /// search.
    fn claimed(
        ruleset: &Ruleset,
        effort: &EffortArgs,
        checkpoint: &CheckpointArgs,
        claim: Option<Claim>,
        most: u64,
    ) -> anyhow::Result<HuntRun> {
        let _graceful = Graceful::begin();
        let quiet = effort.quiet;
        let effort = effort.effort();
        let mut hunt = Hunt::new(ruleset, &effort)?;
        let mut keeper = None;
        if let (Some(file), Some(claim)) = (&checkpoint.checkpoint, claim) {
            let every = checkpoint.checkpoint_every;
            let (keep, saved) = Keeper::open(file, claim, ruleset, every, most)?;
            keeper = Some(keep);
            if let (Some(keeper), Some(saved)) = (&mut keeper, saved) {
                let known = saved.header.state.get("known").copied().unwrap_or(0);
                if !quiet {
                    let (file, last) = (file.display(), known.saturating_sub(1));
                    note(format_args!(
                        "continuing from {file}, which holds a search up to pile {last}; its last values are computed again"
                    ));
                }
                let watch = effort.watch.as_ref();
                let mut go_on =
                    |at: u64| watch.is_none_or(|watch| watch.progress(at.min(known), known));
                hunt = keeper.load(saved, hunt, effort.memory, &mut go_on)?;
            }
        }
        Ok(HuntRun::of(hunt, effort, keeper))
    }

    /// Goes on from the values of a run, if they are codes of a sparse space and the checkpoint holds no others.
    ///
    /// # Errors
    /// As for [`HuntRun::begin`].
    pub fn after(
        run: LongRun,
        effort: &EffortArgs,
        checkpoint: &CheckpointArgs,
    ) -> anyhow::Result<HuntRun> {
        let (known, claim) = run.into_parts();
        let ruleset = known.ruleset().clone();
        if claim.is_some() || !known.table().is_by_rares() {
            drop(known);
            // All that a table showed of the values is known.
            return HuntRun::claimed(&ruleset, effort, checkpoint, claim, u64::MAX);
        }
        HuntRun::unsaved(known, effort)
    }

    /// Goes on from codes of a sparse space, and saves nothing.
    ///
    /// # Errors
    /// If the values are none.
    pub fn unsaved(known: Sequence, effort: &EffortArgs) -> anyhow::Result<HuntRun> {
        let effort = effort.effort();
        Ok(HuntRun::of(Hunt::after(known, &effort)?, effort, None))
    }

    fn of(hunt: Hunt, effort: Effort, keeper: Option<Keeper>) -> HuntRun {
        HuntRun {
            hunt,
            most: effort.steps,
            watch: effort.watch,
            keeper,
            _graceful: Graceful::begin(),
        }
    }

    /// The search.
    pub fn hunt(&self) -> &Hunt {
        &self.hunt
    }

    /// Searches with the values below `limit`, saving now and then.
    ///
    /// # Errors
    /// If values can't be computed, or be saved, or at an interruption; then they are saved.
    pub fn search(&mut self, limit: u64) -> anyhow::Result<Option<Concluded>> {
        self.go_on(limit, &mut |hunt, found, go_on| {
            Ok(found.map(|found| hunt.conclude(found, go_on)).transpose()?)
        })
    }

    /// Computes the values below `limit`, whether they repeat or not, saving now and then. `each` sees the ring after
    /// every stretch of [`STRIDE`](crate::engine::ring::STRIDE) heaps at most, which are kept, and the last 2¹⁸ before them.
    ///
    /// # Errors
    /// As for [`HuntRun::search`], and those of `each`; and if so many values take long and nothing is saved.
    pub(crate) fn compute(
        &mut self,
        limit: u64,
        each: &mut dyn FnMut(&Ring) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        if self.keeper.is_none() && limit > self.most {
            return Err(Refused::Hours {
                game: self.hunt.ring().name().to_owned(),
                heap: limit - 1,
                would_do: self.most - 1,
            }
            .into());
        }
        self.go_on(limit, &mut |hunt, _, _| {
            each(hunt.ring())?;
            Ok(None::<()>)
        })
        .map(drop)
    }

    fn go_on<T>(&mut self, limit: u64, ended: &mut Ended<'_, T>) -> anyhow::Result<Option<T>> {
        let found = self.work(limit, ended);
        if let Some(watch) = &self.watch {
            watch.done();
        }
        match found {
            Err(error) => match &mut self.keeper {
                Some(keeper) => {
                    keeper.save(&self.hunt)?;
                    Err(error).context(keeper.how_to_go_on())
                }
                None => Err(error),
            },
            found => found,
        }
    }

    /// The certificate of what was found.
    ///
    /// # Errors
    /// If values of it can't be computed again, or at an interruption.
    pub fn certificate(&self, ruleset: &Ruleset, found: &Concluded) -> anyhow::Result<Segments> {
        let known = self.hunt.ring().len();
        let watch = self.watch.as_ref();
        let mut go_on = || watch.is_none_or(|watch| watch.progress(known, known));
        let certificate = self.hunt.certificate(ruleset, found, &mut go_on);
        if let Some(watch) = watch {
            watch.done();
        }
        Ok(certificate?)
    }

    fn work<T>(&mut self, limit: u64, ended: &mut Ended<'_, T>) -> anyhow::Result<Option<T>> {
        let watch = self.watch.clone();
        let mut go_on = |known: u64| {
            let watch = watch.as_ref();
            // Without a limit the next power of two is the aim.
            let wanted = if limit == u64::MAX {
                (known + 1).next_power_of_two()
            } else {
                limit
            };
            watch.is_none_or(|watch| watch.progress(known, wanted))
        };
        while self.hunt.ring().len() < limit {
            let found = self.hunt.step(limit, &mut go_on)?;
            let known = self.hunt.ring().len();
            let end = ended(&self.hunt, found, &mut || go_on(known))?;
            if end.is_some() {
                return Ok(end);
            }
            if let Some(watch) = &watch {
                watch.met(&met(&self.hunt));
            }
            if let Some(keeper) = &mut self.keeper
                && keeper.kept.is_due()
            {
                keeper.save(&self.hunt)?;
            }
        }
        if let Some(keeper) = &mut self.keeper {
            keeper.save(&self.hunt)?;
        }
        Ok(None)
    }
}

/// Says after a step, with equal windows if it found some, whether the work is at its end.
type Ended<'a, T> =
    dyn FnMut(&Hunt, Option<Repeat>, &mut dyn FnMut() -> bool) -> anyhow::Result<Option<T>> + 'a;

/// What the search has met, for a progress bar.
fn met(hunt: &Hunt) -> String {
    let ring = hunt.ring();
    let (rares, last) = (ring.rares().len(), ring.last_rare());
    let largest = ring.largest();
    format!(
        "nim-values; {rares} rare, the last {last}; largest {} at {}",
        largest.value, largest.heap
    )
}
