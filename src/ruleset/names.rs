//! The names of games: `kayles`, `subtraction:1,2,5-9`, `0.77`.
//!
//! A name has a family and perhaps a parameter behind a colon. The family is read in any spelling: case is ignored, `Dawson's
//! Kayles` is `dawsons-kayles`. A code is read unchanged, because its letters are digits.

use super::catalogue::{COUPLES_ARE_FOREVER, Entry, HEAP_GAMES};
use super::code::Code;
use super::digit::{Digit, Parts};
use super::sets::{all_but, elements, subtraction};
use super::{Rule, Ruleset, rules};
use crate::error::NameError;
use std::str::FromStr;

/// A name as the catalogue spells it: `Dawson's Kayles` is `dawsons-kayles`. Codes, and parameters behind a colon, stay
/// unchanged.
pub fn spelling(name: &str) -> String {
    let name = name.trim();
    if rules::is_rule(name) {
        return name.to_lowercase();
    }
    let (family, parameter) = match name.find(':') {
        Some(colon) => name.split_at(colon),
        None => (name, ""),
    };
    if parameter.is_empty() && looks_like_code(name) {
        return name.to_owned();
    }
    let mut spelled = String::with_capacity(name.len());
    for c in family.trim().to_lowercase().chars() {
        match c {
            '\'' | '’' => {}
            ' ' | '_' => spelled.push('-'),
            c => spelled.push(c),
        }
    }
    spelled + parameter
}

fn looks_like_code(text: &str) -> bool {
    text.starts_with(|c: char| "0123456789.,{*&[".contains(c)) || text.contains('.')
}

impl FromStr for Ruleset {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Ruleset, NameError> {
        let name = spelling(text);
        if rules::is_rule(&name) {
            return rules::read(&name);
        }
        let (family, parameter) = match name.split_once(':') {
            Some((family, parameter)) => (family, Some(parameter.trim())),
            None => (&*name, None),
        };
        let incomplete = |what, example| NameError::Incomplete {
            family: family.to_owned(),
            what,
            example,
        };
        match (family, parameter) {
            ("subtraction", Some(set)) => return Ok(subtraction(&elements(set)?)),
            ("all-but", Some(set)) => return Ok(all_but(&elements(set)?)),
            ("octal", Some(code)) => return Ok(Ruleset::from_code(Code::octal(code)?)),
            ("subtraction", None) => {
                return Err(incomplete(
                    "the numbers of stones that may be taken",
                    "subtraction:1,2,3",
                ));
            }
            ("all-but", None) => {
                return Err(incomplete(
                    "the numbers of stones that may not be taken",
                    "all-but:1,2",
                ));
            }
            ("octal", None) => return Err(incomplete("a code", "octal:0.137")),
            _ => {}
        }
        match HEAP_GAMES
            .iter()
            .find(|entry| entry.names().any(|known| known == name))
        {
            Some(Entry {
                name,
                code: Some(code),
                ..
            }) => return Ok(Ruleset::from_code(code.parse()?).called(name)),
            Some(entry) if entry.name == COUPLES_ARE_FOREVER => return Ok(couples_are_forever()),
            _ => {}
        }
        if looks_like_code(&name) {
            return Ok(Ruleset::from_code(name.parse()?));
        }
        Err(NameError::Unknown {
            near: near(&name, HEAP_GAMES.iter()),
            name: text.to_owned(),
        })
    }
}

/// The default game: 4.0 for heaps of three and more, while a heap of two is terminal.
pub(super) fn couples_are_forever() -> Ruleset {
    let splitting = Digit::new(vec![None, None, Some(Parts::Any)], None);
    let code = Code::new(vec![splitting], 0);
    Ruleset {
        name: COUPLES_ARE_FOREVER.to_owned(),
        rule: Rule::Code { code, least: 3 },
    }
}

/// The names that may have been meant by `text`: those that begin with it, else the one nearest in letters, if it is near enough.
pub(crate) fn near<'e>(
    text: &str,
    entries: impl Iterator<Item = &'e Entry> + Clone,
) -> Vec<String> {
    let family = text.split(':').next().unwrap_or(text);
    // Comparing two names takes the product of their lengths in time; no game has a name as long as this.
    const LONGEST: usize = 60;
    if family.len() > LONGEST {
        return Vec::new();
    }
    let begins_so = |name: &&str| family.len() > 1 && name.starts_with(family);
    let found = entries
        .clone()
        .filter_map(|entry| entry.names().find(begins_so));
    let found: Vec<String> = found.map(str::to_owned).collect();
    if !found.is_empty() {
        return found;
    }
    let distance = |name: &&str| {
        let base = name.split(':').next().unwrap_or(name);
        strsim::damerau_levenshtein(family, base)
    };
    let nearest = entries.flat_map(Entry::names).min_by_key(distance);
    let near_enough = |name: &&str| distance(name) <= 2.max(family.chars().count() / 3);
    nearest
        .filter(near_enough)
        .map(str::to_owned)
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> String {
        text.parse::<Ruleset>().unwrap().name().to_owned()
    }

    #[test]
    fn names_are_read_as_people_write_them() {
        assert_eq!(name("Kayles"), "kayles");
        assert_eq!(name("Dawson's Kayles"), "dawsons-kayles");
        assert_eq!(name(" COUPLES_are forever"), "couples-are-forever");
        assert_eq!(name("Subtraction: 3, 1,2"), "subtraction:1,2,3");
        assert_eq!(name("0.3F"), "0.3F");
        assert_eq!(name("Octal:0.137"), "0.137");
    }

    #[test]
    fn sets_have_ranges() {
        assert_eq!(name("subtraction:1-9"), "subtraction:1-9");
        assert_eq!(name("subtraction:1..3,7,8-12"), "subtraction:1,2,3,7-12");
        assert_eq!(name("all-but:{4-5}"), "all-but:4,5");
        assert_eq!(name("subtraction:1-1e1,2^4"), "subtraction:1-10,16");
        let long = "subtraction:1,2,3,4,5,6,7,8,9".parse::<Ruleset>().unwrap();
        let range = "subtraction:1-9".parse::<Ruleset>().unwrap();
        assert_eq!((long.name(), long.code()), (range.name(), range.code()));
        for bad in ["3-1", "1-", "-3", "1--3", "1-2-3", "0-4", "1-70000", "1.5"] {
            assert!(format!("subtraction:{bad}").parse::<Ruleset>().is_err());
        }
        for large in ["1-1e9", "1e30"] {
            let error = format!("subtraction:{large}")
                .parse::<Ruleset>()
                .unwrap_err();
            assert!(error.to_string().contains("at most 65536"), "{error}");
        }
    }
}
