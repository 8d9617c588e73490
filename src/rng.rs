//! Random numbers that repeat: the same seed gives the same ones on every machine and in every version of the program.

/// A source of random numbers: PCG XSH-RR (O'Neill 2014) with 128 bits of state, whose numbers its definition fixes.
#[derive(Clone, Debug)]
pub struct Rng(oorandom::Rand64);

impl Rng {
    /// The random numbers of one game among many that have the same seed.
    pub fn new(seed: u64, game: u64) -> Rng {
        Rng(oorandom::Rand64::new(
            u128::from(seed) << 64 | u128::from(game),
        ))
    }

    /// A seed that nobody can foretell.
    #[cfg(feature = "cli")]
    pub fn any_seed() -> u64 {
        use std::hash::{BuildHasher, RandomState};
        // The seed is short enough to be typed again.
        RandomState::new().hash_one(std::time::SystemTime::now()) % 1_000_000
    }

    /// A number below `bound`, each as likely as another; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 {
            return 0;
        }
        self.0.rand_range(0..bound as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_for_ever() {
        let mut rng = Rng::new(1, 2);
        let numbers: Vec<usize> = (0..8).map(|_| rng.below(1000)).collect();
        assert_eq!(numbers, [78, 532, 550, 793, 103, 908, 538, 633]);
    }

    #[test]
    fn numbers_are_below_their_bound_and_all_occur() {
        let mut rng = Rng::new(0, 0);
        let mut seen = [0; 7];
        (0..700).for_each(|_| seen[rng.below(7)] += 1);
        assert!(seen.iter().all(|&times| times > 50), "{seen:?}");
        assert_eq!(rng.below(0), 0);
    }
}
