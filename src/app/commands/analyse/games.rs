//! The games that a run of positions asks for; those asked for last are kept open.

use crate::app::error::Refused;
use crate::engine::{Effort, lock};
use crate::game::Game;
use std::sync::{Arc, Mutex};

/// How many games are kept open besides the first.
const KEPT: usize = 64;

/// A function that opens a game by its name.
type Open = fn(&str, Effort) -> Result<Box<dyn Game>, Refused>;

/// Games by their names; each keeps what it has computed from one position to the next.
pub struct Games {
    by: Open,
    name: String,
    first: Mutex<Arc<dyn Game>>,
    effort: Effort,
    /// The games open besides the first, with their names; the game that was asked for last stands last.
    open: Mutex<Vec<(String, Arc<dyn Game>)>>,
}

impl Games {
    /// Opens the game `name`, which positions without a name of their own belong to, by the function `by`. Other games are opened
    /// with the same effort when they are asked for.
    pub fn new(by: Open, name: &str, effort: Effort) -> Result<Games, Refused> {
        Ok(Games {
            by,
            name: name.to_owned(),
            first: Mutex::new(by(name, effort.clone())?.into()),
            effort,
            open: Mutex::default(),
        })
    }

    /// The game of the positions that name no game.
    pub fn first(&self) -> Arc<dyn Game> {
        Arc::clone(&lock(&self.first))
    }

    /// Closes every game, so that it is opened anew when it is asked for next: what a game kept can't be trusted after a fault in
    /// it.
    pub fn forget(&self) {
        let mut open = lock(&self.open);
        open.clear();
        if let Ok(game) = (self.by)(&self.name, self.effort.clone()) {
            *lock(&self.first) = game.into();
        }
    }

    /// The game of a name.
    pub fn open(&self, name: &str) -> Result<Arc<dyn Game>, Refused> {
        let mut open = lock(&self.open);
        let game = match open.iter().position(|(known, _)| known == name) {
            Some(at) => open.remove(at).1,
            None => (self.by)(name, self.effort.clone())?.into(),
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
