//! The games that a survey is asked for, one after another: codes, names and patterns, from words or lines.

use super::super::shard::Shard;
use crate::app::error::{Refused, in_words, refuse};
use crate::app::files::lines::Lines;
use crate::app::files::{input, is_dash};
use crate::app::report::style::note;
use crate::game::catalogue;
use crate::printable::quoted;
use crate::ruleset::{Code, Pattern, Ruleset};
use crate::sequence::survey::Asked;
use std::collections::{HashMap, HashSet, VecDeque};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most bad lines that are reported one by one.
const TOLD: u64 = 10;
/// The longest code that is read, in bytes.
const LONGEST: usize = 10_000;
/// The most games that are counted to give the progress bar its length.
const COUNTED: usize = 100_000;

/// The games asked for, each once.
pub struct Codes {
    /// The sources of codes that are still to be read; the first is read next.
    sources: VecDeque<Source>,
    shard: Option<Shard>,
    /// For each code that was given out or is to be left out, how many values the game has.
    done: HashMap<String, u64>,
    /// How many values each game is to have.
    values: u64,
    quiet: bool,
    /// How many lines named no game.
    bad: Arc<AtomicU64>,
    /// Whether that was told.
    told: bool,
}

enum Source {
    Game(Ruleset),
    Family(Pattern, Box<dyn Iterator<Item = Code> + Send>),
    Lines {
        name: String,
        lines: Lines<Box<dyn Read + Send>>,
        /// Lines that were read and not yet understood, with their numbers.
        read: VecDeque<(u64, Option<String>)>,
    },
}

impl Codes {
    /// The games that words and files name, those of one share only.
    pub fn new(
        words: &[String],
        files: &[PathBuf],
        shard: Option<Shard>,
        quiet: bool,
    ) -> Result<Codes, Refused> {
        let mut sources = VecDeque::new();
        for word in words {
            sources.push_back(match word.as_str() {
                "-" => open(Path::new("-"))?,
                word => match source(word) {
                    Err(_) if Path::new(word).is_file() => open(Path::new(word))?,
                    source => source?,
                },
            });
        }
        for file in files {
            sources.push_back(open(file)?);
        }
        Ok(Codes {
            sources,
            shard,
            done: HashMap::new(),
            values: u64::MAX,
            quiet,
            bad: Arc::default(),
            told: false,
        })
    }

    /// How many lines named no game, counted on as lines are read.
    pub fn bad_lines(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bad)
    }

    /// Leaves out the games of these codes that have `values` values or more.
    pub fn skip(&mut self, done: HashMap<String, u64>, values: u64) {
        self.done = done;
        self.values = values;
    }

    /// How many games there are; `None` if lines are still to be read, or there are too many games to count for a bar.
    pub fn count(&self) -> Option<u64> {
        let mut keys = HashSet::new();
        let mut left = COUNTED;
        for source in &self.sources {
            let games: Box<dyn Iterator<Item = Ruleset>> = match source {
                Source::Game(game) => Box::new(std::iter::once(game.clone())),
                Source::Family(pattern, _) => Box::new(pattern.codes().map(Ruleset::from_code)),
                Source::Lines { .. } => return None,
            };
            for game in games {
                left = left.checked_sub(1)?;
                let asked = Asked::new(game);
                if self.wants(&asked) {
                    keys.insert(asked.code);
                }
            }
        }
        Some(keys.len() as u64)
    }

    /// Whether a game is of this share and not done.
    fn wants(&self, asked: &Asked) -> bool {
        // A heap of the game is larger by `shift` than the heap of its standard form with the same value, so the game has as many
        // values more.
        let wanted = self.values.saturating_add(asked.shift.unwrap_or(0));
        let few = self.done.get(&asked.code).is_none_or(|&has| has < wanted);
        few && self.shard.is_none_or(|shard| shard.has(asked.key()))
    }

    /// The next game.
    ///
    /// # Errors
    /// If a file can't be read. A line that is no game is told on standard error and left out.
    pub fn next(&mut self) -> Result<Option<Asked>, Refused> {
        loop {
            let Some(ruleset) = self.next_ruleset()? else {
                let bad = self.bad.load(Ordering::Relaxed);
                if bad > 0 && !self.quiet && !std::mem::replace(&mut self.told, true) {
                    let lines = match bad {
                        1 => "1 line names".to_owned(),
                        bad => format!("{bad} lines name"),
                    };
                    note(format_args!("{lines} no game"));
                }
                return Ok(None);
            };
            let asked = Asked::new(ruleset);
            if self.wants(&asked) {
                self.done.insert(asked.code.clone(), u64::MAX);
                return Ok(Some(asked));
            }
        }
    }

    fn next_ruleset(&mut self) -> Result<Option<Ruleset>, Refused> {
        loop {
            let Some(first) = self.sources.front_mut() else {
                return Ok(None);
            };
            match first {
                Source::Game(game) => {
                    let game = game.clone();
                    self.sources.pop_front();
                    return Ok(Some(game));
                }
                Source::Family(_, codes) => match codes.next() {
                    Some(code) => return Ok(Some(Ruleset::from_code(code))),
                    None => _ = self.sources.pop_front(),
                },
                Source::Lines { name, lines, read } => {
                    if read.is_empty() {
                        let batch = lines.batch().map_err(|error| {
                            Refused::Usage(format!("{name} can't be read: {error}"))
                        })?;
                        let Some(batch) = batch else {
                            self.sources.pop_front();
                            continue;
                        };
                        let text = |line: &[u8]| String::from_utf8_lossy(line).trim().to_owned();
                        let kept = |line: &Option<String>| {
                            let empty = |line: &String| line.is_empty() || line.starts_with('#');
                            !line.as_ref().is_some_and(empty)
                        };
                        let texts = batch.lines().map(|(number, line)| (number, line.map(text)));
                        read.extend(texts.filter(|(_, line)| kept(line)));
                        continue;
                    }
                    let (number, line) = read.pop_front().unwrap_or_default();
                    let line = line.filter(|line| line.len() <= LONGEST);
                    let line = line.ok_or_else(|| "too long for a code".to_owned());
                    match line.and_then(|line| source(&line).map_err(|error| in_words(&error))) {
                        Ok(source) => self.sources.push_front(source),
                        Err(error) => {
                            let earlier = self.bad.fetch_add(1, Ordering::Relaxed);
                            if earlier < TOLD && !self.quiet {
                                let error: String = error.chars().take(300).collect();
                                note(format_args!("line {number} of {name}: {error}"));
                            }
                        }
                    }
                }
            }
        }
    }
}

fn open(file: &Path) -> Result<Source, Refused> {
    let name = match is_dash(file) {
        true => "standard input".to_owned(),
        false => file.display().to_string(),
    };
    match input(file) {
        Ok(input) => Ok(Source::Lines {
            name,
            lines: Lines::new(input),
            read: VecDeque::new(),
        }),
        Err(error) => refuse!("{name} can't be read: {error}"),
    }
}

/// The source for a word: a game or a family of games.
fn source(word: &str) -> Result<Source, Refused> {
    let pattern = match word.parse::<Pattern>() {
        Ok(pattern) => {
            let codes = Box::new(pattern.codes());
            return Ok(Source::Family(pattern, codes));
        }
        Err(error) => error,
    };
    let is_pattern = |c: char| c.is_ascii_digit() || c == '.' || c == '?';
    match catalogue::ruleset(word) {
        Ok(ruleset) => Ok(Source::Game(ruleset)),
        // A `?` may also stand behind a digit of a code; a word that could be both is a pattern.
        Err(_) if word.contains('?') && word.chars().all(is_pattern) => {
            refuse!("bad pattern `{}`: {pattern}", quoted(word))
        }
        Err(error) => Err(error.into()),
    }
}
