//! Rules of taking in plain words: `take 1..9`, `take primes`, `take squares`, `take powers of 2`, `take up to half`.
//!
//! A finite set is a subtraction game and has its code; the others are rules of their own, whose options are listed
//! number by number.

use super::Ruleset;
use super::names::subtraction;
use crate::error::NameError;

/// What stands before every rule.
pub(super) const TAKE: &str = "take ";

/// The game of a rule, given without the word `take`.
pub(super) fn taking(what: &str) -> Result<Ruleset, NameError> {
    let what = what.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = format!("{TAKE}{what}");
    let allowed: fn(u64) -> Vec<u64> = match what.as_str() {
        "primes" | "a prime" | "a prime number" => primes,
        "squares" | "a square" => |most| powers(most, |n| n.checked_mul(n)),
        "powers of 2" | "powers of two" | "a power of 2" | "a power of two" => |most| {
            powers(most, |n| {
                u32::try_from(n - 1)
                    .ok()
                    .and_then(|exponent| 1u64.checked_shl(exponent))
            })
        },
        "up to half" | "at most half" => {
            return Ok(Ruleset::from_rule(&name, |n| {
                (1..=n / 2).map(|take| vec![n - take]).collect()
            }));
        }
        "any number" => return Ok("nim".parse::<Ruleset>()?.called(&name)),
        set => {
            let list = set.replace(" or ", ",").replace(" to ", "-");
            return subtraction(&list).map_err(|_| NameError::Rule { rule: name });
        }
    };
    Ok(Ruleset::from_rule(&name, move |n| {
        allowed(n).into_iter().map(|take| vec![n - take]).collect()
    }))
}

/// The primes up to a number, by the sieve of Eratosthenes.
fn primes(most: u64) -> Vec<u64> {
    let most = most as usize;
    let mut composite = vec![false; most + 1];
    let mut found = Vec::new();
    for n in 2..=most {
        if !composite[n] {
            found.push(n as u64);
            for multiple in (n * n..=most).step_by(n) {
                composite[multiple] = true;
            }
        }
    }
    found
}

/// The values of `power` for 1, 2, …, up to a number.
fn powers(most: u64, power: fn(u64) -> Option<u64>) -> Vec<u64> {
    (1..)
        .map_while(power)
        .take_while(|&value| value <= most)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::definition::nim_values;

    fn values(what: &str, last: usize) -> Vec<u16> {
        let rule = format!("take {what}").parse::<Ruleset>().unwrap();
        nim_values(&rule, last).unwrap().iter().collect()
    }

    #[test]
    fn rules_in_words_have_the_published_values() {
        // OEIS A014589 (primes), A014586 (squares), A025480 (up to half).
        assert_eq!(
            values("primes", 12),
            [0, 0, 1, 1, 2, 2, 3, 3, 4, 0, 0, 1, 1]
        );
        assert_eq!(values("squares", 10), [0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0]);
        assert_eq!(values("up to half", 10), [0, 0, 1, 0, 2, 1, 3, 0, 4, 2, 5]);
        assert_eq!(values("powers of 2", 7), [0, 1, 2, 0, 1, 2, 0, 1]);
    }

    #[test]
    fn sets_in_words_are_subtraction_games() {
        for what in ["1..3", "1-3", "1 to 3", "1, 2 or 3", "1,2,3"] {
            let rule = format!("Take {what}").parse::<Ruleset>().unwrap();
            assert_eq!(rule.name(), "subtraction:1,2,3", "{what}");
        }
        let error = "take fish".parse::<Ruleset>().unwrap_err().to_string();
        assert!(error.starts_with("bad rule `take fish`"), "{error}");
    }
}
