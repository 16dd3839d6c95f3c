//! Chains of iterators at the top level of kernels, where they are parallel loops that reduce; which tasks they are; and how
//! they fail.
use qd::prelude::*;

use crate::support::{Class, Engines, Same, assert_same, hash};

/// Lengths round the edges of lanes, leaves and chunks.
const LENGTHS: [usize; 8] = [0, 1, 31, 33, 1023, 1025, 5000, 100_003];

macro_rules! totals {
    ($($t:ident)*) => { $(
        mod $t {
            use super::*;

            #[qd::kernel]
            fn totals(x: &[$t], y: &[$t], n: usize) -> ($t, $t, usize, bool, bool, $t, $t, $t, usize, $t, $t) {
                let sum: $t = x.iter().sum();
                let dot = x.iter().zip(y).map(|(a, b)| a * b).sum::<$t>();
                let count = x.iter().filter(|v| **v > 1).count();
                let any = x.iter().any(|v| *v == 77);
                let all = (0..n).all(|k| x[k] <= y[k] || k < 4000);
                let least = *x.iter().min().unwrap_or(&3);
                let most = x[..n].iter().copied().filter(|v| v % 2 == 0).max().unwrap_or(5);
                let bits = x.iter().rev().fold(1, |a, v| a | v);
                let place = x.iter().skip(n / 3).position(|v| *v == 9).unwrap_or(n);
                let reduced = (n / 2..n).map(|k| x[k] ^ y[k]).reduce(|a, v| v.min(a)).unwrap_or(1)
                    + (0..n).map(|k| x[k] ^ y[k]).reduce(|a, v| a.max(v)).unwrap_or(1);
                (sum, dot, count, any, all, least, most, bits, place, reduced, x.iter().product())
            }

            #[test]
            fn are_those_of_rustc() {
                for engine in &Engines::new().all {
                    for len in LENGTHS {
                        let x: Vec<$t> = (0..len as u64).map(|n| hash(n) as $t).collect();
                        let y: Vec<$t> = (0..len as u64).map(|n| hash(!n) as $t).collect();
                        let want = totals.native(&x, &y, len);
                        assert_eq!(engine.runtime.scope(|| totals(&x, &y, len)), want, "{len} {}", engine.name);
                    }
                }
            }
        }
    )* };
}
mod of_the_top_level {
    use super::*;
    totals! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128 u128 }

    #[qd::kernel]
    fn float_totals(x: &[f32], y: &mut [f32]) -> (f32, f32, f32, f32, f64, f32) {
        let sum: f32 = x.iter().sum();
        let norm = x.iter().map(|v| v * v).sum::<f32>().sqrt();
        let most = x.iter().fold(f32::NEG_INFINITY, |m, v| m.max(*v));
        y.iter_mut().zip(x).for_each(|(y, x)| *y = x / norm);
        let least = y.iter().copied().reduce(f32::min).unwrap_or(0.0);
        let wide = x.iter().map(|v| *v as f64).sum::<f64>() / 2.0;
        (sum, norm, most, least, wide, y.iter().map(|v| 1.0 + v / 1e3).product())
    }

    #[test]
    fn sums_of_floats_are_the_tree() {
        let add = |values: &mut dyn Iterator<Item = f32>| qd::reduce_reference(qd::ReduceOp::Add, -0.0, values);
        for engine in &Engines::new().all {
            for len in LENGTHS {
                let x: Vec<f32> = (0..len as u64).map(|n| (hash(n) % 20_001) as f32 / 1e4 - 1.0).collect();
                let mut y = vec![0.0; len];
                let got = engine.runtime.scope(|| float_totals(&x, &mut y));
                let norm = add(&mut x.iter().map(|v| v * v)).sqrt();
                let scaled: Vec<f32> = x.iter().map(|v| v / norm).collect();
                let want = (
                    add(&mut x.iter().copied()),
                    norm,
                    x.iter().fold(f32::NEG_INFINITY, |m, v| m.max(*v)),
                    scaled.iter().copied().reduce(f32::min).unwrap_or(0.0),
                    qd::reduce_reference(qd::ReduceOp::Add, -0.0, x.iter().map(|v| *v as f64)) / 2.0,
                    qd::reduce_reference(qd::ReduceOp::Mul, 1.0, scaled.iter().map(|v| 1.0 + v / 1e3)),
                );
                assert_eq!(format!("{got:?}"), format!("{want:?}"), "{len} {}", engine.name);
                assert!(y == scaled || len == 0);
            }
        }
    }

    /// In generic code, over `NdArray`s, and handed on.
    #[qd::func]
    fn norm<T: qd::Float>(x: &[T]) -> T {
        x.iter().fold(T::ZERO, |sum, v| sum + *v * *v).sqrt()
    }

    #[qd::kernel]
    fn generic<T: qd::Float + std::iter::Sum>(x: &[T], y: &mut NdArray<T>) -> (T, T) {
        for (v, n) in y.iter_mut().zip(1usize..) {
            *v = norm(x) + x.iter().take(n).copied().sum::<T>();
        }
        let most = y.iter().copied().fold(T::ZERO, T::max);
        (most, y.iter().map(|v| *v * *v).fold(T::ONE, |a, v| a + v))
    }

    #[test]
    fn generic_chains() {
        fn check<T: qd::Float + std::iter::Sum + Same>(x: &[T]) {
            let (mut want, mut got) = (NdArray::full(40, T::ZERO), NdArray::full(40, T::ZERO));
            let native = generic.native(x, &mut want);
            for engine in &Engines::new().all {
                let result = engine.runtime.scope(|| generic(x, &mut got));
                assert_same("generic", &engine.name, Class::Exact, got.as_slice(), want.as_slice(), |i| i.to_string());
                assert!(result.0.same(native.0, Class::Exact));
            }
        }
        check(&[1.5f32, 2.0, -3.0]);
        check(&[1.5f64, 2.0, -3.0]);
    }

    /// How many constructs a body of the top level is.
    macro_rules! constructs {
        (|$x:ident, $y:ident, $n:ident| $($name:ident $count:literal -> $r:ty { $($body:tt)* })*) => { $(
            constructs! { @one $x $y $n $name $count $r { $($body)* } }
        )* };
        (@one $x:ident $y:ident $n:ident $name:ident $count:literal $r:ty { $($body:tt)* }) => {
            #[test]
            fn $name() {
                #[qd::kernel]
                fn kernel($x: &[i32], $y: &mut [i32], $n: usize) -> $r { $($body)* }
                assert_eq!(kernel.observations().frontend_constructs_total, $count);
                let x: Vec<i32> = (0..5000).map(|n| hash(n) as i32 % 1000).collect();
                let (mut got, mut want) = (x.clone(), x.clone());
                let native = kernel.native(&x, &mut want, 70);
                for engine in &Engines::new().all {
                    got.copy_from_slice(&x);
                    let result = engine.runtime.scope(|| kernel(&x, &mut got, 70));
                    assert_eq!((result, &got), (native, &want), "{}", engine.name);
                }
            }
        };
    }
    constructs! {
        |x, y, n|
        one_sum 1 -> i32 { let s = x.iter().map(|v| v * v).sum(); s }
        one_tail 1 -> i32 { x.iter().map(|v| v * v).sum() }
        one_count 1 -> usize { (0..n).filter(|k| x[*k] > 3).count() }
        a_length_is_none 0 -> usize { x.iter().count() }
        in_an_expression 2 -> i32 { let mean = x.iter().sum::<i32>() / n as i32; mean }
        two_in_an_expression 3 -> i32 { x.iter().sum::<i32>() - y[1..n].iter().sum::<i32>() }
        an_option 2 -> i32 { *x.iter().max().unwrap() }
        assigned 2 -> i32 { let mut s = 3; s += x.iter().sum::<i32>(); s }
        one_loop 1 -> () { y.iter_mut().for_each(|v| *v += 1) }
        one_loop_over_a_part 1 -> () { for v in y[3..n].iter_mut() { *v += 1; } }
        in_order_it_is_serial 1 -> i32 { let s = x.iter().fold(1, |a, v| v - a); s }
        counting_is_serial 1 -> i32 { x.iter().filter(|v| **v > 2).take(4).sum() }
        behind_an_effect_it_is_serial 1 -> i32 { let s = ({ y[1] = 4; 1 }) + y.iter().sum::<i32>(); s }
        in_a_branch_it_is_serial 1 -> i32 { let s = if n > 3 { x.iter().sum() } else { 1 }; s }
        lazily_it_is_serial 1 -> bool { let s = n > 3 && x.iter().all(|v| *v > -2000); s }
        a_condition 2 -> i32 {
            if x.iter().any(|v| *v > 10) {
                for i in 0..n { y[i] = 1; }
                return 3;
            }
            4
        }
        until_it_holds 3 -> i32 {
            let mut rounds = 0;
            while y.iter().any(|v| *v > 10) {
                for v in y.iter_mut() { *v /= 2; }
                rounds += 1;
            }
            rounds
        }
        asserted 2 -> () { assert!(x.iter().all(|v| *v < 1000), "{}", x.iter().sum::<i32>()); }
        over_local_arrays 1 -> i32 { let a = [1, 2, n as i32]; let s = a.iter().map(|v| v * 2).sum(); s }
        captured 1 -> (i32, i32) {
            let mut most = 0;
            let s = x.iter().map(|v| { most = most.max(*v); v - 1 }).sum();
            (s, most)
        }
    }
}

/// Where std's sums start.
const START: f32 = -0.0;

/// A chain is the task of the loop that one would write.
#[qd::kernel]
fn pairs_of_tasks(
    c: &mut NdArray<f32, 2>,
    a: &NdArray<f32, 2>,
    b: &NdArray<f32, 2>,
    w: &[f32],
    y: &mut [f32],
    x: &[f32],
) {
    let n = a.shape()[1];
    for (i, j) in c.indices() {
        c[[i, j]] = (0..n).map(|k| a[[i, k]] * b[[k, j]]).sum();
    }
    for (i, j) in c.indices() {
        c[[i, j]] = {
            let mut sum = START;
            for k in 0..n {
                sum += a[[i, k]] * b[[k, j]];
            }
            sum
        };
    }
    for i in 0..y.len() {
        y[i] = w.iter().zip(x[i..].iter()).map(|(w, x)| w * x).sum();
    }
    for v in y.iter_mut() {
        *v *= 2.0;
    }
    for i in 0..y.len() {
        y[i] *= 2.0;
    }
}

#[qd::kernel]
fn pair_of_sums(x: &[f32]) -> (f32, f32) {
    let a = x.iter().map(|v| v * v).sum();
    let mut b = -0.0;
    for i in 0..x.len() {
        b += x[i] * x[i];
    }
    (a, b)
}

#[test]
fn a_chain_is_the_loop_that_one_would_write() {
    let engines = Engines::new();
    let runtime = &engines.all[0].runtime;
    let (mut c, a) = (NdArray::full([4, 4], 0.0), NdArray::from_fn([4, 4], |[i, j]| (i * 4 + j) as f32));
    let (mut y, x) = ([0.0; 4], [1.0, 2.0, 3.0, 4.0, 5.0]);
    runtime.scope(|| pairs_of_tasks(&mut c, &a, &a, &[0.5, 0.25], &mut y, &x));
    let seen = runtime.scope(|| pairs_of_tasks.observations());
    assert_eq!((seen.tasks_total, seen.tasks_recompiled), (5, 3), "{seen}");
    let (first, second) = runtime.scope(|| pair_of_sums(&x));
    assert_eq!(first.to_bits(), second.to_bits());
    let seen = runtime.scope(|| pair_of_sums.observations());
    assert_eq!((seen.tasks_total, seen.tasks_recompiled), (2, 1), "{seen}");
}

/// The words of a native panic.
fn words(native: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = std::panic::catch_unwind(native).unwrap_err();
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().expect("a text").to_string(),
    }
}

macro_rules! fails {
    ($($name:ident |$x:ident, $a:ident, $b:ident| $e:expr, $at:tt;)*) => { $(
        #[test]
        fn $name() {
            #[qd::kernel]
            fn in_an_iteration(out: &mut [u32], $x: &[u32], $a: usize, $b: usize) {
                for i in 0..out.len() {
                    out[i] = $e;
                }
            }
            #[qd::kernel]
            fn at_the_top($x: &[u32], $a: usize, $b: usize) -> u32 {
                $e
            }
            let x = [5u32, 6, 7];
            let (a, b) = $at;
            let want = words(|| { at_the_top.native(&x, a, b); });
            for engine in &Engines::new().all {
                let errors = engine.runtime.scope(|| [
                    in_an_iteration.try_call(&mut [0; 3], &x, a, b).unwrap_err().to_string(),
                    at_the_top.try_call(&x, a, b).unwrap_err().to_string(),
                ]);
                for error in errors {
                    assert!(error.contains(&want), "{error}: {want} ({})", engine.name);
                }
            }
        }
    )* };
}
mod failing {
    use super::*;
    fails! {
        part_ends_before |x, a, b| x[a..b].iter().sum(), (2, 1);
        part_ends_behind |x, a, b| x[a..b].iter().map(|v| v + 1).sum(), (1, 4);
        part_starts_behind |x, a, b| x[a..b].iter().sum(), (4, 5);
        part_from |x, a, b| x[a..].iter().filter(|v| **v > 2).sum(), (4, 0);
        part_to |x, a, b| x[..b].iter().product(), (0, 4);
        part_closed |x, a, b| x[a..=b].iter().sum(), (1, 3);
        part_closed_far |x, a, b| x[a..=b].iter().sum(), (1, usize::MAX);
        part_closed_before |x, a, b| x[a..=b].iter().sum(), (3, 1);
        nothing |x, a, b| x[a..b].iter().copied().max().unwrap(), (1, 1);
        nothing_expected |x, a, b| *x[a..b].iter().min().expect("a {value}"), (1, 1);
        nothing_found |x, a, b| *x.iter().find(|v| **v == a as u32).unwrap(), (1, 1);
        nothing_filtered |x, a, b| x.iter().copied().filter(|v| *v == a as u32).min().unwrap(), (1, 1);
        nowhere |x, a, b| x.iter().position(|v| *v == a as u32).unwrap() as u32, (1, 1);
        steps |x, a, b| x.iter().enumerate().step_by(a).map(|(n, v)| v * n as u32).sum(), (0, 1);
        steps_filtered |x, a, b| x.iter().filter(|v| **v > 1).step_by(a).sum(), (0, 1);
        steps_of_range |x, a, b| (a..b).step_by(a).map(|k| x[k]).sum(), (0, 1);
        inside |x, a, b| (a..b).map(|k| x[k]).sum(), (1, 9);
        divided |x, a, b| x.iter().map(|v| v / a as u32).sum(), (0, 1);
    }

    #[qd::kernel]
    fn numbered(hi: u64) -> u64 {
        (0..=hi).rev().take(3).sum()
    }

    #[test]
    fn a_length_beyond_usize_is_a_fault() {
        assert_eq!(numbered(9), 24);
        let error = numbered.try_call(u64::MAX).unwrap_err().to_string();
        assert!(error.contains("a range of 2^64 numbers has a length that is no `usize`"), "{error}");
    }

    /// Rust looks at nothing behind what settles it.
    #[qd::kernel]
    fn settled(out: &mut [usize], x: &[usize]) {
        for i in 0..out.len() {
            let found = (0..x.len()).any(|k| 12 / x[k] == 4 + (i & 1) * 2)
                || x.iter().take_while(|v| **v > 0).all(|v| 12 / v > 0);
            out[i] = found as usize
                + (i..).position(|k| x[k] == 2).unwrap_or(7)
                + x.iter().take(1).map(|v| 6 / v).sum::<usize>();
        }
    }

    #[test]
    fn what_isnt_looked_at_cant_fail() {
        let x = [3, 2, 2, 0];
        let mut want = [0; 3];
        settled.native(&mut want, &x);
        for engine in &Engines::new().all {
            let mut got = [0; 3];
            engine.runtime.scope(|| settled(&mut got, &x));
            assert_eq!(got, want);
        }
    }
}

#[qd::kernel]
fn half_sum(x: &[qd::f16]) -> qd::f16 {
    x.iter().copied().sum()
}

#[test]
fn crate_half_sums_in_f32() {
    let error = half_sum.try_call(&[qd::f16::ONE]).unwrap_err().to_string();
    assert!(error.contains("which is computed in `f32` and rounded once"), "{error}");
}
