//! Every kernel of the suite as code for GPUs: it compiles on this machine, and the vendors' tools take it.
//!
//! Nothing is run here. What the tools can't tell, such as wrong results and races, is the simulation's part.
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};

use qd::{Config, Runtime, Target};

/// The code of every task once, with the name of a kernel that has it.
fn tasks(target: &str) -> BTreeMap<qd::TaskKey, (String, Vec<u8>)> {
    let root = tempfile::tempdir().unwrap();
    let config = Config::default().ignore_env().offline_cache_file_path(root.path());
    let runtime = Runtime::new(config).unwrap();
    let target: Target = target.parse().unwrap();
    let mut tasks = BTreeMap::new();
    qd::__private::each_artifact(&runtime, &target, |kernel, made| {
        let name = format!("{}::{}", kernel.module, kernel.name);
        for (key, artifact) in made.unwrap_or_else(|error| {
            println!("FAIL {name} for {target}: {error}");
            Vec::new()
        }) {
            tasks.entry(key).or_insert((name.clone(), artifact.bytes));
        }
    });
    tasks
}

#[test]
fn probe() {
    let start = std::time::Instant::now();
    for target in ["cuda,sm_80", "amdgpu,gfx942"] {
        let tasks = tasks(target);
        let bytes: usize = tasks.values().map(|(_, b)| b.len()).sum();
        println!("{target}: {} tasks {} bytes {:?}", tasks.len(), bytes, start.elapsed());
    }
}
