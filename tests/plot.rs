//! `plot`: that every pile is drawn where it belongs, told apart as it should be, and what is refused.

#![cfg(feature = "cli")]

use assert_cmd::Command;
use predicates::str::contains;
use std::fs;
use std::path::Path;

/// The nim-values of Kayles to 30 (*Winning Ways*, vol. 1, ch. 4).
const KAYLES: [u32; 31] = [
    0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8, 5, 4, 7,
];

fn plot(line: &str) -> Command {
    let mut command = Command::cargo_bin("nim-analyser").unwrap();
    command.arg("plot").args(line.split_whitespace());
    command
}

fn svg(directory: &Path, line: &str) -> String {
    let file = directory.join("out.svg");
    plot(line)
        .arg("-o")
        .arg(&file)
        .assert()
        .success()
        .stdout("");
    fs::read_to_string(file).unwrap()
}

/// The number that an attribute holds.
fn number(element: &str, attribute: &str) -> f64 {
    let (_, rest) = element.split_once(&format!("{attribute}=\"")).unwrap();
    rest[..rest.find('"').unwrap()].parse().unwrap()
}

#[test]
fn an_svg_has_a_mark_for_each_pile_at_its_place() {
    let directory = tempfile::tempdir().unwrap();
    let svg = svg(directory.path(), "30 -g kayles");
    for (heap, value) in KAYLES.iter().enumerate() {
        let title = format!("<title>g({heap}) = {value}</title>");
        let line = svg.lines().find(|line| line.contains(&title)).unwrap();
        // Values with an even number of ones are rare: diamonds.
        assert_eq!(
            line.starts_with("<path"),
            value.count_ones() % 2 == 0,
            "{line}"
        );
    }
    assert_eq!(svg.matches("<title>").count(), 31);
    // Pile 1 of value 1, pile 27 of value 8, pile 9 of value 4: x and y are linear.
    let disc = |title: &str| {
        let line = svg.lines().find(|line| line.contains(title)).unwrap();
        (number(line, "cx"), number(line, "cy"))
    };
    let (a, b, c) = (disc("g(1) ="), disc("g(27) ="), disc("g(9) ="));
    assert!((c.0 - a.0 - (b.0 - a.0) * 8.0 / 26.0).abs() < 0.2);
    assert!((c.1 - a.1 - (b.1 - a.1) * 3.0 / 7.0).abs() < 0.2 && b.1 < a.1);
    let marks = svg
        .lines()
        .filter(|line| line.contains("<title>") && line.starts_with("<circle"));
    assert!(
        marks
            .map(|line| number(line, "cx"))
            .all(|x| (40.0..1180.0).contains(&x))
    );
}

#[test]
fn a_picture_tells_the_period_and_whether_it_is_proved() {
    let directory = tempfile::tempdir().unwrap();
    let kayles = svg(directory.path(), "200 -g kayles");
    for words in [
        "kayles (0.77): nim-values of the piles 0 to 200",
        "preperiod 0\u{2013}70",
        "period 12, from 71 on<",
        "rare value (10 piles, the last 70)",
        ">g(n)<",
        ">pile n<",
        ">200<",
    ] {
        assert!(kayles.contains(words), "{words}");
    }
    let seen = svg(directory.path(), "160 -g kayles");
    assert!(seen.contains("period 12, from 71 on (seen, not proved)"));
    let lasker = svg(directory.path(), "100 -g lasker");
    assert!(lasker.contains("period 4, saltus 4, from 1 on<"));
    let none = svg(directory.path(), "2000");
    assert!(!none.contains("period") && none.contains("rare value"));
    let none = svg(directory.path(), "300 -g 0.007");
    assert!(none.contains(">nim-value<") && !none.contains("rare"));
}

fn pixels(file: &Path) -> (u32, u32, Vec<u8>) {
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(file).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    (info.width, info.height, bytes)
}

/// The share of pixels that are nearly of a colour.
fn share(pixels: &[u8], colour: [u8; 3]) -> f64 {
    let near = |pixel: &&[u8]| pixel.iter().zip(colour).all(|(&a, b)| a.abs_diff(b) < 24);
    pixels.chunks(3).filter(near).count() as f64 / (pixels.len() / 3) as f64
}

#[test]
fn a_png_of_a_long_sequence_shows_density_and_no_black_bar() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("out.png");
    for (theme, paper) in [("light", [255, 255, 255]), ("dark", [19, 22, 27])] {
        let line = format!("300000 -g subtraction:1,2,7 --size 800x500 --theme {theme} -o");
        plot(&line).arg(&file).assert().success();
        let (width, height, pixels) = pixels(&file);
        assert_eq!((width, height), (800, 500));
        assert!(share(&pixels, paper) > 0.3, "{theme}");
    }
    let line = "3000 -g kayles --size 800x500 -o";
    plot(line).arg(&file).assert().success();
    let (_, _, pixels) = pixels(&file);
    assert!(share(&pixels, [31, 105, 178]) > 0.01, "common values");
    assert!(share(&pixels, [217, 84, 10]) > 0.0001, "rare values");
}

#[test]
fn the_terminal_gets_a_picture_with_axes() {
    let output = plot("100 -g kayles")
        .assert()
        .success()
        .get_output()
        .clone();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        plot("100 -g kayles --terminal")
            .assert()
            .get_output()
            .stdout,
        text.as_bytes()
    );
    assert!(
        text.starts_with("kayles (0.77): nim-values of the piles 0 to 100\n"),
        "{text}"
    );
    assert!(!text.contains('\x1b') && text.lines().all(|line| line.chars().count() <= 80));
    let dots = text
        .chars()
        .filter(|c| ('\u{2801}'..='\u{28ff}').contains(c));
    let dots: u32 = dots.map(|c| (c as u32 - 0x2800).count_ones()).sum();
    assert_eq!(dots, 101, "{text}");
    let axis = text.lines().last().unwrap();
    assert_eq!(axis.split_whitespace().next(), Some("0"), "{text}");

    let output = plot("3000 --color always")
        .assert()
        .success()
        .get_output()
        .clone();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains('░') && text.contains('█') && text.contains("\x1b["),
        "{text}"
    );
}

#[test]
fn the_smallest_pictures_are_drawn() {
    let directory = tempfile::tempdir().unwrap();
    for line in [
        "0",
        "0 -g nim",
        "5 --from 5",
        "18446744073709551615 --from 18446744073709551615 -g nim",
    ] {
        assert_eq!(
            svg(directory.path(), line).matches("<title>").count(),
            1,
            "{line}"
        );
        plot(line).assert().success();
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_leaves_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |line: &str, file: Option<&str>, text: &'static str| {
        let mut command = plot(line);
        if let Some(file) = file {
            command.arg("-o").arg(directory.path().join(file));
        }
        command.assert().code(2).stdout("").stderr(contains(text));
        assert!(
            fs::read_dir(directory.path()).unwrap().next().is_none(),
            "{line}"
        );
    };
    refused(
        "10 --from 11",
        Some("a.svg"),
        "nothing to plot: --from 11 is beyond the last pile 10",
    );
    refused("10", Some("a.gif"), "says no format; it is .svg or .png");
    refused("10", Some("a"), "says no format");
    refused(
        "10 --format gif",
        Some("a.svg"),
        "possible values: svg, png",
    );
    refused("10 --size 10x10", Some("a.svg"), "from 400x300");
    refused("10 --terminal", Some("a.svg"), "cannot be used with");
    refused("20000", Some("a.svg"), "more than 20000 points");
    refused("10 -g wythoff", Some("a.svg"), "is not a sum of heaps");
    refused("10 -g kaylse", Some("a.svg"), "did you mean");
    refused("10 --misere", None, "misère play");
    plot("10 -o /no/such/a.svg")
        .assert()
        .code(3)
        .stderr(contains("can't be written"));
}
