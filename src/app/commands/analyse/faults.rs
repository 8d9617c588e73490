//! Faults of the program at one line of many: a panic there is caught and reported, and the other lines are answered.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A panic that was caught.
#[derive(Debug, thiserror::Error)]
#[error("a bug in nim-analyser, not an error in this line: {0}; please report it")]
pub struct Fault(String);

/// How many lines are being answered at the moment, by all threads.
static LINES: AtomicUsize = AtomicUsize::new(0);

/// Silences the message of a panic on standard error while lines are answered, since such a panic is caught and reported.
pub fn hush() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if LINES.load(Ordering::Relaxed) == 0 {
                usual(panic);
            }
        }));
    });
}

/// Does the work for one line; a panic in it becomes the error [`Fault`].
pub fn caught<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    LINES.fetch_add(1, Ordering::Relaxed);
    let result = catch_unwind(AssertUnwindSafe(work));
    LINES.fetch_sub(1, Ordering::Relaxed);
    result.unwrap_or_else(|panic| Err(Fault(message(&*panic)).into()))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it panicked").to_owned()
}
