//! The words and numbers of a picture: title, names of what is drawn, description, and ticks.

use super::{Curve, Cycle, Plot};
use crate::printable::printable;
use crate::sequence::period::Period;
use indicatif::HumanCount;

impl Plot {
    /// The usual title, which says what the picture shows.
    pub(super) fn title(&self) -> String {
        if let Some(title) = &self.title {
            return printable(title).into_owned();
        }
        let games: Vec<&str> = self.curves.iter().map(|curve| &*curve.game).collect();
        let games = games.join(" and ");
        let piles = match self.from == self.to {
            true => format!("pile {}", grouped(self.from)),
            false => format!("piles {} to {}", grouped(self.from), grouped(self.to)),
        };
        match self.histogram {
            false => format!("{games}: nim-values of the {piles}"),
            true if self.from == self.to => format!("{games}: the nim-value of {piles}"),
            true => format!("{games}: how many of the {piles} have each nim-value"),
        }
    }

    /// The names of the first and of the second kind of points; only the first, if there is one kind.
    pub(super) fn kinds(&self) -> Vec<String> {
        match (self.curves.as_slice(), self.space) {
            ([one, other], _) => vec![one.game.clone(), other.game.clone()],
            (_, Some(_)) => vec!["common value".to_owned(), rare_words(self.rare)],
            (_, None) => vec!["nim-value".to_owned()],
        }
    }

    /// The cycle that is marked: that of the game, if the picture is a scatter of one game.
    pub(super) fn marked(&self) -> Option<&Cycle> {
        match (self.curves.as_slice(), self.histogram) {
            ([one], false) => one.cycle.as_ref(),
            _ => None,
        }
    }

    /// The word for the part of the picture that lies in the preperiod.
    pub(super) fn preperiod_words(&self, cycle: &Cycle) -> Option<String> {
        let last = cycle.period.last_exception()?;
        (self.from <= last).then(|| match last {
            0 => "preperiod 0".to_owned(),
            _ => format!("preperiod 0\u{2013}{}", grouped(last)),
        })
    }

    /// The word for the period: `period 12, from 71 on`.
    pub(super) fn period_words(&self, cycle: &Cycle) -> String {
        let words = period_words(cycle);
        match self.to < cycle.period.preperiod {
            true => words + ", beyond this picture",
            false => words,
        }
    }

    /// The periods of two games, each in a line.
    pub(super) fn cycles_of_two(&self) -> Vec<String> {
        let ([one, other], false) = (self.curves.as_slice(), self.histogram) else {
            return Vec::new();
        };
        let words = |curve: &Curve| {
            let cycle = curve.cycle.as_ref()?;
            Some(format!("{}: {}", curve.game, period_words(cycle)))
        };
        [one, other].into_iter().filter_map(words).collect()
    }

    /// The word for what lies above or below the picture.
    pub(super) fn outside_words(&self) -> Option<String> {
        let (low, high) = (self.low, self.high);
        (self.outside > 0).then(|| {
            let piles = counted(self.outside);
            let have = if self.outside == 1 { "has" } else { "have" };
            format!("{piles} {have} a value outside {low}\u{2013}{high}")
        })
    }

    /// What the picture shows, for those who can't see it.
    pub(super) fn description(&self) -> String {
        let points = match (self.histogram, self.is_dense()) {
            (true, _) => "A bar for each nim-value",
            (false, false) => "A point for each pile",
            (false, true) => "The density of the points, one for each pile",
        };
        let mut sentences = vec![format!(
            "{points}; the picture covers the nim-values from {} to {}",
            self.low, self.high
        )];
        match self.kinds().as_slice() {
            [_] => {}
            kinds => sentences.push(kinds.join("; ")),
        }
        if let Some(cycle) = self.marked() {
            sentences.extend(self.preperiod_words(cycle));
            sentences.push(self.period_words(cycle));
        }
        sentences.extend(self.cycles_of_two());
        sentences.extend(self.outside_words());
        sentences.join(". ") + "."
    }
}

/// The word for the rare values: `rare value (10 piles, the last 70)`.
fn rare_words((count, last): (u64, u64)) -> String {
    match count {
        0 => "rare value (no pile)".to_owned(),
        1 => format!("rare value (pile {})", grouped(last)),
        _ => format!(
            "rare value ({}, the last {})",
            counted(count),
            grouped(last)
        ),
    }
}

fn period_words(cycle: &Cycle) -> String {
    let Period {
        period,
        preperiod,
        saltus,
    } = cycle.period;
    let (period, preperiod) = (grouped(period), grouped(preperiod));
    let saltus = match saltus {
        0 => String::new(),
        saltus => format!(", saltus {}", grouped(saltus)),
    };
    let seen = if cycle.proved {
        ""
    } else {
        " (seen, not proved)"
    };
    format!("period {period}{saltus}, from {preperiod} on{seen}")
}

/// A number of piles.
pub fn counted(piles: u64) -> String {
    match piles {
        1 => "1 pile".to_owned(),
        piles => format!("{} piles", grouped(piles)),
    }
}

/// A number with commas between its thousands.
pub fn grouped(number: impl Into<u64>) -> String {
    HumanCount(number.into()).to_string()
}

/// Round numbers from `low` to `high`, about `wanted` of them, at whole steps of 1, 2 or 5 times a power of ten.
pub fn ticks(low: u64, high: u64, wanted: u64) -> Vec<u64> {
    let step = round_step((high - low) / wanted.max(1));
    let first = low.checked_next_multiple_of(step);
    std::iter::successors(first, |tick| tick.checked_add(step))
        .take_while(|&tick| tick <= high)
        .collect()
}

/// The least of 1, 2, 5, 10, 20 … above a number.
pub fn round_step(least: u64) -> u64 {
    let powers = std::iter::successors(Some(1u64), |power| power.checked_mul(10));
    let mut steps = powers.flat_map(|power| [1, 2, 5].map(|times| power.saturating_mul(times)));
    steps.find(|&step| step > least).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0, 200, 10), [0, 50, 100, 150, 200]);
        assert_eq!(ticks(0, 9, 8), (0..=9).step_by(2).collect::<Vec<_>>());
        assert_eq!(ticks(0, 0, 8), [0]);
        assert_eq!(ticks(7, 23, 4), [10, 15, 20]);
        assert_eq!(ticks(5, 5, 4), [5]);
    }
}
