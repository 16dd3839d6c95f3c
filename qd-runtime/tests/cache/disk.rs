//! One directory, one process: what lies there and shouldn't is a miss that heals.
use std::ffi::CString;
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use qd_runtime::cache::store::{Store, Trouble};
use qd_runtime::config::{CleaningPolicy, Trust};
use qd_runtime::observe::Miss;

use super::support::*;

#[test]
fn an_entry_is_kept_found_and_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("missing/parents/cache");
    let (disk, made) = (open(&root), artifact(1, 1000));
    assert!(disk.get(made.key()).unwrap().is_none());
    disk.put(&made).unwrap();
    let path = disk.path_of(made.key());
    let hex = made.key().to_string();
    assert_eq!(path, root.canonicalize().unwrap().join(format!("v1/{}/{}.qda", &hex[..2], &hex[2..])));
    assert_eq!(open(&root).get(made.key()).unwrap().unwrap(), made);
    for private in [&root, path.parent().unwrap(), path.parent().unwrap().parent().unwrap()] {
        assert_eq!(fs::metadata(private).unwrap().permissions().mode() & 0o777, 0o700, "{}", private.display());
    }
    assert!(fs::read_to_string(root.join("CACHEDIR.TAG")).unwrap().starts_with("Signature: 8a477f597d28d172789f0688"));
    assert!(temporaries(&root).is_empty());
    disk.remove(made.key()).unwrap();
    disk.remove(made.key()).unwrap();
    assert!(disk.get(made.key()).unwrap().is_none());
}

/// Puts something else where an entry was, and checks that it is a miss of its kind and that a put heals it.
fn heals(what: &str, odd: impl Fn(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let (disk, made) = (open(folder.path()), artifact(1, 100));
    disk.put(&made).unwrap();
    odd(&disk.path_of(made.key()));
    let trouble = disk.get(made.key()).expect_err(what);
    assert!(matches!(trouble, Trouble::Damaged { .. }), "{what}: {trouble}");
    assert!(matches!(trouble.as_miss(), Miss::Damaged(_)), "{what}");
    disk.put(&made).unwrap();
    assert_eq!(disk.get(made.key()).unwrap().as_ref(), Some(&made), "{what}");
}

#[test]
fn damage_is_a_miss_and_the_next_put_heals_it() {
    let rewrite = |change: fn(&mut Vec<u8>)| {
        move |path: &Path| {
            let mut bytes = fs::read(path).unwrap();
            change(&mut bytes);
            fs::write(path, bytes).unwrap();
        }
    };
    heals("empty", |path| fs::write(path, b"").unwrap());
    heals("cut", rewrite(|bytes| bytes.truncate(bytes.len() - 1)));
    heals("longer", rewrite(|bytes| bytes.push(0)));
    heals("zero-filled", rewrite(|bytes| bytes.fill(0)));
    heals("wrong magic", rewrite(|bytes| bytes[0] ^= 1));
    heals("flipped in the code", rewrite(|bytes| *bytes.last_mut().unwrap() ^= 1));
    heals("entry of another key", |path| {
        let other = tempfile::tempdir().unwrap();
        let (disk, made) = (open(other.path()), artifact(2, 100));
        disk.put(&made).unwrap();
        fs::copy(disk.path_of(made.key()), path).unwrap();
    });
    heals("larger than any entry", |path| {
        File::options().write(true).open(path).unwrap().set_len(1 << 40).unwrap();
    });
}

#[test]
fn what_is_no_regular_file_is_never_read() {
    heals("link", |path| {
        let elsewhere = path.with_extension("elsewhere");
        fs::rename(path, &elsewhere).unwrap();
        symlink(elsewhere, path).unwrap();
    });
    heals("pipe", |path| {
        fs::remove_file(path).unwrap();
        let name = CString::new(path.to_str().unwrap()).unwrap();
        // SAFETY: the name is a C string that lives through the call.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    });
    heals("empty directory", |path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    });
    heals("socket", |path| {
        fs::remove_file(path).unwrap();
        // The name of a socket may not be long, so it is made elsewhere.
        let short = tempfile::tempdir().unwrap();
        let socket = short.path().join("s");
        drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
        fs::rename(&socket, path).or_else(|_| symlink("nowhere", path)).unwrap();
    });
}

#[test]
fn a_directory_with_something_in_it_in_place_of_an_entry_stays_and_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, made) = (open(folder.path()), artifact(1, 100));
    fs::create_dir_all(disk.path_of(made.key()).join("inner")).unwrap();
    assert!(matches!(disk.get(made.key()).unwrap_err(), Trouble::Damaged { .. }));
    let trouble = disk.put(&made).unwrap_err();
    assert!(matches!(trouble, Trouble::Blocked { .. }), "{trouble}");
    let (text, path) = (trouble.to_string(), disk.path_of(made.key()));
    assert!(text.contains(path.to_str().unwrap()) && text.contains("isn't empty"), "{text}");
    assert!(path.join("inner").is_dir());
    assert!(temporaries(folder.path()).is_empty(), "the failed put cleans up after itself");
}

#[test]
fn a_file_in_place_of_a_directory_is_a_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, made) = (open(folder.path()), artifact(1, 100));
    fs::write(folder.path().join("v1"), b"").unwrap();
    assert!(matches!(disk.get(made.key()).unwrap_err().as_miss(), Miss::Unreadable(_)));
    assert!(disk.put(&made).is_err());
}

#[test]
fn a_root_removed_meanwhile_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("cache");
    let (disk, made) = (open(&root), artifact(1, 100));
    fs::remove_dir_all(&root).unwrap();
    assert!(disk.get(made.key()).unwrap().is_none());
    disk.put(&made).unwrap();
    assert!(disk.get(made.key()).unwrap().is_some());
}

#[test]
fn a_use_is_noted_once_an_hour() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, made) = (open(folder.path()), artifact(1, 100));
    disk.put(&made).unwrap();
    let path = disk.path_of(made.key());
    let used = || fs::metadata(&path).unwrap().modified().unwrap();
    for (minutes, later, noted) in [(10, false, false), (120, false, true), (120, true, false)] {
        set_used(&path, Duration::from_secs(60 * minutes), later);
        let before = used();
        disk.get(made.key()).unwrap().unwrap();
        assert_eq!(used() != before, noted, "{minutes} minutes, later: {later}");
        if noted {
            assert!(SystemTime::now().duration_since(used()).is_ok_and(|age| age < Duration::from_secs(60)));
        }
    }
}

#[test]
fn ten_thousand_entries() {
    let folder = tempfile::tempdir().unwrap();
    let disk = open(folder.path());
    for n in 0..10_000 {
        disk.put(&artifact(n, 200)).unwrap();
    }
    assert_eq!(entries(folder.path()).len(), 10_000);
    let disk = open(folder.path());
    for n in 0..10_000 {
        let wanted = artifact(n, 200);
        assert_eq!(disk.get(wanted.key()).unwrap().as_ref(), Some(&wanted));
    }
    assert!(disk.get(artifact(10_000, 200).key()).unwrap().is_none());
}

#[test]
fn an_entry_over_the_budget_is_declined_aloud() {
    let folder = tempfile::tempdir().unwrap();
    let disk = |policy| qd_runtime::cache::disk::Disk::open(folder.path(), Trust::Owner, policy, 10_000).unwrap();
    let large = artifact(1, 9_000);
    assert!(matches!(disk(CleaningPolicy::Lru).put(&large).unwrap_err(), Trouble::OverBudget { .. }));
    disk(CleaningPolicy::Never).put(&large).unwrap();
}
