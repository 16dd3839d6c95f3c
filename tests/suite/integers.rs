//! Operators and methods of the integer types.
use qd::prelude::*;

use crate::support::{Engines, pairs, singles, triples};

macro_rules! every_integer {
    ($($t:ident $u:ident)*) => { $(
        mod $t {
            use super::*;

            table! { operators, (a: $t, b: $t) = pairs(|_, _| true), Exact {
                add: $t = a + b;
                sub: $t = a - b;
                mul: $t = a * b;
                and: $t = a & b;
                or: $t = a | b;
                xor: $t = a ^ b;
                not: $t = !a;
                shl: $t = a << b;
                shr: $t = a >> b;
                eq: bool = a == b;
                ne: bool = a != b;
                lt: bool = a < b;
                le: bool = a <= b;
                gt: bool = a > b;
                ge: bool = a >= b;
                min: $t = a.min(b);
                max: $t = a.max(b);
                mixed: $t = (a ^ 3) + 2 * b - (a & b | 1);
                choice: $t = if a < b { a } else { b - 1 };
                lazy: bool = a < b && b != 0 || a == b;
            } }

            table! { division, (a: $t, b: $t) = pairs(|a: $t, b: $t| a.checked_div(b).is_some()), Exact {
                div: $t = a / b;
                rem: $t = a % b;
                div_euclid: $t = a.div_euclid(b);
                rem_euclid: $t = a.rem_euclid(b);
                wrapping_div: $t = a.wrapping_div(b);
                wrapping_rem: $t = a.wrapping_rem(b);
            } }

            table! { wrapping_and_saturating, (a: $t, b: $t) = pairs(|_, _| true), Exact {
                wrapping_add: $t = a.wrapping_add(b);
                wrapping_sub: $t = a.wrapping_sub(b);
                wrapping_mul: $t = a.wrapping_mul(b);
                wrapping_neg: $t = a.wrapping_neg();
                saturating_add: $t = a.saturating_add(b);
                saturating_sub: $t = a.saturating_sub(b);
                saturating_mul: $t = a.saturating_mul(b);
                abs_diff: $u = a.abs_diff(b);
            } }

            table! { bits, (a: $t, n: u32) = pairs(|_, _| true), Exact {
                shl_u32: $t = a << n;
                shr_u32: $t = a >> n;
                shl_u128: $t = a << (n as u128);
                shr_i128: $t = a >> (n as i128 - 5);
                wrapping_shl: $t = a.wrapping_shl(n);
                wrapping_shr: $t = a.wrapping_shr(n);
                rotate_left: $t = a.rotate_left(n);
                rotate_right: $t = a.rotate_right(n);
                pow: $t = a.pow(n % 70);
                wrapping_pow: $t = a.wrapping_pow(n % 70);
                wrapping_pow_64: $t = a.wrapping_pow(64);
                wrapping_pow_65: $t = a.wrapping_pow(65);
                wrapping_pow_max: $t = a.wrapping_pow(u32::MAX);
                count_ones: u32 = a.count_ones();
                count_zeros: u32 = a.count_zeros();
                leading_zeros: u32 = a.leading_zeros();
                leading_ones: u32 = a.leading_ones();
                trailing_zeros: u32 = a.trailing_zeros();
                trailing_ones: u32 = a.trailing_ones();
                swap_bytes: $t = a.swap_bytes();
                reverse_bits: $t = a.reverse_bits();
            } }

            table! { logarithms, (a: $t) = singles(|a: $t| a > 0), Exact {
                isqrt: $t = a.isqrt();
                ilog2: u32 = a.ilog2();
                ilog10: u32 = a.ilog10();
            } }

            table! { clamp, (a: $t, lo: $t, hi: $t) = triples(2000, |_, lo: $t, hi: $t| lo <= hi), Exact {
                clamp: $t = a.clamp(lo, hi);
            } }

            table! { compound, (a: $t, b: $t) = pairs(|_, b| b > 0), Exact {
                all: $t = { let mut v = a; v += b; v ^= 5; v *= 3; v -= a; v |= b; v &= !1; v /= b; v %= b; v <<= 1; v >>= 2; v };
            } }
        }
    )* };
}
every_integer!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize u8 u8 u16 u16 u32 u32 u64 u64 usize usize i128 u128 u128 u128);

macro_rules! every_signed {
    ($($t:ident $u:ident $name:ident)*) => { $(
        table! { $name, (a: $t) = singles(|_| true), Exact {
            neg: $t = -a;
            abs: $t = a.abs();
            signum: $t = a.signum();
            is_positive: bool = a.is_positive();
            is_negative: bool = a.is_negative();
            unsigned_abs: $u = a.unsigned_abs();
            wrapping_abs: $t = a.wrapping_abs();
            saturating_abs: $t = a.saturating_abs();
            saturating_neg: $t = a.saturating_neg();
            function: $t = $t::abs(a) + <$t>::signum(a);
        } }
    )* };
}
every_signed!(i8 u8 signed_i8 i16 u16 signed_i16 i32 u32 signed_i32 i64 u64 signed_i64 isize usize signed_isize i128 u128 signed_i128);

macro_rules! every_unsigned {
    ($($t:ident $name:ident)*) => { $(
        mod $name {
            use super::*;

            table! { powers, (a: $t) = singles(|_| true), Exact {
                is_power_of_two: bool = a.is_power_of_two();
                next_power_of_two: $t = (a / 2).next_power_of_two();
            } }

            table! { multiple, (a: $t, b: $t) = pairs(|_, _| true), Exact {
                is_multiple_of: bool = a.is_multiple_of(b);
                is_even: bool = a.is_multiple_of(2);
            } }

            table! { multiples, (a: $t, b: $t) = pairs(|a: $t, b: $t| a.checked_next_multiple_of(b).is_some()), Exact {
                div_ceil: $t = a.div_ceil(b);
                next_multiple_of: $t = a.next_multiple_of(b);
            } }
        }
    )* };
}
every_unsigned!(u8 unsigned_u8 u16 unsigned_u16 u32 unsigned_u32 u64 unsigned_u64 usize unsigned_usize u128 unsigned_u128);

table! { booleans, (a: bool, b: bool) = pairs(|_, _| true), Exact {
    not: bool = !a;
    and: bool = a & b;
    or: bool = a | b;
    xor: bool = a ^ b;
    lazy_and: bool = a && b;
    lazy_or: bool = a || b;
    eq: bool = a == b;
    ne: bool = a != b;
    lt: bool = a < b;
    le: bool = a <= b;
    gt: bool = a > b;
    ge: bool = a >= b;
    as_u8: u8 = a as u8;
    as_i64: i64 = b as i64;
    choice: bool = if a { b } else { !b };
    compound: bool = { let mut v = a; v |= b; v ^= true; v &= a; v };
} }

/// A power of so many factors that a compiler which writes out its squares and then takes it apart has no end.
#[qd::kernel]
fn large_power(x: &mut [isize], n: isize) -> isize {
    let mut sum = 0isize;
    for v in x.iter_mut() {
        sum = sum.wrapping_add(n.wrapping_pow(u32::MAX));
        *v = 3;
    }
    sum
}

#[test]
fn large_powers_are_compiled_in_no_time() {
    let run = |kernel: &dyn Fn(&mut [isize], isize) -> isize| {
        [0, 1, -3, 7].map(|n| {
            let mut x = [0; 100];
            (kernel(&mut x, n), x)
        })
    };
    let native = run(&|x, n| large_power.native(x, n));
    for engine in &Engines::new().all {
        assert_eq!(engine.runtime.scope(|| run(&|x, n| large_power(x, n))), native, "{}", engine.name);
    }
}
