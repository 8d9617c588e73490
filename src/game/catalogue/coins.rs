//! Turning coins: a row of coins, numbered from 1, some showing heads. A move turns coins as the game allows, the
//! rightmost of them from heads to tails, so the game ends.
//!
//! A row is the sum of its heads, each alone: a coin that is turned twice is as before, and equal terms cancel in a
//! nim-sum (*Winning Ways*, 2nd ed. 2003, vol. 3, ch. 14, "Turn and Turn About"). The values of one head there:
//!
//! - Turning Turtles, one coin or two: n, for it is Nim.
//! - Mock Turtles, one to three: the n-th odious number (with an odd number of binary 1s).
//! - Ruler, any number side by side: the largest power of 2 that divides n.
//! - Twins, exactly two: n - 1.
//!
//! The winning moves follow from these without a search; under misère play equal terms don't cancel, and the row is
//! searched exhaustively. The simple twin is the game-tree search of the tests.

use super::entry::OtherGame;
use crate::analysis::binary_columns::binary_columns;
use crate::analysis::{Analysis, Moves};
use crate::engine::{Effort, lock};
use crate::error::{Error, StartFault};
use crate::game::search::{self, Reduced, Search, WhoWins};
use crate::game::{Game, working};
use crate::grundy::NimValue;
use crate::outcome::{Convention, Outcome};
use crate::position::{Change, Move};
use crate::ruleset::{Entry, Formula, Ruleset};
use std::sync::{Arc, Mutex};

pub(super) const GAMES: &[OtherGame] = &[
    OtherGame {
        entry: Entry {
            name: Turning::Turtles.name(),
            aliases: &[],
            code: None,
            rule: "piles are numbers of coins that show heads; turn one coin or two, the rightmost from heads to tails",
            known: "g(n) = n",
        },
        open: |_, effort| Ok(Box::new(TurningCoins::new(Turning::Turtles, effort))),
        takes_parameter: false,
    },
    OtherGame {
        entry: Entry {
            name: Turning::MockTurtles.name(),
            aliases: &[],
            code: None,
            rule: "piles are numbers of coins that show heads; turn one to three coins, the rightmost from heads to tails",
            known: "g(n) is the n-th number with an odd number of binary 1s",
        },
        open: |_, effort| Ok(Box::new(TurningCoins::new(Turning::MockTurtles, effort))),
        takes_parameter: false,
    },
    OtherGame {
        entry: Entry {
            name: Turning::Ruler.name(),
            aliases: &[],
            code: None,
            rule: "piles are numbers of coins that show heads; turn any number of coins side by side, the rightmost from heads to tails",
            known: "g(n) is the largest power of 2 that divides n",
        },
        open: |_, effort| Ok(Box::new(TurningCoins::new(Turning::Ruler, effort))),
        takes_parameter: false,
    },
    OtherGame {
        entry: Entry {
            name: Turning::Twins.name(),
            aliases: &[],
            code: None,
            rule: "piles are numbers of coins that show heads; turn exactly two coins, the right one from heads to tails",
            known: "g(n) = n - 1",
        },
        open: |_, effort| Ok(Box::new(TurningCoins::new(Turning::Twins, effort))),
        takes_parameter: false,
    },
];

/// The most coins that one move turns where moves are shown.
const MOST_TURNED: u64 = 1_000_000;

/// Which coins a move may turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turning {
    /// Turning Turtles: one coin or two.
    Turtles,
    /// Mock Turtles: one, two or three coins.
    MockTurtles,
    /// Ruler: any number of coins side by side.
    Ruler,
    /// Twins: exactly two coins.
    Twins,
}

/// The coins that are turned together with one to the right of them, ascending.
type Others<'g> = Box<dyn Iterator<Item = Vec<u64>> + 'g>;

impl Turning {
    /// The kind of turning coins with this name, if there is one.
    pub fn named(name: &str) -> Option<Turning> {
        let all = [
            Turning::Turtles,
            Turning::MockTurtles,
            Turning::Ruler,
            Turning::Twins,
        ];
        all.into_iter().find(|turning| turning.name() == name)
    }

    const fn name(self) -> &'static str {
        match self {
            Turning::Turtles => "turning-turtles",
            Turning::MockTurtles => "mock-turtles",
            Turning::Ruler => "ruler",
            Turning::Twins => "twins",
        }
    }

    /// The coins that may be turned together with a coin: fewest first, then by number.
    fn others<'g>(self, coin: u64) -> Others<'g> {
        let alone = std::iter::once(Vec::new());
        let one = (1..coin).map(|other| vec![other]);
        match self {
            Turning::Turtles => Box::new(alone.chain(one)),
            Turning::MockTurtles => {
                let two = (1..coin).flat_map(move |a| (a + 1..coin).map(move |b| vec![a, b]));
                Box::new(alone.chain(one).chain(two))
            }
            Turning::Ruler => Box::new((1..=coin).rev().map(move |first| (first..coin).collect())),
            Turning::Twins => Box::new(one),
        }
    }

    /// The nim-value of a row in which only this coin shows heads.
    fn value(self, coin: u64) -> NimValue {
        (self.formula()).map_or_else(|| coin.into(), |formula| formula.value(coin))
    }

    /// The coins of [`Turning::others`] whose nim-sum is `target`.
    ///
    /// # Errors
    /// How many coins a move turns, if they are more than [`MOST_TURNED`].
    fn others_of_value<'g>(self, coin: u64, target: NimValue) -> Result<Others<'g>, u64> {
        let below = move |other: NimValue| {
            let other = u64::try_from(other)
                .ok()
                .filter(|other| (1..coin).contains(other));
            other.map(|other| vec![other])
        };
        let alone = (target == 0).then(Vec::new);
        Ok(match self {
            Turning::Turtles => Box::new(alone.into_iter().chain(below(target))),
            Turning::Twins => Box::new(below(target + 1).into_iter()),
            Turning::MockTurtles if target.count_ones() % 2 == 1 => {
                Box::new(below(target / 2 + 1).into_iter())
            }
            Turning::MockTurtles if target == 0 => Box::new(alone.into_iter()),
            Turning::MockTurtles => {
                // Numbered from 0, the coins a < b have this nim-sum if a ^ b is the half of it.
                let half = u64::try_from(target / 2).ok();
                let pairs = half.zip(coin.checked_sub(2)).into_iter();
                let pairs = pairs.flat_map(|(half, last)| pairs_of(half, last));
                Box::new(pairs.map(|(a, b)| vec![a + 1, b + 1]))
            }
            Turning::Ruler => {
                let before = before_stretch(coin, target);
                if let Some(turned) = before.map(|before| coin - before)
                    && turned > MOST_TURNED
                {
                    return Err(turned);
                }
                let others = before.map(|before| (before + 1..coin).collect());
                Box::new(others.into_iter())
            }
        })
    }

    /// The game of a single head as a game of heaps: heap n is a head on coin n. Its nim-values are the game's
    /// sequence; g(0) is 0, for there is no coin 0.
    ///
    /// For Turning Turtles this game is Nim.
    pub fn heads(self) -> Ruleset {
        if let (Turning::Turtles, Ok(nim)) = (self, "nim".parse::<Ruleset>()) {
            return nim.called(self.name());
        }
        let rule = Ruleset::from_rule(self.name(), move |coin| match coin {
            0 => Vec::new(),
            coin => self.others(coin).collect(),
        });
        match self.formula() {
            Some(formula) => rule.with_formula(formula),
            None => rule,
        }
    }

    /// The formula for the nim-values of [`Turning::heads`], where the rule has no code.
    fn formula(self) -> Option<Formula> {
        match self {
            Turning::Turtles => None,
            Turning::MockTurtles => Some(Formula::Odious),
            Turning::Ruler => Some(Formula::PowerOf2),
            Turning::Twins => Some(Formula::OneLess),
        }
    }

    fn value_in_words(self) -> &'static str {
        match self {
            Turning::Turtles => "g(n) = n: turning a second coin reduces n, as in Nim",
            Turning::MockTurtles => {
                "g(n) is the n-th odious number, 1, 2, 4, 7, 8, 11, …: those with an odd number of binary 1s"
            }
            Turning::Ruler => {
                "g(n) is the largest power of 2 that divides n, as on a ruler: 1, 2, 1, 4, 1, 2, 1, 8, …"
            }
            Turning::Twins => "g(n) = n - 1: turning two coins reduces a Nim pile",
        }
    }
}

/// The pairs a < b with a ^ b = `sum`, which isn't 0, and b at most `last`, a ascending.
fn pairs_of(sum: u64, last: u64) -> impl Iterator<Item = (u64, u64)> {
    // The smaller of the two lacks the highest bit of their sum.
    let top = sum.ilog2();
    let mut next = (last >> top != 0).then_some(0_u64);
    std::iter::from_fn(move || {
        loop {
            let a = next?;
            let b = a ^ sum;
            // Numbers that agree with `a` from this bit on give no pair, so they are skipped.
            let skipped = match (a >> top & 1, b > last) {
                (1, _) => top,
                (_, true) => (b ^ last).ilog2(),
                _ => {
                    next = a.checked_add(1);
                    return Some((a, b));
                }
            };
            next = (a >> skipped)
                .checked_add(1)
                .filter(|&begin| begin <= last >> skipped)
                .map(|begin| begin << skipped);
        }
    })
}

/// The coin before the stretch of Ruler that ends before `coin` and has the nim-sum `target`, 0 if it begins with the
/// first coin; `None` if no stretch has.
fn before_stretch(coin: u64, target: NimValue) -> Option<u64> {
    // The values of the coins 1 to n have the Gray code of n as their nim-sum.
    let gray = |n: u64| NimValue::from(n ^ n >> 1);
    let mut before = gray(coin - 1) ^ target;
    for shift in [1, 2, 4, 8, 16, 32, 64] {
        before ^= before >> shift;
    }
    u64::try_from(before).ok().filter(|&before| before < coin)
}

/// A game of turning coins. A position is the numbers of the coins that show heads, ascending.
#[derive(Debug)]
pub struct TurningCoins {
    turning: Turning,
    misere: Mutex<Search>,
}

impl TurningCoins {
    /// The game in which such coins may be turned, and how far a position in misère play may be searched.
    pub fn new(turning: Turning, effort: Effort) -> TurningCoins {
        TurningCoins {
            turning,
            misere: Mutex::new(Search::new(WhoWins, effort)),
        }
    }

    fn misere_outcome(&self, heads: &[u64]) -> Result<Outcome, Error> {
        let mut search = lock(&self.misere);
        search.answer(self, &|heads| Reduced::Position(heads.to_vec()), heads)
    }

    /// The moves that change the nim-value of a row by `change` under nim-addition.
    fn turn_to<'g>(&'g self, heads: &[u64], change: NimValue) -> Moves<'g> {
        self.turn(heads, move |coin| {
            let target = self.turning.value(coin) ^ change;
            match self.turning.others_of_value(coin, target) {
                Ok(others) => Box::new(others.map(Ok)),
                Err(turned) => {
                    let shown = MOST_TURNED;
                    let fault = StartFault::ManyTurned { turned, shown };
                    Box::new(std::iter::once(Err(Error::start(self.name(), fault))))
                }
            }
        })
    }

    /// The moves that turn each head together with the coins that `others` gives for it.
    fn turn<'g>(
        &'g self,
        heads: &[u64],
        others: impl Fn(u64) -> Box<dyn Iterator<Item = Result<Vec<u64>, Error>> + 'g> + 'g,
    ) -> Moves<'g> {
        let heads: Arc<[u64]> = heads.into();
        Box::new((0..heads.len()).flat_map(move |index| {
            let heads = Arc::clone(&heads);
            others(heads[index]).map(move |coins| {
                let mut coins = coins?;
                coins.push(heads[index]);
                Ok(Move {
                    position: turned(&heads, &coins),
                    change: Change::Turn { coins },
                })
            })
        }))
    }
}

/// The heads after these coins are turned; all lists are ascending.
fn turned(heads: &[u64], coins: &[u64]) -> Vec<u64> {
    let stay = heads
        .iter()
        .filter(|head| coins.binary_search(head).is_err());
    let new = coins
        .iter()
        .filter(|coin| heads.binary_search(coin).is_err());
    let mut after: Vec<u64> = stay.chain(new).copied().collect();
    after.sort_unstable();
    after
}

impl Game for TurningCoins {
    fn name(&self) -> &str {
        self.turning.name()
    }

    fn is_row_of_coins(&self) -> bool {
        true
    }

    fn start(&self, mut heads: Vec<u64>) -> Result<Vec<u64>, Error> {
        let refused = |fault| Error::start(self.name(), fault);
        heads.sort_unstable();
        if let Some(pair) = heads.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(refused(StartFault::CoinTwice(pair[0])));
        }
        match heads.first() {
            Some(0) => Err(refused(StartFault::CoinZero)),
            _ => Ok(heads),
        }
    }

    /// Every legal move, from the first head, then from the second …; fewest coins first, then by number.
    fn moves<'g>(&'g self, heads: &[u64]) -> Moves<'g> {
        self.turn(heads, |coin| Box::new(self.turning.others(coin).map(Ok)))
    }

    fn analyse(&self, heads: &[u64], convention: Convention) -> Result<Analysis, Error> {
        let heads = self.start(heads.to_vec())?;
        if convention == Convention::Misere {
            let outcome = self.misere_outcome(&heads)?;
            return Ok(Analysis::by_outcome(&heads, convention, outcome));
        }
        let values = heads.iter().map(|&coin| self.turning.value(coin));
        Ok(Analysis::by_values(&heads, values.collect()))
    }

    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        if analysis.outcome == Outcome::P {
            return Box::new(std::iter::empty());
        }
        match analysis.nim_sum {
            Some(sum) => self.turn_to(&analysis.piles, sum),
            None => search::winning(self.moves(&analysis.piles), |position| {
                self.misere_outcome(position)
            }),
        }
    }

    fn moves_to<'g>(&'g self, analysis: &'g Analysis, value: NimValue) -> Option<Moves<'g>> {
        Some(self.turn_to(&analysis.piles, analysis.nim_sum.unwrap_or(0) ^ value))
    }

    fn explain(&self, analysis: &Analysis) -> Result<Vec<String>, Error> {
        let mut lines = working("");
        let Some(values) = &analysis.nim_values else {
            lines.push(search::in_words(analysis.outcome));
            return Ok(lines);
        };
        lines.extend([
            "A row of coins is the sum of its heads, each alone: a coin turned twice is as before, and equal nim-values".to_owned(),
            format!("cancel. Of a single head on coin n, {}.", self.turning.value_in_words()),
            String::new(),
            "Nim-sum, in binary columns:".to_owned(),
        ]);
        lines.extend(binary_columns(values));
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_a_sum_are_those_that_trying_all_finds() {
        for last in 0..40 {
            for sum in 1..80 {
                let all = (0..=last).map(|a| (a, a ^ sum));
                let tried: Vec<_> = all.filter(|&(a, b)| a < b && b <= last).collect();
                let found: Vec<_> = pairs_of(sum, last).collect();
                assert_eq!(found, tried, "sum {sum}, last {last}");
            }
        }
        // Far out the coins are not searched one by one.
        let last = u64::MAX - 2;
        assert_eq!(pairs_of(u64::MAX, last).next(), Some((2, last)));
        assert_eq!(pairs_of(1 << 62, (1 << 62) - 1).next(), None);
        assert_eq!(pairs_of((1 << 63) + 1, 1 << 63).next(), Some((1, 1 << 63)));
    }
}
