//! Misère quotients of all heaps: as far as a proved period of the nim-values asks for, and games that are tame for ever.

use crate::common::tree::GameTree;
use nim_analyser::certificate::Certificate;
use nim_analyser::engine::Effort;
use nim_analyser::misere::certificate::QuotientCertificate;
use nim_analyser::misere::{HeapQuotient, MiserePeriod};
use nim_analyser::{Convention, Error, HeapGame, Outcome, Ruleset};
use serde_json::Value;
use std::collections::HashSet;
use std::process::Command;

fn whole(game: &str) -> (HeapGame, HeapQuotient) {
    let effort = Effort::default().positions(4_000_000);
    let game = HeapGame::with_effort(game.parse().unwrap(), effort);
    let quotient = game.whole_misere_quotient().unwrap();
    (game, quotient)
}

fn certificate(game: &HeapGame, quotient: &HeapQuotient) -> QuotientCertificate {
    QuotientCertificate::new(game.ruleset(), quotient, &Effort::default()).unwrap()
}

/// A wild game whose elements take 7,398 piles to prove their period: learnt of 334 of them, seen to repeat in the rest.
#[test]
fn a_wild_game_is_covered_to_the_period_of_its_nim_values() {
    let (game, quotient) = whole("0.644");
    assert!(quotient.beyond.is_none());
    assert_eq!(quotient.monoid().order(), 172);
    assert_eq!(quotient.p_portion().len(), 7);
    let (preperiod, period) = (3256, 442);
    let found = Some(MiserePeriod { preperiod, period });
    assert_eq!(quotient.period(), found);
    assert_eq!(quotient.last_heap(), 2 * 3256 + 2 * 442 + 3 - 1);
    assert_eq!(quotient.firm_from(), None);
    let grown = quotient.growth();
    assert_eq!((grown[0].heap, grown[0].order), (0, 1));
    assert!(grown.windows(2).all(|two| two[0].order < two[1].order));
    let last = grown.last().unwrap();
    assert_eq!((last.heap, last.order, last.p_portion), (333, 172, 7));
    let right = certificate(&game, &quotient);
    assert!(serde_json::to_string(&right).unwrap().len() < 40_000);
    let checked = right.check(&Effort::default(), &()).unwrap();
    assert_eq!((checked.period, checked.firm_from), (found, None));
    // Of the last pile whose element the theorem needs another element is no longer right, nor are fewer piles enough.
    let mut wrong = right.clone();
    let last = wrong.elements.last_mut().unwrap();
    *last = (*last + 1) % 172;
    assert!(is_false(&wrong));
    let mut wrong = right;
    wrong.elements.pop();
    wrong.heaps -= 1;
    assert!(is_false(&wrong));
    // Positions beyond all that was learnt: 3256 + 442 k is like 3256.
    let outcome = |piles: &[u64]| game.analyse(piles, Convention::Misere).unwrap().outcome;
    for other in [3, 17, 100, 3300] {
        let near = outcome(&[3256, other]);
        assert_eq!(outcome(&[3256 + 442 * 1_000_000_000, other]), near);
    }
    assert_eq!(outcome(&[10_000_000_000, 10_000_000_000]), Outcome::P);
}

/// Once the elements are proved to repeat, piles far beyond cost no look at their options: a million positions would not do for
/// the half million sums of two piles that each of these has.
#[test]
fn piles_beyond_a_proved_period_have_its_elements() {
    let effort = Effort::default().positions(1_000_000);
    let kayles = HeapGame::with_effort("kayles".parse().unwrap(), effort);
    let quotient = kayles.misere_quotient(1_000_000).unwrap();
    assert!(quotient.beyond.is_none());
    let elements = quotient.elements();
    assert_eq!(elements.len(), 1_000_001);
    assert!(
        elements[71..]
            .iter()
            .eq(elements[71..83].iter().cycle().take(999_930))
    );
}

fn is_false(certificate: &QuotientCertificate) -> bool {
    let refused = certificate.check(&Effort::default(), &());
    matches!(refused, Err(Error::FalseCertificate { .. }))
}

/// A tame game with fickle piles 0 to 6 only: its nim-values say all, and repeat from pile 326,640 on; a value above 63
/// comes first at pile 22,778.
#[test]
fn a_tame_game_is_known_by_its_nim_values() {
    let (game, quotient) = whole("0.56");
    assert_eq!(quotient.monoid().order(), 130);
    assert_eq!(quotient.kind().tame, Some(7));
    assert_eq!(quotient.generators(), [1, 3, 5, 19, 60, 256, 22_778]);
    let found = Some(MiserePeriod {
        preperiod: 326_640,
        period: 144,
    });
    assert_eq!(quotient.period(), found);
    assert_eq!(quotient.firm_from(), Some(15));
    let last = quotient.growth().last().unwrap();
    let lost = quotient.p_portion().len();
    assert_eq!((last.heap, last.order, last.p_portion), (22_778, 130, lost));
    // The pile with the new bit stands for a letter of its own, as any other does.
    let product = |word: &str| {
        let letters = letters(word).into_iter().map(|letter| {
            let heap = quotient.generators()[letter];
            quotient.elements()[heap as usize]
        });
        letters.fold(0, |product, letter| {
            quotient.monoid().times(product, letter)
        })
    };
    for element in quotient.monoid().elements() {
        assert_eq!(product(&quotient.name(element)), element);
    }
    for (word, element) in quotient.relations() {
        assert_ne!(word, quotient.name(element));
        assert_eq!(product(&word), element, "{word}");
    }
    let relations = quotient
        .relations()
        .map(|(word, x)| [word, quotient.name(x)]);
    let of_last: Vec<_> = relations.filter(|[word, _]| word.contains('g')).collect();
    assert_eq!(of_last, [["g^2", "b^2"], ["b^2g", "g"]]);
    let right = certificate(&game, &quotient);
    assert!(serde_json::to_string(&right).unwrap().len() < 2_000_000);
    let checked = right.check(&Effort::default(), &()).unwrap();
    assert_eq!((checked.period, checked.firm_from), (found, Some(513)));
    let change = |by: &dyn Fn(&mut QuotientCertificate)| {
        let mut wrong = right.clone();
        by(&mut wrong);
        assert!(is_false(&wrong));
    };
    change(&|wrong| wrong.elements[600_000] ^= 1);
    change(&|wrong| wrong.elements[22_778] = 0);
    change(&|wrong| wrong.actions[1][6] = 1);
    change(&|wrong| wrong.p_portion.truncate(1));
    change(&|wrong| wrong.generators[6] += 1);
    change(&|wrong| wrong.pairs += 1);
    // Where the options of all piles may be looked at, more than are firm from the start on are: a small allowance is
    // refused if the game isn't tame.
    let (kayles, quotient) = whole("kayles");
    let right = certificate(&kayles, &quotient);
    let little = Effort::default().steps(1_000);
    assert!(matches!(
        right.check(&little, &()),
        Err(Error::OutOfReach { .. })
    ));
}

/// The letters of a word like `ab^2`, by their numbers.
fn letters(word: &str) -> Vec<usize> {
    let mut letters = Vec::new();
    for letter in word.bytes() {
        match letter {
            b'a'..=b'z' => letters.push(usize::from(letter - b'a')),
            b'2'..=b'9' => {
                letters.extend(vec![*letters.last().unwrap(); usize::from(letter - b'1')])
            }
            _ => assert!(letter == b'^' || word == "1"),
        }
    }
    letters
}

/// Piles that are firm for ever: the moves found leave lost positions, and all of them are found.
#[test]
fn large_firm_piles_are_answered_by_their_nim_values() {
    let game = HeapGame::new("0.156".parse().unwrap());
    for piles in [
        &[700, 30][..],
        &[1_000],
        &[613, 5, 1],
        &[600, 600],
        &[590, 1, 1, 1],
    ] {
        let analysis = game.analyse(piles, Convention::Misere).unwrap();
        let found = game
            .winning_moves(&analysis)
            .map(|found| found.unwrap().position);
        let lost = |piles: &[u64]| {
            let analysis = game.analyse(piles, Convention::Misere).unwrap();
            !analysis.outcome.is_winning()
        };
        let all = game.moves(piles).map(|found| found.unwrap().position);
        let all: Vec<_> = all.filter(|to| lost(to)).collect();
        assert_eq!(found.collect::<Vec<_>>(), all, "{piles:?}");
        assert_eq!(analysis.outcome.is_winning(), !all.is_empty());
    }
    let million = game.analyse(
        &[1_000_000_000_000, 1_000_000_000_000, 1],
        Convention::Misere,
    );
    assert!(million.unwrap().outcome.is_winning());
}

/// Elements of small piles against the game tree that knows no theorem.
#[test]
fn whole_quotients_say_who_wins_small_positions() {
    for name in ["0.644", "0.156", "0.414", "0.56"] {
        let ruleset: Ruleset = name.parse().unwrap();
        let effort = Effort::default().positions(1_000_000);
        let game = HeapGame::with_effort(ruleset.clone(), effort);
        let quotient = game.misere_quotient(400).unwrap();
        assert_eq!(quotient.last_heap(), 400, "{name}");
        let mut tree = GameTree::new(&ruleset, Convention::Misere);
        for a in 0..=16u64 {
            for b in 0..=a {
                for c in 0..=b.min(7) {
                    let piles = [a, b, c];
                    let elements = piles.map(|pile| quotient.elements()[pile as usize]);
                    let product = elements.into_iter();
                    let product = product.fold(0, |x, y| quotient.monoid().times(x, y));
                    let lost = quotient.monoid().is_lost(product);
                    assert_eq!(lost, !tree.wins(&piles), "{name} {piles:?}");
                }
            }
        }
    }
}

/// What would take more than is allowed is said before it is begun.
#[test]
fn a_long_way_to_a_period_is_refused_beforehand() {
    let effort = Effort::default().positions(40_000);
    let game = HeapGame::with_effort("0.644".parse().unwrap(), effort);
    let quotient = game.whole_misere_quotient().unwrap();
    let beyond = quotient.beyond.as_ref().unwrap().to_string();
    assert!(quotient.period().is_none());
    assert!(
        quotient.last_heap() < 512 || beyond.contains("to pile 7398"),
        "{beyond}"
    );
}

/// What README.md of the survey sets beside the published orders is what the survey has.
#[test]
fn the_orders_beside_the_published_ones_are_those_of_the_survey() {
    let folder = "docs/survey/misere";
    let read = |file: &str| std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
    let lines = ["two-digits.ndjson", "three-digits.ndjson"]
        .map(read)
        .concat();
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let readme = read("README.md");
    let mut rows = 0;
    for row in readme.lines() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, code, _, here, _] = *cells else {
            continue;
        };
        let Some(line) = lines.iter().find(|line| line["code"] == code) else {
            continue;
        };
        let to = match line["status"].as_str() {
            Some("all piles") => "all".to_owned(),
            _ => line["heaps"].to_string(),
        };
        assert_eq!(here, format!("{to}: {}", line["order"]), "{code}");
        rows += 1;
    }
    assert_eq!(rows, 13);
}

/// docs/misere.md is what its script makes of the survey, and the survey has a line for each code.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn the_table_of_solved_games_is_made_of_the_survey() {
    let script = Command::new("python3")
        .arg("docs/survey/misere/table.py")
        .output()
        .expect("python3 runs the script");
    let made = String::from_utf8(script.stdout).unwrap();
    assert_eq!(made, std::fs::read_to_string("docs/misere.md").unwrap());
    let folder = "docs/survey/misere";
    for (file, count) in [("two-digits.ndjson", 126), ("three-digits.ndjson", 896)] {
        let text = std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let lines: Vec<Value> = lines.collect();
        let codes = lines.iter().map(|line| line["code"].as_str().unwrap());
        assert_eq!(codes.collect::<HashSet<_>>().len(), count);
        assert_eq!(lines.len(), count);
        // Solved games with few piles and elements are solved again, as the line says.
        let solved = lines.iter().filter(|line| line["status"] == "all piles");
        let is_small = |line: &&Value| {
            line["heaps"].as_u64() < Some(600) && line["order"].as_u64() < Some(400)
        };
        for line in solved.step_by(9).filter(is_small) {
            let mut effort = Effort::default();
            effort.positions = line["positions"].as_u64().unwrap();
            let ruleset = line["code"].as_str().unwrap().parse().unwrap();
            let quotient = HeapGame::with_effort(ruleset, effort).whole_misere_quotient();
            let quotient = quotient.unwrap();
            let found = quotient.period().unwrap();
            assert_eq!(line["order"], quotient.monoid().order(), "{line}");
            assert_eq!(line["p_portion"], quotient.p_portion().len(), "{line}");
            assert_eq!(line["period"], found.period, "{line}");
            assert_eq!(line["preperiod"], found.preperiod, "{line}");
        }
    }
}
