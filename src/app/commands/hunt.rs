//! A search for a period in bounded memory, for days: watched, saved every half minute, and gone on with.
//!
//! The checkpoint holds the last values and the marks, a few MB; beside it `FILE.windows` grows by a snapshot now and
//! then, each with its checksum. It is locked, so that no two processes work on one search.

use super::interrupt::Graceful;
use super::long_run::CheckpointArgs;
use super::shared_args::EffortArgs;
use crate::app::files::atomic_file::with_suffix;
use crate::app::files::checkpoint::{CheckpointError, Header, Saved, Saving};
use crate::app::report::style::note;
use crate::engine::ring::Ring;
use crate::engine::{Effort, Watch};
use crate::error::Error;
use crate::ruleset::Ruleset;
use crate::sequence::period::hunt::{Hunt, Repeat, Snapshots};
use crate::sequence::period::segments::Segments;
use crate::sequence::period::window::Concluded;
use anyhow::{Context, bail};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// With more values than this those of a game with a sparse space are computed in bounded memory.
pub const BY_TABLE: u64 = 1 << 22;

/// What a checkpoint of such a search says that it is; another number means another form.
const CONTENT: &str = "window search 1";
const SEARCH: &str = "window search";
const CONTENT_NAME: &str = "content";

/// How many bytes of the snapshots' file belong to a checkpoint.
const SNAPSHOT_BYTES: &str = "snapshot_bytes";

/// A search under way.
pub struct HuntRun {
    hunt: Hunt,
    game: String,
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
        let graceful = Graceful::begin();
        let quiet = effort.quiet;
        let effort: Effort = effort.effort();
        let mut hunt = Hunt::new(ruleset, &effort)?;
        let mut keeper = None;
        if let Some(file) = &checkpoint.checkpoint {
            let mut keep = Keeper::open(file, ruleset, checkpoint.checkpoint_every)?;
            if is_in(checkpoint, ruleset)? {
                hunt = keep.load(hunt)?;
                if !quiet {
                    let known = hunt.ring().len() - 1;
                    let file = file.display();
                    note(format_args!(
                        "going on from {file}, which holds a search up to pile {known}"
                    ));
                }
            } else {
                keep.start_anew()?;
            }
            keeper = Some(keep);
        }
        Ok(HuntRun {
            hunt,
            game: ruleset.name().to_owned(),
            most: effort.steps,
            watch: effort.watch,
            keeper,
            _graceful: graceful,
        })
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
    pub fn compute(
        &mut self,
        limit: u64,
        each: &mut dyn FnMut(&Ring) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        if self.keeper.is_none() && limit > self.most {
            return Err(Error::OutOfReach {
                game: self.game.clone(),
                heap: limit - 1,
                reason: "its values come one after another, and so many take hours; with --checkpoint FILE the work goes on as long as it takes".to_owned(),
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
                && keeper.next.is_some_and(|next| Instant::now() >= next)
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

/// The file beside a checkpoint that holds the snapshots.
fn windows_of(checkpoint: &Path) -> PathBuf {
    with_suffix(checkpoint, ".windows")
}

/// Keeps a search in its files.
struct Keeper {
    file: PathBuf,
    /// Locked as long as the search lasts.
    windows: File,
    parameters: BTreeMap<String, String>,
    every: Duration,
    /// When to save again; never, if that is beyond counting.
    next: Option<Instant>,
    /// The last snapshot written.
    written: u64,
    /// How many bytes of snapshots are written.
    bytes: u64,
    /// How many values the checkpoint holds.
    saved: u64,
}

impl Keeper {
    fn open(file: &Path, ruleset: &Ruleset, every: Duration) -> anyhow::Result<Keeper> {
        // A file that can't be written is better known now than in half a minute.
        Saving::check(file)?;
        let path = windows_of(file);
        let open = || {
            let windows = OpenOptions::new()
                .read(true)
                .append(true)
                .create(true)
                .open(&path)?;
            match windows.try_lock() {
                Ok(()) => Ok(windows),
                Err(TryLockError::WouldBlock) => {
                    let text = format!("another process works on {}", file.display());
                    Err(io::Error::new(io::ErrorKind::ResourceBusy, text))
                }
                Err(TryLockError::Error(error)) => Err(error),
            }
        };
        let io_error = |source| CheckpointError::Io {
            file: path.clone(),
            source,
        };
        Ok(Keeper {
            file: file.to_owned(),
            windows: open().map_err(io_error)?,
            parameters: parameters(ruleset),
            every,
            next: Instant::now().checked_add(every),
            written: 0,
            bytes: 0,
            saved: 0,
        })
    }

    /// Lets go of snapshots whose checkpoint was never written, or is gone.
    ///
    /// # Errors
    /// If the file has other things in it.
    fn start_anew(&mut self) -> anyhow::Result<()> {
        let mut head = Vec::new();
        (&self.windows).take(16).read_to_end(&mut head)?;
        // A heap and a length: no text looks like that.
        let (numbers, _) = head.as_chunks();
        if numbers.iter().any(|&n| u64::from_le_bytes(n) >> 56 != 0) {
            bail!(
                "{} is to hold the snapshots of the search, but has other things in it; name another checkpoint, or remove it",
                windows_of(&self.file).display()
            );
        }
        Ok(self.windows.set_len(0)?)
    }

    fn load(&mut self, hunt: Hunt) -> anyhow::Result<Hunt> {
        let Some(mut saved) = Saved::open(&self.file, &self.parameters)? else {
            return Ok(hunt);
        };
        let mut bytes = Vec::new();
        loop {
            let block = saved.next_block()?;
            if block.is_empty() {
                break;
            }
            bytes.extend(block);
        }
        let snapshots = self.read_windows(&saved)?;
        match hunt.resume(&saved.header.state, &bytes, snapshots)? {
            Some(hunt) => {
                self.saved = hunt.ring().len();
                Ok(hunt)
            }
            None => bail!(
                "checkpoint {} is of no search that this version can go on with; remove it to start again",
                saved.file.display()
            ),
        }
    }

    /// The snapshots up to where the checkpoint is; what follows, a half-written one too, is cut off.
    ///
    /// # Errors
    /// If some of what the checkpoint needs is missing or changed.
    fn read_windows(&mut self, saved: &Saved) -> anyhow::Result<Snapshots> {
        let known = saved.header.state.get("known").copied().unwrap_or(0);
        let mut all = Vec::new();
        self.windows.read_to_end(&mut all)?;
        let mut snapshots = Snapshots::new();
        let mut at = 0;
        while let Some((heap, codes, end)) = record(&all, at) {
            if heap > known {
                break;
            }
            snapshots.insert(heap, codes.into());
            (self.written, at) = (heap, end);
        }
        let needed = saved.header.state.get(SNAPSHOT_BYTES).copied().unwrap_or(0);
        if (at as u64) < needed {
            bail!(
                "{} is broken at byte {at}: {needed} bytes of it belong to checkpoint {}; put back what it was, or remove both to start again",
                windows_of(&self.file).display(),
                self.file.display()
            );
        }
        self.bytes = at as u64;
        self.windows.set_len(at as u64)?;
        Ok(snapshots)
    }

    fn how_to_go_on(&self) -> String {
        let file = self.file.display();
        match self.saved.checked_sub(1) {
            Some(last) => format!(
                "the search up to pile {last} is in {file}, and the same command goes on from there"
            ),
            None => format!(
                "nothing is in {file} yet: too few values are known behind the last rare pile"
            ),
        }
    }

    fn save(&mut self, hunt: &Hunt) -> anyhow::Result<()> {
        let begun = Instant::now();
        let mut records = Vec::new();
        let mut written = self.written;
        for (&heap, codes) in hunt.snapshots().range(self.written + 1..) {
            let mut head = heap.to_le_bytes().to_vec();
            head.extend((codes.len() as u64).to_le_bytes());
            let checksum = crc32fast::hash(&[&head[..], codes].concat());
            records.extend(head);
            records.extend(checksum.to_le_bytes());
            records.extend(codes.iter());
            written = heap;
        }
        let io_error = |source| CheckpointError::Io {
            file: windows_of(&self.file),
            source,
        };
        self.windows.write_all(&records).map_err(io_error)?;
        self.windows.sync_data().map_err(io_error)?;
        self.written = written;
        self.bytes += records.len() as u64;
        if let Some((mut state, bytes)) = hunt.save() {
            state.insert(SNAPSHOT_BYTES.to_owned(), self.bytes);
            let header = Header {
                parameters: self.parameters.clone(),
                state,
                bytes: bytes.len() as u64,
            };
            let mut saving = Saving::create(&self.file, &header)?;
            saving
                .write_all(&bytes)
                .map_err(|source| CheckpointError::Io {
                    file: self.file.clone(),
                    source,
                })?;
            saving.finish()?;
            self.saved = hunt.ring().len();
        }
        self.next = Instant::now().checked_add(self.every.max(begun.elapsed() * 20));
        Ok(())
    }
}

/// The snapshot that begins at a byte, and where it ends; `None` if it is cut short or changed.
fn record(all: &[u8], at: usize) -> Option<(u64, &[u8], usize)> {
    let head = all.get(at..at + 16)?;
    let number = |at: usize| {
        head[at..at + 8]
            .try_into()
            .map(u64::from_le_bytes)
            .unwrap_or_default()
    };
    let length = usize::try_from(number(8)).ok()?;
    let checksum = all.get(at + 16..at + 20)?;
    let end = (at + 20).checked_add(length)?;
    let codes = all.get(at + 20..end)?;
    let right = crc32fast::hash(&[head, codes].concat()).to_le_bytes();
    (right == checksum).then_some((number(0), codes, end))
}
