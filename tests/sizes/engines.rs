//! Every engine, on every instruction set, gives the table that the definition gives.

use crate::common::rng::Rng;
use nim_analyser::engine::Kernel;
use nim_analyser::engine::{Effort, Engine, Watch, definition};
use nim_analyser::sequence::Sequence;
use nim_analyser::{Error, Ruleset};
use proptest::prelude::*;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Without optimisation the kernels are a hundred times slower.
const SCALE: usize = if cfg!(debug_assertions) { 5 } else { 1 };

/// An octal code of two to five digits, or one in which a heap may be split without taking.
fn code(rng: &mut Rng) -> String {
    let first = match rng.below(12) {
        0 => "4!.",
        1 | 2 => "4.",
        _ => "0.",
    };
    let digits = 1 + rng.below(4);
    let rest: String = (0..digits).map(|_| rng.below(8).to_string()).collect();
    format!("{first}{rest}{}", 4 + rng.below(4))
}

/// Compares one game up to `heaps`, reached in steps of up to `step`.
fn compare(code: &str, heaps: usize, step: usize, rng: &mut Rng) {
    let ruleset: Ruleset = code.parse().unwrap();
    let wanted = definition::nim_values(&ruleset, heaps).unwrap();
    for kernel in Kernel::available() {
        for (engine, threads) in [
            (Engine::Auto, 1),
            (Engine::Auto, 2),
            (Engine::Sparse, 1),
            (Engine::Pairs, 1),
        ] {
            let effort = Effort::default()
                .engine(engine)
                .kernel(kernel)
                .threads(threads);
            let mut solver = Sequence::with_effort(ruleset.clone(), effort);
            let mut heap = 0;
            while heap < heaps as u64 {
                heap = (heap + 1 + rng.below(step) as u64).min(heaps as u64);
                match solver.fill(heap) {
                    Ok(()) => {}
                    Err(Error::EngineUnfit { .. }) => break,
                    Err(error) => panic!("{code}: {error}"),
                }
            }
            let table = solver.table();
            let differ = (0..table.len()).find(|&n| table.get(n) != wanted.get(n));
            assert_eq!(differ, None, "{code} with {engine:?} on {}", kernel.name());
            assert!(engine == Engine::Sparse || table.len() == heaps + 1);
            let mut copy = vec![0; table.len()];
            table.copy_range(0, &mut copy);
            assert!(copy.iter().copied().eq(table.iter()));
        }
    }
}

/// The only code that the marks leave open is that of a rare heap which a move that flips the class leaves.
#[test]
fn a_rare_heap_left_alone_has_the_last_open_code() {
    compare("0.63404", 210, 300, &mut Rng::new(1, 0));
}

#[test]
fn known_games() {
    let mut rng = Rng::new(1, 0);
    for code in "0.6 | 0.16 | 0.142 | 0.106 | 0.104 | 0.376 | 0.007 | 0.77 | 4.5 | 4!.0 | couples-are-forever".split(" | ") {
        compare(code, 5000 / SCALE, 5000, &mut rng);
        compare(code, 1500 / SCALE, 400, &mut rng);
    }
}

#[test]
fn random_games() {
    let mut rng = Rng::new(2, 0);
    for _ in 0..60 / SCALE {
        let code = code(&mut rng);
        let heaps = 1 + rng.below(2200 / SCALE);
        let step = 1 + rng.below(900);
        compare(&code, heaps, step, &mut rng);
    }
}

#[test]
#[ignore = "minutes"]
fn many_random_games() {
    let mut rng = Rng::new(3, 0);
    for _ in 0..3000 {
        let code = code(&mut rng);
        let heaps = 1 + rng.below(5000);
        let step = 1 + rng.below(3000);
        compare(&code, heaps, step, &mut rng);
    }
}

#[test]
fn values_gone_on_with_are_not_walked_again() {
    let ruleset: Ruleset = "0.16".parse().unwrap();
    let known = definition::nim_values(&ruleset, 5_000).unwrap();
    let mut unbroken = Sequence::with_effort(ruleset.clone(), Effort::default());
    unbroken.fill(60_000).unwrap();
    // A table as a checkpoint gives it; a step by definition is one too many.
    let effort = Effort::default().steps(1);
    let mut resumed = Sequence::resume(ruleset, known, effort);
    resumed.fill(60_000).unwrap();
    assert_eq!(resumed.table(), unbroken.table());
}

fn solver(code: &str, kernel: Kernel, threads: usize) -> Sequence {
    let effort = Effort::default().kernel(kernel).threads(threads);
    Sequence::with_effort(code.parse().unwrap(), effort)
}

/// Stops at every report, resumes, and has the same table in the end.
#[test]
fn stopped_and_resumed() {
    struct Stop(AtomicU64);
    impl Watch for Stop {
        fn progress(&self, known: u64, wanted: u64) -> bool {
            assert!(known <= wanted);
            known < self.0.load(Ordering::Relaxed)
        }
    }
    let heaps = 20_000 / SCALE as u64;
    for code in ["0.376", "0.007", "0.142"] {
        let mut whole = solver(code, Kernel::detect(), 1);
        whole.fill(heaps).unwrap();
        let watch = Arc::new(Stop(AtomicU64::new(0)));
        let effort = Effort::default().watch(watch.clone()).threads(2);
        let mut solver = Sequence::with_effort(code.parse().unwrap(), effort);
        loop {
            match solver.fill(heaps) {
                Ok(()) => break,
                Err(error) => assert_eq!(error, Error::Interrupted),
            }
            let table = solver.table();
            assert!(
                table.iter().eq(whole.table().iter().take(table.len())),
                "{code}"
            );
            watch.0.fetch_add(heaps / 7, Ordering::Relaxed);
        }
        assert_eq!(solver.table(), whole.table());
    }
}

/// A table may be cut anywhere, in the codes' midst too, and goes on from there.
#[test]
fn cut_and_resumed() {
    let heaps = 10_000 / SCALE;
    for code in ["0.376", "0.142", "0.106", "0.007"] {
        let ruleset: Ruleset = code.parse().unwrap();
        let mut whole = solver(code, Kernel::detect(), 1);
        whole.fill(heaps as u64).unwrap();
        for len in [0, 1, 2, 63, 64, 65, 700, heaps / 2, heaps - 1, heaps] {
            let mut table = whole.table().clone();
            table.truncate(len);
            assert_eq!(table.len(), len);
            let mut solver = Sequence::resume(ruleset.clone(), table, Effort::default());
            solver.fill(heaps as u64).unwrap();
            assert_eq!(solver.table(), whole.table(), "{code} cut at {len}");
        }
    }
}

#[test]
fn an_engine_that_does_not_fit_says_so() {
    for code in ["nim", "0.33", "0.8"] {
        let effort = Effort::default().engine(Engine::Sparse);
        let mut solver = Sequence::with_effort(code.parse().unwrap(), effort);
        let error = solver.fill(5000).unwrap_err();
        assert!(
            matches!(error, Error::EngineUnfit { .. }),
            "{code}: {error}"
        );
    }
}

/// The engine named gives the values that the definition gives, in steps, and has really run.
fn named_engine_agrees(engine: Engine, code: &str, heaps: usize, step: u64) {
    let ruleset: Ruleset = code.parse().unwrap();
    let wanted = definition::nim_values(&ruleset, heaps).unwrap();
    let mut solver = Sequence::with_effort(ruleset, Effort::default().engine(engine));
    for heap in (0..heaps as u64)
        .step_by(step as usize)
        .chain([heaps as u64])
    {
        solver.fill(heap).unwrap();
    }
    assert!(solver.table().iter().eq(wanted.iter()), "{code}");
}

#[test]
fn many_heaps_by_partitions() {
    for (code, heaps) in [
        ("{2+}.0", 40),
        ("{2+}!.0", 70),
        ("{2+}?.0", 40),
        ("{2+}=.0", 90),
        ("{3+}?.0", 40),
        ("{4+}!.0", 60),
        ("0.8", 150),
        ("0.C", 150),
        ("C!.0", 150),
        ("C?.3", 120),
        ("0.[7]", 90),
        ("0.3[08!]", 80),
        ("0.{1,4!,5?}{0,2+}", 45),
        ("couples-are-forever", 200),
        ("nim", 200),
    ] {
        named_engine_agrees(Engine::Partitions, code, heaps, 1000);
        named_engine_agrees(Engine::Partitions, code, heaps, 17);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_codes_by_partitions(code in crate::common::codes::codes(), step in 1u64..60) {
        named_engine_agrees(Engine::Partitions, &code, 34, step);
    }
}

/// The values that `grundy.rs` remembers are those of the engines that go on from them, on both sides of the seam.
#[test]
fn the_first_heaps_by_definition_and_what_follows_agree_with_the_definition() {
    for game in "0.77 | couples-are-forever | C.0 | {2+}.0 | 4.[3] | take primes".split(" | ") {
        let ruleset: Ruleset = game.parse().unwrap();
        let heaps = if game == "{2+}.0" { 40 } else { 300 };
        let remembered = nim_analyser::grundy::values(&ruleset, heaps).unwrap();
        let mut sequence = Sequence::new(ruleset);
        for heap in [0, 8, heaps] {
            sequence.fill(heap).unwrap();
        }
        let filled: Vec<u64> = sequence.table().iter().map(u64::from).collect();
        assert_eq!(filled, remembered, "{game}");
    }
}
