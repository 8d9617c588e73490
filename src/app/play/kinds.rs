//! What a move does, by its kind, as far as what is typed depends on it. A move in a sum is of the kind of its part's.

use crate::position::Change;

/// Whether the move is one of a coin on a strip.
pub fn moves_coin(change: &Change) -> bool {
    matches!(change.in_part().1, Change::Push { .. })
}

/// Whether `take` is taken from a pile of `pile`, of which these parts are left, or moved from that step to the one left.
pub fn leaves(change: &Change, take: u64, pile: u64, left: &[u64]) -> bool {
    match change.in_part().1 {
        Change::Step { from, to, coins } => {
            (take, pile) == (*coins, *from as u64)
                && (left == [*to as u64] || *to == 0 && left.is_empty())
        }
        change => change.takes(&[(take, pile)]) && change.makes(pile, left),
    }
}

/// The coins that are turned.
pub fn turns(change: &Change) -> Option<&[u64]> {
    match change.in_part().1 {
        Change::Turn { coins } => Some(coins),
        _ => None,
    }
}

/// The vertex that is left, and the one gone to.
pub fn vertices(change: &Change) -> Option<(&str, &str)> {
    match change.in_part().1 {
        Change::Vertex { from, to, .. } => Some((from, to)),
        _ => None,
    }
}

/// Whether stones are taken from piles, by a move in a single game.
pub fn takes_stones(change: &Change) -> bool {
    match change {
        Change::Heap { take, .. } => *take > 0,
        Change::Several { .. } => true,
        Change::Add { .. }
        | Change::Step { .. }
        | Change::Push { .. }
        | Change::Turn { .. }
        | Change::Vertex { .. }
        | Change::Part { .. } => false,
    }
}
