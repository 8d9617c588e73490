//! The segments in lanes are compared with a window of values, which computes one segment.

use super::*;
use crate::engine::coded_values::CodedValues;
use crate::engine::octal::Octal;
use crate::engine::value_window::ValueWindow;
use crate::engine::{Effort, clock, definition};
use crate::rng::Rng;
use crate::ruleset::Ruleset;
use std::time::Duration;

/// The first values of a game, if it has a sparse space and few rare heaps.
fn known(code: &str, kernel: Kernel, heaps: u64) -> Option<ValueWindow> {
    let ruleset: Ruleset = code.parse().unwrap();
    let octal = Octal::of(&ruleset)?;
    let table = definition::nim_values(&ruleset, 2000).ok()?;
    let values: Vec<u16> = table.iter().collect();
    let effort = Effort::default().kernel(kernel).threads(1);
    let coded = CodedValues::encode(&octal, &values, 20, &effort)?;
    let mut known = ValueWindow::new(octal, code, coded, &effort);
    known.advance(heaps, heaps, &mut |_| true).ok()?;
    (known.rares().len() < 60 && known.last_rare() < heaps / 4).then_some(known)
}

fn codes(known: &ValueWindow, from: u64, to: u64) -> Codes<'static> {
    known.codes(from, to).unwrap().kept().unwrap()
}

fn segments(known: &ValueWindow, window: u64, heaps: &[u64]) -> Vec<Segment> {
    let segments = heaps.windows(2).zip(0..);
    segments
        .map(|(ends, number)| Segment {
            number,
            from: ends[0] as usize,
            start: codes(known, ends[0] - window, ends[0]),
            to: ends[1] as usize,
            end: codes(known, ends[1] - window, ends[1]),
        })
        .collect()
}

fn right(lanes: &mut SegmentsInLanes, segments: Vec<Segment>) -> Vec<bool> {
    let mut right = vec![None; segments.len()];
    let mut segments = segments.into_iter();
    let mut done = |number, found| right[number as usize] = Some(found);
    assert!(lanes.run(&mut || segments.next(), &mut done, &mut || true));
    right
        .into_iter()
        .map(|right| right.expect("each segment is told of"))
        .collect()
}

/// How deep the least witnesses of the heap's rare values are: the depth of the deepest of them, found by all pairs.
fn depth_of(known: &ValueWindow, octal: &Octal, values: &[u16], heap: usize) -> usize {
    let space = known.space();
    let rare = |heap: usize| space.is_rare(values[heap], heap);
    let wanted = (0..values[heap]).filter(|&value| space.is_rare(value, heap));
    let depth = |value: u16| {
        if octal.ones.iter().any(|&t| values[heap - t] == value) {
            return 0;
        }
        let pair = |i: &usize| {
            octal.breaks.iter().any(|&(b, _)| {
                let other = heap - b - i;
                values[*i] ^ values[other] == value && !rare(*i) && !rare(other)
            })
        };
        (1..heap / 2).find(pair).unwrap_or(usize::MAX)
    };
    wanted.map(depth).max().unwrap_or(0)
}

#[test]
fn segments_are_right_exactly_if_all_their_heaps_have_witnesses_so_deep() {
    let mut rng = Rng::new(5, 0);
    let mut games = ["0.106", "0.104", "0.16", "0.054", "0.454", "4.5672"]
        .map(String::from)
        .to_vec();
    games.extend((0..12).map(|_| format!("0.{:03o}", rng.below(0o1000))));
    let (mut some, mut sure, mut unsure) = (0, 0, 0);
    // How deep the witnesses of each heap of a game are, which is the same with every kernel.
    let mut depths = (String::new(), Vec::new());
    for (game, kernel) in games
        .iter()
        .flat_map(|game| Kernel::available().into_iter().map(move |k| (game, k)))
    {
        const END: u64 = 40_000;
        let Some(known) = known(game, kernel, END) else {
            continue;
        };
        let octal = Octal::of(&game.parse().unwrap()).unwrap();
        let mut values = vec![0; END as usize];
        known.copy(0, &mut values).unwrap();
        if depths.0 != *game {
            depths = (game.clone(), vec![None; END as usize]);
        }
        for depth in [40, 300, 2000] {
            let window = known.last_rare().max(depth) + known.game().most_taken() as u64;
            let first = 2 * window + known.game().most_taken() as u64 + 1;
            let mut heaps = vec![first];
            while heaps[heaps.len() - 1] + 400 < END.min(first + 20_000) {
                heaps.push(heaps[heaps.len() - 1] + 1 + rng.below(400) as u64);
            }
            let Some(mut lanes) =
                known.in_lanes(depth, window, values.iter().copied().max().unwrap())
            else {
                continue;
            };
            some += 1;
            let found = right(&mut lanes, segments(&known, window, &heaps));
            for (ends, found) in heaps.windows(2).zip(found) {
                let mut heaps = ends[0] as usize..ends[1] as usize;
                let shallow = heaps.all(|heap| {
                    let found = depths.1[heap];
                    let found = found.unwrap_or_else(|| depth_of(&known, &octal, &values, heap));
                    depths.1[heap] = Some(found);
                    found <= depth as usize
                });
                assert_eq!(
                    found,
                    shallow,
                    "{game} {ends:?} depth {depth} {}",
                    kernel.name()
                );
                *(if found { &mut sure } else { &mut unsure }) += 1;
            }
            // A false value in front or at the end.
            let mut wrong = segments(&known, window, &heaps[..heaps.len().min(70)]);
            for segment in &mut wrong {
                let codes = if segment.number % 2 == 0 {
                    &mut segment.end
                } else {
                    &mut segment.start
                };
                let wrong = codes.len() - 1 - rng.below(30);
                let flip = |(place, code)| if place == wrong { code ^ 1 } else { code };
                *codes = codes.iter().enumerate().map(flip).collect();
            }
            let found = right(&mut lanes, wrong);
            assert!(found.iter().step_by(2).all(|right| !right), "{game}");
        }
    }
    assert!(
        some >= 18 && sure > 400 && unsure > 400,
        "{some} {sure} {unsure}"
    );
}

/// `cargo test --release --lib segments_in_lanes -- --ignored --nocapture`
#[test]
#[ignore = "measures"]
fn many_segments_against_one() {
    const SEGMENTS: u64 = 192;
    const LENGTH: u64 = 200_000;
    // A clock of processor time may tick every few milliseconds only.
    const TIMES: u32 = 8;
    println!("game  kernel    one segment, M/s  sixty-four, M/s  ratio");
    for (game, depth) in [("0.106", 15_343), ("0.104", 4178), ("0.054", 16_284)] {
        for kernel in Kernel::available() {
            let begin = 400_000;
            let mut known = known(game, kernel, begin).unwrap();
            let window = known.last_rare().max(depth) + known.game().most_taken() as u64;
            let mut values = vec![0; begin as usize];
            known.copy(0, &mut values).unwrap();
            let largest = values.iter().copied().max().unwrap();
            let mut one = Duration::ZERO;
            let mut segments: Vec<Segment> = Vec::new();
            for number in 0..SEGMENTS {
                let (from, to) = (begin + number * LENGTH, begin + (number + 1) * LENGTH);
                let start = codes(&known, from - window, from);
                let begun = clock();
                known.advance(to, to, &mut |_| true).unwrap();
                one += clock() - begun;
                let end = codes(&known, to - window, to);
                let (from, to) = (from as usize, to as usize);
                segments.push(Segment {
                    number,
                    from,
                    start,
                    to,
                    end,
                });
            }
            let mut many = Duration::ZERO;
            let mut lanes = known.in_lanes(depth, window, largest).unwrap();
            for segments in vec![segments; TIMES as usize] {
                let begun = clock();
                let right = right(&mut lanes, segments);
                many += clock() - begun;
                assert!(right.iter().all(|&right| right));
            }
            let rate = |time: Duration| (SEGMENTS * LENGTH) as f64 / time.as_secs_f64() / 1e6;
            println!(
                "{game} {:8} {:14.1} {:16.1} {:7.2}",
                kernel.name(),
                rate(one),
                rate(many / TIMES),
                rate(many / TIMES) / rate(one)
            );
        }
    }
}
