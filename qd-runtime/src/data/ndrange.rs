//! The points of a box of indices, in row-major order: the last dimension runs fastest.
//!
//! What `qd::ndrange` and [`NdArray::indices`](super::NdArray::indices) give. One dimension yields `usize`, two to
//! four yield tuples. In kernels such a loop is a parallel domain; this is its meaning in plain Rust.
use std::iter::FusedIterator;
use std::ops::Range;

mod sealed {
    pub trait Sealed {}
}

/// A number of dimensions that kernels can loop over, and what a point is there.
#[diagnostic::on_unimplemented(
    message = "a domain has one to four dimensions [QD0019]",
    label = "not one to four dimensions",
    note = "merge dimensions, or loop over the rest inside"
)]
pub trait Point: sealed::Sealed {
    /// `usize` for one dimension, else a tuple of them.
    type Tuple;

    /// The point of these coordinates.
    fn tuple(self) -> Self::Tuple;
}

macro_rules! points {
    ($($n:literal [$($x:ident),*] => $ty:ty, $tuple:expr;)*) => { $(
        impl sealed::Sealed for [usize; $n] {}
        impl Point for [usize; $n] {
            type Tuple = $ty;
            #[inline(always)]
            fn tuple(self) -> $ty {
                let [$($x),*] = self;
                $tuple
            }
        }
    )* };
}
points! {
    1 [i] => usize, i;
    2 [i, j] => (usize, usize), (i, j);
    3 [i, j, k] => (usize, usize, usize), (i, j, k);
    4 [i, j, k, l] => (usize, usize, usize, usize), (i, j, k, l);
}

/// An extent or a range of one dimension of [`ndrange`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an extent or range of a domain [QD0019]",
    label = "expected `usize` or a range of `usize`",
    note = "write `ndrange([n, m])`, or ranges in every place: `ndrange([0..n, 1..m - 1])`; convert with `as usize`"
)]
pub trait Extent: sealed::Sealed {
    /// First index and end, not included.
    fn range(self) -> Range<usize>;
}

impl sealed::Sealed for usize {}
impl Extent for usize {
    fn range(self) -> Range<usize> {
        0..self
    }
}
impl sealed::Sealed for Range<usize> {}
impl Extent for Range<usize> {
    fn range(self) -> Range<usize> {
        self
    }
}

/// The points of a box. See the [module](self).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NdRange<const N: usize> {
    lo: [usize; N],
    hi: [usize; N],
    /// The next point. At the end its first coordinate is `hi[0]`.
    next: [usize; N],
}

impl<const N: usize> NdRange<N> {
    /// The points with `lo <= x < hi` in every dimension.
    pub fn new(ranges: [Range<usize>; N]) -> Self {
        let lo = ranges.each_ref().map(|r| r.start);
        let hi = ranges.each_ref().map(|r| r.end);
        let mut next = lo;
        if ranges.iter().any(Range::is_empty) && N > 0 {
            next[0] = hi[0];
        }
        NdRange { lo, hi, next }
    }

    /// Number of points left, if it fits.
    fn left(&self) -> Option<usize> {
        if N == 0 || self.next[0] >= self.hi[0] {
            return Some(0);
        }
        // Points left = those of the box, less the linear number of the next.
        let mut points = 0u128;
        for d in 0..N {
            let extent = (self.hi[d] - self.lo[d]) as u128;
            points = points.checked_mul(extent)?.checked_add((self.hi[d] - 1 - self.next[d]) as u128)?;
        }
        usize::try_from(points + 1).ok()
    }
}

impl<const N: usize> Iterator for NdRange<N>
where
    [usize; N]: Point,
{
    type Item = <[usize; N] as Point>::Tuple;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next[0] >= self.hi[0] {
            return None;
        }
        let point = self.next;
        for d in (0..N).rev() {
            self.next[d] += 1;
            if self.next[d] < self.hi[d] || d == 0 {
                break;
            }
            self.next[d] = self.lo[d];
        }
        Some(point.tuple())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.left();
        (left.unwrap_or(usize::MAX), left)
    }
}

impl<const N: usize> FusedIterator for NdRange<N> where [usize; N]: Point {}

/// The points of a box of one to four dimensions, the last one fastest: `ndrange([n, m])`, or with ranges
/// `ndrange([0..n, 1..m - 1])`.
///
/// In a kernel, `for (i, j) in qd::ndrange([n, m])` is a parallel loop over both. One dimension yields `usize`.
///
/// ```
/// # use qd_runtime::data::ndrange;
/// let points: Vec<_> = ndrange([2, 2]).collect();
/// assert_eq!(points, [(0, 0), (0, 1), (1, 0), (1, 1)]);
/// ```
pub fn ndrange<E: Extent, const N: usize>(extents: [E; N]) -> NdRange<N>
where
    [usize; N]: Point,
{
    NdRange::new(extents.map(E::range))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_major_with_the_last_dimension_fastest() {
        let n = 2;
        let got: Vec<_> = ndrange([0..n, 1..3, 5..6]).collect();
        assert_eq!(got, [(0, 1, 5), (0, 2, 5), (1, 1, 5), (1, 2, 5)]);
        assert_eq!(ndrange([3]).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(ndrange([2, 1, 1, 2]).last(), Some((1, 0, 0, 1)));
    }

    #[test]
    fn an_empty_dimension_empties_the_box() {
        assert_eq!(ndrange([4, 0]).count(), 0);
        assert_eq!(ndrange([0, 4]).count(), 0);
        #[expect(clippy::reversed_empty_ranges, reason = "the point of the test")]
        let reversed = ndrange([0..4, 3..1]);
        assert_eq!(reversed.count(), 0);
    }

    #[test]
    fn the_size_hint_counts_down_exactly() {
        let mut range = ndrange([1..4, 2..7, 0..3]);
        for left in (0..=45).rev() {
            assert_eq!(range.size_hint(), (left, Some(left)));
            range.next();
        }
        assert_eq!(ndrange([usize::MAX, usize::MAX]).size_hint(), (usize::MAX, None));
    }

    #[test]
    fn ends_at_the_largest_index() {
        let last = usize::MAX - 1..usize::MAX;
        let mut range = ndrange([last]);
        assert_eq!(range.next(), Some(usize::MAX - 1));
        assert_eq!(range.next(), None);
        assert_eq!(range.next(), None);
    }
}
