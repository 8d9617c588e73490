//! Every command that goes on with a file, or adds to one, killed at random moments: what was saved stays saved, what is
//! not the program's stays as it is, and in the end the result is that of an unbroken run. Those that replace a file are in
//! `files_and_signals.rs`.

use super::files::{Checkpoint, names};
use crate::common::program::{program, run_in};
use crate::common::rng::Rng;
use crate::common::running::running;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;
use tempfile::tempdir;

/// A command that is killed and run again.
struct Case {
    line: &'static str,
    /// It is killed within so many milliseconds.
    within: usize,
    /// How much its file holds; never less than before.
    held: fn(&Path, &[u8]) -> u64,
    /// The command that ends the work, and the same unbroken, when so much is held; both write alike.
    ends: fn(u64) -> [String; 2],
}

const CASES: [Case; 5] = [
    Case {
        line: "values 8000 -g 0.205200C --engine definition --checkpoint run --checkpoint-every 0.02",
        within: 250,
        held: |directory, _| figure(directory, &["count"]),
        ends: |held| {
            let last = held + 10;
            let line = format!("values {last} -q -g 0.205200C --engine definition");
            [format!("{line} --checkpoint run"), line]
        },
    },
    Case {
        line: "period -q -g 0.104 --threads 1 --limit 1e9 --checkpoint run --checkpoint-every 0.02",
        within: 600,
        held: |directory, _| figure(directory, &["count", "known"]),
        ends: |held| {
            let limit = held + 10_000;
            let line = format!("period -q --json -g 0.104 --threads 1 --limit {limit}");
            [format!("{line} --checkpoint run"), line]
        },
    },
    Case {
        line: "invariants -q 0.104 --threads 1 --to 1e9 --checkpoint run --checkpoint-every 0.02",
        within: 600,
        held: |directory, _| figure(directory, &["known"]),
        ends: |held| {
            let line = format!("invariants -q 0.104 --threads 1 --to {}", held + 10_000);
            [format!("{line} --checkpoint run"), line]
        },
    },
    Case {
        line: "invariants -q 0.744 --threads 1 --to 1e9 --checkpoint run --checkpoint-every 0.02",
        within: 1200,
        held: |directory, _| figure(directory, &["known"]),
        ends: |held| {
            let line = format!("invariants -q 0.744 --threads 1 --to {}", held + 10_000);
            [format!("{line} --checkpoint run"), line]
        },
    },
    Case {
        line: "survey 0.??? --values 3000 --threads 1 --resume run",
        within: 300,
        held: |directory, before| {
            let now = fs::read(directory.join("run")).unwrap_or_default();
            let whole = before
                .iter()
                .rposition(|&byte| byte == b'\n')
                .map_or(0, |at| at + 1);
            assert!(now.starts_with(&before[..whole]), "lines are lost");
            now.iter().filter(|&&byte| byte == b'\n').count() as u64
        },
        ends: |_| {
            let line = "survey 0.??? --values 3000 --threads 1";
            [format!("{line} --resume run"), line.to_owned()]
        },
    },
];

/// The first of these figures that stands in the header of the checkpoint, or of the one before it.
fn figure(directory: &Path, names: &[&str]) -> u64 {
    let mut files = ["run", "run.prev"]
        .map(|name| directory.join(name))
        .into_iter();
    let Some(file) = files.find(|file| file.exists()) else {
        return 0;
    };
    let checkpoint = Checkpoint::read(&file);
    let state = &checkpoint.header["state"];
    let figures = names.iter().filter_map(|&name| state[name].as_u64());
    figures.max().unwrap()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn killed_at_random_moments_nothing_saved_is_lost() {
    kill(2);
}

/// `cargo test --test faults kills -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn killed_at_many_random_moments_nothing_saved_is_lost() {
    kill(100);
}

fn kill(rounds: u32) {
    let seed = Rng::any_seed();
    println!("random from {seed}");
    let mut rng = Rng::new(seed, 0);
    let others = [
        "run.part",
        ".nim-analyser-mine.part",
        "ru",
        "run.windows.mine",
    ];
    for case in CASES {
        let directory = tempdir().unwrap();
        let directory = directory.path();
        for other in others {
            fs::write(directory.join(other), other).unwrap();
        }
        let command = |line: &str| {
            let mut command = program();
            command.current_dir(directory).args(line.split(' '));
            command
        };
        let (mut held, mut bytes, mut grown) = (0, Vec::new(), 0);
        for _ in 0..rounds {
            let mut child = running(&mut command(case.line));
            sleep(Duration::from_millis(rng.below(case.within) as u64));
            let early = child.child().try_wait().unwrap();
            assert!(
                early.is_none_or(|code| code.success()),
                "{}: {early:?}",
                case.line
            );
            // One that has ended by itself has nothing left to do.
            if early.is_none() {
                child.signal("-KILL");
            }
            child.output();
            let now = (case.held)(directory, &bytes);
            assert!(now >= held, "{}: {now} after {held}", case.line);
            grown += u32::from(now > held);
            held = now;
            bytes = fs::read(directory.join("run")).unwrap_or_default();
            for other in others {
                assert_eq!(fs::read(directory.join(other)).unwrap(), other.as_bytes());
            }
        }
        println!(
            "{}: {rounds} kills, {grown} of which came after more was saved",
            case.line
        );
        let output = |mut command: Command| {
            let output = command.output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{}: {errors}", case.line);
            output.stdout
        };
        let [broken, unbroken] = (case.ends)(held);
        let ended = output(command(&broken));
        let whole = output(command(&unbroken));
        if broken.starts_with("survey") {
            let file = fs::read(directory.join("run")).unwrap();
            assert_eq!(codes(&file), codes(&whole));
        } else {
            assert!(ended == whole, "{broken}");
        }
        for name in names(directory) {
            let is_left = name.starts_with(".nim-analyser-locked-") || name.ends_with(".lock");
            assert!(!is_left, "{name} is left by {}", case.line);
        }
    }
}

/// The lines of a survey without the time they took, sorted.
fn codes(lines: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(lines).unwrap();
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| {
            let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
            line["seconds"] = 0.into();
            line.to_string()
        })
        .collect();
    lines.sort();
    lines
}

/// Starts a command and kills it after so long, if it hasn't ended by itself.
fn kill_after(directory: &Path, line: &str, wait: Duration) {
    let mut child = running(program().current_dir(directory).args(line.split(' ')));
    sleep(wait);
    if child.child().try_wait().unwrap().is_none() {
        child.signal("-KILL");
    }
    child.output();
}

/// Runs a command to its end.
fn whole_run(directory: &Path, line: &str) {
    let done = run_in(directory, line);
    assert!(done.status.success(), "{line}: {done:?}");
}

#[test]
fn a_game_that_is_killed_keeps_the_moves_played_and_can_be_replayed() {
    let line = "play -g kayles 300 200 --first perfect --second perfect --seed 1 --record run";
    let unbroken = tempdir().unwrap();
    whole_run(unbroken.path(), line);
    let whole = fs::read(unbroken.path().join("run")).unwrap();
    let mut broken_off = 0;
    for round in 0..12 {
        let directory = tempdir().unwrap();
        kill_after(directory.path(), line, Duration::from_millis(12 * round));
        let played = fs::read(directory.path().join("run")).unwrap_or_default();
        assert!(whole.starts_with(&played), "round {round}");
        assert!(
            played.is_empty() || played.ends_with(b"\n"),
            "round {round}"
        );
        if !played.is_empty() {
            broken_off += u32::from(played.len() < whole.len());
            let replayed = run_in(directory.path(), "play --replay run");
            assert!(replayed.status.success(), "round {round}: {replayed:?}");
        }
    }
    println!("{broken_off} records broken off");
}

#[test]
fn manual_pages_are_whole_or_not_there_wherever_their_writing_is_killed() {
    let line = "man --out pages";
    let whole = tempdir().unwrap();
    whole_run(whole.path(), line);
    for round in 0..12 {
        let directory = tempdir().unwrap();
        kill_after(directory.path(), line, Duration::from_millis(round));
        for page in fs::read_dir(directory.path().join("pages"))
            .into_iter()
            .flatten()
        {
            let page = page.unwrap();
            let name = page.file_name().into_string().unwrap();
            if !name.starts_with(".nim-analyser-") {
                let written = fs::read(page.path()).unwrap();
                let right = fs::read(whole.path().join("pages").join(&name)).unwrap();
                assert!(written == right, "round {round}: {name}");
            }
        }
        // What a killed run left is in nobody's way.
        whole_run(directory.path(), line);
        let [left, right] = [&directory, &whole].map(|place| names(place.path().join("pages")));
        assert_eq!(left, right, "round {round}");
    }
}
