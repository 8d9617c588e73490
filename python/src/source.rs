//! How games are opened: by name, by a rule that is a Python function, as a graph, as a sum.

use crate::fault::{raised, refused, whole};
use crate::watch::Watcher;
use nim_analyser::engine::Effort;
use nim_analyser::game::graph::Graph;
use nim_analyser::game::{Game, GraphGame, Sum, catalogue};
use nim_analyser::position::MOST_PILES;
use nim_analyser::{Error, HeapGame, Ruleset};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};
use std::sync::Arc;

/// A move list longer than this is taken for one without end.
const MOST_OPTIONS: usize = 1 << 24;

/// After so many options Python is asked whether a signal has come.
const BETWEEN_SIGNALS: usize = 1 << 12;

/// What a game is made of, so that it can be made again as a part of a sum.
#[derive(Clone)]
pub enum Source {
    Named(String),
    /// A name, and the function that gives the options of a heap.
    Own(String, Arc<Py<PyAny>>),
    Graph(String, Arc<Graph>),
    Sum(Vec<Source>),
}

impl Source {
    /// Opens the game.
    pub fn open(&self, effort: &Effort, watcher: &Arc<Watcher>) -> Result<Box<dyn Game>, Error> {
        match self {
            Source::Named(name) => catalogue::open(name, effort.clone()),
            Source::Own(name, options) => {
                let ruleset = own_rule(name, Arc::clone(options), Arc::clone(watcher));
                Ok(Box::new(HeapGame::with_effort(ruleset, effort.clone())))
            }
            Source::Graph(name, graph) => {
                let game = GraphGame::new(name, Graph::clone(graph))?;
                Ok(Box::new(game.with_effort(effort.clone())))
            }
            Source::Sum(parts) => {
                let share = effort.clone().memory(effort.memory / parts.len() as u64);
                let parts = parts.iter().map(|part| part.open(&share, watcher));
                Ok(Box::new(Sum::new(parts.collect::<Result<_, _>>()?, share)))
            }
        }
    }

    /// The games of a sum, else the game itself.
    pub fn parts(&self) -> Vec<Source> {
        match self {
            Source::Sum(parts) => parts.clone(),
            Source::Named(name) => {
                let names = name.split(" + ");
                names.map(|name| Source::Named(name.to_owned())).collect()
            }
            source => vec![source.clone()],
        }
    }
}

/// The rule of a Python function. Where the function fails, the heap has itself for an option, which the library refuses
/// as a game that need not end; so nothing is computed from a failure, and what was raised is raised again in its place.
fn own_rule(name: &str, options: Arc<Py<PyAny>>, watcher: Arc<Watcher>) -> Ruleset {
    Ruleset::from_rule(name, move |heap| {
        let refusal = || vec![vec![heap]];
        if watcher.has_failed() {
            return refusal();
        }
        match Python::try_attach(|py| asked(options.bind(py), heap)) {
            Some(Ok(found)) => found,
            Some(Err(error)) => {
                watcher.fail(error);
                refusal()
            }
            None => refusal(),
        }
    })
}

/// The options of a heap as the function gives them: heaps, or rows of heaps.
fn asked(options: &Bound<'_, PyAny>, heap: u64) -> PyResult<Vec<Vec<u64>>> {
    let mut found = Vec::new();
    for option in options.call1((heap,))?.try_iter()? {
        let option = option?;
        if found.len() % BETWEEN_SIGNALS == BETWEEN_SIGNALS - 1 {
            option.py().check_signals()?;
        }
        if found.len() == MOST_OPTIONS {
            let text = format!("the rule gives pile {heap} more than {MOST_OPTIONS} options");
            return Err(refused(text));
        }
        found.push(match option.is_instance_of::<PyInt>() {
            true => vec![whole(&option)?],
            false => piles(&option)?,
        });
    }
    Ok(found)
}

/// Piles as Python gives them: a number, or a row of numbers, which may have no end.
fn piles(row: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let Ok(each) = row.try_iter() else {
        return Ok(vec![whole(row)?]);
    };
    if row.is_instance_of::<PyBytes>() {
        let text = "a position is a text or a row of piles, not bytes";
        return Err(PyTypeError::new_err(text));
    }
    let mut found = Vec::new();
    for pile in each {
        if found.len() == MOST_PILES {
            return Err(refused(format!("more than {MOST_PILES} piles in all")));
        }
        if found.len() % BETWEEN_SIGNALS == BETWEEN_SIGNALS - 1 {
            row.py().check_signals()?;
        }
        found.push(whole(&pile?)?);
    }
    Ok(found)
}

/// A position as Python gives it: a text as on the command line, a row of piles or of names of vertices, for a sum such a
/// position for each of its games.
pub fn position(game: &dyn Game, given: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let read = |words: &[&str]| game.read(words).map_err(|error| raised(&error));
    let found = if let Ok(text) = given.cast::<PyString>() {
        let text = text.to_cow()?;
        read(&text.split_whitespace().collect::<Vec<_>>())?
    } else if !game.parts().is_empty() {
        let parts = game.parts();
        let each = given.try_iter()?.take(parts.len() + 1);
        let each = each.collect::<PyResult<Vec<_>>>()?;
        if each.len() != parts.len() {
            return Err(refused(format!(
                "{} has {} parts: a position is a list of as many positions, not of {}",
                game.name(),
                parts.len(),
                match each.len() > parts.len() {
                    true => "more".to_owned(),
                    false => each.len().to_string(),
                }
            )));
        }
        let each = parts.iter().zip(&each);
        let each = each.map(|(part, own)| position(&**part, own));
        nim_analyser::game::sum::together(each.collect::<PyResult<Vec<_>>>()?.iter())
    } else if game.label(0).is_some() {
        let mut vertices = Vec::new();
        for name in given.try_iter()? {
            vertices.extend(read(&[&name?.cast::<PyString>()?.to_cow()?])?);
        }
        vertices
    } else {
        piles(given)?
    };
    game.start(found).map_err(|error| raised(&error))
}
