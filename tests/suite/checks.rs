//! `assert!` and its kin, `panic!`, `unreachable!`: the lowest failing iteration, in Rust's own words.
use std::panic::{AssertUnwindSafe, catch_unwind};

use qd::prelude::*;

use crate::support::Engines;

/// What a panic says.
fn said(run: impl FnOnce()) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(run)).err()?;
    let text = payload.downcast_ref::<String>().cloned();
    Some(text.or_else(|| payload.downcast_ref::<&str>().map(|text| text.to_string())).expect("a text"))
}

/// A kernel over one array, from its loop body on: natively and compiled it says the same, about the same iteration.
macro_rules! checks {
    ($($name:ident($i:ident, $x:ident: $t:ty = $start:expr) $body:block at $point:literal;)+) => { $(
        #[test]
        fn $name() {
            #[qd::kernel]
            fn kernel($x: &mut [$t]) {
                for $i in 0..$x.len() {
                    $body
                }
            }
            let start: Vec<$t> = $start;
            let mut native = start.clone();
            let words = said(|| kernel.native(&mut native)).expect("it fails");
            for engine in &Engines::new().all {
                let mut got = start.clone();
                let error = engine.runtime.scope(|| kernel.try_call(&mut got)).unwrap_err();
                assert_eq!(error.kind(), qd::ErrorKind::Fault);
                let (text, end) = (error.to_string(), format!(": {words} (iteration {})", $point));
                assert!(text.starts_with("kernel `kernel` at tests/suite/checks.rs:"), "{text}");
                assert!(text.ends_with(&end), "{}: `{text}` doesn't end in `{end}`", engine.name);
                assert_eq!(got[..$point], native[..$point], "{}: iterations before it are done", engine.name);
            }
        }
    )+ };
}

checks! {
    plain(i, x: i32 = (0..5000).collect()) { assert!(x[i] < 100); x[i] += 1; } at 100;
    trailing_comma(i, x: i32 = (0..5000).collect()) { assert!(!(x[i] == 300 || x[i] > 4_000) && x.len() != 0,); } at 300;
    with_words(i, x: i32 = (0..5000).collect()) {
        assert!(x[i] * 2 < 300, "{} and {:>5}, {1:?}|{v:<6}|", x[i], x[i] as f32 / 4.0, v = i * 2);
        x[i] += 1;
    } at 150;
    equal(i, x: u8 = (0..=255).collect()) { assert_eq!(x[i] & 0x7f, x[i]); x[i] ^= 1; } at 128;
    equal_with_words(i, x: f64 = (0..3000).map(|n| n as f64 / 2.0).collect()) {
        let half = x[i].trunc();
        assert_eq!(half + (x[i] - half), if i == 1001 { f64::NAN } else { x[i] }, "part {half} of {i:#06x}");
        x[i] += 1.0;
    } at 1001;
    different(i, x: i64 = (0..2000).map(|n| n - 1500).collect()) { assert_ne!(x[i], -3, "negative: {:+e}", x[i]); } at 1497;
    tuples(i, x: i16 = (0..300).collect()) { assert_eq!((x[i] % 77, x[i] > 200), (x[i], false), "at {:?}", (i, 1.5f32)); } at 77;
    panics(i, x: u32 = (0..4000).collect()) {
        if x[i] % 1000 == 999 {
            panic!("{{{}}} {0:08.3e} {:?}", x[i], x[i] as f32 / 3.0);
        }
        x[i] = 0;
    } at 999;
    silent(i, x: u32 = (0..10).collect()) { x[i] += 1; if x[i] == 5 { panic!(); } } at 4;
    not_reached(i, x: u32 = (0..10).collect()) { x[i] += 1; match x[i] { 0..=7 => x[i] = 1, _ => unreachable!() } } at 7;
    not_reached_with_words(i, x: u32 = (0..10).collect()) {
        let v = x[i];
        x[i] = match v { 0..=6 => 1, 7 if i > 9 => 2, _ => unreachable!("value {v}") };
    } at 7;
    debug(i, x: i32 = (0..5000).collect()) { debug_assert!(x[i] < 100, "{}", x[i]); x[i] += 1; assert!(i < 4000); } at 100;
    debug_equal(i, x: i32 = (0..5000).collect()) { debug_assert_eq!(x[i] & 1023, x[i]); debug_assert_ne!(i, 5000); } at 1024;
    inner(i, x: i32 = (0..100).collect()) {
        for k in 0..x[i] {
            assert!(k < 50, "{k} in {i}");
        }
        x[i] = -1;
    } at 51;
    bools(i, x: bool = vec![true, true, false]) { assert_eq!(x[i], true, "{:>6}|{:<6}|", x[i], !x[i]); } at 2;
}

#[qd::kernel]
fn rows(y: &mut [f32], starts: &[usize], columns: &[u32], x: &[f32], z: &[f32], turn: u32) {
    for i in 0..y.len() {
        let mut sum = 0.0;
        for k in starts[i]..starts[i + 1] {
            let column = columns[k];
            sum += x[column as usize] * z[(column ^ turn) as usize];
        }
        y[i] = sum;
    }
}

/// Indices that are looked at several at a time: the first beyond its array is found wherever it stands, at the array's
/// very end and far behind it.
#[test]
fn each_entry_of_a_row_is_checked() {
    let (x, z) = ((0..37).map(|k| k as f32).collect::<Vec<_>>(), vec![0.5; 64]);
    let engines = Engines::new();
    for len in 0..27 {
        let columns: Vec<u32> = (0..3 + len).map(|k| k * 11 % 37).collect();
        let starts = [0, 3, columns.len()];
        for (at, beyond) in (3..columns.len()).flat_map(|at| [(at, 37), (at, 63), (at, 64), (at, u32::MAX)]) {
            let mut columns = columns.clone();
            columns[at] = beyond;
            let mut native = [-1.0; 2];
            let words = said(|| rows.native(&mut native, &starts, &columns, &x, &z, 1)).expect("it fails");
            for engine in &engines.all {
                let mut got = [-1.0; 2];
                let run = || rows.try_call(&mut got, &starts, &columns, &x, &z, 1);
                let error = engine.runtime.scope(run).unwrap_err().to_string();
                let found = error.contains(&format!(": {words} (array `")) && error.ends_with("`, iteration 1)");
                assert!(found, "{}: {len}, {at}: {error}, natively {words}", engine.name);
                assert_eq!(got, native, "{}: {len}, {at}", engine.name);
            }
        }
    }
}

#[qd::func]
fn root(x: f32) -> f32 {
    assert!(x >= 0.0, "a root of {x}");
    x.sqrt()
}

#[qd::kernel]
fn roots(x: &mut [f32]) -> f32 {
    for i in 0..x.len() {
        x[i] = root(x[i]);
    }
    let mut sum = 0.0;
    let mut k = 0;
    while k < x.len() {
        sum += x[k];
        k += 1;
        assert!(sum < 100.0, "too much after {k}: {sum}");
    }
    sum
}

#[test]
fn functions_and_serial_code_check_too() {
    for engine in &Engines::new().all {
        let run = |values: &[f32]| {
            let (mut native, mut got) = (values.to_vec(), values.to_vec());
            let words = said(|| _ = roots.native(&mut native));
            let error = engine.runtime.scope(|| roots.try_call(&mut got)).map_err(|error| error.to_string());
            (words, error)
        };
        let (words, error) = run(&[1.0, 4.0, -9.0, -16.0]);
        let error = error.unwrap_err();
        assert!(error.starts_with("`root` at tests/suite/checks.rs:"), "{error}");
        assert!(error.contains(&words.unwrap()) && error.ends_with("(iteration 2)"), "{error}");
        let (words, error) = run(&[1.0, 9000.0, 9000.0]);
        assert!(error.unwrap_err().ends_with(&words.unwrap()));
        let (words, result) = run(&[1.0, 9.0]);
        assert_eq!((words, result), (None, Ok(4.0)));
    }
}

#[qd::kernel]
fn configured(x: &mut [u8]) -> bool {
    for i in 0..x.len() {
        x[i] = if cfg!(debug_assertions) { 1 } else { 2 } + cfg!(target_pointer_width = "16") as u8;
    }
    cfg!(not(test))
}

#[test]
fn configuration_is_rustc_s() {
    let mut x = [0; 3];
    assert_eq!(configured(&mut x), cfg!(not(test)));
    assert_eq!(x, [if cfg!(debug_assertions) { 1 } else { 2 }; 3]);
}
