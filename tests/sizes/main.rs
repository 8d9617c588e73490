//! Every engine and kernel against the definition, at the sizes where they differ; a release build is wanted for the largest.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod engines;
mod engines_at_size;
mod proofs;
