//! The code cache: levels that keep compiled tasks by key, looked through from the nearest to the farthest.
//!
//! Nothing in here fails a launch: what can't be read is a miss, what can't be written is reported
//! ([`Cache::troubles`]) and said once. The cache knows bytes and keys, never how code is made, loaded or run.
pub mod disk;
pub mod entry;
mod evict;
pub mod flight;
pub mod memory;
pub mod store;
pub mod trust;

use std::sync::{Mutex, PoisonError};

use crate::config::Options;
use crate::key::TaskKey;
use crate::notice;
use crate::observe::{Miss, Outcome};
use disk::Disk;
use entry::Artifact;
use memory::Memory;
use store::{Store, Trouble};

/// How much code the memory level keeps; loaded code is beside it.
const MEMORY_BUDGET: usize = 64 << 20;

/// Distinct troubles that are kept word for word.
const TROUBLES_KEPT: usize = 8;

/// The levels of one runtime, nearest first.
#[derive(Debug)]
pub struct Cache {
    on: bool,
    levels: Vec<Box<dyn Store>>,
    troubles: Mutex<Troubles>,
}

#[derive(Debug, Default)]
struct Troubles {
    total: u64,
    first: Vec<String>,
}

/// An artifact and the level it came from.
#[derive(Debug, Clone)]
pub struct Found {
    /// What was found.
    pub artifact: Artifact,
    /// How the hit is reported.
    pub outcome: Outcome,
}

impl Cache {
    /// The cache that `options` ask for. A directory that can't be used leaves the memory level and a trouble.
    pub fn open(options: &Options) -> Self {
        if !options.offline_cache {
            return Cache { on: false, ..Cache::with_levels(Vec::new()) };
        }
        let mut cache = Cache::with_levels(vec![Box::new(Memory::new(MEMORY_BUDGET))]);
        match &options.offline_cache_file_path {
            Some(path) => match Disk::open(
                path,
                options.offline_cache_trust,
                options.offline_cache_cleaning_policy,
                options.offline_cache_max_size,
            ) {
                Ok(disk) => cache.levels.push(Box::new(disk)),
                Err(trouble) => cache.report(trouble.to_string()),
            },
            None => cache.report(
                "code is not kept between processes: neither XDG_CACHE_HOME nor HOME names an absolute directory; \
                 name one with offline_cache_file_path or QD_OFFLINE_CACHE_FILE_PATH"
                    .to_owned(),
            ),
        }
        if let Some(path) = &options.offline_cache_seed_path {
            match Disk::open_seed(path, options.offline_cache_trust) {
                Ok(seed) => cache.levels.push(Box::new(seed)),
                Err(trouble) => cache.report(trouble.to_string()),
            }
        }
        cache
    }

    /// A cache of the given levels, nearest first.
    pub fn with_levels(levels: Vec<Box<dyn Store>>) -> Self {
        Cache { on: true, levels, troubles: Mutex::default() }
    }

    /// Whether the cache was asked for; it may still be that it can't be used.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// The artifact of `key` from the nearest level that has it, copied into the nearer ones; else why there is none.
    pub fn get(&self, key: &TaskKey) -> Result<Found, Miss> {
        let mut miss = if self.on { Miss::Absent { differs: Vec::new() } } else { Miss::CacheOff };
        for (depth, level) in self.levels.iter().enumerate() {
            match level.get(key) {
                Ok(Some(artifact)) => {
                    self.fill(&self.levels[..depth], &artifact);
                    return Ok(Found { artifact, outcome: level.outcome() });
                }
                Ok(None) => {}
                Err(trouble) => {
                    // A damaged entry heals with the next put and is told by the miss; the rest needs somebody.
                    if !matches!(trouble, Trouble::Damaged { .. }) {
                        self.report(trouble.to_string());
                    }
                    miss = trouble.as_miss();
                }
            }
        }
        Err(miss)
    }

    /// Keeps an artifact in every level that can keep it.
    pub fn put(&self, artifact: &Artifact) {
        self.fill(&self.levels, artifact);
    }

    /// Forgets an artifact: the loader would not have it.
    pub fn remove(&self, key: &TaskKey) {
        for level in self.levels.iter().filter(|level| level.is_writable()) {
            if let Err(trouble) = level.remove(key) {
                self.report(trouble.to_string());
            }
        }
    }

    /// What could not be used so far, for the observations: the first few troubles, then how many more there were.
    pub fn troubles(&self) -> Vec<String> {
        let troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        let more = troubles.total - troubles.first.len() as u64;
        let rest = (more > 0).then(|| format!("and {more} more troubles of the cache"));
        troubles.first.iter().cloned().chain(rest).collect()
    }

    fn fill(&self, levels: &[Box<dyn Store>], artifact: &Artifact) {
        for level in levels.iter().filter(|level| level.is_writable()) {
            if let Err(trouble) = level.put(artifact) {
                self.report(trouble.to_string());
            }
        }
    }

    /// Counts a trouble. The first of a cache is said aloud; those that follow (often one a task) are in `troubles`.
    fn report(&self, trouble: String) {
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        if troubles.total == 0 {
            notice::once(&trouble);
        }
        troubles.total += 1;
        if troubles.first.len() < TROUBLES_KEPT {
            troubles.first.push(trouble);
        }
    }
}
