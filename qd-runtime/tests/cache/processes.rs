//! Several processes on one root: killed while they write, racing, on disks that are full or read-only.
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use qd_runtime::cache::Cache;
use qd_runtime::cache::disk::Disk;
use qd_runtime::cache::store::Store;
use qd_runtime::config::environment::Env;
use qd_runtime::config::{CleaningPolicy, Config, Trust};
use qd_runtime::observe::Outcome;

use super::support::*;

const KEYS: u32 = 32;

fn cache(root: &Path) -> Cache {
    Cache::open(&Config::default().ignore_env().offline_cache_file_path(root).resolve(&Env::default()).unwrap())
}

/// Writes for ever; the parent kills it.
#[test]
fn child_that_is_killed() {
    let Some(root) = childs_root() else { return };
    let disk = open(&root);
    println!("writing");
    for n in (0..KEYS).cycle() {
        disk.put(&artifact(n, 100_000)).unwrap();
    }
}

fn wait_until_it_writes(child: &mut Child) {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("writing")), "the child ended");
}

#[test]
fn a_killed_writer_never_leaves_a_bad_entry() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let wanted: Vec<_> = (0..KEYS).map(|n| artifact(n, 100_000)).collect();
    let mut left_behind = 0;
    for round in 0..25 {
        let mut child = child("cache::processes::child_that_is_killed", root).stdout(Stdio::piped()).spawn().unwrap();
        wait_until_it_writes(&mut child);
        thread::sleep(Duration::from_micros(700 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let disk = open(root);
        for made in &wanted {
            // An error here would be a bad entry.
            let found = disk.get(made.key()).unwrap();
            assert!(found.is_none_or(|found| found == *made));
        }
        left_behind = temporaries(root).len();
    }
    assert!(!entries(root).is_empty());
    // They are swept an hour later.
    for path in temporaries(root) {
        set_used(&path, Duration::from_secs(2 * 3600), false);
    }
    let _ = fs::remove_file(root.join(".lock"));
    open(root).put(&wanted[0]).unwrap();
    assert_eq!(temporaries(root).len(), 0, "of {left_behind}");
}

/// Gets or makes every artifact, as eight processes do at once. `go` starts them together.
#[test]
fn child_that_races() {
    let Some(root) = childs_root() else { return };
    while !root.join("go").exists() {
        thread::sleep(Duration::from_millis(1));
    }
    let cache_root = root.join("cache");
    let small = root.join("small").exists();
    let max_size = if small { 200_000 } else { 1 << 30 };
    let disk = Disk::open(&cache_root, Trust::Owner, CleaningPolicy::Lru, max_size).unwrap();
    for _ in 0..4 {
        for n in 0..KEYS {
            let made = artifact(n, 10_000);
            match disk.get(made.key()).unwrap() {
                Some(found) => assert_eq!(found, made),
                None => disk.put(&made).unwrap(),
            }
        }
    }
    println!("raced");
}

fn race(small: bool) {
    let folder = tempfile::tempdir().unwrap();
    if small {
        fs::write(folder.path().join("small"), b"").unwrap();
    }
    let start = || {
        child("cache::processes::child_that_races", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..8).map(|_| start()).collect();
    fs::write(folder.path().join("go"), b"").unwrap();
    for child in children {
        assert!(succeeded(child.wait_with_output().unwrap()).contains("raced"));
    }
    let root = folder.path().join("cache");
    let disk = open(&root);
    let valid = (0..KEYS).filter(|&n| disk.get(artifact(n, 0).key()).unwrap().is_some()).count();
    assert_eq!(valid, entries(&root).len());
    assert!(small || valid == KEYS as usize);
    assert!(temporaries(&root).is_empty());
}

#[test]
fn eight_processes_at_once() {
    race(false);
}

#[test]
fn eight_processes_that_evict_what_the_others_use() {
    race(true);
}

/// Everything a launch needs works, though the disk takes little or nothing.
fn works_with_memory_alone(root: &Path, wanted: &str) {
    let cache = cache(root);
    for n in 0..KEYS {
        cache.put(&artifact(n, 20_000));
        assert_eq!(cache.get(artifact(n, 0).key()).unwrap().outcome, Outcome::Memory);
    }
    assert!(cache.troubles().iter().any(|trouble| trouble.contains(wanted)), "{:?}", cache.troubles());
    assert!(temporaries(root).is_empty(), "failed puts clean up after themselves");
    let disk = open(root);
    assert!((0..KEYS).all(|n| disk.get(artifact(n, 0).key()).is_ok()), "what is there is whole");
}

#[test]
fn child_on_a_full_disk() {
    let Some(root) = childs_root() else { return };
    match mount_small(&root, "size=256k,mode=700") {
        Ok(()) => works_with_memory_alone(&root, "No space left"),
        Err(error) => println!("can't mount: {error}"),
    }
}

#[test]
fn child_on_a_read_only_disk() {
    let Some(root) = childs_root() else { return };
    if let Err(error) = mount_small(&root, "size=4m,mode=700") {
        return println!("can't mount: {error}");
    }
    open(&root).put(&artifact(1000, 100)).unwrap();
    make_read_only(&root).unwrap();
    works_with_memory_alone(&root, "Read-only");
    assert_eq!(cache(&root).get(artifact(1000, 0).key()).unwrap().outcome, Outcome::Disk);
}

/// Runs a child that mounts a file system for itself, where that is possible.
fn on_its_own_disk(test: &str, child_test: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = child(child_test, folder.path());
    with_own_mounts(&mut command);
    match command.output() {
        Ok(output) => {
            let text = succeeded(output);
            if let Some(why) = text.lines().find(|line| line.contains("can't mount")) {
                skip(test, why);
            }
        }
        Err(error) => skip(test, &format!("no mounts of its own: {error}")),
    }
}

#[test]
fn a_full_disk_is_said_and_survived() {
    on_its_own_disk("a_full_disk_is_said_and_survived", "cache::processes::child_on_a_full_disk");
}

#[test]
fn a_read_only_disk_is_said_and_still_read() {
    on_its_own_disk("a_read_only_disk_is_said_and_still_read", "cache::processes::child_on_a_read_only_disk");
}

/// Run by a user whose directory this is, but without the right to write it.
#[test]
fn child_in_a_read_only_directory() {
    let Some(root) = childs_root() else { return };
    chmod(&root, 0o555);
    works_with_memory_alone(&root, "Permission denied");
    chmod(&root, 0o700);
    println!("worked");
}

#[test]
fn a_directory_without_write_permission_is_said_and_survived() {
    const TEST: &str = "a_directory_without_write_permission_is_said_and_survived";
    let folder = tempfile::tempdir().unwrap();
    let command = child("cache::processes::child_in_a_read_only_directory", folder.path());
    let output = if is_root() {
        give_to_stranger(folder.path());
        run_as_stranger(command)
    } else {
        let mut command = command;
        command.output().ok()
    };
    match output {
        Some(output) => assert!(succeeded(output).contains("worked")),
        None => skip(TEST, "another user can't run this binary where it lies"),
    }
}
