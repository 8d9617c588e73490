//! `simulate` as scripts use it.

use crate::common::program::{nim_analyser, stdout};
use assert_cmd::Command;
use serde::Deserialize;

fn simulate(words: &[&str]) -> Command {
    nim_analyser(&[&["simulate"], words].concat())
}

fn shown(words: &[&str]) -> String {
    stdout(&[&["simulate"], words].concat())
}

#[derive(Debug, Deserialize, PartialEq)]
struct Sides<T> {
    first: T,
    second: T,
}

/// The contract's shape, read back strictly.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    schema: u32,
    kind: String,
    game: String,
    code: Option<String>,
    convention: String,
    piles: Option<Vec<u64>>,
    players: Sides<String>,
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

fn report(words: &[&str]) -> Report {
    let text = shown(&[words, &["--json"]].concat());
    assert_eq!(text.matches('\n').count(), 1);
    let report: Report = serde_json::from_str(&text).unwrap();
    assert_eq!((report.schema, &*report.kind), (1, "simulation"));
    report
}

#[test]
fn perfect_against_random_wins_every_game() {
    let report = report(&["-g", "kayles", "20", "--games", "20_000"]);
    assert_eq!(
        (report.game.as_str(), report.code.as_deref()),
        ("kayles", Some("0.77"))
    );
    assert_eq!(
        (report.convention.as_str(), report.piles),
        ("normal", Some(vec![20]))
    );
    assert_eq!(
        (
            report.players.first.as_str(),
            report.players.second.as_str()
        ),
        ("perfect", "random")
    );
    assert_eq!(
        (report.seed, report.games, report.kept),
        (0, 20_000, 20_000)
    );
    assert_eq!(
        report.wins,
        Sides {
            first: 20_000,
            second: 0
        }
    );
    assert_eq!(
        report.predicted,
        Sides {
            first: 20_000,
            second: 0
        }
    );
    assert_eq!(
        report.mean_length,
        (report.moves as f64 / 20.0).round() / 1000.0
    );
    assert!(10 <= report.shortest && report.shortest < report.longest && report.longest <= 20);
}

/// Golden: these numbers must never change, whatever the machine, the threads or the version.
#[test]
fn a_seed_gives_the_same_games_for_ever() {
    let text = shown(&[
        "-g",
        "nim",
        "--first",
        "random",
        "--second",
        "first-move",
        "--misere",
        "--games",
        "500",
        "--seed",
        "3",
    ]);
    assert_eq!(
        text,
        "\
nim, misere play, 500 games from random positions, seed 3

        player       predicted         won
first   random             482         201
second  first-move          18         299

The predicted winner won 209 of 500 games.
A game took 8.86 moves on average, 5 to 15.
"
    );
}

#[test]
fn games_that_are_no_sums_of_heaps() {
    for game in ["wythoff", "staircase", "moore:2", "poker-nim"] {
        for misere in [&[][..], &["--misere"]] {
            let report = report(
                &[
                    &[
                        "-g", game, "--games", "300", "--first", "random", "--second", "perfect",
                    ],
                    misere,
                ]
                .concat(),
            );
            assert_eq!(report.piles, None);
            assert!(
                report.wins.second >= report.predicted.second && report.wins.second > 250,
                "{report:?}"
            );
        }
    }
}

#[test]
fn wrong_usage_is_refused() {
    for words in [
        &["--games", "0"][..],
        &["--games", "1.5"],
        &["--first", "human"],
        &["--second", "perfekt"],
        &["--seed", "-1"],
        &["-g", "wythoff", "1", "2", "3"],
        &["-g", "nim", "1e18"],
    ] {
        simulate(words).assert().code(2).stdout("");
    }
}
