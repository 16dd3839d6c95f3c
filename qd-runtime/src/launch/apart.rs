//! Launch predicates at launches: evaluated once for each choice of values, and remembered.
//!
//! A predicate depends on the values of its invariants alone, so what was proved for them once holds for ever. Launches
//! repeat their values, as in time steps, or take few, as the stages of a transform do.
use std::sync::{Mutex, MutexGuard};

use qd_ir::ownership::{Meeting, Predicate};
use qd_ir::plan::{Invariant, Source};
use qd_ir::types::Scalar;

use crate::forked;

/// So many choices are remembered; the oldest goes first.
const MOST: usize = 64;

/// The values for which a predicate is known to hold.
#[derive(Debug, Default)]
pub(super) struct Apart {
    proved: Mutex<Proved>,
}

#[derive(Debug, Default)]
struct Proved {
    choices: Vec<Box<[Option<i128>]>>,
    /// Where the next one goes.
    next: usize,
}

impl Apart {
    /// Whether the values of this launch keep the iterations apart.
    pub(super) fn check(
        &self,
        predicate: &Predicate<Invariant>,
        value: impl Fn(&Source, Scalar) -> u128,
    ) -> Result<(), Box<Meeting>> {
        let now = || predicate.leaves.iter().map(|leaf| leaf.value(&value));
        let known = |proved: MutexGuard<'_, Proved>| proved.choices.iter().any(|known| known.iter().copied().eq(now()));
        if forked::lock(&self.proved).is_some_and(known) {
            return Ok(());
        }
        let values: Box<[_]> = now().collect();
        predicate.check(&values)?;
        let Some(mut proved) = forked::lock(&self.proved) else { return Ok(()) };
        let next = proved.next;
        match proved.choices.get_mut(next) {
            Some(oldest) => *oldest = values,
            None => proved.choices.push(values),
        }
        proved.next = (next + 1) % MOST;
        Ok(())
    }
}
