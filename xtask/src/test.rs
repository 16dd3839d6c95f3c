//! `cargo xtask test`: every test of the workspace, the language suite with all its types compared, the first random
//! programs, and the runtime's own tests under tools that watch memory, with what could not run here counted.
//!
//! Tests see no `QD_*` variable of the caller's (but those that name tools, and `QD_BLESS`) and a user cache directory of
//! their own, so that neither a setting nor a warm cache of this machine can decide an outcome.
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use qd_testing::SKIPS;
use tempfile::TempDir;

use crate::process::{self, Result, cargo};
use crate::sanitize::{self, Extent, Tool};
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
    let run =
        |arguments: &[&str], more: &[&str]| process::run(isolation.command(&mut cargo(arguments.iter().chain(more))));
    let common = ["--workspace", "--no-fail-fast"];
    // Of the suite's kernels every expression's type is compared with rustc's.
    let types = ["--package", "qd", "--features", "tap-all", "--test", "suite", "--no-fail-fast"];
    let some = [&common, arguments].concat();
    let all = arguments.is_empty();
    // nextest runs the tests of several files at once and each in a process of its own, but no documentation tests.
    let outcome = if process::succeeds(&mut cargo(["nextest", "--version"])) {
        // They go first, so that the list of what failed is near the end of the output.
        let documentation = if all { run(&["test", "--quiet", "--doc"], &common) } else { Ok(()) };
        let nextest = ["nextest", "run", "--no-tests=pass"];
        let suite = if all { run(&nextest, &types) } else { Ok(()) };
        run(&nextest, &some).and(suite).and(documentation)
    } else {
        let suite = if all { run(&["test"], &types) } else { Ok(()) };
        run(&["test"], &some).and(suite)
    };

    let mut skipped = isolation.skipped()?;
    outcome?;
    if all {
        fuzz::run(&["--programs", "500"])?;
        // Of these every expression's type is compared with rustc's.
        fuzz::run(&["--types", "--programs", "64"])?;
        // Of each the first batch.
        fuzz::run(&["--sim", "--programs", "64"])?;
        fuzz::run(&["--guard", "--programs", "64"])?;
        fuzz::run(&["--races", "--programs", "64"])?;
        for tool in Tool::ALL {
            match tool.missing()? {
                None => sanitize::check(tool, Extent::Slice)?,
                Some(why) => {
                    println!("skipped: sanitize {}: {why}", tool.name());
                    skipped += 1;
                }
            }
        }
    }
    println!("test: all passed, {skipped} skipped");
    Ok(())
}
