//! `cargo xtask sim`: the language suite on simulated GPUs, of NVIDIA's and AMD's line, lane by lane on the CPU.
//!
//! What it says is that the code before instruction selection is right, under several orders of lanes and blocks. It is no
//! result of a GPU.
use crate::process::{self, Result, cargo};
use crate::{setup, test};

/// Runs the suite, or the tests of it that `arguments` choose.
pub(crate) fn run(arguments: &[&str]) -> Result {
    setup::llvm()?;
    let isolation = test::Isolation::new(setup::gpu()?)?;
    let suite = ["--package", "qd", "--test", "suite"];
    // What the vendors' tools say of the code is a matter of the tests as they always run.
    let mut command = if process::succeeds(&mut cargo(["nextest", "--version"])) {
        let all = ["nextest", "run", "--no-fail-fast", "-E", "not test(/^gpu::/)"];
        cargo(all.iter().chain(&suite).chain(arguments))
    } else {
        cargo(["test"].iter().chain(&suite).chain(&["--", "--skip", "gpu::"]).chain(arguments))
    };
    let outcome = process::run(isolation.command(&mut command).env("QD_SIM", "1"));
    let skipped = isolation.skipped()?;
    outcome?;
    println!("sim: all passed on simulated GPUs, {skipped} skipped");
    Ok(())
}
