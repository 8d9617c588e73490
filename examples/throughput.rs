//! Nim-values per second, ours and ogsolve's, measured in turn in one run.
//!
//! ```text
//! cargo install ogsolve --root /some/folder
//! cargo run --release --example throughput -- --peer /some/folder/bin/ogsolve [--rounds 3] [--short] [GAME…]
//! ```
//!
//! For each game: the first 100,000 values from nothing; then the rate from there on with one thread and with two, on
//! each instruction set (0.007: over the whole run); then the rate of `ogsolve -m rc2` as it reports it itself (0.007: of
//! `-m naive`). All figures are medians.

use nim_analyser::Ruleset;
use nim_analyser::engine::Effort;
use nim_analyser::engine::Kernel;
use nim_analyser::sequence::Sequence;
use std::process::Command;
use std::time::Instant;

/// A game, how far the fastest kernel takes it, how far the peer does, and the peer's method.
const GAMES: [(&str, u64, u64, &str); 10] = [
    ("0.6", 10_000_000, 1_000_000, "rc2"),
    ("couples-are-forever", 10_000_000, 0, ""),
    ("0.16", 40_000_000, 4_000_000, "rc2"),
    ("0.142", 10_000_000, 1_000_000, "rc2"),
    ("0.106", 40_000_000, 4_000_000, "rc2"),
    ("0.104", 40_000_000, 4_000_000, "rc2"),
    ("0.376", 2_000_000, 300_000, "rc2"),
    ("grundy", 10_000_000, 0, ""),
    ("0.007", 300_000, 300_000, "naive"),
    ("0.77", 300_000, 100_000, "rc2"),
];
const START: u64 = 100_000;

fn main() {
    let mut peer = None;
    let mut rounds = 3;
    let mut short = false;
    let mut games = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--peer" => peer = arguments.next(),
            "--rounds" => {
                rounds = arguments
                    .next()
                    .and_then(|n| n.parse().ok())
                    .unwrap_or(rounds)
            }
            "--short" => short = true,
            _ => games.push(argument),
        }
    }
    println!(
        "| game | kernel | first 100,000 | one thread, M/s | two threads, M/s | peer, M/s | ratio, one | ratio, two |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (game, heaps, peer_heaps, method) in GAMES {
        if !games.is_empty() && !games.iter().any(|wanted| wanted == game) {
            continue;
        }
        let heaps = if short {
            (heaps / 4).max(2 * START)
        } else {
            heaps
        };
        // Without a sparse space the rate falls as heaps grow.
        let in_all = method == "naive";
        let kernels = Kernel::available();
        // Per kernel: start-up, one thread, two threads.
        let mut ours = vec![[const { Vec::new() }; 3]; kernels.len()];
        let mut theirs = Vec::new();
        for _ in 0..rounds {
            for (kernel, ours) in kernels.iter().zip(&mut ours) {
                // The slower kernels get less to do.
                let heaps = match kernel.name() {
                    "portable" => (heaps / 4).max(2 * START),
                    _ => heaps,
                };
                let (start, one) = run(game, heaps, *kernel, 1, in_all);
                let (_, two) = run(game, heaps, *kernel, 2, in_all);
                ours[0].push(start);
                ours[1].push(one);
                ours[2].push(two);
            }
            if let Some(peer) = peer.as_ref().filter(|_| peer_heaps > 0) {
                theirs.extend(peer_rate(peer, game, peer_heaps, method));
            }
        }
        let peer = median(&mut theirs);
        for (kernel, ours) in kernels.iter().zip(&mut ours) {
            let [start, one, two] = ours
                .each_mut()
                .map(|values| median(values).unwrap_or(f64::NAN));
            print!(
                "| {game} | {} | {start:.3} s | {one:.2} | {two:.2} |",
                kernel.name()
            );
            match peer {
                Some(peer) => println!(" {peer:.3} | {:.1} × | {:.1} × |", one / peer, two / peer),
                None => println!(" | | |"),
            }
        }
    }
}

/// Seconds for the first values, and millions of values a second after them, or in all.
fn run(game: &str, heaps: u64, kernel: Kernel, threads: usize, in_all: bool) -> (f64, f64) {
    let ruleset: Ruleset = game.parse().expect("a game");
    let effort = Effort::default().kernel(kernel).threads(threads);
    let start = Instant::now();
    let mut solver = Sequence::with_effort(ruleset, effort);
    solver.fill(START - 1).expect("values");
    let first = start.elapsed().as_secs_f64();
    let then = Instant::now();
    solver.fill(heaps).expect("values");
    let rate = if in_all {
        heaps as f64 / start.elapsed().as_secs_f64()
    } else {
        (heaps - START) as f64 / then.elapsed().as_secs_f64()
    };
    (first, rate / 1e6)
}

/// Millions of values a second, by the time that the peer reports for its calculation.
fn peer_rate(peer: &str, game: &str, heaps: u64, method: &str) -> Option<f64> {
    let output = Command::new(peer)
        .args(["-m", method, "-n", &heaps.to_string(), game])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("calculation time: "))?;
    let unit = line.find(char::is_alphabetic).or_else(|| line.find('µ'))?;
    let seconds = line[..unit].parse::<f64>().ok()?
        * match &line[unit..] {
            "s" => 1.0,
            "ms" => 1e-3,
            _ => 1e-6,
        };
    Some(heaps as f64 / seconds / 1e6)
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
