//! Who wins a position of Kayles, and every move that does it.

use nim_analyser::{Convention, Error, HeapGame};

fn main() -> Result<(), Error> {
    let game = HeapGame::new("kayles".parse()?);
    let analysis = game.analyse(&[5, 6, 9], Convention::Normal)?;
    println!("nim-values {:?}", analysis.nim_values);
    println!("outcome {}", analysis.outcome);
    for found in game.winning_moves(&analysis) {
        println!("{:?}", found?.position);
    }
    Ok(())
}
