//! What the tests of the whole path share: configurations over a directory, files in it, this binary as a child.
#![allow(dead_code)] // each test binary uses its part
use std::path::{Path, PathBuf};
use std::process::Command;

use qd::prelude::*;
use qd::{Arch, Config, Observations, Outcome, Runtime};

/// A configuration that nothing outside the test steers, with its cache in `root`.
pub fn config(root: &Path) -> Config {
    Config::new(Arch::Cpu).ignore_env().offline_cache_file_path(root).num_threads(2)
}

pub fn runtime(root: &Path) -> Runtime {
    Runtime::new(config(root)).unwrap()
}

pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Every entry below `root`.
pub fn entries(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "qda") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// `(total, hits, recompiled)`, after checking that they agree with each other and with the records.
pub fn counts(observations: &Observations) -> (i64, i64, i64) {
    let Observations { tasks_total, tasks_cache_hit, tasks_recompiled, tasks, .. } = observations;
    assert_eq!(tasks_cache_hit + tasks_recompiled, *tasks_total, "{observations}");
    assert_eq!(tasks.len() as i64, *tasks_total, "{observations}");
    let compiled = tasks.iter().filter(|task| task.outcome == Outcome::Compiled).count();
    assert_eq!(compiled as i64, *tasks_recompiled, "{observations}");
    for task in tasks {
        assert_eq!(task.outcome.is_hit(), task.miss.is_none(), "{observations}");
        assert_eq!(task.outcome.is_hit(), task.compile.is_none(), "{observations}");
        assert!(task.bytes > 0, "{observations}");
        assert!(task.source.contains(".rs:"), "{observations}");
    }
    (*tasks_total, *tasks_cache_hit, *tasks_recompiled)
}

/// The outcomes, in order.
pub fn outcomes(observations: &Observations) -> Vec<Outcome> {
    observations.tasks.iter().map(|task| task.outcome).collect()
}

/// The indices of the tasks that were compiled.
pub fn compiled(observations: &Observations) -> Vec<usize> {
    observations.tasks.iter().filter(|task| task.outcome == Outcome::Compiled).map(|task| task.index).collect()
}

/// Runs the test `name` of this binary in a process of its own, with [`CHILD`] set to `job`; gives what it printed.
pub fn child(name: &str, job: &str, root: &Path) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(CHILD, job)
        .env(ROOT, root)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// Set where this binary is the child of another test.
pub const CHILD: &str = "QDTEST_CHILD";
const ROOT: &str = "QDTEST_ROOT";

/// In a child: its job and its cache directory.
pub fn job() -> Option<(String, PathBuf)> {
    Some((std::env::var(CHILD).ok()?, std::env::var_os(ROOT)?.into()))
}

pub fn array(values: &[f32]) -> NdArray<f32> {
    NdArray::from_slice(values)
}
