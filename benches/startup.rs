//! What `nim-analyser 7 8` costs beyond starting a process that does nothing: `cargo bench --bench startup`.
//!
//! Both are started in turn, so that a change in the machine's speed meets both; medians are printed.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 500;

fn main() -> std::io::Result<()> {
    if std::env::args().any(|word| word == "do-nothing") {
        return Ok(());
    }
    let empty = std::env::current_exe()?;
    let (mut ours, mut nothing) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        ours.push(time(
            Command::new(env!("CARGO_BIN_EXE_nim-analyser")).args(["7", "8"]),
        )?);
        nothing.push(time(Command::new(&empty).arg("do-nothing"))?);
    }
    let (ours, nothing) = (median(ours), median(nothing));
    println!("nim-analyser 7 8   {:7.3} ms", millis(ours));
    println!("an empty process   {:7.3} ms", millis(nothing));
    println!(
        "beyond it          {:7.3} ms",
        millis(ours) - millis(nothing)
    );
    Ok(())
}

fn time(command: &mut Command) -> std::io::Result<Duration> {
    let begun = Instant::now();
    let status = command.stdout(Stdio::null()).status()?;
    assert!(status.success(), "{command:?} failed");
    Ok(begun.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
