//! What iterations say: panics of their own, and lines of output.
//!
//! Generated code hands over the values that a message shows; the words stay outside, with the source. Lines are kept
//! until the task is over and then ordered by iteration, so that the output doesn't depend on the number of threads.
//! Of a task that fails the lines of the iterations up to the failing one are kept: that is what a single thread, which
//! stops there, has printed.
use std::sync::{Mutex, PoisonError};

use inkwell::values::PointerValue;
use qd_ir::arena::Id;
use qd_ir::body::Value;
use qd_ir::fault::Site;

use super::body::Body;
use super::hooks::Said;
use crate::error::Result;

/// Name of the helper that records a panic.
pub const FAIL_HELPER: &str = "qd_v1_fail";
/// Name of the helper that records a line.
pub const PRINT_HELPER: &str = "qd_v1_print";

/// A line of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Linear number of the iteration, 0 for serial tasks and bounds.
    pub iteration: u64,
    /// Position in the task's sites.
    pub site: u32,
    /// What the message shows.
    pub values: Box<[u64]>,
}

/// The lines of a task that runs.
#[derive(Debug, Default)]
pub struct Lines(Mutex<Vec<Line>>);

impl Lines {
    /// Adds a line. Each iteration adds its own in order.
    pub fn add(&self, line: Line) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// The lines up to iteration `last`, in order, once all workers are done. None are left.
    pub fn take(&self, last: u64) -> Vec<Line> {
        let mut lines = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        lines.retain(|line| line.iteration <= last);
        // Stable: an iteration's own lines keep their order.
        lines.sort_by_key(|line| line.iteration);
        lines
    }
}

impl<'c> Body<'_, 'c> {
    /// Records a panic or a line; after a panic the function returns.
    pub(super) fn say(&mut self, fails: bool, site: Id<Site>, values: &[Id<Value>]) -> Result<()> {
        let e = self.emit;
        let (values, count) = self.words(values)?;
        let said = Said { fails, iteration: self.iteration, site: site.index(), values, count };
        self.hooks.say(e, self.state, &said)?;
        if fails {
            e.builder.build_return(None)?;
        }
        Ok(())
    }

    /// The values as words on the stack, and how many words.
    fn words(&self, values: &[Id<Value>]) -> Result<(PointerValue<'c>, usize)> {
        let e = self.emit;
        let count: usize = values.iter().map(|&value| self.ty(value).words()).sum();
        let room = e.variable(e.i64().array_type(count as u32).into())?;
        let mut next = 0;
        for &value in values {
            let ty = self.ty(value);
            e.store_words(ty, e.word_at(room, e.word(next))?, self.value(value)?)?;
            next += ty.words() as u64;
        }
        Ok((room, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_ordered_by_iteration_and_end_with_the_failing_one() {
        let lines = Lines::default();
        for (iteration, site) in [(5, 0), (2, 0), (5, 1), (9, 0), (2, 1)] {
            lines.add(Line { iteration, site, values: Box::default() });
        }
        let order: Vec<_> = lines.take(5).iter().map(|line| (line.iteration, line.site)).collect();
        assert_eq!(order, [(2, 0), (2, 1), (5, 0), (5, 1)]);
        assert_eq!(lines.take(u64::MAX), []);
    }
}
