//! What may go wrong outside of the program: every byte arrives, nothing else is touched, and every fault ends in a
//! clear error.

use super::files::{Checkpoint, names, parts};
use crate::common::program::{errors, program, run_in as run};
use crate::common::rng::Rng;
use crate::common::running::{Running, running, start};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;
use tempfile::{TempDir, tempdir};

/// A first signal is answered within a second; a busy machine may need longer to let us see it.
const ANSWER: Duration = Duration::from_secs(8);

/// Every command that writes a result in a format.
const FORMATS: [&str; 8] = [
    "values 3000 -g kayles --format text",
    "values 3000 -g kayles --format csv",
    "values 3000 -g kayles --format json",
    "values 3000 -g kayles --format bfile",
    "values 3000 -g kayles --format npy",
    "values 300000 -g nim --format npy",
    "plot 300 -g kayles --format svg",
    "plot 300 -g kayles --format png",
];

fn words(command: &str) -> std::str::Split<'_, char> {
    command.split(' ')
}

/// The program in a directory, with its words.
fn command(directory: &TempDir, line: &str) -> Command {
    let mut command = program();
    command.current_dir(directory.path()).args(words(line));
    command
}

/// A shell's line, in which `$NIM` is the program.
fn shell(directory: &TempDir, line: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.current_dir(directory.path()).args(["-c", line]);
    shell.env("NIM", program().get_program()).output().unwrap()
}

fn succeed(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", errors(output));
    assert_eq!(errors(output), "");
}

/// A clear error, and no signal or panic.
fn fail(output: &Output, code: i32, what: &str) {
    let errors = errors(output);
    assert_eq!(output.status.code(), Some(code), "{what}: {errors}");
    assert!(
        errors.starts_with("error: ") && errors.contains(what),
        "{errors}"
    );
    assert!(
        errors.len() < 1000 && !errors.contains("panicked"),
        "{errors}"
    );
}

#[test]
fn help_that_cannot_be_written_is_an_error() {
    let directory = tempdir().unwrap();
    for words in "--help | -h | --version | values --help | help play | help".split(" | ") {
        let line = format!("$NIM {words} > /dev/full");
        fail(&shell(&directory, &line), 3, "No space left on device");
        // Whoever reads no more is no fault.
        succeed(&shell(&directory, &format!("$NIM {words} | true")));
    }
}

#[test]
fn the_stack_that_the_shell_allows_does_not_matter() {
    let directory = tempdir().unwrap();
    for words in "7 8 | values 2000 | lookup 0.77 | --help | play -g kayles 7 --quiet < /dev/null"
        .split(" | ")
    {
        let line = format!("ulimit -s 64; $NIM {words} > out");
        succeed(&shell(&directory, &line));
    }
}

fn fifo(directory: &TempDir, name: &str) {
    let made = Command::new("mkfifo")
        .arg(directory.path().join(name))
        .status();
    assert!(made.unwrap().success());
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn every_byte_of_every_format_arrives_on_every_way() {
    for line in FORMATS {
        let directory = tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        succeed(&run(&directory, &format!("{line} -o file")));
        let bytes = fs::read(path("file")).unwrap();
        if line.ends_with("npy") {
            let cells = line.split(' ').nth(1).unwrap().parse::<usize>().unwrap() + 1;
            let width = if line.contains("nim") { 4 } else { 1 };
            let head = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
            assert_eq!(bytes.len(), head + cells * width, "{line}");
        }
        if line.ends_with("png") {
            let picture = png::Decoder::new(std::io::Cursor::new(&bytes));
            let mut picture = picture.read_info().unwrap();
            let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
            picture.next_frame(&mut pixels).unwrap();
        }

        let is_it = |found: &[u8], way: &str| assert!(found == bytes, "{line} by {way}");
        for way in ["", "-o -", "-o /dev/stdout"] {
            let output = run(&directory, format!("{line} {way}").trim_end());
            succeed(&output);
            is_it(&output.stdout, &format!("a pipe and {way}"));
            succeed(&shell(
                &directory,
                &format!("$NIM {line} {way} > redirected"),
            ));
            is_it(
                &fs::read(path("redirected")).unwrap(),
                &format!("a file and {way}"),
            );
        }
        fifo(&directory, "fifo");
        succeed(&shell(
            &directory,
            &format!("cat fifo > read & $NIM {line} -o fifo && wait"),
        ));
        is_it(&fs::read(path("read")).unwrap(), "a FIFO");
        assert_eq!(names(&directory), ["fifo", "file", "read", "redirected"]);
    }
}

#[test]
fn bytes_are_not_for_a_terminal() {
    for line in [
        "values 20 --format npy",
        "plot 20 --format png",
        "plot 20 --format png -o /dev/tty",
    ] {
        let mut command = program();
        command.args(words(line));
        let mut process = rexpect::process::PtyProcess::new(command).unwrap();
        let mut text = String::new();
        // A terminal whose last writer has gone is an error to read.
        let _ = std::io::Read::read_to_string(&mut process.get_file_handle().unwrap(), &mut text);
        assert!(
            text.contains("can't be shown on a terminal; write it to a file with -o"),
            "{line}: {text}"
        );
        process.exit().unwrap();
    }
}

#[test]
fn what_stands_on_standard_output_stays_there() {
    let directory = tempdir().unwrap();
    for (line, first) in [
        ("values 5 -o /dev/stdout", "n | +0"),
        ("values 5 -o /dev/fd/1", "n | +0"),
        ("values 5 -o out", "n | +0"),
        ("plot 20 -o /dev/stdout --format svg", "<svg"),
        (
            "period -g kayles --certificate /dev/stdout",
            "kayles (0.77)",
        ),
    ] {
        let line = format!("(echo head; $NIM {line}; echo foot) > out");
        let output = shell(&directory, &line);
        succeed(&output);
        let text = fs::read_to_string(directory.path().join("out")).unwrap();
        assert!(
            text.starts_with(&format!("head\n{first}")),
            "{line}: {text}"
        );
        assert!(text.ends_with("\nfoot\n"), "{line}: {text}");
        if line.contains("certificate") {
            assert!(text.contains("\"checksum\""), "{text}");
        }
    }
    let output = shell(
        &directory,
        "(echo head >&2; $NIM values 5 -o /dev/stderr; echo foot >&2) 2> err",
    );
    assert_eq!(output.status.code(), Some(0));
    let text = fs::read_to_string(directory.path().join("err")).unwrap();
    assert!(
        text.starts_with("head\nn | +0") && text.ends_with("\nfoot\n"),
        "{text}"
    );
}

/// The commands that write a file, each with the option that names it last.
const WRITERS: [&str; 5] = [
    "values 20 -g kayles --format npy -o",
    "plot 20 -g kayles --format svg -o",
    "plot 20 -g kayles --format png -o",
    "period -g kayles --certificate",
    "values 20 -g kayles --checkpoint",
];

#[test]
fn nothing_that_stands_beside_the_file_is_touched() {
    for line in WRITERS {
        let directory = tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        fs::write(path("victim"), "mine").unwrap();
        symlink("victim", path("w.part")).unwrap();
        succeed(&run(&directory, &format!("{line} w")));
        assert_eq!(fs::read(path("victim")).unwrap(), b"mine");
        assert!(!path("w").is_symlink());

        fs::remove_file(path("w.part")).unwrap();
        fs::write(path("w.part"), "mine too").unwrap();
        fs::remove_file(path("w")).unwrap();
        succeed(&run(&directory, &format!("{line} w")));
        assert_eq!(fs::read(path("w.part")).unwrap(), b"mine too");

        fs::remove_file(path("w.part")).unwrap();
        fs::remove_file(path("w")).unwrap();
        fifo(&directory, "w.part");
        succeed(&run(&directory, &format!("{line} w")));
        assert_eq!(names(&directory), ["victim", "w", "w.part"], "{line}");
    }
}

#[test]
fn mode_owner_and_links_of_the_file_before_are_kept() {
    let root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    for line in WRITERS {
        let directory = tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        succeed(&shell(&directory, &format!("umask 027; $NIM {line} new")));
        assert_eq!(mode(&path("new")), 0o640, "{line}");

        fs::create_dir(path("folder")).unwrap();
        symlink("folder/file", path("link")).unwrap();
        symlink("link", path("again")).unwrap();
        succeed(&run(&directory, &format!("{line} link")));
        assert!(
            path("link").is_symlink() && !path("folder/file").is_symlink(),
            "{line}"
        );
        let file = path("folder/file");
        fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
        if root {
            std::os::unix::fs::chown(&file, Some(12345), Some(54321)).unwrap();
        }
        let before = fs::metadata(&file).unwrap();
        // A checkpoint that holds all that is asked for isn't written again.
        let line = line.replace("values 20", "values 30");
        let output = run(&directory, &format!("{line} again"));
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        let after = fs::metadata(&file).unwrap();
        assert_ne!(before.ino(), after.ino(), "{line} wrote in place");
        assert_eq!(mode(&file), 0o600, "{line}");
        assert_eq!(
            (after.uid(), after.gid()),
            (before.uid(), before.gid()),
            "{line}"
        );
        let links = ["link", "again"].map(path);
        assert!(links.iter().all(|link| link.is_symlink()), "{line}");
    }
}

#[test]
fn a_place_where_no_file_can_be_is_refused_and_left_alone() {
    for line in WRITERS {
        let directory = tempdir().unwrap();
        fs::create_dir(directory.path().join("folder")).unwrap();
        symlink("round", directory.path().join("round")).unwrap();
        for place in "folder folder/ folder/.. new/ no/such round /proc/no".split(' ') {
            let output = run(&directory, &format!("{line} {place}"));
            fail(&output, 3, place.trim_end_matches('/'));
        }
        assert_eq!(names(&directory), ["folder", "round"], "{line}");
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let directory = tempdir().unwrap();
    for line in FORMATS {
        fail(
            &run(&directory, &format!("{line} -o /dev/full")),
            3,
            "No space left",
        );
        fail(
            &shell(&directory, &format!("$NIM {line} > /dev/full")),
            3,
            "standard output can't be written: No space left",
        );
    }
    for line in [
        "nim 3 4",
        "nim 3 4 --json",
        "survey 0.77",
        "games",
        "play nim 3",
    ] {
        let output = shell(&directory, &format!("$NIM {line} > /dev/full"));
        fail(
            &output,
            3,
            "error: standard output can't be written: No space",
        );
    }
    let line = "period -g kayles --certificate /dev/full";
    fail(&run(&directory, line), 3, "No space left");
    assert_eq!(names(&directory), Vec::<String>::new());
}

#[test]
fn a_file_that_may_not_grow_is_an_error_and_leaves_nothing() {
    for line in
        "values 100000 -g kayles -o out.npy | values 100000 -g kayles --format csv -o out | \
        plot 19000 -g kayles --format svg -o out | values 20000 -g officers --checkpoint out"
            .split(" | ")
    {
        let directory = tempdir().unwrap();
        let output = shell(&directory, &format!("ulimit -f 8; $NIM {line} > /dev/null"));
        fail(&output, 3, "File too large");
        assert_eq!(names(&directory), Vec::<String>::new(), "{line}");
    }
    let directory = tempdir().unwrap();
    // A result that no disk has room for is refused before a byte of it is written.
    let line = "ulimit -f 8; $NIM values 1e18 kayles -o out";
    fail(
        &shell(&directory, line),
        3,
        "out can't be written: it takes",
    );
    assert_eq!(names(&directory), Vec::<String>::new());
    // A file of no bytes may be made, and nothing be written to it.
    for line in [
        "play nim 3 --first random --second random --record out",
        "survey kayles --resume out",
        "survey kayles --resume out --format csv",
    ] {
        let line = format!("ulimit -f 0; $NIM {line}");
        fail(&shell(&directory, &line), 3, "File too large");
        assert_eq!(names(&directory), Vec::<String>::new(), "{line}");
        // One that was there before stays.
        std::fs::write(directory.path().join("out"), "").unwrap();
        fail(&shell(&directory, &line), 3, "File too large");
        assert_eq!(names(&directory), ["out"], "{line}");
        std::fs::remove_file(directory.path().join("out")).unwrap();
    }
    let output = shell(
        &directory,
        "ulimit -f 8; $NIM values 100000 -g kayles > out",
    );
    fail(&output, 3, "File too large");
}

/// Starts the program and lets it get to its work.
fn at_work(commands: impl IntoIterator<Item = Command>) -> Vec<Running> {
    let start = |mut command: Command| running(command.stdin(Stdio::null()));
    let mut runs: Vec<Running> = commands.into_iter().map(start).collect();
    sleep(Duration::from_millis(1500));
    for run in &mut runs {
        let ended = run.child().try_wait().unwrap();
        assert!(
            ended.is_none(),
            "{:?} ended by itself: {ended:?}",
            run.child()
        );
    }
    runs
}

fn answers(mut running: Running, signal: &str, line: &str) {
    running.signal(signal);
    assert!(running.ends_within(ANSWER), "{line} goes on after {signal}");
    let output = running.output();
    let errors = errors(&output);
    assert_eq!(output.status.code(), Some(130), "{line}: {errors}");
}

#[test]
fn the_first_signal_ends_any_work() {
    let directory = tempdir().unwrap();
    let lines = [
        "-g 0.77 1e18 --misere --all",
        "-g kayles 1e18 --all",
        "values 80000 -g 0.6 --engine definition",
        "values 80000 -g 0.6 --engine definition -o out.npy",
        "period -g 0.{63} --engine definition",
        "plot 80000 -g 0.6 --engine definition -o out.png",
        "period -g 0.6 --engine definition --certificate out.json",
        "lookup 0.6 --bound 80000 --engine definition",
        "simulate -g kayles 3000 --games 1000000",
    ];
    let runs = at_work(lines.iter().map(|line| command(&directory, line)));
    for (at, (running, line)) in runs.into_iter().zip(lines).enumerate() {
        answers(running, ["-INT", "-TERM"][at % 2], line);
    }
    assert_eq!(names(&directory), Vec::<String>::new());
}

/// A terminal that is closed ends what runs in it, and files in the making go with it; `nohup` keeps both.
#[test]
#[cfg(target_os = "linux")]
fn a_closed_terminal_is_a_signal_unless_it_is_ignored() {
    let directory = tempdir().unwrap();
    let line = "values 80000 -g 0.6 --engine definition -o out.npy";
    for how in ["--default-signal=HUP", "--ignore-signal=HUP"] {
        let mut env = Command::new("env");
        env.current_dir(directory.path()).arg(how);
        env.arg(program().get_program()).args(words(line));
        let mut run = at_work([env]).pop().unwrap();
        if how.starts_with("--ignore") {
            run.signal("-HUP");
            assert!(!run.ends_within(Duration::from_secs(1)), "it hung up");
            answers(run, "-TERM", line);
        } else {
            answers(run, "-HUP", line);
        }
        assert_eq!(names(&directory), Vec::<String>::new());
    }
}

#[test]
fn the_first_signal_ends_the_wait_for_a_reader() {
    let directory = tempdir().unwrap();
    for name in ["fifo", "values", "plot", "period"] {
        fifo(&directory, name);
    }
    let lines = [
        "values 1e6 -o values",
        "plot 300 --format png -o plot",
        "period -g kayles --certificate period",
    ];
    let runs = at_work(lines.iter().map(|line| command(&directory, line)));
    for (running, line) in runs.into_iter().zip(lines) {
        answers(running, "-INT", line);
    }
    for line in ["verify fifo", "graph fifo", "play --replay fifo", "graph -"] {
        let mut command = command(&directory, line);
        let mut running = start(command.stdin(Stdio::piped()).stdout(Stdio::null()));
        sleep(Duration::from_millis(300));
        assert!(running.child().try_wait().unwrap().is_none(), "{line}");
        answers(running, "-TERM", line);
    }
    // A reader that has stopped reading.
    for line in ["values 1e6 -g nim -o fifo", "values 1e6 -g nim"] {
        let reader = directory.path().join("fifo");
        let reader = std::thread::spawn(move || File::open(reader).unwrap());
        let mut command = command(&directory, line);
        let to_fifo = line.ends_with("fifo");
        let mut writer = if to_fifo {
            running(&mut command)
        } else {
            start(command.stdout(Stdio::piped()))
        };
        // This end lets the reader in, and stays open until it is: a child that another test is about to start may still hold the
        // reader of the line before, so that opening this end says nothing of the new reader.
        let path = directory.path().join("fifo");
        let opened = (!to_fifo).then(|| File::options().write(true).open(path).unwrap());
        let mut stalled = reader.join().unwrap();
        drop(opened);
        // Once it has written something its handler stands; then it goes on until the pipe is full.
        let begun = match writer.child().stdout.as_mut() {
            Some(stdout) => stdout.read_exact(&mut [0]),
            None => stalled.read_exact(&mut [0]),
        };
        begun.unwrap();
        sleep(Duration::from_millis(500));
        answers(writer, "-INT", line);
        drop(stalled);
    }
}

/// A file is never half there, whatever kills the command that writes it.
#[test]
fn killed_and_interrupted_at_random_moments() {
    kill_and_interrupt(3);
}

/// `cargo test --release --test faults -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn killed_and_interrupted_at_many_random_moments() {
    kill_and_interrupt(300);
}

fn kill_and_interrupt(rounds: usize) {
    let mut rng = Rng::new(1, 0);
    for (line, name) in [
        ("values 400000 -g kayles --format csv -o", "out"),
        ("values 300000 -g nim --format npy -o", "out"),
        ("plot 19000 -g kayles --format svg -o", "out"),
        ("plot 300000 -g kayles --format png -o", "out"),
        ("period -g kayles --certificate", "out"),
        ("quotient -g 0.123 --certificate", "out"),
    ] {
        let directory = tempdir().unwrap();
        succeed(&shell(
            &directory,
            &format!("$NIM {line} whole > /dev/null"),
        ));
        let whole = fs::read(directory.path().join("whole")).unwrap();
        let mut left = 0;
        for round in 0..rounds {
            let file = directory.path().join(name);
            let before: &[u8] = if round % 2 == 0 { b"before" } else { &whole };
            fs::write(&file, before).unwrap();
            let running = running(&mut command(&directory, &format!("{line} {name}")));
            sleep(Duration::from_millis(rng.below(150) as u64));
            let signal = ["-KILL", "-INT", "-TERM"][round % 3];
            running.signal(signal);
            running.output();
            let after = fs::read(&file).unwrap();
            assert!(after == before || after == whole, "{line} after {signal}");
            let now = parts(&directory);
            assert!(now <= left + usize::from(signal == "-KILL"), "{signal}");
            left = now;
        }
        // What killed processes left is cleared away by the next that ends.
        succeed(&shell(
            &directory,
            &format!("$NIM {line} {name} > /dev/null"),
        ));
        assert_eq!(names(&directory), [name, "whole"], "{line}");
    }
}

#[test]
fn work_goes_on_with_the_threads_there_are() {
    let directory = tempdir().unwrap();
    let values = run(&directory, "values 3000 -g 0.07 --threads 1").stdout;
    for threads in ["8", "100000", "18446744073709551615"] {
        let output = run(
            &directory,
            &format!("values 3000 -g 0.07 --threads {threads}"),
        );
        succeed(&output);
        assert!(output.stdout == values);
    }
    let line = "simulate -g kayles 9 --games 3000 --threads";
    let tally = run(&directory, &format!("{line} 1")).stdout;
    for threads in ["8", "1000000"] {
        let output = run(&directory, &format!("{line} {threads}"));
        succeed(&output);
        assert!(output.stdout == tally);
    }
    // Root may have as many processes as it likes, another user none more than this one.
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    let user = if is_root {
        "setpriv --reuid 12345 --clear-groups"
    } else {
        ""
    };
    let copy = directory.path().join("nim");
    fs::copy(program().get_program(), &copy).unwrap();
    fs::set_permissions(directory.path(), PermissionsExt::from_mode(0o777)).unwrap();
    for line in [
        format!("{line} 8"),
        "values 30000 -g 0.07 --threads 8".to_owned(),
        "values 3000 -g 0.07 --threads 8 -o out".to_owned(),
    ] {
        let output = shell(
            &directory,
            &format!("{user} bash -c 'ulimit -u 1; exec ./nim {line}'"),
        );
        succeed(&output);
    }
}

#[test]
fn little_memory_is_an_error_or_enough() {
    with_little_memory(LINES, &[100_000], 0.3);
    // So little that no vector of all these values has room to double.
    let sizes: Vec<u32> = (35_000..50_000).step_by(3_000).collect();
    let line = "values 6e6 -g 'take fibonacci' --from 6e6 --threads 1";
    with_little_memory(line, &sizes, 10.0);
}

/// Commands that take much memory.
const LINES: &str = "60 --misere | -g 0.75 70 71 72 --misere | -g kayles 20x100000 --misere | -g nim 7x1000000 | \
    -g nim 7x200000 | sum 7x1000000 | -g kayles 7x1000000 --json | values 1e9 | \
    values 1e8 -g grundy | values 1e6 -g nim --format npy -o out.npy | \
    period -g grundy --limit 1e9 | plot 1e8 --size 20000x20000 --format png -o out.png | \
    lookup 0.161 --bound 1e8 | simulate -g kayles 400 --games 10 | \
    simulate -g kayles 30 --games 100000 --threads 64 | graph graph.txt | verify /dev/zero";

/// `cargo test --release --test faults -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn little_memory_of_any_size_is_an_error_or_enough() {
    let sizes: Vec<u32> = (50_000..500_000).step_by(50_000).collect();
    with_little_memory(LINES, &sizes, 10.0);
}

fn with_little_memory(lines: &str, sizes: &[u32], seconds: f32) {
    let directory = tempdir().unwrap();
    let graph: String = (0..200_000).map(|v| format!("v{v} v{}\n", v + 1)).collect();
    fs::write(directory.path().join("graph.txt"), graph).unwrap();
    for line in lines.split(" | ") {
        for kilobytes in sizes {
            let line =
                format!("ulimit -v {kilobytes}; timeout -s INT {seconds} $NIM {line} > /dev/null");
            let output = shell(&directory, &line);
            let errors = errors(&output);
            // 124 is what timeout makes of a run that it had to stop.
            assert!(
                matches!(output.status.code(), Some(0 | 2 | 3 | 124)),
                "{line}: {:?} {errors}",
                output.status
            );
            assert!(
                !errors.contains("panicked") && !errors.contains("memory allocation of"),
                "{line}: {errors}"
            );
        }
    }
}

#[test]
fn a_simulation_keeps_to_its_memory() {
    let directory = tempdir().unwrap();
    // The largest size that the process ever had, in kilobytes.
    let line = "simulate -g kayles 600 --games 4 --memory 20M --threads 2 --json";
    let output = shell(
        &directory,
        &format!("$NIM {line} & wait; ulimit -v 200000; $NIM {line}"),
    );
    succeed(&output);
    let text = String::from_utf8(output.stdout).unwrap();
    let (free, bounded) = text.trim_end().split_once('\n').unwrap();
    assert_eq!(free, bounded);
    fail(
        &run(&directory, "simulate -g kayles 3000 --games 10 --memory 1M"),
        3,
        "more than the 1 MiB of memory",
    );
}

/// The most kilobytes that a process had in memory so far; 0 if it has ended.
#[cfg(target_os = "linux")]
fn most_memory(running: &std::process::Child) -> u64 {
    let status = format!("/proc/{}/status", running.id());
    let status = fs::read_to_string(status).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

#[test]
#[cfg(target_os = "linux")]
fn a_quotient_keeps_to_its_memory() {
    let spawned = |line: &str| {
        let mut command = program();
        command.args(words(line)).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    // The program itself, after its first answer.
    let mut running = spawned("-");
    running.stdin.as_mut().unwrap().write_all(b"7 8\n").unwrap();
    let mut answer = [0];
    (running.stdout.as_mut().unwrap().read_exact(&mut answer)).unwrap();
    let program = most_memory(&running);
    assert!(program > 0);
    succeed(&running.wait_with_output().unwrap());
    // Sums of many atoms of a few kinds; many elements; many positions.
    for game in ["0.154", "0.64", "0.204"] {
        let mut running = spawned(&format!("quotient {game} --memory 16M --positions 1e8"));
        let mut most = 0;
        while running.try_wait().unwrap().is_none() {
            most = most.max(most_memory(&running));
            sleep(Duration::from_millis(5));
        }
        let end = errors(&running.wait_with_output().unwrap());
        assert!(end.contains("have no room"), "{game}: {end}");
        let taken = most.saturating_sub(program);
        assert!(taken < 16 * 1024, "{game}: {taken} of {most} KiB");
    }
}

#[test]
fn a_closed_pipe_is_quiet() {
    let directory = tempdir().unwrap();
    for line in FORMATS
        .iter()
        .filter(|line| line.contains("plot") || line.contains("300000"))
    {
        let output = shell(
            &directory,
            &format!("{{ $NIM {line}; echo code $? >&2; }} | head -c 1 > /dev/null"),
        );
        assert_eq!(errors(&output), "code 0\n", "{line}");
    }
}

#[test]
fn a_record_takes_no_other_files_place() {
    let directory = tempdir().unwrap();
    let line = "play -g nim 1 --first perfect --second perfect --record game.jsonl";
    succeed(&run(&directory, line));
    let file = directory.path().join("game.jsonl");
    let record = fs::read(&file).unwrap();
    fail(
        &run(&directory, line),
        3,
        "can't write game.jsonl: it exists already; name another file",
    );
    assert!(fs::read(&file).unwrap() == record);
    fs::write(&file, "").unwrap();
    succeed(&run(&directory, line));
    assert!(!fs::read(&file).unwrap().is_empty());
    succeed(&shell(
        &directory,
        &format!("{line} | cat")
            .replace("play", "$NIM play")
            .replace("game.jsonl", "/dev/stdout"),
    ));
}

#[test]
fn errors_are_short_and_plain() {
    let directory = tempdir().unwrap();
    let long = "7".repeat(20_000);
    for words in [
        vec![long.as_str()],
        vec!["-g", &long, "7"],
        vec!["--memory", &long, "7"],
        vec!["graph", &long],
        vec!["-g", "\u{1b}]0;title\u{7}", "7"],
        vec!["--threads", "\u{1b}[31m", "7"],
        vec!["verify", "\u{1b}[31m"],
        vec!["values", "5", "-o", "no/\u{1b}[31m"],
        vec!["\u{1b}[31m"],
    ] {
        let output = program()
            .current_dir(directory.path())
            .args(&words)
            .output()
            .unwrap();
        let errors = errors(&output);
        assert!(matches!(output.status.code(), Some(2 | 3)), "{errors}");
        assert!(
            errors.starts_with("error: ") && errors.len() < 2_000,
            "{errors}"
        );
        assert!(!errors.contains(['\u{1b}', '\u{7}']), "{errors}");
    }
    let output = shell(&directory, "ulimit -v 60000; $NIM values 1e8 -g grundy");
    let errors = errors(&output);
    let twice = |needed: &str| errors.matches(needed).count() > 1;
    let number = errors
        .split(' ')
        .find(|word| word.len() > 5 && word.bytes().all(|b| b.is_ascii_digit()));
    assert!(!number.is_some_and(twice), "{errors}");
}

#[test]
fn a_checkpoint_keeps_to_its_own_files() {
    let directory = tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    symlink("run.ck", path("link")).unwrap();
    for line in [
        "values 20 --checkpoint run.ck -o run.ck --format csv",
        "values 20 --checkpoint run.ck -o ./run.ck --format csv",
        "values 20 --checkpoint run.ck -o link --format csv",
        "values 20 --checkpoint link -o run.ck --format csv",
        "values 20 --checkpoint run.ck -o run.ck.prev --format csv",
        "period -g kayles --checkpoint run.ck --certificate run.ck",
        "period -g kayles --checkpoint run.ck --certificate run.ck.windows",
        "values 20 --checkpoint run.ck -o run.ck.lock --format csv",
    ] {
        fail(&run(&directory, line), 2, "name the same file");
    }
    let saved = run(&directory, "values 20 --checkpoint run.ck");
    assert_eq!(saved.status.code(), Some(0), "{}", errors(&saved));
    fs::write(path("run.ck.prev"), "mine").unwrap();
    fail(
        &run(&directory, "values 30 --checkpoint run.ck"),
        3,
        "run.ck.prev is not a checkpoint of this program and is left unchanged",
    );
    assert_eq!(fs::read(path("run.ck.prev")).unwrap(), b"mine");
    fs::remove_file(path("run.ck.prev")).unwrap();
    fs::write(path("run.ck"), "mine").unwrap();
    fail(
        &run(&directory, "values 20 --checkpoint run.ck"),
        3,
        "run.ck is not a checkpoint of this program and is left unchanged",
    );
    assert_eq!(fs::read(path("run.ck")).unwrap(), b"mine");
    fs::remove_file(path("run.ck")).unwrap();
    fifo(&directory, "fifo");
    for place in ["fifo", "/dev/null", "/dev/stdout"] {
        fail(
            &run(&directory, &format!("values 20 --checkpoint {place}")),
            3,
            "it is not a regular file",
        );
    }
    // The one before is kept beside the file, not beside the link.
    fs::create_dir(path("folder")).unwrap();
    fs::remove_file(path("link")).unwrap();
    symlink("folder/run.ck", path("link")).unwrap();
    for last in [20, 30] {
        let output = run(&directory, &format!("values {last} --checkpoint link"));
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    }
    assert_eq!(names(&directory), ["fifo", "folder", "link"]);
    assert!(path("folder/run.ck.prev").is_file());
}

/// Whose a file is, is known before a byte of it changes, and before any other file is made.
#[test]
fn a_file_of_something_else_is_refused_and_left_as_it_is() {
    let directory = tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let made = run(&directory, "values 999 -g kayles --checkpoint kayles.ck");
    assert_eq!(made.status.code(), Some(0), "{}", errors(&made));
    let kayles = fs::read(path("kayles.ck")).unwrap();
    let far = "invariants 0.104 --to 300000 --checkpoint";
    let refused = |line: &str, code: i32, word: &str, left: &[(&str, &[u8])]| {
        let before = names(&directory);
        fail(&run(&directory, line), code, word);
        for (name, bytes) in left {
            assert!(
                fs::read(path(name)).unwrap() == *bytes,
                "{line} changed {name}"
            );
        }
        assert_eq!(names(&directory), before, "{line}");
    };
    // Another game's values, and those of the same game that a search would lose.
    let ours: [(&str, &[u8]); 1] = [("kayles.ck", &kayles)];
    refused(
        &format!("{far} kayles.ck"),
        3,
        "kayles.ck belongs to another run",
        &ours,
    );
    refused(
        "values 20 -g 0.6 --checkpoint kayles.ck",
        3,
        "its game is 0.77, here it is 0.6",
        &ours,
    );
    // The one before, of another game.
    fs::write(path("run.ck.prev"), &kayles).unwrap();
    refused(
        "values 20 -g 0.6 --checkpoint run.ck",
        3,
        "run.ck.prev belongs to another run: its game is 0.77, here it is 0.6",
        &[("run.ck.prev", &kayles)],
    );
    fs::remove_file(path("run.ck.prev")).unwrap();
    // Texts, short and long, and another program's bytes.
    for text in [
        "mine",
        "NIM",
        "my notes, which are long enough for a header",
        "\0\0\0\0\0\0\0\0\0\0\0\0\0",
    ] {
        fs::write(path("run.ck"), text).unwrap();
        for line in [
            "values 20 --checkpoint",
            far,
            "period -g 0.104 --limit 5e6 --checkpoint",
        ] {
            let word = if text == "NIM" {
                "run.ck is broken"
            } else {
                "is not a checkpoint of this program"
            };
            refused(
                &format!("{line} run.ck"),
                3,
                word,
                &[("run.ck", text.as_bytes())],
            );
        }
    }
    fs::remove_file(path("run.ck")).unwrap();
    // What lies where the files beside it are to be.
    fs::write(path("run.ck.lock"), "mine").unwrap();
    refused(
        "values 20 --checkpoint run.ck",
        3,
        "run.ck.lock exists and does not belong to this program",
        &[("run.ck.lock", b"mine")],
    );
    fs::remove_file(path("run.ck.lock")).unwrap();
    let begun = [&(1u64 << 16).to_le_bytes()[..], &8192u64.to_le_bytes()].concat();
    for mine in [&b"mine"[..], &[0; 100], &begun] {
        fs::write(path("run.ck.windows"), mine).unwrap();
        // A run that begins in a window, and one that goes on there from a table.
        let from_table = "period -g 0.106 --limit 3e6 --memory 1M --checkpoint";
        for run in [far, from_table] {
            refused(
                &format!("{run} run.ck"),
                3,
                "error: run.ck.windows is to hold the snapshots of the search, but has other things in it",
                &[("run.ck.windows", mine)],
            );
        }
    }
    fs::remove_file(path("run.ck.windows")).unwrap();
    fifo(&directory, "run.ck.windows");
    refused(&format!("{far} run.ck"), 3, "it is not a regular file", &[]);
    fifo(&directory, "out");
    refused(
        "survey 0.7 --resume out",
        2,
        "is not a file that a survey can continue",
        &[],
    );
    for line in [
        "values 20 --checkpoint -",
        "survey 0.7 --resume -",
        "play -g nim 1 --first perfect --second perfect --record -",
    ] {
        refused(line, 2, "it must be a file", &[]);
    }
    let others = ["out", "run.ck.windows"];
    assert_eq!(names(&directory), [&["kayles.ck"][..], &others].concat());
}

#[test]
fn a_checkpoint_has_one_process_at_a_time() {
    let directory = tempdir().unwrap();
    let line =
        "values 8000 -g 0.205200C --engine definition --checkpoint run.ck --checkpoint-every 0.02";
    let first = running(&mut command(&directory, line));
    crate::common::running::wait_until(|| directory.path().join("run.ck").exists());
    fail(&run(&directory, line), 3, "another process is using run.ck");
    // By a link to it, and before it has saved anything, as well.
    symlink("run.ck", directory.path().join("link")).unwrap();
    fail(
        &run(&directory, &line.replace("run.ck", "link")),
        3,
        "another process is using link",
    );
    first.signal("-KILL");
    first.output();
    assert!(names(&directory).contains(&"run.ck.lock".to_owned()));
    let output = run(&directory, "values 9 -g 0.205200C --checkpoint run.ck");
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert!(!names(&directory).contains(&"run.ck.lock".to_owned()));
}

/// A checkpoint with right checksums, whatever it says.
fn checkpoint(file: &Path, state: &str, values: &[u8]) {
    let program = concat!("nim-analyser ", env!("CARGO_PKG_VERSION"));
    let state: serde_json::Value = serde_json::from_str(&format!("{{{state}}}")).unwrap();
    let header = serde_json::json!({
        "parameters": {"content": "nim-values", "game": "0.77", "program": program},
        "state": state,
        "bytes": values.len(),
    });
    let bytes = values.to_vec();
    Checkpoint { header, bytes }.write(file);
}

#[test]
fn a_checkpoint_made_by_hand_is_not_believed() {
    let directory = tempdir().unwrap();
    succeed(&run(&directory, "values 999 -g kayles -o right.npy"));
    let right = fs::read(directory.path().join("right.npy")).unwrap();
    let right = &right[right.len() - 1000..];
    let file = directory.path().join("run.ck");
    let line = "values 1200 -g kayles --checkpoint run.ck -o out.npy";
    checkpoint(&file, r#""count":1000,"width":1"#, right);
    let output = run(&directory, line);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));

    for state in [
        r#""count":999,"width":1"#,
        r#""count":1000,"width":2"#,
        r#""count":500,"width":3"#,
        r#""count":1000"#,
        r#""width":1"#,
        "",
        r#""count":9223372036854775808,"width":2"#,
        r#""count":18446744073709551615,"width":1"#,
        r#""count":0,"width":1"#,
        r#""count":1000,"width":0"#,
    ] {
        checkpoint(&file, state, right);
        fail(&run(&directory, line), 3, "run.ck is broken: ");
    }
    let mut shifted = right.to_vec();
    shifted.rotate_right(1);
    let mut risen = right.to_vec();
    risen[50] += 1;
    for false_values in [vec![0; 1000], shifted, risen] {
        checkpoint(&file, r#""count":1000,"width":1"#, &false_values);
        fail(&run(&directory, line), 3, "in it, where");
    }
}
