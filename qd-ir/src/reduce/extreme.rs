//! The extreme of a key: which of many iterations wins, in plain Rust.
//!
//! `if key < best { best = key; at = i; }` leaves the first of the least keys below the value that `best` had before
//! the loop, as a running comparison does: an iteration wins over those before it if its key is less, so of equal keys
//! (0.0 and -0.0 are) the first one stays; a NaN never wins, and against a `best` that was NaN nobody does. With `<=`
//! it is the last of the least keys that are no greater than `best`. Keys of several scalars compare as tuples do. All
//! this depends on nothing but the iterations' numbers, so any way to share them among threads finds the same winner.
use std::cmp::Ordering;

use half::{bf16, f16};

use super::{Reduce, for_scalar};
use crate::task::Order;
use crate::types::Scalar;
use crate::words;

/// How two keys compare, given as words; `None` if one is a NaN.
pub fn compare(key: &[Scalar], a: &[u64], b: &[u64]) -> Option<Ordering> {
    let (mut a, mut b) = (a, b);
    for &ty in key {
        let (x, y) = (words::get(ty, a), words::get(ty, b));
        let order = for_scalar!(ty, T => {
            PartialOrd::partial_cmp(&<T as Reduce>::from_bits(x), &<T as Reduce>::from_bits(y))
        });
        if order != Some(Ordering::Equal) {
            return order;
        }
        (a, b) = (&a[ty.words()..], &b[ty.words()..]);
    }
    Some(Ordering::Equal)
}

impl Order {
    /// Whether a later key that compares so with `best` takes its place.
    pub fn takes(self, later: Option<Ordering>) -> bool {
        match later {
            Some(Ordering::Less) => !self.greatest,
            Some(Ordering::Greater) => self.greatest,
            Some(Ordering::Equal) => self.last,
            None => false,
        }
    }
}
