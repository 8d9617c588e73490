//! Who wins a sum of games when whoever makes the last move loses.
//!
//! Nim-values don't decide it. The winner is decided by the first of these rules that applies:
//!
//! - Where at most one part has moves left, that part alone decides.
//! - Where all parts are tame heaps, the rule of Nim decides: sums of tame games are tame, whatever games they are of (Conway,
//!   *On Numbers and Games*, ch. 12).
//! - Where all parts are games of heaps, the sum is one game of heaps: heap k n + i of it is heap n by the i-th of k rules. That
//!   game is judged as any other is, by its misère quotient or a search. Parts of one rule alone are heaps of that rule.
//! - Else the positions that can follow are searched.

use super::{Sum, kept, positions};
use crate::analysis::nim::MISERE_NIM;
use crate::analysis::{Analysis, HeapGame, Moves};
use crate::engine::lock;
use crate::error::{Error, Reason};
use crate::game::search::{self, Reduced};
use crate::game::{Game, canonical, working};
use crate::grundy::NimValue;
use crate::misere::TameSum;
use crate::outcome::{Convention, Outcome};
use crate::ruleset::Ruleset;
use std::cell::RefCell;
use std::sync::Arc;

/// The largest heap of the single game that a sum of games of heaps is turned into: its options are listed, not looked up, and
/// each of its moves is judged to find those that win.
const LARGEST_LISTED: u64 = 4_000;

/// All parts of a sum as one game of heaps.
pub(super) struct AsHeaps {
    game: HeapGame,
    /// For each part, the number of its rule.
    rule_of: Vec<u64>,
    /// How many different rules there are.
    count: u64,
}

impl Sum {
    pub(super) fn analyse_misere(
        &self,
        position: &[u64],
        each: &[&[u64]],
    ) -> Result<Analysis, Error> {
        let mut analysis = Analysis::by_outcome(position, Convention::Misere, Outcome::N);
        let Some(tame) = self.tame(each)? else {
            analysis.outcome = self.misere_outcome(position)?;
            return Ok(analysis);
        };
        let sum: TameSum = tame.iter().copied().sum();
        analysis.outcome = sum.outcome();
        for (part, own) in each.iter().enumerate() {
            let judged = self.parts[part].analyse(own, Convention::Misere);
            analysis
                .parts
                .push(judged.map_err(|fault| self.fault(part, fault))?);
        }
        if !sum.as_one().fickle {
            let values: Vec<NimValue> = tame.iter().map(|part| part.as_one().value).collect();
            analysis.nim_values = Some(values);
            analysis.nim_sum = Some(sum.as_one().value);
        }
        Ok(analysis)
    }

    /// The Nim heap that each part behaves as, if all parts are tame heaps.
    fn tame(&self, each: &[&[u64]]) -> Result<Option<Vec<TameSum>>, Error> {
        if self.parts.iter().any(|part| part.heaps().is_none()) {
            return Ok(None);
        }
        let tame = |(part, own): (usize, &&[u64])| {
            let heaps = self.parts[part].heaps()?;
            let found = heaps.tame_sum(own).transpose()?;
            Some(found.map_err(|fault| self.fault(part, fault)))
        };
        each.iter()
            .enumerate()
            .map(tame)
            .collect::<Option<Result<_, _>>>()
            .transpose()
    }

    fn misere_outcome(&self, position: &[u64]) -> Result<Outcome, Error> {
        let in_vain = RefCell::new(vec![false; self.parts.len()]);
        let by_one_part = |position: &[u64]| self.by_one_part(position, &mut in_vain.borrow_mut());
        if let Some(outcome) = by_one_part(position)? {
            return Ok(outcome);
        }
        if let Some((game, heaps)) = self.as_heaps(position) {
            if let Some(tame) = self.tame(&positions(position))? {
                return Ok(tame.into_iter().sum::<TameSum>().outcome());
            }
            return Ok(game.analyse(&heaps, Convention::Misere)?.outcome);
        }
        let ask = |position: &[u64]| by_one_part(position).ok().flatten();
        let reduce = |position: &[u64]| Reduced::Asked(canonical(self, position), &ask);
        let mut search = lock(&self.misere);
        search.answer(self, &reduce, position)
    }

    /// Who wins where at most one part has moves left. A part that has searched `in_vain`, for as long as a question may take, is
    /// asked no more: its next positions would mostly take as long.
    fn by_one_part(
        &self,
        position: &[u64],
        in_vain: &mut [bool],
    ) -> Result<Option<Outcome>, Error> {
        let mut alive = Vec::new();
        for (part, own) in positions(position).into_iter().enumerate() {
            if self.parts[part].moves(own).next().transpose()?.is_some() {
                alive.push((part, own));
            }
        }
        let (part, own) = match alive[..] {
            [] => return Ok(Some(Outcome::N)),
            [only] => only,
            _ => return Ok(None),
        };
        if in_vain[part] {
            return Ok(None);
        }
        let judged = self.parts[part].analyse(own, Convention::Misere);
        let has_searched = |fault: &Error| match fault {
            Error::MisereOutOfReach { reason, .. } => matches!(
                reason,
                Reason::Unsettled { .. } | Reason::FullMemory { .. } | Reason::Searched { .. }
            ),
            fault => matches!(fault, Error::Interrupted),
        };
        in_vain[part] = judged.as_ref().is_err_and(has_searched);
        let judged = judged.map_err(|fault| self.fault(part, fault))?;
        Ok(Some(judged.outcome))
    }

    /// The sum as one game of heaps, and a position in it, if all parts are games of heaps that aren't too large.
    fn as_heaps(&self, position: &[u64]) -> Option<(&HeapGame, Vec<u64>)> {
        let together = self.as_heaps.get_or_init(|| {
            let mut rules: Vec<Ruleset> = Vec::new();
            let mut rule_of = Vec::new();
            for part in &self.parts {
                let own = part.heaps()?.ruleset();
                let known = rules.iter().position(|rule| rule.plays_as(own));
                rule_of.push(known.unwrap_or(rules.len()) as u64);
                if known.is_none() {
                    rules.push(own.clone());
                }
            }
            let count = rules.len() as u64;
            let rule = match &rules[..] {
                [only] => only.clone().called(self.name()),
                _ => Ruleset::from_rule(self.name(), move |heap| {
                    let (own, rule) = (heap / count, heap % count);
                    let options = rules[rule as usize].options(own);
                    let leave =
                        |heaps: Vec<u64>| heaps.iter().map(|heap| heap * count + rule).collect();
                    options.map(|option| leave(option.leave)).collect()
                }),
            };
            let game = HeapGame::with_effort(rule, self.effort.clone());
            Some(AsHeaps {
                game,
                rule_of,
                count,
            })
        });
        let AsHeaps {
            game,
            rule_of,
            count,
        } = together.as_ref()?;
        let mut heaps = Vec::new();
        for (own, rule) in positions(position).into_iter().zip(rule_of) {
            let own = own.iter().filter(|&&heap| heap > 0);
            heaps.extend(own.map(|&heap| heap.saturating_mul(*count).saturating_add(*rule)));
        }
        heaps
            .iter()
            .all(|&heap| heap <= LARGEST_LISTED)
            .then_some((game, heaps))
    }

    pub(super) fn winning_misere<'g>(&'g self, analysis: &'g Analysis) -> Moves<'g> {
        if !analysis.parts.is_empty()
            && let Ok(Some(tame)) = self.tame(&positions(&analysis.piles))
        {
            let before = kept(&analysis.piles);
            return Box::new((0..self.parts.len()).flat_map(move |part| {
                let others = tame.iter().enumerate().filter(|&(at, _)| at != part);
                let others = others.map(|(_, &sum)| sum).sum();
                let heaps = self.parts[part].heaps();
                let moves =
                    heaps.map(|heaps| heaps.moves_winning_beside(&analysis.parts[part], others));
                let moves = moves.unwrap_or_else(|| Box::new(std::iter::empty()));
                self.in_part(part, Arc::clone(&before), moves)
            }));
        }
        search::winning(self.moves(&analysis.piles), |position| {
            self.misere_outcome(position)
        })
    }

    pub(super) fn working_misere(&self, analysis: &Analysis) -> Vec<String> {
        let mut lines = working("");
        let each = positions(&analysis.piles);
        let Ok(Some(tame)) = self.tame(&each) else {
            lines.push(format!(
                "Under misère play nim-values don't decide; the positions that can follow were judged: it is {}.",
                analysis.outcome
            ));
            return lines;
        };
        lines.push("All parts are tame: each behaves as a Nim pile in every sum of such games (Conway, On Numbers and Games, ch. 12).".to_owned());
        for (part, sum) in tame.iter().enumerate() {
            let twin = sum.as_one().twin();
            lines.push(format!("  {} as {twin}", self.called(part)));
        }
        lines.extend(MISERE_NIM.map(str::to_owned));
        lines
    }
}
