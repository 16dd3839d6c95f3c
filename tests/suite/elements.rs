//! Loops over elements: `iter`, `iter_mut`, `enumerate`, `zip`, parallel and nested.
use qd::prelude::*;

use crate::support::{Engines, hash};

#[derive(Clone, Copy, PartialEq, Debug, qd::Data)]
struct Particle {
    at: (f32, f32),
    mass: f32,
}

#[qd::kernel]
fn elements(x: &mut [i64], y: &[i64], z: &mut NdArray<f32>, p: &mut [Particle]) -> (i64, i64, f32) {
    for v in x.iter_mut() {
        *v = *v * 3 - 1;
    }
    let mut sum = 0;
    for v in y.iter() {
        sum += v.abs() % 7 + *v % 3;
    }
    for (i, v) in x.iter_mut().enumerate() {
        if i % 3 == 0 {
            *v += i as i64;
            continue;
        }
        *v ^= 5;
    }
    for (a, b) in x.iter_mut().zip(y.iter()) {
        *a += b * 2;
    }
    for (i, (a, &b)) in z.iter_mut().zip(y).enumerate() {
        *a = a.sqrt() + b as f32 / (i + 1) as f32;
    }
    for q in p {
        q.at.0 += q.mass;
        q.at = (q.at.1, q.at.0);
        let m = q.mass;
        q.mass = m.max(1.5);
    }
    let mut pairs = 0i64;
    for (n, &v) in y.iter().enumerate() {
        let mut least = i64::MAX;
        for w in y.iter() {
            least = least.min((v - *w).abs() ^ n as i64);
        }
        for (_, (w, _)) in y.iter().zip(x.iter()).enumerate() {
            least += *w & 1;
        }
        pairs ^= least;
    }
    let mut running = 0.0;
    #[qd::serial]
    for v in z.iter() {
        running = running * 0.5 + v;
    }
    (sum, pairs, running)
}

#[test]
fn elements_are_those_of_the_arrays() {
    for engine in &Engines::new().all {
        for (n, m, k) in [(0, 0, 0), (5, 3, 9), (300, 300, 40), (100, 250, 1)] {
            let start = || {
                let x: Vec<i64> = (0..n).map(|i| hash(i) as i64 >> 40).collect();
                let z = NdArray::from_vec((0..k).map(|i| i as f32 * 0.75).collect());
                let p: Vec<Particle> = (0..k).map(|i| Particle { at: (i as f32, 1.0), mass: i as f32 / 4.0 }).collect();
                (x, z, p)
            };
            let y: Vec<i64> = (0..m).map(|i| hash(i + 7) as i64 >> 40).collect();
            let ((mut x, mut z, mut p), (mut wx, mut wz, mut wp)) = (start(), start());
            let want = elements.native(&mut wx, &y, &mut wz, &mut wp);
            let got = engine.runtime.scope(|| elements(&mut x, &y, &mut z, &mut p));
            assert_eq!((got, x, z.to_vec(), p), (want, wx, wz.to_vec(), wp), "{}", engine.name);
        }
    }
}

/// The element of the outer loop is meant, in the inner one too.
#[qd::kernel]
fn nested(x: &mut [i64], y: &[i64], z: &[i64]) -> i64 {
    for (i, v) in x.iter_mut().enumerate() {
        for w in y.iter() {
            *v = *v * 3 + *w;
            for (k, &u) in z.iter().enumerate() {
                *v ^= u + *w * k as i64;
            }
        }
        *v += i as i64;
    }
    let mut sum = 0;
    for v in y.iter() {
        for w in z.iter() {
            sum += *v ^ *w;
        }
    }
    sum
}

#[test]
fn elements_of_loops_in_loops() {
    let some = |n: u64, seed: u64| -> Vec<i64> { (0..n).map(|i| hash(i + seed) as i64 >> 50).collect() };
    let (x, y, z) = (some(200, 1), some(9, 1000), some(5, 2000));
    let mut want = x.clone();
    let sum = nested.native(&mut want, &y, &z);
    for engine in &Engines::new().all {
        let mut got = x.clone();
        let result = engine.runtime.scope(|| nested(&mut got, &y, &z));
        assert_eq!((result, got), (sum, want.clone()), "{}", engine.name);
    }
}
