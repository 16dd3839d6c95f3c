//! `f16` and `bf16` of crate `half` as numbers of the kernel language.
//!
//! Their arithmetic is that of `half`: in `f32`, each result rounded to nearest. What `half` doesn't have follows the
//! same rule, and what compiled kernels compute too (`codegen/half.rs`).
use half::{bf16, f16};

use super::number::{self, Float, Number, Wide, float_methods};

/// An argument or result of a method of `f32` that stands for the method of this type.
trait Single<To> {
    /// As the method of `f32` takes or gives it.
    fn to(self) -> To;
}

macro_rules! same {
    ($($ty:ident)*) => { $(
        impl Single<$ty> for $ty {
            #[inline]
            fn to(self) -> $ty {
                self
            }
        }
    )* };
}
same! { i32 bool }

/// The nearest `f32`, but where that isn't exact the one of both neighbours with an odd last bit: rounded again, to fewer
/// bits, it gives what `value` itself would.
fn odd(value: f64) -> f32 {
    let nearest = value as f32;
    let back = f64::from(nearest);
    if back == value || value.is_nan() {
        return nearest;
    }
    let toward_zero = nearest.to_bits() - u32::from(back.abs() > value.abs());
    f32::from_bits(toward_zero | 1)
}

macro_rules! define {
    (($of:ident) $($method:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => {
        $(define! { @one $of $method($($arg: $ty),*) -> $out })*
    };
    // Their own methods, or of bits.
    (@one $of:ident signum() -> $out:ty) => { define! { @own $of signum() -> $out } };
    (@one $of:ident copysign($arg:ident: $ty:ty) -> $out:ty) => { define! { @own $of copysign($arg: $ty) -> $out } };
    (@one $of:ident min($arg:ident: $ty:ty) -> $out:ty) => { define! { @own $of min($arg: $ty) -> $out } };
    (@one $of:ident max($arg:ident: $ty:ty) -> $out:ty) => { define! { @own $of max($arg: $ty) -> $out } };
    (@one $of:ident clamp($a:ident: $ta:ty, $b:ident: $tb:ty) -> $out:ty) => {
        define! { @own $of clamp($a: $ta, $b: $tb) -> $out }
    };
    (@one $of:ident is_normal() -> $out:ty) => { define! { @own $of is_normal() -> $out } };
    (@one $of:ident to_bits() -> $out:ty) => { define! { @own $of to_bits() -> $out } };
    (@one $of:ident abs() -> $out:ty) => {
        #[inline]
        fn abs(self) -> $of {
            $of::from_bits($of::to_bits(self) & 0x7fff)
        }
    };
    (@one $of:ident is_subnormal() -> $out:ty) => {
        #[inline]
        fn is_subnormal(self) -> bool {
            $of::classify(self) == std::num::FpCategory::Subnormal
        }
    };
    (@one $of:ident $method:ident($($arg:ident: $ty:ty),*) -> $out:ty) => {
        #[inline]
        fn $method(self $(, $arg: $ty)*) -> $out {
            f32::$method(self.to_f32() $(, $arg.to())*).to()
        }
    };
    (@own $of:ident $method:ident($($arg:ident: $ty:ty),*) -> $out:ty) => {
        #[inline]
        fn $method(self $(, $arg: $ty)*) -> $out {
            $of::$method(self $(, $arg)*)
        }
    };
}

macro_rules! halves {
    ($($ty:ident)*) => { $(
        impl Single<f32> for $ty {
            #[inline]
            fn to(self) -> f32 {
                self.to_f32()
            }
        }
        impl Single<$ty> for f32 {
            #[inline]
            fn to(self) -> $ty {
                $ty::from_f32(self)
            }
        }
        impl Single<($ty, $ty)> for (f32, f32) {
            #[inline]
            fn to(self) -> ($ty, $ty) {
                (self.0.to(), self.1.to())
            }
        }

        impl Number for $ty {
            const ZERO: $ty = $ty::ZERO;
            const ONE: $ty = $ty::ONE;
            const MIN: $ty = $ty::MIN;
            const MAX: $ty = $ty::MAX;
            #[inline]
            fn div_euclid(self, rhs: $ty) -> $ty {
                self.to_f32().div_euclid(rhs.to_f32()).to()
            }
            #[inline]
            fn rem_euclid(self, rhs: $ty) -> $ty {
                self.to_f32().rem_euclid(rhs.to_f32()).to()
            }
            #[inline]
            fn to_wide(self) -> Wide {
                Wide::Float(self.to_f64())
            }
            #[inline]
            fn from_wide(wide: Wide) -> $ty {
                match wide {
                    Wide::Int(v) => (v as f32).to(),
                    Wide::Unsigned(v) => (v as f32).to(),
                    Wide::Float(v) => odd(v).to(),
                }
            }
        }

        impl number::single::FromSingle for $ty {
            #[inline]
            fn from(value: f32) -> $ty {
                value.to()
            }
        }

        impl Float for $ty {
            type Bits = u16;
            #[inline]
            fn from_bits(bits: u16) -> $ty {
                $ty::from_bits(bits)
            }
            float_methods! { define ($ty) }
            const EPSILON: $ty = $ty::EPSILON;
            const MIN_POSITIVE: $ty = $ty::MIN_POSITIVE;
            const INFINITY: $ty = $ty::INFINITY;
            const NEG_INFINITY: $ty = $ty::NEG_INFINITY;
            const NAN: $ty = $ty::NAN;
            const PI: $ty = $ty::PI;
            const TAU: $ty = $ty::from_f32_const(std::f32::consts::TAU);
            const FRAC_PI_2: $ty = $ty::FRAC_PI_2;
            const E: $ty = $ty::E;
            const LN_2: $ty = $ty::LN_2;
            const SQRT_2: $ty = $ty::SQRT_2;
        }
    )* };
}
halves! { f16 bf16 }

#[cfg(test)]
mod tests {
    use super::*;

    /// The 16-bit floats of one sign in order, infinity included, as exact `f64`.
    fn values(infinity: u16, exact: impl Fn(u16) -> f64) -> Vec<f64> {
        (0..=infinity).map(exact).collect()
    }

    /// Each value, and what lies next to it and to the middle between it and the next one, is rounded to the nearest; in
    /// the middle to the even one.
    fn rounds_once<T: Number>(infinity: u16, exact: impl Fn(u16) -> f64, bits: impl Fn(T) -> u16) {
        let values = values(infinity, exact);
        for (below, pair) in (0u16..).zip(values.windows(2)) {
            // What would be the next value after the last stands for infinity.
            let above = if pair[1].is_finite() { pair[1] } else { 2.0 * pair[0] - values[usize::from(below) - 1] };
            let middle = pair[0] / 2.0 + above / 2.0;
            let even = below + (below & 1);
            let rows = [
                (pair[0], below),
                (pair[0].next_up(), below),
                (middle.next_down(), below),
                (middle, even),
                (middle.next_up(), below + 1),
                (above.next_down(), below + 1),
                (middle * (1.0 + 1e-12), below + 1),
                (middle * (1.0 - 1e-12), below),
            ];
            for (value, wanted) in rows {
                assert_eq!(bits(value.cast()), wanted, "{value:e}");
                assert_eq!(bits((-value).cast()), wanted | 0x8000, "{value:e}");
                if f64::from(value as f32) == value {
                    assert_eq!(bits((value as f32).cast()), wanted, "{value:e}");
                }
            }
        }
    }

    #[test]
    fn casts_round_once() {
        rounds_once::<f16>(f16::INFINITY.to_bits(), |bits| f16::from_bits(bits).to_f64(), f16::to_bits);
        rounds_once::<bf16>(bf16::INFINITY.to_bits(), |bits| bf16::from_bits(bits).to_f64(), bf16::to_bits);
        for value in [f64::MAX, f64::INFINITY, 1e300] {
            assert_eq!((value.cast::<f16>(), value.cast::<bf16>()), (f16::INFINITY, bf16::INFINITY));
        }
        for value in [f64::MIN_POSITIVE, 5e-324, 1e-50] {
            assert_eq!((value.cast::<f16>(), (-value).cast::<bf16>()), (f16::ZERO, bf16::NEG_ZERO));
        }
        assert!(f64::NAN.cast::<f16>().is_nan() && f64::NAN.cast::<bf16>().is_nan());
        assert_eq!((70000u32.cast::<f16>(), (-70000i64).cast::<f16>()), (f16::INFINITY, f16::NEG_INFINITY));
        assert_eq!(
            (f16::MAX.cast::<i16>(), f16::NEG_ONE.cast::<u8>(), bf16::MAX.cast::<f16>()),
            (i16::MAX, 0, f16::INFINITY)
        );
    }

    fn tenth<T: Float>() -> T {
        T::from(0.1)
    }

    #[test]
    fn what_half_lacks_is_that_of_f32_rounded() {
        let x = f16::from_f32(2.0);
        assert_eq!(x.sqrt(), f16::SQRT_2);
        assert_eq!(tenth::<f16>().to_bits(), 0x2e66);
        assert_eq!(x.mul_add(x, f16::EPSILON), f16::from_f32(4.0));
        assert_eq!((f16::NEG_INFINITY.abs(), f16::NEG_ZERO.abs().to_bits()), (f16::INFINITY, 0));
        assert!(f16::MIN_POSITIVE_SUBNORMAL.is_subnormal() && !f16::MIN_POSITIVE.is_subnormal());
        assert_eq!(x.sin_cos(), (f16::from_f32(2f32.sin()), f16::from_f32(2f32.cos())));
        assert_eq!(f16::from_f32(-7.5).rem_euclid(x), f16::from_f32(0.5));
        assert_eq!(bf16::TAU.to_f32(), 2.0 * bf16::PI.to_f32());
    }
}
