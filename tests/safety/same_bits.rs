//! The same bits for 1, 2, 3 and 8 threads and every grain: sums and products of floats, integers, extremes, parts,
//! chains, and random numbers. The references are the published tree and the native body.
use qd::prelude::*;
use qd::{ReduceOp, Rng, Runtime, reduce_reference};

use crate::support::{Engines, hash};

/// Round the borders of lanes, leaves, pairs of leaves, and chunks.
const LENGTHS: [usize; 22] = [
    0,
    1,
    2,
    31,
    32,
    33,
    63,
    65,
    1023,
    1024,
    1025,
    2047,
    2048,
    2049,
    3 * 1024 + 1,
    7 * 1024 - 1,
    8 * 1024,
    16_384,
    16_385,
    99 * 1024 + 7,
    300_000,
    1_000_003,
];

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Moments {
    mass: f64,
    momentum: Vector<f32, 2>,
    least: f32,
}

/// Everything that a loop can come to.
type All = ((f32, f64, f32), (Moments, [u32; 5], u64, i32), (f32, usize, u8), f64);

type Reduce = fn(&Runtime, &[f32], &[u64]) -> qd::Result<All>;

/// A kernel for each grain, one of which leaves it to qd, and the same natively.
macro_rules! reduces {
    ($($name:ident $(#[$grain:meta])?;)*) => {
        $(#[qd::kernel]
        fn $name(x: &[f32], n: &[u64]) -> All {
            let mut sum = 0.25f32;
            let mut total = -1.5f64;
            let mut product = 1.0f32;
            let mut all = Moments { mass: 0.0, momentum: Vector::zero(), least: f32::NAN };
            let mut bins = [0u32; 5];
            let mut wrapped = 7u64;
            let mut most = i32::MIN;
            let mut best = (f32::INFINITY, usize::MAX, 0u8);
            let mut noise = 0.0f64;
            $(#[$grain])?
            for i in 0..x.len() {
                let v = x[i];
                sum += v;
                total -= v as f64 * 1.1;
                product *= 1.0 + v * 0.001;
                all.mass += (v as f64).abs();
                all.momentum += vec2(v, -v * 0.5);
                all.least = all.least.min(v);
                bins[(n[i] % 5) as usize] += 1;
                wrapped = wrapped.wrapping_mul(n[i] | 1);
                most = most.max((n[i] >> 33) as i32 - i as i32);
                // Ties: few keys, many places.
                let key = (v * 4.0).round();
                if key < best.0 {
                    best = (key, i, (i % 200) as u8);
                }
                let mut rng = Rng::new(9, i as u64);
                noise += rng.next::<f64>() * v as f64;
            }
            ((sum, total, product), (all, bins, wrapped, most), best, noise)
        })*

        const REDUCES: &[(&str, Reduce)] = &[$((stringify!($name), |rt, x, n| $name.on(rt).try_call(x, n)),)*];
    };
}
reduces! {
    measured;
    by_one #[qd::grain(1)];
    by_less_than_a_leaf #[qd::grain(63)];
    by_a_leaf #[qd::grain(1024)];
    by_more_than_a_leaf #[qd::grain(1025)];
    by_ten_thousand #[qd::grain(10000)];
    at_once #[qd::grain(100000000)];
}

/// The results as bits.
fn bits(((sum, total, product), (all, bins, wrapped, most), best, noise): All) -> Vec<u64> {
    let Moments { mass, momentum, least } = all;
    let mut words = vec![sum.to_bits().into(), total.to_bits(), product.to_bits().into(), mass.to_bits()];
    words.extend([momentum.x, momentum.y, least, best.0].map(|v| u64::from(v.to_bits())));
    words.extend(bins.map(u64::from));
    words.extend([wrapped, most as u32 as u64, best.1 as u64, best.2.into(), noise.to_bits()]);
    words
}

/// The tree where floats are added or multiplied, the native body for the rest.
fn reference(x: &[f32], n: &[u64]) -> All {
    let f64s = |op, init, f: &dyn Fn(usize, f64) -> f64| {
        reduce_reference(op, init, x.iter().enumerate().map(|(i, v)| f(i, f64::from(*v))))
    };
    let f32s = |op, init, f: &dyn Fn(f32) -> f32| reduce_reference(op, init, x.iter().map(|v| f(*v)));
    let (_, (all, bins, wrapped, most), best, _) = measured.native(x, n);
    let all = Moments {
        mass: f64s(ReduceOp::Add, 0.0, &|_, v| v.abs()),
        momentum: vec2(f32s(ReduceOp::Add, 0.0, &|v| v), f32s(ReduceOp::Add, 0.0, &|v| -v * 0.5)),
        ..all
    };
    let sums = (
        f32s(ReduceOp::Add, 0.25, &|v| v),
        f64s(ReduceOp::Add, -1.5, &|_, v| -(v * 1.1)),
        f32s(ReduceOp::Mul, 1.0, &|v| 1.0 + v * 0.001),
    );
    let noise = f64s(ReduceOp::Add, 0.0, &|i, v| Rng::new(9, i as u64).next::<f64>() * v);
    (sums, (all, bins, wrapped, most), best, noise)
}

fn input(len: usize) -> (Vec<f32>, Vec<u64>) {
    let n: Vec<u64> = (0..len as u64).map(hash).collect();
    let x = n.iter().map(|h| (*h >> 40) as f32 / 8_388_608.0 - 1.0).collect();
    (x, n)
}

#[test]
fn reductions_have_the_same_bits_for_every_number_of_threads_and_every_grain() {
    let engines = Engines::with_unoptimised();
    for len in LENGTHS {
        let (x, n) = input(len);
        let want = bits(reference(&x, &n));
        for (threads, runtime) in &engines.all {
            for (grain, reduce) in REDUCES {
                let got = bits(reduce(runtime, &x, &n).unwrap());
                assert_eq!(got, want, "{len} iterations, {threads} threads, {grain}");
            }
        }
    }
}

/// Chains of iterators, over the same tree.
#[qd::kernel]
fn chained(x: &[f32], n: &[u64]) -> (f32, f64, u64, f32) {
    let sum: f32 = x.iter().sum();
    let product: f64 = x.iter().map(|v| 1.0 + *v as f64 * 0.001).product();
    let ones = n.iter().filter(|n| **n % 2 == 1).map(|n| n % 100).sum::<u64>();
    let most = x.iter().zip(n).map(|(v, n)| v * (n % 3) as f32).fold(f32::NEG_INFINITY, |m, v| m.max(v));
    (sum, product, ones, most)
}

#[test]
fn chains_have_the_same_bits_for_every_number_of_threads() {
    let engines = Engines::with_unoptimised();
    for len in LENGTHS {
        let (x, n) = input(len);
        let sum = reduce_reference(ReduceOp::Add, -0.0, x.iter().copied());
        let product = reduce_reference(ReduceOp::Mul, 1.0, x.iter().map(|v| 1.0 + f64::from(*v) * 0.001));
        let (_, _, ones, most) = chained.native(&x, &n);
        for (threads, runtime) in &engines.all {
            let got = chained.on(runtime).try_call(&x, &n).unwrap();
            let got = (got.0.to_bits(), got.1.to_bits(), got.2, got.3.to_bits());
            assert_eq!(got, (sum.to_bits(), product.to_bits(), ones, most.to_bits()), "{len}, {threads} threads");
        }
    }
}

/// Generators made in the loop, kept in an array between launches, and drawn from unevenly.
#[qd::kernel]
fn walk(at: &mut [Vector<f64, 2>], rngs: &mut [Rng], seed: u64) {
    for i in 0..at.len() {
        let mut own = Rng::new(seed, i as u64);
        for _ in 0..i % 7 {
            at[i].x += own.normal::<f64>() * rngs[i].range(0.5..2.0);
        }
        at[i].y += rngs[i].next::<f64>();
    }
}

#[test]
fn random_numbers_have_the_same_bits_for_every_number_of_threads() {
    let start = |len: usize| -> (Vec<Vector<f64, 2>>, Vec<Rng>) {
        (vec![Vector::zero(); len], (0..len).map(|i| Rng::new(3, i as u64)).collect())
    };
    let bits = |at: &[Vector<f64, 2>]| -> Vec<u64> { at.iter().flat_map(|v| [v.x.to_bits(), v.y.to_bits()]).collect() };
    let engines = Engines::with_unoptimised();
    for len in [1, 1000, 1025, 40_000] {
        let (mut want, mut rngs) = start(len);
        (0..3).for_each(|round| walk.native(&mut want, &mut rngs, round));
        for (threads, runtime) in &engines.all {
            let (mut got, mut rngs) = start(len);
            (0..3).for_each(|round| walk.on(runtime).call(&mut got, &mut rngs, round));
            assert!(bits(&got) == bits(&want), "{len}, {threads} threads");
        }
    }
}
