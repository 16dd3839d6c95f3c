//! The domain of a parallel task once its bounds are evaluated: how many iterations there are, and how many elements can
//! be claimed. The same for every machine.
use std::ops::Range;

use qd_ir::task::Task;

use crate::codegen::context::ContextLayout;
use crate::error::{Error, ErrorKind, Result};

/// Where the words of a task's domain are in its context.
pub(super) struct Domain {
    dims: Box<[Dim]>,
    claims: Box<[Claims]>,
}

struct Dim {
    /// Of the lower bound; the end follows.
    word: usize,
    signed: bool,
}

/// An array whose elements iterations claim, as places in the context.
pub(super) struct Claims {
    /// Of the pointer to the claims.
    pub(super) word: usize,
    /// Of the array's extents.
    extents: Range<usize>,
}

impl Claims {
    /// How many elements the array has.
    pub(super) fn elements(&self, context: &[u64]) -> usize {
        // No array has more elements than there are addresses; of one without any the extents may be as large as they like.
        context[self.extents.clone()].iter().fold(1usize, |len, extent| len.wrapping_mul(*extent as usize))
    }

    /// The error of a machine that has no room for so many claims.
    pub(super) fn no_room(elements: usize) -> Error {
        let message =
            format!("a scatter to an array of {elements} elements needs 8 bytes for each: there is no such room");
        Error::new(ErrorKind::Argument, message)
    }
}

impl Domain {
    pub(super) fn of(task: &Task, layout: &ContextLayout) -> Self {
        let dims = task.dims().iter().enumerate();
        let claims = layout.claims().iter().map(|&(array, word)| {
            let first = layout.array(array) + 1;
            Claims { word, extents: first..first + usize::from(task.arrays[array].ty.rank) }
        });
        Domain {
            dims: dims.map(|(n, dim)| Dim { word: layout.bounds(n), signed: task.ty(dim.var).is_signed() }).collect(),
            claims: claims.collect(),
        }
    }

    pub(super) fn claims(&self) -> &[Claims] {
        &self.claims
    }

    /// Number of iterations by the bounds in the context.
    pub(super) fn iterations(&self, context: &[u64]) -> Result<u64> {
        let (mut total, mut longest) = (1u128, 0);
        for dim in &self.dims {
            let (lo, hi) = (context[dim.word], context[dim.word + 1]);
            let runs = if dim.signed { (lo as i64) < (hi as i64) } else { lo < hi };
            if !runs {
                return Ok(0);
            }
            longest = longest.max(hi.wrapping_sub(lo));
            // At most 2^64 - 1 a dimension; what overflows is too large in any case.
            total = total.saturating_mul(u128::from(hi.wrapping_sub(lo)));
        }
        // The largest number stands for "no fault".
        match u64::try_from(total) {
            Ok(len) if len < u64::MAX => Ok(len),
            Ok(_) | Err(_) => {
                let advice = if longest > i64::MAX as u64 {
                    "a bound that wrapped below zero, as that of `0..n - 1` does where `n` is 0, is as large: write \
                     `n.saturating_sub(1)`"
                } else {
                    "split the loop"
                };
                let message =
                    format!("a parallel loop of {total} iterations: at most 2^64 - 2 can be counted; {advice}");
                Err(Error::new(ErrorKind::Argument, message))
            }
        }
    }
}
