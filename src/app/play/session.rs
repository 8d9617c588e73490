//! A session at the table: commands come in, and text goes out. The session knows whose turn it is, and keeps the record.

mod orders;

use super::blunders::Ply;
use super::board::{Board, Step};
use super::opening::opening;
use super::perfect::{Perfect, Prospect};
use super::record::{Event, winner_at_end};
use super::{Player, Side, check_size, messages};
use crate::app::error::Refused;
use crate::error::Error;
use crate::game::Game;
use crate::outcome::{Convention, Outcome};
use crate::rng::Rng;
pub use orders::Reply;

/// How the games of a session are played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who has the first and the second side.
    pub players: [Player; 2],
    /// Whether the last move wins or loses.
    pub convention: Convention,
    /// Whether the winner is predicted.
    pub prediction: bool,
    /// Whether the perfect player says why it moved so.
    pub explain: bool,
    /// The seed of random play and of random positions.
    pub seed: u64,
    /// The piles to begin with; drawn anew for each game if empty.
    pub piles: Vec<u64>,
    /// How many characters a line of a picture has room for.
    pub width: usize,
}

/// A session: one game after another with the same players.
pub struct Session<'g> {
    game: &'g dyn Game,
    settings: Settings,
    perfect: Perfect<'g>,
    rng: Rng,
    games: u64,
    start: Board,
    plies: Vec<Ply>,
    predicted: Side,
    winner: Option<Side>,
    /// How many games each side has won.
    score: [u64; 2],
    /// The game and the number of moves at which a hint was last asked for.
    nudged: Option<(u64, usize)>,
    events: Vec<Event>,
}

impl<'g> Session<'g> {
    /// Begins a session with its first game. Returns also the text to show before its first move.
    ///
    /// # Errors
    /// If the position is none of the game, or is too large to play or to analyse.
    pub fn new(game: &'g dyn Game, settings: Settings) -> Result<(Session<'g>, String), Refused> {
        let mut session = Session {
            game,
            perfect: Perfect::new(game, settings.convention),
            rng: Rng::new(settings.seed, 0),
            games: 0,
            start: Board::new(game, Vec::new()),
            plies: Vec::new(),
            predicted: Side::First,
            winner: None,
            score: [0; 2],
            nudged: None,
            events: Vec::new(),
            settings,
        };
        let text = session.begin(session.settings.piles.clone())?;
        let rules = messages::rules(game, session.settings.convention);
        let help = if session.has_human() {
            "Type `help` for the commands.\n"
        } else {
            ""
        };
        Ok((session, format!("{rules}{help}{text}")))
    }

    /// Begins a game with these piles, or with drawn ones.
    fn begin(&mut self, piles: Vec<u64>) -> Result<String, Refused> {
        let (game, convention) = (self.game, self.settings.convention);
        let number = self.games + 1;
        let mut rng = Rng::new(self.settings.seed, number);
        let position = match piles.as_slice() {
            [] => opening(game, convention, Some(self.wanted()), &mut rng)?,
            _ => game.start(piles)?,
        };
        check_size(game, &position)?;
        let outcome = game.analyse(&position, convention)?.outcome;
        // From here on nothing is refused.
        self.games = number;
        self.rng = rng;
        self.plies.clear();
        self.predicted = Side::predicted(outcome);
        self.events.push(Event::Start {
            game: game.name().to_owned(),
            convention,
            piles: game.split(&position).0.to_vec(),
            first: self.settings.players[0],
            second: self.settings.players[1],
            seed: self.settings.seed,
            outcome,
        });
        self.start = Board::new(game, position);
        self.winner = None;
        let mut text = String::new();
        if self.settings.prediction {
            text.push_str(&messages::predicted(
                self.settings.players,
                self.predicted,
                outcome,
            ));
        }
        text.push_str(&self.look()?);
        Ok(text)
    }

    /// The outcome of the opening that lets a person win, if one plays.
    fn wanted(&self) -> Outcome {
        match self.settings.players {
            [Player::Human, _] => Outcome::N,
            [_, Player::Human] => Outcome::P,
            _ => Outcome::N,
        }
    }

    /// The board as it is now.
    pub fn board(&self) -> &Board {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// The moves made in this game.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The side that has won, once no move is left.
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Side {
        Side::after(self.plies.len())
    }

    fn player(&self, side: Side) -> Player {
        self.settings.players[side as usize]
    }

    /// Whether a person plays.
    pub fn has_human(&self) -> bool {
        self.settings.players.contains(&Player::Human)
    }

    /// The prompt at which a person types.
    pub fn prompt(&self) -> String {
        match (self.winner, self.settings.players) {
            (Some(_), _) => "new, undo or quit> ".to_owned(),
            (None, [Player::Human, Player::Human]) => format!("{} player> ", self.to_move()),
            (None, _) => "your move> ".to_owned(),
        }
    }

    /// The events of the record since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Lets the player whose turn it is move, and returns the text about it; `None` if that player is a person, or the game is
    /// over.
    pub fn step(&mut self) -> Result<Option<String>, Refused> {
        if self.winner.is_some() {
            return Ok(None);
        }
        let mut reason = None;
        let step = match self.player(self.to_move()) {
            Player::Human => None,
            Player::Perfect => self.choose()?.map(|(step, prospect)| {
                reason = Some(prospect);
                step
            }),
            Player::Casual if self.rng.below(2) == 0 => self.choose()?.map(|(step, _)| step),
            Player::Random | Player::Casual => {
                check_size(self.game, self.board().position())?;
                let count = self.board().steps(self.game).count();
                let chosen = self.rng.below(count);
                self.board().steps(self.game).nth(chosen).transpose()?
            }
            Player::FirstMove => self.board().steps(self.game).next().transpose()?,
        };
        let Some(step) = step else {
            return Ok(None);
        };
        let reason = reason.filter(|_| self.settings.explain);
        Ok(Some(self.make(step, reason)?))
    }

    /// The perfect move from here, and the outcome that it leads to.
    fn choose(&mut self) -> Result<Option<(Step, Prospect)>, Error> {
        let position = self.board().position().to_vec();
        let choice = self.perfect.choose(&position)?;
        Ok(choice.map(|choice| {
            let step = self.board().step(self.game, choice.found);
            (step, choice.prospect)
        }))
    }

    /// Makes a move and tells of it.
    fn make(&mut self, step: Step, reason: Option<Prospect>) -> Result<String, Error> {
        let side = self.to_move();
        let mut text = messages::moved(self.settings.players, side, &step.words);
        if let Some(prospect) = reason {
            text.push_str(&messages::reason(prospect));
        }
        self.events.push(Event::Move {
            ply: self.plies.len() + 1,
            side,
            words: step.words.clone(),
            at: step.place.map(|(at, _)| at),
            take: step.place.map(|(_, count)| count),
            position: step.after.position().to_vec(),
        });
        self.plies.push(Ply {
            side,
            before: self.board().clone(),
            words: step.words,
            after: step.after,
        });
        text.push_str(&self.look()?);
        Ok(text)
    }

    /// The picture of the board if a person plays, and the text about the end if no move is left.
    fn look(&mut self) -> Result<String, Error> {
        let over = self.board().steps(self.game).next().transpose()?.is_none();
        let turn = self.player(self.to_move()) == Player::Human;
        let mut text = String::new();
        if over || turn || !self.has_human() || self.plies.is_empty() {
            text = format!(
                "\n{}\n",
                self.board().picture(self.game, self.settings.width)
            );
        }
        if over {
            text.push_str(&self.end()?);
        }
        Ok(text)
    }

    fn end(&mut self) -> Result<String, Error> {
        let convention = self.settings.convention;
        let winner = winner_at_end(convention, self.to_move());
        self.winner = Some(winner);
        self.score[winner as usize] += 1;
        self.events.push(Event::End {
            winner,
            moves: self.plies.len(),
        });
        let predicted = self.settings.prediction.then_some(self.predicted);
        let players = self.settings.players;
        let text = messages::end(players, winner, convention, self.plies.len(), predicted);
        let (game, plies) = (self.game, &self.plies);
        let thrown = messages::thrown_away(game, convention, players, plies, &mut self.perfect)?;
        Ok(text + &thrown + &messages::score(players, self.score))
    }
}
