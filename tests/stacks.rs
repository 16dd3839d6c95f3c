//! First launches from threads with small stacks, and kernels whose expressions nest deep: neither may overflow.
use std::thread;

use qd::prelude::*;

fn runtime() -> qd::Runtime {
    qd::Runtime::new(qd::Config::default().ignore_env().offline_cache(false).num_threads(2)).expect("a runtime")
}

/// Runs `f` on a thread with so many KiB of stack.
fn with_stack<R: Send + 'static>(kib: usize, f: impl FnOnce() -> R + Send + 'static) -> R {
    thread::Builder::new().stack_size(kib << 10).spawn(f).expect("a thread").join().expect("no panic")
}

#[qd::kernel]
fn blend(x: &mut [f32], y: &[f32], t: f32) -> f32 {
    for i in 0..x.len() {
        x[i] = if y[i] > 0.0 { x[i] * (1.0 - t) + y[i] * t } else { -x[i] };
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

#[test]
fn a_first_launch_needs_no_large_stack() {
    for kib in [16, 64, 128] {
        let (sum, x) = with_stack(kib, move || {
            let mut x = [1.0, 2.0, 4.0];
            let sum = if kib == 64 {
                // In the global runtime, which this launch makes.
                blend(&mut x, &[8.0, -1.0, 4.0], 0.5)
            } else {
                blend.on(&runtime()).call(&mut x, &[8.0, -1.0, 4.0], 0.5)
            };
            (sum, x)
        });
        assert_eq!((sum, x), (6.5, [4.5, -2.0, 4.0]), "{kib} KiB");
    }
}

/// A kernel that adds so many multiples of each element: an expression nested as deep as it is long.
macro_rules! long_sum {
    (ten times $($rest:ident)*: $($f:tt)*) => {
        long_sum!($($rest)*: $($f)* $($f)* $($f)* $($f)* $($f)* $($f)* $($f)* $($f)* $($f)* $($f)*);
    };
    (end: $($f:tt)*) => {
        #[qd::kernel]
        fn long_sum(x: &mut [i64]) {
            for i in 0..x.len() {
                x[i] = x[i] * 0 $(+ x[i] * $f)*;
            }
        }
    };
}

long_sum!(ten times ten times end: 1 2 3 4 5 6 7 8 9);

/// A kernel with so many arms behind an `if`, each of which nests in the one before it.
macro_rules! long_chain {
    (ten times $($rest:ident)*: $($f:tt)*) => {
        long_chain!($($rest)*: $($f)* $($f)* $($f)* $($f)* $($f)* $($f)* $($f)* $($f)* $($f)* $($f)*);
    };
    (end: $($f:tt)*) => {
        #[qd::kernel]
        fn long_chain(x: &mut [i64]) {
            for i in 0..x.len() {
                let mut n = 0;
                if x[i] == n {
                    x[i] = -1;
                } $(else if { n += $f; x[i] == n } {
                    x[i] = 1000 + n;
                })*
            }
        }
    };
}

long_chain!(ten times ten times end: 1 1 1 1 1);

#[test]
fn a_chain_of_500_arms_compiles() {
    let x = with_stack(2048, move || {
        let mut x = [0, 1, 250, 500, 501];
        long_chain.on(&runtime()).call(&mut x);
        x
    });
    assert_eq!(x, [-1, 1001, 1250, 1500, 501]);
}

#[test]
fn an_expression_of_900_terms_compiles_at_every_level() {
    for level in [0, 3] {
        let x = with_stack(64, move || {
            let config = qd::Config::default().ignore_env().offline_cache(false).num_threads(2).opt_level(level);
            let mut x = [1, -3, 1 << 40];
            long_sum.on(&qd::Runtime::new(config).expect("a runtime")).call(&mut x);
            x
        });
        // Each of 1 to 9 stands there 100 times.
        assert_eq!(x, [4500, -13500, 4500 << 40], "level {level}");
    }
}

#[test]
fn what_only_shows_a_kernel_needs_no_large_stack_either() {
    let (ir, asm) = with_stack(64, || (long_sum.ir().unwrap(), long_sum.on(&runtime()).asm().unwrap()));
    assert!(ir.contains("long_sum") && !asm.is_empty());
}
