//! Every game of the catalogue, also one that is added tomorrow: its theory against its own moves, and its place in the
//! documents.

use crate::common::tree::Search;
use nim_analyser::Convention;
use nim_analyser::engine::Effort;
use nim_analyser::game::catalogue;

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
