//! The order of evaluation, seen through what fails first: where two parts of a statement fail in one iteration, the
//! compiled kernel reports the one at which the native body panics.
use std::panic::{AssertUnwindSafe, catch_unwind};

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
