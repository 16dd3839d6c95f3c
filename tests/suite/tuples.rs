//! Comparisons of tuples, and `min`, `max`, `clamp` of them: Rust's lexicographic order, with NaN where there are floats.
use std::panic::catch_unwind;

use qd::prelude::*;

use crate::support::{Engines, pairs, triples};

table! { of_integers, (a: i32, b: u8) = pairs(|_, _| true), Exact {
    eq: bool = (a, b) == (3, 7);
    ne: bool = (a, b) != (3, b);
    lt: bool = (a, b) < (3, 7);
    le: bool = (3, 7) <= (a, b);
    gt: bool = (1, a, b) > (1, 3, 7);
    ge: bool = (1, a, b) >= (1, 7, b);
    one: bool = (a,) < (3,);
    none: bool = () <= () && !(() < ()) && () == ();
    nested: bool = ((a, b), true) < ((3, 7), false) || (a, (b, 1)) == (3, (7, 1));
    literals: bool = (1, 2.5) < (1, 3.5);
    half_literals: bool = (a, 0) < (3, b);
    min: u8 = { let m = (a, b).min((3, 7)); m.1 };
    max: i32 = (a, b).max((3, 7)).0;
    functions: u8 = std::cmp::max((a, b), (3, 7)).1 ^ std::cmp::min((3, 7), (a, b)).1;
    of_literals: i32 = (1, 9).min((1, 8)).1;
} }

table! { of_floats, (a: f32, b: f32) = pairs(|_, _| true), Exact {
    eq: bool = (a, b) == (b, a);
    ne: bool = (a, b) != (b, a);
    lt: bool = (1.0, a) < (1.0, b);
    le: bool = (a, b) <= (a, 0.5);
    gt: bool = (a, b, true) > (b, a, false);
    ge: bool = ((a, 1u8), b) >= ((b, 1), a);
    mixed: bool = (a < b, a) < (b < a, b);
} }

table! { clamps, (a: i16, lo: i16, hi: i16) = triples(2000, |_, lo: i16, hi: i16| lo <= hi), Exact {
    first: i16 = (a, hi).clamp((lo, i16::MIN), (hi, hi)).0;
    second: i16 = (lo, a).clamp((lo, lo), (lo, hi)).1;
} }

#[test]
fn a_clamp_of_tuples_fails_as_in_rust() {
    #[qd::kernel]
    fn clamped(x: i32, lo: i32, hi: i32) -> i32 {
        let t = (1, x).clamp((1, lo), (1, hi));
        t.1
    }
    let panic = catch_unwind(|| clamped.native(1, 3, 2)).unwrap_err();
    let text = *panic.downcast_ref::<&str>().unwrap();
    for engine in &Engines::new().all {
        engine.runtime.scope(|| {
            assert_eq!(clamped(7, 2, 3), 3);
            let error = clamped.try_call(1, 3, 2).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        });
    }
}

/// The operands are evaluated before anything is compared: what fails in the second fails though the first decides.
#[test]
fn operands_are_evaluated_whole() {
    #[qd::kernel]
    fn compared(x: i32) -> bool {
        (0, 1) < (1, 1 / x)
    }
    assert!(catch_unwind(|| compared.native(0)).is_err());
    for engine in &Engines::new().all {
        engine.runtime.scope(|| {
            assert!(compared(1));
            let error = compared.try_call(0).unwrap_err().to_string();
            assert!(error.contains("attempt to divide by zero"), "{error}");
        });
    }
}
