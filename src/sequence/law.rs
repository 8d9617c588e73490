//! A law that nim-values follow: a closed form of g(n), where one shows.
//!
//! A law is proved if a theorem gives the formula or the period that it states, else it is observed in the values computed. The
//! laws tried are those of the period found, and then those that other taking games follow: functions of the exponent of a small
//! prime in n, of the binary digits of n, or of the ones among them.

use super::Sequence;
use super::period::{Finding, Period};
use crate::printable::joined;
use serde::Serialize;
use std::collections::BTreeMap;

/// A closed form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Law {
    /// The law in words.
    pub formula: String,
    /// Whether it is proved for all n; else it is observed.
    pub proved: bool,
    /// The last heap whose value was computed. A law that the values or an observed period show fits the values to this heap; a
    /// proved one rests on its theorem.
    pub to: u64,
}

/// The longest period whose values are compared with a formula.
const LONGEST_PERIOD: u64 = 1 << 16;

/// The fewest values that are taken to show a law.
const FEWEST: usize = 64;

/// An amount of a quantity, such as 2 of the exponent of 3 in n, counts once so many n have it.
const LEAST_WITNESSES: usize = 2;

/// The fewest such amounts that are taken to show that the values depend on it.
const LEAST_AMOUNTS: usize = 4;

/// The largest modulus by which a quantity is tried.
const LARGEST_MODULUS: u64 = 4;

/// The most values of a function that are written out.
const WRITTEN: usize = 8;

impl Law {
    /// The law of a game by its formula, by the period found, or by the values computed.
    pub fn of(sequence: &Sequence, finding: &Finding) -> Option<Law> {
        let to = sequence.computed().checked_sub(1)?;
        let law = |formula: String, proved: bool| Law {
            formula,
            proved,
            to,
        };
        let takings = sequence.ruleset().takings();
        if let Some(formula) = sequence.ruleset().formula() {
            return Some(law(formula.words().to_owned(), true));
        }
        match finding {
            Finding::Proved(proof) => Some(law(of_period(sequence, &proof.period)?, true)),
            Finding::Observed { seen, .. } => Some(law(of_period(sequence, seen)?, false)),
            Finding::Nothing if takings.is_some() => Some(law(of_values(sequence)?, false)),
            Finding::Nothing => None,
        }
    }
}

/// The formula of a period without a preperiod, if it has one.
fn of_period(sequence: &Sequence, found: &Period) -> Option<String> {
    let period = found.period;
    if found.preperiod > 0 || period > LONGEST_PERIOD.min(sequence.table().len() as u64) {
        return None;
    }
    let value = |n: u64| u64::from(sequence.table().value(n as usize));
    let all_zero = (0..period).all(|n| value(n) == 0);
    match found.saltus {
        0 => {
            // The values are those of n / d, rounded down, for this d.
            let d = (1..period).find(|&n| value(n) > 0)?;
            let fits = (0..period).all(|n| value(n) == n / d);
            fits.then(|| match d {
                1 => format!("g(n) = n mod {period}"),
                d => format!("g(n) = floor((n mod {period}) / {d})"),
            })
        }
        1 if all_zero && period == 1 => Some("g(n) = n".to_owned()),
        1 if all_zero => Some(format!("g(n) = floor(n / {period})")),
        _ => None,
    }
}

/// A quantity that a value may depend on, as a function of n, with its name.
type Quantity = (fn(u64) -> u64, &'static str);

/// The quantities that a value may depend on, for n from 1 on.
const QUANTITIES: [Quantity; 5] = [
    (|n| n.trailing_zeros().into(), "the exponent of 2 in n"),
    (|n| exponent(n, 3), "the exponent of 3 in n"),
    (|n| exponent(n, 5), "the exponent of 5 in n"),
    (|n| n.ilog2().into(), "floor(log2 n)"),
    (|n| n.count_ones().into(), "the number of binary 1s of n"),
];

fn exponent(mut n: u64, prime: u64) -> u64 {
    let mut exponent = 0;
    while n.is_multiple_of(prime) {
        n /= prime;
        exponent += 1;
    }
    exponent
}

/// The law by which the values are a function of one of these quantities: the first that fits.
fn of_values(sequence: &Sequence) -> Option<String> {
    let table = sequence.table();
    if table.len() < FEWEST {
        return None;
    }
    QUANTITIES.iter().find_map(|(quantity, called)| {
        let mut met: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
        for n in 1..table.len() {
            let value = table.value(n).into();
            let (known, times) = met.entry(quantity(n as u64)).or_insert((value, 0));
            if *known != value {
                return None;
            }
            *times += 1;
        }
        let told = met
            .iter()
            .filter(|(_, (_, times))| *times >= LEAST_WITNESSES);
        let told: Vec<(u64, u64)> = told.map(|(&amount, &(value, _))| (amount, value)).collect();
        (told.len() >= LEAST_AMOUNTS).then(|| as_function(&told, called))
    })
}

/// The values of a function of the quantity `called`, in words.
fn as_function(told: &[(u64, u64)], called: &str) -> String {
    let is = |function: &dyn Fn(u64) -> u64| told.iter().all(|&(at, value)| value == function(at));
    if is(&|at| at) {
        return format!("g(n) is {called}");
    }
    if is(&|at| at + 1) {
        return format!("g(n) is one more than {called}");
    }
    if let Some(modulus) = (2..=LARGEST_MODULUS).find(|modulus| is(&|at| at % modulus)) {
        return format!("g(n) is {called}, modulo {modulus}");
    }
    let written = told.iter().take(WRITTEN);
    let values = joined(written.clone().map(|(_, value)| value), ", ");
    let amounts = joined(written.map(|(amount, _)| amount), ", ");
    format!("g(n) depends only on {called}: {values} where that is {amounts}, …")
}
