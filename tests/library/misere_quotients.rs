//! Misère quotients: published orders, the game tree, certificates and what is done to them, genera, and bad input.

use crate::common::program::run;
use crate::common::tree::{GameTree, Search, each_pile, sorted};
use nim_analyser::certificate::Certificate;
use nim_analyser::engine::Effort;
use nim_analyser::error::MoreEffort;
use nim_analyser::misere::certificate::QuotientCertificate;
use nim_analyser::misere::{HeapQuotient, structure};
use nim_analyser::{Convention, Error, HeapGame, Ruleset};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::Write;
use std::process::Command;

#[derive(Deserialize)]
struct Published {
    orders: Vec<Order>,
    genera: Vec<Genera>,
}

#[derive(Deserialize)]
struct Order {
    code: String,
    heaps: u64,
    order: usize,
    p_portion: usize,
}

#[derive(Deserialize)]
struct Genera {
    code: String,
    genera: Vec<String>,
}

fn published() -> Published {
    serde_json::from_str(include_str!("../data/misere_quotients.json")).unwrap()
}

fn quotient(game: &str, heaps: u64) -> (HeapGame, HeapQuotient) {
    let effort = Effort::default().positions(1_000_000);
    let game = HeapGame::with_effort(game.parse().unwrap(), effort);
    let quotient = game.misere_quotient(heaps).unwrap();
    (game, quotient)
}

#[test]
fn orders_are_the_published_ones() {
    for row in published().orders {
        let (_, quotient) = quotient(&row.code, row.heaps);
        assert!(quotient.beyond.is_none());
        assert_eq!(quotient.last_heap(), row.heaps);
        let found = (quotient.monoid().order(), quotient.p_portion().len());
        assert_eq!(found, (row.order, row.p_portion), "{}", row.code);
    }
}

/// Plambeck and Siegel, section 6: most relations of the quotient to pile 29 fail beside pile 30, and what is guessed
/// by them has too many elements at first.
#[test]
fn dawsons_kayles_has_360_elements_to_pile_30() {
    let (_, quotient) = quotient("0.07", 30);
    assert_eq!(quotient.monoid().order(), 360);
    assert_eq!(quotient.p_portion().len(), 65);
}

/// The presentation of Kayles by Plambeck and Siegel, its P-portion, and its period.
#[test]
fn kayles_is_as_in_the_literature() {
    let (_, kayles) = quotient("kayles", 256);
    assert_eq!(kayles.generators(), [1, 2, 5, 9, 12, 25, 27]);
    let names: Vec<String> = (kayles.p_portion().into_iter())
        .map(|element| kayles.name(element))
        .collect();
    let lost = ["a", "d", "e", "ac", "b^2", "ac^2", "ad^2", "ade", "adf"];
    assert_eq!(names, lost);
    let period = kayles.period().unwrap();
    assert_eq!((period.preperiod, period.period), (71, 12));
    let element = |word: &str| {
        let heap = |letter: char| kayles.generators()[(letter as u8 - b'a') as usize] as usize;
        let mut letters: Vec<char> = Vec::new();
        for letter in word.chars() {
            match letter.to_digit(10) {
                Some(exponent) => {
                    letters.extend(vec![*letters.last().unwrap(); exponent as usize - 1])
                }
                None => letters.push(letter),
            }
        }
        let elements = letters
            .into_iter()
            .map(|letter| kayles.elements()[heap(letter)]);
        elements.fold(0, |a, b| kayles.monoid().times(a, b))
    };
    for relation in [
        "a2=", "b3=b", "bc2=b", "c3=c", "bd=bc", "cd=b2", "d3=d", "be=bc", "ce=b2", "e2=de",
        "bf=ab", "cf=ab2c", "d2f=f", "f2=b2", "b2g=g", "c2g=g", "dg=cg", "eg=cg", "fg=ag", "g2=b2",
    ] {
        let (one, other) = relation.split_once('=').unwrap();
        assert_eq!(element(one), element(other), "{relation}");
    }
    let kernel = kayles.kernel();
    assert_eq!(kernel.factors, [2, 2, 2, 2]);
    assert!(kayles.kind().regular && kayles.kind().tame.is_none());
}

#[test]
fn nim_has_the_quotients_of_nim() {
    for (heaps, n) in [(0, 0), (1, 1), (3, 2), (7, 3), (15, 4), (1023, 10)] {
        let (_, nim) = quotient("nim", heaps);
        let order = if n < 2 { 1 << n } else { (1 << n) + 2 };
        assert_eq!(nim.monoid().order(), order);
        assert_eq!(nim.kind().tame, Some(n), "T({n})");
    }
    assert_eq!(quotient("0.75", 12).1.kind().tame, None);
}

/// Whether the elements of piles say who wins positions that the quotient covers.
fn say_who_wins(ruleset: &Ruleset, quotient: &HeapQuotient, positions: &[Vec<u64>]) {
    let monoid = quotient.monoid();
    let mut tree = GameTree::new(ruleset, Convention::Misere);
    let covered = |piles: &&Vec<u64>| piles.iter().all(|&pile| pile <= quotient.last_heap());
    for piles in positions.iter().filter(covered) {
        let elements = piles.iter().map(|&pile| quotient.elements()[pile as usize]);
        let product = elements.fold(0, |a, b| monoid.times(a, b));
        assert_eq!(monoid.is_lost(product), !tree.wins(piles), "{piles:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    /// The product of the elements of piles is in the P-portion just if the position is lost.
    #[test]
    fn elements_say_who_wins(
        code in crate::common::codes::codes(),
        heaps in 3u64..8,
        positions in prop::collection::vec(prop::collection::vec(0u64..8, 0..5), 1..12),
    ) {
        let ruleset: Ruleset = code.parse().unwrap();
        let effort = Effort::default().positions(3_000).memory(1 << 20);
        let game = HeapGame::with_effort(ruleset.clone(), effort.clone());
        let quotient = game.misere_quotient(heaps).unwrap();
        say_who_wins(&ruleset, &quotient, &positions);
        let monoid = quotient.monoid();
        // The relations hold, and each name is of one element.
        let names: std::collections::HashSet<String> =
            monoid.elements().map(|element| quotient.name(element)).collect();
        prop_assert_eq!(names.len(), monoid.order());
        prop_assert_eq!(quotient.growth().last().unwrap().order, monoid.order());
        let kernel = structure::kernel(monoid);
        let order: u64 = kernel.factors.iter().product();
        prop_assert_eq!(order, kernel.elements.len() as u64);
        // A certificate is read back and is right; any one change of a number makes it wrong.
        let certificate = QuotientCertificate::new(&ruleset, &quotient, &effort).unwrap();
        let text = serde_json::to_string(&certificate).unwrap();
        prop_assert_eq!(&QuotientCertificate::read(&text).unwrap(), &certificate);
        prop_assert_eq!(certificate.check(&effort, &()).unwrap().period, quotient.period());
    }

    /// The same for octal games and more piles, whose quotients are guessed from those of fewer.
    #[test]
    fn elements_of_larger_piles_say_who_wins(
        code in "[04]\\.[0-7]{1,3}",
        heaps in 8u64..15,
        positions in prop::collection::vec(prop::collection::vec(0u64..15, 1..4), 1..8),
    ) {
        let ruleset: Ruleset = code.parse().unwrap();
        let game = HeapGame::with_effort(ruleset.clone(), Effort::default().positions(20_000));
        let quotient = game.misere_quotient(heaps).unwrap();
        say_who_wins(&ruleset, &quotient, &positions);
    }

    #[test]
    fn tampered_certificates_are_refused(
        code in prop::sample::select(vec!["0.77", "0.07", "4.7", "0.75", "4!.0", "0.3F", "0.[3]"]),
        field in 0usize..7,
        at in any::<prop::sample::Index>(),
        by in 1u16..40,
    ) {
        let (game, quotient) = quotient(code, 10);
        let right = QuotientCertificate::new(game.ruleset(), &quotient, &Effort::default()).unwrap();
        let mut wrong = right.clone();
        let order = right.order as u16;
        let changed = |element: u16| (element + by) % order;
        match field {
            0 => {
                let heap = at.index(wrong.elements.len());
                wrong.elements[heap] = changed(wrong.elements[heap]);
            }
            1 => {
                let element = at.index(right.order);
                let generator = by as usize % right.generators.len();
                let action = &mut wrong.actions[element][generator];
                *action = changed(*action);
            }
            2 => {
                let element = at.index(right.order) as u16;
                match wrong.p_portion.binary_search(&element) {
                    Ok(place) => drop(wrong.p_portion.remove(place)),
                    Err(place) => wrong.p_portion.insert(place, element),
                }
            }
            3 => wrong.pairs += by as usize,
            4 => wrong.heaps += u64::from(by),
            5 => wrong.period = Some(right.period.map_or(1, |period| period + 1)),
            _ => {
                let game = if code == "0.77" { "0.7" } else { "0.77" };
                (wrong.game, wrong.code) = (game.to_owned(), Some(game.to_owned()));
            }
        }
        prop_assume!(wrong != right);
        let refused = wrong.check(&Effort::default(), &());
        prop_assert!(matches!(refused, Err(Error::FalseCertificate { .. })), "{:?}", refused);
    }
}

/// The checker that shares nothing with the program agrees with it, and sees what was changed.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn the_independent_checker_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("quotient.json");
    let path = file.to_str().unwrap();
    let check = || {
        let checker = Command::new("python3")
            .args(["examples/check_quotient.py", path])
            .output();
        checker.expect("python3 runs the checker").status.success()
    };
    for (at, (game, heaps)) in [
        ("0.77", "100"),
        ("0.75", "40"),
        ("4!.0", "20"),
        ("0.3F", "8"),
        ("nim", "9"),
        ("nim", "300"),
        ("4.7", "12"),
    ]
    .into_iter()
    .enumerate()
    {
        let (code, _, error) = run(&[
            "quotient",
            "-g",
            game,
            "--heaps",
            heaps,
            "--certificate",
            path,
        ]);
        assert_eq!(code, 0, "{error}");
        assert!(check(), "{game}");
        let (code, out, error) = run(&["verify", path]);
        assert_eq!(code, 0, "{error}");
        assert!(out.starts_with("The certificate is right"), "{out}");
        let right: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        // Of each game every other field, such that each is changed in games of several kinds.
        let fields = ["elements", "p_portion", "pairs", "actions"];
        for field in fields.into_iter().skip(at % 2).step_by(2) {
            let mut wrong = right.clone();
            let change = |value: &Value| {
                json!((value.as_u64().unwrap() + 1) % right["order"].as_u64().unwrap())
            };
            match field {
                "pairs" => wrong[field] = json!(right[field].as_u64().unwrap() + 1),
                "actions" => wrong[field][1][0] = change(&right[field][1][0]),
                "p_portion" => drop(wrong[field].as_array_mut().unwrap().pop()),
                _ => wrong[field][1] = change(&right[field][1]),
            }
            let mut out = std::fs::File::create(&file).unwrap();
            serde_json::to_writer(&mut out, &wrong).unwrap();
            out.flush().unwrap();
            assert!(!check(), "{game}: {field}");
            assert_eq!(run(&["verify", path]).0, 3, "{game}: {field}");
        }
    }
}

#[test]
fn genera_are_the_published_ones() {
    for row in published().genera {
        let game = HeapGame::new(row.code.parse().unwrap());
        // Games that leave three heaps take long.
        let most = if row.code == "0.3F" { 12 } else { 20 };
        for (heap, symbol) in row.genera.iter().enumerate().take(most + 1) {
            let (genus, nature) = game.genus(&[heap as u64]).unwrap();
            assert_eq!(
                genus.short_symbol(nature),
                *symbol,
                "pile {heap} of {}",
                row.code
            );
        }
    }
}

#[test]
fn a_genus_takes_no_more_memory_than_is_allowed() {
    let genus = |memory| {
        let effort = Effort::default().memory(memory);
        HeapGame::with_effort("0.16".parse().unwrap(), effort).genus(&[70])
    };
    let (genus_found, nature) = genus(1 << 30).unwrap();
    assert_eq!((genus_found.value, nature.name()), (5, "wild"));
    let refused = genus(1 << 18).unwrap_err();
    assert_eq!(refused.more(), Some(MoreEffort::Memory));
    assert!(
        refused.to_string().contains("256 KiB of memory"),
        "{refused}"
    );
}

/// The superscript is what its definition says, with Nim heaps of 2 laid beside.
#[test]
fn genera_are_misere_nim_values() {
    // Piles of the game, and Nim heaps of 2 and of 1.
    type Position = (Vec<u64>, [usize; 2]);
    fn after(ruleset: &Ruleset, (piles, [twos, ones]): &Position) -> Vec<Position> {
        let options = |&pile: &u64| ruleset.options(pile).map(|option| option.leave).collect();
        let after = each_pile(piles, options);
        let beside = [*twos, *ones];
        let mut found: Vec<_> = after.iter().map(|after| (sorted(after), beside)).collect();
        if *twos > 0 {
            let fewer = [[twos - 1, *ones], [twos - 1, ones + 1]];
            found.extend(fewer.map(|beside| (piles.clone(), beside)));
        }
        if *ones > 0 {
            found.push((piles.clone(), [*twos, ones - 1]));
        }
        found
    }
    for (code, piles) in [
        ("0.77", &[5, 3][..]),
        ("0.77", &[6]),
        ("0.07", &[10]),
        ("4.7", &[4]),
        ("0.3F", &[6]),
    ] {
        let game = HeapGame::new(code.parse().unwrap());
        let (genus, _) = game.genus(piles).unwrap();
        let mut search = Search::new(|position: &Position| after(game.ruleset(), position));
        for twos in 0..4 {
            let value = search.value(&(sorted(piles), [twos, 0]), Convention::Misere);
            assert_eq!(
                u128::from(genus.misere(twos)),
                value,
                "{code} {piles:?} and {twos} heaps of 2"
            );
        }
    }
}

#[test]
fn the_command_prints_what_is_proved_and_names_the_pile_at_which_it_ended() {
    let far = [
        "quotient",
        "-g",
        "couples-are-forever",
        "--heaps",
        "60",
        "--positions",
        "3000",
    ];
    let (code, out, error) = run(&far);
    assert_eq!(code, 3, "{error}");
    assert!(out.contains("Order ") && out.contains("piles to "), "{out}");
    assert!(
        error.contains("ends before pile ") && error.contains("--positions"),
        "{error}"
    );
    let (_, out, _) = run(&[&far[..], &["--json"]].concat());
    let found: Value = serde_json::from_str(&out).unwrap();
    let heaps = found["heaps"].as_u64().unwrap();
    assert!((5..60).contains(&heaps) && found["asked"] == 60, "{out}");
    assert!(
        error.contains(&format!("ends before pile {}", heaps + 1)),
        "{error}"
    );
    let elements = found["elements"].as_array().unwrap();
    assert_eq!(elements.len() as u64, heaps + 1);
    let (code, _, error) = run(&["quotient", "-g", "wythoff"]);
    assert_eq!(code, 2, "{error}");
}

#[test]
fn a_quotient_out_of_reach_says_what_is_proved_and_what_would_do() {
    let far = ["quotient", "-g", "0.37", "--heaps", "20", "--positions"];
    let (code, out, error) = run(&[&far[..], &["150000"]].concat());
    assert_eq!(code, 3, "{error}");
    assert!(
        out.contains("Order 304") && out.contains("piles to 15"),
        "{out}"
    );
    for part in "ends before pile 16 | the 150000 positions allowed | \
        304 elements are proved for piles up to 15 | --positions 1500000 searches further"
        .split(" | ")
    {
        assert!(error.contains(part), "{part}: {error}");
    }
}

#[test]
fn a_period_makes_it_the_quotient_of_all_piles() {
    let found: Value = serde_json::from_str(&run(&["quotient", "kayles", "--json"]).1).unwrap();
    let figures = ["schema", "order", "preperiod", "period"].map(|key| found[key].clone());
    assert_eq!(figures, [json!(1), json!(40), json!(71), json!(12)]);
    assert_eq!(found["p_portion"].as_array().unwrap().len(), 9);
    let (_, dot, _) = run(&["quotient", "-g", "0.75", "--dot"]);
    assert!(
        dot.starts_with("digraph ") && dot.contains("  c0 -> c2\n  c2 -> c1\n"),
        "{dot}"
    );
    let (_, table, _) = run(&["quotient", "-g", "0.75", "--heaps", "5", "--table"]);
    assert_eq!(table.lines().last(), Some("   5      8          2  c"));
}

#[test]
fn a_rule_that_need_not_end_has_no_quotient() {
    let rule = Ruleset::from_rule(
        "grows",
        |heap| if heap > 2 { vec![vec![heap]] } else { vec![] },
    );
    let game = HeapGame::new(rule);
    assert!(matches!(
        game.misere_quotient(5),
        Err(Error::NotEnding { heap: 3, .. })
    ));
    assert!(matches!(
        game.genus(&[4]),
        Err(Error::NotEnding { heap: 3, .. })
    ));
}

#[test]
fn the_working_shows_elements_their_product_and_the_p_portion() {
    let (_, out, _) = run(&["-g", "kayles", "--misere", "5", "9", "--explain"]);
    for line in [
        "  pile 5 has the element c",
        "  pile 9 has the element d",
        "Their product: c · d = b^2",
        "It is in the P-portion, the set of elements of lost positions.",
    ] {
        assert!(out.lines().any(|shown| shown == line), "{line}: {out}");
    }
}

#[test]
fn what_is_out_of_reach_says_what_was_tried_and_what_would_do() {
    let far = [
        "-g",
        "officers",
        "--misere",
        "90",
        "91",
        "--positions",
        "60000",
    ];
    let (code, out, error) = run(&far);
    assert_eq!((code, out.as_str()), (3, ""), "{error}");
    for part in [
        "positions were searched",
        "a misère quotient of ",
        "--positions 600000",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
}
