//! Parameters: every scalar by value, arrays of every rank and element, slices, domains.
use qd::prelude::*;

use crate::support::{Class, Edges, Engines, Same, assert_same};

macro_rules! by_value {
    ($($t:ident)*) => { $(
        mod $t {
            use super::*;

            #[qd::kernel]
            fn fill(out: &mut [$t], v: $t) {
                for i in 0..out.len() {
                    out[i] = v;
                }
            }

            #[qd::kernel]
            fn echo(v: $t) -> $t {
                v
            }

            #[test]
            fn by_value() {
                for engine in &Engines::new().all {
                    for v in <$t>::edges() {
                        let mut out = vec![<$t>::default(); 37];
                        engine.runtime.scope(|| fill(&mut out, v));
                        assert!(out.iter().all(|o| o.same(v, Class::Exact)), "{v:?} {out:?} {}", engine.name);
                        assert!(engine.runtime.scope(|| echo(v)).same(v, Class::Exact), "{v:?} {}", engine.name);
                    }
                }
            }
        }
    )* };
}
by_value!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128 u128 f32 f64);

#[qd::kernel]
fn select(out: &mut [bool], flag: bool) {
    for i in 0..out.len() {
        out[i] = flag ^ (i % 2 == 0);
    }
}

#[test]
fn bool_by_value() {
    for engine in &Engines::new().all {
        for flag in [false, true] {
            let mut out = vec![false; 100];
            engine.runtime.scope(|| select(&mut out, flag));
            assert!(out.iter().enumerate().all(|(i, o)| *o == flag ^ (i % 2 == 0)));
        }
    }
}

#[qd::kernel]
fn rank1(x: &mut NdArray<f32>, y: &NdArray<f32>) {
    for i in x.indices() {
        x[i] += y[i] * 2.0;
    }
}

#[qd::kernel]
fn rank2(x: &mut NdArray<f32, 2>, y: &NdArray<f32, 2>) {
    for (i, j) in x.indices() {
        x[[i, j]] += y[[i, j]] * 2.0 + (i * 3 + j) as f32;
    }
}

#[qd::kernel]
fn rank3(x: &mut NdArray<f32, 3>, y: &NdArray<f32, 3>) {
    for (i, j, k) in x.indices() {
        x[[i, j, k]] += y[[i, j, k]] * 2.0 + (i * 3 + j * 5 + k) as f32;
    }
}

#[qd::kernel]
fn rank4(x: &mut NdArray<f32, 4>, y: &NdArray<f32, 4>) {
    for (i, j, k, l) in x.indices() {
        x[[i, j, k, l]] += y[[i, j, k, l]] * 2.0 + (i * 3 + j * 5 + k * 7 + l) as f32;
    }
}

macro_rules! ranks {
    ($($kernel:ident $n:literal $shapes:expr;)*) => { $(
        #[test]
        fn $kernel() {
            for engine in &Engines::new().all {
                for shape in $shapes {
                    let y = NdArray::<f32, $n>::from_fn(shape, |index| index.iter().sum::<usize>() as f32);
                    let mut want = NdArray::<f32, $n>::full(shape, 1.0);
                    let mut got = want.clone();
                    super::$kernel.native(&mut want, &y);
                    engine.runtime.scope(|| super::$kernel(&mut got, &y));
                    assert_same(stringify!($kernel), &engine.name, Class::Exact, got.as_slice(), want.as_slice(), |i| {
                        i.to_string()
                    });
                }
            }
        }
    )* };
}

mod shapes {
    use super::*;
    ranks! {
        rank1 1 [[0], [1], [7], [1000], [70_000]];
        rank2 2 [[0, 5], [5, 0], [1, 1], [3, 7], [1, 9000], [9000, 1], [200, 301]];
        rank3 3 [[0, 1, 1], [2, 0, 3], [2, 3, 0], [1, 1, 1], [5, 6, 7], [40, 31, 17]];
        rank4 4 [[1, 0, 2, 2], [1, 1, 1, 1], [2, 3, 4, 5], [9, 8, 7, 11]];
    }
}

#[qd::kernel]
fn interior(x: &mut NdArray<i32, 2>, n: usize, m: usize) {
    for (i, j) in qd::ndrange([1..n - 1, 2..m]) {
        x[[i, j]] = (i * m + j) as i32;
    }
}

#[test]
fn ndrange_of_ranges() {
    for engine in &Engines::new().all {
        for (n, m) in [(5, 7), (2, 7), (100, 60), (3, 2)] {
            let mut want = NdArray::full([n, m], -1);
            let mut got = want.clone();
            interior.native(&mut want, n, m);
            engine.runtime.scope(|| interior(&mut got, n, m));
            assert_eq!(got.as_slice(), want.as_slice(), "{n} {m} {}", engine.name);
        }
    }
}

macro_rules! loop_variables {
    ($($t:ident $lo:expr, $hi:expr;)*) => { $(
        mod $t {
            use super::*;

            #[qd::kernel]
            fn count(out: &mut [u32], lo: $t, hi: $t, offset: i64) {
                for i in lo..hi {
                    out[(i as i64 + offset) as usize] += 1;
                }
            }

            #[test]
            fn loop_variable() {
                for engine in &Engines::new().all {
                    let (lo, hi): ($t, $t) = ($lo, $hi);
                    let len = (hi as i128 - lo as i128) as usize;
                    let mut out = vec![0u32; len];
                    engine.runtime.scope(|| count(&mut out, lo, hi, -(lo as i128) as i64));
                    assert!(out.iter().all(|n| *n == 1), "{}", engine.name);
                    engine.runtime.scope(|| count(&mut out, hi, lo, 0));
                    assert!(out.iter().all(|n| *n == 1), "an empty range ran ({})", engine.name);
                }
            }
        }
    )* };
}

mod ranges {
    use super::*;
    loop_variables! {
        i8 -128, 127;
        u8 0, 255;
        i16 -32768, 32767;
        u16 0, 65535;
        i32 -3000, 4000;
        u32 10, 5000;
        i64 i64::MAX - 3000, i64::MAX;
        isize -300, 700;
        u64 0, 3000;
        usize 0, 3000;
    }
}

/// A table by value, as long as those of ciphers are.
#[qd::kernel]
fn substituted(bytes: &mut [u8], table: [u8; 256], more: [(u32, f64); 60]) {
    for i in 0..bytes.len() {
        let (whole, part) = more[i % 60];
        bytes[i] = table[bytes[i] as usize] ^ (whole as f64 * part) as u8;
    }
}

#[test]
fn tables_by_value() {
    let table = std::array::from_fn(|k| (k as u8).wrapping_mul(167) ^ 0x5a);
    let more = std::array::from_fn(|k| (k as u32, 1.0 + k as f64 / 2.0));
    let start: Vec<u8> = (0..1000).map(|k| (k * k) as u8).collect();
    let mut want = start.clone();
    substituted.native(&mut want, table, more);
    for engine in &Engines::new().all {
        let mut got = start.clone();
        engine.runtime.scope(|| substituted(&mut got, table, more));
        assert_eq!(got, want, "{}", engine.name);
    }
}
