//! `cargo xtask bench`: the speed of qd as ratios against peers, in one run.
use crate::process::{self, Result, cargo};
use crate::setup;

/// Runs `benches` optimised, with the arguments given.
pub(crate) fn run(arguments: &[&str]) -> Result {
    setup::llvm()?;
    let program = ["run", "--quiet", "--release", "--package", "qd-benches", "--"];
    process::run(&mut cargo(program.iter().chain(arguments)))
}
