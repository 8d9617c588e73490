//! Graphs in DOT, the language of Graphviz, read as Graphviz reads them; attributes are passed over.
//!
//! The grammar is that of <https://graphviz.org/doc/info/lang.html>, the rest is what the program does: a number ends
//! before a letter, a subgraph is all that was put into one of its name within the same graph, and an arrow goes
//! from all of its left to all of its right when the statement ends. The tests compare with the program itself.
//!
//! Graphviz reads, but this program refuses: undirected graphs and self-loops, because no game ends on them; a second graph;
//! subgraphs nested deeper than [`MOST_NESTED`] (Graphviz refuses some 3,300); a name once in angle brackets and once without,
//! which are one vertex to Graphviz 2.43 and two to Graphviz 16. Graphviz refuses, but this program reads: a byte order mark at
//! the very beginning, before `digraph`.
//!
//! No crate is used for it. Of the first 1,000 texts of the tests Graphviz 2.43 reads 493; of those graphviz-rust 0.9.9
//! reads 94 and layout-rs 0.1.3 reads 28. dot-parser is under the GPL.
//!
//! Time and memory grow with the text, the edges, and the vertices of each subgraph together.

mod groups;
mod tokens;

use super::builder::Builder;
use super::{GraphError, GraphFault, Place, Warning};
use crate::error::{DotFault, Unclosed};
use groups::{Group, Groups};
use std::borrow::Cow;
use std::collections::HashSet;
use tokens::{Keyword, Kind, Token, Tokens};

/// How deep subgraphs may be nested.
const MOST_NESTED: usize = 2000;

/// Whether a text begins as a graph in DOT does, with `digraph {` or `graph {`.
pub fn is_dot(text: &str) -> bool {
    let mut tokens = Tokens::of(text);
    let mut next = || tokens.next();
    let mut token = next();
    if token == Token::Keyword(Keyword::Strict) {
        token = next();
    }
    if !matches!(token, Token::Keyword(Keyword::Graph | Keyword::Digraph)) {
        return false;
    }
    token = next();
    if matches!(token, Token::Atom(..)) {
        token = next();
    }
    token == Token::Mark('{')
}

/// Reads a `digraph`.
pub fn read(text: &str, builder: &mut Builder) -> Result<(), GraphError> {
    let mut reader = Reader {
        token: Token::Mark(' '),
        tokens: Tokens::of(text),
        builder,
        groups: Groups::default(),
        html: HashSet::new(),
        hash: false,
        lines: Lines {
            text,
            at: 0,
            line: 1,
        },
    };
    reader.advance()?;
    if reader.token == Token::End && reader.tokens.ended_by.is_none() {
        return Err(GraphError::Empty);
    }
    reader.head()?;
    reader.body()?;
    match reader.token {
        Token::End => Ok(()),
        Token::Keyword(Keyword::Strict | Keyword::Graph | Keyword::Digraph) => {
            Err(reader.fault(DotFault::SecondGraph))
        }
        _ => Err(reader.fault(DotFault::TextBehind)),
    }
}

/// The lines of places that come one after another.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl Lines<'_> {
    fn of(&mut self, at: usize) -> u32 {
        let passed = &self.text.as_bytes()[self.at..at];
        let ends = memchr::memchr_iter(b'\n', passed).count();
        self.line = self
            .line
            .saturating_add(u32::try_from(ends).unwrap_or(u32::MAX));
        self.at = at;
        self.line
    }
}

/// One end of an arrow, or a statement by itself.
struct Operand {
    ends: Ends,
    line: u32,
}

enum Ends {
    /// The vertices of the statement from one index to below another.
    Vertices(usize, usize),
    /// All vertices of a subgraph.
    Group(Group),
}

/// A subgraph, or the graph itself, that isn't closed yet, with its statement that hasn't ended yet.
struct Open {
    group: Group,
    operands: Vec<Operand>,
    vertices: Vec<u32>,
}

impl Open {
    fn new(group: Group) -> Open {
        Open {
            group,
            operands: Vec::new(),
            vertices: Vec::new(),
        }
    }
}

struct Reader<'a, 't> {
    tokens: Tokens<'t>,
    /// The word to be read next.
    token: Token<'t>,
    builder: &'a mut Builder,
    groups: Groups,
    /// The vertices named in angle brackets.
    html: HashSet<u32>,
    /// Whether a comment stands where the value of an attribute of the list being read should.
    hash: bool,
    lines: Lines<'t>,
}

impl<'t> Reader<'_, 't> {
    /// An error at the word to be read next.
    fn fault(&self, fault: DotFault) -> GraphError {
        let is_end = self.token == Token::End;
        let unclosed = self.tokens.ended_by.filter(|_| is_end);
        self.malformed(self.tokens.start, fault, unclosed, self.hash)
    }

    fn malformed(
        &self,
        at: usize,
        fault: DotFault,
        unclosed: Option<Unclosed>,
        after_hash: bool,
    ) -> GraphError {
        GraphError::Malformed {
            place: Place::of_byte(self.lines.text.as_bytes(), at),
            fault: GraphFault::Dot {
                fault,
                unclosed,
                after_hash,
            },
        }
    }

    fn advance(&mut self) -> Result<Token<'t>, GraphError> {
        let next = self.tokens.next();
        let line = self.lines.of(self.tokens.start);
        if let Some(cut) = self.tokens.cut.take() {
            self.builder.warn(Warning::CutNumber {
                place: Place::Line(line),
                text: self.tokens.number_and_more().to_owned(),
                number: cut - self.tokens.start,
            })?;
        }
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// Passes the next word if it is `token`. Returns whether it is.
    fn passes(&mut self, token: &Token<'_>) -> Result<bool, GraphError> {
        let is_next = self.token == *token;
        if is_next {
            self.advance()?;
        }
        Ok(is_next)
    }

    /// Passes the next word if it is `token`, else returns the error `missing`.
    fn expect(&mut self, token: &Token<'_>, missing: DotFault) -> Result<(), GraphError> {
        match self.passes(token)? {
            true => Ok(()),
            false => Err(self.fault(missing)),
        }
    }

    fn head(&mut self) -> Result<(), GraphError> {
        self.builder.strict = self.passes(&Token::Keyword(Keyword::Strict))?;
        if self.token == Token::Keyword(Keyword::Graph) {
            return Err(self.fault(DotFault::Undirected));
        }
        let digraph = Token::Keyword(Keyword::Digraph);
        self.expect(&digraph, DotFault::NoDigraph)?;
        self.atom_if_any()?;
        self.expect(&Token::Mark('{'), DotFault::NoGraphBrace)
    }

    /// A name or value, or an error that it is missing.
    fn atom(&mut self, missing: DotFault) -> Result<(Cow<'t, str>, Kind), GraphError> {
        self.atom_if_any()?.ok_or_else(|| self.fault(missing))
    }

    /// A name or value, if one is next; quoted ones may be joined by `+`.
    fn atom_if_any(&mut self) -> Result<Option<(Cow<'t, str>, Kind)>, GraphError> {
        if !matches!(self.token, Token::Atom(..)) {
            return Ok(None);
        }
        let Token::Atom(mut text, mut kind) = self.advance()? else {
            return Ok(None);
        };
        while kind != Kind::Plain && self.passes(&Token::Mark('+'))? {
            if !matches!(self.token, Token::Atom(_, Kind::Quoted | Kind::Html)) {
                return Err(self.fault(DotFault::NothingJoined));
            }
            if let Token::Atom(more, _) = self.advance()? {
                text += more;
                kind = Kind::Quoted;
            }
        }
        Ok(Some((text, kind)))
    }

    /// The statements up to the end of the graph, without recursion.
    fn body(&mut self) -> Result<(), GraphError> {
        let mut open = vec![Open::new(Groups::ROOT)];
        while let Some(inner) = open.last_mut() {
            let begins = inner.operands.is_empty();
            match &self.token {
                Token::Mark('}') if begins => {
                    let group = inner.group;
                    let line = self.lines.line;
                    self.advance()?;
                    open.pop();
                    match open.last_mut() {
                        None => return Ok(()),
                        Some(outer) => self.operand(outer, Ends::Group(group), line)?,
                    }
                }
                Token::Keyword(Keyword::Graph | Keyword::Node | Keyword::Edge) if begins => {
                    self.defaults()?;
                    continue;
                }
                Token::Mark('{') | Token::Keyword(Keyword::Subgraph) => {
                    let parent = inner.group;
                    let group = self.subgraph(parent)?;
                    if open.len() > MOST_NESTED {
                        return Err(self.fault(DotFault::NestedDeep(MOST_NESTED)));
                    }
                    open.push(Open::new(group));
                    continue;
                }
                Token::Atom(..) => {
                    if self.vertices(inner)? {
                        continue;
                    }
                }
                _ => return Err(self.fault(self.out_of_place(begins))),
            }
            if let Some(inner) = open.last_mut() {
                self.after_operand(inner)?;
            }
        }
        Ok(())
    }

    fn out_of_place(&self, begins: bool) -> DotFault {
        match self.token {
            _ if !begins => DotFault::NoHead,
            Token::Arrow => DotFault::NoTail,
            Token::Line => DotFault::Line,
            Token::Keyword(_) => DotFault::Keyword,
            Token::Mark(mark @ ('{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' | '+')) => {
                DotFault::Mark(mark)
            }
            Token::Mark(mark) => DotFault::NotInName(mark),
            Token::Atom(..) | Token::End => DotFault::NotClosed,
        }
    }

    /// Reads `node [...]`, which says how the following vertices look.
    fn defaults(&mut self) -> Result<(), GraphError> {
        self.advance()?;
        if self.atom_if_any()?.is_some() {
            self.expect(&Token::Mark('='), DotFault::NoAttributes)?;
        }
        if self.token != Token::Mark('[') {
            return Err(self.fault(DotFault::NoAttributes));
        }
        self.attributes()?;
        self.passes(&Token::Mark(';')).map(drop)
    }

    /// Reads lists of attributes in brackets, as many as there are.
    fn attributes(&mut self) -> Result<(), GraphError> {
        while self.passes(&Token::Mark('['))? {
            while !self.passes(&Token::Mark(']'))? {
                self.atom(DotFault::NoAttribute)?;
                self.expect(&Token::Mark('='), DotFault::NoEquals)?;
                self.hash |= self.tokens.after_hash;
                self.atom(DotFault::NoValue)?;
                let _ = self.passes(&Token::Mark(';'))? || self.passes(&Token::Mark(','))?;
            }
            self.hash = false;
        }
        Ok(())
    }

    /// Reads the beginning of a subgraph, up to its `{`.
    fn subgraph(&mut self, parent: Group) -> Result<Group, GraphError> {
        let name = match self.passes(&Token::Keyword(Keyword::Subgraph))? {
            true => self.atom_if_any()?,
            false => None,
        };
        let group = match name {
            Some((name, kind)) => {
                self.groups
                    .named(parent, &name, kind, &mut self.builder.memory)?
            }
            None => Some(self.groups.add(parent, &mut self.builder.memory)?),
        };
        let Some(group) = group else {
            return Err(self.fault(DotFault::TwoKinds));
        };
        self.expect(&Token::Mark('{'), DotFault::NoSubgraphBrace)?;
        Ok(group)
    }

    /// Reads vertices joined by commas, or an attribute of the graph. Returns whether the statement is over.
    fn vertices(&mut self, open: &mut Open) -> Result<bool, GraphError> {
        let first = open.vertices.len();
        let line = self.lines.line;
        loop {
            let start = self.tokens.start;
            let (name, kind) = self.atom(DotFault::NoVertex)?;
            if open.operands.is_empty()
                && open.vertices.is_empty()
                && self.passes(&Token::Mark('='))?
            {
                self.atom(DotFault::NoValue)?;
                self.passes(&Token::Mark(';'))?;
                return Ok(true);
            }
            for _ in 0..2 {
                if self.passes(&Token::Mark(':'))? {
                    self.atom(DotFault::NoPort)?;
                }
            }
            let vertex = self.vertex(&name, kind, start)?;
            self.groups
                .put(open.group, vertex, &mut self.builder.memory)?;
            self.builder.memory.push(&mut open.vertices, vertex)?;
            if !self.passes(&Token::Mark(','))? {
                self.operand(open, Ends::Vertices(first, open.vertices.len()), line)?;
                return Ok(false);
            }
        }
    }

    fn vertex(&mut self, name: &str, kind: Kind, at: usize) -> Result<u32, GraphError> {
        let known = self.builder.known(name);
        let vertex = match known {
            Some(vertex) => vertex,
            None => self.builder.vertex(name)?,
        };
        let is_html = kind == Kind::Html;
        if known.is_none() && is_html {
            self.html.insert(vertex);
        } else if self.html.contains(&vertex) != is_html {
            return Err(self.malformed(at, DotFault::TwoKinds, None, false));
        }
        Ok(vertex)
    }

    fn operand(&mut self, open: &mut Open, ends: Ends, line: u32) -> Result<(), GraphError> {
        self.builder
            .memory
            .push(&mut open.operands, Operand { ends, line })
    }

    /// Reads the words behind vertices or a subgraph: an arrow, or attributes and the end of the statement.
    fn after_operand(&mut self, open: &mut Open) -> Result<(), GraphError> {
        if self.passes(&Token::Arrow)? {
            return Ok(());
        }
        self.attributes()?;
        self.passes(&Token::Mark(';'))?;
        for pair in open.operands.windows(2) {
            let ends = |operand: &Operand| match operand.ends {
                Ends::Vertices(from, to) => &open.vertices[from..to],
                Ends::Group(group) => self.groups.members(group),
            };
            let [tails, heads] = [ends(&pair[0]), ends(&pair[1])];
            self.builder.check_room(tails.len(), heads.len())?;
            for &from in tails {
                for &to in heads {
                    self.builder.edge(from, to, pair[1].line)?;
                }
            }
        }
        open.operands.clear();
        open.vertices.clear();
        Ok(())
    }
}
