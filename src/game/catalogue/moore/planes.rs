//! The positions that moves can leave, chosen digit by digit from the highest: a pile that has lost a 1 may have any digits
//! below.
//!
//! A pile becomes smaller at the first binary digit where a 1 of it becomes 0; from there on it is free. With m piles
//! free, the 1s of a digit that can still be chosen fill a range without gaps, so whether a number of 1s modulo k + 1
//! can be met is known before anything is tried; and it always can (this is the proof of Moore's theorem). The
//! results come out each once, the larger first in the highest digit that differs. Memory: some words a pile.

use crate::outcome::Convention;

/// The digits of all piles at one binary place, as far as they are decided.
#[derive(Clone, Copy, Default)]
struct Plane {
    /// The residue, modulo k + 1, that the number of 1s must have.
    residue: usize,
    /// The 1s chosen so far.
    ones: usize,
    /// How many piles that have lost nothing still have a 1 to be decided on.
    bound: usize,
    /// How many free piles are still to be decided on.
    free: usize,
}

/// The positions that are left by moves in at most k piles.
pub struct Planes {
    piles: Vec<u64>,
    most: usize,
    /// The convention whose P-positions are wanted; `None` for all positions.
    wanted: Option<Convention>,
    result: Vec<u64>,
    /// For each pile, the plane in which it lost a 1, if it has lost one.
    lost: Vec<Option<usize>>,
    /// How many piles have lost a 1.
    lost_count: usize,
    /// How many binary places there are.
    digits: usize,
    /// The place that is being decided.
    plane: Plane,
    /// How many digits are decided.
    decided: usize,
    started: bool,
}

impl Planes {
    /// Every position that a move can leave, or only the P-positions of a wanted convention.
    pub fn new(piles: &[u64], most: usize, wanted: Option<Convention>) -> Planes {
        let largest = piles.iter().copied().max().unwrap_or(0);
        let digits = (u64::BITS - largest.leading_zeros()) as usize;
        Planes {
            piles: piles.to_vec(),
            most,
            wanted,
            result: vec![0; piles.len()],
            lost: vec![None; piles.len()],
            lost_count: 0,
            digits,
            plane: Plane::default(),
            decided: 0,
            started: false,
        }
    }

    /// The plane and the pile that come next to be decided, and the digit's weight.
    fn place(&self) -> (usize, usize, u64) {
        let (plane, pile) = (
            self.decided / self.piles.len(),
            self.decided % self.piles.len(),
        );
        (plane, pile, 1 << (self.digits - 1 - plane))
    }

    fn is_free(&self, pile: usize, plane: usize) -> bool {
        self.lost[pile].is_some_and(|lost| lost < plane)
    }

    fn enter(&mut self, weight: u64) {
        let free = self.lost_count;
        let bound = self.piles.iter().zip(&self.lost);
        let bound = bound
            .filter(|(pile, lost)| lost.is_none() && *pile & weight > 0)
            .count();
        self.plane = Plane {
            residue: self.residue(weight),
            ones: 0,
            bound,
            free,
        };
    }

    fn residue(&self, weight: u64) -> usize {
        let small = weight == 1 && self.result.iter().all(|&pile| pile <= 1);
        usize::from(small && self.wanted == Some(Convention::Misere))
    }

    /// Whether the open digits of a plane can still make the number of its 1s have the residue wanted.
    fn can_be_met(&self) -> bool {
        let Plane {
            residue,
            ones,
            bound,
            free,
        } = self.plane;
        if self.wanted.is_none() {
            return true;
        }
        let modulus = self.most + 1;
        let least = ones + bound - bound.min(self.most - self.lost_count);
        let missing = (residue + modulus - least % modulus) % modulus;
        missing <= ones + bound + free - least
    }

    /// Decides the next digit, if the planes that follow can still be completed. Returns whether it did.
    fn decide(&mut self, one: bool) -> bool {
        let (plane, pile, weight) = self.place();
        let free = self.is_free(pile, plane);
        if !free && !one && self.lost_count == self.most {
            return false;
        }
        self.decided += 1;
        if free {
            self.plane.free -= 1;
        } else {
            self.plane.bound -= 1;
        }
        if one {
            self.plane.ones += 1;
            self.result[pile] |= weight;
        } else if !free {
            self.lost[pile] = Some(plane);
            self.lost_count += 1;
        }
        if self.can_be_met() {
            return true;
        }
        self.undo();
        false
    }

    /// Takes back the last digit, and returns whether it was a 1.
    fn undo(&mut self) -> Option<bool> {
        self.decided = self.decided.checked_sub(1)?;
        let (plane, pile, weight) = self.place();
        let one = self.result[pile] & weight > 0;
        if pile + 1 == self.piles.len() {
            // The next plane may have been entered.
            let ones = self.result.iter().filter(|&&pile| pile & weight > 0);
            self.plane = Plane {
                residue: self.residue(weight),
                ones: ones.count(),
                bound: 0,
                free: 0,
            };
        }
        if self.is_free(pile, plane) {
            self.plane.free += 1;
        } else if self.piles[pile] & weight > 0 {
            self.plane.bound += 1;
        }
        self.plane.ones -= usize::from(one);
        self.result[pile] &= !weight;
        if self.lost[pile] == Some(plane) {
            self.lost[pile] = None;
            self.lost_count -= 1;
        }
        Some(one)
    }

    /// Goes back to the last 1 that can be a 0 instead, and changes it. Returns whether there is one.
    fn go_back(&mut self) -> bool {
        while let Some(one) = self.undo() {
            if one && self.decide(false) {
                return true;
            }
        }
        false
    }
}

impl Iterator for Planes {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        if std::mem::replace(&mut self.started, true) && !self.go_back() {
            return None;
        }
        let all = self.digits * self.piles.len();
        while self.decided < all || self.lost_count == 0 {
            if self.decided == all {
                // The position is the one before the move, in which nothing was taken.
                if !self.go_back() {
                    return None;
                }
                continue;
            }
            let (plane, pile, weight) = self.place();
            if pile == 0 {
                self.enter(weight);
            }
            if !self.is_free(pile, plane) && self.piles[pile] & weight == 0 {
                self.decided += 1;
            } else if !self.decide(true) && !self.decide(false) && !self.go_back() {
                return None;
            }
        }
        Some(self.result.clone())
    }
}
