//! `cargo xtask demo`: the main job on a real photograph.
use crate::process::{self, Result, cargo};
use crate::setup;

/// Runs `examples/develop` optimised, with the arguments given.
pub(crate) fn run(arguments: &[&str]) -> Result {
    setup::llvm()?;
    let example = ["run", "--quiet", "--release", "--package", "qd", "--example", "develop", "--"];
    process::run(&mut cargo(example.iter().chain(arguments)))
}
