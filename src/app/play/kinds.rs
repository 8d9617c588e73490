//! What a move does, by its kind, as far as what is typed depends on it.

use crate::position::Change;

/// Whether the move is one of a coin on a strip.
pub fn moves_coin(change: &Change) -> bool {
    match change {
        Change::Push { .. } => true,
        Change::Part { change, .. } => moves_coin(change),
        Change::Heap { .. }
        | Change::Add { .. }
        | Change::Step { .. }
        | Change::Several { .. }
        | Change::Turn { .. }
        | Change::Vertex { .. } => false,
    }
}

/// Whether `take` is taken from a pile of `pile`, of which these parts are left, or moved from that step to the one left.
pub fn leaves(change: &Change, take: u64, pile: u64, left: &[u64]) -> bool {
    match change {
        Change::Step { from, to, coins } => {
            (take, pile) == (*coins, *from as u64)
                && (left == [*to as u64] || *to == 0 && left.is_empty())
        }
        Change::Part { change, .. } => leaves(change, take, pile, left),
        Change::Heap { .. }
        | Change::Add { .. }
        | Change::Push { .. }
        | Change::Several { .. }
        | Change::Turn { .. }
        | Change::Vertex { .. } => change.takes(&[(take, pile)]) && change.makes(pile, left),
    }
}

/// The coins that are turned.
pub fn turns(change: &Change) -> Option<&[u64]> {
    match change {
        Change::Turn { coins } => Some(coins),
        Change::Part { change, .. } => turns(change),
        Change::Heap { .. }
        | Change::Add { .. }
        | Change::Step { .. }
        | Change::Push { .. }
        | Change::Several { .. }
        | Change::Vertex { .. } => None,
    }
}

/// The vertex that is left, and the one gone to.
pub fn vertices(change: &Change) -> Option<(&str, &str)> {
    match change {
        Change::Vertex { from, to, .. } => Some((from, to)),
        Change::Part { change, .. } => vertices(change),
        Change::Heap { .. }
        | Change::Add { .. }
        | Change::Step { .. }
        | Change::Push { .. }
        | Change::Several { .. }
        | Change::Turn { .. } => None,
    }
}

/// Whether stones are taken from piles.
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
