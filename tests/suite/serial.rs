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

/// Newton's method on every element at once, until no element moves any more.
#[qd::kernel]
fn converge(x: &mut [f64], next: &mut [f64], target: f64) -> u32 {
    let mut rounds = 0;
    let mut change = 1.0f64;
    while change > 1e-12 {
        for i in 0..x.len() {
            next[i] = 0.5 * (x[i] + target / x[i]);
        }
        change = 0.0;
        for i in 0..x.len() {
            change = change.max((next[i] - x[i]).abs());
        }
        for i in 0..x.len() {
            x[i] = next[i];
        }
        rounds += 1;
        if rounds == 50 {
            break;
        }
    }
    rounds
}

#[test]
fn a_while_round_parallel_loops_runs_until_its_condition_fails() {
    let start: Vec<f64> = (1..2000).map(f64::from).collect();
    let (mut want, mut scratch) = (start.clone(), start.clone());
    let rounds = converge.native(&mut want, &mut scratch, 2.0);
    assert!((10..50).contains(&rounds), "{rounds}");
    for engine in &Engines::new().all {
        let mut got = start.clone();
        assert_eq!(engine.runtime.scope(|| converge(&mut got, &mut scratch, 2.0)), rounds, "{}", engine.name);
        assert_eq!(got, want, "{}", engine.name);
    }
}

/// An early return, a branch and a `loop` whose body goes on and ends in several ways.
#[qd::kernel]
fn branches(x: &mut [i32], how: i32) -> i32 {
    if x.len() == 0 {
        return -1;
    }
    if how == 0 {
        for i in 0..x.len() {
            x[i] += 1;
        }
    } else {
        let mut left = how;
        loop {
            left -= 1;
            if left % 3 == 1 {
                for i in 0..x.len() {
                    x[i] += 100;
                }
                continue;
            }
            for i in 0..x.len() {
                x[i] *= 2;
            }
            if left <= 0 {
                break;
            }
        }
    }
    let mut sum = 0;
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

#[test]
fn the_plan_branches_continues_and_returns_as_the_source_says() {
    for engine in &Engines::new().all {
        for how in 0..9 {
            for len in [0, 1, 3000] {
                let start: Vec<i32> = (0..len).collect();
                let (mut want, mut got) = (start.clone(), start);
                let result = branches.native(&mut want, how);
                assert_eq!(engine.runtime.scope(|| branches(&mut got, how)), result, "{how} {len} {}", engine.name);
                assert_eq!(got, want, "{how} {len} {}", engine.name);
            }
        }
    }
}

/// The result comes from inside a `loop`, and from the tail of an `unsafe` block.
#[qd::kernel]
fn halvings(x: &mut [f32]) -> u32 {
    let mut rounds = 0;
    loop {
        let mut most = 0.0f32;
        for i in 0..x.len() {
            most = most.max(x[i]);
        }
        if most < 1.0 {
            return rounds;
        }
        for i in 0..x.len() {
            x[i] *= 0.5;
        }
        rounds += 1;
    }
}

#[qd::kernel]
fn reversed(x: &[u32], y: &mut [u32], p: &[usize]) -> u32 {
    // SAFETY: `p` is a permutation, so no two iterations write one element.
    unsafe {
        for i in 0..p.len() {
            y[p[i]] = x[i];
        }
        y[0]
    }
}

#[test]
fn results_come_out_of_loops_and_unsafe_blocks() {
    let x: Vec<u32> = (0..3000).collect();
    let p: Vec<usize> = (0..3000).rev().collect();
    for engine in &Engines::new().all {
        let mut halved = [1.0, 8.0, 3.0];
        assert_eq!(engine.runtime.scope(|| halvings(&mut halved)), 4, "{}", engine.name);
        assert_eq!(halved, [0.0625, 0.5, 0.1875], "{}", engine.name);
        let mut y = vec![0; 3000];
        assert_eq!(engine.runtime.scope(|| reversed(&x, &mut y, &p)), 2999, "{}", engine.name);
        assert!(y.iter().rev().eq(&x), "{}", engine.name);
    }
}
