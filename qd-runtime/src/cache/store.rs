//! What a level of the cache can do, and what can go wrong there.
use std::fmt;
use std::io;

use super::entry::{Artifact, Damage, TooLarge};
use super::trust::Distrust;
use crate::key::TaskKey;
use crate::observe::{Miss, Outcome};

/// One level: a place that keeps artifacts by key.
///
/// Implementations never panic on what they find, never block on other processes, and may forget anything at any time.
pub trait Store: Send + Sync + fmt::Debug {
    /// How a hit in this level is reported.
    fn outcome(&self) -> Outcome;

    /// Whether [`put`](Store::put) and [`remove`](Store::remove) make sense; a level that can't change is never asked.
    fn is_writable(&self) -> bool;

    /// The artifact of `key`, whole and checked, or `None` where there is none.
    fn get(&self, key: &TaskKey) -> Result<Option<Artifact>, Trouble>;

    /// Keeps an artifact, in place of whatever stood under its key.
    fn put(&self, artifact: &Artifact) -> Result<(), Trouble>;

    /// Forgets `key`; nothing happens where it isn't known.
    fn remove(&self, key: &TaskKey) -> Result<(), Trouble>;
}

/// What a level could not do. Never fails a launch: it becomes a miss, a line in the observations, one warning.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Trouble {
    /// Something stands under the key that can't be used. The next put replaces it.
    #[error("{place}: {check}")]
    Damaged {
        /// Which entry.
        place: String,
        /// What is wrong with it.
        check: Damage,
    },
    /// The system refused.
    #[error("{doing} {place}: {source}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// To what.
        place: String,
        /// What the system said.
        source: io::Error,
    },
    /// A directory with something in it stands where the entry belongs.
    #[error(
        "{place} is a directory in place of an entry, so its task is compiled at each start; it isn't empty: look \
         what lies in it, then remove it"
    )]
    Blocked {
        /// The directory.
        place: String,
    },
    /// The directory is not used, because of who can write it.
    #[error(transparent)]
    Distrust(#[from] Distrust),
    /// The artifact is too large to be kept.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The artifact alone would take most of the room of the level.
    #[error("an entry of {bytes} bytes is not kept: {place} may hold {limit} bytes (offline_cache_max_size)")]
    OverBudget {
        /// The size of the entry.
        bytes: u64,
        /// The level.
        place: String,
        /// The room it has.
        limit: u64,
    },
}

impl Trouble {
    /// The trouble as the reason why a task had to be compiled.
    pub fn as_miss(&self) -> Miss {
        match self {
            Trouble::Damaged { check, .. } => Miss::Damaged(check.to_string()),
            Trouble::Io { .. }
            | Trouble::Blocked { .. }
            | Trouble::Distrust(_)
            | Trouble::TooLarge(_)
            | Trouble::OverBudget { .. } => Miss::Unreadable(self.to_string()),
        }
    }
}
