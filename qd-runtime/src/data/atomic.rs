//! Numbers that can be updated atomically, and what each update makes of two values, natively. Knows no places.
use std::marker::PhantomData;

use half::{bf16, f16};

use super::element::Scalar;

/// A number whose elements iterations can update together: a float, or an integer of at most 64 bits.
///
/// Every [`Number`](super::Number) is one, so that generic code needs no other bound; 128 bits are refused where the code
/// for them would be made.
#[diagnostic::on_unimplemented(
    message = "atomic operations on `{Self}` are not supported [QD0025]",
    label = "neither a float nor an integer of at most 64 bits",
    note = "use `i8`..`i64`, `isize`, `u8`..`u64`, `usize` or a float: machines have no wider atomics"
)]
pub trait Atomic: Scalar {
    #[doc(hidden)]
    const SUPPORTED: bool;
    #[doc(hidden)]
    fn atomic_plus(self, other: Self) -> Self;
    #[doc(hidden)]
    fn atomic_minus(self, other: Self) -> Self;
    #[doc(hidden)]
    fn atomic_smaller(self, other: Self) -> Self;
    #[doc(hidden)]
    fn atomic_larger(self, other: Self) -> Self;
    #[doc(hidden)]
    fn atomic_same_bits(self, other: Self) -> bool;
}

/// An integer of at most 64 bits.
#[diagnostic::on_unimplemented(
    message = "atomic operations on the bits of `{Self}` are not supported [QD0025]",
    label = "not an integer of at most 64 bits",
    note = "use `i8`..`i64`, `isize`, `u8`..`u64` or `usize`: machines have no wider atomics"
)]
pub trait Integer: Atomic {
    #[doc(hidden)]
    fn atomic_and(self, other: Self) -> Self;
    #[doc(hidden)]
    fn atomic_or(self, other: Self) -> Self;
    #[doc(hidden)]
    fn atomic_xor(self, other: Self) -> Self;
}

macro_rules! scalars {
    ($($ty:ident)*; $a:ident, $b:ident => $plus:expr, $minus:expr) => { $(
        impl Atomic for $ty {
            const SUPPORTED: bool = size_of::<$ty>() <= 8;
            fn atomic_plus(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $plus
            }
            fn atomic_minus(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $minus
            }
            fn atomic_smaller(self, other: Self) -> Self {
                self.min(other)
            }
            fn atomic_larger(self, other: Self) -> Self {
                self.max(other)
            }
            fn atomic_same_bits(self, other: Self) -> bool {
                self.to_ne_bytes() == other.to_ne_bytes()
            }
        }
    )* };
}
scalars! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128 u128; a, b => a.wrapping_add(b), a.wrapping_sub(b) }
scalars! { f32 f64 f16 bf16; a, b => a + b, a - b }

macro_rules! integers {
    ($($ty:ident)*) => { $(
        impl Integer for $ty {
            fn atomic_and(self, other: Self) -> Self {
                self & other
            }
            fn atomic_or(self, other: Self) -> Self {
                self | other
            }
            fn atomic_xor(self, other: Self) -> Self {
                self ^ other
            }
        }
    )* };
}
integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128 u128 }

/// The element that an atomic updates, in the never-run copy of a kernel.
pub struct Element<T>(PhantomData<T>);

impl<T> Element<T> {
    /// Of a place.
    pub fn of(_: &T) -> Self {
        Element(PhantomData)
    }
}

/// Has an element of 128 bits, before [`AnyWidth`] is looked at.
pub trait TooWide {
    /// What no machine can update.
    fn width(&self) -> Wide;
}

/// Has any element.
pub trait AnyWidth {
    /// Nothing is wrong.
    fn width(&self) -> Fits;
}

/// It is known to be too wide.
pub struct Wide;

/// It isn't known to be too wide.
pub struct Fits;

impl TooWide for Element<i128> {
    fn width(&self) -> Wide {
        Wide
    }
}

impl TooWide for Element<u128> {
    fn width(&self) -> Wide {
        Wide
    }
}

impl<T> AnyWidth for &Element<T> {
    fn width(&self) -> Fits {
        Fits
    }
}

/// What an atomic can update.
#[diagnostic::on_unimplemented(
    message = "atomic operations on `i128` and `u128` are not supported: machines have none [QD0025]",
    label = "an element of 128 bits",
    note = "use an integer of at most 64 bits, or a float"
)]
pub trait Narrow {}

impl Narrow for Fits {}

/// Accepts what an atomic can update.
pub fn narrow<T: Narrow>(_: T) {}
