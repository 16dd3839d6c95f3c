//! An entry that proves whole and still can't be loaded: its code calls a function that nobody has. From the launch of
//! a real kernel to the next process.
mod jit;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use qd_runtime::cache::entry::{self, Artifact, ArtifactKind};
use qd_runtime::codegen::task::{bounds_symbol, run_symbol};
use qd_runtime::config::{Arch, Config};
use qd_runtime::key::TaskKey;
use qd_runtime::launch::kernel::Kernel;
use qd_runtime::launch::kernel::calls::*;
use qd_runtime::launch::runtime::Runtime;
use qd_runtime::observe::{Miss, Observations, Outcome};

/// What the macro's output names, as the façade shows it.
mod facade {
    pub use qd_runtime::private as __private;
}

#[qd_macros::kernel(crate = crate::facade)]
fn scale_then_shift(x: &mut [f32], k: f32) {
    for i in 0..x.len() {
        x[i] *= k;
    }
    for i in 0..x.len() {
        x[i] += 0.5;
    }
}

/// The cache directory of a child.
const ROOT: &str = "QDTEST_HEAL_ROOT";

/// Launches in a new runtime over `root`, checks the result, tells what happened.
fn launch(root: &Path) -> Observations {
    launch_with(Config::new(Arch::Cpu).offline_cache_file_path(root))
}

fn launch_with(config: Config) -> Observations {
    let rt = Runtime::new(config.ignore_env().num_threads(2)).unwrap();
    let mut x: Vec<f32> = (0..100).map(|n| n as f32).collect();
    scale_then_shift.on(&rt).call(&mut x, 3.0);
    assert!(x.iter().enumerate().all(|(n, x)| *x == n as f32 * 3.0 + 0.5), "{x:?}");
    scale_then_shift.on(&rt).observations()
}

fn outcomes(observations: &Observations) -> Vec<Outcome> {
    observations.tasks.iter().map(|task| task.outcome).collect()
}

/// The file of an entry: the one whose path spells the key.
fn file(root: &Path, key: &TaskKey) -> PathBuf {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let spelt: String =
                path.with_extension("").components().map(|part| part.as_os_str().to_string_lossy()).collect();
            if path.is_dir() {
                folders.push(path);
            } else if spelt.ends_with(&key.to_string()) {
                return path;
            }
        }
    }
    panic!("{key} has no entry below {}", root.display());
}

/// The object that a broken tool chain could have left: the task's own entry points, around a call that leads nowhere.
fn unresolvable(key: &TaskKey) -> Vec<u8> {
    let (run, bounds) = (run_symbol(&key.symbol()), bounds_symbol(&key.symbol()));
    jit::compile(&format!(
        "declare void @qd_v1_no_such_helper()
         define void @{run}(ptr %c, i64 %b, i64 %e, ptr %p) {{ call void @qd_v1_no_such_helper()\n ret void }}
         define void @{bounds}(ptr %c) {{ call void @qd_v1_no_such_helper()\n ret void }}"
    ))
}

#[test]
fn an_entry_that_can_not_be_linked_is_compiled_again_and_healed() {
    let root = tempfile::tempdir().unwrap();
    let first = launch(root.path());
    assert_eq!(outcomes(&first), [Outcome::Compiled, Outcome::Compiled]);

    for victim in 0..2 {
        let key = first.tasks[victim].key;
        let path = file(root.path(), &key);
        let good = entry::decode(&fs::read(&path).unwrap(), &key).unwrap();
        let bad = Artifact::new(ArtifactKind::Object, *good.parts(), good.compiler(), unresolvable(&key));
        let bytes = entry::encode(&bad).unwrap();
        assert_eq!(entry::decode(&bytes, &key).unwrap(), bad, "nothing is wrong with the entry as such");
        fs::write(&path, bytes).unwrap();

        let healing = launch(root.path());
        let mut want = [Outcome::Disk; 2];
        want[victim] = Outcome::Compiled;
        assert_eq!(outcomes(&healing), want);
        assert_eq!((healing.tasks_total, healing.tasks_cache_hit, healing.tasks_recompiled), (2, 1, 1));
        let Some(Miss::LoadRefused(why)) = &healing.tasks[victim].miss else { panic!("{healing}") };
        assert!(why.contains("qd_v1_no_such_helper"), "{why}");

        assert_eq!(entry::decode(&fs::read(&path).unwrap(), &key).unwrap(), good, "the same code as before");
        assert_eq!(outcomes(&launch(root.path())), [Outcome::Disk; 2]);
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_child_launches", "--nocapture"])
            .env(ROOT, root.path())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success() && text.contains("hits 2 of 2"), "{text}");
    }
}

/// Not a test of its own: what the child of the other does.
#[test]
fn a_child_launches() {
    if let Some(root) = std::env::var_os(ROOT) {
        let Observations { tasks_total, tasks_cache_hit, .. } = launch(Path::new(&root));
        println!("hits {tasks_cache_hit} of {tasks_total}");
    }
}

/// A seed can't be healed: what it can't give is compiled into the cache directory, once.
#[test]
fn an_entry_of_a_seed_that_can_not_be_linked_is_compiled_once() {
    let (seed, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let key = launch(seed.path()).tasks[0].key;
    let path = file(seed.path(), &key);
    let good = entry::decode(&fs::read(&path).unwrap(), &key).unwrap();
    let bad = Artifact::new(ArtifactKind::Object, *good.parts(), good.compiler(), unresolvable(&key));
    let bytes = entry::encode(&bad).unwrap();
    fs::write(&path, &bytes).unwrap();

    let both = || {
        let config = Config::new(Arch::Cpu).offline_cache_file_path(own.path());
        launch_with(config.offline_cache_seed_path(seed.path()))
    };
    let first = both();
    assert_eq!(outcomes(&first), [Outcome::Compiled, Outcome::Seed]);
    assert!(matches!(first.tasks[0].miss, Some(Miss::LoadRefused(_))), "{first}");
    assert_eq!(outcomes(&both()), [Outcome::Disk; 2]);
    assert_eq!(fs::read(&path).unwrap(), bytes, "a seed is only read");
}
