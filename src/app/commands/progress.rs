//! Shows how far a computation has got, to a person who waits for it, and stops it on a signal.

use super::interrupt;
use crate::app::report::style::note;
use crate::engine::{Watch, lock};
use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use std::fmt::Write;
use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long a computation may take before a bar appears.
const PATIENCE: Duration = Duration::from_millis(500);

const TEMPLATE: &str = "{wide_bar} {percent:>3} %  {human_pos} of {human_len} {msg}{rate}";

/// Watches a computation: a bar on standard error if that is a terminal, and an end at Ctrl-C or SIGTERM.
pub struct Progress {
    quiet: bool,
    verbose: bool,
    things: Mutex<&'static str>,
    /// When the time for the work is up, however far it has got.
    deadline: Option<Instant>,
    work: Mutex<Option<Work>>,
}

/// The state of a computation under way.
struct Work {
    begun: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A watch for any number of computations of nim-values, one after another; no bar at all if `quiet`.
    pub fn new(quiet: bool) -> Progress {
        Progress::counting("nim-values", quiet)
    }

    /// Like [`Progress::new`], for work that counts `things` rather than nim-values.
    pub fn counting(things: &'static str, quiet: bool) -> Progress {
        Progress {
            quiet: quiet || !stderr().is_terminal(),
            verbose: false,
            things: Mutex::new(things),
            deadline: None,
            work: Mutex::new(None),
        }
    }

    /// The watch with so much time for the work from now on; `None` sets no limit.
    pub fn within(self, time: Option<Duration>) -> Progress {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Progress { deadline, ..self }
    }

    fn things(&self) -> &'static str {
        *lock(&self.things)
    }

    /// Says how the work is done, if `verbose`.
    pub fn verbose(self, verbose: bool) -> Progress {
        Progress { verbose, ..self }
    }
}

impl Watch for Progress {
    fn progress(&self, known: u64, wanted: u64) -> bool {
        let mut work = lock(&self.work);
        let work = work.get_or_insert_with(|| Work {
            begun: Instant::now(),
            bar: None,
        });
        if !self.quiet && work.begun.elapsed() > PATIENCE {
            let bar = work.bar.get_or_insert_with(|| {
                // A signal must not leave the bar on the terminal.
                interrupt::watch();
                bar(known, self.things())
            });
            bar.set_length(wanted);
            bar.set_position(known);
        }
        let is_late = self.deadline.is_some_and(|end| Instant::now() >= end);
        !interrupt::received() && !is_late
    }

    fn using(&self, way: &str) {
        if self.verbose {
            note(format_args!("{} {way}", self.things()));
        }
    }

    fn counting(&self, things: &'static str) {
        self.done();
        *lock(&self.things) = things;
    }

    fn met(&self, what: &str) {
        let work = lock(&self.work);
        if let Some(bar) = work.as_ref().and_then(|work| work.bar.as_ref()) {
            bar.set_message(what.to_owned());
        }
    }

    fn done(&self) {
        let mut work = lock(&self.work);
        if let Some(bar) = work.take().and_then(|work| work.bar) {
            bar.finish_and_clear();
        }
    }
}

fn bar(known: u64, things: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template(TEMPLATE);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let style = style.progress_chars("=> ").with_key(
        "rate",
        |state: &ProgressState, out: &mut dyn Write| {
            // The first values since the bar came show no rate. That a message can't be written is no reason to stop.
            if state.elapsed() >= PATIENCE {
                let _ = out.write_str(&rate(state.per_sec(), state.eta()));
            }
        },
    );
    let target = ProgressDrawTarget::stderr_with_hz(5);
    let bar = ProgressBar::with_draw_target(None, target)
        .with_style(style)
        .with_message(things);
    // The values computed before the bar came are taken out of the rate.
    bar.set_position(known);
    bar.reset_eta();
    bar
}

/// The rate of the work and the time left, if there is a rate yet.
fn rate(per_second: f64, left: Duration) -> String {
    if per_second.is_nan() || per_second < 1.0 {
        return String::new();
    }
    let count = HumanCount(per_second as u64);
    format!(", {count} a second, {:#} left", HumanDuration(left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rate_is_shown_before_there_is_one() {
        let left = Duration::from_secs(42);
        assert_eq!(rate(0.0, left), "");
        assert_eq!(rate(0.4, left), "");
        assert_eq!(rate(f64::NAN, left), "");
        assert_eq!(rate(12_345.6, left), ", 12,345 a second, 42s left");
    }
}
