//! Reductions over parallel loops: bit for bit the published tree, for every type and thread count.
use qd::prelude::*;

use crate::support::{Class, Edges, Engines, Same, hash};

/// Lengths round the edges of lanes, leaves and chunks.
const LENGTHS: [usize; 12] = [0, 1, 2, 31, 32, 33, 1023, 1024, 1025, 4096, 100_003, 300_000];

macro_rules! reductions {
    ($name:ident: $t:ident, $start:expr, $op:ident, |$s:ident, $v:ident| $update:expr) => {
        mod $name {
            use super::*;

            #[qd::kernel]
            fn reduce(x: &[$t], start: $t) -> $t {
                let mut $s = start;
                for i in 0..x.len() {
                    let $v = x[i];
                    $update;
                }
                $s
            }

            #[test]
            fn equals_the_reference() {
                let edges = <$t>::edges();
                for engine in &Engines::new().all {
                    for len in LENGTHS {
                        // Ordinary values, and in every fourth length all the edges, too.
                        let x: Vec<$t> = (0..len)
                            .map(|n| match len % 4 {
                                0 => edges[hash(n as u64) as usize % edges.len()],
                                _ => ordinary(hash(n as u64)),
                            })
                            .collect();
                        let want = qd::reduce_reference(qd::ReduceOp::$op, $start, x.iter().copied());
                        let got = engine.runtime.scope(|| reduce(&x, $start));
                        assert!(got.same(want, Class::Exact), "{len}: {got:?}, reference {want:?} ({})", engine.name);
                    }
                }
            }

            fn ordinary(h: u64) -> $t {
                Ordinary::ordinary(h)
            }
        }
    };
}

/// A value of moderate size from a hash.
trait Ordinary {
    fn ordinary(h: u64) -> Self;
}
macro_rules! ordinary {
    ($($t:ident: $e:expr;)*) => { $(impl Ordinary for $t {
        fn ordinary(h: u64) -> Self {
            let f: fn(u64) -> $t = $e;
            f(h)
        }
    })* };
}
ordinary! {
    f32: |h| (h % 20_001) as f32 / 10_000.0 - 1.0;
    f64: |h| (h % 2_000_001) as f64 / 1_000_000.0 - 1.0;
    i8: |h| h as i8;
    i16: |h| h as i16;
    i32: |h| h as i32;
    i64: |h| h as i64;
    u8: |h| h as u8;
    u16: |h| h as u16;
    u32: |h| h as u32;
    u64: |h| h;
    usize: |h| h as usize;
    isize: |h| h as isize;
    i128: |h| (h as i128) << 64 ^ hash(h) as i128;
    u128: |h| u128::from(h) << 64 | u128::from(hash(h));
    bool: |h| h % 3 != 0;
    f16: |h| f16::from_f32((h % 2001) as f32 / 1000.0 - 1.0);
    bf16: |h| bf16::from_f32((h % 2001) as f32 / 1000.0 - 1.0);
}

reductions!(add_f32: f32, 0.25, Add, |s, v| s += v);
reductions!(add_f64: f64, -0.0, Add, |s, v| s += v);
reductions!(mul_f32: f32, 1.5, Mul, |s, v| s *= v);
reductions!(mul_f64: f64, 2.0, Mul, |s, v| s *= v);
reductions!(add_f16: f16, f16::ONE, Add, |s, v| s += v);
reductions!(add_bf16: bf16, bf16::NEG_ZERO, Add, |s, v| s += v);
reductions!(mul_f16: f16, f16::from_f32(1.5), Mul, |s, v| s *= v);
reductions!(mul_bf16: bf16, bf16::ONE, Mul, |s, v| s *= v);
reductions!(min_f16: f16, f16::NAN, Min, |s, v| s = s.min(v));
reductions!(max_f16: f16, f16::NEG_INFINITY, Max, |s, v| s = s.max(v));
reductions!(min_bf16: bf16, bf16::INFINITY, Min, |s, v| s = s.min(v));
reductions!(max_bf16: bf16, bf16::ZERO, Max, |s, v| s = s.max(v));
reductions!(add_i8: i8, 3, Add, |s, v| s += v);
reductions!(add_i16: i16, 3, Add, |s, v| s += v);
reductions!(add_i32: i32, -3, Add, |s, v| s += v);
reductions!(add_i64: i64, 3, Add, |s, v| s += v);
reductions!(add_isize: isize, 3, Add, |s, v| s += v);
reductions!(add_u8: u8, 3, Add, |s, v| s += v);
reductions!(add_u16: u16, 3, Add, |s, v| s += v);
reductions!(add_u32: u32, 3, Add, |s, v| s += v);
reductions!(add_u64: u64, 3, Add, |s, v| s += v);
reductions!(add_usize: usize, 3, Add, |s, v| s += v);
reductions!(add_i128: i128, -3, Add, |s, v| s += v);
reductions!(mul_u128: u128, 3, Mul, |s, v| s *= v);
reductions!(min_i128: i128, i128::MAX, Min, |s, v| s = s.min(v));
reductions!(max_u128: u128, 0, Max, |s, v| s = s.max(v));
reductions!(xor_i128: i128, 5, Xor, |s, v| s ^= v);
reductions!(mul_i32: i32, 3, Mul, |s, v| s *= v);
reductions!(and_u32: u32, u32::MAX, And, |s, v| s &= v);
reductions!(or_i64: i64, 0, Or, |s, v| s |= v);
reductions!(xor_u8: u8, 5, Xor, |s, v| s ^= v);
reductions!(and_bool: bool, true, And, |s, v| s &= v);
reductions!(or_bool: bool, false, Or, |s, v| s |= v);
reductions!(xor_bool: bool, true, Xor, |s, v| s ^= v);
reductions!(min_i16: i16, i16::MAX, Min, |s, v| s = s.min(v));
reductions!(max_i16: i16, i16::MIN, Max, |s, v| s = s.max(v));
reductions!(min_u64: u64, u64::MAX, Min, |s, v| s = s.min(v));
reductions!(max_usize: usize, 0, Max, |s, v| s = s.max(v));

macro_rules! extrema {
    ($($name:ident $t:ident $op:ident $method:ident;)*) => { $(
        mod $name {
            use super::*;

            #[qd::kernel]
            fn extremum(x: &[$t], start: $t) -> $t {
                let mut m = start;
                for i in 0..x.len() {
                    m = m.$method(x[i]);
                }
                m
            }

            #[test]
            fn ignores_nan_and_keeps_the_start() {
                for engine in &Engines::new().all {
                    for len in LENGTHS {
                        let x: Vec<$t> = (0..len).map(|n| if n % 7 == 3 { <$t>::NAN } else { hash(n as u64) as i32 as $t }).collect();
                        let want = x.iter().fold(12.5, |m: $t, v| m.$method(*v));
                        assert_eq!(engine.runtime.scope(|| extremum(&x, 12.5)), want, "{len} {}", engine.name);
                    }
                }
            }
        }
    )* };
}
extrema! {
    min_f32 f32 Min min;
    max_f32 f32 Max max;
    min_f64 f64 Min min;
    max_f64 f64 Max max;
}

#[qd::kernel]
fn statistics(x: &[f64]) -> (f64, f64, usize, bool) {
    let mut sum = 0.0;
    let mut squares = 0.0;
    let mut positive = 0;
    let mut finite = true;
    for i in 0..x.len() {
        sum += x[i];
        squares += x[i] * x[i];
        if x[i] > 0.0 {
            positive += 1;
        }
        finite &= x[i].is_finite();
    }
    (sum, squares, positive, finite)
}

#[test]
fn several_at_once() {
    let x: Vec<f64> = (0..50_000).map(|n| Ordinary::ordinary(hash(n))).collect();
    let add = |values: Vec<f64>| qd::reduce_reference(qd::ReduceOp::Add, 0.0, values.into_iter());
    let sum = add(x.clone());
    let squares = add(x.iter().map(|v| v * v).collect());
    let positive = x.iter().filter(|v| **v > 0.0).count();
    for engine in &Engines::new().all {
        let got = engine.runtime.scope(|| statistics(&x));
        assert_eq!(
            (got.0.to_bits(), got.1.to_bits(), got.2, got.3),
            (sum.to_bits(), squares.to_bits(), positive, true)
        );
    }
}

#[qd::kernel]
fn normalise(x: &mut NdArray<f32, 2>) -> f32 {
    let mut sum = 0.0;
    for (i, j) in x.indices() {
        sum += x[[i, j]];
    }
    let mean = sum / x.len() as f32;
    for (i, j) in x.indices() {
        x[[i, j]] -= mean;
    }
    mean
}

#[test]
fn a_reduction_is_used_by_the_next_loop() {
    for engine in &Engines::new().all {
        let mut x = NdArray::<f32, 2>::from_fn([37, 53], |[i, j]| (i * 53 + j) as f32);
        let before = x.to_vec();
        let sum = qd::reduce_reference(qd::ReduceOp::Add, 0.0, before.iter().copied());
        let mean = engine.runtime.scope(|| normalise(&mut x));
        assert_eq!(mean, sum / before.len() as f32);
        assert!(x.iter().zip(&before).all(|(after, before)| *after == before - mean));
    }
}
