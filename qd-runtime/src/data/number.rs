//! Bounds of generic kernels and functions: what a type parameter can do.
//!
//! The methods have the names and meanings of std's, so a generic body reads as one for a single type, runs natively as
//! it is, and is compiled from the same table of operations. The traits are sealed by [`Scalar`]. Names that std's own
//! traits already have for integers (`min`, `max`, `clamp` of `Ord`) come from there: a second method of that name would
//! make every call of it ambiguous where these traits are imported.
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul, MulAssign,
    Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

use super::atomic::{Atomic, Integer};
use super::element::Scalar;

/// Any number, exactly.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum Wide {
    Int(i128),
    Unsigned(u128),
    Float(f64),
}

/// An integer or a float: arithmetic, comparison, and conversion by [`cast`](Number::cast).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number of the kernel language",
    label = "expected a number",
    note = "numbers are `i8`..`i128`, `isize`, `u8`..`u128`, `usize`, `f32`, `f64`, `qd::f16` and `qd::bf16`"
)]
pub trait Number:
    Scalar
    + Atomic
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
{
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;
    /// The least finite value.
    const MIN: Self;
    /// The greatest finite value.
    const MAX: Self;

    /// As the method of this name of every number.
    fn div_euclid(self, rhs: Self) -> Self;
    /// As the method of this name of every number.
    fn rem_euclid(self, rhs: Self) -> Self;

    /// `self as T`: saturating from float to integer, truncating or extending between integers, else rounded to nearest.
    /// To the 16-bit floats from integers by way of `f32`.
    #[inline]
    fn cast<T: Number>(self) -> T {
        T::from_wide(self.to_wide())
    }

    #[doc(hidden)]
    fn to_wide(self) -> Wide;
    #[doc(hidden)]
    fn from_wide(wide: Wide) -> Self;
}

macro_rules! numbers {
    ($zero:literal $one:literal |$v:ident| $wide:expr; $($ty:ident)*) => { $(
        impl Number for $ty {
            const ZERO: $ty = $zero;
            const ONE: $ty = $one;
            const MIN: $ty = $ty::MIN;
            const MAX: $ty = $ty::MAX;
            #[inline]
            fn div_euclid(self, rhs: $ty) -> $ty {
                $ty::div_euclid(self, rhs)
            }
            #[inline]
            fn rem_euclid(self, rhs: $ty) -> $ty {
                $ty::rem_euclid(self, rhs)
            }
            #[inline]
            fn to_wide(self) -> Wide {
                let $v = self;
                $wide
            }
            #[inline]
            fn from_wide(wide: Wide) -> $ty {
                match wide {
                    Wide::Int(v) => v as $ty,
                    Wide::Unsigned(v) => v as $ty,
                    Wide::Float(v) => v as $ty,
                }
            }
        }
    )* };
}
numbers! { 0.0 1.0 |v| Wide::Float(f64::from(v)); f32 }
numbers! { 0.0 1.0 |v| Wide::Float(v); f64 }
numbers! { 0 1 |v| Wide::Int(v as i128); i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128 }
numbers! { 0 1 |v| Wide::Unsigned(v); u128 }

/// The methods of floats, which `f32` and `f64` have of their own: `$then! { $head.. name(arguments) -> result; .. }`.
macro_rules! float_methods {
    ($then:ident $($head:tt)*) => {
        $then! { $($head)*
            abs() -> Self; signum() -> Self; copysign(sign: Self) -> Self;
            min(other: Self) -> Self; max(other: Self) -> Self; clamp(min: Self, max: Self) -> Self;
            mul_add(a: Self, b: Self) -> Self; recip() -> Self; sqrt() -> Self; cbrt() -> Self; hypot(other: Self) -> Self;
            floor() -> Self; ceil() -> Self; round() -> Self; round_ties_even() -> Self; trunc() -> Self; fract() -> Self;
            powi(n: i32) -> Self; powf(n: Self) -> Self;
            exp() -> Self; exp2() -> Self; exp_m1() -> Self;
            ln() -> Self; log(base: Self) -> Self; log2() -> Self; log10() -> Self; ln_1p() -> Self;
            sin() -> Self; cos() -> Self; tan() -> Self; sin_cos() -> (Self, Self);
            asin() -> Self; acos() -> Self; atan() -> Self; atan2(other: Self) -> Self;
            sinh() -> Self; cosh() -> Self; tanh() -> Self; asinh() -> Self; acosh() -> Self; atanh() -> Self;
            to_degrees() -> Self; to_radians() -> Self;
            is_nan() -> bool; is_finite() -> bool; is_infinite() -> bool; is_normal() -> bool; is_subnormal() -> bool;
            is_sign_negative() -> bool; is_sign_positive() -> bool;
            to_bits() -> Self::Bits;
        }
    };
}
pub(super) use float_methods;

/// The methods that all integers have of their own.
macro_rules! int_methods {
    ($then:ident $($head:tt)*) => {
        $then! { $($head)*
            abs_diff(other: Self) -> Self::Unsigned; pow(exp: u32) -> Self;
            isqrt() -> Self; ilog2() -> u32; ilog10() -> u32;
            count_ones() -> u32; count_zeros() -> u32; leading_zeros() -> u32; leading_ones() -> u32;
            trailing_zeros() -> u32; trailing_ones() -> u32;
            rotate_left(n: u32) -> Self; rotate_right(n: u32) -> Self; swap_bytes() -> Self; reverse_bits() -> Self;
            wrapping_add(rhs: Self) -> Self; wrapping_sub(rhs: Self) -> Self; wrapping_mul(rhs: Self) -> Self;
            wrapping_div(rhs: Self) -> Self; wrapping_rem(rhs: Self) -> Self; wrapping_neg() -> Self;
            wrapping_shl(rhs: u32) -> Self; wrapping_shr(rhs: u32) -> Self; wrapping_pow(exp: u32) -> Self;
            saturating_add(rhs: Self) -> Self; saturating_sub(rhs: Self) -> Self; saturating_mul(rhs: Self) -> Self;
            strict_add(rhs: Self) -> Self; strict_sub(rhs: Self) -> Self; strict_mul(rhs: Self) -> Self;
            strict_neg() -> Self; strict_pow(exp: u32) -> Self; strict_shl(rhs: u32) -> Self; strict_shr(rhs: u32) -> Self;
        }
    };
}

macro_rules! declare {
    ($($method:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => { $(
        #[doc = concat!("As the method `", stringify!($method), "` of each of the types.")]
        fn $method(self $(, $arg: $ty)*) -> $out;
    )* };
}

macro_rules! define {
    (($of:ident) $($method:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => { $(
        #[inline]
        fn $method(self $(, $arg: $ty)*) -> $out {
            // The type's own method comes before that of a trait.
            $of::$method(self $(, $arg)*)
        }
    )* };
}

/// What would make `f32::from(..)` ambiguous where it is in scope.
pub mod single {
    /// `From<f32>` for all floats: that of the 16-bit ones rounds, which their own `From` leaves out.
    ///
    /// The bound `T: Float` brings it along, so that `T::from(0.5)` means it. It is never imported.
    pub trait FromSingle {
        /// The value, rounded to nearest.
        fn from(value: f32) -> Self;
    }

    impl FromSingle for f32 {
        #[inline]
        fn from(value: f32) -> f32 {
            value
        }
    }

    impl FromSingle for f64 {
        #[inline]
        fn from(value: f32) -> f64 {
            value.into()
        }
    }
}

/// `f32`, `f64`, [`f16`](half::f16) or [`bf16`](half::bf16).
///
/// The 16-bit ones are computed with in `f32`: each operation and method gives the rounded result of that of `f32`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a float of the kernel language",
    label = "expected `f32`, `f64`, `f16` or `bf16`"
)]
pub trait Float: Number + Neg<Output = Self> + single::FromSingle {
    /// The unsigned integer of the same width.
    type Bits: Int;

    /// The value of those bits.
    fn from_bits(bits: Self::Bits) -> Self;

    float_methods! { declare }

    /// The difference between 1 and the next greater value.
    const EPSILON: Self;
    /// The least positive normal value.
    const MIN_POSITIVE: Self;
    /// Infinity.
    const INFINITY: Self;
    /// Negative infinity.
    const NEG_INFINITY: Self;
    /// Not a number.
    const NAN: Self;
    /// π
    const PI: Self;
    /// 2π
    const TAU: Self;
    /// π/2
    const FRAC_PI_2: Self;
    /// Euler's number.
    const E: Self;
    /// The natural logarithm of 2.
    const LN_2: Self;
    /// √2
    const SQRT_2: Self;
}

macro_rules! floats {
    ($($ty:ident $bits:ident;)*) => { $(
        impl Float for $ty {
            type Bits = $bits;
            #[inline]
            fn from_bits(bits: $bits) -> $ty {
                $ty::from_bits(bits)
            }
            float_methods! { define ($ty) }
            const EPSILON: $ty = $ty::EPSILON;
            const MIN_POSITIVE: $ty = $ty::MIN_POSITIVE;
            const INFINITY: $ty = $ty::INFINITY;
            const NEG_INFINITY: $ty = $ty::NEG_INFINITY;
            const NAN: $ty = $ty::NAN;
            const PI: $ty = std::$ty::consts::PI;
            const TAU: $ty = std::$ty::consts::TAU;
            const FRAC_PI_2: $ty = std::$ty::consts::FRAC_PI_2;
            const E: $ty = std::$ty::consts::E;
            const LN_2: $ty = std::$ty::consts::LN_2;
            const SQRT_2: $ty = std::$ty::consts::SQRT_2;
        }
    )* };
}
floats! { f32 u32; f64 u64; }

/// An integer. `min`, `max` and `clamp` are those of [`Ord`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer of the kernel language",
    label = "expected an integer",
    note = "integers are `i8`..`i128`, `isize`, `u8`..`u128` and `usize`"
)]
pub trait Int:
    Number
    + Integer
    + Ord
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + ShlAssign<u32>
    + ShrAssign<u32>
{
    /// The unsigned integer of the same width.
    type Unsigned: Int;

    /// Its width.
    const BITS: u32;

    int_methods! { declare }
}

macro_rules! ints {
    ($($ty:ident $unsigned:ident;)*) => { $(
        impl Int for $ty {
            type Unsigned = $unsigned;
            const BITS: u32 = $ty::BITS;
            int_methods! { define ($ty) }
        }
    )* };
}
ints! {
    i8 u8; i16 u16; i32 u32; i64 u64; isize usize; i128 u128;
    u8 u8; u16 u16; u32 u32; u64 u64; usize usize; u128 u128;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_are_those_of_as() {
        macro_rules! casts {
            ([$($from:ident)*] $to:tt) => { $(casts! { @from $from $to })* };
            (@from $from:ident [$($to:ident)*]) => { $(
                for v in [$from::MIN, $from::MAX, $from::ZERO, $from::ONE, $from::MAX / (3 as $from), 200u8 as $from] {
                    let (cast, wanted) = (v.cast::<$to>(), v as $to);
                    assert_eq!(cast.to_raw(), wanted.to_raw(), "{v:?} as {}", stringify!($to));
                }
            )* };
        }
        casts! {
            [i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128 u128 f32 f64]
            [i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128 u128 f32 f64]
        }
        for v in [-0.0, 0.1, f64::NAN, f64::INFINITY, -1e300, 1e-300, 16777217.0] {
            assert_eq!(v.cast::<f32>().to_raw(), (v as f32).to_raw());
            assert_eq!(v.cast::<u8>(), v as u8);
        }
    }

    /// All methods of the table that every type of a class has.
    #[test]
    fn methods_are_those_of_the_language() {
        use qd_ir::op::{Form, Op, Receiver};
        macro_rules! names {
            ($($method:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => { [$(stringify!($method)),*] };
        }
        let missing = |receivers: &[Receiver], names: &[&str]| -> Vec<&str> {
            let rows = Op::ALL.iter().map(|op| op.row());
            let wanted = rows.filter(|row| row.form == Form::Method && receivers.contains(&row.receiver));
            wanted.map(|row| row.text).filter(|name| !names.contains(name)).collect()
        };
        let of_number = ["div_euclid", "rem_euclid", "min", "max", "clamp"];
        let float = [&float_methods!(names)[..], &of_number].concat();
        assert_eq!(missing(&[Receiver::Any, Receiver::Number, Receiver::Float], &float), [""; 0]);
        let int = [&int_methods!(names)[..], &of_number].concat();
        assert_eq!(missing(&[Receiver::Any, Receiver::Number, Receiver::Int], &int), [""; 0]);
    }
}
