//! Every number that is read from a file that the program wrote, beyond its bound: a row a number. The file is refused with
//! what is wrong, and it and those beside it stay as they are. The numbers of a survey's lines are in
//! `tests/program/survey.rs`, those of certificates with their checkers.

use super::files::Checkpoint;
use crate::common::program::{errors, run_in as run};
use std::fs;
use std::path::Path;
use tempfile::{TempDir, tempdir};

/// The names and the bytes of all files.
fn all_files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(directory).unwrap().map(Result::unwrap);
    let mut files: Vec<_> = entries
        .filter(|entry| entry.file_type().unwrap().is_file())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// Runs a command that is to refuse the files with a word, and to leave them as they are.
fn refused(directory: &Path, line: &str, code: i32, word: &str, row: &str) {
    let before = all_files(directory);
    let output = run(directory, line);
    let errors = errors(&output);
    assert_eq!(output.status.code(), Some(code), "{row}: {errors}");
    assert!(errors.contains(word), "{row}: {errors}");
    assert!(!errors.contains("panicked"), "{row}: {errors}");
    assert!(all_files(directory) == before, "{row}: a file is changed");
}

/// A search up to pile 400,000, its files, and the command that goes on with it.
fn search(game: &str) -> (TempDir, Checkpoint, Vec<u8>, String) {
    let directory = tempdir().unwrap();
    let line = format!("invariants {game} --to 400000 --checkpoint run.ck");
    let output = run(directory.path(), &line);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let checkpoint = Checkpoint::read(&directory.path().join("run.ck"));
    let windows = fs::read(directory.path().join("run.ck.windows")).unwrap();
    let line = format!("invariants {game} --to 410000 --checkpoint run.ck -q");
    (directory, checkpoint, windows, line)
}

#[test]
fn each_figure_of_a_search_is_bounded_and_compared() {
    let (directory, right, _, line) = search("0.104");
    let line = line.as_str();
    let file = directory.path().join("run.ck");
    let (known, most) = (right.figure("known"), u64::MAX);
    for (name, figure, word) in [
        ("known", 1 << 63, "`known`"),
        ("known", 0, "`known`"),
        (
            "known",
            known + (1 << 40),
            "snapshots of its last values are missing",
        ),
        ("known", known + 64, "its last values are not those"),
        ("first", 1 << 63, "`first`"),
        ("first", known, "`window`"),
        ("window", 1 << 63, "`window`"),
        ("window", 10, "its last mark is cut short"),
        ("every", 0, "`every`"),
        ("every", 1 << 10, "`every`"),
        ("every", 65_537, "`every`"),
        ("every", 1 << 63, "`every`"),
        ("marked", 0, "`marked`"),
        ("marked", known + 1, "`marked`"),
        ("marked", most, "`marked`"),
        ("largest", 65_536, "`largest`"),
        ("largest", 400, "its largest value is not the game's"),
        ("largest", 20, "its largest value is not the game's"),
        ("largest_at", known, "`largest_at`"),
        ("largest_at", 300_000, "its largest value is not the game's"),
        ("deepest", 1 << 62, "`deepest`"),
        ("deepest_at", most, "`deepest_at`"),
        ("deepest_at", 65_000, "`deepest_at`"),
        ("deepest_from", known + 1, "`deepest_from`"),
        ("mask", 65_536, "`mask`"),
        (
            "sparse_space",
            1,
            "its rare values are not those of the game",
        ),
        ("suggested", 1 << 63, "`suggested`"),
        ("suggested_from", most, "`suggested_from`"),
        (
            "snapshot_bytes",
            1 << 63,
            "bytes of it belong to the checkpoint",
        ),
    ] {
        let row = format!("{name} {figure}");
        let mut wrong = right.clone();
        assert!(wrong.header["state"][name].is_u64(), "{row}");
        wrong.header["state"][name] = figure.into();
        wrong.write(&file);
        refused(directory.path(), line, 3, word, &row);
        wrong.header["state"].as_object_mut().unwrap().remove(name);
        wrong.write(&file);
        refused(directory.path(), line, 3, "is missing", name);
    }
    for bytes in [0, 1u64 << 62] {
        let mut wrong = right.clone();
        wrong.header["bytes"] = bytes.into();
        wrong.write(&file);
        let word = match bytes {
            0 => "there is data after its end",
            _ => "of memory allowed",
        };
        refused(directory.path(), line, 3, word, &format!("bytes {bytes}"));
    }
    let window = right.figure("window") as usize;
    for (at, word) in [
        (window - 1, "its last values are not those"),
        (window - 8_000, "its last values are not those"),
        (window + 15, "its mark 0 is at pile"),
        (window + 19, "zeros"),
    ] {
        let mut wrong = right.clone();
        wrong.bytes[at] ^= 0x80;
        wrong.write(&file);
        refused(directory.path(), line, 3, word, &format!("byte {at}"));
    }
    right.write(&file);
    let output = run(directory.path(), line);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
}

/// Its codes take two bytes each, and it says so.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn the_width_of_a_search_s_codes_is_bounded_and_compared() {
    let (directory, right, windows, line) = search("0.744");
    let file = directory.path().join("run.ck");
    let snapshots = directory.path().join("run.ck.windows");
    assert_eq!(right.figure("width"), 2);
    let window = right.figure("window");
    // A window of all values since the first ones is longer than one of fewer values can be; of another one the values are
    // compared.
    let one_less = if window == right.figure("known") - right.figure("first") {
        "`window`"
    } else {
        "its last values are not"
    };
    for (name, figure, word) in [
        ("width", 0, "`width`"),
        ("width", 3, "`width`"),
        ("width", u64::MAX, "`width`"),
        // The codes are read as marks too.
        ("width", 1, "mark"),
        ("window", window - 1, "mark"),
        ("window", 1 << 62, "`window`"),
        ("known", right.figure("known") - 1, one_less),
        ("largest", 511, "its largest value is not the game's"),
        ("largest", 16_384, "its largest value is not the game's"),
    ] {
        let mut wrong = right.clone();
        assert!(wrong.header["state"][name].is_u64(), "{name}");
        wrong.header["state"][name] = figure.into();
        wrong.write(&file);
        refused(
            directory.path(),
            &line,
            3,
            word,
            &format!("{name} {figure}"),
        );
    }
    let mut narrow = right.clone();
    let state = narrow.header["state"].as_object_mut().unwrap();
    state.remove("width");
    narrow.write(&file);
    refused(directory.path(), &line, 3, "mark", "no width: a byte");
    // Those since the last snapshot are computed again; what comes before them is not gone on from.
    for at in [2 * window - 10_000, 2 * window - 1] {
        let mut wrong = right.clone();
        wrong.bytes[at as usize] ^= 1;
        wrong.write(&file);
        let word = "its last values are not those";
        refused(directory.path(), &line, 3, word, &format!("byte {at}"));
    }
    right.write(&file);
    // The last snapshot is the one that is gone on from.
    let number = |at: usize| u64::from_le_bytes(windows[at..at + 8].try_into().unwrap());
    let mut last = 0;
    let mut end = 0;
    while end < windows.len() {
        last = end;
        end += 20 + 2 * (number(last + 8) ^ 1 << 63) as usize;
    }
    let (heap, count) = (number(last), number(last + 8));
    let codes = &windows[last + 20..];
    assert_eq!(windows[last..], record(heap, count, codes));
    let length = codes.len() as u64 / 2;
    let mut flipped = codes.to_vec();
    flipped[codes.len() - 1] ^= 1;
    for (count, codes) in [
        (length, codes),
        (2 * length, codes),
        (count, &codes[1..]),
        (1 << 63, codes),
        (u64::MAX, codes),
        (count, &flipped),
    ] {
        let wrong = [&windows[..last], &record(heap, count, codes)].concat();
        fs::write(&snapshots, wrong).unwrap();
        let row = format!("{count} codes in {} bytes", codes.len());
        refused(directory.path(), &line, 3, "is broken", &row);
    }
    fs::write(&snapshots, &windows).unwrap();
    let output = run(directory.path(), &line);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
}

/// The records of a search's snapshots, each as its heap and its codes.
fn records(all: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let mut rest = all;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let number = |at: usize| u64::from_le_bytes(rest[at..at + 8].try_into().unwrap());
        let end = 20 + number(8) as usize;
        found.push((number(0), rest[20..end].to_vec()));
        rest = &rest[end..];
    }
    found
}

fn record(heap: u64, length: u64, codes: &[u8]) -> Vec<u8> {
    let mut all = heap.to_le_bytes().to_vec();
    all.extend(length.to_le_bytes());
    all.extend(crc32fast::hash(&[&all, codes].concat()).to_le_bytes());
    all.extend(codes);
    all
}

#[test]
fn each_number_of_a_search_s_snapshots_is_bounded_and_compared() {
    let (directory, _, right, line) = search("0.104");
    let line = line.as_str();
    let file = directory.path().join("run.ck.windows");
    let mut whole = records(&right);
    let (heap, codes) = whole.pop().unwrap();
    let before: Vec<u8> = whole
        .iter()
        .flat_map(|(heap, codes)| record(*heap, codes.len() as u64, codes))
        .collect();
    let mut flipped = codes.clone();
    flipped[codes.len() - 5] ^= 1;
    let length = codes.len() as u64;
    for (last, word) in [
        (
            record(heap + 1, length, &codes),
            "windows is broken at byte",
        ),
        (
            record(whole[0].0, length, &codes),
            "windows is broken at byte",
        ),
        (record(1 << 63, length, &codes), "windows is broken at byte"),
        (record(heap, 0, &codes), "windows is broken at byte"),
        (record(heap, heap, &codes), "windows is broken at byte"),
        (record(heap, u64::MAX, &codes), "windows is broken at byte"),
        (
            record(heap, length | 1 << 63, &codes),
            "windows is broken at byte",
        ),
        (
            record(heap, length - 1, &codes),
            "windows is broken at byte",
        ),
        (
            record(heap, length, &flipped),
            "run.ck is broken: its last values",
        ),
        (record(heap - 65_536, length, &codes), "is broken"),
        (
            [
                record(heap, length, &codes),
                b"my notes, not yours".to_vec(),
            ]
            .concat(),
            "windows is broken",
        ),
    ] {
        fs::write(&file, [&before[..], &last].concat()).unwrap();
        refused(
            directory.path(),
            line,
            3,
            word,
            &format!("{:?}", &last[..20]),
        );
    }
    // What a killed process leaves: records that no checkpoint knows of, the last one cut short.
    let next = record(1 << 20, length, &codes);
    for end in [1, 9, 17, 25, next.len()] {
        fs::write(&file, [&right, &next[..end]].concat()).unwrap();
        let output = run(directory.path(), line);
        assert_eq!(output.status.code(), Some(0), "{end}: {}", errors(&output));
        assert!(fs::read(&file).unwrap().starts_with(&right));
        assert!(!fs::read(&file).unwrap().ends_with(&next[..end]));
    }
}

#[test]
fn each_number_of_a_record_is_bounded() {
    let directory = tempdir().unwrap();
    let record = |game: &str, name: &str| {
        let line =
            format!("play -g {game} --first perfect --second perfect --seed 1 --record {name}");
        let output = run(directory.path(), &line);
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        fs::read_to_string(directory.path().join(name)).unwrap()
    };
    let kayles = record("kayles 5", "row");
    let nim = record("nim 3 4", "piles");
    let line = "play --replay changed";
    for (text, right, wrong, word) in [
        (
            &kayles,
            "\"piles\":[5]",
            "\"piles\":[18446744073709551615]",
            "line 2",
        ),
        (
            &kayles,
            "\"piles\":[5]",
            "\"piles\":[18446744073709551616]",
            "line 1",
        ),
        (&kayles, "\"piles\":[5]", "\"piles\":[4]", "line 2"),
        (&kayles, "\"seed\":1", "\"seed\":-1", "line 1"),
        (&kayles, "\"ply\":1", "\"ply\":0", "line 2"),
        (
            &kayles,
            "\"ply\":2",
            "\"ply\":18446744073709551615",
            "line 3",
        ),
        (&kayles, "\"at\":3", "\"at\":0", "line 2"),
        (&kayles, "\"at\":3", "\"at\":18446744073709551615", "line 2"),
        (&kayles, "\"take\":1", "\"take\":0", "line 2"),
        (
            &kayles,
            "\"take\":1",
            "\"take\":18446744073709551615",
            "line 2",
        ),
        (
            &kayles,
            "\"position\":[2,2]",
            "\"position\":[2,3]",
            "line 2",
        ),
        (&kayles, "\"moves\":5", "\"moves\":6", "line 7"),
        (
            &kayles,
            "{\"schema\":1,\"kind\":\"record\",\"event\":\"end\"",
            "{\"event\":\"undo\",\"moves\":6}\n{\"schema\":1,\"kind\":\"record\",\"event\":\"end\"",
            "line 7",
        ),
        (
            &kayles,
            "{\"schema\":1,\"kind\":\"record\",\"event\":\"end\"",
            "{\"event\":\"undo\",\"moves\":18446744073709551615}\n{\"schema\":1,\"kind\":\"record\",\"event\":\"end\"",
            "line 7",
        ),
        (
            &nim,
            "\"piles\":[3,4]",
            "\"piles\":[18446744073709551615,4]",
            "line 2",
        ),
        (
            &nim,
            "\"position\":[3,3]",
            "\"position\":[3,18446744073709551615]",
            "line 2",
        ),
    ] {
        let changed = text.replacen(right, wrong, 1);
        assert_ne!(&changed, text, "{right} stands nowhere in {text}");
        fs::write(directory.path().join("changed"), changed).unwrap();
        refused(directory.path(), line, 2, word, wrong);
    }
    refused(
        directory.path(),
        "play --replay /dev/zero",
        2,
        "it is longer than",
        "/dev/zero",
    );
}

/// What version 0.2 wrote is read, or refused by its name.
#[test]
fn files_of_version_0_2_are_read() {
    let directory = tempdir().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/0.2");
    for entry in fs::read_dir(data).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), directory.path().join(entry.file_name())).unwrap();
    }
    let read = |line: &str| {
        let output = run(directory.path(), line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", errors(&output));
        (
            String::from_utf8(output.stdout.clone()).unwrap(),
            errors(&output),
        )
    };
    let search = "invariants 0.104 --to 300000";
    let (whole, _) = read(search);
    let (resumed, note) = read(&format!("{search} --checkpoint search.ck"));
    assert!(note.contains("holds a search up to pile 270000"), "{note}");
    assert_eq!(resumed, whole);
    for format in ["ndjson", "csv"] {
        let games = "survey 0.07 nim 0.6 {2,3}!.0 --values 300 --format";
        let before = fs::read(directory.path().join(format!("survey.{format}"))).unwrap();
        let (_, note) = read(&format!("{games} {format} --resume survey.{format}"));
        assert_eq!(note, "");
        assert!(fs::read(directory.path().join(format!("survey.{format}"))).unwrap() == before);
    }
    read("play --replay game.jsonl");
    let output = run(
        directory.path(),
        "values 120 -g kayles --checkpoint values.ck",
    );
    let errors = errors(&output);
    match output.status.code() {
        Some(0) => assert!(errors.contains("the piles up to 100"), "{errors}"),
        _ => assert!(
            errors.contains("its program is nim-analyser 0.2.0"),
            "{errors}"
        ),
    }
}
