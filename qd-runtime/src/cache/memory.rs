//! The first level: artifacts that this runtime has compiled or read before, up to a budget of bytes.
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::entry::Artifact;
use super::store::{Store, Trouble};
use crate::key::TaskKey;
use crate::observe::Outcome;

/// Artifacts in memory. Over budget, the ones not used for longest are dropped.
#[derive(Debug)]
pub struct Memory {
    budget: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    artifacts: HashMap<TaskKey, (Artifact, u64)>,
    bytes: usize,
    /// Counts uses; the stamp of an artifact is the count at its last one.
    uses: u64,
}

impl Memory {
    /// A level that holds up to `budget` bytes of code.
    pub fn new(budget: usize) -> Self {
        Memory { budget, held: Mutex::default() }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // No code runs under the lock that could leave the map half changed.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn forget(&mut self, key: &TaskKey) {
        if let Some((artifact, _)) = self.artifacts.remove(key) {
            self.bytes -= artifact.payload().len();
        }
    }

    /// Drops down to three quarters of the budget, so that a full level isn't searched at every put.
    fn make_room(&mut self, budget: usize) {
        let mut by_age: Vec<_> = self.artifacts.iter().map(|(key, (_, stamp))| (*stamp, *key)).collect();
        by_age.sort_unstable();
        for (_, key) in by_age {
            if self.bytes <= budget / 4 * 3 {
                break;
            }
            self.forget(&key);
        }
    }
}

impl Store for Memory {
    fn outcome(&self) -> Outcome {
        Outcome::Memory
    }

    fn is_writable(&self) -> bool {
        true
    }

    fn get(&self, key: &TaskKey) -> Result<Option<Artifact>, Trouble> {
        let mut held = self.held();
        held.uses += 1;
        let now = held.uses;
        Ok(held.artifacts.get_mut(key).map(|(artifact, stamp)| {
            *stamp = now;
            artifact.clone()
        }))
    }

    fn put(&self, artifact: &Artifact) -> Result<(), Trouble> {
        let mut held = self.held();
        held.forget(artifact.key());
        held.uses += 1;
        let now = held.uses;
        held.bytes += artifact.payload().len();
        held.artifacts.insert(*artifact.key(), (artifact.clone(), now));
        if held.bytes > self.budget {
            held.make_room(self.budget);
        }
        Ok(())
    }

    fn remove(&self, key: &TaskKey) -> Result<(), Trouble> {
        self.held().forget(key);
        Ok(())
    }
}
