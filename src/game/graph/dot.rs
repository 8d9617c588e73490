//! Graphs in the language of Graphviz: directed ones, with subgraphs; attributes are passed over.

use super::{Builder, GraphError, Place};
use std::borrow::Cow;

/// Reads a `digraph`.
pub fn read(text: &str, builder: &mut Builder) -> Result<(), GraphError> {
    let mut tokens = Tokens {
        rest: text,
        line: 1,
        at: 1,
        ahead: None,
    };
    if tokens.peek()?.is_none() {
        return Err(GraphError::Empty);
    }
    let mut head = tokens.next()?;
    if head.as_ref().is_some_and(|token| token.is_word("strict")) {
        head = tokens.next()?;
    }
    if !head.is_some_and(|token| token.is_word("digraph")) {
        return Err(tokens.fault(
            "a graph begins with `digraph {`; moves have a direction, so it can't be a `graph`",
        ));
    }
    if let Some(Token::Name { .. }) = tokens.peek()? {
        tokens.next()?;
    }
    if tokens.next()? != Some(Token::Mark('{')) {
        return Err(tokens.fault("`{` is missing after `digraph`"));
    }
    Body {
        tokens: &mut tokens,
        builder,
        groups: vec![Group::default()],
    }
    .read()?;
    match tokens.next()? {
        None => Ok(()),
        Some(_) => Err(tokens.fault("text after the end of the graph; one graph is read")),
    }
}

/// What stands between braces.
#[derive(Default)]
struct Group {
    members: Vec<u32>,
    /// The vertices that a following arrow goes out from.
    tail: Vec<u32>,
    /// Whether an arrow was read whose end is to come.
    arrow: bool,
}

struct Body<'a, 't> {
    tokens: &'a mut Tokens<'t>,
    builder: &'a mut Builder,
    groups: Vec<Group>,
}

impl Body<'_, '_> {
    fn read(&mut self) -> Result<(), GraphError> {
        while let Some(token) = self.tokens.next()? {
            match token {
                Token::Mark('{') => self.groups.push(Group::default()),
                Token::Mark('}') => {
                    self.end_statement()?;
                    let Some(group) = self.groups.pop() else {
                        break;
                    };
                    if self.groups.is_empty() {
                        return Ok(());
                    }
                    self.operand(&group.members)?;
                }
                Token::Mark('[') => self.attributes()?,
                Token::Mark(';' | ',') => self.end_statement()?,
                Token::Arrow => match self.groups.last_mut() {
                    Some(group) if !group.arrow && !group.tail.is_empty() => group.arrow = true,
                    _ => return Err(self.tokens.fault("`->` needs a vertex on its left")),
                },
                Token::Mark(mark) => {
                    return Err(self.tokens.fault(&format!("`{mark}` is out of place here")));
                }
                Token::Line => {
                    return Err(self
                        .tokens
                        .fault("`--` has no direction; a move is written ->"));
                }
                Token::Name { .. } => self.name(token)?,
            }
        }
        Err(self.tokens.fault("the graph doesn't end: `}` is missing"))
    }

    fn name(&mut self, token: Token<'_>) -> Result<(), GraphError> {
        if token.is_word("subgraph") {
            if let Some(Token::Name { .. }) = self.tokens.peek()? {
                self.tokens.next()?;
            }
            return match self.tokens.peek()? {
                Some(Token::Mark('{')) => Ok(()),
                _ => Err(self.tokens.fault("`{` is missing after `subgraph`")),
            };
        }
        if ["node", "edge", "graph"]
            .iter()
            .any(|word| token.is_word(word))
        {
            return self.end_statement();
        }
        let Token::Name { text, .. } = token else {
            return Ok(());
        };
        if self.tokens.peek()? == Some(&Token::Mark('=')) {
            self.tokens.next()?;
            self.tokens.next()?;
            return self.end_statement();
        }
        while self.tokens.peek()? == Some(&Token::Mark(':')) {
            self.tokens.next()?;
            self.tokens.next()?;
        }
        let vertex = self.builder.vertex(&text)?;
        self.operand(&[vertex])
    }

    /// A vertex or a group as a statement of its own, or as the end of an arrow.
    fn operand(&mut self, vertices: &[u32]) -> Result<(), GraphError> {
        let Some(group) = self.groups.last_mut() else {
            return Ok(());
        };
        if std::mem::take(&mut group.arrow) {
            for &from in &group.tail {
                for &to in vertices {
                    self.builder.edge(from, to, self.tokens.at)?;
                }
            }
        }
        group.members.extend(vertices);
        group.tail.clear();
        group.tail.extend(vertices);
        Ok(())
    }

    fn end_statement(&mut self) -> Result<(), GraphError> {
        if let Some(group) = self.groups.last_mut() {
            if group.arrow {
                return Err(self.tokens.fault("`->` needs a vertex on its right"));
            }
            group.tail.clear();
        }
        Ok(())
    }

    fn attributes(&mut self) -> Result<(), GraphError> {
        while let Some(token) = self.tokens.next()? {
            if token == Token::Mark(']') {
                return self.end_statement();
            }
        }
        Err(self.tokens.fault("`]` is missing"))
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Token<'t> {
    Name { text: Cow<'t, str>, quoted: bool },
    Arrow,
    Line,
    Mark(char),
}

impl Token<'_> {
    /// Whether this is a keyword, which quotes would make a name.
    fn is_word(&self, word: &str) -> bool {
        matches!(self, Token::Name { text, quoted: false } if text.eq_ignore_ascii_case(word))
    }
}

struct Tokens<'t> {
    rest: &'t str,
    /// The line that `rest` begins in.
    line: u32,
    /// The line of the token that was returned last.
    at: u32,
    ahead: Option<(Token<'t>, u32)>,
}

impl<'t> Tokens<'t> {
    fn fault(&self, what: &str) -> GraphError {
        GraphError::Malformed {
            place: Place::Line(self.at),
            what: what.to_owned(),
        }
    }

    fn peek(&mut self) -> Result<Option<&Token<'t>>, GraphError> {
        if self.ahead.is_none() {
            self.ahead = self.read()?;
        }
        Ok(self.ahead.as_ref().map(|(token, _)| token))
    }

    fn next(&mut self) -> Result<Option<Token<'t>>, GraphError> {
        let next = match self.ahead.take() {
            Some(ahead) => Some(ahead),
            None => self.read()?,
        };
        self.at = next.as_ref().map_or(self.line, |&(_, line)| line);
        Ok(next.map(|(token, _)| token))
    }

    /// The next token and its line; an error is at that line too.
    fn read(&mut self) -> Result<Option<(Token<'t>, u32)>, GraphError> {
        self.pass_blanks_and_comments()?;
        let line = self.line;
        let at = std::mem::replace(&mut self.at, line);
        let token = self.token()?;
        self.at = at;
        Ok(token.map(|token| (token, line)))
    }

    /// Goes on by so many bytes, and counts the lines in them.
    fn pass(&mut self, bytes: usize) -> &'t str {
        let passed = self.pass_in_line(bytes);
        let lines = passed.bytes().filter(|&byte| byte == b'\n').count();
        self.line = self
            .line
            .saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        passed
    }

    /// Goes on by so many bytes, none of which ends a line.
    fn pass_in_line(&mut self, bytes: usize) -> &'t str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        passed
    }

    fn pass_blanks_and_comments(&mut self) -> Result<(), GraphError> {
        loop {
            self.pass(self.rest.len() - self.rest.trim_start().len());
            if self.rest.starts_with("//") || self.rest.starts_with('#') {
                self.pass(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let end = self.rest.find("*/");
                self.at = self.line;
                let end =
                    end.ok_or_else(|| self.fault("a comment doesn't end: `*/` is missing"))?;
                self.pass(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<Option<Token<'t>>, GraphError> {
        let Some(first) = self.rest.chars().next() else {
            return Ok(None);
        };
        if self.rest.starts_with("->") || self.rest.starts_with("--") {
            let arrow = self.pass_in_line(2) == "->";
            return Ok(Some(if arrow { Token::Arrow } else { Token::Line }));
        }
        match first {
            '"' => self.quoted().map(Some),
            '<' => self.markup().map(Some),
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' => {
                self.pass_in_line(1);
                Ok(Some(Token::Mark(first)))
            }
            _ => {
                let letter = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
                let minus = usize::from(first == '-');
                let end = self.rest[minus..].find(|c| !letter(c));
                match end.map_or(self.rest.len(), |end| end + minus) {
                    end if end == minus => {
                        Err(self.fault(&format!("`{first}` can't be in a name without quotes")))
                    }
                    end => Ok(Some(Token::Name {
                        text: self.pass_in_line(end).into(),
                        quoted: false,
                    })),
                }
            }
        }
    }

    /// A name in quotes, in which only `\"` and a line's end after `\` mean something else.
    fn quoted(&mut self) -> Result<Token<'t>, GraphError> {
        let mut escaped = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            if c == '"' && !escaped {
                let text = &self.pass(at + 1)[1..at];
                let text = if text.contains('\\') {
                    text.replace("\\\"", "\"").replace("\\\n", "").into()
                } else {
                    text.into()
                };
                return Ok(Token::Name { text, quoted: true });
            }
            escaped = c == '\\' && !escaped;
        }
        Err(self.fault("a name in quotes doesn't end: `\"` is missing"))
    }

    /// Text between angle brackets, which may be nested.
    fn markup(&mut self) -> Result<Token<'t>, GraphError> {
        let mut depth = 0usize;
        for (at, c) in self.rest.char_indices() {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(Token::Name {
                    text: self.pass(at + 1).into(),
                    quoted: true,
                });
            }
        }
        Err(self.fault("a name in angle brackets doesn't end: `>` is missing"))
    }
}
