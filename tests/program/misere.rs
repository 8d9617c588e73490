//! Misère play against a plain search of the game tree that knows no theorem, and against published positions.

use crate::common::codes::taking_sets;
use crate::common::program::{answer, errors, run, run_in};
use crate::common::tree::GameTree;
use nim_analyser::engine::{Effort, Watch};
use nim_analyser::error::Reason;
use nim_analyser::{Convention, Error, Game, HeapGame, Outcome, Ruleset};
use proptest::prelude::*;
use serde::Deserialize;
use std::sync::Arc;

/// The outcome, and every winning move and no other, are those of the plain search.
fn agrees(game: &HeapGame, plain: &mut GameTree<'_>, piles: &[u64]) {
    let analysis = game.analyse(piles, Convention::Misere).unwrap();
    let wins = plain.wins(piles);
    let name = game.name();
    assert_eq!(analysis.outcome.is_winning(), wins, "{name} {piles:?}");
    let found: Vec<_> = game.winning_moves(&analysis).map(Result::unwrap).collect();
    let all = game.moves(piles).map(Result::unwrap);
    let winning: Vec<_> = all.filter(|to| !plain.wins(&to.position)).collect();
    assert_eq!(found, winning, "winning moves of {name} {piles:?}");
    if let Some(sum) = analysis.nim_sum {
        assert_eq!(sum != 0, wins, "the nim-sum decides {name} {piles:?}");
    }
}

fn plain(game: &HeapGame) -> GameTree<'_> {
    GameTree::new(game.ruleset(), Convention::Misere)
}

fn game(name: &str) -> HeapGame {
    HeapGame::new(name.parse().unwrap())
}

/// Codes with digits to F, three heaps left at most, and some that repeat.
fn codes() -> impl Strategy<Value = String> {
    let splitting = prop::sample::select(vec!["0", "0", "4", "4!", "8", "C"]);
    let digits = prop::collection::vec(
        prop::sample::select(vec!['0', '1', '2', '3', '4', '5', '6', '7', '8', 'C', 'F']),
        1..4,
    );
    (splitting, digits, any::<bool>()).prop_map(|(splitting, digits, repeats)| {
        let digits: String = digits.iter().collect();
        match repeats {
            true => format!("{splitting}.[{digits}]"),
            false => format!("{splitting}.{digits}"),
        }
    })
}

/// A rule of one's own: any options at all, each of up to three smaller heaps.
fn own_rules() -> impl Strategy<Value = Ruleset> {
    let option = prop::collection::vec(0u64..9, 0..4);
    let options = prop::collection::vec(prop::collection::vec(option, 0..5), 10);
    options.prop_map(|rows| {
        Ruleset::from_rule("own", move |heap| {
            let row = rows.get(heap as usize).cloned().unwrap_or_default();
            // A heap of 0 has no move.
            let fits = |leave: &Vec<u64>| heap > 0 && leave.iter().all(|&part| part < heap);
            row.into_iter().filter(fits).collect()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(250) })]

    #[test]
    fn codes_agree_with_the_plain_search(
        code in codes(),
        positions in prop::collection::vec(prop::collection::vec(0u64..10, 0..4), 1..6),
    ) {
        let game = game(&code);
        let mut plain = plain(&game);
        for piles in positions {
            agrees(&game, &mut plain, &piles);
        }
    }

    #[test]
    fn own_rules_agree_with_the_plain_search(
        ruleset in own_rules(),
        positions in prop::collection::vec(prop::collection::vec(0u64..10, 0..5), 1..10),
    ) {
        let game = HeapGame::new(ruleset);
        let mut plain = plain(&game);
        for piles in positions {
            agrees(&game, &mut plain, &piles);
        }
    }

    #[test]
    fn subtraction_sets_agree_with_the_plain_search(
        set in taking_sets(8, 3),
        positions in prop::collection::vec(prop::collection::vec(0u64..14, 0..4), 1..6),
    ) {
        let game = game(&set);
        let mut plain = plain(&game);
        for piles in positions {
            agrees(&game, &mut plain, &piles);
        }
    }
}

#[test]
fn named_games_agree_with_the_plain_search() {
    for name in "couples-are-forever | grundy | nim | kayles | dawsons-kayles | dawsons-chess | \
        treblecross | officers | lasker | 0.77 | 0.4 | 0.26 | 0.35 | 4.7 | 0.3F | 8.0 | \
        take squares or half | take primes, half or 1 | take cubes or half and may split the rest"
        .split(" | ")
    {
        let game = game(name);
        let mut plain = plain(&game);
        for a in 0..=13 {
            for b in 0..=a {
                agrees(&game, &mut plain, &[a, b]);
                agrees(&game, &mut plain, &[b, 5, a]);
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    #[allow(dead_code)]
    source: String,
    single_heap_p: Vec<SingleHeaps>,
    p_positions: Vec<Positions>,
    heaps: Vec<HeapFacts>,
}

#[derive(Deserialize)]
struct SingleHeaps {
    code: String,
    to: u64,
    heaps: Vec<u64>,
}

#[derive(Deserialize)]
struct Positions {
    code: String,
    largest_heap: u64,
    most_heaps: usize,
    positions: Vec<Vec<u64>>,
}

#[derive(Deserialize)]
struct HeapFacts {
    code: String,
    misere_nim_values: Vec<u64>,
    genera: Vec<String>,
}

fn published() -> Published {
    serde_json::from_str(include_str!("../data/misere.json")).unwrap()
}

fn is_lost(game: &HeapGame, piles: &[u64]) -> bool {
    game.analyse(piles, Convention::Misere).unwrap().outcome == Outcome::P
}

#[test]
fn published_single_heaps_are_lost_and_no_others() {
    for row in published().single_heap_p {
        let game = game(&row.code);
        let lost: Vec<u64> = (0..=row.to)
            .filter(|&heap| is_lost(&game, &[heap]))
            .collect();
        assert_eq!(lost, row.heaps, "{}", row.code);
    }
}

#[test]
fn published_positions_are_lost_and_no_others() {
    for row in published().p_positions {
        let game = game(&row.code);
        let mut lost = Vec::new();
        let mut open: Vec<Vec<u64>> = vec![Vec::new()];
        while let Some(piles) = open.pop() {
            if is_lost(&game, &piles) {
                lost.push(piles.clone());
            }
            if piles.len() < row.most_heaps {
                let least = piles.last().copied().unwrap_or(1);
                open.extend(
                    (least..=row.largest_heap).map(|pile| [piles.as_slice(), &[pile]].concat()),
                );
            }
        }
        lost.sort();
        assert_eq!(lost, row.positions, "{}", row.code);
    }
}

#[test]
fn published_misere_nim_values_of_0_are_the_lost_heaps() {
    for row in published().heaps {
        let game = game(&row.code);
        for (heap, (&value, genus)) in row.misere_nim_values.iter().zip(&row.genera).enumerate() {
            let analysis = game.analyse(&[heap as u64], Convention::Misere).unwrap();
            let case = format!("heap {heap} of {}", row.code);
            assert_eq!(analysis.outcome.is_winning(), value != 0, "{case}");
            // A genus without a superscript is that of a Nim heap.
            if let Ok(nim_heap) = genus.parse::<u128>()
                && nim_heap > 1
                && let Some(sum) = analysis.nim_sum
            {
                assert_eq!(sum, nim_heap, "{case}");
            }
        }
    }
}

/// The least effort that finds who wins is what it says: below it the search is refused, and says how far it got.
#[test]
fn a_search_beyond_its_limits_is_refused() {
    let kayles: Ruleset = "kayles".parse().unwrap();
    let few_positions = Effort::default().positions(100);
    let little_memory = Effort::default().memory(200_000);
    for effort in [few_positions, little_memory] {
        let game = HeapGame::with_effort(kayles.clone(), effort);
        match game.analyse(&[35, 34, 33], Convention::Misere) {
            Err(Error::MisereOutOfReach {
                reason: Reason::Searched { searched, .. },
                ..
            }) => assert!(searched > 10, "{searched}"),
            other => panic!("not refused: {other:?}"),
        }
        // What was found is right, and small positions are still judged.
        agrees(&game, &mut plain(&game), &[6, 5]);
    }
}

struct Stop;

impl Watch for Stop {
    fn progress(&self, _: u64, _: u64) -> bool {
        false
    }
}

#[test]
fn a_search_can_be_interrupted() {
    let effort = Effort::default().watch(Arc::new(Stop));
    let game = HeapGame::with_effort("kayles".parse().unwrap(), effort);
    let stopped = game.analyse(&[45, 44, 43], Convention::Misere);
    assert_eq!(stopped.unwrap_err(), Error::Interrupted);
}

/// A later position costs nothing that an earlier one has paid for.
#[test]
fn what_was_searched_is_used_again() {
    let game = Arc::new(HeapGame::new("kayles".parse().unwrap()));
    let threads: Vec<_> = [[20, 20, 20], [20, 20, 20]]
        .into_iter()
        .map(|piles| {
            let game = Arc::clone(&game);
            std::thread::spawn(move || is_lost(&game, &piles))
        })
        .collect();
    for thread in threads {
        assert!(thread.join().unwrap());
    }
}

#[test]
fn the_program_names_the_convention() {
    let (code, out, _) = run(&["-g", "kayles", "--misere", "5", "7", "--exit-code"]);
    assert!(
        out.contains("\nConvention: misère (whoever makes the last move loses)\n"),
        "{out}"
    );
    assert_eq!(code, 0);
    let (_, out, _) = run(&["-g", "kayles", "5", "7"]);
    assert!(!out.contains("onvention"), "{out}");
    let (code, out, _) = run(&["-g", "kayles", "--misere", "20", "20", "20", "--exit-code"]);
    assert!(out.ends_with("\nThis is a Losing Position.\n"), "{out}");
    assert_eq!(code, 1);
}

#[test]
fn json_gives_nim_values_only_where_they_decide() {
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&run(arguments).1).unwrap()
    };
    let wild = json(&["-g", "kayles", "--misere", "--json", "7", "5"]);
    assert_eq!(wild["convention"], "misere");
    assert_eq!(wild["nim_values"], serde_json::Value::Null);
    assert_eq!(wild["nim_sum"], serde_json::Value::Null);
    let nim = json(&["-g", "nim", "--misere", "--json", "--all", "1e18", "3", "4"]);
    assert_eq!(nim["nim_sum"], 1_000_000_000_000_000_007u64);
    assert_eq!(nim["winning_moves"].as_array().unwrap().len(), 1);
    let ones = json(&[
        "-g",
        "nim",
        "--misere",
        "--json",
        "--all",
        "1",
        "1",
        "1000000000000000000",
    ]);
    assert_eq!(ones["outcome"], "N");
    assert_eq!(ones["winning_moves"][0]["leave"], serde_json::json!([1]));
    let ones = json(&["-g", "nim", "--misere", "--json", "1", "0", "1", "1"]);
    assert_eq!(
        (&ones["outcome"], &ones["nim_sum"]),
        (&"P".into(), &serde_json::Value::Null)
    );
    let end = json(&["-g", "nim", "--misere", "--json", "0"]);
    assert_eq!(
        (&end["outcome"], &end["winning_moves"]),
        (&"N".into(), &serde_json::json!([]))
    );
}

#[test]
fn what_is_out_of_reach_is_an_error_that_says_how_far_it_got() {
    let (code, out, err) = run(&["-g", "grundy", "--misere", "--json", "1e18"]);
    assert_eq!((code, out.as_str()), (3, ""));
    assert!(
        err.starts_with("error: ") && err.contains("grundy"),
        "{err}"
    );
}

/// Where nothing ends the work but the number of piles, the option that goes on is named.
#[test]
fn a_quotient_without_a_period_says_how_to_cover_more_piles() {
    for (game, words) in [
        (
            "0.414",
            "help: no period is proved; --piles 1024 asks for more piles",
        ),
        ("0.75", ""),
        // No period can be proved: Nim has ever larger values.
        ("nim", ""),
    ] {
        let (code, _, told) = run(&["quotient", game]);
        assert_eq!((code, told.trim_end()), (0, words), "{game}");
    }
}

/// From the period of the quotient, far beyond what is searched: the moves found are those that leave a lost position.
#[test]
fn piles_of_any_size_follow_from_a_period() {
    let kayles = game("kayles");
    for piles in [[400, 7], [601, 600], [523, 12]] {
        let analysis = kayles.analyse(&piles, Convention::Misere).unwrap();
        let found: Vec<_> = kayles
            .winning_moves(&analysis)
            .map(Result::unwrap)
            .collect();
        let all = kayles.moves(&piles).map(Result::unwrap);
        let lost: Vec<_> = all.filter(|to| is_lost(&kayles, &to.position)).collect();
        assert_eq!(analysis.outcome.is_winning(), !lost.is_empty());
        assert_eq!(found, lost, "{piles:?}");
    }
    // The quotient of Kayles has a period of 12: Plambeck and Siegel 2008.
    let large = 1_000_000_000_000_000_000;
    for others in 0..12 {
        let near = is_lost(&kayles, &[96 + large % 12, 84 + others]);
        assert_eq!(is_lost(&kayles, &[large, 84 + others]), near);
    }
    assert!(is_lost(&kayles, &[large, large]));
}

/// Outcomes by the quotient are those of a game that has only its searches.
#[test]
fn quotients_agree_with_searches() {
    for name in ["kayles", "0.72", "0.75"] {
        let learnt = game(name);
        let _ = learnt.analyse(&[600], Convention::Misere);
        let searched = game(name);
        for a in 0..=24 {
            for b in 0..=a {
                let piles = [a, b, (a * b) % 11];
                assert_eq!(
                    is_lost(&learnt, &piles),
                    is_lost(&searched, &piles),
                    "{name} {piles:?}"
                );
            }
        }
    }
}

/// What was proved in time has its certificate, though no time is left to prove it once more.
#[test]
fn a_quotient_whose_time_is_up_has_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "quotient -g 0.717[1] --seconds 1 --certificate q.json --quiet",
        "verify q.json",
    ] {
        let output = run_in(&folder, line);
        assert!(output.status.success(), "{line}: {}", errors(&output));
    }
    for line in [
        "--shard 1/8",
        "--segments 0..1",
        "--join none",
        "--sample 5%",
        "--sample 9",
    ] {
        let output = run_in(&folder, &format!("verify q.json {line}"));
        assert_eq!(output.status.code(), Some(2), "{line}: {}", errors(&output));
    }
}

/// Piles 3 and 8 of 4.775 have the genera 4 and 2^2, but together not that of 4 + 2: the genus of pile 8 needs a wild option.
#[test]
fn a_tame_genus_that_needs_a_wild_option_is_not_that_of_a_tame_pile() {
    let lines = run("genus -g 4.775 --piles 8").1;
    let last = lines.lines().last().unwrap_or_default();
    assert!(
        last.trim_start().starts_with("8  2^2") && last.ends_with("tame-like"),
        "{lines}"
    );
    assert!(run("genus -g 4.775 3 8").1.contains("wild"));
}

/// The heaps named are checked before the values of firm heaps are asked for them.
#[test]
fn a_generator_beyond_the_piles_is_a_fault_of_the_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("q.json");
    run_in(
        &folder,
        "quotient -g 0.156 2000 --certificate q.json --quiet",
    );
    let text = std::fs::read_to_string(&file).unwrap();
    let mut certificate: serde_json::Value = serde_json::from_str(&text).unwrap();
    let generators = certificate["generators"].as_array_mut().unwrap();
    *generators.last_mut().unwrap() = 1_000_000.into();
    std::fs::write(&file, certificate.to_string()).unwrap();
    let output = run_in(&folder, "verify q.json --steps 1e5");
    assert_eq!(output.status.code(), Some(3), "{}", errors(&output));
    assert!(
        errors(&output).contains("its generators is 1000000"),
        "{}",
        errors(&output)
    );
}

/// A certificate on standard output is all that stands there.
#[test]
fn a_certificate_goes_down_a_pipe() {
    for line in ["period kayles", "quotient kayles 8"] {
        let (_, certificate, report) = run(&format!("{line} --certificate - --json --quiet"));
        assert!(report.starts_with("{\"schema\":1,"), "{report}");
        let (code, text, _) = answer("verify - --quiet", &certificate);
        assert!(
            code == 0 && text.starts_with("The certificate is right"),
            "{text}"
        );
    }
}

#[test]
fn a_refusal_names_an_option_that_the_command_has() {
    for line in [
        "30 31 -g 0.07",
        "play 0.07 30 31",
        "simulate 0.07 30 31 --games 1",
        "pairs 0.07 31",
    ] {
        let (code, _, err) = run(&format!("{line} --misere --positions 10"));
        assert_eq!(code, 3, "{line}: {err}");
        let help = "help: --positions 100 searches further";
        assert!(err.contains(help), "{line}: {err}");
    }
    let (code, out, _) = answer("- -g 0.07 --misere --positions 10", "30 31");
    let help = "; help: --positions 100 searches further\n";
    assert!(code == 3 && out.ends_with(help), "{out}");
    let (code, out, err) = run("genus kayles --piles 1e18");
    assert_eq!((code, &*out), (2, ""), "{err}");
    let (code, _, err) = run("quotient 0.07 1000 --seconds 0.01");
    let help = "help: a larger --seconds goes further\n";
    assert!(code == 3 && err.ends_with(help), "{err}");
    let (_, out, _) = run("quotient nim 0");
    assert!(out.contains("\nP-portion: none\n"), "{out}");
}
