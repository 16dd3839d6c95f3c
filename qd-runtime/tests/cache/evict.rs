//! The budget of a directory, and what killed writers leave.
use std::fs;
use std::path::Path;
use std::time::Duration;

use qd_runtime::cache::disk::Disk;
use qd_runtime::cache::store::Store;
use qd_runtime::config::{CleaningPolicy, Trust};

use super::support::*;

const DAY: Duration = Duration::from_secs(24 * 3600);

fn disk(root: &Path, policy: CleaningPolicy, max_size: u64) -> Disk {
    Disk::open(root, Trust::Owner, policy, max_size).unwrap()
}

fn size(root: &Path) -> u64 {
    entries(root).iter().map(|entry| fs::metadata(entry).unwrap().len()).sum()
}

/// Makes the next put of a newly opened directory clean up, whoever did so last.
fn make_a_pass_due(root: &Path) {
    let _ = fs::remove_file(root.join(".lock"));
}

#[test]
fn the_budget_is_kept_at_every_put() {
    let folder = tempfile::tempdir().unwrap();
    let max_size = 100_000;
    let disk = disk(folder.path(), CleaningPolicy::Lru, max_size);
    for n in 0..200 {
        disk.put(&artifact(n, 3_000)).unwrap();
        // A pass is due when a sixteenth of the budget was written since the last one.
        assert!(size(folder.path()) <= max_size + max_size / 16 + 4_000);
    }
    assert!(size(folder.path()) >= max_size / 2, "no more than needed is removed");
}

#[test]
fn what_was_not_used_for_longest_goes_first() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let filling = disk(root, CleaningPolicy::Never, 0);
    for n in 0..20 {
        filling.put(&artifact(n, 1_000)).unwrap();
        // 0 is the oldest; 7 was used in the future, as a clock that was set back has it.
        set_used(&filling.path_of(artifact(n, 0).key()), DAY * (30 - n), false);
    }
    set_used(&filling.path_of(artifact(7, 0).key()), DAY * 300, true);
    let one = size(root) / 20;
    make_a_pass_due(root);
    disk(root, CleaningPolicy::Lru, one * 10).put(&artifact(20, 1_000)).unwrap();
    let left: Vec<u32> = (0..=20).filter(|&n| filling.path_of(artifact(n, 0).key()).exists()).collect();
    assert_eq!(left, [7, 14, 15, 16, 17, 18, 19, 20]);
    let age = fs::metadata(filling.path_of(artifact(7, 0).key())).unwrap().modified().unwrap().elapsed();
    assert!(age.is_ok_and(|age| age < DAY), "from now on it ages like the others");
}

#[test]
fn stale_temporaries_go_and_fresh_and_foreign_files_stay() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let made = artifact(1, 100);
    let filling = disk(root, CleaningPolicy::Never, 0);
    filling.put(&made).unwrap();
    let shard = filling.path_of(made.key()).parent().unwrap().to_owned();
    let old = [shard.join(".tmp-1-old"), shard.join("notes.txt"), root.join("v1/.tmp-1-elsewhere"), root.join("photo")];
    for path in &old {
        fs::write(path, b"x").unwrap();
        set_used(path, DAY, false);
    }
    fs::write(shard.join(".tmp-1-fresh"), b"x").unwrap();
    for policy in [CleaningPolicy::Never, CleaningPolicy::Version, CleaningPolicy::Lru] {
        fs::write(&old[0], b"x").unwrap();
        set_used(&old[0], DAY, false);
        make_a_pass_due(root);
        disk(root, policy, 1 << 20).put(&artifact(2, 100)).unwrap();
        let exist: Vec<bool> = old.iter().map(|path| path.exists()).collect();
        assert_eq!(exist, [false, true, true, true], "{policy:?}");
        assert!(shard.join(".tmp-1-fresh").exists());
        assert!(filling.get(made.key()).unwrap().is_some());
    }
}

#[test]
fn the_policies_differ_in_what_they_do_with_other_versions() {
    for (policy, stays) in
        [(CleaningPolicy::Never, true), (CleaningPolicy::Lru, true), (CleaningPolicy::Version, false)]
    {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let made = artifact(1, 100);
        let disk = disk(root, policy, 1 << 20);
        let name = disk.path_of(made.key()).strip_prefix(root.canonicalize().unwrap().join("v1")).unwrap().to_owned();
        let outdated = root.join("v0").join(name);
        fs::create_dir_all(outdated.parent().unwrap()).unwrap();
        fs::write(&outdated, b"of another version").unwrap();
        disk.put(&made).unwrap();
        assert_eq!(outdated.exists(), stays, "{policy:?}");
        assert!(disk.get(made.key()).unwrap().is_some());
    }
}

#[test]
fn a_pass_serves_all_processes_for_some_minutes_unless_its_stamp_is_from_the_future() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let made = artifact(1, 100);
    disk(root, CleaningPolicy::Lru, 1 << 20).put(&made).unwrap();
    let stale = disk(root, CleaningPolicy::Lru, 1 << 20).path_of(made.key()).with_file_name(".tmp-1-old");
    for (stamp, later, cleaned) in [(60, false, false), (600, false, true), (600, true, true)] {
        fs::write(&stale, b"x").unwrap();
        set_used(&stale, DAY, false);
        set_used(&root.join(".lock"), Duration::from_secs(stamp), later);
        disk(root, CleaningPolicy::Lru, 1 << 20).put(&made).unwrap();
        assert_eq!(!stale.exists(), cleaned, "stamp {stamp} s away, later: {later}");
    }
}

#[test]
fn a_pass_under_way_elsewhere_is_left_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let lock = fs::File::create(root.join(".lock")).unwrap();
    lock.lock().unwrap();
    let disk = disk(root, CleaningPolicy::Lru, 10_000);
    for n in 0..20 {
        disk.put(&artifact(n, 1_000)).unwrap();
    }
    assert_eq!(entries(root).len(), 20);
    drop(lock);
    disk.put(&artifact(20, 1_000)).unwrap();
    assert!(size(root) <= 10_000);
}
