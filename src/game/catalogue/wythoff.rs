//! Wythoff's game: take any number of stones from one of two piles, or the same number from both.
//!
//! The player to move loses if and only if the piles are a_k = floor(k phi) and a_k + k for some k, phi the golden
//! ratio (Wythoff, *A modification of the game of Nim*, Nieuw Arch. Wisk. 7, 1907, pp. 199-202); every number from 1 on
//! is in exactly one of these pairs (Beatty 1926). Under misère play the first two pairs, (0, 0) and (1, 2), give way
//! to (2, 2) and (0, 1), and the others stay (Fraenkel, *Wythoff games, continued fractions, cedar trees and Fibonacci
//! searches*, Theor. Comput. Sci. 29, 1984, pp. 49-73).
//!
//! Everything is exact in integers and takes constant time: of a pile at most one partner, and of a difference one
//! pair. Only nim-values take a table. The simple twin is the game-tree search of the tests.

use super::entry::OtherGame;
use crate::analysis::{Analysis, Moves};
use crate::error::Error;
use crate::game::{Game, moves_of, pair_of, working};
use crate::grundy::NimValue;
use crate::outcome::{Convention, Outcome};
use crate::position::Move;
use crate::printable::joined;
use crate::ruleset::Entry;

const NAME: &str = "wythoff";

pub(super) const GAMES: &[OtherGame] = &[OtherGame {
    entry: Entry {
        name: NAME,
        aliases: &["wythoffs-game"],
        code: None,
        rule: "two piles: take any number of stones from one, or the same number from both",
        known: "P-positions by the golden ratio (Wythoff 1907)",
    },
    open: |_, _| Ok(Box::new(Wythoff)),
    takes_parameter: false,
}];

/// Wythoff's game.
#[derive(Clone, Copy, Debug)]
pub struct Wythoff;

/// The largest piles whose nim-value is worked out: no formula for it is known.
const LARGEST_IN_TABLE: u64 = 255;

/// floor(n / phi), exact for all of 64 bits.
///
/// The convergents of 1/phi are quotients of neighbouring Fibonacci numbers. No fraction with a denominator up to
/// F(94) lies between F(93)/F(94) and 1/phi, and F(94) > 2^64, so both have the same multiples, rounded down.
fn over_phi(n: u64) -> u64 {
    const F93: u128 = 12_200_160_415_121_876_738;
    const F94: u128 = 19_740_274_219_868_223_167;
    // The result is less than n, so it fits 64 bits.
    (u128::from(n) * F93 / F94) as u64
}

/// The smaller pile of the P-position whose piles differ by `difference`.
fn smaller(difference: u64, convention: Convention) -> u128 {
    match (convention, difference) {
        (Convention::Misere, 0) => 2,
        (Convention::Misere, 1) => 0,
        _ => u128::from(difference) + u128::from(over_phi(difference)),
    }
}

/// The other pile of the P-position that has a pile of this size.
fn partner(pile: u64, convention: Convention) -> u128 {
    match (convention, pile) {
        (Convention::Misere, 0) => return 1,
        (Convention::Misere, 1) => return 0,
        (Convention::Misere, 2) => return 2,
        (_, 0) => return 0,
        _ => {}
    }
    let over = over_phi(pile);
    // If the pile is floor(k phi) for some k, it is so for this k.
    let k = over + 1;
    if smaller(k, Convention::Normal) == u128::from(pile) {
        return u128::from(pile) + u128::from(k);
    }
    over.into()
}

/// The nim-values of Wythoff's game up to these piles, in rows of those of the first pile, from a table by definition;
/// `None` if one is larger than 255.
///
/// Time and memory: a bit for each value of each row, column and diagonal, and a step for each 64 of them for each cell.
fn table(piles: [u64; 2]) -> Option<Vec<Vec<NimValue>>> {
    const WORDS: usize = 3 * (LARGEST_IN_TABLE as usize + 1) / 64;
    if piles.iter().any(|&pile| pile > LARGEST_IN_TABLE) {
        return None;
    }
    let [rows, columns] = piles.map(|pile| pile as usize + 1);
    let mut in_columns = vec![[0u64; WORDS]; columns];
    let mut in_diagonals = vec![[0u64; WORDS]; rows + columns];
    let mut table = vec![vec![0; columns]; rows];
    for (row, values) in table.iter_mut().enumerate() {
        let mut in_row = [0u64; WORDS];
        for (column, in_column) in in_columns.iter_mut().enumerate() {
            let in_diagonal = &mut in_diagonals[columns + row - column];
            let used = |word: usize| in_row[word] | in_column[word] | in_diagonal[word];
            let word = (0..WORDS).find(|&word| used(word) != u64::MAX)?;
            let bit = used(word).trailing_ones();
            for set in [&mut in_row, in_column, in_diagonal] {
                set[word] |= 1 << bit;
            }
            values[column] = 64 * word as NimValue + NimValue::from(bit);
        }
    }
    Some(table)
}

/// The nim-value of Wythoff's game with piles up to 255; `None` beyond.
pub fn nim_value(piles: [u64; 2]) -> Option<NimValue> {
    let [row, column] = piles.map(|pile| pile as usize);
    Some(table(piles)?[row][column])
}

fn pair(position: &[u64]) -> Result<[u64; 2], Error> {
    pair_of(position, NAME, "3 5")
}

fn outcome(piles: [u64; 2], convention: Convention) -> Outcome {
    Outcome::of_lost(partner(piles[0], convention) == u128::from(piles[1]))
}

fn taking([x, y]: [u64; 2], take: [u64; 2]) -> Move {
    Move::in_piles(&[x, y], vec![x - take[0], y - take[1]])
}

impl Game for Wythoff {
    fn name(&self) -> &str {
        NAME
    }

    fn start(&self, piles: Vec<u64>) -> Result<Vec<u64>, Error> {
        pair(&piles)?;
        Ok(piles)
    }

    /// Every legal move: from the first pile, from the second, from both; fewest stones first.
    fn moves<'g>(&'g self, position: &[u64]) -> Moves<'g> {
        moves_of(pair(position), |piles| {
            let first = (1..=piles[0]).map(|take| [take, 0]);
            let second = (1..=piles[1]).map(|take| [0, take]);
            let both = (1..=piles[0].min(piles[1])).map(|take| [take, take]);
            let takings = first.chain(second).chain(both);
            Box::new(takings.map(move |take| Ok(taking(piles, take))))
        })
    }

    fn analyse(&self, position: &[u64], convention: Convention) -> Result<Analysis, Error> {
        let piles = pair(position)?;
        let normal = convention == Convention::Normal;
        Ok(Analysis {
            nim_sum: normal.then(|| nim_value(piles)).flatten(),
            ..Analysis::by_outcome(position, convention, outcome(piles, convention))
        })
    }

    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        moves_of(pair(&analysis.piles), |piles| {
            if analysis.outcome == Outcome::P {
                return Box::new(std::iter::empty());
            }
            let less = |target: u128, pile: u64| {
                let target = u64::try_from(target).ok()?;
                pile.checked_sub(target).filter(|&take| take > 0)
            };
            let convention = analysis.convention;
            let [x, y] = piles;
            let first = less(partner(y, convention), x).map(|take| [take, 0]);
            let second = less(partner(x, convention), y).map(|take| [0, take]);
            let both = less(smaller(x.abs_diff(y), convention), x.min(y)).map(|take| [take, take]);
            let takings = [first, second, both].into_iter().flatten();
            Box::new(takings.map(move |take| Ok(taking(piles, take))))
        })
    }

    fn moves_to<'g>(&'g self, analysis: &'g Analysis, value: NimValue) -> Option<Moves<'g>> {
        let table = table(pair(&analysis.piles).ok()?)?;
        let of_value = move |found: &Move| match found.position[..] {
            [row, column] => table[row as usize][column as usize] == value,
            _ => false,
        };
        let moves = self.moves(&analysis.piles);
        Some(Box::new(
            moves.filter(move |found| found.as_ref().map_or(true, &of_value)),
        ))
    }

    fn facts(&self, analysis: &Analysis) -> Vec<String> {
        let Ok([x, y]) = pair(&analysis.piles) else {
            return Vec::new();
        };
        let difference = x.abs_diff(y);
        let small = smaller(difference, analysis.convention);
        let mut lines = vec![format!(
            "Wythoff pair with difference {difference}: ({small}, {})",
            small + u128::from(difference)
        )];
        if let Some(value) = analysis.nim_sum {
            lines.push(format!("Nim-value: {value}"));
        }
        lines
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        let [x, y] = pair(&analysis.piles)?;
        let convention = analysis.convention;
        let pairs = (0..8)
            .map(|k| (k, smaller(k, convention)))
            .map(|(k, small)| format!("({small}, {})", small + u128::from(k)));
        let mut lines = working(
            "The P-positions are one pair for each difference k, a_k = floor(k * golden ratio) and b_k = a_k + k:",
        );
        lines.push(format!("  {}, …", joined(pairs, ", ")));
        if convention == Convention::Misere {
            lines
                .push("Misère play changes the pairs of the differences 0 and 1 alone.".to_owned());
        }
        lines.extend([
            "No number is in two pairs and no two pairs have the same difference, so no move leads from one to another: a move".to_owned(),
            "in one pile keeps the other number, a move in both keeps the difference. From every other position a move leads".to_owned(),
            "to a pair, for every number is in one.".to_owned(),
            String::new(),
        ]);
        let each = if x == y {
            &[(x, y)][..]
        } else {
            &[(x, y), (y, x)]
        };
        for &(pile, other) in each {
            let partner = partner(pile, convention);
            let verdict = match partner.cmp(&other.into()) {
                std::cmp::Ordering::Less => format!("take {other} down to it"),
                std::cmp::Ordering::Equal => "that is this position".to_owned(),
                std::cmp::Ordering::Greater => format!("more than {other}, so no move leads there"),
            };
            lines.push(format!("The partner of {pile} is {partner}: {verdict}."));
        }
        let small = smaller(x.abs_diff(y), convention);
        let verdict = match small.cmp(&x.min(y).into()) {
            std::cmp::Ordering::Less => format!("take {} from both", u128::from(x.min(y)) - small),
            std::cmp::Ordering::Equal => "that is this position".to_owned(),
            std::cmp::Ordering::Greater => "larger, so no move leads there".to_owned(),
        };
        lines.push(format!(
            "The pair with difference {} is ({small}, {}): {verdict}.",
            x.abs_diff(y),
            small + u128::from(x.abs_diff(y))
        ));
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// floor(k phi) by the square root of 5 k^2, for k below 2^62.
    fn by_square_root(k: u64) -> u128 {
        let k = u128::from(k);
        (k + (5 * k * k).isqrt()) / 2
    }

    #[test]
    fn both_ways_to_round_multiples_of_phi_agree() {
        let (mut a, mut b) = (1u64, 2u64);
        while b < 1 << 62 {
            for k in [a - 1, a, a + 1, a ^ b, b - 1, b, b + 1] {
                assert_eq!(smaller(k, Convention::Normal), by_square_root(k), "{k}");
            }
            (a, b) = (b, a + b);
        }
        for k in 0..10_000 {
            assert_eq!(smaller(k, Convention::Normal), by_square_root(k), "{k}");
        }
    }

    #[test]
    fn fibonacci_neighbours_are_p_positions() {
        // (1, 2), (3, 5), (8, 13), …: every second pair of neighbours.
        let (mut a, mut b) = (1u64, 2u64);
        while let Some(next) = a.checked_add(b).and_then(|c| c.checked_add(b)) {
            assert_eq!(outcome([a, b], Convention::Normal), Outcome::P, "{a} {b}");
            assert_eq!(outcome([a + 1, b], Convention::Normal), Outcome::N);
            (a, b) = (a + b, next);
        }
        assert!(a > 4_000_000_000_000_000_000);
    }

    #[test]
    fn each_number_is_in_one_pair_only_to_the_largest() {
        for pile in (0..1000).flat_map(|n| [n, u64::MAX / 2 - n, u64::MAX - n]) {
            for convention in [Convention::Normal, Convention::Misere] {
                let partner = partner(pile, convention);
                let (pile, difference) = (u128::from(pile), partner.abs_diff(pile.into()));
                let difference = u64::try_from(difference).unwrap();
                assert_eq!(smaller(difference, convention), partner.min(pile), "{pile}");
            }
        }
    }
}
