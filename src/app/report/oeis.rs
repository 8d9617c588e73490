//! The lines of a sequence in the internal format of the OEIS (<https://oeis.org/eishelp1.html>): `%S` to `%U` the first
//! terms, `%N` the name, `%C` comments, `%D` and `%H` references and links, `%F` a formula, `%e` an example, `%o` a program,
//! `%Y` other sequences, `%K` keywords, `%O` the offset and the place of the first term beyond 1, `%A` the author.

mod program;
mod rule;

use crate::engine::sparse_space::SparseSpace;
use crate::game::Turning;
use crate::grundy::NimValue;
use crate::printable::joined;
use crate::ruleset::{Code, Ruleset};
use crate::sequence::Values;
use crate::sequence::period::Period;
use crate::sequence::published::{Equivalent, InOeis};
use std::io::{self, Write};

/// The most characters of a line of terms: the OEIS shows about as many in three such lines.
const LINE: usize = 86;
const LINES: [char; 3] = ['S', 'T', 'U'];
/// How many terms are enough to fill the three lines.
pub const TERMS: u64 = 130;

/// The number that stands for an A-number which is not given yet.
const NO_NUMBER: &str = "A000000";

/// The references and links about octal games, with the letters of their lines.
const OF_OCTAL_GAMES: [(char, &str); 3] = [
    (
        'D',
        "E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways for Your Mathematical Plays, 2nd ed., vol. 1, A K Peters, 2001, Chapter 4.",
    ),
    (
        'D',
        "R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Cambridge Philos. Soc. 52 (1956), 514-526.",
    ),
    (
        'H',
        "Achim Flammenkamp, <a href=\"https://wwwhomes.uni-bielefeld.de/achim/octal.html\">Sprague-Grundy values of octal games</a>",
    ),
];

/// A period and its source.
pub struct Known {
    pub period: Period,
    /// Whether the preperiod is the least.
    pub least: bool,
    /// How the period is known, in a clause.
    pub by: String,
}

/// The figures of the rare values.
pub struct Rares {
    pub space: SparseSpace,
    /// How many piles have a rare value, pile 0 counted.
    pub count: u64,
    /// The last pile with a rare value.
    pub last: Option<u64>,
    /// The last pile that was looked at; `None` if the figures are those of all piles.
    pub to: Option<u64>,
}

/// The largest value and its first pile.
pub struct Largest {
    pub value: u64,
    /// The first pile that has it.
    pub pile: u64,
    /// The last pile that was looked at; `None` if the value is the largest of all piles.
    pub to: Option<u64>,
}

/// The facts known of the values.
pub struct Facts {
    pub period: Option<Known>,
    pub rares: Option<Rares>,
    /// The largest value, where there is one.
    pub largest: Option<Largest>,
}

/// The facts and terms that make the entry of a game.
pub struct OeisEntry<'a> {
    pub ruleset: &'a Ruleset,
    /// The sequence of the OEIS that has the game's values already.
    pub listed: Option<InOeis>,
    /// The game's values, at least those of the first [`TERMS`] piles from the offset on.
    pub values: &'a Values,
    /// The last pile in which a period was sought.
    pub sought: u64,
    pub facts: Facts,
    /// Codes with the same standard form.
    pub same: Vec<Equivalent>,
    /// A formula in words.
    pub formula: Option<&'a str>,
}

impl OeisEntry<'_> {
    /// The sequence of the OEIS that has just these terms, if there is one.
    pub fn own(&self) -> Option<&InOeis> {
        self.listed.as_ref().filter(|listed| listed.shift == 0)
    }

    /// The index of the first term.
    pub fn offset(&self) -> u64 {
        self.own().map_or(0, |own| own.sequence.offset)
    }

    /// Writes the lines.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let number = self.own().map_or(NO_NUMBER, |own| &own.sequence.number);
        writeln!(out, "%I {number}")?;
        let mut write = |letter: char, text: &str| writeln!(out, "%{letter} {number} {text}");
        let terms = self.terms();
        let lines = lines(&terms);
        let terms_in = |line: &String| line.split(',').filter(|term| !term.is_empty()).count();
        let shown: usize = lines.iter().map(terms_in).sum();
        let beyond_1 = terms[..shown].iter().position(|&term| term > 1);
        let last = self.offset() + shown as u64 - 1;
        for (letter, line) in LINES.into_iter().zip(&lines) {
            write(letter, line)?;
        }
        let title = rule::title(self.ruleset);
        write('N', &format!("Sprague-Grundy values for {title}."))?;
        for comment in self.comments() {
            write('C', &comment)?;
        }
        for (letter, work) in OF_OCTAL_GAMES.into_iter().filter(|_| self.is_octal()) {
            write(letter, work)?;
        }
        if let Some(order) = self.recurrence() {
            let zeros = "0,".repeat(order as usize - 1);
            let link = format!(
                "<a href=\"/index/Rec#order_{order:02}\">Index entries for linear recurrences with constant coefficients</a>, signature ({zeros}1)."
            );
            write('H', &link)?;
        }
        for formula in self.formulas() {
            write('F', &formula)?;
        }
        if let Some(example) = self.example() {
            write('e', &example)?;
        }
        for line in program::lines(self.ruleset, self.offset(), last) {
            write('o', &line)?;
        }
        if let Some(other) = self.listed.as_ref().filter(|other| other.shift != 0) {
            let (shift, name) = (other.shift, &other.sequence.number);
            let from = i128::from(other.sequence.offset) - i128::from(shift);
            let from = from.max(0);
            let other = format!("Cf. {name}: a(n) = {name}(n{shift:+}) for n >= {from}.");
            write('Y', &other)?;
        }
        let is_easy = self.facts.period.is_some();
        write('K', if is_easy { "nonn,easy" } else { "nonn" })?;
        let place = beyond_1.map_or(1, |at| at + 1);
        write('O', &format!("{},{place}", self.offset()))?;
        write('A', "_Your Name_, Mon DD YYYY")
    }

    /// The first terms, from the offset on.
    fn terms(&self) -> Vec<NimValue> {
        let offset = self.offset();
        (offset..offset + TERMS)
            .map_while(|pile| self.values.get(pile))
            .collect()
    }

    fn is_octal(&self) -> bool {
        self.ruleset.code().and_then(Code::octal_end).is_some()
    }

    fn comments(&self) -> Vec<String> {
        /// The most other codes that are named.
        const NAMED: usize = 12;
        let what = match Turning::named(self.ruleset.name()) {
            Some(_) => "row of coins of which the n-th alone shows heads",
            None => "pile of n stones",
        };
        let mut comments = vec![format!(
            "a(n) is the nim-value of a {what}. The rule: {}. Whoever can't move loses.",
            rule::words(self.ruleset)
        )];
        if !self.same.is_empty() {
            let named = |same: &Equivalent| match same.shift {
                0 => format!("{} [a(n)]", same.code),
                shift => format!("{} [a(n{:+})]", same.code, -shift),
            };
            let named = joined(self.same.iter().take(NAMED).map(named), ", ");
            let more = match self.same.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more of up to three digits"),
            };
            comments.push(format!(
                "Other octal games have the same values, perhaps with another offset: {named}{more}."
            ));
        }
        if self.formula.is_none() {
            comments.extend(self.figures());
        }
        comments
    }

    /// The comments about the period, the largest value and the rare values.
    fn figures(&self) -> Vec<String> {
        let mut comments = vec![self.period_comment()];
        if let Some(Largest { value, pile, to }) = &self.facts.largest {
            let which = self.which(*to);
            comments.push(format!(
                "The largest of {which} is {value}, first at n = {pile}."
            ));
        }
        comments.extend(
            self.facts
                .rares
                .as_ref()
                .map(|rares| self.rare_comment(rares)),
        );
        comments
    }

    fn period_comment(&self) -> String {
        let Some(Known { period, least, by }) = &self.facts.period else {
            return format!(
                "No period is known; {} show none.",
                self.which(Some(self.sought))
            );
        };
        let kind = match period.saltus {
            0 => format!("Eventually periodic with period {}", period.period),
            saltus => format!(
                "Eventually arithmetic-periodic with period {} and saltus {saltus}",
                period.period
            ),
        };
        let last = match period.last_exception() {
            _ if !least => String::new(),
            Some(last) => format!("; the last exception is at n = {last}"),
            None => "; there are no exceptions".to_owned(),
        };
        format!("{kind}{last} ({by}).")
    }

    fn rare_comment(&self, rares: &Rares) -> String {
        let (mask, zero_is_rare) = (rares.space.mask(), rares.space.is_rare(0, 0));
        let left_out = zero_is_rare && self.offset() > 0;
        let count = rares.count - u64::from(left_out);
        let last = match rares.last {
            Some(last) if count > 0 => format!(", the last at n = {last}"),
            _ => String::new(),
        };
        let are = if count == 1 { "is" } else { "are" };
        let (even, odd) = match zero_is_rare {
            true => ("even", "odd"),
            false => ("odd", "even"),
        };
        let other = match rares.space.alternating() {
            true => format!(" for even n, an {odd} number for odd n"),
            false => String::new(),
        };
        format!(
            "Sparse space: of {}, {count} {are} rare{last}. A value is rare if an {even} number of its binary 1s are in the mask {mask:b}{other}.",
            self.which(rares.to)
        )
    }

    /// The words for the terms to a pile, or for all terms.
    fn which(&self, to: Option<u64>) -> String {
        match to {
            None => "all terms".to_owned(),
            Some(to) => format!("a({}) to a({to})", self.offset()),
        }
    }

    /// The order of the recurrence, if it is small enough for the OEIS's index of recurrences.
    fn recurrence(&self) -> Option<u64> {
        const LONGEST: u64 = 60;
        let period = self.facts.period.as_ref()?.period;
        (period.saltus == 0 && period.period <= LONGEST).then_some(period.period)
    }

    fn formulas(&self) -> Vec<String> {
        let by_period = self.facts.period.as_ref().map(|known| {
            let Period {
                period,
                preperiod,
                saltus,
            } = known.period;
            let saltus = match saltus {
                0 => String::new(),
                saltus => format!(" + {saltus}"),
            };
            format!("a(n+{period}) = a(n){saltus} for n >= {preperiod}.")
        });
        let by_formula = self
            .formula
            .map(|formula| format!("{}.", formula.replace("g(n)", "a(n)")));
        by_formula.into_iter().chain(by_period).collect()
    }

    /// An example: the mex of the options of the first pile with a value beyond 1 and a move that splits it, else of a plainer
    /// one.
    fn example(&self) -> Option<String> {
        const LOOKED_AT: u64 = 40;
        let first = |least, splits| {
            let mut piles = self.offset().max(1)..LOOKED_AT;
            piles.find_map(|pile| self.mex(pile, least, splits))
        };
        first(2, true)
            .or_else(|| first(2, false))
            .or_else(|| first(1, false))
    }

    /// The mex of the options of a pile in words: `None` if its value is less than `least`, if its options are many, or if
    /// `splits` asks for an option that is a split and none is.
    fn mex(&self, pile: u64, least: NimValue, splits: bool) -> Option<String> {
        const OPTIONS: usize = 12;
        let value = self.values.get(pile).filter(|&value| value >= least)?;
        let options: Vec<_> = self.ruleset.options(pile).take(OPTIONS + 1).collect();
        let is_split = options.iter().any(|option| option.leave.len() > 1);
        if options.len() > OPTIONS || splits && !is_split {
            return None;
        }
        let (mut terms, mut values) = (Vec::new(), Vec::new());
        for option in options {
            let parts = option.leave.iter();
            let sum = parts
                .clone()
                .try_fold(0, |sum, &part| Some(sum ^ self.values.get(part)?))?;
            terms.push(match parts.len() {
                0 => "0".to_owned(),
                _ => joined(parts.map(|part| format!("a({part})")), " XOR "),
            });
            values.push(sum);
        }
        let (terms, values) = (terms.join(", "), joined(values, ", "));
        Some(format!(
            "a({pile}) = mex{{{terms}}} = mex{{{values}}} = {value}."
        ))
    }
}

/// The terms in lines of [`LINE`] characters at most, as many as there is room for; a line that goes on ends in a comma.
fn lines(terms: &[NimValue]) -> Vec<String> {
    let mut lines = vec![String::new()];
    for term in terms {
        let term = format!("{term},");
        let is_last = lines.len() == LINES.len();
        match lines.last_mut() {
            Some(line) if line.len() + term.len() <= LINE => line.push_str(&term),
            _ if is_last => break,
            _ => lines.push(term),
        }
    }
    if let Some(line) = lines.last_mut() {
        line.pop();
    }
    lines
}
