//! The words of DOT, cut as Graphviz's scanner cuts them.

use crate::error::Unclosed;
use std::borrow::Cow;

/// A word of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// A name or a value.
    Atom(Cow<'t, str>, Kind),
    /// A word that means something if it is not in quotes.
    Keyword(Keyword),
    /// `->`
    Arrow,
    /// `--`
    Line,
    /// Any other character.
    Mark(char),
    /// The end of the text.
    End,
}

/// How a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Without quotes.
    Plain,
    /// In quotes.
    Quoted,
    /// In angle brackets.
    Html,
}

/// The keywords; upper and lower case mean the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    Strict,
    Graph,
    Digraph,
    Subgraph,
    Node,
    Edge,
}

const KEYWORDS: [(&str, Keyword); 6] = [
    ("strict", Keyword::Strict),
    ("graph", Keyword::Graph),
    ("digraph", Keyword::Digraph),
    ("subgraph", Keyword::Subgraph),
    ("node", Keyword::Node),
    ("edge", Keyword::Edge),
];

/// The words of a text, one after another.
pub struct Tokens<'t> {
    text: &'t str,
    /// The byte at which the next word is looked for.
    at: usize,
    /// The byte at which the word read last begins.
    pub start: usize,
    /// The byte at which a number ended that a letter or a second point follows: DOT begins another word there.
    pub cut: Option<usize>,
    /// Whether a `#` comment that doesn't begin its line was passed before the word read last.
    pub after_hash: bool,
    /// The construct by which the text ended before its last character, if it did.
    pub ended_by: Option<Unclosed>,
}

impl<'t> Tokens<'t> {
    /// The words of a text.
    pub fn of(text: &'t str) -> Tokens<'t> {
        Tokens {
            text,
            at: 0,
            start: 0,
            cut: None,
            after_hash: false,
            ended_by: None,
        }
    }

    /// The next word. A comment, a quoted name or a name in angle brackets that isn't closed ends the text.
    pub fn next(&mut self) -> Token<'t> {
        loop {
            self.pass_blanks_and_comments();
            self.start = self.at;
            let token = match self.ended_by {
                None => self.token(),
                Some(_) => Token::End,
            };
            // A byte order mark by itself is blank; before a letter it is a letter.
            if !matches!(&token, Token::Atom(name, Kind::Plain) if name == "\u{feff}") {
                return token;
            }
        }
    }

    /// The word read last, a number, with the letters, digits and points after it.
    pub fn number_and_more(&self) -> &'t str {
        let more = &self.text.as_bytes()[self.start..];
        let is_more = |&byte: &u8| is_letter(byte) || byte.is_ascii_digit() || byte == b'.';
        let minus = usize::from(more.first() == Some(&b'-'));
        let length = more[minus..]
            .iter()
            .take_while(|byte| is_more(byte))
            .count();
        &self.text[self.start..self.start + minus + length]
    }

    fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn end(&mut self, by: Unclosed) -> Token<'t> {
        self.ended_by = Some(by);
        Token::End
    }

    fn pass_blanks_and_comments(&mut self) {
        self.after_hash = false;
        while self.ended_by.is_none() {
            let rest = self.rest();
            match rest {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => self.at += 1,
                [b'#', ..] | [b'/', b'/', ..] => {
                    let starts_line = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
                    self.after_hash |= rest[0] == b'#' && !starts_line;
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                [b'/', b'*', comment @ ..] => match memchr::memmem::find(comment, b"*/") {
                    Some(end) => self.at += end + 4,
                    None => drop(self.end(Unclosed::Comment)),
                },
                [b'@', ..] => drop(self.end(Unclosed::At)),
                _ => return,
            }
        }
    }

    fn token(&mut self) -> Token<'t> {
        let rest = self.rest();
        match rest {
            [] => Token::End,
            [b'"', ..] => self.quoted(),
            [b'<', ..] => self.html(),
            [b'-', b'>', ..] => self.pass(2, Token::Arrow),
            [b'-', b'-', ..] => self.pass(2, Token::Line),
            [first, ..] if is_letter(*first) => {
                let end = rest
                    .iter()
                    .position(|&byte| !is_letter(byte) && !byte.is_ascii_digit());
                let name = &self.text[self.at..self.at + end.unwrap_or(rest.len())];
                let keyword = KEYWORDS
                    .iter()
                    .find(|(word, _)| name.eq_ignore_ascii_case(word));
                let token = match keyword {
                    Some(&(_, keyword)) => Token::Keyword(keyword),
                    None => Token::Atom(name.into(), Kind::Plain),
                };
                self.pass(name.len(), token)
            }
            _ => {
                let length = number(rest);
                if length == 0 {
                    let first = self.text[self.at..].chars().next().unwrap_or_default();
                    return self.pass(first.len_utf8(), Token::Mark(first));
                }
                let cut = rest
                    .get(length)
                    .is_some_and(|&next| is_letter(next) || next == b'.');
                self.cut = cut.then_some(self.at + length);
                let name = &self.text[self.at..self.at + length];
                self.pass(length, Token::Atom(name.into(), Kind::Plain))
            }
        }
    }

    fn pass(&mut self, bytes: usize, token: Token<'t>) -> Token<'t> {
        self.at += bytes;
        token
    }

    /// A name in quotes, in which only `\"` and a line's end after `\` mean something else; `\\` stays.
    fn quoted(&mut self) -> Token<'t> {
        let from = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut name = Cow::Borrowed("");
        let mut kept = from;
        let mut at = from;
        while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
            at += found;
            if bytes[at] == b'"' {
                name += &self.text[kept..at];
                self.at = at + 1;
                return Token::Atom(name, Kind::Quoted);
            }
            match bytes.get(at + 1) {
                Some(&next @ (b'"' | b'\n')) => {
                    name += &self.text[kept..at];
                    kept = if next == b'"' { at + 1 } else { at + 2 };
                    at += 2;
                }
                Some(b'\\') => at += 2,
                _ => at += 1,
            }
        }
        self.end(Unclosed::Quotes)
    }

    /// A name in angle brackets, which may be nested.
    fn html(&mut self) -> Token<'t> {
        let rest = self.rest();
        let mut depth = 0usize;
        for at in memchr::memchr2_iter(b'<', b'>', rest) {
            match rest[at] {
                b'<' => depth += 1,
                _ => depth -= 1,
            }
            if depth == 0 {
                let name = &self.text[self.at + 1..self.at + at];
                return self.pass(at + 1, Token::Atom(name.into(), Kind::Html));
            }
        }
        self.end(Unclosed::Brackets)
    }
}

/// Letters are those of ASCII, `_`, and every byte beyond ASCII.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii()
}

/// How many bytes at the beginning are a number: `-`, digits, and a point before, among or after them.
fn number(text: &[u8]) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let minus = usize::from(text.first() == Some(&b'-'));
    let whole = digits(minus);
    let point = minus + whole;
    if text.get(point) != Some(&b'.') {
        return if whole > 0 { point } else { 0 };
    }
    let decimals = digits(point + 1);
    if whole + decimals > 0 {
        point + 1 + decimals
    } else {
        0
    }
}
