//! Ctrl-C and SIGTERM: at once while nothing would be lost, after tidying up while something would.
//!
//! A first signal during a [`Graceful`] stretch only sets a flag, which the work looks at; outside of one, and at
//! the second signal in any case, the process ends with exit code 130.

use crate::error::Error;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, LazyLock};

/// The exit code of a process that was interrupted.
pub const EXIT_CODE: u8 = 130;

struct Flags {
    received: Arc<AtomicBool>,
    abrupt: Arc<AtomicBool>,
}

static FLAGS: LazyLock<Flags> = LazyLock::new(|| {
    let flags = Flags {
        received: Arc::default(),
        abrupt: Arc::new(AtomicBool::new(true)),
    };
    for signal in [SIGINT, SIGTERM] {
        use signal_hook::flag::{register, register_conditional_shutdown};
        // The shutdown comes first, so that the signal which makes the next one abrupt doesn't end the process.
        let abrupt = Arc::clone(&flags.abrupt);
        let shutdown = register_conditional_shutdown(signal, EXIT_CODE.into(), abrupt);
        // Where a handler can't be installed the system's own way to end a process stays.
        if shutdown.is_ok() {
            let _ = register(signal, Arc::clone(&flags.received));
            let _ = register(signal, Arc::clone(&flags.abrupt));
        }
    }
    flags
});

static STRETCHES: AtomicUsize = AtomicUsize::new(0);

/// A stretch of work that looks at [`received`] at least a few times a second.
#[derive(Debug)]
pub struct Graceful(());

impl Graceful {
    /// Begins a stretch; it ends when the value is dropped.
    pub fn begin() -> Graceful {
        STRETCHES.fetch_add(1, SeqCst);
        FLAGS.abrupt.store(received(), SeqCst);
        Graceful(())
    }
}

impl Drop for Graceful {
    fn drop(&mut self) {
        if STRETCHES.fetch_sub(1, SeqCst) == 1 {
            FLAGS.abrupt.store(true, SeqCst);
        }
    }
}

/// Whether the work is to stop.
pub fn received() -> bool {
    FLAGS.received.load(SeqCst)
}

/// Ends work that is to stop.
///
/// # Errors
/// [`Error::Interrupted`] if it is.
pub fn check() -> anyhow::Result<()> {
    if received() {
        return Err(Error::Interrupted.into());
    }
    Ok(())
}
