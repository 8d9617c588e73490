//! Every engine, on every instruction set, gives the table that the definition gives.

use nim_analyser::kernel::Kernel;
use nim_analyser::solver::{Effort, Engine, Solver};
use nim_analyser::{Error, Ruleset, grundy};

/// A small generator of its own: the same games on every run and machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    /// An octal code of two to five digits, or one in which a heap may be split without taking.
    fn code(&mut self) -> String {
        let first = match self.below(12) {
            0 => "4!.",
            1 | 2 => "4.",
            _ => "0.",
        };
        let digits = 1 + self.below(4);
        let rest: String = (0..digits)
            .map(|_| char::from(b'0' + self.below(8) as u8))
            .collect();
        format!("{first}{rest}{}", 4 + self.below(4))
    }
}

/// Compares one game up to `heaps`, reached in steps of up to `step`.
fn compare(code: &str, heaps: usize, step: u64, random: &mut Random) {
    let ruleset: Ruleset = code.parse().unwrap();
    let wanted = grundy::nim_values(&ruleset, heaps).unwrap();
    for kernel in Kernel::available() {
        for engine in [Engine::Auto, Engine::Sparse] {
            let effort = Effort {
                engine,
                kernel,
                ..Effort::default()
            };
            let mut solver = Solver::new(ruleset.clone(), effort);
            let mut heap = 0;
            while heap < heaps as u64 {
                heap = (heap + 1 + random.below(step)).min(heaps as u64);
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

#[test]
fn known_games() {
    let mut random = Random(1);
    for code in [
        "0.6",
        "0.16",
        "0.142",
        "0.106",
        "0.104",
        "0.376",
        "0.007",
        "0.77",
        "4.5",
        "4!.0",
        "couples-are-forever",
    ] {
        compare(code, 5000, 5000, &mut random);
        compare(code, 1500, 400, &mut random);
    }
}

#[test]
fn random_games() {
    let mut random = Random(2);
    for _ in 0..60 {
        let code = random.code();
        let heaps = 1 + random.below(2200) as usize;
        let step = 1 + random.below(900);
        compare(&code, heaps, step, &mut random);
    }
}

#[test]
#[ignore = "minutes"]
fn many_random_games() {
    let mut random = Random(3);
    for _ in 0..3000 {
        let code = random.code();
        let heaps = 1 + random.below(5000) as usize;
        let step = 1 + random.below(3000);
        compare(&code, heaps, step, &mut random);
    }
}

#[test]
fn values_gone_on_with_are_not_walked_again() {
    let ruleset: Ruleset = "0.16".parse().unwrap();
    let known = grundy::nim_values(&ruleset, 5_000).unwrap();
    let mut unbroken = Solver::new(ruleset.clone(), Effort::default());
    unbroken.fill(60_000).unwrap();
    // A table as a checkpoint gives it; a step by definition is one too many.
    let effort = Effort {
        steps: 1,
        ..Effort::default()
    };
    let mut resumed = Solver::resume(ruleset, known, effort);
    resumed.fill(60_000).unwrap();
    assert_eq!(resumed.table(), unbroken.table());
}
