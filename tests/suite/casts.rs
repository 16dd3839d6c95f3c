//! `as` between all scalars, and the casts of literals.
use qd::prelude::*;

use crate::support::singles;

macro_rules! every_number {
    ($($t:ident)*) => { $(
        table! { $t, (a: $t) = singles(|_| true), Exact {
            to_i8: i8 = a as i8;
            to_i16: i16 = a as i16;
            to_i32: i32 = a as i32;
            to_i64: i64 = a as i64;
            to_isize: isize = a as isize;
            to_u8: u8 = a as u8;
            to_u16: u16 = a as u16;
            to_u32: u32 = a as u32;
            to_u64: u64 = a as u64;
            to_usize: usize = a as usize;
            to_i128: i128 = a as i128;
            to_u128: u128 = a as u128;
            to_f32: f32 = a as f32;
            to_f64: f64 = a as f64;
            chained: u16 = a as i32 as u8 as i8 as u16;
        } }
    )* };
}
every_number!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128 u128 f32 f64);

table! { bool, (a: bool) = singles(|_| true), Exact {
    to_i8: i8 = a as i8;
    to_u32: u32 = a as u32;
    to_usize: usize = a as usize;
    to_i128: i128 = a as i128;
    to_f64: f64 = f64::from(a as u8);
} }

type Real = f64;

table! { literals, (a: i64) = singles(|_| true), Exact {
    large: u64 = 0xffff_ffff_ffff_ffff as u64;
    negative: i64 = -5 as i64;
    inverted: u64 = !0 as u64;
    float: f64 = 3 as f64;
    single: f32 = 0.1 as f32;
    truncated: u8 = 300i32 as u8;
    subtree: u64 = (1 << 3) as u64;
    alias: f64 = a as Real;
    lossless: f64 = f64::from(7u32) + f64::from(1.5f32);
    suffixed: i64 = a + 1i64;
    compared: bool = 2 < 3;
    shifted: u64 = 1 << (a & 63);
    unary: i64 = -(-a);
    widest: u128 = 340282366920938463463374607431768211455;
    lowest: i128 = -170141183460469231731687303715884105728;
    wide_float: f32 = 0x8000_0080_0000_0000_0000_0000_0000_0001u128 as f32;
    widened: i128 = i128::from(a) * 0x1_0000_0000_0000_0000;
} }
