//! The nim-values of a take-and-break code, one a line: `cargo run --example nim_values -- 0.137 30`.

use nim_analyser::Ruleset;
use nim_analyser::engine::Effort;
use nim_analyser::sequence::Sequence;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let ruleset: Ruleset = words.next().unwrap_or("0.137".to_owned()).parse()?;
    let heaps: u64 = words.next().unwrap_or("30".to_owned()).parse()?;
    let mut solver = Sequence::with_effort(ruleset, Effort::default());
    solver.fill(heaps)?;
    for (heap, value) in solver.table().iter().enumerate() {
        println!("{heap} {value}");
    }
    Ok(())
}
