//! Operators and methods of `f32` and `f64`.
use qd::prelude::*;

use crate::support::{pairs, singles, triples};

macro_rules! every_float {
    ($($t:ident $bits:ident)*) => { $(
        mod $t {
            use super::*;

            table! { operators, (a: $t, b: $t) = pairs(|_, _| true), Exact {
                add: $t = a + b;
                sub: $t = a - b;
                mul: $t = a * b;
                div: $t = a / b;
                rem: $t = a % b;
                neg: $t = -a;
                eq: bool = a == b;
                ne: bool = a != b;
                lt: bool = a < b;
                le: bool = a <= b;
                gt: bool = a > b;
                ge: bool = a >= b;
                not_less: bool = !(a < b);
                copysign: $t = a.copysign(b);
                div_euclid: $t = a.div_euclid(b);
                rem_euclid: $t = a.rem_euclid(b);
                uncontracted: $t = a * b + a;
                compound: $t = { let mut v = a; v += b; v *= 3.0; v -= a; v /= b; v %= 2.0; v };
            } }

            table! { extrema, (a: $t, b: $t) = pairs(|_, _| true), ZeroSign {
                min: $t = a.min(b);
                max: $t = a.max(b);
                function: $t = $t::max(a, $t::min(b, 1.0));
            } }

            table! { rounding, (a: $t) = singles(|_| true), Exact {
                sqrt: $t = a.sqrt();
                floor: $t = a.floor();
                ceil: $t = a.ceil();
                round: $t = a.round();
                round_ties_even: $t = a.round_ties_even();
                trunc: $t = a.trunc();
                fract: $t = a.fract();
                abs: $t = a.abs();
                signum: $t = a.signum();
                recip: $t = a.recip();
                to_degrees: $t = a.to_degrees();
                to_radians: $t = a.to_radians();
            } }

            table! { classification, (a: $t) = singles(|_| true), Exact {
                is_nan: bool = a.is_nan();
                is_finite: bool = a.is_finite();
                is_infinite: bool = a.is_infinite();
                is_normal: bool = a.is_normal();
                is_subnormal: bool = a.is_subnormal();
                is_sign_negative: bool = a.is_sign_negative();
                is_sign_positive: bool = a.is_sign_positive();
                round_trip: $t = $t::from_bits(a.to_bits());
            } }

            table! { bits, (a: $t) = singles(|a: $t| !a.is_nan()), Exact {
                to_bits: $bits = a.to_bits();
            } }

            table! { fused, (a: $t, b: $t, c: $t) = triples(4000, |_, _, _| true), Exact {
                mul_add: $t = a.mul_add(b, c);
            } }

            table! { clamp, (a: $t, lo: $t, hi: $t) = triples(4000, |_, lo: $t, hi: $t| lo <= hi), ZeroSign {
                clamp: $t = a.clamp(lo, hi);
            } }

            table! { platform, (a: $t) = singles(|_| true), Platform(2) {
                exp: $t = a.exp();
                exp2: $t = a.exp2();
                exp_m1: $t = a.exp_m1();
                ln: $t = a.ln();
                log2: $t = a.log2();
                log10: $t = a.log10();
                ln_1p: $t = a.ln_1p();
                sin: $t = a.sin();
                cos: $t = a.cos();
                tan: $t = a.tan();
                asin: $t = a.asin();
                acos: $t = a.acos();
                atan: $t = a.atan();
                sinh: $t = a.sinh();
                cosh: $t = a.cosh();
                tanh: $t = a.tanh();
                asinh: $t = a.asinh();
                acosh: $t = a.acosh();
                atanh: $t = a.atanh();
                cbrt: $t = a.cbrt();
            } }

            /// Exponents, of e and of 2, of numbers from above the least normal one to below the least of all.
            fn tiny() -> (Vec<$t>, Vec<$t>) {
                let least = $t::from_bits(1);
                let steps = (0..1000).map(|step| step as $t / 990.0);
                let between = |from: $t, to: $t| steps.clone().map(|step| from + 1.0 + (to - from - 2.0) * step).collect();
                let powers = (
                    between($t::MIN_POSITIVE.ln(), least.ln()),
                    between($t::MIN_POSITIVE.log2(), least.log2()),
                );
                std::hint::black_box(powers)
            }

            table! { platform_tiny, (a: $t, b: $t) = tiny(), Platform(2) {
                exp: $t = a.exp();
                exp2: $t = b.exp2();
                powf: $t = $t::powf(2.0, b);
                powf_of_half: $t = $t::powf(0.5, -b);
            } }

            // Two of the class, and an operation on both.
            table! { platform_twice, (a: $t, b: $t) = pairs(|_, _| true), Platform(5) {
                sin_cos: $t = { let (s, c) = a.sin_cos(); s * c };
                log: $t = a.log(b);
            } }

            table! { platform_binary, (a: $t, b: $t) = pairs(|_, _| true), Platform(2) {
                powf: $t = a.powf(b);
                atan2: $t = a.atan2(b);
                hypot: $t = a.hypot(b);
            } }

            table! { powi, (a: $t, n: i32) = pairs(|_, _| true), Exact {
                powi: $t = a.powi(n);
            } }
        }
    )* };
}
every_float!(f32 u32 f64 u64);
