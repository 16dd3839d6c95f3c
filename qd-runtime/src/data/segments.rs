//! Consecutive segments, as rows of a sparse matrix have them: `offsets[i]..offsets[i + 1]` for each `i`.
//!
//! What `qd::segments` gives. In kernels such a loop is a parallel domain whose iterations own their segments; this is
//! its meaning in plain Rust.
use std::iter::FusedIterator;
use std::ops::Range;

use super::NdArray;

mod sealed {
    pub trait Sealed {}
}

/// Arrays of offsets: one-dimensional, of integers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no offsets [QD0019]",
    label = "expected a slice or one-dimensional array of integers",
    note = "offsets are `u32`, `u64`, `usize`, `i32` or `i64`"
)]
pub trait Offsets: sealed::Sealed {
    /// Number of offsets.
    fn count(&self) -> usize;

    /// One of them.
    fn at(&self, index: usize) -> usize;

    /// Why they bound no segments, in words: the first is below zero, or one is followed by a smaller one.
    fn fault(&self) -> Option<String>;
}

macro_rules! offsets {
    ($($t:ident)*) => { $(
        impl sealed::Sealed for [$t] {}
        impl Offsets for [$t] {
            fn count(&self) -> usize {
                self.len()
            }

            #[inline]
            fn at(&self, index: usize) -> usize {
                self[index] as usize
            }

            fn fault(&self) -> Option<String> {
                if self.len() > 1 && usize::try_from(self[0]).is_err() {
                    return Some(qd_ir::fault::negative_offset(self[0]));
                }
                let at = self.windows(2).position(|pair| pair[0] > pair[1])?;
                Some(qd_ir::fault::falling_offsets(at, self[at], self[at + 1]))
            }
        }
        impl sealed::Sealed for NdArray<$t> {}
        impl Offsets for NdArray<$t> {
            fn count(&self) -> usize {
                self.len()
            }

            #[inline]
            fn at(&self, index: usize) -> usize {
                self.as_slice().at(index)
            }

            fn fault(&self) -> Option<String> {
                self.as_slice().fault()
            }
        }
        owned! { $t Vec<$t> }
        owned! { $t Box<[$t]> }
    )* };
}

/// What bundles hold.
macro_rules! owned {
    ($t:ident $array:ty) => {
        impl sealed::Sealed for $array {}
        impl Offsets for $array {
            fn count(&self) -> usize {
                self.len()
            }

            #[inline]
            fn at(&self, index: usize) -> usize {
                self[index] as usize
            }

            fn fault(&self) -> Option<String> {
                <[$t]>::fault(self)
            }
        }
    };
}
offsets! { u32 u64 usize i32 i64 }

impl<A: Offsets + ?Sized> sealed::Sealed for &A {}
impl<A: Offsets + ?Sized> Offsets for &A {
    fn count(&self) -> usize {
        (**self).count()
    }

    #[inline]
    fn at(&self, index: usize) -> usize {
        (**self).at(index)
    }

    fn fault(&self) -> Option<String> {
        (**self).fault()
    }
}

/// The segments between consecutive offsets, each with its number: `(i, offsets[i]..offsets[i + 1])`.
///
/// # Panics
/// If the first offset is below zero, or one is smaller than the one before it. So segments never overlap.
///
/// ```
/// let rows: Vec<_> = qd_runtime::data::segments(&[0usize, 2, 2, 5][..]).collect();
/// assert_eq!(rows, [(0, 0..2), (1, 2..2), (2, 2..5)]);
/// ```
#[track_caller]
pub fn segments<A: Offsets + ?Sized>(offsets: &A) -> Segments<'_, A> {
    if let Some(words) = offsets.fault() {
        panic!("{words}");
    }
    Segments { offsets, numbers: 0..offsets.count().saturating_sub(1) }
}

/// Iterator of [`segments`].
#[derive(Debug, Clone)]
pub struct Segments<'a, A: ?Sized> {
    offsets: &'a A,
    numbers: Range<usize>,
}

impl<A: Offsets + ?Sized> Segments<'_, A> {
    /// The numbers that are left.
    pub(crate) fn numbers(&self) -> Range<usize> {
        self.numbers.clone()
    }
}

impl<A: Offsets + ?Sized> Iterator for Segments<'_, A> {
    type Item = (usize, Range<usize>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let number = self.numbers.next()?;
        Some((number, self.offsets.at(number)..self.offsets.at(number + 1)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.numbers.size_hint()
    }
}

impl<A: Offsets + ?Sized> ExactSizeIterator for Segments<'_, A> {}
impl<A: Offsets + ?Sized> FusedIterator for Segments<'_, A> {}
