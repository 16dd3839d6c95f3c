//! Which directories are used, on real ones.
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use qd_runtime::cache::disk::Disk;
use qd_runtime::cache::store::{Store, Trouble};
use qd_runtime::config::{CleaningPolicy, Trust};

use super::support::*;

fn try_open(root: &Path, trust: Trust) -> Result<Disk, Trouble> {
    Disk::open(root, trust, CleaningPolicy::Lru, 1 << 30)
}

fn refused(root: &Path, trust: Trust) -> String {
    match try_open(root, trust) {
        Err(Trouble::Distrust(distrust)) => distrust.to_string(),
        other => panic!("{other:?}"),
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn directory(parent: &Path, name: &str, mode: u32) -> std::path::PathBuf {
    let path = parent.join(name);
    fs::create_dir(&path).unwrap();
    chmod(&path, mode);
    path
}

#[test]
fn a_root_that_its_group_can_write_is_fixed_where_only_a_cache_can_be_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let empty = directory(folder.path(), "empty", 0o775);
    open(&empty).put(&artifact(1, 100)).unwrap();
    assert_eq!(mode(&empty), 0o700);

    // Now it holds a tag and an entry.
    chmod(&empty, 0o775);
    assert!(open(&empty).get(artifact(1, 0).key()).unwrap().is_some());
    assert_eq!(mode(&empty), 0o700);

    let other = directory(folder.path(), "other", 0o775);
    fs::write(other.join("thesis.txt"), b"").unwrap();
    let message = refused(&other, Trust::Owner);
    for part in [other.to_str().unwrap(), "0775", "Trust::Group", "offline_cache_file_path"] {
        assert!(message.contains(part), "{part} in {message}");
    }
    assert_eq!(mode(&other), 0o775);
    assert!(try_open(&other, Trust::Group).is_ok());
    assert_eq!(mode(&other), 0o775);
}

#[test]
fn a_seed_that_its_group_can_write_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let seed = directory(folder.path(), "seed", 0o775);
    match Disk::open_seed(&seed, Trust::Owner) {
        Err(Trouble::Distrust(distrust)) => {
            let message = distrust.to_string();
            assert!(message.contains("seed") && message.contains("offline_cache_seed_path"), "{message}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(mode(&seed), 0o775);
    assert!(Disk::open_seed(&seed, Trust::Group).is_ok());
    assert!(fs::read_dir(&seed).unwrap().next().is_none(), "something was written to the seed");
}

#[test]
fn a_root_that_everybody_can_write_is_used_only_under_any() {
    let folder = tempfile::tempdir().unwrap();
    for bits in [0o777, 0o1777] {
        let root = directory(folder.path(), &format!("{bits:o}"), bits);
        assert!(refused(&root, Trust::Owner).contains("everybody"));
        assert!(refused(&root, Trust::Group).contains("Trust::Any"));
        assert!(try_open(&root, Trust::Any).is_ok());
        assert_eq!(mode(&root), bits);
    }
}

#[test]
fn directories_above_count_too_unless_sticky() {
    let folder = tempfile::tempdir().unwrap();
    let open_above = directory(folder.path(), "open", 0o777);
    let inside = directory(&open_above, "cache", 0o700);
    assert!(refused(&inside, Trust::Owner).contains(&format!("because {} can", open_above.display())));
    chmod(&open_above, 0o1777);
    assert!(try_open(&inside, Trust::Owner).is_ok());
    chmod(&open_above, 0o775);
    assert!(refused(&inside, Trust::Owner).contains("group"));
    assert!(try_open(&inside, Trust::Group).is_ok());
}

#[test]
fn links_are_resolved_first() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (directory(folder.path(), "good", 0o700), directory(folder.path(), "bad", 0o777));
    let (to_good, to_bad) = (folder.path().join("to good"), folder.path().join("to bad"));
    symlink(&good, &to_good).unwrap();
    symlink(&bad, &to_bad).unwrap();
    let disk = try_open(&to_good, Trust::Owner).unwrap();
    assert!(disk.path_of(artifact(1, 0).key()).starts_with(good.canonicalize().unwrap()));
    assert!(refused(&to_bad, Trust::Owner).contains(bad.to_str().unwrap()));
}

#[test]
fn another_users_root_or_entry_is_not_used() {
    if !is_root() {
        return skip("another_users_root_or_entry_is_not_used", "only root can give files away");
    }
    let folder = tempfile::tempdir().unwrap();
    let squatted = directory(folder.path(), "squatted", 0o755);
    give_to_stranger(&squatted);
    for trust in [Trust::Owner, Trust::Group] {
        let message = refused(&squatted, trust);
        assert!(message.contains("another user") && message.contains(&STRANGER.to_string()), "{message}");
    }
    assert!(try_open(&squatted, Trust::Any).is_ok());
    let below = directory(&squatted, "ours", 0o700);
    assert!(refused(&below, Trust::Owner).contains("another user"), "who owns what is above can replace it");

    let own = directory(folder.path(), "own", 0o700);
    let (disk, made) = (open(&own), artifact(1, 100));
    disk.put(&made).unwrap();
    give_to_stranger(&disk.path_of(made.key()));
    assert!(disk.get(made.key()).unwrap_err().to_string().contains("another user"));
    disk.put(&made).unwrap();
    assert!(disk.get(made.key()).unwrap().is_some());
}

/// Run as [`STRANGER`]: `own` is ours, `roots` is root's, `open` is ours in a directory that all can write.
#[test]
fn child_as_stranger() {
    let Some(folder) = childs_root() else { return };
    let made = artifact(1, 100);
    open(&folder.join("own")).put(&made).unwrap();
    // Root may supply entries: a system-wide seed. They can't be written, which is a trouble and no more.
    let seed = Disk::open(&folder.join("roots"), Trust::Owner, CleaningPolicy::Lru, 1 << 30).unwrap();
    assert!(seed.get(made.key()).unwrap().is_some());
    assert!(matches!(seed.put(&artifact(2, 100)).unwrap_err(), Trouble::Io { .. }));
    assert!(matches!(try_open(&folder.join("roots/new"), Trust::Owner).unwrap_err(), Trouble::Io { .. }));
    assert!(refused(&folder.join("open/ours"), Trust::Owner).contains("everybody"));
    println!("judged as {}", folder.display());
}

#[test]
fn another_user_judges_by_its_own_rights() {
    const TEST: &str = "another_user_judges_by_its_own_rights";
    if !is_root() {
        return skip(TEST, "only root can become another user");
    }
    let folder = tempfile::tempdir().unwrap();
    chmod(folder.path(), 0o755);
    give_to_stranger(&directory(folder.path(), "own", 0o700));
    let roots = directory(folder.path(), "roots", 0o755);
    let disk = Disk::open(&roots, Trust::Owner, CleaningPolicy::Lru, 1 << 30).unwrap();
    disk.put(&artifact(1, 100)).unwrap();
    let entry = disk.path_of(artifact(1, 0).key());
    for path in entry.ancestors().take_while(|path| *path != roots) {
        chmod(path, 0o755);
    }
    let open = directory(folder.path(), "open", 0o777);
    give_to_stranger(&directory(&open, "ours", 0o700));
    match run_as_stranger(child("cache::trust::child_as_stranger", folder.path())) {
        Some(output) => assert!(succeeded(output).contains("judged as")),
        None => skip(TEST, "another user can't run this binary where it lies"),
    }
}
