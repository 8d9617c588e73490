//! Rules in words: what they allow, the names they are shown by, and their nim-values, against the definition.

use crate::common::ruleset;
use nim_analyser::engine::{Effort, Watch};
use nim_analyser::error::Error;
use nim_analyser::game::catalogue;
use nim_analyser::ruleset::Formula;
use nim_analyser::sequence::Sequence;
use nim_analyser::sequence::period::Finding;
use nim_analyser::{Convention, HeapGame, Outcome, Ruleset, grundy};
use proptest::prelude::*;
use std::sync::Arc;

/// The numbers of stones that a phrase allows for a heap, by trying every number.
fn allowed(phrase: &str, n: u64, t: u64) -> bool {
    let power = |base: u64| (0..20).any(|e| base.pow(e) == t);
    match phrase {
        "half" => 2 * t == n,
        "a divisor" => n.is_multiple_of(t),
        "a proper divisor" => t < n && n.is_multiple_of(t),
        "squares" => (1..=t).any(|k| k * k == t),
        "cubes" => (1..=t).any(|k| k * k * k == t),
        "primes" => t > 1 && (2..t).all(|d| !t.is_multiple_of(d)),
        "powers of 2" => power(2),
        "powers of three" => power(3),
        "fibonacci numbers" => [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233].contains(&t),
        "an odd number" => t % 2 == 1,
        "even numbers" => t.is_multiple_of(2),
        "multiples of 3" => t.is_multiple_of(3),
        "up to half" => 2 * t <= n,
        "any number" => true,
        "4..6" => (4..=6).contains(&t),
        "at least 7" => t >= 7,
        "at most two" => t <= 2,
        number => number.parse() == Ok(t),
    }
}

const PHRASES: [&str; 20] = [
    "half",
    "a divisor",
    "a proper divisor",
    "squares",
    "cubes",
    "primes",
    "powers of 2",
    "powers of three",
    "fibonacci numbers",
    "an odd number",
    "even numbers",
    "multiples of 3",
    "up to half",
    "any number",
    "4..6",
    "at least 7",
    "at most two",
    "1",
    "3",
    "10",
];

/// What a move of a rule made of these phrases may leave of a heap, read off the words.
fn plain_options(takes: &[(&str, u8)], split: Option<bool>, n: u64) -> Vec<Vec<u64>> {
    let mut found = Vec::new();
    let halves = |sum: u64, unequal: bool| {
        (1..=sum / 2)
            .filter(move |a| !unequal || 2 * a != sum)
            .map(move |a| vec![a, sum - a])
    };
    for t in 1..=n {
        for &(phrase, rest) in takes {
            if allowed(phrase, n, t) {
                let left = n - t;
                if rest < 2 {
                    found.push(if left > 0 { vec![left] } else { vec![] });
                }
                if rest > 0 {
                    found.extend(halves(left, false));
                }
            }
        }
    }
    found.extend(split.into_iter().flat_map(|unequal| halves(n, unequal)));
    found.sort();
    found.dedup();
    found
}

/// Phrases, each with what becomes of the rest, and perhaps a split without a taking.
fn rules() -> impl Strategy<Value = (Vec<(&'static str, u8)>, Option<bool>)> {
    let phrase = (
        prop::sample::select(PHRASES.to_vec()),
        prop::sample::select(vec![0u8, 0, 0, 1, 2]),
    );
    let split = prop::option::weighted(0.2, any::<bool>());
    (prop::collection::vec(phrase, 1..4), split)
}

fn in_words(takes: &[(&str, u8)], split: Option<bool>) -> String {
    let verbs = ["take", "remove", "subtract"];
    let mut clauses: Vec<String> = (takes.iter().enumerate())
        .map(|(at, (phrase, rest))| {
            let rest = ["", " and may split the rest", " and split the rest"][usize::from(*rest)];
            format!("{} {phrase}{rest}", verbs[at % 3])
        })
        .collect();
    clauses.extend(split.map(|unequal| {
        let how = if unequal { "unequal parts" } else { "two" };
        format!("split into {how}")
    }));
    clauses.join(" or ")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_rule_allows_what_its_words_say((takes, split) in rules()) {
        let words = in_words(&takes, split);
        let rule = ruleset(&words);
        let shown = ruleset(rule.name());
        prop_assert_eq!(shown.name(), rule.name(), "{}", &words);
        for n in 0..40 {
            let listed = |rule: &Ruleset| {
                let mut found: Vec<_> = rule.options(n).map(|option| option.leave).collect();
                found.sort();
                found
            };
            prop_assert_eq!(listed(&rule), plain_options(&takes, split, n), "{} at {}", &words, n);
            prop_assert_eq!(listed(&shown), listed(&rule), "{}", rule.name());
            let mut visited = Vec::new();
            rule.each_option(n, |leave| visited.push(leave.to_vec()));
            let in_order: Vec<_> = rule.options(n).map(|option| option.leave).collect();
            prop_assert_eq!(visited, in_order, "{} at {}", &words, n);
        }
    }

    /// Tables by sets of heaps, in steps that end anywhere in a block, and by all options behind them.
    #[test]
    fn tables_agree_with_the_definition((takes, _) in rules(), steps in prop::collection::vec(1u64..300, 1..5)) {
        let takes: Vec<_> = takes.into_iter().map(|(phrase, _)| (phrase, 0)).collect();
        let words = in_words(&takes, None);
        let mut sequence = Sequence::new(ruleset(&words));
        let mut last = 0;
        for step in steps {
            last += step;
            sequence.fill(last).unwrap();
        }
        let filled: Vec<u64> = sequence.table().iter().map(u64::from).collect();
        let wanted = grundy::values(&ruleset(&words), last).unwrap();
        prop_assert_eq!(&filled[..=last as usize], &wanted[..], "{}", &words);
    }
}

/// More values than have a set of their own, and numbers from one heap of a block to another.
#[test]
fn tables_of_many_values_agree_with_the_definition() {
    for words in
        "take 1..65 or squares | take 1..130 or primes | take 2..70 or powers of 3 or half | \
        take 1..300 or primes | take 64 or cubes or a proper divisor"
            .split(" | ")
    {
        let mut sequence = Sequence::new(ruleset(words));
        sequence.fill(2500).unwrap();
        let filled: Vec<u64> = sequence.table().iter().map(u64::from).collect();
        assert_eq!(
            filled,
            grundy::values(&ruleset(words), 2500).unwrap(),
            "{words}"
        );
    }
}

#[test]
fn the_largest_value_by_a_formula_is_that_of_all_heaps() {
    for formula in [
        Formula::UpToHalf,
        Formula::Half,
        Formula::ProperDivisor,
        Formula::Divisor,
        Formula::Odious,
        Formula::PowerOf2,
        Formula::OneLess,
    ] {
        for from in 0..70 {
            let mut wanted = (formula.value(from), from);
            for to in from..140 {
                if formula.value(to) > wanted.0 {
                    wanted = (formula.value(to), to);
                }
                let found = formula.largest((from, to));
                assert_eq!(found, wanted, "{formula:?} from {from} to {to}");
            }
        }
        assert!(formula.largest((0, u64::MAX)).0 >= 1);
    }
}

/// Stops the work once more values are known than these.
struct UpTo(u64);

impl Watch for UpTo {
    fn progress(&self, known: u64, _wanted: u64) -> bool {
        known <= self.0
    }
}

#[test]
fn a_table_by_a_formula_stops_when_it_is_told_to_and_goes_on() {
    let effort = Effort::default().watch(Arc::new(UpTo(200_000)));
    let mut stopped = Sequence::with_effort(ruleset("take a divisor"), effort);
    assert_eq!(stopped.fill(500_000), Err(Error::Interrupted));
    let known = stopped.table().len();
    assert!((200_000..300_000).contains(&known), "{known}");
    let mut whole = Sequence::new(ruleset("take a divisor"));
    whole.fill(500_000).unwrap();
    assert!(stopped.table().iter().eq(whole.table().iter().take(known)));
}

#[test]
fn values_that_grow_for_ever_have_no_largest_one() {
    let largest = |game: &str| {
        let mut sequence = Sequence::new(game.parse().unwrap());
        let proved = sequence.find_period(500).unwrap();
        assert!(matches!(proved, Finding::Proved(_)), "{game}");
        sequence.largest()
    };
    assert_eq!(largest("nim"), None);
    assert_eq!(largest("kayles"), Some((8, 27)));
}

#[test]
fn formulas_agree_with_the_definition_and_go_on_to_the_largest_heaps() {
    for words in ["take up to half", "take a divisor", "take a proper divisor"] {
        let rule = ruleset(words);
        let formula = rule.takings().unwrap().formula().unwrap();
        let wanted = grundy::values(&rule, 600).unwrap();
        for (heap, &value) in (0..).zip(&wanted) {
            assert_eq!(formula.value(heap), value.into(), "{words} at {heap}");
        }
        let game = HeapGame::new(rule.clone());
        for heap in (1100..1160).chain([1 << 40]) {
            let analysis = game.analyse(&[heap, 6], Convention::Normal).unwrap();
            let found: Vec<_> = game.winning_moves(&analysis).map(Result::unwrap).collect();
            if heap < 2000 {
                let zero = |position: &[u64]| {
                    position
                        .iter()
                        .fold(0, |sum, &pile| sum ^ formula.value(pile))
                        == 0
                };
                let mut all: Vec<_> = game.moves(&[heap, 6]).map(Result::unwrap).collect();
                all.retain(|found| zero(&found.position));
                let sorted = |mut moves: Vec<_>| {
                    moves
                        .sort_by_key(|found: &nim_analyser::position::Move| found.position.clone());
                    moves
                };
                assert_eq!(sorted(found), sorted(all), "{words} at {heap}");
            } else {
                assert_eq!(found.is_empty(), analysis.outcome == Outcome::P);
            }
        }
        assert!(
            game.analyse(&[1_000_000_000_000_000_000], Convention::Normal)
                .is_ok()
        );
    }
}

#[test]
fn what_a_code_says_has_it_and_a_finite_set_is_a_subtraction_game() {
    for (words, name, code) in [
        ("remove 1 or 2", "subtraction:1,2", "0.33"),
        (
            "take 1, 2 and may split the rest",
            "take 1, 2 and may split the rest",
            "0.77",
        ),
        ("take odd numbers", "take odd numbers", "0.[30]"),
        (
            "take any number of stones from a pile.",
            "take any number",
            "0.[3]",
        ),
        ("take between 2 and 4 stones", "subtraction:2,3,4", "0.0333"),
        ("take no more than 2", "subtraction:1,2", "0.33"),
        (
            "take exactly 2 or any even number",
            "take 2 or even numbers",
            "0.[03]",
        ),
        ("take any number", "take any number", "0.[3]"),
        (
            "split into unequal parts",
            "split into unequal parts",
            "4!.0",
        ),
        ("take 1 or split", "take 1, or split into two parts", "4.3"),
    ] {
        let rule = ruleset(words);
        let found = rule
            .code()
            .unwrap_or_else(|| panic!("{words} has a code"))
            .to_string();
        assert_eq!((rule.name(), found.as_str()), (name, code), "{words}");
        assert!(catalogue::open(words, Effort::default()).is_ok());
    }
    assert!(ruleset("take squares").code().is_none());
}

#[test]
fn any_members_of_a_set_are_the_set() {
    for set in ["powers of 2", "squares", "multiples of 3", "primes"] {
        let any = ruleset(&format!("take any {set}"));
        assert_eq!(any.name(), ruleset(&format!("take {set}")).name());
    }
}

#[test]
fn a_word_that_isnt_understood_is_shown() {
    for (words, fault) in [
        (
            "take fish",
            "`fish` isn't understood\n  take fish\n       ^\n",
        ),
        (
            "take 1 or fish 3",
            "`fish` isn't understood\n  take 1 or fish 3\n            ^\n",
        ),
        ("take", "it ends too early\n  take\n      ^\n"),
        ("take 1,", "it ends too early\n  take 1,\n         ^\n"),
        (
            "take 0",
            "a move takes at least one stone\n  take 0\n       ^\n",
        ),
        (
            "take 5..3",
            "a range goes from its smaller number to its larger\n",
        ),
        (
            "take no more 3",
            "`no` isn't understood\n  take no more 3\n       ^\n",
        ),
        (
            "take most 3",
            "`most` isn't understood\n  take most 3\n       ^\n",
        ),
        ("take 1 2", "`2` isn't understood\n  take 1 2\n         ^\n"),
        ("take 70000", "a number is from 1 to 65536\n"),
        ("take 1 and may fly", "`fly` isn't understood\n"),
        (
            "take between 5 and 3",
            "a range goes from its smaller number to its larger\n",
        ),
        // All of a pile, or any number of its stones?
        (
            "take all or half",
            "`all` isn't understood\n  take all or half\n       ^\n",
        ),
        (
            "take 1, or 2 and may split",
            "it isn't clear whether this belongs to the last number or to all\n  take 1, or 2 and may split\n               ^\n",
        ),
    ] {
        let error = words.parse::<Ruleset>().unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("bad rule `{words}`: {}", fault.trim_end())),
            "{error}"
        );
    }
}

/// The first moves of a heap don't wait for all primes up to it.
#[test]
fn primes_are_listed_as_far_as_they_are_asked_for() {
    let takes = |rule: &str, heap| -> Vec<u64> {
        let rules = ruleset(rule);
        let options = rules.options(heap).take(1000);
        options.map(|option| option.take).collect()
    };
    let primes: Vec<u64> = (1..5000).filter(|&t| allowed("primes", 5000, t)).collect();
    assert_eq!(takes("take primes", 5000), primes);
    assert_eq!(
        takes("take primes", 1_000_000_000_000),
        takes("take primes", 1 << 20)
    );
    let with_splits = takes("take primes and may split, or take 1", 1_000_000_000_000);
    assert_eq!(with_splits[..3], [1, 2, 2]);
    let odd = takes("take primes or odd numbers", 5000);
    let others = (1..5000).filter(|t| t % 2 == 1 && !primes.contains(t));
    let all: Vec<u64> = primes.iter().copied().chain(others).take(1000).collect();
    assert_eq!(odd, all);
}

/// A price is never below the options that there are, and doesn't fall.
#[test]
fn a_price_covers_all_options() {
    for phrase in PHRASES {
        for rest in ["", " and may split the rest"] {
            let words =
                format!("take {phrase}{rest}, or take squares or 1, or split into unequal parts");
            let rule = ruleset(&words);
            let Some(takings) = rule.takings() else {
                continue;
            };
            let mut before = 0;
            for heap in 0..300 {
                let priced = takings.options_at_most(heap);
                assert!(
                    priced >= rule.options(heap).count() as u128,
                    "{words} at {heap}"
                );
                assert!(priced >= before, "{words} at {heap}");
                before = priced;
            }
        }
    }
}

/// The period of a set without end is proved from what its numbers leave modulo the period; here it is seen by the definition.
#[test]
fn a_period_of_one_set_is_proved_only_where_it_holds() {
    let proved = [
        ("take powers of 2", 3),
        ("take powers of 3", 2),
        ("take powers of 4", 5),
        ("take powers of 6", 7),
        ("take 1 or primes", 4),
        ("take odd numbers", 2),
        ("take 2 or odd numbers", 4),
        ("take 1, 2 or multiples of 5", 0),
        ("take squares", 0),
        ("take cubes", 0),
        ("take primes", 0),
        ("take fibonacci numbers", 0),
        ("take 3 or squares", 0),
        ("take 2 or powers of 5", 3),
    ];
    for (rule, wanted) in proved {
        let rules = ruleset(rule);
        let values = grundy::values(&rules, 400).unwrap();
        let mut sequence = Sequence::new(rules);
        let found = sequence.find_period(3000).unwrap();
        let period = match found {
            Finding::Proved(proof) => proof.period.period as usize,
            _ => 0,
        };
        assert_eq!(period, wanted, "{rule}");
        if period > 0 {
            assert!(
                (period..values.len()).all(|n| values[n] == values[n - period]),
                "{rule}"
            );
        }
    }
}
