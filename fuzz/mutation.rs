//! Random changes of good examples.

use crate::rng::Rng;

/// Numbers and words at which readers have failed before.
const WORDS: [&str; 24] = [
    "0",
    "1",
    "-1",
    "65535",
    "65536",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e18",
    "2^63",
    "0x",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\\",
    "\u{0}",
    "\u{feff}",
    "\u{1b}[31m",
    "\u{e9}",
    "\r\n",
    " ",
];

/// The longest input made.
const LONGEST: usize = 1 << 14;

/// Good examples, which are mutated.
pub struct Corpus {
    seeds: Vec<Vec<u8>>,
}

impl Corpus {
    /// At least one seed.
    pub fn new(seeds: Vec<Vec<u8>>) -> Corpus {
        assert!(!seeds.is_empty(), "an empty corpus");
        Corpus { seeds }
    }

    pub fn len(&self) -> usize {
        self.seeds.len()
    }

    fn seed(&self, rng: &mut Rng) -> &[u8] {
        &self.seeds[rng.below(self.seeds.len())]
    }

    /// A seed changed in up to eight places, or, now and then, not at all.
    pub fn mutated(&self, rng: &mut Rng) -> Vec<u8> {
        let mut input = self.seed(rng).to_vec();
        for _ in 0..rng.below(9) {
            self.mutate(&mut input, rng);
            input.truncate(LONGEST);
        }
        input
    }

    fn mutate(&self, input: &mut Vec<u8>, rng: &mut Rng) {
        let at = rng.below(input.len() + 1);
        let most = 1 << rng.below(8);
        let length = rng.below(most);
        let end = (at + length).min(input.len());
        match rng.below(9) {
            0 if at < input.len() => input[at] ^= 1 << rng.below(8),
            1 if at < input.len() => input[at] = rng.below(256) as u8,
            2 => drop(input.drain(at..end)),
            3 => {
                let piece = input[at..end].to_vec();
                let to = rng.below(input.len() + 1);
                input.splice(to..to, piece);
            }
            4 => {
                let piece = input[at..end].repeat(rng.below(64));
                input.splice(at..end, piece);
            }
            5 => {
                let other = self.seed(rng);
                let from = rng.below(other.len() + 1);
                let piece = other[from..].iter().take(length).copied();
                let piece: Vec<u8> = piece.collect();
                input.splice(at..end, piece);
            }
            6 => {
                let word = WORDS[rng.below(WORDS.len())];
                input.splice(at..at, word.bytes());
            }
            7 => replace_number(input, at, rng),
            _ => input.truncate(at),
        }
    }
}

/// Puts another number where the next one is.
fn replace_number(input: &mut Vec<u8>, from: usize, rng: &mut Rng) {
    let Some(start) = input[from..].iter().position(u8::is_ascii_digit) else {
        return;
    };
    let start = from + start;
    let digits = input[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    let end = start + digits.count();
    let number = match rng.below(3) {
        0 => WORDS[rng.below(12)].to_owned(),
        1 => rng.below(20).to_string(),
        _ => {
            let most = 1 << rng.below(40);
            rng.below(most).to_string()
        }
    };
    input.splice(start..end, number.bytes());
}
