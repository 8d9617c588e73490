//! A row of stones with gaps, for games in which the place of a move matters to the eye.
//!
//! A take-and-break game is played on rows if its code is octal, allows nothing without taking, and allows at least
//! one move that leaves two heaps: the stones taken are adjacent, and the two heaps are the ends of the gap (Guy and
//! Smith, Proc. Camb. Phil. Soc. 52, 1956, p. 514). A heap is a run of adjacent stones. Taking t stones of a run
//! leaves 0, 1 or 2 runs of it, and the digit of t says whether it may.

use crate::app::report::style::{LAST, any_of};
use crate::game::Game;
use crate::printable::joined;
use crate::ruleset::{Code, Digit};
use std::ops::Range;
use std::sync::Arc;

/// The most stones that are laid out in a row; longer ones are played as piles.
const LONGEST: u64 = 240;

/// The most numbers of stones that a rule lists.
const WRITTEN_COUNTS: usize = 6;

/// The most places on one line.
const PLACES_A_LINE: usize = 60;

/// A row of stones, some of them taken. Places are counted from 0 here and from 1 for the person.
#[derive(Clone, Debug)]
pub struct Row {
    code: Arc<Code>,
    stones: Vec<bool>,
    /// The places at which another of the rows laid out at the start begins, and the end.
    borders: Arc<[usize]>,
    /// The stones last taken.
    last: Range<usize>,
}

impl Row {
    /// The piles of a game as rows of stones, if the game is played on rows and they aren't too long.
    pub fn new(game: &dyn Game, piles: &[u64]) -> Option<Row> {
        let code: Code = game.code()?.parse().ok()?;
        let splits = |digit: &Digit| digit.parts(2).is_some();
        if !code.is_octal() || !code.digit(0).is_zero() || !code.written().0.iter().any(splits) {
            return None;
        }
        let mut borders = Vec::new();
        let mut end = 0u64;
        for &pile in piles.iter().filter(|&&pile| pile > 0) {
            end = end.checked_add(pile).filter(|&end| end <= LONGEST)?;
            borders.push(end as usize);
        }
        Some(Row {
            code: Arc::new(code),
            stones: vec![true; end as usize],
            borders: borders.into(),
            last: 0..0,
        })
    }

    /// The runs of adjacent stones: the heaps.
    pub fn runs(&self) -> Vec<Range<usize>> {
        let mut runs = Vec::new();
        let mut from = 0;
        for &border in &*self.borders {
            for run in self.stones[from..border].chunk_by(|one, next| one == next) {
                let to = from + run.len();
                runs.extend(run[0].then_some(from..to));
                from = to;
            }
        }
        runs
    }

    /// The sizes of the runs, from left to right.
    pub fn piles(&self) -> Vec<u64> {
        self.runs().iter().map(|run| run.len() as u64).collect()
    }

    fn allows(&self, run: &Range<usize>, at: usize, count: usize) -> bool {
        let left = u64::from(at > run.start) + u64::from(at + count < run.end);
        self.code.digit(count as u64).parts(left).is_some()
    }

    /// Every legal move as a place and a number of stones: run by run, fewest stones first, from left to right.
    pub fn moves(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let row = self.clone();
        self.runs().into_iter().flat_map(move |run| {
            let row = row.clone();
            let most = row.code.most_taken().unwrap_or(u64::MAX);
            let most = run.len().min(usize::try_from(most).unwrap_or(usize::MAX));
            (1..=most).flat_map(move |count| {
                let (row, run) = (row.clone(), run.clone());
                (run.start..=run.end - count)
                    .filter(move |&at| row.allows(&run, at, count))
                    .map(move |at| (at, count))
            })
        })
    }

    /// The runs left by each legal move, in the order of [`Row::moves`], without the rows themselves.
    pub fn positions(&self) -> impl Iterator<Item = Vec<u64>> + use<'_> {
        let runs = self.runs();
        self.moves().map(move |(at, count)| {
            let mut piles = Vec::with_capacity(runs.len() + 1);
            for run in &runs {
                let parts = match run.contains(&at) {
                    true => [at - run.start, run.end - at - count],
                    false => [run.len(), 0],
                };
                let parts = parts.into_iter().filter(|&part| part > 0);
                piles.extend(parts.map(|part| part as u64));
            }
            piles
        })
    }

    /// The row after `count` stones are taken from place `at` on.
    ///
    /// # Errors
    /// Why that is no legal move, in words for the person.
    pub fn take(&self, at: usize, count: usize) -> Result<Row, String> {
        let places = self.stones.len();
        if at >= places {
            return Err(format!("the places are 1 to {places}"));
        }
        let Some(run) = self.runs().into_iter().find(|run| run.contains(&at)) else {
            return Err(format!("the stone at {} is gone", at + 1));
        };
        if count == 0 {
            return Err("take at least one stone".to_owned());
        }
        if count > run.end - at {
            let there_are = match run.end - at {
                1 => "there is only 1 stone".to_owned(),
                adjacent => format!("there are only {adjacent} adjacent stones"),
            };
            return Err(format!("from {} on {there_are}", at + 1));
        }
        if !self.allows(&run, at, count) {
            return Err(self.why_not(&run, at, count));
        }
        let mut row = self.clone();
        row.stones[at..at + count].fill(false);
        row.last = at..at + count;
        Ok(row)
    }

    fn why_not(&self, run: &Range<usize>, at: usize, count: usize) -> String {
        let digit = self.code.digit(count as u64);
        if digit.is_zero() {
            let most = self.code.most_taken().unwrap_or(u64::MAX);
            let most = most.min(self.stones.len() as u64);
            let allowed = (1..=most).filter(|&t| !self.code.digit(t).is_zero());
            return format!("a move takes {}, not {count}", any_of(allowed.take(12)));
        }
        let (left, right) = (at - run.start, run.end - at - count);
        let becomes = match (left, right) {
            (0, 0) => "nothing of them".to_owned(),
            (0, rest) | (rest, 0) => format!("one run of {rest}"),
            _ => format!("two runs, {left} and {right}"),
        };
        let may = (0..=2).filter(|&heaps| digit.parts(heaps).is_some());
        let may = may.map(|heaps| ["nothing of its run", "one run", "two runs"][heaps as usize]);
        format!(
            "that would leave {becomes}, but a move that takes {count} must leave {}",
            joined(may, " or ")
        )
    }

    /// The rule in one line, which says what a move does.
    pub fn rule(&self) -> String {
        let (digits, repeat) = self.code.written();
        let counts = (1..)
            .zip(&digits[1..])
            .filter(|(_, digit)| !digit.is_zero());
        let mut ways: Vec<String> = counts
            .clone()
            .take(WRITTEN_COUNTS)
            .map(|(count, digit)| {
                let may = [0, 1, 2].map(|heaps| digit.parts(heaps).is_some());
                let way = match may {
                    [true, false, false] => "if they are a whole run",
                    [false, true, false] => "at an end of a longer run",
                    [true, true, false] => "at an end of a run",
                    [_, false, true] => "inside a run",
                    [false, true, true] => "of a longer run",
                    _ => "anywhere",
                };
                format!("{count} {way}")
            })
            .collect();
        if repeat > 0 || counts.count() > WRITTEN_COUNTS {
            ways.push("and so on".to_owned());
        }
        format!("take adjacent stones: {}", ways.join(", "))
    }

    /// The place at which to take stones, and how many, so that runs of these sizes are left, in any order.
    pub fn find(&self, piles: &[u64]) -> Option<(usize, usize)> {
        let mut wanted = piles.to_vec();
        wanted.sort_unstable();
        let mut moves = self.moves().zip(self.positions());
        moves.find_map(|(found, mut left)| {
            left.sort_unstable();
            (left == wanted).then_some(found)
        })
    }

    /// The row as it is drawn: `∗∗××∗` under the numbers of the places. Where lines have room for `width` characters, tens of
    /// places stand on each.
    pub fn picture(&self, width: usize) -> String {
        if self.stones.is_empty() {
            return "   (no stones)\n".to_owned();
        }
        let places: Vec<usize> = (0..self.stones.len()).collect();
        let room = width.saturating_sub(3 + 2 * (self.borders.len() - 1));
        let places_a_line = (room / 10 * 10).clamp(10, PLACES_A_LINE);
        let lines = places.chunks(places_a_line).map(|line| self.line(line));
        joined(lines, "\n")
    }

    /// One line of the picture: these places of the row, below the tens of their numbers, if some are there, and the ones.
    fn line(&self, places: &[usize]) -> String {
        let (mut tens, mut ones, mut stones) = (String::new(), String::new(), String::new());
        for &at in places {
            if !ones.is_empty() && self.borders.contains(&at) {
                ones.push_str("  ");
                stones.push_str("  ");
            }
            let number = at + 1;
            if number % 10 == 0 {
                let width = ones.len() + 1 - tens.len();
                tens.push_str(&format!("{:>width$}", number / 10));
            }
            ones.push_str(&(number % 10).to_string());
            stones.push_str(&match (self.stones[at], self.last.contains(&at)) {
                (true, _) => "∗".to_owned(),
                (false, true) => format!("{LAST}×{LAST:#}"),
                (false, false) => "×".to_owned(),
            });
        }
        if !tens.is_empty() {
            tens = format!("   {tens}\n");
        }
        format!("{tens}   {ones}\n   {stones}\n")
    }
}
