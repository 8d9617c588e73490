//! The engines that compute nim-values, the bounds on what an answer may cost, and the watch that follows its progress.

mod choice;
pub(crate) mod coded_values;
pub(crate) mod codes;
pub(crate) mod cost;
pub mod definition;
#[cfg(test)]
mod first_values;
mod kernel;
pub(crate) use kernel::set_bits;
pub(crate) mod octal;
pub(crate) mod packed;
pub(crate) mod pairs;
pub(crate) mod partitions;
pub(crate) mod segments_in_lanes;
pub(crate) mod sparse;
pub mod sparse_space;
pub mod table;
pub(crate) mod takings;
pub(crate) mod value_window;

pub use choice::{Engine, UnknownEngine};
pub use kernel::Kernel;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Watches how far a computation has got, and may stop it.
pub trait Watch: Send + Sync {
    /// Called often, in fast loops many thousand times a second, with the number of nim-values known and wanted: it should return
    /// at once. `false` stops the work.
    fn progress(&self, known: u64, wanted: u64) -> bool;

    /// Called when the values from here on are computed in another way, which `way` names in a few words.
    fn using(&self, _way: &str) {}

    /// Called when the work before is over and the work from here on is counted in other things than nim-values, or again in
    /// nim-values.
    fn counting(&self, _things: &'static str) {}

    /// Called now and then with a few words about what the work has found so far, such as the number of rare heaps.
    fn met(&self, _what: &str) {}

    /// Called when the work is over, whether it was done, stopped or failed.
    fn done(&self) {}
}

/// Why an engine ended before the heap that was asked for. The values computed until then are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A value, or its code, is larger than the table can hold.
    TooLarge,
    /// The work would take more memory than is allowed, or than there is.
    Memory,
    /// The work would take more steps than are allowed.
    Steps,
    /// The caller stopped the work.
    Interrupted,
    /// The value of the next heap depends on pairs of heaps that are forgotten.
    Forgotten,
}

/// Up to this many threads are started even on a machine with fewer cores.
const FEW_THREADS: usize = 16;

/// How many of the threads asked for are worth starting: more threads than cores don't help.
pub(crate) fn useful_threads(asked: usize) -> usize {
    if asked <= FEW_THREADS {
        return asked.max(1);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    asked.min(cores.max(FEW_THREADS))
}

// All engines use scoped threads of the standard library: they are few, and each has stretches that must be done in order,
// which a work-stealing pool (rayon) doesn't help. Without a pool the library keeps no threads of its own.

/// For how many of `wanted` more threads there is memory: each needs its stack, and the 128 MiB of addresses that glibc
/// reserves for what the thread allocates.
///
/// A thread that finds too little memory can't report it; it ends the whole program.
pub(crate) fn threads_with_room(wanted: usize) -> usize {
    const BYTES_A_THREAD: usize = 192 << 20;
    let has_room = |threads: &usize| {
        let mut room = Vec::<u8>::new();
        let found = room
            .try_reserve_exact(threads.saturating_mul(BYTES_A_THREAD))
            .is_ok();
        std::hint::black_box(&room);
        found
    };
    (1..=wanted).rev().find(has_room).unwrap_or(0)
}

/// Locks a mutex, even if a thread panicked while it held it: whatever is locked in this crate is whole at any moment.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The content of a mutex that nobody needs any more, even if a thread panicked while it held it; see [`lock`].
pub(crate) fn unlocked<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `own` on this thread while up to `helpers` other threads run `help`. Where there is no memory for them there are fewer or
/// none, so `own` must not depend on them.
pub(crate) fn with_helpers<R>(
    helpers: usize,
    help: impl Fn() + Sync,
    own: impl FnOnce() -> R,
) -> R {
    let help = &help;
    std::thread::scope(|scope| {
        for _ in 0..threads_with_room(helpers) {
            if std::thread::Builder::new()
                .spawn_scoped(scope, help)
                .is_err()
            {
                break;
            }
        }
        own()
    })
}

/// For measuring tests: the processor time of this thread where the system reports it, else the time since the first call.
#[cfg(test)]
pub(crate) fn clock() -> std::time::Duration {
    use std::time::{Duration, Instant};
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let used = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let used = used.and_then(|text| text.split(' ').next()?.parse().ok());
    used.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// The bounds on the work and memory of an answer, the way in which it is computed, and the watch that follows it.
///
/// ```
/// use nim_analyser::engine::Effort;
///
/// let effort = Effort::default().memory(1 << 30).threads(2);
/// assert_eq!(effort.memory, 1 << 30);
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Effort {
    /// The most bytes that a table may take.
    pub memory: u64,
    /// The most steps that a table may take: options walked by definition, words of the sets of partitions, sixteen pairs
    /// compared at once; counted or estimated before the work, which then goes on to its end.
    pub steps: u64,
    /// The most positions that may be searched for a misère outcome or quotient.
    pub positions: u64,
    /// The watch that is told of the progress and may stop the work.
    pub watch: Option<Arc<dyn Watch>>,
    /// The engine that computes the values.
    pub engine: Engine,
    /// The instruction set that the engine uses.
    pub kernel: Kernel,
    /// How many threads to compute with; the values don't depend on it.
    pub threads: usize,
}

/// The most positions searched in misère play by default: a question that is out of reach is refused within about two seconds.
pub const DEFAULT_POSITIONS: u64 = 300_000;

impl Default for Effort {
    /// 8 GiB, the steps of some minutes, the positions of a second or two, and no watch.
    fn default() -> Effort {
        Effort {
            memory: 8 << 30,
            steps: 60_000_000_000,
            positions: DEFAULT_POSITIONS,
            watch: None,
            engine: Engine::Auto,
            kernel: Kernel::detect(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

impl Effort {
    /// Tells the watch how far the work has got. Returns whether the work may go on.
    pub(crate) fn goes_on(&self, done: u64, wanted: u64) -> bool {
        let watch = self.watch.as_ref();
        watch.is_none_or(|watch| watch.progress(done, wanted))
    }

    /// Tells the watch that the work is over.
    pub(crate) fn done(&self) {
        if let Some(watch) = &self.watch {
            watch.done();
        }
    }

    /// The effort with at most this many bytes for a table.
    pub fn memory(mut self, bytes: u64) -> Effort {
        self.memory = bytes;
        self
    }

    /// The effort with at most this many steps to make a table by.
    pub fn steps(mut self, steps: u64) -> Effort {
        self.steps = steps;
        self
    }

    /// The effort with at most this many positions searched in misère play.
    pub fn positions(mut self, positions: u64) -> Effort {
        self.positions = positions;
        self
    }

    /// The effort with a watch.
    pub fn watch(mut self, watch: Arc<dyn Watch>) -> Effort {
        self.watch = Some(watch);
        self
    }

    /// The effort with one engine, instead of the best.
    pub fn engine(mut self, engine: Engine) -> Effort {
        self.engine = engine;
        self
    }

    /// The effort with one instruction set, instead of the best.
    pub fn kernel(mut self, kernel: Kernel) -> Effort {
        self.kernel = kernel;
        self
    }

    /// The effort with this many threads.
    pub fn threads(mut self, threads: usize) -> Effort {
        self.threads = threads;
        self
    }
}

impl fmt::Debug for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Effort")
            .field("memory", &self.memory)
            .field("steps", &self.steps)
            .field("positions", &self.positions)
            .field("watched", &self.watch.is_some())
            .field("engine", &self.engine)
            .field("kernel", &self.kernel.name())
            .field("threads", &self.threads)
            .finish()
    }
}
