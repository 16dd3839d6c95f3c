//! The order of evaluation, seen through what fails first: where two parts of a statement fail in one iteration, the
//! compiled kernel reports the one at which the native body panics.
use std::panic::{AssertUnwindSafe, catch_unwind};

use qd::Number;
use qd::prelude::*;

use crate::support::Engines;

/// Kernels of an array to write, one of indices and one of divisors, each with what fails for index 9 and divisor 0.
macro_rules! fails {
    ($($name:ident: $message:literal, |$x:ident, $at:ident, $by:ident, $i:ident| $body:expr;)*) => { $(
        #[test]
        fn $name() {
            #[qd::kernel]
            fn kernel($x: &mut [i32], $at: &[usize], $by: &[i32]) {
                for $i in 0..$at.len() {
                    $body;
                }
            }

            let native = AssertUnwindSafe(|| kernel.native(&mut [1, 2, 3, 4], &[9], &[0]));
            let panic = catch_unwind(native).expect_err("it fails natively");
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap();
            assert_eq!(text, $message);
            for engine in &Engines::new().all {
                let run = || kernel.try_call(&mut [1, 2, 3, 4], &[9], &[0]);
                let error = engine.runtime.scope(run).expect_err("it fails compiled").to_string();
                assert!(error.contains(&text), "native: {text}\ncompiled: {error} ({})", engine.name);
            }
        }
    )* };
}

fails! {
    the_value_comes_before_the_place_it_is_assigned_to:
        "attempt to divide by zero",
        |x, at, by, i| {
            // SAFETY: there is one iteration, so it races with none.
            unsafe { x[at[i]] = 7 / by[i] }
        };
    the_value_comes_before_the_place_it_is_added_to:
        "attempt to divide by zero",
        |x, at, by, i| {
            // SAFETY: there is one iteration, so it races with none.
            unsafe { x[at[i]] += 7 / by[i] }
        };
    the_value_comes_before_the_index_of_its_place:
        "attempt to calculate the remainder with a divisor of zero",
        |x, at, by, i| {
            // SAFETY: there is one iteration, so it races with none.
            unsafe { x[at[at[i]]] = 7 % by[i] }
        };
    the_place_of_an_atomic_comes_before_its_operand:
        "index out of bounds: the len is 4 but the index is 9",
        |x, at, by, i| _ = qd::atomic::add(&mut x[at[i]], 7 / by[i]);
    the_index_of_an_atomic_comes_before_its_check:
        "index out of bounds: the len is 1 but the index is 9",
        |x, at, by, i| _ = qd::atomic::max(&mut x[at[at[i]]], 7 / by[i]);
    the_place_of_a_compare_exchange_comes_before_its_operands:
        "index out of bounds: the len is 4 but the index is 9",
        |x, at, by, i| _ = qd::atomic::compare_exchange(&mut x[at[i]], 7 / by[i], 1);
    the_operands_of_a_compare_exchange_go_from_left_to_right:
        "attempt to divide by zero",
        |x, at, by, i| _ = qd::atomic::compare_exchange(&mut x[0], 7 / by[i], by[at[i]]);
    an_operand_of_an_atomic_that_fails_alone_is_reported:
        "attempt to divide by zero", |x, at, by, i| _ = qd::atomic::xor(&mut x[at[i] - 9], 7 / by[i]);
    operands_go_from_left_to_right:
        "index out of bounds: the len is 1 but the index is 9",
        |x, at, by, i| _ = qd::atomic::add(&mut x[0], by[at[i]] + 1 / by[i]);
    the_receiver_comes_before_its_arguments:
        "attempt to divide by zero", |x, at, by, i| _ = qd::atomic::add(&mut x[0], (1 / by[i]).max(by[at[i]]));
}

/// In generic code `op=` of a type parameter is a call of its trait's function, which takes the place first, whatever the
/// parameter stands for; of a primitive type it isn't.
macro_rules! generic_fails {
    ($($name:ident: $message:literal, |$x:ident, $n:ident, $at:ident, $by:ident, $by32:ident, $i:ident| $body:expr;)*) => { $(
        #[test]
        fn $name() {
            #[qd::kernel]
            fn kernel<T: qd::Int>($x: &mut [T], $n: &mut [u32], $at: usize, $by: T, $by32: u32) {
                for $i in 0..1 {
                    $body;
                }
            }

            fn check<T: qd::Int>(x: [T; 4]) {
                let native = AssertUnwindSafe(|| kernel::<T>.native(&mut x.clone(), &mut [1, 2], 9, T::ZERO, 0));
                let panic = catch_unwind(native).expect_err("it fails natively");
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap();
                assert_eq!(text, $message);
                for engine in &Engines::new().all {
                    let run = || kernel::<T>.try_call(&mut x.clone(), &mut [1, 2], 9, T::ZERO, 0);
                    let error = engine.runtime.scope(run).expect_err("it fails compiled").to_string();
                    assert!(error.contains(&text), "native: {text}\ncompiled: {error} ({})", engine.name);
                }
            }
            check([1u32, 2, 3, 4]);
            check([1i64, 2, 3, 4]);
        }
    )* };
}

/// As [`qd::func`]s see it: generic ones and methods of traits.
#[qd::func]
fn add_to<T: qd::Int>(x: &mut [T], i: usize, by: T) {
    x[i + 9] += T::ONE / by;
}

#[qd::func]
fn add_to_counts(x: &mut [u32], i: usize, by: u32) {
    x[i + 9] += 1 / by;
}

generic_fails! {
    a_place_of_a_parameters_type_comes_before_the_value:
        "index out of bounds: the len is 4 but the index is 99",
        |x, n, at, by, by32, i| x[i + 99] += T::ONE / by;
    so_it_does_for_a_shift:
        "index out of bounds: the len is 4 but the index is 99",
        |x, n, at, by, by32, i| x[i + 99] <<= 7 / by32;
    so_it_does_where_the_index_is_computed:
        "attempt to calculate the remainder with a divisor of zero",
        |x, n, at, by, by32, i| x[i + 7 % at.count_ones().wrapping_sub(2) as usize] ^= T::ONE / by;
    so_it_does_in_a_variable:
        "index out of bounds: the len is 3 but the index is 9",
        |x, n, at, by, by32, i| {
            let mut h = [T::ONE; 3];
            h[at + i] *= T::ONE / by;
            x[i] = h[0];
        };
    a_primitive_place_comes_behind_the_value:
        "attempt to divide by zero",
        |x, n, at, by, by32, i| n[i + 99] += 1 / by32;
    so_it_does_with_a_value_of_a_parameters_type:
        "attempt to divide by zero",
        |x, n, at, by, by32, i| n[i + 99] += (T::ONE / by).cast::<u32>();
    a_value_that_is_assigned_comes_first_in_any_case:
        "attempt to divide by zero",
        |x, n, at, by, by32, i| x[i + 99] = T::ONE / by;
    a_generic_function_does_as_generic_kernels_do:
        "index out of bounds: the len is 4 but the index is 9",
        |x, n, at, by, by32, i| {
            // SAFETY: there is one iteration, so it races with none.
            unsafe { add_to(x, i, by) }
        };
    a_function_that_is_not_generic_does_not:
        "attempt to divide by zero",
        |x, n, at, by, by32, i| {
            // SAFETY: there is one iteration, so it races with none.
            unsafe { add_to_counts(n, i, by32) }
        };
}

/// A reduction into a place that is chosen at run time.
#[qd::kernel]
fn reduced<T: qd::Int>(by: T, at: usize) -> T {
    let mut h = [T::ZERO; 4];
    for i in 0..1 {
        h[at + i] += T::ONE / by;
    }
    h[0]
}

#[test]
fn a_reduction_takes_its_place_first_in_generic_code() {
    for engine in &Engines::new().all {
        let error = engine.runtime.scope(|| reduced::<u16>.try_call(0, 9)).unwrap_err().to_string();
        assert!(error.contains("index out of bounds: the len is 4 but the index is 9"), "{error}");
        assert_eq!(engine.runtime.scope(|| reduced::<u16>(1, 0)), reduced::<u16>.native(1, 0));
    }
    let native = catch_unwind(|| reduced::<u16>.native(0, 9)).expect_err("it fails natively");
    assert_eq!(*native.downcast::<String>().unwrap(), "index out of bounds: the len is 4 but the index is 9");
}

#[qd::func]
fn next(count: &mut usize) -> usize {
    *count += 1;
    *count - 1
}

/// What comes first shows in values, too.
#[qd::kernel]
fn counted<T: qd::Int>(x: &mut [T], n: &mut [u32]) {
    for i in 0..1 {
        // SAFETY: there is one iteration, so it races with none.
        unsafe {
            let mut count = i;
            x[next(&mut count)] += next(&mut count).cast::<T>();
            x[next(&mut count)] <<= next(&mut count).cast::<u32>();
            n[next(&mut count)] += next(&mut count).cast::<u32>();
        }
    }
}

#[test]
fn side_effects_happen_in_the_order_of_rust() {
    let run = |call: &dyn Fn(&mut [u64], &mut [u32])| {
        let (mut x, mut n) = ([10; 8], [20; 8]);
        call(&mut x, &mut n);
        (x, n)
    };
    let native = run(&|x, n| counted::<u64>.native(x, n));
    for engine in &Engines::new().all {
        assert_eq!(run(&|x, n| engine.runtime.scope(|| counted::<u64>(x, n))), native, "{}", engine.name);
    }
    assert_eq!((native.0[0], native.0[2], native.1[5]), (11, 80, 24));
}

#[qd::func]
fn advance(n: &mut usize) -> usize {
    *n = *n * 3 + 1;
    *n
}

/// What each operand of a chain is shows when it was evaluated.
#[qd::kernel]
fn operands_of_chains(out: &mut [[usize; 8]], x: &[usize]) {
    for i in 0..out.len() {
        let mut n = i;
        let mut found = [0usize; 8];
        for (a, b) in (advance(&mut n)..400).zip(advance(&mut n)..900) {
            found[0] = found[0] * 7 + a * 100 + b;
        }
        for (a, b) in (advance(&mut n)..40_000).step_by(advance(&mut n)).zip(x[advance(&mut n) % 5..].iter()) {
            found[1] = found[1] * 7 + a * 100 + *b;
        }
        n = i;
        for (a, b) in (advance(&mut n)..=50).zip((advance(&mut n)..=90).rev()) {
            found[2] = found[2] * 7 + a * 100 + b;
        }
        found[3] =
            (advance(&mut n)..900).map(|v| v * 2).zip(advance(&mut n)..9000).take(5).map(|(a, b)| a * b).sum::<usize>();
        n = i;
        found[4] =
            (advance(&mut n)..900).skip(advance(&mut n)).take(advance(&mut n)).fold(advance(&mut n), |a, b| a * 3 + b);
        found[5] = (n..n + 9)
            .zip(
                {
                    n += 5;
                    n
                }..n + 70,
            )
            .map(|(a, b)| a * b)
            .sum::<usize>();
        found[6] = ({
            n /= 2;
            n
        }..n + 9)
            .filter(|a| a % 2 == 0)
            .fold(
                {
                    n += 1;
                    n
                },
                |a, b| a * 3 + b,
            );
        found[7] = n;
        out[i] = found;
    }
}

#[test]
fn operands_of_chains_are_evaluated_in_order() {
    let x: Vec<usize> = (0..12).map(|k| k * 7 % 5).collect();
    let mut native = [[0; 8]; 6];
    operands_of_chains.native(&mut native, &x);
    for engine in &Engines::new().all {
        let mut got = [[0; 8]; 6];
        engine.runtime.scope(|| operands_of_chains(&mut got, &x));
        assert_eq!(got, native, "{}", engine.name);
    }
}
