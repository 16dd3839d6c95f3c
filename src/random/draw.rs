//! How a value of each type is made of random words: whole, and in a range.
use std::ops::{Range, RangeInclusive};

use qd_runtime::private::Func;

use super::Rng;
use crate::{Number, Scalar, bf16, f16, func};

/// A type of which [`Rng::next`] makes values: `bool`, every integer, and every float.
pub trait Random: Scalar {
    /// The twin of the function that kernels call.
    #[doc(hidden)]
    type Next: Func;
    #[doc(hidden)]
    fn draw(rng: &mut Rng) -> Self;
}

/// A type of which [`Rng::range`] makes values: every integer, `f32` and `f64`.
pub trait Uniform: Random + Number {
    /// The twin for `a..b`.
    #[doc(hidden)]
    type Within: Func;
    #[doc(hidden)]
    #[track_caller]
    fn within(rng: &mut Rng, ends: (Self, Self)) -> Self;
    /// The twin for `a..=b`.
    #[doc(hidden)]
    type Through: Func;
    #[doc(hidden)]
    #[track_caller]
    fn through(rng: &mut Rng, ends: (Self, Self)) -> Self;
}

/// `a..b` or `a..=b`, of which [`Rng::range`] draws a number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no range of numbers with both ends",
    note = "write `rng.range(a..b)` or `rng.range(a..=b)`"
)]
pub trait RandomRange<T>: 'static {
    /// The twin of the function that kernels call.
    #[doc(hidden)]
    type Draw: Func;
    #[doc(hidden)]
    #[track_caller]
    fn draw(self, rng: &mut Rng) -> T;
}

impl<T: Uniform> RandomRange<T> for Range<T> {
    type Draw = T::Within;
    #[inline]
    #[track_caller]
    fn draw(self, rng: &mut Rng) -> T {
        T::within(rng, (self.start, self.end))
    }
}

impl<T: Uniform> RandomRange<T> for RangeInclusive<T> {
    type Draw = T::Through;
    #[inline]
    #[track_caller]
    fn draw(self, rng: &mut Rng) -> T {
        T::through(rng, self.into_inner())
    }
}

/// A number below `end`, which isn't 0. The product of a random word and `end` has it in its upper half; where the lower
/// half is below 2^32 modulo `end`, it's one of those that would come up once too often. Only there a division is needed.
#[func(crate = crate)]
#[inline]
fn below_u32(rng: &mut Rng, end: u32) -> u32 {
    loop {
        let product = rng.word() as u64 * end as u64;
        let low = product as u32;
        if low >= end || low >= end.wrapping_neg() % end {
            return (product >> 32) as u32;
        }
    }
}

/// As [`below_u32`].
#[func(crate = crate)]
#[inline]
fn below_u64(rng: &mut Rng, end: u64) -> u64 {
    loop {
        let product = rng.double() as u128 * end as u128;
        let low = product as u64;
        if low >= end || low >= end.wrapping_neg() % end {
            return (product >> 64) as u64;
        }
    }
}

/// A number below `end`, which isn't 0: the bits that `end` has are drawn until they are.
#[func(crate = crate)]
#[inline]
fn below_u128(rng: &mut Rng, end: u128) -> u128 {
    let mask = u128::MAX >> ((end - 1) | 1).leading_zeros();
    loop {
        let drawn = rng.quad() & mask;
        if drawn < end {
            return drawn;
        }
    }
}

/// `$words` makes as many random bits as `$wide` has, `$below` a number of it below an end.
macro_rules! integers {
    ($wide:ident $words:ident $below:ident: $($ty:ident $unsigned:ident $next:ident $within:ident $through:ident;)*) => { $(
        #[func(crate = crate)]
        #[inline]
        pub fn $next(rng: &mut Rng) -> $ty {
            rng.$words() as $ty
        }

        #[func(crate = crate)]
        #[inline]
        #[track_caller]
        pub fn $within(rng: &mut Rng, (first, end): ($ty, $ty)) -> $ty {
            assert!(first < end, "no number is in an empty range");
            let length = end.wrapping_sub(first) as $unsigned as $wide;
            first.wrapping_add($below(rng, length) as $ty)
        }

        #[func(crate = crate)]
        #[inline]
        #[track_caller]
        pub fn $through(rng: &mut Rng, (first, last): ($ty, $ty)) -> $ty {
            assert!(first <= last, "no number is in an empty range");
            let length = (last.wrapping_sub(first) as $unsigned as $wide).wrapping_add(1);
            if length == 0 {
                return rng.$words() as $ty;
            }
            first.wrapping_add($below(rng, length) as $ty)
        }

        random! { $ty $next $within $through }
    )* };
}

/// `$unit` is the distance of the values of `[0, 1)`, `$most` that of `[0, 1]`.
macro_rules! floats {
    ($($ty:ident $words:ident $shift:literal $unit:expr, $most:expr, $next:ident $within:ident $through:ident;)*) => { $(
        #[func(crate = crate)]
        #[inline]
        pub fn $next(rng: &mut Rng) -> $ty {
            (rng.$words() >> $shift) as $ty * $unit
        }

        #[func(crate = crate)]
        #[inline]
        #[track_caller]
        pub fn $within(rng: &mut Rng, (first, end): ($ty, $ty)) -> $ty {
            let length = end - first;
            assert!(first < end, "no number is in an empty range");
            assert!(length.is_finite(), "the length of the range isn't finite");
            loop {
                let drawn = first + length * $next(rng);
                if drawn < end {
                    return drawn;
                }
            }
        }

        #[func(crate = crate)]
        #[inline]
        #[track_caller]
        pub fn $through(rng: &mut Rng, (first, last): ($ty, $ty)) -> $ty {
            let length = last - first;
            assert!(first <= last, "no number is in an empty range");
            assert!(length.is_finite(), "the length of the range isn't finite");
            let part = (rng.$words() >> $shift) as $ty / $most;
            (first + length * part).min(last)
        }

        random! { $ty $next $within $through }
    )* };
}

/// The traits of a type by its functions.
macro_rules! random {
    ($ty:ident $next:ident) => {
        impl Random for $ty {
            type Next = $next;
            #[inline]
            fn draw(rng: &mut Rng) -> $ty {
                $next(rng)
            }
        }
    };
    ($ty:ident $next:ident $within:ident $through:ident) => {
        random! { $ty $next }
        impl Uniform for $ty {
            type Within = $within;
            #[inline]
            #[track_caller]
            fn within(rng: &mut Rng, ends: ($ty, $ty)) -> $ty {
                $within(rng, ends)
            }
            type Through = $through;
            #[inline]
            #[track_caller]
            fn through(rng: &mut Rng, ends: ($ty, $ty)) -> $ty {
                $through(rng, ends)
            }
        }
    };
}

integers! { u32 word below_u32:
    i8 u8 next_i8 within_i8 through_i8;
    u8 u8 next_u8 within_u8 through_u8;
    i16 u16 next_i16 within_i16 through_i16;
    u16 u16 next_u16 within_u16 through_u16;
    i32 u32 next_i32 within_i32 through_i32;
    u32 u32 next_u32 within_u32 through_u32;
}
integers! { u64 double below_u64:
    i64 u64 next_i64 within_i64 through_i64;
    u64 u64 next_u64 within_u64 through_u64;
    isize usize next_isize within_isize through_isize;
    usize usize next_usize within_usize through_usize;
}
integers! { u128 quad below_u128:
    i128 u128 next_i128 within_i128 through_i128;
    u128 u128 next_u128 within_u128 through_u128;
}
floats! {
    f32 word 8 1.0 / 16_777_216.0, 16_777_215.0, next_f32 within_f32 through_f32;
    f64 double 11 1.0 / 9_007_199_254_740_992.0, 9_007_199_254_740_991.0, next_f64 within_f64 through_f64;
}

/// As many values at equal distances as the type has in `[0, 1)`.
#[func(crate = crate)]
#[inline]
pub fn next_f16(rng: &mut Rng) -> f16 {
    f16::from_f32((rng.word() >> 21) as f32 / 2048.0)
}
random! { f16 next_f16 }

/// As [`next_f16`].
#[func(crate = crate)]
#[inline]
pub fn next_bf16(rng: &mut Rng) -> bf16 {
    bf16::from_f32((rng.word() >> 24) as f32 / 256.0)
}
random! { bf16 next_bf16 }

#[func(crate = crate)]
#[inline]
pub fn next_bool(rng: &mut Rng) -> bool {
    rng.word() >> 31 == 1
}
random! { bool next_bool }
