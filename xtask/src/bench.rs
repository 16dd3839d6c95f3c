//! `cargo xtask bench`: the speed of qd as ratios against peers, in one run.
use crate::process::{self, Result, cargo};
use crate::setup;

/// Runs `benches` optimised, with the arguments given. Its own target folder, because the peers written in Rust are made
/// for this machine, as those in C are, and other builds are not to be done again for that.
pub(crate) fn run(arguments: &[&str]) -> Result {
    setup::llvm()?;
    let program = ["run", "--quiet", "--release", "--package", "qd-benches", "--target-dir", "target/bench", "--"];
    process::run(cargo(program.iter().chain(arguments)).env("RUSTFLAGS", "-C target-cpu=native"))
}
