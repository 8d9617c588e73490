//! Every game of the catalogue, also one that is added tomorrow: its theory against its own moves, and its place in the
//! documents.

use nim_analyser::engine::Effort;
use nim_analyser::game::catalogue;
use nim_analyser::{Convention, Game, Outcome};
use std::collections::HashMap;

/// Who wins by the moves alone.
fn outcome(
    game: &dyn Game,
    position: &[u64],
    convention: Convention,
    known: &mut HashMap<Vec<u64>, Outcome>,
) -> Outcome {
    if let Some(&outcome) = known.get(position) {
        return outcome;
    }
    let moves = game.moves(position).map(|found| found.unwrap().position);
    let after: Vec<Outcome> = moves
        .map(|next| outcome(game, &next, convention, known))
        .collect();
    let ends_won = after.is_empty() && convention == Convention::Misere;
    let found = match ends_won || after.contains(&Outcome::P) {
        true => Outcome::N,
        false => Outcome::P,
    };
    known.insert(position.to_vec(), found);
    found
}

#[test]
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
        for convention in [Convention::Normal, Convention::Misere] {
            let mut known = HashMap::new();
            for start in &starts {
                let analysis = game.analyse(start, convention).unwrap();
                let place = format!("{} {start:?} {convention:?}", entry.name);
                let by_moves = outcome(&*game, start, convention, &mut known);
                assert_eq!(analysis.outcome, by_moves, "{place}");
                let winning = game.winning_moves(&analysis);
                let winning: Vec<_> = winning.map(Result::unwrap).collect();
                let is_lost = |next: &[u64], known: &mut _| {
                    outcome(&*game, next, convention, known) == Outcome::P
                };
                let all = game.moves(start).map(Result::unwrap);
                let wanted: Vec<_> = all
                    .filter(|found| is_lost(&found.position, &mut known))
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
            assert!(document.contains(&format!("`{name}")), "{name}");
        }
    }
}
