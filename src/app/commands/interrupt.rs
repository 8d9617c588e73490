//! Ctrl-C, SIGTERM and a closed terminal: they end the process at once while nothing would be lost, and after tidying up while
//! something would.
//!
//! Until [`watch`] is called a signal ends the process in its handler. From then on a thread of its own answers signals, even if
//! the other threads hang: it removes the files in the making and ends the process. While a [`Graceful`] value lives, the work
//! sees the signal and can end by itself; the thread waits for it as long as it has values to save, and otherwise for less than a
//! second.

use crate::app::files::atomic_file;
use crate::app::report::style::note;
use crate::engine::threads_with_room;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::low_level::exit;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, LazyLock, Once, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// The exit code of a process that was interrupted.
pub const EXIT_CODE: u8 = 130;

/// The signals that are answered. SIGHUP, which a closed terminal sends, is among them unless it is ignored, as under `nohup`;
/// where the system doesn't tell that, it does what it always does.
fn signals() -> Vec<i32> {
    let mut signals = vec![SIGINT, SIGTERM];
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGHUP;
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        let is_heard = ignored.is_some_and(|mask| mask & (1 << (SIGHUP - 1)) == 0);
        signals.extend(is_heard.then_some(SIGHUP));
    }
    signals
}

/// How often the thread looks for a second signal while it waits for the work to end.
const STEP: Duration = Duration::from_millis(50);
/// How long the thread waits in silence before it says what it waits for.
const SILENCE: Duration = Duration::from_millis(500);
/// How long the thread waits for work to end: without values to save, or with values that the work isn't yet saving.
const PATIENCE: Duration = Duration::from_millis(700);
const PATIENCE_WITH_VALUES: Duration = Duration::from_secs(10);
/// How long writing a last message to standard error may take.
const LAST_WORD: Duration = Duration::from_millis(200);

/// Whether a signal ends the process in its handler.
static ABRUPT: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));
static RECEIVED: AtomicBool = AtomicBool::new(false);
static STRETCHES: AtomicUsize = AtomicUsize::new(0);
static SAVERS: AtomicUsize = AtomicUsize::new(0);
static SAVINGS: AtomicUsize = AtomicUsize::new(0);

/// Sets the exit code of a process that is interrupted, and makes a file that grows beyond the limit of its size an
/// error like any other.
pub fn install() {
    use signal_hook::flag::{register, register_conditional_shutdown};
    // Where a handler can't be installed the system's own way to end a process stays.
    for signal in signals() {
        let _ = register_conditional_shutdown(signal, EXIT_CODE.into(), Arc::clone(&ABRUPT));
    }
    #[cfg(unix)]
    let _ = register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Lets a thread of its own answer the signals from now on, so that files in the making are cleared away. Where no
/// thread can be had, a signal goes on to end the process in its handler.
pub fn watch() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        #[cfg(unix)]
        if let Ok(signals) = signal_hook::iterator::Signals::new(signals()) {
            let thread = thread::Builder::new().name("signals".to_owned());
            let watching = thread.spawn(move || answer(signals));
            ABRUPT.store(watching.is_err(), SeqCst);
        }
    });
}

#[cfg(unix)]
fn answer(mut signals: signal_hook::iterator::Signals) {
    signals.forever().next();
    if STRETCHES.load(SeqCst) > 0 {
        RECEIVED.store(true, SeqCst);
        wait_for_work(|| signals.pending().next().is_some());
    }
    end();
}

/// Waits until the work has ended, and the process with it; returns if that takes too long or `is_enough`.
#[cfg(unix)]
fn wait_for_work(mut is_enough: impl FnMut() -> bool) {
    let begun = Instant::now();
    let mut nothing_to_save_since = begun;
    let mut said = false;
    while !is_enough() && nothing_to_save_since.elapsed() < PATIENCE {
        thread::sleep(STEP);
        if SAVERS.load(SeqCst) == 0 {
            continue;
        }
        nothing_to_save_since = Instant::now();
        if begun.elapsed() > SILENCE && !said {
            said = true;
            say("interrupted: saving the values; press Ctrl-C again to quit without saving");
        }
        if begun.elapsed() > PATIENCE_WITH_VALUES && SAVINGS.load(SeqCst) == 0 {
            return;
        }
    }
}

/// Clears up and ends the process.
#[cfg(unix)]
fn end() -> ! {
    atomic_file::give_up_all();
    say("interrupted");
    exit(EXIT_CODE.into())
}

/// Writes a message to standard error, but doesn't wait if that blocks.
#[cfg(unix)]
fn say(word: &str) {
    if threads_with_room(1) == 0 {
        return;
    }
    let (done, wait) = mpsc::channel();
    let word = word.to_owned();
    let thread = thread::Builder::new().spawn(move || {
        clear_line();
        note(format_args!("{word}"));
        let _ = done.send(());
    });
    if thread.is_ok() {
        let _ = wait.recv_timeout(LAST_WORD);
    }
}

/// Clears the line of a progress bar on the terminal.
#[cfg(unix)]
fn clear_line() {
    use std::io::{IsTerminal, Write, stderr};
    if stderr().is_terminal() {
        let _ = write!(stderr(), "\r\x1b[2K");
    }
}

/// A stretch of work that looks at [`received`] a few times a second, and itself reports how it ends.
#[derive(Debug)]
pub struct Graceful {
    saves: bool,
}

impl Graceful {
    /// Begins a stretch of work, which ends when the value is dropped. If it has values to save, the process waits for it longer.
    pub fn begin(saves: bool) -> Graceful {
        STRETCHES.fetch_add(1, SeqCst);
        SAVERS.fetch_add(usize::from(saves), SeqCst);
        watch();
        Graceful { saves }
    }
}

impl Drop for Graceful {
    fn drop(&mut self) {
        STRETCHES.fetch_sub(1, SeqCst);
        SAVERS.fetch_sub(usize::from(self.saves), SeqCst);
    }
}

/// Saves, by `save`, although the work is to stop: the process waits as long as that takes.
pub fn saving<T>(save: impl FnOnce() -> T) -> T {
    SAVINGS.fetch_add(1, SeqCst);
    let saved = save();
    SAVINGS.fetch_sub(1, SeqCst);
    saved
}

/// Whether a signal has come, so that the work is to stop.
pub fn received() -> bool {
    RECEIVED.load(SeqCst)
}
