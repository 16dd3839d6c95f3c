//! The disk level: one file an artifact, `<root>/v<schema>/<2 hex>/<62 hex>.qda`.
//!
//! Writers need no lock: each writes a file of its own beside the entry and renames it, so a reader sees an old entry,
//! a new one, or none. Nothing is synced: what a crash tears is caught by the entry's digests, is a miss, and is
//! written over. Readers trust nothing but regular files of the right owner, read them once, check those bytes and
//! hand out those bytes. The root was vetted by [`trust`]; everything below it is made here.
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::entry::{self, Artifact, Damage};
use super::evict::Evictor;
use super::store::{Store, Trouble};
use super::trust::{self, Refusal, Role};
use crate::config::{CleaningPolicy, Trust};
use crate::key::TaskKey;
use crate::observe::Outcome;

/// How the names of files that are being written begin.
pub(super) const TEMPORARY: &str = ".tmp-";

/// The extension of entries.
pub(super) const EXTENSION: &str = "qda";

/// A use is noted (for the eviction) only where the last one noted is older, so that reading rarely writes.
const USE_IS_NOTED_AFTER: Duration = Duration::from_secs(3600);

/// A directory of entries.
#[derive(Debug)]
pub struct Disk {
    root: PathBuf,
    trust: Trust,
    /// `None` for a seed: a directory that is only read.
    evictor: Option<Evictor>,
}

impl Disk {
    /// The cache at `root`, which is made where it doesn't exist.
    pub fn open(root: &Path, trust: Trust, policy: CleaningPolicy, max_size: u64) -> Result<Self, Trouble> {
        make_directory(root, trust).map_err(|source| io_trouble("making the cache directory", root, source))?;
        let root = vet(root, trust, Role::Cache)?;
        // Without the tag all works but the repair of group-writable roots; a root that can't be written shows at the
        // first put.
        let _ = write_tag(&root, trust);
        let evictor = Evictor::new(root.clone(), policy, max_size);
        Ok(Disk { root, trust, evictor: Some(evictor) })
    }

    /// The entries at an existing `root`, which are only read.
    pub fn open_seed(root: &Path, trust: Trust) -> Result<Self, Trouble> {
        Ok(Disk { root: vet(root, trust, Role::Seed)?, trust, evictor: None })
    }

    /// Where the entry of `key` is.
    pub fn path_of(&self, key: &TaskKey) -> PathBuf {
        let name = key.to_string();
        let (shard, rest) = name.split_at(2);
        let mut path = self.root.join(format!("v{}", entry::SCHEMA));
        path.push(shard);
        path.push(format!("{rest}.{EXTENSION}"));
        path
    }

    /// The bytes at `path`, where a regular file of an owner we trust lies there.
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, Trouble> {
        let reading = |source| io_trouble("reading", path, source);
        let odd = |what: String| Trouble::Damaged { place: path.display().to_string(), check: Damage::NotAFile(what) };
        // O_NONBLOCK: opening a pipe must not wait for its other end.
        let opened = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path);
        let file = match opened {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.raw_os_error() == Some(libc::ELOOP) => return Err(odd("a symbolic link".to_owned())),
            Err(error) if error.raw_os_error() == Some(libc::ENXIO) => {
                return Err(odd("not a regular file".to_owned()));
            }
            Err(error) => return Err(reading(error)),
        };
        let metadata = file.metadata().map_err(reading)?;
        if !metadata.is_file() {
            return Err(odd("not a regular file".to_owned()));
        }
        if !trust::owner_may_supply(&metadata, self.trust) {
            return Err(odd(format!("a file of another user ({})", metadata.uid())));
        }
        if metadata.len() > entry::MAX_BYTES as u64 {
            return Err(Trouble::Damaged { place: path.display().to_string(), check: Damage::Length });
        }
        // At most MAX_BYTES, so it fits. The file may still grow while it is read; the limit holds then too.
        let mut bytes = Vec::with_capacity(metadata.len() as usize);
        (&file).take(entry::MAX_BYTES as u64).read_to_end(&mut bytes).map_err(reading)?;
        if self.evictor.is_some() {
            note_use(&file, &metadata);
        }
        Ok(Some(bytes))
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
        let writing = |source| io_trouble("writing", path, source);
        // `path_of` gives every entry a directory.
        let folder = path.parent().unwrap_or(&self.root);
        let mut temporary = match self.temporary_in(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make_directory(folder, self.trust).and_then(|()| self.temporary_in(folder))
            }
            other => other,
        }
        .map_err(writing)?;
        temporary.write_all(bytes).map_err(writing)?;
        let Err(failed) = temporary.persist(path) else { return Ok(()) };
        if failed.error.kind() != io::ErrorKind::IsADirectory {
            return Err(writing(failed.error));
        }
        // No rename replaces a directory. One of nothing can go; what lies in another is not ours.
        match fs::remove_dir(path) {
            Ok(()) => failed.file.persist(path).map(drop).map_err(|failed| writing(failed.error)),
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                Err(Trouble::Blocked { place: path.display().to_string() })
            }
            Err(error) => Err(io_trouble("removing the directory in place of an entry", path, error)),
        }
    }

    fn temporary_in(&self, folder: &Path) -> io::Result<tempfile::NamedTempFile> {
        let mode = match self.trust {
            Trust::Owner => 0o600,
            // As the umask has it: those who are trusted may share.
            Trust::Group | Trust::Any => 0o666,
        };
        tempfile::Builder::new()
            .prefix(&format!("{TEMPORARY}{}-", std::process::id()))
            .rand_bytes(12)
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder)
    }
}

impl Store for Disk {
    fn outcome(&self) -> Outcome {
        if self.is_writable() { Outcome::Disk } else { Outcome::Seed }
    }

    fn is_writable(&self) -> bool {
        self.evictor.is_some()
    }

    fn get(&self, key: &TaskKey) -> Result<Option<Artifact>, Trouble> {
        let path = self.path_of(key);
        let Some(bytes) = self.read(&path)? else { return Ok(None) };
        let damaged = |check| Trouble::Damaged { place: path.display().to_string(), check };
        entry::decode(&bytes, key).map(Some).map_err(damaged)
    }

    fn put(&self, artifact: &Artifact) -> Result<(), Trouble> {
        let Some(evictor) = &self.evictor else { return Ok(()) };
        let bytes = entry::encode(artifact)?;
        let size = bytes.len() as u64;
        evictor.admit(size)?;
        self.write(&self.path_of(artifact.key()), &bytes)?;
        evictor.after_put(size)
    }

    fn remove(&self, key: &TaskKey) -> Result<(), Trouble> {
        let path = self.path_of(key);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_trouble("removing", &path, error)),
            _ => Ok(()),
        }
    }
}

/// Lets the eviction know that the entry was used. It is no trouble where that can't be: on a read-only disk, or where
/// another user owns the file.
fn note_use(file: &File, metadata: &Metadata) {
    let now = SystemTime::now();
    let stale = |noted| now.duration_since(noted).is_ok_and(|age| age > USE_IS_NOTED_AFTER);
    if metadata.modified().is_ok_and(stale) {
        let _ = file.set_modified(now);
    }
}

fn vet(root: &Path, trust: Trust, role: Role) -> Result<PathBuf, Trouble> {
    let doing = match role {
        Role::Cache => "opening the cache directory",
        Role::Seed => "opening the seed of the cache",
    };
    trust::vet(root, trust, role).map_err(|refusal| match refusal {
        Refusal::Distrust(distrust) => Trouble::Distrust(distrust),
        Refusal::Io(source) => io_trouble(doing, root, source),
    })
}

fn make_directory(path: &Path, trust: Trust) -> io::Result<()> {
    let mode = match trust {
        Trust::Owner => 0o700,
        Trust::Group | Trust::Any => 0o777,
    };
    DirBuilder::new().recursive(true).mode(mode).create(path)
}

fn write_tag(root: &Path, trust: Trust) -> io::Result<()> {
    let mode = if trust == Trust::Owner { 0o600 } else { 0o666 };
    let mut tag = OpenOptions::new().write(true).create_new(true).mode(mode).open(root.join(trust::TAG_NAME))?;
    tag.write_all(trust::TAG_SIGNATURE.as_bytes())?;
    tag.write_all(b"\n# Compiled kernels of qd. They can be removed at any time and are then compiled again.\n")
}

pub(super) fn io_trouble(doing: &'static str, place: &Path, source: io::Error) -> Trouble {
    Trouble::Io { doing, place: place.display().to_string(), source }
}
