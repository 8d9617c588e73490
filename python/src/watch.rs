//! How work is watched, stopped, and kept from being entered twice.

use crate::fault::{OutOfReachError, raised};
use nim_analyser::Error;
use nim_analyser::engine::Watch;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often Python is asked whether a signal has come, and told of the progress.
const EVERY: Duration = Duration::from_millis(50);

/// Watches the work of one game: answers signals, calls the progress callback, and ends the work at its deadline.
#[derive(Default)]
pub struct Watcher {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    asked: Option<Instant>,
    callback: Option<Arc<Py<PyAny>>>,
    deadline: Option<Instant>,
    /// What a callback or a signal handler has raised.
    raised: Option<PyErr>,
}

/// What one stretch of work is watched by.
#[derive(Default)]
pub struct Watched {
    /// Called with the things known and those wanted.
    pub progress: Option<Py<PyAny>>,
    /// After so long the work is stopped.
    pub time: Option<Duration>,
}

impl Watcher {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, watched: Watched) {
        *self.state() = State {
            callback: watched.progress.map(Arc::new),
            deadline: watched
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            ..State::default()
        };
    }

    /// Notes an exception: the work is to end with it.
    pub fn fail(&self, error: PyErr) {
        self.state().raised.get_or_insert(error);
    }

    /// Whether the work is to end with an exception.
    pub fn has_failed(&self) -> bool {
        self.state().raised.is_some()
    }

    /// Whether the time is over.
    pub fn is_late(&self) -> bool {
        let deadline = self.state().deadline;
        deadline.is_some_and(|end| Instant::now() >= end)
    }
}

impl Watch for Watcher {
    fn progress(&self, known: u64, wanted: u64) -> bool {
        let callback = {
            let mut state = self.state();
            let now = Instant::now();
            if state.raised.is_some() || state.deadline.is_some_and(|end| now >= end) {
                return false;
            }
            if state.asked.is_some_and(|asked| now - asked < EVERY) {
                return true;
            }
            state.asked = Some(now);
            state.callback.clone()
        };
        let asked = Python::try_attach(|py| {
            py.check_signals()?;
            if let Some(callback) = &callback {
                callback.call1(py, (known, wanted))?;
            }
            Ok(())
        });
        match asked {
            Some(Ok(())) => true,
            Some(Err(error)) => {
                self.fail(error);
                false
            }
            // The interpreter is ending.
            None => false,
        }
    }
}

/// Whose turn it is to work with a game: 0 for nobody's, else the process and the thread.
#[derive(Default)]
pub struct Turn {
    owner: AtomicU64,
}

/// Left in the place of an owner by work that ended in a fault.
const BROKEN: u64 = u64::MAX;

fn myself() -> u64 {
    static THREADS: AtomicU32 = AtomicU32::new(0);
    thread_local! {
        static NUMBER: u32 = THREADS.fetch_add(1, SeqCst) + 1;
    }
    u64::from(std::process::id()) << 32 | u64::from(NUMBER.with(|number| *number))
}

impl Turn {
    /// Waits for the turn.
    fn take(&self, py: Python<'_>) -> PyResult<()> {
        let me = myself();
        loop {
            let Err(owner) = self.owner.compare_exchange(0, me, SeqCst, SeqCst) else {
                return Ok(());
            };
            let fault = if owner == BROKEN {
                "earlier work with this game ended in a fault of nim-analyser; make the game anew"
            } else if owner == me {
                "the game is at work, and what is called meanwhile can't ask the same game; another one can be asked"
            } else if owner >> 32 != me >> 32 {
                "this process was forked while the game was at work in another thread; make the game anew here"
            } else {
                py.check_signals()?;
                py.detach(|| std::thread::sleep(Duration::from_millis(1)));
                continue;
            };
            return Err(PyRuntimeError::new_err(fault));
        }
    }
}

/// Works for Python with the interpreter released, in turn, watched, and with no panic crossing.
pub fn at_work<T: Send>(
    py: Python<'_>,
    (turn, watcher): (&Turn, &Watcher),
    watched: Watched,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    turn.take(py)?;
    watcher.begin(watched);
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    let is_late = watcher.is_late();
    let state = std::mem::take(&mut *watcher.state());
    turn.owner
        .store(if done.is_ok() { 0 } else { BROKEN }, SeqCst);
    match (done, state.raised) {
        (Err(_), _) => Err(fault()),
        (_, Some(error)) => Err(error),
        (Ok(Err(Error::Interrupted)), None) if is_late => {
            Err(OutOfReachError::new_err("the time is over"))
        }
        (Ok(found), None) => found.map_err(|error| raised(&error)),
    }
}

/// What is raised in the place of a panic, whose message is on standard error.
fn fault() -> PyErr {
    PyRuntimeError::new_err("a fault of nim-analyser: please report what led to it")
}

/// Works for Python with the interpreter released and no game, and with no panic crossing.
pub fn alone<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    done.map_err(|_| fault())?.map_err(|error| raised(&error))
}
