//! The engines by name: the ways to compute nim-values.

use std::fmt;
use std::str::FromStr;

/// The way in which nim-values are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The engine that is fastest for the game.
    #[default]
    Auto,
    /// From all options of every heap, heap by heap.
    Definition,
    /// From all splits of every heap, many at a time.
    Pairs,
    /// From the rare heaps of a sparse space.
    Sparse,
    /// From the sets of nim-sums that a number of stones in a number of heaps can have.
    Partitions,
}

impl Engine {
    /// Every engine.
    pub const ALL: [Engine; 5] = [
        Engine::Auto,
        Engine::Definition,
        Engine::Pairs,
        Engine::Sparse,
        Engine::Partitions,
    ];

    /// The name: `auto`, `definition`, `pairs`, `sparse` or `partitions`.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Definition => "definition",
            Engine::Pairs => "pairs",
            Engine::Sparse => "sparse",
            Engine::Partitions => "partitions",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    /// The engine of this name, or of the name that it had up to version 0.2.
    fn from_str(name: &str) -> Result<Engine, UnknownEngine> {
        let name = match name {
            "quadratic" => "pairs",
            "knapsack" => "partitions",
            name => name,
        };
        Engine::ALL
            .into_iter()
            .find(|engine| engine.name() == name)
            .ok_or(UnknownEngine)
    }
}

/// The error that no engine has the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEngine;

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Engine::ALL.map(Engine::name).join(", ");
        write!(f, "the engines are {names}")
    }
}

impl std::error::Error for UnknownEngine {}
