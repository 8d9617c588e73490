//! `plot`: that every pile is drawn where it belongs, told apart as it should be, and what is refused.

use crate::common::program::{nim_analyser, printed};
use assert_cmd::Command;
use predicates::str::contains;
use std::fs;
use std::path::Path;

/// The nim-values of Kayles to 30 (*Winning Ways*, vol. 1, ch. 4).
const KAYLES: [u32; 31] = [
    0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8, 5, 4, 7,
];

fn plot(line: &str) -> Command {
    let mut command = nim_analyser(&format!("plot {line}"));
    command.env("LC_ALL", "C.UTF-8");
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
fn games_with_a_formula_are_drawn_as_far_as_others() {
    let directory = tempfile::tempdir().unwrap();
    for game in [["--rule", "take up to half"], ["-g", "ruler"]] {
        let file = directory.path().join("formula.png");
        let mut command = nim_analyser("plot 20000");
        command.args(game).arg("-o").arg(&file).assert().success();
        assert!(fs::metadata(file).unwrap().len() > 1000, "{game:?}");
    }
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
            value.count_ones().is_multiple_of(2),
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
    let seen = svg(directory.path(), "60 -g {2+}.0");
    assert!(seen.contains(" (seen, not proved)<"), "{seen}");
    // A proof that needs values beyond the picture is made all the same.
    for last in ["100", "167"] {
        let within = svg(directory.path(), &format!("{last} -g kayles"));
        assert!(within.contains("period 12, from 71 on<"), "{last}");
    }
    let beyond = svg(directory.path(), "30 -g kayles");
    assert!(beyond.contains("preperiod 0\u{2013}70<"));
    assert!(beyond.contains("period 12, from 71 on, beyond this picture<"));
    // The band of the preperiod is all of the picture then, and there is none of the period but in the legend.
    let bands = |svg: &str, colour: &str| svg.matches(&format!("fill=\"{colour}\"")).count();
    assert_eq!(
        (bands(&beyond, "#fcf0d8"), bands(&beyond, "#ecf2f8")),
        (2, 1)
    );
    let lasker = svg(directory.path(), "100 -g lasker");
    assert!(lasker.contains("period 4, saltus 4, from 1 on<"));
    let none = svg(directory.path(), "2000");
    assert!(!none.contains("period") && none.contains("rare value"));
    let none = svg(directory.path(), "300 -g dawsons-kayles");
    assert!(
        none.contains(">nim-value<") && !none.contains("rare"),
        "{none}"
    );
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
    // The colours of the paper and of many piles on a spot.
    for (theme, paper, many) in [
        ("light", [255, 255, 255], [6, 32, 84]),
        ("dark", [19, 22, 27], [216, 238, 255]),
    ] {
        let line = format!("300000 -g subtraction:1,2,7 --size 800x500 --theme {theme} -o");
        plot(&line).arg(&file).assert().success();
        let (width, height, pixels) = pixels(&file);
        assert_eq!((width, height), (800, 500));
        assert!(share(&pixels, paper) > 0.3, "{theme}");
        assert!(share(&pixels, many) > 0.02, "{theme}");
    }
    let line = "3000 -g kayles --size 800x500 -o";
    plot(line).arg(&file).assert().success();
    let (_, _, pixels) = pixels(&file);
    assert!(share(&pixels, [31, 105, 178]) > 0.01, "common values");
    assert!(share(&pixels, [217, 84, 10]) > 0.0001, "rare values");
}

/// Letters of Latin alphabets by their shapes, others by a box that is no blank.
#[test]
fn an_svg_has_no_character_that_xml_forbids() {
    let mut command = plot("5 -g kayles --format svg --title");
    command.arg("a\u{fffe}\u{ffff}b");
    assert!(printed(&mut command).contains(">a\u{fffd}\u{fffd}b</title>"));
}

#[test]
fn a_png_has_every_letter_of_its_title() {
    let directory = tempfile::tempdir().unwrap();
    let picture = |title: &str| {
        let file = directory.path().join(format!("{title}.png"));
        let mut plot = plot("20 -g kayles --size 400x300 --title");
        plot.args([title, "-o"]).arg(&file).assert().success();
        pixels(&file).2
    };
    let titles = ["e", "é", "ę", "ł", "棋", "_"].map(picture);
    for (k, one) in titles.iter().enumerate() {
        assert!(!titles[k + 1..].contains(one), "{k}");
    }
}

#[test]
fn the_terminal_gets_a_picture_with_axes() {
    let text = text("100 -g kayles");
    assert_eq!(printed(&mut plot("100 -g kayles --terminal")), text);
    assert!(
        text.starts_with("kayles (0.77): nim-values of the piles 0 to 100\n"),
        "{text}"
    );
    assert!(!text.contains('\x1b') && text.lines().all(|line| line.chars().count() <= 80));
    // A row for each value, behind its number; common and rare values by their signs, on rows of their own.
    let rows: Vec<&str> = text.lines().filter(|line| line.contains('┤')).collect();
    for (row, value) in rows.iter().zip((0..=8u32).rev()) {
        assert_eq!(
            row.trim_start().split(' ').next(),
            Some(&*value.to_string())
        );
        let rare = value.count_ones().is_multiple_of(2);
        assert_eq!(
            (row.contains('◆'), row.contains('•')),
            (rare, !rare),
            "{row}"
        );
    }
    assert_eq!(rows.len(), 9, "{text}");
    assert!(text.contains("• common value   ◆ rare value (10 piles, the last 70)\n"));
    assert!(text.contains("─ preperiod 0–70   ━ period 12, from 71 on\n"));
    // 101 piles on 74 columns: 71 is in column 52, where the thick line begins.
    let line = text.lines().find(|line| line.contains('└')).unwrap();
    let line: Vec<char> = line.split('└').nth(1).unwrap().chars().collect();
    let thick = |c: &char| ['━', '┯'].contains(c);
    assert_eq!((line.len(), line.iter().position(&thick)), (74, Some(52)));
    assert!(line[52..].iter().all(thick) && rows[8].chars().nth(6 + 52) == Some('┊'));
    let (axis, name) = (
        text.lines().nth_back(1).unwrap(),
        text.lines().last().unwrap(),
    );
    assert_eq!(name.trim(), "pile n, 1.4 to a column");
    assert_eq!(axis.split_whitespace().next(), Some("0"), "{text}");

    // A line that is too long goes on in the next, colours not counted.
    let mut long =
        plot("30 -g subtraction:1,3,5,7,9,11,13,15,17 --with 0.3030303030303031 --color always");
    long.args(["--title", &"word ".repeat(30)]);
    let drawn = anstream::adapter::strip_str(&printed(&mut long)).to_string();
    assert!(
        drawn.lines().all(|line| line.chars().count() <= 80),
        "{drawn}"
    );
    assert!(
        drawn.lines().nth(1).unwrap().starts_with("  word word "),
        "{drawn}"
    );
    assert!(drawn.contains("\n◇ both\n"), "{drawn}");

    let text = printed(&mut plot("3000 --color always"));
    assert!(
        text.contains('░') && text.contains('█') && text.contains("\x1b["),
        "{text}"
    );
}

/// Flammenkamp's list of the octal and other games has the sparse space of Grundy's game with the mask 1111 1110.
#[test]
fn rare_values_are_those_of_enough_values_whatever_is_drawn() {
    let directory = tempfile::tempdir().unwrap();
    for last in [200, 500, 1000] {
        let svg = svg(directory.path(), &format!("{last} -g grundy"));
        let marks: Vec<&str> = svg
            .lines()
            .filter(|line| line.contains("<title>"))
            .collect();
        assert_eq!(marks.len(), last + 1);
        for mark in marks {
            let (_, value) = mark.split_once(" = ").unwrap();
            let value: u32 = value.split('<').next().unwrap().parse().unwrap();
            let rare = (value & 0xfe).count_ones().is_multiple_of(2);
            assert_eq!(mark.starts_with("<path"), rare, "{last}: {mark}");
        }
    }
}

fn text(line: &str) -> String {
    printed(&mut plot(line))
}

#[test]
fn a_range_of_values_is_drawn_alone() {
    let directory = tempfile::tempdir().unwrap();
    let svg = svg(directory.path(), "30 -g kayles --y-range 2..4");
    let inside = KAYLES
        .iter()
        .filter(|value| (2..=4).contains(*value))
        .count();
    assert_eq!(svg.matches("<title>").count(), inside);
    let words = format!("{} piles have a value outside 2\u{2013}4", 31 - inside);
    assert!(svg.contains(&words) && !svg.contains("= 8<"));
    let text = text("30 -g kayles --y-range 2..4");
    assert!(
        text.contains(&words) && text.matches('┤').count() == 3,
        "{text}"
    );
    for range in ["4..2", "x..3", "3", ".."] {
        let command = plot(&format!("30 -g kayles --y-range {range}")).assert();
        command.code(2).stderr(contains("as in 0..20"));
    }
}

#[test]
fn a_histogram_counts_the_piles_of_each_value() {
    let directory = tempfile::tempdir().unwrap();
    let svg = svg(directory.path(), "30 -g kayles --histogram");
    let text = text("30 -g kayles --histogram");
    for value in 0..=8 {
        let count = KAYLES.iter().filter(|&&other| other == value).count();
        let piles = if count == 1 { "pile" } else { "piles" };
        let title = format!("<title>{value}: {count} {piles}</title>");
        let bar = svg.lines().find(|line| line.contains(&title)).unwrap();
        let colour = if value.count_ones().is_multiple_of(2) {
            "#d9540a"
        } else {
            "#1f69b2"
        };
        assert!(bar.contains(colour), "{bar}");
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("{value:>5} │")));
        let line = line.unwrap();
        assert!(line.ends_with(&format!(" {count}")), "{line}");
        assert_eq!(
            line.contains('▒'),
            value.count_ones().is_multiple_of(2),
            "{line}"
        );
    }
    assert!(!svg.contains("period"));
    // A bar at the edge is named by those of its values that are shown.
    let edges = "200 -g nim --histogram --y-range 7..150";
    let text = self::text(edges);
    let bars: Vec<&str> = text.lines().filter(|line| line.contains('│')).collect();
    assert!(bars[0].trim_start().starts_with("7–9 │"), "{text}");
    assert!(
        bars[bars.len() - 1].trim_start().starts_with("150 │"),
        "{text}"
    );
    let svg = self::svg(directory.path(), &format!("{edges} --size 400x300"));
    assert!(svg.contains("<title>150: 1 pile</title>"), "{svg}");
    let one = self::text("0 -g kayles --histogram");
    assert!(
        one.starts_with("kayles (0.77): the nim-value of pile 0\n"),
        "{one}"
    );
    // As many values as there are piles: they share bars, and none is lost.
    let text = self::text("9999 -g nim --histogram");
    let counts = text.lines().filter_map(|line| line.split_once('│'));
    let counts = counts.map(|(_, bar)| bar.rsplit(' ').next().unwrap().replace(',', ""));
    assert_eq!(
        counts
            .map(|count| count.parse::<u64>().unwrap())
            .sum::<u64>(),
        10_000
    );
}

#[test]
fn two_games_share_a_picture() {
    let directory = tempfile::tempdir().unwrap();
    let svg = svg(directory.path(), "30 -g kayles --with nim");
    assert_eq!(svg.matches("<circle").count(), 31 + 1);
    assert_eq!(svg.matches("<path").count(), 31 + 1);
    assert!(svg.contains(">kayles (0.77) and nim (0.[3]): nim-values of the piles 0 to 30<"));
    assert!(svg.contains(">kayles (0.77): period 12, from 71 on<"));
    let text = text("12 -g kayles --with nim");
    assert!(
        text.contains("• kayles (0.77)   ◆ nim (0.[3])   ◇ both\n"),
        "{text}"
    );
    plot("30 -g kayles --with wythoff").assert().code(2);
    plot("30 -g kayles --with kaylse")
        .assert()
        .code(2)
        .stderr(contains("did you mean"));
}

#[test]
fn an_svg_has_a_title_and_a_description() {
    let directory = tempfile::tempdir().unwrap();
    let svg = svg(directory.path(), "100 -g kayles");
    let head: Vec<&str> = svg.lines().take(3).collect();
    assert!(head[0].ends_with("role=\"img\" aria-labelledby=\"title desc\">"));
    assert_eq!(
        head[1],
        "<title id=\"title\">kayles (0.77): nim-values of the piles 0 to 100</title>"
    );
    assert_eq!(
        head[2],
        "<desc id=\"desc\">A point for each pile; the picture covers the nim-values from 0 to 8. common value; \
         rare value (10 piles, the last 70). preperiod 0\u{2013}70. period 12, from 71 on.</desc>"
    );
}

#[test]
fn a_picture_in_ascii_has_no_other_sign() {
    for line in "100 -g kayles | 300 -g dawsons-kayles | 2000 -g kayles --with nim | 40000 | \
        50 -g kayles --histogram"
        .split(" | ")
    {
        let drawn = text(&format!("{line} --ascii"));
        assert!(drawn.is_ascii(), "{drawn}");
        let locale = plot(line).env("LC_ALL", "C").assert().success();
        assert_eq!(drawn.as_bytes(), locale.get_output().stdout);
    }
}

#[test]
fn the_smallest_pictures_are_drawn() {
    let directory = tempfile::tempdir().unwrap();
    for line in "0 -g kayles | 0 -g nim | 5 --from 5 -g kayles | \
        18446744073709551615 --from 18446744073709551615 -g nim"
        .split(" | ")
    {
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
    refused("10", Some("a.gif"), "has no known ending; use .svg or .png");
    refused("10", Some("a"), "has no known ending");
    refused(
        "10 --format gif",
        Some("a.svg"),
        "possible values: svg, png",
    );
    refused("10 --size 10x10", Some("a.svg"), "from 400x300");
    refused("10 --size +400x300", Some("a.svg"), "from 400x300");
    refused("10 --terminal", Some("a.svg"), "cannot be used with");
    refused("20000", Some("a.svg"), "more than 20000 points");
    refused("10 -g wythoff", Some("a.svg"), "is not a sum of piles");
    refused("10 -g kaylse", Some("a.svg"), "did you mean");
    refused("10 --misere", None, "unexpected argument");
    plot("10 -o /no/such/a.svg")
        .assert()
        .code(3)
        .stderr(contains("can't be written"));
}

#[test]
fn a_title_of_ones_own_and_bars_with_room_above() {
    let svg = text("100 -g kayles --format svg --title Kayles&Co");
    assert!(
        svg.contains("<title id=\"title\">Kayles&amp;Co</title>"),
        "{svg}"
    );
    assert!(text("10 -g kayles --title Kayles").starts_with("Kayles\n"));
    // The frame begins at 123 pixels; the highest bar stays well below it.
    let svg = text("1000 -g kayles --histogram --format svg --size 600x400");
    let tops = svg.match_indices("<rect").filter_map(|(at, _)| {
        let bar = svg[at..].lines().next()?;
        bar.contains("</title>").then_some(bar)?;
        bar.split("y=\"")
            .nth(1)?
            .split('"')
            .next()?
            .parse::<f32>()
            .ok()
    });
    let highest = tops.fold(f32::MAX, f32::min);
    assert!(highest > 130.0 && highest < 200.0, "{highest}");
    // At 600 by 400 the axis names every second value at least.
    let svg = text("200 -g kayles --format svg --size 600x400");
    for value in [0, 2, 4, 6, 8] {
        assert!(svg.contains(&format!(">{value}</text>")), "{value}: {svg}");
    }
}
