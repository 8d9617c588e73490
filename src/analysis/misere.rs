//! The analysis of a sum of heaps when whoever makes the last move loses.

mod explain;

pub(super) use explain::working;

use super::{HeapGame, winning_options};
use crate::analysis::{Analysis, Moves};
use crate::engine::lock;
use crate::error::Error;
use crate::misere::{
    Genus, HeapQuotient, Misere, MiserePeriod, Nature, Play, Tame, TameSum, only_takes,
};
use crate::outcome::{Convention, Outcome};
use crate::position::Move;
use crate::ruleset::{Code, HeapOption};
use crate::sequence::period::Finding;
use crate::sequence::{Values, repeated};
use std::sync::Arc;

/// How far a period of the nim-values is sought for a misère quotient: to the first of these heaps, and where the values have a
/// sparse space, so that many take no time, on to the others.
const NIM_PERIOD_SOUGHT: [u64; 3] = [1 << 14, 1 << 17, 1 << 20];

type Options<'g> = Box<dyn Iterator<Item = Result<HeapOption, Error>> + 'g>;

impl HeapGame {
    fn with_misere<T>(&self, ask: impl FnOnce(&mut Misere, &Play<'_>) -> T) -> T {
        let mut misere = lock(&self.misere);
        let play = Play {
            ruleset: &self.ruleset,
            values: &|heap| self.values(heap),
            nim_period: &|| self.nim_period(),
            effort: &self.effort,
        };
        ask(&mut misere, &play)
    }

    /// The proved misère quotient of the heaps from 0 to `last`, or of as many as are within reach.
    ///
    /// # Errors
    /// If the rule need not end, or the heaps can't be looked through; [`HeapQuotient::beyond`] says why fewer heaps
    /// are covered.
    pub fn misere_quotient(&self, last: u64) -> Result<HeapQuotient, Error> {
        self.with_misere(|misere, play| misere.quotient(play, last))
    }

    /// The proved misère quotient of as many heaps as prove a period of their elements: of an octal game as far as a
    /// proved period of its nim-values asks for, of another of a few heaps.
    ///
    /// # Errors
    /// As for [`HeapGame::misere_quotient`].
    pub fn whole_misere_quotient(&self) -> Result<HeapQuotient, Error> {
        self.with_misere(|misere, play| misere.whole_quotient(play))
    }

    /// The preperiod and the period of the nim-values, if some values prove them.
    fn nim_period(&self) -> Result<Option<(u64, u64)>, Error> {
        let mut sequence = self.sequence();
        for limit in NIM_PERIOD_SOUGHT {
            match sequence.find_period(limit) {
                Ok(Finding::Proved(proof)) => {
                    let found = proof.period;
                    return Ok((found.saltus == 0).then_some((found.preperiod, found.period)));
                }
                Ok(_) if sequence.sparse_space(limit).is_some() => {}
                Ok(_) | Err(Error::OutOfReach { .. } | Error::Memory { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// The genus of a position, and how it behaves.
    ///
    /// # Errors
    /// If the rule need not end, or the positions that can follow are too many.
    pub fn genus(&self, heaps: &[u64]) -> Result<(Genus, Nature), Error> {
        self.with_misere(|misere, play| misere.genus(play, heaps))
    }

    /// Whether a pile is so large that all of its options are tame and firm.
    fn is_firm(&self, pile: u64) -> bool {
        let from = self.with_misere(|misere, play| misere.firm_from(play));
        from.is_some_and(|from| pile >= from)
    }

    fn tame(&self, heaps: &[u64]) -> Result<Option<Vec<Tame>>, Error> {
        self.with_misere(|misere, play| misere.tame(play, heaps))
    }

    fn misere_outcome(&self, heaps: &[u64]) -> Result<Outcome, Error> {
        self.with_misere(|misere, play| misere.outcome(play, heaps))
    }

    /// Who wins in misère play. Nim-values are given if they decide it: all piles tame, and some firm.
    pub(super) fn analyse_misere(&self, piles: &[u64]) -> Result<Analysis, Error> {
        let firm = self.tame(piles)?;
        let firm = firm.filter(|tame| tame.iter().any(|pile| !pile.fickle));
        let sum = firm.iter().flatten().copied().collect::<TameSum>();
        let largest = piles.iter().copied().max().unwrap_or(0);
        let by_values = only_takes(&self.ruleset) || self.is_firm(largest);
        let values = by_values.then(|| self.values(largest));
        let outcome = self.misere_outcome(piles)?;
        Ok(Analysis {
            nim_sum: firm.is_some().then_some(sum.as_one().value),
            nim_values: firm.map(|tame| tame.iter().map(|pile| pile.value).collect()),
            values: values.transpose()?,
            ..Analysis::by_outcome(piles, Convention::Misere, outcome)
        })
    }

    /// The Nim heap that all these heaps together behave as, if all of them are tame.
    ///
    /// # Errors
    /// If the rule need not end, or it would take too long to tell.
    pub fn tame_sum(&self, heaps: &[u64]) -> Result<Option<TameSum>, Error> {
        let tame = self.tame(heaps)?;
        Ok(tame.map(TameSum::from_iter))
    }

    /// The moves that leave a P-position, in the order of all moves.
    pub(super) fn winning_moves_misere<'g>(&'g self, analysis: &'g Analysis) -> Moves<'g> {
        self.moves_winning_beside(analysis, TameSum::default())
    }

    /// The moves from these heaps, analysed in misère play, that leave a P-position together with `others`. `others` counts only
    /// if all the heaps are tame; if one of them is not, the moves are those that leave a P-position without `others`.
    pub fn moves_winning_beside<'g>(
        &'g self,
        analysis: &'g Analysis,
        others: TameSum,
    ) -> Moves<'g> {
        let piles: Arc<[u64]> = analysis.piles.as_slice().into();
        let values = analysis.values.as_ref();
        let tame = match self.tame(&piles) {
            Ok(tame) => tame,
            Err(error) => return Box::new(std::iter::once(Err(error))),
        };
        let sum = tame.iter().flatten().copied().fold(others, TameSum::with);
        Box::new((0..piles.len()).flat_map(move |index| {
            let piles = Arc::clone(&piles);
            let options = match &tame {
                Some(tame) => self.tame_options(values, piles[index], sum.without(tame[index])),
                None => match self.with_misere(|misere, _| misere.repeats()) {
                    Some(repeats) => self.repeating_options(Arc::clone(&piles), index, repeats),
                    None => self.searched_options(Arc::clone(&piles), index),
                },
            };
            options.map(move |option| {
                option.map(|option| Move::in_pile(&piles, index, option.take, option.leave))
            })
        }))
    }

    /// The options of a tame pile that leave a P-position together with the other piles, whose sum is `others`.
    fn tame_options<'g>(
        &'g self,
        values: Option<&'g Values>,
        pile: u64,
        others: TameSum,
    ) -> Options<'g> {
        let takes = only_takes(&self.ruleset);
        if let Some(values) = values.filter(|_| takes || self.is_firm(pile)) {
            let others = others.as_one();
            // Beside an option that is firm only the nim-values count.
            let target = others.value ^ u128::from(others.fickle && takes);
            let (ruleset, memory) = (&self.ruleset, self.effort.memory);
            let options = winning_options::options(ruleset, values, pile, target, memory);
            return Box::new(options.map(Ok));
        }
        let outcome = move |leave: &[u64]| {
            let tame = self.tame(leave)?;
            let sum = tame.into_iter().flatten().fold(others, TameSum::with);
            Ok(sum.outcome())
        };
        self.options_that_win(pile, outcome)
    }

    /// The options of the pile at `index` that leave a P-position together with the other piles, by the search.
    fn searched_options(&self, piles: Arc<[u64]>, index: usize) -> Options<'_> {
        let pile = piles[index];
        let outcome = move |leave: &[u64]| {
            let others = piles[..index].iter().chain(&piles[index + 1..]);
            let after: Vec<u64> = others.chain(leave).copied().collect();
            self.misere_outcome(&after)
        };
        self.options_that_win(pile, outcome)
    }

    /// The options of the pile at `index` that leave a P-position together with the other piles, where any heap beyond the
    /// first `early` may be replaced by the heap a period smaller without changing who wins.
    ///
    /// Splits of a pile are told by their smaller part, and from the preperiod on by its residue: what holds for one
    /// period of them holds for all. So a period in which none wins ends the splits of that taking.
    fn repeating_options(
        &self,
        piles: Arc<[u64]>,
        index: usize,
        MiserePeriod {
            preperiod: early,
            period,
        }: MiserePeriod,
    ) -> Options<'_> {
        let pile = piles[index];
        let most = self.ruleset.code().and_then(Code::most_taken).unwrap_or(0);
        if pile / 2 <= early.saturating_add(period + most) {
            return self.searched_options(piles, index);
        }
        Box::new(
            (0..=most)
                .flat_map(move |take| self.repeating_taking(&piles, index, take, early, period)),
        )
    }

    fn repeating_taking(
        &self,
        piles: &[u64],
        index: usize,
        take: u64,
        early: u64,
        period: u64,
    ) -> Options<'_> {
        let others: Vec<u64> = [&piles[..index], &piles[index + 1..]].concat();
        let rest = piles[index] - take;
        let wins = move |leave: Vec<u64>| {
            let after: Vec<u64> = others.iter().chain(&leave).copied().collect();
            match self.misere_outcome(&after) {
                Ok(Outcome::P) => Some(Ok(HeapOption { take, leave })),
                Ok(Outcome::N) => None,
                Err(error) => Some(Err(error)),
            }
        };
        let digit = self.ruleset.code().map(|code| code.digit(take));
        let allowed = |heaps| digit.is_some_and(|digit| digit.parts(heaps).is_some());
        let one = allowed(1) && (take > 0);
        let one = one.then(|| wins(vec![rest])).flatten();
        if !allowed(2) {
            return Box::new(one.into_iter());
        }
        let start = early.max(1);
        let split = move |small: u64| wins(vec![small, rest - small]);
        let residues: Vec<u64> = (0..period).filter(|r| split(start + r).is_some()).collect();
        let smalls = (1..start).chain(repeated(residues, period, (start, rest / 2)));
        Box::new(one.into_iter().chain(smalls.filter_map(split)))
    }

    fn options_that_win<'g>(
        &'g self,
        pile: u64,
        outcome: impl Fn(&[u64]) -> Result<Outcome, Error> + 'g,
    ) -> Options<'g> {
        let options = self.ruleset.options(pile);
        Box::new(
            options.filter_map(move |option| match outcome(&option.leave) {
                Ok(Outcome::P) => Some(Ok(option)),
                Ok(Outcome::N) => None,
                Err(error) => Some(Err(error)),
            }),
        )
    }
}
