//! `cargo xtask test`: every test of the workspace, the language suite with all its types compared, and the first random
//! programs, with what could not run here counted.
//!
//! Tests see no `QD_*` variable of the caller's (but those that name tools, and `QD_BLESS`) and a user cache directory of their
//! own, so that neither a setting nor a warm cache of this machine can decide an outcome.
use std::fs;
use std::process::Command;

use qd_testing::SKIPS;

use crate::process::{self, Result, cargo};
use crate::{fuzz, setup};

/// What tests may know of the caller's settings.
const KEPT: [&str; 5] = ["QD_LLVM", "QD_LLD", "QD_LIBCLC", "QD_BLESS", "QD_TEST_ALL"];

/// Runs all tests, or with `arguments` (a filter, say) those that the runner chooses by them.
pub(crate) fn run(arguments: &[&str]) -> Result {
    setup::llvm()?;
    let ptxas = setup::gpu()?;
    let scratch = tempfile::tempdir()?;
    let skips = scratch.path().join("skips");
    fs::write(&skips, "")?;

    let prepared = |mut command: Command| {
        let caller = std::env::vars_os().map(|(name, _)| name);
        for name in caller.filter(|name| name.to_string_lossy().starts_with("QD_")) {
            if !KEPT.iter().any(|kept| name == *kept) {
                command.env_remove(name);
            }
        }
        if let Some(ptxas) = &ptxas {
            command.env("QD_PTXAS", ptxas);
        }
        command.env(SKIPS, &skips).env("XDG_CACHE_HOME", scratch.path().join("cache"));
        command
    };
    let common = ["--workspace", "--no-fail-fast"];
    // nextest runs the tests of several files at once and each in a process of its own, but no documentation tests.
    let outcome = if process::succeeds(&mut cargo(["nextest", "--version"])) {
        // They go first, so that the list of what failed is near the end of the output.
        let documentation = if arguments.is_empty() {
            process::run(&mut prepared(cargo(["test", "--quiet", "--doc"].iter().chain(&common))))
        } else {
            Ok(())
        };
        let nextest = ["nextest", "run", "--no-tests=pass"];
        process::run(&mut prepared(cargo(nextest.iter().chain(&common).chain(arguments)))).and(documentation)
    } else {
        process::run(&mut prepared(cargo(["test"].iter().chain(&common).chain(arguments))))
    };

    let skipped = fs::read_to_string(&skips)?;
    skipped.lines().for_each(|line| println!("skipped: {line}"));
    outcome?;
    if arguments.is_empty() {
        fuzz::run(&["--programs", "500"])?;
        // Of these every expression's type is compared with rustc's.
        fuzz::run(&["--types", "--programs", "64"])?;
        // Of each the first batch.
        fuzz::run(&["--guard", "--programs", "64"])?;
        fuzz::run(&["--races", "--programs", "64"])?;
    }
    println!("test: all passed, {} skipped", skipped.lines().count());
    Ok(())
}
