//! The race detector of debug mode: every access of a parallel task to an array that the task stores to is looked up
//! among those of the iterations before it.
//!
//! The rule against races proves this for safe code; what `unsafe` blocks claim is tested here. A task runs on one thread
//! then, in order, so the same pair is found each time: an iteration, and one before it that met the same scalar. Two
//! accesses conflict unless both read, or both are atomic. Scalars are told apart by address, so fields of one element
//! are places of their own, and arrays that overlap are one.
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use inkwell::IntPredicate;
use inkwell::values::PointerValue;
use qd_ir::arena::Id;
use qd_ir::body::Value;
use qd_ir::fault::{Site, Touch};
use qd_ir::task::Array;

use super::body::{Body, Checked};
use super::hooks::Touched;
use crate::error::{Error, Result};

/// Name of the helper that looks an access up.
pub const TOUCH_HELPER: &str = "qd_v1_touch";

/// The accesses to the scalars of a task's arrays so far, by address.
#[derive(Debug, Default)]
pub struct Accesses(Mutex<HashMap<usize, Scalar>>);

/// Who has met a scalar: of each kind the first iteration, and another one if there is one.
#[derive(Debug, Default)]
struct Scalar([[Option<u64>; 2]; 3]);

impl Accesses {
    /// Notes an access. Gives an iteration before it whose access conflicts, and what it did.
    pub fn touch(&self, address: usize, iteration: u64, touch: Touch) -> Option<(u64, Touch)> {
        let mut scalars = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Scalar(met) = scalars.entry(address).or_default();
        let conflict = Touch::ALL.into_iter().filter(|other| touch.conflicts(*other)).find_map(|other| {
            let iterations = met[other as usize].iter().flatten();
            iterations.copied().find(|met| *met != iteration).map(|met| (met, other))
        });
        let [first, other] = &mut met[touch as usize];
        match first {
            None => *first = Some(iteration),
            Some(first) if *first == iteration => {}
            Some(_) => _ = other.get_or_insert(iteration),
        }
        conflict
    }

    /// Forgets all: another task begins.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl<'c> Body<'_, 'c> {
    /// Leaves the task if the iteration's access to the scalar at `at` conflicts with one before it. The access has been
    /// done.
    pub(super) fn touched(
        &mut self,
        at: PointerValue<'c>,
        touch: Touch,
        array: Id<Array>,
        index: &[Id<Value>],
        site: Option<Id<Site>>,
    ) -> Result<()> {
        if !self.traced.get(array.index()).is_some_and(|traced| *traced) {
            return Ok(());
        }
        // An update has one check in front of its accesses; of an element's parts, the first has the place of all.
        if let Some(site) = site {
            self.checked.push(Checked { array, index: index.to_vec(), site });
        }
        let checked = || self.checked.iter().rev().find(|check| check.array == array && check.index == index);
        let site = site.or_else(|| checked().map(|check| check.site));
        let site = site.ok_or_else(|| Error::internal("an access without a place in the source"))?.index();
        let e = self.emit;
        let touched = Touched { at, iteration: self.iteration, touch, site };
        let conflicts = self.hooks.touch(e, self.state, &touched)?;
        let (leave, next) = (e.new_block()?, e.new_block()?);
        let conflicts = e.compare(IntPredicate::NE, conflicts, conflicts.get_type().const_zero())?;
        e.branch_if(conflicts, leave, next)?;
        e.at(leave);
        e.builder.build_return(None)?;
        e.at(next);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_conflict_unless_both_read_or_both_are_atomic() {
        for first in Touch::ALL {
            for second in Touch::ALL {
                let accesses = Accesses::default();
                assert_eq!(accesses.touch(64, 3, first), None);
                // Its own accesses, and those to another scalar, are no conflict.
                assert_eq!(accesses.touch(64, 3, second), None);
                assert_eq!(accesses.touch(68, 4, second), None);
                let accesses = Accesses::default();
                accesses.touch(64, 3, first);
                let free = first == second && first != Touch::Write;
                assert_eq!(accesses.touch(64, 4, second), (!free).then_some((3, first)), "{first:?} {second:?}");
            }
        }
    }

    #[test]
    fn of_several_readers_one_is_another_iteration() {
        let accesses = Accesses::default();
        accesses.touch(8, 1, Touch::Read);
        accesses.touch(8, 2, Touch::Read);
        assert_eq!(accesses.touch(8, 1, Touch::Write), Some((2, Touch::Read)));
        accesses.clear();
        assert_eq!(accesses.touch(8, 5, Touch::Write), None);
    }
}
