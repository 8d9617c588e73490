//! `simulate`: many games between players that need no keyboard.

use super::progress::Progress;
use super::shared_args::{Asked, FormArgs, PositionArgs, heap};
use crate::app::play::{Player, Series, Tally};
use crate::app::report;
use crate::engine::Watch;
use crate::outcome::Convention;
use crate::position::parse_piles;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

const EXAMPLES: &str = "\
The exit status is 3 if the perfect player ever loses from a won position; that game is printed then.
In games that are played on rows (see play), the same move at two places counts as two moves.

Examples:
  nim-analyser simulate -g kayles 20 --games 100_000
  nim-analyser simulate -g nim --first random --second perfect --seed 7 --json";

/// Play many games between two computer players
///
/// The winner of each game is predicted before its first move.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The piles that every game begins with [default: random piles for each game]
    #[arg(value_name = "PILES", allow_negative_numbers = true)]
    piles: Vec<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// Who moves first
    #[arg(long, value_name = "PLAYER", default_value = "perfect", value_parser = player())]
    first: Player,
    /// Who moves second
    #[arg(long, value_name = "PLAYER", default_value = "random", value_parser = player())]
    second: Player,
    /// Play N games
    #[arg(long, value_name = "N", default_value = "10_000", value_parser = count)]
    games: u64,
    /// Seed the random numbers; the same seed gives the same games on every machine
    #[arg(long, value_name = "NUMBER", default_value = "0", value_parser = heap)]
    seed: u64,
    #[command(flatten)]
    form: FormArgs,
}

/// The parser of a player that isn't a person.
fn player() -> impl TypedValueParser<Value = Player> {
    let players = Player::value_variants().iter();
    let players = players.filter(|&&player| player != Player::Human);
    let names = players.filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(names).try_map(|name| Player::from_str(&name, false))
}

fn count(text: &str) -> Result<u64, String> {
    match parse_piles(&[text]) {
        Ok(numbers) if numbers.len() == 1 && numbers[0] > 0 => Ok(numbers[0]),
        _ => Err("a number of games is 1 or more, as in 20000, 1_000 or 1e6".to_owned()),
    }
}

/// Plays the games and prints what came of them.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Asked { named, game, piles } = args.position.piles(&args.piles)?;
    let effort = args.position.allowed();
    let watch: Arc<dyn Watch> = Arc::new(Progress::counting("games", args.position.effort.quiet));
    let start = match piles.as_slice() {
        [] => None,
        _ => Some(game.start(piles)?),
    };
    let series = Series {
        game: &*game,
        convention: named.convention(),
        players: [args.first, args.second],
        start,
        seed: args.seed,
        games: args.games,
        memory: effort.memory,
        watch: Some(Arc::clone(&watch)),
    };
    let played = series.play(effort.threads);
    watch.done();
    let tally = played?;
    let report = Report::new(&series, &tally);
    args.form
        .print("simulation", &report, |out| text(out, &series, &tally))
}

/// A number for each side.
#[derive(Serialize)]
struct Sides<T> {
    first: T,
    second: T,
}

/// The tally as JSON. Keys are only ever added.
#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    code: Option<String>,
    convention: Convention,
    piles: Option<report::json::Row<'a>>,
    players: Sides<Player>,
    seed: u64,
    games: u64,
    wins: Sides<u64>,
    predicted: Sides<u64>,
    kept: u64,
    moves: u64,
    mean_length: f64,
    shortest: u64,
    longest: u64,
}

impl<'a> Report<'a> {
    fn new(series: &'a Series<'_>, tally: &Tally) -> Report<'a> {
        let start = series.start.as_deref();
        Report {
            game: series.game.name(),
            code: series.game.code(),
            convention: series.convention,
            piles: start.map(|start| report::json::Row::new(series.game, start)),
            players: sides(series.players),
            seed: series.seed,
            games: tally.games,
            wins: sides(tally.wins),
            predicted: sides(tally.predicted),
            kept: tally.kept,
            moves: tally.moves,
            mean_length: (tally.mean_length() * 1000.0).round() / 1000.0,
            shortest: tally.shortest,
            longest: tally.longest,
        }
    }
}

fn sides<T>([first, second]: [T; 2]) -> Sides<T> {
    Sides { first, second }
}

fn text(out: &mut dyn Write, series: &Series<'_>, tally: &Tally) -> std::io::Result<()> {
    let from = match &series.start {
        Some(start) => series.game.shown(start),
        None => "random positions".to_owned(),
    };
    let (name, convention) = (series.game.name(), series.convention);
    let (games, seed) = (tally.games, series.seed);
    let noun = if games == 1 { "game" } else { "games" };
    writeln!(
        out,
        "{name}, {convention} play, {games} {noun} from {from}, seed {seed}"
    )?;
    writeln!(out, "\n        player       predicted         won")?;
    for (side, player) in series.players.iter().enumerate() {
        writeln!(
            out,
            "{:7} {:10} {:>11} {:>11}",
            ["first", "second"][side],
            player.to_string(),
            tally.predicted[side],
            tally.wins[side]
        )?;
    }
    writeln!(
        out,
        "\nThe predicted winner won {} of {games} {noun}.",
        tally.kept
    )?;
    let (shortest, longest) = (tally.shortest, tally.longest);
    if shortest == longest {
        let noun = if longest == 1 { "move" } else { "moves" };
        let every = if games == 1 { "The" } else { "Every" };
        return writeln!(out, "{every} game took {longest} {noun}.");
    }
    let mean = tally.mean_length();
    writeln!(
        out,
        "A game took {mean:.2} moves on average, {shortest} to {longest}."
    )
}
