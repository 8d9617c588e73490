//! Sums of different games, against a search of the game tree that knows no theorem.

use super::rule_games::{moore, staircase, wythoff};
use crate::common::tree::{Search, each_pile, sorted};
use nim_analyser::engine::{Effort, Watch};
use nim_analyser::game::{Sum, catalogue, sum};
use nim_analyser::position::Change;
use nim_analyser::{Convention, Game, HeapGame, Outcome, Ruleset};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A game by its name, and the positions after each of its moves.
type Rule = (&'static str, fn(&[u64]) -> Vec<Vec<u64>>);

const RULES: [Rule; 8] = [
    ("kayles", |piles| {
        each_pile(piles, |&n| taking(n, &[1, 2], true))
    }),
    ("nim", |piles| {
        each_pile(piles, |&n| (0..n).map(|left| vec![left]).collect())
    }),
    ("grundy", |piles| {
        each_pile(piles, |&n| {
            (1..n)
                .filter(|a| 2 * a < n)
                .map(|a| vec![a, n - a])
                .collect()
        })
    }),
    ("subtraction:1,3,4", |piles| {
        each_pile(piles, |&n| taking(n, &[1, 3, 4], false))
    }),
    ("0.137", |piles| {
        each_pile(piles, |&n| {
            let mut found = taking(n, &[3], true);
            found.extend(taking(n, &[2], false));
            found.extend((n == 1).then(Vec::new));
            found
        })
    }),
    ("wythoff", wythoff),
    ("moore:2", |piles| moore(piles, 2)),
    ("staircase", staircase),
];

/// Takings of so many stones that leave one pile, or two where that is allowed.
fn taking(n: u64, takes: &[u64], splits: bool) -> Vec<Vec<u64>> {
    let mut found = Vec::new();
    for left in takes.iter().filter_map(|take| n.checked_sub(*take)) {
        found.push(vec![left]);
        found.extend((1..=left / 2).filter(|_| splits).map(|a| vec![a, left - a]));
    }
    found
}

/// A position: the rule of each part and its piles, empty ones left out where their places mean nothing.
type Position = Vec<(usize, Vec<u64>)>;

fn tidy(rule: usize, own: Vec<u64>) -> Vec<u64> {
    if rule < 5 { sorted(&own) } else { own }
}

/// The positions after each move in one part.
fn after(position: &Position) -> Vec<Position> {
    let mut found = Vec::new();
    for (part, (rule, own)) in position.iter().enumerate() {
        found.extend(RULES[*rule].1(own).into_iter().map(|after| {
            let mut next = position.clone();
            next[part].1 = tidy(*rule, after);
            next
        }));
    }
    found
}

fn part() -> impl Strategy<Value = (usize, Vec<u64>)> {
    (0..RULES.len()).prop_flat_map(|rule| {
        let piles = match RULES[rule].0 {
            "wythoff" => prop::collection::vec(0u64..4, 2..3),
            "moore:2" | "staircase" => prop::collection::vec(0u64..3, 1..4),
            _ => prop::collection::vec(0u64..7, 1..3),
        };
        piles.prop_map(move |piles| (rule, piles))
    })
}

fn check(parts: &[(usize, Vec<u64>)], convention: Convention) -> Result<(), TestCaseError> {
    let names: Vec<&str> = parts.iter().map(|(rule, _)| RULES[*rule].0).collect();
    let game = catalogue::open(&names.join(" + "), Effort::default()).unwrap();
    let words: Vec<String> = (parts.iter())
        .map(|(_, own)| own.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    let words = words.join(" + ");
    let words: Vec<&str> = words.split(' ').collect();
    let start = game.start(game.read(&words).unwrap()).unwrap();
    let analysis = game.analyse(&start, convention).unwrap();
    let mut search = Search::new(after);
    let mut won = |position: &[u64]| {
        let each = parts.iter().zip(sum::positions(position));
        let position = each.map(|((rule, _), own)| (*rule, tidy(*rule, own.to_vec())));
        search.wins(&position.collect(), convention)
    };
    prop_assert_eq!(analysis.outcome == Outcome::N, won(&start));
    let legal: Vec<_> = game.moves(&start).map(Result::unwrap).collect();
    let each = parts.iter().zip(sum::positions(&start));
    let own_moves = each.map(|((rule, _), own)| RULES[*rule].1(own).len());
    prop_assert_eq!(legal.len(), own_moves.sum::<usize>());
    let expected: Vec<_> = legal
        .into_iter()
        .filter(|found| !won(&found.position))
        .collect();
    let found: Vec<_> = game.winning_moves(&analysis).map(Result::unwrap).collect();
    prop_assert_eq!(found, expected);
    prop_assert!(!game.explain(&analysis).unwrap().is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sums_agree_with_the_game_tree_in_normal_play(parts in prop::collection::vec(part(), 2..4)) {
        check(&parts, Convention::Normal)?;
    }

    #[test]
    fn sums_agree_with_the_game_tree_in_misere_play(parts in prop::collection::vec(part(), 2..4)) {
        check(&parts, Convention::Misere)?;
    }

    /// Games of heaps alone, which are judged by tameness and as one game of heaps.
    #[test]
    fn sums_of_heaps_agree_with_the_game_tree_in_misere_play(
        parts in prop::collection::vec((0..5usize, prop::collection::vec(0u64..8, 1..3)), 2..4),
    ) {
        check(&parts, Convention::Misere)?;
    }
}

/// Far out: what no search could look through is decided by nim-values, and in misère play by tameness.
#[test]
fn large_parts_are_decided_without_a_search() {
    let game = catalogue::open("nim + kayles + ruler", Effort::default()).unwrap();
    let start = game.read(&["1e18", "+", "1e12", "+", "2^40"]).unwrap();
    let analysis = game.analyse(&start, Convention::Normal).unwrap();
    assert_eq!(
        analysis.nim_values,
        Some(vec![1_000_000_000_000_000_000, 1, 1 << 40])
    );
    let first = game.winning_moves(&analysis).next().unwrap().unwrap();
    let after = game.analyse(&first.position, Convention::Normal).unwrap();
    assert_eq!(after.outcome, Outcome::P);
    let game = catalogue::open("nim + subtraction:1,3,4", Effort::default()).unwrap();
    let start = game.read(&["1e18", "+", "1e9"]).unwrap();
    let analysis = game.analyse(&start, Convention::Misere).unwrap();
    let first = game.winning_moves(&analysis).next().unwrap().unwrap();
    let after = game.analyse(&first.position, Convention::Misere).unwrap();
    assert_eq!(after.outcome, Outcome::P);
}

#[test]
fn what_is_no_position_of_the_sum_is_refused_and_the_part_named() {
    let game = catalogue::open("kayles + wythoff", Effort::default()).unwrap();
    let error = |words: &[&str]| game.read(words).unwrap_err().to_string();
    assert!(error(&["5", "+", "1", "x"]).starts_with("part 2, wythoff: bad pile `x`"));
    assert!(
        error(&["5", "+", "1"])
            .starts_with("part 2, wythoff: wythoff can't be played with these piles")
    );
    assert!(error(&["5"]).contains("it has 2 parts"));
    for bad in [
        &[1, 5][..],
        &[1, 5, 2, 1],
        &[1, 5, 2, 1, 2, 0],
        &[u64::MAX, 5],
    ] {
        assert!(game.start(bad.to_vec()).is_err(), "{bad:?}");
        assert!(game.analyse(bad, Convention::Normal).is_err(), "{bad:?}");
        assert!(game.moves(bad).next().unwrap().is_err(), "{bad:?}");
    }
    let unknown = catalogue::open("kayles + foo", Effort::default())
        .err()
        .unwrap();
    assert!(
        unknown
            .to_string()
            .starts_with("part 2, foo: unknown game `foo`")
    );
    assert!(unknown.is_usage());
}

/// Counts the searches that are begun.
#[derive(Default)]
struct Searches(AtomicUsize);

impl Watch for Searches {
    fn progress(&self, _known: u64, _wanted: u64) -> bool {
        true
    }

    fn counting(&self, _things: &'static str) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_part_that_is_out_of_reach_is_not_searched_again_at_each_position() {
    let searches = Arc::new(Searches::default());
    let effort = Effort::default()
        .positions(1000)
        .watch(Arc::clone(&searches) as _);
    let sum = catalogue::open("mock-turtles + grundy", effort).unwrap();
    let position = sum.read(&["999", "30", "7", "+", "99", "100"]).unwrap();
    assert!(sum.analyse(&position, Convention::Misere).is_err());
    let begun = searches.0.load(Ordering::Relaxed);
    assert!(begun < 12, "{begun} searches");
}

/// A pile of 10¹² is too large for the game alone, but few positions can follow.
#[test]
fn a_sum_is_answered_where_a_part_alone_is_not() {
    let sum = catalogue::open("take half + wythoff", Effort::default()).unwrap();
    let outcome = |words: &[&str]| {
        let position = sum.read(words).unwrap();
        sum.analyse(&position, Convention::Misere)
            .map(|found| found.outcome)
    };
    assert!(outcome(&["1000000000000", "+", "0", "0"]).is_err());
    assert_eq!(outcome(&["1000000000000", "+", "1", "2"]), Ok(Outcome::N));
}

/// The moves of a part that are out of reach don't hide those of another, wherever the part stands.
#[test]
fn a_winning_move_is_found_beside_a_part_whose_moves_are_out_of_reach() {
    let effort = Effort::default().positions(1000);
    for (name, words, out_of_reach) in [
        ("moore:2 + nim", "1000 1000 1000 + 3", 0),
        ("nim + moore:2", "3 + 1000 1000 1000", 1),
    ] {
        let sum = catalogue::open(name, effort.clone()).unwrap();
        let position = sum.read(&words.split(' ').collect::<Vec<_>>()).unwrap();
        let analysis = sum.analyse(&position, Convention::Normal).unwrap();
        let found: Vec<_> = sum.winning_moves(&analysis).collect();
        let [Ok(winning), Err(error)] = &found[..] else {
            panic!("{found:?}");
        };
        let part = 1 - out_of_reach;
        assert!(
            matches!(winning.change, Change::Part { part: own, .. } if own == part),
            "{winning:?}"
        );
        let start = format!("part {}, moore:2: a nim-value of moore:2", out_of_reach + 1);
        assert!(error.to_string().starts_with(&start), "{error}");
    }
}

fn misere_outcome(game: &dyn Game, position: &[u64]) -> Outcome {
    let found = game.analyse(position, Convention::Misere);
    found.unwrap().outcome
}

#[test]
fn parts_of_one_rule_are_piles_of_it() {
    let kayles = catalogue::open("kayles", Effort::default()).unwrap();
    let sum = catalogue::open("kayles + 0.77", Effort::default()).unwrap();
    for piles in [[3000, 5], [3000, 3000], [2999, 17], [12, 2000]] {
        let position = sum::together(piles.map(|pile| [pile]).iter());
        let found = misere_outcome(&*sum, &position);
        assert_eq!(found, misere_outcome(&*kayles, &piles), "{piles:?}");
    }
}

/// Two rules of one's own may have the same name.
#[test]
fn rules_of_one_name_are_not_taken_for_one_rule() {
    let own = |name: &str| -> Box<dyn Game> {
        let rule: Ruleset = name.parse().unwrap();
        let own = Ruleset::from_rule("own", move |heap| {
            rule.options(heap).map(|option| option.leave).collect()
        });
        Box::new(HeapGame::new(own))
    };
    let sum = Sum::new(vec![own("kayles"), own("0.26")], Effort::default());
    let named = catalogue::open("kayles + 0.26", Effort::default()).unwrap();
    let mut search = Search::new(|position: &Vec<u64>| {
        let moves = named.moves(position);
        moves.map(|found| found.unwrap().position).collect()
    });
    for a in 0..14 {
        for b in 0..14 {
            let position = vec![1, a, 1, b];
            let wins = search.wins(&position, Convention::Misere);
            assert_eq!(
                misere_outcome(&sum, &position).is_winning(),
                wins,
                "{a} {b}"
            );
        }
    }
}
