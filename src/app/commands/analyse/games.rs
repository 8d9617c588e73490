//! The games that a run of positions asks for, open as long as they are asked for now and then.

use crate::engine::Effort;
use crate::error::Error;
use crate::game::{Game, catalogue};
use std::sync::{Arc, Mutex, PoisonError};

/// How many games are kept open besides the first.
const KEPT: usize = 64;

/// Games by their names; each keeps what it has computed from one position to the next.
pub struct Games {
    first: Arc<dyn Game>,
    effort: Effort,
    /// The one asked for last is the last.
    open: Mutex<Vec<(String, Arc<dyn Game>)>>,
}

impl Games {
    /// The game that positions are of if they don't say, and others with the same effort.
    pub fn new(first: Box<dyn Game>, effort: Effort) -> Games {
        Games {
            first: first.into(),
            effort,
            open: Mutex::default(),
        }
    }

    /// The game that positions are of if they don't say.
    pub fn first(&self) -> &dyn Game {
        &*self.first
    }

    /// The game of a name.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn open(&self, name: &str) -> Result<Arc<dyn Game>, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let game = match open.iter().position(|(known, _)| known == name) {
            Some(at) => open.remove(at).1,
            None => catalogue::open(name, self.effort.clone())?.into(),
        };
        open.push((name.to_owned(), Arc::clone(&game)));
        // The games kept share the memory that one of them may take.
        let mut memory = self.effort.memory;
        let kept = open.iter().rev().take(KEPT);
        let kept = kept.take_while(|(_, game)| {
            let fits = memory.checked_sub(game.memory());
            memory = fits.unwrap_or(0);
            fits.is_some()
        });
        let dropped = open.len() - kept.count().max(1);
        open.drain(..dropped);
        Ok(game)
    }
}
