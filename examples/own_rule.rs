//! The Grundy values of an odd rule, given as a closure: from a pile of n take 1, or half of it if n is even.

use nim_analyser::engine::definition;
use nim_analyser::{Convention, Error, HeapGame, Ruleset};

fn main() -> Result<(), Error> {
    let rule = Ruleset::from_rule("take one or half", |n| match n {
        0 => vec![],
        _ if n % 2 == 0 => vec![vec![n - 1], vec![n / 2]],
        _ => vec![vec![n - 1]],
    });
    let table = definition::nim_values(&rule, 20)?;
    println!("g(0..20) = {:?}", table.iter().collect::<Vec<_>>());

    let game = HeapGame::new(rule);
    let analysis = game.analyse(&[6, 9, 12], Convention::Normal)?;
    println!("[6, 9, 12] is an {}-position", analysis.outcome);
    for found in game.winning_moves(&analysis) {
        println!("a winning move leaves {:?}", found?.position);
    }
    Ok(())
}
