//! Genus symbols: the nim-value of a position and its misère nim-values with more and more heaps of 2 beside it.
//!
//! The misère nim-value g⁻ is the mex of the options' values, the end of the game having 1. The genus of G is g(G)
//! with the superscript g⁻(G), g⁻(G + *2), g⁻(G + *2 + *2), …; from some place on, each of these is the one before
//! with 2 added by nim-sum, and the symbol is written as far as the first two of that end: 4^146 is 4^1464646….
//!
//! A heap of 2 may become 1 or 0, and a heap of 1 adds 1 to g⁻ by nim-sum; so the n-th value of G is the mex of those
//! of its options, of the value before and of that one with 1 added. From where all options add 2 each time, the next
//! value follows from the last one alone: once it too has added 2 twice, it does for ever.
//!
//! Conway, *On Numbers and Games*, 2nd ed. 2001, ch. 12; Berlekamp, Conway and Guy, *Winning Ways*, ch. 13. Heaps that
//! break are sums, so all positions that can follow are gone through, written by their atoms.
//!
//! Cost: the positions that can follow, each by its options.

use super::heaps::{Atom, Heaps, sum_of};
use super::memory::allocated;
use super::rules::Rules;
use super::tame::Tame;
use crate::exhaustive::{self, Budget, Limit, Limits, Memo, STEPS_OF_POSITION, Step};
use crate::grundy;
use hashbrown::HashMap;

/// A genus.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Genus {
    /// The nim-value.
    pub value: u32,
    /// The superscript, up to the first two of the values that differ by a nim-sum of 2 for ever.
    pub superscript: Vec<u32>,
}

/// The behaviour of a position in sums, in the terms of the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// The position is equal to a heap of Nim.
    NimHeap,
    /// The genus is that of a position of Nim, the tame options alone give it, and each other option can be answered by a tame
    /// position of the same genus.
    Tame,
    /// The genus is that of a position of Nim, but the position is not tame: it need not behave so in sums.
    TameLike,
    /// All options are tame, the nim-value is 0 or 1 and the misère nim-value larger.
    Restive,
    /// All options are tame, the nim-value is larger than 1 and the misère nim-value is 0 or 1.
    Restless,
    /// The position is of no other nature.
    Wild,
}

impl Nature {
    /// The word for this nature.
    pub fn name(self) -> &'static str {
        match self {
            Nature::NimHeap => "nim pile",
            Nature::Tame => "tame",
            Nature::TameLike => "tame-like",
            Nature::Restive => "restive",
            Nature::Restless => "restless",
            Nature::Wild => "wild",
        }
    }
}

impl Genus {
    /// The genus of a tame position.
    pub fn of_tame(tame: Tame) -> Genus {
        let value = tame.value as u32;
        let superscript = match (tame.fickle, value) {
            (true, 0) => vec![1, 2, 0],
            (true, _) => vec![0, 3, 1],
            (false, value) => vec![value, value ^ 2],
        };
        Genus { value, superscript }
    }

    /// The misère nim-value of the position with `twos` heaps of 2 beside it.
    pub fn misere(&self, twos: usize) -> u32 {
        match self.superscript.get(twos) {
            Some(&value) => value,
            None => {
                let last = self.superscript.len() - 1;
                self.superscript[last - (twos - last) % 2]
            }
        }
    }

    /// Whether a position of Nim has this genus.
    pub fn is_tame(&self) -> bool {
        Tame::of_pair(self.value.into(), self.superscript[0].into())
            .is_some_and(|tame| Genus::of_tame(tame) == *self)
    }

    /// The genus of a position with these options' genera.
    fn of_options(options: &[&Genus]) -> Genus {
        if options.is_empty() {
            return Genus::of_tame(Tame::END);
        }
        let value = mex(options.iter().map(|option| option.value));
        let settled = options.iter().map(|option| option.superscript.len() - 2);
        let settled = settled.max().unwrap_or(0);
        let mut superscript = vec![mex(options.iter().map(|option| option.misere(0)))];
        for twos in 1.. {
            let before = superscript[twos - 1];
            let others = options.iter().map(|option| option.misere(twos));
            superscript.push(mex(others.chain([before, before ^ 1])));
            let adds_two = |at: usize| superscript[at] == superscript[at - 1] ^ 2;
            if twos >= settled + 2 && adds_two(twos) && adds_two(twos - 1) {
                break;
            }
        }
        while let [.., a, b, c] = superscript[..] {
            if a != c || b != c ^ 2 {
                break;
            }
            superscript.pop();
        }
        Genus { value, superscript }
    }

    /// The symbol: `4^146`, with commas in brackets where a value has two digits.
    pub fn symbol(&self) -> String {
        let digits: Vec<String> = self.superscript.iter().map(u32::to_string).collect();
        if digits.iter().all(|digit| digit.len() == 1) {
            format!("{}^{}", self.value, digits.concat())
        } else {
            format!("{}^({})", self.value, digits.join(","))
        }
    }

    /// The symbol as the books shorten it: `2` for a heap of Nim, `2^2` for a tame position, `1^2` for a restive one.
    pub fn short_symbol(&self, nature: Nature) -> String {
        let firm = self.superscript.len() == 2 && self.superscript[1] == self.superscript[0] ^ 2;
        match nature {
            Nature::NimHeap => self.value.to_string(),
            Nature::Tame | Nature::Restive if firm && self.superscript[0] < 10 => {
                format!("{}^{}", self.value, self.superscript[0])
            }
            _ => self.symbol(),
        }
    }
}

fn mex(values: impl Iterator<Item = u32>) -> u32 {
    grundy::mex(values.map(u64::from)) as u32
}

/// The genera found so far.
#[derive(Debug, Default)]
pub struct Genera {
    /// The genera met, each once, and their numbers.
    genera: Vec<Genus>,
    numbers: HashMap<Genus, u32>,
    /// The genera of the positions met, except those whose heaps show that they are tame.
    known: HashMap<Box<[Atom]>, Kept>,
    /// The bytes that the positions known take, beside the table.
    positions_memory: u64,
    /// How many steps of work were done: one for each option listed, and those of each position.
    work: u64,
}

/// How many atoms of listed options take as long as another option.
const ATOMS: usize = 4;

/// The record of a position: the number of its genus, and whether it is tame.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    genus: u32,
    tame: bool,
}

/// A position that is being judged.
pub struct Frame {
    position: Vec<Atom>,
    /// The options of the position, and the records of the first of them.
    options: Vec<Vec<Atom>>,
    kept: Vec<Kept>,
    /// About how many bytes these lists take.
    memory: u64,
}

impl Frame {
    fn new(
        rules: &mut Rules<'_>,
        position: Vec<Atom>,
        budget: &Budget<'_>,
    ) -> Result<Frame, Limit> {
        for &atom in &position {
            rules.make_options(atom, &|bytes| {
                budget.check_memory(bytes)?;
                budget.tell(budget.done() / STEPS_OF_POSITION)
            })?;
        }
        let options = rules.options_of_sum(&position);
        let atoms: usize = options.iter().map(Vec::len).sum();
        budget.spend(STEPS_OF_POSITION + (options.len() + atoms / ATOMS) as u64)?;
        budget.hold(rules.heaps.options_memory());
        let room = (size_of::<Vec<Atom>>() + size_of::<Kept>()) as u64;
        let lists = options.iter().chain([&position]);
        Ok(Frame {
            memory: lists
                .map(|atoms| room + allocated::<Atom>(atoms.len()))
                .sum(),
            kept: Vec::with_capacity(options.len()),
            position,
            options,
        })
    }
}

impl Genera {
    /// The genus of a sum of atoms.
    pub fn of(
        &mut self,
        rules: &mut Rules<'_>,
        atoms: &[Atom],
        limits: &Limits<'_>,
    ) -> Result<Genus, Limit> {
        let sum = sum_of([atoms]);
        let kept = match self.kept(rules.heaps, &sum) {
            Some(kept) => kept,
            None => self.judge(rules, sum, limits)?,
        };
        Ok(self.genera[kept.genus as usize].clone())
    }

    /// Judges a position that isn't known, and the positions that can follow.
    fn judge(
        &mut self,
        rules: &mut Rules<'_>,
        position: Vec<Atom>,
        limits: &Limits<'_>,
    ) -> Result<Kept, Limit> {
        let budget = Budget::new(*limits, self.work);
        let first = Frame::new(rules, position, &budget)?;
        let found = exhaustive::answer(self, &budget, first, |genera, frame, last| {
            frame.kept.extend(last);
            while let Some(option) = frame.options.get(frame.kept.len()) {
                match genera.kept(rules.heaps, option) {
                    Some(kept) => frame.kept.push(kept),
                    None => return Ok(Step::Into(Frame::new(rules, option.clone(), &budget)?)),
                }
            }
            Ok(Step::Answered(genera.by_options(rules, frame)))
        });
        self.work = budget.done();
        found
    }

    /// The record of a position all of whose options are known.
    fn by_options(&mut self, rules: &mut Rules<'_>, frame: &Frame) -> Kept {
        // Many options have the same genus, so each genus is taken once.
        let of = |counts: fn(&&Kept) -> bool| {
            let kept = frame.kept.iter().filter(counts);
            let mut numbers: Vec<u32> = kept.map(|kept| kept.genus).collect();
            numbers.sort_unstable();
            numbers.dedup();
            let genera = numbers.iter().map(|&genus| &self.genera[genus as usize]);
            Genus::of_options(&genera.collect::<Vec<_>>())
        };
        let genus = of(|_| true);
        // Wild options could give a genus that no sum with the position bears out: pile 8 of 4.775 would be 2^2.
        let may_be_tame = genus.is_tame()
            && (frame.kept.iter().all(|kept| kept.tame) || of(|kept| kept.tame) == genus);
        let genus = self.number(genus);
        let harmless =
            |(option, kept): (&Vec<Atom>, &Kept)| kept.tame || self.reverts(rules, option, genus);
        let tame = may_be_tame && frame.options.iter().zip(&frame.kept).all(harmless);
        Kept { genus, tame }
    }

    fn number(&mut self, genus: Genus) -> u32 {
        if let Some(&number) = self.numbers.get(&genus) {
            return number;
        }
        let number = self.genera.len() as u32;
        self.genera.push(genus.clone());
        self.numbers.insert(genus, number);
        number
    }

    /// The record of a position, if it is known.
    fn kept(&mut self, heaps: &Heaps, position: &[Atom]) -> Option<Kept> {
        match heaps.tame_sum(position) {
            Some(sum) => Some(Kept {
                genus: self.number(Genus::of_tame(sum.as_one())),
                tame: true,
            }),
            None => self.known.get(position).copied(),
        }
    }

    /// Whether a position that was met is tame.
    fn is_tame(&mut self, heaps: &Heaps, position: &[Atom]) -> bool {
        self.kept(heaps, position).is_some_and(|kept| kept.tame)
    }

    /// Whether a wild position has a move to a tame one of the genus with this number.
    fn reverts(&mut self, rules: &mut Rules<'_>, atoms: &[Atom], genus: u32) -> bool {
        let options = rules.options_of_sum(atoms);
        let mut kept = (options.iter()).filter_map(|option| self.kept(rules.heaps, option));
        kept.any(|kept| kept.tame && kept.genus == genus)
    }

    /// The nature of a sum of atoms whose genus is known, as are those of its options.
    pub fn nature(&mut self, rules: &mut Rules<'_>, atoms: &[Atom], genus: &Genus) -> Nature {
        let sum = sum_of([atoms]);
        if rules.heaps.nim_heap(&sum) == Some(genus.value) {
            return Nature::NimHeap;
        }
        if self.is_tame(rules.heaps, &sum) {
            return Nature::Tame;
        }
        if genus.is_tame() {
            return Nature::TameLike;
        }
        let options = rules.options_of_sum(&sum);
        let mut tame = |option: &Vec<Atom>| self.is_tame(rules.heaps, option);
        match (genus.value, genus.superscript[0]) {
            _ if !options.iter().all(&mut tame) => Nature::Wild,
            (0 | 1, 2..) => Nature::Restive,
            (2.., 0 | 1) => Nature::Restless,
            _ => Nature::Wild,
        }
    }
}

impl Memo<Frame> for Genera {
    type Answer = Kept;

    /// The bytes taken, with those that the table takes while it grows.
    fn memory(&self) -> u64 {
        let table =
            |room: usize| room as u64 * 8 / 7 * (size_of::<(Box<[Atom]>, Kept)>() as u64 + 1);
        let room = self.known.capacity();
        let is_full = self.known.len() == room;
        self.positions_memory + table(room) + if is_full { table(2 * room) } else { 0 }
    }

    fn memory_of(frame: &Frame) -> u64 {
        frame.memory
    }

    fn keep(&mut self, frame: Frame, kept: Kept, _: &Budget<'_>) -> Result<(), Limit> {
        self.positions_memory += allocated::<Atom>(frame.position.len());
        self.known.insert(frame.position.into(), kept);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nim_heaps_have_the_genera_of_the_books() {
        let mut heaps: Vec<Genus> = Vec::new();
        for size in 0u8..12 {
            let options: Vec<&Genus> = heaps.iter().collect();
            let genus = Genus::of_options(&options);
            let fickle = size < 2;
            let value = u128::from(size);
            assert_eq!(genus, Genus::of_tame(Tame { value, fickle }));
            heaps.push(genus);
        }
        let symbols: Vec<String> = heaps.iter().map(Genus::symbol).collect();
        assert_eq!(symbols[..4], ["0^120", "1^031", "2^20", "3^31"]);
        assert_eq!(symbols[10], "10^(10,8)");
        assert_eq!([4, 5, 6].map(|twos| heaps[0].misere(twos)), [0, 2, 0]);
    }
}
