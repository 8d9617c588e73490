//! Outcomes and winning moves against a game-tree search that knows no theorem.

use crate::common::codes::{codes, taking_sets};
use crate::common::ruleset;
use crate::common::tree::{GameTree, plain_options};
use nim_analyser::outcome::{Convention, Outcome};
use nim_analyser::sequence::Sequence;
use nim_analyser::{Error, HeapGame, Ruleset};
use proptest::prelude::*;

/// Judges a position both ways, and every move that is listed or not.
fn check(ruleset: &Ruleset, piles: &[u64]) {
    let game = HeapGame::new(ruleset.clone());
    let mut tree = GameTree::new(ruleset, Convention::Normal);
    let analysis = game.analyse(piles, Convention::Normal).unwrap();
    assert_eq!(
        analysis.outcome == Outcome::N,
        tree.wins(piles),
        "{ruleset} {piles:?}"
    );

    let listed: Vec<_> = game.winning_moves(&analysis).map(Result::unwrap).collect();
    let legal: Vec<_> = game.moves(piles).map(Result::unwrap).collect();
    let winning: Vec<_> = legal
        .iter()
        .filter(|&candidate| !tree.wins(&candidate.position))
        .cloned()
        .collect();
    assert_eq!(listed, winning, "{ruleset} {piles:?}");

    let mut by_moves: Vec<_> = legal.iter().map(|found| found.position.clone()).collect();
    let mut by_rule = tree.positions_after(piles);
    by_moves.sort_unstable();
    by_rule.sort_unstable();
    assert_eq!(by_moves, by_rule, "{ruleset} {piles:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_codes_agree_with_the_game_tree(code in codes(), piles in prop::collection::vec(0u64..9, 1..4)) {
        check(&ruleset(&code), &piles);
    }

    #[test]
    fn winning_moves_in_larger_heaps_are_those_whose_nim_sum_is_zero(code in codes(), piles in prop::collection::vec(0u64..23, 1..3)) {
        let game = HeapGame::new(ruleset(&code));
        let analysis = game.analyse(&piles, Convention::Normal).unwrap();
        let values = game.values(22).unwrap();
        let listed: Vec<_> = game.winning_moves(&analysis).map(Result::unwrap).collect();
        let zero = |position: &[u64]| position.iter().fold(0, |sum, &pile| sum ^ values.get(pile).unwrap()) == 0;
        let winning: Vec<_> = game.moves(&piles).map(Result::unwrap).filter(|found| zero(&found.position)).collect();
        prop_assert_eq!(listed, winning);
    }

    #[test]
    fn the_options_of_a_heap_are_those_that_the_digits_allow(code in codes(), heap in 0u64..13) {
        let ruleset = ruleset(&code);
        let (code, least) = ruleset.coded_from().unwrap();
        let mut by_rule = plain_options(code, least, heap);
        let options: Vec<_> = ruleset.options(heap).collect();
        prop_assert!(options.is_sorted_by_key(|option| (option.take, option.leave.len(), option.leave.clone())));
        prop_assert!(options.iter().all(|option| option.take + option.leave.iter().sum::<u64>() == heap));
        let mut listed: Vec<_> = options.into_iter().map(|option| option.leave).collect();
        listed.sort_unstable();
        by_rule.sort_unstable();
        prop_assert_eq!(listed, by_rule);
    }

    #[test]
    fn sets_of_takings_agree_with_the_game_tree(set in taking_sets(5, 3), piles in prop::collection::vec(0u64..9, 1..4)) {
        check(&ruleset(&set), &piles);
    }
}

#[test]
fn the_named_games_agree_with_the_game_tree() {
    for entry in nim_analyser::ruleset::HEAP_GAMES {
        if let Ok(ruleset) = entry.name.parse() {
            for piles in [
                &[1, 2][..],
                &[3],
                &[4, 4],
                &[5, 3, 1],
                &[8],
                &[6, 7],
                &[0, 9],
            ] {
                check(&ruleset, piles);
            }
        }
    }
}

/// A walk over all partitions would take longer than the world is old.
#[test]
fn a_winning_move_in_a_heap_with_more_options_than_can_be_walked() {
    for (code, piles) in [
        ("{2+}.0", [3000, 17]),
        ("0.8", [2000, 55]),
        ("0.{8}", [700, 100]),
        ("0.{9}!", [400, 101]),
        ("{3+}?.0", [600, 60]),
    ] {
        let game = HeapGame::new(ruleset(code));
        let analysis = game.analyse(&piles, Convention::Normal).unwrap();
        assert_eq!(analysis.outcome, Outcome::N, "{code}");
        let first = game.winning_moves(&analysis).next().unwrap().unwrap();
        let after = game.analyse(&first.position, Convention::Normal).unwrap();
        assert_eq!(after.outcome, Outcome::P, "{code}: {first:?}");
        let left: u64 = first.position.iter().sum();
        assert!(left >= piles[0] + piles[1] - 1, "{code}: {first:?}");
    }
}

#[test]
fn a_rule_of_ones_own_agrees_with_the_game_tree() {
    // Leave half of the heap, rounded down, or take one stone and split the rest evenly.
    let rule = |n: u64| match n {
        0 => vec![],
        _ if n % 2 == 1 => vec![vec![n / 2], vec![n / 2, n / 2]],
        _ => vec![vec![n / 2]],
    };
    let ruleset = Ruleset::from_rule("halving", rule);
    for first in 0..9 {
        for second in 0..9 {
            check(&ruleset, &[first, second]);
        }
    }
}

#[test]
fn a_rule_that_need_not_end_is_refused() {
    let game = HeapGame::new(Ruleset::from_rule("for ever", |n| vec![vec![n]]));
    let error = game.analyse(&[3], Convention::Normal).unwrap_err();
    assert!(error.to_string().contains("must be smaller"), "{error}");
    // A heap of 0 that stays one, or goes: it is nothing, and has no move.
    let stays: fn(u64) -> Vec<Vec<u64>> = |n| vec![vec![n.saturating_sub(1)]];
    let goes: fn(u64) -> Vec<Vec<u64>> = |n| match n {
        0 => vec![Vec::new()],
        n => vec![vec![n - 1]],
    };
    for rule in [stays, goes] {
        let ruleset = Ruleset::from_rule("nothing moves", rule);
        let refusal = Error::NotEnding {
            game: "nothing moves".to_owned(),
            heap: 0,
            left: 0,
        };
        let game = HeapGame::new(ruleset.clone());
        for convention in [Convention::Normal, Convention::Misere] {
            let error = game.analyse(&[3, 2], convention).unwrap_err();
            assert_eq!(error, refusal, "{convention:?}");
        }
        let error = Sequence::new(ruleset).find_period(50).unwrap_err();
        assert_eq!(error, refusal);
    }
}
