//! Many games between two players, the winner predicted before each.
//!
//! The random choices of a game follow from the seed and the game's number, so the tally is the same however many threads play.
//! Each thread keeps what it has found out about a position, its piles in order (outcome, moves, the perfect move), so that a
//! position met again costs a look-up.

use super::board::Board;
use super::opening::opening;
use super::perfect::Perfect;
use super::record::winner_at_end;
use super::{Player, Side, check_size};
use crate::app::error::{Kept, Refused};
use crate::engine::{Watch, lock, unlocked, useful_threads, with_helpers};
use crate::error::Error;
use crate::game::{Game, canonical};
use crate::outcome::{Convention, Outcome};
use crate::printable::joined;
use crate::rng::Rng;
use hashbrown::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// How many games a thread takes at a time.
const BATCH: u64 = 256;

/// The most positions that a thread remembers.
const MOST_REMEMBERED: usize = 200_000;

/// About how many bytes a remembered position takes beside its piles and moves, and how many each pile and each move takes.
const BYTES_PER_POSITION: u64 = 400;
const BYTES_PER_PILE: u64 = 2 * 8;
const BYTES_PER_MOVE: u64 = 4;

/// The most moves of a position that are kept: positions with more are hardly met again.
const MOST_KEPT: usize = 256;

/// How many moves are found, in all positions together, between two reports of a long game to the watch.
const TOLD_EVERY: usize = 1 << 12;

/// The games to be played.
pub struct Series<'g> {
    pub game: &'g dyn Game,
    /// Whether the last move wins or loses.
    pub convention: Convention,
    /// The players of the first and the second side; neither may be a person.
    pub players: [Player; 2],
    /// The position that every game begins with; `None` for a random one each, see `opening`.
    pub start: Option<Vec<u64>>,
    /// The seed of all random choices.
    pub seed: u64,
    pub games: u64,
    /// The most bytes for the positions that the threads remember.
    pub memory: u64,
    /// The watch that is told how many games are played, and may stop them.
    pub watch: Option<Arc<dyn Watch>>,
}

/// The results of the games. Pairs are for the first and the second side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The games played.
    pub games: u64,
    /// The games won.
    pub wins: [u64; 2],
    /// The games that each side was predicted to win.
    pub predicted: [u64; 2],
    /// The games that the predicted winner won.
    pub kept: u64,
    /// The moves of all games.
    pub moves: u64,
    /// The moves of the shortest game; 0 if there was none.
    pub shortest: u64,
    /// The moves of the longest game.
    pub longest: u64,
}

/// A game that the perfect player lost from a won position, which is impossible if the analysis is right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {side} player, who is perfect, lost game {game} from a won position: {}", path(.positions))]
pub struct Broken {
    /// The number of the game, from 1.
    pub game: u64,
    pub side: Side,
    pub positions: Vec<Vec<u64>>,
}

fn path(positions: &[Vec<u64>]) -> String {
    let texts = positions.iter().map(|position| format!("{position:?}"));
    joined(texts, " -> ")
}

impl Series<'_> {
    /// Plays all games with `threads` threads at most.
    ///
    /// # Errors
    /// The first game that the perfect player lost from a won position, which is [`Broken`], or that couldn't be played.
    pub fn play(&self, threads: usize) -> anyhow::Result<Tally> {
        let threads = useful_threads(threads);
        // A quarter of the memory is for what each thread keeps, a quarter for the table that a game under way is copied from
        // when a thread forgets, and the rest for the choice among moves.
        let room = self.memory / (4 * threads as u64);
        let (next, played) = (AtomicU64::new(0), AtomicU64::new(0));
        let stopped = AtomicBool::new(false);
        let tally = Mutex::new(Tally::default());
        let failure: Mutex<Option<(u64, anyhow::Error)>> = Mutex::new(None);
        let fail = |game: u64, error: anyhow::Error| {
            stopped.store(true, Ordering::Relaxed);
            let mut first = lock(&failure);
            if first.as_ref().is_none_or(|&(number, _)| game < number) {
                *first = Some((game, error));
            }
        };
        let work = || {
            let mut table = SeriesTable::new(self, &played, room);
            while !stopped.load(Ordering::Relaxed) {
                let from = next.fetch_add(BATCH, Ordering::Relaxed);
                if from >= self.games {
                    break;
                }
                let mut batch = Tally::default();
                // A batch that was begun is played to its first failure, so that the failure with the least number is found.
                for game in from..self.games.min(from.saturating_add(BATCH)) {
                    if let Err(error) = table.play(game, &mut batch) {
                        fail(game, error);
                        break;
                    }
                }
                let played = played.fetch_add(batch.games, Ordering::Relaxed) + batch.games;
                lock(&tally).add(&batch);
                if let Err(error) = self.tell(played) {
                    fail(u64::MAX, error.into());
                }
            }
        };
        with_helpers(threads - 1, work, work);
        match unlocked(failure) {
            Some((_, error)) => Err(error),
            None => Ok(unlocked(tally)),
        }
    }

    /// Tells the watch how many games are played.
    fn tell(&self, played: u64) -> Result<(), Error> {
        match &self.watch {
            Some(watch) if !watch.progress(played, self.games) => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        for side in 0..2 {
            self.wins[side] += other.wins[side];
            self.predicted[side] += other.predicted[side];
        }
        self.shortest = match (self.games, other.games) {
            (0, _) => other.shortest,
            (_, 0) => self.shortest,
            _ => self.shortest.min(other.shortest),
        };
        self.longest = self.longest.max(other.longest);
        self.games += other.games;
        self.kept += other.kept;
        self.moves += other.moves;
    }

    /// The mean number of moves of a game; 0 if there was none.
    pub fn mean_length(&self) -> f64 {
        if self.games == 0 {
            return 0.0;
        }
        self.moves as f64 / self.games as f64
    }
}

/// A position and what is known of it. Positions are named by their index in the list of nodes.
struct Node {
    position: Vec<u64>,
    outcome: Option<Outcome>,
    moves: Option<Vec<u32>>,
    perfect: Option<u32>,
}

/// The positions that one thread remembers while it plays.
struct SeriesTable<'s> {
    series: &'s Series<'s>,
    /// How many games all threads have played.
    played: &'s AtomicU64,
    /// How many moves were found since the last report to the watch.
    untold: usize,
    perfect: Perfect<'s>,
    numbers: HashMap<Vec<u64>, u32>,
    nodes: Vec<Node>,
    /// About how many bytes the remembered positions take, and how many they may take.
    bytes: u64,
    room: u64,
}

impl<'s> SeriesTable<'s> {
    fn new(series: &'s Series<'s>, played: &'s AtomicU64, room: u64) -> SeriesTable<'s> {
        SeriesTable {
            series,
            played,
            untold: 0,
            perfect: Perfect::new(series.game, series.convention),
            numbers: HashMap::new(),
            nodes: Vec::new(),
            bytes: 0,
            room,
        }
    }

    /// Forgets all positions except those of the game under way, whose numbers in `path` are renewed.
    fn forget(&mut self, path: &mut [u32]) {
        let old = std::mem::replace(self, SeriesTable::new(self.series, self.played, self.room));
        for at in path {
            *at = self.number(&old.nodes[*at as usize].position);
        }
    }

    /// Plays one game and counts it.
    fn play(&mut self, game: u64, tally: &mut Tally) -> anyhow::Result<()> {
        let series = self.series;
        let mut rng = Rng::new(series.seed, game);
        let start = match &series.start {
            Some(position) => position.clone(),
            None => opening(series.game, series.convention, None, &mut rng)?,
        };
        check_size(series.game, &start)?;
        let mut at = self.number(&start);
        let predicted = Side::predicted(self.outcome(at)?);
        let mut path = vec![at];
        let mut sure = None;
        loop {
            if self.nodes.len() > MOST_REMEMBERED || self.bytes > self.room {
                self.forget(&mut path);
                at = path[path.len() - 1];
                if self.bytes > self.room {
                    let moves = path.len() - 1;
                    let (kept, allowed) = (Kept::Game { moves }, series.memory);
                    return Err(Refused::NoRoom { kept, allowed }.into());
                }
            }
            let side = Side::after(path.len() - 1);
            if !self.has_moves(at)? {
                break;
            }
            at = match series.players[side as usize] {
                Player::Perfect => {
                    if self.outcome(at)?.is_winning() {
                        sure = Some(side);
                    }
                    self.perfect_move(at)?
                }
                Player::Casual if rng.below(2) == 0 => self.perfect_move(at)?,
                Player::FirstMove => self.chosen(at, |_| 0)?,
                Player::Random | Player::Casual | Player::Human => {
                    self.chosen(at, |count| rng.below(count))?
                }
            };
            path.push(at);
        }
        let length = path.len() as u64 - 1;
        let winner = winner_at_end(series.convention, Side::after(path.len() - 1));
        if let Some(side) = sure.filter(|&side| side != winner) {
            let positions = path
                .iter()
                .map(|&at| self.nodes[at as usize].position.clone());
            let positions = positions.collect();
            let game = game + 1;
            return Err(Broken {
                game,
                side,
                positions,
            }
            .into());
        }
        let mut one = Tally {
            games: 1,
            kept: u64::from(winner == predicted),
            moves: length,
            shortest: length,
            longest: length,
            ..Tally::default()
        };
        one.wins[winner as usize] = 1;
        one.predicted[predicted as usize] = 1;
        tally.add(&one);
        Ok(())
    }

    /// The number of a position, which is added if it is new.
    fn number(&mut self, position: &[u64]) -> u32 {
        let position = canonical(self.series.game, position);
        if let Some(&number) = self.numbers.get(&position) {
            return number;
        }
        self.bytes += BYTES_PER_POSITION + BYTES_PER_PILE * position.len() as u64;
        let number = self.nodes.len() as u32;
        self.numbers.insert(position.clone(), number);
        self.nodes.push(Node {
            position,
            outcome: None,
            moves: None,
            perfect: None,
        });
        number
    }

    fn outcome(&mut self, at: u32) -> Result<Outcome, Error> {
        let node = &mut self.nodes[at as usize];
        if let Some(outcome) = node.outcome {
            return Ok(outcome);
        }
        let analysis = self
            .series
            .game
            .analyse(&node.position, self.series.convention)?;
        node.outcome = Some(analysis.outcome);
        Ok(analysis.outcome)
    }

    fn has_moves(&self, at: u32) -> Result<bool, Error> {
        let (game, node) = (self.series.game, &self.nodes[at as usize]);
        if let Some(moves) = &node.moves {
            return Ok(!moves.is_empty());
        }
        let first = Board::new(game, node.position.clone())
            .positions(game)
            .next()
            .transpose()?;
        Ok(first.is_some())
    }

    /// The position after one of the legal moves; `choose` is given their number. On a row a move counts once for each place.
    fn chosen(&mut self, at: u32, choose: impl FnOnce(usize) -> usize) -> Result<u32, Refused> {
        if let Some(moves) = &self.nodes[at as usize].moves {
            return Ok(moves[choose(moves.len())]);
        }
        let (game, position) = (self.series.game, &self.nodes[at as usize].position);
        check_size(game, position)?;
        let board = Board::new(game, position.clone());
        let count = board.positions(game).count();
        self.tell(count)?;
        if count <= MOST_KEPT {
            let mut moves = Vec::new();
            for after in board.positions(game) {
                moves.push(self.number(&after?));
            }
            self.bytes += BYTES_PER_MOVE * moves.len() as u64;
            let chosen = moves[choose(count)];
            self.nodes[at as usize].moves = Some(moves);
            return Ok(chosen);
        }
        let after = board.positions(game).nth(choose(count)).transpose()?;
        Ok(after.map_or(at, |after| self.number(&after)))
    }

    /// Counts moves found, and tells the watch now and then.
    fn tell(&mut self, moves: usize) -> Result<(), Error> {
        self.untold += moves;
        if self.untold < TOLD_EVERY {
            return Ok(());
        }
        self.untold = 0;
        self.series.tell(self.played.load(Ordering::Relaxed))
    }

    fn perfect_move(&mut self, at: u32) -> Result<u32, Error> {
        let node = &self.nodes[at as usize];
        if let Some(perfect) = node.perfect {
            return Ok(perfect);
        }
        let choice = self.perfect.choose(&node.position.clone())?;
        self.tell(1)?;
        // A position without moves stands for its own successor, but nobody asks for it.
        let perfect = choice.map_or(at, |choice| self.number(&choice.found.position));
        self.nodes[at as usize].perfect = Some(perfect);
        Ok(perfect)
    }
}
