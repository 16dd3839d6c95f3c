//! Flush-to-zero, other roundings and unmasked exceptions in the thread that launches, or in threads of the pool, change no
//! bit, and the thread gets its environment back. What they would change without that, the native body shows.
use std::arch::asm;

use qd::prelude::*;
use qd::{ReduceOp, Runtime};

use crate::support::{Engines, config, hash};

/// MXCSR as Rust assumes it.
const DEFAULT: u32 = 0x1f80;
/// Exceptions seen so far.
const STICKY: u32 = 0x3f;

/// Environments that a foreign library may leave behind.
const FOREIGN: [(&str, u32); 6] = [
    ("flush to zero, subnormals are zeros", DEFAULT | 0x8040),
    ("round down", DEFAULT | 0x2000),
    ("round up", DEFAULT | 0x4000),
    ("round to zero", DEFAULT | 0x6000),
    ("inexact results trap", DEFAULT & !0x1000),
    ("everything traps, round up, flush to zero", 0x8040 | 0x4000),
];

fn mxcsr() -> u32 {
    let mut value = 0u32;
    // SAFETY: stores MXCSR to the four bytes of `value`.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
    value
}

fn set_mxcsr(value: u32) {
    // SAFETY: no reserved bit is set; code that computes floats until the next call doesn't rely on the environment.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags, readonly)) };
}

/// Runs `f` in an environment; gives what it gave, and whether the environment was still that one.
fn within<R>(value: u32, f: impl FnOnce() -> R) -> (R, bool) {
    set_mxcsr(value);
    let result = f();
    let after = mxcsr();
    set_mxcsr(DEFAULT);
    (result, after & !STICKY == value & !STICKY)
}

/// Each operation that the environment could reach: in the loop, its bounds, literals, folded constants, helpers, 16-bit
/// floats, leaves and trees of reductions, and serial code round them.
#[qd::kernel]
fn mixed(x: &mut [f32], y: &[f32], d: &mut [f64], h: &mut [f16], start: f32) -> (f32, f64, f32, f32) {
    let half = start * 0.3;
    let mut sum = half;
    let mut total = 1e-310;
    let mut product = 1.0f32;
    for i in 0..(x.len() as f32 * 1.0) as usize {
        let tiny = y[i] * 1e-30;
        x[i] = x[i] * y[i] + tiny * 1e-9;
        d[i] = (d[i] / 3.0 + 0.1).sqrt() * (1.0 / 3.0) + (y[i] as f64).sin() * 1e-300 * 1e-9;
        h[i] = f16::from_f32(y[i]) * f16::from_f32(0.1);
        sum += tiny * 1e-9;
        total += d[i] * 1e-308;
        product *= 1.0 + y[i] * 1e-6;
    }
    let after = sum * 0.5 + 1e-40;
    (sum, total, product, after)
}

struct Arrays {
    x: Vec<f32>,
    y: Vec<f32>,
    d: Vec<f64>,
    h: Vec<f16>,
}

fn arrays(n: usize) -> Arrays {
    let unit = |i: usize| (hash(i as u64) >> 40) as f32 / 16_777_216.0;
    Arrays {
        x: (0..n).map(|i| unit(i) * 1e-38).collect(),
        y: (0..n).map(|i| 0.5 + unit(i + n)).collect(),
        d: (0..n).map(|i| f64::from(unit(i + 2 * n))).collect(),
        h: vec![f16::ZERO; n],
    }
}

impl Arrays {
    fn bits(&self) -> Vec<u64> {
        let x = self.x.iter().map(|v| u64::from(v.to_bits()));
        let d = self.d.iter().map(|v| v.to_bits());
        let h = self.h.iter().map(|v| u64::from(v.to_bits()));
        x.chain(d).chain(h).collect()
    }
}

type Results = [u64; 4];

fn bits((sum, total, product, after): (f32, f64, f32, f32)) -> Results {
    [sum.to_bits().into(), total.to_bits(), product.to_bits().into(), after.to_bits().into()]
}

const START: f32 = 1e-38;

fn native(n: usize) -> (Results, Arrays) {
    let mut a = arrays(n);
    mixed.native(&mut a.x, &a.y, &mut a.d, &mut a.h, START);
    let half = START * std::hint::black_box(0.3);
    let sum = qd::reduce_reference(ReduceOp::Add, half, a.y.iter().map(|y| y * 1e-30 * 1e-9));
    let total = qd::reduce_reference(ReduceOp::Add, 1e-310, a.d.iter().map(|d| d * 1e-308));
    let product = qd::reduce_reference(ReduceOp::Mul, 1.0, a.y.iter().map(|y| 1.0 + y * 1e-6));
    (bits((sum, total, product, sum * 0.5 + 1e-40)), a)
}

/// Launches in an environment; also whether the thread still had it afterwards.
fn compiled(runtime: &Runtime, n: usize, environment: u32) -> (Results, Arrays, bool) {
    let mut a = arrays(n);
    let launch = || mixed.on(runtime).try_call(&mut a.x, &a.y, &mut a.d, &mut a.h, START);
    let (result, kept) = within(environment, launch);
    (bits(result.unwrap()), a, kept)
}

#[test]
fn an_environment_of_the_calling_thread_changes_no_bit() {
    for n in [3, 1000, 200_000] {
        let (want, arrays) = native(n);
        for (name, value) in FOREIGN {
            // A new cache: literals are read and constants folded by the first launch, in that environment too.
            for (threads, runtime) in &Engines::with_unoptimised().all {
                let (got, found, kept) = compiled(runtime, n, value);
                assert_eq!(got, want, "{name}, {threads} threads, {n}");
                assert!(found.bits() == arrays.bits(), "{name}, {threads} threads, {n}");
                assert!(kept, "{name}: the thread has another environment now");
            }
        }
    }
}

/// The native body runs in the environment that it finds, so that the comparison above could have failed.
#[test]
fn the_environments_would_change_bits() {
    let (_, wanted) = native(1000);
    for (name, value) in &FOREIGN[..4] {
        let mut a = arrays(1000);
        let (_, _) = within(*value, || mixed.native(&mut a.x, &a.y, &mut a.d, &mut a.h, START));
        assert!(a.bits() != wanted.bits(), "{name}");
    }
}

#[test]
fn an_environment_of_the_pool_s_threads_changes_no_bit() {
    let cache = tempfile::tempdir().unwrap();
    // Without a number of threads the helpers are those of rayon's global pool.
    let runtime = Runtime::new(config(&cache)).unwrap();
    let n = 400_000;
    let (want, arrays) = native(n);
    for (name, value) in FOREIGN {
        rayon::broadcast(|_| set_mxcsr(value));
        for round in 0..5 {
            let (got, found, _) = compiled(&runtime, n, DEFAULT);
            assert_eq!(got, want, "{name}, round {round}");
            assert!(found.bits() == arrays.bits(), "{name}, round {round}");
        }
        let kept = rayon::broadcast(|_| mxcsr() & !STICKY == value & !STICKY);
        rayon::broadcast(|_| set_mxcsr(DEFAULT));
        assert!(kept.into_iter().all(|kept| kept), "{name}");
    }
}

/// Fails in an iteration that divides.
#[qd::kernel]
fn failing(x: &mut [f32], by: &[u32]) {
    for i in 0..x.len() {
        x[i] /= (12 / by[i]) as f32;
    }
}

#[test]
fn a_launch_that_fails_gives_the_environment_back() {
    for (_, runtime) in &Engines::new().all {
        for (name, value) in FOREIGN {
            let (failed, kept) = within(value, || failing.on(runtime).try_call(&mut [1e-40; 3], &[1, 0, 1]).is_err());
            assert!(failed && kept, "{name}");
            let (panicked, kept) = within(value, || {
                runtime.scope(|| std::panic::catch_unwind(|| failing(&mut [1e-40; 3], &[1, 1, 0])).is_err())
            });
            assert!(panicked && kept, "{name}");
        }
    }
}
