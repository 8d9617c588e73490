//! A program that prints the terms: one in Python that goes by the definition, if the game has a code and leaves two piles at
//! most; else the command of this program that computes them.

use crate::printable::joined;
use crate::ruleset::{Code, Parts, Ruleset};

/// The lines of a program that prints the terms from `first` to `last`.
pub fn lines(ruleset: &Ruleset, first: u64, last: u64) -> Vec<String> {
    match ruleset.code().and_then(digits) {
        Some((digits, repeat, splits)) => python(&digits, repeat, splits, first, last),
        None => {
            let name = ruleset.name();
            let name = match name.contains(' ') {
                true => format!("'{name}'"),
                false => name.to_owned(),
            };
            vec![format!(
                "(Shell) nim-analyser values {last} -g {name} --from {first} --format bfile"
            )]
        }
    }
}

/// The digits of a code as numbers, how many of the last ones repeat, and which splits into two piles its moves allow. `None` if
/// they leave three piles, or if one condition does not hold for all of them.
fn digits(code: &Code) -> Option<(Vec<u8>, usize, Parts)> {
    code.most_heaps().filter(|&most| most <= 2)?;
    let (digits, repeat) = code.written();
    let conditions: Vec<Parts> = digits.iter().filter_map(|digit| digit.parts(2)).collect();
    let splits = *conditions.first().unwrap_or(&Parts::Any);
    let is_plain = matches!(splits, Parts::Any | Parts::Unequal);
    if !is_plain || conditions.iter().any(|&parts| parts != splits) {
        return None;
    }
    let bits = |digit: &crate::ruleset::Digit| {
        let may = (0..=2).filter(|&piles| digit.parts(piles).is_some());
        may.map(|piles| 1 << piles).sum()
    };
    Some((digits.iter().map(bits).collect(), repeat, splits))
}

fn python(digits: &[u8], repeat: usize, splits: Parts, first: u64, last: u64) -> Vec<String> {
    let beyond = match repeat {
        0 => "0".to_owned(),
        repeat => format!(
            "D[{} + (t - {}) % {repeat}]",
            digits.len() - repeat,
            digits.len()
        ),
    };
    let half = match splits {
        Parts::Unequal => "(r + 1)//2",
        _ => "r//2 + 1",
    };
    let text = format!(
        "(Python)
from functools import cache
D = [{}]  # what taking 0, 1, ... stones may leave: 1 none, 2 one pile, 4 two piles
def digit(t): return D[t] if t < len(D) else {beyond}
@cache
def a(n):
    s = set()
    for t in range(n + 1):
        d, r = digit(t), n - t
        if d & 1 and r == 0: s.add(0)
        if d & 2 and r > 0: s.add(a(r))
        if d & 4: s |= {{a(i) ^ a(r - i) for i in range(1, {half})}}
    return next(m for m in range(len(s) + 1) if m not in s)
print([a(n) for n in range({}) if n >= {first}])",
        joined(digits, ", "),
        last + 1
    );
    text.lines().map(str::to_owned).collect()
}
