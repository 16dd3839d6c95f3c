//! Keeps a cache directory within its budget, and clears away what killed writers left.
//!
//! The time of the last use is the entry's mtime. A pass runs after puts, and not often: when this process has written
//! a good share of the budget, or when no process has made a pass for some minutes (the mtime of the lock file tells).
//! Passes exclude each other by a lock that dies with its holder; writers and readers need none, because removing an
//! entry is at worst a miss. Only files with names qd gives are touched.
use std::fs::{self, DirEntry, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use super::disk::{EXTENSION, TEMPORARY, io_trouble};
use super::entry;
use super::store::Trouble;
use crate::config::CleaningPolicy;

const LOCK: &str = ".lock";

/// How long a pass serves all processes.
const PASS_SERVES: Duration = Duration::from_secs(300);

/// How often one process asks whether another has made a pass.
const ASK_EVERY: Duration = Duration::from_secs(60);

/// A temporary file is left behind, not being written, once it is older.
const TEMPORARY_IS_STALE_AFTER: Duration = Duration::from_secs(3600);

/// When and what to remove under one root.
#[derive(Debug)]
pub(super) struct Evictor {
    root: PathBuf,
    policy: CleaningPolicy,
    max_size: u64,
    written: AtomicU64,
    asked: Mutex<Option<Instant>>,
}

/// What a pass saw and did.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Pass {
    pub(super) kept_bytes: u64,
    pub(super) removed_entries: usize,
    pub(super) removed_temporaries: usize,
}

struct Entry {
    path: PathBuf,
    bytes: u64,
    unused_for: Duration,
}

impl Evictor {
    pub(super) fn new(root: PathBuf, policy: CleaningPolicy, max_size: u64) -> Self {
        Evictor { root, policy, max_size, written: AtomicU64::new(0), asked: Mutex::new(None) }
    }

    /// Down to this a pass removes, so that the next put doesn't call for another.
    fn low_mark(&self) -> u64 {
        self.max_size / 5 * 4
    }

    /// Declines an entry that a pass would have to remove all others for.
    pub(super) fn admit(&self, bytes: u64) -> Result<(), Trouble> {
        match self.policy {
            CleaningPolicy::Lru if bytes > self.low_mark() => {
                Err(Trouble::OverBudget { bytes, place: self.root.display().to_string(), limit: self.max_size })
            }
            CleaningPolicy::Lru | CleaningPolicy::Never | CleaningPolicy::Version => Ok(()),
        }
    }

    /// Makes a pass if one is due.
    pub(super) fn after_put(&self, bytes: u64) -> Result<(), Trouble> {
        let written = self.written.fetch_add(bytes, Ordering::Relaxed) + bytes;
        // Another thread that holds it is deciding just now.
        let Ok(mut asked) = self.asked.try_lock() else { return Ok(()) };
        let much_written = self.policy == CleaningPolicy::Lru && written > self.max_size / 16;
        if !much_written {
            if asked.is_some_and(|asked| asked.elapsed() < ASK_EVERY) {
                return Ok(());
            }
            *asked = Some(Instant::now());
            if self.another_pass_serves() {
                return Ok(());
            }
        }
        *asked = Some(Instant::now());
        self.written.store(0, Ordering::Relaxed);
        self.pass().map(drop)
    }

    /// A stamp from the future (the clock was set back) serves nobody.
    fn another_pass_serves(&self) -> bool {
        let stamp = fs::symlink_metadata(self.root.join(LOCK)).and_then(|metadata| metadata.modified());
        stamp.is_ok_and(|stamp| stamp.elapsed().is_ok_and(|age| age < PASS_SERVES))
    }

    /// One pass, unless another process is at it (`None`).
    pub(super) fn pass(&self) -> Result<Option<Pass>, Trouble> {
        let path = self.root.join(LOCK);
        let trouble = |source| io_trouble("cleaning up with", &path, source);
        let lock = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags(libc::O_NOFOLLOW)
            .open(&path)
            .map_err(trouble)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Ok(None),
            Err(fs::TryLockError::Error(error)) => return Err(trouble(error)),
        }
        let now = clock_of(&lock);
        self.clean(now).map(Some).map_err(|source| io_trouble("cleaning up", &self.root, source))
    }

    fn clean(&self, now: SystemTime) -> io::Result<Pass> {
        let mut pass = Pass::default();
        let mut entries = Vec::new();
        for (version, folder) in versions(&self.root)? {
            let outdated = self.policy == CleaningPolicy::Version && version != entry::SCHEMA;
            for shard in fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()? {
                if !is_hex(&shard.file_name().to_string_lossy(), 2) || !shard.file_type()?.is_dir() {
                    continue;
                }
                for file in fs::read_dir(shard.path())? {
                    self.sort_out(&file?, now, outdated, &mut entries, &mut pass)?;
                }
            }
        }
        pass.kept_bytes = entries.iter().map(|entry: &Entry| entry.bytes).sum();
        if self.policy == CleaningPolicy::Lru && pass.kept_bytes > self.max_size {
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.unused_for));
            for entry in entries {
                if pass.kept_bytes <= self.low_mark() {
                    break;
                }
                remove(&entry.path)?;
                pass.kept_bytes -= entry.bytes;
                pass.removed_entries += 1;
            }
        }
        Ok(pass)
    }

    /// Puts an entry on the list, removes what is left behind or outdated, passes over what isn't ours.
    fn sort_out(
        &self,
        file: &DirEntry,
        now: SystemTime,
        outdated: bool,
        entries: &mut Vec<Entry>,
        pass: &mut Pass,
    ) -> io::Result<()> {
        let (path, name) = (file.path(), file.file_name());
        let name = name.to_string_lossy();
        let is_temporary = name.starts_with(TEMPORARY);
        let is_entry =
            name.strip_suffix(EXTENSION).and_then(|name| name.strip_suffix('.')).is_some_and(|n| is_hex(n, 62));
        let metadata = match file.metadata() {
            Ok(metadata) if (is_temporary || is_entry) && metadata.is_file() => metadata,
            Ok(_) => return Ok(()),
            // Renamed or removed since the directory was read.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let unused_for = now.duration_since(metadata.modified()?).unwrap_or_else(|_| {
            // Last used in the future: the clock was set back. From now on it ages like the others.
            let _ = File::open(&path).and_then(|file| file.set_modified(now));
            Duration::ZERO
        });
        if is_entry && outdated {
            remove(&path)?;
            pass.removed_entries += 1;
        } else if is_entry {
            entries.push(Entry { path, bytes: metadata.len(), unused_for });
        } else if unused_for > TEMPORARY_IS_STALE_AFTER {
            remove(&path)?;
            pass.removed_temporaries += 1;
        }
        Ok(())
    }
}

/// The time as the file system has it, which on a network is not this machine's; leaves the stamp of this pass.
fn clock_of(lock: &File) -> SystemTime {
    let stamped = lock.write_all_at(b"\n", 0).and_then(|()| lock.metadata()).and_then(|metadata| metadata.modified());
    stamped.unwrap_or_else(|_| SystemTime::now())
}

/// The directories of all format versions.
fn versions(root: &Path) -> io::Result<Vec<(u32, PathBuf)>> {
    let mut versions = Vec::new();
    for folder in fs::read_dir(root)? {
        let folder = folder?;
        let version = folder.file_name().to_string_lossy().strip_prefix('v').and_then(|version| version.parse().ok());
        if let Some(version) = version
            && folder.file_type()?.is_dir()
        {
            versions.push((version, folder.path()));
        }
    }
    Ok(versions)
}

fn is_hex(name: &str, length: usize) -> bool {
    name.len() == length && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Another pass or a person may have been faster.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
