//! The library by its public interface, and the source against its own map.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod arrows;
mod catalogue;
mod certificates;
mod codes;
mod errors;
mod misere_quotients;
mod nim_products;
mod outcomes;
mod prices;
mod published;
mod rule_games;
mod sums;
mod table;
mod whole_quotients;
mod word_rules;
