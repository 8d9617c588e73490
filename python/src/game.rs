//! A game, its positions, and the values of its heaps.

use crate::fault::{number, refused, whole};
use crate::found::{Period, Quotient, written};
use crate::source::{Source, position};
use crate::values::{Array, by_table, ready};
use crate::watch::{Turn, Watched, Watcher, at_work};
use nim_analyser::app::commands::shared_args::memory_left;
use nim_analyser::app::report::{json, text};
use nim_analyser::engine::Effort;
use nim_analyser::game::catalogue;
use nim_analyser::game::graph::{Graph, GraphFormat};
use nim_analyser::grundy::NimValue;
use nim_analyser::{Convention, Error, HeapGame};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// What an opened game consists of.
pub struct Opened {
    pub game: Box<dyn nim_analyser::Game>,
    /// The game of heaps whose nim-values are those of its single piles, where that is another one: of a coin that shows
    /// heads.
    heads: Option<HeapGame>,
    pub effort: Effort,
    source: Source,
    pub turn: Turn,
    pub watcher: Arc<Watcher>,
}

impl Opened {
    /// The heaps whose nim-values make a sequence.
    pub fn heaps(&self) -> Result<&HeapGame, Error> {
        let not_heaps = || nim_analyser::error::NameError::NotHeaps {
            name: self.game.name().to_owned(),
        };
        let heaps = self.game.heaps().or(self.heads.as_ref());
        Ok(heaps.ok_or_else(not_heaps)?)
    }

    /// Works in turn, with the interpreter released.
    pub fn at_work<T: Send>(
        &self,
        py: Python<'_>,
        watched: Watched,
        work: impl FnOnce(&Opened) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        at_work(py, (&self.turn, &self.watcher), watched, || work(self))
    }
}

fn convention(misere: bool) -> Convention {
    match misere {
        true => Convention::Misere,
        false => Convention::Normal,
    }
}

/// With a callback, and with a time that is a number of seconds.
pub fn watched(progress: Option<Py<PyAny>>, seconds: Option<f64>) -> PyResult<Watched> {
    let time = match seconds {
        None => None,
        Some(seconds) => {
            let time = Duration::try_from_secs_f64(seconds);
            Some(time.map_err(|_| refused(format!("{seconds} is no number of seconds")))?)
        }
    };
    Ok(Watched { progress, time })
}

#[pyclass(frozen, module = "nim_analyser._native")]
pub struct Game {
    pub opened: Arc<Opened>,
}

/// The most memory, steps and positions, and the threads; what is not said is as in the program.
type Limits<'py> = [Option<Bound<'py, PyAny>>; 4];

fn effort(limits: Limits<'_>, watcher: &Arc<Watcher>) -> PyResult<Effort> {
    let mut effort = Effort::default().watch(Arc::<Watcher>::clone(watcher));
    let [memory, steps, positions, threads] = limits;
    if let Some(memory) = memory {
        effort = effort.memory(number("memory", &memory)?);
    }
    effort.memory = effort.memory.min(memory_left() / 2);
    if let Some(steps) = steps {
        effort = effort.steps(number("steps", &steps)?);
    }
    if let Some(positions) = positions {
        effort = effort.positions(number("positions", &positions)?);
    }
    if let Some(threads) = threads {
        let most = 16.max(effort.threads as u64);
        match number("threads", &threads)? {
            0 => return Err(refused("at least one thread must compute")),
            threads => effort = effort.threads(threads.min(most) as usize),
        }
    }
    Ok(effort)
}

impl Game {
    fn open(py: Python<'_>, source: Source, limits: Limits<'_>) -> PyResult<Game> {
        let watcher = Arc::<Watcher>::default();
        let effort = effort(limits, &watcher)?;
        let opened = crate::watch::alone(py, || {
            let game = source.open(&effort, &watcher)?;
            let heads = match (&source, game.heaps()) {
                (Source::Named(name), None) => catalogue::ruleset(name).ok(),
                _ => None,
            };
            let heads = heads.map(|ruleset| HeapGame::with_effort(ruleset, effort.clone()));
            Ok(Opened {
                game,
                heads,
                effort: effort.clone(),
                source: source.clone(),
                turn: Turn::default(),
                watcher: Arc::clone(&watcher),
            })
        })?;
        Ok(Game {
            opened: Arc::new(opened),
        })
    }
}

#[pymethods]
impl Game {
    #[staticmethod]
    fn named(py: Python<'_>, name: String, limits: Limits<'_>) -> PyResult<Game> {
        Game::open(py, Source::Named(name), limits)
    }

    #[staticmethod]
    fn own(
        py: Python<'_>,
        name: String,
        options: Bound<'_, PyAny>,
        limits: Limits<'_>,
    ) -> PyResult<Game> {
        if !options.is_callable() {
            return Err(PyTypeError::new_err(
                "options must be a function of a pile's size",
            ));
        }
        Game::open(py, Source::Own(name, Arc::new(options.unbind())), limits)
    }

    /// A graph as JSON.
    #[staticmethod]
    fn graph(py: Python<'_>, name: String, text: &[u8], limits: Limits<'_>) -> PyResult<Game> {
        let memory = effort(limits.clone(), &Arc::default())?.memory;
        let graph = crate::watch::alone(py, || {
            let read = Graph::read(text, GraphFormat::Json, memory);
            Ok(read.map(|(graph, _)| graph)?)
        });
        let graph: Arc<Graph> = Arc::new(graph?);
        Game::open(py, Source::Graph(name, graph), limits)
    }

    #[staticmethod]
    fn sum(py: Python<'_>, parts: Vec<PyRef<'_, Game>>, limits: Limits<'_>) -> PyResult<Game> {
        let parts = parts.iter().flat_map(|part| part.opened.source.parts());
        Game::open(py, Source::Sum(parts.collect()), limits)
    }

    #[getter]
    fn name(&self) -> &str {
        self.opened.game.name()
    }

    /// How many games it is the sum of; 1 for a game that is no sum.
    #[getter]
    fn parts(&self) -> usize {
        self.opened.game.parts().len().max(1)
    }

    #[getter]
    fn code(&self) -> Option<String> {
        self.opened.game.code()
    }

    fn values<'py>(
        &self,
        py: Python<'py>,
        last: &Bound<'_, PyAny>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let last = whole(last)?;
        ready(py)?;
        let watched = watched(progress, None)?;
        let array = self.opened.at_work(py, watched, |opened| {
            // What can't be shown need not be computed.
            if u128::from(last) >= u128::from(opened.effort.memory) {
                return Err(Error::Memory {
                    needed: last.saturating_add(1),
                    allowed: opened.effort.memory,
                    would_do: opened.effort.memory.saturating_sub(1),
                });
            }
            Array::new(opened.heaps()?.values(last)?, last, opened)
        })?;
        array.shown(py)
    }

    fn value(
        &self,
        py: Python<'_>,
        given: &Bound<'_, PyAny>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<NimValue> {
        let watched = watched(progress, None)?;
        let game = &*self.opened.game;
        if game.heaps().is_some() {
            let heap = whole(given)?;
            return self.opened.at_work(py, watched, |opened| {
                let values = opened.heaps()?.values(heap)?;
                values.get(heap).ok_or(Error::Forgotten { heap })
            });
        }
        let row = pyo3::types::PyList::new(py, [given])?;
        let position = position(game, &row)?;
        self.opened.at_work(py, watched, |opened| {
            let analysis = opened.game.analyse(&position, Convention::Normal)?;
            let not_known = || nim_analyser::error::NameError::NotHeaps {
                name: opened.game.name().to_owned(),
            };
            Ok(analysis.nim_sum.ok_or_else(not_known)?)
        })
    }

    fn analyse(
        &self,
        py: Python<'_>,
        given: &Bound<'_, PyAny>,
        misere: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Analysis> {
        let position = position(&*self.opened.game, given)?;
        let watched = watched(progress, None)?;
        let analysis = self.opened.at_work(py, watched, |opened| {
            opened.game.analyse(&position, convention(misere))
        })?;
        Ok(Analysis {
            opened: Arc::clone(&self.opened),
            analysis,
        })
    }

    /// Whether the player to move wins each row of piles.
    fn outcomes<'py>(
        &self,
        py: Python<'py>,
        rows: PyReadonlyArray2<'_, u64>,
        misere: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let rows = rows.as_array();
        let game = &*self.opened.game;
        if game.label(0).is_some() || !game.parts().is_empty() {
            return Err(refused(format!(
                "a position of {} is no row of piles; analyse() judges one at a time",
                game.name()
            )));
        }
        let watched = watched(progress, None)?;
        let won = self.opened.at_work(py, watched, |opened| {
            let game = &*opened.game;
            if let (Some(heaps), false) = (game.heaps(), misere) {
                let largest = rows.iter().copied().max().unwrap_or(0);
                return by_table(&heaps.values(largest)?, rows, &opened.watcher);
            }
            let count = rows.nrows() as u64;
            let won = rows.outer_iter().zip(0u64..).map(|(row, at)| {
                let watch = opened.effort.watch.as_deref();
                if at % 256 == 0 && watch.is_some_and(|watch| !watch.progress(at, count)) {
                    return Err(Error::Interrupted);
                }
                let position = game.start(row.to_vec())?;
                let analysis = game.analyse(&position, convention(misere))?;
                Ok(analysis.outcome.is_winning())
            });
            won.collect::<Result<Vec<bool>, Error>>()
        })?;
        Ok(PyArray1::from_vec(py, won))
    }

    fn period(
        &self,
        py: Python<'_>,
        limit: Option<Bound<'_, PyAny>>,
        seconds: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Period> {
        let limit = limit.map(|limit| whole(&limit)).transpose()?;
        Period::find(py, &self.opened, limit, watched(progress, seconds)?)
    }

    fn quotient(
        &self,
        py: Python<'_>,
        heaps: Option<Bound<'_, PyAny>>,
        seconds: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Quotient> {
        let heaps = heaps.map(|heaps| whole(&heaps)).transpose()?;
        Quotient::find(py, &self.opened, heaps, watched(progress, seconds)?)
    }

    /// The genus of a position: its symbol, the nim-value, the misère nim-values, and its nature.
    fn genus(
        &self,
        py: Python<'_>,
        given: &Bound<'_, PyAny>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(String, u32, Vec<u32>, &'static str)> {
        let position = position(&*self.opened.game, given)?;
        let watched = watched(progress, None)?;
        self.opened.at_work(py, watched, |opened| {
            let (genus, nature) = opened.heaps()?.genus(&position)?;
            Ok((
                genus.short_symbol(nature),
                genus.value,
                genus.superscript,
                nature.name(),
            ))
        })
    }

    /// The heaps of rare nim-values from 1 to `last`, the mask, and whether the classes alternate.
    fn rares<'py>(
        &self,
        py: Python<'py>,
        last: &Bound<'_, PyAny>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyArray1<u64>>, u16, bool)> {
        let last = whole(last)?;
        ready(py)?;
        let watched = watched(progress, None)?;
        let found = self.opened.at_work(py, watched, |opened| {
            crate::values::rares(opened.heaps()?, last, &opened.watcher)
        })?;
        let Some((heaps, mask, alternating)) = found else {
            let name = self.opened.game.name();
            return Err(refused(format!(
                "the values of {name} to pile {last} show no sparse space: too many, or none, are rare"
            )));
        };
        Ok((PyArray1::from_vec(py, heaps), mask, alternating))
    }

    /// What is known of the game, as JSON and as text.
    fn lookup(
        &self,
        py: Python<'_>,
        bound: &Bound<'_, PyAny>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(String, String)> {
        let bound = whole(bound)?;
        let watched = watched(progress, None)?;
        self.opened
            .at_work(py, watched, |opened| crate::found::lookup(opened, bound))
    }
}

/// An analysed position.
#[pyclass(frozen, module = "nim_analyser._native")]
pub struct Analysis {
    opened: Arc<Opened>,
    analysis: nim_analyser::Analysis,
}

#[pymethods]
impl Analysis {
    #[getter]
    fn winning(&self) -> bool {
        self.analysis.outcome.is_winning()
    }

    #[getter]
    fn nim_values(&self) -> Option<Vec<NimValue>> {
        self.analysis.nim_values.clone()
    }

    #[getter]
    fn nim_sum(&self) -> Option<NimValue> {
        self.analysis.nim_sum
    }

    /// The position, as JSON.
    fn piles(&self) -> String {
        let row = json::Row::new(&*self.opened.game, &self.analysis.piles);
        written(|out| serde_json::to_writer(out, &row))
    }

    /// Winning moves from one on, at most so many, as JSON.
    fn moves(&self, py: Python<'_>, from: usize, most: usize) -> PyResult<String> {
        self.opened.at_work(py, Watched::default(), |opened| {
            let game = &*opened.game;
            let moves = game.winning_moves(&self.analysis).skip(from).take(most);
            let moves = moves.collect::<Result<Vec<_>, Error>>()?;
            let moves = moves.iter().map(|found| json::moved(game, found));
            let moves = moves.collect::<Vec<_>>();
            Ok(written(|out| serde_json::to_writer(out, &moves)))
        })
    }

    /// What the program prints, with the first winning move.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        self.opened.at_work(py, Watched::default(), |opened| {
            let (game, analysis) = (&*opened.game, &self.analysis);
            // Moves that fail are an error of the library.
            let mut moves = game.winning_moves(analysis);
            let first = moves.next().transpose()?;
            let first = Box::new(first.map(Ok).into_iter());
            Ok(written(|out| text::analysis(out, game, analysis, first)))
        })
    }

    /// The working, line by line.
    fn explain(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.opened.at_work(py, Watched::default(), |opened| {
            opened.game.explain(&self.analysis)
        })
    }
}
