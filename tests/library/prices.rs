//! What a table costs is known before it is made: it is let through, or refused with figures that are true.

use nim_analyser::engine::{Effort, Engine, Watch};
use nim_analyser::error::{Error, MoreEffort};
use nim_analyser::sequence::Sequence;
use std::sync::Arc;

/// Stops the work once it is let through: more values are known than a price is learnt from, or all are wanted of a game
/// whose price is learnt in other stretches.
struct OnceLetThrough {
    known: u64,
    wanted: u64,
}

impl Watch for OnceLetThrough {
    fn progress(&self, known: u64, wanted: u64) -> bool {
        known < self.known && wanted != self.wanted
    }
}

/// The error that ends the way to a heap, an interruption once it is let through.
fn way_to(heap: u64, game: &str, learnt_from: Option<u64>, effort: Effort) -> Error {
    let watch = OnceLetThrough {
        known: learnt_from.unwrap_or(u64::MAX),
        wanted: if learnt_from.is_none() { heap + 1 } else { 0 },
    };
    let effort = effort.watch(Arc::new(watch)).threads(1);
    let mut sequence = Sequence::with_effort(game.parse().unwrap(), effort);
    sequence.fill(heap).unwrap_err()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn the_steps_and_piles_that_a_refusal_names_are_true() {
    for (game, learnt_from, heap) in [
        // Few rare heaps; many moves that split; many heaps left by a move.
        ("0.364", Some(33_000), 1_000_000_000),
        ("0.77777774", Some(17_000), 1_000_000_000),
        ("0.8", None, 1_000_000),
    ] {
        let way_to = |heap, steps| {
            let engine = match learnt_from {
                Some(_) => Engine::Pairs,
                None => Engine::Partitions,
            };
            let effort = Effort::default().steps(steps).engine(engine);
            way_to(heap, game, learnt_from, effort)
        };
        let usual = Effort::default().steps;
        let (would_do, steps) = match way_to(heap, usual) {
            error @ Error::OutOfReach { would_do, .. } => match error.more() {
                Some(MoreEffort::Steps(steps)) => (would_do, steps),
                more => panic!("{game}: {more:?}"),
            },
            error => panic!("{game}: {error}"),
        };
        for (heap, steps, let_through) in [
            (heap, steps, true),
            (heap, steps - 1, false),
            (would_do, usual, true),
            (would_do + 1, usual, false),
        ] {
            let found = match way_to(heap, steps) {
                Error::Interrupted => true,
                Error::OutOfReach { .. } => false,
                error => panic!("{game} to {heap}: {error}"),
            };
            assert_eq!(found, let_through, "{game} to {heap} by {steps} steps");
        }
    }
}

#[test]
fn piles_that_would_do_fit_the_memory_and_the_steps() {
    let would_do = |heap, memory| {
        let effort = Effort::default().memory(memory);
        match way_to(heap, "0.114", Some(u64::MAX), effort) {
            Error::Memory { would_do, .. } => would_do,
            error => panic!("{error}"),
        }
    };
    let by_steps = would_do(1_000_000_000_000_000_000, 8 << 30);
    assert!((500_000..100_000_000).contains(&by_steps), "{by_steps}");
    assert_eq!(would_do(1_000_000, 1 << 20), (1 << 19) - 1);
    assert_eq!(would_do(1_000_000, 1 << 10), (1 << 9) - 1);
}
