//! A graph as a game: a position is a row of vertices, a move leaves one of them for a neighbour.
//!
//! Under normal play nim-values decide. Under misère play they don't: a single vertex is decided along the graph, and so is a sum
//! of tame vertices, which behave as heaps of Nim do. Any other sum is searched exhaustively. Vertices without moves are left out
//! of it, pairs of Nim heaps of one too, and vertices of one misère canonical form count as the same vertex.

use super::builder::filled;
use crate::analysis::binary_columns::binary_columns;
use crate::analysis::{Analysis, Moves};
use crate::engine::{Effort, lock};
use crate::error::{Error, StartFault};
use crate::game::graph::{Graph, GraphError};
use crate::game::search::{self, Reduced, Search, WhoWins};
use crate::game::{Game, moves_of};
use crate::grundy::{self, NimValue};
use crate::misere::forms::{Form, Forms};
use crate::misere::{Tame, TameSum};
use crate::outcome::{Convention, Outcome};
use crate::position::{Change, Move};
use crate::printable::printable;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, OnceLock};

/// The most options of canonical forms that are kept, some 200 MB of them; further vertices stand for themselves.
const MOST_OPTIONS: usize = 1 << 24;

/// The game of a graph.
///
/// ```
/// use nim_analyser::game::graph::{GraphFormat, Graph};
/// use nim_analyser::{Convention, Game, Outcome, game::GraphGame};
///
/// let (graph, _) = Graph::read(b"a b\na c\nb c\n", GraphFormat::Edges, 1 << 20)?;
/// let game = GraphGame::new("small", graph)?;
/// let position = game.position(&["a", "b"])?;
/// assert_eq!(game.analyse(&position, Convention::Normal)?.nim_sum, Some(3));
/// # Ok::<(), nim_analyser::Error>(())
/// ```
#[derive(Debug)]
pub struct GraphGame {
    name: String,
    graph: Graph,
    values: Vec<u32>,
    misere_values: Vec<u32>,
    /// The vertices, each after all its neighbours.
    order: Vec<u32>,
    /// Whether each vertex behaves as a heap of Nim under misère play.
    tame: Vec<bool>,
    /// For each vertex, the first vertex in the order that has the same misère canonical form.
    alike: OnceLock<Vec<u32>>,
    misere: Mutex<Search>,
}

impl GraphGame {
    /// The game of a graph, with all its values.
    ///
    /// # Errors
    /// If the graph has a cycle.
    pub fn new(name: &str, graph: Graph) -> Result<GraphGame, GraphError> {
        let order = graph.order()?;
        let mut game = GraphGame {
            name: name.to_owned(),
            values: graph.nim_values(&order)?,
            misere_values: graph.misere_values(&order)?,
            tame: filled(graph.len(), false)?,
            graph,
            order,
            alike: OnceLock::new(),
            misere: Mutex::new(Search::new(WhoWins, Effort::default())),
        };
        for index in 0..game.order.len() {
            let vertex = game.order[index] as usize;
            let mut neighbours = game.graph.neighbours(vertex).iter();
            let is_nim = game.pair(vertex).is_some();
            game.tame[vertex] = is_nim && neighbours.all(|&to| game.tame[to as usize]);
        }
        Ok(game)
    }

    /// The game with bounds on what the search of a position in misère play may cost.
    pub fn with_effort(self, effort: Effort) -> GraphGame {
        let misere = Mutex::new(Search::new(WhoWins, effort));
        GraphGame { misere, ..self }
    }

    /// The Nim heap with the nim-value and the misère nim-value of a vertex, if there is one.
    fn pair(&self, vertex: usize) -> Option<Tame> {
        Tame::of_pair(
            self.values[vertex].into(),
            self.misere_values[vertex].into(),
        )
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The vertices, each after all that its moves lead to.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The position of these vertices, by their names.
    ///
    /// # Errors
    /// If some name is not that of a vertex: the first such name.
    pub fn position<T: AsRef<str>>(&self, names: &[T]) -> Result<Vec<u64>, GraphError> {
        let vertex = |name: &T| Ok(self.graph.vertex(name.as_ref())? as u64);
        names.iter().map(vertex).collect()
    }

    /// The nim-value of a vertex.
    pub fn nim_value(&self, vertex: usize) -> NimValue {
        self.values[vertex].into()
    }

    /// Who wins if play begins at a vertex.
    pub fn outcome(&self, vertex: usize, convention: Convention) -> Outcome {
        let values = match convention {
            Convention::Normal => &self.values,
            Convention::Misere => &self.misere_values,
        };
        Outcome::of_lost(values[vertex] == 0)
    }

    /// The sum of the heaps of Nim that the vertices behave as under misère play, if all of them do.
    fn tame_sum(&self, position: &[u64]) -> Option<TameSum> {
        let tame = |&vertex: &u64| {
            let is_tame = self.tame[vertex as usize];
            is_tame.then(|| self.pair(vertex as usize)).flatten()
        };
        position.iter().map(tame).collect()
    }

    /// The vertices of a position in order, each replaced by the first vertex of its form, without those that change nothing.
    fn reduce(&self, position: &[u64]) -> Reduced<'_> {
        if let Some(sum) = self.tame_sum(position) {
            return Reduced::Known(sum.outcome());
        }
        let alike = |vertex: u32| (self.alike.get()).map_or(vertex, |alike| alike[vertex as usize]);
        let neighbours = |vertex: u32| self.graph.neighbours(vertex as usize);
        let is_end = |vertex: u32| neighbours(alike(vertex)).is_empty();
        let mut vertices: Vec<u64> = Vec::with_capacity(position.len());
        // The only heap that cancels when it is added to itself is the heap of one.
        let mut odd_one = None;
        for &vertex in position {
            match alike(vertex as u32) {
                end if is_end(end) => {}
                one if neighbours(one).iter().all(|&to| is_end(to)) => {
                    odd_one = odd_one.xor(Some(one));
                }
                other => vertices.push(other.into()),
            }
        }
        vertices.extend(odd_one.map(u64::from));
        vertices.sort_unstable();
        match vertices[..] {
            [only] => Reduced::Known(self.outcome(only as usize, Convention::Misere)),
            _ => Reduced::Position(vertices),
        }
    }

    /// For each vertex the first in the order that has its misère canonical form, or itself where no room is left.
    fn find_alike(&self) -> Result<Vec<u32>, GraphError> {
        let mut forms = Forms::new(MOST_OPTIONS);
        let mut form_of: Vec<Option<Form>> = filled(self.graph.len(), None)?;
        // There are no more forms than vertices, besides the two forms that always exist.
        let mut first: Vec<Option<u32>> = filled(self.graph.len() + 2, None)?;
        let mut alike = filled(self.graph.len(), 0)?;
        for &vertex in &self.order {
            let neighbours = self.graph.neighbours(vertex as usize).iter();
            let options: Option<Vec<Form>> = neighbours.map(|&to| form_of[to as usize]).collect();
            let form = options.and_then(|options| forms.of_options(options));
            form_of[vertex as usize] = form;
            alike[vertex as usize] = match form {
                Some(form) => *first[form as usize].get_or_insert(vertex),
                None => vertex,
            };
        }
        Ok(alike)
    }

    fn misere_outcome(&self, position: &[u64]) -> Result<Outcome, Error> {
        let is_sum = position.len() > 1 && self.tame_sum(position).is_none();
        if is_sum && self.alike.get().is_none() {
            let alike = self.find_alike()?;
            self.alike.get_or_init(|| alike);
        }
        let mut search = lock(&self.misere);
        search.answer(self, &|position| self.reduce(position), position)
    }

    fn check(&self, position: &[u64]) -> Result<(), Error> {
        let vertices = self.graph.len() as u64;
        match position.iter().find(|&&vertex| vertex >= vertices) {
            None => Ok(()),
            Some(&vertex) => {
                let last = vertices - 1;
                Err(Error::start(
                    &self.name,
                    StartFault::Vertex { vertex, last },
                ))
            }
        }
    }

    fn label_of(&self, vertex: u64) -> &str {
        self.label(vertex).unwrap_or_default()
    }

    fn printable(&self, vertex: u64) -> Cow<'_, str> {
        printable(self.label_of(vertex))
    }
}

impl Game for GraphGame {
    fn name(&self) -> &str {
        &self.name
    }

    /// Reads the names of vertices. A word that is no vertex's name is parted at commas and blanks.
    fn read(&self, words: &[&str]) -> Result<Vec<u64>, Error> {
        let names = words.iter().flat_map(|word| match self.graph.vertex(word) {
            Ok(_) => vec![*word],
            Err(_) => {
                let names = word.split([',', ' ']);
                names.filter(|name| !name.is_empty()).collect()
            }
        });
        Ok(self.position(&names.collect::<Vec<_>>())?)
    }

    fn start(&self, position: Vec<u64>) -> Result<Vec<u64>, Error> {
        self.check(&position)?;
        Ok(position)
    }

    fn label(&self, vertex: u64) -> Option<&str> {
        self.graph.name(usize::try_from(vertex).ok()?)
    }

    /// Every legal move, from the first vertex of the position, then from the second …; neighbours in the order of the file.
    fn moves<'g>(&'g self, position: &[u64]) -> Moves<'g> {
        moves_of(self.check(position), |()| {
            let position: Arc<[u64]> = position.into();
            Box::new((0..position.len()).flat_map(move |index| {
                let position = Arc::clone(&position);
                let from = position[index];
                self.graph.neighbours(from as usize).iter().map(move |&to| {
                    let mut after = position.to_vec();
                    after[index] = to.into();
                    Ok(Move {
                        change: Change::Vertex {
                            index,
                            from: self.label_of(from).to_owned(),
                            to: self.label_of(to.into()).to_owned(),
                        },
                        position: after,
                    })
                })
            }))
        })
    }

    fn analyse(&self, position: &[u64], convention: Convention) -> Result<Analysis, Error> {
        self.check(position)?;
        if convention == Convention::Misere {
            let outcome = self.misere_outcome(position)?;
            return Ok(Analysis::by_outcome(position, convention, outcome));
        }
        let values = position
            .iter()
            .map(|&vertex| self.nim_value(vertex as usize));
        Ok(Analysis::by_values(position, values.collect()))
    }

    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        if analysis.outcome == Outcome::P {
            return Box::new(std::iter::empty());
        }
        let moves = self.moves(&analysis.piles);
        match analysis.nim_sum {
            Some(_) => self.of_value(moves, 0),
            None => search::winning(moves, |position| self.misere_outcome(position)),
        }
    }

    fn moves_to<'g>(&'g self, analysis: &'g Analysis, value: NimValue) -> Option<Moves<'g>> {
        Some(self.of_value(self.moves(&analysis.piles), value))
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        let mut lines = vec!["Working:".to_owned()];
        let mut shown = HashSet::new();
        for &vertex in &analysis.piles {
            if shown.insert(vertex) {
                lines.push(String::new());
                lines.extend(self.vertex_working(vertex as usize, analysis.convention));
            }
        }
        lines.push(String::new());
        match &analysis.nim_values {
            Some(values) => {
                lines.push("Nim-sum, in binary columns:".to_owned());
                lines.extend(binary_columns(values));
                lines.push(String::new());
                lines.push(self.reason(analysis)?);
            }
            None => lines.push(search::in_words(analysis.outcome)),
        }
        Ok(lines)
    }
}

impl GraphGame {
    /// The moves among these that leave the nim-value `wanted`.
    fn of_value<'g>(&'g self, moves: Moves<'g>, wanted: NimValue) -> Moves<'g> {
        let value = |&vertex: &u64| self.nim_value(vertex as usize);
        let has_it =
            move |found: &Move| grundy::nim_sum(found.position.iter().map(value)) == wanted;
        Box::new(moves.filter(move |found| found.as_ref().map_or(true, has_it)))
    }

    fn reason(&self, analysis: &Analysis) -> Result<String, Error> {
        let first = self.winning_moves(analysis).next().transpose()?;
        let Some(Change::Vertex { index, from, to }) = first.map(|found| found.change) else {
            return Ok("The nim-sum is 0, and every move changes it: no neighbour of a vertex has the vertex's own nim-value.".to_owned());
        };
        let (from, to) = (printable(&from), printable(&to));
        let (sum, value) = (
            analysis.nim_sum.unwrap_or(0),
            self.nim_value(analysis.piles[index] as usize),
        );
        Ok(format!(
            "Why the move wins: the other vertices together have the nim-sum {value} ^ {sum} = {0}, and so has {to}: from {from} to {to} the nim-sum becomes {0} ^ {0} = 0.",
            value ^ sum
        ))
    }

    fn vertex_working(&self, vertex: usize, convention: Convention) -> Vec<String> {
        const SHOWN: usize = 12;
        let neighbours = self.graph.neighbours(vertex);
        let name = self.printable(vertex as u64);
        let mut lines = vec![format!("Vertex {name}:")];
        for &to in neighbours.iter().take(SHOWN) {
            let to_name = self.printable(to.into());
            lines.push(match convention {
                Convention::Normal => format!("  -> {to_name}: {}", self.values[to as usize]),
                Convention::Misere => {
                    format!("  -> {to_name}: {}", self.outcome(to as usize, convention))
                }
            });
        }
        if neighbours.len() > SHOWN {
            lines.push(format!("  … and {} more moves", neighbours.len() - SHOWN));
        }
        if neighbours.is_empty() {
            lines.push("  no move is possible".to_owned());
        }
        lines.push(match convention {
            Convention::Normal => format!("  g({name}) = mex of these = {}", self.values[vertex]),
            Convention::Misere => {
                format!("  {name} alone is {}", self.outcome(vertex, convention))
            }
        });
        lines
    }
}
