//! Graphs in DOT, the language of Graphviz, read as Graphviz reads them; attributes are passed over.
//!
//! The grammar is that of <https://graphviz.org/doc/info/lang.html>, the rest is what the program does: a number ends
//! before a letter, a subgraph is all that was put into one of its name within the same graph, and an arrow goes
//! from all of its left to all of its right when the statement ends. The tests compare with the program itself.
//!
//! What Graphviz reads and is refused here: undirected graphs and self-loops, for no game ends on them; a second
//! graph; subgraphs nested deeper than [`MOST_NESTED`] (Graphviz refuses some 3,300); a name once in angle brackets
//! and once without, which are one vertex to Graphviz 2.43 and two to Graphviz 16. What Graphviz refuses and is read
//! here: a byte order mark at the very beginning, before `digraph`.
//!
//! No crate is used for it. Of the first 1,000 texts of the tests Graphviz 2.43 reads 493; of those graphviz-rust 0.9.9
//! reads 94 and layout-rs 0.1.3 reads 28. dot-parser is under the GPL.
//!
//! Time and memory grow with the text, the edges, and the vertices of each subgraph together.

mod groups;
mod tokens;

use super::builder::Builder;
use super::{GraphError, Place, Warning};
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
            Err(reader.fault("a second graph; one graph is read"))
        }
        _ => Err(reader.fault("text after the end of the graph")),
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

/// An end of an arrow, or a statement of its own.
struct Operand {
    ends: Ends,
    line: u32,
}

enum Ends {
    /// Vertices of the statement, from the one to before the other.
    Vertices(usize, usize),
    /// All vertices of a subgraph.
    Group(Group),
}

/// A subgraph, or the graph, that isn't closed yet, and its statement that isn't ended yet.
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
    fn fault(&self, what: &str) -> GraphError {
        let mut what = what.to_owned();
        if let (Token::End, Some(by)) = (&self.token, self.tokens.ended_by) {
            what = format!("{what}; the text ends with {by}");
        }
        if self.hash {
            what += "; `#` began a comment after `=`, a colour like \"#ff0000\" needs quotes";
        }
        self.tokens.fault_at(self.tokens.start, &what)
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

    /// Goes on if the next word is this one.
    fn passes(&mut self, token: &Token<'_>) -> Result<bool, GraphError> {
        let is_next = self.token == *token;
        if is_next {
            self.advance()?;
        }
        Ok(is_next)
    }

    /// Goes on if the next word is this one, or says what is missing.
    fn expect(&mut self, token: &Token<'_>, missing: &str) -> Result<(), GraphError> {
        match self.passes(token)? {
            true => Ok(()),
            false => Err(self.fault(missing)),
        }
    }

    fn head(&mut self) -> Result<(), GraphError> {
        self.builder.strict = self.passes(&Token::Keyword(Keyword::Strict))?;
        if self.token == Token::Keyword(Keyword::Graph) {
            return Err(self.fault("an undirected graph; a move has a direction, so the graph must be a `digraph` with `->`"));
        }
        let digraph = Token::Keyword(Keyword::Digraph);
        self.expect(&digraph, "a graph begins with `digraph {`")?;
        if matches!(self.token, Token::Atom(..)) {
            self.atom("")?;
        }
        self.expect(&Token::Mark('{'), "`{` is missing after `digraph`")
    }

    /// A name or value; quoted ones may be joined by `+`.
    fn atom(&mut self, missing: &str) -> Result<(Cow<'t, str>, Kind), GraphError> {
        if !matches!(self.token, Token::Atom(..)) {
            return Err(self.fault(missing));
        }
        let Token::Atom(mut text, mut kind) = self.advance()? else {
            return Err(self.fault(missing));
        };
        while kind != Kind::Plain && self.passes(&Token::Mark('+'))? {
            if !matches!(self.token, Token::Atom(_, Kind::Quoted | Kind::Html)) {
                return Err(self.fault("`+` joins names in quotes; one is missing on its right"));
            }
            if let Token::Atom(more, _) = self.advance()? {
                text += more;
                kind = Kind::Quoted;
            }
        }
        Ok((text, kind))
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
                        return Err(self.fault(&format!(
                            "subgraphs are nested more than {MOST_NESTED} deep"
                        )));
                    }
                    open.push(Open::new(group));
                    continue;
                }
                Token::Atom(..) => {
                    if self.vertices(inner)? {
                        continue;
                    }
                }
                Token::End if begins => {
                    return Err(self.fault("the graph doesn't end: `}` is missing"));
                }
                _ => return Err(self.out_of_place(begins)),
            }
            if let Some(inner) = open.last_mut() {
                self.after_operand(inner)?;
            }
        }
        Ok(())
    }

    fn out_of_place(&self, begins: bool) -> GraphError {
        match self.token {
            _ if !begins => self.fault("`->` needs a vertex on its right"),
            Token::Arrow => self.fault("`->` needs a vertex on its left"),
            Token::Line => self.fault("`--` has no direction; a move is written `->`"),
            Token::Keyword(_) => self.fault("a keyword is out of place; as a name it needs quotes"),
            Token::Mark(mark @ ('{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' | '+')) => {
                self.fault(&format!("`{mark}` is out of place"))
            }
            Token::Mark(mark) => self.fault(&format!(
                "`{}` can't be in a name without quotes",
                mark.escape_debug()
            )),
            Token::Atom(..) | Token::End => self.fault("the graph doesn't end"),
        }
    }

    /// `node [...]`: what following vertices look like.
    fn defaults(&mut self) -> Result<(), GraphError> {
        let missing = "`[` is missing after `graph`, `node` or `edge`";
        self.advance()?;
        if matches!(self.token, Token::Atom(..)) {
            self.atom("")?;
            self.expect(&Token::Mark('='), missing)?;
        }
        if self.token != Token::Mark('[') {
            return Err(self.fault(missing));
        }
        self.attributes()?;
        self.passes(&Token::Mark(';')).map(drop)
    }

    /// Lists of attributes in brackets, as many as there are.
    fn attributes(&mut self) -> Result<(), GraphError> {
        while self.passes(&Token::Mark('['))? {
            while !self.passes(&Token::Mark(']'))? {
                self.atom("`]` is missing, or a name of an attribute")?;
                let missing = "`=` is missing: an attribute is written name=value";
                self.expect(&Token::Mark('='), missing)?;
                self.hash |= self.tokens.after_hash;
                self.atom("the value of an attribute is missing")?;
                let _ = self.passes(&Token::Mark(';'))? || self.passes(&Token::Mark(','))?;
            }
            self.hash = false;
        }
        Ok(())
    }

    /// The beginning of a subgraph, up to its `{`.
    fn subgraph(&mut self, parent: Group) -> Result<Group, GraphError> {
        let mut name = None;
        if self.passes(&Token::Keyword(Keyword::Subgraph))? && matches!(self.token, Token::Atom(..))
        {
            name = Some(self.atom("")?);
        }
        let group = match name {
            Some((name, kind)) => {
                self.groups
                    .named(parent, &name, kind, &mut self.builder.memory)?
            }
            None => Some(self.groups.add(parent, &mut self.builder.memory)?),
        };
        let Some(group) = group else {
            return Err(self.fault(TWO_KINDS));
        };
        self.expect(&Token::Mark('{'), "`{` is missing after `subgraph`")?;
        Ok(group)
    }

    /// Vertices joined by commas, or an attribute of the graph: whether the statement is over.
    fn vertices(&mut self, open: &mut Open) -> Result<bool, GraphError> {
        let first = open.vertices.len();
        let line = self.lines.line;
        loop {
            let start = self.tokens.start;
            let (name, kind) = self.atom("a vertex is missing after `,`")?;
            if open.operands.is_empty()
                && open.vertices.is_empty()
                && self.passes(&Token::Mark('='))?
            {
                self.atom("the value of an attribute is missing")?;
                self.passes(&Token::Mark(';'))?;
                return Ok(true);
            }
            for _ in 0..2 {
                if self.passes(&Token::Mark(':'))? {
                    self.atom("the name of a port is missing after `:`")?;
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
            return Err(self.tokens.fault_at(at, TWO_KINDS));
        }
        Ok(vertex)
    }

    fn operand(&mut self, open: &mut Open, ends: Ends, line: u32) -> Result<(), GraphError> {
        self.builder
            .memory
            .push(&mut open.operands, Operand { ends, line })
    }

    /// What may follow vertices or a subgraph: an arrow, or attributes and the end of the statement.
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

const TWO_KINDS: &str = "this name stands in angle brackets and without them; to some versions of Graphviz that is one name, to others two";
