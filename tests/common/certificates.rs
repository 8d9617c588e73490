//! Certificates in segments of random octal games, true and false, by code of their own: nim-values by definition, the split by
//! trying masks, witnesses by looking for them, and the JSON by hand.

use super::rng::Rng;
use assert_cmd::Command;

/// What the second checker, which shares no code with the program, answers to each line of a list of files and segments; `None`
/// where there is no Python.
pub fn second_checker(list: String) -> Option<Vec<String>> {
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/check_segments.py");
    let python = Command::new("python3")
        .args([checker, "--many"])
        .write_stdin(list)
        .output();
    match python {
        Ok(output) => {
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{errors}");
            let answers = String::from_utf8(output.stdout).unwrap();
            Some(answers.lines().map(str::to_owned).collect())
        }
        Err(error) => {
            eprintln!("examples/check_segments.py is not run, as python3 can't be: {error}");
            None
        }
    }
}

/// So many values are made by definition.
const KNOWN: usize = 4000;

/// An octal game whose values repeat, with a mask by which few heaps are rare.
pub struct Game {
    pub code: String,
    digits: Vec<u8>,
    values: Vec<u16>,
    pub period: usize,
    pub preperiod: usize,
    pub mask: u16,
    pub alternating: bool,
    pub rares: Vec<(usize, u16)>,
}

/// What a certificate says, to be changed before it is written.
#[derive(Clone)]
pub struct Draft {
    pub kind: String,
    pub code: String,
    pub period: u64,
    pub preperiod: u64,
    pub start: u64,
    pub window: u64,
    pub depth: u64,
    pub mask: u64,
    pub alternating: bool,
    pub rares: Vec<(u64, u64)>,
    pub digits: usize,
    pub windows: Vec<(u64, Vec<u16>)>,
}

impl Draft {
    pub fn json(&self) -> String {
        let rares: Vec<String> = self
            .rares
            .iter()
            .map(|(heap, value)| format!("[{heap},{value}]"))
            .collect();
        let digits = self.digits;
        let window = |(before, values): &(u64, Vec<u16>)| {
            let values: String = values
                .iter()
                .map(|value| format!("{value:0digits$x}"))
                .collect();
            format!("{{\"before\":{before},\"values\":\"{values}\"}}")
        };
        let windows: Vec<String> = self.windows.iter().map(window).collect();
        format!(
            "{{\"kind\":\"{}\",\"program\":\"generator 1\",\"game\":\"{}\",\"code\":\"{}\",\"period\":{},\"preperiod\":{},\
             \"start\":{},\"window\":{},\"depth\":{},\"mask\":{},\"alternating\":{},\"rares\":[{}],\"digits\":{},\"windows\":[{}]}}",
            self.kind,
            self.code,
            self.code,
            self.period,
            self.preperiod,
            self.start,
            self.window,
            self.depth,
            self.mask,
            self.alternating,
            rares.join(","),
            digits,
            windows.join(",")
        )
    }
}

impl Game {
    /// A random one, if its values repeat soon and few of its heaps are rare.
    pub fn random(rng: &mut Rng) -> Option<Game> {
        let digits: Vec<u8> = (0..2 + rng.below(3)).map(|_| rng.below(8) as u8).collect();
        Game::of(&digits, rng)
    }

    pub fn of(digits: &[u8], rng: &mut Rng) -> Option<Game> {
        let splits = digits.iter().any(|digit| digit & 4 != 0);
        if !splits || digits.last() == Some(&0) {
            return None;
        }
        let code: String = digits.iter().map(|digit| digit.to_string()).collect();
        let mut game = Game {
            code: format!("0.{code}"),
            digits: digits.to_vec(),
            values: Vec::new(),
            period: 0,
            preperiod: 0,
            mask: 0,
            alternating: false,
            rares: Vec::new(),
        };
        for heap in 0..KNOWN {
            let value = game.by_definition(heap);
            game.values.push(value);
            // A game of large values soon has too many of them.
            if value > 250 {
                return None;
            }
        }
        game.find_period()?;
        game.find_mask(rng)?;
        Some(game)
    }

    fn by_definition(&self, heap: usize) -> u16 {
        let mut seen = [false; 1024];
        for (taken, digit) in (1..).zip(&self.digits) {
            if taken > heap {
                break;
            }
            let left = heap - taken;
            if digit & 1 != 0 && left == 0 {
                seen[0] = true;
            }
            if digit & 2 != 0 && left > 0 {
                seen[usize::from(self.values[left])] = true;
            }
            if digit & 4 != 0 {
                for part in 1..=left / 2 {
                    seen[usize::from(self.values[part] ^ self.values[left - part])] = true;
                }
            }
        }
        seen.iter().position(|seen| !seen).unwrap() as u16
    }

    /// By Guy and Smith's theorem, which wants the values to 2 preperiods, 2 periods and the longest taking.
    fn find_period(&mut self) -> Option<()> {
        for period in 1..400 {
            let fails = (0..KNOWN - period)
                .rev()
                .find(|&n| self.values[n] != self.values[n + period]);
            let preperiod = fails.map_or(0, |n| n + 1);
            if 2 * (preperiod + period) + self.digits.len() < KNOWN - 100 {
                (self.period, self.preperiod) = (period, preperiod);
                return Some(());
            }
        }
        None
    }

    /// One of the masks by which the last rare heap comes early.
    fn find_mask(&mut self, rng: &mut Rng) -> Option<()> {
        let odd: Vec<usize> = (1..=self.digits.len())
            .filter(|taken| self.digits[taken - 1] & 4 != 0)
            .map(|taken| taken % 2)
            .collect();
        let same = odd.iter().all(|&one| one == odd[0]);
        let bits = (self.values.iter().max()? + 1).next_power_of_two();
        let mut found = Vec::new();
        for mask in 1..bits {
            for alternating in [false, true] {
                if alternating && (!same || self.period % 2 == 1) {
                    continue;
                }
                let rares = self.rares_by(mask, alternating, KNOWN);
                if rares.len() <= 60 && rares.last().is_none_or(|rare| rare.0 < 400) {
                    found.push((mask, alternating, rares));
                }
            }
        }
        // Nearly always one by which some heaps are rare.
        if found.iter().any(|(_, _, rares)| !rares.is_empty()) && rng.below(8) > 0 {
            found.retain(|(_, _, rares)| !rares.is_empty());
        }
        if found.is_empty() {
            return None;
        }
        (self.mask, self.alternating, self.rares) = found.swap_remove(rng.below(found.len()));
        Some(())
    }

    pub fn value(&self, heap: usize) -> u16 {
        if heap < KNOWN {
            return self.values[heap];
        }
        self.values[self.preperiod + (heap - self.preperiod) % self.period]
    }

    fn is_common(&self, heap: usize, value: u16, mask: u16, alternating: bool) -> bool {
        let first_split = self.digits.iter().position(|digit| digit & 4 != 0).unwrap() + 1;
        let constant = alternating && first_split % 2 == 1;
        let ones = (value & mask).count_ones() as usize;
        (ones + if alternating { heap } else { 0 } + usize::from(constant)) % 2 == 1
    }

    pub fn rares_by(&self, mask: u16, alternating: bool, to: usize) -> Vec<(usize, u16)> {
        let heaps = (1..to).map(|heap| (heap, self.value(heap)));
        heaps
            .filter(|&(heap, value)| !self.is_common(heap, value, mask, alternating))
            .collect()
    }

    /// The deepest witness that some heap of these needs.
    fn depth(&self, from: usize, to: usize) -> usize {
        // Far out all is as one period earlier.
        let from = from.min(KNOWN - 500);
        (from..to.min(KNOWN).max(from))
            .map(|heap| self.depth_of(heap))
            .max()
            .unwrap_or(0)
    }

    fn depth_of(&self, heap: usize) -> usize {
        let is_rare = |&value: &u16| !self.is_common(heap, value, self.mask, self.alternating);
        let mut wanted: Vec<u16> = (0..self.value(heap)).filter(is_rare).collect();
        for (taken, digit) in (1..).zip(&self.digits) {
            if digit & 2 != 0 {
                wanted.retain(|&value| value != self.value(heap - taken));
            }
        }
        for part in 1..=heap / 2 {
            if wanted.is_empty() {
                return part - 1;
            }
            for (taken, digit) in (1..).zip(&self.digits) {
                if digit & 4 != 0 && heap - taken >= part {
                    let value = self.value(part) ^ self.value(heap - taken - part);
                    wanted.retain(|&one| one != value);
                }
            }
        }
        usize::MAX / 4
    }

    fn before(&self, before: usize, length: usize) -> (u64, Vec<u16>) {
        (
            before as u64,
            (before - length..before)
                .map(|heap| self.value(heap))
                .collect(),
        )
    }

    /// A true certificate: windows of several lengths, some far back over others, from `behind` heaps behind the first place.
    pub fn certificate(&self, rng: &mut Rng, behind: usize, many: usize) -> Option<Draft> {
        self.claim(rng, behind, many, self.period)
    }

    /// The same of another period, with all windows that it takes, and true values.
    pub fn claim(&self, rng: &mut Rng, behind: usize, many: usize, period: usize) -> Option<Draft> {
        let reach = self.digits.len();
        let last = self.rares.last().map_or(0, |rare| rare.0);
        // The first window's place rests on the depth of the heaps from there on.
        let (mut first, mut start, mut depth) = (reach + 2, 0, 0);
        for _ in 0..20 {
            start = first + behind;
            depth = self.depth(first, start + period);
            let window = last.max(depth) + reach;
            let least = (2 * last.max(depth) + reach).max(window + last).max(reach) + 1;
            if first >= least && start >= self.preperiod + window {
                break;
            }
            // Now and then the least place there is.
            first = least.max(first) + rng.below(2) * rng.below(40);
            if first + behind < self.preperiod + window {
                first = self.preperiod + window;
            }
            if first > 1500 {
                return None;
            }
        }
        let deep = last.max(depth);
        let deeper = if rng.below(4) == 0
            && 2 * (deep + 1) + reach < first
            && deep + 1 + last + reach < first
        {
            depth.max(last) + 1
        } else {
            depth
        };
        let window = last.max(deeper) + reach;
        let least = (2 * last.max(deeper) + reach).max(window + last).max(reach) + 1;
        if first < least || start < self.preperiod + window || start + period > 1 << 20 {
            return None;
        }
        let reaching = start - self.preperiod + usize::from(self.preperiod > 0);
        let mut windows = vec![
            self.before(start, reaching),
            self.before(start + period, reaching),
        ];
        for prime in 2..=period {
            let is_prime = (2..prime).all(|factor| prime % factor != 0);
            if is_prime && period.is_multiple_of(prime) {
                windows.push(self.before(start + period / prime, window));
            }
        }
        windows.push(self.before(first, window));
        for _ in 0..many {
            let near = rng.below(2) * (start + period).saturating_sub(200).max(first);
            let place = near.max(first) + rng.below(start + period - near.max(first));
            // Those two are as long as each other.
            if place == start {
                continue;
            }
            let longest = if place > 100_000 { 3 * window } else { place };
            let length = match rng.below(3) {
                0 => window,
                1 => (window + rng.below(window)).min(longest),
                _ => window + rng.below(longest - window + 1),
            };
            windows.push(self.before(place, length.min(place)));
        }
        windows.sort_by_key(|window| (window.0, std::cmp::Reverse(window.1.len())));
        windows.dedup_by_key(|window| window.0);
        let largest = windows.iter().flat_map(|window| &window.1).max().unwrap();
        let needed = if *largest < 16 { 1 } else { 2 };
        Some(Draft {
            kind: "windows of a sparse space".to_owned(),
            code: self.code.clone(),
            period: period as u64,
            preperiod: self.preperiod as u64,
            start: start as u64,
            window: window as u64,
            depth: deeper as u64,
            mask: self.mask.into(),
            alternating: self.alternating,
            rares: self
                .rares
                .iter()
                .map(|&(heap, value)| (heap as u64, value.into()))
                .collect(),
            digits: needed + rng.below(3),
            windows,
        })
    }

    /// The same made false, in one of many ways, with the way; none if that way doesn't make this one false.
    pub fn falsified(&self, right: &Draft, rng: &mut Rng) -> Option<(Draft, &'static str)> {
        let mut draft = right.clone();
        let last = draft.windows.len() - 1;
        let any = rng.below(last + 1);
        let way = match rng.below(16) {
            0..=4 => {
                let values = &mut draft.windows[any].1;
                let at = match rng.below(3) {
                    0 => 0,
                    1 => values.len() - 1,
                    _ => rng.below(values.len()),
                };
                let other = [1, 2, 3, 5, 6][rng.below(5)];
                values[at] ^= other;
                "a false value"
            }
            5 => {
                draft.preperiod += 1;
                // As the windows at the ends would show it.
                for window in &mut draft.windows {
                    if window.0 == right.start && rng.below(2) == 0 {
                        let at = window.1.len() + right.preperiod as usize;
                        if let Some(value) = at
                            .checked_sub(right.start as usize)
                            .and_then(|at| window.1.get_mut(at))
                        {
                            *value ^= 1;
                        }
                    }
                }
                "a later preperiod"
            }
            6 => {
                draft.preperiod = draft.preperiod.checked_sub(1)?;
                "an earlier preperiod"
            }
            7 => {
                let times = 2 + rng.below(2);
                draft = self.claim(rng, 50, 2, self.period * times)?;
                "a multiple of the period"
            }
            8 => {
                let more = 1 + rng.below(self.period.max(3) - 1);
                draft = self.claim(rng, 50, 2, self.period + more)?;
                if draft.period.is_multiple_of(right.period) {
                    return None;
                }
                "another period"
            }
            9 => {
                draft.rares.pop()?;
                "a rare heap too few"
            }
            10 => {
                let at = rng.below(draft.rares.len().max(1));
                draft.rares.get_mut(at)?.1 ^= 1;
                "a rare heap of another value"
            }
            11 => {
                // The depth is the least there is, unless one deeper was chosen.
                let least = self.depth(
                    draft.windows[0].0 as usize,
                    (draft.start + draft.period) as usize,
                ) as u64;
                if draft.windows[0].0 > KNOWN as u64 - 500 || draft.depth != least || least == 0 {
                    return None;
                }
                draft.depth -= 1;
                let rare = draft.rares.last().map_or(0, |rare| rare.0);
                draft.window = rare.max(draft.depth) + self.digits.len() as u64;
                "too shallow"
            }
            12 => {
                let mask = 1 + rng.below(63) as u16;
                let to = (draft.start + draft.period) as usize;
                if self.rares_by(mask, self.alternating, to.min(KNOWN)) == self.rares {
                    return None;
                }
                draft.mask = mask.into();
                "another mask"
            }
            13 => {
                draft.windows.remove(any);
                if any < last && (right.windows.len() > 4 || any == 0) {
                    return None;
                }
                if any != last {
                    return None;
                }
                "no last window"
            }
            14 => {
                let place =
                    1 + rng.below(draft.rares.last().map_or(1, |rare| 2 * rare.0 as usize + 1));
                draft.windows.insert(
                    0,
                    self.before(place.max(draft.window as usize), draft.window as usize),
                );
                if draft.windows[0].0 >= draft.windows[1].0 {
                    return None;
                }
                let deep = draft.depth.max(draft.rares.last().map_or(0, |rare| rare.0));
                if draft.windows[0].0 > 2 * deep + self.digits.len() as u64 {
                    return None;
                }
                "a first window too early"
            }
            _ => {
                let values = &mut draft.windows[any].1;
                values.truncate(draft.window as usize - 1);
                "a window too short"
            }
        };
        Some((draft, way))
    }
}
