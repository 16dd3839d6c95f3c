//! `cargo xtask test`: every test of the workspace, the language suite with all its types compared, and the first random
//! programs, with what could not run here counted.
//!
//! Tests see no `QD_*` variable of the caller's (but those that name tools, and `QD_BLESS`) and a user cache directory of their
//! own, so that neither a setting nor a warm cache of this machine can decide an outcome.
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use qd_testing::SKIPS;
use tempfile::TempDir;

use crate::process::{self, Result, cargo};
use crate::{fuzz, setup};

/// What tests may know of the caller's settings.
const KEPT: [&str; 5] = ["QD_LLVM", "QD_LLD", "QD_LIBCLC", "QD_BLESS", "QD_TEST_ALL"];

/// A place for tests to run in.
pub(crate) struct Isolation {
    scratch: TempDir,
    /// NVIDIA's assembler.
    ptxas: Option<PathBuf>,
}

impl Isolation {
    pub(crate) fn new(ptxas: Option<PathBuf>) -> Result<Self> {
        let scratch = tempfile::tempdir()?;
        fs::write(scratch.path().join("skips"), "")?;
        Ok(Isolation { scratch, ptxas })
    }

    /// Lets a command see nothing else.
    pub(crate) fn command<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        let caller = std::env::vars_os().map(|(name, _)| name);
        for name in caller.filter(|name| name.to_string_lossy().starts_with("QD_")) {
            if !KEPT.iter().any(|kept| name == *kept) {
                command.env_remove(name);
            }
        }
        if let Some(ptxas) = &self.ptxas {
            command.env("QD_PTXAS", ptxas);
        }
        let scratch = self.scratch.path();
        command.env(SKIPS, scratch.join("skips")).env("XDG_CACHE_HOME", scratch.join("cache"))
    }

    /// Prints what could not run; gives their number.
    pub(crate) fn skipped(&self) -> Result<usize> {
        let skipped = fs::read_to_string(self.scratch.path().join("skips"))?;
        skipped.lines().for_each(|line| println!("skipped: {line}"));
        Ok(skipped.lines().count())
    }
}

/// Runs all tests, or with `arguments` (a filter, say) those that the runner chooses by them.
pub(crate) fn run(arguments: &[&str]) -> Result {
    setup::llvm()?;
    let isolation = Isolation::new(setup::gpu()?)?;
    let common = ["--workspace", "--no-fail-fast"];
    // nextest runs the tests of several files at once and each in a process of its own, but no documentation tests.
    let outcome = if process::succeeds(&mut cargo(["nextest", "--version"])) {
        // They go first, so that the list of what failed is near the end of the output.
        let documentation = if arguments.is_empty() {
            process::run(isolation.command(&mut cargo(["test", "--quiet", "--doc"].iter().chain(&common))))
        } else {
            Ok(())
        };
        let nextest = ["nextest", "run", "--no-tests=pass"];
        let mut command = cargo(nextest.iter().chain(&common).chain(arguments));
        process::run(isolation.command(&mut command)).and(documentation)
    } else {
        process::run(isolation.command(&mut cargo(["test"].iter().chain(&common).chain(arguments))))
    };

    let skipped = isolation.skipped()?;
    outcome?;
    if arguments.is_empty() {
        fuzz::run(&["--programs", "500"])?;
        // Of these every expression's type is compared with rustc's.
        fuzz::run(&["--types", "--programs", "64"])?;
        // Of each the first batch.
        fuzz::run(&["--sim", "--programs", "64"])?;
        fuzz::run(&["--guard", "--programs", "64"])?;
        fuzz::run(&["--races", "--programs", "64"])?;
    }
    println!("test: all passed, {skipped} skipped");
    Ok(())
}
