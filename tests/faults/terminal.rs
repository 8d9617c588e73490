//! A session at a real terminal: a pseudo-terminal is typed at, and its screen read.

use rexpect::process::PtyProcess;
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Long enough for a busy machine; a screen that is right is seen at once.
const PATIENCE: Duration = Duration::from_secs(30);

struct Terminal {
    _process: PtyProcess,
    keyboard: File,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

impl Terminal {
    /// A shell that tells the terminal's settings before and after the program runs, and its exit code.
    fn playing(words: &str) -> Terminal {
        Terminal::playing_after("true", words)
    }

    /// As [`Terminal::playing`], and the program starts once a command is done.
    fn playing_after(command: &str, words: &str) -> Terminal {
        let program = env!("CARGO_BIN_EXE_nim-analyser");
        let mut shell = Command::new("sh");
        let script = format!(
            "echo before $(stty -g); {command}; {program} play {words}; echo code $?; echo after $(stty -g)"
        );
        shell.args(["-c", &script]);
        shell
            .env("LC_ALL", "C.UTF-8")
            .env("TERM", "xterm")
            .env_remove("NO_COLOR");
        let process = PtyProcess::new(shell).unwrap();
        let keyboard = process.get_file_handle().unwrap();
        let mut tty = process.get_file_handle().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = tty.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Terminal {
            _process: process,
            keyboard,
            output,
            screen: vt100::Parser::new(size(50), size(80), 0),
        }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Types a line once the prompt is there, and waits until it is on the screen.
    fn answer(&mut self, line: &str) {
        self.wait("a prompt", |screen| last_line(screen).ends_with('>'));
        self.press(line);
        self.see(&format!("> {line}"));
        self.press("\r");
    }

    /// The screen once it shows the text.
    fn see(&mut self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }

    fn wait(&mut self, what: &str, met: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let contents = self.screen.screen().contents();
            if met(&contents) {
                return contents;
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(error) => panic!("no `{what}` on the screen ({error}):\n{contents}"),
            }
        }
    }
}

fn last_line(screen: &str) -> &str {
    screen
        .trim_end()
        .lines()
        .last()
        .unwrap_or_default()
        .trim_end()
}

/// What follows a word at the start of a line.
fn after<'s>(screen: &'s str, word: &str) -> &'s str {
    let line = screen.lines().find_map(|line| line.strip_prefix(word));
    line.unwrap_or_else(|| panic!("no line `{word}` in\n{screen}"))
        .trim()
}

const BEGINNING: &str = "   1234567\n   ∗∗∗∗∗∗∗\n";

#[test]
fn a_person_asks_for_a_hint_errs_takes_back_and_leaves_by_ctrl_c() {
    let mut terminal = Terminal::playing("-g kayles 7");
    let screen = terminal.see("your move>");
    assert!(screen.contains(BEGINNING), "{screen}");
    terminal.answer("hint");
    terminal.see("Hint: a move wins; look at the run from 1 to 7.");
    terminal.answer("hint");
    terminal.see("Hint: take 1 at 4. That wins.");
    terminal.answer("3 9");
    terminal.see("No: from 3 on there are only 5 adjacent stones.");
    terminal.answer("1 1");
    let screen = terminal.see("The perfect player takes 1 at 3.");
    assert!(screen.contains("You take 1 at 1."), "{screen}");
    terminal.see("   1234567\n   ×∗×∗∗∗∗\n");
    terminal.answer("undo");
    let screen = terminal.see("The last 2 moves are taken back.");
    terminal.wait("the board again", |screen| {
        screen.matches(BEGINNING).count() == 2
    });
    assert_eq!(screen.matches("No: ").count(), 1, "{screen}");
    // The line is edited and the history recalled: Up twice is the move before `undo`; its last key is replaced.
    terminal.wait("a prompt", |screen| last_line(screen) == "your move>");
    terminal.press("\x1b[A\x1b[A\x7f2\r");
    terminal.see("You take 2 at 1.");
    terminal.wait("a prompt", |screen| last_line(screen) == "your move>");
    terminal.press("half a li\x03");
    let screen = terminal.wait("the end", |screen| screen.contains("\nafter "));
    assert_eq!(after(&screen, "code"), "130");
    assert_eq!(
        after(&screen, "before"),
        after(&screen, "after"),
        "the terminal isn't as it was"
    );
    assert!(!terminal.screen.screen().bracketed_paste());
}

#[test]
fn a_won_game_is_told_in_green_and_ctrl_d_is_a_clean_end() {
    let mut terminal = Terminal::playing("-g nim 2 --second random");
    terminal.answer("2 -> 0");
    terminal.see("You win with the last move, as predicted.");
    let win = (0..50).find(|&row| {
        terminal
            .screen
            .screen()
            .contents_between(row, 0, row, 80)
            .contains("You win")
    });
    let cell = terminal.screen.screen().cell(win.unwrap(), 0).unwrap();
    assert_eq!(
        (cell.contents(), cell.fgcolor()),
        ("Y", vt100::Color::Idx(2))
    );
    terminal.wait("a prompt", |screen| {
        last_line(screen) == "new, undo or quit>"
    });
    terminal.press("\x04");
    let screen = terminal.wait("the end", |screen| screen.contains("\nafter "));
    assert_eq!(after(&screen, "code"), "0");
    assert_eq!(after(&screen, "before"), after(&screen, "after"));
}

#[test]
fn a_record_is_stepped_through() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.jsonl");
    let mut terminal = Terminal::playing(&format!("-g kayles 2 --record {}", file.display()));
    terminal.answer("1 1");
    terminal.answer("quit");
    terminal.see("code 0");
    let mut terminal = Terminal::playing(&format!("--replay {}", file.display()));
    let screen = terminal.see("That throws the win away.");
    assert!(!screen.contains("After 1 move:"), "{screen}");
    terminal.answer("");
    let screen = terminal.see("After 1 move:");
    assert!(!screen.contains("After 2 moves:"), "{screen}");
    terminal.answer("q");
    let screen = terminal.see("code 0");
    assert!(!screen.contains("After 2 moves:"), "{screen}");
}

fn size(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).unwrap()
}

#[test]
fn the_list_of_games_keeps_within_the_terminal() {
    let program = env!("CARGO_BIN_EXE_nim-analyser");
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        &format!("stty cols 80 rows 50; {program} games; echo all do''ne"),
    ]);
    let process = PtyProcess::new(shell).unwrap();
    let mut tty = process.get_file_handle().unwrap();
    let (mut text, mut bytes) = (String::new(), [0; 4096]);
    while !text.contains("all done") {
        let count = tty.read(&mut bytes).unwrap();
        text.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    assert!(text.contains("treblecross"), "{text}");
    for line in text.lines() {
        assert!(line.trim_end().chars().count() <= 80, "{line}");
    }
}

#[test]
fn pictures_fit_a_narrow_terminal() {
    let stones = |count| "∗".repeat(count);
    let row = format!(
        "         1         2         3\n   {}\n",
        "1234567890".repeat(3)
    );
    let rest = format!("         4\n   123456789012345\n   {}\n", stones(15));
    let row = format!("   {row}   {}\n\n   {rest}", stones(30));
    let pile = format!("   100  {}…\n", stones(31));
    for (words, picture) in [("kayles 45", row), ("nim 100", pile)] {
        let mut terminal = Terminal::playing_after("stty cols 40 rows 50", words);
        let screen = terminal.see("your move>");
        assert!(screen.contains(&picture), "{screen}");
        terminal.press("\x04");
    }
}

#[test]
fn what_is_typed_ahead_is_kept() {
    for (keys, code) in [
        ("moves\r2 from 3\rquit\r", "0"),
        ("moves\r2 from 3\r\x04", "0"),
        ("moves\r2 from 3\r\x03", "130"),
        ("moves\r2 from 3\rhalf a li\x03", "130"),
    ] {
        let mut terminal = Terminal::playing("-g nim 3 4 5");
        terminal.wait("a prompt", |screen| last_line(screen) == "your move>");
        // All at once, as fast as a person can't and a paste can.
        terminal.press(keys);
        let screen = terminal.wait("the end", |screen| screen.contains("\nafter "));
        assert!(screen.contains("#12 take the whole of pile 5"), "{screen}");
        assert!(screen.contains("You take 2 from pile 3"), "{screen}");
        assert_eq!(after(&screen, "code"), code, "{screen}");
        assert_eq!(after(&screen, "before"), after(&screen, "after"));
    }
}

#[test]
fn what_is_typed_before_the_program_starts_is_kept() {
    for keys in ["2 from 3\r\x04", "2 from 3\rquit\r"] {
        let mut terminal = Terminal::playing_after("sleep 1", "-g nim 3 4 5");
        terminal.see("before");
        terminal.press(keys);
        let screen = terminal.wait("the end", |screen| screen.contains("\nafter "));
        assert!(screen.contains("You take 2 from pile 3"), "{screen}");
        assert_eq!(after(&screen, "code"), "0", "{screen}");
    }
}
