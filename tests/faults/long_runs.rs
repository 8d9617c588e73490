//! Runs that are killed, interrupted and gone on with. The game leaves three piles at every move, so that the values
//! of eight thousand piles take minutes by the definition.

use super::files::{Checkpoint, parts};
use crate::common::program::program;
use crate::common::rng::Rng;
use crate::common::running::{Running, running, wait_until};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// A game whose period no theorem proves, and which only a walk over three heaps computes.
const SLOW: &str = "0.205200C";

fn run_for_ever(directory: &Path, options: &[&str]) -> Running {
    let mut command = program();
    command
        .current_dir(directory)
        .args(["values", "8000", "-g", SLOW, "--engine", "definition"]);
    running(command.args(options))
}

const SAVING: [&str; 4] = ["--checkpoint", "run.ck", "--checkpoint-every", "0.02"];

fn wait_for(file: &Path) {
    wait_until(|| file.exists());
}

/// How many values a checkpoint holds, as its header says.
fn saved(directory: &Path) -> u64 {
    Checkpoint::read(&directory.join("run.ck")).figure("count")
}

#[test]
fn killed_at_random_moments_a_run_ends_as_if_unbroken() {
    let directory = tempfile::tempdir().unwrap();
    let seed = Rng::any_seed();
    println!("random from {seed}");
    let mut rng = Rng::new(seed, 0);
    let mut reached = Vec::new();
    for _ in 0..8 {
        let child = run_for_ever(directory.path(), &SAVING);
        wait_for(&directory.path().join("run.ck"));
        sleep(Duration::from_millis(20 + rng.below(150) as u64));
        child.signal("-KILL");
        child.output();
        reached.push(saved(directory.path()));
    }
    assert!(
        reached.is_sorted() && reached[0] < reached[7],
        "{reached:?}"
    );
    let last = (reached[7] + 10).to_string();
    let finish = |options: &[&str]| {
        let mut command = program();
        command
            .current_dir(directory.path())
            .args(["values", &last, "-g", SLOW]);
        assert_cmd::Command::from(command)
            .args(options)
            .assert()
            .success();
    };
    finish(&["-o", "broken.npy", "--checkpoint", "run.ck"]);
    finish(&["-o", "unbroken.npy"]);
    let read = |name| fs::read(directory.path().join(name)).unwrap();
    assert!(read("broken.npy") == read("unbroken.npy"), "{reached:?}");
}

fn interrupted(signal: &str, options: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("out.csv"), "old").unwrap();
    let all = [&["-o", "out.csv"], options].concat();
    let child = run_for_ever(directory.path(), &all);
    wait_until(|| parts(directory.path()) > 0);
    if options.contains(&"run.ck") {
        wait_for(&directory.path().join("run.ck"));
    }
    child.signal(signal);
    let output = child.output();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(
        errors.starts_with("interrupted; ") && !errors.contains("error"),
        "{errors}"
    );
    assert_eq!(fs::read(directory.path().join("out.csv")).unwrap(), b"old");
    assert_eq!(parts(directory.path()), 0);
    if options.contains(&"run.ck") {
        let last = saved(directory.path()) - 1;
        assert!(
            errors.contains(&format!(
                "the values to pile {last} are saved in run.ck; the same command continues from there"
            )),
            "{errors}"
        );
        let mut command = program();
        command
            .current_dir(directory.path())
            .args(["values", "9", "-g", SLOW]);
        let resumed = assert_cmd::Command::from(command)
            .args(&SAVING[..2])
            .assert();
        resumed.success().stderr(contains(format!(
            "continuing from run.ck, which holds the values of the piles up to {last}"
        )));
    }
}

#[test]
fn an_interrupted_run_saves_and_says_how_to_go_on() {
    // The half minute is not over: it is the signal that makes it save.
    interrupted("-INT", &SAVING);
    interrupted("-TERM", &SAVING);
}

#[test]
fn a_search_for_a_period_is_saved_and_gone_on_with() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = program();
    command.current_dir(directory.path());
    command.args(["period", "--limit", "8000", "-g", SLOW]);
    command.args(["--engine", "definition"]);
    let child = running(command.args(SAVING));
    wait_for(&directory.path().join("run.ck"));
    child.signal("-INT");
    let output = child.output();
    assert_eq!(output.status.code(), Some(130));
    let last = saved(directory.path()) - 1;
    let mut command = program();
    command
        .current_dir(directory.path())
        .args(["period", "--limit", "100", "-g", SLOW]);
    let resumed = assert_cmd::Command::from(command)
        .args(&SAVING[..2])
        .assert()
        .success();
    resumed.stderr(contains(format!("the values of the piles up to {last}")));
}

#[test]
fn an_interrupted_run_leaves_no_partial_file() {
    interrupted("-INT", &[]);
    interrupted("-TERM", &[]);
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("run.ck");
    let values = |game: &str| {
        let mut command = program();
        command
            .current_dir(directory.path())
            .args(["values", "3000", "-g", game, "-o", "out"]);
        assert_cmd::Command::from(command)
            .args(["--checkpoint", "run.ck"])
            .assert()
    };
    values("kayles").success();
    // The same game by another name.
    values("0.77")
        .success()
        .stderr(contains("continuing from run.ck"));
    fs::remove_file(directory.path().join("out")).unwrap();
    values("officers")
        .code(3)
        .stderr(contains("its game is 0.77, here it is 0.6"));

    let whole = fs::read(&file).unwrap();
    let text = String::from_utf8_lossy(&whole).into_owned();
    let at = text.find(env!("CARGO_PKG_VERSION")).unwrap();
    let mut broken = whole.clone();
    broken[at] = b'9';
    fs::write(&file, &broken).unwrap();
    values("0.77")
        .code(3)
        .stderr(contains("the checksum of its header is wrong"));
    let mut broken = whole.clone();
    *broken.last_mut().unwrap() ^= 1;
    fs::write(&file, &broken).unwrap();
    let refused = values("0.77").code(3);
    refused.stderr(
        contains("run.ck is broken: the checksum of its block 0 is wrong")
            .and(contains("remove it to start again")),
    );
    fs::write(directory.path().join("run.ck.prev"), &whole).unwrap();
    values("0.77")
        .code(3)
        .stderr(contains("mv run.ck.prev run.ck"));
    assert!(!directory.path().join("out").exists());
    assert_eq!(parts(directory.path()), 0);
    fs::rename(directory.path().join("run.ck.prev"), &file).unwrap();
    values("0.77").success();
}

#[test]
fn a_checkpoint_that_cannot_be_written_is_known_before_the_work() {
    let mut command = program();
    command.args([
        "values",
        "10000",
        "-g",
        SLOW,
        "--checkpoint",
        "no/such/run.ck",
    ]);
    let refused = assert_cmd::Command::from(command).assert().code(3);
    refused.stderr(contains("checkpoint no/such/run.ck: "));
}
