//! `cargo xtask bench`: the speed of qd as ratios against peers, in one run.
use crate::process::{self, Result, cargo};
use crate::{check, setup};

/// Runs `benches` optimised, with the arguments given; `check` alone measures `cargo check`. Its own target folder,
/// because the peers written in Rust are made for this machine, as those in C are, and other builds are not to be done
/// again for that.
pub(crate) fn run(arguments: &[&str]) -> Result {
    if arguments == ["check"] {
        return check::run();
    }
    setup::llvm()?;
    let program = ["run", "--quiet", "--release", "--package", "qd-benches", "--target-dir", "target/bench", "--"];
    process::run(cargo(program.iter().chain(arguments)).env("RUSTFLAGS", "-C target-cpu=native"))
}
