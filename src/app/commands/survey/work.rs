//! The threads of a survey: each takes the next game, computes it, and hands over its record and those of the games
//! with the same standard form.

use super::super::interrupt;
use super::codes::Codes;
use crate::app::error::{Refused, in_words};
use crate::app::report::style::note;
use crate::engine::{Effort, Watch, lock, threads_with_room};
use crate::error::Error;
use crate::sequence::survey::{Asked, Found, Record};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How many standard forms are remembered.
const REMEMBERED: usize = 1 << 16;
/// The most records that may wait to be written.
const WAITING: usize = 1024;

/// What a game may cost.
#[derive(Clone)]
pub struct Budget {
    pub values: u64,
    pub time: Option<Duration>,
    /// The memory, and the engine.
    pub effort: Effort,
    /// Whether to say how each game is computed.
    pub verbose: bool,
}

/// A survey under way.
pub struct Work {
    /// The records, as games are done; an error ends the survey.
    pub records: Receiver<Result<Record, Refused>>,
    stop: Arc<AtomicBool>,
}

impl Drop for Work {
    /// Makes the workers stop soon; a worker that waits for input is not waited for.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// What the workers share.
struct Shared {
    codes: Mutex<Codes>,
    forms: Mutex<HashMap<String, Form>>,
    budget: Budget,
    stop: Arc<AtomicBool>,
}

/// How far a standard form has been computed.
enum Form {
    /// The form is being computed, for these games.
    Underway(Vec<Asked>),
    Done(Arc<Found>),
}

impl Work {
    /// Begins a survey on as many threads as the effort allows.
    pub fn begin(codes: Codes, budget: Budget) -> Work {
        let (sender, records) = sync_channel(WAITING);
        let stop = Arc::new(AtomicBool::new(false));
        // With fewer games than threads, the remaining threads help to compute each game.
        let games = codes.count().unwrap_or(u64::MAX).max(1);
        let threads = budget.effort.threads.max(1);
        let workers = threads.min(usize::try_from(games).unwrap_or(threads));
        let effort = budget.effort.clone().threads(threads / workers);
        let shared = Arc::new(Shared {
            codes: Mutex::new(codes),
            forms: Mutex::default(),
            budget: Budget { effort, ..budget },
            stop: Arc::clone(&stop),
        });
        for worker in 0..1 + threads_with_room(workers - 1) {
            let (shared, to) = (Arc::clone(&shared), sender.clone());
            let spawned = std::thread::Builder::new().spawn(move || shared.work(&to));
            if spawned.is_err() && worker == 0 {
                let text = "the system starts no thread for the survey".to_owned();
                // The channel is empty, so it has room for the error.
                let _ = sender.send(Err(Refused::Usage(text)));
            }
        }
        Work { records, stop }
    }
}

impl Shared {
    fn work(&self, to: &SyncSender<Result<Record, Refused>>) {
        while !self.stopped() {
            let next = lock(&self.codes).next();
            let done = match next {
                Ok(Some(asked)) => self.survey(asked, to),
                Ok(None) => return,
                Err(error) => to.send(Err(error)).map_err(|_| ()),
            };
            if done.is_err() {
                return;
            }
        }
    }

    /// Computes a game, or leaves it to the worker that computes its standard form. `Err` if nobody receives records any more.
    fn survey(&self, asked: Asked, to: &SyncSender<Result<Record, Refused>>) -> Result<(), ()> {
        let send = |record| to.send(Ok(record)).map_err(|_| ());
        let key = asked.key().to_owned();
        let known = {
            let mut forms = lock(&self.forms);
            match forms.get_mut(&key) {
                Some(Form::Underway(games)) => {
                    games.push(asked);
                    return Ok(());
                }
                Some(Form::Done(found)) => Some(Arc::clone(found)),
                None => {
                    if forms.len() >= REMEMBERED {
                        forms.retain(|_, form| matches!(form, Form::Underway(_)));
                    }
                    forms.insert(key.clone(), Form::Underway(Vec::new()));
                    None
                }
            }
        };
        if let Some(found) = known {
            return send(found.record(&asked, why));
        }
        let watch = Clock {
            game: asked.code.clone(),
            end: self
                .budget
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            stop: Arc::clone(&self.stop),
            verbose: self.budget.verbose,
        };
        let effort = self.budget.effort.clone().watch(Arc::new(watch));
        let found = Arc::new(Found::by(&asked, self.budget.values, effort));
        if self.stopped() {
            return Err(());
        }
        send(found.record(&asked, why))?;
        let waiting = lock(&self.forms).insert(key, Form::Done(Arc::clone(&found)));
        match waiting {
            Some(Form::Underway(games)) => games
                .iter()
                .try_for_each(|game| send(found.record(game, why))),
            _ => Ok(()),
        }
    }

    fn stopped(&self) -> bool {
        interrupt::received() || self.stop.load(Ordering::Relaxed)
    }
}

/// The reason why a search stopped, as its record states it.
fn why(error: &Error) -> String {
    match error {
        Error::Interrupted => "out of time".to_owned(),
        error => in_words(error).replace('\n', "; "),
    }
}

/// Ends the work on a game when its time is up, and all work at a signal.
struct Clock {
    game: String,
    end: Option<Instant>,
    stop: Arc<AtomicBool>,
    verbose: bool,
}

impl Watch for Clock {
    fn progress(&self, _known: u64, _wanted: u64) -> bool {
        let in_time = self.end.is_none_or(|end| Instant::now() < end);
        in_time && !self.stop.load(Ordering::Relaxed) && !interrupt::received()
    }

    fn using(&self, way: &str) {
        if self.verbose {
            note(format_args!("{}: {way}", self.game));
        }
    }
}
