//! Every game of the catalogue, also one that is added tomorrow: its theory against its own moves, and its place in the
//! documents.

use crate::common::tree::Search;
use nim_analyser::Convention;
use nim_analyser::engine::Effort;
use nim_analyser::game::catalogue;
use proptest::prelude::*;

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn every_game_is_won_as_its_moves_say() {
    let pairs = (0..5).flat_map(|a| (0..6).map(move |b| vec![a, b]));
    let more = (1..4).map(|a| vec![1, a, a + 1]);
    let piles = (0..9).map(|a| vec![a]).chain(pairs).chain(more);
    let piles: Vec<Vec<u64>> = piles.collect();
    for entry in catalogue::entries() {
        let game = catalogue::open(entry.name, Effort::default()).unwrap();
        let starts = piles
            .iter()
            .filter_map(|piles| game.start(piles.clone()).ok());
        let starts: Vec<Vec<u64>> = starts.collect();
        assert!(starts.len() >= 9, "{}", entry.name);
        let mut search = Search::new(|position: &Vec<u64>| {
            let moves = game.moves(position);
            moves.map(|found| found.unwrap().position).collect()
        });
        for convention in [Convention::Normal, Convention::Misere] {
            for start in &starts {
                let analysis = game.analyse(start, convention).unwrap();
                let place = format!("{} {start:?} {convention:?}", entry.name);
                let wins = search.wins(start, convention);
                assert_eq!(analysis.outcome.is_winning(), wins, "{place}");
                let winning = game.winning_moves(&analysis);
                let winning: Vec<_> = winning.map(Result::unwrap).collect();
                let all = game.moves(start).map(Result::unwrap);
                let wanted: Vec<_> = all
                    .filter(|found| !search.wins(&found.position, convention))
                    .collect();
                assert_eq!(winning, wanted, "{place}");
            }
        }
    }
}

#[test]
fn every_game_that_is_no_sum_of_piles_is_in_the_document_of_games() {
    let document = include_str!("../../docs/games.md");
    for entry in catalogue::entries() {
        let game = catalogue::open(entry.name, Effort::default()).unwrap();
        let (name, _) = entry.name.split_once(':').unwrap_or((entry.name, ""));
        if game.heaps().is_none() {
            assert!(
                document.contains(&format!("`{name}")),
                "{name} has no row in docs/games.md"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Every game that is no sum of piles gives an error for what is no position of it, or answers.
    #[test]
    fn any_row_is_answered_or_refused_without_a_panic(row in prop::collection::vec(0u64..40, 0..5)) {
        for entry in catalogue::entries() {
            let game = catalogue::open(entry.name, Effort::default().positions(10)).unwrap();
            if game.heaps().is_some() {
                continue;
            }
            for convention in [Convention::Normal, Convention::Misere] {
                let Ok(analysis) = game.analyse(&row, convention) else {
                    continue;
                };
                game.winning_moves(&analysis).take(10).for_each(drop);
                game.moves(&row).take(10).for_each(drop);
                game.facts(&analysis);
                game.shown(&row);
            }
        }
    }
}

#[test]
fn what_is_no_position_is_an_error() {
    for (name, row) in [
        ("northcott", &[99, 1, 10][..]),
        ("northcott", &[28, 10]),
        ("fibonacci-nim", &[5]),
        ("fibonacci-nim", &[5, 4, 3]),
        ("fibonacci-nim", &[]),
        ("wythoff", &[1, 2, 3]),
    ] {
        let game = catalogue::open(name, Effort::default()).unwrap();
        for convention in [Convention::Normal, Convention::Misere] {
            assert!(game.analyse(row, convention).is_err(), "{name} {row:?}");
        }
    }
}
