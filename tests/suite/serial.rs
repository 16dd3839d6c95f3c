//! Top-level statements between loops, atomics, results.
use qd::prelude::*;

use crate::support::{Engines, hash};

#[qd::kernel]
fn reassigned(x: &mut [i64], y: &mut [i64]) -> i64 {
    let mut a = 1;
    for i in 0..x.len() {
        x[i] += a;
    }
    a = 2;
    for i in 0..y.len() {
        y[i] += a;
    }
    a * 10
}

#[test]
fn slots_follow_the_source_order() {
    for engine in &Engines::new().all {
        let (mut x, mut y) = (vec![0; 100], vec![0; 50]);
        assert_eq!(engine.runtime.scope(|| reassigned(&mut x, &mut y)), 20, "{}", engine.name);
        assert!(x.iter().all(|v| *v == 1) && y.iter().all(|v| *v == 2), "{}", engine.name);
    }
}

#[qd::kernel]
fn prefix_sums(x: &mut [u64], scale: u64) -> (u64, u64) {
    let factor = scale * 2 + 1;
    for i in 0..x.len() {
        x[i] *= factor;
    }
    let mut running = 0;
    let mut k = 0;
    while k < x.len() {
        running += x[k];
        x[k] = running;
        k += 1;
    }
    let bias = running % 7;
    for i in 0..x.len() {
        x[i] += bias;
    }
    (running, bias)
}

#[test]
fn serial_code_touches_arrays_between_loops() {
    let start: Vec<u64> = (0..3000).map(|n| hash(n) % 100).collect();
    let mut want = start.clone();
    let result = prefix_sums.native(&mut want, 3);
    for engine in &Engines::new().all {
        let mut got = start.clone();
        assert_eq!(engine.runtime.scope(|| prefix_sums(&mut got, 3)), result, "{}", engine.name);
        assert_eq!(got, want, "{}", engine.name);
    }
}

#[qd::kernel]
fn histogram(bins: &mut [u32], keys: &[u8]) {
    for i in 0..keys.len() {
        qd::atomic::add(&mut bins[keys[i] as usize], 1);
    }
}

#[test]
fn atomic_add_counts_every_key() {
    let keys: Vec<u8> = (0..200_000).map(|n| hash(n) as u8).collect();
    let mut want = vec![0; 256];
    histogram.native(&mut want, &keys);
    for engine in &Engines::new().all {
        let mut got = vec![0; 256];
        engine.runtime.scope(|| histogram(&mut got, &keys));
        assert_eq!(got, want, "{}", engine.name);
    }
}

macro_rules! atomics {
    ($($t:ident)*) => { $(
        mod $t {
            use super::*;

            #[qd::kernel]
            fn update(cells: &mut [$t], x: &[$t]) {
                for i in 0..x.len() {
                    qd::atomic::add(&mut cells[0], x[i]);
                    qd::atomic::sub(&mut cells[1], x[i]);
                    qd::atomic::min(&mut cells[2], x[i]);
                    qd::atomic::max(&mut cells[3], x[i]);
                    qd::atomic::and(&mut cells[4], x[i]);
                    qd::atomic::or(&mut cells[5], x[i] & 5);
                    qd::atomic::xor(&mut cells[6], x[i]);
                }
            }

            #[test]
            fn every_operation() {
                let x: Vec<$t> = (0..20_000).map(|n| hash(n) as $t).collect();
                let start: Vec<$t> = vec![1, 2, 3, 4, <$t>::MAX, 6, 7];
                let mut want = start.clone();
                update.native(&mut want, &x);
                for engine in &Engines::new().all {
                    let mut got = start.clone();
                    engine.runtime.scope(|| update(&mut got, &x));
                    assert_eq!(got, want, "{}", engine.name);
                }
            }
        }
    )* };
}

mod atomics {
    use super::*;
    atomics!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
}

#[qd::kernel]
fn arithmetic_only(a: f64, b: f64) -> (f64, bool) {
    let s = a * b + 1.0;
    let (lo, hi) = if a < b { (a, b) } else { (b, a) };
    (s.sqrt() + hi - lo, s > 2.0)
}

#[test]
fn a_kernel_without_a_loop() {
    for engine in &Engines::new().all {
        for (a, b) in [(1.5, 2.5), (-3.0, 7.0), (0.0, 0.0)] {
            let got = engine.runtime.scope(|| arithmetic_only(a, b));
            let want = arithmetic_only.native(a, b);
            assert!(got.0.to_bits() == want.0.to_bits() || got.0.is_nan() && want.0.is_nan());
            assert_eq!(got.1, want.1);
        }
    }
}
