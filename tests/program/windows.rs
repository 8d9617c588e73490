//! Bounded memory: a window of values, periods proved by the window theorem, and certificates in segments.

use crate::common::program::{nim_analyser, printed, program, run, stdout};
use crate::common::rng::Rng;
use crate::common::solved;
use assert_cmd::Command;
use nim_analyser::Error;
use nim_analyser::app::report::sequence::{Format, Stretch};
use nim_analyser::engine::Effort;
use nim_analyser::sequence::Sequence;
use nim_analyser::sequence::period::segments::{Segments, Window};
use nim_analyser::sequence::period::{Finding, Period, Proof};
use predicates::prelude::*;
use std::fs;
use std::path::Path;

fn effort() -> Effort {
    Effort::default().threads(1).steps(200_000_000)
}

/// What a search in a window with so many values proves, and the sequence.
fn search(game: &str, limit: u64) -> (Sequence, Option<Proof>) {
    let mut sequence = Sequence::with_effort(game.parse().unwrap(), effort());
    sequence.keep_window().unwrap();
    let proof = match sequence.find_period(limit - 1).unwrap() {
        Finding::Proved(proof) => Some(proof),
        _ => None,
    };
    assert_eq!(sequence.proof().copied(), proof);
    let again = sequence.find_period(sequence.computed() - 1).unwrap();
    assert_eq!(matches!(again, Finding::Proved(_)), proof.is_some());
    (sequence, proof)
}

fn certificate(game: &str, limit: u64) -> Segments {
    let (sequence, proved) = search(game, limit);
    sequence.segments(&proved.unwrap()).unwrap()
}

fn by_table(game: &str, limit: u64) -> (Sequence, Option<Period>) {
    let mut sequence = Sequence::with_effort(game.parse().unwrap(), effort());
    let found = sequence.find_period(limit);
    let proved = match found {
        Ok(Finding::Proved(proof)) => Some(proof.period),
        _ => None,
    };
    (sequence, proved)
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn values_in_a_window_are_those_of_a_table() {
    let shown = |sequence: &mut Sequence, to, from| {
        let mut values = Vec::new();
        let taken = sequence.compute(to, from, &mut |heap, block| {
            assert_eq!(heap, from + values.len() as u64);
            values.extend_from_slice(block);
            Ok::<_, Error>(())
        });
        taken.map(|()| values)
    };
    let mut rng = Rng::new(13, 0);
    let random: Vec<String> = (0..3).map(|_| random_code(&mut rng)).collect();
    let named = ["0.106", "0.744", "0.16", "0.146", "kayles", "0.3"].map(String::from);
    let mut in_window = 0;
    for game in named.iter().chain(&random) {
        let mut table = Sequence::with_effort(game.parse().unwrap(), effort());
        let Ok(wanted) = shown(&mut table, 100_000, 75_000) else {
            continue;
        };
        // From the first heaps on, and from those of a table.
        for known in [0, 80_000] {
            let mut window = Sequence::with_effort(game.parse().unwrap(), effort());
            window.fill(known).unwrap();
            if let Err(unfit) = window.keep_window() {
                assert!(
                    matches!(unfit, Error::EngineUnfit { .. }),
                    "{game}: {unfit}"
                );
                assert!(!window.is_in_window() && window.values().reaches(known));
                continue;
            }
            in_window += 1;
            assert_eq!(
                shown(&mut window, 100_000, 75_000).unwrap(),
                wanted,
                "{game} {known}"
            );
            assert_eq!(window.computed(), 100_001);
            assert_eq!(window.largest(), table.largest(), "{game}");
            assert!(matches!(window.reach(5), Err(Error::Forgotten { heap: 5 })));
        }
    }
    assert!(in_window >= 6, "{in_window}");
}

/// Both theorems, on codes whose values show a sparse space: some with long periods, and random ones.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn the_window_theorem_agrees_with_guy_and_smith() {
    let solved = ["0.16", "0.156", "0.356", "0.56"].map(String::from);
    let agreed = agreed(&solved, 1_000_000);
    assert_eq!(agreed, 4);
    let mut rng = Rng::new(11, 0);
    let random: Vec<String> = (0..30).map(|_| random_code(&mut rng)).collect();
    // More values of some, of a great many rare ones, take half a minute.
    let agreed = self::agreed(&random, 16_000);
    assert!(agreed >= 5, "{agreed}");
}

/// `cargo test --release --test program windows -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn the_window_theorem_agrees_with_guy_and_smith_on_many_codes() {
    let mut rng = Rng::new(12, 0);
    let random: Vec<String> = (0..400).map(|_| random_code(&mut rng)).collect();
    let agreed = self::agreed(&random, 100_000);
    assert!(agreed >= 20, "{agreed}");
}

/// All that are published and that Guy and Smith's theorem reaches, 0.106 not. The command as above.
#[test]
#[ignore = "takes minutes, and half a GB"]
fn both_theorems_agree_on_every_solved_game() {
    let codes = solved().into_iter().map(|(code, ..)| code);
    let mut codes: Vec<String> = codes.filter(|code| code != "0.106").collect();
    codes.dedup();
    let agreed = self::agreed(&codes, 500_000_000);
    assert!(agreed >= 20, "{agreed}");
}

fn random_code(rng: &mut Rng) -> String {
    format!("0.{:04o}", rng.below(0o10000))
}

/// How many codes both theorems prove a period of, the same one.
fn agreed(codes: &[String], limit: u64) -> u32 {
    let mut agreed = 0;
    for code in codes {
        let mut first = Sequence::with_effort(code.parse().unwrap(), effort());
        first.fill(4095).unwrap();
        if first.sparse_space(4095).is_none() {
            continue;
        }
        let (_, Some(by_table)) = by_table(code, limit) else {
            continue;
        };
        if first.keep_window().is_err() {
            continue;
        }
        // Where windows prove anything, they do from half as many values as the other theorem wants.
        let enough = 2 * (by_table.preperiod + by_table.period);
        let (_, proved) = search(code, enough.max(300_000));
        if let Some(proved) = proved {
            assert_eq!(proved.period, by_table, "{code}");
            println!("{code}: {by_table:?}");
            agreed += 1;
        }
    }
    println!("{agreed} of {} agreed", codes.len());
    agreed
}

fn write(directory: &Path, certificate: &Segments) -> String {
    let file = directory.join("certificate.json");
    fs::write(&file, serde_json::to_string(certificate).unwrap()).unwrap();
    file.display().to_string()
}

#[test]
fn a_certificate_is_checked_in_parts_and_the_parts_are_joined() {
    let directory = tempfile::tempdir().unwrap();
    let certificate = certificate("0.16", 1_000_000);
    let last = certificate.windows.len() - 1;
    let file = write(directory.path(), &certificate);
    nim_analyser(&["verify", &file])
        .assert()
        .success()
        .stdout(predicate::str::starts_with(
            "The certificate is right: 0.16 has the period 149459 from pile 105351 on.\n",
        ));
    let mut files = Vec::new();
    for (number, choice) in [
        ["--segments", "0..1"],
        ["--shard", "1/2"],
        ["--shard", "2/2"],
    ]
    .iter()
    .enumerate()
    {
        let output = printed(nim_analyser(&["verify", &file, "--json"]).args(choice));
        let result = directory.path().join(number.to_string());
        fs::write(&result, output).unwrap();
        files.push(result.display().to_string());
    }
    nim_analyser(&["verify", &file, "--join", &files[0]])
        .assert()
        .code(3)
        .stderr(predicate::str::contains(format!(
            "the joined results lack segments 2..{last}"
        )))
        .stdout(
            predicate::str::contains("Checked: 2 of")
                .and(predicate::str::contains(format!("Not checked: 2..{last}."))),
        );
    for (sample, again) in [("0", 0), ("2", 2), ("100%", last + 1)] {
        nim_analyser(&["verify", &file, "--join", &files[0], &files[1], &files[2]])
            .args(["--sample", sample])
            .assert()
            .success()
            .stdout(predicate::str::starts_with("The certificate is right").and(
                predicate::str::contains(format!("checked again: {again} of them")),
            ));
    }
    for sample in ["0", "+1%"] {
        nim_analyser(&["verify", &file, "--sample", sample])
            .assert()
            .code(2);
    }
    nim_analyser(&["verify", &file, "--sample", "1%"])
        .assert()
        .success()
        .stdout(predicate::str::contains("Checked: 1 of"));
    nim_analyser(&["verify", &file, "--segments", "0..999"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains(format!("are 0..{last}")));
}

#[test]
fn a_false_certificate_is_refused_with_the_place() {
    let directory = tempfile::tempdir().unwrap();
    let right = certificate("0.16", 1_000_000);
    let refused = |change: &dyn Fn(&mut Segments), words: &[&str]| {
        let mut wrong = right.clone();
        change(&mut wrong);
        let file = write(directory.path(), &wrong);
        let (code, out, text) = run(&["verify", &file]);
        assert_eq!((code, out.as_str()), (3, ""));
        for word in words {
            assert!(text.contains(word), "{word} in {text}");
        }
    };
    let flip = |stretch: &mut Window| {
        let end = stretch.values.len() - 40;
        let digit = if &stretch.values[end..=end] == "0" {
            "1"
        } else {
            "0"
        };
        stretch.values.replace_range(end..=end, digit);
    };
    refused(&|c| flip(&mut c.windows[3]), &["windows", "segment"]);
    refused(&|c| flip(&mut c.windows[0]), &["period", "are equal"]);
    refused(&|c| drop(c.windows.pop()), &["windows", "missing"]);
    refused(&|c| c.windows.swap(0, 1), &["windows", "window 1"]);
    refused(
        &|c| c.windows[1].values.truncate(100),
        &["windows", "window 1", "cut short"],
    );
    refused(
        &|c| {
            c.rares.pop();
        },
        &["rares", "13935"],
    );
    refused(&|c| c.rares[3].1 += 1, &["rares", "number 3"]);
    refused(&|c| c.mask = 3, &["mask"]);
    refused(&|c| c.depth -= 1, &["window"]);
    refused(&|c| c.period += 1, &["windows"]);
    refused(&|c| c.preperiod -= 1, &["preperiod"]);
    refused(&|c| c.code = Some("0.17".to_owned()), &["code"]);
    // Twice the period is one, but not the least.
    let (mut table, _) = by_table("0.16", 0);
    table.fill(700_000).unwrap();
    let values = |before: u64| {
        let values =
            (before - right.window..before).map(|heap| table.table().get(heap as usize).unwrap());
        Window {
            before,
            values: values.map(|value| format!("{value:02x}")).collect(),
        }
    };
    refused(
        &|c| {
            c.period *= 2;
            let reach = c
                .windows
                .iter()
                .find(|w| w.before == c.start)
                .unwrap()
                .values
                .len() as u64
                / 2;
            let end = c.start + c.period;
            let mut last = values(end);
            let before: String = (end - reach..end - c.window)
                .map(|heap| format!("{:02x}", table.table().get(heap as usize).unwrap()))
                .collect();
            last.values.insert_str(0, &before);
            c.windows.push(values(c.start + 2));
            c.windows.push(last);
            c.windows.sort_by_key(|window| window.before);
            c.windows.dedup_by_key(|window| window.before);
        },
        &["period", "149459 is one as well"],
    );
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn the_checker_in_python_agrees() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("there is no python3 here");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/check_segments.py");
    let check = |certificate: &Segments, segments: [&str; 2]| {
        let file = write(directory.path(), certificate);
        Command::new("python3")
            .args([checker, &file])
            .args(segments)
            .assert()
    };
    let mut short = certificate("0.16", 1_000_000);
    check(&short, ["1", "2"])
        .success()
        .stdout("segment 1 is right\nsegment 2 is right\n");
    let mut wrong = short.clone();
    wrong.windows[2].values.replace_range(8000..8002, "09");
    check(&wrong, ["1", "2"])
        .code(1)
        .stderr(predicate::str::contains("segment 2"));
    short.rares[3].1 += 1;
    check(&short, ["1", "2"])
        .code(1)
        .stderr(predicate::str::contains("rares"));
}

#[cfg(unix)]
#[test]
fn a_killed_search_goes_on_and_two_at_once_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("run.ck");
    let file = file.to_str().unwrap();
    let search = [
        // A search by bounded memory from the beginning, where `period` begins with a table.
        "invariants",
        "-q",
        "--json",
        "0.104",
        "--to",
        "6000000",
        "--threads",
        "1",
    ];
    let saved = [
        &search[..],
        &["--checkpoint", file, "--checkpoint-every", "0.05"],
    ]
    .concat();
    let line =
        |args: &[&str]| String::from_utf8(nim_analyser(args).output().unwrap().stdout).unwrap();
    let whole = line(&search);
    assert!(whole.contains("\"to\":6000000"), "{whole}");
    let mut child = program()
        .args(&saved)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let windows = format!("{file}.windows");
    crate::common::running::wait_until(|| fs::metadata(&windows).is_ok_and(|data| data.len() > 0));
    child.kill().ok();
    child.wait().unwrap();
    {
        let lock = fs::File::open(&windows).unwrap();
        lock.lock().unwrap();
        let other = nim_analyser(&saved).assert().code(3);
        other.stderr(predicate::str::contains("another process is using"));
    }
    // What belongs to no search is not written over.
    let foreign = directory.path().join("text.ck");
    let beside = directory.path().join("text.ck.windows");
    fs::write(&beside, "Windows to be cleaned\n").unwrap();
    let refused = nim_analyser(&search)
        .arg("--checkpoint")
        .arg(&foreign)
        .assert()
        .code(3);
    refused.stderr(predicate::str::contains("has other things in it"));
    assert_eq!(fs::read(&beside).unwrap(), b"Windows to be cleaned\n");
    // A snapshot that was half written when the search was killed.
    let mut bytes = fs::read(&windows).unwrap();
    bytes.extend((1u64 << 40).to_le_bytes());
    fs::write(&windows, bytes).unwrap();
    assert_eq!(line(&saved), whole);
    let all = fs::read(file).unwrap();
    fs::write(file, &all[..all.len() / 2]).unwrap();
    let broken = nim_analyser(&saved).assert().code(3);
    broken.stderr(predicate::str::contains("is broken: it is cut short"));
    // Another game's search.
    fs::write(file, &all).unwrap();
    let other: Vec<&str> = saved
        .iter()
        .map(|&word| if word == "0.104" { "0.106" } else { word })
        .collect();
    let refused = nim_analyser(&other).assert().code(3);
    refused.stderr(predicate::str::contains(
        "belongs to another run: its game is 0.104, here it is 0.106",
    ));
    // Another version's.
    let length = 12 + u32::from_le_bytes(all[8..12].try_into().unwrap()) as usize;
    let head = String::from_utf8(all[12..length].to_vec()).unwrap();
    let head = [&all[..12], head.replace("search 1", "search 9").as_bytes()].concat();
    let checksum = crc32fast::hash(&head).to_le_bytes();
    let newer = [&head[..], &checksum, &all[length + 4..]].concat();
    fs::write(file, &newer).unwrap();
    let refused = nim_analyser(&saved).assert().code(3);
    refused.stderr(predicate::str::contains(
        "its content is window search 9, here it is window search 1",
    ));
    assert_eq!(fs::read(file).unwrap(), newer);
    fs::write(file, &all).unwrap();
    // Snapshots changed, cut short or lost are no reason to go on without them, nor to write over the rest.
    let bytes = fs::read(&windows).unwrap();
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    for broken in [changed, bytes[..bytes.len() - 1].to_vec(), Vec::new()] {
        fs::write(&windows, &broken).unwrap();
        let refused = nim_analyser(&saved).assert().code(3);
        refused.stderr(predicate::str::contains("windows is broken at byte"));
        assert_eq!(fs::read(&windows).unwrap(), broken);
        assert_eq!(fs::read(file).unwrap(), all);
    }
    fs::write(&windows, bytes).unwrap();
    assert_eq!(line(&saved), whole);
}

/// Values far out are computed in a window, and written as a table of all writes them.
#[test]
fn values_far_out_are_those_of_a_table() {
    let (game, last) = ("0.106", 4_500_000);
    let mut table = Sequence::with_effort(game.parse().unwrap(), effort());
    table.fill(last).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).display().to_string();
    let wanted = |from: u64, to: u64, format: Format| {
        let mut bytes = Vec::new();
        let stretch = Stretch {
            game: game.to_owned(),
            from,
            to,
            offset: from.into(),
        };
        stretch.write(&table.values(), format, &mut bytes).unwrap();
        bytes
    };
    // Longer than what the window keeps.
    let npy = file("all.npy");
    nim_analyser(&["values", "4500000", "-g", game, "-o", &npy])
        .assert()
        .success();
    assert!(fs::read(&npy).unwrap() == wanted(0, last, Format::Npy));
    // The last ones, saved on the way; those of a smaller bound are forgotten then.
    let checkpoint = file("run.ck");
    let last_ones = |to: u64| {
        let (from, to) = ((to - 20).to_string(), to.to_string());
        nim_analyser(&["values", &to, "-q", "-g", game, "--from", &from])
            .args(["--checkpoint", &checkpoint])
            .assert()
    };
    for to in [4_400_000, last] {
        let output = last_ones(to).success();
        assert!(output.get_output().stdout == wanted(to - 20, to, Format::Text));
    }
    assert!(fs::metadata(&checkpoint).unwrap().len() < 3 << 20);
    nim_analyser(&["values", "1e18", "-g", game, "--from", "999999999999999999"])
        .assert()
        .code(3)
        .stderr(predicate::str::contains("one after another"));
}

/// Figures of M. Rogalski's solver (github.com/rogalski-wmii-uni-lodz-pl/octal, MIT licence, results/): how many of the
/// piles from 1 on have each nim-value.
#[test]
fn frequencies_of_nim_values_are_those_published() {
    #[derive(serde::Deserialize)]
    struct Published {
        game: String,
        piles: u64,
        counts: Vec<u64>,
    }
    let published: Vec<Published> =
        serde_json::from_str(include_str!("../data/frequencies.json")).unwrap();
    assert_eq!(published.len(), 5);
    for Published {
        game,
        piles,
        counts,
    } in published
    {
        // Of 1,024 piles by a table, of more by a search in bounded memory.
        let to = piles.to_string();
        let words = [
            "invariants",
            &game,
            "--to",
            &to,
            "--histogram",
            "--json",
            "-q",
        ];
        let output: serde_json::Value = serde_json::from_str(&stdout(&words)).unwrap();
        let histograms = output["histograms"].as_array().unwrap();
        let same = histograms.iter().find(|found| found["to"] == piles);
        assert_eq!(
            same.unwrap()["counts"],
            serde_json::json!(counts),
            "{game} to {to}"
        );
    }
    nim_analyser(&["invariants", "kayles", "--to", "20", "--histogram"])
        .assert()
        .success()
        .stdout(predicate::str::contains(
            "nim-value  piles from 1 to 20\n1          6\n",
        ));
    let few = stdout("invariants kayles --to 5 --histogram --json");
    let wanted = r#"[{"to":1,"counts":[0,1]},{"to":2,"counts":[0,1,1]},{"to":4,"counts":[0,2,1,1]},{"to":5,"counts":[0,2,1,1,1]}]"#;
    assert!(
        few.ends_with(&format!("\"histograms\":{wanted}}}\n")),
        "{few}"
    );
    nim_analyser(&[
        "invariants",
        "0.106",
        "--to",
        "1e5",
        "--histogram",
        "--checkpoint",
        "x.ck",
    ])
    .assert()
    .code(2);
}

#[test]
fn invariants_are_those_published() {
    // The rare values by Flammenkamp, as the OEIS has them (A071458 for 0.106).
    for (game, words) in [
        (
            "0.106",
            &[
                "rare values     15 (pile 0 is common)",
                "last rare pile  1103",
            ][..],
        ),
        (
            "0.054",
            &["rare values     37 (38 with pile 0)", "last rare pile  796"],
        ),
        (
            "0.16",
            &[
                "rare values     52 (53 with pile 0)",
                "last rare pile  13935",
                "deepest proof   21577, first at pile 204752",
            ],
        ),
    ] {
        let mut assert = nim_analyser(&["invariants", game, "--to", "2^18"])
            .assert()
            .success();
        for word in words {
            assert = assert.stdout(predicate::str::contains(*word));
        }
    }
    let few = nim_analyser(&["invariants", "0.106", "--to", "3000", "--json"])
        .assert()
        .success();
    few.stdout(predicate::str::contains(
        "\"rare\":15,\"rare_with_heap_0\":15,\"last_rare\":1103",
    ));
    let checkpoint = tempfile::tempdir().unwrap();
    let checkpoint = checkpoint.path().join("run.ck").display().to_string();
    let saved = |to: &str| {
        nim_analyser(&["invariants", "0.16", "--to", to, "-q"])
            .args(["--checkpoint", &checkpoint])
            .assert()
    };
    let whole = |to: &str| {
        let output = nim_analyser(&["invariants", "0.16", "--to", to]).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    for to in ["2^20", "2^21"] {
        saved(to).success().stdout(whole(to));
    }
    saved("2^18").code(2).stderr(predicate::str::contains(
        "up to pile 2097152, beyond 262144",
    ));
    let none = nim_analyser(&["invariants", "nim", "--to", "1000"])
        .assert()
        .code(2);
    none.stderr(predicate::str::contains("sparse space"));
}
