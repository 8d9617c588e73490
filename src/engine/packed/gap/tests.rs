//! Every reader, asked for every heap around the gap, against a table that forgets nothing.

use super::*;
use crate::engine::first_values::{encode, first_values};
use crate::engine::kernel::LANES;

const HEAPS: usize = 3000;
/// The first heaps and the last ones that are kept.
const FIRST: usize = 1000;
const LAST: usize = 900;

fn table(game: &str) -> PackedTable<u8> {
    let (octal, values) = first_values(game, HEAPS - 1);
    encode(&octal, &values, 4).unwrap()
}

fn assert_readers_agree(short: &PackedTable<u8>, whole: &PackedTable<u8>, from: usize) {
    assert_eq!((short.len(), short.window_from()), (HEAPS, from));
    assert_eq!(short.kept(), FIRST);
    let kept = |heap: usize| heap < FIRST || (from..HEAPS).contains(&heap);
    let all_kept = |start: usize, count: usize| (start..start + count).all(kept);
    let same_side = |start: usize, count: usize| {
        all_kept(start, count) && (start >= from || start + count <= FIRST)
    };
    for heap in (0..LANES)
        .chain(FIRST - 2 * LANES..from + 2 * LANES)
        .chain(HEAPS - 2 * LANES..HEAPS + 2 * LANES)
    {
        let known = kept(heap);
        let forgotten = Forgotten { heap };
        assert_eq!(short.value(heap).is_ok(), known || heap == 0, "{heap}");
        if known {
            assert_eq!(short.value(heap), whole.value(heap), "{heap}");
            assert_eq!(short.code(heap), whole.code(heap), "{heap}");
        } else {
            assert_eq!(short.value(heap), Err(forgotten));
            assert_eq!(short.code(heap), Err(forgotten));
        }
        for count in [1, 2, LANES, 5 * LANES] {
            let readable = same_side(heap, count);
            let mut found = vec![7; count];
            let copied = short.copy(heap, &mut found);
            assert_eq!(copied.is_ok(), readable, "{heap} {count}");
            if readable {
                let mut wanted = vec![0; count];
                whole.copy(heap, &mut wanted).unwrap();
                assert_eq!(found, wanted, "{heap} {count}");
                let bytes =
                    |table: &PackedTable<u8>| table.cells(heap, heap + count).unwrap().to_vec();
                assert_eq!(bytes(short), bytes(whole), "{heap} {count}");
                assert_eq!(
                    short.bits(heap..heap + count),
                    whole.bits(heap..heap + count)
                );
            } else {
                assert_eq!(found, vec![7; count], "{heap} {count}");
                assert!(short.cells(heap, heap + count).is_err(), "{heap} {count}");
                assert!(short.bits(heap..heap + count).is_err(), "{heap} {count}");
            }
        }
        let below = |table: &PackedTable<u8>| table.rare_below_each(heap).map(|lanes| lanes.0);
        if same_side(heap, LANES) {
            assert_eq!(below(short), below(whole), "{heap}");
        } else {
            assert!(below(short).is_err(), "{heap}");
        }
        // All that a source holds before its place belongs to the heaps before that one.
        let source = short.source(heap);
        assert_eq!(source.at, short.room(heap));
        for (place, &byte) in source.codes.iter().enumerate() {
            if let Some(at) = (heap + place).checked_sub(source.at)
                && at > 0
            {
                assert!(kept(at), "{heap} {at}");
                assert_eq!(byte, whole.cells(at, at + 1).unwrap()[0], "{heap} {at}");
            }
        }
        // No pair with a forgotten part is found, and every other one is.
        for code in 0..8 {
            for (low, high) in [(1, HEAPS), (FIRST - 20, HEAPS), (200, 300)] {
                let is_pair = |&i: &usize| {
                    let other = heap - i;
                    let common = !whole.is_rare(i) && !whole.is_rare(other);
                    let seen = i < FIRST && other >= from && kept(heap);
                    let xor = |i: usize| whole.code(i).unwrap() ^ whole.code(other).unwrap();
                    seen && common && xor(i) == code
                };
                let wanted = (low..high.min(heap)).find(is_pair);
                let found = short.common_pair(Kernel::PORTABLE, heap, (low, high), code);
                if heap >= from {
                    assert_eq!(found, wanted, "{heap} {code} {low}");
                }
            }
        }
    }
    for most in [0, 1, LANES, HEAPS, usize::MAX] {
        let (tail, _) = short.tail(most);
        assert_eq!(tail.len(), most.min(HEAPS - from));
        assert_eq!(tail, whole.cells(HEAPS - tail.len(), HEAPS).unwrap());
        let last: Vec<(usize, u8)> = short.last_codes(most).collect();
        assert_eq!(last.len(), most.min(HEAPS - from));
        assert!(
            last.iter()
                .all(|&(heap, code)| whole.code(heap) == Ok(code))
        );
    }
}

#[test]
fn no_reader_gives_a_heap_in_the_gap() {
    let (mut cuts, mut restarts) = (0, 0);
    for game in ["0.77", "0.106", "0.104"] {
        let mut whole = table(game);
        let narrow = whole.clone();
        whole.use_mask().unwrap();
        for whole in [narrow, whole] {
            let mut cut = whole.clone();
            cut.forget(FIRST, LAST);
            if cut.has_gap() {
                cuts += 1;
                assert_readers_agree(&cut, &whole, HEAPS - LAST);
            }
            let last = whole.cells(HEAPS - LAST, HEAPS).unwrap();
            let mut restarted = whole.clone();
            let done = restarted.restart_at(FIRST, HEAPS, last);
            assert_eq!(done.is_err(), whole.masks(FIRST), "{game}");
            if done.is_ok() {
                restarts += 1;
                assert_readers_agree(&restarted, &whole, HEAPS - LAST);
            }
        }
    }
    assert!(cuts >= 2 && restarts >= 3, "{cuts} {restarts}");
}

#[test]
fn a_table_is_cut_within_its_gap_and_beyond() {
    let whole = table("0.106");
    let last = whole.cells(HEAPS - LAST, HEAPS).unwrap();
    let mut restarted = whole.clone();
    restarted.restart_at(FIRST, HEAPS, last).unwrap();
    for (heap, known) in [
        (HEAPS - 10, HEAPS - 10),
        (HEAPS - LAST, FIRST),
        (2 * FIRST, FIRST),
        (FIRST, FIRST),
        (70, 70),
    ] {
        let mut cut = restarted.clone();
        cut.truncate(heap);
        assert_eq!((cut.len(), cut.has_gap()), (known, known == HEAPS - 10));
        assert_eq!(cut.value(known - 1), whole.value(known - 1));
        assert_eq!(cut.value(known), Err(Forgotten { heap: known }));
    }
}

#[test]
fn no_restart_takes_heaps_for_others() {
    let whole = table("0.106");
    let last = whole.cells(HEAPS - LAST, HEAPS).unwrap();
    let mut restarted = whole.clone();
    restarted.restart_at(FIRST, HEAPS, last).unwrap();
    // More first heaps than are kept, and codes that would begin among them.
    for (first, to) in [
        (FIRST + 1, 2 * HEAPS),
        (FIRST, FIRST + LAST - 1),
        (FIRST, 5),
    ] {
        let mut again = restarted.clone();
        assert!(again.restart_at(first, to, last).is_err());
        assert_readers_agree(&again, &whole, HEAPS - LAST);
    }
}
