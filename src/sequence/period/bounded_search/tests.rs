//! Against tables, and from saved states.

use super::*;
use crate::certificate::Certificate;
use crate::sequence::period::Period;
use crate::sequence::period::segments::Share;

impl BoundedSearch {
    /// From here on codes have two bytes, as if one needed them.
    fn widen(&mut self) {
        self.values.widen().unwrap();
    }

    /// Searches to a heap, and finds nothing.
    fn finds_nothing_to(&mut self, to: u64) {
        while self.known() < to {
            assert_eq!(self.step(to, &mut |_| true).unwrap(), None);
        }
    }

    /// Computes values without looking for a period in them.
    fn advance(&mut self, to: u64, limit: u64) {
        self.values.advance(to, limit, &mut |_| true).unwrap();
    }

    /// The marks as they are saved, behind the values of the window.
    fn saved_marks(&self) -> Vec<[u8; 20]> {
        let (state, bytes) = self.save().unwrap();
        let codes = (state["width"] * state["window"]) as usize;
        let (marks, rest) = bytes[codes..].as_chunks();
        assert!(rest.is_empty());
        let mut marks = marks.to_vec();
        marks.sort_unstable();
        marks
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn a_window_has_the_values_of_a_table() {
    let effort = Effort::default().threads(1);
    // The bytes of a code at the beginning and at the end: 0.1006 needs two from pile 83,559 on.
    for (game, heaps, widths) in [
        ("0.106", 1_500_000, [1, 1]),
        ("0.16", 1_500_000, [1, 1]),
        ("0.1006", 100_000, [1, 2]),
        ("grundy", 200_000, [1, 1]),
        ("0.744", 200_000, [2, 2]),
        ("0.364", 150_000, [2, 2]),
    ] {
        let ruleset: Ruleset = game.parse().unwrap();
        let mut table = Sequence::with_effort(ruleset.clone(), effort.clone());
        table.fill(heaps - 1).unwrap();
        let values = BoundedSearch::new(&ruleset, &effort)
            .unwrap()
            .values
            .keeping(0);
        let mut search = BoundedSearch::of(values).unwrap();
        let begun = search.values().width();
        let mut from = 0;
        while search.values().len() < heaps {
            let to = search.values().len();
            let mut values = vec![0; (to - from) as usize];
            search.values().copy(from, &mut values).unwrap();
            for (heap, value) in (from..).zip(values) {
                assert_eq!(value, table.table().value(heap as usize), "{game} {heap}");
            }
            from = to;
            search.step(heaps, &mut |_| true).unwrap();
        }
        let known = search.values().len() as usize;
        let largest = (0..known).max_by_key(|&n| (table.table().value(n), usize::MAX - n));
        assert_eq!(
            search.values().largest().heap as usize,
            largest.unwrap(),
            "{game}"
        );
        assert_eq!([begun, search.values().width()], widths, "{game}");
        let is_long = heaps > 1_000_000;
        assert_eq!(search.values().window_from() > 0, is_long, "{game}");
    }
}

#[test]
fn a_window_that_was_restarted_keeps_as_much_as_it_was_given() {
    let (to, length) = (2_000_000, 800_000);
    let search = BoundedSearch::new(&"0.106".parse().unwrap(), &Effort::default().threads(2));
    let mut values = search.unwrap().values.keeping(usize::MAX);
    values.advance(to, to, &mut |_| true).unwrap();
    let codes = values.codes(to - length, to).unwrap().kept().unwrap();
    let mut other = values.again().keeping(0);
    // Some more are found, and nobody wants them.
    other.advance(300_000, to, &mut |_| true).unwrap();
    other
        .restart_at(values.first(), to, &codes, &mut |_| true)
        .unwrap();
    let end = to + 4 * STRIDE as u64 + 10;
    for values in [&mut values, &mut other] {
        values.advance(end, end, &mut |_| true).unwrap();
    }
    assert!(other.window_from() > to && other.window_from() <= end - length);
    let last = |values: &ValueWindow| values.codes(end - length, end).unwrap().kept();
    assert!(last(&values) == last(&other));
}

#[test]
fn behind_a_table_a_search_has_noted_what_it_would_have() {
    let (ruleset, effort): (Ruleset, _) = ("0.106".parse().unwrap(), Effort::default());
    let limit = 1_500_000;
    let mut table = Sequence::with_effort(ruleset.clone(), effort.clone());
    table.fill(1_000_000).unwrap();
    let mut searches = [
        BoundedSearch::new(&ruleset, &effort).unwrap(),
        BoundedSearch::after(&mut table).unwrap(),
    ];
    for search in &mut searches {
        search.finds_nothing_to(limit);
    }
    let [noted, by_table] = [searches[0].snapshots(), searches[1].snapshots()];
    assert!(noted.len() > 15 && noted.keys().eq(by_table.keys()));
    let mut pairs = noted.values().zip(by_table.values());
    // Longer, as more was known of the window.
    assert!(pairs.all(|(codes, longer)| longer.last(codes.len()) == *codes));
    let [(one, marks), (other, other_marks)] = searches.map(|search| search.save().unwrap());
    assert_eq!(one, other);
    assert_eq!(marks.len(), other_marks.len());
}

#[test]
fn a_long_search_takes_less_than_a_hundred_megabytes() {
    // What is kept before some is forgotten, or snapshots and the window of values behind it.
    let snapshots = MOST_SNAPSHOTS as u64 * LEAST_SNAPSHOT;
    assert!(snapshots < 40 << 20);
    let mut search = BoundedSearch::new(&"0.106".parse().unwrap(), &Effort::default()).unwrap();
    let limit = 40_000_000;
    let mut most = 0;
    while search.values().len() < limit {
        assert_eq!(search.step(limit, &mut |_| true).unwrap(), None);
        most = most.max(search.values().size());
    }
    assert!(most < 36 << 20, "{most}");
    assert!(
        search.values().size() < 4 << 20,
        "{}",
        search.values().size()
    );
    assert!(search.saved_marks().len() * 32 < 4 << 20);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn a_period_without_marks_is_met_by_the_window_before_one_place() {
    let games = [("0.16", 149_459, 105_351), ("0.7726", 44, 294_096)];
    for ((game, period, preperiod), width) in games.into_iter().flat_map(|it| [(it, 1), (it, 2)]) {
        let mut search =
            BoundedSearch::new(&game.parse().unwrap(), &Effort::default().threads(1)).unwrap();
        if width == 2 {
            search.widen();
        }
        let limit = 3 * (preperiod + period);
        let found = loop {
            let to = search.values().len() + 30_000;
            assert!(to < limit, "{game}");
            search.advance(to, limit);
            if let Some(found) = search.follow().unwrap() {
                break found;
            }
        };
        let proved = search.conclude(found, &mut || true).unwrap();
        assert_eq!(proved.period, Period::plain(period, preperiod), "{game}");
    }
}

/// A game needs two bytes a code from some heap on. What was noted before is in bytes, what comes later in words, and the search
/// finds and proves what one in bytes does, or one that began so.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn a_search_that_widens_goes_on() {
    let effort = Effort::default().threads(1);
    for (game, period, preperiod, widens_at) in [
        ("0.16", 149_459, 105_351, 65_536),
        ("0.16", 149_459, 105_351, 250_000),
        ("0.7726", 44, 294_096, 300_000),
    ] {
        let ruleset: Ruleset = game.parse().unwrap();
        let mut search = BoundedSearch::new(&ruleset, &effort).unwrap();
        let found = loop {
            if search.values().len() >= widens_at {
                search.widen();
            }
            let limit = 4 * (preperiod + period);
            assert!(search.values().len() < limit, "{game}");
            if let Some(found) = search.step(limit, &mut |_| true).unwrap() {
                break found;
            }
        };
        assert_eq!(search.values().width(), 2);
        let concluded = search.conclude(found, &mut || true).unwrap();
        assert_eq!(concluded.period, Period::plain(period, preperiod), "{game}");
        let certificate = search
            .certificate(&ruleset, &concluded, &mut || true)
            .unwrap();
        let all = Share::all(certificate.claim().unwrap());
        certificate.check(&effort, &all).unwrap();
    }
}

#[test]
fn a_window_that_widens_behind_a_gap_has_the_same_values() {
    let effort = Effort::default().threads(1);
    let search = BoundedSearch::new(&"0.106".parse().unwrap(), &effort);
    let mut narrow = search.unwrap().values.keeping(0);
    let mut wide = narrow.again().keeping(0);
    // At first all values are kept.
    let mut to = 1_700_000;
    while narrow.window_from() == 0 || wide.window_from() == 0 {
        to += 100_000;
        for values in [&mut narrow, &mut wide] {
            values.advance(to, to, &mut |_| true).unwrap();
        }
    }
    wide.widen().unwrap();
    assert_eq!((narrow.width(), wide.width()), (1, 2));
    let end = to + 1_300_000;
    for values in [&mut narrow, &mut wide] {
        values.advance(end, end, &mut |_| true).unwrap();
    }
    let from = narrow.window_from().max(wide.window_from());
    assert!(end - from > 1 << 18);
    assert_eq!(
        narrow.codes(from, end).unwrap(),
        wide.codes(from, end).unwrap()
    );
    let values = |values: &ValueWindow| values.last_values(end, (end - from) as usize).unwrap();
    assert!(values(&narrow) == values(&wide));
    assert_eq!(narrow.largest(), wide.largest());
    let (narrow_depth, wide_depth) = (narrow.depth(), wide.depth());
    assert_eq!(narrow_depth.from, wide_depth.from);
    assert!(wide_depth.bound() >= narrow_depth.pair().map_or(0, |(part, _)| part));
    assert!(narrow.rares().eq(wide.rares()));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn a_search_in_words_is_gone_on_with() {
    let effort = Effort::default().threads(1);
    let begin = |game: &str| BoundedSearch::new(&game.parse().unwrap(), &effort).unwrap();
    for (game, widens_at, to, end) in [
        ("0.106", 400_000, 600_000, 700_000),
        ("0.744", 0, 330_000, 360_000),
    ] {
        let mut search = begin(game);
        while search.values().len() < to {
            if search.values().len() >= widens_at {
                search.widen();
            }
            assert_eq!(search.step(to, &mut |_| true).unwrap(), None);
        }
        let widths: Vec<usize> = search.snapshots().values().map(Codes::width).collect();
        assert!(
            widths.is_sorted() && widths.last() == Some(&2),
            "{widths:?}"
        );
        assert_eq!(widths[0], if widens_at > 0 { 1 } else { 2 });
        let (state, bytes) = search.save().unwrap();
        assert_eq!(state["width"], 2);
        let again = |state, bytes: &[u8]| {
            let snapshots = search.snapshots().clone();
            let (ruleset, saved) = (game.parse().unwrap(), SavedSearch::read(state, bytes)?);
            BoundedSearch::resume(&ruleset, &effort, &saved, snapshots, &mut |_| true)
        };
        let mut resumed = again(&state, &bytes).unwrap();
        let mut wrong = bytes.clone();
        wrong[2 * state["window"] as usize - 1] ^= 1;
        let refused = again(&state, &wrong).map(|_| ()).unwrap_err();
        assert!(
            refused.to_string().contains("its last values are not"),
            "{refused}"
        );
        for search in [&mut search, &mut resumed] {
            search.finds_nothing_to(end);
        }
        let last = |search: &BoundedSearch| search.values().codes(to, end).unwrap().kept().unwrap();
        assert!(last(&search) == last(&resumed));
        assert_eq!(search.values().largest(), resumed.values().largest());
        assert!(!search.saved_marks().is_empty());
        assert_eq!(search.saved_marks(), resumed.saved_marks());
        assert!(search.snapshots().keys().eq(resumed.snapshots().keys()));
    }
}

/// The first heaps of 0.7077 leave the highest bit of their codes free; that of pile 3,281,828 needs it.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn a_window_makes_room_for_the_codes_after_which_it_restarts() {
    let effort = Effort::default().threads(1);
    let search = BoundedSearch::new(&"0.7077".parse().unwrap(), &effort);
    let mut values = search.unwrap().values;
    let (to, end) = (3_285_000, 3_300_000);
    values.advance(to, to, &mut |_| true).unwrap();
    let codes = values.codes(to - 10_000, to).unwrap();
    assert!(codes.iter().any(|code| code > 127));
    let words: Vec<u16> = codes.iter().collect();
    let codes = codes.kept().unwrap();
    let first = values.again();
    values.advance(end, end, &mut |_| true).unwrap();
    for codes in [codes, Codes::from(words.as_slice())] {
        let mut other = first.again();
        assert!(
            other
                .restart_at(first.first(), to, &codes, &mut |_| true)
                .unwrap()
        );
        other.advance(end, end, &mut |_| true).unwrap();
        assert_eq!(other.width(), 1);
        let mut found = vec![0; (end - to) as usize + 10_000];
        other.copy(to - 10_000, &mut found).unwrap();
        assert!(found == values.last_values(end, found.len()).unwrap());
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn a_search_that_went_on_from_a_table_is_gone_on_with() {
    // Codes don't pay for a table by all pairs, as at heap 65,536 they don't for 0.146, which goes on in a window later.
    let pairs = Effort::default().threads(1).engine(Engine::Pairs);
    let first = BEGINNING + 500;
    for game in ["0.106", "0.744"] {
        let ruleset = game.parse().unwrap();
        let unfit = BoundedSearch::new(&ruleset, &pairs).map(|_| ());
        assert!(matches!(unfit, Err(Error::EngineUnfit { .. })), "{unfit:?}");
        let mut search = BoundedSearch::new(&ruleset, &Effort::default()).unwrap();
        search.finds_nothing_to(300_000);
        let (mut state, bytes) = search.save().unwrap();
        state.insert("first".to_owned(), first);
        if game == "0.106" {
            let begun = BoundedSearch::to_resume(&ruleset, &pairs, first).unwrap();
            assert_eq!(begun.known(), first);
        }
        let snapshots = search.snapshots().clone();
        let saved = SavedSearch::read(&state, &bytes).unwrap();
        let mut resumed =
            BoundedSearch::resume(&ruleset, &pairs, &saved, snapshots, &mut |_| true).unwrap();
        for search in [&mut search, &mut resumed] {
            search.finds_nothing_to(310_000);
        }
        let last = |search: &BoundedSearch| {
            let codes = search.values().codes(300_000, 310_000).unwrap();
            codes.kept().unwrap()
        };
        assert!(last(&search) == last(&resumed));
        assert_eq!(search.values().largest(), resumed.values().largest());
    }
}

/// Another processor may mark deeper pairs than this one, and those are not noted.
#[test]
fn a_resumed_search_knows_how_deep_the_pairs_were_that_were_not_noted() {
    let (ruleset, effort): (Ruleset, _) = ("0.104".parse().unwrap(), Effort::default());
    let mut search = BoundedSearch::new(&ruleset, &effort).unwrap();
    search.finds_nothing_to(300_000);
    let (mut state, bytes) = search.save().unwrap();
    let bound = search.values().depth().bound();
    assert!(state["resolution"] <= bound && bound < 50_000);
    let noted = state["deepest"];
    assert!(noted > 0);
    for (resolution, deepest, bound) in [
        (Some(50_000), noted, 50_000),
        (None, noted, bound),
        (Some(50_000), 0, 50_000),
        (None, 0, 12_000),
    ] {
        state.remove("resolution");
        state.extend(resolution.map(|figure| ("resolution".to_owned(), figure)));
        state.insert("deepest".to_owned(), deepest);
        if deepest == 0 {
            state.insert("deepest_at".to_owned(), 0);
        }
        let saved = SavedSearch::read(&state, &bytes).unwrap();
        let snapshots = search.snapshots().clone();
        let resumed = BoundedSearch::resume(&ruleset, &effort, &saved, snapshots, &mut |_| true);
        let resumed = resumed.unwrap();
        assert_eq!(resumed.values().depth().bound(), bound);
        let again = resumed.save().unwrap().0;
        assert!(again["resolution"].max(again["deepest"]) == bound);
    }
}
