//! Who may be able to write a cache directory that is used.
//!
//! Loading an entry executes it, and no digest helps against somebody who can write both. So, after links are
//! resolved, a root must belong to the effective user or to root and be writable by nobody else, and each directory
//! above it likewise, where a sticky one (`/tmp`) may be writable: nobody can replace others' directories there.
//! [`Trust`] loosens this. Only metadata is read here, but for one repair: a cache of ours that a group can write, as a
//! umask of 002 makes them, is taken from the group when nothing but a cache can be in it. A seed is left as it is.
use std::fmt;
use std::fs::{self, Metadata, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::config::Trust;
use crate::notice;

/// The file that marks a cache directory, for us and for backup programs.
pub(super) const TAG_NAME: &str = "CACHEDIR.TAG";

/// How every such file begins.
pub(super) const TAG_SIGNATURE: &str = "Signature: 8a477f597d28d172789f06886806bc55";

const OTHERS_WRITE: u32 = 0o002;
const GROUP_WRITES: u32 = 0o020;
const STICKY: u32 = 0o1000;

/// What a directory of entries is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Entries are kept there.
    Cache,
    /// Entries are only read.
    Seed,
}

/// A cache directory that is not used because of who can write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distrust {
    role: Role,
    root: PathBuf,
    /// The directory at fault: the root or one above it.
    place: PathBuf,
    owner: u32,
    mode: u32,
    user: u32,
    flaw: Flaw,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    Owner,
    Group,
    Others,
}

impl fmt::Display for Distrust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Distrust { role, root, place, owner, mode, user, flaw } = self;
        let (flaw, enough, value) = match flaw {
            Flaw::Owner => ("belongs to another user", "Any", "any"),
            Flaw::Group => ("can be written by its group", "Group", "group"),
            Flaw::Others => ("can be written by everybody", "Any", "any"),
        };
        let (what, option, variable) = match role {
            Role::Cache => ("cache directory", "offline_cache_file_path", "QD_OFFLINE_CACHE_FILE_PATH"),
            Role::Seed => ("cache's seed", "offline_cache_seed_path", "QD_OFFLINE_CACHE_SEED_PATH"),
        };
        write!(
            f,
            "the {what} {} is not used, because {} {flaw} (owner {owner}, mode {mode:04o}; this user is \
             {user}) and loading an entry executes it; name another directory ({option}, {variable}), or accept this one with offline_cache_trust(Trust::{enough}) or \
             QD_OFFLINE_CACHE_TRUST={value}",
            root.display(),
            place.display(),
        )
    }
}

impl std::error::Error for Distrust {}

/// Why a root can't be used.
#[derive(Debug)]
pub(super) enum Refusal {
    Distrust(Distrust),
    Io(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Refusal::Io(error)
    }
}

/// The existing directory `root` with links resolved, if `trust` lets it be used.
pub(super) fn vet(root: &Path, trust: Trust, role: Role) -> Result<PathBuf, Refusal> {
    let resolved = root.canonicalize()?;
    let user = effective_user();
    if trust == Trust::Any {
        if user == 0 {
            let root = resolved.display();
            notice::once(&format!(
                "root executes whatever lies in the cache directory {root} (offline_cache_trust any)"
            ));
        }
        return Ok(resolved);
    }
    let metadata = fs::metadata(&resolved)?;
    if !metadata.is_dir() {
        return Err(io::Error::from(io::ErrorKind::NotADirectory).into());
    }
    let by_group_only = metadata.mode() & (GROUP_WRITES | OTHERS_WRITE) == GROUP_WRITES;
    let ours = role == Role::Cache && trust == Trust::Owner && metadata.uid() == user;
    if ours && by_group_only && holds_only_a_cache(&resolved)? {
        fs::set_permissions(&resolved, Permissions::from_mode(0o700))?;
        notice::once(&format!(
            "the cache directory {} was writable by its group; its mode is now 0700",
            root.display()
        ));
    }
    for place in resolved.ancestors() {
        let metadata = fs::metadata(place)?;
        if let Some(flaw) = flaw(&metadata, user, trust, place != resolved) {
            return Err(Refusal::Distrust(Distrust {
                role,
                root: root.to_owned(),
                place: place.to_owned(),
                owner: metadata.uid(),
                mode: metadata.mode() & 0o7777,
                user,
                flaw,
            }));
        }
    }
    Ok(resolved)
}

fn flaw(metadata: &Metadata, user: u32, trust: Trust, above_root: bool) -> Option<Flaw> {
    flaw_of(metadata.uid(), metadata.mode(), user, trust, above_root)
}

/// The rule itself.
fn flaw_of(owner: u32, mode: u32, user: u32, trust: Trust, above_root: bool) -> Option<Flaw> {
    // Whoever owns a directory can replace what is in it, sticky or not.
    let owner_is_trusted = owner == user || owner == 0;
    let guarded = above_root && mode & STICKY != 0;
    match trust {
        Trust::Any => None,
        Trust::Owner | Trust::Group if !owner_is_trusted => Some(Flaw::Owner),
        Trust::Owner | Trust::Group if guarded => None,
        Trust::Owner | Trust::Group if mode & OTHERS_WRITE != 0 => Some(Flaw::Others),
        Trust::Owner if mode & GROUP_WRITES != 0 => Some(Flaw::Group),
        Trust::Owner | Trust::Group => None,
    }
}

/// Whether a file in the cache may be loaded, by its owner: under [`Trust::Owner`] only the user's and root's.
pub(super) fn owner_may_supply(metadata: &Metadata, trust: Trust) -> bool {
    match trust {
        Trust::Owner => metadata.uid() == effective_user() || metadata.uid() == 0,
        Trust::Group | Trust::Any => true,
    }
}

fn holds_only_a_cache(root: &Path) -> io::Result<bool> {
    Ok(is_tagged(root) || fs::read_dir(root)?.next().is_none())
}

fn is_tagged(root: &Path) -> bool {
    let mut start = [0; TAG_SIGNATURE.len()];
    let read = fs::File::open(root.join(TAG_NAME)).and_then(|mut tag| tag.read_exact(&mut start));
    read.is_ok() && start == TAG_SIGNATURE.as_bytes()
}

pub(super) fn effective_user() -> u32 {
    // SAFETY: geteuid has no preconditions and can't fail.
    unsafe { libc::geteuid() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u32 = 1000;
    const THEM: u32 = 1001;

    #[test]
    fn the_rule_by_owner_mode_and_place() {
        // (owner, mode, is above the root, flaw under Owner, flaw under Group)
        let rows = [
            (US, 0o700, false, None, None),
            (0, 0o755, false, None, None),
            (US, 0o775, false, Some(Flaw::Group), None),
            (US, 0o777, false, Some(Flaw::Others), Some(Flaw::Others)),
            (US, 0o702, false, Some(Flaw::Others), Some(Flaw::Others)),
            (US, 0o1777, false, Some(Flaw::Others), Some(Flaw::Others)),
            (THEM, 0o755, false, Some(Flaw::Owner), Some(Flaw::Owner)),
            (0, 0o1777, true, None, None),
            (US, 0o1775, true, None, None),
            (US, 0o775, true, Some(Flaw::Group), None),
            (0, 0o777, true, Some(Flaw::Others), Some(Flaw::Others)),
            (THEM, 0o755, true, Some(Flaw::Owner), Some(Flaw::Owner)),
            (THEM, 0o1777, true, Some(Flaw::Owner), Some(Flaw::Owner)),
        ];
        for (owner, mode, above, under_owner, under_group) in rows {
            let context = format!("owner {owner}, mode {mode:o}, above {above}");
            assert_eq!(flaw_of(owner, mode, US, Trust::Owner, above), under_owner, "{context}");
            assert_eq!(flaw_of(owner, mode, US, Trust::Group, above), under_group, "{context}");
            assert_eq!(flaw_of(owner, mode, US, Trust::Any, above), None, "{context}");
        }
    }

    #[test]
    fn the_message_names_the_place_and_both_ways_out() {
        let distrust = Distrust {
            role: Role::Cache,
            root: "/tmp/qd".into(),
            place: "/tmp/qd".into(),
            owner: THEM,
            mode: 0o755,
            user: US,
            flaw: Flaw::Owner,
        };
        let message = distrust.to_string();
        for part in ["/tmp/qd", "1001", "0755", "offline_cache_file_path", "Trust::Any", "QD_OFFLINE_CACHE_TRUST=any"] {
            assert!(message.contains(part), "{part} in {message}");
        }
        let message = Distrust { role: Role::Seed, ..distrust }.to_string();
        assert!(message.contains("QD_OFFLINE_CACHE_SEED_PATH") && !message.contains("FILE_PATH"), "{message}");
    }
}
