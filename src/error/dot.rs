//! What can be wrong with a graph in DOT.

/// What is wrong at a place of a graph in DOT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DotFault {
    /// The text begins in another way.
    #[error("a graph begins with `digraph {{`")]
    NoDigraph,
    /// The graph has lines in place of arrows.
    #[error(
        "an undirected graph; a move has a direction, so the graph must be a `digraph` with `->`"
    )]
    Undirected,
    /// No `{` behind `digraph` and its name.
    #[error("`{{` is missing after `digraph`")]
    NoGraphBrace,
    /// No `{` behind `subgraph` and its name.
    #[error("`{{` is missing after `subgraph`")]
    NoSubgraphBrace,
    /// No `}` at the end.
    #[error("the graph doesn't end: `}}` is missing")]
    NotClosed,
    /// Another graph behind the graph.
    #[error("a second graph; one graph is read")]
    SecondGraph,
    /// Something else behind the graph.
    #[error("text after the end of the graph")]
    TextBehind,
    /// Subgraphs are nested deeper than this number allows.
    #[error("subgraphs are nested more than {0} deep")]
    NestedDeep(usize),
    /// An arrow that begins a statement.
    #[error("`->` needs a vertex on its left")]
    NoTail,
    /// An arrow that ends a statement.
    #[error("`->` needs a vertex on its right")]
    NoHead,
    /// A line in place of an arrow.
    #[error("`--` has no direction; a move is written `->`")]
    Line,
    /// A keyword where a name is expected.
    #[error("a keyword is out of place; as a name it needs quotes")]
    Keyword,
    /// A mark of the language where something else is expected.
    #[error("`{0}` is out of place")]
    Mark(char),
    /// A character that no name without quotes has.
    #[error("`{}` can't be in a name without quotes", .0.escape_debug())]
    NotInName(char),
    /// A name once in angle brackets and once not.
    #[error(
        "this name stands in angle brackets and without them; to some versions of Graphviz that is one name, to others two"
    )]
    TwoKinds,
    /// `+` without a name in quotes behind it.
    #[error("`+` joins names in quotes; one is missing on its right")]
    NothingJoined,
    /// A comma without a vertex behind it.
    #[error("a vertex is missing after `,`")]
    NoVertex,
    /// A colon without a port behind it.
    #[error("the name of a port is missing after `:`")]
    NoPort,
    /// `graph`, `node` or `edge` without attributes.
    #[error("`[` is missing after `graph`, `node` or `edge`")]
    NoAttributes,
    /// A list of attributes that doesn't go on.
    #[error("`]` is missing, or a name of an attribute")]
    NoAttribute,
    /// A name of an attribute alone.
    #[error("`=` is missing: an attribute is written name=value")]
    NoEquals,
    /// `=` without a value behind it.
    #[error("the value of an attribute is missing")]
    NoValue,
}

/// The construct by which a graph in DOT ends before its last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unclosed {
    /// A comment.
    #[error("a comment whose `*/` is missing")]
    Comment,
    /// `@`, which ends a text for Graphviz.
    #[error("`@`, which must stand in quotes to be part of a name")]
    At,
    /// A name in quotes.
    #[error("a name in quotes whose `\"` is missing")]
    Quotes,
    /// A name in angle brackets.
    #[error("a name in angle brackets whose `>` is missing")]
    Brackets,
}
