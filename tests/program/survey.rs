//! Surveys of many games, as they are run, cut short, shared out and gone on with.

use crate::common::program::{nim_analyser, printed, program};
use assert_cmd::Command;
use nim_analyser::sequence::survey::{Record, Status};
use predicates::str::contains;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

fn survey(words: &str) -> Command {
    nim_analyser(&format!("survey {words}"))
}

/// The records, sorted, without the time that they took.
fn records(text: &str) -> Vec<Record> {
    let read = |line: &str| -> Record {
        let record = serde_json::from_str(line).unwrap();
        Record {
            seconds: 0.0,
            ..record
        }
    };
    let mut records: Vec<Record> = text.lines().map(read).collect();
    records.sort_by(|a, b| a.code.cmp(&b.code));
    records
}

fn file(path: &Path) -> Vec<Record> {
    records(&std::fs::read_to_string(path).unwrap())
}

#[test]
fn a_line_a_game_with_what_is_published() {
    let found = records(&printed(&mut survey(
        "0.07 0.?7 kayles couples-are-forever nim 0.007 --values 3000",
    )));
    let codes: Vec<&str> = found.iter().map(|record| &*record.code).collect();
    assert_eq!(
        codes,
        [
            "0.007",
            "0.07",
            "0.17",
            "0.27",
            "0.37",
            "0.47",
            "0.57",
            "0.67",
            "0.77",
            "0.[3]",
            "couples-are-forever"
        ],
        "each once, kayles being 0.77"
    );
    let of = |code: &str| found.iter().find(|record| record.code == code).unwrap();
    let dawson = of("0.07");
    assert_eq!(dawson.standard_form.as_deref(), Some("0.137"));
    // Winning Ways, and the note on it: the last exception of 0.07 is 52.
    assert_eq!(
        (
            dawson.status,
            dawson.period,
            dawson.last_exception,
            dawson.max
        ),
        (Status::Proved, Some(34), Some(52), Some(9))
    );
    let kayles = of("0.77");
    assert_eq!((kayles.period, kayles.preperiod), (Some(12), Some(71)));
    assert_eq!((kayles.rares, kayles.last_rare), (Some(10), Some(70)));
    let open = of("0.007");
    assert_eq!((open.status, open.values), (Status::None, 3002));
    let nim = of("0.[3]");
    assert_eq!(
        (nim.saltus, nim.max, nim.standard_form.as_deref()),
        (Some(1), None, None)
    );
    assert_eq!(of("couples-are-forever").values, 3000);
}

#[test]
fn the_first_of_values_that_are_all_0_is_that_of_heap_0() {
    let line = printed(&mut survey("0.07 --values 1"));
    assert!(line.contains(r#""max":0,"max_at":0,"#), "{line}");
}

#[test]
fn shares_make_the_whole_and_a_game_is_in_one_with_its_standard_form() {
    let whole = records(&printed(&mut survey("0.?? 4.? --values 500")));
    assert_eq!(whole.len(), 72);
    let mut shares = Vec::new();
    for index in 0..3 {
        let mut command = survey("0.?? 4.? --values 500 --shard env/3");
        let one = command.env("JOB_COMPLETION_INDEX", index.to_string());
        let share = records(&printed(one));
        let other = printed(&mut survey(&format!(
            "0.?? 4.? --values 500 --shard {}/3",
            index + 1
        )));
        assert_eq!(share, records(&other));
        assert!(share.len() > 10);
        shares.push(share);
    }
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let form = |record: &Record| record.standard_form.clone();
        let common = shares[a].iter().any(|one| {
            let also = |other: &Record| form(other).is_some() && form(other) == form(one);
            shares[b].iter().any(also)
        });
        assert!(!common, "a standard form is in two shares");
    }
    let mut together = shares.concat();
    together.sort_by(|a, b| a.code.cmp(&b.code));
    assert_eq!(together, whole);
    let mut outside = survey("0.7 --shard env/3");
    outside.env_remove("SLURM_ARRAY_TASK_ID").assert().code(2);
    for index in ["3", "4294967295"] {
        outside.env("JOB_COMPLETION_INDEX", index).assert().code(2);
    }
}

#[test]
fn a_survey_goes_on_after_a_line_cut_short() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.ndjson");
    let whole = records(&printed(&mut survey("0.?? --values 500")));
    let words = format!("0.?? --values 500 --resume {}", out.display());
    printed(&mut survey(&format!(
        "0.3? --values 500 --resume {}",
        out.display()
    )));
    let text = std::fs::read_to_string(&out).unwrap();
    let line = text.lines().next().unwrap();
    for end in [
        "",
        "\0\0\0",
        "{\"code\":\"0.1",
        &line[..line.len() - 9],
        line,
    ] {
        std::fs::write(&out, format!("{text}{end}")).unwrap();
        let output = survey(&words).assert().success().stdout("");
        let noted = String::from_utf8_lossy(&output.get_output().stderr).contains("cut short");
        assert_eq!(noted, !end.is_empty(), "{end}");
        assert!(std::fs::read_to_string(&out).unwrap().starts_with(&text));
        assert_eq!(file(&out), whole, "{end}");
    }
    // Nothing is left to do, and what is no survey isn't touched.
    let before = std::fs::read(&out).unwrap();
    printed(&mut survey(&words));
    assert_eq!(std::fs::read(&out).unwrap(), before);
}

/// Whatever is no survey's is refused before a byte of it changes.
#[test]
fn a_foreign_file_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let line = |words: &str| printed(&mut survey(&format!("0.77 --values 300 {words}")));
    let (json, csv) = (line(""), line("--format csv"));
    let json = json.as_str();
    let texts = [
        "my only notes".to_owned(),
        "my notes\nof two lines".to_owned(),
        "a,b\nc".to_owned(),
        "{\"name\":\"mine\"}".to_owned(),
        "{\"code\":\"0.77\",\"schema\":1}\n".to_owned(),
        "\0\0\0".to_owned(),
        "\u{7f}ELF\0\u{1}".to_owned(),
        format!("{json}my note below a survey"),
        format!("{json}{{\"code\":\"0.7\",\"note\":"),
        format!("my note above a survey\n{json}"),
        format!("{json}\n{json}"),
        json.replace("\"schema\":1", "\"schema\":2"),
        json.replace("{", "{\"mine\":1,"),
    ];
    for text in texts {
        for format in ["ndjson", "csv"] {
            std::fs::write(&out, &text).unwrap();
            let words = format!("0.0 --values 100 --format {format} --resume");
            let output = survey(&words).arg(&out).assert().code(2).stdout("");
            let errors = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
            assert!(errors.contains("is not the file of a survey"), "{errors}");
            assert_eq!(std::fs::read_to_string(&out).unwrap(), text, "{format}");
        }
    }
    for (format, text) in [("csv", json), ("ndjson", &csv)] {
        std::fs::write(&out, text).unwrap();
        let words = format!("0.0 --values 100 --format {format} --resume");
        survey(&words).arg(&out).assert().code(2);
        assert_eq!(std::fs::read_to_string(&out).unwrap(), text);
    }
    survey("0.0 --resume -")
        .current_dir(&folder)
        .assert()
        .code(2);
    assert!(!folder.path().join("-").exists());
}

const PERIOD: &str = "its period ends behind its values";
const RARES: &str = "its rare values do not fit its values";
const STATUS: &str = "its status does not fit its period";

/// A figure of a line that can't be so, each beside the true one.
#[test]
fn the_figures_of_a_line_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let line = printed(&mut survey("0.77 --values 300"));
    let found = r#""proved","period":12,"preperiod":71,"last_exception":70,"saltus":0,"theorem":"finite octal code""#;
    let refused = r#""refused","period":null,"preperiod":null,"last_exception":null,"saltus":null,"theorem":null"#;
    for (right, wrong, fault) in [
        (r#""period":12"#, r#""period":0"#, PERIOD),
        (r#""period":12"#, r#""period":null"#, STATUS),
        (r#""period":12"#, r#""period":18446744073709551615"#, PERIOD),
        (r#""period":12"#, r#""period":18446744073709551616"#, "u64"),
        (r#""period":12"#, r#""period":-12"#, "u64"),
        (r#""preperiod":71"#, r#""preperiod":400"#, PERIOD),
        (
            r#""last_exception":70"#,
            r#""last_exception":71"#,
            "its last exception",
        ),
        (r#""saltus":0"#, r#""saltus":null"#, STATUS),
        (
            r#""theorem":"finite octal code""#,
            r#""theorem":null"#,
            STATUS,
        ),
        (r#""rares":10"#, r#""rares":1000"#, RARES),
        (r#""rares":10"#, r#""rares":0"#, RARES),
        (r#""last_rare":70"#, r#""last_rare":300"#, RARES),
        (r#""mask":15"#, r#""mask":65536"#, "u16"),
        (r#""mask":15"#, r#""mask":null"#, RARES),
        (
            r#""max":8"#,
            r#""max":65536"#,
            "its largest value is larger",
        ),
        (
            r#""max_at":27"#,
            r#""max_at":300"#,
            "its largest value is at none",
        ),
        (r#""values":168"#, r#""values":82"#, PERIOD),
        (r#""values":168"#, r#""values":1e3"#, "u64"),
        (r#""seconds":0"#, r#""seconds":-1"#, "its seconds"),
        (r#""schema":1"#, r#""schema":0"#, "its schema"),
        (r#""proved""#, r#""none""#, STATUS),
        (r#""proved""#, r#""refused""#, STATUS),
        (found, refused, "its status does not fit its values"),
    ] {
        let changed = line.replacen(right, wrong, 1);
        assert_ne!(changed, line, "{right} stands nowhere in {line}");
        std::fs::write(&out, &changed).unwrap();
        let output = survey("0.77 --resume").arg(&out).assert().code(2);
        let errors = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        let is_told = errors.contains("line 1: ") && errors.contains(fault);
        assert!(is_told, "{wrong}: {errors}");
        assert_eq!(std::fs::read_to_string(&out).unwrap(), changed);
    }
    std::fs::write(&out, &line).unwrap();
    survey("0.77 --resume").arg(&out).assert().success();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), line);
}

/// Games with fewer values than are asked for now are done again, but for those proved and those given up.
#[test]
fn more_values_are_more_work() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["ndjson", "csv"] {
        let out = folder.path().join(format);
        let lines = |values: u64, games: &str| {
            let mut command = survey(&format!("{games} --values {values} --format {format}"));
            let output = command.arg("--resume").arg(&out).assert().success();
            let notes = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
            let text = std::fs::read_to_string(&out).unwrap();
            (text.lines().count() - usize::from(format == "csv"), notes)
        };
        // Two of these are proved at once: Kayles and Nim.
        let games = "0.77 nim 0.007 0.6 {2,3}.07";
        assert_eq!(lines(300, games), (5, String::new()));
        assert_eq!(lines(300, games), (5, String::new()));
        assert_eq!(lines(200, games), (5, String::new()));
        let (count, notes) = lines(1000, games);
        assert!(count > 5, "{notes}");
        let again = format!("{} of the 5 games in ", count - 5);
        assert!(notes.starts_with(&again), "{count}: {notes}");
        assert!(notes.contains("have fewer than 1000 values"), "{notes}");
        assert_eq!(lines(1000, games), (count, String::new()));
    }
    // What time or memory cut short isn't done again by the same command.
    let out = folder.path().join("given up");
    for _ in 0..2 {
        let mut command = survey("0.007 --values 100000 --memory 4K --resume");
        let output = command.arg(&out).assert().success();
        assert_eq!(file(&out).len(), 1);
        drop(output);
    }
    let mut command = survey("0.007 --values 200000 --memory 4K --resume");
    let output = command.arg(&out).assert().success();
    let notes = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(notes.contains("that were stopped: 1"), "{notes}");
}

#[test]
#[cfg(unix)]
fn a_signal_ends_it_after_a_whole_line_and_resume_makes_it_whole() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.ndjson");
    let words = format!("0.??? --values 3000 --threads 2 --resume {}", out.display());
    let mut child = program()
        .arg("survey")
        .args(words.split(' '))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = |path: &Path| {
        std::fs::read_to_string(path)
            .unwrap_or_default()
            .lines()
            .count()
    };
    while lines(&out) < 20 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = std::process::Command::new("kill")
        .arg(child.id().to_string())
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.ends_with('\n') && text.lines().count() < 512);
    printed(&mut survey(&words));
    assert!(std::fs::read_to_string(&out).unwrap().starts_with(&text));
    assert_eq!(
        file(&out),
        records(&printed(&mut survey("0.??? --values 3000")))
    );
}

#[test]
fn csv_has_the_same_cells_and_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let words = format!("--values 300 --format csv --resume {}", out.display());
    printed(&mut survey(&format!(
        "0.77 {{2,3}}!.0 0.{{0,2=,3?}} {words}"
    )));
    printed(&mut survey(&format!(
        "0.{{0,2=,3?}} 4!.0 0.77 0.07 {words}"
    )));
    let text = std::fs::read_to_string(&out).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], Record::KEYS.join(","));
    let kayles = lines.iter().find(|line| line.starts_with("0.77,")).unwrap();
    assert!(
        kayles.starts_with("0.77,0.77,proved,12,71,70,0,finite octal code,10,70,15,false,8,27,")
    );
    assert_eq!(
        lines.len(),
        1 + printed(&mut survey(
            "0.77 {2,3}!.0 0.{0,2=,3?} 4!.0 0.07 --values 300"
        ))
        .lines()
        .count()
    );
}

#[test]
fn lines_and_words_name_games_and_noise_is_told_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("codes");
    std::fs::write(&list, b"# a list\n0.7\r\n\n0.1?\n0.~\n\xff\0\n0.3").unwrap();
    let output = survey(&format!("--values 100 --from {}", list.display()))
        .assert()
        .code(3);
    let output = output.get_output();
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 10);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("line 5 of ") && errors.contains("2 lines name no game"),
        "{errors}"
    );
    let noise: Vec<u8> = (0..300_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 23) as u8)
        .collect();
    let output = survey("- --values 100")
        .write_stdin([&noise[..], b"\n0.77\n"].concat())
        .assert();
    let output = output.code(3).get_output().clone();
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"0.77\""));
    assert!(output.stderr.len() < 8000);
    survey("0.7-").assert().code(2);
    let wythoff = survey("wythoff").assert().code(2).stdout("");
    wythoff.stderr(contains("wythoff is not a sum of piles"));
    let ruler = records(&printed(&mut survey("ruler --values 20")));
    assert_eq!((&*ruler[0].code, ruler[0].max), ("ruler", Some(16)));
    for share in "3 0/4 5/4 1/0 -1/4 +1/4 1/+4 a/4 1/4/4 env/0".split(' ') {
        let share = format!("0.7 --shard={share}");
        survey(&share).assert().code(2).stdout("");
    }
}

#[test]
fn games_come_through_a_pipe_one_by_one() {
    let mut child = program()
        .args(["survey", "-", "--values", "200"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for code in ["0.77", "0.137", "0.07"] {
        writeln!(input, "{code}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.contains(&format!("\"code\":\"{code}\"")), "{line}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    // A device that takes nothing is no file to go on with, but it stands for the disk behind standard output.
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = program()
        .args(["survey", "0.77"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"));
    survey("0.77 --resume /dev/full").assert().code(2);
}

#[test]
fn a_dry_run_prices_each_standard_form_once() {
    let output = survey("0.07 0.137 0.77 --values 1000 --dry-run")
        .assert()
        .success();
    let output = output.get_output();
    let text = String::from_utf8_lossy(&output.stdout);
    let prices: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(prices.len(), 2);
    assert_eq!(
        (&prices[0]["standard_form"], &prices[0]["memory"]),
        (&"0.137".into(), &2000.into())
    );
    assert!(prices[1]["options"].as_u64().unwrap() > 1000);
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("3 games, 2 to compute"));
}

#[test]
fn a_budget_of_time_or_memory_is_told_in_the_line() {
    let found = records(&printed(&mut survey("0.007 --values 1e7 --seconds 0.5")));
    assert_eq!(found[0].why.as_deref(), Some("out of time"));
    assert!(
        found[0].status == Status::None && found[0].values > 1000 && found[0].values < 10_000_000
    );
    let found = records(&printed(&mut survey("0.007 --values 100000 --memory 4K")));
    assert!(
        found[0]
            .why
            .as_deref()
            .unwrap()
            .contains("4 KiB of memory allowed")
    );
    assert_eq!(found[0].values, 2050);
    let found = records(&printed(&mut survey("0.007 --memory 1")));
    assert_eq!((found[0].status, found[0].values), (Status::Refused, 0));
}
