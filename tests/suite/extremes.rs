//! The extreme of a key and what goes with it. Equal to the native body to the last bit, whatever the values: ties,
//! NaN, both zeros, infinities, the ends of the integers, no iteration at all.
use qd::prelude::*;

use crate::support::{Class, Edges, Engines, Same, hash};

/// Lengths round the edges of rows, leaves and chunks.
const LENGTHS: [usize; 10] = [0, 1, 2, 31, 33, 1023, 1024, 1025, 6000, 100_003];

/// Values of few kinds, so that there are ties: what `n` stands for.
fn pick<T: Edges>(kind: usize, n: u64) -> T {
    let edges = T::edges();
    let few = [2, 5, edges.len()][kind].min(edges.len());
    // From the end too, where the odd ones are.
    let at = hash(n + 1000 * kind as u64) as usize % few;
    edges[if kind == 1 { edges.len() - 1 - at } else { at }]
}

macro_rules! extremes {
    ($($name:ident: $t:ident $op:tt;)*) => { $(
        mod $name {
            use super::*;

            #[qd::kernel]
            fn extreme(x: &[$t], best: $t) -> ($t, usize, u8) {
                let mut best = best;
                let mut at = usize::MAX;
                let mut tag = 0;
                for i in 0..x.len() {
                    let v = x[i];
                    if v $op best {
                        best = v;
                        at = i;
                        tag = (i % 7) as u8;
                    }
                }
                (best, at, tag)
            }

            #[qd::kernel]
            fn alone(x: &[$t], best: $t) -> $t {
                let mut best = best;
                for i in 0..x.len() {
                    best = if x[i] $op best { x[i] } else { best };
                }
                best
            }

            #[qd::kernel]
            fn guarded(x: &[$t], best: ($t, i32)) -> ($t, i32) {
                let mut best = best;
                for i in 0..x.len() {
                    if i % 3 != 1 && x[i] $op best.0 {
                        best = (x[i], -(i as i32));
                    }
                }
                best
            }

            #[test]
            fn equals_the_native_body() {
                let engines = Engines::new();
                for len in LENGTHS {
                    for (kind, prior) in [(0, 0), (1, 1), (2, 2), (0, 2), (2, 1)] {
                        let x: Vec<$t> = (0..len as u64).map(|n| pick(kind, n)).collect();
                        let prior: $t = pick(prior, 7 * len as u64);
                        let whole = extreme.native(&x, prior);
                        let one = alone.native(&x, prior);
                        let some = guarded.native(&x, (prior, 5));
                        for engine in &engines.all {
                            let what = format!("{len} {kind} from {prior:?}, {}", engine.name);
                            let got = engine.runtime.scope(|| extreme(&x, prior));
                            assert!(bits(got.0, whole.0), "{what}: {got:?}, native {whole:?}");
                            assert_eq!((got.1, got.2), (whole.1, whole.2), "{what}");
                            let got = engine.runtime.scope(|| alone(&x, prior));
                            assert!(bits(got, one), "{what}: alone {got:?}, native {one:?}");
                            let got = engine.runtime.scope(|| guarded(&x, (prior, 5)));
                            assert!(bits(got.0, some.0) && got.1 == some.1, "{what}: {got:?}, native {some:?}");
                        }
                    }
                }
            }
        }
    )* };
}

/// The same bits; a NaN is any NaN.
fn bits<T: Same>(a: T, b: T) -> bool {
    a.same(b, Class::Exact)
}

extremes! {
    least_f32: f32 <;
    greatest_f32: f32 >;
    least_or_equal_f64: f64 <=;
    greatest_or_equal_f64: f64 >=;
    least_i8: i8 <;
    greatest_i32: i32 >;
    least_or_equal_i64: i64 <=;
    greatest_or_equal_u8: u8 >=;
    least_u16: u16 <;
    greatest_u64: u64 >;
    least_or_equal_usize: usize <=;
    greatest_or_equal_i16: i16 >=;
    least_i128: i128 <;
    greatest_or_equal_u128: u128 >=;
    least_f16: f16 <;
    greatest_or_equal_bf16: bf16 >=;
    least_bool: bool <;
    greatest_or_equal_bool: bool >=;
}

#[derive(Clone, Copy, Debug, PartialEq, qd::Data)]
struct Hit {
    distance: f32,
    at: Vector<u32, 2>,
    inside: bool,
}

#[qd::kernel]
fn nearest(x: &NdArray<f32, 2>, target: f32) -> (Hit, Hit, usize) {
    let mut near = Hit { distance: f32::INFINITY, at: Vector::zero(), inside: false };
    let mut far = near;
    far.distance = -1.0;
    let mut count = 0;
    for (i, j) in x.indices() {
        let distance = (x[[i, j]] - target).abs();
        let hit = Hit { distance, at: Vector::from([i as u32, j as u32]), inside: x[[i, j]] > 0.0 };
        if hit.distance < near.distance {
            near = hit;
        }
        if far.distance <= distance {
            let row = i as u32;
            far.at = Vector::from([row, j as u32]);
            far.distance = distance;
            far.inside = true;
        }
        count += 1;
    }
    (near, far, count)
}

#[test]
fn structs_and_several_at_once() {
    for engine in &Engines::new().all {
        for shape in [[0, 5], [1, 1], [33, 31], [97, 211]] {
            let x = NdArray::from_fn(shape, |[i, j]| (hash((i * shape[1] + j) as u64) % 100) as f32 - 50.0);
            assert_eq!(engine.runtime.scope(|| nearest(&x, 3.5)), nearest.native(&x, 3.5), "{shape:?} {}", engine.name);
        }
    }
}

/// The extreme over pairs: each iteration offers several times.
#[qd::kernel]
fn closest(x: &[f32]) -> (f32, usize, usize) {
    let mut best = f32::MAX;
    let (mut a, mut b) = (0, 0);
    for i in 0..x.len() {
        for j in 0..i {
            let d = (x[i] - x[j]).abs();
            if d < best {
                best = d;
                (a, b) = (i, j);
            }
        }
    }
    (best, a, b)
}

/// Two offers of one iteration to the same variables, the variables in another order.
#[qd::kernel]
fn twice(x: &[i32], y: &[i32]) -> (i32, bool, usize) {
    let mut best = 0;
    let (mut from_y, mut at) = (false, 0);
    for i in 0..x.len() {
        if best < x[i] {
            best = x[i];
            from_y = false;
            at = i;
        }
        if y[i] > best {
            at = i;
            from_y = true;
            best = y[i];
        }
    }
    (best, from_y, at)
}

#[test]
fn several_offers_of_an_iteration() {
    for engine in &Engines::new().all {
        for len in [0, 1, 2, 40, 1500] {
            let x: Vec<f32> = (0..len).map(|n| (hash(n) % 10_000) as f32).collect();
            assert_eq!(engine.runtime.scope(|| closest(&x)), closest.native(&x), "{len} {}", engine.name);
            let x: Vec<i32> = (0..len).map(|n| (hash(n) % 50) as i32 - 10).collect();
            let y: Vec<i32> = (0..len).map(|n| (hash(!n) % 50) as i32 - 10).collect();
            assert_eq!(engine.runtime.scope(|| twice(&x, &y)), twice.native(&x, &y), "{len} {}", engine.name);
        }
    }
}

#[qd::kernel]
fn tuples(x: &[u32]) -> ((u32, usize), (bool, i8, u64), [i32; 2], (u32, usize, u8)) {
    let mut least = (u32::MAX, 0);
    let mut most = (false, i8::MIN, 3);
    let mut pair = [i32::MAX; 2];
    let mut marked = ((9, 0), 0);
    for i in 0..x.len() {
        least = least.min((x[i], i));
        most = std::cmp::max(most, (x[i] % 2 == 0, x[i] as i8, i as u64));
        pair = pair.min([x[i] as i32 % 4, -(i as i32)]);
        if (x[i] % 10, i) >= marked.0 {
            marked = ((x[i] % 10, i), 7);
        }
    }
    (least, most, pair, (marked.0.0, marked.0.1, marked.1))
}

#[test]
fn tuples_compare_in_order() {
    for engine in &Engines::new().all {
        for len in LENGTHS {
            let x: Vec<u32> = (0..len as u64).map(|n| (hash(n) % 20) as u32).collect();
            assert_eq!(engine.runtime.scope(|| tuples(&x)), tuples.native(&x), "{len} {}", engine.name);
        }
    }
}

#[qd::kernel]
fn stepped(x: &[f64], out: &mut [f64]) -> (f64, i64) {
    let (mut best, mut at) = (0.0, 0i64);
    for i in (3..x.len() as i64).rev().step_by(3) {
        if x[i as usize] > best {
            best = x[i as usize];
            at = i;
        }
    }
    for i in 0..out.len() {
        out[i] = best + at as f64;
    }
    for i in 0..x.len() {
        if x[i] < best {
            best = x[i];
            at = -(i as i64);
        }
    }
    (best, at)
}

#[test]
fn in_the_order_of_the_iterations_and_used_by_the_next_loop() {
    for engine in &Engines::new().all {
        for len in LENGTHS {
            let x: Vec<f64> = (0..len as u64).map(|n| (hash(n) % 30) as f64).collect();
            let (mut got, mut want) = ([0.0; 3], [0.0; 3]);
            let result = engine.runtime.scope(|| stepped(&x, &mut got));
            assert_eq!(result, stepped.native(&x, &mut want), "{len} {}", engine.name);
            assert_eq!(got, want);
        }
    }
}
