//! Certificates in segments that this program did not make: two checkers that share no code agree on each.

use crate::common::certificates::{Draft, Game, second_checker};
use crate::common::rng::Rng;
use nim_analyser::certificate::Certificate;
use nim_analyser::engine::Effort;
use nim_analyser::error::Error;
use nim_analyser::sequence::period::segments::{Segments, Share};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

/// A certificate, which of its segments are checked, and whether they are right.
struct Case {
    draft: Draft,
    chosen: Option<(u64, u64)>,
    right: bool,
    what: &'static str,
}

/// What the program's check finds; all errors but those that say what is false are none that it may have.
fn checked(text: &str, chosen: Option<(u64, u64)>) -> Result<(), String> {
    let check = || {
        let certificate = Segments::read(text)?;
        let claim = certificate.claim()?;
        let (first, last) = chosen.unwrap_or((0, claim.count() - 1));
        let share = Share::new(claim, first..=last);
        certificate.check(&Effort::default().threads(1), &share)?;
        assert!(share.right().into_iter().eq(first..=last));
        Ok(())
    };
    match check() {
        Ok(()) => Ok(()),
        Err(error @ (Error::FalseCertificate { .. } | Error::NoCertificate(_))) => {
            Err(error.to_string())
        }
        Err(error) => panic!("{error}"),
    }
}

/// Both checkers on each of these; how many there were of each kind.
fn assert_agreed(cases: &[Case]) -> BTreeMap<&'static str, u32> {
    let directory = tempfile::tempdir().unwrap();
    let mut list = String::new();
    for (number, case) in cases.iter().enumerate() {
        let file = directory.path().join(format!("{number}.json"));
        fs::write(&file, case.draft.json()).unwrap();
        write!(list, "{}", file.display()).unwrap();
        if let Some((first, last)) = case.chosen {
            write!(list, " {first} {last}").unwrap();
        }
        list.push('\n');
    }
    let answers = second_checker(list);
    let mut others = answers.iter().flatten().map(String::as_str);
    let mut counts = BTreeMap::new();
    let mut disagreed = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        *counts.entry(case.what).or_default() += 1;
        let text = case.draft.json();
        let own = checked(&text, case.chosen);
        let other = others
            .next()
            .unwrap_or(if case.right { "right" } else { "false" });
        let agreed = own.is_ok() == case.right
            && (other == "right") == case.right
            && (other == "right" || other.starts_with("false"));
        if !agreed {
            let kept = std::env::temp_dir().join(format!("nim-analyser-disagreed-{number}.json"));
            fs::write(&kept, &text).unwrap();
            disagreed.push(format!(
                "{} of {} ({number}, {:?}): it is right: {}, but {own:?} and {other:?}",
                case.what, case.draft.code, case.chosen, case.right
            ));
        }
    }
    assert!(
        disagreed.is_empty(),
        "{} of {}, kept in the folder of temporary files:\n{}",
        disagreed.len(),
        cases.len(),
        disagreed.join("\n")
    );
    counts
}

/// So many cases of each of so many random games, by what `more` makes of a game.
fn cases(
    mut rng: Rng,
    (games, each): (usize, usize),
    mut more: impl FnMut(&Game, &mut Rng, &mut Vec<Case>) -> Option<()>,
) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut found = 0;
    while found < games {
        let Some(game) = Game::random(&mut rng) else {
            continue;
        };
        let before = cases.len();
        for _ in 0..20 * each {
            if cases.len() >= before + each {
                break;
            }
            more(&game, &mut rng, &mut cases);
        }
        found += usize::from(cases.len() > before);
    }
    cases
}

/// Certificates most of which are false, that begin near the first values.
fn near(seed: u64, games: usize, each: usize) -> Vec<Case> {
    cases(Rng::new(seed, 0), (games, each), |game, rng, cases| {
        let (behind, many) = (rng.below(2) * rng.below(600), rng.below(2) * rng.below(24));
        let draft = game.certificate(rng, behind, many)?;
        let right = rng.below(3) == 0;
        let (draft, what) = match right {
            true => (draft, "right"),
            false => game.falsified(&draft, rng)?,
        };
        cases.push(Case {
            draft,
            chosen: None,
            right,
            what,
        });
        Some(())
    })
}

/// The same behind all that a window keeps of the first values: the segments there.
fn far(seed: u64, games: usize, each: usize) -> Vec<Case> {
    cases(Rng::new(seed, 1), (games, each), |game, rng, cases| {
        let behind = 600_000 + rng.below(2000);
        let draft = game.certificate(rng, behind, 30)?;
        let last = draft.windows.len() - 1;
        let place = |from: u64| draft.windows.iter().position(|window| window.0 >= from);
        let (first, start) = (place(580_000)?, place(draft.start)?);
        // Those before the start, and those behind it, of which the last reaches back nearly to the first heaps.
        for (first, last) in [(first + 1, start - 1), (start + 1, last)] {
            let begin = |at: usize| draft.windows[at].0 - draft.windows[at].1.len() as u64;
            let has_base = |own: usize| (first - 1..own).any(|base| begin(base) <= begin(own));
            if first > last || !(first..=last).all(has_base) {
                continue;
            }
            let chosen = Some((first as u64, last as u64));
            let mut wrong = draft.clone();
            let values = &mut wrong.windows[first + rng.below(last + 1 - first)].1;
            let place = rng.below(2) * rng.below(values.len());
            values[place] ^= 1 + rng.below(3) as u16;
            cases.push(Case {
                draft: draft.clone(),
                chosen,
                right: true,
                what: "right, far out",
            });
            cases.push(Case {
                draft: wrong,
                chosen,
                right: false,
                what: "a false value far out",
            });
        }
        Some(())
    })
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn two_checkers_agree_on_certificates_of_a_third_program() {
    let counts = assert_agreed(&near(1, 8, 18));
    println!("{counts:?}");
    assert!(
        counts["right"] >= 25 && counts["a false value"] >= 18,
        "{counts:?}"
    );
    let counts = assert_agreed(&far(2, 2, 1));
    assert!(counts["right, far out"] >= 2, "{counts:?}");
}

/// `cargo test --release --test program segments -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn two_checkers_agree_on_thousands_of_certificates() {
    for seed in 0..10 {
        println!("{:?}", assert_agreed(&near(100 + seed, 20, 40)));
    }
    println!("{:?}", assert_agreed(&far(200, 12, 20)));
}
